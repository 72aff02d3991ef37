"""How well a kernel of sampled features approximates the kernel: Lemmas 26 and 27."""

import math

import torch
from torch import Tensor

from algos.ridge.leverage import operator_norm_deviation
from bounds.random_features.feature_counts import matrix_bernstein_tail
from bounds.random_features.leverage import deviation_constant, feature_count, printed_deviation_constant
from bounds.random_features.multinomial import multinomial_box_probability, uniform_deviation_probability
from harness import Draw, Forall, always, claim, grid, high_probability, tail

from .defects import LEMMA_27
from .designs import orthogonal_count, orthogonal_deviation, trace
from .finite_support import finite_support

_BERNSTEIN = [
    {"n": n, "cells": cells, "deviation": x}
    for n, cells, x in [
        (200, 2, 0.3),
        (500, 10, 0.55),
        (5000, 10, 0.18),
        (100_000, 100, 0.14),
        (20_000, 100, 0.313),
    ]
]


@claim(
    "uarff/lem-26",
    always(),
    over=_BERNSTEIN,
    trivial=1.0,
    cite="uarff, Lemma 26",
    restricts="diagonal R_i = e_v e_v^T of a uniform cell v, five sizes",
    unnoticed="a tail bound for all matrices, and the dimension in front: .008 of it is reached by exact probabilities",
)
def matrix_bernstein_inequality(*, n: int, cells: int, deviation: float):
    """P(|mean R_i - R| >= eps) <= 4 d exp(-(n eps^2 / 2) / (m + 2 L eps / 3)) for matrices of norm at most L.

    R_i = e_v e_v^T for a uniform cell v of N, eps = x / N: L = 1, m = 1/N, d = 2 N, and the left side is the exact
    probability that some multinomial count is off by a relative x.
    """
    bound = matrix_bernstein_tail(deviation / cells, n, variance=1 / cells, norm=1.0, dimension=2.0 * cells)
    return uniform_deviation_probability(n, cells, deviation), bound


_MATRICES = [
    {"n": n, "rows": rows, "columns": columns, "atoms": atoms}
    for n, rows, columns, atoms in [(40, 1, 1, 2), (200, 2, 3, 3)]
]


@claim(
    "uarff/lem-26-any",
    tail(),
    over=_MATRICES,
    cite="uarff, Lemma 26",
    sizes="all distributions on two complex numbers and on three complex 2 x 3 matrices, n = 40 and 200, M_1 and M_2 "
    "up to twice the largest second moment, L to twice the largest norm, eps to six times the least",
    unnoticed="a tail bound for all matrices, with the dimension and a factor 4 in front: .02 of it is reached",
)
def matrix_bernstein_inequality_for_any_matrices(
    forall: Forall, draw: Draw, *, n: int, rows: int, columns: int, atoms: int
):
    """P(|mean R_i - R| >= eps) <= 4 d exp(-(n eps^2 / 2) / (m + 2 L eps / 3)) for any R_i of finitely many values.

    Any M_1 >= E R R^*, M_2 >= E R^* R, L >= |R_i|, and eps >= sqrt(m / n) + 2 L / (3 n). Complex matrices A + i B as
    real ones [[A, -B], [B, A]], of the same norm and twice the trace.
    """
    law = forall.simplex("law", atoms)
    matrices = _complex(forall, "R", atoms, rows, columns)
    squares, weights = matrices @ matrices.mT, law[..., None, None]
    norm = _largest_eigenvalue(squares).sqrt().amax(-1) * (1 + forall.interval("slack of L", 0.0, 1.0))
    second = [(weights * product).sum(1) for product in (squares, matrices.mT @ matrices)]
    largest = torch.maximum(*(_largest_eigenvalue(part) for part in second))
    forall.assume(largest > 1e-6)
    extra = [_complex(forall, f"M_{i} - E", side, side) for i, side in ((1, rows), (2, columns))]
    above = [largest[:, None, None] * (g @ g.mT) / (2 * g.shape[-1]) for g in extra]
    left, right = (part + more for part, more in zip(second, above, strict=True))
    m = torch.maximum(*(_largest_eigenvalue(part) for part in (left, right)))
    dimension = (trace(left) + trace(right)) / (2 * m)
    deviation = forall.interval("times", 1.0, 6.0) * ((m / n).sqrt() + 2 * norm / (3 * n))
    mean = ((draw.multinomial("counts", n, law) / n - law)[..., None, None] * matrices).sum(1)
    exponent = n * deviation.square() / 2 / (m + 2 * norm * deviation / 3)
    return _largest_eigenvalue(mean @ mean.mT) >= deviation.square(), 4 * dimension * (-exponent).exp()


def _largest_eigenvalue(matrix: Tensor) -> Tensor:
    eigenvalues: Tensor = torch.linalg.eigvalsh(matrix)
    return eigenvalues[..., -1].clamp_min(0)


def _complex(forall: Forall, name: str, *shape: int) -> Tensor:
    """Complex matrices with parts in [-1, 1], written as real ones of twice the size."""
    real, imaginary = (forall.interval(f"{part} {name}", -1.0, 1.0, *shape) for part in ("Re", "Im"))
    upper = torch.cat([real, -imaginary], -1)
    return torch.cat([upper, torch.cat([imaginary, real], -1)], -2)


_ORTHOGONAL = grid(cells=[300], ridge=[1e-3], epsilon=[0.1], delta=[0.05])


@claim(
    "uarff/lem-27",
    high_probability("delta"),
    over=_ORTHOGONAL,
    reading="printed",
    expected="refuted",
    cite="uarff, Lemma 27",
    quote="If the number of features s >= d_l~ (1/eps^2 + 2/(3 eps)) log(16 d_K / delta), then for all delta in"
    " (0, 1), with probability greater than 1 - delta, -eps I <= (K + n lambda I)^{-1/2} (K~ - K) (K + n "
    "lambda I)^{-1/2} <= eps I.",
    defect=LEMMA_27,
)
def kernel_deviation_as_printed(draw: Draw, *, cells: int, ridge: float, epsilon: float, delta: float):
    """|(K + n lam)^-1/2 (K~ - K) (K + n lam)^-1/2| <= epsilon at s >= d (1/eps^2 + 2/(3 eps)) log(16 d / delta).

    A factor 2 is lost in the last step of the proof. Leverage sampling; for plain sampling no violation is known
    (rem-28).
    """
    s = orthogonal_count(cells, ridge, delta, printed_deviation_constant(epsilon))
    return orthogonal_deviation(draw, cells, ridge, s), epsilon


@claim(
    "uarff/lem-27",
    high_probability("delta"),
    over=_ORTHOGONAL,
    reading="corrected",
    cite="uarff, Lemma 27",
    restricts="300 orthogonal features, leverage sampling, eps = .1, delta = .05",
)
def kernel_deviation(draw: Draw, *, cells: int, ridge: float, epsilon: float, delta: float):
    """|(K + n lam)^-1/2 (K~ - K) (K + n lam)^-1/2| <= epsilon at s >= d (2/eps^2 + 4/(3 eps)) log(16 d / delta)."""
    s = orthogonal_count(cells, ridge, delta, deviation_constant(epsilon))
    return orthogonal_deviation(draw, cells, ridge, s), epsilon


_EXACT = [
    {"cells": n, "ridge": 1e-3, "epsilon": e, "delta": d}
    for n, e, d in [(100, 0.1, 0.05), (300, 0.1, 0.05), (1000, 0.5, 0.01), (1000, 0.5, 0.001)]
]


@claim(
    "uarff/lem-27-exact",
    always(),
    over=_EXACT,
    reading="printed",
    expected="refuted",
    cite="uarff, Lemma 27",
    quote="If the number of features s >= d_l~ (1/eps^2 + 2/(3 eps)) log(16 d_K / delta), then for all delta in"
    " (0, 1), with probability greater than 1 - delta, -eps I <= (K + n lambda I)^{-1/2} (K~ - K) (K + n "
    "lambda I)^{-1/2} <= eps I.",
    defect=LEMMA_27,
)
def exact_kernel_deviation_as_printed(*, cells: int, ridge: float, epsilon: float, delta: float):
    """On orthogonal features the exact probability that Lemma 27's event fails is at most delta, at the printed s.

    Leverage sampling; for plain sampling no violation is known (rem-28).
    """
    s = orthogonal_count(cells, ridge, delta, printed_deviation_constant(epsilon))
    return uniform_deviation_probability(s, cells, epsilon * (1 + ridge)), delta


@claim(
    "uarff/lem-27-exact",
    always(),
    over=_EXACT,
    reading="corrected",
    cite="uarff, Lemma 27",
    restricts="orthogonal features, leverage sampling, four sizes",
    unnoticed="the sample size comes from a tail bound: the exact probability is .005 of delta",
)
def exact_kernel_deviation(*, cells: int, ridge: float, epsilon: float, delta: float):
    """On orthogonal features the exact probability that Lemma 27's event fails is at most delta, at the corrected s."""
    s = orthogonal_count(cells, ridge, delta, deviation_constant(epsilon))
    return uniform_deviation_probability(s, cells, epsilon * (1 + ridge)), delta


@claim(
    "uarff/lem-27-atoms",
    high_probability("delta"),
    over=grid(n=[2, 3], epsilon=[0.5], delta=[0.05]),
    reading="corrected",
    cite="uarff, Lemma 27",
    restricts="n = 2 and 3, n + 1 atoms, leverage sampling, eps = .5, delta = .05",
    unnoticed="the sample size comes from a tail bound: less than half of epsilon is reached",
)
def kernel_deviation_of_any_atoms(forall: Forall, draw: Draw, *, n: int, epsilon: float, delta: float):
    """Lemma 27 with the corrected number of features, leverage sampling, for all sets of n + 1 atoms on n points."""
    bed = finite_support(forall, n=n, atoms=n + 1)
    drawn = bed.sampled(draw, bed.count(delta, deviation_constant(epsilon)))
    return operator_norm_deviation(bed.kernel, drawn, bed.ridge), epsilon


_RARE = [{"q": q, "epsilon": e, "delta": d} for q, e, d in [(1e-3, 0.1, 1e-3), (1e-3, 0.5, 1e-4)]]


@claim(
    "uarff/lem-27-one-point",
    always(),
    over=_RARE,
    reading="printed",
    expected="refuted",
    cite="uarff, Lemma 27",
    quote="If the number of features s >= d_l~ (1/eps^2 + 2/(3 eps)) log(16 d_K / delta), then for all delta in"
    " (0, 1), with probability greater than 1 - delta, -eps I <= (K + n lambda I)^{-1/2} (K~ - K) (K + n "
    "lambda I)^{-1/2} <= eps I.",
    defect=LEMMA_27,
)
def one_point_deviation_as_printed(*, q: float, epsilon: float, delta: float):
    """Lemma 27's failure probability is at most delta on one point: the smallest case, exact binomial sums.

    Two features z(a) = 0 and z(b), lambda = 1e-9; l~(b) = l(b) and l~(a) = d (1/q - 1), an admissible bound on the
    leverage scores that is not the scores themselves.
    """
    return _one_point(q, epsilon, delta, printed_deviation_constant(epsilon)), delta


@claim(
    "uarff/lem-27-one-point",
    always(),
    over=_RARE,
    reading="corrected",
    cite="uarff, Lemma 27",
    restricts="one point, two features, q = .001",
    unnoticed="the sample size comes from a tail bound: the exact probability is .006 of delta",
)
def one_point_deviation(*, q: float, epsilon: float, delta: float):
    """Lemma 27's failure probability is at most delta on one point, at the corrected number of features."""
    return _one_point(q, epsilon, delta, deviation_constant(epsilon)), delta


def _one_point(q: float, epsilon: float, delta: float, constant: float, *, ridge: float = 1e-9) -> float:
    """P(|K~ - K| > epsilon (K + lambda)) for K = 1 and K~ = c / (s q), c binomial(s, q)."""
    s = feature_count(1 / (1 + ridge) / q, 1 / (1 + ridge), delta, constant=constant)
    mean, width = s * q, s * q * epsilon * (1 + ridge)
    inside = [[math.ceil(mean - width), 0], [math.floor(mean + width), s]]
    return 1 - multinomial_box_probability(s, [q, 1 - q], *inside)


_PLAIN = [
    {"probability": p, "ratio": t, "epsilon": 0.5, "delta": d}
    for p in (0.5, 0.05, 0.002)
    for t in (0.1, 0.5, 1.0)
    for d in (0.1, 0.01)
]


@claim(
    "uarff/rem-28",
    always(),
    over=_PLAIN,
    cite="uarff, Remark 28, equation 42",
    restricts="(42), one point, one feature that is not zero, eps = .5, delta = .1 and .01",
    unnoticed="the sample size comes from a tail bound: the exact probability is 1e-4 of delta",
)
def plain_sampling_deviation(*, probability: float, ratio: float, epsilon: float, delta: float):
    """Plain features on one point: Lemma 27's event fails with probability <= delta at the s of (42), delta >= .01.

    s >= (z_0^2 / lambda) (1/eps^2 + 2/(3 eps)) log(16 d / delta); a feature of value z_0 with the given probability and
    0 else, lambda = ratio x K; exact binomial sums. The proof of the constant is broken as in Lemma 27, but the bound l
    <= p z_0^2 / lambda leaves room, and no plain sample is known to violate (42). Equation 41 is Lemma 27 with leverage
    sampling: see lem-27.
    """
    dimension = 1 / (1 + ratio)
    s = feature_count(1 / (probability * ratio), dimension, delta, constant=printed_deviation_constant(epsilon))
    mean, spread = s * probability, epsilon * (1 + ratio)
    inside = [[math.ceil(mean * (1 - spread)), 0], [math.floor(mean * (1 + spread)), s]]  # zero exactly at spread one
    return 1 - multinomial_box_probability(s, [probability, 1 - probability], *inside), delta
