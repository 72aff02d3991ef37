"""A body that forks: its children are not judges."""

import subprocess
import sys

import pytest

SCRIPT = """
import os
from harness import always, check, claim

left = iter(range(6))

@claim("mine/forks", always())
def forks(forall):
    '''x <= 1.'''
    if next(left, None) is not None:
        os.fork()
        {after}
    return forall.interval("x", 0.0, 1.0), 1.0

print(check(forks, effort="quick").status, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize(("after", "said"), [("pass", "PROVED"), ("raise ValueError", "ERROR")])
def test_only_the_process_that_judges_comes_back(after: str, said: str) -> None:
    """Catches children that go on judging: 2^6 processes that print a verdict, and endlessly many where all fork."""
    script = SCRIPT.format(after=after)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.split() == [said], done.stderr
