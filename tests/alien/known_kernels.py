"""Alien claims, known: kernels and Gaussian processes, sketches, transport, order statistics; see README.md."""

import math

import torch

from harness import (
    Estimate,
    Row,
    always,
    claim,
    every,
    expectation,
    grid,
    high_probability,
    identity,
    rate,
    reproduction,
)


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


@claim("kernels/true-variance-determinant", identity(), cite="Rasmussen and Williams 2006, (2.26) and (A.12)")
def true_variance_determinant(forall):
    """Posterior variance + s^2 = det(K_4 + s^2 I) / det(K_3 + s^2 I) for the Gaussian kernel on the line."""
    x, s2 = forall.interval("x", -1.0, 1.0, 4), forall.interval("s2", 0.01, 1.0)
    k = gauss(x, x) + s2[:, None, None] * torch.eye(4, dtype=torch.float64)
    cross = k[:, :3, 3:]
    variance = 1 - (cross.mT @ torch.linalg.solve(k[:, :3, :3], cross))[:, 0, 0]
    return variance + s2, torch.linalg.det(k) / torch.linalg.det(k[:, :3, :3])


@claim("kernels/true-information-gain-chain", identity(), cite="Srinivas, Krause, Kakade, Seeger 2010, Lemma 5.3")
def true_information_gain_chain(forall):
    """log det(I + K / s^2) / 2 = sum_t log(1 + v_t / s^2) / 2 with the posterior variances v_t."""
    x, s2 = forall.interval("x", -1.0, 1.0, 4), forall.interval("s2", 0.01, 1.0)
    gain = torch.logdet(torch.eye(4, dtype=torch.float64) + gauss(x, x) / s2[:, None, None]) / 2
    return gain, torch.log(1 + posterior_variances(x, s2) / s2[:, None]).sum(-1) / 2


@claim("kernels/true-more-data-less-variance", always(), cite="Rasmussen and Williams 2006, section 2.2 (exercise 4)")
def true_more_data_less_variance(forall):
    """The posterior variance given three noisy values is at most that given two of them."""
    k, s2 = forall.psd("K", 4), forall.interval("s2", 0.01, 1.0)
    noise = s2[:, None, None] * torch.eye(4, dtype=torch.float64)

    def variance(m):
        cross = k[:, :m, 3:]
        return k[:, 3, 3] - (cross.mT @ torch.linalg.solve((k + noise)[:, :m, :m], cross))[:, 0, 0]

    return variance(3), variance(2)


@claim("kernels/true-hsic-is-mmd", identity(), cite="Gretton et al. 2005; Sejdinovic et al. 2013")
def true_hsic_is_mmd(forall):
    """tr(K H L H) / n^2 = mean of K L + mean of K mean of L - 2 mean_i of (K_i L_i), the squared MMD to the product."""
    n = 4
    x, y = forall.interval("x", -2.0, 2.0, n), forall.interval("y", -2.0, 2.0, n)
    k, l = gauss(x, x), gauss(y, y)  # noqa: E741
    h = torch.eye(n, dtype=torch.float64) - 1 / n
    hsic = torch.diagonal(k @ h @ l @ h, dim1=-2, dim2=-1).sum(-1) / n**2
    mmd = (k * l).mean((-1, -2)) + k.mean((-1, -2)) * l.mean((-1, -2)) - 2 * (k.mean(-1) * l.mean(-1)).mean(-1)
    return hsic, mmd


@claim(
    "kernels/true-mmd-null-mean",
    expectation(range=(-1.0, 2.0)),
    cite="Gretton et al. 2012, section 3 (bias of the V-statistic)",
)
def true_mmd_null_mean(forall, draw):
    """E MMD_b^2 <= (2 / n)(1 - E k(x, x')) for two samples of n = 3 from one law (with equality)."""
    law = forall.law("P", atoms=2, high=2.0)
    x, y = draw.law("x", law, 3), draw.law("y", law, 3)
    statistic = gauss(x, x).mean((-1, -2)) + gauss(y, y).mean((-1, -2)) - 2 * gauss(x, y).mean((-1, -2))
    pair, chance = every.samples(law, 2)
    mean = (chance * torch.exp(-((pair[..., 0] - pair[..., 1]) ** 2) / 2)).sum(-1)
    return statistic, 2 / 3 * (1 - mean)


@claim("kernels/true-leverage-jensen", always(), cite="Bhatia 1997, chapter V; x/(x + c) is concave")
def true_leverage_jensen(forall):
    """The ridge leverage score [K (K + c I)^-1]_00 <= K_00 / (K_00 + c)."""
    k, c = forall.psd("K", 4), forall.interval("c", 0.001, 1.0)
    noisy = k + c[:, None, None] * torch.eye(4, dtype=torch.float64)
    return torch.linalg.solve(noisy, k)[:, 0, 0], k[:, 0, 0] / (k[:, 0, 0] + c)


@claim(
    "kernels/true-count-sketch",
    expectation(range=(-1.0, 16.0)),
    cite="Charikar, Chen, Farach-Colton 2002; Woodruff 2014, Theorem 2.9",
)
def true_count_sketch(forall, draw):
    """E (|S x|^2 - |x|^2)^2 <= (2 / m)(|x|^4 - sum x_i^4) for a count sketch with m = 2 buckets (with equality)."""
    x = forall.ball("x", 3)
    bucket = draw.categorical("h", torch.full((1, 2), 0.5, dtype=torch.float64), 3)
    signed = draw.signs("e", 3) * x
    sketch = torch.stack([(signed * (bucket == b)).sum(-1) for b in range(2)], -1)
    error = sketch.square().sum(-1) - x.square().sum(-1)
    return error**2, 2 / 2 * (x.square().sum(-1) ** 2 - (x**4).sum(-1))


@claim("kernels/true-gibbs-variational", identity(), cite="Donsker and Varadhan 1975; Catoni 2007, (1.2)")
def true_gibbs_variational(forall):
    """KL(q, p) - E_q f + log E_p exp(f) = KL(q, p_f) for the Gibbs law p_f = p exp(f) / Z."""
    p, f = forall.interval("logits", -2.0, 2.0, 4).softmax(-1), forall.interval("f", -3.0, 3.0, 4)
    q = forall.simplex("q", 4)
    z = (p * f.exp()).sum(-1)
    gibbs = p * f.exp() / z[:, None]
    left = torch.xlogy(q, q / p).sum(-1) - (q * f).sum(-1) + z.log()
    return left, torch.xlogy(q, q / gibbs).sum(-1)


@claim("kernels/true-largest-of-three", always(), cite="Gumbel 1954; Hartley and David 1954")
def true_largest_of_three(forall):
    """E max of n = 3 draws - mean <= sd (n - 1) / sqrt(2 n - 1)."""
    law = forall.law("P", atoms=4)
    x, chance = every.samples(law, 3)
    return (chance * x.amax(-1)).sum(-1) - law.mean, law.variance.sqrt() * 2 / math.sqrt(5)


@claim(
    "kernels/true-smallest-spacing",
    rate("n", -2.0, at="exactly"),
    over=grid(n=[8, 16, 32, 64, 128, 256, 512]),
    cite="David and Nagaraja 2003, section 6.4",
)
def true_smallest_spacing(draw, *, n):
    """The mean smallest of the n + 1 spacings of n uniform numbers is of order n^-2."""
    x = draw.uniform("x", n).sort(-1).values
    inner = (x[:, 1:] - x[:, :-1]).amin(-1)
    return torch.minimum(inner, torch.minimum(x[:, 0], 1 - x[:, -1]))


@claim(
    "kernels/true-range-table", reproduction(tolerance=0.01), cite="Tippett 1925; the constants d_2 of control charts"
)
def true_range_table(draw):
    """Mean range of n standard normal numbers: 1.128 (n = 2), 2.326 (n = 5), 3.078 (n = 10)."""
    rows = []
    for n, printed in [(2, 1.128), (5, 2.326), (10, 3.078)]:
        x = draw.normal(f"x{n}", 200, n)
        rows.append(Row(f"n = {n}", Estimate.mean((x.amax(-1) - x.amin(-1)).mean(-1)), printed=printed))
    return rows


@claim(
    "kernels/true-leave-one-out", identity(), cite="Craven and Wahba 1979; Hastie, Tibshirani, Friedman 2009, (7.64)"
)
def true_leave_one_out(forall):
    """y_0 - (prediction of kernel ridge regression without example 0) = (y_0 - prediction) / (1 - H_00)."""
    x, y = forall.interval("x", -1.0, 1.0, 4), forall.interval("y", -1.0, 1.0, 4)
    c = forall.interval("c", 0.01, 1.0)
    k = gauss(x, x)
    noisy = k + c[:, None, None] * torch.eye(4, dtype=torch.float64)
    without = torch.linalg.solve(noisy[:, 1:, 1:], y[:, 1:, None])[..., 0]
    hat = torch.linalg.solve(noisy, k).mT
    residual = y[:, 0] - (hat[:, 0] * y).sum(-1)
    return y[:, 0] - (k[:, 0, 1:] * without).sum(-1), residual / (1 - hat[:, 0, 0])


@claim(
    "kernels/subtle-normal-mean-difference",
    always(),
    expected="refuted",
    cite="Gini's mean difference: the normal law taken for the worst case (it is the uniform law, 2 / sqrt 3)",
)
def subtle_normal_mean_difference(forall):
    """E |X - X'| <= 2 sd / sqrt(pi) for independent draws of any law (eight atoms)."""
    law = forall.law("P", atoms=8)
    x, chance = every.samples(law, 2)
    return (chance * (x[..., 0] - x[..., 1]).abs()).sum(-1), 2 / math.sqrt(math.pi) * law.variance.sqrt()


@claim(
    "kernels/subtle-wilks-thirteen",
    high_probability("delta"),
    over=grid(n=[13], delta=[0.5]),
    expected="refuted",
    cite="Wilks 1941, log(1/delta) / 0.05 = 13.9 rounded down",
)
def subtle_wilks_thirteen(draw, *, n, delta):
    """The largest of n = 13 draws is beyond the 0.95-quantile with probability at least 1/2."""
    return 0.95, draw.uniform("u", n).amax(-1)


@claim(
    "kernels/subtle-local-divergence",
    always(),
    expected="refuted",
    cite="the relaxed PAC-Bayes bound with the variance of q, claimed beyond q = 1/2",
)
def subtle_local_divergence(forall):
    """(p - q)^2 / (2 q (1 - q)) <= kl(p, q) for p <= q <= 0.55."""
    q = forall.interval("q", 0.01, 0.55)
    p = q * forall.interval("r", 0.0, 1.0)
    kl = torch.xlogy(p, p / q) + (1 - p) * torch.log((1 - p) / (1 - q))
    return (p - q) ** 2 / (2 * q * (1 - q)), kl


@claim(
    "kernels/plain-variance-sum-constant",
    always(),
    expected="refuted",
    cite="Srinivas, Krause, Kakade, Seeger 2010, Lemma 5.4, the factor 1 / log(1 + 1/s^2) forgotten",
)
def plain_variance_sum_constant(forall):
    """sum_t v_t <= log det(I + K / s^2)."""
    x, s2 = forall.interval("x", -1.0, 1.0, 4), forall.interval("s2", 0.01, 2.0)
    gain = torch.logdet(torch.eye(4, dtype=torch.float64) + gauss(x, x) / s2[:, None, None])
    return posterior_variances(x, s2).sum(-1), gain


@claim(
    "kernels/plain-hsic-bias",
    expectation(range=(-1.0, 1.0)),
    expected="refuted",
    cite="Gretton et al. 2008, Theorem 3, with n^2 for n",
)
def plain_hsic_bias(forall, draw):
    """E HSIC_b <= (1 - E k)(1 - E l) / n^2 for n = 4 independent pairs of independent coins."""
    n = 4
    p, q = forall.interval("p", 0.0, 1.0), forall.interval("q", 0.0, 1.0)
    x, y = draw.bernoulli("x", p, n), draw.bernoulli("y", q, n)
    h = torch.eye(n, dtype=torch.float64) - 1 / n
    hsic = torch.diagonal(gauss(x, x) @ h @ gauss(y, y) @ h, dim1=-2, dim2=-1).sum(-1) / n**2
    unlike = 1 - math.exp(-0.5)
    return hsic, 2 * p * (1 - p) * unlike * 2 * q * (1 - q) * unlike / n**2


@claim(
    "kernels/plain-squared-triangle",
    always(),
    expected="refuted",
    cite="the squared MMD taken for a metric",
)
def plain_squared_triangle(forall):
    """MMD^2(a, c) <= MMD^2(a, b) + MMD^2(b, c) for points a, b, c."""
    x = forall.interval("x", -2.0, 2.0, 3)

    def mmd2(i, j):
        return 2 - 2 * torch.exp(-((x[:, i] - x[:, j]) ** 2) / 2)

    return mmd2(0, 2), mmd2(0, 1) + mmd2(1, 2)


@claim(
    "kernels/plain-transport-deviation",
    always(),
    expected="refuted",
    cite="true for W_2 (Gelbrich 1990), not for W_1",
)
def plain_transport_deviation(forall):
    """|sd(P) - sd(Q)| <= W_1(P, Q) for laws on four points of the line."""
    z, p, q = forall.interval("z", -2.0, 2.0, 4), forall.simplex("p", 4), forall.simplex("q", 4)

    def deviation(w):
        mean = (w * z).sum(-1, keepdim=True)
        return (w * (z - mean) ** 2).sum(-1).sqrt()

    left = (deviation(p) - deviation(q)).abs()
    sorted_z, order = z.sort(-1)
    gaps = sorted_z[:, 1:] - sorted_z[:, :-1]
    return left, ((p - q).gather(-1, order).cumsum(-1)[:, :-1].abs() * gaps).sum(-1)


@claim(
    "kernels/plain-vanishing-end",
    rate("n", -1.0),
    over=grid(n=[8, 16, 32, 64, 128, 256, 512, 1024]),
    expected="refuted",
    cite="extreme values of the density 2 (1 - x), treated as if it did not vanish at the end",
)
def plain_vanishing_end(draw, *, n):
    """1 - largest of n draws of the density 2 (1 - x) on [0, 1] is of order 1/n."""
    return draw.uniform("u", n).sqrt().amin(-1)


PROOFS = {
    "kernels/true-variance-determinant": (
        "Schur complement: det of the bordered matrix is det(A) (1 + s^2 - k' A^-1 k), A >= s^2 I."
    ),
    "kernels/true-information-gain-chain": (
        "The same determinant identity, multiplied over t = 1 ... 4 and divided by s^8."
    ),
    "kernels/true-more-data-less-variance": (
        "Difference of Schur complements: conditioning on one more value subtracts c^2 / (v + s^2) >= 0."
    ),
    "kernels/true-hsic-is-mmd": (
        "Expand tr(K H L H) with H = I - 11'/n: tr(K L) - 2/n 1'K L 1 + 1/n^2 (1'K1)(1'L1), over n^2."
    ),
    "kernels/true-mmd-null-mean": "E V = 2 (1/n + (1 - 1/n) E k) - 2 E k = (2/n)(1 - E k): equality for every law.",
    "kernels/true-leverage-jensen": (
        "[g(K)]_00 = sum_j u_j0^2 g(lambda_j) <= g(K_00), g(x) = x/(x + c) concave on [0, inf)."
    ),
    "kernels/true-count-sketch": (
        "Error = 2 sum_(i<j) 1[h_i = h_j] e_i e_j x_i x_j; the terms are uncorrelated, mean square (4/m) sum x_i^2 "
        "x_j^2."
    ),
    "kernels/true-gibbs-variational": "KL(q, p_f) = sum q log(q / p) - sum q f + log Z.",
    "kernels/true-largest-of-three": (
        "Cauchy-Schwarz for int x(u)(n u^(n-1) - 1) du (Gumbel; Hartley-David), for every law."
    ),
    "kernels/true-smallest-spacing": "E min of n + 1 uniform spacings = 1 / (n + 1)^2 exactly.",
    "kernels/true-range-table": "d_2 = 1.12838, 2.32593, 3.07751 by quadrature.",
    "kernels/true-leave-one-out": (
        "Replacing y_0 by the leave-one-out prediction leaves that prediction a fixed point; 1 - H_00 = c [(K + "
        "c)^-1]_00 > 0."
    ),
}

WITNESSES = {
    "kernels/subtle-normal-mean-difference": {
        "params": {},
        "values": {"P atoms": [i / 7 for i in range(8)], "P weights": [1 / 8] * 8},
        "why": "eight equal atoms at equal distances: ratio 2 sqrt(63/192) = 1.1456 sd > 1.1284 sd.",
    },
    "kernels/subtle-wilks-thirteen": {
        "params": {"n": 13, "delta": 0.5},
        "values": {},
        "probability": 0.5133420833,
        "why": "P(max < 0.95) = 0.95^13 = 0.51334 > 1/2.",
    },
    "kernels/subtle-local-divergence": {
        "params": {},
        "values": {"q": 0.55, "r": 0.8},
        "why": "q = 0.55, r = 0.8 (p = 0.44): left side larger by 0.67 %.",
    },
    "kernels/plain-variance-sum-constant": {
        "params": {},
        "values": {"x": [0.0, 0.0, 0.0, 0.0], "s2": 1.0},
        "why": "s^2 = 1, x = (0, 0, 0, 0): 1 + 1/2 + 1/3 + 1/4 = 2.083 > log 5 = 1.609.",
    },
    "kernels/plain-hsic-bias": {
        "params": {},
        "values": {"p": 0.5, "q": 0.5},
        "mean": 0.0048380663,
        "why": "p = q = 1/2: E HSIC_b = 3 (1 - E k)(1 - E l) / 16, enumerated.",
    },
    "kernels/plain-squared-triangle": {
        "params": {},
        "values": {"x": [0.0, 1.0, 2.0]},
        "why": "a, b, c = 0, 1, 2: 2 - 2 e^-2 = 1.729 > 4 - 4 e^-1/2 = 1.574.",
    },
    "kernels/plain-transport-deviation": {
        "params": {},
        "values": {"z": [0.0, 1.0, 1.0, 1.0], "p": [0.99, 0.01, 0.0, 0.0], "q": [1.0, 0.0, 0.0, 0.0]},
        "why": "z = (0, 1, ., .), p = (0.99, 0.01, 0, 0), q = (1, 0, 0, 0): sd difference 0.0995, W_1 = 0.01.",
    },
    "kernels/plain-vanishing-end": {
        "params": {"n": 1024},
        "values": {},
        "exponent": -0.5,
        "why": "E sqrt(min of n uniforms) = Gamma(3/2) Gamma(n + 1) / Gamma(n + 3/2) ~ 0.886 n^-1/2.",
    },
}
