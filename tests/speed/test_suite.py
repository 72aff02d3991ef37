"""The runner of `tightrope bench` on made-up items, whose calls move a clock by known amounts."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from harness.cli import main
from harness.errors import UsageError
from harness.evidence.bernoulli import sample_size
from harness.speed import Bar, Contest, Item, MismatchError, Peer, matching, run_item, run_items
from harness.speed import items as suite
from harness.speed.contest import difference
from harness.speed.page import line, page
from harness.speed.results import decoded, encoded, ratio

ROOT = Path(__file__).resolve().parents[2]
ABSENT = "a_module_that_nobody_has"


class Clock:
    """Stands still but for the calls that move it; keeps the order of the calls."""

    def __init__(self) -> None:
        self.now = 0.0
        self.order: list[str] = []

    def __call__(self) -> float:
        return self.now

    def call(self, name: str, seconds: float, result: Any = 1.0) -> Callable[[], Any]:
        def run() -> Any:
            self.now += seconds
            self.order.append(name)
            return result

        return run


@pytest.fixture
def clock() -> Clock:
    return Clock()


def item(clock: Clock, *, peer: Any = 1.0, needs: str = "", variants: tuple[str, ...] = ("",)) -> Item:
    """We take 1 s, each further variant 1 s more, a peer 3 s, a slower one 5 s, the floor half a second."""

    def prepare() -> Contest:
        return Contest(
            ours={name: clock.call(f"ours {name}", 1.0 + i) for i, name in enumerate(variants)},
            peers=(
                Peer("peer", lambda: clock.call("peer", 3.0, peer), needs=needs, package="a-package"),
                Peer("slower", lambda: clock.call("slower", 5.0)),
            ),
            floor=clock.call("floor", 0.5),
            tolerance=1e-6,
        )

    bars = (Bar("", "peer", least=2.0), Bar("", "floor", most=1.5))
    return Item("made-up", "nothing", "half a second", prepare, bars)


def test_ratios_goals_and_the_best_peer(clock):
    (row,) = run_item(item(clock), seconds=100.0, clock=clock)
    assert row.seconds == 1.0
    assert {peer.name: peer.ratio.middle for peer in row.peers} == {"peer": 3.0, "slower": 5.0}
    assert row.best_peer.name == "peer"
    assert (row.floor.ratio.low, row.floor.ratio.middle, row.floor.ratio.high) == (2.0, 2.0, 2.0)
    assert [(goal.text, goal.met) for goal in row.goals] == [(">= 2 x peer", True), ("<= 1.5 x floor", False)]
    assert row.rounds == 10


def test_calls_take_turns_and_every_round_begins_with_another(clock):
    run_item(item(clock), seconds=1.0, clock=clock)
    names = ["ours ", "peer", "slower", "floor"]
    first, rest = clock.order[:4], clock.order[4:]
    assert first == names
    rounds = [rest[start : start + 4] for start in range(0, len(rest), 4)]
    assert len(rounds) == 6
    assert all(sorted(order) == sorted(names) for order in rounds)
    assert [order[0] for order in rounds[:4]] == names


def test_each_variant_is_a_row_beside_the_same_peers(clock):
    fresh, given = run_item(item(clock, variants=("", "out=")), clock=clock)
    assert (fresh.peers[0].ratio.middle, given.peers[0].ratio.middle) == (3.0, 1.5)
    assert given.floor.ratio.middle == 4.0
    assert given.goals == []


def test_short_calls_are_repeated_within_a_measurement(clock):
    def prepare() -> Contest:
        return Contest({"": clock.call("ours", 1e-4)}, (), clock.call("floor", 1e-3), 0.0)

    (row,) = run_item(Item("short", "", "", prepare), clock=clock)
    assert row.seconds == pytest.approx(1e-4)
    assert clock.order.count("ours") == 1 + 20 * row.rounds
    assert clock.order.count("floor") == 1 + 2 * row.rounds
    assert row.best_peer is None
    assert "no peer is installed" in line(row)


@pytest.mark.parametrize("wrong", [1.0 + 1e-3, math.nan, np.ones(2)])
def test_a_peer_that_computes_something_else_is_an_error_before_anything_is_timed(clock, wrong):
    with pytest.raises(MismatchError, match="what peer returns differs from ours"):
        run_item(item(clock, peer=wrong), clock=clock)
    assert clock.order == ["ours ", "peer"]


def test_a_peer_that_is_not_installed_is_skipped_with_its_reason(clock):
    (row,) = run_item(item(clock, needs=ABSENT), clock=clock)
    assert [(peer.name, peer.reason) for peer in row.skipped] == [
        ("peer", f"{ABSENT} is not installed; run: pip install a-package")
    ]
    assert row.best_peer.name == "slower"
    assert row.goals[0].met is None
    assert "skipped peer" in line(row)


def noisy(rounds: int, rng: np.random.Generator) -> tuple[list[float], list[float]]:
    """Times whose ratio has the median 2: spells of a slow machine that both share, and noise of each."""
    spell = rng.lognormal(0.0, 1.0, rounds)
    ours, theirs = (rng.lognormal(0.0, 0.2, rounds) for _ in "ab")
    return list(2.0 * spell * theirs), list(spell * ours)


def test_intervals_cover_a_known_ratio():
    """Null hypothesis: at most 8 % of the intervals at 95 % miss, in 21 rounds; 20 % are noticed."""
    trials, accepted = sample_size(1e-4, 1e-4, 0.08, 0.2)
    rng = np.random.default_rng(0)
    found = [ratio(*noisy(21, rng)) for _ in range(trials)]
    assert sum(not interval.low <= 2.0 <= interval.high for interval in found) <= accepted
    assert max(interval.high / interval.low for interval in found) < 2.0


@pytest.mark.parametrize(
    ("ours", "theirs", "apart"),
    [
        (torch.tensor([2.0, 4.0]), np.array([2.0, 3.0]), 0.25),
        ((torch.ones(3), torch.zeros(2)), (np.ones(3), np.full(2, 0.5)), 0.5),
        (torch.arange(4000.0).reshape(2000, 2), np.arange(4000.0).reshape(2000, 2), 0.0),
        (torch.ones(3), np.ones(4), math.inf),
    ],
)
def test_differences_are_in_units_of_our_largest_number(ours, theirs, apart):
    assert difference(ours, theirs) == apart


@pytest.fixture
def made_up(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """The suite of the command is two made-up items, which take next to no time."""

    def prepare() -> Contest:
        numbers = np.arange(1000.0)
        return Contest({"": numbers.sum}, (Peer("peer", lambda: numbers.copy().sum),), numbers.copy, 1e-9)

    made = tuple(Item(name, "sums", "a copy", prepare, (Bar("", "floor", most=1e9),)) for name in ("sums", "other"))
    monkeypatch.setattr(suite, "ITEMS", made)
    monkeypatch.setattr("harness.benchmarks.floors.one_thread", lambda: None)
    return clock


def bench(*arguments: object) -> Any:
    return CliRunner().invoke(main, ["bench", *map(str, arguments)])


def test_a_run_is_stored_shown_again_and_written_as_a_page(made_up, tmp_path):
    stored, written = tmp_path / "speed.json", tmp_path / "speed.md"
    made = bench("sum", "--json", stored)
    assert made.exit_code == 0, made.output
    report = decoded(stored)
    assert [row.item for row in report.rows] == ["sums"]
    assert encoded(report) == stored.read_text()
    again = bench("--from", stored, "--page", written)
    assert again.exit_code == 0
    assert line(report.rows[0]) in made.output
    assert line(report.rows[0]) in again.output
    text = written.read_text()
    assert text == page(report)
    assert "| `sums` | peer: " in text
    assert report.machine.processor in text


def test_the_page_of_the_manual_shows_the_stored_run():
    report = decoded(ROOT / "results" / "speed.json")
    assert (ROOT / "docs" / "speed.md").read_text(encoding="utf-8") == page(report)
    assert [row.item for row in report.rows if row.variant in ("", "fresh output")] == [
        entry.name for entry in suite.ITEMS
    ]


def test_mistakes_are_sentences(made_up, tmp_path):
    assert "no item of the suite matches 'absent'; they are: sums, other." in bench("absent").output
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    for arguments, words in (
        (("--from", broken), "is not what `tightrope bench --json` writes"),
        (("--from", tmp_path / "none.json"), "cannot read"),
        (("sums", "--from", broken), "--from measures nothing"),
    ):
        made = bench(*arguments)
        assert made.exit_code == 2
        assert words in made.output


def test_a_mismatch_ends_the_command(made_up, monkeypatch):
    def prepare() -> Contest:
        return Contest({"": lambda: 1.0}, (Peer("liar", lambda: lambda: 2.0),), lambda: None, 0.0)

    monkeypatch.setattr(suite, "ITEMS", (Item("lies", "", "", prepare),))
    made = bench()
    assert made.exit_code == 2
    assert "error: lies: what liar returns differs from ours" in made.output


def test_asv_is_a_command_of_its_own(monkeypatch, tmp_path):
    called = []

    def run(command: list[str], **_: Any) -> Any:
        called.append(command[1:])
        return type("Ended", (), {"returncode": 7})

    monkeypatch.setattr("harness.cli.bench.subprocess.run", run)
    monkeypatch.setattr("harness.cli.bench.Path.exists", lambda _: True)
    assert bench("asv").exit_code == 7
    assert bench("asv", "compare", "--factor", "1.2", "a", "b").exit_code == 7
    assert [c for c in called if c[0] != "machine"] == [["run", "--quick"], ["compare", "--factor", "1.2", "a", "b"]]
    monkeypatch.chdir(tmp_path)
    assert "`tightrope bench asv` works on a checkout" in bench("asv").output


def test_the_suite_has_names_of_its_own_and_patterns_match_their_beginning():
    names = [entry.name for entry in suite.ITEMS]
    assert len(set(names)) == len(names)
    assert matching([]) == list(suite.ITEMS)
    assert [entry.name for entry in matching(["gradient"])] == ["gradient-2", "gradient-32", "gradient-512"]
    assert [entry.name for entry in matching(["*float64", "ball"])][-1] == "ball"
    with pytest.raises(UsageError, match="matches 'x'"):
        matching(["x"])


def test_a_report_says_how_long_it_took(clock):
    rows = []
    report = run_items([item(clock)], seconds=1.0, clock=clock, done=rows.append)
    assert report.seconds == clock.now
    assert rows == report.rows
