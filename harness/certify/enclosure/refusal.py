"""The signal that a body has no enclosure on these boxes."""

from typing import ClassVar


class NoEnclosure(Exception):  # noqa: N818  (a signal: the proof is given up, or tried on smaller boxes)
    """An operation that has no enclosure here, or (`undecided`) a decision inside the body that a box leaves open.

    `latest` is the last one made: a body that catches it and goes on with something else has not been enclosed.
    """

    latest: ClassVar["NoEnclosure | None"] = None

    def __init__(self, what: str, *, undecided: bool = False) -> None:
        super().__init__(what)
        self.undecided = undecided
        NoEnclosure.latest = self
