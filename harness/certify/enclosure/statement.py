"""Both sides of a claim over boxes, and how far they are from what is to be proved."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from harness.certify.enclosure.constants import Constants
from harness.certify.enclosure.outward import INF, UNIT, down, up
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.slopes import Sloped, slopes_of, value_of
from harness.certify.enclosure.tensor import Enclosed, Ends, ends
from harness.errors import clean, describe
from harness.language.kind import Comparison
from harness.language.quantifiers import Forall, from_values
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space

HALF = 0.5  # what whole numbers do not differ by
LESS = 1.0 - 16.0 * UNIT  # keeps a product of a few positive numbers below its exact value


@dataclass(frozen=True)
class Statement:
    """A claim in one cell: `lhs <= c rhs`, or `lhs = rhs` to the tolerance of the kind."""

    claim: Claim
    params: Parameters
    spaces: tuple[Space, ...]

    @property
    def kind(self) -> Comparison:
        assert isinstance(self.claim.kind, Comparison)
        return self.claim.kind

    def sides(self, values: Mapping[str, Any], draw: Any = None) -> tuple[Any, Any]:
        """What the body returns for enclosures of its inputs; a body that does not run raises NoEnclosure.

        `draw` stands for what a body draws, such as all outcomes. What the body assumes of its inputs is disregarded:
        the statement is proved where it need not hold as well.
        """
        forall = _Bounded(from_values(values))
        known = {"forall": forall} if draw is None else {"forall": forall, "draw": draw}
        if self.claim.wants - set(known):
            raise NoEnclosure("answers or draws")
        given = {name: known[name] for name in self.claim.wants}
        try:
            # with gradients enabled, algorithms take their differentiable form, which changes nothing in place
            constants = Constants(next(iter(values.values())))
            with NoEnclosure.heeded(), torch.enable_grad(), double_precision(), constants:
                lhs, rhs = self.claim.body(**given, **self.params)
        except NoEnclosure:
            raise
        except Exception as error:  # the body runs in float64, so this is a limit of enclosures, not of the claim
            signal = _behind(error)
            if signal is not None:
                raise signal from error
            raise NoEnclosure(f"what fails on enclosures ({clean(describe(error), 100)})") from error
        if tuple(forall.spaces.values()) != self.spaces:
            raise NoEnclosure("sets that depend on inputs")
        return lhs, rhs

    def allowed(self, lhs: Ends, rhs: Ends) -> Tensor:
        """What the kind tolerates everywhere in a box, at least: a lower bound.

        Less than one where all inputs are whole numbers or choices, as both sides may be whole as well.
        """
        larger = torch.maximum(smallest_size(lhs), smallest_size(rhs)) * self.kind.rtol
        if self.kind.rtol > self.kind.rtol_of_whole and not any(space.smooth for space in self.spaces):
            larger = larger.clamp_max(HALF)
        return (larger * LESS + self.kind.atol) * LESS

    def gap(self, lhs: Ends, rhs: Ends, c: Tensor | float) -> Tensor:
        """An upper bound of lhs - c rhs, or of |lhs - rhs|; `c` above 1 where rhs is not negative only."""
        if self.kind.two_sided:
            return torch.maximum(up(lhs[1] - rhs[0]), up(rhs[1] - lhs[0]))
        return up(lhs[1] - down(rhs[0] * c))


class _Bounded(Forall):
    """Inputs of a proof: sets that stand for larger ones are refused where their enclosures would not reach."""

    def real(self, name: str, *shape: int) -> Tensor:
        found = super().real(name, *shape)
        if isinstance(found, Enclosed | Sloped):
            raise NoEnclosure("real numbers without bounds")
        free = getattr(found, "without_bounds", None)  # of forms
        return found if free is None else free()


def left_over(gap: Tensor, allowed: Tensor | float) -> Tensor:
    """gap - allowed, infinite where nothing is known; 0 or less only where gap <= allowed for certain."""
    found = (gap - allowed).nan_to_num(nan=INF, posinf=INF)
    proved = gap <= allowed
    return torch.where(proved, found.clamp_max(0.0), found.clamp_min(torch.finfo(torch.float64).tiny))


def enclosed_sides(statement: Statement, values: Mapping[str, Any], boxes: int) -> tuple[Ends, Ends]:
    """Ends of both sides, each (boxes,)."""
    lhs, rhs = statement.sides(values)
    if not (isinstance(lhs, Enclosed) or isinstance(rhs, Enclosed)):
        raise NoEnclosure("plain float64 numbers on both sides")
    return ends_over(lhs, boxes), ends_over(rhs, boxes)


def sloped_sides(
    statement: Statement, values: Mapping[str, Any], boxes: int
) -> tuple[tuple[Ends, list[Ends]], tuple[Ends, list[Ends]]]:
    """Ends of both sides and of their slopes along each coordinate."""
    lhs, rhs = statement.sides(values)
    count = next((len(side.slopes) for side in (lhs, rhs) if isinstance(side, Sloped)), 0)
    if not count:
        raise NoEnclosure("plain float64 numbers on both sides")
    return _sloped(lhs, boxes, count), _sloped(rhs, boxes, count)


def _sloped(side: Any, boxes: int, count: int) -> tuple[Ends, list[Ends]]:
    return ends_over(value_of(side), boxes), [ends_over(0.0 if s is None else s, boxes) for s in slopes_of(side, count)]


def smallest_size(side: Ends) -> Tensor:
    """The smallest size of a side in every box."""
    around = (side[0] <= 0.0) & (side[1] >= 0.0)
    return torch.where(around, 0.0, torch.minimum(side[0].abs(), side[1].abs()))


def _behind(error: BaseException) -> NoEnclosure | None:
    """The signal that an error of the body was made of, if any."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, NoEnclosure):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None


def ends_over(side: Any, boxes: int) -> Ends:
    """Ends of one side, (boxes,)."""
    low, high = ends(side)
    depends = not (isinstance(side, Enclosed) and side.constant)
    if (
        depends and boxes > 1 and low.shape != (boxes,) and bool((low != high).any())
    ):  # what depends on inputs has a row for each
        raise NoEnclosure("the inputs of other instances")
    try:
        return low.broadcast_to((boxes,)), high.broadcast_to((boxes,))
    except RuntimeError:
        raise NoEnclosure(f"a side of shape {tuple(low.shape)}") from None


@contextlib.contextmanager
def double_precision() -> Iterator[None]:
    """torch.tensor(0.7) in a body means 0.7, as in `harness.language.evaluation`."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
