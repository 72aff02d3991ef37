"""A real kill: SIGKILL half-way, start again, and the same JSON as an uninterrupted run, for any number of workers."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TEXT = '''
from harness import claim, grid, high_probability, always, rate

@claim("slow/tail", high_probability("delta"), over=grid(n=[1, 2, 3, 4, 5, 6], delta=[0.05]))
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


def _command(file: Path, out: Path, jobs: int) -> list[str]:
    main = "from harness.cli import main; main()"
    options = ["--quick", "--out", str(out), "--json", str(out / "out.json"), "--jobs", str(jobs)]
    return [sys.executable, "-c", main, "check", str(file), *options]


def _finish(file: Path, out: Path, jobs: int) -> Any:
    ran = subprocess.run(
        _command(file, out, jobs), capture_output=True, text=True, check=False, timeout=300, env=ENVIRONMENT
    )
    assert ran.returncode in (0, 2), ran.stderr  # 2: a line cut by the kill is reported
    payload = json.loads((out / "out.json").read_text())
    for claim in payload["claims"]:
        del claim["seconds"]
    return payload


def _lines(out: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (out / "rows").glob("*.jsonl"))


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc to find the workers")
def test_a_killed_check_goes_on_to_the_same_verdicts_and_leaves_no_worker(
    write_claims: Callable[..., Path], tmp_path: Path
) -> None:
    file = write_claims(TEXT)
    reference = _finish(file, tmp_path / "whole", jobs=1)
    total = _lines(tmp_path / "whole")
    out = tmp_path / "killed"
    process = subprocess.Popen(
        _command(file, out, jobs=2), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    try:
        deadline = time.monotonic() + 120.0
        while _lines(out) < total // 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        assert process.poll() is None, "the run ended before it could be killed"
        workers = _children(process.pid)
        process.kill()
        process.wait(timeout=30)
        kept = _lines(out)
        assert 0 < kept < total, "the kill came too late or too early to test anything"
        deadline = time.monotonic() + 30.0
        while any(map(_alive, workers)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(map(_alive, workers)), "a worker outlived the killed run"
    finally:
        process.kill()
    assert _finish(file, out, jobs=1) == reference
    assert _lines(out) == total  # what was there was not computed again
