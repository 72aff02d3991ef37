"""A file whose import kills its process costs the command nothing but that file; else the command ends as it would."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.run.workers.processes import alive, children

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there does a process stand by")
COMMAND = [sys.executable, "-c", "from harness.cli import command; command()"]
PATIENCE = 300.0  # seconds, on a machine that does ten other things
GOOD = '''
from harness import always, claim

@claim("mine/variance", always())
def variance(forall):
    """p (1 - p) <= 1/4."""
    p = forall.interval("p", 0.0, 1.0)
    return p * (1 - p), 0.25
'''
WAITING = """
import os
from collections.abc import Callable
from pathlib import Path
Path("pid").write_text(str(os.getpid()))
import time
time.sleep(300)
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE)


def test_a_file_whose_import_kills_is_named_and_the_others_are_judged() -> None:
    Path("aborts.py").write_text("import os\nos.abort()\n")
    Path("faults.py").write_text("import ctypes\nctypes.string_at(0)\n")
    Path("good.py").write_text(GOOD)
    ran = _run("check", "aborts.py", "good.py", "faults.py", "--quick", "--json", "o.json", "--junit", "o.xml")
    assert ran.returncode == 2
    assert ran.stderr.splitlines() == [
        "error: aborts.py does not import: it dies of SIGABRT; run `python -X faulthandler aborts.py` to see where.",
        "error: faults.py does not import: it dies of SIGSEGV; run `python -X faulthandler faults.py` to see where.",
    ]
    payload = json.loads(Path("o.json").read_text())
    assert [claim["status"] for claim in payload["claims"]] == ["PROVED"]
    assert len(payload["complaints"]) == 2
    assert "it dies of SIGABRT" in Path("o.xml").read_text()


def test_a_process_that_is_killed_while_it_imports_hints_at_memory() -> None:
    Path("large.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    ran = _run("list", "large.py")
    assert ran.returncode == 2
    assert "it dies of SIGKILL; too little memory is the usual cause; run" in ran.stderr


SENT = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What the command does not ignore, though who runs the tests in the background may."""


def _waiting() -> tuple[subprocess.Popen[str], int]:
    """A command that is importing a file, and the process that does it."""
    Path("waiting.py").write_text(WAITING)
    kept = {number: signal.signal(number, signal.SIG_DFL) for number in SENT}
    try:
        command = subprocess.Popen([*COMMAND, "list", "waiting.py"], stderr=subprocess.PIPE, text=True)
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    _until(lambda: Path("pid").is_file() and Path("pid").read_text() != "")
    pid = int(Path("pid").read_text())
    assert children(command.pid) == [pid]
    return command, pid


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)],
)
def test_a_signal_to_the_command_reaches_who_does_the_work(number: signal.Signals, code: int) -> None:
    command, pid = _waiting()
    os.kill(command.pid, number)
    _, said = command.communicate(timeout=PATIENCE)
    assert command.returncode == code
    assert said == ("stopped\n" if number == signal.SIGINT else "")
    assert not alive(pid)


def test_a_command_that_is_killed_takes_along_who_does_the_work() -> None:
    command, pid = _waiting()
    command.kill()
    command.wait(PATIENCE)
    _until(lambda: not alive(pid))


def test_docstrings_that_python_strips_are_one_sentence() -> None:
    Path("good.py").write_text(GOOD)
    command = [sys.executable, "-OO", *COMMAND[1:], "check", "good.py", "--quick"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: Python runs with -OO (or PYTHONOPTIMIZE=2), which strips docstrings, where")
    assert ran.stderr.count("\n") == 1
    assert ran.stdout == ""


def test_exit_codes_are_those_of_the_work() -> None:
    assert _run("--version").returncode == 0
    assert _run("list", "absent.py").returncode == 2
