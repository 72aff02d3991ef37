"""What a process has found out about bodies by running them: kept for one run, in which no body changes."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

Name = TypeVar("Name")
Found = TypeVar("Found")


class Kept(Generic[Name, Found]):
    """By body and name; gone with the body, and with the next run, before which a helper of it may be redefined."""

    def __init__(self) -> None:
        self._of: WeakKeyDictionary[Callable[..., Any], dict[Name, Found]] = WeakKeyDictionary()
        _ALL.append(self)

    def of(self, body: Callable[..., Any]) -> dict[Name, Found]:
        """What is kept of one body, to read and to add to."""
        return self._of.setdefault(body, {})

    def clear(self) -> None:
        """Forget it."""
        self._of.clear()


_ALL: list[Kept[Any, Any]] = []


def forget() -> None:
    """Forget what is known of every body."""
    for kept in _ALL:
        kept.clear()
