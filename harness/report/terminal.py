"""Output to a terminal: foreign text made harmless, one console, and streams that may have been closed."""

import contextlib
import errno
import os
import sys
from typing import Any, TextIO, cast

import click
from rich.console import Console
from rich.text import Text

_NO_READER = (errno.EPIPE, errno.EIO)  # a pipe that was closed, a terminal that is gone
NARROWEST = 140  # where the output is not a terminal, such as a file


def printable(text: str, *, lines: bool = False) -> str:
    """Text without terminal control sequences: white space becomes a blank, control characters are escaped.

    With `lines`, line breaks stay. Brackets stay too: printed text is never interpreted as markup.
    """
    kept = "\n" if lines else ""
    return "".join(c if c.isprintable() or c in kept else " " if c.isspace() else _spelled_out(c) for c in text)


def _spelled_out(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def say(text: str, *, lines: bool = False, err: bool = False) -> None:
    """Write a sentence, or with `lines` several."""
    click.echo(printable(text, lines=lines), err=err)


class Terminal(Console):
    """A console on which every text is shown as it is written: no markup, no emoji codes, no control characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Every plain string passes through here, whether it is printed or a cell of a table."""
        return super().render_str(printable(text, lines=True), **options)


def console() -> Terminal:
    """The standard output; wide if it is not a terminal."""
    terminal = Terminal()
    return terminal if terminal.is_terminal else Terminal(width=max(terminal.width, NARROWEST))


def prepare_streams() -> None:
    """Let a run survive its output streams: nothing more is written if one is closed, or its pipe or disk is gone.

    What a command has not been able to write is an error once it ends (`unwritten`), unless nobody reads it any more.
    A closed descriptor 0, 1 or 2 is opened on the null device, or the next file would be taken for the terminal.
    Characters that the encoding lacks are escaped.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = getattr(sys, name) or open(descriptor, "w", closefd=False)  # noqa: SIM115  (it stays open)
        if not isinstance(stream, Forgiving):
            with contextlib.suppress(AttributeError):
                stream.reconfigure(errors="backslashreplace")
            setattr(sys, name, cast(TextIO, Forgiving(stream)))


def unwritten() -> str:
    """Why the standard output lacks something that a reader waits for; empty if all was written, or nobody reads."""
    stream = sys.stdout
    if not isinstance(stream, Forgiving):
        return ""
    stream.flush()
    error = stream.lost
    return "" if error is None or error.errno in _NO_READER else f"write error: {error.strerror or error}"


class Forgiving:
    """A text stream that discards output once it can no longer be written; `lost` is why, if it is so."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.lost: OSError | None = None

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            self._go_silent(error)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            self._go_silent(error)

    def _go_silent(self, error: OSError) -> None:
        """Send what is still buffered, and all that follows, to the null device."""
        self.lost = self.lost or error
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
