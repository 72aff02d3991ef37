"""The contract of a body, looked at more closely than before each judging: for whoever has written one.

Each part returns a sentence about the first breach that it finds, "" where there is none.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import torch
from torch import Tensor

from harness.certify.rounding.spread import CLEAR
from harness.certify.rounding.trials import trial_noise
from harness.errors import ClaimError, SkipClaim
from harness.judges.contract import (
    REPLICATES,
    Look,
    check_equal,
    check_instances,
    check_trials,
    side_that_differs,
    smallest,
)
from harness.language.anatomy import Anatomy, anatomy
from harness.language.derived import admitted
from harness.language.dispatch import DispatchMode
from harness.language.evaluation import Sides, Values, call, evaluate, sides_of
from harness.language.kind import Comparison
from harness.language.quantifiers import Draw, Forall, from_values, stream
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space, tensor
from harness.language.within import Within
from harness.numbers import claim_at
from harness.search.objective import Deterministic
from harness.search.population import gradient_of
from harness.search.starts import low_discrepancy

ORDINARY, TRIALS = 16, 7  # instances, or replicates at one
MOST_CELLS = 12  # of more, the first, the middle and the last are looked at
POOL = 32  # times as many inputs are tried where some are assumed away
CLOSE = Look(tuple(slice(i, i + 1) for i in range(REPLICATES)), 1e-9)
STEP, VISIBLE = 1e-4, 1e-7  # of the size of a set, and beside both sides
HALVED = 0.05  # how near half a step must come to half the way: nearer than a jump does
NOT_IN_ORDER = {"ball", "sample"}  # draws whose first replicates depend on how many there are
LOW = {torch.float32, torch.float16, torch.bfloat16}
NO_GPU = "whether sides are on the device of their inputs: torch has no GPU here"


@dataclass(frozen=True)
class Conformance:
    """What was found about a claim: a sentence for each breach, and for each thing that could not be seen."""

    breaches: tuple[str, ...]
    unseen: tuple[str, ...]

    @property
    def word(self) -> str:
        """ "keeps", "breaks", or "unseen" where there was nothing to look at."""
        if self.breaches:
            return "breaks"
        return "keeps" if {*self.unseen} <= {NO_GPU} else "unseen"


def examine(claim: Claim, device: str | None = None) -> Conformance:
    """Look at every part of the contract; without a `device` sides are followed to the GPU, where there is one."""
    if claim.kind.flaw:
        return Conformance((claim.kind.flaw,), ())
    if claim.kind.returns in ("rows", "nothing"):
        return Conformance((), (f"{claim.key}: it returns no sides before it is judged",))
    device = device or ("cuda" if torch.cuda.is_available() else None)
    breaches: list[str] = []
    unseen = [] if device else [NO_GPU]
    try:
        breaches += _breaches(claim, device)
    except SkipClaim as reason:
        unseen.append(f"{claim.key}: {reason}")
    return Conformance(tuple(dict.fromkeys(breaches)), tuple(unseen))


def _breaches(claim: Claim, device: str | None) -> Iterator[str]:
    """The sentences of all parts; of a body that raises or changes its answers, no more than that."""
    cells = [Cell(claim, params) for params in _some(claim)]
    ends = [cells[0], cells[-1]] if len(cells) > 1 else cells
    first = _breach(repeats, cells)
    if first:
        yield first
        return
    parts: list[tuple[Part, list[Cell]]] = [(finite, cells), (precise, ends)]
    mixed = _breach(apart, ends) or _breach(unnumbered, ends)
    if mixed:  # what the slopes of one instance are cannot be seen
        yield mixed
    else:
        parts.append((sloped, ends[-1:]))
    if device:
        parts.append((partial(placed, device=device), ends[:1]))
    yield from filter(None, (_breach(part, some) for part, some in parts))


def _some(claim: Claim) -> list[Parameters]:
    if claim.groups() != claim.cells:
        return [smallest(claim, group) for group in claim.groups()]
    cells = claim.cells
    return list(cells) if len(cells) <= MOST_CELLS else [cells[0], cells[len(cells) // 2], cells[-1]]


def _breach(part: "Part", cells: "list[Cell]") -> str:
    try:
        return next(filter(None, map(part, cells)), "")
    except ClaimError as error:
        return str(error)


@dataclass
class Cell:
    """A cell of a claim, and what its body returns at ordinary inputs."""

    claim: Claim
    params: Parameters

    @property
    def draws(self) -> bool:
        """Whether the batch consists of replicates, at one instance."""
        return "draw" in self.claim.wants

    @cached_property
    def anatomy(self) -> Anatomy:
        return anatomy(self.claim, self.params)

    @property
    def spaces(self) -> tuple[Space, ...]:
        return self.anatomy.spaces if "forall" in self.claim.wants else ()

    @cached_property
    def batch(self) -> int:
        """How many instances or replicates are looked at."""
        return TRIALS if self.draws else len(next(iter(self.values.values()), [None]))

    @cached_property
    def values(self) -> Values:
        """Instances all over the sets that satisfy what the body assumes; one where the body draws."""
        if not self.spaces:
            return {}
        wanted = 1 if self.draws else ORDINARY
        rng = stream("conformance", self.claim.key, self.params)
        found = low_discrepancy(self.spaces, rng, wanted)
        if self._assumed(found).all():
            return found
        pool = {space.name: space.sample(rng, POOL * wanted) for space in self.spaces}
        some = torch.nonzero(self._assumed(pool)).squeeze(-1)[:wanted]
        if not len(some):
            raise SkipClaim(f"at {self.params} none of {POOL * wanted} random inputs satisfies what it assumes")
        return {name: value[some] for name, value in pool.items()}

    def _assumed(self, values: Values) -> Tensor:
        """Which instances the body does not assume away, `(batch,)`."""
        count = len(next(iter(values.values())))
        if self.draws:
            one_by_one = [{name: value[i : i + 1] for name, value in values.items()} for i in range(count)]
            return torch.tensor([bool(self._admitted(instance, TRIALS).all()) for instance in one_by_one])
        return self._admitted(values, count)

    def _admitted(self, values: Values, batch: int) -> Tensor:
        mask = self.returned(values, batch)[1]
        return torch.ones(batch, dtype=torch.bool) if mask is None else mask

    def returned(self, values: Values, batch: int, device: str = "cpu") -> tuple[Any, Tensor | None]:
        """What the body itself returns, answers within at random, and which instances it assumes."""
        rng = stream("conformance", "within", self.claim.key, self.params)
        forall = Forall(from_values({name: value.to(device) for name, value in values.items()}))
        within = Within(lambda space: space.sample(rng, batch).to(device)) if "within" in self.claim.wants else None
        with torch.no_grad():
            found = call(self.claim, self.params, forall=forall, draw=self.draw(batch, device), within=within)
        return found, admitted(self.claim.key, forall.masks, batch)

    def draw(self, reps: int, device: str = "cpu") -> Draw:
        """The same draws each time."""
        return Draw(reps, ("conformance", self.claim.key), device)

    @cached_property
    def sides(self) -> Sides:
        """What is compared with other answers."""
        return self.again()

    def again(self, draw: Any = None) -> Sides:
        """Both sides, or the quantity of a rate, asked afresh; with other draws, where some are given."""
        draw = draw or self.draw(self.batch)
        with torch.no_grad():
            return evaluate(self.claim, self.params, self.values, draw, draw.reps)

    def noise(self, gap: Tensor, values: Values | None = None) -> Tensor:
        """The rounding of lhs - rhs at values, by default all; that of a rate is not measured."""
        if self.claim.kind.returns == "quantity":
            return torch.zeros_like(gap)
        draw = partial(self.draw, len(gap))
        values = self.values if values is None else values
        return trial_noise(self.claim, self.params, self.spaces, values, draw, gap, pairs=1)

    def __str__(self) -> str:
        return claim_at(self.claim.key, self.params)


Part = Callable[[Cell], str]


def repeats(cell: Cell) -> str:
    """Equal inputs have equal answers."""
    check_equal(cell.claim, cell.sides, cell.again())
    return ""


def finite(cell: Cell) -> str:
    """Sides are finite at ordinary inputs."""
    bad = int((~torch.isfinite(cell.sides.lhs + cell.sides.rhs)).sum())
    where = "replicates at an ordinary input" if cell.draws else "ordinary inputs"
    if not bad:
        return ""
    return (
        f"{cell} has a side that is NaN or infinite in {bad} of {cell.batch} {where}; guard the formula or restrict "
        "the quantified sets."
    )


def apart(cell: Cell) -> str:
    """No instance of a batch sees another one, and no replicate: each has the sides that it has alone."""
    claim, params = cell.claim, cell.params
    some = {name: value[: len(CLOSE.parts)] for name, value in cell.values.items()}
    if cell.draws or claim.kind.returns == "quantity":
        check_trials(claim, params, cell.spaces, "cpu", some, CLOSE)
    elif cell.batch > 1:
        check_instances(claim, params, cell.spaces, some, CLOSE)
    return ""


def unnumbered(cell: Cell) -> str:
    """More replicates change none of the first ones, where draws are made one replicate after the other."""
    if not cell.draws or "within" in cell.claim.wants:  # the search within begins elsewhere
        return ""
    asked = _Methods(cell.draw(REPLICATES))
    few = cell.again(asked)
    if asked.methods & NOT_IN_ORDER:
        return ""
    many = cell.again(cell.draw(2 * TRIALS))
    first = Sides(many.lhs[:REPLICATES], many.rhs[:REPLICATES])
    which = side_that_differs(few, first, CLOSE.same, cell.noise)
    if not which:
        return ""
    return (
        f"{cell}: its {which} side depends on the number of replicates; give draws a shape and parameters that do not "
        "depend on it."
    )


class _Methods:
    """A `Draw` that remembers by which methods it was asked."""

    def __init__(self, draw: Draw) -> None:
        self.asked, self.reps, self.device, self.answers = draw, draw.reps, draw.device, draw.answers
        self.methods: set[str] = set()

    def __getattr__(self, method: str) -> Any:
        self.methods.add(method)
        return getattr(self.asked, method)


def precise(cell: Cell) -> str:
    """Nothing on the way to the sides is rounded to fewer digits than float64 has."""
    with _LowPrecision() as watch:
        cell.again()
    if not watch.seen:
        return ""
    return (
        f"{cell} computes in {watch.seen} on the way to its sides, whose rounding errors could decide a tight claim; "
        "compute in float64."
    )


class _LowPrecision(DispatchMode):
    """Remembers the first type of fewer digits that an operation returns other than whole numbers in."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seen = ""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for item in out if isinstance(out, tuple | list) else (out,):
            if isinstance(item, Tensor) and item.dtype in LOW and bool((item != item.round()).any()):
                self.seen = self.seen or str(item.dtype).removeprefix("torch.")
        return out


def sloped(cell: Cell) -> str:
    """Where sides change smoothly with an input they have a gradient in it, for the search to climb."""
    claim, kind = cell.claim, cell.claim.kind
    smooth = {space.name: space for space in cell.spaces if space.smooth}
    if not isinstance(kind, Comparison) or not smooth:
        return ""
    objective = Deterministic(claim, cell.params, kind, cell.spaces, cell.anatomy.bytes_per_replicate)

    def height(values: dict[str, Tensor], batch: int) -> Tensor:
        sides = objective.sides(values, batch)
        return math.sqrt(2.0) * sides.lhs - sides.rhs  # which the sides of an identity do not cancel in

    gradients = gradient_of(height, dict(cell.values), list(smooth)) or {}
    flat = [name for name in smooth if name not in gradients or not bool(gradients[name].any())]
    noise = objective.noise(dict(cell.values), cell.sides, 1) if flat else torch.zeros(cell.batch)
    cut = [name for name in flat if _moves(cell, height, smooth[name], noise)]
    if not cut:
        return ""
    return (
        f"{cell} has no gradient in {', '.join(map(repr, cut))}, although its sides change smoothly with it; compute "
        "with torch, without detach(), item() or numpy, so that the search can climb."
    )


def _moves(cell: Cell, height: Callable[[dict[str, Tensor], int], Tensor], space: Space, noise: Tensor) -> bool:
    """Whether a small step in one input moves the sides, and half of it half as far, at a quarter of the instances.

    A jump seldom does, and rounding moves them by less than its measured `noise`.
    """
    value = cell.values[space.name]
    way = space.size * tensor(stream("conformance", "way", cell.claim.key, space.name).standard_normal(value.shape))

    def after(step: float) -> Tensor:
        moved = {**cell.values, space.name: space.project(value + step * way)}
        with torch.no_grad():
            return height(moved, cell.batch)

    start = after(0.0)
    half, whole = after(0.5 * STEP) - start, after(STEP) - start
    least = torch.maximum(CLEAR * noise, VISIBLE * (cell.sides.lhs.abs() + cell.sides.rhs.abs()))
    moves = (whole.abs() > least) & ((half / whole - 0.5).abs() <= HALVED)
    return 4 * int(moves.sum()) >= cell.batch


def placed(cell: Cell, device: str) -> str:
    """Sides are on the device of their inputs, with the numbers that the CPU gives."""
    values = {name: value[: len(CLOSE.parts)] for name, value in cell.values.items()}
    if not (values or cell.draws):
        return ""
    batch = REPLICATES if cell.draws else len(next(iter(values.values())))
    there, here = (cell.returned(values, batch, at)[0] for at in (device, "cpu"))
    for side in there if isinstance(there, tuple | list) else (there,):
        if isinstance(side, Tensor) and side.ndim and side.device.type != device:
            return f"{cell} returns a side on {side.device} for inputs on {device}; make its tensors like its inputs."

    one, other = (sides_of(cell.claim, found, batch) for found in (here, there))
    which = side_that_differs(one, other, CLOSE.same, partial(cell.noise, values=values))
    if not which:
        return ""
    return f"{cell} has another {which} side on {device} than on the CPU; compute where its inputs are."
