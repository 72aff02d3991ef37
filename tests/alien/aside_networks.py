"""Alien claims, aside: layers, dynamics, transport, hashing, numerics; see README.md."""

import math

import torch

from harness import always, claim, every, expectation, grid, identity, tail, up_to_constant


@claim("networks/true-arc-cosine-psd", always(), cite="Cho and Saul 2009")
def true_arc_cosine_psd(forall):
    """The arc-cosine kernel of degree one has no negative eigenvalue on four points of the circle."""
    x = forall.sphere("x", 4, 2)
    cosine = (x @ x.mT).clamp(-1.0, 1.0)
    t = cosine.acos()
    kernel = (t.sin() + (math.pi - t) * cosine) / math.pi
    return -torch.linalg.eigvalsh(kernel)[:, 0], 0.0


@claim("networks/true-kahane", always(), cite="Latala and Oleszkiewicz 1994")
def true_kahane(forall):
    """sqrt(sum |x_i|^2 / 2) <= E |sum e_i x_i| for six points of the disc."""
    x = forall.ball("x", 6, 2)
    sums = torch.einsum("ki,bid->bkd", every.signs(6, like=x), x)
    return (x.square().sum((-1, -2)) / 2.0).sqrt(), sums.norm(dim=-1).mean(-1)


@claim(
    "networks/plain-ridgeless",
    expectation(range=(-1.0, math.inf)),
    over=grid(p=[8]),
    expected="refuted",
    cite="Hastie et al. 2022, with a forgotten 1",
)
def plain_ridgeless(draw, *, p):
    """E tr (X X')^-1 <= n / (p - n) for n = 2 normal rows."""
    x = draw.normal("x", 2, p)
    return torch.linalg.inv(x @ x.mT).diagonal(dim1=-2, dim2=-1).sum(-1), 2.0 / (p - 2.0)


@claim("networks/true-hwi", always(), cite="Otto and Villani 2000")
def true_hwi(forall):
    """KL <= W sqrt(I) - W^2 / 2 between a normal law and the standard one."""
    m, s = forall.interval("m", -3.0, 3.0), forall.interval("s", 0.01, 10.0)
    kl = 0.5 * (s**2 + m**2 - 1.0) - s.log()
    wasserstein = (m**2 + (s - 1.0) ** 2).sqrt()
    fisher = m**2 + (s - 1.0 / s) ** 2
    return kl, wasserstein * fisher.sqrt() - wasserstein**2 / 2.0


@claim("networks/true-relu-variance", always(), cite="any Lipschitz map")
def true_relu_variance(forall):
    """Var relu(X) <= Var X."""
    law = forall.law("P", atoms=3, low=-1.0, high=1.0)
    mean = law.expect(lambda x: x.clamp_min(0.0))
    return law.expect(lambda x: x.clamp_min(0.0) ** 2) - mean**2, law.variance


@claim("networks/plain-concave-transport", always(), expected="refuted", cite="McCann 1999 (concave costs)")
def plain_concave_transport(forall):
    """Sorting both samples couples them at the least cost sqrt|x - y|."""
    x, y = forall.interval("x", 0.0, 1.0, 3), forall.interval("y", 0.0, 1.0, 3)
    order = forall.permutation("pi", 3)
    best = (x.sort(-1).values - y.sort(-1).values).abs().sqrt().sum(-1)
    return best, (x - y.gather(-1, order)).abs().sqrt().sum(-1)


@claim("networks/true-infonce", always(), cite="Poole et al. 2019")
def true_infonce(forall):
    """InfoNCE with one negative is at most the mutual information, for any critic."""
    p, f = forall.simplex("p", 4).reshape(-1, 2, 2), forall.interval("f", -3.0, 3.0, 2, 2)
    px, py = p.sum(2), p.sum(1)
    information = (torch.xlogy(p, p) - torch.xlogy(p, px[:, :, None] * py[:, None, :])).sum((-1, -2))
    gain = f[:, :, :, None] - ((f[:, :, :, None].exp() + f[:, :, None, :].exp()) / 2.0).log()
    return (p[:, :, :, None] * py[:, None, None, :] * gain).sum((-1, -2, -3)), information


@claim("networks/true-simhash", tail(), cite="Goemans and Williamson 1995; Charikar 2002")
def true_simhash(forall, draw):
    """Two vectors at the angle t fall on different sides of a random hyperplane with probability at most t / pi."""
    x, y, g = forall.sphere("x", 2), forall.sphere("y", 2), draw.normal("g", 2)
    apart = ((g * x).sum(-1) > 0.0) != ((g * y).sum(-1) > 0.0)
    return apart, (x * y).sum(-1).clamp(-1.0, 1.0).acos() / math.pi


@claim(
    "networks/subtle-six-lines", always(), expected="refuted", cite="van Lint and Seidel 1966 (1 / sqrt 5), with .45"
)
def subtle_six_lines(forall):
    """Six unit vectors of R^3 have coherence at least 0.45."""
    x = forall.sphere("x", 6, 3)
    gram = (x @ x.mT).abs() - 2.0 * torch.eye(6, dtype=torch.float64)
    return 0.45, gram.amax((-1, -2))


@claim("networks/true-roots-of-unity", identity(), cite="Trefethen and Weideman 2014")
def true_roots_of_unity(forall):
    """The mean of cos(2 pi m k / 8 + a) over k is cos(a) where 8 divides m, and 0 elsewhere."""
    m, a = forall.integers("m", 0, 40), forall.interval("a", -math.pi, math.pi)
    k = torch.arange(8, dtype=torch.float64)
    mean = (2.0 * math.pi * m[:, None] * k / 8.0 + a[:, None]).cos().mean(-1)
    return mean, torch.where(m % 8 == 0, a.cos(), 0.0)


@claim(
    "networks/plain-lebesgue",
    up_to_constant("n"),
    over=grid(n=[4, 16, 64, 256, 1024]),
    expected="refuted",
    cite="Zygmund 1959 (4 / pi^2 log n)",
)
def plain_lebesgue(*, n):
    """The mean of |sin((n + 1/2) t) / sin(t / 2)| over a period is at most a constant C."""
    t = 2.0 * math.pi * (torch.arange(40000, dtype=torch.float64) + 0.5) / 40000
    return (((n + 0.5) * t).sin() / (t / 2.0).sin()).abs().mean().reshape(1), 1.0


phi = (1.0 + 5.0**0.5) / 2.0


PROOFS = {
    "networks/true-arc-cosine-psd": "The kernel is 2 E relu(w x) relu(w y), a Gram matrix.",
    "networks/true-kahane": (
        "Latala and Oleszkiewicz 1994: the constant of L_1 against L_2 is sqrt 2 in any normed space."
    ),
    "networks/true-hwi": "The HWI inequality with curvature 1, for Gaussians in closed form.",
    "networks/true-relu-variance": "Var f(X) = E (f(X) - f(X'))^2 / 2 <= E (X - X')^2 / 2.",
    "networks/true-infonce": (
        "E log g <= KL(p || q) for g >= 0 with E_q g = 1 (Donsker and Varadhan), g = e^f(x, y) / mean of both."
    ),
    "networks/true-simhash": "The projection of g to the plane of x and y is isotropic: the probability is t / pi.",
    "networks/true-roots-of-unity": "A geometric sum of roots of unity.",
}

WITNESSES = {
    "networks/plain-ridgeless": {
        "params": {"p": 8},
        "values": {},
        "mean": 1 / 15,
        "why": "2 / 5 > 2 / 6.",
    },
    "networks/plain-concave-transport": {
        "params": {},
        "values": {"x": [0.0, 0.5, 1.0], "y": [0.5, 1.0, 1.0], "pi": [0.5, 0.25, 0.75]},
        "why": "sorted sqrt(1/2) + sqrt(1/2) = 1.4142, the other 1.",
    },
    "networks/subtle-six-lines": {
        "params": {},
        "values": {
            "x": [
                [c / (1.0 + phi**2) ** 0.5 for c in x]
                for x in ((0, 1, phi), (0, 1, -phi), (1, phi, 0), (1, -phi, 0), (phi, 0, 1), (-phi, 0, 1))
            ]
        },
        "why": "the six diagonals of the icosahedron: coherence 1 / sqrt 5 = 0.44721.",
    },
    "networks/plain-lebesgue": {
        "params": [{"n": n} for n in (4, 16, 64, 256, 1024)],
        "values": [{}] * 5,
        "why": "the Lebesgue constants grow like 4 / pi^2 log n.",
    },
}
