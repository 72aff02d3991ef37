"""Rounding is measured: never less than what float64 does to a true statement, hardly more where nothing cancels."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from scipy import special
from torch import Tensor

from harness.certify.rounding import CLEAR, instance_noise, trial_noise
from harness.certify.rounding.spread import leaves_torch
from harness.certify.rounding.statements import rounded_differently
from harness.certify.rounding.tensors import PLACE, coarse, moved
from harness.kinds import Kind, always, high_probability, identity
from harness.language.evaluation import Sides, anatomy, evaluate
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, claim, grid
from harness.language.spaces import tensor
from harness.search.objective import CONFIRMATIONS

EPS = 2.0**-52
BATCH = 400


def _claim(body: Callable[..., Any], kind: Kind | None = None) -> Claim:
    body.__doc__ = body.__doc__ or "A statement under test."
    return claim(f"rounding/{body.__name__}", kind or identity())(body)


def _measured(body: Callable[..., Any], calls: int = CONFIRMATIONS, **values: Tensor) -> tuple[Tensor, Tensor]:
    """|lhs - rhs| in float64 and its measured rounding: at the given values, or all over the sets."""
    made = _claim(body)
    spaces = anatomy(made, {}).spaces
    rng = np.random.default_rng(3)
    if not values:
        drawn = {space.name: [space.sample(rng, BATCH), space.corners(rng, BATCH // 4)] for space in spaces}
        values = {name: torch.cat(parts) for name, parts in drawn.items()}
    batch = len(next(iter(values.values()))) if values else 1
    with torch.no_grad():
        sides = evaluate(made, {}, values, Draw(batch, ()), batch)
        gap = sides.lhs - sides.rhs
        noise = instance_noise(made, {}, spaces, values, gap, calls=calls)
    assert noise.shape == gap.shape == (batch,)
    return gap.abs(), noise


TRUE: dict[str, Callable[..., Any]] = {}


def true(body: Callable[..., Any]) -> Callable[..., Any]:
    """An equality of real numbers that float64 misses."""
    TRUE[body.__name__.replace("_", " ")] = body
    return body


@true
def cancellation(forall):
    x = forall.interval("x", 0.0, 1.0)
    return (x + 1e8) - 1e8, x


@true
def cancellation_at_whole_numbers(forall):
    x = forall.integers("x", 0, 9)
    return (x + 0.1) - 0.1, x


@true
def a_variance_in_one_pass(forall):
    x = forall.interval("x", 1e5, 1e5 + 1.0, 5)
    return x.square().mean(-1) - x.mean(-1).square(), (x - x.mean(-1, keepdim=True)).square().mean(-1)


@true
def a_variance_by_torch(forall):
    x = forall.interval("x", -1.0, 1.0, 6)
    return x.var(-1, correction=0), x.square().mean(-1) - x.mean(-1).square()


@true
def terms_that_cancel_in_a_sum(forall):
    x = forall.interval("x", -1.0, 1.0, 6)
    return torch.cat([1e10 * x, -1e10 * x, x], -1).sum(-1), x.sum(-1)


@true
def terms_in_another_order(forall):
    x = forall.interval("x", -1.0, 1.0, 40)
    return x.sum(-1), x.flip(-1).cumsum(-1)[..., -1]


@true
def means_of_means(forall):
    x = forall.interval("x", -3.0, 3.0, 3, 7)
    return x.mean((-2, -1)), x.mean(-1).mean(-1)


@true
def products_of_matrices(forall):
    a, b = forall.interval("a", -1.0, 1.0, 4, 4), forall.interval("b", -1.0, 1.0, 4, 4)
    return (a @ b).diagonal(dim1=-2, dim2=-1).sum(-1), (b @ a).diagonal(dim1=-2, dim2=-1).sum(-1)


@true
def a_quadratic_form(forall):
    k, x = forall.psd("K", 4), forall.ball("x", 4)
    return torch.einsum("bi,bij,bj->b", x, k, x), (k * x[:, :, None] * x[:, None, :]).sum((-2, -1))


@true
def eigenvalues_and_trace(forall):
    k = forall.psd("K", 4)
    return torch.linalg.eigvalsh(k).sum(-1), k.diagonal(dim1=-2, dim2=-1).sum(-1)


@true
def eigenvalues_and_determinant(forall):
    k = forall.psd("K", 3)
    return torch.linalg.eigvalsh(k).prod(-1), torch.linalg.det(k)


@true
def the_smallest_eigenvalue_of_a_singular_matrix(forall):
    x = forall.interval("x", -1.0, 1.0, 4)
    return torch.linalg.eigvalsh(x[:, :, None] * x[:, None, :])[:, 0], 0.0


@true
def singular_values(forall):
    a = forall.interval("a", -1.0, 1.0, 3, 5)
    return torch.linalg.svdvals(a).square().sum(-1), a.square().sum((-2, -1))


@true
def a_solution_put_back(forall):
    k, x = forall.psd("K", 4), forall.interval("x", -1.0, 1.0, 4)
    shifted = k + torch.eye(4)
    return (shifted @ torch.linalg.solve(shifted, x).unsqueeze(-1)).squeeze(-1).amax(-1), x.amax(-1)


@true
def a_cholesky_factor(forall):
    k = forall.psd("K", 3) + torch.eye(3)
    root = torch.linalg.cholesky(k)
    return (root @ root.mT).sum((-2, -1)), k.sum((-2, -1))


@true
def a_logarithm_of_a_determinant(forall):
    k = forall.psd("K", 3) + torch.eye(3)
    return torch.logdet(k), torch.linalg.eigvalsh(k).log().sum(-1)


@true
def distances(forall):
    x, y = forall.interval("x", 99.0, 100.0, 5, 3), forall.interval("y", 99.0, 100.0, 5, 3)
    return torch.cdist(x, y).square().sum((-2, -1)), (x[:, :, None] - y[:, None]).square().sum((-3, -2, -1))


@true
def distances_by_expansion(forall):
    x = forall.interval("x", 99.0, 100.0, 30, 3)
    return torch.cdist(x, x, compute_mode="use_mm_for_euclid_dist").diagonal(dim1=-2, dim2=-1).amax(-1), 0.0


@true
def sine_and_cosine(forall):
    x = forall.interval("x", -1e4, 1e4)
    return x.sin().square() + x.cos().square(), 1.0


@true
def half_angles(forall):
    x = forall.interval("x", 0.0, 3.0)
    return 1.0 - x.cos(), 2.0 * (0.5 * x).sin().square()


@true
def logarithms_of_exponentials(forall):
    x = forall.interval("x", -30.0, 30.0)
    return x.exp().log(), x


@true
def a_log_sum_of_exponentials(forall):
    x = forall.interval("x", -5.0, 5.0, 4)
    return torch.logsumexp(x, -1), x.exp().sum(-1).log()


@true
def a_softmax_that_adds_up(forall):
    x = forall.interval("x", -5.0, 5.0, 7)
    return torch.softmax(x, -1).sum(-1), 1.0


@true
def powers(forall):
    x, a = forall.interval("x", 0.1, 3.0), forall.interval("a", -5.0, 5.0)
    return x**a, (a * x.log()).exp()


@true
def gamma_functions(forall):
    x = forall.interval("x", 0.1, 20.0)
    return torch.lgamma(x + 1.0) - torch.lgamma(x), x.log()


@true
def error_functions(forall):
    x = forall.interval("x", -3.0, 3.0)
    return torch.erf(x) + torch.erfc(x), 1.0


@true
def inverse_functions(forall):
    x = forall.interval("x", -0.9, 0.9)
    return torch.tanh(torch.atanh(x)), x


@true
def a_clamp_above_the_difference(forall):
    x = forall.interval("x", 0.0, 1.0)
    return ((x + 1 / 3) - 1 / 3 - x).clamp_min(0.0), 0.0


@true
def a_root_of_what_should_be_zero(forall):
    x = forall.interval("x", 0.0, 1.0, 4)
    return (x.square().sum(-1) - x.norm(dim=-1).square()).clamp_min(0.0).sqrt(), 0.0


@true
def the_largest_of_many_roundings(forall):
    x = forall.interval("x", 0.0, 1.0, 50)
    return ((x + 1 / 3) - 1 / 3 - x).amax(-1), 0.0


@true
def the_smallest_of_many_roundings(forall):
    x = forall.interval("x", 0.0, 1.0, 50)
    return ((x + 1 / 3) - 1 / 3 - x).amin(-1), 0.0


@true
def a_probability_vector(forall):
    return forall.simplex("p", 7).sum(-1), 1.0


@true
def a_unit_vector(forall):
    return forall.sphere("x", 5).square().sum(-1), 1.0


@true
def a_matrix_of_given_trace(forall):
    return forall.psd("K", 3, trace=0.3).diagonal(dim1=-2, dim2=-1).sum(-1), 0.3


@true
def an_end_that_stands_for_a_decimal(forall):
    x = forall.interval("x", 0.0, 0.3)
    return (x - (0.1 + 0.2)).clamp_min(0.0), 0.0


@true
def a_decimal_at_whole_numbers(forall):
    k = forall.integers("k", -9, 9)
    return (k * 0.1) * 10.0 - k, 0.0


@true
def a_fraction_at_whole_numbers(forall):
    k = forall.integers("k", 1, 99)
    return k * (1.0 / k), 1.0


@true
def plain_roots():
    return math.sqrt(2) ** 2 - 2, 0.0


@true
def plain_decimals():
    return 0.1 + 0.2, 0.3


@true
def plain_numpy():
    return float(np.array([0.1] * 3).sum()), 0.3


@true
def plain_numpy_logarithms():
    return np.log(np.array([2.0, 3.0])).sum(), math.log(6)


@true
def a_plain_constant_beside_tensors(forall):
    x = forall.interval("x", 0.0, 1.0)
    return x * (math.sqrt(2) ** 2), 2.0 * x


@true
def a_function_inside_the_body(forall):
    def shift(x, by=1 / 3):
        return (x + by) - by

    x = forall.interval("x", 0.0, 1.0)
    return shift(x), x


@true
def numpy_all_the_way(forall):
    x = forall.interval("x", 0.0, 1.0, 3).numpy()
    return torch.from_numpy((((x + 1e8) - 1e8) - x).sum(-1)), 0.0


@true
def numpy_inside_a_function(forall):
    def inside(x: np.ndarray) -> np.ndarray:
        return np.var(x, axis=-1) - (np.mean(x**2, axis=-1) - np.mean(x, axis=-1) ** 2)

    return torch.from_numpy(inside(forall.interval("x", 1e4, 1e4 + 1.0, 4).numpy())), 0.0


@true
def plain_numbers_one_by_one(forall):
    x = forall.interval("x", 0.0, 1.0)
    return torch.tensor([(value + 1e8) - 1e8 for value in x.tolist()]), x


@true
def plain_numbers_assigned_in_place(forall):
    def shift(number: float) -> float:
        number += 1e8
        number -= 1e8
        return number

    x = forall.interval("x", 0.0, 1.0)
    return torch.tensor([shift(value) for value in x.tolist()]), x


@true
def numpy_assigned_in_place(forall):
    x = forall.interval("x", 0.0, 1.0)
    array = x.numpy().copy()
    array += 1e8
    array -= 1e8
    return torch.from_numpy(array), x


@true
def plain_means(forall):
    x = forall.interval("x", 0.0, 1.0, 5)
    return torch.tensor([sum(row) / 5.0 for row in x.tolist()]), x.mean(-1)


@true
def functions_of_scipy(forall):
    x = forall.interval("x", 0.1, 20.0)
    return torch.from_numpy(special.gammaln(x.numpy() + 1.0) - special.gammaln(x.numpy())), x.log()


@true
def in_single_precision(forall):
    x = forall.interval("x", 0.0, 1.0)
    return x.float().double(), x


@true
def sums_in_single_precision(forall):
    x = forall.interval("x", 0.0, 1.0, 9)
    return x.float().sum(-1).double(), x.sum(-1)


@true
def whole_numbers_beyond_the_mantissa(forall):
    x = forall.integers("x", 0, 9)
    return (x + 2.0**60) - 2.0**60, x


@true
def a_sum_of_whole_numbers_beyond_the_mantissa(forall):
    x = forall.integers("x", 0, 9, 1)
    return torch.cat([x, x * 0 + 2.0**60, x * 0 - 2.0**60], -1).sum(-1), x.sum(-1)


@true
def squares_that_underflow(forall):
    x = forall.interval("x", -1e-160, 1e-160, 3)
    return x.square().sum(-1).sqrt(), torch.linalg.vector_norm(1e150 * x, dim=-1) / 1e150


@true
def a_transform_and_back(forall):
    x = forall.interval("x", -1.0, 1.0, 8)
    return torch.fft.ifft(torch.fft.fft(x)).real.amax(-1), x.amax(-1)


@true
def the_energy_of_a_transform(forall):
    x = forall.interval("x", -1.0, 1.0, 8)
    return torch.fft.rfft(x, norm="ortho").abs().square()[:, 1:4].sum(-1), (
        torch.fft.fft(x, norm="ortho").abs().square()[:, 1:4].sum(-1)
    )


@true
def complex_numbers(forall):
    x = forall.interval("x", -9.0, 9.0)
    return torch.polar(torch.ones_like(x), x).abs(), 1.0


@true
def an_in_place_sum(forall):
    x = forall.interval("x", 0.0, 1.0)
    total = torch.zeros_like(x)
    for term in (x, torch.full_like(x, 1e8), -torch.full_like(x, 1e8)):
        total += term
    return total, x


@true
def a_least_squares_residual(forall):
    a, b = forall.interval("a", -1.0, 1.0, 5, 3), forall.interval("b", -1.0, 1.0, 5, 1)
    well = a + 3.0 * torch.eye(5, 3)
    return (well.mT @ (well @ torch.linalg.lstsq(well, b).solution - b)).abs().amax((-2, -1)), 0.0


@true
def an_orthogonal_factor(forall):
    q, _ = torch.linalg.qr(forall.interval("a", -1.0, 1.0, 4, 3))
    return (q.mT @ q).diagonal(dim1=-2, dim2=-1).sum(-1), torch.full((len(q),), 3.0)


@true
def an_exponential_of_a_matrix(forall):
    k = forall.psd("K", 3, trace=2.0)
    return torch.linalg.matrix_exp(k).diagonal(dim1=-2, dim2=-1).sum(-1), torch.linalg.eigvalsh(k).exp().sum(-1)


@true
def general_eigenvalues(forall):
    a = forall.interval("a", -1.0, 1.0, 3, 3)
    return torch.linalg.eigvals(a).sum(-1).real, a.diagonal(dim1=-2, dim2=-1).sum(-1)


@true
def a_double_eigenvalue(forall):
    x = forall.interval("x", -1.0, 1.0)
    rows = [torch.stack([x, torch.ones_like(x)], -1), torch.stack([torch.zeros_like(x), x], -1)]
    return torch.linalg.eigvals(torch.stack(rows, -2)).imag.abs().amax(-1), 0.0


@true
def products_of_entries(forall):
    x = forall.interval("x", 0.1, 3.0, 6)
    return x.prod(-1), x.log().sum(-1).exp()


@true
def scattered_sums(forall):
    x = forall.interval("x", -1.0, 1.0, 8)
    index = torch.tensor([0, 1] * 4).expand(len(x), 8)
    return torch.zeros(len(x), 2).scatter_add(1, index, x).sum(-1), x.sum(-1)


@true
def convolutions(forall):
    x = forall.interval("x", -1.0, 1.0, 1, 9)
    twos = torch.nn.functional.conv1d(x, torch.full((1, 1, 2), 1 / 3)).sum((-2, -1))
    return 3.0 * twos, 2.0 * x.sum((-2, -1)) - x[:, 0, 0] - x[:, 0, -1]


@true
def a_divergence(forall):
    p, q = forall.simplex("p", 5), forall.simplex("q", 5)
    return torch.xlogy(p, p / q).sum(-1), torch.xlogy(p, p).sum(-1) - torch.xlogy(p, q).sum(-1)


@true
def powers_of_a_difference(forall):
    x = forall.interval("x", -1.0, 1.0)
    return sum(c * x**i for i, c in enumerate([1.0, -4.0, 6.0, -4.0, 1.0])), (1.0 - x) ** 4


@true
def an_arc_cosine_at_its_end(forall):
    x = forall.interval("x", 0.0, 1e-3)
    return x.cos().acos(), x


@pytest.mark.parametrize("body", TRUE.values(), ids=TRUE.keys())
def test_no_true_equality_is_missed_by_more_than_its_measured_rounding(body: Callable[..., Any]) -> None:
    """What exceeds CLEAR times its rounding convicts: here each excess is a false accusation."""
    gap, noise = _measured(body)
    off = gap > CLEAR * noise
    assert not bool(off.any()), (gap[off][:3].tolist(), noise[off][:3].tolist(), int(off.sum()))


FALSE: dict[str, tuple[Callable[..., Any], float]] = {}


def false(size: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An equality off by the share `size` of both sides, at least, wherever they are not zero."""

    def decorate(body: Callable[..., Any]) -> Callable[..., Any]:
        FALSE[body.__name__.replace("_", " ")] = body, size
        return body

    return decorate


@false(1e-9)
def a_scaled_number(forall):
    x = forall.interval("x", 0.0, 1.0)
    return x, x * (1.0 + 1e-9)


@false(1e-9)
def a_scaled_sum(forall):
    x = forall.interval("x", 0.0, 1.0, 20)
    return x.sum(-1), (1.0 + 1e-9) * x.sum(-1)


@false(1e-9)
def a_scaled_norm(forall):
    x = forall.ball("x", 5)
    return x.norm(dim=-1), (1.0 + 1e-9) * x.norm(dim=-1)


@false(1e-9)
def a_scaled_largest_eigenvalue(forall):
    k = forall.psd("K", 4)
    top = torch.linalg.eigvalsh(k)[:, -1]
    return top, (1.0 + 1e-9) * top


@false(1e-3)
def tiny_numbers(forall):
    x = forall.interval("x", 0.0, 1e-150)
    return x, 0.999 * x


@false(1e-3)
def tiny_products(forall):
    x = forall.interval("x", 0.0, 1.0)
    return 1e-150 * x, 1e-150 * (0.999 * x)


@false(1e-3)
def huge_numbers(forall):
    x = forall.interval("x", 0.0, 1e150)
    return x, 0.999 * x


@false(1e-9)
def numbers_through_numpy(forall):
    x = forall.interval("x", 0.0, 1.0).numpy()
    return torch.from_numpy(x), torch.from_numpy(x * (1.0 + 1e-9))


@false(1e-9)
def plain_constants():
    return math.pi, 22.0 / 7.0 - 0.00126449


@pytest.mark.parametrize(("body", "size"), FALSE.values(), ids=FALSE.keys())
def test_where_nothing_cancels_the_measured_rounding_is_a_few_last_places(
    body: Callable[..., Any], size: float
) -> None:
    """A measure that exaggerates would acquit everything; at any magnitude, 1e-150 and 1e150 too."""
    gap, noise = _measured(body)
    seen = gap > 1e-290  # zero, and what has lost its digits to underflow, has nothing to show
    assert int(seen.sum()) > 0.5 * len(gap)
    assert bool((noise[seen] <= 100.0 * EPS * gap[seen] / size).all())
    assert bool((gap[seen] > CLEAR * noise[seen]).all())


EXACT: dict[str, Callable[..., Any]] = {}


def exact(body: Callable[..., Any]) -> Callable[..., Any]:
    """A difference that float64 computes without any rounding."""
    EXACT[body.__name__.replace("_", " ")] = body
    return body


@exact
def sums_of_integers(forall):
    k = forall.integers("k", -1000, 1000, 9)
    return k.sum(-1), k.flip(-1).cumsum(-1)[:, -1] + 1.0


@exact
def products_of_integers(forall):
    k = forall.integers("k", -9, 9, 4)
    return k.square().sum(-1) * 3.0, k.prod(-1)


@exact
def matrices_of_integers(forall):
    a = forall.integers("a", -9, 9, 3, 3)
    return (a @ a).sum((-2, -1)), torch.einsum("bij,bjk->b", a, a) - 0.5


@exact
def counts(forall):
    x = forall.interval("x", 0.0, 1.0, 9)
    return (x > 0.3).sum(-1), (x > 0.3).double().mean(-1) * 0.0 + 4.0


@exact
def signs_and_halves(forall):
    s = forall.signs("s", 8)
    return (0.5 * (s + 1.0)).sum(-1), s.mean(-1) / 4.0


@exact
def the_same_twice(forall):
    x = forall.interval("x", 0.0, 1.0, 4)
    return x.amax(-1), x.sort(-1).values[:, -1]


@exact
def plain_integers():
    return 2**40 + 1, float(3 * 5) / 2


@exact
def integers_through_numpy(forall):
    k = forall.integers("k", -9, 9, 4).numpy()
    return torch.from_numpy((k * 2.0).sum(-1)), torch.from_numpy(k.max(-1) * 0.25)


@pytest.mark.parametrize("body", EXACT.values(), ids=EXACT.keys())
def test_what_is_exact_is_not_moved(body: Callable[..., Any]) -> None:
    """Half a last place on a count or a comparison of whole numbers would turn a plain counterexample into a tie."""
    _, noise = _measured(body)
    assert noise.tolist() == [0.0] * len(noise)


def test_the_rounding_of_a_difference_is_that_of_its_terms() -> None:
    """(x + 1e8) - 1e8 keeps about eight digits: neither sixteen, nor four."""
    _, noise = _measured(cancellation, x=tensor([0.1, 0.2, 0.7]))
    assert bool(((noise > 0.2 * 1e8 * EPS) & (noise < 10.0 * 1e8 * EPS)).all())


def test_a_clamp_does_not_hide_what_is_rounded_below_it() -> None:
    """max(0, rounding) is zero for every second instance; its copies rounded the other way show what it hides."""
    x = tensor(np.random.default_rng(0).random(200))
    gap, noise = _measured(a_clamp_above_the_difference, calls=1, x=x)
    assert 20 < int((gap == 0.0).sum()) < 180
    assert bool((noise > 0.0).all())


def test_one_call_sees_the_smallest_of_many_roundings() -> None:
    """Random last places leave the smallest of fifty below zero in every copy: a shift of all of them is needed."""
    gap, noise = _measured(the_smallest_of_many_roundings, calls=1)
    assert bool((gap <= CLEAR * noise).all())


def test_underflow_is_a_rounding() -> None:
    """|x| <= 2 sqrt(x^2) fails where x^2 is lost: by all of x, at a right side of exactly zero."""

    def lost(forall):
        x = forall.interval("x", 0.0, 1e-160)
        return x, 2.0 * (x * x).sqrt()

    gap, noise = _measured(lost, x=tensor([1e-162, 3e-163, 1e-170, 1e-200]))
    assert gap.tolist()[2:] == [1e-170, 1e-200]  # nothing is left of their squares
    assert bool((gap <= CLEAR * noise).all())


def test_a_body_that_leaves_torch_is_known_and_its_inputs_are_moved() -> None:
    """Inside numpy no result can be moved: without moving the inputs, 1 - 1e-17 would look exact."""

    def left(forall):
        x = forall.interval("x", 0.0, 1.0)
        return torch.from_numpy(np.sin(x.numpy())), 0.5

    def kept(forall):
        return forall.interval("x", 0.0, 1.0).sin(), 0.5

    values = {"x": tensor([0.25, 0.5, 1.0])}
    for body, leaves in ((left, True), (kept, False)):
        assert leaves_torch(_claim(body), {}, values, Draw(3, ()), 3) is leaves
    _, noise = _measured(left, **values)
    assert bool(((noise > 0.01 * EPS) & (noise < 10.0 * EPS)).all())


@pytest.mark.parametrize("name", ["math", "decimal", "numpy"])
def test_plain_constants_are_seen_without_any_tensor(name: str) -> None:
    """No operation of torch takes part in these: sqrt(2)^2 = 2 would be refuted by 4e-16."""
    body = {"math": plain_roots, "decimal": plain_decimals, "numpy": plain_numpy}[name]
    gap, noise = _measured(body)
    assert float(gap[0]) > 0.0
    assert EPS / 16.0 < float(noise[0]) < 32.0 * EPS


def test_a_body_that_is_rewritten_keeps_its_closure_defaults_and_globals() -> None:
    """Another function in the place of the body would measure the rounding of another statement."""
    factor = 3.0

    def body(forall, *, n=2, by: float = 0.5):
        y = [factor * by for _ in range(n)]
        return math.fsum(y), {"a": max(y)}["a"]

    made = rounded_differently(body, 0)
    assert made is not None
    assert made is not body
    assert made(None) == body(None) == (3.0, 1.5)
    assert made(None, n=4, by=2.0) == body(None, n=4, by=2.0)
    assert rounded_differently(lambda x: (x, x), 0) is None
    assert rounded_differently(math.sin, 0) is None


def test_a_body_without_source_is_measured_as_it_is() -> None:
    scope: dict[str, Any] = {}
    exec("def sourceless(forall):\n    x = forall.interval('x', 0.0, 1.0)\n    return (x + 1e8) - 1e8, x\n", scope)
    gap, noise = _measured(scope["sourceless"])
    assert bool((gap <= CLEAR * noise).all())


def test_the_same_instance_has_the_same_rounding_every_time() -> None:
    """A verdict must not depend on how often, or after what, something was measured."""
    first, again = (_measured(a_variance_in_one_pass)[1] for _ in range(2))
    torch.rand(3)
    np.random.default_rng(0).random()
    assert torch.equal(first, again)
    assert torch.equal(first, _measured(a_variance_in_one_pass)[1])


def test_more_calls_never_measure_less() -> None:
    few, more = (_measured(terms_that_cancel_in_a_sum, calls=calls)[1] for calls in (1, 6))
    assert bool((more >= few).all())


def test_sides_that_are_not_finite_when_rounded_otherwise_have_no_measured_rounding() -> None:
    """The square root of a rounding is NaN for every second copy; of a negative number for all of them."""

    def root(forall):
        x = forall.interval("x", -1.0, 1.0)
        return x.sqrt(), 0.5

    _, noise = _measured(root, x=tensor([-0.5, 0.25]))
    assert noise[0] == torch.inf
    assert 0.0 <= float(noise[1]) < 10.0 * EPS


def test_one_instance_does_not_spoil_the_rounding_of_its_batch() -> None:
    """A check that fails when moved raises for the whole call; the other instances cancel as much as they do alone."""

    def checked(forall):
        third = forall.interval("x", 0.0, 1.0) / 3.0
        if bool((3.0 * third > 1.0).any()):
            raise ValueError("three thirds are more than one")
        return (third + 1e8) - 1e8, third

    alone = _measured(checked, x=tensor([0.3, 0.4, 0.7]))[1]
    beside = _measured(checked, x=tensor([0.3, 0.4, 0.7, 1.0]))[1]
    for noise in (alone, beside[:3]):
        assert bool(((noise > 1e-9) & (noise < 1e-6)).all())


OPERATIONS: dict[str, Callable[[Tensor, Tensor], Any]] = {
    "sum": lambda a, _: a.sum(-1),
    "sum, axis kept": lambda a, _: a.sum(-1, keepdim=True),
    "mean, axis kept": lambda a, _: a.mean(-2, keepdim=True),
    "matrices": lambda a, b: a @ b,
    "matrix and column": lambda a, b: a @ b[..., :1],
    "row and matrix": lambda a, b: a[..., :1, :] @ b,
    "dot": lambda a, b: torch.dot(a[0, 0], b[0, :, 0]),
    "einsum": lambda a, b: torch.einsum("bij,bjk->bk", a, b),
    "norm": lambda a, _: a.norm(dim=-1, keepdim=True),
    "softmax": lambda a, _: torch.softmax(a, -1),
    "logsumexp": lambda a, _: a.logsumexp(-1, keepdim=True),
    "var": lambda a, _: a.var(-1, keepdim=True),
    "std and mean": lambda a, _: torch.std_mean(a, -1),
    "product": lambda a, _: a * a[..., :1],
    "quotient": lambda a, _: a / (1.5 + a[..., :1].abs()),
    "sum of two": lambda a, _: a + a[..., :1],
    "in place": lambda a, _: a.clone().mul_(0.3).add_(a[..., :1]).sub_(0.1),
    "into a slice": lambda a, _: a.clone().index_fill_(0, torch.tensor([0]), 0.7),
    "chain": lambda a, b: torch.linalg.multi_dot([a[0], b[0], b[0].mT]),
    "outer": lambda a, _: torch.outer(a[0, 0], a[0, 1]),
    "concatenated": lambda a, _: torch.cat([a, 0.3 * a], -1).cumsum(-1),
    "stacked": lambda a, _: torch.stack([a / 3.0, a]).mean(0),
    "solve": lambda a, b: torch.linalg.solve(a @ a.mT + torch.eye(3), b[..., :3, :]),
    "eigenvalues": lambda a, _: torch.linalg.eigvalsh(a @ a.mT),
    "singular values": lambda a, _: torch.linalg.svdvals(a),
    "inverse": lambda a, _: torch.linalg.inv(a @ a.mT + torch.eye(3)),
    "determinant": lambda a, _: torch.linalg.slogdet(a @ a.mT + torch.eye(3)),
    "distances": lambda a, _: torch.cdist(a, a + 1.0),
    "power": lambda a, _: a.abs() ** 0.7,
    "integer power": lambda a, _: a**3,
    "maps": lambda a, _: torch.func.vmap(lambda row: (row / 3.0).sum())(a),
    "integers": lambda a, _: (a > 0).long().sum(-1) // 2,
    "truth values": lambda a, _: a > 0.0,
    "transform": lambda a, _: torch.fft.rfft(a).abs(),
}


@pytest.mark.parametrize("zeros", [False, True], ids=["full", "with zeros"])
@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS.keys())
def test_a_moved_operation_is_the_operation_up_to_last_places(operation: Callable[..., Any], zeros: bool) -> None:  # noqa: FBT001
    """Another shape, type or value would be the rounding of another statement; zeros among the results included."""
    rng = np.random.default_rng(5)
    a, b = tensor(rng.standard_normal((8, 3, 4))), tensor(rng.standard_normal((8, 4, 5)))
    if zeros:
        a[0], a[1, 1], b[2], b[3, :, 0] = 0.0, 0.0, 0.0, 0.0
    plain = operation(a.clone(), b.clone())
    for directed in (False, True):
        with torch.no_grad(), moved(1, directed=directed):
            otherwise = operation(a.clone(), b.clone())
        for one, other in zip(_tensors(plain), _tensors(otherwise), strict=True):
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
            assert torch.allclose(one, other, rtol=1e-12, atol=1e-12)
            if one.dtype in PLACE and not zeros and "slice" not in str(operation):
                assert bool(torch.isfinite(other).all())


def _tensors(result: Any) -> list[Tensor]:
    return [result] if isinstance(result, Tensor) else list(result)


def test_copies_of_an_instance_are_moved_both_ways_and_up_and_down() -> None:
    """Four by four: at random, the other way, one place up, one place down; in magnitude, for negative numbers too."""
    x = tensor([0.1, -0.7]).repeat_interleave(4)
    with torch.no_grad(), moved(0):
        got = (x * 1.1 - x * 1.1).tolist() and x * 1.1
    away = (got - x * 1.1) / (x * 1.1 * EPS)
    one, other, up, down = away.reshape(2, 4).T
    assert torch.allclose(one, -other, atol=1.01)
    assert bool(((up >= 0.5) & (up <= 1.5) & (down <= -0.5) & (down >= -1.5)).reshape(-1)[0])
    assert bool(((got.reshape(2, 4)[:, 2] - got.reshape(2, 4)[:, 3]) > 0.0).all())


SHORT = [0.0, 1.0, -3.5, 2.0**-30, 2.0**26 - 1.0, 1e10]
LONG = [0.1, 1 / 3, math.pi, 2.0**27 + 1.0, 1e16]


@pytest.mark.parametrize(("number", "short"), [*((x, True) for x in SHORT), *((x, False) for x in LONG)])
def test_short_numbers_are_those_of_26_bits(number: float, short: bool) -> None:  # noqa: FBT001
    """Longer ones were rounded, or may have been; shorter ones are what somebody wrote or counted."""
    assert bool(coarse(tensor([number]))[0]) is short


def _trials(body: Callable[..., Any], reps: int = 2000) -> tuple[Sides, Tensor]:
    made = claim(f"rounding/trials-{body.__name__}", high_probability("delta"), over=grid(delta=[0.05]))(body)
    params = {"delta": 0.05}
    draw = functools.partial(Draw, reps, ("test", body.__name__))
    with torch.no_grad():
        sides = evaluate(made, params, {}, draw(), reps)
        noise = trial_noise(made, params, (), {}, draw, sides.lhs - sides.rhs, pairs=2)
    assert noise.shape == (reps,)
    return sides, noise


def test_trials_that_tie_by_decimals_are_ties() -> None:
    """0.1 + 0.2 > 0.3 in float64: a claim that is exact on the reals would be violated in every trial."""

    def decimals(draw, *, delta):
        """0.1 + 0.2 <= 0.3."""
        zero = 0.0 * draw.normal("z")
        return zero + 0.1 + 0.2, zero + 0.3

    def tenths(draw, *, delta):
        """A sum of tenths is a tenth of the sum."""
        x = draw.signs("x", 10)
        return (0.1 * x).sum(-1), 0.1 * x.sum(-1)

    for body in (decimals, tenths):
        sides, noise = _trials(body)
        gap = (sides.lhs - sides.rhs).abs()
        assert int((gap > 0.0).sum()) > 20
        assert bool((gap <= CLEAR * noise).all())
        assert bool((noise < 1e-13).all())


def test_trials_that_do_not_tie_stay_apart() -> None:
    """A noise as wide as the gap between the sides would make every violation a tie."""

    def level(draw, *, delta):
        """u <= 1 - delta."""
        return draw.uniform("u"), 1.0 - delta

    def close(draw, *, delta):
        """u (1 + 1e-9) <= u: violated by 1e-9 in every trial."""
        u = draw.uniform("u")
        return u * (1.0 + 1e-9), u

    def tiny(draw, *, delta):
        """1e-150 u <= 1e-150 (1 - delta)."""
        return 1e-150 * draw.uniform("u"), 1e-150 * (1.0 - delta)

    for body in (level, close, tiny):
        sides, noise = _trials(body)
        gap = (sides.lhs - sides.rhs).abs()
        assert float((gap > CLEAR * noise).double().mean()) > 0.99


def test_trials_of_whole_numbers_have_no_rounding() -> None:
    def counted(draw, *, delta):
        """A count is at most 7."""
        return draw.bernoulli("x", 0.3, 20).sum(-1), 7.0

    assert float(_trials(counted)[1].max()) == 0.0


def test_the_draws_are_the_same_however_they_are_rounded() -> None:
    """Other draws would make the spread of the law look like rounding, and every violation like a tie."""

    def drawn(draw, *, delta):
        """z <= 0."""
        return draw.normal("z", 3).sum(-1) + draw.uniform("u"), draw.signs("s")

    assert float(_trials(drawn)[1].max()) < 1e-12


def test_trials_through_numpy_have_their_statements_moved() -> None:
    """A trial that no evaluation happens to move counts as a violation: at delta = 1 %, a few in a hundred convict."""

    def left(draw, *, delta):
        """(u + 1e8) - 1e8 = u, through numpy."""
        x = draw.uniform("u").numpy()
        return torch.from_numpy(((x + 1e8) - 1e8) - x), 0.0

    sides, noise = _trials(left)
    assert bool(((sides.lhs - sides.rhs).abs() <= CLEAR * noise).all())


def test_an_inequality_is_measured_like_an_equality() -> None:
    def cancelling(forall):
        """(x + 1e8) - 1e8 <= x."""
        x = forall.interval("x", 0.0, 1.0)
        return (x + 1e8) - 1e8, x

    made, values = _claim(cancelling, always()), {"x": tensor([0.1, 0.2])}
    sides = evaluate(made, {}, values, Draw(2, ()), 2)
    noise = instance_noise(made, {}, anatomy(made, {}).spaces, values, sides.lhs - sides.rhs, calls=1)
    assert bool((noise > 1e-9).all())
