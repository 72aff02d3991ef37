"""Identities that are wrong by a term, a digit, an index or an order."""

import math
from typing import Any

import torch
from torch import Tensor

from harness.kinds import identity
from harness.quantifiers import Forall
from harness.zoo.entries import FALSE, Falsehood, Instance, Label, Sides, deterministic
from harness.zoo.theory import Theory, below_rounding, from_search


def _sum(x: Tensor) -> Tensor:
    return x.sum(-1)


def _missing_diagonal(forall: Forall) -> Sides:
    x = forall.interval("x", -2.0, 2.0, 5)
    outer = x.unsqueeze(-1) * x.unsqueeze(-2)
    return _sum(x).square(), outer.sum((-2, -1)) - _sum(x.square())


def _swapped_divergence(forall: Forall) -> Sides:
    p, q = forall.simplex("p", 3), 0.8 * forall.simplex("q", 3) + 0.2 / 3.0
    p = 0.8 * p + 0.2 / 3.0
    return _sum(p * (p / q).log()), _sum(q * (q / p).log())


def _scaled(forall: Forall, factor: float) -> Sides:
    x = forall.interval("x", -3.0, 3.0, 4)
    return _sum(x.square()), _sum(x * x) * factor


def _eighth_digit_of_pi(forall: Forall) -> Sides:
    x = forall.interval("x", 0.0, 1.0)
    return torch.cos(2.0 * math.pi * x), torch.cos(2.0 * 3.14159266 * x)


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


def _ties(forall: Forall) -> Sides:
    """Right for distinct entries, wrong for ties."""
    x = forall.interval("x", 0.0, 1.0, 5)
    top = x.amax(-1, keepdim=True)
    return x.amax(-1), _sum(torch.where(x == top, x, 0.0))


def _sign_of_zero(forall: Forall) -> Sides:
    """sign(0) = 1, wrong at zero only."""
    x = forall.interval("x", -1.0, 1.0)
    return torch.sign(x), torch.where(x >= 0.0, 1.0, -1.0).to(x)


def _softmax(forall: Forall) -> Sides:
    """max = log-sum-exp, right to rounding unless two entries are within 20 of each other."""
    x = forall.interval("x", 0.0, 1e6, 2)
    return x.amax(-1), torch.logsumexp(x, -1)


def _ordering(forall: Forall) -> Sides:
    """Abel summation with one index too few: right when the last entry of x is zero."""
    x, y = forall.ball("x", 6), forall.ball("y", 6)
    partial = y.cumsum(-1)
    return _sum(x * y), -_sum(x.diff(dim=-1) * partial[..., :-1]) + 0.99 * x[..., -1] * partial[..., -1]


def _row(label: Label, body: Any, witness: Instance, reach: str) -> Falsehood:
    return _entry(label, body, witness, from_search(reach))


def _entry(label: Label, body: Any, witness: Instance, theory: Theory) -> Falsehood:
    made = deterministic(FALSE + label.name, identity(), label.statement, body)
    return Falsehood(made, "identity", label.size, theory, witness)


def _relative(digit: int) -> Falsehood:
    error = 10.0**-digit
    return _entry(
        Label(f"digit-{digit}", f"wrong in digit {digit}", f"sum x^2 = sum x x, off by 1e-{digit}"),
        lambda forall: _scaled(forall, 1.0 + error),
        {"x": [1.0, 2.0, 0.5, -1.0]},
        below_rounding(error, 1e-9),
    )


ANYWHERE = "almost every instance violates it"
PSD = [[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]]
IDENTITIES = [
    *(_relative(digit) for digit in (6, 8, 11)),
    _row(
        Label("missing-diagonal", "sum of x_i^2", "(sum x)^2 = sum of products over i != j"),
        _missing_diagonal,
        {"x": [1.0] * 5},
        ANYWHERE,
    ),
    _row(
        Label("swapped-divergence", "arguments swapped", "KL(p||q) = KL(q||p)"),
        _swapped_divergence,
        {"p": [1.0, 0.0, 0.0], "q": [0.2, 0.5, 0.3]},
        ANYWHERE,
    ),
    _row(
        Label("pi", "eighth digit of pi", "cos(2 pi x) with pi = 3.14159266"),
        _eighth_digit_of_pi,
        {"x": 0.25},
        ANYWHERE,
    ),
    _row(
        Label("biased-variance", "n for n - 1", "variance over n - 1 = mean of squares - square of mean"),
        _biased_variance,
        {"x": [0.0, 1.0] * 15},
        ANYWHERE,
    ),
    _row(Label("harmonic", "dropped -1/(12 n^2)", "H_n = log n + gamma + 1/(2n)"), _harmonic, {"n": 10.0}, ANYWHERE),
    _row(
        Label("binomial-coefficient", "k + 1 for k", "log n!/(k! (n - k)!) with (n - k - 1)!"),
        _binomial,
        {"n": 9.0, "k": 3.0},
        ANYWHERE,
    ),
    _row(
        Label("commuting", "2 tr AB replaced", "tr (A + B)^2 = tr A^2 + tr B^2 + 1'A1 1'B1"),
        _commuting,
        {"A": PSD, "B": PSD},
        ANYWHERE,
    ),
    _row(
        Label("ties", "counts a tie twice", "max x = sum of the entries that equal it"),
        _ties,
        {"x": [1.0] * 5},
        "equal entries, a structured instance; random points never meet it",
    ),
    _row(
        Label("sign-of-zero", "1 for 0", "sign x = 1 for x >= 0"),
        _sign_of_zero,
        {"x": 0.0},
        "zero, a structured instance; random points never meet it",
    ),
    _row(
        Label("softmax", "up to log 2 of 1e6", "max x = log sum exp x"),
        _softmax,
        {"x": [100.0, 100.0]},
        "equal or small entries, structured instances and small scales; 4e-5 of the square",
    ),
    _row(
        Label("summation-by-parts", "boundary term times 0.99", "Abel's summation"),
        _ordering,
        {"x": [0.0] * 5 + [1.0], "y": [0.5] * 4 + [0.0, 0.0]},
        ANYWHERE,
    ),
]
