"""Entries of the self-test: a false claim of known size with its theory of detection, a true claim without slack."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from torch import Tensor

from harness.kinds import Always, Identity, Kind, always
from harness.language.quantifiers import Draw, Forall
from harness.language.registry import Claim, claim
from harness.selftest.theory import Prospect, Theory, from_search
from harness.settings import STANDARD, Effort

Sides: TypeAlias = tuple[Tensor | float, Tensor | float]
Instance: TypeAlias = dict[str, Any]
FALSE, TRUE = "zoo/false-", "zoo/true-"


@dataclass(frozen=True)
class Label:
    """What a planted falsehood is called, what is wrong with it, and what it states."""

    name: str
    size: str
    statement: str


@dataclass(frozen=True)
class Falsehood:
    """A false claim, what is wrong with it, and whether theory promises its refutation."""

    claim: Claim
    family: str
    size: str  # what is wrong, by how much
    theory: Theory
    witness: Instance = field(default_factory=dict)  # where it is violated; not shown to the search
    probability: float | None = None  # exact violation probability at the witness
    mean: float | None = None  # exact mean excess at the witness

    def prospect(self, effort: Effort = STANDARD) -> Prospect:
        """What theory says about a budget."""
        return self.theory(effort)

    @property
    def detectable(self) -> bool:
        """Whether theory promises a refutation at the standard budget."""
        return self.prospect().detectable

    @property
    def why(self) -> str:
        """The computation behind `detectable`, in words."""
        return self.prospect().why


@dataclass(frozen=True)
class Truth:
    """A true claim without slack: REFUTED is an error, HOLDS or UNDECIDED is not."""

    claim: Claim
    family: str
    equality: Instance = field(default_factory=dict)  # where equality is attained

    @property
    def deterministic(self) -> bool:
        """Whether no chance is involved, so that not a single refutation is allowed."""
        return isinstance(self.claim.kind, Always | Identity)


@dataclass(frozen=True)
class Tight:
    """An inequality lhs <= rhs over a set, with an instance of equality (attained or in the limit)."""

    name: str
    statement: str
    body: Callable[[Forall], Sides]
    equality: Instance
    reach: str  # what kind of instance attains it

    def truth(self) -> Truth:
        """The inequality as it is."""
        return Truth(self._divided(1.0, TRUE + self.name), "equality attained", self.equality)

    def falsehood(self, factor: float) -> Falsehood:
        """The inequality with its right side divided by `factor`: violated around the equality case only."""
        made = self._divided(factor, f"{FALSE}{self.name}-{factor:g}")
        theory = from_search(f"violated by the factor {factor:g} at {self.reach}; float tolerance 1e-9")
        return Falsehood(made, "constant", f"right side too small by the factor {factor:g}", theory, self.equality)

    def _divided(self, factor: float, name: str) -> Claim:
        def scaled(forall: Forall) -> Sides:
            lhs, rhs = self.body(forall)
            return lhs, rhs / factor

        return deterministic(
            name, always(), self.statement if factor == 1.0 else f"{self.statement} / {factor:g}", scaled
        )


def deterministic(name: str, kind: Kind, statement: str, body: Callable[[Forall], Sides]) -> Claim:
    """A claim for all inputs from a function written elsewhere."""

    def made(forall: Forall) -> Sides:
        return body(forall)

    return registered(name, kind, statement, made)


def registered(
    name: str, kind: Kind, statement: str, body: Callable[..., Any], over: Sequence[dict[str, Any]] = ({},)
) -> Claim:
    """Register a claim of the zoo; false ones expect their refutation."""
    body.__doc__ = statement
    return claim(name, kind, over=over, expected="refuted" if name.startswith(FALSE) else None)(body)


Event: TypeAlias = Callable[[Draw], Sides]
QuantifiedEvent: TypeAlias = Callable[[Forall, Draw], Sides]


def drawn(name: str, kind: Kind, statement: str, event: Event, *, delta: float | None = None) -> Claim:
    """A claim about draws of one law; `delta` is a cell parameter where the kind needs one."""
    if delta is None:

        def mean(draw: Draw) -> Sides:
            return event(draw)

        return registered(name, kind, statement, mean)

    def tail(draw: Draw, *, delta: float) -> Sides:  # noqa: ARG001
        return event(draw)

    return registered(name, kind, statement, tail, ({"delta": delta},))


def quantified(name: str, kind: Kind, statement: str, event: QuantifiedEvent, *, delta: float | None = None) -> Claim:
    """A claim about draws for every law of a family."""
    if delta is None:

        def mean(forall: Forall, draw: Draw) -> Sides:
            return event(forall, draw)

        return registered(name, kind, statement, mean)

    def tail(forall: Forall, draw: Draw, *, delta: float) -> Sides:  # noqa: ARG001
        return event(forall, draw)

    return registered(name, kind, statement, tail, ({"delta": delta},))
