"""What belongs together in a formula: scripts, roots, and what is in brackets. What is not understood stays text."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from harness.report.html.formulas.tokens import Token, tokens

Shape = Literal["text", "space", "number", "letter", "name", "sign", "group", "root", "script", "accent", "fraction"]

DEEPEST = 12
"""Brackets in brackets that are read; a text with more of them is shown as it is."""
_CLOSES = {"(": ")]", "[": "])", "{": "}", "|": "|", "||": "||", "⟨": "⟩"}
_OPERANDS = ("number", "letter", "name", "open", "bar")


class Node(NamedTuple):
    """A part of a formula, and where its text begins and ends.

    `parts`: what is in the brackets or under the root; of a script, what has it; of an accent, what is below it.
    """

    shape: Shape
    start: int
    end: int
    shown: str = ""
    parts: Sequence["Node"] = ()
    below: Sequence["Node"] = ()
    above: Sequence["Node"] = ()
    primes: int = 0
    brackets: tuple[str, str] = ("", "")
    words: bool = False  # whether words of the sentence are in it


class TooDeepError(Exception):
    """More brackets in brackets than are read."""


def parsed(text: str) -> list[Node]:
    """The parts of a text, in order, and with nothing left out."""
    return _Reader(tokens(text)).sequence()


class _Reader:
    def __init__(self, found: list[Token]) -> None:
        self.tokens, self.at, self.depth = found, 0, 0
        self.closed = False

    def kind(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at].kind if 0 <= at < len(self.tokens) else ""

    def next_is(self, *shown: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at].shown in shown

    def take(self, shape: Shape) -> Node:
        token = self.tokens[self.at]
        self.at += 1
        return Node(shape, token.start, token.end, token.shown, words=shape == "text")

    def sequence(self, opened: str = "") -> list[Node]:
        """What follows, up to the bracket that closes; `closed` says whether it came."""
        nodes: list[Node] = []
        while self.at < len(self.tokens):
            if opened and self.closes(opened):
                self.closed = True
                return nodes
            if self.kind() == "close" and opened:
                break  # of a bracket further out
            nodes += self.element(opened)
        self.closed = False
        return nodes

    def closes(self, opened: str) -> bool:
        if opened not in ("|", "||"):
            return self.kind() == "close" and self.tokens[self.at].shown in _CLOSES[opened]
        if self.kind() != "bar" or self.kind(-1) == "space":
            return False
        if opened == "|" and self.tokens[self.at].shown == "||":  # |x||y|: two bars
            token = self.tokens[self.at]
            middle = token.start + 1
            self.tokens[self.at : self.at + 1] = [
                token._replace(shown="|", end=middle),
                token._replace(shown="|", start=middle),
            ]
        return self.tokens[self.at].shown == opened

    def element(self, opened: str) -> list[Node]:
        match self.kind():
            case "space" | "number" | "sign" as shape:
                return [self.scripted(self.take(shape)) if shape == "number" else self.take(shape)]
            case "letter" | "name":
                return [self.root() if self.next_is("sqrt") else self.scripted(self.letters())]
            case "open":
                return self.group()
            case "bar":
                if self.kind(-1) == self.kind(1) == "space":
                    return [self.take("sign")]
                return (
                    self.group()
                    if self.kind(1) in (*_OPERANDS, "sign", "word") and opened != "||"
                    else [self.take("text")]
                )
            case _:
                return [self.take("text")]

    def letters(self) -> Node:
        node = self.take("letter" if self.kind() == "letter" else "name")
        if node.shape == "name" and node.shown.endswith("hat") and len(node.shown) == 4:
            return Node("accent", node.start, node.end, "^", [node._replace(shape="letter", shown=node.shown[0])])
        return node

    def group(self) -> list[Node]:
        """What is in brackets; without the one that closes, the first is text."""
        first = self.tokens[self.at]
        self.at += 1
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooDeepError
        parts = self.sequence(first.shown)
        self.depth -= 1
        if not self.closed:
            self.closed = False
            return [Node("text", first.start, first.end, first.shown, words=True), *parts]
        last = self.tokens[self.at]
        self.at += 1
        made = Node("group", first.start, last.end, parts=parts, brackets=(first.shown, last.shown))
        return [self.scripted(made._replace(words=any(part.words for part in parts)))]

    def root(self) -> Node:
        """A root of what is in the brackets after it, or of the next letter or number."""
        word = self.take("name")
        start = self.at
        if self.kind() == "space":
            self.at += 1
        under: list[Node] = []
        if self.next_is("(") or (self.kind() in ("number", "letter") and self.at > start):
            under = self.element("")
        if len(under) != 1 or under[0].shape == "text":
            self.at = start
            return word._replace(shape="text", words=True)
        (only,) = under
        scripts = only if only.shape == "script" and only.parts[0].shape == "group" else None  # sqrt(x)^2
        inner = scripts.parts[0] if scripts else only
        parts = inner.parts if inner.shape == "group" else [inner]
        made = Node("root", word.start, inner.end, parts=parts, words=inner.words)
        return scripts._replace(start=word.start, parts=[made]) if scripts else made

    def scripted(self, base: Node) -> Node:
        """A part with all that stands above and below it."""
        below: list[Node] = [self.take("number")] if base.shown == "log" and self.kind() == "number" else []  # log2 n
        above: list[Node] = []
        primes = 0
        while self.at < len(self.tokens):
            start = self.at
            if self.next_is("^", "~") and base.shape == "letter" and not (below or above or self.raised()):
                mark = self.take("sign")
                base = Node("accent", base.start, mark.end, mark.shown, [base])
            elif self.next_is("'") and self.kind() == "mark" and not above:
                primes += 1
                self.at += 1
            elif (
                self.next_is("*") and base.shape != "number" and not above and self.kind(1) not in ("number", "letter")
            ):
                above = [self.take("sign")]
            elif self.next_is("^", "_") and self.kind() == "mark":
                if (found := self.script(base, below, above)) is None:
                    self.at = start
                    break
                base, below, above = found
            else:
                break
        if not (below or above or primes):
            return base
        end = self.tokens[self.at - 1].end
        words = any(part.words for part in (base, *below, *above))
        return Node("script", base.start, end, "", [base], below, above, primes, words=words)

    def raised(self) -> bool:
        """Whether the mark here is followed by what it raises or lowers."""
        return self.kind(1) in ("number", "letter", "name", "open") or (
            self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].shown in ("-", "*")
        )

    def script(self, base: Node, below: list[Node], above: list[Node]) -> tuple[Node, list[Node], list[Node]] | None:
        low = self.next_is("_")
        if below if low else above:
            return None
        self.at += 1
        if low and self.next_is("bar", "hat") and base.shape in ("letter", "name"):
            mark = self.take("sign")
            return Node("accent", base.start, mark.end, mark.shown, [base]), below, above
        if (found := self.argument(base, low=low)) is None:
            return None
        return (base, found, above) if low else (base, below, found)

    def argument(self, base: Node, *, low: bool) -> list[Node] | None:
        """What is above or below: a sign, a star, brackets, or numbers and letters."""
        signs = [self.take("sign")] if self.next_is("-", "+") else []
        if self.kind() == "open" and not self.next_is("["):
            group = self.group()
            if len(group) != 1 or group[0].shape != "group":
                return None
            return [*signs, *([group[0]] if signs else group[0].parts)]
        if not signs and self.next_is("*"):
            return [self.take("sign")]
        run: list[Node] = []
        while self.kind() in ("number", "letter", "name", "word") and (len(run) < 2 or not low):
            said = self.tokens[self.at]
            if said.kind == "word" and not (said.shown.isalpha() and self.short(base, said.shown, low=low)):
                break
            run += [self.take("number")] if said.kind == "number" else self.index()
        if low and self.kind() in ("number", "letter", "name", "word") and self.tokens[self.at].shown[0].isalnum():
            return None  # part of a word: cpu_act2
        if run and low and self.next_is("^", "~") and not self.raised():
            mark = self.take("sign")
            run[-1] = Node("accent", run[-1].start, mark.end, mark.shown, [run[-1]])
        if run and signs and self.next_is("/") and self.kind(1) in ("number", "letter"):  # n^-1/2
            run += [self.take("sign"), self.take("number" if self.kind() == "number" else "letter")]
        return [*signs, *run] if run or (signs and signs[0].shown == "+") else None

    def index(self) -> list[Node]:
        """Letters above or below a part: two are an index each, more are a name."""
        node = self.take("letter")
        if node.end - node.start != 2 or len(node.shown) != 2:
            return [node]
        middle = node.start + 1
        return [node._replace(end=middle, shown=node.shown[0]), node._replace(start=middle, shown=node.shown[1])]

    def short(self, base: Node, said: str, *, low: bool) -> bool:
        """Whether letters are an index rather than a part of a word."""
        single = base.shape in ("letter", "accent", "group", "root") or base.shown == "sum"
        return not low or (single and (len(said) <= 3 or (len(said) <= 6 and said.islower())))
