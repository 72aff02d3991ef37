"""False claims, each with values at which it is violated."""

import torch

from harness import always, claim, identity


@claim("paper/sum-of-squares", always())
def wrong_sum(forall):
    """x^2 + y^2 <= 1.99 on the square."""
    x = forall.interval("x", 0.0, 1.0, 2)
    return (x**2).sum(-1), 1.99


@claim("paper/wrong-identity", identity())
def wrong_identity(forall):
    """sin(2x) = sin(x) cos(x)."""
    x = forall.interval("x", 0.0, 1.0)
    return torch.sin(2.0 * x), torch.sin(x) * torch.cos(x)


@claim("paper/entropy", always())
def wrong_entropy(forall):
    """The entropy of three outcomes is at most 1."""
    return torch.special.entr(forall.simplex("p", 3)).sum(-1), torch.ones(1)


@claim("paper/spectrum", always())
def wrong_spectrum(forall):
    """The largest eigenvalue is at most 0.9 of the trace."""
    k = forall.psd("K", 3, trace=1.0)
    return torch.linalg.eigvalsh(k)[..., -1], 0.9 * k.diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("paper/longest", always())
def wrong_length(forall):
    """|x|_1 <= 1.7 |x|_2 on the sphere."""
    x = forall.sphere("x", 3, radius=2.5)
    return x.norm(1, dim=-1), 1.7 * x.norm(dim=-1)


@claim("paper/underflow", always(rtol=0.0))
def wrong_where_floats_end(forall):
    """x <= x/2 for x >= 0."""
    x = forall.interval("x", 0.0, 1e-300)
    return x, 0.5 * x


@claim("paper/deep", always(rtol=0.0))
def wrong_in_the_hundredth_digit(forall):
    """(1 + x) - 1 <= x/2 for tiny x: float64 loses x."""
    x = forall.interval("x", 0.0, 1e-90)
    return (1.0 + x) - 1.0, 0.5 * x
