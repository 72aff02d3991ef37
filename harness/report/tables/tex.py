"""Any text as LaTeX that compiles: pure ASCII, whatever the encoding, the fonts and the packages."""

import unicodedata

from harness.report.terminal import printable

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''{}",  # \textquotedbl needs another font encoding
    "`": r"\textasciigrave{}",
    "-": "-{}",  # two of them would be a dash
    "'": "'{}",
}
_LETTERS = {
    "ß": r"\ss{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ı": r"\i{}",
    "–": "--{}",
    "—": "---{}",
    "‘": "`{}",
    "’": "'{}",
    "“": "``{}",
    "”": "''{}",
    "…": r"\ldots{}",
    "§": r"\S{}",
    "\u00a0": "~",
}
_ACCENTS = dict(
    zip("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327", "`'^~=u.\"rHvc", strict=True)
)
_CAPITALS = {"Γ", "Δ", "Θ", "Λ", "Ξ", "Π", "Σ", "Υ", "Φ", "Ψ", "Ω"}  # the others look like Latin ones
_MATHS = {
    "≤": r"\le",
    "≥": r"\ge",
    "≠": r"\ne",
    "≈": r"\approx",
    "∼": r"\sim",
    "→": r"\to",
    "∞": r"\infty",
    "∑": r"\sum",
    "∏": r"\prod",
    "∫": r"\int",
    "√": r"\surd",
    "∈": r"\in",
    "∉": r"\notin",
    "⊂": r"\subset",
    "∪": r"\cup",
    "∩": r"\cap",
    "∀": r"\forall",
    "∃": r"\exists",
    "∇": r"\nabla",
    "∂": r"\partial",
    "×": r"\times",
    "·": r"\cdot",
    "⋅": r"\cdot",
    "±": r"\pm",
    "−": "-",
    "‖": r"\|",
    "∥": r"\|",
    "⟨": r"\langle",
    "⟩": r"\rangle",
    "⌈": r"\lceil",
    "⌉": r"\rceil",
    "⌊": r"\lfloor",
    "⌋": r"\rfloor",
    "ℓ": r"\ell",
    "ϵ": r"\epsilon",
    "ϕ": r"\phi",
    "ϑ": r"\vartheta",
    "°": r"{}^\circ",
    "²": "{}^2",
    "³": "{}^3",
    "µ": r"\mu",
    "ℝ": r"\mathbf{R}",
    "𝔼": r"\mathbf{E}",
}


def tex(text: str) -> str:
    """Text as LaTeX shows it as written; a character that has no command stands as its number, [U+4E2D].

    White space is one blank, control characters are spelled out.
    """
    return "".join(map(_character, unicodedata.normalize("NFC", " ".join(printable(text).split()))))


def tex_name(text: str) -> str:
    """A name in typewriter type that may be broken after slashes, hyphens and dots, and before brackets."""
    return rf"\texttt{{{''.join(map(_breakable, printable(text)))}}}"


def _breakable(c: str) -> str:
    """A character of a name, with the place beside it where a line may end."""
    may = r"\allowbreak{}"
    return may + _character(c) if c == "[" else _character(c) + (may if c in "/-._" else "")


def _character(c: str) -> str:
    known = _SPECIAL.get(c) or _LETTERS.get(c)
    if known is not None:
        return known
    if c.isascii():
        return c
    command = _MATHS.get(c) or _greek(c)
    if command:
        return rf"\ensuremath{{{command}}}"
    return _accented(c) or f"[U+{ord(c):04X}]"


def _greek(c: str) -> str:
    """The command of a Greek letter, small or one of the capitals that differ from Latin ones."""
    if not ("α" <= c <= "ω" or c in _CAPITALS):
        return ""
    size, *_, name = unicodedata.name(c).removeprefix("GREEK ").lower().replace("lamda", "lambda").split()
    if name == "omicron":
        return "o"
    return {"ς": r"\varsigma"}.get(c) or rf"\{name if size == 'small' else name.capitalize()}"


def _accented(c: str) -> str:
    """A Latin letter with one accent; empty for anything else."""
    letter, *accents = list(unicodedata.normalize("NFD", c))
    if len(accents) != 1 or accents[0] not in _ACCENTS or not (letter.isascii() and letter.isalpha()):
        return ""
    return rf"{{\{_ACCENTS[accents[0]]}{{{letter}}}}}"
