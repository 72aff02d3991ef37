"""Rows with other values than a judge finds: each is dropped with a warning and computed again."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.report.explain import explain
from harness.report.layout import judged
from harness.run.api import settings_for
from harness.run.loading import from_file
from harness.run.runner import run
from harness.run.store import Store

CLAIMS = '''
from harness import always, claim, high_probability, grid

@claim("mine/means", always())
def means(forall):
    """x y <= (x^2 + y^2) / 2."""
    x, y = forall.interval("x", -1.0, 1.0), forall.interval("y", -1.0, 1.0)
    return x * y, (x**2 + y**2) / 2

@claim("mine/tail", high_probability("delta"), over=grid(delta=[0.1]))
def tail(forall, draw, *, delta):
    """P(u < p) <= delta."""
    return draw.uniform("u"), 1.0 - forall.interval("p", 0.0, 0.5 * delta)
'''
QUICK = settings_for(effort="quick")
NUMBER = r"(?<=[\[:,])-?\d+\.\d+(?=[\],}])"


@pytest.mark.parametrize("value", ["NaN", "null", "[[]]", "[" * 100_000])
def test_rows_with_other_values_are_computed_again(
    write_claims: Callable[..., Path], tmp_path: Path, value: str
) -> None:
    """Whatever Python's own reader takes for JSON, or stumbles over."""
    claims, folder = from_file(write_claims(CLAIMS)), tmp_path / "out"
    reference = [(judged(verdict), explain(verdict)) for verdict in run(claims, QUICK, store=Store(folder))]
    for path in (folder / "rows").glob("*.jsonl"):
        path.write_text(re.sub(NUMBER, value, path.read_text()))
    store = Store(folder)
    found = [(judged(verdict), explain(verdict)) for verdict in run(claims, QUICK, store=store)]
    assert [text for _, text in found] == [text for _, text in reference]
    assert [one.cells for one, _ in found] == [one.cells for one, _ in reference]
    assert store.damaged
    assert run(claims, QUICK, store=(healed := Store(folder)))
    assert healed.damaged == []
