"""True claims, each with values at which float64 sees a violation or an exact certificate is not to be had."""

import math

import numpy as np
import torch

from harness import always, claim, identity
from harness.language.registry import Claim
from tests.harness.certificate.certified import Values


@claim("paper/hoeffding", always(rtol=0.0))
def hoeffding(forall):
    """log(1 - p + p e^s) - p s <= s^2/8."""
    p, s = forall.interval("p", 0.0, 1.0), forall.interval("s", -1.0, 1.0)
    return torch.log(1.0 - p + p * torch.exp(s)) - p * s, s**2 / 8.0


@claim("paper/sine", always(rtol=0.0))
def sine_of_pi(forall):
    """sin(pi n) <= 0 for whole n."""
    n = forall.integers("n", 0, 4)
    return torch.sin(math.pi * n), 0.0


def _turned(n):
    return torch.sin(math.pi * n)


@claim("paper/sine-elsewhere", always(rtol=0.0))
def sine_of_pi_in_a_function(forall):
    """sin(pi n) <= 0 for whole n, by a function whose source nobody rewrites."""
    return _turned(forall.integers("n", 0, 4)), 0.0


@claim("paper/sine-beyond-pi", always(rtol=0.0))
def sine_beyond_pi(forall):
    """sin(x) <= 0 on [pi, 2 pi]."""
    return torch.sin(forall.interval("x", math.pi, 2.0 * math.pi)), 0.0


@claim("paper/decimals", always(rtol=0.0))
def three_tenths(forall):
    """3 (0.1 n) <= 0.3 n."""
    n = forall.integers("n", 0, 9)
    return 3.0 * (0.1 * n), 0.3 * n


@claim("paper/decimal-end", always(rtol=0.0))
def decimal_end(forall):
    """100 x^2 <= 1 on [0, 0.1]."""
    x = forall.interval("x", 0.0, 0.1)
    return 100.0 * x * x, 1.0


@claim("paper/plain-root", always(rtol=0.0))
def plain_tensor(forall):
    """n ((sqrt 2)^2 - 2) <= 0, the root a plain tensor, from above on every processor."""
    n = forall.integers("n", 0, 9)
    return n * (torch.tensor([1.4142135623730951]).square() - 2.0), 0.0


@claim("paper/tenths", always(rtol=0.0))
def tenths(forall):
    """Ten tenths are at most 1."""
    return forall.choice("x", [[0.1] * 10, [0.0] * 10]).sum(-1), 1.0


@claim("paper/seven-tenths", always())
def seven_tenths(forall):
    """x <= 0.7 on [0, 0.7], the bound a tensor."""
    return forall.interval("x", 0.0, 0.7), torch.tensor(0.7)


@claim("paper/simplex", always(rtol=0.0))
def simplex_sum(forall):
    """A probability vector sums to at most 1."""
    return forall.simplex("p", 3).sum(-1) - 1.0, 0.0


@claim("paper/sphere", always(rtol=0.0))
def sphere_norm(forall):
    """A unit vector has a norm of at most 1."""
    return forall.sphere("x", 3).norm(dim=-1) - 1.0, 0.0


@claim("paper/ball", always(rtol=0.0))
def ball_norm(forall):
    """A vector of a ball has a norm of at most its radius."""
    return forall.ball("x", 3, radius=0.3).norm(dim=-1), 0.3


@claim("paper/decimal-radius", always(rtol=0.0))
def decimal_radius(forall):
    """100 |x|^2 <= 1 on the sphere of radius 0.1."""
    return 100.0 * forall.sphere("x", 3, radius=0.1).square().sum(-1), 1.0


@claim("paper/decimal-trace", always(rtol=0.0))
def decimal_trace(forall):
    """10 tr K <= 1 for a trace of 0.1."""
    return 10.0 * forall.psd("K", 2, trace=0.1).diagonal(dim1=-2, dim2=-1).sum(-1), 1.0


@claim("paper/determinant", always(rtol=0.0))
def determinant(forall):
    """A semi-definite matrix has no negative determinant."""
    return -torch.linalg.det(forall.psd("K", 3, trace=1.0)), 0.0


@claim("paper/telescope", identity(rtol=0.0))
def telescope(forall):
    """(x + y) - y = x."""
    x, y = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1e6)
    return (x + y) - y, x


TRUTHS: list[tuple[Claim, Values, float | None]] = [
    (hoeffding, {"p": 1.0, "s": -1e-154}, None),
    (hoeffding, {"p": 0.5, "s": -1e-9}, 1e-17),
    (sine_of_pi, {"n": 1.0}, None),
    (sine_of_pi_in_a_function, {"n": 1.0}, None),
    (sine_beyond_pi, {"x": math.pi}, None),
    (sine_beyond_pi, {"x": math.nextafter(math.pi, 0.0)}, 5.7e-16),
    (three_tenths, {"n": 1.0}, None),
    (three_tenths, {"n": 3.0}, 1e-16),
    (three_tenths, {"n": 1.0}, 2.8e-17),
    (decimal_end, {"x": 0.1}, None),
    (decimal_end, {"x": 0.1}, 1.1e-16),
    (plain_tensor, {"n": 1.0}, None),
    (decimal_radius, {"x": [0.1, 0.0, 0.0]}, 1.1e-16),
    (decimal_trace, {"K": np.diag([0.1, 0.0])}, 5.5e-17),
    (tenths, {"x": [0.1] * 10}, 5.5e-17),
    (seven_tenths, {"x": 0.7}, 1.2e-8),
    (simplex_sum, {"p": [0.1, 0.7, 0.2]}, 2.8e-17),
    (simplex_sum, {"p": [1 / 3, 1 / 3, math.nextafter(1 / 3, 1.0)]}, 5.6e-17),
    (sphere_norm, {"x": [0.6, 0.8, 1e-9]}, None),
    (sphere_norm, {"x": [math.sqrt(1 / 3), math.sqrt(1 / 3), math.sqrt(1 / 3)]}, 2.2e-16),
    (ball_norm, {"x": [0.3, 1e-10, 0.0]}, 1.7e-20),
    (determinant, {"K": np.full((3, 3), 1 / 3)}, 1e-18),
    (determinant, {"K": np.asarray([[0.5, 0.5, 0.0], [0.5, 0.5 - 2e-17, 0.0], [0.0, 0.0, 0.0]])}, 1e-18),
    (telescope, {"x": 0.1, "y": 1e5}, None),
]
