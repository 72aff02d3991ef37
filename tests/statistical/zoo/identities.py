"""More identities that are wrong by a term, an index or an order."""

import torch
from torch import Tensor

from harness.language.quantifiers import Forall
from harness.selftest.entries import Label, Sides
from harness.selftest.falsehoods import ANYWHERE, wrong_identity


def _sum(x: Tensor) -> Tensor:
    return x.sum(-1)


def _swapped_divergence(forall: Forall) -> Sides:
    p, q = forall.simplex("p", 3), 0.8 * forall.simplex("q", 3) + 0.2 / 3.0
    p = 0.8 * p + 0.2 / 3.0
    return _sum(p * (p / q).log()), _sum(q * (q / p).log())


def _biased_variance(forall: Forall) -> Sides:
    x = forall.interval("x", 0.0, 1.0, 30)
    return x.var(-1), x.square().mean(-1) - x.mean(-1).square()


def _harmonic(forall: Forall) -> Sides:
    n = forall.integers("n", 1, 60)
    k = torch.arange(1.0, 61.0, dtype=torch.float64)
    return torch.where(k <= n.unsqueeze(-1), 1.0 / k, 0.0).sum(-1), n.log() + 0.5772156649015329 + 1.0 / (2.0 * n)


def _binomial(forall: Forall) -> Sides:
    n, k = forall.integers("n", 1, 20), forall.integers("k", 0, 20)
    inside = k <= n
    log = torch.lgamma(n + 1.0) - torch.lgamma(k + 1.0) - torch.lgamma((n - k).clamp_min(0.0) + 1.0)
    shifted = torch.lgamma(n + 1.0) - torch.lgamma(k + 1.0) - torch.lgamma((n - k - 1.0).abs() + 1.0)
    return torch.where(inside, log, 0.0), torch.where(inside & (k == n), log, torch.where(inside, shifted, 0.0))


def _commuting(forall: Forall) -> Sides:
    a, b = forall.psd("A", 3), forall.psd("B", 3)
    return ((a + b) @ (a + b)).diagonal(dim1=-2, dim2=-1).sum(-1), (
        (a @ a + b @ b).diagonal(dim1=-2, dim2=-1).sum(-1) + a.sum((-2, -1)) * b.sum((-2, -1))
    )


def _softmax(forall: Forall) -> Sides:
    """max = log-sum-exp, right to rounding unless two entries are within 20 of each other."""
    x = forall.interval("x", 0.0, 1e6, 2)
    return x.amax(-1), torch.logsumexp(x, -1)


def _ordering(forall: Forall) -> Sides:
    """Abel summation with one index too few: right when the last entry of x is zero."""
    x, y = forall.ball("x", 6), forall.ball("y", 6)
    partial = y.cumsum(-1)
    return _sum(x * y), -_sum(x.diff(dim=-1) * partial[..., :-1]) + 0.99 * x[..., -1] * partial[..., -1]


PSD = [[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]]
IDENTITIES = [
    wrong_identity(
        Label("swapped-divergence", "arguments swapped", "KL(p||q) = KL(q||p)"),
        _swapped_divergence,
        {"p": [1.0, 0.0, 0.0], "q": [0.2, 0.5, 0.3]},
        ANYWHERE,
    ),
    wrong_identity(
        Label("biased-variance", "n for n - 1", "variance over n - 1 = mean of squares - square of mean"),
        _biased_variance,
        {"x": [0.0, 1.0] * 15},
        ANYWHERE,
    ),
    wrong_identity(
        Label("harmonic", "dropped -1/(12 n^2)", "H_n = log n + gamma + 1/(2n)"), _harmonic, {"n": 10.0}, ANYWHERE
    ),
    wrong_identity(
        Label("binomial-coefficient", "k + 1 for k", "log n!/(k! (n - k)!) with (n - k - 1)!"),
        _binomial,
        {"n": 9.0, "k": 3.0},
        ANYWHERE,
    ),
    wrong_identity(
        Label("commuting", "2 tr AB replaced", "tr (A + B)^2 = tr A^2 + tr B^2 + 1'A1 1'B1"),
        _commuting,
        {"A": PSD, "B": PSD},
        ANYWHERE,
    ),
    wrong_identity(
        Label("softmax", "up to log 2 of 1e6", "max x = log sum exp x"),
        _softmax,
        {"x": [100.0, 100.0]},
        "equal or small entries, structured instances and small scales; 4e-5 of the square",
    ),
    wrong_identity(
        Label("summation-by-parts", "boundary term times 0.99", "Abel's summation"),
        _ordering,
        {"x": [0.0] * 5 + [1.0], "y": [0.5] * 4 + [0.0, 0.0]},
        ANYWHERE,
    ),
]
