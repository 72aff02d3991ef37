"""Runs a cell of the matrix: what a process of it sees, the claims, the commands, the tests."""

import json
import os
import platform
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.portability.cells import ARITHMETIC, CELLS, PLAIN, Cell

ROOT = Path(__file__).resolve().parents[2]
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
Verdicts = dict[str, list[str]]


@dataclass(frozen=True)
class Outcome:
    """What became of a cell: nothing wrong when `trouble` is empty; seconds of the processor, step by step."""

    name: str
    trouble: str
    cpu: Mapping[str, float]
    ran: bool = True

    def __str__(self) -> str:
        verdict = "PASSED" if not self.trouble else "FAILED" if self.ran else "NOT RUN"
        steps = ", ".join(f"{name} {seconds:.0f}" for name, seconds in self.cpu.items())
        times = f"{sum(self.cpu.values()):4.0f} s of CPU ({steps})" if self.cpu else ""
        return f"{verdict:8} {self.name:28} {times:55} {self.trouble}".rstrip()


class Matrix:
    """Runs cells one after the other in a temporary folder and compares them with the first."""

    def __init__(self, folder: Path, claims: Sequence[str], pytest: Sequence[str]) -> None:
        self.folder, self.claims, self.pytest = folder, claims, pytest
        self.verdicts: Verdicts = {}
        self.answers: dict[str, str] = {}

    def outcome(self, cell: Cell, *, tests: bool) -> Outcome:
        """Run one cell: its effect, the claims, the commands, the tests."""
        steps = {"effect": self._effect, "claims": self._claims, "commands": self._commands, "tests": self._tests}
        trouble = missing = self.lacks(cell)
        cpu: dict[str, float] = {}
        for name, step in steps.items():
            if not trouble and (tests or name != "tests"):
                before = _cpu()
                trouble = step(cell)
                cpu[name] = _cpu() - before
        return Outcome(cell.name, trouble, cpu, ran=not missing)

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
        self.verdicts = self.verdicts or found
        changed = [key for key, verdicts in self.verdicts.items() if found.get(key) != verdicts]
        other = [f"{key} {self.verdicts[key]} -> {found.get(key)}" for key in changed]
        if other or len(found) != len(self.claims):
            return f"{len(other)} verdicts differ: {'; '.join(other[:3])}"
        return f"exit code {done.returncode}: {_last_line(done.stderr)}" if done.returncode not in (0, 1) else ""

    def _commands(self, cell: Cell) -> str:
        """The other commands, each from end to end, say what they say in the plain cell."""
        if cell.tests == ARITHMETIC:
            return ""
        if not self.answers and (trouble := self._compared(CELLS["plain"])):
            return f"in the plain cell, {trouble}"
        return self._compared(cell)

    def _compared(self, cell: Cell) -> str:
        for arguments in self._examples(cell):
            done = self._python(cell, ["-c", TIGHTROPE, *arguments], output=cell.output)
            if done.returncode or "Traceback" in done.stderr:
                return f"tightrope {arguments[0]} ended with {done.returncode}: {_last_line(done.stderr)}"
            told = " ".join(done.stdout.split()) if cell.reads_like_the_plain_one else ""
            if told and told != self.answers.setdefault(arguments[0], told):
                return f"tightrope {arguments[0]} says {told[:150]} instead of {self.answers[arguments[0]][:150]}"
        return ""

    def _examples(self, cell: Cell) -> list[list[str]]:
        """`list`, then `show` and `replay` of the first counterexample of the run."""
        out = self.folder / cell.name
        claims = json.loads((out / "cell.json").read_text(encoding="utf-8"))["claims"]
        line = next(each["replay"] for claim in claims for each in claim["cells"] if each["counterexample"])
        replay = shlex.split(line)[1:]
        return [["list"], ["show", replay[1], "--quick", "--out", str(out)], replay]

    def _tests(self, cell: Cell) -> str:
        if not cell.tests:
            return ""
        home = self._place(cell)[1]
        command = ["-m", "pytest", "-p", "no:cacheprovider", "-c", str(home / "pyproject.toml"), "--rootdir", str(home)]
        paths = [str(home / path) for path in cell.tests]
        done = self._python(cell, [*command, "-p", "tests.portability.sensitive", *self.pytest, *paths])
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


def _cpu() -> float:
    """Seconds that processes started from here, and those that they have waited for, have spent on a processor."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
