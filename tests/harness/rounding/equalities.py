"""Equalities of real numbers that float64 misses, computed in torch."""

from collections.abc import Callable
from typing import Any

import torch

from tests.harness.rounding.measured import listed

TRUE: dict[str, Callable[..., Any]] = {}
true = listed(TRUE)


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
