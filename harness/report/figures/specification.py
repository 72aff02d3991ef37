"""What each figure of a paper shows, as data: its panels, their axes, and which rows of which claim go where.

The data of a paper are in `figures.toml` beside its claims. Nothing here knows of a run.
"""

from pathlib import Path
from typing import Any, Literal

import msgspec

import harness.claims
from harness.claims import papers
from harness.errors import UsageError
from harness.files import read_toml

CLAIMS = Path(harness.claims.__file__).parent
Cell = dict[str, Any]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is part of a figure, as TOML has it: a word that is not known is an error."""


class Curve(Part, frozen=True, kw_only=True):
    """Rows with a place on one curve.

    Attributes
    ----------
    rows : the label that the rows share; "mean" for the curve of a rate.
    label : in the legend; by default that of the rows.
    colour, line : as matplotlib has them; by default the next colour and a line with points.
    cell : parameters of the claim, beside those of the panel.
    """

    rows: str
    label: str = ""
    colour: str = ""
    line: str = "o-"
    cell: Cell = {}


class Picture(Part, frozen=True, kw_only=True):
    """A stored `harness.Panel`: a landscape, points, or both, by its title.

    Attributes
    ----------
    panel : the title; a star in it stands for any text, where the title is not known before the run.
    nth : which of the panels with such a title, counted from 0.
    colours : of the points of negative and of positive class.
    marker, size, hollow : of the points; the area of the largest in square points.
    levels : of the landscape, at which lines are drawn.
    grey : whether the landscape is shaded.
    """

    panel: str
    nth: int = 0
    colours: tuple[str, str] = ("#d9480f", "#1f6feb")
    marker: str = "o"
    size: float = 8.0
    hollow: bool = False
    levels: list[float] = []
    grey: bool = True
    cell: Cell = {}


class Panel(Part, frozen=True, kw_only=True):
    """One pair of axes.

    Attributes
    ----------
    title : as in print, or the data set.
    claims : ids, the best first: the panel is drawn from the first that has all that it needs.
    cell : parameters of the claim, where it has a grid.
    x, y, log : labels of the axes, and which of them are logarithmic: "", "x", "y" or "xy".
    curves, pictures : what is drawn, in this order.
    view : "globe" draws a landscape over longitude and height on a sphere.
    beside : what the second number of a row is, in the legend; `beside_line` is how it is drawn.
    verticals : where vertical lines separate groups.
    missing : why no claim records what the panel needs.
    """

    title: str = ""
    claims: list[str] = []
    cell: Cell = {}
    x: str = ""
    y: str = ""
    log: Literal["", "x", "y", "xy"] = ""
    curves: list[Curve] = []
    pictures: list[Picture] = []
    view: Literal["plane", "globe"] = "plane"
    beside: str = "printed"
    beside_line: str = "x"
    verticals: list[float] = []
    missing: str = ""


class Figure(Part, frozen=True, kw_only=True):
    """A figure of a paper.

    Attributes
    ----------
    name : as in print, "Figure 1(a)".
    file : its name without an ending.
    shows : in one sentence.
    same : what is as in print, as far as caption and text tell.
    ours : in what ours differs from print; stands below the figure.
    columns : panels abreast.
    size : width and height of a panel in inches.
    """

    name: str
    file: str
    shows: str
    panels: list[Panel] = msgspec.field(name="panel")
    same: str = ""
    ours: str = ""
    columns: int = 1
    size: tuple[float, float] = (2.6, 2.1)


class _File(Part, frozen=True, kw_only=True):
    figures: list[Figure] = msgspec.field(name="figure")


def figures(*chosen: str) -> dict[str, list[Figure]]:
    """The figures of the chosen papers, or of all that have some, by the key of the paper.

    Raises
    ------
    UsageError
        If there is no such paper, or a file is not of this form.
    """
    for name in chosen:
        if name not in papers():
            raise UsageError(f"--paper {name!r} must be one of {', '.join(papers())}.")
    found = {paper: _read(CLAIMS / paper / "figures.toml") for paper in papers() if not chosen or paper in chosen}
    return {paper: some for paper, some in found.items() if some}


def _read(path: Path) -> list[Figure]:
    if not path.exists():
        return []
    try:
        return msgspec.convert(read_toml(path), _File).figures
    except msgspec.ValidationError as error:
        raise UsageError(f"{path} does not describe figures ({error}); see {__name__}.") from error


def claims_of(some: dict[str, list[Figure]]) -> list[str]:
    """The ids of all claims that figures are drawn from, each once."""
    panels = (panel for listed in some.values() for figure in listed for panel in figure.panels)
    return list(dict.fromkeys(claim for panel in panels for claim in panel.claims))
