"""The list of all figures as a page: what each panel is drawn from, or why it is not drawn; and a gallery."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.report.coverage import cell
from harness.report.figures.material import Absent, of_panel
from harness.report.figures.specification import Figure, Panel
from harness.report.layout import Judged

INTRODUCTION = """This page is written by `tightrope record` from a run. `tightrope figures` draws every figure of the
papers from our runs, in the layout of print: the same panels, axes, curves and legends. It judges the claims behind
them first, and reuses stored rows; `--from FILE` draws from what `tightrope check --json FILE` wrote and judges
nothing. Ours comes with three standard errors, a printed number beside it as a cross. The text of the papers that we
worked from has captions and no pictures: each figure says what agrees with caption and text, and what does not; where
they say nothing about an axis, its scale is our choice. A data set under "not in print" stands in for one that no
claim reads. The pictures shown name the run that they are from."""

LARGEST = 100_000
"""Bytes of a picture that is kept under version control."""


def page(some: Mapping[str, Sequence[Figure]], claims: Sequence[Judged], pictures: Path) -> str:
    """The page in Markdown. `pictures`: the folder of those that it shows, beside the page."""
    by_id = {claim.id: claim for claim in claims}
    parts = ["# Figures", "", INTRODUCTION, ""]
    for paper, listed in some.items():
        parts += [f"## {paper}", "", "| figure | panel | drawn from, or why not |", "|---|---|---|"]
        parts += [_line(figure, panel, by_id) for figure in listed for panel in figure.panels]
        for figure in listed:
            parts += ["", f"**{figure.name}**: {figure.shows}."]
            said = (("As in print", figure.same), ("Not as in print", figure.ours))
            parts += ["", *(f"- {how}: {what}" for how, what in said if what)]
            file = Path(paper) / f"{figure.file}.svg"
            if (pictures / file).exists():
                parts += ["", f"![{paper}, {figure.name}, from our run]({pictures.name}/{file.as_posix()})"]
            elif any(not isinstance(of_panel(panel, by_id), Absent) for panel in figure.panels):
                parts += ["", f"`tightrope figures --paper {paper}` draws it; the file is too large to be kept here."]
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def _line(figure: Figure, panel: Panel, claims: Mapping[str, Judged]) -> str:
    found = of_panel(panel, claims)
    how = found.why if isinstance(found, Absent) else ", ".join(f"`{name}`" for name in panel.claims)
    title = panel.title or ", ".join(picture.panel for picture in panel.pictures)
    return f"| {figure.name} | {cell(title)} | {'not drawn: ' if isinstance(found, Absent) else ''}{cell(how)} |"
