"""The PAC-Bayes theorem with power divergences: Theorem 4.

Printed statements are judged on exact distributions of the gap, where all posteriors agree (constant inputs): the
failure probability at the worst delta against that delta. What is true is judged by simulation as well, over test
distributions with many frequencies and posteriors (`beds`).
"""

from typing import Literal

from bounds.pac_bayes.power_divergence import power_divergence_bound, printed_power_divergence_bound
from harness import Draw, Forall, always, claim, grid, high_probability
from harness.claims.pbrff import defects
from harness.claims.pbrff.beds import TWO_CLASSES, gaps
from harness.claims.pbrff.gap_laws import gap_law


@claim(
    "pbrff/thm-4-case-1",
    always(),
    reading="printed",
    expected="refuted",
    cite="pbrff, Theorem 4, mu <= 2, more than two classes",
    over=[{"n": 2, "classes": 3, "order": 1.9}, {"n": 3, "classes": 10, "order": 1.98}],
    quote="L_D(k_q) <= L_S(k_q) + (1/(2 sqrt n))^(mu-1) (D_mu(q||p) + 1)^(1/mu) (1/epsilon)^(1-1/mu) if 1 < mu <= 2",
    defect=defects.LEMMA_6,
)
def low_order_as_printed(forall: Forall, *, n: int, classes: int, order: float):
    """P(loss > empirical loss + (1 / (2 sqrt(n)))^(mu - 1) delta^-(1 - 1/mu)) <= delta at every delta, mu <= 2, q = p.

    True for two classes; with more it fails for n = 2, mu from 1.89, and n = 3, mu from 1.95.
    """
    bound = printed_power_divergence_bound(0.0, 0.0, sample_size=n, delta=0.5, order=order)
    return gap_law(f"{classes} classes", forall, n=n).worst_level(bound, order / (order - 1))


@claim(
    "pbrff/thm-4-case-1",
    high_probability("delta"),
    trivial=1.0,
    reading="corrected",
    cite="pbrff, Theorem 4, mu <= 2, repaired",
    over=[
        {"bed": "labels", "n": 2, "order": 1.9, "delta": 0.33},
        *grid(bed=["labels", "independent", "gaussian"], n=[20], order=[1.5], delta=[0.2]),
    ],
    restricts="our test distributions, mu = 1.5 and 1.9, n <= 20",
)
def low_order(forall: Forall, draw: Draw, *, bed: str, n: int, order: float, delta: float):
    """For all q and mu <= 2: loss <= empirical loss + r delta^-(1 - 1/mu) (D_mu(q || p) + 1)^(1/mu).

    ``r = min(v^(1 - 1/mu), ((mu'/2) Gamma(mu'/2))^(1/mu') / sqrt(2 floor(n/2)))``, v as for mu > 2.
    """
    supremum = gaps(bed, forall, draw, n=n).power_supremum(order)
    bound = power_divergence_bound(0.0, 0.0, sample_size=n, delta=delta, order=order, labels=_labels(bed))
    return supremum, bound


@claim(
    "pbrff/thm-4-case-1-binary",
    high_probability("delta"),
    trivial=1.0,
    cite="pbrff, Theorem 4, mu <= 2, two classes",
    over=[
        *grid(bed=["coin", "gaussian"], n=[2, 10], order=[1.7], delta=[0.2]),
        {"bed": "independent", "n": 2, "order": 1.7, "delta": 0.95},
    ],
    restricts="two classes, mu = 1.7; our test distributions, n <= 10",
)
def low_order_binary(forall: Forall, draw: Draw, *, bed: str, n: int, order: float, delta: float):
    """For all q, mu <= 2, two classes: loss <= empirical loss + (1/(2 sqrt n))^(mu-1) ((D_mu + 1)/delta^(mu-1))^(1/mu).

    True although its proof is not. The rate n^-((mu - 1) / 2) is slower than what holds.
    """
    supremum = gaps(bed, forall, draw, n=n).power_supremum(order)
    return supremum, printed_power_divergence_bound(0.0, 0.0, sample_size=n, delta=delta, order=order)


@claim(
    "pbrff/thm-4-case-2",
    always(),
    reading="printed",
    expected="refuted",
    cite="pbrff, Theorem 4, mu > 2",
    over=[{"n": 2, "order": 3.0}, {"n": 1000, "order": 10.0}],
    quote="L_D(k_q) <= L_S(k_q) + (1/(4n))^(1-1/mu) (D_mu(q||p) + 1)^(1/mu) (1/epsilon)^(1-1/mu) if mu > 2",
    defect=defects.CONJUGATE_MOMENT,
)
def high_order_as_printed(forall: Forall, *, n: int, order: float):
    """P(loss > empirical loss + (1 / (4 n delta))^(1 - 1/mu)) <= delta at every delta, for mu > 2 and q = p.

    Constant inputs with coin labels. The rate n^-(1 - 1/mu) would beat the central limit theorem.
    """
    bound = printed_power_divergence_bound(0.0, 0.0, sample_size=n, delta=0.5, order=order)
    return gap_law("coin", forall, n=n).worst_level(bound, order / (order - 1))


@claim(
    "pbrff/thm-4-case-2",
    high_probability("delta"),
    trivial=1.0,
    reading="corrected",
    cite="pbrff, Theorem 4, mu > 2, repaired",
    over=[
        {"bed": "coin", "n": 2, "order": 3.0, "delta": 0.4},
        {"bed": "coin", "n": 1000, "order": 10.0, "delta": 0.05},
        {"bed": "labels", "n": 3, "order": 3.0, "delta": 0.3},
        {"bed": "independent", "n": 30, "order": 4.0, "delta": 0.9},
        {"bed": "gaussian", "n": 20, "order": 4.0, "delta": 0.2},
    ],
    restricts="our test distributions, mu = 3, 4 and 10, five settings",
)
def high_order(forall: Forall, draw: Draw, *, bed: str, n: int, order: float, delta: float):
    """For all q and mu > 2: loss <= empirical loss + v^(1/2) delta^-(1 - 1/mu) (D_mu(q || p) + 1)^(1/mu).

    v = 1 / (4 n) for two classes and (27 (n - 2) / 64 + 1/2) / (n (n - 1)) in general.
    """
    supremum = gaps(bed, forall, draw, n=n).power_supremum(order)
    bound = power_divergence_bound(0.0, 0.0, sample_size=n, delta=delta, order=order, labels=_labels(bed))
    return supremum, bound


def _labels(bed: str) -> Literal["binary", "general"]:
    return "binary" if bed in TWO_CLASSES else "general"
