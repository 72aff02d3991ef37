"""The Rademacher complexity of the unit balls of all kernels with a bounded spectrum, by all signs and frequencies."""

from algos.complexity.spectral_rademacher import frequencies_rademacher_complexity, spectral_rademacher_complexity
from bounds.complexity.spectral_class import printed_spectral_complexity, spectral_complexity
from harness import Forall, always, claim, grid
from harness.claims.nsrf import defects


@claim(
    "nsrf/rademacher",
    always(),
    over=grid(n=[1], R_w=[0.01, 0.3]) + grid(n=[2, 8], R_w=[0.01, 0.1, 0.25]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Appendix D, last display",
    quote="Putting everything together, we finally obtain that R_S <= 3 R_omega R_x sqrt(R_lambda/n).",
    defect=defects.RADEMACHER,
)
def complexity_as_printed(forall: Forall, *, n: int, R_w: float):
    """The unit balls of all kernels of spectral mass 1 on |w| <= R_w have complexity at most 3 R_w R_x / sqrt n.

    False for small R_w R_x (below 1/3 for one point): cos 0 = 1, so sup |A| <= sup A + sup(-A) fails where A keeps its
    sign. A step of the proof of Theorem 4.3; the inequality of that theorem is not refuted with it. Left: a lower
    bound, the supremum over the ball being taken on a grid. Here R_x = 1.
    """
    points = forall.interval("points", -1.0, 1.0, n, 1)
    return spectral_rademacher_complexity(points, R_w, nodes=9).lower, printed_spectral_complexity(R_w, 1.0, n)


@claim(
    "nsrf/rademacher",
    always(),
    over=grid(n=[5], d=[1], R_w=[0.05, 0.3]) + grid(n=[1], d=[1], R_w=[3.0]) + grid(n=[4], d=[2], R_w=[0.2]),
    reading="corrected",
    cite="nsrf, Appendix D, with frequency zero kept",
    restricts="n <= 5, d <= 2",
)
def complexity(forall: Forall, *, n: int, d: int, R_w: float):
    """Those unit balls have complexity at most min(e/sqrt n + 3r, pi e/sqrt n + r, sqrt n)/sqrt n, r = R_w R_x.

    e = E|sum of n signs|. First: |Z| <= |Z(0)| + |Re(Z - Z(0))| + |Im Z|, where 1 - cos and sin vanish at zero. Second:
    |Z(w)| is the largest of sum_i sigma_i cos(<w, x_i> - phi) over phi, one contraction. Left: an upper bound of the
    supremum over the ball. Here R_x is the largest norm in the sample.
    """
    points = forall.ball("points", n, d)
    largest_phase = R_w * points.square().sum(-1).amax(-1).sqrt()
    bracket = spectral_rademacher_complexity(points, R_w, nodes=33 if d == 1 else 17)
    return bracket.upper, spectral_complexity(largest_phase, 1.0, n)


@claim(
    "nsrf/thm-4.3-log-T",
    always(),
    over=grid(T=[1], n=[3], d=[1], R_w=[0.3])
    + grid(T=[4], n=[5], d=[3], R_w=[3.0])
    + grid(T=[32], n=[5], d=[1], R_w=[0.3]),
    cite="nsrf, remark on Theorem 4.3",
    sizes="three and five points, d = 1 and 3, T <= 32, R_w = .3 and 3",
    restricts="that no T is left, for the complexity of a sample; the bound of Cortes et al. that it improves on is"
    " not computed",
)
def complexity_does_not_grow_with_the_number_of_kernels(forall: Forall, *, T: int, n: int, d: int, R_w: float):
    """The unit balls of all mixtures of T cosine kernels with |w| <= R_w have a complexity bounded without T.

    The remark is right that no sqrt(log T) is left. What replaces it is R_w R_x: of the two bounds neither is always
    the smaller, and only large R_w R_x makes many kernels different. Here R_x = 1.
    """
    points = forall.ball("points", n, d)
    frequencies = forall.ball("frequencies", T, d, radius=R_w)
    return frequencies_rademacher_complexity(points, frequencies), spectral_complexity(R_w, 1.0, n)
