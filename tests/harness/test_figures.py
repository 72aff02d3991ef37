"""Figures: every one is listed and rendered, files do not change between runs, and what is missing is said."""

import base64
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result
from matplotlib.figure import Figure as Canvas

from harness import Panel, Row, check, claim, reproduction
from harness.cli import main
from harness.errors import UsageError
from harness.judges.decay_findings import Fitted
from harness.kinds.table import Compared
from harness.report.figures import specification
from harness.report.figures.drawing import INTERVAL, _draw_curve, _make_room, draw_figure
from harness.report.figures.globe import ELEVATION, LONGITUDE, near_side, seen_from_outside
from harness.report.figures.material import Absent, Material, Point, of_figure
from harness.report.figures.page import LARGEST, page
from harness.report.figures.specification import Curve, Figure, claims_of, figures
from harness.report.layout import Judged, judged
from harness.run.catalogue import catalogue
from harness.run.loading import ledger
from harness.verdict import CellVerdict, Details, Status

ROOT = Path(__file__).resolve().parents[2]
ALL = figures()
EACH = [pytest.param(paper, figure, id=f"{paper}-{figure.file}") for paper, listed in ALL.items() for figure in listed]
IN_PRINT = {"lkrf": {1, 2, 3}, "nsrf": {1}, "pbrff": {1, 2, 3, 4, 5, 6}, "uarff": {1, 2}}
"""The figures that have a caption in the papers."""

SMALL = """
[[figure]]
name = "Figure 3"
file = "fig-3"
shows = "errors along D"
columns = 2

[[figure.panel]]
title = "errors"
claims = ["lkrf/fig-3"]
x = "D"
log = "x"
curves = [{ rows = "OK error", label = "OK" }, { rows = "GK training error" }]

[[figure.panel]]
title = "speedup"
claims = ["lkrf/fig-3"]
curves = [{ rows = "speedup" }]
"""
MORE = """
[[figure.panel]]
title = "full"
claims = ["lkrf/fig-1b-full"]
curves = [{ rows = "OK error" }]
"""


@claim("made/figure", reproduction())
def template() -> list[Row]:
    """One row."""
    return [Row("gain", 1.0, printed=1.0)]


def made(some: Mapping[str, list[Figure]]) -> dict[str, Judged]:
    """Claims that hold just what the figures need."""
    like, rates = template_and_rates()
    cells: dict[tuple[str, str], dict[str, Any]] = {}
    for panel in (panel for listed in some.values() for figure in listed for panel in figure.panels):
        for name in panel.claims:
            for part in (*panel.curves, *panel.pictures):
                params = panel.cell | part.cell
                found = cells.setdefault((name, json.dumps(params)), {"rows": [], "panels": []})
                if isinstance(part, specification.Curve):
                    places = ((10, 0.5, 0.4), (100, 0.25, None))
                    rows = [Row(part.rows, y, 0.01, printed, at={"n": x}) for x, y, printed in places]
                    found["rows"] += [row.stored() for row in rows]
                else:
                    found["panels"] += [picture(part.panel).stored()] * (part.nth + 1)
    by_claim: dict[str, list[CellVerdict]] = {}
    for (name, params), held in cells.items():
        details: Details = curve() if name in rates else Compared(tolerance=0.0, sided="two", **held)
        cell = CellVerdict(json.loads(params), Status.HOLDS, details=details)
        by_claim.setdefault(name, []).append(cell)
    return {name: msgspec.structs.replace(like, id=name, cells=cells) for name, cells in by_claim.items()}


@cache
def template_and_rates() -> tuple[Judged, set[str]]:
    """A verdict to make others of, and which claims are rates: the catalogue reads every file of the ledger."""
    return judged(check(template)), {entry.id for entry in catalogue() if entry.kind == "rate"}


def picture(title: str) -> Panel:
    points = [[0.1, 0.2], [-0.4, 0.6]]
    return Panel(title.replace("*", ", l = 3"), values=[[0.0, 1.0], [-1.0, 2.0]], points=points, labels=[1.0, -1.0])


def curve() -> Fitted:
    numbers: dict[str, Any] = {"exponent": -0.5, "interval": (-0.6, -0.4), "claimed": -0.5, "log_power": 0.0}
    numbers |= {"margin": 0.05, "misfit": 1.0, "leading": 1.0, "correction": 0.0, "slopes": [-0.5]}
    return Fitted(along="n", n=[10.0, 100.0], mean=[0.5, 0.2], error=[0.01, 0.01], replicates=[9, 9], **numbers)


def words(svg: bytes) -> list[str]:
    """Every text of an SVG."""
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(text.itertext()).strip() for text in texts]


# --- every figure ---------------------------------------------------------------------------------------------------


@pytest.mark.in_turn
@pytest.mark.parametrize(("paper", "figure"), EACH)
def test_every_figure_is_rendered_in_full_from_made_rows(paper: str, figure: Figure) -> None:
    """Titles, axes and legends of all panels; those that no claim records say so in their frames."""
    found = of_figure(figure, made({paper: [figure]}))
    svg = draw_figure(paper, figure, found)
    ElementTree.fromstring(svg)
    shown = words(svg)
    assert not any("mathdefault" in text for text in shown)  # a formula at a tick, which pictures do not interpret
    for panel, part in zip(figure.panels, found, strict=True):
        assert isinstance(part, Absent) == bool(panel.missing) == (not panel.claims)
        wanted = [panel.title] if isinstance(part, Absent) else [panel.title, panel.x, panel.y]
        wanted += [curve.label or curve.rows for curve in panel.curves]
        wanted += [picture.panel.replace("*", ", l = 3") for picture in panel.pictures if "*" in picture.panel]
        assert {text for text in wanted if text} <= set(shown)
    assert any(text.startswith("Not drawn.") for text in shown) == any(isinstance(part, Absent) for part in found)


SORTS = {
    "curves": [param for param in EACH if all(not panel.pictures for panel in param.values[1].panels)],
    "pictures": [param for param in EACH if any(panel.pictures for panel in param.values[1].panels)],
}
FORMS = [("svg", param) for param in EACH[::3]]
FORMS += [(form, some[0]) for form in ("pdf", "png") for some in SORTS.values()]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("paper", "figure", "form"), [pytest.param(*p.values, form, id=f"{p.id}-{form}") for form, p in FORMS]
)
def test_the_same_figure_is_the_same_file(paper: str, figure: Figure, form: Any) -> None:
    """Dates, random names inside an SVG and the order of a set would show as changes under version control.

    Of what is drawn, every form would show it; of how a form is written, any figure with curves or with pictures.
    """
    found = of_figure(figure, made({paper: [figure]}))
    assert draw_figure(paper, figure, found, form) == draw_figure(paper, figure, found, form)


def test_a_figure_names_claims_cells_and_files_that_exist() -> None:
    known = {claim.id: claim for claim in ledger()}
    assert set(claims_of(ALL)) <= set(known)
    for listed in ALL.values():
        assert len({figure.file for figure in listed}) == len(listed)
        for panel in (panel for figure in listed for panel in figure.panels):
            for params in [panel.cell | part.cell for part in (*panel.curves, *panel.pictures)]:
                for name in panel.claims:
                    assert any(params.items() <= cell.items() for cell in known[name].groups()), (name, params)


def test_no_figure_of_the_papers_is_missing() -> None:
    statements = tomllib.loads((ROOT / "docs" / "statements.toml").read_text(encoding="utf-8"))
    assert {paper: numbers(figure.name for figure in listed) for paper, listed in ALL.items()} == IN_PRINT
    assert {paper: numbers(item["item"] for item in items) for paper, items in statements.items()} == IN_PRINT
    letters = [panel.title[:3] for figure in ALL["pbrff"] for panel in figure.panels if figure.name == "Figure 6"]
    assert letters == ["(a)", "(b)", "(c)", "(d)", "(e)", "(f)"]


def numbers(names: Iterator[str]) -> set[int]:
    """The numbers of the figures among the names."""
    return {int(match[1]) for match in map(re.compile(r"Figure (\d+)").match, names) if match}


# --- what a panel is drawn from -------------------------------------------------------------------------------------


def small(text: str = SMALL) -> Figure:
    return msgspec.convert(tomllib.loads(text)["figure"][0], Figure)


def test_points_are_sorted_and_carry_error_and_printed_number() -> None:
    figure = small()
    claims = made({"lkrf": [figure]})
    cell = claims["lkrf/fig-3"].cells[0]
    backwards = msgspec.structs.replace(cell.details, rows=cell.details.rows[::-1])
    turned = msgspec.structs.replace(claims["lkrf/fig-3"], cells=[msgspec.structs.replace(cell, details=backwards)])
    first = of_figure(figure, {"lkrf/fig-3": turned})[0]
    assert isinstance(first, Material)
    points = first.curves[0][1]
    assert [(p.x, p.y, p.error, p.beside) for p in points] == [(10, 0.5, 0.01, 0.4), (100, 0.25, 0.01, None)]


def test_the_number_beside_a_rate_is_its_claimed_decay() -> None:
    (figure,) = (figure for figure in ALL["uarff"] if figure.name == "Figure 1")
    first = of_figure(figure, made({"uarff": [figure]}))[0]
    assert isinstance(first, Material)
    assert [point.beside for point in first.curves[0][1]] == pytest.approx([0.5, 0.5 / 10**0.5])


def test_printed_numbers_are_named_once_and_only_where_there_are_some() -> None:
    figure = small()
    claims = made({"lkrf": [figure]})
    assert words(draw_figure("lkrf", figure, of_figure(figure, claims))).count("printed") == 2  # once in each panel
    cell = claims["lkrf/fig-3"].cells[0]
    rows = [msgspec.structs.replace(row, printed=None) for row in cell.details.rows]
    bare = msgspec.structs.replace(cell, details=msgspec.structs.replace(cell.details, rows=rows))
    shown = of_figure(figure, {"lkrf/fig-3": msgspec.structs.replace(claims["lkrf/fig-3"], cells=[bare])})
    assert "printed" not in words(draw_figure("lkrf", figure, shown))


def test_the_first_claim_that_holds_everything_is_drawn_and_reasons_are_passed_on() -> None:
    figure = small(SMALL + MORE)
    claims = made({"lkrf": [figure]})
    full = claims["lkrf/fig-1b-full"]
    skipped = CellVerdict({}, Status.SKIPPED, reason="TIGHTROPE_FULL=1 tightrope check lkrf/fig-1b-full.")
    without = {**claims, "lkrf/fig-1b-full": msgspec.structs.replace(full, status=Status.SKIPPED, cells=[skipped])}
    absent = of_figure(figure, without)[2]
    assert absent == Absent("lkrf/fig-1b-full is SKIPPED: TIGHTROPE_FULL=1 tightrope check lkrf/fig-1b-full.")
    missing = of_figure(figure, {"lkrf/fig-3": claims["lkrf/fig-3"]})[2]
    assert missing == Absent("the run does not hold lkrf/fig-1b-full; `tightrope check lkrf/fig-1b-full` judges it.")
    either = small(SMALL + MORE.replace('["lkrf/fig-1b-full"]', '["lkrf/fig-1b-full", "lkrf/fig-3"]'))
    assert isinstance(of_figure(either, without)[2], Material)


@pytest.mark.parametrize("change", [("speedup", "speed"), ("shows", "show"), ('log = "x"', 'log = "z"')])
def test_a_word_that_is_wrong_is_refused_or_missed(change: tuple[str, str], monkeypatch: Any, tmp_path: Path) -> None:
    text = SMALL.replace(*change)
    (tmp_path / "lkrf").mkdir()
    (tmp_path / "lkrf" / "figures.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(specification, "CLAIMS", tmp_path)
    if change[0] == "speedup":
        found = of_figure(figures("lkrf")["lkrf"][0], made({"lkrf": [small()]}))
        assert found[1] == Absent(
            "lkrf/fig-3 records no 'speed' in this run; `tightrope check lkrf/fig-3` with this version does."
        )
    else:
        with pytest.raises(UsageError, match="does not describe figures"):
            figures("lkrf")


def test_the_globe_shows_each_place_where_its_points_stand() -> None:
    """A landscape that is the height itself, and the longitude itself, seen where `near_side` puts such points."""
    axis = np.linspace(-1.0, 1.0, 401)
    longitude, height = np.meshgrid(np.pi * axis, axis)
    points = np.array([[LONGITUDE, np.sin(ELEVATION)], [LONGITUDE + 0.7, -0.1], [LONGITUDE - 1.0, 0.6]])
    seen, places = near_side(points)
    assert seen.all()
    assert places[0] == pytest.approx([0.0, 0.0], abs=1e-12)
    for values, truth in ((height, points[:, 1]), (longitude, points[:, 0])):
        picture = seen_from_outside(values, (-np.pi, np.pi, -1.0, 1.0))
        column, row = np.rint((places.T + 1.0) / 2.0 * (len(picture) - 1)).astype(int)
        assert picture[row, column] == pytest.approx(truth, abs=0.03)
        assert np.isnan(picture[0, 0])
    assert not near_side(np.array([[LONGITUDE + np.pi, 0.0]]))[0].any()


def test_a_legend_that_finds_no_place_gets_room_above_the_intervals() -> None:
    canvas = Canvas(figsize=(4.0, 3.0), layout="constrained")
    axes = canvas.subplots()
    points = [Point(float(x), 0.0, 1.0, None) for x in range(9)]
    _draw_curve(axes, Curve(rows="wide", label="a legend as wide as the axes"), points, "black")
    legend = axes.legend()
    _make_room(canvas)
    canvas.draw_without_rendering()
    lowest = axes.transData.inverted().transform(legend.get_window_extent().p0)[1]
    assert lowest > INTERVAL


def test_points_of_a_dashed_curve_are_hollow() -> None:
    """One point of a training curve and one of a test curve have no line that tells them apart."""
    axes = Canvas().subplots()
    for line in ("o--", "o-"):
        _draw_curve(axes, Curve(rows="errors", line=line), [Point(1.0, 0.5, 0.1, None)], "black")
    shown = [line.get_markerfacecolor() for line in axes.get_lines() if line.get_marker() == "o"]
    assert shown == ["white", "black"]


# --- the command and the page ---------------------------------------------------------------------------------------


def tightrope(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["figures", *map(str, arguments)], catch_exceptions=False)


@pytest.mark.in_turn
def test_a_figure_is_judged_drawn_and_drawn_again_from_the_rows(tmp_path: Path, monkeypatch: Any) -> None:
    """One cheap claim at the quick effort; then the same file from stored rows, and from what `check` wrote."""
    (tmp_path / "lkrf").mkdir()
    (tmp_path / "lkrf" / "figures.toml").write_text(SMALL, encoding="utf-8")
    monkeypatch.setattr(specification, "CLAIMS", tmp_path)
    out = tmp_path / "results"
    first = tightrope("--paper", "lkrf", "--quick", "--jobs", "1", "--out", out)
    assert first.exit_code == 0, first.output
    assert "1 of 1 figures have all their panels" in first.output
    svg = (out / "figures" / "lkrf" / "fig-3.svg").read_bytes()
    assert {"OK", "GK training error", "speedup", "D"} <= set(words(svg))
    CliRunner().invoke(main, ["check", "--quick", "--jobs", "1", "lkrf/fig-3", "--out", str(out)])
    again = tightrope("--from", out, "--to", tmp_path / "again")
    assert again.exit_code == 0, again.output
    assert (tmp_path / "again" / "lkrf" / "fig-3.svg").read_bytes() == svg
    (tmp_path / "lkrf" / "figures.toml").write_text(SMALL + MORE, encoding="utf-8")
    part = tightrope("--from", out / "verdicts.json", "--format", "png", "--to", tmp_path / "again")
    assert part.exit_code == 1
    assert "not drawn: lkrf, Figure 3, full: the run does not hold lkrf/fig-1b-full" in part.output
    assert (tmp_path / "again" / "lkrf" / "fig-3.png").read_bytes().startswith(b"\x89PNG")


REMARKS = """same = "Errors <against> D."
ours = "Another \'data set\'."
columns = 2"""


@pytest.mark.in_turn
def test_the_contact_sheet_has_every_figure_with_its_remarks(tmp_path: Path, monkeypatch: Any) -> None:
    """One page that loads nothing else: the pictures as written, and why a panel is not drawn."""
    (tmp_path / "lkrf").mkdir()
    text = SMALL.replace("columns = 2", REMARKS) + MORE
    (tmp_path / "lkrf" / "figures.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(specification, "CLAIMS", tmp_path)
    CliRunner().invoke(main, ["check", "--quick", "--jobs", "1", "lkrf/fig-3", "--out", str(tmp_path / "run")])
    sheet = tmp_path / "sheets" / "all.html"
    code = tightrope("--from", tmp_path / "run", "--to", tmp_path / "to", "--contact-sheet", sheet).exit_code
    page = sheet.read_text(encoding="utf-8")
    assert code == 1
    assert "0 of 1 figures have all their panels" in page
    assert "Errors &lt;against&gt; D." in page
    assert "Another &#39;data set&#39;." in page
    assert "Not drawn: full: the run does not hold lkrf/fig-1b-full" in page
    (coded,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    assert base64.b64decode(coded) == (tmp_path / "to" / "lkrf" / "fig-3.svg").read_bytes()
    assert not re.search(r"(src|href)=.?http", page)
    again = tightrope("--from", tmp_path / "run", "--to", tmp_path, "--format", "png", "--contact-sheet", sheet)
    assert again.exit_code == 1
    assert sheet.read_text(encoding="utf-8") == page


def test_an_unknown_paper_and_a_missing_file_are_bad_usage(tmp_path: Path) -> None:
    unknown = CliRunner().invoke(main, ["figures", "--paper", "nobody"])
    assert (unknown.exit_code, "--paper 'nobody' must be one of" in unknown.output) == (2, True)
    missing = CliRunner().invoke(main, ["figures", "--from", str(tmp_path / "none.json")])
    assert (missing.exit_code, "cannot read" in missing.output) == (2, True)


def test_the_page_lists_every_panel_and_agrees_with_the_ledger() -> None:
    """What was SKIPPED in the recorded run is not drawn, and everything else is."""
    text = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    recorded = json.loads((ROOT / "results" / "ledger.json").read_text(encoding="utf-8"))["claims"]
    judged_there = {c["id"] for c in recorded if c["status"] not in ("SKIPPED", "ERROR")}
    lines = [line for line in text.splitlines() if line.startswith(("| Figure", "| Table", "| Appendix"))]
    panels = [(figure, panel) for listed in ALL.values() for figure in listed for panel in figure.panels]
    assert len(lines) == len(panels)
    for line, (figure, panel) in zip(lines, panels, strict=True):
        assert line.startswith(f"| {figure.name} | {panel.title}")
        assert ("not drawn" not in line) == bool(judged_there.intersection(panel.claims)), line
        assert "records no" not in line


def test_each_figure_says_what_is_as_in_print_and_what_is_not() -> None:
    text = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    for listed in ALL.values():
        for figure in listed:
            assert f"- As in print: {figure.same}\n- Not as in print: {figure.ours}\n" in f"{text}\n"
            assert figure.same.endswith(".")
            assert figure.ours.endswith(".")


def test_the_gallery_shows_small_pictures_and_no_others_are_kept() -> None:
    folder = ROOT / "docs" / "figures"
    text = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    shown = {ROOT / "docs" / target for target in re.findall(r"\]\((figures/[^)]+)\)", text)}
    assert shown == set(folder.rglob("*.svg"))
    assert all(path.stat().st_size < LARGEST for path in shown)
    expected = {folder / paper / f"{figure.file}.svg" for paper, listed in ALL.items() for figure in listed}
    assert shown <= expected


def test_the_page_says_why_a_panel_is_not_drawn(tmp_path: Path) -> None:
    figure = small(SMALL + MORE)
    claims = made({"lkrf": [figure]})
    text = page({"lkrf": [figure]}, [claims["lkrf/fig-3"]], tmp_path)
    assert "| Figure 3 | speedup | `lkrf/fig-3` |" in text
    assert "| Figure 3 | full | not drawn: the run does not hold lkrf/fig-1b-full;" in text
    assert "![" not in text
    assert "`tightrope figures --paper lkrf` draws it; the file is too large to be kept here." in text
