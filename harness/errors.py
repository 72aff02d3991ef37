"""What can go wrong with a claim or a command, each in one sentence that names the claim, the value and the remedy."""


class TightropeError(Exception):
    """A user's mistake; its message is the whole story and is shown without a traceback."""


class ClaimError(TightropeError):
    """A claim is malformed, raised, or returned something that cannot be judged."""


class UsageError(TightropeError):
    """A command was called with an unknown id, parameter, file or option value."""


class WorkerLost(TightropeError):  # noqa: N818  (what has happened, not what is wrong)
    """A worker was stopped at a limit or has ended: what it was judging has no verdict. The message is the manner."""


class ClusterLost(TightropeError):  # noqa: N818  (as WorkerLost)
    """The cluster that judged is gone with all that was in flight: the run ends. The message is the whole story."""


class SkipClaim(Exception):  # noqa: N818  (a signal, not an error)
    """Raised inside a claim that cannot be evaluated here; ends as SKIPPED with the reason."""


def skip(reason: str) -> SkipClaim:
    """Build the signal to raise inside a claim: `raise skip("needs the MNIST folder; set TIGHTROPE_DATA")`."""
    return SkipClaim(reason)


def clean(text: str, longest: int = 500) -> str:
    """Text that is not ours, as one line of printable characters, at most `longest` of them."""
    head = text[: 4 * longest]
    line = " ".join("".join(c if c.isprintable() else " " for c in head).split())
    return line if len(line) <= longest and len(text) == len(head) else line[: longest - 3] + "..."


def describe(error: BaseException) -> str:
    """The type and the text of an exception, which may have none."""
    try:
        text = clean(str(error))
    except Exception:
        text = "(its text cannot be made)"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
