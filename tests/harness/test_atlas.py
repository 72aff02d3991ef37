"""The atlas of rates: every rate of a run is found by its kind, shown with its interval, and the page is up to date."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
from click.testing import CliRunner, Result

from harness import Draw, check, claim, grid, rate
from harness.claims import CLASSICS, PAPERS
from harness.cli import main
from harness.judges.decay_findings import Fitted
from harness.report.figures.atlas import atlas, page
from harness.report.figures.drawing import draw_figure
from harness.report.figures.material import Absent, Material, of_figure
from harness.report.figures.page import LARGEST
from harness.report.layout import Judged, judged
from harness.run.catalogue import catalogue
from harness.verdict import CellVerdict, Status

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "atlas.md"


@claim(
    "made/mean",
    rate("n", -1.0, log_power=2),
    over=grid(n=[16, 64, 256, 1024], law=["normal", "uniform"]),
    cite="made, below Theorem 4.1",
    title="a mean",
)
def template(draw: Draw, *, n: int, law: str):
    """The square of a mean decays like 1/n, and log^2 n times 1/n is slower."""
    x = draw.normal("x", n) if law == "normal" else draw.uniform("x", n, low=-1.0)
    return x.mean(-1).square()


def rates(*keys: str) -> dict[str, Judged]:
    """Readings "id[reading]: source" of one judged rate."""
    like = judged(check(template, effort="quick"))
    found = {}
    for text in keys:
        key, cite = text.split(": ")
        name, _, reading = key.partition("[")
        one = msgspec.structs.replace(like, id=name, reading=reading.rstrip("]") or None, cite=cite)
        found[one.key] = one
    return found


def words(svg: bytes) -> list[str]:
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(text.itertext()).strip() for text in texts]


def test_rates_are_found_by_their_kind_and_grouped_by_the_first_thing_that_is_cited() -> None:
    held = rates(
        "made/b: made, Table 10, rows of finite rank",
        "made/a: made, equation 2 with Theorem 9",
        "made/c[printed]: made, Table 2",
        "made/c[corrected]: made, Table 2",
        "textbook/d: Author 1999, Theorem 6.2",
    )
    other = msgspec.structs.replace(held["made/a"], id="made/no-rate", kind="always")
    found = atlas([*held.values(), other])
    shown = {paper: {f.name: [p.claims for p in f.panels] for f in listed} for paper, listed in found.items()}
    assert shown == {
        "made": {
            "Equation 2": [["made/a"]],
            "Table 2": [["made/c[printed]"], ["made/c[corrected]"]],
            "Table 10": [["made/b"]],
        },
        "textbook": {"rates": [["textbook/d"]]},
    }
    assert [f.file for f in found["made"]] == ["equation-2", "table-2", "table-10"]


def test_a_picture_has_means_claimed_slope_verdict_and_exponents() -> None:
    held = rates("made/mean: made, below Theorem 4.1")
    (figure,) = atlas(held.values())["made"]
    (found,) = of_figure(figure, held)
    assert isinstance(found, Material)
    fits: list[Fitted] = [cell.details for cell in held["made/mean"].cells]
    assert [[p.y for p in points] for _, points in found.curves] == [fit.mean for fit in fits]
    shown = words(draw_figure("made", figure, [found]))
    assert {"a mean: HOLDS", "claimed n^-1 log^2 n", "n", "made, Theorem 4.1, from our runs"} <= set(shown)
    for law, fit in zip(("normal", "uniform"), fits, strict=True):
        low, high = fit.interval
        assert f"{law}: {fit.exponent:.2f} [{low:.2f}, {high:.2f}]" in shown
    assert draw_figure("made", figure, [found]) == draw_figure("made", figure, [found])


def test_what_was_not_judged_says_so_and_has_no_picture_on_the_page() -> None:
    held = rates("made/mean: made, Table 2")
    cell = CellVerdict({"law": "normal"}, Status.SKIPPED, reason="needs data.")
    held["made/mean"] = msgspec.structs.replace(held["made/mean"], status=Status.SKIPPED, cells=[cell])
    found = atlas(held.values())
    assert of_figure(found["made"][0], held) == [Absent("made/mean is SKIPPED: needs data.")]
    text = page(found, held, "atlas", "svg")
    assert "![" not in text
    assert "| SKIPPED |  | law=normal: no exponent |" in text


def test_the_page_has_a_row_for_each_reading_and_a_link_for_each_picture() -> None:
    held = rates("made/b: made, Table 10", "made/a: made, Table 10", "made/c: made, Lemma 3")
    text = page(atlas(held.values()), held, "atlas", "png")
    assert re.findall(r"^\| `(\S+)` \|", text, re.MULTILINE) == ["made/c", "made/b", "made/a"]
    assert re.findall(r"\((atlas\S+)\)", text) == ["atlas/made/lemma-3.png", "atlas/made/table-10.png"]
    assert "3 readings." in text
    assert text.count("| HOLDS | n^-1 log^2 n | law=normal: -") == 3


def tightrope(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False)


def test_the_command_draws_what_a_run_holds_and_nothing_else(tmp_path: Path) -> None:
    checked = tightrope("check", "uarff/rate-eq-10-*", "--quick", "--jobs", "1", "--out", tmp_path)
    assert checked.exit_code == 0, checked.output
    first = tightrope("figures", "--atlas", "--from", tmp_path, "--to", tmp_path / "docs")
    assert first.exit_code == 0, first.output
    text = (tmp_path / "docs" / "atlas.md").read_text(encoding="utf-8")
    assert "3 readings." in text
    (target,) = re.findall(r"\((atlas/\S+)\)", text)
    svg = (tmp_path / "docs" / target).read_bytes()
    assert sum("HOLDS" in text for text in words(svg)) == 3
    assert tightrope("figures", "--atlas", "--from", tmp_path, "--to", tmp_path / "again").exit_code == 0
    assert (tmp_path / "again" / target).read_bytes() == svg
    other = tightrope("figures", "--atlas", "--from", tmp_path, "--paper", "nsrf", "--to", tmp_path / "none")
    assert (other.exit_code, "0 of 0" in other.output) == (0, True)


def test_unknown_papers_of_an_atlas_are_bad_usage(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["figures", "--atlas", "--paper", "nobody", "--to", str(tmp_path)])
    assert (done.exit_code, "--paper 'nobody' must be one of" in done.output) == (2, True)


def test_the_committed_atlas_shows_every_rate_of_the_ledgers_with_its_recorded_verdict() -> None:
    """After a rate came or went, `tightrope figures --atlas --to docs` is due."""
    text = PAGE.read_text(encoding="utf-8")
    rows: dict[str, Any] = dict(re.findall(r"^\| `(\S+)` \|.*\| ([A-Z]+) \|[^|]*\|[^|]*\|$", text, re.MULTILINE))
    assert set(rows) == {e.key for name in (PAPERS, CLASSICS) for e in catalogue(name) if e.kind == "rate"}
    for name in ("ledger", "classics"):
        for entry in json.loads((ROOT / "results" / f"{name}.json").read_text(encoding="utf-8"))["claims"]:
            key = f"{entry['id']}[{entry['reading']}]" if entry["reading"] else entry["id"]
            assert rows.get(key, entry["status"]) == entry["status"], key


def test_the_committed_pictures_are_those_of_the_page_and_small() -> None:
    shown = {PAGE.parent / target for target in re.findall(r"\]\((atlas/[^)]+)\)", PAGE.read_text(encoding="utf-8"))}
    assert shown == set((PAGE.parent / "atlas").rglob("*.svg"))
    assert all(path.stat().st_size < LARGEST for path in shown)
