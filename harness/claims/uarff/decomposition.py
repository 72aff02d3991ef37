"""Kernels as mixtures of features, functions as mixtures of features, and ridge regression on them."""

import math

import torch

from algos.ridge.leverage import feature_kernel
from algos.ridge.regression import dual_coefficients, feature_ridge_coefficients, feature_ridge_fit, kernel_ridge_fit
from harness import Forall, always, claim, identity
from harness.claims.placement import table

from .finite_support import FiniteSupport, product, squared_norm


@claim(
    "uarff/eq-1",
    always(),
    cite="uarff, equation 1, for the squared loss",
    over=[{"n": 1, "others": 3}, {"n": 3, "others": 1}],
    restricts="the squared loss; any loss: lem-29, by which f of the form (1) has the smallest norm of its values",
)
def form_over_the_sample_is_the_minimiser(forall: Forall, *, n: int, others: int):
    """min over alpha of |Y - K alpha|^2 / n + lambda alpha^T K alpha <= |Y - f_x|^2 / n + lambda |f|_H^2 for all f.

    Attained at alpha = (K + n lambda I)^-1 Y. The functions are spanned by the n sample points and some others.
    """
    full, w = forall.psd("kernel", n + others, trace=1.0), forall.interval("weights", -1.0, 1.0, n + others)
    y, ridge = forall.interval("y", -1.0, 1.0, n), forall.interval("ridge", 1e-3, 1.0)
    kernel = full[..., :n, :n]
    alpha = dual_coefficients(kernel, y, ridge)
    smallest, value = (
        ((y - values).square().sum(-1) + ridge * norm) / n
        for values, norm in (
            (product(kernel, alpha), squared_norm(kernel, alpha)),
            (product(full, w)[..., :n], squared_norm(full, w)),
        )
    )
    return smallest, value


@claim(
    "uarff/eq-2-5",
    identity(),
    cite="uarff, equations 2 and 3",
    over=[{"frequencies": 1, "dimension": 3}, {"frequencies": 4, "dimension": 1}],
    sizes="inputs of one and three dimensions, all distributions on one and four frequencies",
)
def cosines_with_a_random_phase_have_the_kernel_of_the_exponentials(
    forall: Forall, *, frequencies: int, dimension: int
):
    """Real part of E exp(-2 pi i v.(x - y)) = E z(v, b, x) z(v, b, y), z = sqrt(2) cos(2 pi v.x + b), b uniform.

    The exponentials of (2) are complex, the z of (3) real; z_0 is then sqrt(2). Three equidistant phases replace the
    uniform one, exactly: the products have degree two in b.
    """
    v, p = forall.interval("v", -3.0, 3.0, frequencies, dimension), forall.simplex("p", frequencies)
    x, y = forall.interval("x", -2.0, 2.0, dimension), forall.interval("y", -2.0, 2.0, dimension)
    phases = 2 * math.pi * table(range(3), like=v).unsqueeze(-1) / 3
    left, right = ((2 * math.pi * product(v, point)).unsqueeze(-2) + phases for point in (x, y))
    kernel = (p * (2 * math.pi * product(v, x - y)).cos()).sum(-1)
    return kernel, (p * (2 * left.cos() * right.cos()).mean(-2)).sum(-1)


@claim(
    "uarff/eq-2-5-norm",
    identity(),
    cite="uarff, equation 5",
    over=[{"n": 1, "atoms": 5}, {"n": 4, "atoms": 3}],
    sizes="all functions spanned by one and four points, all distributions on three and five features",
)
def norm_of_a_function_is_that_of_its_smallest_representation(forall: Forall, *, n: int, atoms: int):
    """|sum_i w_i k(x_i, .)|_H^2 = E g(v)^2 for g(v) = sum_i w_i z(v, x_i), which represents this function."""
    features, p = forall.interval("features", -1.0, 1.0, n, atoms), forall.simplex("probabilities", atoms)
    w = forall.interval("weights", -1.0, 1.0, n)
    return squared_norm(feature_kernel(features, p), w), (p * product(features.mT, w).square()).sum(-1)


@claim(
    "uarff/eq-2-5-footnote",
    always(),
    reading="corrected",
    cite="uarff, footnote 2",
    over=[{"n": 1, "atoms": 2}, {"n": 3, "atoms": 4}],
    sizes="domains of one and three points, all distributions on two and four features",
)
def every_square_integrable_g_gives_a_function_of_the_space(forall: Forall, *, n: int, atoms: int):
    """Every g in L2(p) gives a function f = E g(v) z(v, .) of H, with |f|_H <= |g|.

    The footnote says that there need not be a "corresponding" f. If that is any f, it is wrong; if it is one with |f|_H
    = |g|, for which g is the least of all that give f, it is right, so print is not accused. Judged on a finite domain,
    uniformly in r > 0: f_r = K (K + r I)^-1 f has |f_r|_H^2 + |f - f_r|^2 / r = f^T (K + r I)^-1 f <= E g^2, so f_r
    stays in the ball of radius |g| and tends to f as r goes to zero.
    """
    features, p = forall.interval("features", -1.0, 1.0, n, atoms), forall.simplex("probabilities", atoms)
    g, r = forall.interval("g", -1.0, 1.0, atoms), forall.interval("r", 1e-6, 1.0)
    f = product(features, p * g)
    return (f * dual_coefficients(feature_kernel(features, p), f, r)).sum(-1), (p * g.square()).sum(-1)


@claim(
    "uarff/unbiased",
    identity(),
    cite="uarff, Section 2.2",
    over=[{"n": 2, "atoms": 3, "s": 1}, {"n": 3, "atoms": 2, "s": 2}],
    sizes="two and three points, all distributions on two and three features, s = 1 and 2",
)
def sampled_kernels_are_unbiased(forall: Forall, *, n: int, atoms: int, s: int):
    """E K~ = K for s features drawn from any q with weights p / q, summed over all samples.

    Needs q > 0 wherever p z is not zero; here q is at least 1/30 everywhere.
    """
    features, p = forall.interval("features", -1.0, 1.0, n, atoms), forall.simplex("probabilities", atoms)
    q = 0.9 * forall.simplex("sampling", atoms) + 0.1 / atoms
    bed = FiniteSupport(features, p, torch.ones_like(p[..., 0]))
    u = forall.sphere("direction", n)
    kernels, weights = bed.every_sample(s, q)
    return (weights * squared_norm(kernels, u.unsqueeze(-2))).sum(-1), squared_norm(bed.kernel, u)


@claim(
    "uarff/prop-8",
    always(),
    cite="uarff, Proposition 8",
    over=[{"n": 2, "s": 3}, {"n": 4, "s": 2}],
    sizes="domains of two and four points, s = 2 and 3",
)
def norm_in_the_space_of_the_features(forall: Forall, *, n: int, s: int):
    """|f|^2 <= s |alpha|^2 in the space of k~ for f = sum_i alpha_i z(v_i, .).

    Equality for all alpha if and only if the features are linearly independent as functions; two equal features with
    alpha = (1, -1) have 0 < 2 s. The norm is the limit of f^T (K~ + r I)^-1 f as r > 0 goes to zero, on a domain of n.
    """
    features, alpha = forall.interval("features", -1.0, 1.0, n, s), forall.interval("alpha", -1.0, 1.0, s)
    f, r = product(features, alpha), forall.interval("r", 1e-6, 1.0)
    return (f * dual_coefficients(features @ features.mT / s, f, r)).sum(-1), s * alpha.square().sum(-1)


@claim(
    "uarff/lem-29",
    always(),
    cite="uarff, Lemma 29",
    over=[{"n": 1, "others": 3}, {"n": 3, "others": 1}],
    sizes="n = 1 and 3, all functions spanned by the sample and one or three other points",
)
def values_on_the_sample(forall: Forall, *, n: int, others: int):
    """f_x^T K^-1 f_x <= |f|_H^2 for the values f_x of f on the sample.

    With the pseudoinverse where points are duplicated: the limit of f_x^T (K + r I)^-1 f_x, here for every r. The
    function is spanned by the n sample points and some others.
    """
    full, w = forall.psd("kernel", n + others, trace=1.0), forall.interval("weights", -1.0, 1.0, n + others)
    f, r = product(full, w)[..., :n], forall.interval("r", 1e-9, 1.0)
    return (f * dual_coefficients(full[..., :n, :n], f, r)).sum(-1), squared_norm(full, w)


@claim(
    "uarff/eq-7",
    identity(),
    cite="uarff, equation 7",
    over=[{"n": 2, "s": 3}, {"n": 5, "s": 2}],
    sizes="n = 2 and 5, s = 2 and 3",
)
def ridge_regression_on_features(forall: Forall, *, n: int, s: int):
    """Z (Z^T Z + n s lambda I)^-1 Z^T Y = K~ (K~ + n lambda I)^-1 Y, seen along any direction."""
    features, y = forall.interval("features", -1.0, 1.0, n, s), forall.interval("y", -1.0, 1.0, n)
    ridge, u = forall.interval("ridge", 1e-2, 10.0), forall.sphere("direction", n)
    dual = kernel_ridge_fit(features @ features.mT / s, y, ridge)
    return (feature_ridge_fit(features, y, ridge) * u).sum(-1), (dual * u).sum(-1)


@claim(
    "uarff/eq-7-minimum",
    always(),
    cite="uarff, equation 7",
    over=[{"n": 2, "s": 3}, {"n": 5, "s": 2}],
    sizes="n = 2 and 5, s = 2 and 3",
)
def ridge_coefficients_are_the_minimiser(forall: Forall, *, n: int, s: int):
    """(Z^T Z + n s lambda I)^-1 Z^T Y minimises |Y - Z beta|^2 / n + lambda s |beta|^2 over all beta."""
    features, y = forall.interval("features", -1.0, 1.0, n, s), forall.interval("y", -1.0, 1.0, n)
    ridge, b = forall.interval("ridge", 1e-2, 10.0), forall.interval("beta", -1.0, 1.0, s)
    smallest, value = (
        ((y - product(features, beta)).square().sum(-1) + ridge * s * beta.square().sum(-1)) / n
        for beta in (feature_ridge_coefficients(features, y, ridge), b)
    )
    return smallest, value
