"""Would an error be noticed? Claims that hold are judged again with an error planted in them.

A claim that still holds with half of its right side says little about it. It may: a bound can be looser than that on
every input, but then the claim says so (`unnoticed=`). Terms are dropped from right sides, and signs, factors and
indices changed in algorithms, where a survey has found that it matters to the claim.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

from harness.errors import WorkerLost
from harness.kinds import Identity, Kind, Rate, Reproduction, Tail
from harness.language.panels import Panel
from harness.language.registry import Claim, Parameters, enlist
from harness.run.closure import source_hashes
from harness.run.runner import ClaimReference, Outcome, run
from harness.run.slips import Slip, installed
from harness.run.survey import surveyed, surveyed_first
from harness.settings import Settings
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
    made = replace(changed, id=f"{claim.id}--{changed.id}", expected="refuted")
    enlist(made)  # among those of this module, where workers look for it
    return Planted(made, claim, error, detail)


def slipped(claim: Claim, slip: Slip) -> Planted:
    """The claim computed with a slip in a function of ours, in the process that judges it."""
    body, name = claim.body, f"{slip.sort}-{crc32(str(slip).encode()):08x}"

    def spoilt(**given: Any) -> Any:
        with installed(slip):
            return body(**given)

    cells = surveyed_first(claim) if claim.groups() == claim.cells else claim.cells
    return _made(claim, slip.sort, replace(claim, id=name, body=spoilt, cells=cells), str(slip))


def sound(claims: Sequence[Claim]) -> list[Claim]:
    """The claims that are expected to hold and are judged at all."""
    return [claim for claim in claims if claim.expected in (None, "holds") and claim.kind.name != "untestable"]


def plant(claims: Sequence[Claim], errors: Sequence[str] = ERRORS) -> list[Planted]:
    """The errors of right sides that fit each sound claim; slips need a survey."""
    spoilers = [spoil for name, spoil in (("half", halved), ("power", powered)) if name in errors]
    return [made for claim in sound(claims) for spoil in spoilers if (made := spoil(claim)) is not None]


def plant_slips(claims: Sequence[Claim], errors: Sequence[str], executor: Executor) -> list[Planted]:
    """At most one slip of each sort in each sound claim: the first that matters to it, found in its own process."""
    sorts = tuple(error for error in ERRORS if error in errors and error not in ("half", "power"))
    if not sorts:
        return []
    hashes, chosen = source_hashes(claims), sound(claims)
    if sorts == ("term",):
        chosen = [claim for claim in chosen if not isinstance(claim.kind, Reproduction)]
    references = [ClaimReference(c.body.__module__, c.file, c.key, hashes[c.key]) for c in chosen]
    found = [executor.submit(surveyed, reference, sorts) for reference in references]
    return [
        slipped(claim, Slip(**slip))
        for claim, future in zip(chosen, found, strict=True)
        for slip in _survey(future).values()
        if slip is not None
    ]


def _survey(future: Future[Outcome]) -> dict[str, Any]:
    """What a survey has found; nothing where it met a limit of time or memory."""
    try:
        found: dict[str, Any] | None = future.result().data
    except WorkerLost:
        return {}
    return found or {}


def judge(planted: Sequence[Planted], settings: Settings, **running: Any) -> list[Status]:
    """The status of each planted claim, up to its first cell that notices: first one cell, then one more, two, four.

    Cells are judged by themselves as often as they are looked at, which is once. `running` is handed to `run`.
    """
    found: dict[int, Status] = {}
    begin, end = 0, 1
    while True:
        left = [i for i, p in enumerate(planted) if not noticed(p, found.get(i)) and _some(p, begin, end)]
        if not left:
            return [found[i] for i in range(len(planted))]
        parts = [replace(planted[i].claim, cells=_some(planted[i], begin, end)) for i in left]
        for i, verdict in zip(left, run(parts, settings, **running), strict=True):
            if found.get(i) in (None, Status.SKIPPED) or noticed(planted[i], verdict.status):
                found[i] = verdict.status
        begin, end = end, 2 * end


def _some(planted: Planted, begin: int, end: int) -> tuple[Parameters, ...]:
    """Some cells; all at once where a kind judges them together."""
    cells = planted.claim.cells
    return cells[begin:end] if planted.claim.groups() == cells else cells[: None if begin == 0 else 0]


def noticed(planted: Planted, status: Status | None) -> bool:
    """Whether the verdict has turned: a bound is refuted; an algorithm may also leave what the judge accepts."""
    return status is Status.REFUTED or (status is Status.ERROR and planted.error in OF_ALGORITHMS)


@dataclass(frozen=True)
class Sensitivity:
    """What a run with planted errors showed, by the keys of the claims."""

    error: str
    noticed: tuple[str, ...]
    declared: tuple[str, ...]  # not noticed, and the claim says so
    silent: tuple[str, ...]  # not noticed, and the claim does not say so
    skipped: tuple[str, ...]  # not judged
    stale: tuple[str, ...]  # noticed, although the claim says that it would not be
    details: Mapping[str, str] = field(default_factory=dict)  # of what was not noticed

    @property
    def judged(self) -> int:
        """How many claims have said something."""
        return len(self.noticed) + len(self.declared) + len(self.silent)

    @property
    def share(self) -> float:
        """Of the judged claims, those that notice or say that they do not."""
        return 1.0 - len(self.silent) / self.judged if self.judged else 1.0


def sensitivity(error: str, planted: Sequence[Planted], statuses: Sequence[Status]) -> Sensitivity:
    """Sort what became of planted errors of one sort.

    An ERROR says something about an algorithm; after a change of the right side it means a limit of time or memory,
    and nothing has been judged.
    """
    pairs = [(p, status) for p, status in zip(planted, statuses, strict=True) if p.error == error]
    judged = [(p, s) for p, s in pairs if noticed(p, s) or s not in (Status.SKIPPED, Status.ERROR)]
    seen = [p for p, status in judged if noticed(p, status)]
    missed = [p for p, status in judged if not noticed(p, status)]

    def keys(some: Sequence[Planted]) -> tuple[str, ...]:
        return tuple(p.original.key for p in some)

    return Sensitivity(
        error,
        noticed=keys(seen),
        declared=keys([p for p in missed if p.original.unnoticed]),
        silent=keys([p for p in missed if not p.original.unnoticed]),
        skipped=keys([p for p, status in pairs if (p, status) not in judged]),
        stale=keys([p for p in seen if p.original.unnoticed]),
        details={p.original.key: p.detail for p in missed if p.detail},
    )
