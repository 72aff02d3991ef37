"""Honest claims that are judged beside the hostile ones; every kind of judge is among them."""

from harness import Row, always, claim, expectation, grid, high_probability, identity, rate, reproduction


@claim("honest/inequality", always(), over=grid(n=[2, 3]))
def inequality(forall, *, n):
    """<x, y> <= |x| |y|."""
    x, y = forall.interval("x", -1.0, 1.0, n), forall.ball("y", n)
    return (x * y).sum(-1), x.norm(dim=-1) * y.norm(dim=-1)


@claim("honest/false", always(), expected="refuted")
def false(forall):
    """sum x <= 2.9."""
    return forall.interval("x", 0.0, 1.0, 3).sum(-1), 2.9


@claim("honest/identity", identity())
def square(forall):
    """x^2 = x x."""
    x = forall.interval("x", -1.0, 1.0)
    return x**2, x * x


@claim("honest/probability", high_probability("delta"), over=grid(delta=[0.1, 0.2]))
def tail(forall, draw, *, delta):
    """P(u < p) <= delta."""
    return (draw.uniform("u") < forall.interval("p", 0.0, 0.5 * delta)).double(), 0.5


@claim("honest/mean", expectation((-1.0, 1.0), margin=0.1))
def mean(draw):
    """E s <= 0."""
    return draw.signs("s"), 0.0


@claim("honest/rate", rate("n", -0.9, margin=0.1), over=grid(n=[10, 30, 100, 300]))
def decay(draw, *, n):
    """E = O(1/n)."""
    return (1.0 + 0.1 * draw.signs("s")) / n


@claim("honest/table", reproduction(tolerance=0.5))
def table(draw):
    """A mean."""
    return [Row("mean", draw.uniform("u").mean(), 0.01, 0.5)]
