"""Alien claims, aside: kernels and Gaussian processes, sketches, transport, order statistics; see README.md."""

import math

import torch

from harness import Estimate, Row, always, claim, grid, high_probability, reproduction, tail


def gauss(x, y):
    """Gaussian kernel matrix of points on the line: (batch, n), (batch, m) -> (batch, n, m)."""
    return torch.exp(-((x[..., :, None] - y[..., None, :]) ** 2) / 2)


def posterior_variances(x, s2):
    """Posterior variance of each point given those before it."""
    k = gauss(x, x)
    n = x.shape[-1]
    eye = torch.eye(n, dtype=torch.float64)
    out = [k[:, 0, 0]]
    for t in range(1, n):
        noisy = k[:, :t, :t] + s2[:, None, None] * eye[:t, :t]
        cross = k[:, :t, t : t + 1]
        out.append(k[:, t, t] - (cross.mT @ torch.linalg.solve(noisy, cross))[:, 0, 0])
    return torch.stack(out, -1)


@claim("kernels/true-variance-sum", always(), cite="Srinivas, Krause, Kakade, Seeger 2010, Lemma 5.4")
def true_variance_sum(forall):
    """sum_t v_t <= log det(I + K / s^2) / log(1 + 1 / s^2)."""
    x, s2 = forall.interval("x", -1.0, 1.0, 4), forall.interval("s2", 0.01, 2.0)
    gain = torch.logdet(torch.eye(4, dtype=torch.float64) + gauss(x, x) / s2[:, None, None])
    return posterior_variances(x, s2).sum(-1), gain / torch.log(1 + 1 / s2)


@claim("kernels/true-mmd-below-transport", always(), cite="Sriperumbudur et al. 2010, Theorem 21")
def true_mmd_below_transport(forall):
    """MMD^2(P, Q) <= W_1(P, Q)^2 for the kernel exp(-(x - y)^2 / 2) and laws on four points of the line."""
    z, p, q = forall.interval("z", -2.0, 2.0, 4), forall.simplex("p", 4), forall.simplex("q", 4)
    d = p - q
    mmd2 = (d[:, None, :] @ gauss(z, z) @ d[:, :, None])[:, 0, 0]
    z, order = z.sort(-1)
    gaps = z[:, 1:] - z[:, :-1]
    transport = (d.gather(-1, order).cumsum(-1)[:, :-1].abs() * gaps).sum(-1)
    return mmd2, transport**2


@claim("kernels/true-nystrom-below", always(), cite="Alaoui and Mahoney 2015, Lemma 1")
def true_nystrom_below(forall):
    """0 <= lambda_min(K - L) for the regularised Nystrom matrix L = K_S (K_SS + c I)^-1 K_S'."""
    k, c = forall.psd("K", 4), forall.interval("c", 0.01, 1.0)
    noisy = k[:, :2, :2] + c[:, None, None] * torch.eye(2, dtype=torch.float64)
    low = k[:, :, :2] @ torch.linalg.solve(noisy, k[:, :2, :])
    return 0.0, torch.linalg.eigvalsh(k - low)[:, 0]


@claim("kernels/true-talagrand-transport", always(), cite="Talagrand 1996, for two normal laws on the line")
def true_talagrand_transport(forall):
    """W_2^2 = m^2 + (s - 1)^2 <= 2 KL = m^2 + s^2 - 1 - 2 log s between N(m, s^2) and N(0, 1)."""
    m, s = forall.interval("m", -3.0, 3.0), forall.interval("s", 0.01, 5.0)
    return m**2 + (s - 1) ** 2, m**2 + s**2 - 1 - 2 * s.log()


@claim("kernels/true-wilks", high_probability("delta"), over=grid(n=[14], delta=[0.5]), cite="Wilks 1941")
def true_wilks(draw, *, n, delta):
    """The largest of n = 14 draws is beyond the 0.95-quantile with probability at least 1/2."""
    return 0.95, draw.uniform("u", n).amax(-1)


@claim(
    "kernels/true-projection-lower",
    tail(),
    over=grid(k=[6]),
    cite="Laurent and Massart 2000, (4.4); Dasgupta and Gupta 2003",
)
def true_projection_lower(forall, draw, *, k):
    """P(|G x|^2 / k <= 1 - c) <= exp(-k c^2 / 4) for a unit vector x and a normal k x 3 matrix G."""
    x, c = forall.sphere("x", 3), forall.interval("c", 0.1, 0.9)
    g = draw.normal("G", k, 3)
    return (g * x[:, None, :]).sum(-1).square().sum(-1) / k <= 1 - c, (-k * c**2 / 4).exp()


@claim(
    "kernels/subtle-median-interval",
    always(),
    expected="refuted",
    cite="Conover 1999, section 3.2, the normal quantile 1.94 in place of 1.96",
)
def subtle_median_interval(forall):
    """P(k <= Bin(n, 1/2) <= n - k) >= 0.95 at k = floor((n + 1) / 2 - 0.97 sqrt(n)), 10 <= n <= 100."""
    n = forall.integers("n", 10, 100).double()
    k = torch.floor((n + 1) / 2 - 0.97 * n.sqrt())
    j = torch.arange(101, dtype=torch.float64)
    n, k = n[:, None], k[:, None]
    inside = (j >= k) & (j <= n - k)
    log_mass = torch.lgamma(n + 1) - torch.lgamma(j + 1) - torch.lgamma((n - j).clamp_min(0) + 1) - n * math.log(2)
    return 0.95, (log_mass.exp() * inside).sum(-1)


@claim(
    "kernels/plain-nystrom-optimal",
    always(),
    expected="refuted",
    cite="Drineas and Mahoney 2005: as if one column were as good as the best matrix of rank one",
)
def plain_nystrom_optimal(forall):
    """|K - K_0 K_0' / K_00| <= lambda_2(K) for the Nystrom approximation by the first column."""
    k = forall.psd("K", 3, trace=1.0)
    forall.assume(k[:, 0, 0] >= 0.01)
    low = k[:, :, :1] @ k[:, :1, :] / k[:, :1, :1]
    return torch.linalg.eigvalsh(k - low)[:, -1], torch.linalg.eigvalsh(k)[:, 1]


@claim(
    "kernels/plain-projection-upper",
    tail(),
    over=grid(k=[6]),
    expected="refuted",
    cite="Laurent and Massart 2000, (4.3), the linear term dropped",
)
def plain_projection_upper(forall, draw, *, k):
    """P(|G x|^2 / k >= 1 + c) <= exp(-k c^2 / 4) for a unit vector x and a normal k x 3 matrix G."""
    x, c = forall.sphere("x", 3), forall.interval("c", 0.1, 4.0)
    g = draw.normal("G", k, 3)
    return (g * x[:, None, :]).sum(-1).square().sum(-1) / k >= 1 + c, (-k * c**2 / 4).exp()


@claim(
    "kernels/plain-maximum-table",
    reproduction(tolerance=0.01),
    expected="refuted",
    cite="Harter 1961, expected largest normal order statistics, two digits exchanged",
)
def plain_maximum_table(draw):
    """Mean maximum of n standard normal numbers: 1.1630 (n = 5), 1.5838 (n = 10), 1.8675 (n = 20)."""
    rows = []
    for n, printed in [(5, 1.1630), (10, 1.5838), (20, 1.8675)]:
        x = draw.normal(f"x{n}", 200, n)
        rows.append(Row(f"n = {n}", Estimate.mean(x.amax(-1).mean(-1)), printed=printed))
    return rows


PROOFS = {
    "kernels/true-variance-sum": (
        "v <= log(1 + v / s^2) / log(1 + 1 / s^2) for v in [0, 1] by concavity of log, equal at 0 and 1; sum with the"
        " chain rule."
    ),
    "kernels/true-mmd-below-transport": (
        "|phi(x) - phi(y)|^2 = 2 - 2 exp(-d^2/2) <= d^2, so MMD <= E |phi(X) - phi(Y)| <= E |X - Y| for the best "
        "coupling; W_1 on the line is the area between the distribution functions; ties in z give gaps 0."
    ),
    "kernels/true-nystrom-below": (
        "K = B'B: K - L = B'(I - B_S (B_S'B_S + c)^-1 B_S') B, and the middle matrix has eigenvalues in [0, 1]."
    ),
    "kernels/true-talagrand-transport": "Difference is 2 (s - 1 - log s) >= 0.",
    "kernels/true-wilks": "P(max < 0.95) = 0.95^14 = 0.48767 < 1/2.",
    "kernels/true-projection-lower": (
        "|Gx|^2 is chi-square with k degrees; P(chi <= k - 2 sqrt(k t)) <= e^-t at t = k c^2 / 4."
    ),
}

WITNESSES = {
    "kernels/subtle-median-interval": {
        "params": {},
        "values": {"n": 76.0},
        "why": "n = 76, k = 30: coverage 0.94955; also n = 32 and n = 85, and no other n.",
    },
    "kernels/plain-nystrom-optimal": {
        "params": {},
        "values": {"K": [[0.2, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, 0.0, 0.0]]},
        "why": "K = diag(1/5, 4/5, 0): error 4/5, lambda_2 = 1/5.",
    },
    "kernels/plain-projection-upper": {
        "params": {"k": 6},
        "values": {"x": [1.0, 0.0, 0.0], "c": 2.0},
        "probability": 0.0062321951,
        "why": "x = (1, 0, 0), c = 2: P(chi^2_6 >= 18) = 0.00623 > e^-6 = 0.00248.",
    },
    "kernels/plain-maximum-table": {
        "params": {},
        "values": {},
        "row": "n = 10",
        "ours": 1.5387527308,
        "why": "E max of ten = 1.53875 by quadrature, printed 1.5838.",
    },
}
