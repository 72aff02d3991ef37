"""The chi-square ball over the whole range it is asked for: a lost digit, tie or limit case would fail here."""

import math
from fractions import Fraction

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algos.divergence_ball.exact import chi_square_ball_maximum, divergence_ball_maximum, f_divergence
from algos.divergence_ball.published import certified_bisection

torch.set_num_threads(1)
CERTIFIED = 1e-12
"""The gap promised, as a share of the largest modulus of the values; ten thousand roundings."""

RHO = st.one_of(st.just(0.0), st.floats(1e-12, 1e6))
SCALES = st.sampled_from([1e-8, 1.0, 1e8])
SHIFTS = st.sampled_from([0.0, 1.0, -1e8])


def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


@st.composite
def tied_values(draw):
    """A few levels with many ties each, at an ordinary, a tiny or a huge scale, on a common shift."""
    levels = draw(st.lists(st.integers(-64, 64), min_size=1, max_size=4, unique=True))
    counts = draw(st.lists(st.integers(1, 30), min_size=len(levels), max_size=len(levels)))
    values = [level / 64 for level, count in zip(levels, counts, strict=True) for _ in range(count)]
    return draw(SCALES) * tensor(draw(st.permutations(values))) + draw(SHIFTS)


def assert_certified(values, rho, solution):
    scale = values.abs().max().item()
    assert (solution.weights >= 0).all()
    assert solution.weights.sum().item() == pytest.approx(1.0, abs=1e-14)
    assert f_divergence(solution.weights) <= rho + 1e-12 * (1 + rho)
    assert abs(solution.gap.item()) <= CERTIFIED * scale
    assert abs(solution.value.item() - (solution.weights @ values).item()) <= CERTIFIED * scale


@settings(deadline=None, max_examples=150)
@given(tied_values(), RHO)
def test_ties_share_their_weight_and_the_gap_closes(values, rho):
    solution = chi_square_ball_maximum(values, rho)
    assert_certified(values, rho, solution)
    for level in values.unique():
        of_level = solution.weights[values == level]
        assert (of_level == of_level[0]).all()
    descending = values.argsort(descending=True)
    assert (solution.weights[descending].diff() <= 0).all()  # a larger value never has a smaller weight


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 40), st.sampled_from([0.0, 1.0, -3.5, 1e8, 1e-300]), RHO)
def test_constant_values_and_zero_give_the_base(size, level, rho):
    solution = chi_square_ball_maximum(torch.full((size,), level, dtype=torch.float64), rho)
    base = torch.full((size,), 1 / size, dtype=torch.float64)
    torch.testing.assert_close(solution.weights, base, rtol=0, atol=1e-15)
    assert solution.value.item() == pytest.approx(level, rel=1e-14)
    assert abs(solution.gap.item()) <= CERTIFIED * abs(level)


@settings(deadline=None, max_examples=100)
@given(tied_values(), st.floats(0, 1e3))
def test_from_the_idle_radius_on_the_largest_values_share_everything(values, beyond):
    """r ties at the top: the ball reaches them from rho = N / r - 1 on, and just below it does not."""
    top = (values == values.max()).double()
    idle = len(values) / top.sum().item() - 1
    solution = chi_square_ball_maximum(values, idle * (1 + 1e-12) + beyond)
    torch.testing.assert_close(solution.weights, top / top.sum(), rtol=0, atol=1e-14)
    assert solution.value == values.max()
    assume(idle > 0)
    inside = chi_square_ball_maximum(values, idle * 0.999)
    assert ((inside.weights > 0) & (values < values.max())).any()
    assert f_divergence(inside.weights).item() == pytest.approx(idle * 0.999, rel=1e-9)


@settings(deadline=None, max_examples=100)
@given(tied_values())
def test_radius_zero_is_the_mean_and_tiny_radii_leave_it_as_the_square_root(values):
    """mean + sd sqrt(rho) while every weight is positive: to first order a tiny radius must not be lost."""
    at_zero = chi_square_ball_maximum(values, 0.0)
    torch.testing.assert_close(at_zero.weights, torch.full_like(values, 1 / len(values)), rtol=0, atol=1e-16)
    spread = (values.max() - values.min()).item()
    assume(spread > 1e-6 * values.abs().max().item())
    deviation = (values - values.mean()).square().mean().sqrt().item()
    for rho in (1e-20, 1e-12, 1e-6):
        gain = chi_square_ball_maximum(values, rho).value - at_zero.value
        rounding = 1e-14 * values.abs().max().item()
        if math.sqrt(rho) * spread <= deviation:
            assert gain.item() == pytest.approx(deviation * math.sqrt(rho), rel=1e-9, abs=rounding)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=10), st.fractions(0, 20, max_denominator=16))
def test_optimality_in_exact_arithmetic(values, rho):
    """Lagrange conditions in fractions from the active set found: q_m = 1/R + s (v_m - mu), and s > 0 exactly once."""
    solution = chi_square_ball_maximum(tensor([float(v) for v in values]), float(rho))
    size, top = len(values), max(values)
    ties = values.count(top)
    if rho == 0 or ties * (1 + rho) >= size:
        expected = [Fraction(int(v == top), ties) if rho > 0 or ties == size else Fraction(1, size) for v in values]
        assert solution.weights.tolist() == pytest.approx([float(q) for q in expected], abs=1e-15)
        return
    candidates = []
    for threshold in sorted(set(values)):
        kept = [Fraction(v) for v in values if v >= threshold]
        count, mean = len(kept), sum(kept) / len(kept)
        variance = sum((v - mean) ** 2 for v in kept) / count
        room = (1 + rho) / size - Fraction(1, count)
        if variance == 0 or room < 0:
            continue
        slope = math.sqrt(room / (count * variance))
        weights = [1 / count + slope * float(v - mean) if v >= threshold else 0.0 for v in values]
        below = [v for v in values if v < threshold]
        eta = float(mean) - 1 / (count * slope) if slope else -math.inf
        if min(weights) >= -1e-13 and (not below or max(below) <= eta + 1e-12):
            candidates.append(weights)
    assert candidates
    assert min(max(abs(a - b) for a, b in zip(solution.weights.tolist(), c, strict=True)) for c in candidates) <= 1e-12


@settings(deadline=None, max_examples=100)
@given(tied_values(), st.floats(1e-3, 1e3), st.sampled_from([2.0, 3.0]))
def test_three_solvers_agree(values, rho, order):
    spread = (values.max() - values.min()).item()
    assume(spread > 0)
    direct = divergence_ball_maximum(values, rho, order=order)
    searched = certified_bisection(values, rho, order=order, tolerance=1e-7 * spread)
    slack = CERTIFIED * values.abs().max().item()
    assert -slack <= (direct.value - searched.value).item() <= searched.gap.item() + slack
    if order == 2:
        assert abs((chi_square_ball_maximum(values, rho).value - direct.value).item()) <= 1e-9 * spread + slack


@pytest.mark.parametrize("rho", [0.0, 1e-6, 1.0, 100.0, 1e5, 1e6])
@pytest.mark.parametrize("scale", [1.0, 1e8])
def test_a_million_values_are_certified(rho, scale):
    """The size and the order of magnitude of real alignments: v is a sum over n^2 pairs."""
    generator = torch.Generator().manual_seed(1)
    values = scale * torch.randn(10**6, dtype=torch.float64, generator=generator).square()
    solution = chi_square_ball_maximum(values, rho)
    assert abs(solution.gap) <= CERTIFIED * solution.value
    assert f_divergence(solution.weights) <= rho + 1e-12 * (1 + rho)
    assert (solution.weights > 0).sum() >= 10**6 / (1 + rho)
