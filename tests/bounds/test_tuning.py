"""Tuned bounds against the infimum they approach, brute force over their grid, and exact coverage."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from bounds import pac_bayes
from bounds.pac_bayes import tuning

BOUNDS = {
    "second_order": pac_bayes.second_order_kl_bound,
    "first_order": pac_bayes.first_order_kl_bound,
    "averaged_first_order": pac_bayes.averaged_first_order_kl_bound,
}
ANY = st.fixed_dictionaries(
    {"bound": st.sampled_from(list(BOUNDS)), "sample_size": st.integers(2, 10**6), "delta": st.floats(1e-9, 0.99)}
)


@given(ANY, st.floats(0, 1e4))
def test_the_default_grid_covers_every_divergence_with_a_gap_below_one(form, kl):
    """Where the infimum of the gap is below one, the guarantee holds without naming a largest divergence."""
    if tuning.kl_bound_infimum(0.0, kl, **form) < 1:
        ideal = tuning.kl_bound_infimum(0.0, kl + math.log(tuning.temperature_grid_size(**form)), **form)
        assert tuning.tuned_kl_bound(0.0, kl, **form) <= math.cosh(math.log(2.5) / 2) * ideal * (1 + 1e-12)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("delta", [0.05, 0.9])
def test_the_chosen_temperature_is_the_best_of_a_grid_that_ignores_the_sample(bound, delta):
    """All temperatures that any divergence leads to form the grid: at most K; the chosen one is the best of them."""
    form = {"bound": bound, "sample_size": 1000, "delta": delta}
    size = tuning.temperature_grid_size(**form)
    divergences = np.concatenate([[0.0], np.geomspace(1e-3, 1e5, 400)])
    chosen = tuning.tuned_inverse_temperature(divergences, **form)
    grid = np.unique(chosen)
    assert len(grid) == size > 1
    assert np.allclose(grid[1:] / grid[:-1], grid[1] / grid[0], rtol=1e-12)
    assert grid[1] / grid[0] <= 2.5
    plain = {"sample_size": 1000, "delta": delta / size}
    for kl in divergences[::10]:
        every = [BOUNDS[bound](0.2, kl, inverse_temperature=float(t), **plain) for t in grid]
        assert tuning.tuned_kl_bound(0.2, kl, **form) == pytest.approx(min(every), rel=1e-12)


def test_a_uniform_prior_on_a_million_frequencies_needs_one_temperature():
    """delta = .05, KL <= log N: the best t varies by less than 2.5, so one t is within 11 % for every posterior."""
    form = {"bound": "second_order", "sample_size": 340, "delta": 0.05}
    grid = form | {"largest_divergence": math.log(10**6)}
    assert tuning.temperature_grid_size(**grid) == 1
    for kl in np.linspace(0, math.log(10**6), 30):
        assert tuning.tuned_kl_bound(0.0, kl, **grid) <= 1.11 * tuning.kl_bound_infimum(0.0, kl, **form)


def test_infinite_divergence_and_tensors_are_treated_entry_by_entry():
    """An infinite divergence gives an infinite bound and a finite temperature, and leaves its neighbours alone."""
    form = {"bound": "second_order", "sample_size": 340, "delta": 0.05}
    divergence = torch.tensor([0.5, math.inf, 30.0], dtype=torch.float64, requires_grad=True)
    loss = torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64, requires_grad=True)
    value = tuning.tuned_kl_bound(loss, divergence, **form)
    assert value.dtype == torch.float64
    assert value[1] == math.inf
    assert tuning.tuned_inverse_temperature(math.inf, **form) >= tuning.tuned_inverse_temperature(30.0, **form)
    for index, (empirical, kl) in {0: (0.1, 0.5), 2: (0.3, 30.0)}.items():
        assert value[index].item() == pytest.approx(tuning.tuned_kl_bound(empirical, kl, **form), rel=1e-14)
    (value[0] + value[2]).backward()
    for index, kl in ((0, 0.5), (2, 30.0)):  # a minimum over lines of slope 1 / t
        t = tuning.tuned_inverse_temperature(kl, **form)
        assert float(divergence.grad[index]) == pytest.approx(1 / t, rel=1e-12)


def outcomes(n: int, bias: float, frequencies: int) -> tuple[np.ndarray, np.ndarray]:
    """Gaps (outcomes, N) and probabilities: inputs in {0, 1}^N with independent coordinates, prior on pi e_k.

    The frequency pi e_k sees a coin of its own: heads K_k ~ Bin(n, bias), alignment loss 2 K (n - K) / (n (n - 1)).
    """
    heads = np.arange(n + 1)
    gap = 2 * bias * (1 - bias) - 2 * heads * (n - heads) / (n * (n - 1))
    mass = stats.binom.pmf(heads, n, bias)
    every = np.array(list(itertools.product(range(n + 1), repeat=frequencies)))
    return gap[every], mass[every].prod(-1)


@pytest.mark.parametrize(("n", "frequencies"), [(2, 5), (3, 4), (6, 3), (30, 2)])
@pytest.mark.parametrize("bias", [0.5, 0.8])
@pytest.mark.parametrize("delta", [0.2, 0.9])
def test_coverage_is_exact_when_the_temperature_follows_the_sample(n, frequencies, bias, delta):
    """All samples are enumerated; for each, the worst posterior of a fine family chooses its temperature afterwards.

    The supremum over all posteriors and temperatures of the grid (log E_p exp(t D), Donsker-Varadhan) fails with
    probability at most delta; Gibbs posteriors, whose KL and t depend on the sample, fail no more often.
    """
    form = {"bound": "second_order", "sample_size": n, "delta": delta}
    grid = form | {"largest_divergence": math.log(frequencies), "ratio": 1.2}
    size = tuning.temperature_grid_size(**grid)
    gaps, mass = outcomes(n, bias, frequencies)
    reachable = np.unique(tuning.tuned_inverse_temperature(np.linspace(0, math.log(frequencies), 2000), **grid))
    assert len(reachable) == size
    fails = np.zeros(len(mass), dtype=bool)
    for t in reachable:
        supremum = (special.logsumexp(t * gaps, axis=-1) - math.log(frequencies)) / t
        plain = pac_bayes.second_order_kl_bound(
            0.0, 0.0, sample_size=n, delta=delta / size, inverse_temperature=float(t)
        )
        fails |= supremum > plain * (1 + 1e-12)
    assert mass.sum() == pytest.approx(1)
    assert mass[fails].sum() <= delta
    gibbs_fails = np.zeros_like(fails)
    for beta in (0.0, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0):
        posterior = special.softmax(beta * gaps, axis=-1)
        kl = np.maximum(math.log(frequencies) + special.xlogy(posterior, posterior).sum(-1), 0)
        gibbs_fails |= (posterior * gaps).sum(-1) > tuning.tuned_kl_bound(0.0, kl, **grid) * (1 + 1e-12)
    assert not (gibbs_fails & ~fails).any()


def test_the_best_order_is_the_minimum_at_its_share_of_delta():
    orders, divergences = [1.25, 1.5, 2.0, 4.0], [0.4, 0.9, 40.0, math.inf]
    options = {"sample_size": 340, "labels": "binary"}
    every = [
        pac_bayes.power_divergence_bound(0.3, d, order=mu, delta=0.05 / 4, **options)
        for mu, d in zip(orders, divergences, strict=True)
    ]
    tuned = tuning.tuned_power_divergence_bound(0.3, divergences, orders=orders, delta=0.05, **options)
    assert tuned == min(every) < every[2]
