"""The divergence ball: a wrong active set, a lost degenerate case or a cancelling certificate would fail here."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from torch import Tensor

from algos.divergence_ball.exact import (
    chi_square_ball_maximum,
    divergence_ball_dual,
    divergence_ball_maximum,
    f_divergence,
)

RHO = st.one_of(st.just(0.0), st.floats(1e-10, 1e4))
COARSE = st.integers(-3, 3).map(float)  # many ties
VALUES = st.lists(st.one_of(COARSE, st.floats(-1e8, 1e8, allow_subnormal=False)), min_size=1, max_size=12)
ORDERS = st.sampled_from([1.5, 2.0, 2.5, 3.0, 7.0])


def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


@st.composite
def problems(draw):
    """Values, and a base measure that may have entries of zero and of tiny mass."""
    values = draw(VALUES)
    masses = [draw(st.one_of(st.just(0.0), st.just(1.0), st.floats(1e-9, 1.0))) for _ in values]
    masses[draw(st.integers(0, len(values) - 1))] = 1.0
    base = tensor(masses)
    return tensor(values), draw(st.sampled_from([None, base / base.sum()]))


def assert_optimal(values, base, rho, order, solution):
    supported = values if base is None else values[base > 0]
    scale = max(supported.abs().max().item(), 1e-300)
    assert (solution.weights >= 0).all()
    assert solution.weights.sum().item() == pytest.approx(1.0, abs=1e-14)
    assert f_divergence(solution.weights, base, order=order).item() <= rho + 1e-12 * (1 + rho)
    assert abs(solution.gap.item()) <= 1e-12 * scale
    assert (solution.weights @ values).item() == pytest.approx(
        solution.value.item(), abs=1e-12 * values.abs().max().item()
    )
    dual = divergence_ball_dual(values, solution.threshold, rho, order=order, base=base)
    assert dual.item() == pytest.approx(solution.dual_value.item(), abs=1e-9 * scale)


@settings(deadline=None, max_examples=300)
@given(problems(), RHO)
def test_chi_square_ball_is_certified_by_its_gap(problem, rho):
    values, base = problem
    assert_optimal(values, base, rho, 2.0, chi_square_ball_maximum(values, rho, base=base))


@settings(deadline=None, max_examples=100)
@given(problems(), RHO, ORDERS)
def test_general_order_is_certified_by_its_gap(problem, rho, order):
    values, base = problem
    assert_optimal(values, base, rho, order, divergence_ball_maximum(values, rho, order=order, base=base))


@settings(deadline=None, max_examples=50)
@given(problems(), RHO, st.floats(-10, 10), ORDERS)
def test_every_threshold_bounds_the_maximum_from_above(problem, rho, threshold, order):
    values, base = problem
    solution = divergence_ball_maximum(values, rho, order=order, base=base)
    bound = divergence_ball_dual(values, tensor(threshold), rho, order=order, base=base)
    assert bound.item() >= solution.value.item() - 1e-10 * max(1.0, values.abs().max().item())


def bracket(values, base, rho, order):
    """Two numbers around the maximum, by weak duality in 50 digits: a feasible value and an upper bound.

    For every t, ``q.v <= t + (1 + rho)^(1/k) (sum p (v - t)_+^k')^(1/k')`` with 1/k + 1/k' = 1 (Hoelder), and q in
    proportion to ``p (v - t)_+^(1/(k - 1))`` is feasible where its divergence is at most rho; t is found by bisection.
    """
    v, p, k = [mpf(float(x)) for x in values], [mpf(float(x)) for x in base], mpf(order)
    total = sum(p)

    def weights(t):
        raw = [m * max(x - t, 0) ** (1 / (k - 1)) for x, m in zip(v, p, strict=True)]
        return [w / sum(raw) for w in raw]

    def size(q):
        return sum(m * (w / m) ** k for w, m in zip(q, p, strict=True))

    top = max(v)
    share = sum(m for x, m in zip(v, p, strict=True) if x == top)
    if share ** (1 - k) <= 1 + mpf(rho):
        return top, top
    low, high = top - mpf(10) ** 9, top
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if size(weights(middle)) <= 1 + mpf(rho) else (low, middle)
    q, conjugate = weights(low), k / (k - 1)
    assert size(q) <= 1 + mpf(rho)
    assert abs(total - 1) < mpf(10) ** -15
    moment = sum(m * max(x - low, 0) ** conjugate for x, m in zip(v, p, strict=True))
    upper = low + (1 + mpf(rho)) ** (1 / k) * moment ** (1 / conjugate)
    return sum(w * x for w, x in zip(q, v, strict=True)), upper


@pytest.mark.parametrize("order", [2.0, 3.0])
@mp.workdps(50)
def test_agrees_with_a_certified_maximum_in_50_digits(order):
    """The reference proves itself: its two sides differ by less than 1e-20."""
    generator = np.random.default_rng(7)
    for rho in (0.05, 0.7, 3.0):
        for _ in range(6):
            values = generator.normal(size=4)
            base = generator.dirichlet(np.ones(4))
            lower, upper = bracket(values, base, rho, order)
            assert abs(upper - lower) < 1e-20
            ours = divergence_ball_maximum(tensor(values), rho, order=order, base=tensor(base)).value.item()
            assert ours == pytest.approx(float(lower), abs=1e-12 * np.abs(values).max())


def test_hand_computed_solution():
    """N = 2, v = (16, 0): q = (1 + sqrt(rho))/2 on the first entry."""
    solution = chi_square_ball_maximum(tensor([16.0, 0.0]), 0.9)
    assert solution.value.item() == pytest.approx(8 * (1 + math.sqrt(0.9)), rel=1e-15)


def test_degenerate_cases():
    """Zero radius, one value, constant and zero values, ties at the top, and radii beyond N/r - 1."""
    for values, rho, weights in [
        ([3.0, 1.0, 2.0], 0.0, [1 / 3] * 3),
        ([5.0], 2.0, [1.0]),
        ([5.0], 0.0, [1.0]),
        ([4.0] * 3, 1.0, [1 / 3] * 3),
        ([0.0] * 4, 0.5, [0.25] * 4),
        ([1.0, 1.0, 0.0, -5.0], 1.0, [0.5, 0.5, 0.0, 0.0]),
        ([1.0, 1.0, 0.0, -5.0], 50.0, [0.5, 0.5, 0.0, 0.0]),
        ([0.0, 2.0, 1.0], 2.0, [0.0, 1.0, 0.0]),
    ]:
        for solution in (
            chi_square_ball_maximum(tensor(values), rho),
            divergence_ball_maximum(tensor(values), rho, order=2.0),
        ):
            torch.testing.assert_close(solution.weights, tensor(weights), rtol=0, atol=1e-15)
            assert solution.gap.item() == pytest.approx(0.0, abs=1e-15)
    assert chi_square_ball_maximum(tensor([3.0, 1.0]), 0.0).threshold.item() == -math.inf


def test_zero_mass_entries_are_ignored():
    """The supremum is over q absolutely continuous to the base, whatever the values outside its support."""
    base = tensor([0.0, 0.5, 0.5])
    solution = chi_square_ball_maximum(tensor([1e6, 1.0, 0.0]), 0.25, base=base)
    assert solution.value.item() == pytest.approx(0.75, rel=1e-15)
    assert f_divergence(tensor([0.5, 0.5, 0.0]), base).item() == math.inf


def test_shift_and_scale_leave_the_weights_unchanged():
    values = torch.randn(6, 50, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    plain = chi_square_ball_maximum(values, 4.0)
    moved = chi_square_ball_maximum(1e8 * values + 1e8, 4.0)
    torch.testing.assert_close(moved.weights, plain.weights, rtol=0, atol=1e-14)
    assert (moved.gap.abs() <= 1e-12 * moved.value.abs()).all()


@pytest.mark.parametrize("rho", [1e-12, 1e-3, 200.0])
def test_large_problem_keeps_its_gap_and_support(rho):
    """At N = 20,000 the gap stays at rounding, and the support holds at least N / (1 + rho) entries."""
    size = 20_000
    values = torch.randn(size, dtype=torch.float64, generator=torch.Generator().manual_seed(5)) ** 2
    solution = chi_square_ball_maximum(values, rho)
    assert abs(solution.gap.item()) <= 1e-12 * solution.value.item()
    assert (solution.weights > 0).sum().item() >= size / (1 + rho)


def test_batch_equals_single_problems():
    generator = torch.Generator().manual_seed(11)
    values = torch.randn(3, 4, 9, dtype=torch.float64, generator=generator).round()
    base = torch.rand(4, 9, dtype=torch.float64, generator=generator)
    base = base / base.sum(-1, keepdim=True)
    batch = chi_square_ball_maximum(values, 0.8, base=base)
    for i in range(3):
        for j in range(4):
            single = chi_square_ball_maximum(values[i, j], 0.8, base=base[j])
            torch.testing.assert_close(batch.weights[i, j], single.weights, rtol=0, atol=1e-15)


def test_gradients_of_value_and_weights():
    """The value has the weights as its gradient (envelope theorem); the order-2 weights pass a difference check."""
    values = tensor([0.3, -0.2, 1.1, 0.9]).requires_grad_()
    for solution in (
        chi_square_ball_maximum(values, 0.6),
        divergence_ball_maximum(values, 0.6, order=3.0),
    ):
        (gradient,) = torch.autograd.grad(solution.value, values)
        torch.testing.assert_close(gradient, solution.weights.detach(), rtol=0, atol=1e-14)
    assert torch.autograd.gradcheck(lambda v: chi_square_ball_maximum(v, 0.6).weights, (values,))
    ties = torch.ones(3, dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(chi_square_ball_maximum(ties, 0.6).weights[0], ties)
    assert torch.isfinite(gradient).all()


@pytest.mark.in_turn
@pytest.mark.parametrize("order", [1.3, 2.0, 3.0, 4.0])
@pytest.mark.parametrize("rho", [0.05, 0.6, 3.0])
def test_gradients_in_values_and_base_agree_with_differences(order: float, rho: float) -> None:
    """A search that moves the values or the base measure climbs along them, for every order."""
    generator = torch.Generator().manual_seed(0)
    values, logits = (torch.randn(3, 6, dtype=torch.float64, generator=generator).requires_grad_() for _ in range(2))

    def found(v: Tensor, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        solution = divergence_ball_maximum(v, rho, order=order, base=z.softmax(-1))
        return solution.weights, solution.value, solution.threshold

    assert torch.autograd.gradcheck(found, (values, logits))
    assert torch.autograd.gradcheck(lambda v: divergence_ball_maximum(v, rho, order=order).weights, (values,))


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
def test_gradients_are_finite_where_values_tie(values: list[float]) -> None:
    tied, base = tensor(values).requires_grad_(), tensor([1 / 3, 1 / 3, 1 / 3]).requires_grad_()
    solution = divergence_ball_maximum(tied, 0.6, order=3.0, base=base)
    for gradient in torch.autograd.grad(solution.weights[0] + solution.value, (tied, base)):
        assert torch.isfinite(gradient).all()


def test_float32_follows_the_input():
    solution = chi_square_ball_maximum(torch.tensor([1.0, 0.0, 2.0]), 0.5, base=tensor([0.2, 0.3, 0.5]))
    assert solution.weights.dtype == torch.float32


@pytest.mark.parametrize(
    ("arguments", "options", "match"),
    [
        (([1.0], -1.0), {}, "rho = -1.0"),
        (([1.0], math.nan), {}, "rho = nan"),
        (([], 1.0), {}, "values has shape"),
        (([1.0, 2.0], 1.0), {"base": tensor([1.0])}, "base has shape"),
    ],
)
def test_bad_input_names_the_value(arguments, options, match):
    with pytest.raises(ValueError, match=match):
        chi_square_ball_maximum(tensor(arguments[0]), arguments[1], **options)


def test_bad_order_names_the_value():
    with pytest.raises(ValueError, match="order = 1"):
        divergence_ball_maximum(tensor([1.0]), 1.0, order=1.0)


@pytest.mark.parametrize("tiny", [1e-300, 1e-200, 1e-160, 1e-120, 1e-77])
@pytest.mark.parametrize("order", [2.0, 3.0])
def test_near_ties_whose_squares_underflow_stay_in_the_ball(tiny, order):
    """Differences of 1e-200 squared are zero: the active set was cut there and the weights left the ball unnoticed."""
    values = tensor([0.0, 0.0, tiny, -tiny, 0.0, -1.0, -1.0, 0.0, tiny, -1.0])
    for rho in (0.01, 0.5, 5.0):
        assert_optimal(values, None, rho, order, divergence_ball_maximum(values, rho, order=order))
        if order == 2.0:
            assert_optimal(values, None, rho, order, chi_square_ball_maximum(values, rho))


@pytest.mark.parametrize("order", [2.0, 3.0])
@pytest.mark.parametrize("tiny", [1e-100, 1e-154, 1e-250, 1e-299])
def test_levels_whose_squares_underflow_beside_a_large_one_share_as_at_any_scale(tiny: float, order: float) -> None:
    """Seven values at the top, six below it by `tiny`, seven below both by about one: the last get nothing."""
    reference, here = (
        divergence_ball_maximum(
            torch.tensor([level] * 7 + [0.0] * 6 + [-1.0] * 7, dtype=torch.float64), 1.0, order=order
        )
        for level in (1e-8, tiny)
    )
    torch.testing.assert_close(here.weights, reference.weights, rtol=1e-6, atol=0.0)
    if order == 2.0:
        sharp = chi_square_ball_maximum(torch.tensor([tiny] * 7 + [0.0] * 6 + [-1.0] * 7, dtype=torch.float64), 1.0)
        torch.testing.assert_close(sharp.weights, reference.weights, rtol=1e-6, atol=0.0)
        torch.testing.assert_close(sharp.dual_value, sharp.value, rtol=1e-12, atol=0.0)


@pytest.mark.parametrize("order", [1.5, 2.0, 3.0, 40.0])
@pytest.mark.parametrize("power", [10, 18, 30])
def test_tiny_divergences_keep_their_digits(order, power):
    """Of the weights 1/2 + e and 1/2 - e, against ((1 + 2e)^k + (1 - 2e)^k)/2 - 1 in 50 digits."""
    shift = 2.0**-power
    weights = tensor([0.5 + shift, 0.5 - shift])
    with mp.workdps(50):
        exact = float((mpf(1 + 2 * shift) ** order + mpf(1 - 2 * shift) ** order) / 2 - 1)
    for base in (None, tensor([0.5, 0.5])):
        assert f_divergence(weights, base, order=order).item() == pytest.approx(
            exact, rel=4 * order * 2.0 ** (power - 53), abs=0
        )


@pytest.mark.parametrize(("order", "height"), [(60.0, 1e-6), (100.0, 1e-4), (300.0, 0.05), (1000.0, 0.3)])
@mp.workdps(50)
def test_heights_count_by_their_roots_where_they_underflow_themselves(order, height):
    """The last active weight is about `height` times the largest; the radius for that has 50 digits."""
    values = torch.randn(20, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).sort(descending=True)[0]
    heights = [mpf(v) - mpf(values[10].item()) + mpf(height) ** (mpf(order) - 1) for v in values[:11].tolist()]
    roots = [h ** (1 / (mpf(order) - 1)) for h in heights]
    weights = tensor([float(root / sum(roots)) for root in roots] + [0.0] * 9)
    rho = float(sum((20 * root / sum(roots)) ** order for root in roots) / 20 - 1)
    solution = divergence_ball_maximum(values, rho, order=order)
    torch.testing.assert_close(solution.weights, weights, rtol=1e-11, atol=1e-14)
    assert abs(solution.gap.item()) < 1e-14
    assert torch.autograd.gradcheck(
        lambda v: divergence_ball_maximum(v, rho, order=order).weights,
        (values.requires_grad_(),),
        atol=1e-7,
        fast_mode=True,
    )


@pytest.mark.parametrize("order", [1.5, 2.5, 4.0])
@pytest.mark.parametrize("rho", [1e-12, 1e-20, 1e-24])
def test_the_threshold_of_a_tiny_ball_is_that_of_the_variance(order, rho):
    """eta = mean - sigma sqrt(k / (2 (k - 1) rho)) up to a relative error of the order of sqrt rho."""
    values = tensor([0.0, 1.0, 3.0])
    eta = divergence_ball_maximum(values, rho, order=order).threshold.item()
    leading = math.sqrt(values.var(correction=0).item() * order / (2 * (order - 1) * rho))
    assert eta == pytest.approx(-leading, rel=10 * math.sqrt(rho) + 1e-14)
