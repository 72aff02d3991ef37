"""The signal that a body has no enclosure on these boxes."""

from harness.certify.refusal import Refusal


class NoEnclosure(Refusal):
    """The proof is given up, or tried on smaller boxes where these leave a decision open."""
