"""Laws on which the statements about samples are exact: two-valued features, all sign patterns, Gaussian classes."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

SMALLEST = 1e-300
"""Tails below this count as this: what they allow does not change any more."""
ROUNDING = 2.0**-48
"""Shares of a sum and of a root that are its last places."""
MOST_STEPS = 100
"""Of Newton's method: each halves the distance at least, and from near by squares it."""


def binomial_law(success: Tensor, size: int) -> Tensor:
    """Probabilities of 0, ..., size successes: (batch,) -> (batch, size + 1)."""
    ways = [math.lgamma(size + 1) - math.lgamma(k + 1) - math.lgamma(size - k + 1) for k in range(size + 1)]
    k = torch.arange(size + 1, dtype=torch.float64, device=success.device)
    p = success.unsqueeze(-1)
    logarithms: Tensor = torch.special.xlogy(k, p) + torch.special.xlog1py(size - k, -p)
    return (logarithms + torch.tensor(ways, dtype=torch.float64, device=success.device)).exp()


def two_valued_supremum(share: Tensor, rho: Tensor, order: float = 2.0) -> Tensor:
    """sup of E_Q F over the divergence ball, where F is 1 with probability a and else -1.

    -1 at a = 0; 1 from a = (1 + rho)^(-1/(k-1)) on, where the ball reaches the point mass; between them, for k = 2,
    2 (a + sqrt(rho a (1 - a))) - 1.
    """
    inside = (share > 0) & (share * (1 + rho) ** (1 / (order - 1)) < 1)
    a = torch.where(inside, share, 0.5)
    if order == 2:
        largest = a + (rho * a * (1 - a)).sqrt()
    else:
        rho = torch.where(inside, rho, 2.0 ** (order - 1) - 2.0)
        largest = a * (_log_growth(a, rho, order)).exp()
    return torch.where(inside, 2 * largest - 1, torch.where(share > 0, 1.0, -1.0))


def _log_growth(a: Tensor, rho: Tensor, order: float) -> Tensor:
    """log r where r >= 1 solves a r^k + (1 - a) ((1 - a r)/(1 - a))^k = 1 + rho, for a^(1-k) > 1 + rho.

    The left side is convex in r and rises from r = 1 on, so that Newton's method comes down to r from above, where it
    starts; a last step in log r makes it a function that can be differentiated in a and rho.
    """

    def excess_and_slope(log_r: Tensor) -> tuple[Tensor, Tensor]:
        """How much too large the left side is, and its derivative in log r."""
        risen = (a.log() + order * log_r).exp()
        rest = ((1 - a * log_r.exp()) / (1 - a)).clamp(min=0.0)
        power = rest ** (order - 1)
        return risen + (1 - a) * rest * power - 1 - rho, order * (risen - a * log_r.exp() * power)

    with torch.no_grad():
        log_r = torch.minimum(-a.log(), (torch.log1p(rho) - a.log()) / order)
        if order > 2:  # then E L^k <= 1 + rho implies E L^2 <= (1 + rho)^(1/(k-1))
            chi_square = torch.expm1(torch.log1p(rho) / (order - 1))
            log_r = torch.minimum(log_r, torch.log1p((chi_square * (1 - a) / a).sqrt()))
        for _ in range(MOST_STEPS):
            excess, slope = excess_and_slope(log_r)
            above = (excess > ROUNDING * (1 + rho)) & (slope > excess)
            share = torch.where(above, excess / slope, 0.0)  # of r, by which it falls
            log_r = (log_r + torch.log1p(-share)).clamp(min=0.0)
            if bool((share <= ROUNDING).all()):
                break
        slope = excess_and_slope(log_r)[1]
    return log_r - torch.where(slope > 0, excess_and_slope(log_r)[0] / slope, 0.0)


def sampled_suprema(success: Tensor, rho: Tensor, size: int, order: float = 2.0) -> tuple[Tensor, Tensor]:
    """sup_N for every number of ones among N samples of such a feature, and the probabilities: both (batch, N + 1)."""
    shares = torch.arange(size + 1, dtype=torch.float64, device=success.device) / size
    return two_valued_supremum(shares, rho.unsqueeze(-1), order), binomial_law(success, size)


def squares_of_sign_patterns(n: int) -> tuple[Tensor, Tensor]:
    """(sigma . psi)^2 over all 2^n sign patterns psi, the same for every sigma: its values and their shares."""
    differences = n - 2 * torch.arange(n + 1, dtype=torch.float64)
    return differences**2, binomial_law(torch.tensor([0.5], dtype=torch.float64), n)[0]


def gaussian_class_alignment(frequencies: Tensor, offsets: Tensor, mean: Tensor) -> Tensor:
    """T(w, b) = (E y cos(w.x + b))^2 for fair labels y and x ~ N(y mu, I): exp(-|w|^2) sin^2(w.mu) sin^2 b."""
    phases = (frequencies * mean.unsqueeze(-2)).sum(-1)
    return (-frequencies.square().sum(-1)).exp() * phases.sin().square() * offsets.sin().square()


def at_worst_level(
    deviation: Tensor, probabilities: Tensor, bound: Callable[[float], Tensor | float], *, numerator: float
) -> tuple[Tensor, Tensor]:
    """A random deviation and its bound at the level delta where they come closest, each (batch,).

    P(D > bound(delta)) <= delta at every delta if and only if d <= bound(P(D >= d)) for every value d of D: returned
    are d and bound(P(D >= d)) at the d of largest ratio. `deviation` and `probabilities` are (batch, outcomes);
    `bound` is affine in sqrt(log(numerator / delta)), which two of its values determine.
    """
    ordered = deviation.sort(-1, descending=True)
    tails = probabilities.expand_as(deviation).gather(-1, ordered.indices).cumsum(-1).clamp(SMALLEST, 1.0)
    first, second = (_column(bound(numerator / math.e**power)) for power in (1, 4))
    bounds = first + (second - first) * ((numerator / tails).log().sqrt() - 1)
    worst = (ordered.values / bounds).argmax(-1, keepdim=True)
    return ordered.values.gather(-1, worst).squeeze(-1), bounds.gather(-1, worst).squeeze(-1)


def _column(number: Tensor | float) -> Tensor | float:
    return number.unsqueeze(-1) if isinstance(number, Tensor) else number
