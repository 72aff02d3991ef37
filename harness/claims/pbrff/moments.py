"""The moments behind Theorem 4: equations 14 to 16, on exact distributions of the gap.

The inputs are one and the same point, so all frequencies and all posteriors have the same gap. An inequality that
should hold with probability 1 - delta is judged at its worst delta: failure probability against delta.
"""

from typing import Literal

from bounds.pac_bayes.power_divergence import alignment_variance_bound, printed_alignment_variance_bound
from harness import Forall, always, claim, grid
from harness.claims.pbrff import defects
from harness.claims.pbrff.gap_laws import gap_law

Labels = Literal["binary", "general"]


@claim(
    "pbrff/eq-14",
    always(),
    reading="printed",
    expected="refuted",
    cite="pbrff, equation 14, mu > 2",
    over=[{"law": "coin", "n": 2, "order": 3.0}, {"law": "coin", "n": 30, "order": 10.0}],
    quote="L_D(k_q) <= L_S(k_q) + (M_mu/epsilon)^(1-1/mu) (D_mu(q||p) + 1)^(1/mu)",
    defect=defects.CONJUGATE_MOMENT,
)
def moment_inequality_as_printed(forall: Forall, *, law: str, n: int, order: float):
    """P(loss > empirical loss + (M_mu / delta)^(1 - 1/mu)) <= delta at every delta, with M_mu = E |gap|^mu.

    Hoelder's inequality gives the moment of the conjugate order mu / (mu - 1).
    """
    exact = gap_law(law, forall, n=n)
    return exact.worst_level((2 * exact.moment(order)) ** (1 - 1 / order), order / (order - 1))


@claim(
    "pbrff/eq-14",
    always(),
    reading="corrected",
    cite="pbrff, equation 14, with the conjugate moment",
    over=[*grid(law=["coin"], n=[2, 30], order=[1.5, 10.0]), *grid(law=["6 classes"], n=[2, 3], order=[3.0])],
    restricts="constant inputs, q = p; coins, or six classes for n <= 3",
)
def moment_inequality(forall: Forall, *, law: str, n: int, order: float):
    """P(loss > empirical loss + (M / delta)^(1 - 1/mu)) <= delta at every delta, with M = E |gap|^(mu / (mu - 1))."""
    exact = gap_law(law, forall, n=n)
    return exact.worst_level((2 * exact.moment(order / (order - 1))) ** (1 - 1 / order), order / (order - 1))


@claim(
    "pbrff/eq-14-low-order",
    always(),
    cite="pbrff, equation 14, mu <= 2",
    over=[*grid(law=["coin"], n=[2, 30], order=[1.5, 2.0]), *grid(law=["6 classes"], n=[2, 3], order=[2.0])],
    restricts="mu <= 2; constant inputs, q = p; coins, or six classes for n <= 3",
)
def moment_inequality_of_low_order(forall: Forall, *, law: str, n: int, order: float):
    """For mu <= 2, P(loss > empirical loss + (M_mu / delta)^(1 - 1/mu)) <= delta at every delta, as printed.

    True and loose: gaps are at most one, so M_mu is at least the conjugate moment.
    """
    exact = gap_law(law, forall, n=n)
    return exact.worst_level((2 * exact.moment(order)) ** (1 - 1 / order), order / (order - 1))


@claim(
    "pbrff/eq-15",
    always(),
    cite="pbrff, equation 15",
    over=grid(law=["coin", "6 classes"], n=[2, 3], order=[1.5, 2.0]),
    restricts="constant inputs, n <= 3, mu = 1.5 and 2",
)
def moment_by_variance(forall: Forall, *, law: str, n: int, order: float):
    """E |gap|^mu <= Var(empirical loss)^(mu/2) for mu <= 2 (Jensen)."""
    exact = gap_law(law, forall, n=n)
    return exact.moment(order), exact.moment(2.0) ** (order / 2)


@claim(
    "pbrff/eq-15-16",
    always(),
    reading="printed",
    expected="refuted",
    cite="pbrff, equations 15 and 16",
    over=grid(law=["coin", "6 classes"], n=[2, 3], order=[1.5, 2.0]),
    quote="Let us show M_mu <= (1/(2 sqrt n))^mu for 1 < mu <= 2",
    defect=defects.LEMMA_6,
)
def moment_as_printed(forall: Forall, *, law: str, n: int, order: float):
    """E |gap|^mu <= (1 / (4 n))^(mu/2) for mu <= 2, whose last step uses Lemma 6.

    The step is false; Theorem 4 with mu <= 2, which rests on it, remains true for two classes.
    """
    return gap_law(law, forall, n=n).moment(order), printed_alignment_variance_bound(n) ** (order / 2)


@claim(
    "pbrff/eq-15-16",
    always(),
    reading="corrected",
    cite="pbrff, equations 15 and 16, repaired",
    over=grid(law=["coin", "6 classes"], n=[2, 3], order=[1.5, 2.0]),
    restricts="constant inputs, n <= 3, mu = 1.5 and 2",
)
def moment_bound(forall: Forall, *, law: str, n: int, order: float):
    """E |gap|^mu <= v^(mu/2) for mu <= 2, with v the corrected variance bound of Lemma 6 (two classes, or any)."""
    labels: Labels = "binary" if law == "coin" else "general"
    return gap_law(law, forall, n=n).moment(order), alignment_variance_bound(n, labels=labels) ** (order / 2)
