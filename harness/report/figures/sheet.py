"""The contact sheet: all figures on one page that loads nothing else, each beside what print has and what ours has."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.claims import papers
from harness.language.papers import Paper
from harness.report.figures.specification import Figure
from harness.report.html.environment import rendered


@dataclass(frozen=True)
class Shown:
    """A figure on the sheet: its SVG, empty where nothing of it is drawn, and a sentence for each panel not drawn."""

    figure: Figure
    svg: bytes
    absent: Sequence[str]

    @property
    def address(self) -> str:
        """The picture as a data URL."""
        return f"data:image/svg+xml;base64,{base64.b64encode(self.svg).decode()}"


def contact_sheet(shown: Mapping[str, Sequence[Shown]], made: str) -> str:
    """The page in HTML.

    Parameters
    ----------
    shown : by the key of the paper; keys that are no paper's head their figures alone.
    made : from which run.
    """
    known = papers()
    chapters: list[tuple[str, Paper | None, Sequence[Shown]]] = [
        (key, known.get(key), listed) for key, listed in shown.items()
    ]
    every = [entry for listed in shown.values() for entry in listed]
    whole = sum(not entry.absent for entry in every)
    return rendered("contact_sheet.html", chapters=chapters, made=made, whole=whole, count=len(every))
