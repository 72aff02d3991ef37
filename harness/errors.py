"""What can go wrong with a claim or a command, each in one sentence that names the claim, the value and the remedy."""


class TightropeError(Exception):
    """A user's mistake; its message is the whole story and is shown without a traceback."""


class ClaimError(TightropeError):
    """A claim is malformed, raised, or returned something that cannot be judged."""


class UsageError(TightropeError):
    """A command was called with an unknown id, parameter, file or option value."""


class SkipClaim(Exception):  # noqa: N818  (a signal, not an error)
    """Raised inside a claim that cannot be evaluated here; ends as SKIPPED with the reason."""


def skip(reason: str) -> SkipClaim:
    """Build the signal to raise inside a claim: `raise skip("needs the MNIST folder; set TIGHTROPE_DATA")`."""
    return SkipClaim(reason)
