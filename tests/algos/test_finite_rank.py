"""Finite rank against the n x n and V-term definitions; the exact Lemma 22 ratio against its minimisation problem."""

import pytest
import torch
from torch import Tensor

from algos.ridge.finite_rank import finite_rank_effective_dimension, finite_rank_leverage_scores, whitened_atoms
from algos.ridge.leverage import (
    effective_dimension,
    feature_kernel,
    ridge_leverage_scores,
    sampled_kernel,
    unit_ball_approximation_ratio,
)


def bed(n: int, r: int, atoms: int, *batch: int, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    factor = torch.randn(*batch, n, r, generator=generator, dtype=torch.float64)
    raw = torch.randn(*batch, r, atoms, generator=generator, dtype=torch.float64)
    weights = torch.rand(*batch, atoms, generator=generator, dtype=torch.float64) + 0.1
    probabilities = weights / weights.sum(-1, keepdim=True)
    return factor, whitened_atoms(raw, probabilities), probabilities


@pytest.mark.parametrize(("n", "r", "atoms"), [(1, 1, 1), (9, 3, 5), (2, 4, 6), (20, 2, 40)])
@pytest.mark.parametrize("batch", [(), (3,)])
def test_small_matrices_give_the_scores_and_dimension_of_the_large_ones(
    *, n: int, r: int, atoms: int, batch: tuple[int, ...]
) -> None:
    """Would catch G in place of K, a missing G in front of the inverse, or atoms that are not white."""
    factor, white, probabilities = bed(n, r, atoms, *batch)
    features, kernel = factor @ white, factor @ factor.mT
    torch.testing.assert_close(feature_kernel(features, probabilities), kernel, rtol=1e-10, atol=1e-10)
    for ridge in (1e-3, 0.5, 30.0):
        exact = ridge_leverage_scores(features, probabilities, ridge)
        ours = finite_rank_leverage_scores(factor, white, probabilities, ridge)
        torch.testing.assert_close(ours, exact, rtol=1e-7, atol=1e-10)
        dimension = finite_rank_effective_dimension(factor, ridge)
        torch.testing.assert_close(dimension, effective_dimension(kernel, ridge), rtol=1e-9, atol=1e-9)
        torch.testing.assert_close(ours.sum(-1), dimension, rtol=1e-7, atol=1e-9)


def test_scores_in_exact_fractions() -> None:
    """n = 2, r = 1, Phi = (1, 2), atoms +1 and -1 with p = 1/4 and 3/4, n lambda = 5: G = 5, scores 1/8 and 3/8."""
    factor = torch.tensor([[1.0], [2.0]], dtype=torch.float64)
    scores = finite_rank_leverage_scores(
        factor, torch.tensor([[1.0, -1.0]]).double(), torch.tensor([0.25, 0.75]).double(), 5.0
    )
    assert scores.tolist() == pytest.approx([1 / 8, 3 / 8], rel=1e-15)
    assert finite_rank_effective_dimension(factor, 5.0).item() == pytest.approx(1 / 2, rel=1e-15)


def test_scores_are_differentiable_and_shapes_are_checked() -> None:
    factor, white, probabilities = (tensor.requires_grad_() for tensor in bed(3, 2, 4))
    ridge = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(finite_rank_leverage_scores, (factor, white, probabilities, ridge))
    with pytest.raises(ValueError, match=r"\(3, 4\)"):
        finite_rank_leverage_scores(torch.ones(3, 2), torch.ones(3, 4), torch.ones(4), 1.0)
    with pytest.raises(ValueError, match=r"\(3,\)"):
        whitened_atoms(torch.ones(2, 4), torch.ones(3))


def test_ratio_is_the_largest_regularised_error_over_the_unit_ball() -> None:
    """Against the minimisation itself: 4000 functions of the unit ball, each fitted; the maximiser attains it."""
    factor, white, probabilities = bed(4, 3, 6, seed=2)
    features, kernel, ridge = factor @ white, factor @ factor.T, 0.3
    lam = ridge / 4
    counts = torch.tensor([2.0, 0, 1, 0, 0, 2], dtype=torch.float64)
    approximation = sampled_kernel(features, probabilities, counts)
    ratio = unit_ball_approximation_ratio(kernel, approximation, ridge)
    directions = torch.randn(4000, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    values, vectors = torch.linalg.eigh(
        factor.T @ torch.linalg.solve(approximation + ridge * torch.eye(4).double(), factor)
    )
    directions = torch.cat([directions, vectors.T])
    functions = directions / directions.norm(dim=-1, keepdim=True) @ factor.T
    columns = features.repeat_interleave(counts.long(), dim=1)
    s = columns.shape[1]
    beta = torch.linalg.solve(columns.T @ columns + s * ridge * torch.eye(s).double(), columns.T @ functions.T)
    errors = (functions.T - columns @ beta).square().sum(0) / 4 + lam * s * beta.square().sum(0)
    assert errors.max().item() == pytest.approx(lam * ratio.item(), rel=1e-10)
    assert values[-1].item() == pytest.approx(ratio.item(), rel=1e-10)


def test_ratio_is_at_most_two_exactly_when_half_the_kernel_is_dominated() -> None:
    """Also: zero features give lambda_max(K) / (n lambda), the kernel itself d1 < 1, a singular matrix NaN."""
    kernel = torch.diag(torch.tensor([4.0, 1.0], dtype=torch.float64))
    nothing = torch.zeros(2, 2, dtype=torch.float64)
    assert unit_ball_approximation_ratio(kernel, nothing, 2.0).item() == pytest.approx(2)
    assert unit_ball_approximation_ratio(kernel, kernel, 2.0).item() == pytest.approx(4 / 6)
    assert unit_ball_approximation_ratio(kernel, nothing, 0.0).isnan()
    for seed in range(40):
        factor, white, probabilities = bed(3, 3, 5, seed=seed)
        features = factor @ white
        counts = torch.tensor([1.0, 2, 0, 0, 1], dtype=torch.float64)
        kernel, approximation = factor @ factor.T, sampled_kernel(features, probabilities, counts)
        gap = torch.linalg.eigvalsh(approximation + 0.2 * torch.eye(3).double() - kernel / 2)[0]
        assert (unit_ball_approximation_ratio(kernel, approximation, 0.2) <= 2) == (gap >= 0)
