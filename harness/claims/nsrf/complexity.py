"""The Rademacher complexity of the unit balls of all kernels with a bounded spectrum, by all signs and frequencies."""

import math
from typing import Literal

import torch
from torch import Tensor

from algos.complexity.spectral_rademacher import frequencies_rademacher_complexity, spectral_rademacher_complexity
from bounds.complexity.spectral_class import printed_spectral_complexity, spectral_complexity
from harness import Forall, always, claim, grid
from harness.claims.nsrf import defects

Part = Literal["both bound the class", "ours is smaller"]


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
    restricts="that no T is left, for the complexity of a sample; the bound that it improves on: nsrf/thm-4.3-mkl",
)
def complexity_does_not_grow_with_the_number_of_kernels(forall: Forall, *, T: int, n: int, d: int, R_w: float):
    """The unit balls of all mixtures of T cosine kernels with |w| <= R_w have a complexity bounded without T.

    The remark is right that no sqrt(log T) is left. What replaces it is R_w R_x: of the two bounds neither is always
    the smaller, and only large R_w R_x makes many kernels different. Here R_x = 1.
    """
    points = forall.ball("points", n, d)
    frequencies = forall.ball("frequencies", T, d, radius=R_w)
    return frequencies_rademacher_complexity(points, frequencies), spectral_complexity(R_w, 1.0, n)


@claim(
    "nsrf/thm-4.3-mkl",
    always(),
    over=grid(part=["both bound the class"], n=[3], d=[1], T=[2])
    + grid(part=["both bound the class"], n=[5], d=[3], T=[20])
    + grid(part=["ours is smaller"], n=[1, 7, 1000], d=[1], T=[2]),
    cite="nsrf, remark on Theorem 4.3, beside Theorem 2 of Cortes, Mohri and Rostamizadeh 2010",
    sizes="three and five points, d = 1 and 3, two and twenty kernels, R_w <= 3; the bounds for n = 1, 7 and 1000 and"
    " any T beyond the one named",
)
def complexity_improves_on_the_generic_bound(forall: Forall, *, part: Part, n: int, d: int, T: int):
    """The bound without T is below the generic sqrt((23/22) e ceil(log T)/n) once log T >= (22/(23 e)) (1 + 3 r)^2.

    r = R_w R_x, kernels of mass one. For all T cosine kernels both bound the complexity of the unit balls of their
    mixtures; the generic one, for T >= 2 base kernels with k(x, x) <= 1, grows with sqrt(log T), the other one does
    not. For fewer kernels, or a larger r, the generic one may be the smaller. In the comparison of both bounds log T
    stands for its ceiling, which is no smaller. Here R_x = 1.
    """
    bandwidth = forall.interval("R_w", 0.0, 3.0)
    if part == "ours is smaller":
        log_kernels = 22 / (23 * math.e) * (1 + 3 * bandwidth) ** 2 + forall.interval("more", 0.0, 10.0)
        return spectral_complexity(bandwidth, 1.0, n), generic_complexity(log_kernels, n)
    points = forall.ball("points", n, d)
    frequencies = bandwidth[..., None, None] * forall.ball("frequencies", T, d)
    bounds = spectral_complexity(bandwidth, 1.0, n), generic_complexity(math.ceil(math.log(T)), n)
    return frequencies_rademacher_complexity(points, frequencies), torch.minimum(bounds[0], torch.as_tensor(bounds[1]))


def generic_complexity(log_kernels: Tensor | float, n: int) -> Tensor | float:
    """sqrt((23/22) e ceil(log T) R^2/n) with R = 1, of unit balls of mixtures of T kernels with k(x, x) <= R^2."""
    return (23 / 22 * math.e * log_kernels / n) ** 0.5
