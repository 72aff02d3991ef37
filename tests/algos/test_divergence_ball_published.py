"""The published search: its faults at hand-worked instances, its inner problem by KKT, and the proof of its repair."""

import math

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from algos.divergence_ball.exact import divergence_ball_maximum, f_divergence
from algos.divergence_ball.linear_time import linear_time_maximum
from algos.divergence_ball.penalised import penalised_maximum, printed_penalised_maximum
from algos.divergence_ball.published import certified_bisection, fully_printed_bisection, printed_bisection

torch.set_num_threads(1)
ORDERS = st.sampled_from([1.5, 2.0, 2.5, 3.0, 7.0])
VALUES = st.lists(st.one_of(st.integers(-3, 3).map(float), st.floats(-1e3, 1e3, width=32)), min_size=1, max_size=12)


def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


E1 = tensor([1.0] + [0.0] * 199)


@pytest.mark.parametrize("search", ["sort", "median"])
@pytest.mark.parametrize(
    ("order", "multiplier", "exact", "printed"),
    [(2.0, 0.5, [0.75, 0.25], [1.0, 0.0]), (3.0, 1.0, [13 / 24, 11 / 24], [0.625, 0.375])],
)
def test_the_printed_inner_problem_loses_the_factor_k(search, order, multiplier, exact, printed):
    """By hand at v = (1, 0): the weights satisfy (2 q_1)^(k-1) - (2 q_2)^(k-1) = 1 / (k lambda), or 1 / lambda."""
    for expected, maximum in ((exact, penalised_maximum), (printed, printed_penalised_maximum)):
        found = maximum(tensor([1.0, 0.0]), multiplier, order=order, search=search)
        torch.testing.assert_close(found.weights, tensor(expected), rtol=0, atol=1e-14)


@settings(deadline=None, max_examples=200)
@example([0.0, 0.0, 0.0, 0.0, 1.0], 2.0**-14, 7.0)  # weights near zero need more digits than the level has
@example([0.0, 0.0, 0.0, 0.0, 3.0, -316.0], 2.0**-14, 7.0)
@given(VALUES, st.one_of(st.just(0.0), st.floats(1e-6, 1e6)), ORDERS)
def test_the_inner_problem_is_solved_to_optimality(values, multiplier, order):
    """KKT: the gradient v - k lambda (N q)^(k-1) is constant where q > 0, and no larger elsewhere."""
    values, size = tensor(values), len(values)
    found = penalised_maximum(values, multiplier, order=order)
    assert found.weights.sum().item() == pytest.approx(1.0, abs=1e-14)
    gradient = values - order * multiplier * (size * found.weights) ** (order - 1)
    price = gradient[values == values.max()].max()
    scale = values.abs().max() + order * multiplier * float(size * found.weights.max()) ** (order - 1)
    slack = 1e-12 * scale
    assert (gradient <= price + slack).all()
    assert ((found.weights == 0) | (gradient >= price - slack)).all()
    assert found.divergence.item() == pytest.approx(
        f_divergence(found.weights, order=order).item(), abs=1e-11 * size**6
    )
    if multiplier > 0:
        closed = (values / (order * multiplier * size ** (order - 1)) + found.tau).clamp_min(0) ** (1 / (order - 1))
        small = 1e-12 * (values.abs().max() / multiplier / size + 1)
        assert (closed - found.weights).abs().max() <= small ** min(1.0, 1 / (order - 1))


@settings(deadline=None, max_examples=200)
@given(st.lists(VALUES.map(lambda v: (v * 12)[:12]), min_size=1, max_size=4), st.floats(1e-4, 1e3), ORDERS)
def test_sorting_and_median_search_agree_and_the_search_is_linear_for_order_two(rows, multiplier, order):
    values = tensor(rows)
    by_sort = penalised_maximum(values, multiplier, order=order)
    by_median = penalised_maximum(values, multiplier, order=order, search="median")
    torch.testing.assert_close(by_sort.weights, by_median.weights, rtol=0, atol=1e-13)
    assert (by_median.visits >= 12).all()
    assert (by_median.visits < (24 if order == 2 else 12 * 5)).all()
    assert (by_sort.visits == 0).all()
    for row, together in zip(values, by_median.visits, strict=True):
        assert penalised_maximum(row, multiplier, order=order, search="median").visits == together


def test_the_median_search_looks_at_more_than_a_multiple_of_n_for_higher_orders():
    """Otherwise the count could not tell the linear-time claim at k = 2 from the overstated one at k > 2."""
    values = torch.rand(4096, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    assert penalised_maximum(values, 10.0, order=2.0, search="median").visits < 2 * 4096
    assert penalised_maximum(values, 10.0, order=3.0, search="median").visits >= 12 * 4096


@pytest.mark.parametrize("order", [2.0, 2.5, 4.0])
def test_the_weights_are_differentiable_in_values_and_multiplier(order):
    generator = torch.Generator().manual_seed(1)
    values = torch.rand(3, 6, dtype=torch.float64, generator=generator).requires_grad_()
    multiplier = torch.rand(3, dtype=torch.float64, generator=generator).requires_grad_()
    for part in ("weights", "tau", "divergence"):
        assert torch.autograd.gradcheck(
            lambda v, m, part=part: getattr(penalised_maximum(v, m, order=order), part), (values, multiplier)
        )


def test_the_multipliers_of_zero_and_infinity_are_the_limits():
    values = tensor([3.0, 1.0, 3.0, 0.0])
    for order in (2.0, 3.0):
        for search in ("sort", "median"):
            at_zero = penalised_maximum(values, 0.0, order=order, search=search).weights
            torch.testing.assert_close(at_zero, tensor([0.5, 0.0, 0.5, 0.0]), rtol=0, atol=1e-15)
            nearly = penalised_maximum(values, 1e-300, order=order, search=search).weights
            torch.testing.assert_close(nearly, at_zero, rtol=0, atol=1e-15)
            at_infinity = penalised_maximum(values, math.inf, order=order, search=search).weights
            torch.testing.assert_close(at_infinity, tensor([0.25] * 4), rtol=0, atol=1e-15)


@pytest.mark.parametrize("printed", [0, 1])
@pytest.mark.parametrize(
    ("values", "rho", "epsilon", "value", "divergence"),
    [
        (tensor([16.0, 0.0]), 0.9, 0.1, (16 * 17 / 18, 16 * 17 / 18), (64 / 81, 64 / 81)),
        (tensor([1.0, 0.0, 0.0, 0.0]), 1.0, 0.1, (3 / 4, 19 / 28), (4 / 3, 48 / 49)),
        (E1, 100.0, 0.01, (0.3234, 0.6418), (20.3776, 81.5104)),
        (E1, 100.0, 0.003, (1.0, 12811 / 15000), (199.0, 144.9073777777778)),
    ],
)
def test_algorithm_1_by_hand(values, rho, epsilon, value, divergence, *, printed):
    """Infeasible, or far below the maximum: 15.589 for the first instance, .7103 for the last two."""
    search = (printed_bisection, fully_printed_bisection)[printed]
    found = search(values, rho, order=2.0, tolerance=epsilon)
    assert found.value.item() == pytest.approx(value[printed], rel=1e-12)
    assert found.divergence.item() == pytest.approx(divergence[printed], rel=1e-12)
    assert found.terminated


def _literal(values, rho, order, epsilon):
    """Algorithm 1 line by line, for one instance."""
    high, low, start = math.inf, 0.0, 1.0
    while high == math.inf:
        found = penalised_maximum(values, start, order=order)
        if found.divergence < rho:
            high = start
        else:
            start *= 2
    while high - low > epsilon * start:
        middle = (high + low) / 2
        found = penalised_maximum(values, middle, order=order)
        high, low = (middle, low) if found.divergence < rho else (high, middle)
    return found.weights


@pytest.mark.parametrize("order", [2.0, 3.0])
@pytest.mark.parametrize("search", ["sort", "median"])
def test_the_batched_search_is_algorithm_1_line_by_line(order, search):
    """Rows stop at different steps: one that kept moving after its own stop would differ."""
    values = torch.rand(20, 7, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    values = values * torch.logspace(-2, 3, 20, dtype=torch.float64).unsqueeze(-1)
    found = printed_bisection(values, 0.3, order=order, tolerance=0.01, search=search)
    expected = torch.stack([_literal(row, 0.3, order, 0.01) for row in values])
    torch.testing.assert_close(found.weights, expected, rtol=0, atol=1e-12)


def test_algorithm_1_ends_where_the_constraint_is_idle_and_not_at_radius_zero():
    for values in (tensor([0.0, 0.0]), tensor([5.0]), tensor([2.0, 2.0, 0.0]), tensor([1.0, 0.0, 0.0])):
        found = printed_bisection(values, float(len(values)), order=2.0, tolerance=1e-6)
        assert found.terminated
        assert found.value == values.max()
    never = printed_bisection(tensor([1.0, 0.0]), 0.0, order=2.0, tolerance=0.1, max_steps=100)
    assert not never.terminated
    assert never.steps == 100


@settings(deadline=None, max_examples=150)
@given(VALUES, st.one_of(st.just(0.0), st.floats(1e-6, 1e4)), ORDERS, st.sampled_from([1e-1, 1e-4, 1e-8]))
def test_the_certified_search_is_feasible_and_epsilon_suboptimal(values, rho, order, tolerance):
    values = tensor(values)
    scale = max(values.abs().max().item(), 1e-3)
    found = certified_bisection(values, rho, order=order, tolerance=tolerance * scale)
    best = divergence_ball_maximum(values, rho, order=order)
    assert found.terminated
    assert f_divergence(found.weights, order=order) <= rho + 1e-12 * (1 + rho)
    assert 0 <= found.gap <= tolerance * scale
    assert -1e-12 * scale <= best.dual_value - found.value <= found.gap + 1e-12 * scale


def test_radius_and_tolerance_may_differ_from_instance_to_instance():
    values, rho, tolerance = tensor([[4.0, 1.0, 0.0]] * 3), tensor([0.0, 0.1, 1.0]), tensor([0.1, 1e-3, 1e-6])
    for search in (printed_bisection, certified_bisection):
        together = search(values[1:], rho[1:], order=2.0, tolerance=tolerance[1:])
        for row in (1, 2):
            alone = search(values[row], rho[row].item(), order=2.0, tolerance=tolerance[row].item())
            torch.testing.assert_close(together.weights[row - 1], alone.weights, rtol=0, atol=1e-15)
            assert together.steps[row - 1] == alone.steps
    assert (certified_bisection(values, rho, order=2.0, tolerance=tolerance).weights[0] == 1 / 3).all()


@pytest.mark.parametrize("order", [1.5, 2.5, 3.0, 4.0, 7.5])
@pytest.mark.parametrize("multiplier", [1e6, 1e12, 1e14])
def test_tiny_divergences_keep_their_digits(multiplier, order):
    """The variance over 2 k (k - 1) lambda^2, up to a relative error of the order of 1/lambda."""
    values = tensor([0.0, 1.0, 3.0])
    found = penalised_maximum(values, multiplier, order=order).divergence.item()
    leading = values.var(correction=0).item() / (2 * order * (order - 1) * multiplier**2)
    assert found == pytest.approx(leading, rel=10 / multiplier + 1e-14, abs=0)


@pytest.mark.parametrize("solver", [penalised_maximum, linear_time_maximum])
def test_high_orders_of_many_values_are_solved_as_far_as_their_powers_are_numbers(solver):
    """At a large multiplier weights are nearly uniform: N q - 1 is (v - mean)/(k (k - 1) lambda)."""
    values = torch.arange(1000.0, dtype=torch.float64)
    deviation = 1000 * solver(values, 1e9, order=101.0).weights - 1
    torch.testing.assert_close(deviation, (values - 499.5) / (101 * 100 * 1e9), rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda v: penalised_maximum(v, -1.0, order=2.0), "multiplier = -1.0"),
        (lambda v: penalised_maximum(v, math.nan, order=2.0), "multiplier = nan"),
        (lambda v: penalised_maximum(v, 1.0, order=1.0), "order = 1.0"),
        (lambda v: penalised_maximum(v[:0], 1.0, order=2.0), r"\(0,\)"),
        (lambda v: penalised_maximum(v.repeat(500), 1.0, order=105.0), r"order = 105.0 is too high for 1000 values"),
        (lambda v: printed_bisection(v, -1.0, order=2.0, tolerance=0.1), "rho = -1.0"),
        (lambda v: printed_bisection(v, 1.0, order=2.0, tolerance=0.0), "tolerance = 0.0"),
        (lambda v: certified_bisection(v, 1.0, order=2.0, tolerance=math.inf), "tolerance = inf"),
        (lambda v: certified_bisection(v, 1.0, order=2.0, tolerance=0.1, max_steps=0), "max_steps = 0"),
    ],
)
def test_impossible_arguments_are_refused_by_name(call, named):
    with pytest.raises(ValueError, match=named):
        call(tensor([1.0, 0.0]))
