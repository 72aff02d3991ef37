"""Complexities over all frequencies of a ball: closed forms, brute force over signs and frequencies, rigorous ends."""

import itertools
import math

import pytest
import torch
from torch import Tensor

from algos.complexity.spectral_rademacher import frequencies_rademacher_complexity, spectral_rademacher_complexity


def tensor(values: object) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def draw(*shape: int, seed: int = 0) -> Tensor:
    return 2 * torch.rand(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) - 1


def by_brute_force(points: Tensor, frequencies: Tensor) -> Tensor:
    """Mean over all 2^n signs, in complex arithmetic."""
    waves = torch.exp(1j * (frequencies @ points.mT))
    signs = itertools.product((-1.0, 1.0), repeat=points.shape[-2])
    peaks = [(waves @ tensor(sigma).to(waves.dtype)).abs().amax(-1) for sigma in signs]
    return torch.stack(peaks).mean(0) / points.shape[-2]


@pytest.mark.parametrize("phase", [0.0, 0.3, 1.0, math.pi, 5.0])
def test_two_points_in_closed_form(phase: float) -> None:
    """Points 0 and 1: equal signs give 2 at w = 0, opposite ones 2 sin(w/2), up to w = pi."""
    truth = (2 + 2 * math.sin(min(phase, math.pi) / 2)) / 4
    lower, upper = spectral_rademacher_complexity(tensor([[0.0], [1.0]]), phase, nodes=1001)
    assert truth * (1 - 1e-5) <= lower.item() <= truth * (1 + 1e-14)
    assert truth * (1 - 1e-14) <= upper.item() <= truth * (1 + 1e-5)


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("bandwidth", [0.2, 2.0, 9.0])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_ends_hold_what_ten_thousand_frequencies_reach(n: int, bandwidth: float, d: int) -> None:
    """Catches a grid on half of the directions only, a node missing at the boundary, and a slack that is too small."""
    points = draw(3, n, d, seed=n)
    radii = bandwidth * torch.linspace(0, 1, 101, dtype=torch.float64)
    angles = torch.linspace(0, 2 * math.pi, 101, dtype=torch.float64)
    directions = torch.stack([angles.cos(), angles.sin()], -1) if d == 2 else tensor([[1.0], [-1.0]])
    truth = by_brute_force(points, (radii[:, None, None] * directions).reshape(-1, d))
    coarse = spectral_rademacher_complexity(points, bandwidth, nodes=33)
    fine = spectral_rademacher_complexity(points, bandwidth, nodes=101)
    for lower, upper in (coarse, fine):
        assert bool((truth <= upper * (1 + 1e-12)).all())
        assert bool((lower <= fine.upper * (1 + 1e-12)).all())
    assert bool((fine.lower >= truth - 0.01).all())
    assert float((fine.upper - fine.lower).max()) < (1e-3 if d == 1 else 0.05) * max(1, bandwidth**2 / 4)


def test_one_dimension_is_a_line_in_two() -> None:
    points = draw(4, 1)
    line = spectral_rademacher_complexity(points, 3.0, nodes=201)
    plane = spectral_rademacher_complexity(torch.cat([points, torch.zeros_like(points)], -1), 3.0, nodes=201)
    assert line.lower.item() == pytest.approx(plane.lower.item(), abs=2e-3)
    assert plane.lower <= line.upper
    assert line.lower <= plane.upper


@pytest.mark.parametrize("d", [1, 2])
def test_degenerate_inputs(d: int) -> None:
    """One point, equal points and no bandwidth: the sum of signs alone, without slack; and finite gradients there."""
    sums = {1: 1.0, 2: 1.0, 3: 1.5, 4: 1.5}
    for n, mean in sums.items():
        for points, bandwidth in ((draw(1, d).expand(n, d), 2.0), (draw(n, d), 0.0)):
            bracket = spectral_rademacher_complexity(points, bandwidth, nodes=5)
            for end in bracket:
                assert end.item() == pytest.approx(mean / n, rel=1e-7)
    points = torch.zeros(2, d, dtype=torch.float64, requires_grad=True)
    bracket = spectral_rademacher_complexity(points, 1.0, nodes=3)
    (gradient,) = torch.autograd.grad(bracket.lower + bracket.upper, points)
    assert gradient.isfinite().all()


def test_gradients_and_batches() -> None:
    points = draw(2, 3, 1).requires_grad_()
    for end in (0, 1):
        assert torch.autograd.gradcheck(lambda x, end=end: spectral_rademacher_complexity(x, 2.0, nodes=9)[end], points)
    together = spectral_rademacher_complexity(points, 2.0)
    alone = spectral_rademacher_complexity(points[1], 2.0)
    torch.testing.assert_close(together.upper[1], alone.upper)


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("d", [1, 3])
def test_finitely_many_frequencies_against_brute_force(n: int, d: int) -> None:
    points, frequencies = draw(5, n, d), 4 * draw(5, 6, d, seed=1)
    complexity = frequencies_rademacher_complexity(points, frequencies)
    torch.testing.assert_close(complexity, by_brute_force(points, frequencies))


@pytest.mark.parametrize(
    ("shape", "bandwidth", "nodes"),
    [((3, 3), 1.0, 5), ((17, 1), 1.0, 5), ((0, 1), 1.0, 5), ((3, 1), -1.0, 5), ((3, 1), math.nan, 5), ((3, 1), 1.0, 1)],
)
def test_bad_input_is_refused(shape: tuple[int, int], bandwidth: float, nodes: int) -> None:
    with pytest.raises(ValueError, match=r"pass|points|bandwidth|nodes"):
        spectral_rademacher_complexity(torch.zeros(shape, dtype=torch.float64), bandwidth, nodes=nodes)
