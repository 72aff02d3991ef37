"""Random projections, random features, points on spheres, kernels and mean embeddings."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, tail, up_to_constant


@claim(
    "classics/johnson-lindenstrauss-norm",
    tail(),
    cite="Vempala 2004, Lemma 1.3; Achlioptas 2003, section 4",
    sharp="the exponent is a cubic lower bound of the exact one",
    over=grid(k=[10, 60]),
)
def johnson_lindenstrauss_norm(forall, draw, *, k):
    """P(| |G x|^2 / k - 1 | >= c) <= 2 exp(-k (c^2 - c^3) / 4) for a unit vector x and normal G with k rows."""
    x, c = forall.sphere("x", 2), forall.interval("c", 0.05, 0.95)
    length = (draw.normal("G", k, 2) @ x[:, :, None]).square().sum((-1, -2)) / k
    return (length - 1.0).abs() >= c, 2.0 * torch.exp(-k * (c**2 - c**3) / 4.0)


@claim(
    "classics/johnson-lindenstrauss-signs",
    tail(),
    cite="Achlioptas 2003, Theorem 1.1 and section 4",
    sharp="the exponent is a cubic lower bound of the exact one",
    over=grid(k=[8]),
)
def johnson_lindenstrauss_signs(forall, draw, *, k):
    """P(| |S x|^2 / k - 1 | >= c) <= 2 exp(-k (c^2 / 2 - c^3 / 3) / 2) for a unit vector x and random signs S."""
    x, c = forall.sphere("x", 4), forall.interval("c", 0.05, 0.95)
    length = (draw.signs("S", k, 4) @ x[:, :, None]).square().sum((-1, -2)) / k
    return (length - 1.0).abs() >= c, 2.0 * torch.exp(-k * (c**2 / 2.0 - c**3 / 3.0) / 2.0)


@claim(
    "classics/johnson-lindenstrauss",
    high_probability("delta"),
    cite="Johnson and Lindenstrauss 1984; Vempala 2004, Theorem 1.4",
    sharp="a union bound over pairs",
    over=grid(points=[4], delta=[0.1]),
)
def johnson_lindenstrauss(forall, draw, *, points, delta):
    """All squared distances of m points are kept up to c = 1/2 in k >= 4 log(m (m - 1) / delta) / (c^2 - c^3) rows."""
    x, k = forall.sphere("x", points, 3), math.ceil(32.0 * math.log(points * (points - 1) / delta))
    i, j = torch.triu_indices(points, points, 1)
    apart = x[:, i] - x[:, j]
    mapped = (draw.normal("G", k, 3) @ apart.mT).square().sum(-2) / k
    return (mapped / apart.square().sum(-1) - 1.0).abs().amax(-1), 0.5


@claim(
    "classics/rahimi-recht-pointwise",
    tail(),
    cite="Rahimi and Recht 2007, section 3, with cosine pairs: Sutherland and Schneider 2015, section 3",
    sharp="cosines have a smaller variance than signs",
    over=grid(features=[10]),
)
def rahimi_recht_pointwise(forall, draw, *, features):
    """P(|mean of cos(w'u) - exp(-|u|^2 / 2)| >= c) <= 2 exp(-D c^2 / 2) for D standard normal frequencies w."""
    u, c = forall.ball("u", 2, radius=4.0), forall.interval("c", 0.0, 1.5)
    kernel = torch.cos((draw.normal("w", features, 2) * u[:, None, :]).sum(-1)).mean(-1)
    return (kernel - torch.exp(-u.square().sum(-1) / 2.0)).abs() >= c, 2.0 * torch.exp(-features * c**2 / 2.0)


@claim(
    "classics/feature-variance",
    expectation(range=(-0.5, 4.0), margin=0.01),
    cite="Yu, Suresh, Choromanski, Holtmann-Rice, Kumar 2016, Lemma 1",
    sharp=0.8,
)
def feature_variance(forall, draw):
    """E (cos(w'u) - k(u))^2 <= (1 - k(u)^2)^2 / 2 for the Gaussian kernel k, with equality."""
    u = forall.ball("u", 2, radius=4.0)
    k = torch.exp(-u.square().sum(-1) / 2.0)
    return (torch.cos((draw.normal("w", 2) * u).sum(-1)) - k) ** 2, (1.0 - k**2) ** 2 / 2.0


@claim("classics/welch", always(), cite="Welch 1974, (3)", sharp=0.8, over=grid(n=[3, 4], d=[2]))
def welch(forall, *, n, d):
    """sqrt((n - d) / (d (n - 1))) <= max_{i < j} |<a_i, a_j>| for n unit vectors in d dimensions."""
    a = forall.sphere("a", n, d)
    return math.sqrt((n - d) / (d * (n - 1))), (a @ a.mT - torch.eye(n, device=a.device)).abs().amax((-1, -2))


@claim(
    "classics/coherence-isometry",
    always(),
    cite="Foucart and Rauhut 2013, Proposition 6.2",
    sharp=0.8,
    over=grid(k=[2, 4], d=[3]),
)
def coherence_isometry(forall, *, k, d):
    """| |A x|^2 - |x|^2 | <= (k - 1) mu |x|^2 for k unit columns of coherence mu."""
    a, x = forall.sphere("a", k, d), forall.sphere("x", k)
    coherence = (a @ a.mT - torch.eye(k, device=a.device)).abs().amax((-1, -2))
    return ((x[:, None, :] @ a).square().sum((-1, -2)) - 1.0).abs(), (k - 1) * coherence


@claim("classics/maurey", expectation(range=(-1.0, 4.0), margin=0.05), cite="Pisier 1981; Barron 1993", sharp=0.8)
def maurey(forall, draw):
    """E |mean of k draws - x|^2 <= (1 - |x|^2) / k for a convex combination x of points of the unit ball."""
    points, weights = forall.ball("points", 4, 2), forall.simplex("weights", 4)
    x = (weights[:, None, :] @ points).squeeze(1)
    chosen = points[0][draw.categorical("index", weights, 2).long()]
    return (chosen.mean(1) - x).square().sum(-1), (1.0 - x.square().sum(-1)) / 2.0


@claim(
    "classics/spherical-cap",
    tail(),
    cite="Ball 1997, Lemma 2.2",
    sharp="sharp in the exponent as d grows, in tails too thin to be simulated",
    over=grid(d=[2, 20]),
)
def spherical_cap(forall, draw, *, d):
    """P(u_1 >= t) <= exp(-d t^2 / 2) for u uniform on the unit sphere."""
    t = forall.interval("t", 0.0, 1.0)
    return draw.sphere("u", d)[:, 0] >= t, torch.exp(-d * t**2 / 2.0)


@claim("classics/krein", always(), cite="Krein 1940; Berg, Christensen, Ressel 1984, chapter 3", sharp=0.8)
def krein(forall):
    """|f(s) - f(t)|^2 <= 2 (1 - f(s - t)) for real positive definite functions with f(0) = 1."""
    a, w = forall.interval("a", 0.0, 5.0, 3), forall.simplex("w", 3)
    s, t = forall.interval("s", -2.0, 2.0), forall.interval("t", -2.0, 2.0)
    f = [(w * torch.cos(a * point[:, None])).sum(-1) for point in (s, t, s - t)]
    return (f[0] - f[1]) ** 2, 2.0 * (1.0 - f[2])


@claim("classics/characteristic-doubling", always(), cite="Feller 1971, XV.10, Problem 1 (folklore)", sharp=0.8)
def characteristic_doubling(forall):
    """1 - f(2 t) <= 4 (1 - f(t)) for real characteristic functions."""
    a, w, t = forall.interval("a", 0.0, 5.0, 3), forall.simplex("w", 3), forall.interval("t", 0.01, 2.0)
    angle = a * t[:, None]
    return (w * torch.sin(angle) ** 2).sum(-1), 4.0 * (w * torch.sin(angle / 2.0) ** 2).sum(-1)


@claim(
    "classics/mean-embedding",
    high_probability("delta"),
    cite="Smola, Gretton, Song, Scholkopf 2007, Theorem 2, with the constants of Boucheron, Lugosi, Massart 2013",
    restricts="the Gaussian kernel and three atoms",
    sharp="bounded differences lose against the variance",
    over=grid(n=[50], delta=[0.05]),
)
def mean_embedding(forall, draw, *, n, delta):
    """|mean embedding of a sample - that of P| <= 1 / sqrt(n) + sqrt(2 log(1/delta) / n) where k(x, x) = 1."""
    atoms, p = forall.interval("atoms", -3.0, 3.0, 3), forall.simplex("p", 3)
    gram = torch.exp(-((atoms[:, :, None] - atoms[:, None, :]) ** 2) / 2.0)
    gap = draw.multinomial("counts", n, p) / n - p
    distance = ((gap[:, None, :] @ gram).squeeze(1) * gap).sum(-1).clamp_min(0.0).sqrt()
    return distance, (1.0 + math.sqrt(2.0 * math.log(1.0 / delta))) / math.sqrt(n)


@claim("classics/ptolemy", always(), cite="folklore; Schoenberg 1940", sharp=0.8, over=grid(d=[2]))
def ptolemy(forall, *, d):
    """|a - c| |b - d| <= |a - b| |c - d| + |b - c| |a - d|."""
    p = forall.ball("points", 4, d)
    apart = torch.stack([(p[:, i] - p[:, j]).norm(dim=-1) for i, j in ((0, 2), (1, 3), (0, 1), (2, 3), (1, 2), (0, 3))])
    return apart[0] * apart[1], apart[2] * apart[3] + apart[4] * apart[5]


@claim(
    "classics/lebesgue-constant",
    up_to_constant("n"),
    cite="Trefethen 2013, Theorem 15.2 (Bernstein 1912; Ehlich and Zeller 1966)",
    sharp="the constant is left open; as n grows 2 / pi suffices",
    over=grid(n=[4, 6, 8, 12, 16, 24, 32]),
)
def lebesgue_constant(forall, *, n):
    """Interpolation at n Chebyshev points loses at most a factor C (1 + log n) against best approximation."""
    x = forall.interval("x", -1.0, 1.0)
    nodes = torch.cos((2.0 * torch.arange(n, device=x.device).double() + 1.0) * math.pi / (2 * n))
    same = torch.eye(n, device=x.device).double()
    factors = (x[:, None, None] - nodes) / (nodes[:, None] - nodes + same)
    return torch.where(same > 0.0, 1.0, factors).prod(-1).abs().sum(-1), 1.0 + math.log(n)
