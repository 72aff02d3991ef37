"""Letters, bars and indices of Appendix B and of Figure 1c, read as they stand; beside each the reading that holds."""

import math
from functools import cache

import numpy as np
import scipy.special
import torch
from torch import Tensor

from algos.kernel_learning.alignment import quadratic_alignment
from algos.sphere.zonal import zonal_polynomials
from bounds.margin_game.sphere import harmonic_dimension, surface_area
from harness import Forall, always, claim, grid, identity
from harness.claims.nsrf import symbols
from harness.claims.nsrf.harmonics import harmonics_of_degree
from harness.claims.nsrf.sphere import zonal_gram
from harness.claims.placement import table


@claim(
    "nsrf/eq-8",
    identity(),
    over=[{"d": 3, "m": 1, "degree": 2}, {"d": 5, "m": 3, "degree": 1}],
    reading="printed",
    expected="refuted",
    cite="nsrf, equation (8), letter by letter",
    quote=(
        "P_m^d(<x, x'>) = |S^(d-1)|/N(d, l) sum_(l=1)^(N(d, l)) Y_(l,m)^d(x) conj Y_(l,m)^d(x') for all x, x' in "
        "S^(d-1)"
    ),
    defect=symbols.ADDITION_THEOREM,
)
def addition_theorem_as_printed(forall: Forall, *, d: int, m: int, degree: int):
    """P_m(<x, x'>) = (area / N(d, l)) times the sum of Y conj Y' over all harmonics of the degree l.

    Two letters for one degree, in the paper or in our copy: m on the left, l in N(d, l), which is also what the sum
    runs over. Every reader repairs this, and nothing depends on it. With the order first and the degree second, as in
    the caption of Figure 1c, only N(d, l) would have to be N(d, m).
    """
    x, other = forall.sphere("x", 1, d), forall.sphere("x'", 1, d)
    first, second = (harmonics_of_degree(point, degree)[..., 0, :] for point in (x, other))
    total = torch.as_tensor((first * second.conj()).sum(-1)).real
    zonal = zonal_polynomials((x * other).sum((-2, -1)), m, d)[..., m]
    return zonal, surface_area(d) / harmonic_dimension(d, degree) * total


@claim(
    "nsrf/B.2-explicit",
    identity(),
    over=grid(degree=[1, 2]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix B.2, the product of Legendre functions, with the upper index l_(d-1)",
    quote=(
        "Y_(l_1, ..., l_N) := 1/sqrt(2 pi) e^(i l_1 theta_1) prod_(k=2)^(d-1) _kP_(l_k)^(l_(d-1))(theta_k), where the "
        "functions in the product come from a certain family of associated Legendre functions"
    ),
    defect=symbols.UPPER_INDEX,
)
def separated_harmonics_as_printed(forall: Forall, *, degree: int):
    """(2 pi)^(-1/2) exp(i l_1 theta_1) P_l^l(theta_2), |l_1| <= l, is a basis of the harmonics of degree l for d = 3.

    A wrong index, in the paper or in our copy: for d = 3 the upper index l_(d-1) = l_2 is the degree itself, and so
    P_l^l a multiple of the l-th power of the sine for every l_1. The sum of the squares over an orthonormal basis is
    constant on the sphere; this one is 0 at the poles. For d > 3 orders would exceed their degrees.
    """
    x, other = forall.sphere("x", 1, 3), forall.sphere("x'", 1, 3)
    norm = math.sqrt(2 * math.pi * math.gamma(degree + 1) * math.gamma(0.5) / math.gamma(degree + 1.5))
    waves = []
    for point in (x, other):
        plane = torch.complex(point[..., 0, 0], point[..., 0, 1])
        powers = [plane**order * plane.abs() ** (degree - order) for order in range(degree + 1)]
        waves.append(torch.stack(powers + [power.conj() for power in powers[1:]], -1) / norm)
    total = surface_area(3) / (2 * degree + 1) * (waves[0] * waves[1].conj()).sum(-1).real
    return total, zonal_polynomials((x * other).sum((-2, -1)), degree, 3)[..., degree]


@claim(
    "nsrf/thm-B.1",
    always(),
    over=grid(n=[1, 5], d=[3], degree=[2]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Theorem B.1, if, for the coefficients of m >= 1 alone",
    quote=(
        "... is positive semi-definite if and only if its expansion into Gegenbauer polynomials P_m^d has only "
        "non-negative "
        "coefficients, i.e. k(<x, x'>) = sum_(m=0)^infinity lambda_m P_m^d(<x, x'>), (7) with lambda_m >= 0, for all m "
        "in N^+."
    ),
    defect=symbols.CONSTANT_TERM,
)
def schoenberg_as_printed(forall: Forall, *, n: int, d: int, degree: int):
    """Gegenbauer sums of <x, x'> with c_m >= 0 for all m >= 1, and any c_0, are positive semidefinite on the sphere.

    A matter of one letter: (7) begins with m = 0, "only non-negative coefficients" includes it, and N^+ does not, in
    the paper or in our copy. k = -1 is no kernel.
    """
    points, constant = forall.sphere("points", n, d), forall.interval("c_0", -1.0, 1.0)
    rest = forall.interval("coefficients", 0.0, 1.0, degree)
    gram = zonal_gram(points, points, torch.cat([constant.unsqueeze(-1), rest], -1))
    a, b = (forall.interval(name, -1.0, 1.0, n) for name in ("a", "b"))
    cross = (a * (gram @ b.unsqueeze(-1)).squeeze(-1)).sum(-1)
    return 2 * cross, quadratic_alignment(gram, a) + quadratic_alignment(gram, b)


@claim(
    "nsrf/thm-B.1-index",
    always(),
    over=grid(d=[2, 3, 5], degree=[2]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Theorem B.1, only if, with Schoenberg's polynomials of the index (d - 1)/2",
    quote=("Note that we adopt a different notation from Schoenberg (1942), which denotes our P_m^d by P_m^((d-1)/2)."),
    defect=symbols.GEGENBAUER_INDEX,
)
def index_as_printed(forall: Forall, *, d: int, degree: int):
    """Kernels on the sphere of R^d have coefficients >= 0 in the Gegenbauer polynomials of the index (d - 1)/2.

    A matter of convention: Schoenberg's d is the dimension of the sphere, here it is that of the space around it, and
    the index (d - 2)/2. With the printed one "only if" fails: on the sphere of R^3 the kernel P_2 = (3 t^2 - 1)/2 is
    3/8 (4 t^2 - 1) - 1/8. "If" holds, as these are the polynomials of a larger sphere.
    """
    return 0.0, _least_coefficient(forall.interval("coefficients", 0.0, 1.0, degree + 1), d, (d - 1) / 2)


@claim(
    "nsrf/thm-B.1-index",
    identity(atol=1e-12),
    over=grid(d=[3], degree=[0, 4]) + grid(d=[4, 5], degree=[3]),
    reading="corrected",
    cite="nsrf, Theorem B.1, only if, with Schoenberg's polynomials of the index (d - 2)/2",
    sizes="d = 3, 4 and 5, degrees up to 4",
    restricts="sums of the polynomials of a degree; that kernels have coefficients >= 0 in these is under nsrf/thm-2.2",
)
def index_of_the_polynomials(forall: Forall, *, d: int, degree: int):
    """sum_l c_l P_l has the coefficients c_l / C_l(1) in the Gegenbauer polynomials C_l of the index (d - 2)/2.

    They have the signs of the c_l; the smallest of them is compared. For d = 2 the polynomials are those of Chebyshev,
    by a limit.
    """
    coefficients = forall.interval("coefficients", -1.0, 1.0, degree + 1)
    ends = table([scipy.special.eval_gegenbauer(m, (d - 2) / 2, 1.0) for m in range(degree + 1)], like=coefficients)
    return _least_coefficient(coefficients, d, (d - 2) / 2), (coefficients / ends).amin(-1)


def _least_coefficient(coefficients: Tensor, d: int, index: float) -> Tensor:
    """The smallest coefficient of sum_l c_l P_l in the Gegenbauer polynomials of an index."""
    expansion = table(expansions(d, coefficients.shape[-1] - 1, index), like=coefficients)
    return (coefficients @ expansion).amin(-1)


@cache
def expansions(d: int, degree: int, index: float) -> list[list[float]]:
    """The coefficients of P_0, ..., P_L of the sphere of R^d in C_0, ..., C_L of an index > 0: (L + 1, L + 1)."""
    nodes, widths = scipy.special.roots_gegenbauer(degree + 1, index)
    ours = zonal_polynomials(torch.from_numpy(nodes), degree, d).numpy()
    theirs = np.stack([scipy.special.eval_gegenbauer(m, index, nodes) for m in range(degree + 1)], -1)
    squares = (widths[:, None] * theirs**2).sum(0)
    found: list[list[float]] = ((ours * widths[:, None]).T @ theirs / squares).tolist()
    return found


@claim(
    "nsrf/B.2-real",
    identity(),
    over=grid(P=[3, 6], part=["imaginary"]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix B.2, the transform of a real-valued function",
    quote=(
        "In particular, the Fourier transform lambda of a real-valued function k : R^n -> R satisfies lambda(omega) = "
        "lambda(-omega), so that the dual measure can be constrained to be symmetric."
    ),
    defect=symbols.REAL_TRANSFORM,
)
def transforms_of_real_functions_as_printed(forall: Forall, *, P: int, part: str):
    """The coefficients of real trigonometric polynomials on the line have lambda(w) = lambda(-w).

    A conjugation left out, in the paper or in our copy: k = sin has lambda(1) = -i/2 = -lambda(-1). Kernels are even,
    and for them the sentence is true.
    """
    opposite, coefficient = _opposite_coefficients(forall.interval("values", -1.0, 1.0, P), forall)
    return _part(opposite, part), _part(coefficient, part)


@claim(
    "nsrf/B.2-real",
    identity(),
    over=grid(P=[3, 6], part=["real", "imaginary"]),
    reading="corrected",
    cite="nsrf, Appendix B.2, the transform of a real-valued function, with the conjugate",
    restricts="trigonometric polynomials on the line",
)
def transforms_of_real_functions(forall: Forall, *, P: int, part: str):
    """The coefficients of real trigonometric polynomials on the line have lambda(w) = conj lambda(-w).

    They are determined by P equidistant values in a period, any numbers. Where k is even, as kernels are, they are
    real, and lambda(w) = lambda(-w).
    """
    opposite, coefficient = _opposite_coefficients(forall.interval("values", -1.0, 1.0, P), forall)
    return _part(opposite.conj(), part), _part(coefficient, part)


def _opposite_coefficients(values: Tensor, forall: Forall) -> tuple[Tensor, Tensor]:
    """lambda(-j) and lambda(j), the mean of k(u) exp(-i j u) over P equidistant u, for any j up to (P - 1)/2."""
    P = values.shape[-1]
    frequency = forall.integers("j", 0, (P - 1) // 2).unsqueeze(-1)
    phases = 2 * math.pi / P * frequency * torch.arange(P).to(values)
    first, second = ((values * torch.exp(sign * 1j * phases)).mean(-1) for sign in (1, -1))
    return first, second


def _part(number: Tensor, part: str) -> Tensor:
    return number.real if part == "real" else number.imag


LABELS = [{"first": 0, "second": 11}, {"first": 4, "second": 9}, {"first": 8, "second": 27}]


@claim(
    "nsrf/fig-1c-labels",
    always(),
    over=LABELS,
    reading="printed",
    expected="refuted",
    cite="nsrf, caption of Figure 1c, with the index pairs (l, m) of Section 2.1",
    quote="Toy dataset on the sphere, with top-3 selected features: spherical harmonics Y_(0,11), Y_(4,9), Y_(8,27).",
    defect=symbols.LABELS_OF_FIGURE_1C,
)
def labels_as_printed(*, first: int, second: int):
    """Y_(l,m) of the caption is one of the 2 l + 1 harmonics of its degree l on the sphere of R^3: m <= N(3, l).

    A matter of convention: by Section 2.1, where m runs to N(d, l), degree 0 has one harmonic and degree 8 has 17, so
    that Y_(0,11) and Y_(8,27) do not exist; nor does Y_(4,9) with m from -l to l.
    """
    return second, harmonic_dimension(3, first)


@claim(
    "nsrf/fig-1c-labels",
    always(),
    over=LABELS,
    reading="corrected",
    cite="nsrf, caption of Figure 1c, with the order first and the degree second",
    restricts="says that the harmonics exist, not that they are selected",
)
def labels_with_the_order_first(*, first: int, second: int):
    """Y_(m,l) of the caption is a harmonic of degree l and order m on the sphere of R^3: 0 <= m <= l."""
    return first, second
