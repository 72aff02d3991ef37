"""Prove a deterministic claim in one cell: by expansion of both sides, or by enclosures over boxes of its inputs."""

import math
from collections.abc import Callable, Mapping, Sequence

import msgspec
import torch
from torch import Tensor

from harness.certify.enclosure.bounding import Bound
from harness.certify.enclosure.boxes import Atlas
from harness.certify.enclosure.branch import Budget, Search, Unfinished
from harness.certify.enclosure.chance import Chance
from harness.certify.enclosure.refusal import NoEnclosure
from harness.certify.enclosure.statement import Statement, enclosed_sides
from harness.certify.enclosure.tensor import Enclosed
from harness.certify.expansion import expansion_constant, expansion_gap
from harness.certify.formulas import decided
from harness.certify.precision import Unsupported
from harness.certify.rounding.digits import lose_digits
from harness.errors import clean, describe
from harness.language.anatomy import Anatomy
from harness.language.evaluation import evaluate
from harness.language.kind import Comparison
from harness.language.quantifiers import Draw, stream
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, dump, number

LADDER = (1.0, 1.001, 1.01)
MEMORY = 128 * 2**20  # bytes that a batch of boxes may make at a time, about
ENDS = 6  # tensors of ends and their like for each tensor of the body
OPERATION = 10_000.0  # what one operation costs, in entries
BATCH = 1024
WORK, TERMS, FEWER = 20_000.0, 200, 50  # entries and products of terms (in inequalities) for each box of the budget


INSTANCES, ROUNDED = 4, 1e-6  # at which float64 is compared with enclosures, and by how much it may differ


class Proof(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    """lhs <= c rhs, or lhs = rhs, for all inputs, to the relative `tolerance`; `boxes` were enough, 0 by expansion.

    Without inputs, balls enclose both sides to so many `digits`. With c > 1 it is no proof of the claim, but of a
    weaker one; then `leads` are points of boxes in which the claim itself stayed open.
    """

    c: float
    boxes: int
    tolerance: float
    digits: int = 0
    leads: list[Instance] = []

    @property
    def by(self) -> str:
        """What proves it."""
        if self.digits:
            return f"balls of both sides, to {self.digits} digits"
        return f"{self.boxes} box{'es' if self.boxes > 1 else ''}" if self.boxes else "expansion of both sides"

    @property
    def sentence(self) -> str:
        to = f" to the relative tolerance {number(self.tolerance)}" if self.tolerance else ""
        weaker = "" if self.c == 1.0 else f" only for c = {number(self.c)} times the right side"
        return f"proved{weaker} by {self.by}{to}"


class Unproved(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    """What stopped the proof, and points of boxes that stayed open."""

    reason: str
    leads: list[Instance] = []

    @property
    def sentence(self) -> str:
        return f"not proved: {self.reason}"


OF_ANOTHER = Unproved("its body computes something else of enclosures than of numbers")


def prove(
    claim: Claim, params: Parameters, anatomy: Anatomy, *, boxes: int, ladder: Sequence[float] = LADDER
) -> Proof | Unproved:
    """Prove one cell of a deterministic claim, with the smallest constant of `ladder` that the budget allows.

    An identity is first expanded: equal normal forms prove it exactly. What remains goes to branch and bound: the sets
    of inputs are cut into boxes until interval arithmetic proves the statement on each of them. A cell without inputs
    is a statement about two numbers, which ball arithmetic decides.

    Parameters
    ----------
    claim, params : a deterministic claim and its cell.
    anatomy : its sets and what an evaluation of the body costs.
    boxes : the budget for each constant tried; the work on tensors and on terms is limited in proportion.
    ladder : constants in increasing order; an identity has none and is proved to the tolerance of its kind.
    """
    if not anatomy.spaces:
        return _unless_digits_are_lost(_decided(claim, params, ladder), claim, params, anatomy)
    statement = Statement(claim, params, anatomy.spaces)

    def attempt() -> Proof:
        gap = _expanded(statement, anatomy, boxes) if statement.kind.two_sided else None
        if gap is not None:
            return Proof(1.0, 0, gap)
        signed = None if statement.kind.two_sided else _signed(statement, anatomy, boxes, ladder)
        if signed is None:
            return _smallest(statement, anatomy, boxes, (1.0,) if statement.kind.two_sided else tuple(ladder))
        found = Proof(signed, 0, 0.0)
        return found if signed <= ladder[0] else _smaller(found, statement, anatomy, boxes, ladder[0])

    found = _unless_digits_are_lost(_unless_stopped(attempt), claim, params, anatomy)
    return OF_ANOTHER if isinstance(found, Proof) and _is_of_another(statement) else found


def prove_chance(  # noqa: PLR0917
    claim: Claim, params: Parameters, anatomy: Anatomy, sizes: list[int], allowed: float, rtol: float, boxes: int
) -> Proof | Unproved:
    """Prove that P(lhs > rhs) <= allowed for all inputs of one cell, over all outcomes of its draws.

    In a box, every outcome counts with its largest probability, unless lhs <= rhs in all of the box.

    Parameters
    ----------
    claim, params : a claim that draws, and its cell.
    anatomy : its sets and what an evaluation of the body costs.
    sizes : how many outcomes each of its draws has.
    allowed : the probability.
    rtol : sides that differ by no more than this are equal.
    boxes : the budget.
    """
    if not anatomy.spaces:
        return Unproved("no input is quantified: its probability is a plain number of float64")
    statement, outcomes = Statement(claim, params, anatomy.spaces), math.prod(sizes)

    def attempt() -> Proof:
        atlas = Atlas(anatomy.spaces)
        each = max(anatomy.bytes_per_replicate, 1) * outcomes
        batch = max(1, min(BATCH, MEMORY // (ENDS * each)))

        def price(count: int) -> float:
            return anatomy.operations * OPERATION + count * each / 8.0

        bound = Chance(statement, atlas, sizes, allowed, rtol)
        return Proof(1.0, Search(atlas, bound, batch, price, Budget(boxes, boxes * WORK)).run(), rtol)

    return _unless_digits_are_lost(_unless_stopped(attempt), claim, params, anatomy)


def _is_of_another(statement: Statement) -> bool:
    """Whether the sides that were enclosed are not those that float64 computes: seen at a few instances.

    A body may ask of what type its inputs are, or how many there are, and compute something else for a proof.
    """
    claim, params, spaces = statement.claim, statement.params, statement.spaces
    rng = stream("floats", claim.key, params)
    values = {space.name: space.sample(rng, INSTANCES) for space in spaces}
    try:
        with torch.no_grad():
            sides = evaluate(claim, params, values, Draw(INSTANCES, ("floats",)), INSTANCES)
        enclosed = enclosed_sides(statement, {name: Enclosed(x, x.clone()) for name, x in values.items()}, INSTANCES)
    except Exception:  # a branch that is open at these points, or what expansions know and enclosures do not
        return False
    apart = torch.zeros(INSTANCES, dtype=torch.bool)
    for side, (low, high) in zip((sides.lhs, sides.rhs), enclosed, strict=True):
        slack = ROUNDED * (1.0 + side.abs())
        apart |= torch.isfinite(side) & ((side < low - slack) | (side > high + slack))
    return bool((apart & ~sides.out).any())


def _decided(claim: Claim, params: Parameters, ladder: Sequence[float]) -> Proof | Unproved:
    """What balls say about two numbers."""
    assert isinstance(claim.kind, Comparison)
    try:
        c, digits = decided(claim, params, ladder)
    except Unsupported as signal:
        return Unproved(f"no input is quantified, and balls stop at {signal}")
    except Exception as error:  # as below
        return Unproved(f"no input is quantified, and an error of balls ({clean(describe(error), 100)})")
    return Proof(c, 0, claim.kind.rtol, digits)


def _unless_stopped(attempt: Callable[[], Proof]) -> Proof | Unproved:
    try:
        return attempt()
    except NoEnclosure as signal:
        return Unproved(f"its body uses {signal}, which has no enclosure here")
    except Unfinished as signal:
        return Unproved(str(signal), _instances(signal.leads))
    except Exception as error:  # a body can make anything of enclosures; a proof that fails must not end its judgement
        return Unproved(f"an error of the prover ({clean(describe(error), 100)})")


def _unless_digits_are_lost(
    found: Proof | Unproved, claim: Claim, params: Parameters, anatomy: Anatomy
) -> Proof | Unproved:
    """A proof takes plain numbers as float64 has them, which is a proof of nothing where these are mostly rounding."""
    if isinstance(found, Proof) and lose_digits(claim, params, anatomy.spaces):
        return Unproved("rounding decides plain numbers of its body, or leaves few of their digits")
    return found


def _expanded(statement: Statement, anatomy: Anatomy, boxes: int) -> float | None:
    """How close the expansions of both sides are, if they are; a body without expansions may still have enclosures."""
    try:
        return expansion_gap(statement, anatomy, work=boxes * TERMS)
    except NoEnclosure:
        return None


def _signed(statement: Statement, anatomy: Anatomy, boxes: int, ladder: Sequence[float]) -> float | None:
    """The constant with which the expansion of c rhs - lhs has a certificate of its sign."""
    try:
        return expansion_constant(statement, anatomy, ladder, work=boxes * FEWER)
    except NoEnclosure:
        return None


def _smallest(statement: Statement, anatomy: Anatomy, boxes: int, ladder: tuple[float, ...]) -> Proof:
    """With the smallest constant that is proved, and the boxes that took: the largest first, then up from the least."""
    found = largest = Proof(ladder[-1], _at(statement, anatomy, ladder[-1], boxes), statement.kind.rtol)
    for c in ladder[:-1]:
        found = _smaller(found, statement, anatomy, min(boxes, 4 * largest.boxes + 500), c)
        if found.c == c:
            break
    return found


def _smaller(known: Proof, statement: Statement, anatomy: Anatomy, boxes: int, c: float) -> Proof:
    """A proof with the constant c, or the one that is known, with the leads of the first that ended without a proof."""
    try:
        return Proof(c, _at(statement, anatomy, c, boxes), statement.kind.rtol, leads=known.leads)
    except Unfinished as signal:
        return msgspec.structs.replace(known, leads=known.leads or _instances(signal.leads))
    except NoEnclosure:
        return known


def _instances(points: Mapping[str, Tensor]) -> list[Instance]:
    """Points as plain numbers."""
    count = len(next(iter(points.values()))) if points else 0
    return [dump(points, index) for index in range(count)]


def _at(statement: Statement, anatomy: Anatomy, c: float, boxes: int) -> int:
    atlas = Atlas(anatomy.spaces)
    batch = max(1, min(BATCH, MEMORY // (ENDS * max(anatomy.bytes_per_replicate, 1))))

    def price(count: int) -> float:
        return anatomy.operations * OPERATION + count * anatomy.bytes_per_replicate / 8.0

    return Search(atlas, Bound(statement, atlas, c), batch, price, Budget(boxes, boxes * WORK)).run()
