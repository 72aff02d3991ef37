"""The published schema of a run: up to date, kept by what `check --json` writes, and broken by anything else."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.report.layout import plain, read, schema
from harness.report.recorded import SCHEMA
from tests.schema import Invalid, validate

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "schema.json"

EVERY_KIND = '''
import numpy as np
import torch

from harness import (
    Defect, Panel, Row, Severity, always, claim, expectation, grid, high_probability, identity, rate, reproduction,
    tail, untestable, up_to_constant,
)

SLIP = Defect("mine/slip", Severity.CONSTANT, "Lemma 1", "A factor is lost.", "x <= 1.", "Use the other bound.")

@claim("mine/always", always(), over=grid(n=[1, 2]), cite="A paper")
def holds(forall, *, n):
    """sum x <= n."""
    return forall.interval("x", 0.0, 1.0, n).sum(-1), n

@claim("mine/false-always", always(), reading="printed", expected="refuted", quote="x <= 0.9", defect=SLIP)
def refuted(forall):
    """x <= 0.9 for all choices."""
    forall.choice("name", [[1.0, 2.0], [3.0, 4.0]])
    return forall.interval("x", 0.0, 1.0, 2).sum(-1) / 2, 0.9

@claim("mine/through-numpy", always())
def through_numpy(forall):
    """sin x <= 0.5 x."""
    x = forall.interval("x", 0.1, 1.0).detach().numpy()
    return torch.from_numpy(np.sin(x)), torch.from_numpy(0.5 * x)

@claim("mine/no-variables", always())
def constants():
    """2 <= 1."""
    return 2.0, 1.0

@claim("mine/identity", identity())
def identical(forall):
    """x + x = 2 x."""
    x = forall.interval("x", 0.0, 1.0)
    return x + x, 2 * x

@claim("mine/high-probability", high_probability("delta"), over=grid(delta=[0.1]))
def seldom(forall, draw, *, delta):
    """P(u < p) <= delta."""
    return draw.uniform("u"), 1.0 - forall.interval("p", 0.0, 0.5 * delta)

@claim("mine/false-high-probability", high_probability("delta"), over=grid(delta=[0.1]))
def often(forall, draw, *, delta):
    """P(u < p) <= delta."""
    return draw.uniform("u"), 1.0 - forall.interval("p", 0.0, 0.5)

@claim("mine/tail", tail())
def tail_bound(forall, draw):
    """P(u <= p) <= 2 p."""
    p = forall.interval("p", 0.1, 0.2)
    return draw.uniform("u") <= p, 2.0 * p

@claim("mine/false-tail", tail())
def false_tail_bound(forall, draw):
    """P(u <= p) <= p / 2."""
    p = forall.interval("p", 0.0, 0.8)
    return draw.uniform("u") <= p, 0.5 * p

@claim("mine/mean", expectation((-1.0, 1.0), margin=0.1))
def mean(draw):
    """E s <= 0."""
    return draw.signs("s"), 0.0

@claim("mine/false-mean", expectation((-1.0, 1.0)))
def false_mean(forall, draw):
    """E s <= -0.4."""
    return draw.signs("s") * forall.interval("c", 0.0, 0.5), -0.4

@claim("mine/mean-without-range", expectation())
def mean_without_range(draw):
    """E u <= 0.5."""
    return draw.uniform("u"), 0.5

@claim("mine/rate", rate("n", -0.9, margin=0.1), over=grid(n=[10, 30, 100, 300]))
def decay(draw, *, n):
    """E = O(1/n)."""
    return (1.0 + 0.1 * draw.signs("s")) / n

@claim("mine/false-rate", rate("n", -1.5), over=grid(n=[10, 30, 100, 300]))
def false_decay(draw, *, n):
    """E = O(n^-1.5)."""
    return (1.0 + 0.1 * draw.signs("s")) / n

@claim("mine/vanishing", rate("n", -0.9), over=grid(n=[10, 30, 100, 300]))
def vanishing(draw, *, n):
    """E = 0."""
    return 0.0 * draw.signs("s")

@claim("mine/constant", up_to_constant("n"), over=grid(n=[4, 8, 16, 32, 64]))
def constant(forall, *, n):
    """|x|_1 <= C sqrt(n) |x|_2."""
    x = forall.ball("x", n)
    return x.abs().sum(-1), n**0.5 * x.norm(dim=-1)

@claim("mine/false-constant", up_to_constant("n"), over=grid(n=[4, 8, 16, 32, 64]))
def false_constant(forall, *, n):
    """|x|_1 <= C |x|_2."""
    x = forall.ball("x", n)
    return x.abs().sum(-1), x.norm(dim=-1)

@claim("mine/infinite-constant", up_to_constant("n"), over=grid(n=[4, 8, 16, 32, 64]))
def infinite_constant(forall, *, n):
    """x <= C x^2."""
    x = forall.interval("x", 0.0, 1.0)
    return x, x**2

@claim("mine/constant-of-means", up_to_constant("n"), over=grid(n=[4, 8, 16, 32, 64]))
def constant_of_means(draw, *, n):
    """E u <= C."""
    return draw.uniform("u"), 1.0

@claim("mine/table", reproduction(tolerance=0.5))
def table(draw):
    """A figure."""
    landscape = Panel("landscape", values=[[0.0, 1.0], [2.0, 3.0]], points=[[0.0, 0.5]], contour=1.5)
    cloud = Panel("cloud", points=[[0.0, 0.0], [1.0, 1.0]], labels=[-1.0, 1.0], sizes=[1.0, 2.0])
    curve = [Row("curve", draw.uniform("u").mean(), 0.01, 0.5, at={"n": n}, unit="in %") for n in (1, 2)]
    return [landscape, Row("height", 3.0, printed=3.0), cloud, *curve, Row("shown", 1.0)]

@claim("mine/false-table", reproduction())
def false_table():
    """pi = 3."""
    return [Row("pi", 3.14, printed=3.0)]

@claim("mine/skipped", untestable("no constant"))
def skipped():
    """There is a constant."""

@claim("mine/broken", always())
def broken(forall):
    """Raises."""
    return forall.interval("x", 0.0, 1.0) + {}, 1.0

@claim("mine/broken", always(), over=grid(m=[1]))
def unmade(forall, *, n):
    """What is wrong is said."""
'''


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return made


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `check --json` writes about claims of every kind."""
    folder = tmp_path_factory.mktemp("schema")
    (folder / "mine.py").write_text(EVERY_KIND, encoding="utf-8")
    out = folder / "out.json"
    arguments = ["check", str(folder / "mine.py"), "--quick", "--jobs", "1", "--out", str(folder), "--json", str(out)]
    CliRunner().invoke(main, arguments)
    made: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return made


def _sorted(part: Any) -> Any:
    """A schema with its alternatives in one order: releases of msgspec differ in it, and it means nothing."""
    if isinstance(part, list):
        return [_sorted(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    ordered = {name: _sorted(inner) for name, inner in part.items()}
    return {name: sorted(inner, key=json.dumps) if name == "anyOf" else inner for name, inner in ordered.items()}


def test_the_published_schema_is_that_of_the_types(published: dict[str, Any]) -> None:
    """Write it again with `tightrope schema > docs/schema.json`; a change of the layout also changes SCHEMA."""
    assert _sorted(published) == _sorted(json.loads(json.dumps(schema())))
    assert published["properties"]["schema"] == {"const": SCHEMA}
    printed = CliRunner().invoke(main, ["schema"])
    assert _sorted(json.loads(printed.output)) == _sorted(published)


def test_a_run_over_every_kind_and_status_keeps_to_the_schema(
    written: dict[str, Any], published: dict[str, Any]
) -> None:
    parts = (part["properties"] for part in published["$defs"].values() if "properties" in part)
    kinds = {kind for properties in parts if "kind" in properties for kind in properties["kind"]["enum"]}
    assert {claim["kind"] for claim in written["claims"]} == kinds
    statuses = {(claim["kind"], claim["status"]) for claim in written["claims"]}
    assert statuses >= {(kind, "REFUTED") for kind in kinds - {"untestable", "identity", "broken"}}
    assert {"HOLDS", "UNDECIDED", "SKIPPED", "ERROR"} <= {status for _, status in statuses}
    validate(written, published)


def test_a_run_that_was_read_is_written_as_it_was(written: dict[str, Any]) -> None:
    assert json.loads(json.dumps(plain(read(written)))) == written


def _spoilt(run: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A run with one value changed, at a path like "claims.0.cells.0.status"; None takes it away."""
    changed = copy.deepcopy(run)
    *way, last = [int(step) if re.fullmatch(r"\d+", step) else step for step in path.split(".")]
    part = changed
    for step in way:
        part = part[step]  # type: ignore[index]
    if value is None:
        del part[last]  # type: ignore[arg-type]
    else:
        part[last] = value  # type: ignore[index]
    return changed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("schema", 2),
        ("seed", "0"),
        ("version", None),
        ("more", 1),
        ("claims.0.kind", "rate"),
        ("claims.0.status", "FINE"),
        ("claims.0.cells.0.details.finders", [1.0]),
        ("claims.0.cells.0.details.finders", None),
        ("claims.0.cells.0.details.more", 1.0),
        ("claims.1.defect.severity", "grave"),
        ("claims.1.cells.0.counterexample.certificate.verdict", "sure"),
        ("claims.1.cells.0.counterexample.values.x", "1.0"),
        ("claims.0.cells.0.looseness", "1"),
    ],
)
def test_what_is_not_of_the_layout_is_refused(
    written: dict[str, Any], published: dict[str, Any], path: str, value: Any
) -> None:
    """A schema that allows everything would be kept by everything."""
    with pytest.raises(Invalid):
        validate(_spoilt(written, path, value), published)
