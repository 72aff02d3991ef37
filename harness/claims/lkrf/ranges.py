"""Ranges and letters of equations (7) and (10) and of two steps of the appendix, read as they stand."""

import math

import torch
from torch import Tensor

from harness import Forall, always, claim, grid, identity
from harness.claims.lkrf import defects
from harness.claims.lkrf.multinomial_laws import all_signs


@claim(
    "lkrf/eq-7",
    identity(),
    over=grid(D=[1, 4], N=[2]),
    reading="printed",
    expected="refuted",
    cite="lkrf, equation (7), with N_w features in the box and D in the sum",
    quote=(
        "minimize_(alpha in R^(N_w)) sum_(i=1)^n c(sum_(m=1)^D alpha_m phi(x^i, w^m), y^i) subject to "
        "||alpha||_infinity <= C/N_w, (7)"
    ),
    defect=defects.BOX,
)
def box_of_coefficients_as_printed(forall: Forall, *, D: int, N: int):
    """sup { sum_m alpha_m phi(x, w_m) : |alpha_m| <= C/N_w, m = 1..D } = C mean |phi(x, w_m)|, as in the method cited.

    Two letters for one number, in the paper or in our copy: D features are drawn and summed, and the cited method has
    their number in the box. Left a maximum over the vertices of the box, N for N_w.
    """
    phi, size = forall.interval("phi(x)", -1.0, 1.0, D), forall.interval("C", 0.0, 10.0)
    vertices = size[:, None, None] / N * all_signs(D, like=phi)
    return (vertices * phi.unsqueeze(-2)).sum(-1).amax(-1), size * phi.abs().mean(-1)


@claim(
    "lkrf/eq-10",
    always(),
    over=grid(m=[1, 8]),
    reading="printed",
    expected="refuted",
    cite="lkrf, equation (10), lambda of any sign",
    quote=(
        "Moreover, if X is mean-zero and sigma^2-sub-Gaussian, then E[exp(lambda X^2)] <= 1/[1 - 2 lambda "
        "sigma^2]_+^(1/2) = exp(-1/2 log [1 - 2 lambda sigma^2]_+). (10)"
    ),
    defect=defects.SIGN_OF_LAMBDA,
)
def squares_of_sub_gaussian_variables_as_printed(forall: Forall, *, m: int):
    """E exp(lambda X^2) <= (1 - 2 lambda s^2)^(-1/2) for X of mean zero and s^2-sub-Gaussian, any lambda < 1/(2 s^2).

    No range is named, and in Definition 1 just above it lambda is any real number. X = c.e with m fair signs e and
    |c| <= 1 is 1-sub-Gaussian; X = 0, and any X that is 0 with positive probability, violates it for some lambda < 0.
    The paper uses lambda > 0 alone.
    """
    coefficients, share = forall.ball("c", m), forall.interval("2 lambda", -4.0, 0.99)
    x = (all_signs(m, like=coefficients) @ coefficients.unsqueeze(-1)).squeeze(-1)
    return (share.unsqueeze(-1) / 2 * x**2).exp().mean(-1), (1 - share) ** -0.5


@claim(
    "lkrf/A.1-logarithm",
    always(),
    reading="printed",
    expected="refuted",
    cite="lkrf, Appendix A.1, last sentence, t of any sign",
    quote="Note that -log(1-t) <= t log 4 for t <= 1/2, and take lambda = n/16 to get the result.",
    defect=defects.SIGN_OF_T,
)
def logarithm_as_printed(forall: Forall):
    """-log(1 - t) <= t log 4 for t <= 1/2.

    The left side is convex with the slope 1 at 0, the right one a chord of it, of slope log 4: between 0 and 1/2 the
    chord is above, left of 0 below. Judged for t >= -4. The proof uses t = 1/2 alone, where both sides are equal.
    """
    return _logarithm_and_chord(forall.interval("t", -4.0, 0.5))


@claim(
    "lkrf/A.1-logarithm",
    always(),
    reading="corrected",
    cite="lkrf, Appendix A.1, last sentence, for t >= 0",
)
def logarithm_is_below_its_chord(forall: Forall):
    """-log(1 - t) <= t log 4 for 0 <= t <= 1/2: equality at both ends."""
    return _logarithm_and_chord(forall.interval("t", 0.0, 0.5))


def _logarithm_and_chord(t: Tensor) -> tuple[Tensor, Tensor]:
    """Both sides plus 10, which makes them positive."""
    return 10 - torch.log1p(-t), 10 + t * math.log(4)


@claim(
    "lkrf/B.4-minimum",
    identity(),
    over=grid(p=[2, 3]),
    reading="printed",
    expected="refuted",
    cite="lkrf, end of Appendix B.4, a minimum over t",
    quote=(
        "But now, we note that min_(t >= 0) {sqrt(D/n) t^(1-p/2), (D/n) t^(1-p), t} = {t, if t <= (D/n)^(1/p); (D/n) "
        "t^(1-p), if t > (D/n)^(1/p)} <= (D/n)^(1/p)."
    ),
    defect=defects.MINIMUM_OVER_T,
)
def smallest_over_all_t_as_printed(forall: Forall, *, p: int):
    """min over t >= 0 of sqrt(D/n) t^(1-p/2), (D/n) t^(1-p), t is t up to (D/n)^(1/p), and (D/n) t^(1-p) above.

    A misplaced condition, in the paper or in our copy: a minimum over t, which is 0, cannot depend on t. Meant is the
    minimum of the three numbers at each t >= 0. Left the minimum over t = .01, .02, ..., 4, which is above it.
    """
    t, ratio = forall.interval("t", 0.01, 4.0), forall.interval("D/n", 0.01, 4.0)
    everywhere = torch.arange(1, 401).to(t) / 100
    return _smallest(everywhere, ratio.unsqueeze(-1), p).amin(-1), _by_cases(t, ratio, p)


@claim(
    "lkrf/B.4-minimum",
    identity(),
    over=grid(p=[2, 3, 8]),
    reading="corrected",
    cite="lkrf, end of Appendix B.4, at each t",
    sizes="p = 2, 3 and 8, t and D/n from .01 to 4",
)
def smallest_at_each_t(forall: Forall, *, p: int):
    """min {sqrt(D/n) t^(1-p/2), (D/n) t^(1-p), t} is t up to (D/n)^(1/p) and (D/n) t^(1-p) above, for every t > 0.

    The first is the geometric mean of the other two, so it is never the smallest alone. Both cases are at most
    (D/n)^(1/p), as the paper goes on.
    """
    t, ratio = forall.interval("t", 0.01, 4.0), forall.interval("D/n", 0.01, 4.0)
    return _smallest(t, ratio, p), _by_cases(t, ratio, p)


def _smallest(t: Tensor, ratio: Tensor, p: int) -> Tensor:
    return torch.minimum(torch.minimum(ratio.sqrt() * t ** (1 - p / 2), ratio * t ** (1 - p)), t)


def _by_cases(t: Tensor, ratio: Tensor, p: int) -> Tensor:
    return torch.where(t <= ratio ** (1 / p), t, ratio * t ** (1 - p))
