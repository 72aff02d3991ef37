"""The blocks of a page, as its text has them: language, title, and the remark of a block that is not run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r'^```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?$')
NOT_RUN = re.compile(r"^\*Not run by the tests: (?P<reason>.+)\.\*$")


@dataclass(frozen=True)
class Block:
    """What stands between two fences: lines first ... end - 1 of the page."""

    language: str
    title: str | None
    lines: tuple[str, ...]
    first: int
    follows: int | None  # the end of the block before it, where nothing but blank lines lies between
    not_run: str | None

    @property
    def end(self) -> int:
        return self.first + len(self.lines)

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


@dataclass(frozen=True)
class Step:
    """A command of a console, and the lines first ... first + len(shown) - 1 below it that show its output."""

    command: str
    shown: tuple[str, ...]
    first: int


def blocks(text: str) -> Iterator[Block]:
    """Every fenced block of a page, in order; an error for a fence with words that nothing here knows."""
    lines = text.splitlines()
    at, follows = 0, None
    while at < len(lines):
        if lines[at].startswith("```"):
            head = FENCE.match(lines[at])
            if head is None:
                raise ValueError(f"line {at + 1}: {lines[at]!r} is no fence of a language, with or without a title.")
            end = lines.index("```", at + 1)
            reason = _remark(lines, at)
            body = tuple(lines[at + 1 : end])
            yield Block(head["language"], head["title"], body, at + 1, follows, reason)
            at = follows = end
        elif lines[at].strip():
            follows = None
        at += 1


def _remark(lines: list[str], fence: int) -> str | None:
    """Why the block whose fence stands here is not run; None if the line above it does not say so."""
    above = [line for line in lines[max(0, fence - 2) : fence] if line.strip()]
    remark = NOT_RUN.match(above[-1]) if above else None
    return remark["reason"] if remark else None


def steps(console: Block) -> list[Step]:
    """The commands of a console, each after a `$`, and what is shown below each."""
    found: list[Step] = []
    at = 0
    while at < len(console.lines):
        if not console.lines[at].startswith("$ "):
            raise ValueError(f"line {console.first + at + 1}: a console begins with a command, after `$ `.")
        command, at = console.lines[at][2:], at + 1
        while command.endswith("\\"):
            command, at = command[:-1] + console.lines[at].strip(), at + 1
        end = at
        while end < len(console.lines) and not console.lines[end].startswith("$ "):
            end += 1
        found.append(Step(command, console.lines[at:end], console.first + at))
        at = end
    return found
