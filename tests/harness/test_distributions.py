"""Distributions as inputs: exact moments, honest draws, and classics whose constants are sharp."""

import math

import numpy as np
import pytest
import torch

from harness import ClaimError, always, check, claim, grid, tail
from harness.language.distributions import Atoms, GaussianMixture, Pareto
from harness.language.quantifiers import Draw, Forall

pytestmark = pytest.mark.usefixtures("double_precision")
MANY = 200_003


def law() -> Atoms:
    return Atoms(torch.tensor([[0.0, 2.0, -1.0]]), torch.tensor([[0.5, 0.2, 0.3]]))


def test_moments_of_atoms_are_exact() -> None:
    assert law().mean.item() == pytest.approx(0.1, abs=1e-15)
    assert law().variance.item() == pytest.approx(0.5 * 0.01 + 0.2 * 1.9**2 + 0.3 * 1.1**2, abs=1e-15)
    assert law().expect(lambda x: x**3).item() == pytest.approx(1.3, abs=1e-15)
    assert law().probability(lambda x: x > -0.5).item() == pytest.approx(0.7, abs=1e-15)


@pytest.mark.parametrize(
    ("level", "atom"), [(0.1, -1.0), (0.3, -1.0), (0.31, 0.0), (0.8, 0.0), (0.81, 2.0), (1.0, 2.0)]
)
def test_quantiles_of_atoms(level: float, atom: float) -> None:
    assert law().quantile(level).item() == atom


def test_laws_on_the_same_places_have_quantiles_of_their_own() -> None:
    weights = torch.tensor([[0.2, 0.2, 0.6], [0.6, 0.2, 0.2], [0.2, 0.6, 0.2]])
    listed = Atoms(torch.tensor([[0.0, 1.0, 2.0]]), weights)
    assert listed.quantile(0.5).tolist() == [2.0, 0.0, 1.0]
    assert listed.quantile(torch.tensor([0.1, 0.7, 0.9])).tolist() == [0.0, 1.0, 2.0]


def test_the_definition_of_a_quantile_holds_and_a_false_one_is_refuted() -> None:
    @claim("mine/quantile", always())
    def definition(forall):
        """max(P(X < q) - 0.3, 0.3 - P(X <= q)) <= 0 for the 0.3-quantile q."""
        made = forall.law("P", atoms=4)
        q = made.quantile(0.3)[:, None]
        return torch.maximum(made.probability(lambda x: x < q) - 0.3, 0.3 - made.probability(lambda x: x <= q)), 0.0

    @claim("mine/median", always(), expected="refuted")
    def below(forall):
        """P(X < median) <= 0.4999 on three listed places."""
        made = forall.law("P", atoms=[0.0, 1.0, 2.0])
        median = made.quantile(0.5)[:, None]
        return made.probability(lambda x: x < median), 0.4999

    assert check(definition, effort="quick").status == "HOLDS"
    assert check(below, effort="quick").status == "REFUTED"


@pytest.mark.parametrize(
    ("distribution", "spread"),
    [
        (law(), 1.0),
        (GaussianMixture(torch.tensor([[0.0, 3.0]]), torch.tensor([[1.0, 0.1]]), torch.tensor([[0.25, 0.75]])), 1.0),
        (Pareto(torch.tensor([5.0])), 1.0),
    ],
    ids=["atoms", "mixture", "pareto"],
)
def test_draws_have_the_moments_that_are_stated(distribution, spread: float) -> None:
    """Each at six standard errors: a correct one fails once in 10^8 runs, and the streams are fixed."""
    x = Draw(MANY, ("test",)).law("x", distribution, 2).numpy()
    assert x.shape == (MANY, 2)
    mean, variance = distribution.mean.item(), distribution.variance.item()
    assert abs(x.mean() - mean) <= 6.0 * math.sqrt(variance / x.size)
    squares = (x - mean) ** 2
    assert abs(squares.mean() - variance) <= 6.0 * squares.std() / math.sqrt(x.size)
    assert abs(np.corrcoef(x[:, 0], x[:, 1])[0, 1]) <= 6.0 / math.sqrt(MANY)


def test_heavy_tails_say_so() -> None:
    heavy = Pareto(torch.tensor([0.9, 1.5, 3.0]))
    assert heavy.mean.tolist() == [math.inf, 3.0, 1.5]
    assert heavy.variance.tolist() == [math.inf, math.inf, 0.75]


def test_each_input_is_a_variable_of_its_own() -> None:
    seen = []
    rng = np.random.default_rng(0)

    def source(space):
        seen.append(space.name)
        return space.sample(rng, 3)

    forall = Forall(source)
    assert forall.law("P", atoms=4, low=-1.0).mean.shape == (3,)
    assert forall.law("Q", atoms=[0.0, 1.0]).weights.shape == (3, 2)
    assert forall.gaussian_mixture("R", 2, radius=3.0).variance.shape == (3,)
    assert forall.pareto("S", index=(1.0, 4.0)).mean.shape == (3,)
    assert seen == ["P atoms", "P weights", "Q weights", "R means", "R scales", "R weights", "S index"]
    with pytest.raises(ClaimError):
        forall.pareto("T", index=(-1.0, 4.0))


def bhatia_davis(share: float):
    @claim("classics/bhatia-davis", always(), over=grid(k=[2, 3]))
    def made(forall, *, k):
        """Var X <= share (1 - E X) E X on [0, 1]; true for a share of 1, with equality on {0, 1}."""
        p = forall.law("P", atoms=k)
        return p.variance, share * (1.0 - p.mean) * p.mean

    return made


def test_a_law_that_is_not_drawn_from() -> None:
    assert check(bhatia_davis(1.0), effort="quick").status.favourable
    assert check(bhatia_davis(0.9), effort="quick").status == "REFUTED"


def cantelli(share: float):
    @claim("classics/cantelli", tail())
    def made(forall, draw):
        """P(X - E X >= t) <= share Var X / (Var X + t^2); true for a share of 1, with equality for two atoms."""
        p, t = forall.law("P", atoms=2, low=-1.0), forall.interval("t", 0.05, 2.0)
        return draw.law("x", p) >= p.mean + t, share * p.variance / (p.variance + t**2)

    return made


def test_cantelli_s_inequality() -> None:
    assert check(cantelli(1.0), effort="quick").status in ("HOLDS", "UNDECIDED")
    assert check(cantelli(0.8), effort="quick").status == "REFUTED"
