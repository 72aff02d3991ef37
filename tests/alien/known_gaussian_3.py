"""Alien claims, known: Gaussian calculus and its uses (3); see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate


def chi_mean(n):
    return math.sqrt(2) * (torch.lgamma((n + 1) / 2) - torch.lgamma(n / 2)).exp()


def mechanism_delta(eps, sigma):
    return torch.special.ndtr(0.5 / sigma - eps * sigma) - eps.exp() * torch.special.ndtr(-0.5 / sigma - eps * sigma)


def absolute_norm(p):
    moment = p / 2 * math.log(2) + torch.lgamma((p + 1) / 2) - math.log(math.pi) / 2
    return (moment / p).exp()


@claim(
    "gaussian/true-chi-square-lower",
    high_probability("delta"),
    over=grid(k=[3, 30], delta=[0.05]),
    cite="Laurent and Massart 2000, (4.4)",
)
def chi_square_lower(draw, *, k, delta):
    """k - chi^2 <= 2 sqrt(k log(1/delta))."""
    return k - (draw.normal("z", k) ** 2).sum(-1), 2 * math.sqrt(k * math.log(1 / delta))


@claim("gaussian/true-ehrhard-intervals", always(), cite="Ehrhard 1983")
def ehrhard(forall):
    """The normal quantile of the measure of intervals is concave."""
    a, b, t = forall.interval("a", -3.0, 3.0), forall.interval("b", -3.0, 3.0), forall.interval("t", 0.0, 1.0)
    u, v = forall.interval("u", 0.05, 3.0), forall.interval("v", 0.05, 3.0)

    def level(left, width):
        return torch.special.ndtri(torch.special.ndtr(left + width) - torch.special.ndtr(left))

    mixed = level((1 - t) * a + t * b, (1 - t) * u + t * v)
    return (1 - t) * level(a, u) + t * level(b, v), mixed


@claim("gaussian/true-kalman-information", identity(), cite="Kalman 1960")
def kalman_information(forall):
    """P - P h (h'P h + r)^(-1) h'P = (P^(-1) + h h'/r)^(-1), in the direction u."""
    p = forall.psd("A", 3, trace=1.0) + 0.1 * torch.eye(3)
    h, u, r = forall.ball("h", 3), forall.sphere("u", 3), forall.interval("r", 0.1, 2.0)
    ph = (p @ h[:, :, None])[:, :, 0]
    s = (h * ph).sum(-1) + r
    gain = p - ph[:, :, None] * ph[:, None] / s[:, None, None]
    information = torch.linalg.inv(torch.linalg.inv(p) + h[:, :, None] * h[:, None] / r[:, None, None])
    return (u[:, None] @ gain @ u[:, :, None])[:, 0, 0], (u[:, None] @ information @ u[:, :, None])[:, 0, 0]


@claim("gaussian/true-joseph-form", identity(), cite="Bucy and Joseph 1968")
def joseph_form(forall):
    """(I - k h') P (I - k h')' + r k k' = (I - k h') P for the optimal gain k, in trace."""
    p = forall.psd("P", 3, trace=1.0)
    h, r = forall.ball("h", 3), forall.interval("r", 0.01, 2.0)
    ph = (p @ h[:, :, None])[:, :, 0]
    k = ph / ((h * ph).sum(-1) + r)[:, None]
    rest = torch.eye(3) - k[:, :, None] * h[:, None]
    joseph = rest @ p @ rest.mT + r[:, None, None] * k[:, :, None] * k[:, None]
    return joseph.diagonal(dim1=-2, dim2=-1).sum(-1), (rest @ p).diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("gaussian/plain-joseph-any-gain", identity(), expected="refuted", cite="Bucy and Joseph 1968")
def joseph_any_gain(forall):
    """(I - k h') P (I - k h')' + r k k' = (I - k h') P for any gain k, in trace."""
    p = forall.psd("P", 3, trace=1.0)
    h, k, r = forall.ball("h", 3), forall.ball("k", 3), forall.interval("r", 0.01, 2.0)
    rest = torch.eye(3) - k[:, :, None] * h[:, None]
    joseph = rest @ p @ rest.mT + r[:, None, None] * k[:, :, None] * k[:, None]
    return joseph.diagonal(dim1=-2, dim2=-1).sum(-1), (rest @ p).diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("gaussian/true-hadamard", always(), cite="Hadamard 1893")
def hadamard(forall):
    """det S <= the product of the variances."""
    s = forall.psd("S", 3, trace=3.0)
    return torch.linalg.det(s), s.diagonal(dim1=-2, dim2=-1).prod(-1)


@claim("gaussian/true-minkowski-determinant", always(), cite="Minkowski 1905")
def minkowski_determinant(forall):
    """det(A)^(1/2) + det(B)^(1/2) <= det(A + B)^(1/2) for two by two matrices."""
    a, b = forall.psd("A", 2, trace=1.0), forall.psd("B", 2, trace=1.0)

    def root(x):
        return torch.linalg.det(x).clamp_min(0).sqrt()

    return root(a) + root(b), root(a + b)


@claim("gaussian/plain-determinant-subadditive", always(), expected="refuted", cite="Minkowski 1905")
def determinant_subadditive(forall):
    """det(A + B) <= det A + det B."""
    a, b = forall.psd("A", 2, trace=1.0), forall.psd("B", 2, trace=1.0)
    return torch.linalg.det(a + b), torch.linalg.det(a) + torch.linalg.det(b)


@claim("gaussian/true-gaussian-mechanism", always(), cite="Dwork and Roth 2014, A.1")
def gaussian_mechanism(forall):
    """sigma = sqrt(2 log(1.25/delta)) / eps suffices for eps <= 1."""
    eps, delta = forall.interval("eps", 0.05, 1.0), forall.interval("delta", 1e-6, 0.1)
    return mechanism_delta(eps, (2 * (1.25 / delta).log()).sqrt() / eps), delta


@claim("gaussian/true-moments", always(), cite="Nelson 1973")
def moments(forall):
    """(E |X|^p)^(1/p) <= sqrt(p - 1) for p >= 2."""
    p = forall.interval("p", 2.0, 50.0)
    return absolute_norm(p), (p - 1).sqrt()


@claim("gaussian/subtle-moments", always(), expected="refuted", cite="Nelson 1973")
def moments_wrong(forall):
    """(E |X|^p)^(1/p) <= sqrt(p - 1) for p >= 1.95."""
    p = forall.interval("p", 1.95, 50.0)
    return absolute_norm(p), (p - 1).sqrt()


@claim("gaussian/subtle-chi-mean", always(), expected="refuted", cite="Chu 1962")
def chi_mean_upper(forall):
    """E |X| <= sqrt(n - 0.43) for n >= 2."""
    n = forall.integers("n", 2, 1000)
    return chi_mean(n), (n - 0.43).sqrt()


@claim("gaussian/true-square-moment-generating", always(), cite="Boucheron, Lugosi and Massart 2013, 2.4")
def square_moment_generating(forall):
    """-log(1 - 2 t) / 2 <= t + t^2 / (1 - 2 t)."""
    t = forall.interval("t", 0.0, 0.499)
    return -(1 - 2 * t).log() / 2, t + t**2 / (1 - 2 * t)


@claim("gaussian/true-gordon", expectation(range=(-6.0, math.inf)), cite="Gordon 1985")
def gordon(draw):
    """E s_max <= sqrt(m) + sqrt(n) for m = 6, n = 3."""
    return torch.linalg.svdvals(draw.normal("G", 6, 3))[:, 0], math.sqrt(6) + math.sqrt(3)


@claim("gaussian/plain-gordon", expectation(range=(-6.0, math.inf)), expected="refuted", cite="Gordon 1985")
def gordon_wrong(draw):
    """E s_max <= sqrt(m + n) for m = 6, n = 3."""
    return torch.linalg.svdvals(draw.normal("G", 6, 3))[:, 0], math.sqrt(6 + 3)


@claim("gaussian/true-covariance-rate", rate("n", -0.5), over=grid(n=[20, 40, 80, 160, 320]), cite="Wishart 1928")
def covariance_rate(draw, *, n):
    """The sample covariance converges at the rate n^(-1/2)."""
    x = draw.normal("x", n, 3)
    return torch.linalg.eigvalsh(x.mT @ x / n - torch.eye(3)).abs().amax(-1)


@claim(
    "gaussian/plain-covariance-rate",
    rate("n", -1.0),
    over=grid(n=[20, 40, 80, 160, 320]),
    expected="refuted",
    cite="Wishart 1928",
)
def covariance_rate_wrong(draw, *, n):
    """The sample covariance converges at the rate 1/n."""
    x = draw.normal("x", n, 3)
    return torch.linalg.eigvalsh(x.mT @ x / n - torch.eye(3)).abs().amax(-1)


PROOFS = {
    "gaussian/true-chi-square-lower": ("The lower tail is sub-Gaussian with variance 2 k."),
    "gaussian/true-ehrhard-intervals": (
        "Ehrhard's inequality for convex sets; the mean of two intervals is an interval."
    ),
    "gaussian/true-kalman-information": ("The formula of Sherman, Morrison and Woodbury."),
    "gaussian/true-joseph-form": ("P h = k (h'P h + r)."),
    "gaussian/true-hadamard": ("Hadamard's inequality."),
    "gaussian/true-minkowski-determinant": ("Minkowski's inequality for determinants."),
    "gaussian/true-gaussian-mechanism": ("Dwork and Roth 2014, Appendix A, for eps <= 1; the exact curve is checked."),
    "gaussian/true-moments": ("Hypercontractivity of the linear function."),
    "gaussian/true-square-moment-generating": ("-log(1 - u) - u <= u^2 / (2 (1 - u)) for u = 2 t."),
    "gaussian/true-gordon": ("Gordon's comparison with sums of two vectors."),
    "gaussian/true-covariance-rate": ("The error is of order n^(-1/2) in the Frobenius norm already."),
}

WITNESSES = {
    "gaussian/plain-joseph-any-gain": {
        "params": {},
        "values": {
            "P": [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            "h": [0.0, 0.0, 0.0],
            "k": [1.0, 0.0, 0.0],
            "r": 1.0,
        },
        "why": "2 against 1",
    },
    "gaussian/plain-determinant-subadditive": {
        "params": {},
        "values": {"A": [[0.5, 0.0], [0.0, 0.5]], "B": [[0.5, 0.0], [0.0, 0.5]]},
        "why": "1 against 1/2",
    },
    "gaussian/subtle-moments": {"params": {}, "values": {"p": 1.95}, "why": "equality at p = 2"},
    "gaussian/subtle-chi-mean": {"params": {}, "values": {"n": 2}, "why": "pi / 2 against 1.57, at n = 2 alone"},
    "gaussian/plain-gordon": {"params": {}, "values": {}, "mean": 0.3081609618518124, "why": "E s_max = 3.308"},
    "gaussian/plain-covariance-rate": {"params": {}, "values": {}, "exponent": -0.5, "why": "the central limit"},
}
