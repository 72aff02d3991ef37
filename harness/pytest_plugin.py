"""Claims as tests: `pytest --tightrope` collects `claims_*.py`, one item for each reading, the verdict as its outcome.

Without the option nothing is collected and nothing of Tightrope is imported but this module. HOLDS, or the verdict that
a claim expects, passes; SKIPPED is a skip; all else fails, UNDECIDED included: a theorem in a test suite has to be
decided by it. Files are judged in the processes of pytest; with pytest-xdist, side by side.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from harness.language.registry import Claim
    from harness.verdict import Verdict

PATTERN = "claims_*.py"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options `--tightrope`, `--tightrope-effort` and `--tightrope-seed`."""
    group = parser.getgroup("tightrope", "theorems as tests")
    group.addoption("--tightrope", action="store_true", help=f"judge the claims in {PATTERN}, and in files named here")
    group.addoption(
        "--tightrope-effort",
        choices=("quick", "standard"),
        default="quick",
        help="effort of the search (default: quick)",
    )
    group.addoption("--tightrope-seed", type=int, default=0, metavar="N", help="seed of the verdicts (default: 0)")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "ClaimFile | None":
    """The claims of a file, if its name marks it as one, or if it was given by name and has no pytest tests."""
    if not parent.config.getoption("--tightrope") or file_path.suffix != ".py":
        return None
    named = parent.session.isinitpath(file_path) and not file_path.match("test_*.py")
    return ClaimFile.from_parent(parent, path=file_path) if named or file_path.match(PATTERN) else None


class ClaimFile(pytest.File):
    """A file of claims."""

    def collect(self) -> Iterator["ClaimItem"]:
        """One item for each reading."""
        from harness.errors import UsageError  # noqa: PLC0415  (torch is imported when claims are)
        from harness.run.loading import from_file  # noqa: PLC0415

        try:
            family = from_file(self.path)
        except UsageError as error:
            raise self.CollectError(str(error)) from error
        for claim in family:
            yield ClaimItem.from_parent(self, name=claim.key, claim=claim, family=len(family))


class ClaimItem(pytest.Item):
    """One reading of a claim; `family` claims share the error probability of 1 %."""

    def __init__(self, *, claim: "Claim", family: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.claim, self.family = claim, family

    def runtest(self) -> None:
        """Judge it."""
        from harness.run.api import check  # noqa: PLC0415

        options = self.config.getoption
        verdict = check(
            self.claim,
            seed=options("--tightrope-seed"),
            effort=options("--tightrope-effort"),
            family=self.family,
        )
        self.user_properties.append(("verdict", str(verdict.status)))
        if verdict.status == "SKIPPED":
            pytest.skip(verdict.reason)
        if verdict.as_expected is not True:
            raise UnexpectedVerdictError(verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The explanation that `tightrope show` prints, with its replay line; a traceback for anything else."""
        if isinstance(excinfo.value, UnexpectedVerdictError):
            return str(excinfo.value.verdict)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim stands."""
        return self.path, self.claim.body.__code__.co_firstlineno - 1, self.name


class UnexpectedVerdictError(Exception):
    """The verdict differs from the claim's expectation."""

    def __init__(self, verdict: "Verdict") -> None:
        super().__init__(f"{verdict.claim.key}: {verdict.status}")
        self.verdict = verdict
