"""One false claim for every kind of statement."""

import math

import torch

from harness import Row
from harness.kinds import always, expectation, high_probability, identity, rate, reproduction
from harness.language.registry import claim, grid


@claim("false/cauchy-schwarz", always())
def too_small_constant(forall):
    """<x, y> <= 0.999 |x| |y|: false on rays only, a set of measure zero."""
    x, y = forall.interval("x", -3.0, 3.0, 4), forall.interval("y", -3.0, 3.0, 4)
    return (x * y).sum(-1), 0.999 * x.norm(dim=-1) * y.norm(dim=-1)


@claim("false/entropy", always())
def entropy_too_small(forall):
    """Entropy <= 0.9999 log k: false near the uniform law only."""
    p = forall.simplex("p", 5)
    return torch.special.entr(p).sum(-1), 0.9999 * math.log(5)


@claim("false/one-cell", always(), over=grid(n=[1, 2, 3]))
def false_in_one_cell(forall, *, n):
    """sum x <= 2 for x in [0, 1]^n: false for n = 3 only."""
    return forall.interval("x", 0.0, 1.0, n).sum(-1), 2.0 + 1e-6


@claim("false/no-variables", always())
def false_closed_form():
    """1 <= 0.999."""
    return 1.0, 0.999


@claim("false/identity", identity())
def classes_as_sets(forall):
    """sum k = 3 max k: false unless all are equal."""
    k = forall.integers("k", 1, 4, 3)
    return k.sum(-1), 3.0 * k.amax(-1)


@claim("false/tail", high_probability("delta"), over=grid(delta=[0.05]))
def twice_delta(draw, *, delta):
    """P(u < 2 delta) <= delta."""
    return (draw.uniform("u") < 2.0 * delta).double(), 0.5


@claim("false/hoeffding", high_probability("delta"), over=grid(n=[10, 100], delta=[0.05]))
def hoeffding_eight(forall, draw, *, n, delta):
    """|mean - p| <= sqrt(log(2/delta) / (8 n)): half the width."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (8 * n))


@claim("false/narrow-bias", high_probability("delta"), over=grid(delta=[0.05]))
def narrow_bias(forall, draw, *, delta):
    """P(x = 1) <= delta for all p, false for 0.48 < p < 0.52 only."""
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", torch.where((p - 0.5).abs() < 0.02, 0.5, 0.0)), 0.5


@claim("false/mean", expectation((-1.0, 1.0)))
def biased_coin(draw):
    """E s <= 0 for a sign of mean 0.1."""
    return 2.0 * draw.bernoulli("x", 0.55) - 1.0, 0.0


@claim("false/mean-from-below", expectation((-0.7, math.inf)))
def absolute_normal(draw):
    """E |z| <= 0.7, for sqrt(2/pi): bounded from below alone."""
    return draw.normal("z").abs(), 0.7


@claim("false/mean-at-one-law", expectation((-1.0, 1.0)))
def mean_at_one_law(forall, draw):
    """E x <= 1/2 for all biases."""
    return draw.bernoulli("x", forall.interval("p", 0.0, 1.0)), 0.5


@claim("false/rate", rate("n", -1.0), over=grid(n=[10, 18, 32, 56, 100, 180, 320]))
def slower_rate(draw, *, n):
    """E |mean| = O(1/n): it is n^-1/2."""
    return draw.normal("z", n).mean(-1).abs()


@claim("false/table", reproduction(tolerance=0.01))
def false_table():
    """pi = 3.2."""
    return [Row("e", math.e, printed=2.718), Row("pi", math.pi, 0.001, 3.2)]


@claim("false/table-at-least", reproduction(sided="at least"))
def false_at_least(draw):
    """A mean of at least 0.6."""
    u = draw.uniform("u", 1000).mean(-1)
    return [Row("mean", u.mean(), u.std() / draw.reps**0.5, 0.6)]


FALSE = [
    too_small_constant,
    entropy_too_small,
    false_in_one_cell,
    false_closed_form,
    classes_as_sets,
    twice_delta,
    hoeffding_eight,
    narrow_bias,
    biased_coin,
    absolute_normal,
    mean_at_one_law,
    slower_rate,
    false_table,
    false_at_least,
]
