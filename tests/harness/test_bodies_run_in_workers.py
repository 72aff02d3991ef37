"""Bodies run in workers: what one prints, imports or does to its process never reaches the process that judges."""

import json
import subprocess
import sys
from pathlib import Path

CLAIMS = '''
import os

from harness import (
    Estimate, Row, always, claim, expectation, grid, high_probability, identity, rate, reproduction, tail,
    up_to_constant,
)

LOADED_IN = os.getpid()
SIZES = [8, 16, 32, 64, 128]


def elsewhere():
    print("said by a body")
    if os.getpid() == LOADED_IN:
        raise RuntimeError("run by the judge itself")


@claim("bodies/identity", identity())
def same(forall):
    """x = x."""
    elsewhere()
    x = forall.interval("x", 0.0, 1.0)
    return x, x


@claim("bodies/always", always())
def below(forall):
    """x <= 1."""
    elsewhere()
    return forall.interval("x", 0.0, 1.0), 1.0


@claim("bodies/high-probability", high_probability("delta"), over=grid(delta=[0.1]))
def likely(forall, draw, *, delta):
    """u <= .95 p + 1 - p but for one in ten."""
    elsewhere()
    return draw.uniform("u"), 1.0 - 0.05 * forall.interval("p", 0.0, 1.0)


@claim("bodies/tail", tail())
def rare(forall, draw):
    """P(u <= p) <= p + .1."""
    elsewhere()
    p = forall.interval("p", 0.3, 0.6)
    return draw.uniform("u") <= p, p + 0.1


@claim("bodies/expectation", expectation(range=(-1.0, 1.0)))
def mean(forall, draw):
    """E p u <= .6."""
    elsewhere()
    return draw.uniform("u") * forall.interval("p", 0.0, 1.0), 0.6


@claim("bodies/rate", rate("n", -0.5), over=grid(n=SIZES))
def falling(forall, draw, *, n):
    """The mean of n signs falls like 1 / sqrt n, by any factor p."""
    elsewhere()
    return forall.interval("p", 0.5, 1.0) * draw.signs("e", n).mean(-1).abs()


@claim("bodies/drawn-ratio", up_to_constant("n"), over=grid(n=SIZES))
def drawn(draw, *, n):
    """E |mean of n signs| <= C / sqrt n."""
    elsewhere()
    return draw.signs("e", n).mean(-1).abs(), n**-0.5


@claim("bodies/ratio", up_to_constant("n"), over=grid(n=SIZES))
def ratio(forall, *, n):
    """|x|_1 <= C sqrt n |x|_2."""
    elsewhere()
    x = forall.ball("x", n)
    return x.abs().sum(-1), n**0.5 * x.norm(dim=-1)


@claim("bodies/table", reproduction(tolerance=0.5))
def table(draw):
    """The mean of a uniform number is .5."""
    elsewhere()
    return [Row("mean", Estimate.mean(draw.uniform("u").tolist()), printed=0.5)]
'''


def test_no_kind_runs_a_body_in_the_process_that_judges(tmp_path: Path) -> None:
    """Would catch a plan that looks at a set itself: beside other files it found the modules of another folder."""
    file, out = tmp_path / "claims.py", tmp_path / "verdicts.json"
    file.write_text(CLAIMS)
    options = ["--quick", "--jobs", "1", "--out", str(tmp_path / "out"), "--json", str(out)]
    command = [sys.executable, "-c", "from harness.cli import main; main()", "check", str(file), *options]
    process = subprocess.run(command, capture_output=True, check=False, timeout=600.0)
    claims = json.loads(out.read_text())["claims"]
    assert len(claims) == 9
    assert {c["id"]: (c["status"], c["reason"]) for c in claims if c["status"] not in ("HOLDS", "PROVED")} == {}
    assert b"said by a body" not in process.stdout + process.stderr
