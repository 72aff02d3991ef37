"""The signal that a body has no enclosure on these boxes."""


class NoEnclosure(Exception):  # noqa: N818  (a signal: the proof is given up, or tried on smaller boxes)
    """An operation that has no enclosure here, or (`undecided`) a decision inside the body that a box leaves open."""

    def __init__(self, what: str, *, undecided: bool = False) -> None:
        super().__init__(what)
        self.undecided = undecided
