"""Alien claims, known: classifiers, forecasts, online learning; see README.md."""

import math

import torch

from harness import always, claim, every, grid, high_probability, identity, rate


@claim("learners/true-cover-hart", always(), cite="Cover and Hart 1967")
def cover_hart(forall):
    """E 2 eta (1 - eta) <= 2 R* (1 - R*), R* = E min(eta, 1 - eta)."""
    w, eta = forall.simplex("w", 4), forall.interval("eta", 0.0, 1.0, 4)
    bayes = (w * torch.minimum(eta, 1.0 - eta)).sum(-1)
    return (w * 2.0 * eta * (1.0 - eta)).sum(-1), 2.0 * bayes * (1.0 - bayes)


@claim("learners/plain-cover-hart", always(), cite="Cover and Hart 1967, with 3/2 for 2", expected="refuted")
def plain_cover_hart(forall):
    """The nearest neighbour has at most 3/2 of the Bayes risk."""
    w, eta = forall.simplex("w", 4), forall.interval("eta", 0.0, 1.0, 4)
    return (w * 2.0 * eta * (1.0 - eta)).sum(-1), 1.5 * (w * torch.minimum(eta, 1.0 - eta)).sum(-1)


@claim(
    "learners/true-nearest-neighbour",
    rate("n", -0.5),
    cite="Gyorfi et al. 2002, Lemma 6.4",
    over=grid(n=[8, 16, 32, 64, 128, 256]),
)
def nearest_neighbour(draw, *, n):
    """The distance to the nearest of n points in the unit square is of order n^(-1/2)."""
    x, points = draw.uniform("x", 2), draw.uniform("points", n, 2)
    return torch.cdist(x[:, None, :], points)[:, 0].amin(-1)


@claim(
    "learners/plain-nearest-neighbour",
    rate("n", -1.0),
    cite="Gyorfi et al. 2002, Lemma 6.4, with 1/n for n^(-1/2)",
    expected="refuted",
    over=grid(n=[8, 16, 32, 64, 128, 256]),
)
def plain_nearest_neighbour(draw, *, n):
    """The distance to the nearest of n points in the unit square is of order 1/n."""
    x, points = draw.uniform("x", 2), draw.uniform("points", n, 2)
    return (points - x[:, None, :]).norm(dim=-1).amin(-1)


@claim("learners/true-adaboost", always(), cite="Freund and Schapire 1997, Theorem 6", over=grid(rounds=[3]))
def adaboost(forall, *, rounds):
    """The training error of AdaBoost is at most prod_t 2 sqrt(eps_t (1 - eps_t)): six points, any weak classifiers."""
    right = forall.signs("u", rounds, 6)
    weights, margin, product = torch.full_like(right[:, 0], 1.0 / 6.0), 0.0, 1.0
    for t in range(rounds):
        eps = (weights * (right[:, t] < 0.0)).sum(-1)
        alpha = 0.5 * torch.log((1.0 - eps) / eps)
        product = product * 2.0 * torch.sqrt(eps * (1.0 - eps))
        margin = margin + alpha[:, None] * right[:, t]
        weights = weights * torch.exp(-alpha[:, None] * right[:, t])
        weights = weights / weights.sum(-1, keepdim=True)
    return (margin <= 0.0).double().mean(-1), product


@claim("learners/true-perceptron", always(), cite="Novikoff 1962")
def perceptron(forall):
    """mistakes * margin^2 <= max |x|^2 for two passes of the perceptron over five points z_i = y_i x_i."""
    z, u = forall.ball("z", 5, 2), forall.sphere("u", 2)
    margin = (z * u[:, None, :]).sum(-1).amin(-1)
    forall.assume(margin > 0.0)
    w, mistakes = torch.zeros_like(u), 0.0
    for _ in range(2):
        for i in range(5):
            wrong = ((w * z[:, i]).sum(-1) <= 0.0).double()
            w, mistakes = w + wrong[:, None] * z[:, i], mistakes + wrong
    return mistakes * margin**2, z.square().sum(-1).amax(-1)


@claim(
    "learners/true-threshold-erm",
    high_probability("delta"),
    cite="Blumer et al. 1989; Kearns and Vazirani 1994",
    over=grid(n=[10, 100], delta=[0.05]),
)
def threshold_erm(forall, draw, *, n, delta):
    """The largest example below the threshold errs by at most log(1/delta)/n, uniform examples."""
    theta = forall.interval("theta", 0.0, 1.0)
    x = draw.uniform("x", n)
    learned = torch.where(x <= theta[:, None], x, 0.0).amax(-1)
    return theta - learned, math.log(1.0 / delta) / n


@claim(
    "learners/subtle-threshold-erm",
    high_probability("delta"),
    cite="after Blumer et al. 1989",
    expected="refuted",
    over=grid(n=[10], delta=[0.05]),
)
def subtle_threshold_erm(forall, draw, *, n, delta):
    """The largest example below the threshold errs by at most log(1/delta)/(n + 2)."""
    theta = forall.interval("theta", 0.0, 1.0)
    x = draw.uniform("x", n)
    learned = torch.where(x <= theta[:, None], x, 0.0).amax(-1)
    return theta - learned, math.log(1.0 / delta) / (n + 2)


@claim("learners/true-active-bisection", always(), cite="Settles 2012, chapter 1", over=grid(k=[8]))
def active_bisection(forall, *, k):
    """k label queries locate a threshold up to 2^-(k+1)."""
    theta = forall.interval("theta", 0.0, 1.0)
    low, high = torch.zeros_like(theta), torch.ones_like(theta)
    for _ in range(k):
        middle = (low + high) / 2.0
        low, high = torch.where(theta > middle, middle, low), torch.where(theta > middle, high, middle)
    return (theta - (low + high) / 2.0).abs(), 2.0 ** -(k + 1)


@claim("learners/true-majority-vote", always(), cite="Langford and Shawe-Taylor 2002 (folklore)")
def majority_vote(forall):
    """The weighted majority vote errs at most twice as often as a voter drawn by weight;
    three voters, any joint law.
    """
    w, p = forall.simplex("w", 3), forall.simplex("p", 8)
    errors = every.vectors(2, 3, like=w)
    gibbs = w @ errors.mT
    return (p * (gibbs >= 0.5).double()).sum(-1), 2.0 * (p * gibbs).sum(-1)


@claim("learners/true-hinge-calibration", always(), cite="Bartlett, Jordan, McAuliffe 2006, Example 3")
def hinge_calibration(forall):
    """Excess 0-1 risk <= excess hinge risk, pointwise."""
    eta, f = forall.interval("eta", 0.0, 1.0), forall.interval("f", -3.0, 3.0)
    excess = torch.where(f * (2.0 * eta - 1.0) <= 0.0, (2.0 * eta - 1.0).abs(), 0.0)
    hinge = eta * torch.relu(1.0 - f) + (1.0 - eta) * torch.relu(1.0 + f)
    return excess, hinge - 2.0 * torch.minimum(eta, 1.0 - eta)


@claim("learners/subtle-logistic", always(), cite="after Zhang 2004", expected="refuted")
def subtle_logistic(forall):
    """(Excess 0-1 risk)^2 <= 1.99 (excess logistic risk)."""
    eta, f = forall.interval("eta", 0.0, 1.0), forall.interval("f", -3.0, 3.0)
    excess = torch.where(f * (2.0 * eta - 1.0) <= 0.0, (2.0 * eta - 1.0).abs(), 0.0)
    risk = eta * torch.nn.functional.softplus(-f) + (1.0 - eta) * torch.nn.functional.softplus(f)
    entropy = -torch.special.xlogy(eta, eta) - torch.special.xlogy(1.0 - eta, 1.0 - eta)
    return excess**2, 1.99 * (risk - entropy)


@claim(
    "learners/true-softmax-lipschitz",
    always(),
    cite="Gao and Pavel 2017, sharpened (covariance of a law on unit vectors)",
)
def softmax_lipschitz(forall):
    """|softmax a - softmax b| <= |a - b| / 2."""
    a, b = forall.interval("a", -5.0, 5.0, 3), forall.interval("b", -5.0, 5.0, 3)
    return (a.softmax(-1) - b.softmax(-1)).norm(dim=-1), (a - b).norm(dim=-1) / 2.0


@claim(
    "learners/plain-softmax", always(), cite="Gao and Pavel 2017, with the constant of the sigmoid", expected="refuted"
)
def plain_softmax(forall):
    """|softmax a - softmax b| <= |a - b| / 4, as for the sigmoid."""
    a, b = forall.interval("a", -5.0, 5.0, 3), forall.interval("b", -5.0, 5.0, 3)
    return (a.softmax(-1) - b.softmax(-1)).norm(dim=-1), (a - b).norm(dim=-1) / 4.0


@claim("learners/true-murphy", identity(), cite="Murphy 1973")
def murphy(forall):
    """Brier score = reliability - resolution + uncertainty, for four forecasts."""
    w, f, o = forall.simplex("w", 4), forall.interval("f", 0.0, 1.0, 4), forall.interval("o", 0.0, 1.0, 4)
    base = (w * o).sum(-1)
    brier = (w * (o * (1.0 - f) ** 2 + (1.0 - o) * f**2)).sum(-1)
    reliability, resolution = (w * (f - o) ** 2).sum(-1), (w * (o - base[:, None]) ** 2).sum(-1)
    return brier, reliability - resolution + base * (1.0 - base)


@claim("learners/true-calibration-error", always(), cite="folklore (Jensen, Murphy 1973)")
def calibration_error(forall):
    """ECE <= sqrt(Brier score)."""
    w, f, o = forall.simplex("w", 4), forall.interval("f", 0.0, 1.0, 4), forall.interval("o", 0.0, 1.0, 4)
    brier = (w * (o * (1.0 - f) ** 2 + (1.0 - o) * f**2)).sum(-1)
    return (w * (f - o).abs()).sum(-1), brier.sqrt()


@claim("learners/true-binary-auc", identity(), cite="Fawcett 2006")
def binary_auc(forall):
    """The AUC of a binary score, ties counted half, is (TPR + TNR) / 2."""
    pos, neg = forall.integers("pos", 0, 1, 4), forall.integers("neg", 0, 1, 3)
    pairs = (pos[:, :, None] > neg[:, None, :]).double() + 0.5 * (pos[:, :, None] == neg[:, None, :]).double()
    return pairs.mean((-1, -2)), (pos.mean(-1) + 1.0 - neg.mean(-1)) / 2.0


@claim("learners/subtle-rank-auc", identity(), cite="after Mann and Whitney 1947", expected="refuted")
def subtle_rank_auc(forall):
    """AUC = (rank sum of the positives - m (m+1)/2) / (m k): forgets that scores may tie."""
    s = forall.integers("s", 0, 50, 7)
    ranks = s.argsort(-1).argsort(-1).double() + 1.0
    negative, positive = s[:, :3], s[:, 3:]
    auc = (positive[:, :, None] > negative[:, None, :]).double().mean((-1, -2))
    return auc, (ranks[:, 3:].sum(-1) - 10.0) / 12.0


@claim("learners/true-pinball", always(), cite="Koenker and Bassett 1978")
def pinball(forall):
    """The quantile minimises the pinball loss."""
    law, c, level = forall.law("P", atoms=3), forall.interval("c", 0.0, 1.0), 0.3

    def risk(t):
        return law.expect(lambda x: torch.maximum(level * (x - t[:, None]), (level - 1.0) * (x - t[:, None])))

    return risk(law.quantile(level)), risk(c)


@claim("learners/true-online-gradient", always(), cite="Zinkevich 2003", over=grid(rounds=[4]))
def online_gradient(forall, *, rounds):
    """Regret of projected gradient descent on the unit ball <= 1/(2 eta) + eta sum |g|^2 / 2."""
    g, eta = forall.ball("g", rounds, 3), forall.interval("eta", 0.05, 2.0)
    w, loss = torch.zeros_like(g[:, 0]), 0.0
    for t in range(rounds):
        loss = loss + (w * g[:, t]).sum(-1)
        w = w - eta[:, None] * g[:, t]
        w = w / w.norm(dim=-1, keepdim=True).clamp_min(1.0)
    return loss + g.sum(1).norm(dim=-1), 1.0 / (2.0 * eta) + eta * g.square().sum((-1, -2)) / 2.0


PROOFS = {
    "learners/true-cover-hart": (
        "With m = min(eta, 1 - eta), 2 eta (1 - eta) = 2 m (1 - m), which is concave in m: Jensen."
    ),
    "learners/true-nearest-neighbour": (
        "A disc around x has at least the area pi r^2/4 in the square, so P(distance > r) <= exp(-n pi r^2/4)."
    ),
    "learners/true-adaboost": (
        "Freund and Schapire 1997: 1{m <= 0} <= exp(-m), whose mean is the product of 2 sqrt(eps (1 - eps)); "
        "where eps is 0 or 1 the algorithm stops."
    ),
    "learners/true-perceptron": "Novikoff 1962: m margin <= <w, u> <= |w| <= sqrt(m) max |x| after m mistakes.",
    "learners/true-threshold-erm": "P(gap > t) = (1 - t)^n <= exp(-n t), and 0 where theta <= t.",
    "learners/true-active-bisection": (
        "The interval halves with every query, and its middle is at most half of it away."
    ),
    "learners/true-majority-vote": "Markov's inequality for the weight of the voters that err.",
    "learners/true-hinge-calibration": "Bartlett, Jordan and McAuliffe 2006, Example 3.",
    "learners/true-softmax-lipschitz": (
        "The derivative is the covariance of a law on unit vectors, whose norm is at most 1/2."
    ),
    "learners/true-murphy": "Murphy 1973: expand the squares.",
    "learners/true-calibration-error": "(f - o)^2 <= o (1 - f)^2 + (1 - o) f^2, then Jensen.",
    "learners/true-binary-auc": "TPR TNR + (TPR FPR + FNR TNR)/2 = (TPR + TNR)/2.",
    "learners/true-pinball": "Koenker and Bassett 1978: the level of the quantile separates the slopes of the loss.",
    "learners/true-online-gradient": "Zinkevich 2003: expand |w - u|^2, projections do not increase it.",
}

WITNESSES = {
    "learners/plain-cover-hart": {"params": {}, "values": {"w": [0.25] * 4, "eta": [0.1] * 4}, "why": ".18 > .15"},
    "learners/plain-nearest-neighbour": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": "the mean is about n^(-1/2)/2",
    },
    "learners/subtle-threshold-erm": {
        "params": {"n": 10, "delta": 0.05},
        "values": {"theta": 0.5},
        "probability": (1.0 - math.log(20.0) / 12.0) ** 10,
        "why": "(1 - log(20)/12)^10 = .0566",
    },
    "learners/subtle-logistic": {"params": {}, "values": {"eta": 0.55, "f": 0.0}, "why": ".01 > .0099667"},
    "learners/plain-softmax": {
        "params": {},
        "values": {"a": [0.1, -0.1, -5.0], "b": [-0.1, 0.1, -5.0]},
        "why": "nearly two classes of 1/2 each: a ratio near 1/2",
    },
    "learners/subtle-rank-auc": {
        "params": {},
        "values": {"s": [0.0] * 7},
        "why": "0 against (4 + 5 + 6 + 7 - 10)/12 = 1 with stable ranks, against 0 at one choice of ranks in 35",
    },
}
