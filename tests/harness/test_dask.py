"""A real Dask cluster on loopback: whatever dies there, the verdicts are the local ones, or one sentence says why not.

Scheduler and workers are processes of their own; they are struck in the middle of a run, between two of its tasks.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.errors import ClusterLost
from harness.judges import Task
from harness.language.registry import Claim
from harness.report.layout import judged
from harness.run.closure import source_hashes
from harness.run.loading import from_file
from harness.run.reference import ClaimReference
from harness.run.runner import Silent, run
from harness.run.workers import Workers
from harness.run.workers.cluster import Cluster, judge
from harness.run.workers.overhead import empty, overhead
from harness.run.workers.processes import alive, tree
from harness.settings import EFFORTS, Settings
from harness.verdict import Status, Verdict

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
PATIENCE = 300.0  # seconds, on a machine that does ten other things
QUICK = Settings(effort=EFFORTS["quick"], family=5)

HONEST = '''
from harness import always, claim, grid, high_probability, rate

@claim("far/always", always(), over=grid(n=[2]))
def cauchy_schwarz(forall, *, n):
    """<x, y> <= |x| |y|."""
    x, y = forall.interval("x", -1.0, 1.0, n), forall.ball("y", n)
    return (x * y).sum(-1), x.norm(dim=-1) * y.norm(dim=-1)

@claim("far/false", always())
def false(forall):
    """sum x <= 2.9."""
    return forall.interval("x", 0.0, 1.0, 3).sum(-1), 2.9

@claim("far/probability", high_probability("delta"), over=grid(delta=[0.1]))
def tail(forall, draw, *, delta):
    """P(u < p) <= delta."""
    return (draw.uniform("u") < forall.interval("p", 0.0, 0.5 * delta)).double(), 0.5

@claim("far/rate", rate("n", -0.9, margin=0.1), over=grid(n=[10, 30, 100, 300]))
def decay(draw, *, n):
    """E = O(1/n)."""
    return (1.0 + 0.1 * draw.signs("s")) / n
'''
DEADLY = '''
@claim("far/exit", always(), over=grid(n=[1, 2]))
def exits(forall, *, n):
    """Ends its process."""
    import os
    os._exit(7)
'''
ENDLESS = '''
from harness import always, claim

@claim("far/endless", always())
def endless(forall):
    """Never says."""
    while True:
        pass
'''
MURDEROUS = '''
@claim("far/murder", always())
def murder(forall):
    """Kills the Dask worker: the parent of the keeper that is its own parent."""
    import os, signal, time
    keeper = os.getppid()
    with open(f"/proc/{keeper}/stat") as stat:
        above = int(stat.read().rpartition(")")[2].split()[1])
    os.kill(above, signal.SIGKILL)
    time.sleep(60.0)
'''


class Dask:
    """A scheduler and its workers, each a process; with a nanny, a worker that dies is replaced."""

    def __init__(self, folder: Path, workers: int, *, nanny: bool = False, **scheduler: str) -> None:
        self.folder, self.nanny = folder, nanny
        self.file = folder / "scheduler.json"
        self.options = {f"DASK_DISTRIBUTED__SCHEDULER__{name.upper()}": text for name, text in scheduler.items()}
        options = ("--host", "127.0.0.1", "--port", "0", "--no-show", "--scheduler-file", str(self.file))
        self.scheduler = self._start("dask_scheduler", *options)
        self.workers: list[subprocess.Popen[bytes]] = []
        try:
            _until(lambda: self.file.exists() and self.file.read_text().endswith("}"))
            self.address = json.loads(self.file.read_text())["address"].replace("tcp://", "dask://")
            for _ in range(workers):
                self.add()
        except BaseException:
            self.end()
            raise

    def add(self) -> None:
        """Start one more worker; it joins when it is ready."""
        nanny = "--nanny" if self.nanny else "--no-nanny"
        own = ("--nthreads", "1", "--local-directory", str(self.folder), "--preload", "harness.run.workers.cluster")
        self.workers.append(self._start("dask_worker", "--scheduler-file", str(self.file), nanny, *own))

    def processes(self) -> set[int]:
        """All processes of the cluster, and all that these have started."""
        return {pid for process in (self.scheduler, *self.workers) for pid in tree(process.pid)}

    def end(self) -> None:
        """Kill everything; what the workers have started has to end by itself."""
        below = self.processes()
        if self.nanny:
            for process in self.workers:
                process.terminate()  # it ends its worker, which a kill would leave
                process.wait(PATIENCE)
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait(PATIENCE)
        _until(lambda: not any(map(alive, below)))

    def _start(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **self.options, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
        with (self.folder / f"{program}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", "--no-dashboard", *options],
                stdout=log,
                stderr=log,
                env=environment,
            )


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "nothing happens"
        time.sleep(0.02)


class Strike(Silent):
    """Does something once, after so many tasks."""

    def __init__(self, after: int, act: Callable[[], object]) -> None:
        self.left, self.act = after, act

    def advanced(self, claim: Claim, task: Task, seconds: float) -> None:
        self.left -= 1
        if self.left == 0:
            self.act()


@pytest.fixture
def cluster_of(tmp_path: Path) -> Iterator[Callable[..., Dask]]:
    """Start clusters, and end them with the test."""
    started: list[Dask] = []

    def start(workers: int, **options: Any) -> Dask:
        folder = tmp_path / f"cluster {len(started)}"
        folder.mkdir()
        started.append(Dask(folder, workers, **options))
        return started[-1]

    yield start
    for each in started:
        each.end()


def _plain(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """What `--json` writes, without the times."""
    return [{**msgspec.json.decode(msgspec.json.encode(judged(verdict))), "seconds": None} for verdict in verdicts]


@dataclass(frozen=True)
class Case:
    """A file of claims, of which the last ends its process; and what a local run says of them."""

    file: Path
    claims: tuple[Claim, ...]
    local: list[dict[str, Any]]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """One local run for all."""
    file = tmp_path_factory.mktemp("claims") / "mine.py"
    file.write_text(HONEST + DEADLY)
    claims = from_file(file)
    with Workers(1) as workers:
        return Case(file, claims, _plain(run(claims, QUICK, executor=workers)))


def test_two_workers_give_the_local_verdicts_and_who_ends_its_process_costs_itself_alone(
    case: Case, cluster_of: Callable[..., Dask]
) -> None:
    dask = cluster_of(2)
    with Cluster(dask.address) as cluster:
        _until(lambda: cluster.threads == 2)
        verdicts = run(case.claims, QUICK, executor=cluster, in_flight=cluster.in_flight)
    maps = Path(f"/proc/{dask.scheduler.pid}/maps").read_text()
    assert "python" in maps
    assert "torch" not in maps, "the scheduler needs no Tightrope"
    assert _plain(verdicts) == case.local
    assert [v.claim.id for v in verdicts if v.status is Status.ERROR] == ["far/exit"]
    assert "exit code 7" in verdicts[-1].reason


def _check(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["check", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_scheduler_that_dies_is_one_sentence_and_the_next_local_run_goes_on(
    case: Case, cluster_of: Callable[..., Dask], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dask = cluster_of(1)
    monkeypatch.setattr("harness.cli.judging.ProgressBar", lambda *_, **__: _Striking(4, dask.scheduler.kill))
    common = (case.file, "--quick", "--jobs", 1, "--out", tmp_path / "out", "--json", tmp_path / "out.json")
    code, output = _check(*common, "--executor", dask.address)
    assert code == 2
    assert output.count("\n") == 1
    assert output.startswith(f"error: the Dask scheduler at {dask.address} is gone")
    assert "the same command continues from there" in output
    assert not (tmp_path / "out.json").exists()
    kept = _rows(tmp_path / "out")
    assert kept
    monkeypatch.undo()
    assert _check(*common)[0] == 2  # one claim ends its process
    found = json.loads((tmp_path / "out.json").read_text())["claims"]
    assert [{**claim, "seconds": None} for claim in found] == case.local
    assert kept < _rows(tmp_path / "out")


def _rows(out: Path) -> set[str]:
    return {line for path in (out / "rows").glob("*.jsonl") for line in path.read_text().splitlines()}


class _Striking(Strike):
    """A progress bar that strikes."""

    def __enter__(self) -> "_Striking":
        return self

    def __exit__(self, *_: object) -> None: ...


def test_no_scheduler_is_one_sentence_at_once(write_claims: Callable[..., Path], tmp_path: Path) -> None:
    file = write_claims(HONEST)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    start = time.monotonic()
    code, output = _check(file, "--out", tmp_path / "out", "--executor", f"dask://127.0.0.1:{port}")
    assert time.monotonic() - start < 5.0
    assert (code, output.count("\n")) == (2, 1)
    assert f"no Dask scheduler answers at dask://127.0.0.1:{port}" in output


@pytest.mark.parametrize(
    "address", ["dask://here", "dask://:1", "dask://h:x", "tcp://h:1", "dask://h:1/x", "dask://h:99999"]
)
def test_what_is_no_address_is_one_sentence(write_claims: Callable[..., Path], tmp_path: Path, address: str) -> None:
    code, output = _check(write_claims(HONEST), "--out", tmp_path / "out", "--executor", address)
    assert (code, output.count("\n")) == (2, 1)
    assert "must look like dask://HOST:PORT" in output


def test_a_machine_with_another_source_does_not_judge(write_claims: Callable[..., Path]) -> None:
    """Its row would be stored as if it were the row of the source here."""
    (claim, *_) = from_file(write_claims(HONEST))
    reference = ClaimReference(claim.body.__module__, claim.file, claim.key, source_hashes([claim])[claim.key])
    assert judge(reference, _fine).data == {"judged": claim.key}
    other = judge(replace(reference, source="0"), _fine).error or ""
    assert "is not the same there" in other
    elsewhere = replace(reference, module="tightrope_user_elsewhere", file="/absent/mine.py")
    absent = judge(elsewhere, _fine).error or ""
    assert "cannot be loaded there: UsageError: there is no file /absent/mine.py" in absent
    assert all("share the file's folder" in sentence for sentence in (other, absent))


def _fine(reference: ClaimReference) -> Any:
    from harness.run.execution import Outcome

    return Outcome({"judged": reference.key})


@pytest.mark.nightly
@pytest.mark.parametrize("what", ["killed", "ended", "added", "replaced", "cut off"])
def test_workers_come_and_go_and_the_verdicts_are_the_local_ones(
    case: Case, cluster_of: Callable[..., Dask], what: str
) -> None:
    dask = cluster_of(1 if what in ("added", "replaced") else 2, worker_ttl="20s")

    def strike() -> None:
        if what in ("added", "replaced"):
            dask.add()
        if what in ("killed", "replaced"):
            dask.workers[0].kill()
        if what == "ended":
            dask.workers[0].terminate()
        if what == "cut off":
            dask.workers[0].send_signal(signal.SIGSTOP)

    with Cluster(dask.address) as cluster:
        _until(lambda: cluster.threads == len(dask.workers))
        verdicts = run(case.claims, QUICK, executor=cluster, observer=Strike(4, strike), in_flight=cluster.in_flight)
    assert _plain(verdicts) == case.local


@pytest.mark.nightly
def test_a_claim_that_kills_its_dask_worker_is_the_only_error(
    write_claims: Callable[..., Path], cluster_of: Callable[..., Dask]
) -> None:
    """Dask blames all that waited there; the suspects are tried again one by one."""
    claims = from_file(write_claims(HONEST + MURDEROUS))
    dask = cluster_of(2, nanny=True, allowed_failures="0")
    with Cluster(dask.address) as cluster:
        verdicts = run(claims, QUICK, executor=cluster, in_flight=8)
    assert _plain(verdicts[:-1]) == _plain(run(claims[:-1], QUICK))
    assert verdicts[-1].status is Status.ERROR
    assert "the Dask workers that judged it died" in verdicts[-1].reason


@pytest.mark.nightly
def test_limits_hold_on_a_cluster_and_nothing_is_left_there(
    write_claims: Callable[..., Path], cluster_of: Callable[..., Dask]
) -> None:
    claims = from_file(write_claims(ENDLESS))
    dask = cluster_of(1)
    _until(lambda: "Registered" in (dask.folder / "dask_worker.log").read_text())
    before = dask.processes()
    with Cluster(dask.address, time_limit=1.0, idle=2.0) as cluster:
        (verdict,) = run(claims, QUICK, executor=cluster)
        assert verdict.status is Status.ERROR
        assert "stopped after 1 s of --time-limit" in verdict.reason
        assert dask.processes() > before, "a keeper at least"
    _until(lambda: dask.processes() == before)
    sleep = "Cluster(sys.argv[1]).submit(time.sleep, 1e6).result()"
    code = f"import sys, time; from harness.run.workers.cluster import Cluster; {sleep}"
    with subprocess.Popen([sys.executable, "-c", code, dask.address]) as command:
        _until(lambda: len(dask.processes()) == len(before) + 2)  # a keeper, and the process that sleeps
        command.kill()
    _until(lambda: dask.processes() == before)


@pytest.mark.nightly
def test_a_cluster_without_workers_and_a_silent_scheduler_are_one_sentence(cluster_of: Callable[..., Dask]) -> None:
    dask = cluster_of(0)
    with Cluster(dask.address, patience=2.0) as cluster, pytest.raises(ClusterLost, match="no worker for 2 s"):
        cluster.submit(empty, "nobody").result(PATIENCE)
    with Cluster(dask.address, patience=2.0) as cluster:
        dask.scheduler.send_signal(signal.SIGSTOP)
        with pytest.raises(ClusterLost, match="not answered for 2 s"):
            cluster.submit(empty, "nobody").result(PATIENCE)


@pytest.mark.nightly
def test_the_overhead_of_a_task_is_some_milliseconds(cluster_of: Callable[..., Dask]) -> None:
    found = overhead(cluster_of(2).address, tasks=100)
    assert found.busy < 1.0
    print(found)
