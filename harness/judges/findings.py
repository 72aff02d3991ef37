"""The tasks of a search for a violation, what they find, and what a verdict shows of it."""

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from harness.certify.certificate import Certificate, certify_without_inputs
from harness.certify.proof import Proof, Unproved
from harness.certify.readings import Tried
from harness.certify.rounding.spread import CLEAR
from harness.judges.base import Data, Task
from harness.language.arguments import shown
from harness.language.kind import Comparison
from harness.language.registry import Claim, Parameters
from harness.numbers import Instance, number
from harness.verdict import Counterexample, Details

Rounding = tuple[int, float, float]
"""How often rounding was measured so far, the largest share of both sides that it was, and the largest."""

VISIBLE = 1e-6  # of the larger side, or of 1: so much of a violation is worth a word, though it does not count
NOTHING_SEEN: Rounding = (0, 0.0, 0.0)


class Anatomy(Task, frozen=True, kw_only=True):
    """Look at the quantified sets, and whether the body keeps the contract."""


class Single(Task, frozen=True, kw_only=True):
    """Evaluate a claim without inputs."""


class Search(Task, frozen=True, kw_only=True):
    """Run one finder from `start`."""

    finder: str
    bytes: int
    rounding: Rounding
    count: int
    steps: int = 0
    start: list[Instance] = msgspec.field(default_factory=list)
    clear: float = CLEAR

    @property
    def stage(self) -> str:
        return self.finder


class Shrink(Task, frozen=True, kw_only=True):
    """Simplify a violation, or look at one within its own rounding (the `suspect`-th), and say whether it stands."""

    bytes: int
    rounding: Rounding
    instance: Instance
    rounds: int = 0  # of simplification
    suspect: int | None = None


class Approach(Task, frozen=True, kw_only=True):
    """Settle the closest approach among the instances that came close."""

    bytes: int
    start: list[Instance]


class Prove(Task, frozen=True, kw_only=True):
    """Try to prove what the search could not refute, with so many boxes of inputs for each constant."""

    boxes: int


class Attempt(Data, frozen=True, kw_only=True):
    """A proof, or what stopped it; and what came of the cells that were `tried` in turn, this one or a smaller last."""

    proof: Proof | Unproved
    tried: list[Tried] = msgspec.field(default_factory=list)


class Step(Data, frozen=True, kw_only=True):
    """What every task of a search may leave to the next ones."""

    best: list[Instance] = msgspec.field(default_factory=list)
    best_score: float = -float("inf")


class Sets(Step, frozen=True, kw_only=True):
    """The quantified sets."""

    variables: list[str]
    smooth: bool
    discrete: bool
    jumps: bool
    mixed: bool
    coordinates: int
    bytes: int
    operations: int


class Accusation(Data, frozen=True, kw_only=True):
    """A violation with its rounding and its certificate; `noise` is None where rounding could not be measured."""

    values: Instance
    lhs: float
    rhs: float
    gap: float
    excess: float
    noise: float | None
    blind: bool
    certificate: Certificate
    everywhere: bool = False  # violated by every rounded evaluation, where rounding decides by how much
    at_a_tie: bool = False  # visible, and violated as well where numbers that rounding alone tells apart are equal
    unmeasured: bool = False  # visible, where no rounded evaluation succeeds
    blurred: bool = False  # visible, of the only instance, and within rounding: nothing else speaks for the claim
    lucky: bool = False  # of other roundings alone: as floats round by themselves, the claim holds
    resized: bool = False  # rounding decides how many inputs there are

    @property
    def stands(self) -> bool:
        """Whether it is proved by enclosures, or exceeds CLEAR times its rounding without being contradicted."""
        if not self.excess > 0.0 or self.certificate.verdict == "contradicted":
            return False
        clear = self.noise is not None and self.excess > CLEAR * self.noise
        return clear or self.certificate.verdict == "confirmed"

    @property
    def unclear(self) -> bool:
        """Whether nothing is known of its rounding, or this decides by how much, and no enclosure contradicts it.

        Or if equals are not equal any more once they are rounded: `len(set(x)) == 4` is false at equal numbers.
        """
        unknown = self.noise is None or self.everywhere or self.at_a_tie or self.blurred
        return self.resized or (self.excess > 0.0 and unknown and self.certificate.verdict != "contradicted")

    @property
    def violation(self) -> "Violation":
        """What a verdict shows of it."""
        shown = {name: getattr(self, name) for name in Violation.__struct_fields__ if name != "made"}
        return Violation(**shown)

    @property
    def visible(self) -> bool:
        """Whether the violation is more than last places of the sides, or of one."""
        return self.excess > VISIBLE * max(1.0, abs(self.lhs), abs(self.rhs))

    @property
    def doubted(self) -> str:
        """Where it was seen, and why it does not count."""
        where = f" at {shown(self.values)}" if self.values else ""
        return f"lhs = {number(self.lhs)}, rhs = {number(self.rhs)} was seen{where}, but {self.why_dropped}"

    @property
    def why_dropped(self) -> str:
        if self.resized:
            return "rests on how many inputs there are, which rounding decides"
        if self.lucky:
            return "shows only where numbers that rounding tells apart are equal, or are rounded otherwise"
        if self.excess <= 0.0:
            return "vanished on replay in float64 on the CPU"
        if self.certificate.verdict == "contradicted":
            return "vanished in ball arithmetic, so it was rounding"
        if self.everywhere:
            return "rests on what rounding decides, and is one however it is decided"
        if self.at_a_tie:
            return "is where numbers are equal, which rounding tells apart: nothing shows that they are equal indeed"
        if self.unmeasured:
            return "is where the rounding of the body cannot be measured"
        return "is within the rounding error of the sides there"


def refuted_by_balls(claim: Claim, params: Parameters) -> Accusation | None:
    """A violation of a claim without inputs that enclosures see, and that float64 may round away."""
    found, kind = certify_without_inputs(claim, params), claim.kind
    if found is None or found.excess is None:
        return None
    assert isinstance(kind, Comparison)
    lhs, rhs = float(found.lhs), float(found.rhs)
    return Accusation(
        values={},
        lhs=lhs,
        rhs=rhs,
        gap=kind.gap(lhs, rhs),
        excess=found.excess,
        noise=None,
        blind=False,
        certificate=found,
    )


class Searched(Step, frozen=True, kw_only=True):
    """What a finder has found: the best instances, the closest approaches, and what rounding may have made."""

    records: list[tuple[float, int, Instance]]
    suspects: list[tuple[float, Instance]]
    evaluations: int
    nonfinite: int
    smallest_rhs: float
    rounding: Rounding
    accusation: Accusation | None = None  # of a claim without inputs


class Shrunk(Step, frozen=True, kw_only=True):
    """A violation after it was simplified."""

    accusation: Accusation


class Settled(Step, frozen=True, kw_only=True):
    """The closest approach, and whether the claim holds there by luck."""

    closest: float
    accusation: Accusation | None = None


class Searches(Details, frozen=True, kw_only=True):
    """How each finder has done, the trials that were not finite, why violations were dropped, and the proof.

    `doubted` says where the first of those violations was that are no last places of the sides, if there is any.
    """

    finders: dict[str, float | None]
    nonfinite: int
    dropped: list[str] = msgspec.field(default_factory=list)
    doubted: str = ""
    proof: Proof | Unproved | None = None  # None where none was tried

    @property
    def remarks(self) -> Sequence[str]:
        return (*filter(None, (self.doubted,)), *(() if self.proof is None else (self.proof.sentence,)))


class Violation(Counterexample, frozen=True, kw_only=True):
    """Both sides at an input, the violation beyond the tolerance, its rounding and its certificate."""

    values: Instance
    lhs: float
    rhs: float
    excess: float
    noise: float | None
    blind: bool
    certificate: Certificate
    unshown: ClassVar[frozenset[str]] = frozenset({"certificate", "noise", "blind"})

    @property
    def proof(self) -> str:
        return self.certificate.sentence

    @property
    def beside_rounding(self) -> str:
        """How the violation compares with its measured rounding, in one sentence."""
        if not self.noise:
            return "No rounding of it was measured." if self.noise == 0.0 else ""
        instead = "its inputs were perturbed instead, and a few last places of them allowed for"
        seen = f" (the body computes outside torch, so {instead})" if self.blind else ""
        return f"The violation is {number(self.excess / self.noise)} times its measured rounding error{seen}."
