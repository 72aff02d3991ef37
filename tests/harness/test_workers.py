"""Workers: a process per group, limits, retries, and nothing left behind; without claims, so that causes are plain."""

import errno
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.errors import RunLost, WorkerLost
from harness.run.execution import Outcome
from harness.run.workers import Workers
from harness.run.workers.channel import Channel
from harness.run.workers.places import WHERE
from harness.run.workers.processes import alive, children, tree
from harness.run.workers.supervisor import Supervisor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
PATIENCE = 300.0  # seconds, on a machine that does ten other things


def _pid(group: str) -> Outcome:
    return Outcome({"group": group, "pid": os.getpid()})


def _large(group: str, text: str) -> Outcome:
    return Outcome({"length": len(text), "back": text})


def _loop(_: object) -> Outcome:
    print("looping")
    while True:
        pass


def _chatty(_: object, megabytes: float) -> Outcome:
    started, block = time.monotonic(), b"x" * 100_000
    while time.monotonic() < started + PATIENCE and megabytes > 0.0:
        megabytes -= os.write(1, block) / 1e6
    return Outcome({"seconds": time.monotonic() - started})


def _deaf(_: object) -> Outcome:
    signal.signal(WHERE, signal.SIG_IGN)
    time.sleep(PATIENCE)
    return Outcome({})


def _dying(_: object) -> Outcome:
    signal.signal(WHERE, signal.SIG_DFL)
    time.sleep(PATIENCE)
    return Outcome({})


def _told(_: object) -> Outcome:
    """The signals that the parent of this process ignores."""
    status = Path(f"/proc/{os.getppid()}/status").read_text()
    ignored = int(re.search(r"^SigIgn:\s*([0-9a-f]+)$", status, re.MULTILINE)[1], 16)  # type: ignore[index]
    return Outcome({"ignored by the keeper": bool(ignored >> (WHERE - 1) & 1)})


def _sleep(group: str, seconds: float) -> Outcome:
    time.sleep(seconds)
    return Outcome({"pid": os.getpid()})


def _meet(group: str, folder: str, guests: int) -> Outcome:
    """Comes to a folder, and stays until as many have come."""
    (Path(folder) / str(os.getpid())).touch()
    while len(os.listdir(folder)) < guests:
        time.sleep(0.01)
    return Outcome({"pid": os.getpid()})


def _die_once(group: str, folder: str, number: int) -> Outcome:
    """Is killed at the first attempt, as by somebody else."""
    mark = Path(folder) / group
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), number)
        time.sleep(PATIENCE)
    return Outcome({"tried": 2})


def _exit(group: str) -> Outcome:
    print("last words")
    sys.stdout.flush()
    os._exit(5)


def _fork(group: str, seconds: float) -> Outcome:
    if os.fork() == 0:
        time.sleep(3600.0)
    time.sleep(seconds)
    return Outcome({})


def _junk(group: str) -> Outcome:
    return Outcome({"not JSON": object()})


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """One pool for all, with groups of their own: a keeper takes seconds to get warm."""
    with Workers(2, time_limit=PATIENCE) as pool:
        yield pool


def test_calls_of_one_group_share_a_process_and_groups_do_not(workers: Workers) -> None:
    pids = {}
    for group in ("one", "two", "one", "two"):
        data = workers.submit(_pid, group).result(PATIENCE).data
        assert pids.setdefault(group, data["pid"]) == data["pid"]
    assert len({*pids.values(), os.getpid()}) == 3


@dataclass(frozen=True)
class _Lodger:
    """A group that shares its home with others."""

    name: str
    home: str


def test_groups_of_one_home_share_a_process(workers: Workers) -> None:
    here = [workers.submit(_sleep, _Lodger(name, "here"), 0.0).result(PATIENCE).data["pid"] for name in "abc"]
    there = workers.submit(_sleep, _Lodger("a", "there"), 0.0).result(PATIENCE).data["pid"]
    assert len(set(here)) == 1
    assert there != here[0]


def test_a_home_has_one_worker_while_others_wait_and_as_many_as_there_are_at_the_end(tmp_path: Path) -> None:
    """Would catch calls that compute in two workers what one of them has kept, and workers that wait for a home.

    Both workers are held until all calls are known. The last two end together, so that one worker would never end.
    """
    held, ended = tmp_path / "held", tmp_path / "ended"
    held.mkdir()
    ended.mkdir()
    with Workers(2, time_limit=PATIENCE) as workers:
        for number in range(2):
            workers.submit(_meet, _Lodger("a", f"held {number}"), str(held), 3)
        first = [workers.submit(_sleep, _Lodger(name, "long"), 0.3) for name in "abc"]
        others = [workers.submit(_sleep, _Lodger("a", f"short {number}"), 0.3) for number in range(2)]
        last = [workers.submit(_meet, _Lodger(name, "last"), str(ended), 2) for name in "ab"]
        (held / "all are known").touch()
        pids = [[future.result(PATIENCE).data["pid"] for future in some] for some in (first, others, last)]
    assert len(set(pids[0])) == 1
    assert len({*pids[0], *pids[1]}) == 3
    assert len(set(pids[2])) == 2


def test_who_dies_at_a_home_is_lost_alone(workers: Workers) -> None:
    with pytest.raises(WorkerLost, match="exit code 5"):
        workers.submit(_exit, _Lodger("exits", "shared")).result(PATIENCE)
    assert workers.submit(_sleep, _Lodger("other", "shared"), 0.0).result(PATIENCE).data
    with pytest.raises(WorkerLost, match="exit code 5"):
        workers.submit(_sleep, _Lodger("exits", "shared"), 0.0).result(PATIENCE)


def test_large_calls_and_answers_pass_whole(workers: Workers) -> None:
    text = "x\n" * 2_000_000
    assert workers.submit(_large, "large", text).result(PATIENCE).data == {"length": len(text), "back": text}


def test_no_more_workers_live_than_promised(workers: Workers) -> None:
    """Two busy and two idle ones; the rest has made room, as soon as the keeper has buried it."""
    wait([workers.submit(_pid, f"group {number}") for number in range(12)], PATIENCE)
    deadline = time.monotonic() + PATIENCE
    living = 12
    while living > 5 and time.monotonic() < deadline:
        living = max(len([pid for pid in children(child) if alive(pid)]) for child in children(os.getpid()))
        time.sleep(0.01)
    assert 1 <= living <= 5


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_call_whose_worker_is_killed_from_outside_is_tried_once_more(
    workers: Workers, tmp_path: Path, number: signal.Signals
) -> None:
    assert workers.submit(_die_once, f"dies of {number}", str(tmp_path), number).result(PATIENCE).data == {"tried": 2}


def test_the_second_attempt_runs_alone(workers: Workers, tmp_path: Path) -> None:
    """Would catch a retry beside the one who has taken all the memory."""
    killed = workers.submit(_die_once, "killed", str(tmp_path), signal.SIGKILL)
    beside = workers.submit(_sleep, "beside", 1.0)
    order: list[str] = []
    killed.add_done_callback(lambda _: order.append("killed"))
    beside.add_done_callback(lambda _: order.append("beside"))
    wait([killed, beside], PATIENCE)
    assert order == ["beside", "killed"]


def test_who_ends_its_process_is_lost_with_its_last_words_and_so_are_its_later_calls(workers: Workers) -> None:
    first, other = workers.submit(_exit, "exits"), workers.submit(_pid, "other")
    with pytest.raises(WorkerLost, match=r"exit code 5.*last words"):
        first.result(PATIENCE)
    assert other.result(PATIENCE).data["group"] == "other"
    with pytest.raises(WorkerLost, match="exit code 5"):
        workers.submit(_pid, "exits").result(PATIENCE)


def test_the_time_of_all_calls_of_a_group_counts() -> None:
    with Workers(1, time_limit=1.5) as workers:
        assert workers.submit(_sleep, "a", 1.0).result(PATIENCE).error is None
        assert workers.submit(_sleep, "b", 1.0).result(PATIENCE).error is None
        with pytest.raises(WorkerLost, match=r"1.5 s of --time-limit"):
            workers.submit(_sleep, "a", 30.0).result(PATIENCE)


def test_who_is_out_of_time_tells_where_it_is_after_its_last_words() -> None:
    """Who writes a loop without an end sees a time limit alone otherwise."""
    with Workers(1, time_limit=0.5) as workers:
        lost = workers.submit(_loop, "a").exception(PATIENCE)
    assert isinstance(lost, WorkerLost)
    assert re.search(r"\) in line \d+ of test_workers.py \(_loop\); it had printed, at the end: 'looping'$", str(lost))


def test_who_does_not_answer_is_out_of_time_all_the_same() -> None:
    with Workers(1, time_limit=0.5) as workers:
        lost = workers.submit(_deaf, "a").exception(PATIENCE)
    assert str(lost) == "stopped after 0.5 s of --time-limit (all its cells together)"


def test_who_prints_much_does_not_answer_for_the_time_that_it_takes_to_hear_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A body that printed 200 MB in half a second was out of time on a busy machine: it waited for the parent."""
    drain = Channel.drain

    def slow(channel: Channel) -> bool:
        time.sleep(0.02)
        return drain(channel)

    monkeypatch.setattr(Channel, "drain", slow)
    monkeypatch.setattr("harness.run.workers.channel.CHUNKS", 1)
    with Workers(1, time_limit=1.0) as workers:
        found = workers.submit(_chatty, "a", 30.0).result(PATIENCE)
        assert found.data["seconds"] > 1.5
        monkeypatch.undo()
        with pytest.raises(WorkerLost, match=r"1 s of --time-limit"):
            workers.submit(_chatty, "b", math.inf).result(PATIENCE)


def test_what_is_no_json_is_an_error_and_what_is_no_pickle_an_exception(workers: Workers) -> None:
    assert "TypeError" in (workers.submit(_junk, "junk").result(PATIENCE).error or "")
    with pytest.raises(Exception, match=r"pickle|local"):
        workers.submit(lambda _: Outcome({}), "junk").result(PATIENCE)
    assert workers.submit(_pid, "junk").result(PATIENCE).data["group"] == "junk"


def test_a_killed_keeper_is_replaced_and_what_was_in_flight_tried_again(workers: Workers) -> None:
    pid = workers.submit(_pid, "kept").result(PATIENCE).data["pid"]
    running = workers.submit(_sleep, "kept", 1.0)
    (keeper,) = [child for child in children(os.getpid()) if pid in children(child)]
    os.kill(keeper, signal.SIGKILL)
    assert running.result(PATIENCE).data["pid"] != pid
    assert not alive(pid)


def test_a_shutdown_kills_what_runs_with_all_its_children() -> None:
    before, threads = set(tree(os.getpid())), threading.active_count()
    with Workers(2) as workers:
        future = workers.submit(_fork, "a", 3600.0)
        waiting = [workers.submit(_sleep, "b", 3600.0), workers.submit(_sleep, "c", 3600.0)]
        deadline = time.monotonic() + PATIENCE
        while len(set(tree(os.getpid())) - before) < 4 and time.monotonic() < deadline:
            time.sleep(0.02)
        started = set(tree(os.getpid())) - before
    assert len(started) >= 4
    assert not any(map(alive, started))
    for each in (future, *waiting):
        with pytest.raises(BrokenExecutor):
            each.result(0.0)
    with pytest.raises(BrokenExecutor):
        workers.submit(_pid, "a")
    assert threading.active_count() == threads


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files); raise the limit of open files (`ulimit"),
        (KeyError(7), "(KeyError: 7); report this; finished rows are kept"),
    ],
)
def test_what_ends_the_supervisor_ends_the_run(monkeypatch: pytest.MonkeyPatch, error: Exception, words: str) -> None:
    """Wherever it comes up: of a call that is handed out just then, and of those that wait."""
    workers, hired = Workers(1), threading.Event()

    def fail(*_: object) -> None:
        hired.wait(PATIENCE)
        raise error

    monkeypatch.setattr(Supervisor, "_hire", fail)
    calls = [workers.submit(_pid, group) for group in "abc"]
    hired.set()
    for call in calls:
        with pytest.raises(RunLost, match=re.escape(words)):
            call.result(PATIENCE)
    with pytest.raises(RunLost, match=re.escape(words)):
        workers.submit(_pid, "d")
    workers.shutdown()
    assert not alive(workers._supervisor.keeper_pid)


def test_nothing_is_left_open() -> None:
    """Python tells of a socket that is left to the collector of garbage, in the keeper too."""
    code = """
from harness.run.workers import Workers
from tests.harness.test_workers import _pid
with Workers(1) as workers:
    workers.submit(_pid, "a").result()
"""
    ran = subprocess.run(
        [sys.executable, "-W", "always::ResourceWarning", "-c", code], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_a_worker_that_cannot_begin_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("harness.run.workers.work._begin", fail)
    with Workers(1) as workers, pytest.raises(WorkerLost, match=r"exit code 1; .*Too many open files"):
        workers.submit(_pid, "a").result(PATIENCE)


def test_who_dies_of_being_asked_is_out_of_time() -> None:
    """A body may have put the signal back to what ends a process."""
    with Workers(1, time_limit=0.5) as workers:
        lost = workers.submit(_dying, "a").exception(PATIENCE)
    assert str(lost) == "stopped after 0.5 s of --time-limit (all its cells together)"


def test_a_worker_that_has_just_begun_survives_the_question() -> None:
    """Until it can answer the signal is ignored, so that none dies of it who has not even begun."""
    with Workers(1, time_limit=PATIENCE) as workers:
        found = workers.submit(_told, "a").result(PATIENCE)
    assert found.data == {"ignored by the keeper": True}
