"""Claims as tests: `pytest --tightrope` collects `claims_*.py`, one item for each reading, the verdict as its outcome.

Without the option nothing is collected and nothing of Tightrope is imported but this module. HOLDS, or the verdict that
a claim expects, passes, VACUOUS as well (true, and trivial); SKIPPED is a skip; all else fails, UNDECIDED included: a
theorem in a test suite has to be decided by it. Files are judged in the processes of pytest; with
pytest-xdist, side by side.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from harness.language.registry import Claim
    from harness.verdict import Verdict

PATTERN = "claims_*.py"
TESTS = re.compile(rb"(?m)^\s*((async\s+)?def\s+test|class\s+Test)")


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
    return ClaimFile.from_parent(parent, path=file_path) if _has_claims(file_path, parent) else None


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> "NoTests | None":
    """Nothing in the place of the module that pytest makes of a named file, where it has no tests of its own.

    It would be imported once more, where a claim that cannot be made ends the import.
    """
    if _has_claims(module_path, parent) and not TESTS.search(module_path.read_bytes()):
        return NoTests.from_parent(parent, path=module_path)
    return None


def _has_claims(file: Path, parent: pytest.Collector) -> bool:
    """Whether the name of a file marks it as one of claims, or it was named on the command line and is not of tests."""
    if not parent.config.getoption("--tightrope") or file.suffix != ".py":
        return False
    return file.match(PATTERN) or (parent.session.isinitpath(file) and not file.match("test_*.py"))


class NoTests(pytest.File):
    """A file in which pytest has nothing to look for."""

    def collect(self) -> Iterator[pytest.Item]:
        """Nothing."""
        return iter(())


class ClaimFile(pytest.File):
    """A file of claims."""

    def collect(self) -> Iterator["ClaimItem"]:
        """One item for each reading."""
        from harness.errors import NoClaims, UsageError  # noqa: PLC0415  (torch is imported when claims are)
        from harness.run.loading import from_file  # noqa: PLC0415

        try:
            with _apart():
                family = from_file(self.path)
        except NoClaims as error:
            if self.session.isinitpath(self.path):  # somebody expects some
                raise self.CollectError(str(error)) from error
            return
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
        with _apart():
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


@contextmanager
def _apart() -> Iterator[None]:
    """Leave what other tests import as pytest has it: its path, its modules, and none of those of a file of claims."""
    from harness.run.homes import leave  # noqa: PLC0415

    path, modules = list(sys.path), dict(sys.modules)
    try:
        yield
    finally:
        leave()
        sys.path[:] = path
        sys.modules.update(modules)


class UnexpectedVerdictError(Exception):
    """The verdict differs from the claim's expectation."""

    def __init__(self, verdict: "Verdict") -> None:
        super().__init__(f"{verdict.claim.key}: {verdict.status}")
        self.verdict = verdict
