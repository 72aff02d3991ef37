"""The parts of a formula as elements of MathML Core, with the gaps that a reader expects."""

from collections.abc import Sequence

from markupsafe import escape

from harness.report.html.formulas.tree import Node

_THIN = "&#8201;"  # a thin space
_GAP, _NARROW = '<mspace width=".3em"></mspace>', '<mspace width=".17em"></mspace>'
_SIGNS = {"-": "−", ".": "⋅", "*": "∗", "...": "…", "..": "…", "~": "∼", "|": "∣"}
_BARS = {"||": "‖"}
_BIG = {"sum": "∑", "int": "∫"}
_ACCENTS = {"^": "^", "hat": "^", "~": "~", "bar": "¯"}
_UNARY = ("+", "-", "±")


def elements(nodes: Sequence[Node]) -> list[str]:
    """An element, or nothing for a blank, for each part."""
    return [_element(nodes, at) for at in range(len(nodes))]


def row(nodes: Sequence[Node]) -> str:
    """Parts as one element."""
    return _one("".join(elements(nodes)), len(nodes))


def _one(made: str, parts: int) -> str:
    """The element of one part, else a row: of many, of a part with its gap, or of a blank, which is none."""
    return made if parts == 1 and made and not made.startswith("<mspace") else f"<mrow>{made}</mrow>"


def bracket(shown: str) -> str:
    """A bracket that stands alone and has the size of a letter."""
    return f"<mo stretchy=false>{_BARS.get(shown, shown)}</mo>"


def with_scripts(base: str, node: Node) -> str:
    """An element with what stands above and below it."""
    above = "".join(elements(node.above))
    if node.primes:
        above = f"<mo>{'′' * node.primes}</mo>{above}"
    above = _one(above, len(node.above) + bool(node.primes))
    if not node.below:
        return f"<msup>{base}{above}</msup>"
    if not (node.above or node.primes):
        return f"<msub>{base}{row(node.below)}</msub>"
    return f"<msubsup>{base}{row(node.below)}{above}</msubsup>"


def width(nodes: Sequence[Node]) -> float:
    """About how many characters wide parts are."""
    return sum(_width(node) for node in nodes)


def _width(node: Node) -> float:
    match node.shape:
        case "space":
            return 0.2
        case "sign":
            return 2.0
        case "group":
            return 1.0 + width(node.parts)
        case "root":
            return 1.5 + width(node.parts)
        case "fraction":
            return max(width(node.parts), width(node.below)) + 0.5
        case "script":
            return width(node.parts) + 0.7 * max(width(node.below), width(node.above) + 0.5 * node.primes)
        case "accent":
            return width(node.parts)
        case _:
            return float(len(node.shown))


def _element(nodes: Sequence[Node], at: int) -> str:
    node = nodes[at]
    match node.shape:
        case "space":
            return ""
        case "number":
            return f"{_GAP if _after_operand(nodes, at) else ''}<mn>{node.shown}</mn>"
        case "letter" | "name":
            return _letters(nodes, at)
        case "sign":
            return _sign(nodes, at)
        case "group":
            near = not _after_operand(nodes, at) or _is_name(nodes[at - 2])
            return f"{'' if near else _NARROW}{_group(node)}"
        case "root":
            return f"<msqrt>{''.join(elements(node.parts))}</msqrt>"
        case "fraction":
            return f"<mfrac>{row(node.parts)}{row(node.below)}</mfrac>"
        case "accent":
            return f"<mover accent=true>{row(node.parts)}<mo stretchy=false>{_ACCENTS[node.shown]}</mo></mover>"
        case _:
            made = with_scripts(row(node.parts), node)
            gaps = {"number": _GAP, "group": _NARROW, "name": _NARROW}
            before = gaps.get(node.parts[0].shape, "") if _after_operand(nodes, at) else ""
            return f"{before}{made}{_NARROW if _is_name(node.parts[0]) and _before_operand(nodes, at) else ''}"


def _group(node: Node) -> str:
    """Brackets grow with what is in them only where it is tall: those that could, but need not, keep a distance."""
    inner = "".join(elements(node.parts))
    if any(part.shape in ("fraction", "root") or part.shown in _BIG for part in (*node.parts, *_bases(node.parts))):
        first, last = (_BARS.get(shown, shown) for shown in node.brackets)
        return f"<mrow><mo>{first}</mo>{inner}<mo>{last}</mo></mrow>"
    first, last = map(bracket, node.brackets)
    if node.brackets[0] in ("|", "||"):  # a bar does not tell by itself on which side it stands
        first, last = first.replace("<mo", "<mo form=prefix"), last.replace("<mo", "<mo form=postfix")
    return f"<mrow>{first}{inner}{last}</mrow>"


def _bases(nodes: Sequence[Node]) -> list[Node]:
    return [node.parts[0] for node in nodes if node.shape == "script"]


def _letters(nodes: Sequence[Node], at: int) -> str:
    """A letter, or a name, which keeps away from what is beside it."""
    node = nodes[at]
    if node.shown in _BIG:
        return f"<mo>{_BIG[node.shown]}</mo>"
    if not _is_name(node):
        return f"<mi>{escape(node.shown)}</mi>"
    before = _THIN if _after_operand(nodes, at) else ""
    after = _THIN if _before_operand(nodes, at) else ""
    upright = " mathvariant=normal" if len(node.shown) == 1 and not before and not after else ""
    return f"<mi{upright}>{before}{escape(node.shown)}{after}</mi>"


def _is_name(node: Node) -> bool:
    return node.shape == "name" or (node.shape == "letter" and node.shown == "E")


def _after_operand(nodes: Sequence[Node], at: int) -> bool:
    return at >= 2 and nodes[at - 1].shape == "space" and nodes[at - 2].shape != "sign"


def _before_operand(nodes: Sequence[Node], at: int) -> bool:
    return at + 2 < len(nodes) and nodes[at + 1].shape == "space" and nodes[at + 2].shape != "sign"


def _sign(nodes: Sequence[Node], at: int) -> str:
    shown = nodes[at].shown
    before = next((node for node in reversed(nodes[:at]) if node.shape != "space"), None)
    unary = shown in _UNARY and (before is None or before.shape == "sign")
    told = " form=prefix" if unary else " lspace=0 rspace=0" if shown == "/" else ""
    return f"<mo{told}>{escape(_SIGNS.get(shown, _BARS.get(shown, shown)))}</mo>"
