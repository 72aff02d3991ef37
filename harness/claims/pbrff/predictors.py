"""Equations (1) and (6): predictors over the sample, and linear ones on random Fourier features."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from algos.fourier.random_features import random_fourier_features
from algos.ridge.regression import dual_coefficients, feature_ridge_coefficients
from harness import Forall, always, claim, grid, identity

FEATURES = {"D = 2, d = 1": (2, 1), "D = 3, d = 2": (3, 2), "D = 4, d = 3": (4, 3)}
"""Number and dimension of the random Fourier features."""

_KERNELS = [
    *grid(kernel=["any"], n=[1, 2, 5]),
    {"kernel": "D = 4, d = 3", "n": 1},
    {"kernel": "D = 2, d = 1", "n": 5},
]
_SIZES = (
    "all kernels, by their values on n + 1 points, n = 1, 2 and 5; those of D = 2 and 4 random Fourier features, d = 1 "
    "and 3"
)


def feature_map(forall: Forall, *, kernel: str, n: int) -> tuple[Tensor, Tensor]:
    """phi at the points of the sample and at a new point, whose products are the values of the kernel.

    "any": a kernel with values in [-1, 1] is on n + 1 points a positive semi-definite matrix with such entries, and
    that is a Gram matrix of n + 1 vectors of the unit ball. Otherwise that of random Fourier features.
    """
    if kernel == "any":
        phi = forall.ball("phi", n + 1, n + 1)
    else:
        features, dimension = FEATURES[kernel]
        w = forall.interval("w", -3.0, 3.0, features, dimension)
        phi = random_fourier_features(forall.interval("x", -3.0, 3.0, n + 1, dimension), w)
    return phi[..., :n, :], phi[..., n:, :]


@claim(
    "pbrff/eq-1-6",
    identity(),
    cite="pbrff, Section 2, equations (1) and (6), for ridge regression",
    over=_KERNELS,
    sizes=f"{_SIZES}; ridge regression, other learners are under eq-1-6-learners",
)
def both_forms_are_learned_as_the_same_predictor(forall: Forall, *, kernel: str, n: int):
    """sum_i alpha_i k(x_i, x) = sum_j w_j phi_j(x) for k = phi . phi, alpha and w being learned on the same sample.

    By ridge regression with one penalty: alpha = (K + r I)^-1 y and w = (Phi^T Phi + r I)^-1 Phi^T y. Every kernel has
    such a phi; that of random Fourier features is the kernel of the features, not the one that they approximate.
    """
    phi, new = feature_map(forall, kernel=kernel, n=n)
    y, ridge = forall.interval("y", -1.0, 1.0, n), forall.interval("ridge", 0.01, 10.0)
    alpha = dual_coefficients(phi @ phi.mT, y, ridge)
    # the penalty of this function is in units of its columns
    learned = feature_ridge_coefficients(phi, y, ridge / phi.shape[-1])
    return (alpha * (phi @ new.mT).squeeze(-1)).sum(-1), (learned * new.squeeze(-2)).sum(-1)


@claim(
    "pbrff/eq-1-6-norm",
    always(),
    cite="pbrff, Section 2, equations (1) and (6), for any loss",
    over=_KERNELS,
    sizes=_SIZES,
)
def form_over_the_sample_has_the_smallest_norm(forall: Forall, *, kernel: str, n: int):
    """Of all w with the same predictions on the sample, that of form (1) has the smallest norm: f^T K^-1 f <= |w|^2.

    So whatever the loss, a machine that penalises the norm learns the same predictor in either form. Where K is
    singular, f^T (K + r I)^-1 f tends to the norm as r > 0 goes to zero.
    """
    phi, _ = feature_map(forall, kernel=kernel, n=n)
    weights, r = forall.interval("weights", -1.0, 1.0, phi.shape[-1]), forall.interval("r", 1e-6, 1.0)
    f = (phi @ weights.unsqueeze(-1)).squeeze(-1)
    return (f * dual_coefficients(phi @ phi.mT, f, r)).sum(-1), weights.square().sum(-1)


Loss = Callable[[Tensor], Tensor]


def squared(f: Tensor, alpha: Tensor, sign: Tensor) -> Loss:
    """(z - y)^2 / 2 with the target y = f + alpha."""
    del sign
    return lambda z: (z - f - alpha).square() / 2


def logistic(f: Tensor, alpha: Tensor, sign: Tensor) -> Loss:
    """c log(1 + exp(-y z)) with c = |alpha| (1 + exp(y f))."""
    return lambda z: alpha.abs() * (1 + (sign * f).exp()) * torch.nn.functional.softplus(-sign * z)


def hinge(f: Tensor, alpha: Tensor, sign: Tensor) -> Loss:
    """c (1 - y z)_+ with c = |alpha|, where y f < 1."""
    del f
    return lambda z: alpha.abs() * (1 - sign * z).clamp_min(0)


def squared_hinge(f: Tensor, alpha: Tensor, sign: Tensor) -> Loss:
    """c (1 - y z)_+^2 with c = |alpha| / (2 (1 - y f)), where y f < 1."""
    return lambda z: alpha.abs() / (2 * (1 - sign * f)) * (1 - sign * z).clamp_min(0).square()


LEARNERS: Mapping[str, Callable[[Tensor, Tensor, Tensor], Loss]] = {
    "ridge regression": squared,
    "logistic regression": logistic,
    "support vector machine": hinge,
    "machine with the squared hinge loss": squared_hinge,
}
"""Each gives the loss of a point, with label y = sign(alpha), whose slope at its prediction f is -alpha."""


@claim(
    "pbrff/eq-1-6-learners",
    always(),
    cite="pbrff, Section 2, equations (1) and (6), for four learners",
    over=[
        *grid(learner=list(LEARNERS), kernel=["any"], n=[3]),
        {"learner": "support vector machine", "kernel": "D = 3, d = 2", "n": 2},
        {"learner": "logistic regression", "kernel": "any", "n": 6},
    ],
    sizes="all kernels, by their values on n = 3 and 6 points, and that of three random Fourier features; all points "
    "within the margin",
)
def no_linear_predictor_beats_the_learned_form(forall: Forall, *, learner: str, kernel: str, n: int):
    """sum_i loss_i(f(x_i)) + |f|^2 / 2 of f = sum_i alpha_i k(x_i, .) is at most that of any sum_j w_j phi_j.

    The learned alpha are minus the slopes of the losses at f(x_i). Here alpha is any and the labels, targets and costs
    are those that it is learned from: so every solution of these learners on this sample is tried.
    """
    phi, _ = feature_map(forall, kernel=kernel, n=n)
    alpha = forall.interval("alpha", -0.9 / n, 0.9 / n, n)  # |f| <= .9: within the margin
    best = (phi.mT @ alpha.unsqueeze(-1)).squeeze(-1)
    other = best + forall.interval("change", -1.0, 1.0, phi.shape[-1])
    f = (phi @ best.unsqueeze(-1)).squeeze(-1)
    loss = LEARNERS[learner](f, alpha, torch.where(alpha < 0, -1.0, 1.0))
    predictions = (phi @ other.unsqueeze(-1)).squeeze(-1)
    return loss(f).sum(-1) + (alpha * f).sum(-1) / 2, loss(predictions).sum(-1) + other.square().sum(-1) / 2
