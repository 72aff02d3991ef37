"""Would an error be noticed? Claims that hold are judged again with an error planted in their right side.

A claim that still holds with half of its right side says little about it. It may: a bound can be looser than that on
every input, but then the claim says so (`unnoticed=`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.kinds import Identity, Kind, Rate, Reproduction, Tail
from harness.language.panels import Panel
from harness.language.registry import Claim, enlist
from harness.verdict import Status, Verdict

SIZES = ("n", "N", "T", "m", "s")  # parameters of a grid in which bounds decrease or grow


@dataclass(frozen=True)
class Planted:
    """A claim with an error, and the claim that it was made from."""

    claim: Claim
    original: Claim
    error: str


def halved(claim: Claim) -> Planted:
    """The claim with half of its right side; a rate that is n^(-1/2) too fast, rows against half of their limit.

    Half of zero is no error: rows against zero lose the sign of ours instead.
    """
    kind = claim.kind
    if isinstance(kind, Rate):
        return _planted(claim, "half", lambda found, _: found, replace(kind, exponent=kind.exponent - 0.5))
    if isinstance(kind, Reproduction):
        share = 1.0 if kind.sided == "at least" else -0.5
        return _planted(claim, "half", lambda rows, _: [_harder(row, share) for row in rows])
    return _planted(claim, "half", lambda sides, _: (sides[0], _smaller(claim, sides[1], 0.5)))


def shrunk(claim: Claim, factor: float) -> Planted:
    """The claim with its right side times a factor below one; a rate or a tail with its exponent divided by it."""
    kind = claim.kind
    if isinstance(kind, Rate):
        return _planted(claim, "shrunk", lambda found, _: found, replace(kind, exponent=kind.exponent / factor))
    if isinstance(kind, Tail):
        return _planted(claim, "shrunk", lambda sides, _: (sides[0], sides[1] ** (1.0 / factor)))
    return _planted(claim, "shrunk", lambda sides, _: (sides[0], _smaller(claim, sides[1], factor)))


def powered(claim: Claim) -> Planted | None:
    """The claim with its right side divided by the square root of its first size; None where its grid has none."""
    size = next((name for name in SIZES if all(name in cell for cell in claim.cells)), None)
    if size is None or isinstance(claim.kind, Rate | Reproduction):
        return None

    def divided(sides: Any, params: dict[str, Any]) -> Any:
        return sides[0], _smaller(claim, sides[1], max(float(params[size]), 1.0) ** -0.5)

    return _planted(claim, "power", divided)


def _smaller(claim: Claim, rhs: Any, factor: float) -> Any:
    """The right side times a factor below one; of an inequality, moved down by as much, whatever its sign."""
    return rhs * factor if isinstance(claim.kind, Identity) else rhs - (1.0 - factor) * abs(rhs)


def _harder(row: Any, share: float) -> Any:
    """A row against its printed number moved by a share of it; where that is zero, with the sign of ours lost."""
    if isinstance(row, Panel) or row[-1] is None:
        return row
    label, ours, error, printed = row
    return (label, -ours, error, printed) if printed == 0.0 else (label, ours, error, printed + share * abs(printed))


def _planted(
    claim: Claim, error: str, change: Callable[[Any, dict[str, Any]], Any], kind: Kind | None = None
) -> Planted:
    """The claim with what its body returns changed; `change` is given that and the arguments."""
    body = claim.body

    def spoilt(**given: Any) -> Any:
        return change(body(**given), given)

    made = replace(claim, id=f"{claim.id}--{error}", body=spoilt, kind=kind or claim.kind, expected="refuted")
    enlist(made)  # among those of this module, where workers look for it
    return Planted(made, claim, error)


def plant(claims: Sequence[Claim]) -> list[Planted]:
    """Every error that fits each claim that is expected to hold and is judged at all."""
    sound = [claim for claim in claims if claim.expected in (None, "holds") and claim.kind.name != "untestable"]
    return [made for claim in sound for spoil in (halved, powered) if (made := spoil(claim)) is not None]


@dataclass(frozen=True)
class Sensitivity:
    """What a run with planted errors showed, by the keys of the claims."""

    error: str
    noticed: tuple[str, ...]
    declared: tuple[str, ...]  # not noticed, and the claim says so
    silent: tuple[str, ...]  # not noticed, and the claim does not say so
    skipped: tuple[str, ...]
    stale: tuple[str, ...]  # noticed, although the claim says that it would not be

    @property
    def share(self) -> float:
        """Of the judged claims, those that notice or say that they do not."""
        judged = len(self.noticed) + len(self.declared) + len(self.silent)
        return 1.0 - len(self.silent) / judged if judged else 1.0


def sensitivity(error: str, planted: Sequence[Planted], verdicts: Sequence[Verdict]) -> Sensitivity:
    """Sort the verdicts on planted errors of one sort."""
    pairs = [(p.original, v.status) for p, v in zip(planted, verdicts, strict=True) if p.error == error]
    judged = [(claim, status) for claim, status in pairs if status is not Status.SKIPPED]
    return Sensitivity(
        error,
        noticed=tuple(claim.key for claim, status in judged if status is Status.REFUTED),
        declared=tuple(claim.key for claim, status in judged if status is not Status.REFUTED and claim.unnoticed),
        silent=tuple(claim.key for claim, status in judged if status is not Status.REFUTED and not claim.unnoticed),
        skipped=tuple(claim.key for claim, status in pairs if status is Status.SKIPPED),
        stale=tuple(claim.key for claim, status in judged if status is Status.REFUTED and claim.unnoticed),
    )
