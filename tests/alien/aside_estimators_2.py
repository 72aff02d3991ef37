"""Alien claims, aside: what estimators and learners guarantee (2); see README.md."""

# ruff: noqa: E731

import functools
import math

import torch

from harness import always, claim, every, expectation, grid, identity


def sum_all(body):
    """The sum of the absolute differences of two vectors, against 0."""

    @functools.wraps(body)
    def scalar_sides(**given):
        left, right = body(**given)
        return (torch.as_tensor(left) - right).abs().sum(-1), 0.0

    return scalar_sides


def eye(d):
    return torch.eye(d, dtype=torch.float64)


@claim("estimators/plain-gcv-is-press", identity(), expected="refuted", cite="Golub, Heath and Wahba 1979")
def gcv_is_press(forall):
    """Generalised cross-validation equals the leave-one-out error of ridge regression."""
    x, y = forall.ball("X", 5, 2, radius=2.0), forall.interval("y", -1.0, 1.0, 5)
    lam = 0.3
    hat = x @ torch.linalg.solve(x.mT @ x + lam * eye(2), x.mT)
    r = y - (hat @ y[..., None])[..., 0]
    h = torch.diagonal(hat, dim1=-2, dim2=-1)
    press = (r / (1.0 - h)).square().mean(-1)
    gcv = r.square().mean(-1) / (1.0 - h.mean(-1)).square()
    return press, gcv


@claim("estimators/true-gauss-markov", always(), cite="Gauss 1823, Markov 1912")
def gauss_markov(forall):
    """No linear unbiased estimator has a smaller total variance than least squares."""
    x, z = forall.ball("X", 4, 2), forall.interval("Z", -1.0, 1.0, 2, 4)
    gram = x.mT @ x
    forall.assume(torch.linalg.det(gram) > 1e-2)
    ols = torch.linalg.solve(gram, x.mT)
    other = ols + z @ (eye(4) - x @ ols)
    return ols.square().sum((-1, -2)), other.square().sum((-1, -2))


@claim(
    "estimators/true-sure-soft", expectation(range=(-math.inf, math.inf), margin=0.2), cite="Donoho and Johnstone 1995"
)
def sure_soft(forall, draw):
    """SURE of soft thresholding is unbiased for its risk."""
    theta = forall.interval("theta", -3.0, 3.0, 4)
    x = theta + draw.normal("z", 4)
    lam = 1.2
    fit = x.sign() * (x.abs() - lam).clamp_min(0.0)
    sure = 4.0 - 2.0 * (x.abs() <= lam).double().sum(-1) + x.abs().clamp_max(lam).square().sum(-1)
    return (fit - theta).square().sum(-1), sure


@claim("estimators/true-gd-is-a-filter", identity(), over=grid(t=[1, 7]), cite="Yao, Rosasco and Caponnetto 2007")
@sum_all
def gd_is_a_filter(forall, *, t):
    """t steps of gradient descent from zero on least squares equal (I - (I - eta S)^t) times the minimiser."""
    x, y = forall.ball("X", 4, 2), forall.interval("y", -1.0, 1.0, 4)
    s, b, eta = x.mT @ x / 4.0, (x.mT @ y[..., None]) / 4.0, 0.5
    forall.assume(torch.linalg.det(s) > 1e-3)
    w = torch.zeros_like(b)
    for _ in range(t):
        w = w - eta * (s @ w - b)
    power = torch.linalg.matrix_power(eye(2) - eta * s, t)
    return w[..., 0], ((eye(2) - power) @ torch.linalg.solve(s, b))[..., 0]


@claim("estimators/true-dropout-is-ridge", identity(), cite="Srivastava et al. 2014, section 9.1")
def dropout(forall):
    """Least squares under dropout with p = 1/2 is scaled least squares plus a data-dependent ridge penalty."""
    x, y, w = forall.ball("X", 2, 3), forall.interval("y", -1.0, 1.0, 2), forall.ball("w", 3, radius=2.0)
    masks = every.vectors(2, 6, like=x).reshape(-1, 2, 3)
    masked = x[:, None] * masks
    loss = (y[:, None] - (masked * w[:, None, None]).sum(-1)).square().sum(-1).mean(-1)
    fit = y - 0.5 * (x * w[:, None]).sum(-1)
    penalty = 0.25 * (x.square().sum(1) * w.square()).sum(-1)
    return loss, fit.square().sum(-1) + penalty


@claim("estimators/plain-noisy-labels-exchanged", identity(), expected="refuted", cite="Natarajan et al. 2013, Lemma 1")
def noisy_labels_exchanged(forall):
    """The corrected logistic loss, with the weight of the own label reduced by its own rate, is unbiased."""
    margin, label = forall.interval("t", -3.0, 3.0), forall.signs("y")
    plus, minus = forall.interval("rho+", 0.0, 0.45), forall.interval("rho-", 0.0, 0.45)
    loss = lambda y: torch.nn.functional.softplus(-y * margin)
    flip = lambda y: torch.where(y > 0, plus, minus)
    corrected = lambda y: ((1.0 - flip(y)) * loss(y) - flip(-y) * loss(-y)) / (1.0 - plus - minus)
    return (1.0 - flip(label)) * corrected(label) + flip(label) * corrected(-label), loss(label)


PROOFS = {
    "estimators/true-gauss-markov": (
        "With P = X (X'X)^-1 X' the other estimator is OLS + Z (I - P), and OLS (I - P) = 0: the squares add up."
    ),
    "estimators/true-sure-soft": "Stein: E z f(x) = E f'(x) for soft thresholding, so that both means agree.",
    "estimators/true-gd-is-a-filter": "w_t - w* = (I - eta S)(w_(t-1) - w*) with S w* = b, from w_0 = 0.",
    "estimators/true-dropout-is-ridge": "Each masked prediction has mean x.w / 2 and variance sum x^2 w^2 / 4.",
}

WITNESSES = {
    "estimators/plain-gcv-is-press": {
        "params": {},
        "values": {"X": [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]], "y": [1.0, 0.0, 0.0, 0.0, 0.0]},
        "why": "One leverage of 10/13, the others 0: 1/5 against 9/605.",
    },
    "estimators/plain-noisy-labels-exchanged": {
        "params": {},
        "values": {"t": 1.0, "y": 1.0, "rho+": 0.4, "rho-": 0.0},
        "why": "0.97993 against 0.31326.",
    },
}
