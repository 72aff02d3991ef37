"""Output to a terminal: foreign text made harmless, one console, and streams that may have been closed."""

import contextlib
import os
import sys
from typing import Any, TextIO, cast

import click
from rich.console import Console
from rich.text import Text

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
    """Let a run survive closed output streams: nothing is written if a stream is closed, or its pipe or disk is gone.

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


class Forgiving:
    """A text stream that silently discards output once it can no longer be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError:
            self._go_silent()
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            self._go_silent()

    def _go_silent(self) -> None:
        """Send what is still buffered, and all that follows, to the null device."""
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
