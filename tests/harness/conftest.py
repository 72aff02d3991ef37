"""What tests of reports share: claims of every kind, with verdicts of every status."""

import pytest

from harness.report.layout import Run, judged
from harness.report.recorded import SCHEMA
from harness.run.api import check_all, settings_for
from harness.run.loading import from_file
from harness.verdict import Verdict

ALL = '''
import numpy as np
import torch

from harness import (
    Panel, Row, always, claim, expectation, grid, high_probability, identity, rate, reproduction, skip, untestable
)

@claim("all/always", always(), over=grid(n=[1, 2]), cite="A <b>paper</b> & more")
def holds(forall, *, n):
    """sum x <= n & <script>alert(1)</script>."""
    return forall.interval("x", 0.0, 1.0, n).sum(-1), n

@claim("all/always", always(), reading="printed", expected="refuted")
def refuted(forall):
    """x <= 0.9.

    Only the constant is wrong:
    x <= 1 holds.
    """
    return forall.interval("x", 0.0, 1.0), 0.9

@claim("all/negative", always())
def negative(forall):
    """x - 2 <= -1."""
    return forall.interval("x", 0.0, 1.0) - 2.0, -1.0

@claim("all/vacuous", always(), trivial=1.0)
def vacuous(forall):
    """x <= 2."""
    return forall.interval("x", 0.0, 1.0), 2.0

@claim("all/identity", identity())
def identical(forall):
    """x + x = 2 x."""
    x = forall.interval("x", 0.0, 1.0)
    return x + x, 2 * x

@claim("all/probability", high_probability("delta"), over=grid(delta=[0.1]))
def tail(forall, draw, *, delta):
    """P(u < p) <= delta."""
    return draw.uniform("u"), 1.0 - forall.interval("p", 0.0, 0.5 * delta)

@claim("all/never", high_probability("delta"), over=grid(delta=[0.1]))
def never(draw, *, delta):
    """-u <= 0."""
    return -draw.uniform("u"), 0.0

@claim("all/open", high_probability("delta"), over=grid(delta=[0.1]))
def open_(draw, *, delta):
    """P = delta."""
    return (draw.uniform("u") < delta).double(), 0.5

@claim("all/mean", expectation((-1.0, 1.0), margin=0.1))
def mean(draw):
    """E s <= 0."""
    return draw.signs("s"), 0.0

@claim("all/false-mean", expectation((-1.0, 1.0)))
def false_mean(draw):
    """E s <= -0.5."""
    return draw.signs("s") * 0.5, -0.4

@claim("all/mean-without-range", expectation())
def mean_without_range(draw):
    """E (u + 1) <= 0.5."""
    return draw.uniform("u") + 1.0, 0.5

@claim("all/through-numpy", always())
def through_numpy(forall):
    """sin x <= 0.5 x."""
    x = forall.interval("x", 0.1, 1.0).detach().numpy()
    return torch.from_numpy(np.sin(x)), torch.from_numpy(0.5 * x)

@claim("all/vanishing", rate("n", -0.9), over=grid(n=[10, 30, 100, 300]))
def vanishing(draw, *, n):
    """E = 0."""
    return 0.0 * draw.signs("s")

@claim("all/rate", rate("n", -0.9, margin=0.1), over=grid(n=[10, 30, 100, 300]))
def decay(draw, *, n):
    """E = O(1/n)."""
    return (1.0 + 0.1 * draw.signs("s")) / n

@claim("all/table", reproduction(tolerance=0.5))
def table(draw):
    """A mean."""
    return [Row("mean", draw.uniform("u").mean(), 0.01, 0.5), Row("shown", 1.0, 0.1)]

@claim("all/panels", reproduction())
def panels():
    """A figure."""
    landscape = Panel("landscape", values=[[0.0, 1.0], [2.0, 3.0]], points=[[0.0, 0.5]], contour=1.5)
    cloud = Panel("cloud", points=[[0.0, 0.0], [1.0, 1.0]], labels=[-1.0, 1.0])
    return [landscape, Row("height", 3.0, printed=3.0), cloud]

@claim("all/false-table", reproduction())
def false_table():
    """pi = 3."""
    return [Row("pi", 3.14, printed=3.0)]

@claim("all/missing-table", reproduction(), over=grid(data=["there", "not there"]))
def missing_table(*, data):
    """A table without data."""
    raise skip(f"{data}: no data")

@claim("all/skipped", untestable("no constant"))
def skipped():
    """There is a constant."""

@claim("all/broken", always())
def broken(forall):
    """Raises."""
    return forall.interval("x", 0.0, 1.0) + {}, 1.0

@claim("all/broken-table", reproduction())
def broken_table():
    """Raises."""
    return 1 / 0
'''


@pytest.fixture(scope="session")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    path = tmp_path_factory.mktemp("claims") / "all.py"
    path.write_text(ALL)
    claims = from_file(path)
    return check_all(claims, settings=settings_for(effort="quick", family=len(claims)))


@pytest.fixture(scope="session")
def run(verdicts: list[Verdict]) -> Run:
    return Run(
        schema=SCHEMA,
        version="0",
        seed=0,
        alpha=0.01,
        effort="quick",
        family=len(verdicts),
        environment={"python": "3"},
        defects={},
        claims=[judged(verdict) for verdict in verdicts],
    )
