"""The three ways to choose frequencies from a pool, at the ends of their parameters."""

import pytest
import torch

from algos.kernel_learning.greedy_kernel import (
    chi_square_alignment_weights,
    pseudo_bayesian_weights,
    sample_frequencies,
)
from algos.kernel_learning.pseudo_posterior import chi_square_divergence

CLOSE = {"rtol": 1e-10, "atol": 1e-12}
LOSSES = torch.tensor([0.5, 0.2, 0.4, 0.45], dtype=torch.float64)
UNIFORM = torch.full((4,), 0.25, dtype=torch.float64)
BEST = torch.tensor([0.0, 1.0, 0.0, 0.0], dtype=torch.float64)


def test_no_learning_gives_uniform_weights_and_full_learning_the_best_frequency():
    """Catches a maximised loss, and the radius read as rho / N."""
    torch.testing.assert_close(pseudo_bayesian_weights(LOSSES, 0.0, sample_size=9), UNIFORM, **CLOSE)
    torch.testing.assert_close(chi_square_alignment_weights(LOSSES, 0.0), UNIFORM, **CLOSE)
    torch.testing.assert_close(pseudo_bayesian_weights(LOSSES, 1e4, sample_size=9), BEST, **CLOSE)
    torch.testing.assert_close(chi_square_alignment_weights(LOSSES, 3.0), BEST, **CLOSE)


def test_the_temperature_contains_the_root_of_the_sample_size():
    weights = pseudo_bayesian_weights(LOSSES, 2.0, sample_size=9)
    torch.testing.assert_close(weights, (-6 * LOSSES).softmax(-1), **CLOSE)


@pytest.mark.parametrize("rho", [0.1, 1.0, 2.5])
def test_the_ball_is_respected_and_beats_every_posterior_inside(rho):
    weights = chi_square_alignment_weights(LOSSES, rho)
    assert float(chi_square_divergence(weights)) == pytest.approx(rho, rel=1e-9)
    others = (torch.randn(20000, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) * 2).softmax(-1)
    inside = others[chi_square_divergence(others) <= rho]
    assert len(inside) > 100
    assert (inside @ LOSSES >= float(weights @ LOSSES) - 1e-12).all()


def test_sampling_is_with_replacement_and_from_the_weights_alone():
    pool = torch.arange(4, dtype=torch.float64).unsqueeze(-1)
    drawn = sample_frequencies(pool, 2 * BEST, 9, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(drawn, torch.ones(9, 1, dtype=torch.float64))
    mixed = sample_frequencies(pool, UNIFORM, 64, generator=torch.Generator().manual_seed(0))
    assert mixed.unique().numel() == 4  # misses an atom with probability 4e-8; the seed is fixed


def test_bad_weights_are_named():
    pool = torch.zeros(4, 1, dtype=torch.float64)
    with pytest.raises(ValueError, match="weights has shape"):
        sample_frequencies(pool, UNIFORM[:3], 2, generator=torch.Generator())
    with pytest.raises(ValueError, match=r"weights = -0\.25"):
        sample_frequencies(pool, -UNIFORM, 2, generator=torch.Generator())
