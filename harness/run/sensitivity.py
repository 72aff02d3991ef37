"""Would an error be noticed? Claims that hold are judged again with an error planted in them.

A claim that still holds with half of its right side says little about it. It may: a bound can be looser than that on
every input, but then the claim says so (`unnoticed=`). Terms are dropped from right sides, and signs, factors and
indices changed in algorithms, where a survey has found that it matters to the claim.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

from harness.kinds import Identity, Kind, Rate, Reproduction, Tail
from harness.language.panels import Panel
from harness.language.registry import Claim
from harness.run.slips import Slip, installed
from harness.run.survey import middle_first
from harness.verdict import Status

ERRORS = ("half", "power", "term", "sign", "factor", "index")
OF_ALGORITHMS = ("sign", "factor", "index")
SIZES = ("n", "N", "T", "m", "s")  # parameters of a grid in which bounds decrease or grow


@dataclass(frozen=True)
class Planted:
    """A claim with an error, and the claim that it was made from."""

    claim: Claim
    original: Claim
    error: str  # one of ERRORS
    detail: str = ""  # of a slip: where and what


def halved(claim: Claim) -> Planted:
    """The claim with half of its right side; a rate that is off by n^(-1/2), rows against half of their limit.

    Half of zero is no error: rows against zero lose the sign of ours instead.
    """
    kind = claim.kind
    if isinstance(kind, Rate):
        off = 0.5 if kind.at == "least" else -0.5
        return _planted(claim, "half", lambda found, _: found, replace(kind, exponent=kind.exponent + off))
    if isinstance(kind, Reproduction):
        share = 1.0 if kind.sided == "at least" else -0.5
        return _planted(claim, "half", lambda rows, _: [_harder(row, share) for row in rows])
    return _planted(claim, "half", lambda sides, _: (sides[0], _smaller(claim, sides[1], 0.5)))


def shrunk(claim: Claim, factor: float) -> Planted:
    """The claim with its right side times a factor below one; a rate or a tail with its exponent divided by it."""
    kind = claim.kind
    if isinstance(kind, Rate):
        exponent = kind.exponent * factor if kind.at == "least" else kind.exponent / factor
        return _planted(claim, "shrunk", lambda found, _: found, replace(kind, exponent=exponent))
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
    if isinstance(row, Panel) or row.printed is None:
        return row
    if row.printed == 0.0:
        return replace(row, ours=-row.ours)
    return replace(row, printed=row.printed + share * abs(row.printed))


def _planted(
    claim: Claim, error: str, change: Callable[[Any, dict[str, Any]], Any], kind: Kind | None = None
) -> Planted:
    """The claim with what its body returns changed; `change` is given that and the arguments."""
    body = claim.body

    def spoilt(**given: Any) -> Any:
        return change(body(**given), given)

    return _made(claim, error, replace(claim, id=error, body=spoilt, kind=kind or claim.kind))


def _made(claim: Claim, error: str, changed: Claim, detail: str = "") -> Planted:
    return Planted(replace(changed, id=f"{claim.id}--{changed.id}", expected="refuted"), claim, error, detail)


def slipped(claim: Claim, slip: Slip) -> Planted:
    """The claim computed with a slip in a function of ours, in the process that judges it."""
    body, name = claim.body, f"{slip.sort}-{crc32(str(slip).encode()):08x}"

    def spoilt(**given: Any) -> Any:
        with installed(slip):
            return body(**given)

    reordered = claim.groups() == claim.cells and not isinstance(claim.kind, Reproduction)
    cells = middle_first(claim) if reordered else claim.cells
    return _made(claim, slip.sort, replace(claim, id=name, body=spoilt, cells=cells), str(slip))


def sound(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that are expected to hold and are judged at all."""
    return [claim for claim in claims if claim.expected in (None, "holds") and claim.kind.returns != "nothing"]


def noticed(error: str, status: Status | None) -> bool:
    """Whether a verdict has turned."""
    return status is Status.REFUTED or (status is Status.ERROR and error in OF_ALGORITHMS)


@dataclass(frozen=True)
class Finding:
    """What became of an error that was planted in a claim."""

    claim: Claim
    error: str
    status: Status | None  # None: it was spared, or a limit was met before
    detail: str = ""  # of a slip: where and what
    spared: bool = False  # not judged: the claim says that it would not notice an error of this size
    seconds: float = 0.0  # of computing

    @property
    def noticed(self) -> bool:
        """Whether the verdict has turned: a bound is refuted; an algorithm may also leave what the judge accepts."""
        return noticed(self.error, self.status)

    @property
    def counts(self) -> bool:
        """Whether it says something; an ERROR after a change of the right side does not."""
        return self.noticed or self.spared or self.status not in (None, Status.SKIPPED, Status.ERROR)


@dataclass(frozen=True)
class Sensitivity:
    """What a run with planted errors showed, by the keys of the claims."""

    error: str
    noticed: tuple[str, ...]
    declared: tuple[str, ...]  # not noticed or spared, and the claim says so
    silent: tuple[str, ...]  # not noticed, and the claim does not say so
    skipped: tuple[str, ...]  # neither judged nor spared
    stale: tuple[str, ...]  # noticed, although the claim says that it would not be
    spared: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)  # of what was not noticed

    @property
    def counted(self) -> int:
        """How many claims have said something."""
        return len(self.noticed) + len(self.declared) + len(self.silent)

    @property
    def share(self) -> float:
        """Of the judged claims, those that notice or say that they do not."""
        return 1.0 - len(self.silent) / self.counted if self.counted else 1.0


def sensitivity(error: str, findings: Sequence[Finding]) -> Sensitivity:
    """Sort what became of planted errors of one sort."""
    ours = [found for found in findings if found.error == error]
    counted = [found for found in ours if found.counts]
    missed = [found for found in counted if not found.noticed]

    def keys(some: Iterable[Finding]) -> tuple[str, ...]:
        return tuple(found.claim.key for found in some)

    return Sensitivity(
        error,
        noticed=keys(found for found in counted if found.noticed),
        declared=keys(found for found in missed if found.claim.unnoticed),
        silent=keys(found for found in missed if not found.claim.unnoticed),
        skipped=keys(found for found in ours if not found.counts),
        stale=keys(found for found in counted if found.noticed and found.claim.unnoticed),
        spared=keys(found for found in counted if found.spared),
        details={found.claim.key: found.detail for found in missed if found.detail},
    )
