"""Formulas of a text as MathML Core, cut where a line may end: browsers do not break lines within a formula."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from harness.report.html.formulas.elements import bracket, elements, width, with_scripts
from harness.report.html.formulas.fractions import fractions
from harness.report.html.formulas.tree import Node, TooDeepError, parsed

LONGEST = 26
"""Characters of a formula on one line of a narrow screen; a longer one is cut at signs, then within its brackets."""
SHORT = 12
"""Characters of a formula that is never cut."""
_RELATIONS = ("=", "≤", "≥", "<", ">", "≠", "≈", "∼", "→", "←")
_TERMS = ("+", "-", "±", ",")
_CLOSING = re.compile(r"[.,;:)\]]+")


def formulas(text: str, plainly: Callable[[str], str], *, stacked: bool = False) -> str:
    """A text with its formulas as MathML; `plainly` sets what is between them, and what is not understood.

    `stacked`: slashes become fractions where they can.
    """
    try:
        nodes = parsed(text)
    except TooDeepError:
        return plainly(text)
    writer = _Writer(text, plainly, stacked=stacked)
    writer.flow(nodes)
    return writer.done()


class _Writer:
    """Collects formulas and the text between them."""

    def __init__(self, text: str, plainly: Callable[[str], str], *, stacked: bool) -> None:
        self.text, self.plainly, self.stacked = text, plainly, stacked
        self.out: list[str] = []
        self.said = ""  # text that is not yet written
        self.math: list[str] = []  # the formula that is not yet ended
        self.length = 0.0
        self.written = 0  # up to where the text stands in a formula already

    def flow(self, nodes: Sequence[Node]) -> None:
        """A text with formulas in it."""
        for words, found in groupby(_spread(nodes), key=lambda node: node.words):
            run = list(found)
            first, last = (0, 0) if words else _trimmed(run)
            inner = run[first:last]
            if not _is_formula(inner):
                self.say(run)
                continue
            self.say(run[:first])
            self.take_opening()
            self.put(fractions(inner) if self.stacked else inner)
            self.take_closing(inner[-1].end)
            self.end()
            self.say(run[last:])

    def say(self, nodes: Sequence[Node]) -> None:
        if nodes:
            self.said += self.text[max(nodes[0].start, self.written) : nodes[-1].end]

    def take_opening(self) -> None:
        """A bracket before a formula is part of it, as what is behind it."""
        found = self.said[len(self.said.rstrip("([")) :]
        self.said = self.said.removesuffix(found)
        self.end_text()
        if found:
            self.add(f"<mtext>{found}</mtext>", 0)

    def take_closing(self, end: int) -> None:
        """A full stop or bracket behind a formula is part of it: else browsers would let a line begin with it."""
        if found := _CLOSING.match(self.text, end):
            self.add(f"<mtext>{found.group()}</mtext>", 0)
            self.written = found.end()

    def end_text(self) -> None:
        if self.said:
            self.out.append(self.plainly(self.said))
            self.said = ""

    def put(self, nodes: Sequence[Node]) -> None:
        """A formula: cut behind relations, and, where it is still long, between terms, then between factors."""
        made = elements(nodes)
        if width(nodes) <= SHORT:
            self.add("".join(made), width(nodes))
            return
        for start, end in _cut(nodes, 0, len(nodes), _RELATIONS):
            if self.length + width(nodes[start:end]) <= LONGEST:
                self.add("".join(made[start:end]), width(nodes[start:end]))
            else:
                for term, behind in _cut(nodes, start, end, _TERMS):
                    self.put_term(nodes[term:behind], made[term:behind])
                    if behind < end:
                        self.cut()
            if end < len(nodes):
                self.cut()

    def put_term(self, nodes: Sequence[Node], made: Sequence[str]) -> None:
        if self.length + width(nodes) <= LONGEST:
            self.add("".join(made), width(nodes))
            return
        for at, node in enumerate(nodes):
            group = node.parts[0] if node.shape == "script" else node
            if group.shape == "group" and self.length + width(group.parts) > LONGEST:
                self.add(bracket(group.brackets[0]), 1)
                self.put(group.parts)
                closing = bracket(group.brackets[1])
                self.add(closing if node is group else with_scripts(closing, node), 2)
            else:
                self.add(made[at], width([node]))
            between = node.shape == "space" and 0 < at < len(nodes) - 1
            if between and self.length > LONGEST // 2 and "sign" not in (nodes[at - 1].shape, nodes[at + 1].shape):
                self.cut(" ")

    def add(self, xml: str, length: float) -> None:
        self.math.append(xml)
        self.length += length

    def cut(self, between: str = "<wbr>") -> None:
        """Let a line end here."""
        self.end()
        self.out.append(between)

    def end(self) -> None:
        if self.math:
            self.out.append(f"<math>{''.join(self.math)}</math>")
        self.math, self.length = [], 0.0

    def done(self) -> str:
        self.end_text()
        return "".join(self.out)


def _spread(nodes: Iterable[Node]) -> Iterator[Node]:
    """Brackets around words become text, and what is between them stands by itself; commas separate formulas."""
    for node in nodes:
        base = node.parts[0] if node.shape == "script" else node
        inner = base.shape in ("group", "root") and base.words and not any(n.words for n in (*node.below, *node.above))
        if node.shape == "sign" and node.shown in (",", ";", ":"):
            yield node._replace(words=True)
        elif inner:
            yield Node("text", node.start, base.parts[0].start, words=True)
            yield from _spread(base.parts)
            closing = Node("text", base.parts[-1].end, base.end, words=True)
            yield closing if node is base else closing._replace(end=node.end)
        else:
            yield node


def _trimmed(run: Sequence[Node]) -> tuple[int, int]:
    """Where a formula begins and ends: neither with a blank, nor with a sign that belongs to the words beside it."""
    first, last = 0, len(run)
    while last and (run[last - 1].shape == "space" or run[last - 1].shape == "sign"):
        last -= 1
    while first < last and (run[first].shape == "space" or _joins(run, first)):
        first += 1
    return first, last


def _joins(run: Sequence[Node], at: int) -> bool:
    """Whether a sign at the beginning stands between two things rather than before one."""
    return run[at].shape == "sign" and (run[at].shown not in _TERMS or run[at + 1].shape == "space")


def _is_formula(run: Sequence[Node]) -> bool:
    """Whether there is more than numbers, names and signs; a letter in brackets, (a), counts items of a list."""
    solid = [node for node in run if node.shape != "space"]
    if (
        len(solid) == 1
        and solid[0].shape == "group"
        and len(solid[0].parts) == 1
        and solid[0].parts[0].shape == "letter"
    ):
        return False
    return any(_is_telling(node) for node in solid)


def _is_telling(node: Node) -> bool:
    if node.shape == "group":
        return any(map(_is_telling, node.parts))
    return node.shape in ("letter", "script", "accent", "root")


def _cut(nodes: Sequence[Node], start: int, end: int, signs: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Parts that end behind one of the signs between two things."""
    for at in range(start + 1, end - 1):
        if nodes[at].shape == "sign" and nodes[at].shown in signs and (nodes[at + 1].shape == "space"):
            yield start, at + 1
            start = at + 1
    yield start, end
