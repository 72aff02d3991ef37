"""Long cases take turns: each is due on one day in `SHARES`, short ones on all, and all run where no day is named."""

import argparse
import datetime
import itertools
from types import SimpleNamespace

import pytest

from tests.conftest import pytest_collection_modifyitems
from tests.turns import SHARES, day_named, is_due

FIRST = datetime.date(2026, 12, 30)
DAYS = [(FIRST + datetime.timedelta(days=k)).isoformat() for k in range(SHARES)]
NODES = [f"tests/ledger/test_any.py::test_verdicts[uarff/thm-{k}]" for k in range(300)]


def kept(*, due: str | None, markexpr: str = "") -> tuple[list[str], list[str]]:
    """Names of the items that are left and of those that are reported as left out: long, short and nightly ones."""
    items = [SimpleNamespace(name=node, nodeid=node, keywords={"in_turn"}) for node in NODES]
    items += [SimpleNamespace(name=name, nodeid=name, keywords={name}) for name in ("short", "nightly")]
    gone: list[SimpleNamespace] = []

    def deselected(items: list[SimpleNamespace]) -> None:
        gone.extend(items)

    hook = SimpleNamespace(pytest_deselected=deselected)
    options = {"due": due, "markexpr": markexpr}
    pytest_collection_modifyitems(SimpleNamespace(getoption=options.get, hook=hook), items)  # type: ignore[arg-type]
    return [item.name for item in items], [item.name for item in gone]


def test_each_case_is_due_on_one_day_of_a_cycle_and_days_get_even_shares() -> None:
    """Also from one year to the next."""
    days = [[node for node in NODES if is_due(node, day)] for day in DAYS]
    assert sorted(itertools.chain(*days)) == sorted(NODES)
    assert all(0.7 < len(found) * SHARES / len(NODES) < 1.3 for found in days)


@pytest.mark.parametrize("day", DAYS)
def test_what_is_not_due_is_left_out_and_reported(day: str) -> None:
    left, gone = kept(due=day)
    assert left == [*(node for node in NODES if is_due(node, day)), "short"]
    assert sorted(left + gone) == sorted([*NODES, "short", "nightly"])


def test_without_a_day_all_cases_run() -> None:
    assert kept(due=None) == ([*NODES, "short"], ["nightly"])
    assert kept(due=None, markexpr="nightly") == ([*NODES, "short", "nightly"], [])


def test_days_are_named_by_date_or_as_today() -> None:
    assert day_named("2026-02-28") == "2026-02-28"
    assert datetime.date.fromisoformat(day_named("today"))
    with pytest.raises(ValueError, match="isoformat"):
        day_named("tomorrow")


def test_a_day_that_is_none_is_an_error_of_usage() -> None:
    """argparse says which option it was."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("--due", type=day_named)
    with pytest.raises(argparse.ArgumentError, match="--due"):
        parser.parse_args(["--due", "2026-02-30"])
