"""Alien claims, known: Fourier analysis; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, up_to_constant


@claim("signals/true-parseval", identity(), cite="Parseval 1799; Briggs and Henson 1995", over=grid(n=[5, 8]))
def parseval(forall, *, n):
    """sum |X_k|^2 = n sum |x_j|^2 for the discrete Fourier transform X of a complex x."""
    x = torch.complex(forall.interval("re", -1.0, 1.0, n), forall.interval("im", -1.0, 1.0, n))
    return torch.fft.fft(x).abs().square().sum(-1), n * x.abs().square().sum(-1)


@claim("signals/true-convolution-theorem", identity(), cite="Briggs and Henson 1995, section 3.2", over=grid(n=[6]))
def convolution_theorem(forall, *, n):
    """The energy of the circular convolution is that of the product of the transforms, divided by n."""
    x, y = forall.ball("x", n), forall.ball("y", n)
    index = (torch.arange(n)[:, None] - torch.arange(n)[None, :]) % n
    direct = torch.einsum("bij,bj->bi", y[:, index], x)
    spectral = (torch.fft.fft(x) * torch.fft.fft(y)).abs().square().sum(-1) / n
    return direct.square().sum(-1), spectral


@claim("signals/true-uncertainty-l1", always(), cite="Donoho and Stark 1989", over=grid(n=[4, 7]))
def uncertainty_l1(forall, *, n):
    """n |x|_2^2 <= |x|_1 |X|_1 for the discrete Fourier transform X of x."""
    x = forall.ball("x", n)
    return n * x.square().sum(-1), x.abs().sum(-1) * torch.fft.fft(x).abs().sum(-1)


def hermite_moments(c):
    """|x f|_2 and |f'|_2 for f = sum c_k h_k in Hermite functions."""
    k = torch.arange(c.shape[-1], dtype=torch.float64)
    pad = torch.nn.functional.pad
    down, up = pad(c * (k / 2.0).sqrt(), (0, 2))[:, 1:], pad(c * ((k + 1.0) / 2.0).sqrt(), (1, 0))
    return (down + up).norm(dim=-1), (down - up).norm(dim=-1)


@claim("signals/true-heisenberg", always(), cite="Heisenberg 1927; Folland and Sitaram 1997", over=grid(n=[4]))
def heisenberg(forall, *, n):
    """|f|^2 / 2 <= |x f| |f'| for f in the span of the first n Hermite functions."""
    c = forall.sphere("c", n)
    position, momentum = hermite_moments(c)
    return c.square().sum(-1) / 2.0, position * momentum


@claim("signals/true-hausdorff-young", always(), cite="Hausdorff 1923; Young 1913", over=grid(n=[4, 6]))
def hausdorff_young(forall, *, n):
    """|X|_4 <= n^(1/4) |x|_{4/3} for the discrete Fourier transform."""
    x = torch.complex(forall.interval("re", -1.0, 1.0, n), forall.interval("im", -1.0, 1.0, n))
    return torch.fft.fft(x).abs().pow(4).sum(-1).pow(0.25), n**0.25 * x.abs().pow(4 / 3).sum(-1).pow(0.75)


@claim(
    "signals/plain-hausdorff-young",
    always(),
    cite="Hausdorff 1923, with the exponents exchanged",
    expected="refuted",
    over=grid(n=[4]),
)
def plain_hausdorff_young(forall, *, n):
    """|X|_{4/3} <= n^(3/4) |x|_4: Hausdorff-Young with the exponents exchanged."""
    x = forall.ball("x", n)
    return torch.fft.fft(x).abs().pow(4 / 3).sum(-1).pow(0.75), n**0.75 * x.abs().pow(4).sum(-1).pow(0.25)


def linear_convolution(x, y):
    n = x.shape[-1] + y.shape[-1] - 1
    return torch.fft.irfft(torch.fft.rfft(x, n=n) * torch.fft.rfft(y, n=n), n=n)


@claim("signals/true-young", always(), cite="Young 1912; Folland 1999, 8.9", over=grid(n=[5]))
def young(forall, *, n):
    """|x * y|_2 <= |x|_{4/3} |y|_{4/3} for sequences of n numbers."""
    x, y = forall.ball("x", n), forall.ball("y", n)
    p = 4.0 / 3.0
    return linear_convolution(x, y).norm(dim=-1), torch.linalg.vector_norm(x, p, -1) * torch.linalg.vector_norm(
        y, p, -1
    )


@claim("signals/subtle-young", always(), cite="after Young 1912", expected="refuted", over=grid(n=[32]))
def subtle_young(forall, *, n):
    """|x * y|_2 <= |x|_p |y|_p with p = 1.39, a little above 4/3."""
    x, y = forall.interval("x", 0.0, 1.0, n), forall.interval("y", 0.0, 1.0, n)
    return linear_convolution(x, y).norm(dim=-1), torch.linalg.vector_norm(x, 1.39, -1) * torch.linalg.vector_norm(
        y, 1.39, -1
    )


@claim("signals/true-circulant", identity(), cite="Davis 1979, Theorem 3.2.2")
def circulant(forall):
    """The trace of exp(C) of a symmetric circulant matrix C of order five is sum_k exp(c^_k)."""
    a = forall.interval("a", -1.0, 1.0, 3)
    first = torch.stack([a[:, 0], a[:, 1], a[:, 2], a[:, 2], a[:, 1]], -1)
    index = (torch.arange(5)[:, None] - torch.arange(5)[None, :]) % 5
    eigenvalues = torch.linalg.eigvalsh(first[:, index])
    return eigenvalues.exp().sum(-1), torch.fft.fft(first).real.exp().sum(-1)


def trig(c, s, t, derivative=False):  # noqa: FBT002
    """sum_k c_k cos kt + s_k sin kt, k = 0 ... n, at one t an instance (batch, points)."""
    k = torch.arange(c.shape[-1], dtype=torch.float64)
    angle = k * t[..., None]
    if derivative:
        return (k * (s[:, None, :] * angle.cos() - c[:, None, :] * angle.sin())).sum(-1)
    return (c[:, None, :] * angle.cos() + s[:, None, :] * angle.sin()).sum(-1)


@claim("signals/true-riesz-formula", identity(), cite="M. Riesz 1914", over=grid(n=[3]))
def riesz_formula(forall, *, n):
    """p'(t) = (1/4n) sum_k (-1)^(k+1) p(t + t_k) / sin^2(t_k/2), t_k = (2k-1) pi / (2n), k = 1 ... 2n,
    degree p <= n.
    """
    c, s = forall.interval("c", -1.0, 1.0, n + 1), forall.interval("s", -1.0, 1.0, n + 1)
    t = forall.interval("t", 0.0, 2.0 * math.pi)
    k = torch.arange(1, 2 * n + 1, dtype=torch.float64)
    nodes = (2.0 * k - 1.0) * math.pi / (2.0 * n)
    values = trig(c, s, t[:, None] + nodes)
    weights = (-1.0) ** (k + 1.0) / (4.0 * n * torch.sin(nodes / 2.0) ** 2)
    return trig(c, s, t[:, None], derivative=True)[:, 0], (weights * values).sum(-1)


@claim("signals/true-periodic-sampling", identity(), cite="Zygmund 1959, X.1", over=grid(n=[3]))
def periodic_sampling(forall, *, n):
    """p(t) = (1/N) sum_k p(t_k) D_n(t - t_k), N = 2n+1, t_k = 2 pi k/N, for trigonometric p of degree n."""
    c, s = forall.interval("c", -1.0, 1.0, n + 1), forall.interval("s", -1.0, 1.0, n + 1)
    t = forall.interval("t", 0.0, 2.0 * math.pi)
    nodes = 2.0 * math.pi * torch.arange(2 * n + 1, dtype=torch.float64) / (2 * n + 1)
    u = t[:, None] - nodes
    dirichlet = 1.0 + 2.0 * sum(torch.cos(j * u) for j in range(1, n + 1))
    samples = trig(c, s, nodes.expand(len(t), -1))
    return trig(c, s, t[:, None])[:, 0], (samples * dirichlet).sum(-1) / (2 * n + 1)


@claim("signals/true-fejer-kernel", always(), cite="Fejer 1900", over=grid(n=[2, 7]))
def fejer_kernel(forall, *, n):
    """0 <= 1 + 2 sum_k (1 - k/(n+1)) cos kt."""
    t = forall.interval("t", -math.pi, math.pi)
    k = torch.arange(1, n + 1, dtype=torch.float64)
    return 0.0, 1.0 + 2.0 * ((1.0 - k / (n + 1)) * torch.cos(k * t[:, None])).sum(-1)


@claim("signals/true-gibbs", always(), cite="Gronwall 1912", over=grid(n=[5, 50]))
def gibbs(forall, *, n):
    """sum_{k<=n} sin(kt)/k <= Si(pi) = 1.85193705198246617..."""
    t = forall.interval("t", 0.0, math.pi)
    k = torch.arange(1, n + 1, dtype=torch.float64)
    return (torch.sin(k * t[:, None]) / k).sum(-1), 1.85193705198246617


@claim(
    "signals/plain-gibbs",
    always(),
    cite="Wilbraham 1848, his overshoot forgotten",
    expected="refuted",
    over=grid(n=[20]),
)
def plain_gibbs(forall, *, n):
    """The partial sums of sum sin(kt)/k do not exceed pi/2, the largest value of the limit."""
    t = forall.interval("t", 0.0, math.pi)
    k = torch.arange(1, n + 1, dtype=torch.float64)
    return (torch.sin(k * t[:, None]) / k).sum(-1), math.pi / 2.0


@claim(
    "signals/subtle-cosine-sum",
    always(),
    cite="after Brown and Koumandos 1997",
    expected="refuted",
    over=grid(n=[2, 3, 4, 5]),
)
def subtle_cosine_sum(forall, *, n):
    """-0.833 <= sum_{k<=n} cos(kt)/k for n >= 2."""
    t = forall.interval("t", 0.0, math.pi)
    k = torch.arange(1, n + 1, dtype=torch.float64)
    return -(torch.cos(k * t[:, None]) / k).sum(-1), 0.833


@claim("signals/true-nikolskii", up_to_constant("n"), cite="Nikolskii 1951", over=grid(n=[4, 8, 16, 32, 64]))
def nikolskii(forall, *, n):
    """|p(t)| <= C sqrt(n) |p|_2 for cosine polynomials of degree below n."""
    c, t = forall.ball("c", n), forall.interval("t", 0.0, math.pi)
    k = torch.arange(n, dtype=torch.float64)
    return (c * torch.cos(k * t[:, None])).sum(-1).abs(), math.sqrt(n) * c.norm(dim=-1)


@claim(
    "signals/plain-nikolskii",
    up_to_constant("n"),
    cite="Nikolskii 1951, with n^(1/4) for sqrt(n)",
    expected="refuted",
    over=grid(n=[4, 8, 16, 32, 64, 128]),
)
def plain_nikolskii(forall, *, n):
    """|p(t)| <= C n^(1/4) |p|_2 for cosine polynomials of degree below n."""
    c, t = forall.ball("c", n), forall.interval("t", 0.0, math.pi)
    k = torch.arange(n, dtype=torch.float64)
    return (c * torch.cos(k * t[:, None])).sum(-1).abs(), n**0.25 * c.norm(dim=-1)


@claim(
    "signals/true-salem-zygmund",
    high_probability("delta"),
    cite="Salem and Zygmund 1954, with Hoeffding's inequality",
    over=grid(n=[8, 32], delta=[0.1]),
)
def salem_zygmund(draw, *, n, delta):
    """max_k |X_k| <= sqrt(4 n log(4 n / delta)) for the transform X of n random signs."""
    return torch.fft.fft(draw.signs("e", n)).abs().amax(-1), math.sqrt(4.0 * n * math.log(4.0 * n / delta))


@claim("signals/true-random-phase", expectation(range=(-20.0, 60.0), margin=0.1), cite="folklore", over=grid(n=[16]))
def random_phase(draw, *, n):
    """E |sum_j exp(i u_j)|^2 <= n for uniform phases u_j (with equality); the range is cut at 60."""
    u = draw.uniform("u", n, low=0.0, high=2.0 * math.pi)
    return torch.polar(torch.ones_like(u), u).sum(-1).abs().square().clamp_max(76.0), float(n)


PROOFS = {
    "signals/true-parseval": "The transform divided by sqrt(n) is unitary.",
    "signals/true-convolution-theorem": (
        "The transform turns circular convolutions into products; then Parseval's identity."
    ),
    "signals/true-uncertainty-l1": "n |x|_2^2 = |X|_2^2 <= |X|_oo |X|_1 <= |x|_1 |X|_1.",
    "signals/true-heisenberg": "|f|^2 = -2 Re <x f, f'>, then Cauchy-Schwarz; the moments are three-term relations.",
    "signals/true-hausdorff-young": "Riesz-Thorin between (1, oo) with the norm 1 and (2, 2) with the norm sqrt(n).",
    "signals/true-young": "Young 1912: the constant is 1 for sequences, 1 + 1/2 = 3/4 + 3/4.",
    "signals/true-circulant": "The Fourier vectors are eigenvectors of every circulant matrix.",
    "signals/true-riesz-formula": "M. Riesz 1914.",
    "signals/true-periodic-sampling": "The functions e^(ikt), |k| <= n, are orthogonal at 2n + 1 equispaced points.",
    "signals/true-fejer-kernel": "The kernel is sin^2((n+1) t/2) / ((n+1) sin^2(t/2)).",
    "signals/true-gibbs": "Gronwall 1912: 0 < sum < Si(pi).",
    "signals/true-nikolskii": "Cauchy-Schwarz, with C = 1.",
    "signals/true-salem-zygmund": "Hoeffding's inequality for the real and the imaginary part of each X_k, 4 n tails.",
    "signals/true-random-phase": "The mean is n without the cut, so it is less with the cut.",
}

WITNESSES = {
    "signals/plain-hausdorff-young": {
        "params": {"n": 4},
        "values": {"x": [0.5, 0.5, 0.5, -0.5]},
        "why": "|X_k| = 1: 4^(3/4) = 2.828 > 2",
    },
    "signals/subtle-young": {
        "params": {"n": 32},
        "values": {"x": [1.0] * 32, "y": [1.0] * 32},
        "why": "a ratio of 1.00949",
    },
    "signals/plain-gibbs": {"params": {"n": 20}, "values": {"t": math.pi / 21}, "why": "1.776543 > 1.570796"},
    "signals/subtle-cosine-sum": {"params": {"n": 3}, "values": {"t": math.pi}, "why": "5/6 > .833, at n = 3 alone"},
    "signals/plain-nikolskii": {
        "params": [{"n": n} for n in (4, 8, 16, 32, 64, 128)],
        "values": [{"c": [n**-0.5] * n, "t": 0.0} for n in (4, 8, 16, 32, 64, 128)],
        "why": "at t = 0 with equal coefficients the ratio is n^(1/4)",
    },
}
