"""Bisection over the chi-square ball: against the exact solver, its own certificate, and its printed step count."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from algos.divergence_ball.bisection import chi_square_ball_bisection
from algos.divergence_ball.exact import chi_square_ball_maximum
from algos.kernel_learning.pseudo_posterior import chi_square_divergence

torch.set_num_threads(1)
ROUNDING = 1e-12
"""Far above the rounding of sums of 400 terms, far below the tolerances of the searches."""


def _values(*shape: int, seed: int = 0) -> torch.Tensor:
    values = torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    values[..., 0, :] = (values[..., 0, :] > 0).double()  # ties
    values[..., 1, :] *= 1e-8  # a small spread on top of a large common value
    values[..., 1, :] += 1e3
    values[..., 2, 0] = 1e6  # one entry far above the others
    return values


def _spread(values: torch.Tensor) -> torch.Tensor:
    return values.amax(-1) - values.amin(-1)


def _most_steps(rho: float, size: int, tolerance: float) -> int:
    return 1 + max(0, math.ceil(math.log2(math.sqrt(min(rho, size - 1)) / tolerance)))


@pytest.mark.parametrize("size", [2, 3, 17, 400])
@pytest.mark.parametrize("rho", [1e-12, 1e-3, 0.5, 2.0, 16.0, 1e6])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-6, 1e-10])
def test_it_is_feasible_and_as_close_to_the_exact_maximum_as_asked(size, rho, tolerance):
    values = _values(12, size)
    found, exact = chi_square_ball_bisection(values, rho, tolerance=tolerance), chi_square_ball_maximum(values, rho)
    spread = _spread(values)
    assert (found.weights >= 0).all()
    torch.testing.assert_close(found.weights.sum(-1), torch.ones(12, dtype=torch.float64), rtol=0, atol=ROUNDING)
    # the weights are 1/N + deviation, so that the rounding of 1/N limits tiny radii
    assert (chi_square_divergence(found.weights).sqrt() <= math.sqrt(rho) + ROUNDING).all()
    rounding = ROUNDING * (spread + values.abs().amax(-1))
    missing = exact.value - found.objective
    assert (missing >= -rounding).all()  # or the exact solver would be wrong
    assert (missing <= found.gap + rounding).all()  # the gap certifies
    assert (found.gap <= tolerance * spread).all()
    assert (found.steps <= _most_steps(rho, size, tolerance)).all()


@pytest.mark.parametrize("tolerance", [10.0**-k for k in range(2, 13)])
def test_the_number_of_steps_is_the_logarithm_of_the_accuracy(tolerance):
    """Two largest values of three, inactive constraint: the multiplier is halved from 1, and the gap is 1/4 of it."""
    found = chi_square_ball_bisection(torch.tensor([1.0, 1.0, 0.0], dtype=torch.float64), 2.0, tolerance=tolerance)
    assert int(found.steps) == 1 + math.ceil(math.log2(1 / (4 * tolerance)))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.floats(0, 20))
@settings(max_examples=200, deadline=None)
def test_any_values_and_radius_end_within_the_promised_steps(values, rho):
    values = torch.tensor(values, dtype=torch.float64)
    found = chi_square_ball_bisection(values, rho, tolerance=1e-9)
    exact = chi_square_ball_maximum(values, rho).value
    spread = float(_spread(values))
    underflow = (len(values) + 1) * 5e-324  # of the products that either one adds up
    assert abs(float(exact - found.objective)) <= 1e-9 * spread + 1e-12 * float(values.abs().max()) + underflow
    assert int(found.steps) <= (_most_steps(rho, len(values), 1e-9) if spread and rho else 0)


@pytest.mark.parametrize(("values", "rho"), [([1.0, 2.0, 5.0], 0.0), ([3.0] * 4, 2.0), ([7.0], 0.0), ([7.0], 3.0)])
def test_nothing_to_search_gives_the_uniform_weights_and_no_step(values, rho):
    values = torch.tensor(values, dtype=torch.float64)
    found = chi_square_ball_bisection(values, rho, tolerance=1e-6)
    assert (found.weights == 1 / len(values)).all()
    assert int(found.steps) == 0
    assert float(found.gap) == 0
    assert found.multiplier == math.inf


@pytest.mark.parametrize("rho", [3.0, 4.0, 1e12])
def test_from_the_largest_divergence_on_the_best_value_alone_is_taken(rho):
    found = chi_square_ball_bisection(torch.tensor([0.0, 1.0, 0.9, 0.2], dtype=torch.float64), rho, tolerance=1e-9)
    assert 1 - float(found.objective) <= 1e-9
    assert int(found.steps) <= _most_steps(rho, 4, 1e-9)


def test_a_batch_is_solved_row_by_row():
    values = _values(2, 5, 30)
    together = chi_square_ball_bisection(values, 3.0, tolerance=1e-7)
    assert together.steps.unique().numel() > 1  # rows stop at different times
    for row in range(2):
        for column in range(5):
            alone = chi_square_ball_bisection(values[row, column], 3.0, tolerance=1e-7)
            assert torch.equal(alone.weights, together.weights[row, column])
            assert alone.steps == together.steps[row, column]


def test_shift_and_scale_of_the_values_change_no_step():
    values = torch.tensor([0.0, 0.25, 0.5, 2.0, -1.0], dtype=torch.float64)
    plain, moved = (chi_square_ball_bisection(v, 1.5, tolerance=1e-8) for v in (values, 1024 * values - 64))
    assert torch.equal(plain.weights, moved.weights)
    assert plain.steps == moved.steps
    assert float(moved.gap) == pytest.approx(1024 * float(plain.gap), rel=1e-12)


def test_the_objective_has_the_weights_as_its_gradient():
    values = torch.tensor([0.0, 0.25, 0.5, 2.0, -1.0], dtype=torch.float64, requires_grad=True)
    found = chi_square_ball_bisection(values, 1.5, tolerance=1e-8)
    (gradient,) = torch.autograd.grad(found.objective, values)
    assert torch.equal(gradient, found.weights)


def test_single_precision_ends_although_the_tolerance_is_out_of_reach():
    values = _values(4, 300).float()
    found = chi_square_ball_bisection(values, 5.0, tolerance=1e-30)
    exact = chi_square_ball_maximum(values.double(), 5.0).value
    assert found.weights.dtype == torch.float32
    assert ((exact - found.objective) / values.abs().amax(-1)).abs().max() < 300 * torch.finfo(torch.float32).eps


def test_bad_arguments_are_named():
    values = torch.tensor([0.0, 1.0], dtype=torch.float64)
    with pytest.raises(ValueError, match=r"rho = -1\.0"):
        chi_square_ball_bisection(values, -1.0, tolerance=1e-6)
    with pytest.raises(ValueError, match="tolerance = 0"):
        chi_square_ball_bisection(values, 1.0, tolerance=0.0)
    with pytest.raises(ValueError, match="k >= 1"):
        chi_square_ball_bisection(values[:0], 1.0, tolerance=1e-6)
