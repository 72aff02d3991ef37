"""Lemma 2 as printed against the exact complexity by enumeration of signs."""

import itertools

import numpy as np
import pytest

from bounds.complexity.rademacher import printed_unit_ball_complexity


def exact(kernel: np.ndarray) -> float:
    """E sup_f |(2/n) sum sigma_i f(x_i)| over the unit ball: (2/n) E sqrt(sigma^T K sigma)."""
    n = len(kernel)
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=n)))
    return float(2 / n * np.sqrt(np.einsum("ki,ij,kj->k", signs, kernel, signs)).mean())


def test_the_printed_bound_is_too_small_by_a_factor_between_root_two_and_two() -> None:
    """Equal 2 for orthogonal points, root two for two equal points; in between for random kernels."""
    rng = np.random.default_rng(0)
    kernels = [np.eye(1), np.eye(5), np.ones((2, 2))]
    kernels += [a @ a.T for a in (rng.normal(size=(n, rank)) for n in range(1, 7) for rank in (1, n))]
    ratios = [exact(k) / printed_unit_ball_complexity(np.trace(k), len(k)) for k in kernels]
    assert ratios[:3] == pytest.approx([2, 2, 2**0.5], rel=1e-14)
    assert min(ratios) >= 2**0.5 - 1e-12
    assert max(ratios) <= 2 + 1e-12
