"""Equations (1) and (6): predictors over the sample, and linear ones on random Fourier features."""

from algos.fourier.random_features import random_fourier_features
from algos.ridge.regression import dual_coefficients, feature_ridge_coefficients
from harness import Forall, always, claim, identity

_SIZES = [
    {"n": 1, "features": 4, "dimension": 3},
    {"n": 5, "features": 2, "dimension": 1},
]


@claim(
    "pbrff/eq-1-6",
    identity(),
    cite="pbrff, Section 2, equations (1) and (6), for ridge regression",
    over=_SIZES,
    restricts="ridge regression, with the kernel of random Fourier features, where (1) has any kernel; n <= 5, "
    "D <= 4, d <= 3",
)
def both_forms_are_learned_as_the_same_predictor(forall: Forall, *, n: int, features: int, dimension: int):
    """sum_i alpha_i k(x_i, x) = sum_j w_j phi_j(x) for k = phi . phi, alpha and w being learned on the same sample.

    By ridge regression with one penalty: alpha = (K + r I)^-1 y and w = (Phi^T Phi + r I)^-1 Phi^T y. It is the kernel
    of the features, which approximates the one that they are drawn for.
    """
    x = forall.interval("x", -3.0, 3.0, n, dimension)
    w = forall.interval("w", -3.0, 3.0, features, dimension)
    y, ridge = forall.interval("y", -1.0, 1.0, n), forall.interval("ridge", 0.01, 10.0)
    phi, new = (
        random_fourier_features(x, w),
        random_fourier_features(forall.interval("new", -3.0, 3.0, 1, dimension), w),
    )
    alpha = dual_coefficients(phi @ phi.mT, y, ridge)
    # the penalty of this function is in units of its 2 D columns
    learned = feature_ridge_coefficients(phi, y, ridge / phi.shape[-1])
    return (alpha * (phi @ new.mT).squeeze(-1)).sum(-1), (learned * new.squeeze(-2)).sum(-1)


@claim(
    "pbrff/eq-1-6-norm",
    always(),
    cite="pbrff, Section 2, equations (1) and (6), for any loss",
    over=_SIZES,
    restricts="the kernel of random Fourier features, where (1) has any kernel; n <= 5, D <= 4, d <= 3",
)
def form_over_the_sample_has_the_smallest_norm(forall: Forall, *, n: int, features: int, dimension: int):
    """Of all w with the same predictions on the sample, that of form (1) has the smallest norm: f^T K^-1 f <= |w|^2.

    So whatever the loss, a machine that penalises the norm learns the same predictor in either form. K is the kernel
    of the features; where it is singular, f^T (K + r I)^-1 f tends to the norm as r > 0 goes to zero.
    """
    x = forall.interval("x", -3.0, 3.0, n, dimension)
    frequencies = forall.interval("w", -3.0, 3.0, features, dimension)
    weights, r = forall.interval("weights", -1.0, 1.0, 2 * features), forall.interval("r", 1e-6, 1.0)
    phi = random_fourier_features(x, frequencies)
    f = (phi @ weights.unsqueeze(-1)).squeeze(-1)
    return (f * dual_coefficients(phi @ phi.mT, f, r)).sum(-1), weights.square().sum(-1)
