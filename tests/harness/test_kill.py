"""Real kills: of a run, its keeper or a worker, at any moment; it, or the next run, ends as if nothing had been.

What a kill may cost is time. It leaves no process, no half-written file, and no other verdict.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.run.workers.processes import alive, children

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc to find the workers")

TEXT = '''
from harness import claim, grid, high_probability, always, rate

@claim("slow/tail", high_probability("delta"), over=grid(n=[1, 2, 3], delta=[0.05]))
def tail(forall, draw, *, n, delta):
    """min u <= delta-quantile, at a probability just below delta."""
    u = draw.uniform("u", n).amin(-1)
    return (draw.uniform("v") < 0.9 * delta * forall.interval("p", 0.5, 1.0)).double(), 0.5 + 0 * u

@claim("slow/inequality", always(), over=grid(n=[2, 30]))
def inequality(forall, *, n):
    """|x + y| <= |x| + |y|."""
    x, y = forall.interval("x", -1.0, 1.0, n), forall.ball("y", n)
    return (x + y).norm(dim=-1), x.norm(dim=-1) + y.norm(dim=-1)

@claim("slow/decay", rate("n", -1.0, margin=0.2), over=grid(n=[10, 30, 100, 300, 1000]))
def decay(draw, *, n):
    """E mean^2 = 1/n."""
    return draw.normal("z", n).mean(-1) ** 2
'''


ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}  # tests share the cores
PATIENCE = 1800.0  # seconds for a run of a few; on a machine that did fifteen other things one has taken 300


def _command(file: Path, out: Path, jobs: int) -> list[str]:
    main = "from harness.cli import main; main()"
    options = ["--quick", "--out", str(out), "--json", str(out / "out.json"), "--jobs", str(jobs)]
    return [sys.executable, "-c", main, "check", str(file), *options]


def _finish(file: Path, out: Path, jobs: int) -> Any:
    ran = subprocess.run(
        _command(file, out, jobs), capture_output=True, text=True, check=False, timeout=PATIENCE, env=ENVIRONMENT
    )
    assert ran.returncode in (0, 2), ran.stderr  # 2: a line cut by the kill is reported
    return _json(out)


def _json(out: Path) -> Any:
    """What `--json` has written, without the times."""
    payload = json.loads((out / "out.json").read_text())
    for claim in payload["claims"]:
        del claim["seconds"]
    return payload


@dataclass(frozen=True)
class Whole:
    """A run that nobody has stopped: its JSON, how many rows it has written, and how long it took."""

    payload: Any
    lines: int
    seconds: float


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Of the claims above, by two workers."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "mine.py").write_text(TEXT, encoding="utf-8")
    start = time.monotonic()
    payload = _finish(folder / "mine.py", folder / "out", jobs=2)
    return Whole(payload, _lines(folder / "out"), time.monotonic() - start)


def _lines(out: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (out / "rows").glob("*.jsonl"))


def _unreadable(out: Path) -> int:
    """How many stored lines are no JSON."""
    count = 0
    for path in (out / "rows").glob("*.jsonl"):
        for line in path.read_bytes().splitlines():
            try:
                json.loads(line)
            except ValueError:
                count += 1
    return count


def _below(pid: int) -> list[int]:
    """All descendants of a process."""
    found = children(pid)
    return found + [each for child in found for each in _below(child)]


def _start(file: Path, out: Path) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen(_command(file, out, jobs=2), stdout=quiet, stderr=quiet, env=ENVIRONMENT)


def _gone(pids: Iterable[int], patience: float = 30.0) -> bool:
    """Whether all of these end by themselves."""
    deadline = time.monotonic() + patience
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(alive, pids))


@pytest.mark.in_turn
@linux
def test_a_killed_check_goes_on_to_the_same_verdicts_and_leaves_no_worker(
    write_claims: Callable[..., Path], tmp_path: Path, whole: Whole
) -> None:
    file, out, total = write_claims(TEXT), tmp_path / "killed", whole.lines
    process = _start(file, out)
    try:
        deadline = time.monotonic() + 120.0
        while _lines(out) < total // 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        assert process.poll() is None, "the run ended before it could be killed"
        family = _below(process.pid)
        assert len(family) >= 2, "a keeper and a worker at least"
        process.kill()
        process.wait(timeout=30)
        kept = _lines(out)
        assert 0 < kept < total, "the kill came too late or too early to test anything"
        assert _gone(family), "a worker outlived the killed run"
    finally:
        process.kill()
    assert _finish(file, out, jobs=1) == whole.payload
    assert _lines(out) == total  # what was there was not computed again


def _strike(process: subprocess.Popen[bytes], target: str, number: signal.Signals) -> bool:
    """Send a signal to the run itself, to its keeper or to one of its workers; False where there is none yet."""
    keepers = children(process.pid)
    workers = [worker for keeper in keepers for worker in children(keeper)]
    victims = {"parent": [process.pid], "keeper": keepers, "worker": workers}[target]
    if not victims:
        return False
    os.kill(victims[-1], number)
    return True


def _kill_once(file: Path, out: Path, rng: random.Random, seconds: float) -> tuple[str, Any, list[str]]:
    """One run that is struck at a random moment: what was struck, its JSON in the end, and what was left behind."""
    target = rng.choice(("parent", "parent", "keeper", "worker"))
    number = rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
    process = _start(file, out)
    family: set[int] = set()
    struck = False
    try:
        moment = time.monotonic() + seconds * rng.random()
        while process.poll() is None:
            family.update(_below(process.pid))
            if not struck and time.monotonic() >= moment:
                struck = _strike(process, target, number)
            time.sleep(0.01)
    finally:
        process.kill()
    left = [f"process {pid}" for pid in family if not _gone([pid], 10.0)]
    left += [str(path) for path in out.rglob("*.part")]
    name = f"{target} {number.name}" if struck else "nothing"
    payload = _json(out) if process.returncode == 0 else _finish(file, out, jobs=2)
    return name, payload, left


def _kill_often(file: Path, folder: Path, times: int, seed: int, whole: Whole) -> None:
    rng, start = random.Random(seed), time.monotonic()
    struck: dict[str, int] = {}
    for number in range(times):
        out = folder / str(number)
        name, payload, left = _kill_once(file, out, rng, whole.seconds)
        struck[name] = struck.get(name, 0) + 1
        assert left == [], f"kill {number} ({name}) of seed {seed}"
        assert payload == whole.payload, f"kill {number} ({name}) of seed {seed}"
        assert _unreadable(out) == 0, f"kill {number} ({name}) of seed {seed}"
        shutil.rmtree(out)
    print(f"{times} kills in {time.monotonic() - start:.0f} s: {struck}")
    assert times - struck.get("nothing", 0) >= times // 2


@linux
def test_kills_at_random_moments_change_nothing_and_leave_nothing(
    write_claims: Callable[..., Path], tmp_path: Path, whole: Whole
) -> None:
    _kill_often(write_claims(TEXT), tmp_path, times=2, seed=1, whole=whole)


@linux
@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 12))
def test_two_hundred_kills_change_nothing_and_leave_nothing(
    write_claims: Callable[..., Path], tmp_path: Path, seed: int, whole: Whole
) -> None:
    """Twenty for each seed."""
    _kill_often(write_claims(TEXT), tmp_path, times=20, seed=seed, whole=whole)


DAEMON = '''
import os, time
from pathlib import Path
from harness import always, claim

@claim("kill/daemon", always())
def daemon(forall):
    """Leaves a grandchild in a session of its own, which tells who it is once its parent has ended, and loops."""
    if os.fork() == 0:
        os.setsid()
        between = os.getpid()
        if os.fork() == 0:
            while os.getppid() == between:
                time.sleep(0.001)
            Path("PIDS").write_text(f"{os.getpid()} .")
            time.sleep(3600)
        os._exit(0)
    while True:
        time.sleep(1)
'''


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_run_takes_with_it_what_bodies_have_started(
    write_claims: Callable[..., Path], tmp_path: Path, number: signal.Signals
) -> None:
    """A daemon has no parent and no session in common with the run: only an ancestor that adopts still knows of it."""
    pids = tmp_path / "pids"
    process = _start(write_claims(DAEMON.replace("PIDS", str(pids))), tmp_path / "out")
    try:
        deadline = time.monotonic() + 120.0
        while not (pids.exists() and pids.read_text().endswith(".")) and time.monotonic() < deadline:
            time.sleep(0.02)
        daemon = int(pids.read_text().split()[0])
        family = [pid for pid in _below(process.pid) if alive(pid)]  # the child between may be unburied: no family
        assert daemon in family, "the keeper has adopted it"
        assert len(family) >= 3, "a keeper, a worker and the daemon"
        process.send_signal(number)
        process.wait(timeout=30)
        assert _gone(family)
    finally:
        process.kill()
