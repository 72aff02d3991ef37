"""Posteriors at extreme temperatures, divergences against fractions, closed-form suprema against many posteriors."""

import math

import mpmath
import pytest
import torch

from algos.kernel_learning.pseudo_posterior import (
    chi_square_divergence,
    conjugate_norm,
    effective_sample_size,
    gibbs_posterior,
    kl_divergence,
    log_moment,
)

CLOSE = {"rtol": 1e-12, "atol": 1e-13}


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def random_posteriors(count: int, atoms: int) -> torch.Tensor:
    """Posteriors from nearly uniform to nearly one atom."""
    generator = torch.Generator().manual_seed(5)
    scale = torch.logspace(-2, 2, count, dtype=torch.float64).unsqueeze(-1)
    return (scale * torch.randn(count, atoms, dtype=torch.float64, generator=generator)).softmax(-1)


PRIORS = [None, tensor([0.1, 0.2, 0.3, 0.4])]
VALUES = tensor([0.3, -0.2, 0.7, 0.1])


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("tau", [0.0, 0.5, 30.0])
def test_the_gibbs_posterior_minimises_its_objective(prior, tau):
    """Catches a wrong sign or a temperature off by a factor: no other posterior has a lower objective."""
    ours = gibbs_posterior(VALUES, tau, prior=prior)

    def objective(q):
        return tau * (q * VALUES).sum(-1) + kl_divergence(q, prior)

    truth = -log_moment(-tau * VALUES, prior=prior)
    torch.testing.assert_close(objective(ours), truth, **CLOSE)
    assert (objective(random_posteriors(4000, 4)) >= truth - 1e-12).all()


@pytest.mark.parametrize("prior", PRIORS)
def test_extreme_temperatures_neither_overflow_nor_lose_mass(prior):
    losses = tensor([5.0, 5.0, 5.5, 1e6])
    for tau in (0.0, 1e-300, 1.0, 1e5, 1e300):
        q = gibbs_posterior(losses, tau, prior=prior)
        assert q.isfinite().all()
        assert float(q.sum()) == pytest.approx(1, rel=1e-14)
    base = tensor([0.25] * 4) if prior is None else prior
    torch.testing.assert_close(gibbs_posterior(losses, 0.0, prior=prior), base, **CLOSE)
    expected = torch.cat([base[:2] / base[:2].sum(), base.new_zeros(2)])
    torch.testing.assert_close(gibbs_posterior(losses, 1e300, prior=prior), expected, **CLOSE)


def test_a_prior_without_mass_on_the_best_atom_keeps_it_out():
    q = gibbs_posterior(tensor([0.0, 1e9, 1e9]), 1e6, prior=tensor([0.0, 0.5, 0.5]))
    torch.testing.assert_close(q, tensor([0.0, 0.5, 0.5]), **CLOSE)


def test_one_atom_and_a_batch_of_temperatures():
    assert float(gibbs_posterior(tensor([3.0]), 7.0)) == 1.0
    batch = gibbs_posterior(VALUES, tensor([0.0, 2.0]))
    torch.testing.assert_close(batch[1], gibbs_posterior(VALUES, 2.0), **CLOSE)


def test_divergences_at_known_values():
    """One vertex: KL = log N, chi-square = N - 1; the prior itself: zero; mass outside the prior: infinite."""
    vertex, uniform = tensor([1.0, 0.0, 0.0, 0.0]), tensor([0.25] * 4)
    assert float(kl_divergence(vertex)) == pytest.approx(math.log(4), rel=1e-15)
    assert float(chi_square_divergence(vertex)) == pytest.approx(3, rel=1e-15)
    assert float(effective_sample_size(vertex)) == 1.0
    for divergence in (kl_divergence, chi_square_divergence):
        assert float(divergence(uniform)) == 0.0
        assert float(divergence(uniform, vertex)) == math.inf
        q, p = tensor([0.5, 0.5, 0.0, 0.0]), tensor([0.25, 0.75, 0.0, 0.0])
        truth = {
            kl_divergence: 0.5 * math.log(2) + 0.5 * math.log(2 / 3),
            chi_square_divergence: 0.0625 / 0.25 + 0.0625 / 0.75,
        }[divergence]
        assert float(divergence(q, p)) == pytest.approx(truth, rel=1e-14)
    q = random_posteriors(50, 6)
    torch.testing.assert_close(effective_sample_size(q), 6 / (1 + chi_square_divergence(q)), **CLOSE)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("order", [1.3, 2.0, 4.0])
def test_the_conjugate_norm_is_attained_and_never_exceeded(prior, order):
    """Catches the exponent mu in place of its conjugate (they agree at mu = 2 alone)."""
    p = tensor([0.25] * 4) if prior is None else prior

    def ratio(q):
        return (q * VALUES).sum(-1) / (p * (q / p) ** order).sum(-1) ** (1 / order)

    supremum = conjugate_norm(VALUES, order, prior=prior)
    best = p * VALUES.clamp_min(0) ** (1 / (order - 1))
    torch.testing.assert_close(ratio(best / best.sum()), supremum, **CLOSE)
    assert (ratio(random_posteriors(4000, 4)) <= supremum * (1 + 1e-12)).all()


def test_suprema_are_stable_at_extreme_values_and_differentiable():
    assert float(log_moment(tensor([1e4, 0.0]))) == pytest.approx(1e4 - math.log(2), rel=1e-15)
    assert float(conjugate_norm(tensor([1e-200, 0.0]), 1.01)) > 0
    assert float(conjugate_norm(tensor([-1.0, 0.0]), 3.0)) == 0.0
    leaf = tensor([0.3, 0.2, 0.7]).requires_grad_()
    assert torch.autograd.gradcheck(lambda v: conjugate_norm(v, 3.0), leaf)
    assert torch.autograd.gradcheck(log_moment, leaf)
    assert torch.autograd.gradcheck(lambda v: gibbs_posterior(v, 2.0), leaf)


def test_what_is_nearly_equal_keeps_its_digits():
    """Divergences of 1/2 + e and 1/2 - e from uniform, and log E exp(v) of tiny v, against 50 digits and expansions."""
    q, uniform, shift = tensor([0.5 + 2.0**-20, 0.5 - 2.0**-20]), tensor([0.5, 0.5]), 2.0**-19
    with mpmath.workdps(50):
        exact = float(sum(mpmath.mpf(x) * mpmath.log(2 * mpmath.mpf(x)) for x in q.tolist()))
    for prior in (None, uniform):
        assert float(kl_divergence(q, prior)) == pytest.approx(exact, rel=1e-9, abs=0)
        assert float(kl_divergence(q, prior)) == pytest.approx(shift**2 / 2, rel=1e-9, abs=0)
        assert float(log_moment(tensor([1e-12, 2e-12]), prior=prior)) == pytest.approx(
            1.5e-12 + 1.25e-25, rel=1e-15, abs=0
        )
        assert float(log_moment(tensor([-800.0, 0.0]), prior=prior)) == -math.log(2)


def test_atoms_that_the_prior_leaves_out_scale_nothing_and_cost_everything():
    prior = tensor([0.0, 0.5, 0.5])
    for order in (1.001, 1.01, 2.0):
        assert float(conjugate_norm(tensor([1e200, 1.0, 1.0]), order, prior=prior)) == 1.0
    batch = chi_square_divergence(tensor([[1e-170, 0.5, 0.5], [0.0, 0.5, 0.5]]), prior)
    assert batch.tolist() == [math.inf, 0.0]


def test_bad_input_is_named():
    with pytest.raises(ValueError, match=r"inverse_temperature = -1\.0"):
        gibbs_posterior(VALUES, -1.0)
    with pytest.raises(ValueError, match="inverse_temperature = inf"):
        gibbs_posterior(VALUES, math.inf)
    with pytest.raises(ValueError, match=r"order = 1\.0"):
        conjugate_norm(VALUES, 1.0)
