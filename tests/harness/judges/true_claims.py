"""One true claim, and tight where it can be, for every kind of statement."""

import math

import torch

from harness import Row
from harness.kinds import always, expectation, high_probability, identity, rate, reproduction
from harness.language.registry import claim, grid


@claim("true/cauchy-schwarz", always())
def cauchy_schwarz(forall):
    """<x, y> <= |x| |y|, with equality on a ray."""
    x, y = forall.interval("x", -3.0, 3.0, 4), forall.interval("y", -3.0, 3.0, 4)
    return (x * y).sum(-1), x.norm(dim=-1) * y.norm(dim=-1)


@claim("true/max-entropy", always())
def entropy(forall):
    """Entropy <= log k, with equality at the uniform law."""
    p = forall.simplex("p", 5)
    return torch.special.entr(p).sum(-1), math.log(5)


@claim("true/sign-sum", always())
def sign_sum(forall):
    """(sum s)^2 <= n^2, with equality at equal signs; integers only."""
    return forall.signs("s", 9).sum(-1) ** 2, 81.0


@claim("true/no-variables", always())
def closed_form():
    """1/3 <= 1/3."""
    return 1.0 / 3.0, 2.0 / 6.0


@claim("true/polarisation", identity())
def polarisation(forall):
    """4 <x, y> = |x + y|^2 - |x - y|^2, through cancellation."""
    x, y = forall.interval("x", -100.0, 100.0, 3), forall.ball("y", 3)
    return 4.0 * (x * y).sum(-1), (x + y).square().sum(-1) - (x - y).square().sum(-1)


@claim("true/trace-of-square", identity(), over=grid(n=[1, 2, 5]))
def trace_of_square(forall, *, n):
    """tr K^2 = sum of squared entries, for symmetric K."""
    k = forall.psd("K", n)
    return (k @ k).diagonal(dim1=-2, dim2=-1).sum(-1), k.square().sum((-2, -1))


@claim("true/exact-tie", high_probability("delta"), over=grid(delta=[0.05, 0.3]))
def exact_delta(draw, *, delta):
    """P(u < delta) = delta exactly: the tightest true statement there is."""
    return (draw.uniform("u") < delta).double(), 0.5


@claim("true/worst-bias", high_probability("delta"), over=grid(delta=[0.1]))
def worst_bias(forall, draw, *, delta):
    """P(x = 1) = p <= delta for p in [0, delta]: exact at the end of the interval."""
    return draw.bernoulli("x", forall.interval("p", 0.0, delta)), 0.5


@claim("true/discrete-tie", high_probability("delta"), over=grid(n=[10], delta=[0.01]))
def discrete_tie(draw, *, n, delta):
    """mean <= max over n signs: equal sides in a positive share of the draws, through rounding."""
    x = draw.signs("x", n)
    tenths = (x * 0.1).sum(-1)
    return tenths, (x.sum(-1)) * 0.1


@claim("true/hoeffding", high_probability("delta"), over=grid(n=[30], delta=[0.05]))
def hoeffding(forall, draw, *, n, delta):
    """|mean - p| <= sqrt(log(2/delta) / (2 n))."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (2 * n))


@claim("true/fair-coin", expectation((-1.0, 1.0), margin=0.05))
def fair_coin(draw):
    """E s <= 0 for a fair sign: equality."""
    return draw.signs("s"), 0.0


@claim("true/jensen", expectation((-1.0, 1.0), margin=0.05))
def jensen(forall, draw):
    """E x^2 <= p for x in {0, 1}: equality for every p."""
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", p).square(), p


@claim("true/centred-normal", expectation(margin=0.1))
def centred_normal(draw):
    """E z <= 0, no range."""
    return draw.normal("z"), 0.0


@claim("true/rare-loss", expectation((-9999.0, math.inf)))
def rare_loss(draw):
    """E x <= 0 for 1, and -9999 once in ten thousand: most samples never see the loss."""
    return torch.where(draw.uniform("u") < 1e-4, -9999.0, 1.0), 0.0


@claim("true/rare-loss-without-range", expectation())
def rare_loss_without_range(draw):
    """The same without a range: 0.99^100 of all samples of a hundred are sure that E x = 1."""
    return torch.where(draw.uniform("u") < 1e-4, -9999.0, 1.0), 0.0


@claim("true/heavy-tail", expectation((-math.exp(0.5), math.inf)))
def heavy_tail(draw):
    """E exp(z) <= exp(1/2): equality, unbounded above."""
    return draw.normal("z").exp(), math.exp(0.5)


@claim("true/rounding-of-one-sign", expectation((-1e-16, 1e-16), margin=1e-17))
def rounding_of_one_sign(draw):
    """E (0.1 + 0.2) <= E 0.3: 6e-17 without variance must not look like certainty, at a range of its own size."""
    zero = 0.0 * draw.normal("z")
    return zero + (0.1 + 0.2), zero + 0.3


@claim("true/mean-of-squares", rate("n", -1.0), over=grid(n=[10, 30, 100, 300, 1000]))
def variance_of_a_mean(draw, *, n):
    """E mean^2 = 1/n."""
    return draw.normal("z", n).mean(-1).square()


@claim("true/lower-order", rate("n", -1.0, margin=0.1), over=grid(n=[10, 30, 100, 300, 1000]))
def lower_order_term(draw, *, n):
    """E = (1 + 2 n^-1/2) / n: the correction term is not a slower rate."""
    return (1.0 + 2.0 * n**-0.5) / n * (1.0 + 0.3 * draw.signs("s"))


@claim("true/table", reproduction(tolerance=0.01))
def table():
    """Two rows of a table."""
    return [Row("pi", math.pi, printed=3.14), Row("e", math.e, 1e-6, 2.718), Row("ours alone", 1.0, 0.1)]


@claim("true/table-at-most", reproduction(sided="at most"))
def table_at_most(draw):
    """A mean at most one half and a bit, with its standard error."""
    u = draw.uniform("u", 1000).mean(-1)
    return [Row("mean", u.mean(), u.std() / draw.reps**0.5, 0.6)]


TRUE = [
    cauchy_schwarz,
    entropy,
    sign_sum,
    closed_form,
    polarisation,
    trace_of_square,
    exact_delta,
    worst_bias,
    discrete_tie,
    hoeffding,
    fair_coin,
    jensen,
    centred_normal,
    rare_loss,
    rare_loss_without_range,
    heavy_tail,
    rounding_of_one_sign,
    variance_of_a_mean,
    lower_order_term,
    table,
    table_at_most,
]
# Which of the true claims a quick run certifies; the others are equalities that no finite sample certifies.
CERTIFIED = [cauchy_schwarz, entropy, sign_sum, closed_form, polarisation, trace_of_square, discrete_tie, hoeffding]
CERTIFIED += [fair_coin, jensen, lower_order_term, table, table_at_most, rounding_of_one_sign]
