"""The report as a folder of pages: whole, small, self-contained, and harmless whatever claims say."""

import json
import posixpath
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import msgspec
import pytest

from harness.errors import Complaint
from harness.numbers import number
from harness.report.history import by_claim, entry_of, last_changes, written
from harness.report.history import parsed as parsed_history
from harness.report.html import bounds, report
from harness.report.html.environment import file_of
from harness.report.html.overview import overview
from harness.report.layout import Judged, Run, plain, read
from harness.run.reporting import record_run, write_report
from harness.run.store import Store
from harness.verdict import CellVerdict, Status, Verdict
from tests.harness.pages import Page, parsed

LARGEST = 40_000
"""Bytes of a claim's page, and of its part of the first one, on average; the ledger's is a quarter of that."""

HOSTILE = (
    "\"'><script>alert(1)</script>&amp; <b>x_i</b> \ud800 \x1b[31m \x00 \u202e {{ 7 * 7 }} </style> javascript:alert(1)"
)


@pytest.fixture(scope="module")
def files(run: Run) -> dict[str, str]:
    return dict(report(run))


@pytest.fixture(scope="module")
def pages(files: dict[str, str]) -> dict[str, Page]:
    return {name: parsed(text) for name, text in files.items() if name.endswith(".html")}


def _target(page: str, link: str) -> tuple[str, str]:
    """The page that a link leads to, and the place on it."""
    parts = urlsplit(link)
    path = unquote(parts.path)
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page, parts.fragment


def test_the_first_page_says_what_was_not_judged(run: Run) -> None:
    complaint = Complaint("b.py", "b.py does not import: <NameError>.")
    said = {
        part: dict(report(msgspec.structs.replace(run, complaints=part)))["index.html"] for part in ((), (complaint,))
    }
    assert "Not judged:" not in said[()]
    assert complaint.sentence in parsed(said[complaint,]).text


def test_each_claim_has_a_page_and_all_links_lead_somewhere(
    files: dict[str, str], pages: dict[str, Page], run: Run
) -> None:
    assert {f"claims/{file_of(claim.key)}" for claim in run.claims} == {n for n in pages if n.startswith("claims/")}
    for name, page in pages.items():
        ids = page.values("id")
        assert len(ids) == len(set(ids))
        for tag, attribute, value in page.attributes:
            if attribute in ("href", "src") and not value.startswith(("https:", "data:")):
                to, place = _target(name, value)
                assert to in files, (name, tag, value)
                assert not place or place in pages[to].values("id"), (name, value)


def test_nothing_is_loaded_from_elsewhere(files: dict[str, str], pages: dict[str, Page]) -> None:
    """Opened from a disk without network it must look the same; only a link that a reader follows may lead outside."""
    for page in pages.values():
        for tag, attribute, value in page.attributes:
            assert tag not in ("iframe", "object", "embed", "base")
            assert not attribute.startswith("on")
            if attribute in ("src", "href", "srcset", "action", "data", "poster", "xlink:href") and tag != "a":
                assert value.startswith(("#", "data:")) or value.removeprefix("../") in files, (tag, value)
    for name, text in files.items():
        assert "@import" not in text
        assert "url(" not in text
        if name.endswith(".js"):
            assert not any(word in text for word in ("fetch(", "XMLHttpRequest", "import ", "http"))


def test_a_page_has_what_its_claim_has(pages: dict[str, Page], verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        claim, text = verdict.claim, pages[f"claims/{file_of(verdict.claim.key)}"].text
        assert claim.statement in text
        assert claim.cite in text
        assert all(part in text for part in claim.kind.tried(verdict))
        if verdict.status is Status.REFUTED:
            assert verdict.counterexample is not None
            assert str(verdict.counterexample.replay) in text
            assert claim.kind.conviction(verdict).strip() in text
        if verdict.status in (Status.SKIPPED, Status.ERROR):
            assert verdict.reason in text
        if verdict.as_expected is False:
            assert "not as expected" in text


def test_a_claim_that_was_judged_has_a_picture_and_one_that_was_not_has_none(pages: dict[str, Page], run: Run) -> None:
    for claim in run.claims:
        judged = claim.status not in (Status.SKIPPED, Status.ERROR)
        assert ("svg" in pages[f"claims/{file_of(claim.key)}"].tags) == judged, claim.key


def test_the_first_page_counts_and_lists_all(pages: dict[str, Page], run: Run) -> None:
    index = pages["index.html"]
    for status in {claim.status for claim in run.claims}:
        assert f"{sum(claim.status is status for claim in run.claims)} {status}" in index.text
        assert ("button", "value", status) in index.attributes
    assert index.values("data-status").count("REFUTED") == sum(c.status is Status.REFUTED for c in run.claims)
    assert index.text.count("expected holds") >= 2  # in the list, and above it
    assert "Claims of your own: all" in index.text


def test_the_report_depends_on_the_json_alone(files: dict[str, str], run: Run) -> None:
    assert dict(report(read(json.loads(json.dumps(plain(run)))))) == files


def test_a_run_of_an_older_version_is_shown_without_its_words(run: Run) -> None:
    payload = json.loads(json.dumps(plain(run)))
    for claim in payload["claims"]:
        del claim["tried"], claim["caveat"]
    assert [name for name, _ in report(read(payload))] == [name for name, _ in report(run)]


def test_a_report_without_claims_is_a_report(run: Run) -> None:
    empty = dict(report(msgspec.structs.replace(run, claims=[])))
    assert "0 readings judged" in parsed(empty["index.html"]).text
    assert [name for name in empty if name.endswith(".html")] == ["index.html"]


def test_pages_are_small(files: dict[str, str], run: Run) -> None:
    assert sum(len(text.encode()) for text in files.values()) < LARGEST * len(run.claims)


def _hostile(claim: Judged) -> Judged:
    """A claim whose every text tries to become markup."""
    texts = ("id", "cite", "statement", "remarks", "title", "quote", "restricts", "reason", "unnoticed", "caveat")
    cells = [_hostile_cell(cell) for cell in claim.cells]
    return msgspec.structs.replace(claim, **dict.fromkeys(texts, HOSTILE), tried=[HOSTILE], cells=cells)


def _hostile_cell(cell: CellVerdict) -> CellVerdict:
    replay = HOSTILE if cell.replay else None
    return msgspec.structs.replace(cell, params={HOSTILE: HOSTILE}, reason=HOSTILE, replay=replay)


def test_what_a_claim_says_is_text_not_markup_and_no_path(run: Run, tmp_path: Path) -> None:
    plainly = {name: parsed(text).tags.count("script") for name, text in report(run) if name.endswith(".html")}
    claims = [msgspec.structs.replace(_hostile(claim), id=f"../../{HOSTILE}/{i}") for i, claim in enumerate(run.claims)]
    written_out = record_run(Store(tmp_path / "out"), msgspec.structs.replace(run, claims=claims))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]
    found = list(written_out.parent.rglob("*.html"))
    assert len(found) == len(plainly)
    for path in found:
        text = path.read_text(encoding="utf-8")
        assert text.count("<script") == 1  # our own
        assert "<b>x" not in text
        assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(text)
        assert "49" not in parsed(text).text.split()


def test_stale_pages_go_and_history_stays(run: Run, tmp_path: Path) -> None:
    store = Store(tmp_path)
    record_run(store, run)
    fewer = [msgspec.structs.replace(claim, status=Status.ERROR) for claim in run.claims[:2]]
    index = record_run(store, msgspec.structs.replace(run, claims=fewer))
    assert {path.name for path in (tmp_path / "report" / "claims").iterdir()} == {file_of(c.key) for c in fewer}
    text = parsed(index.read_text(encoding="utf-8")).text
    assert f"{len(run.claims) - 2} not judged this time" in text
    assert text == parsed(write_report(store, msgspec.structs.replace(run, claims=fewer)).read_text()).text
    claim_page = parsed((tmp_path / "report" / "claims" / file_of(fewer[0].key)).read_text(encoding="utf-8")).text
    assert claim_page.count("quick effort, seed 0") == 2  # as it was, and as it is


def test_a_history_holds_changes_alone_and_survives_damage(run: Run) -> None:
    first = entry_of(run, "then", [])
    assert len(first.changes) == len(run.claims)
    same = entry_of(run, "now", [first])
    assert same.changes == {}
    assert last_changes([first]) is None
    assert not last_changes([first, same])
    one = msgspec.structs.replace(run.claims[0], status=Status.ERROR)
    new = msgspec.structs.replace(run.claims[1], id="all/new")
    last = entry_of(msgspec.structs.replace(run, claims=[one, *run.claims[2:], new]), "later", [first, same])
    changes = last_changes([first, same, last])
    assert changes is not None
    assert changes.changed == [(one.key, run.claims[0].status, Status.ERROR)]
    assert (changes.came, changes.went) == ([new.key], [run.claims[1].key])
    history = [first, same, last]
    assert parsed_history(written(history)) == history
    assert parsed_history("{broken\n" + written(history) + '{"when": 3}\n{"cut off') == history
    assert [status for _, status in by_claim(history)[run.claims[1].key]] == [run.claims[1].status, None]


def _bound(key: str, status: Status, looseness: float | None, like: Judged) -> Judged:
    cells = [msgspec.structs.replace(cell, worst_ratio=2.0) for cell in like.cells]
    return msgspec.structs.replace(like, id=key, status=status, looseness=looseness, cells=cells)


def test_bounds_stand_at_their_looseness_and_never_cover_each_other(run: Run) -> None:
    like = next(claim for claim in run.claims if claim.kind == "always" and claim.status is Status.VACUOUS)
    tight = [_bound(f"a/{i}", Status.HOLDS, 1.0, like) for i in range(50)]
    refuted = [_bound(f"a/r{i}", Status.REFUTED, None, like) for i in range(50)]
    far = _bound("a/far", Status.VACUOUS, 1e300, like)
    picture = overview({"a": [*tight, *refuted, far], "b": []})
    (lane,) = picture.lanes
    places = {spot.claim.key: (spot.x, spot.y) for spot in lane.spots}
    assert len(set(places.values())) == len(places) == 101
    one = picture.axis.at(1.0)
    assert all(places[claim.key][0] >= one for claim in tight)
    assert all(places[claim.key][0] < one for claim in refuted)
    assert abs(places["a/far"][0] - picture.axis.end) < 8
    assert all(lane.top < y < lane.bottom for _, y in places.values())


def test_a_refuted_bound_is_shown_by_how_much_it_is_exceeded(run: Run) -> None:
    like = next(claim for claim in run.claims if claim.kind == "always" and claim.status is Status.VACUOUS)
    spots = overview({"a": [_bound("a/b", Status.REFUTED, 12.0, like)]}).lanes[0].spots
    assert [number(spot.looseness) for spot in spots] == ["0.5"]


def test_the_picture_of_the_bounds_stands_by_itself_with_a_mark_for_each(run: Run) -> None:
    found = ElementTree.fromstring(bounds(run))
    svg = "{http://www.w3.org/2000/svg}"
    drawn = overview({"all": run.claims})
    assert found.tag == f"{svg}svg"
    assert len(found.findall(f"{svg}use")) == drawn.bounds > 0
    assert not found.findall(f".//{svg}a")
    assert "http" not in bounds(run).replace("http://www.w3.org/2000/svg", "")
