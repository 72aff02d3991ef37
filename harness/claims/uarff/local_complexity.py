"""Local Rademacher complexities, their fixed points, and the steps of the refined analysis that can be judged."""

from collections.abc import Callable

import torch
from torch import Tensor

from algos.complexity.local_rademacher import local_fixed_point, local_rademacher_complexity, sub_root_fixed_point
from bounds.complexity.local_rademacher import local_complexity, printed_local_complexity
from harness import Forall, always, claim, grid, untestable
from harness.claims.placement import table

from .defects import EQUATION_10
from .symbols import DEFINITION_1, DEFINITION_4


@claim(
    "uarff/def-4",
    always(),
    over=grid(n=[1, 4]),
    reading="corrected",
    cite="uarff, Definition 4, Lemmas 7 and 25",
    restricts="functions of the form of Lemma 25, n = 1 and 4",
)
def functions_used_later_are_sub_root(forall: Forall, *, n: int):
    """psi(r) / sqrt(r) is non-increasing for psi(r) = a sqrt((2/n) sum min(r, mu_i)) + b / n.

    As Lemma 5 needs it, and its source has it: Definition 4 has psi(r) / r, perhaps for a lost root sign
    (lem-5[printed]).
    """
    psi = _spectral_function(forall, n)
    r, factor = forall.interval("r", 1e-3, 2.0), forall.interval("factor", 1.0, 10.0)
    return psi(factor * r) / (factor * r).sqrt(), psi(r) / r.sqrt()


@claim(
    "uarff/lem-5",
    always(),
    over=grid(part=["one solution", "beyond it"]),
    reading="printed",
    expected="refuted",
    cite="uarff, Definition 4 and Lemma 5",
    quote="for all r > 0, psi(r) is non-decreasing and psi(r)/r is non-increasing ... then psi(r) = r has a unique "
    "positive solution r^*. In addition, we have that r >= psi(r) if and only if r >= r^*",
    defect=DEFINITION_4,
)
def fixed_points_without_the_root(forall: Forall, *, part: str):
    """If psi and r / psi(r) are non-decreasing, psi(r) = r has one positive solution r*, and r >= psi(r) iff r >= r*.

    psi(r) = a + r is of this kind, a >= 0. For a = 0 every r is a solution: two of them, r and r', should be equal. For
    a > 0 there is none: beyond any r* <= 1e6 there should be r >= psi(r). With psi(r) / sqrt(r) it is true.
    """
    if part == "one solution":
        first, second = forall.interval("r", 0.01, 1.0), forall.interval("r'", 0.01, 1.0)
        return (first - second).abs(), 0.0
    a, r = forall.interval("a", 0.01, 1.0), 1e6 + forall.interval("r - 1e6", 0.0, 1.0)
    return a + r, r


@claim(
    "uarff/lem-5",
    always(),
    over=grid(n=[1, 4]),
    reading="corrected",
    cite="uarff, Definition 4 and Lemma 5",
    restricts="functions of the form of Lemma 25, n = 1 and 4",
    unnoticed="its right side is zero: an equivalence written as a product",
)
def fixed_points_of_sub_root_functions(forall: Forall, *, n: int):
    """If psi(r) / sqrt(r) is non-increasing and psi > 0, there is one fixed point r* > 0, and r >= psi(r) iff r >= r*.

    With the root that Definition 4 lacks, and psi > 0, which the paper does not ask for: (psi(r) - r)(r - r*) <= 0.
    """
    psi = _spectral_function(forall, n)
    r = forall.interval("r", 0.0, 10.0)
    fixed = sub_root_fixed_point(psi, torch.ones_like(r), iterations=60)
    return (psi(r) - r) * (r - fixed), 0.0


def _spectral_function(forall: Forall, n: int) -> Callable[[Tensor], Tensor]:
    """psi(r) = a sqrt((2/n) sum min(r, mu_i)) + b / n for any spectrum."""
    eigenvalues = forall.interval("eigenvalues", 0.01, 1.0, n)
    a, b = forall.interval("a", 0.1, 3.0), forall.interval("b", 0.0, 1.0)

    def psi(r: Tensor) -> Tensor:
        return a * (2 / n * torch.minimum(r.unsqueeze(-1), eigenvalues).sum(-1)).sqrt() + b / n

    return psi


@claim(
    "uarff/lem-6",
    untestable(
        "the constants c1, c2, c3 and the range of the class are not named; the source has P_n f^2 <= 2 r, ranges in "
        "[-1, 1], probability 1 - 3 exp(-x), and (D + 1) / D in the reverse inequality, on which (25) depends"
    ),
    cite="uarff, Lemma 6",
)
def local_rademacher_bound():
    """E f <= D / (D - 1) E_n f + (6 D / B) r* + (c3 / n) log(1 / delta) for all f of a class with E f^2 <= B E f."""


_BALLS = grid(n=[1, 3])


@claim(
    "uarff/lem-7",
    always(),
    over=_BALLS,
    reading="printed",
    expected="refuted",
    cite="uarff, Lemma 7",
    quote="R^_n{f in H | E_n[f^2] <= r} <= ((2/n) sum_{i=1}^n min{r, lambda^_i})^{1/2}",
    defect=DEFINITION_1,
)
def local_complexity_as_printed(forall: Forall, *, n: int):
    """The complexity (Definition 1) of {|f|_H <= 1, E_n f^2 <= r} is at most sqrt((2/n) sum min(r, mu_i)).

    Right in the convention without the factor 2, from which it is quoted: half of the left side satisfies it. Only
    constants in r* change. The unit ball is Assumption 1.
    """
    complexity, truncated = _local_ball(forall, n)
    return complexity, printed_local_complexity(truncated, n)


@claim(
    "uarff/lem-7",
    always(),
    over=_BALLS,
    reading="corrected",
    cite="uarff, Lemma 7",
    restricts="n = 1 and 3, trace of K one, r from .001 to 1",
)
def local_complexity_of_the_unit_ball(forall: Forall, *, n: int):
    """The complexity (Definition 1) of {|f|_H <= 1, E_n f^2 <= r} is at most 2 sqrt((2/n) sum min(r, mu_i))."""
    complexity, truncated = _local_ball(forall, n)
    return complexity, local_complexity(truncated, n)


def _local_ball(forall: Forall, n: int) -> tuple[Tensor, Tensor]:
    """Local complexity of the unit ball, exactly, and sum min(r, mu_i) over the eigenvalues of K / n."""
    kernel, r = forall.psd("K", n, trace=1.0), forall.interval("r", 1e-3, 1.0)
    eigenvalues = torch.linalg.eigvalsh(kernel).clamp_min(0) / n
    return local_rademacher_complexity(kernel, r), torch.minimum(r.unsqueeze(-1), eigenvalues).sum(-1)


@claim(
    "uarff/eq-10",
    always(),
    over=grid(n=[1, 4]),
    reading="inferred",
    expected="refuted",
    cite="uarff, eq. 10 and 13, and Lemma 25, for 2 L c_1 >= 1",
    restricts="2 L c_1 from 1 to 5, which the paper leaves free; n = 1 and 4, e_0 = 1000",
    defect=EQUATION_10,
)
def fixed_point_without_its_constants(forall: Forall, *, n: int):
    """r* <= min_h e_0 h / n + sqrt((1/n) sum_{i > h} mu_i) for psi(r) = a sqrt((2/n) sum min(r, mu_i)), 1 <= a <= 5.

    e_0 = 1000 stands for the free constant, which h = 0 does not involve; a = 2 L c_1 with c_1 >= 20 in the source. The
    paper names neither c_1 nor L: for a <= 1 / sqrt(2) it would be true, and a >= 1 is our reading. Constants only: the
    rates of the tables do not change.
    """
    eigenvalues, a = (
        forall.interval("eigenvalues", 0.0, 1.0, n).sort(-1, descending=True).values,
        forall.interval("a", 1.0, 5.0),
    )
    h = table(range(n + 1), like=eigenvalues)
    return local_fixed_point(eigenvalues, scale=a), (1000 * h / n + (_tails(eigenvalues) / n).sqrt()).amin(-1)


@claim(
    "uarff/eq-10",
    always(),
    over=grid(n=[1, 4]),
    reading="corrected",
    cite="uarff, equations 10 and 13",
    sizes="n = 1 and 4, any spectrum (at most one, by scaling), a = 2 L c_1 from .01 to 100, b from 0 to 100",
)
def fixed_point_in_terms_of_the_spectrum(forall: Forall, *, n: int):
    """r* <= 2 b / n + min_h 2 a^2 h / n + a sqrt((2/n) sum_{i > h} mu_i) for every spectrum mu.

    psi(r) = a sqrt((2/n) sum min(r, mu_i)) + b / n, as in Lemma 25.
    """
    eigenvalues = forall.interval("eigenvalues", 0.0, 1.0, n).sort(-1, descending=True).values
    a = 10.0 ** forall.interval("log10 a", -2.0, 2.0)
    b = 100.0 * forall.interval("b / 100", 0.0, 1.0)
    h = table(range(n + 1), like=eigenvalues)
    roots = a.unsqueeze(-1) * (2 * _tails(eigenvalues) / n).sqrt()
    bound = 2 * b / n + (2 * a.square().unsqueeze(-1) * h / n + roots).amin(-1)
    return local_fixed_point(eigenvalues, scale=a, offset=b), bound


def _tails(eigenvalues: Tensor) -> Tensor:
    """sum_{i > h} mu_i for h = 0, ..., n; `(batch, n + 1)`."""
    sums = eigenvalues.flip(-1).cumsum(-1).flip(-1)
    return torch.cat([sums, torch.zeros_like(sums[..., :1])], -1)


@claim(
    "uarff/thm-12-remarks",
    always(),
    over=grid(n=[1, 4]),
    cite="uarff, below Theorem 12",
    sizes="n = 1 and 4, any spectrum, z_0, a and b from .1 to 3; the other remarks: tab-2-parameters",
)
def fixed_point_is_at_most_of_order_one_over_root_n(forall: Forall, *, n: int):
    """r* = O(1 / sqrt(n)) whatever the spectrum: r* <= a sqrt(2 / n) z_0 + 2 b / n for k(x, x) <= z_0^2.

    (10) at h = 0, without any decay of the eigenvalues. For mu_i ~ i^-t the best h gives n^(-t / (1 + t)), which is
    faster than the n^(-1/2) of Tables 2, 4, 5 and 7.
    """
    eigenvalues = forall.simplex("eigenvalues", n)
    z, a, b = (forall.interval(name, 0.1, 3.0) for name in ("z_0", "a", "b"))
    spectrum = z.square().unsqueeze(-1) * eigenvalues
    return local_fixed_point(spectrum, scale=a, offset=b), a * (2 / n) ** 0.5 * z + 2 * b / n
