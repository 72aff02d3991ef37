"""Judge the same claims and run the same tests under other processors, threads, locales, paths and terminals.

    python tests/portability/run.py                       every cell: 80 claims and the tests of the cell
    python tests/portability/run.py blas-Zen locale-tr    these cells
    python tests/portability/run.py --slice --today       a few claims and tests, another cell each day

A cell passes when its tests pass, and every claim has the verdicts of the plain cell, on every cell of its grid. The
claims are the first in the order of the SHA-256 of their keys, among those of the ledger that can be tested. A cell
that this machine cannot have (a processor without AVX-512) is NOT RUN, with the reason. Exit code 1 unless all passed;
`--today` chooses among the cells that can be had.
"""

import argparse
import datetime
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from cells import CELLS, PLAIN, SLICE, Cell  # noqa: E402  (beside this script)

from harness.run.loading import ledger  # noqa: E402

TIGHTROPE = "from harness.cli import main; main()"
PROBE = """
import json, locale, sys, time, torch, numpy
from threadpoolctl import threadpool_info
time.tzset()
locale.setlocale(locale.LC_ALL, "")
print(json.dumps({
    "blas": next(pool["architecture"] for pool in threadpool_info() if pool["internal_api"] == "openblas"),
    "torch": torch.backends.cpu.get_cpu_capability(), "threads": torch.get_num_threads(),
    "locale": ".".join(filter(None, locale.getlocale())), "hours": -time.timezone / 3600, "asserts": __debug__,
}))
"""
MANY, FEW = 80, 6
Verdicts = dict[str, list[str]]


@dataclass(frozen=True)
class Outcome:
    """What became of a cell: nothing wrong when `trouble` is empty."""

    name: str
    trouble: str
    seconds: float
    ran: bool = True

    def __str__(self) -> str:
        verdict = "PASSED" if not self.trouble else "FAILED" if self.ran else "NOT RUN"
        return f"{verdict:8} {self.name:32} {self.seconds:7.1f} s  {self.trouble}".rstrip()


def main() -> int:
    """Run the cells that the command line names."""
    options = _options()
    claims = chosen_claims(FEW if options.slice else MANY) if options.claims is None else chosen_claims(options.claims)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        matrix = Matrix(Path(folder), claims, slice_=options.slice, tests=not options.no_tests)
        for name in ["plain", *_names(options, matrix)]:
            outcomes.append(matrix.outcome(CELLS[name]))
            print(outcomes[-1], flush=True)
            if outcomes[0].trouble:
                print("the plain cell fails; there is nothing to compare with")
                return 1
    count = sum(not outcome.trouble for outcome in outcomes)
    print(f"\n{count} of {len(outcomes)} cells passed, {len(claims)} claims in each")
    for outcome in outcomes:
        print(outcome)
    return int(count < len(outcomes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", nargs="*", choices=[[], *CELLS], metavar="CELL", help=", ".join(CELLS))
    parser.add_argument("--slice", action="store_true", help=f"{FEW} claims and few tests")
    parser.add_argument("--today", action="store_true", help="one cell, chosen by the date")
    parser.add_argument("--claims", type=int, default=None, help=f"how many claims; default {MANY}")
    parser.add_argument("--no-tests", action="store_true", help="claims alone")
    return parser.parse_args()


def _names(options: argparse.Namespace, matrix: "Matrix") -> list[str]:
    others = [name for name in CELLS if name != "plain"]
    if options.today:
        can = [name for name in others if not matrix.lacks(CELLS[name])]
        return [can[datetime.datetime.now(datetime.UTC).date().toordinal() % len(can)]]
    return [name for name in options.cells or others if name != "plain"]


def chosen_claims(count: int) -> list[str]:
    """The keys of the claims to judge: those with the smallest hashes."""
    keys = [claim.key for claim in ledger() if claim.kind.name != "untestable"]
    return sorted(keys, key=lambda key: hashlib.sha256(key.encode()).digest())[:count]


class Matrix:
    """Runs cells one after the other in a temporary folder and compares them with the first."""

    def __init__(self, folder: Path, claims: Sequence[str], *, slice_: bool, tests: bool) -> None:
        self.folder, self.claims, self.slice, self.tests = folder, claims, slice_, tests
        self.plain: Verdicts = {}

    def outcome(self, cell: Cell) -> Outcome:
        """Run one cell."""
        start = time.monotonic()
        missing = self.lacks(cell)
        trouble = missing or self._effect(cell) or self._claims(cell) or self._tests(cell)
        return Outcome(cell.name, trouble, time.monotonic() - start, ran=not missing)

    def lacks(self, cell: Cell) -> str:
        """Why this machine cannot have the cell; empty where it can."""
        if cell.processor and cell.processor not in _processor_flags():
            return f"the processor has no {cell.processor}"
        if cell.variables.get("LC_ALL") == "tr_TR.UTF-8" and not self._turkish().exists():
            return "the locale tr_TR.UTF-8 is not installed and localedef cannot make it"
        return ""

    def _turkish(self) -> Path:
        """The folder of locales, with the Turkish one in it."""
        made = self.folder / "locales" / "tr_TR.UTF-8"
        if not made.exists() and shutil.which("localedef"):
            made.parent.mkdir(exist_ok=True)
            subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", str(made)], capture_output=True, check=False)
        return made

    def _effect(self, cell: Cell) -> str:
        """A cell that changes nothing would pass for ever: ask a process of the cell what it sees."""
        if not cell.shows:
            return ""
        done = subprocess.run(
            [sys.executable, *cell.options, "-c", PROBE],
            env=self._environment(cell), cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            return f"the probe ended with {done.returncode}: {_last_line(done.stderr)}"
        seen = json.loads(done.stdout)
        wrong = {name: seen[name] for name, value in cell.shows.items() if seen[name] != value}
        return f"the cell has no effect: {wrong} instead of {dict(cell.shows)}" if wrong else ""

    def _claims(self, cell: Cell) -> str:
        out = self.folder / cell.name
        arguments = ["check", "--quick", "--jobs", "2", "--out", str(out), "--json", str(out / "cell.json")]
        done = self._python(cell, ["-c", TIGHTROPE, *arguments, *self.claims], output=cell.output)
        if "Traceback" in done.stderr or not (out / "cell.json").exists():
            return f"tightrope check ended with {done.returncode}: {_last_line(done.stderr)}"
        found = _verdicts(json.loads((out / "cell.json").read_text(encoding="utf-8")))
        self.plain = self.plain or found
        changed = [key for key, verdicts in self.plain.items() if found.get(key) != verdicts]
        other = [f"{key} {self.plain[key]} -> {found.get(key)}" for key in changed]
        if other or len(found) != len(self.claims):
            return f"{len(other)} verdicts differ: {'; '.join(other[:3])}"
        return f"exit code {done.returncode}: {_last_line(done.stderr)}" if done.returncode not in (0, 1) else ""

    def _tests(self, cell: Cell) -> str:
        if not self.tests or not cell.tests:
            return ""
        home = self._place(cell)[1]
        paths = SLICE[cell.tests] if self.slice else cell.tests
        command = ["-m", "pytest", "-p", "no:cacheprovider", "-c", str(home / "pyproject.toml"), "--rootdir", str(home)]
        done = self._python(cell, [*command, *(str(home / path) for path in paths)])
        return f"pytest: {_last_line(done.stdout)}" if done.returncode else ""

    def _python(self, cell: Cell, arguments: Sequence[str], output: str = "file") -> subprocess.CompletedProcess[str]:
        """A process of the cell in a session of its own: it has no terminal."""
        command = [sys.executable, *cell.options, *arguments]
        if output == "closed":
            command = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *command]
        reading, writing = os.pipe()
        os.close(reading)  # whoever writes to the other end is told so
        try:
            return subprocess.run(
                command,
                cwd=self._place(cell)[0],
                env=self._environment(cell),
                stdin=subprocess.DEVNULL,
                stdout=writing if output == "closed pipe" else subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
                check=False,
            )
        finally:
            os.close(writing)

    def _place(self, cell: Cell) -> tuple[Path, Path]:
        """The working directory and the folder of the project."""
        if cell.place == "checkout":
            return ROOT, ROOT
        if cell.place == "elsewhere":
            (self.folder / "elsewhere").mkdir(exist_ok=True)
            return self.folder / "elsewhere", ROOT
        copy = self.folder / "a blank and an ümlaut"
        if not copy.exists():
            for name in ("algos", "bounds", "harness", "signatures", "tests"):
                shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copy(ROOT / "pyproject.toml", copy)
        return copy, copy

    def _environment(self, cell: Cell) -> dict[str, str]:
        named = {name for other in CELLS.values() for name in other.variables}
        kept = {name: value for name, value in os.environ.items() if name not in named or name in _KEPT}
        wanted: Mapping[str, str | None] = {**kept, **PLAIN, "PYTHONPATH": str(self._place(cell)[1]), **cell.variables}
        if cell.variables.get("LC_ALL") == "tr_TR.UTF-8":
            wanted = {**wanted, "LOCPATH": str(self._turkish().parent)}
        return {name: value for name, value in wanted.items() if value is not None}


_KEPT = {"HOME", "USER", "LOGNAME", "TERM"}


def _verdicts(payload: Mapping[str, Any]) -> Verdicts:
    return {
        f"{claim['id']}[{claim['reading']}]" if claim["reading"] else claim["id"]: [
            claim["status"], *(cell["status"] for cell in claim["cells"]),
        ]
        for claim in payload["claims"]
    }  # fmt: skip


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "no output"


def _processor_flags() -> set[str]:
    """What the processor can do; everything where the system does not say."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return {"sse4_2", "avx2"} if platform.machine() in ("x86_64", "AMD64") else set()
    return {flag for line in text.splitlines() if line.startswith("flags") for flag in line.split(":")[1].split()}


if __name__ == "__main__":
    sys.exit(main())
