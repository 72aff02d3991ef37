"""Errors of claims and commands; each message is one sentence that names the claim, the value and the remedy."""

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

STRIPPED = "Python runs with -OO (or PYTHONOPTIMIZE=2), which strips docstrings, where claims state what they claim"
OPEN_FILES = "raise the limit of open files (`ulimit -n`)"


@dataclass(frozen=True)
class Complaint:
    """What is wrong with one argument of a command, of which the others are processed."""

    argument: str
    sentence: str


class TightropeError(Exception):
    """A user's mistake; its message is self-contained and is shown without a traceback."""


class ClaimError(TightropeError):
    """A claim is malformed, raised an exception, or returned something that cannot be judged."""


class BodyRaised(ClaimError):  # noqa: N818  (what has happened)
    """A body raises; `assumed` are the conditions that it had assumed until then."""

    def __init__(self, what: str, advice: str, assumed: Sequence[Any], *, place: str = "") -> None:
        super().__init__(f"{what}{place}; {advice}.")
        self.what, self.advice, self.assumed = what, advice, assumed

    def at(self, inputs: str) -> "BodyRaised":
        """The same with the inputs at which it happens."""
        return BodyRaised(self.what, self.advice, self.assumed, place=f" at {inputs}")


class Resized(ClaimError):  # noqa: N818  (what has happened)
    """A body quantifies something of another shape than before."""


class Slip(ClaimError):  # noqa: N818  (what has happened)
    """A body computes what is no number of its claim: whole numbers that overflow, or fractions in few digits."""


class UsageError(TightropeError):
    """A command was called with an unknown id, parameter, file or option value."""


class NoClaims(UsageError):  # noqa: N818  (what has been found)
    """A file has no claims."""


class WorkerLost(TightropeError):  # noqa: N818  (what has happened, not what is wrong)
    """A worker was stopped at a limit or has ended, so its claim has no verdict. The message says how it ended.

    `seconds` is what workers had spent on the claim by then.
    """

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        super().__init__(message, seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return str(self.args[0])


class RunLost(TightropeError):  # noqa: N818  (as WorkerLost)
    """What runs the tasks was lost with all that are in flight, so the run ends. The message is self-contained."""


class ClusterLost(RunLost):
    """It was a cluster."""


class SkipClaim(Exception):  # noqa: N818  (a signal, not an error)
    """Raised inside a claim that cannot be evaluated here; the verdict is SKIPPED with the reason."""


def skip(reason: str) -> SkipClaim:
    """Build the exception to raise inside a claim: `raise skip("needs the MNIST folder; set TIGHTROPE_DATA")`."""
    return SkipClaim(reason)


def clean(text: str, longest: int = 500) -> str:
    """Foreign text as one line of at most `longest` printable characters."""
    head = text[: 4 * longest]
    line = " ".join("".join(c if c.isprintable() else " " for c in head).split())
    return line if len(line) <= longest and len(text) == len(head) else line[: longest - 3] + "..."


def describe(error: BaseException) -> str:
    """The type of an exception and its text, if it has one."""
    try:
        text = clean(str(error))
    except Exception:
        text = "(its text cannot be made)"
    return f"{type(error).__name__}: {text}{_meant(error)}" if text else type(error).__name__


def remedy(error: OSError, usual: str) -> str:
    """What to do about an error of the system: the `usual`, unless it is that too many files are open."""
    return OPEN_FILES if error.errno in (errno.EMFILE, errno.ENFILE) else usual


def _meant(error: BaseException) -> str:
    """What was meant by an attribute that there is not, as Python says below a traceback."""
    if not isinstance(error, AttributeError) or not isinstance(error.name, str):
        return ""
    try:
        close = get_close_matches(error.name, [name for name in dir(error.obj) if name[0] != "_"], n=1)
    except Exception:  # of an object of the user's
        return ""
    return f" (did you mean {close[0]!r}?)" if close else ""
