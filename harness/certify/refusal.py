"""What a signal that a body has no enclosure is made of, whatever it was to be enclosed in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class Refusal(Exception):  # noqa: N818  (a signal)
    """An operation that has no enclosure, or (`undecided`) a decision inside the body that is left open.

    `latest` is the last one of its class: a body that catches it and goes on with something else was not enclosed.
    """

    latest: ClassVar["Refusal | None"] = None

    def __init__(self, what: str, *, undecided: bool = False) -> None:
        super().__init__(what)
        self.undecided = undecided
        type(self).latest = self

    @classmethod
    @contextmanager
    def heeded(cls) -> Iterator[None]:
        """Raise at the end what the body within has caught."""
        before = cls.latest
        yield
        if cls.latest is not None and cls.latest is not before:
            raise cls.latest
