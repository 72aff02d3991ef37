"""One evaluation of a claim's body: discover its variables, run it on values, check what it returns."""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.errors import BodyRaised, ClaimError, SkipClaim, TightropeError, clean, describe
from harness.language.derived import admitted
from harness.language.kept import Kept
from harness.language.lines import LINES, Search
from harness.language.outcomes import Endless
from harness.language.quantifiers import Draw, Forall, from_values, stream
from harness.language.recorded import Recorder, Rows
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space
from harness.language.undefined import NanWhereUndefined, undefined
from harness.language.within import Within, best_answers
from harness.numbers import claim_at, dump, parameters

Values = Mapping[str, Tensor]
TOLD_APART = (11, 13)  # replicates at which a parameter with a value for each of them has different sizes
LONGEST = 200  # characters of the inputs in an error


@dataclass(frozen=True)
class Sides:
    """Left and right side of a claim over a batch, on the CPU wherever its body ran; `rhs` is zero for a rate."""

    lhs: Tensor  # (batch,)
    rhs: Tensor  # (batch,)
    excluded: Tensor | None = None  # (batch,): where the claim says nothing, by what it assumes; None for nowhere

    @property
    def out(self) -> Tensor:
        """Where the claim says nothing, (batch,)."""
        return torch.zeros(self.lhs.shape, dtype=torch.bool) if self.excluded is None else self.excluded

    @classmethod
    def joined(cls, parts: "Sequence[Sides]") -> "Sides":
        """Those of several batches, one after another."""
        if len(parts) == 1:
            return parts[0]
        lhs, rhs = torch.cat([part.lhs for part in parts]), torch.cat([part.rhs for part in parts])
        anywhere = any(part.excluded is not None for part in parts)
        return cls(lhs, rhs, torch.cat([part.out for part in parts]) if anywhere else None)


def call(claim: Claim, params: Parameters, *, forall: Forall, draw: Any, within: Within | None = None) -> Any:
    """Run the body; any exception becomes one sentence that names the claim. What the body has forked ends with it."""
    own = os.getpid()
    given: dict[str, Any] = {"forall": forall, "draw": draw, "within": within}
    if isinstance(draw, Draw | Recorder | Rows) and draw.layouts is None:
        draw.layouts = _Layouts(claim, params)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)  # torch.tensor(0.7) in a body means 0.7, not 0.699999988
    try:
        returned = _run(claim, params, {name: given[name] for name in claim.wants})
        if torch.get_default_dtype() is not torch.float64:
            raise ClaimError("it changes the default dtype of torch; create tensors with the dtype that you need")
        return returned
    except (SkipClaim, Endless, KeyboardInterrupt):  # in this process the last is the user's; a worker knows better
        raise
    except TightropeError as error:
        raise ClaimError(f"{claim_at(claim.key, params)}: {error}") from error
    except BaseException as error:
        what = f"{claim_at(claim.key, params)} raised {describe(error)}{_where(error, claim)}"
        raise BodyRaised(what, _advice(error), getattr(forall, "masks", ())) from error
    finally:
        if os.getpid() != own:  # a child of a body that forks and returns: it would judge, and fork, as well
            os._exit(0)
        torch.set_default_dtype(before)


class _Layouts:
    """Whether the parameters of a cell's draws have a value for each replicate, by name; found out once asked.

    Those whose first axis has as many entries as there are replicates at two sizes have one; where the body stops at
    such a size nothing is known, and all have one.
    """

    def __init__(self, claim: Claim, params: Parameters) -> None:
        self.claim, self.params = claim, params

    def __call__(self, name: str) -> bool:
        met, cell = _layouts.of(self.claim.body), cell_name(self.claim, self.params)
        if cell not in met:
            told = [asked for reps in TOLD_APART if (asked := self._met(reps)) is not None]
            met[cell] = set.intersection(*told) if len(told) == len(TOLD_APART) else None
        known = met[cell]
        return known is None or name in known

    def _met(self, reps: int) -> set[str] | None:
        """The draws with a parameter of as many entries as there are replicates; None where the body stops."""
        asked: set[str] = set()
        draw, rng = Draw(reps, ("layouts",)), stream("layouts", self.claim.key, self.params)
        draw.layouts = lambda name: not asked.add(name)  # type: ignore[func-returns-value]
        within = Within(lambda space: space.sample(rng, reps)) if "within" in self.claim.wants else None
        plainly = torch._C._DisableTorchDispatch(), torch._C.DisableTorchFunction()  # whoever watches the body
        with torch.no_grad(), plainly[0], plainly[1], suppress(ClaimError, Endless):
            call(self.claim, self.params, forall=Forall(lambda space: space.sample(rng, 1)), draw=draw, within=within)
            return asked
        return None


_layouts: Kept[tuple[str, str], set[str] | None] = Kept()


def cell_name(claim: Claim, params: Parameters) -> tuple[str, str]:
    """By which what a process has found out about a cell is kept."""
    return claim.key, json.dumps(params, sort_keys=True)


def _run(claim: Claim, params: Parameters, given: Mapping[str, Any]) -> Any:
    """The body; once more, with NaN for what does not exist, where it asks for the inverse of a singular matrix."""
    try:
        return claim.body(**given, **params)
    except RuntimeError as error:
        if not undefined(error) or claim.kind.returns in ("rows", "nothing"):
            raise
    for source in given.values():
        source._afresh()
    with NanWhereUndefined():
        return claim.body(**given, **params)


def _advice(error: BaseException) -> str:
    if isinstance(error, RuntimeError) and "does not require grad" in str(error):
        return (
            "a body is judged with gradients off, so differentiate inside `with torch.enable_grad():`, or by torch.func"
        )
    if isinstance(error, np.linalg.LinAlgError):
        return (
            "numpy and scipy raise for all instances as soon as one matrix has no inverse or factorisation, so use "
            "torch.linalg, where it is NaN for its own alone"
        )
    if isinstance(error, ValueError) and any(word in str(error) for word in ("domain error", "expected a ")):
        return (
            "a function of one number is asked beyond its domain, where rounding alone may lead, so clamp what it is "
            "given, or leave such inputs out by forall.assume before"
        )
    if isinstance(error, RuntimeError) and "Boolean value of Tensor" in str(error):
        return "the first axis holds many instances at once, so choose by torch.where or masks, not by `if` or `while`"
    return "run the function by hand there to see the traceback"


def _where(error: BaseException, claim: Claim) -> str:
    line = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == claim.file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" (line {line} of {claim.file.rsplit('/', 1)[-1]})" if line else ""


def evaluate(claim: Claim, params: Parameters, values: Values, draw: Any, batch: int, *, lines: int = LINES) -> Sides:
    """Both sides on a batch of instances or replicates; `draw` is a `Draw`, or stands in the place of one.

    What the claim quantifies within is searched first, along so many lines where it jumps, or taken from `draw` where
    it has been found before. A body may raise where what it has assumed by then is true of no instance; where it raises
    at one instance, or at one distribution, the error tells the inputs.
    """
    versions = {name: value._version for name, value in values.items()}
    within = None
    if "within" in claim.wants:
        if draw.answers is None:
            draw = _answered(claim, params, values, draw, lines)
        within = Within(from_values(draw.answers))
    forall = Forall(from_values(values))
    try:
        returned = call(claim, params, forall=forall, draw=draw, within=within)
    except BodyRaised as error:
        if bool(left_out(claim, error, batch).all()):
            return nowhere(batch)
        alone = values and all(len(value) == 1 for value in values.values())
        raise (error.at(inputs(values)) if alone else error) from error.__cause__
    for name, value in values.items():
        if value._version != versions[name]:  # the search would continue with the modified instances
            raise ClaimError(f"claim {claim.key!r} changes its variable {name!r} in place; work on {name}.clone().")
    found = sides_of(claim, returned, batch)
    assumed = admitted(claim.key, [*forall.masks, *(within.masks if within else ())], batch)
    return found if assumed is None else Sides(torch.where(assumed, found.lhs, torch.nan), found.rhs, ~assumed)


def left_out(claim: Claim, error: BodyRaised, batch: int) -> Tensor:
    """The instances that a body had assumed away before it raised, (batch,)."""
    assumed = admitted(claim.key, error.assumed, batch)
    return torch.zeros(batch, dtype=torch.bool) if assumed is None else ~assumed


def nowhere(batch: int) -> Sides:
    """The sides of instances about which a claim says nothing."""
    nothing = torch.full((batch,), torch.nan, dtype=torch.float64)
    return Sides(nothing, nothing, torch.ones(batch, dtype=torch.bool))


def inputs(values: Values) -> str:
    """One instance in a sentence: x=-0.25, y=[1.0, 0.0]."""
    return clean(parameters(dump(values)), LONGEST)


def _answered(claim: Claim, params: Parameters, values: Values, draw: Any, lines: int) -> Rows:
    """The same draws, with the worst answers to them that were found, of those that what is assumed admits."""
    recorder = draw if isinstance(draw, Recorder) else Recorder(draw)
    rng = stream("within", claim.key, params)

    def start(space: Space) -> Tensor:
        recorder.closed = space.name
        return space.sample(rng, recorder.reps).to(recorder.device)

    asked = Within(start)
    with torch.no_grad():
        call(claim, params, forall=Forall(from_values(values)), draw=recorder, within=asked)

    def gap(answers: Mapping[str, Tensor]) -> Tensor:
        again, forall = Within(from_values(answers)), Forall(from_values(values))
        sides = call(claim, params, forall=forall, draw=recorder.again(), within=again)
        lhs, rhs = (torch.as_tensor(side, dtype=torch.float64) for side in sides)
        found = (lhs - rhs).broadcast_to((recorder.reps,))
        assumed = admitted(claim.key, [*forall.masks, *again.masks], recorder.reps)
        return found if assumed is None else torch.where(assumed.to(found.device), found, torch.nan)

    with torch.no_grad():
        search = Search(gap, rng, lines)
        recorder.answers = best_answers(tuple(asked.spaces.values()), search, recorder.reps, recorder.device)
    return recorder.again()


def sides_of(claim: Claim, returned: object, batch: int) -> Sides:
    """What a body has returned, checked: both sides, or the quantity of a rate beside zeros."""
    if claim.kind.returns == "quantity":
        found = _side(claim, "returned", returned, batch)
        return Sides(found, torch.zeros_like(found))
    if not isinstance(returned, tuple | list) or len(returned) != 2:
        raise ClaimError(
            f"claim {claim.key!r} returned {_describe(returned)}; return (lhs, rhs), two tensors or numbers."
        )
    return Sides(_side(claim, "left", returned[0], batch), _side(claim, "right", returned[1], batch))


def _side(claim: Claim, which: str, value: object, batch: int) -> Tensor:
    masked = isinstance(value, np.ma.MaskedArray)
    if masked or not isinstance(value, Tensor | np.ndarray | np.generic | Number | Decimal):
        raise ClaimError(f"claim {claim.key!r}: its {which} side is {_describe(value)}; return a tensor or a number.")
    try:
        side = value if isinstance(value, Tensor) else torch.as_tensor(np.asarray(_plain(value)))
    except OverflowError:
        raise ClaimError(
            f"claim {claim.key!r}: its {which} side is {_describe(value)}, beyond the range of floats; return the "
            "logarithms of both sides (math.log takes whole numbers of any size), or their quotient and 1."
        ) from None
    except TypeError:
        raise ClaimError(
            f"claim {claim.key!r}: its {which} side is {_describe(value)}; return a tensor or a number."
        ) from None
    if side.layout is not torch.strided or side.is_meta:
        raise ClaimError(f"claim {claim.key!r}: its {which} side is a sparse or meta tensor; return a dense tensor.")
    with torch._C.DisableTorchFunctionSubclass():
        side = side.as_subclass(Tensor)  # so that a subclass cannot redefine comparisons
    if side.is_complex():
        raise ClaimError(f"claim {claim.key!r}: its {which} side is complex; return its real part or its modulus.")
    if side.dtype in (torch.float32, torch.float16, torch.bfloat16) and bool((side != side.round()).any()):
        raise ClaimError(
            f"claim {claim.key!r}: its {which} side is {str(side.dtype).removeprefix('torch.')}, whose rounding errors "
            "could decide a tight claim; compute it in float64."
        )
    side = side.to(device="cpu", dtype=torch.float64).resolve_neg()  # numpy cannot read a negated view
    try:
        return side.broadcast_to((batch,))
    except RuntimeError:
        raise ClaimError(
            f"claim {claim.key!r}: its {which} side has shape {tuple(side.shape)}, which does not broadcast to the "
            f"batch ({batch},); reduce the other axes or keep the batch axis first."
        ) from None


def _plain(value: object) -> object:
    """Whole numbers, fractions and decimals as floats, and truth values of numpy as those of Python."""
    return float(value) if isinstance(value, int | Fraction | Decimal) else value


def _describe(value: object) -> str:
    if isinstance(value, Tensor):
        return f"one tensor of shape {tuple(value.shape)}"
    try:
        text = clean(repr(value), 60)
    except Exception:
        text = "without a text"
    return f"{type(value).__name__} {text}"


def made_of(claim: Claim, params: Parameters, values: Values) -> dict[str, Tensor]:
    """What a body makes of one instance before it computes: its permutations, matrices and functions, by name."""
    forall = Forall(from_values(values))
    draw = Draw(1, ("made",)) if "draw" in claim.wants else None
    within = Within(lambda space: space.sample(stream("made"), 1)) if "within" in claim.wants else None
    with torch.no_grad():
        call(claim, params, forall=forall, draw=draw, within=within)
    return {name: value[0] for name, value in forall.made.items()}
