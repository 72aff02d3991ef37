"""Alien claims, known: what estimators and learners guarantee (3); see README.md."""

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


@claim("estimators/true-ridge-loo", identity(), cite="Golub, Heath and Wahba 1979")
@sum_all
def ridge_loo(forall):
    """The refitted leave-one-out residual of ridge regression is r_i / (1 - h_ii)."""
    x, y = forall.ball("X", 5, 2, radius=2.0), forall.interval("y", -1.0, 1.0, 5)
    lam = 0.3

    def fit(features, labels):
        gram = features.mT @ features + lam * eye(2)
        return torch.linalg.solve(gram, features.mT @ labels[..., None])[..., 0]

    refitted = []
    for i in range(5):
        keep = [j for j in range(5) if j != i]
        w = fit(x[:, keep], y[:, keep])
        refitted.append(y[:, i] - (x[:, i] * w).sum(-1))
    hat = x @ torch.linalg.solve(x.mT @ x + lam * eye(2), x.mT)
    residual = y - (x @ fit(x, y)[..., None])[..., 0]
    return torch.stack(refitted, -1), residual / (1.0 - torch.diagonal(hat, dim1=-2, dim2=-1))


@claim("estimators/true-ols-training-error", identity(), cite="Hastie, Tibshirani and Friedman 2009, chapter 7")
def ols_training_error(forall):
    """The expected training error of least squares under sign noise is (n - d) / n."""
    x, w = forall.ball("X", 5, 2), forall.ball("w", 2, radius=3.0)
    gram = x.mT @ x
    forall.assume(torch.linalg.det(gram) > 1e-2)
    noise = every.signs(5, like=x)  # (32, 5)
    y = (x @ w[..., None]).mT + noise  # (batch, 32, 5)
    fitted = (x @ torch.linalg.solve(gram, x.mT @ y.mT)).mT
    return (y - fitted).square().mean(-1).mean(-1), 3.0 / 5.0 + 0.0 * w[:, 0]


def ridge_mse(x, beta, lam, sigma2):
    gram = x.mT @ x
    inverse = torch.linalg.inv(gram + lam[:, None, None] * eye(x.shape[-1]))
    bias = lam[:, None] * (inverse @ beta[..., None])[..., 0]
    variance = sigma2 * (inverse @ gram @ inverse).diagonal(dim1=-2, dim2=-1).sum(-1)
    return bias.square().sum(-1) + variance


@claim("estimators/true-theobald", always(), cite="Theobald 1974")
def theobald(forall):
    """Ridge regression with lambda <= 2 sigma^2 / |beta|^2 has no larger mean squared error than least squares."""
    x, beta, share = forall.ball("X", 4, 2), forall.ball("beta", 2, radius=2.0), forall.interval("s", 0.0, 1.0)
    forall.assume((torch.linalg.det(x.mT @ x) > 1e-2) & (beta.norm(dim=-1) > 0.1))
    lam = share * 2.0 * 0.25 / beta.square().sum(-1)
    return ridge_mse(x, beta, lam, 0.25), ridge_mse(x, beta, 0.0 * lam, 0.25)


@claim("estimators/plain-ridge-always-wins", always(), expected="refuted", cite="Theobald 1974")
def ridge_always_wins(forall):
    """Ridge regression with lambda up to 4 sigma^2/|beta|^2 has no larger mean squared error than least squares."""
    x, beta, share = (
        forall.ball("X", 4, 2, radius=3.0),
        forall.ball("beta", 2, radius=2.0),
        forall.interval("s", 0.0, 1.0),
    )
    forall.assume((torch.linalg.det(x.mT @ x) > 1e-2) & (beta.norm(dim=-1) > 0.1))
    lam = share * 4.0 * 0.25 / beta.square().sum(-1)
    return ridge_mse(x, beta, lam, 0.25), ridge_mse(x, beta, 0.0 * lam, 0.25)


@claim("estimators/true-james-stein", expectation(range=(-math.inf, math.inf)), cite="James and Stein 1961")
def james_stein(forall, draw):
    """The James-Stein estimator has no larger risk than the maximum likelihood estimator in five dimensions."""
    theta = forall.ball("theta", 5, radius=3.0)
    x = theta + draw.normal("z", 5)
    shrunk = (1.0 - 3.0 / x.square().sum(-1, keepdim=True)) * x
    return (shrunk - theta).square().sum(-1), (x - theta).square().sum(-1)


@claim(
    "estimators/true-knn-degrees-of-freedom",
    identity(),
    over=grid(k=[2, 3]),
    cite="Hastie, Tibshirani and Friedman 2009, chapter 7",
)
@sum_all
def knn_df(forall, *, k):
    """The k-nearest-neighbour smoother has n/k degrees of freedom, by either definition."""
    x = forall.interval("x", 0.0, 1.0, 6)
    gaps = (x[:, :, None] - x[:, None, :]).abs()
    order = gaps.argsort(dim=-1, stable=True)
    distinct = (gaps + torch.eye(6, dtype=torch.float64)).amin((-1, -2)) > 1e-3
    forall.assume(distinct)
    hat = torch.zeros_like(gaps).scatter(-1, order[..., :k], 1.0 / k)
    df = torch.diagonal(hat, dim1=-2, dim2=-1).sum(-1)
    other = (2.0 * hat - hat @ hat.mT).diagonal(dim1=-2, dim2=-1).sum(-1)
    return torch.stack([df, other], -1), torch.full((len(x), 2), 6.0 / k, dtype=torch.float64)


@claim("estimators/true-ridge-stability", always(), cite="Bousquet and Elisseeff 2002")
def ridge_stability(forall):
    """Replacing one example moves ridge regression by at most 2 (1 + lam^(-1/2)) / (lam n)."""
    n, lam = 5, 0.5
    x, y = forall.ball("X", n, 2), forall.interval("y", -1.0, 1.0, n)
    x_new, y_new = forall.ball("x'", 2), forall.interval("y'", -1.0, 1.0)

    def fit(features, labels):
        return torch.linalg.solve(features.mT @ features + n * lam * eye(2), (features.mT @ labels[..., None]))[..., 0]

    other_x = torch.cat([x[:, 1:], x_new[:, None]], 1)
    other_y = torch.cat([y[:, 1:], y_new[:, None]], 1)
    return (fit(x, y) - fit(other_x, other_y)).norm(dim=-1), 2.0 * (1.0 + lam**-0.5) / (lam * n)


@claim("estimators/true-gradient-flow-vs-ridge", always(), cite="Ali, Kolter and Tibshirani 2019")
def flow_vs_ridge(forall):
    """The prediction variance of gradient flow at time t is at most 1.6862 that of ridge with lambda = 1/t."""
    spectrum, t = forall.interval("s", 0.0, 4.0, 3), forall.interval("t", 0.1, 20.0)
    a = spectrum * t[:, None]
    flow = (-torch.expm1(-a)).square().sum(-1)
    ridge = (a / (1.0 + a)).square().sum(-1)
    return flow, 1.6862 * ridge


@claim("estimators/true-lasso-slow-rate", always(), cite="Buehlmann and van de Geer 2011, chapter 6")
def lasso_slow(forall):
    """Soft thresholding with lambda >= |noise|_inf errs by at most 2 lambda |beta|_1 in squared norm."""
    beta, e = forall.interval("beta", -3.0, 3.0, 4), forall.interval("noise", -1.0, 1.0, 4)
    lam = e.abs().amax(-1, keepdim=True)
    y = beta + e
    fit = y.sign() * (y.abs() - lam).clamp_min(0.0)
    return (fit - beta).square().sum(-1), 2.0 * lam[:, 0] * beta.abs().sum(-1)


@claim(
    "estimators/plain-lasso-slow-rate-small",
    always(),
    expected="refuted",
    cite="Buehlmann and van de Geer 2011, chapter 6",
)
def lasso_slow_small(forall):
    """Soft thresholding with lambda >= |noise|_inf errs by at most 1.7 lambda |beta|_1 in squared norm."""
    beta, e = forall.interval("beta", -3.0, 3.0, 4), forall.interval("noise", -1.0, 1.0, 4)
    lam = e.abs().amax(-1, keepdim=True)
    y = beta + e
    fit = y.sign() * (y.abs() - lam).clamp_min(0.0)
    return (fit - beta).square().sum(-1), 1.7 * lam[:, 0] * beta.abs().sum(-1)


@claim("estimators/true-noisy-labels-unbiased", identity(), cite="Natarajan et al. 2013, Lemma 1")
def noisy_labels(forall):
    """The corrected hinge loss of Natarajan et al. is unbiased under class-conditional label noise."""
    margin, label = forall.interval("t", -3.0, 3.0), forall.signs("y")
    plus, minus = forall.interval("rho+", 0.0, 0.45), forall.interval("rho-", 0.0, 0.45)
    hinge = lambda y: (1.0 - y * margin).clamp_min(0.0)
    flip = lambda y: torch.where(y > 0, plus, minus)
    corrected = lambda y: ((1.0 - flip(-y)) * hinge(y) - flip(y) * hinge(-y)) / (1.0 - plus - minus)
    return (1.0 - flip(label)) * corrected(label) + flip(label) * corrected(-label), hinge(label)


@claim("estimators/true-nadaraya-watson-lipschitz", always(), cite="Nadaraya 1964, Watson 1964")
def nw(forall):
    """The Gaussian Nadaraya-Watson estimate is Lipschitz with constant range(x) range(y) / (4 h^2)."""
    x, y = forall.interval("x", 0.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    u, v, h = forall.interval("u", -1.0, 2.0), forall.interval("v", -1.0, 2.0), forall.interval("h", 0.2, 1.0)

    def estimate(point):
        weights = torch.softmax(-((point[:, None] - x) / h[:, None]).square() / 2.0, -1)
        return (weights * y).sum(-1)

    ranges = (x.amax(-1) - x.amin(-1)) * (y.amax(-1) - y.amin(-1))
    return (estimate(u) - estimate(v)).abs(), (u - v).abs() * ranges / (4.0 * h**2)


@claim("estimators/plain-nadaraya-watson-smoother", always(), expected="refuted", cite="Nadaraya 1964, Watson 1964")
def nw_smoother(forall):
    """The Gaussian Nadaraya-Watson estimate is Lipschitz with constant range(x) range(y) / (6 h^2)."""
    x, y = forall.interval("x", 0.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    u, v, h = forall.interval("u", -1.0, 2.0), forall.interval("v", -1.0, 2.0), forall.interval("h", 0.2, 1.0)

    def estimate(point):
        weights = torch.softmax(-((point[:, None] - x) / h[:, None]).square() / 2.0, -1)
        return (weights * y).sum(-1)

    ranges = (x.amax(-1) - x.amin(-1)) * (y.amax(-1) - y.amin(-1))
    return (estimate(u) - estimate(v)).abs(), (u - v).abs() * ranges / (6.0 * h**2)


PROOFS = {
    "estimators/true-ridge-loo": (
        "Sherman and Morrison: leaving row i out of the regularised normal equations divides its residual by 1 - h_ii."
    ),
    "estimators/true-ols-training-error": (
        "I - H is a projection of rank n - d that removes the signal, and signs have variance one: E |(I - H) "
        "e|^2 = n - d."
    ),
    "estimators/true-theobald": (
        "For an eigenvalue g and coordinate b: (k^2 b^2 + s g) / (g + k)^2 <= s / g where k b^2 <= 2 s."
    ),
    "estimators/true-james-stein": "Stein: the risk is 5 - 9 E 1/|x|^2.",
    "estimators/true-knn-degrees-of-freedom": (
        "Each row of H has k entries 1/k, the diagonal one among them: tr H = n/k, tr H H' = n/k."
    ),
    "estimators/true-ridge-stability": (
        "The objective is 2 lambda strongly convex and |w| <= lam^(-1/2), where a loss is Lipschitz with "
        "constant 2 (1 + lam^(-1/2)): |w - w'| <= that over lam n."
    ),
    "estimators/true-gradient-flow-vs-ridge": (
        "Each term: (1 - exp(-a)) (1 + a) / a <= 1.29844 for a > 0 (Ali, Kolter and Tibshirani 2019), squared at "
        "most 1.68595."
    ),
    "estimators/true-lasso-slow-rate": (
        "Each coordinate errs by d with |d| <= 2 lambda and |d| <= |beta|: thresholded to 0 it errs by -beta, "
        "else by noise -+ lambda, and y beyond lambda means |beta| > |d|."
    ),
    "estimators/true-noisy-labels-unbiased": (
        "(1 - f(y)) (1 - f(-y)) - f(y) f(-y) = 1 - rho+ - rho-, and the terms of the other label cancel."
    ),
    "estimators/true-nadaraya-watson-lipschitz": (
        "The derivative is Cov(x, y) / h^2 under the weights, at most a quarter of the product of the ranges over h^2."
    ),
}

WITNESSES = {
    "estimators/plain-ridge-always-wins": {
        "params": {},
        "values": {"X": [[1.0, 0.0], [0.0, 3.0], [0.0, 3.0], [0.0, 3.0]], "beta": [2.0, 0.0], "s": 1.0},
        "why": "Eigenvalues 1 and 27, lambda = 1/4: 0.3291 against 0.2593.",
    },
    "estimators/plain-lasso-slow-rate-small": {
        "params": {},
        "values": {"beta": [2.0, 0.0, 0.0, 0.0], "noise": [-1.0, 0.0, 0.0, 0.0]},
        "why": "beta = 2 lambda, noise -lambda: 4 against 3.4.",
    },
    "estimators/plain-nadaraya-watson-smoother": {
        "params": {},
        "values": {"x": [1.0, 1.0, 0.0, 0.0], "y": [1.0, 1.0, -1.0, -1.0], "u": 0.55, "v": 0.45, "h": 1.0},
        "why": "2 tanh(1/40) = 0.04999 against 1/30.",
    },
}
