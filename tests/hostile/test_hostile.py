"""Hostile claims beside honest ones in one `tightrope check`: each is contained, the honest ones are judged as alone.

The bodies stand in the other files of this folder, one file per kind of harm.
"""

import json
import math
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.run.loading import from_file

HERE = Path(__file__).parent
FILES = ("hanging", "dying", "children", "talking", "changing", "returning")
PATIENCE, TIMES, LEAST = 120, 8, 6  # seconds for an honest claim; of the slowest one, what all get; seconds at least
MEMORY_LIMIT = "1200M"
SLOWEST = 900.0  # seconds for everything, on a machine that does ten other things
MARKERS = ("tightrope-hostile-child", "test-hostile-run")
LONGEST_OUTPUT = 100_000  # bytes, for some hundred claims

# What becomes of a body that does no harm outside its own process, or none at all. All others are ERROR.
HARMLESS = {
    "children/fork": "HOLDS",
    "children/subprocess": "HOLDS",
    "children/session": "HOLDS",
    "children/daemon": "HOLDS",
    "children/multiprocessing": "HOLDS",
    "children/thread": "HOLDS",
    "children/daemon-thread": "HOLDS",
    "children/at-exit": "HOLDS",
    "talking/prints": "HOLDS",
    "talking/replaces-stdout": "HOLDS",
    "talking/warns": "HOLDS",
    "talking/deletes-its-file": "HOLDS",
    "talking/neighbour": "REFUTED",
    "changing/surroundings": "HOLDS",
    "returning/booleans": "HOLDS",
    "returning/integers": "HOLDS",
    "returning/gradient": "HOLDS",
    "returning/subclass": "HOLDS",
    "returning/liar": "REFUTED",
    "returning/infinite-left": "HOLDS",
}

# Words that the sentence of an ERROR must hold, where the manner of the harm decides it.
WORDS = {
    **dict.fromkeys(
        ("loop", "sleep", "stop", "backtracking", "swallows", "deaf", "joins-a-thread", "lock", "reads-a-pipe"),
        "--time-limit",
    ),
    "slow-later": "--time-limit",
    "forks-and-loops": "--time-limit",
    # whichever comes first on a busy machine
    **dict.fromkeys(("leak", "allocation", "leaks-in-children", "hidden-memory"), "-limit"),
    "waits-for-input": "EOFError",
    "exit": "exit code 0",
    "exit-later": "exit code 3",
    "thread-exits": "exit code 7",
    "segfault": "SIGSEGV",
    "deep": "SIGSEGV" if sys.version_info < (3, 12) else "RecursionError",  # Python counts calls from C since
    "abort": "SIGABRT",
    **dict.fromkeys(("kills-itself", "kills-its-group", "kills-its-keeper"), "SIGKILL"),
    "interrupts-itself": "SIGINT",
    "recursion": "RecursionError",
    "base-exception": "Rude",
    "keyboard-interrupt": "KeyboardInterrupt",
    "system-exit": "SystemExit",
    "generator-exit": "GeneratorExit",
    "stop-iteration": "StopIteration",
    "mute": "Mute",
    "novel": "ValueError",
    "closes-output": "Bad file descriptor",
    "closes-everything": "exit code 1",
    "terminal": "/dev/tty",
    "garbles": "invalid answer",
    "dtype": "default dtype",
    "device": "default device",
    "gradients": "gradients",
    "threads": "threads",
    "denormals": "tiny numbers",
    "precision": "products",
    "numpy-errors": "error modes",
    "decimals": "decimal",
    "seeds": "generator",
    "patches-torch": "torch.exp",
    "patches-tensors": "torch.Tensor.clone",
    "patches-numpy": "numpy.isfinite",
    "patches-evaluation": "harness.language.evaluation.evaluate",
    "patches-the-judge": "harness.",
    **dict.fromkeys(("own-randomness", "clock", "counter", "late-counter"), "returns different values"),
    "rare-randomness": "random generator",
    **dict.fromkeys(("writes-data", "writes-numpy", "writes-in-place"), "in place"),
}


@dataclass(frozen=True)
class Ran:
    """One run as a user starts it: its claims by id, without their times, of which the longest."""

    process: subprocess.CompletedProcess[bytes]
    claims: dict[str, Any]
    longest: float


def _check(out: Path, *files: Path, jobs: int, time_limit: int) -> Ran:
    main = "from harness.cli import main; main()"
    options = ["--quick", "--jobs", str(jobs), "--out", str(out), "--json", str(out / "test-hostile-run.json")]
    limits = ["--time-limit", f"{time_limit}s", "--memory-limit", MEMORY_LIMIT]
    command = [sys.executable, "-c", main, "check", *map(str, files), *options, *limits]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.run(command, capture_output=True, check=False, timeout=SLOWEST, env=environment)
    payload = json.loads((out / "test-hostile-run.json").read_text())
    claims = {claim["id"]: claim for claim in payload["claims"]}
    return Ran(process, claims, max(claim.pop("seconds") for claim in claims.values()))


def _left_over() -> list[str]:
    """Command lines of processes that a run or a body has started."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                line = (process / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
            except OSError:
                continue
            if any(marker in line for marker in MARKERS):
                found.append(f"{process.name}: {line}")
    return found


def test_there_are_forty_kinds_of_hostile_claims_and_every_expectation_names_one() -> None:
    ids = {claim.id for name in FILES for claim in from_file(HERE / f"{name}.py")}
    assert len(ids - set(HARMLESS)) >= 40
    assert set(HARMLESS) <= ids
    assert set(WORDS) <= {name.split("/")[1] for name in ids - set(HARMLESS)}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc to find what is left over")
def test_hostile_claims_are_contained_and_honest_ones_judged_as_alone(tmp_path: Path) -> None:
    files = [Path(shutil.copy(HERE / f"{name}.py", tmp_path)) for name in (*FILES, "honest")]
    alone = _check(tmp_path / "alone", files[-1], jobs=1, time_limit=PATIENCE)
    limit = max(math.ceil(TIMES * alone.longest), LEAST)
    ran = _check(tmp_path / "together", *files, jobs=8, time_limit=limit)
    claims = ran.claims
    print(f"{len(claims)} claims, {limit} s for each")
    assert ran.process.returncode == 2, ran.process.stderr[-2000:]
    assert {id: claims[id] for id in alone.claims} == alone.claims
    for id in claims.keys() - alone.claims.keys():
        expected, status = HARMLESS.get(id, "ERROR"), claims[id]["status"]
        assert status == expected or (expected, status) == ("HOLDS", "PROVED"), f"{id}: {claims[id]['reason']}"
        reason = claims[id]["reason"]
        assert WORDS.get(id.split("/")[1], "") in reason, f"{id}: {reason}"
        if status == "ERROR":
            assert id in reason
            assert reason.isprintable()
            assert len(reason) < 1500
    output = ran.process.stdout + ran.process.stderr
    assert len(output) < LONGEST_OUTPUT
    assert b"\x1b" not in output
    assert not list(tmp_path.rglob("*.part"))
    assert _left_over() == []
