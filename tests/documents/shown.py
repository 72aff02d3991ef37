"""Whether what a page shows is what appears.

Blanks count as one, and lines may be shown with others left out. Three things stand for what differs from run to run:

- a line `...` stands for any lines, `...` inside a line for any text of that line;
- a number of seconds, as in `(1.2 s)`, `in 1.2s`, or in the column `seconds` of a table, for any number of seconds;
- a decimal number for one that differs by at most one unit in the last digit that is shown, or by a billionth of itself
  where more than nine digits are shown (rounding differs between processors); whole numbers are equal.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

NUMBER = re.compile(r"\d+(?:\.\d+)?")
SECONDS = (re.compile(r"\(\d+(?:\.\d+)? s\)"), re.compile(r"\bin \d+\.\d+s\b"))


def agrees(shown: Sequence[str], found: Sequence[str]) -> bool:
    """Whether a page may show these lines for those."""
    return _agree(_timeless(shown), _timeless(found))


def _timeless(lines: Sequence[str]) -> list[str]:
    """The lines without their seconds, without blanks at the end and empty lines at either end."""
    result: list[str] = []
    end = 0  # of the column `seconds` of the table that the line belongs to; 0 outside
    for line in "\n".join(each.rstrip() for each in lines).strip("\n").splitlines():
        text = line
        for pattern in SECONDS:
            text = pattern.sub("(# s)", text)
        if end and NUMBER.fullmatch(text[:end].split(" ")[-1]):
            text = f"{text[:end].rpartition(' ')[0]} #{text[end:]}"
        if (header := re.match(r"claim .* seconds\b", line)) or not line:
            end = header.end() if header else 0
        result.append(text)
    return result


def _agree(shown: list[str], found: list[str]) -> bool:
    if not shown:
        return not found
    if shown[0].strip() == "...":
        return any(_agree(shown[1:], found[skipped:]) for skipped in range(len(found) + 1))
    return bool(found) and _same(shown[0], found[0]) and _agree(shown[1:], found[1:])


def _same(shown: str, found: str) -> bool:
    """One line: the same words, and numbers that differ in the last digit only."""
    pattern = ".*?".join(_words(part) for part in shown.split("..."))
    match = re.fullmatch(pattern, found.strip())
    if match is None:
        return False
    numbers = NUMBER.findall(shown)
    return all(abs(Decimal(a) - Decimal(b)) <= _slack(a) for a, b in zip(numbers, match.groups(), strict=True))


def _words(part: str) -> str:
    """A pattern for a piece of a line, with a group for each of its numbers."""
    pieces = [r"\s+".join(re.escape(word) for word in re.split(r"\s+", piece)) for piece in NUMBER.split(part.strip())]
    inner = r"(\d+(?:\.\d+)?)".join(pieces)
    return (r"\s*" if part[:1].isspace() else "") + inner + (r"\s*" if part[-1:].isspace() else "")


def _slack(number: str) -> Decimal:
    """By how much another number may differ from one that is shown."""
    if "." not in number:
        return Decimal(0)
    unit = Decimal((0, (1,), Decimal(number).as_tuple().exponent))
    return max(unit, Decimal(number) * Decimal("1e-9"))
