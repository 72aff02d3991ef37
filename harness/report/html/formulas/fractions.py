"""Slashes that become fractions: where brackets say what is below, and it fits on a line."""

from collections.abc import Sequence

from harness.report.html.formulas.elements import width
from harness.report.html.formulas.tree import Node

WIDEST = 24
_FACTORS = ("number", "letter", "name", "group", "root", "script", "accent", "space")


def fractions(nodes: Sequence[Node]) -> list[Node]:
    """The same with fractions, in brackets and under roots too, but neither in scripts nor in each other."""
    made: list[Node] = []
    at = 0
    while at < len(nodes):
        node, below = nodes[at], at + 1
        if node.shape == "sign" and node.shown == "/":
            below += below < len(nodes) and nodes[below].shape == "space"
            start = _start(made)
            if below < len(nodes) and start is not None and _fits(made[start:], nodes[below]):
                above, under = _without_brackets(_trimmed(made[start:])), _without_brackets([nodes[below]])
                made[start:] = [Node("fraction", made[start].start, nodes[below].end, parts=above, below=under)]
                at = below + 1
                continue
        made.append(node)
        at += 1
    return [_within(node) for node in made]


def _within(node: Node) -> Node:
    return node._replace(parts=fractions(node.parts)) if node.shape in ("group", "root") else node


def _start(nodes: Sequence[Node]) -> int | None:
    """Where the product before a slash begins; none after a function without brackets, which may reach beyond it."""
    start = len(nodes)
    while start and nodes[start - 1].shape in _FACTORS:
        start -= 1
        node = nodes[start]
        applied = start + 1 < len(nodes) and nodes[start + 1].shape == "group"
        base = node.parts[0] if node.shape == "script" else node
        if not applied and (base.shape == "name" or base.shown == "E"):
            return None
    while start < len(nodes) and nodes[start].shape == "space":
        start += 1
    return start if start < len(nodes) else None


def _fits(above: Sequence[Node], below: Node) -> bool:
    """Whether brackets say what is below, or what is above; a name below would be cut from its argument."""
    clear = _round(below) or (len(_trimmed(above)) == 1 and _round(above[0]) and below.shape in ("number", "letter"))
    return clear and width(above) <= WIDEST and width([below]) <= WIDEST


def _round(node: Node) -> bool:
    return node.shape == "group" and node.brackets == ("(", ")") and bool(node.parts)


def _trimmed(nodes: Sequence[Node]) -> Sequence[Node]:
    return nodes[:-1] if nodes[-1].shape == "space" else nodes


def _without_brackets(nodes: Sequence[Node]) -> Sequence[Node]:
    return nodes[0].parts if len(nodes) == 1 and _round(nodes[0]) else nodes
