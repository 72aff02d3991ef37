"""What a process costs besides its work: pages are kept, what lasts is not searched or taken apart, no thread waits."""

import gc
import os
import platform
import subprocess
import sys

import pytest

from harness.run.memory import lasting

FAULTS = """
import resource
from harness.run.memory import keep_memory, prefer_huge_pages
prefer_huge_pages()
keep_memory()
import torch
torch.set_num_threads(1)
held = []
def round():
    held.append(torch.rand(8, dtype=torch.float64))  # what stays lies between what goes
    return (torch.ones(509, 1000, dtype=torch.float64) < 0.5).to(torch.float64).mean(-1)
for _ in range(20):
    round()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(100):
    held.append(round())
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def _faults() -> int:
    command = [sys.executable, "-c", FAULTS]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="mallopt is glibc's")
def test_freed_pages_are_used_again() -> None:
    """A hundred rounds write 800 megabytes in pages of four kilobytes; else glibc 2.36 takes 200,000 new ones."""
    assert _faults() < 20_000


def test_what_lasts_is_not_searched_and_collection_goes_on() -> None:
    frozen = gc.get_freeze_count()
    try:
        with lasting():
            assert not gc.isenabled()
            made = [[] for _ in range(1000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= frozen + len(made)
        gc.disable()
        with lasting():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_the_command_loads_numpy_and_scipy_without_threads_that_wait() -> None:
    code = (
        "import os; from harness.cli import main; main(['--version'], standalone_mode=False); "
        "import numpy, scipy.linalg; print(len(os.listdir('/proc/self/task')))"
    )
    known = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in known}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.split()[-1] == "1"


@pytest.mark.parametrize("code", [0, 2])
def test_leaving_writes_what_was_said_and_calls_what_waits_for_the_end(code: int) -> None:
    script = (
        "import atexit; from harness.run.memory import leave; atexit.register(lambda: print('waited')); "
        f"print('said', end=' '); leave({code})"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (found.stdout, found.returncode) == ("said waited\n", code)
