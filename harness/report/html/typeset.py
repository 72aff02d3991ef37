"""Statements as far as plain text can be set: Greek letters, signs, and what stands above and below the line."""

import re
from functools import cache

from markupsafe import Markup, escape

from harness.claims import CLASSICS, papers
from harness.report.html.formulas import GREEK, formulas

_ACCENTS = {"^": "\N{COMBINING CIRCUMFLEX ACCENT}", "~": "\N{COMBINING TILDE}"}
_SIGNS = {"&lt;=": "≤", "&gt;=": "≥", "!=": "≠", "+-": "±", "&lt;-": "←", "-&gt;": "→"}
_WORDS = {"sqrt": "√", "infinity": "∞", **GREEK}

_NAMED = re.compile(rf"(?<![A-Za-z])({'|'.join(_WORDS)})(?![A-Za-z])(?: (?=[A-Za-z0-9(]))?")
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_ACCENT = re.compile(r"(?<=[A-Za-zα-ω])[\^~](?![\w({*.-])")  # f^ and f~, an estimate and another
_FLAT = r"[^()]"
_ONCE = rf"(?:{_FLAT}|\({_FLAT}*\))"
_ROUND = rf"\(((?:{_ONCE}|\({_ONCE}*\)){{1,40}})\)"  # brackets in brackets in brackets
_CURLY = r"\{([^{}]{1,24})\}"
_SIGNED = rf"-\({_ONCE}{{1,40}}\)|-[A-Za-z0-9.]+/[A-Za-z0-9]+"  # a sign keeps its brackets; n^-1/2 is n^(-1/2)
_ABOVE = re.compile(rf"\^(?:({_SIGNED})|{_ROUND}|{_CURLY}|(-?[A-Za-z0-9.∞]*[A-Za-z0-9∞]|[α-ω*]))")
_LONG = r"(?<=(?<![A-Za-z]{2})[A-Za-zα-ω|]_)[A-Za-z]{2,3}|(?<=(?<![A-Za-z])[A-Za-zα-ω]_)[a-z]{4,6}|(?<=sum_)[a-z]{2}"
_WORD = rf"(-?(?:{_LONG}|[A-Za-z]|[0-9]{{1,3}}[a-z]?|[α-ω])|\+)"
_MARKED = "".join(_ACCENTS.values())
_BELOW = re.compile(rf"(?<=[A-Za-zα-ωΑ-Ω0-9)\]|*{_MARKED}])_(?:{_ROUND}|{_CURLY}|{_WORD}(?![A-Za-z0-9]))([{_MARKED}]?)")


@cache
def _ids() -> re.Pattern[str]:
    """Ids of claims of the ledgers."""
    return re.compile(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, [*papers(), CLASSICS]))})/[\w.-]*\w(?:\[\w+\])?")


@cache
def typeset(text: str, *, mathml: bool = False, stacked: bool = False) -> Markup:
    """A text with its formulas set; ids of claims stay as they are.

    Exponents and indices are read as the statements write them: a sign, a number, a letter, or what is in brackets.
    `mathml`: formulas are MathML where they are understood, else letters with what is above and below them; `stacked`:
    with fractions.
    """
    parts, last = [], 0
    for found in _ids().finditer(text):
        parts += [_told(text[last : found.start()], mathml, stacked), Markup("<code>{}</code>").format(found.group())]
        last = found.end()
    return Markup("").join([*parts, _told(text[last:], mathml, stacked)])


def _told(text: str, mathml: bool, stacked: bool) -> Markup:  # noqa: FBT001
    return Markup(formulas(text, _set, stacked=stacked)) if mathml else _set(text)  # escaped in both


def _set(text: str) -> Markup:
    told = _SIGN.sub(lambda found: _SIGNS[found.group()], str(escape(text)))
    told = _NAMED.sub(_letter, told)
    told = _ACCENT.sub(lambda found: _ACCENTS[found.group()], told)
    told = _BELOW.sub(lambda found: f"<sub>{_inner(found)}</sub>", told)
    told = _ABOVE.sub(_above, told)
    return Markup(told)  # escaped above


def _letter(found: re.Match[str]) -> str:
    """A sign for a word; a root keeps close to what is under it, letters keep their blank."""
    word = found.group(1)
    blank = " " if found.group().endswith(" ") and word != "sqrt" else ""
    return _WORDS[word] + blank


def _above(found: re.Match[str]) -> str:
    """Above the line, unless the bracket found belongs to what stands below it."""
    inner = _inner(found)
    return f"<sup>{inner}</sup>" if inner.count("<sub>") == inner.count("</sub>") else found.group()


def _inner(found: re.Match[str]) -> str:
    return "".join(part or "" for part in found.groups()).replace("-", "−")
