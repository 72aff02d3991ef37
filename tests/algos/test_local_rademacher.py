"""The exact local complexity against a primal solver, closed forms and its limits; fixed points against algebra."""

import itertools
import math

import pytest
import torch
from mpmath import mp, mpf
from torch import Tensor

from algos.complexity.local_rademacher import (
    local_fixed_point,
    local_rademacher_complexity,
    local_suprema,
    sub_root_fixed_point,
)
from algos.complexity.rademacher import all_signs, unit_ball_rademacher_complexity


def kernels(n: int, *batch: int, rank: int | None = None, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    factor = torch.randn(*batch, n, rank or n, generator=generator, dtype=torch.float64)
    return factor @ factor.mT


def bracket(correlations: list[mpf], spectrum: list[mpf], limit: mpf) -> tuple[mpf, mpf]:
    """Two numbers around ``max {b.u : |u| <= 1, sum mu u^2 <= limit}``: a feasible value and a bound from above.

    For every t in [0, 1], ``b.u <= sqrt(sum b^2 / w)`` with ``w = (1 - t) + t mu / limit`` (Cauchy and Schwarz), and
    u = b / w is feasible after division by the larger of its two norms; t is found by bisection.
    """
    ratios = [m / limit for m in spectrum]

    def norms(t: mpf) -> tuple[mpf, mpf]:
        squares = [(b / (1 - t + t * m)) ** 2 for b, m in zip(correlations, ratios, strict=True)]
        return sum(squares), sum(s * m for s, m in zip(squares, ratios, strict=True))

    low, high = mpf(0), mpf(1)
    for _ in range(150):
        middle = (low + high) / 2
        ball, sample = norms(middle)
        low, high = (middle, high) if sample > ball else (low, middle)
    best, bound = mpf(0), mp.inf
    for t in (low, high):
        weights = [1 - t + t * m for m in ratios]
        value = sum(b * b / w for b, w in zip(correlations, weights, strict=True))
        best = max(best, value / mp.sqrt(max(norms(t))))
        bound = min(bound, mp.sqrt(value))
    return best, bound


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("radius", [1e-3, 0.3, 5.0])
@mp.workdps(50)
def test_suprema_are_those_of_the_primal_problem(n: int, radius: float) -> None:
    """A feasible function and an upper bound, 1e-20 apart in 50 digits; the bound alone would leave ours too large."""
    kernel, signs = kernels(n, seed=n), all_signs(n, like=torch.zeros(0).double())
    spectrum, vectors = mp.eigsy(mp.matrix(kernel.tolist()))
    roots = [mp.sqrt(m) for m in spectrum]
    tolerance = 10 * n**2 * 2**-52 * float(max(spectrum) / min(spectrum))  # of a backward stable spectrum
    assert tolerance < 1e-8
    ours = local_suprema(kernel, signs, radius)
    for sigma, value in zip(signs.tolist(), ours.tolist(), strict=True):
        rotated = vectors.T * mp.matrix(sigma)
        lower, upper = bracket([r * x for r, x in zip(roots, rotated, strict=True)], list(spectrum), n * mpf(radius))
        assert abs(upper - lower) < 1e-20
        assert value == pytest.approx(float(lower), rel=tolerance)


def test_closed_forms() -> None:
    """n = 1: 2 sqrt(min(r, k)). K = 8 I_8: sup = sqrt(8 min(8, 8 r)), so 2 sqrt(min(1, r)) in all."""
    for k, r in [(4.0, 1.0), (1.0, 4.0), (2.0, 2.0)]:
        one = torch.tensor([[k]], dtype=torch.float64)
        assert local_rademacher_complexity(one, r).item() == pytest.approx(2 * math.sqrt(min(k, r)), rel=1e-12)
    for r in (0.2, 1.0, 3.0):
        many = local_rademacher_complexity(8 * torch.eye(8, dtype=torch.float64), r).item()
        assert many == pytest.approx(2 * math.sqrt(min(1, r)), rel=1e-12)


def test_limits_in_the_radius() -> None:
    """No constraint gives the complexity of the ball; r = 0 gives 0; it grows with r and its square root is concave."""
    kernel = kernels(5, 3)
    whole = unit_ball_rademacher_complexity(kernel)
    torch.testing.assert_close(local_rademacher_complexity(kernel, math.inf), whole, rtol=1e-12, atol=0)
    torch.testing.assert_close(local_rademacher_complexity(kernel, 1e9), whole, rtol=1e-9, atol=0)
    assert (local_rademacher_complexity(kernel, 0.0) == 0).all()
    values = [local_rademacher_complexity(kernel, r) for r in (0.01, 0.1, 1.0, 10.0)]
    assert all((a <= b * (1 + 1e-12)).all() for a, b in itertools.pairwise(values))
    assert all((b <= math.sqrt(10) * a * (1 + 1e-12)).all() for a, b in itertools.pairwise(values))  # sub-root


def test_singular_and_zero_kernels_and_batches() -> None:
    """f must lie in the range of K: duplicated points share a value; a zero kernel has only the zero function."""
    duplicated = torch.ones(2, 2, dtype=torch.float64)
    # f = (a, a), |f| = |a| <= 1, a^2 <= r; sum of signs is 2 or 0 with probability 1/2
    assert local_rademacher_complexity(duplicated, 0.25).item() == pytest.approx(0.5, rel=1e-9)
    assert local_rademacher_complexity(torch.zeros(3, 3, dtype=torch.float64), 1.0) == 0
    kernel, radius = kernels(4, 6, rank=2), torch.linspace(0.1, 3, 6, dtype=torch.float64)
    batch = local_rademacher_complexity(kernel, radius)
    each = torch.stack([local_rademacher_complexity(k, float(r)) for k, r in zip(kernel, radius, strict=True)])
    torch.testing.assert_close(batch, each, rtol=1e-9, atol=1e-12)


def test_complexity_is_differentiable() -> None:
    factor = torch.linalg.cholesky(kernels(3)).requires_grad_()
    radius = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
    f = lambda a, r: local_rademacher_complexity(a @ a.mT, r)  # noqa: E731
    assert torch.autograd.gradcheck(f, (factor, radius))


def test_fixed_points_are_algebraic_ones() -> None:
    """psi(r) = a sqrt(r): a^2; psi(r) = a sqrt(r) + b: a quadratic in sqrt(r); constants: themselves; any start."""
    a = torch.tensor([0.3, 1.0, 40.0], dtype=torch.float64)
    for start in (1e-12, 1.0, 1e12):
        begin = torch.full_like(a, start)
        torch.testing.assert_close(sub_root_fixed_point(lambda r: a * r.sqrt(), begin), a**2, rtol=1e-12, atol=0)
        with_offset = sub_root_fixed_point(lambda r: a * r.sqrt() + 2, begin)
        exact = ((a + (a**2 + 8).sqrt()) / 2) ** 2
        torch.testing.assert_close(with_offset, exact, rtol=1e-12, atol=0)
    assert sub_root_fixed_point(lambda r: 0 * r + 3, torch.ones(1)).item() == 3


def test_functions_that_are_sub_root_only_in_print_have_no_answer() -> None:
    """psi(r) = 1 + r has no fixed point and psi(r) = r/2 no positive one, although psi(r)/r is non-increasing."""
    assert sub_root_fixed_point(lambda r: 1 + r, torch.ones(1, dtype=torch.float64)).isnan().all()
    assert sub_root_fixed_point(lambda r: r / 2, torch.ones(1, dtype=torch.float64)).isnan().all()


@pytest.mark.parametrize("stretch", [1.0, 3.0])
def test_spectral_fixed_points(stretch: float) -> None:
    """It solves its equation; with all eigenvalues large it is 2 a^2 e; with none it is b / n or zero."""
    generator = torch.Generator().manual_seed(0)
    eigenvalues = torch.rand(20, 30, generator=generator, dtype=torch.float64) ** 8
    a, b = torch.linspace(0.1, 50, 20, dtype=torch.float64), 0.7
    r = local_fixed_point(eigenvalues, scale=a, offset=b, stretch=stretch)
    right = a * (2 / 30 * torch.minimum(stretch * r[:, None], eigenvalues).sum(-1)).sqrt() + b / 30
    torch.testing.assert_close(r, right, rtol=1e-12, atol=0)
    large = local_fixed_point(1e6 * torch.ones(5, dtype=torch.float64), scale=2.0, stretch=stretch)
    assert large.item() == pytest.approx(8 * stretch, rel=1e-12)
    zeros = torch.zeros(4, dtype=torch.float64)
    assert local_fixed_point(zeros, offset=2.0).item() == pytest.approx(0.5, rel=1e-15)
    assert local_fixed_point(zeros).item() == 0


def test_the_printed_bound_on_the_fixed_point_loses_a_root_of_two() -> None:
    """Eigenvalues 1e-6, n = 1000, a = 1, b = 0: r* = sqrt(2e-6) against the printed 1e-3."""
    r = local_fixed_point(torch.full((1000,), 1e-6, dtype=torch.float64))
    assert r.item() == pytest.approx(math.sqrt(2e-6), rel=1e-12)


def test_mistakes_are_named() -> None:
    kernel = torch.eye(3, dtype=torch.float64)
    with pytest.raises(ValueError, match=r"radius = -1\.0"):
        local_rademacher_complexity(kernel, -1.0)
    with pytest.raises(ValueError, match=r"\(1, 2\)"):
        local_suprema(kernel, torch.ones(1, 2), 1.0)
    with pytest.raises(ValueError, match="n = 17"):
        local_rademacher_complexity(torch.eye(17), 1.0)
    with pytest.raises(ValueError, match=r"start is 0\.0"):
        sub_root_fixed_point(lambda r: r, torch.zeros(1))
    with pytest.raises(ValueError, match=r"eigenvalues = -1\.0"):
        local_fixed_point(-torch.ones(2, dtype=torch.float64))


@pytest.mark.parametrize(
    ("scale", "radius", "dtype"),
    [
        (1e-170, 1e-100, torch.float64),
        (1e-165, 1.0, torch.float64),
        (1e150, 1e300, torch.float64),
        (1e-25, 1e-10, torch.float32),
        (100.0, 1e36, torch.float32),
    ],
)
def test_suprema_without_a_binding_constraint_are_norms_at_every_scale(scale, radius, dtype):
    """Sqrt(sigma^T K sigma) for K = diag(s, 2 s)."""
    kernel, signs = torch.diag(torch.tensor([scale, 2 * scale], dtype=dtype)), torch.ones(1, 2, dtype=dtype)
    ours = local_suprema(kernel, signs, radius).item()
    assert ours == pytest.approx(math.sqrt(3) * math.sqrt(scale), rel=10 * torch.finfo(dtype).eps, abs=0)
