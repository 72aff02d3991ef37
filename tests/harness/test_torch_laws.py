"""Laws of which torch samples another one are refused, and what it clips is not."""

import math

import pytest
import torch
from torch.distributions import (
    Beta,
    Binomial,
    Categorical,
    Chi2,
    ContinuousBernoulli,
    Gamma,
    Independent,
    LKJCholesky,
    LogisticNormal,
    LogNormal,
    MixtureSameFamily,
    MultivariateNormal,
    NegativeBinomial,
    Normal,
    Poisson,
    RelaxedBernoulli,
    VonMises,
    Weibull,
    Wishart,
)

from harness import Draw, check, claim, tail
from harness.errors import ClaimError
from harness.language.registry import Claim
from harness.language.torch_laws import sampled
from harness.verdict import Status

MANY = 200_000


def t(*values: float) -> torch.Tensor:
    return torch.tensor(values[0] if len(values) == 1 else values, dtype=torch.float64)


WRONG = {
    "LKJCholesky": lambda: LKJCholesky(3, t(1.0)),
    "LKJCholesky, in another": lambda: Independent(LKJCholesky(3, t(1.0, 2.0)), 1),
    "rate beyond": lambda: Poisson(t(1.0, 2.0**48)),
    "trials": lambda: Binomial(t(2.0**51), t(0.3)),
    "rates beyond": lambda: NegativeBinomial(t(2.0), logits=t(43.0)),
    "concentration beyond": lambda: VonMises(t(0.0), t(1e12)),
    "degrees of freedom": lambda: Wishart(t(0.1), torch.eye(1, dtype=torch.float64)),
}


@pytest.mark.filterwarnings("ignore:Low df values")
@pytest.mark.parametrize("what", WRONG)
def test_laws_that_torch_samples_wrongly_are_refused_with_a_remedy(what) -> None:
    law = WRONG[what]()
    with pytest.raises(ClaimError, match=rf"^draw variable 'x' is [^.]*{what.partition(',')[0]}.*(use|make) .*\.$"):
        Draw(10, ("k",)).sample("x", law)


def test_just_within_the_limits_torch_is_right() -> None:
    """Means and variances, to seven standard errors."""
    laws = {
        "Poisson": Poisson(t(2.0**46)),
        "binomial": Binomial(t(2.0**46), t(0.3)),
        "negative binomial": NegativeBinomial(t(2.0), logits=t(27.0)),
    }
    torch.manual_seed(5)
    for name, law in laws.items():
        x = sampled("x", law, (MANY,))
        away = (x - law.mean) / law.variance.sqrt()
        assert abs(float(away.mean())) < 7.0 / math.sqrt(MANY), name
        square = away.square()
        assert abs(float(square.mean()) - 1.0) < 7.0 * float(square.std()) / math.sqrt(MANY), name
    angles = sampled("x", VonMises(t(0.0), t(1e8)), (MANY,)) * 1e4
    assert abs(float(angles.square().mean()) - 1.0) < 7.0 * math.sqrt(2.0 / MANY)
    assert int((angles == 0.0).sum()) < 100


def test_what_to_make_instead_of_lkj_is_lkj() -> None:
    """Each correlation has the variance 1 / (d - 1 + 2 concentration), by Lewandowski, Kurowicka and Joe (2009)."""
    draw, order, concentration = Draw(MANY, ("k",)), 3, 1.5
    rows = [torch.tensor([1.0, 0.0, 0.0]).double().expand(MANY, 3)]
    for k in range(2, order + 1):
        y = draw.sample(f"y{k}", Beta(t((k - 1) / 2), t(concentration + (order - k) / 2)))[:, None]
        row = torch.cat([y.sqrt() * draw.sphere(f"u{k}", k - 1), (1.0 - y).sqrt()], -1)
        rows.append(torch.nn.functional.pad(row, [0, order - k]))
    factor = torch.stack(rows, 1)
    squares = (factor @ factor.mT).square()
    for i, j in ((0, 1), (0, 2), (1, 2)):
        error = 7.0 * float(squares[:, i, j].std()) / math.sqrt(MANY)
        assert abs(float(squares[:, i, j].mean()) - 1.0 / (order - 1 + 2.0 * concentration)) < error


def test_samples_are_those_of_torch_where_it_clips_nothing() -> None:
    a = t(0.5, 3.0)
    mixtures = (
        MixtureSameFamily(Categorical(t(0.3, 0.7)), Normal(a, a)),
        MixtureSameFamily(Categorical(t(0.3, 0.7).expand(4, 2)), Gamma(a.expand(4, 2), a.expand(4, 2))),
        MixtureSameFamily(
            Categorical(t(0.3, 0.7)), MultivariateNormal(t(0.0, 1.0).expand(2, 2), torch.eye(2).double())
        ),
    )
    others = (LogisticNormal(a, a), RelaxedBernoulli(t(1.0), probs=t(0.3)), ContinuousBernoulli(t(0.2)))
    for law in (*mixtures, *others):
        torch.manual_seed(3)
        plain = law.sample(torch.Size((100, 3)))
        torch.manual_seed(3)
        assert torch.equal(sampled("x", law, (100, 3)), plain)


def test_components_of_mixtures_do_not_become_one_half() -> None:
    law = MixtureSameFamily(Categorical(t(0.3, 0.7)), Beta(t(0.001, 0.002), t(0.001, 0.002)))
    torch.manual_seed(1)
    assert int((sampled("x", law, (10_000,)) == 0.5).sum()) == 0


def test_sticks_break_where_torch_clips_them() -> None:
    """To the weights that logarithms give: the last of them is 1 / (1 + e^z)."""
    law = LogisticNormal(t(0.0).expand(1), t(300.0).expand(1))
    torch.manual_seed(2)
    z = sampled("x", law.base_dist, (1000,))[..., 0]
    torch.manual_seed(2)
    x = sampled("x", law, (1000,))
    assert bool((x[..., 1] < 1e-100).any())
    assert torch.allclose(x[..., 1], torch.sigmoid(-z), rtol=1e-7, atol=0.0)
    assert torch.allclose(x[..., 0], torch.sigmoid(z), rtol=1e-7, atol=0.0)


def test_continuous_bernoulli_next_to_a_half_is_not_uniform() -> None:
    """To first order its samples are u + 4 (p - 1/2) u (1 - u) / 2 of uniform u."""
    torch.manual_seed(4)
    x = sampled("x", ContinuousBernoulli(t(0.4991)), (1000,))
    torch.manual_seed(4)
    u = torch.rand(1000, dtype=torch.float64)
    assert torch.allclose(x - u, 2.0 * -0.0009 * u * (1.0 - u), atol=1e-5)
    assert bool((x < u).any())


PAIRS = {
    "gamma": lambda a: Gamma(a, torch.ones_like(a)),
    "chi-squared": Chi2,
    "lognormal": lambda a: LogNormal(torch.zeros_like(a), 1.0 / a),
    "Weibull": lambda a: Weibull(torch.ones_like(a), a),
}


def pair(name: str, limit: float, least: float = 0.0005) -> Claim:
    @claim(f"pairs/{name}", tail())
    def first_is_smaller(forall, draw):
        """P(X <= Y) <= 52 % of two independent samples of one law, of which both may be beyond the range of floats."""
        law = PAIRS[name](forall.interval("a", least, 3.0))
        return draw.sample("x", law) <= draw.sample("y", law), limit

    return first_is_smaller


@pytest.mark.in_turn
@pytest.mark.parametrize("name", PAIRS)
def test_two_samples_beyond_the_range_of_floats_are_not_equal(name: str) -> None:
    assert check(pair(name, 0.52), effort="quick").status is not Status.REFUTED
    assert check(pair(name, 0.3, least=0.5), effort="quick").status is Status.REFUTED


def test_no_chi_squared_sample_is_the_number_in_place_of_which_torch_puts_the_smallest() -> None:
    """torch returns 2^-1021, for the variate that underflows is divided by the rate 1/2."""
    found = sampled("x", Chi2(torch.tensor(0.001, dtype=torch.float64)), (1000,))
    assert (found == 0.0).double().mean() > 0.5
    assert not (found == 2.0 * torch.finfo(torch.float64).tiny).any()
