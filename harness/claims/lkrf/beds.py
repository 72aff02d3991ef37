"""Laws on which the statements about samples are exact: two-valued features, all sign patterns, Gaussian classes."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

SMALLEST = 1e-300
"""Tails below this count as this: what they allow does not change any more."""


def binomial_law(success: Tensor, size: int) -> Tensor:
    """Probabilities of 0, ..., size successes: (batch,) -> (batch, size + 1)."""
    ways = [math.lgamma(size + 1) - math.lgamma(k + 1) - math.lgamma(size - k + 1) for k in range(size + 1)]
    k = torch.arange(size + 1, dtype=torch.float64, device=success.device)
    p = success.unsqueeze(-1)
    logarithms: Tensor = torch.special.xlogy(k, p) + torch.special.xlog1py(size - k, -p)
    return (logarithms + torch.tensor(ways, dtype=torch.float64, device=success.device)).exp()


def two_valued_supremum(share: Tensor, rho: Tensor) -> Tensor:
    """sup of E_Q F over the chi-square ball, where F is 1 with probability a and else -1.

    -1 at a = 0; 2 (a + sqrt(rho a (1 - a))) - 1 up to a = 1 / (1 + rho), where the ball reaches the point mass; then 1.
    """
    inside = (share > 0) & (share * (1 + rho) < 1)
    a = torch.where(inside, share, 0.5)
    value = 2 * (a + (rho * a * (1 - a)).sqrt()) - 1
    return torch.where(inside, value, torch.where(share > 0, 1.0, -1.0))


def sampled_suprema(success: Tensor, rho: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """sup_N for every number of ones among N samples of such a feature, and the probabilities: both (batch, N + 1)."""
    shares = torch.arange(size + 1, dtype=torch.float64, device=success.device) / size
    return two_valued_supremum(shares, rho.unsqueeze(-1)), binomial_law(success, size)


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
