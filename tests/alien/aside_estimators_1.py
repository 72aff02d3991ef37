"""Alien claims, aside: what estimators and learners guarantee (1); see README.md."""

# ruff: noqa: B905, E731

import functools
import math
from dataclasses import dataclass

import torch

from harness import always, claim, every, grid, high_probability


def scalar(body):
    """The largest difference of two vectors, against 0."""

    @functools.wraps(body)
    def scalar_sides(**given):
        left, right = body(**given)
        return (left - right).amax(-1), 0.0

    return scalar_sides


@claim("estimators/true-tree-entropy-between-gini-and-root", always(), cite="Kearns and Mansour 1999")
@scalar
def impurities(forall):
    """The entropy impurity in bits of a split lies between twice Gini and twice the root impurity, averaged \
over leaves."""
    w, p = forall.simplex("leaf", 3), forall.interval("p", 0.0, 1.0, 3)
    entropy = -(torch.xlogy(p, p) + torch.xlogy(1.0 - p, 1.0 - p)) / math.log(2.0)
    gini, root = 4.0 * p * (1.0 - p), 2.0 * (p * (1.0 - p)).clamp_min(0.0).sqrt()
    return torch.stack([(w * gini).sum(-1), (w * entropy).sum(-1)], -1), torch.stack(
        [(w * entropy).sum(-1), (w * root).sum(-1)], -1
    )


@claim("estimators/plain-online-perceptron-linear", always(), expected="refuted", cite="Novikoff 1962")
def perceptron_linear(forall):
    """The perceptron makes at most 1.2 / gamma mistakes on one pass of separable data in the unit ball."""
    u, x = forall.sphere("u", 3), forall.ball("x", 5, 3)
    scores = (x @ u[..., None])[..., 0]
    gamma = scores.abs().amin(-1)
    forall.assume(gamma >= 0.02)
    y = scores.sign()
    w, mistakes = torch.zeros_like(u), torch.zeros_like(gamma)
    for i in range(5):
        wrong = y[:, i] * (w * x[:, i]).sum(-1) <= 0
        w = w + torch.where(wrong, y[:, i], 0.0)[:, None] * x[:, i]
        mistakes = mistakes + wrong.double()
    return mistakes * gamma, 1.2


@claim("estimators/true-online-winnow", always(), cite="Littlestone 1988")
def winnow(forall):
    """Winnow1 learns a disjunction of k of 8 variables with at most 2 k log2 8 + 2 mistakes."""
    n, rounds = 8, 12
    points, target = forall.integers("x", 0, 1, rounds, n), forall.integers("target", 0, 1, n)
    forall.assume(target.sum(-1) >= 1)
    out = []
    for xs, t in zip(points.tolist(), target.tolist()):
        w, mistakes = [1.0] * n, 0
        for x in xs:
            label = any(a and b for a, b in zip(x, t))
            guess = sum(a * b for a, b in zip(w, x)) >= n / 2
            if guess and not label:
                w = [0.0 if a else b for a, b in zip(x, w)]
            elif label and not guess:
                w = [2.0 * b if a else b for a, b in zip(x, w)]
            mistakes += guess != label
        out.append(float(mistakes))
    return torch.tensor(out, dtype=torch.float64), 2.0 * target.sum(-1) * math.log2(n) + 2.0


@claim("estimators/true-online-ogd", always(), over=grid(eta=[0.25, 0.5, 1.0]), cite="Zinkevich 2003")
def ogd(forall, *, eta):
    """Projected online gradient descent on [-1, 1]: regret <= u^2/(2 eta) + eta sum g^2 / 2."""
    T = 5
    g, u = forall.interval("g", -1.0, 1.0, T), forall.interval("u", -1.0, 1.0)
    w, regret = torch.zeros_like(u), torch.zeros_like(u)
    for t in range(T):
        regret = regret + g[:, t] * (w - u)
        w = (w - eta * g[:, t]).clamp(-1.0, 1.0)
    return regret, u.square() / (2.0 * eta) + eta * g.square().sum(-1) / 2.0


@claim("estimators/plain-online-ogd-free", always(), expected="refuted", cite="Zinkevich 2003")
def ogd_free(forall):
    """Projected online gradient descent on [-1, 1]: regret <= (u^2 + 1)/(4 eta) + eta T / 4 with eta = 1/2, T = 6."""
    T, eta = 6, 0.5
    g, u = forall.interval("g", -1.0, 1.0, T), forall.interval("u", -1.0, 1.0)
    w, regret = torch.zeros_like(u), torch.zeros_like(u)
    for t in range(T):
        regret = regret + g[:, t] * (w - u)
        w = (w - eta * g[:, t]).clamp(-1.0, 1.0)
    return regret, (u.square() + 1.0) / (4.0 * eta) + eta * T / 4.0


@claim("estimators/true-iso-contraction", always(), over=grid(p=[1, 2, "inf"]), cite="Yang and Barber 2019, Theorem 1")
def iso_contraction(forall, *, p):
    """Isotonic regression does not increase the distance of two vectors in l_1, l_2 and l_inf."""
    y, z = forall.interval("y", -1.0, 1.0, 5), forall.interval("z", -1.0, 1.0, 5)

    def fit(v):
        rows = []
        for i in range(5):
            inner = [torch.stack([v[:, a : b + 1].mean(-1) for b in range(i, 5)]).amin(0) for a in range(i + 1)]
            rows.append(torch.stack(inner).amax(0))
        return torch.stack(rows, -1)

    return torch.linalg.vector_norm(fit(y) - fit(z), float(p), -1), torch.linalg.vector_norm(y - z, float(p), -1)


@claim("estimators/plain-cv-majority-loo-close", always(), expected="refuted", cite="elementary")
def majority_loo_close(forall):
    """The leave-one-out error of the majority rule exceeds its training error by at most 3/8, for eight labels."""
    labels = forall.signs("y", 8)
    loo, train = [], []
    for row in labels.tolist():
        majority = lambda rest: 1.0 if sum(rest) >= 0 else -1.0
        loo.append(sum(majority(row[:i] + row[i + 1 :]) != row[i] for i in range(8)) / 8)
        train.append(sum(majority(row) != v for v in row) / 8)
    return torch.tensor(loo, dtype=torch.float64), torch.tensor(train, dtype=torch.float64) + 3.0 / 8.0


@claim("estimators/true-boot-bagging", always(), cite="Breiman 1996")
def bagging(forall):
    """Bagging one-nearest-neighbour over all bootstrap samples has no larger squared error than its average member."""
    x, y = forall.interval("x", 0.0, 1.0, 3), forall.interval("y", -1.0, 1.0, 3)
    at, truth = forall.interval("at", 0.0, 1.0), forall.interval("f", -1.0, 1.0)
    index = every.vectors(3, 3, like=x).long()  # (27, 3)
    xs, ys = x[:, index], y[:, index]
    nearest = (xs - at[:, None, None]).abs().argmin(-1, keepdim=True)
    members = ys.gather(-1, nearest)[..., 0]
    return (members.mean(-1) - truth).square(), (members - truth[:, None]).square().mean(-1)


@dataclass
class Lloyd:
    centres: torch.Tensor

    def cost(self, x):
        return (x[..., None] - self.centres[:, None]).square().amin(-1).sum(-1)

    def step(self, x):
        nearest = (x[..., None] - self.centres[:, None]).square().argmin(-1)
        new = []
        for k in range(self.centres.shape[-1]):
            mine = (nearest == k).double()
            size = mine.sum(-1)
            new.append(torch.where(size > 0, (mine * x).sum(-1) / size.clamp_min(1.0), self.centres[:, k]))
        return Lloyd(torch.stack(new, -1))


@claim("estimators/true-cluster-lloyd-descends", always(), cite="Lloyd 1982")
@scalar
def lloyd_descends(forall):
    """Each of three Lloyd steps does not increase the k-means objective."""
    x, model = forall.interval("x", 0.0, 1.0, 6), Lloyd(forall.interval("c", 0.0, 1.0, 2))
    before, after = [], []
    for _ in range(3):
        following = model.step(x)
        before.append(model.cost(x))
        after.append(following.cost(x))
        model = following
    return torch.stack(after, -1), torch.stack(before, -1)


@claim("estimators/plain-cluster-lloyd-factor", always(), expected="refuted", cite="Lloyd 1982")
def lloyd_factor(forall):
    """Six Lloyd steps from three of the six data points end within twice the best objective of three centres \
on the line."""
    x = forall.interval("x", 0.0, 1.0, 6)
    forall.assume((x[:, 1:] > x[:, :-1]).all(-1))
    model = Lloyd(x[:, :3])
    for _ in range(6):
        model = model.step(x)
    sse = lambda part: (part - part.mean(-1, keepdim=True)).square().sum(-1)
    best = torch.stack([sse(x[:, :i]) + sse(x[:, i:j]) + sse(x[:, j:]) for i in range(1, 5) for j in range(i + 1, 6)])
    return model.cost(x), 2.0 * best.amin(0)


@claim(
    "estimators/true-pac-threshold",
    high_probability("delta"),
    over=grid(n=[10, 50], delta=[0.1]),
    cite="Shalev-Shwartz and Ben-David 2014, chapter 2",
)
def pac_threshold(forall, draw, *, n, delta):
    """The largest negative example errs by at most log(1/delta)/n as a threshold, in the realisable case."""
    theta = forall.interval("theta", 0.0, 1.0)
    x = draw.uniform("x", n)
    learned = torch.where(x <= theta[:, None], x, 0.0).amax(-1)
    return theta - learned, math.log(1.0 / delta) / n


def erm(p, picks, cells):
    """Thresholds 0..cells over joint law of (x, y); returns the true risks and the ERM's index."""
    joint = p.reshape(len(p), cells, 2)
    risks, empirical = [], []
    x, y = picks // 2, picks % 2
    for t in range(cells + 1):
        truth = (torch.arange(cells) >= t).long()
        risks.append(joint[:, torch.arange(cells), 1 - truth].sum(-1))
        empirical.append(((x >= t).long() != y).double().mean(-1))
    return torch.stack(risks, -1), torch.stack(empirical, -1)


@claim(
    "estimators/plain-pac-erm-fast",
    high_probability("delta"),
    over=grid(n=[20], delta=[0.1]),
    expected="refuted",
    cite="Shalev-Shwartz and Ben-David 2014, chapter 4",
)
def erm_fast(forall, draw, *, n, delta):
    """ERM over five thresholds has excess risk at most log(1/delta)/n."""
    p = forall.simplex("P", 8)
    picks = draw.categorical("sample", p, n).long()
    risks, empirical = erm(p, picks, 4)
    chosen = risks.expand(len(empirical), -1).gather(-1, empirical.argmin(-1, keepdim=True))[:, 0]
    return chosen - risks.amin(-1), math.log(1.0 / delta) / n


@claim("estimators/true-missing-mass", always(), over=grid(n=[2, 10]), cite="Berend and Kontorovich 2012")
def missing_mass(forall, *, n):
    """The expected missing mass of n draws from k outcomes is at most k/(e n)."""
    p = forall.simplex("P", 6)
    return (p * (1.0 - p) ** n).sum(-1), 6.0 / (math.e * n)


@claim("estimators/true-sk-tree-depth", always(), cite="Breiman et al. 1984")
def sk_tree(forall):
    """A regression tree of depth two has no larger training error than one of depth one."""
    from sklearn.tree import DecisionTreeRegressor

    x, y = forall.interval("x", 0.0, 1.0, 6), forall.interval("y", -1.0, 1.0, 6)
    errors = [[], []]
    for a, b in zip(x.numpy(), y.numpy()):
        for depth in (1, 2):
            fit = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(a[:, None], b).predict(a[:, None])
            errors[depth - 1].append(((fit - b) ** 2).mean())
    return torch.tensor(errors[1], dtype=torch.float64), torch.tensor(errors[0], dtype=torch.float64)


PROOFS = {
    "estimators/true-tree-entropy-between-gini-and-root": (
        "4 p (1 - p) <= H(p) <= 2 sqrt(p (1 - p)) at each leaf, and both survive averages."
    ),
    "estimators/true-online-winnow": (
        "A relevant weight is doubled while it is below 4, at most 2 k times in all; each demotion removes 4 of "
        "a total of 8 plus at most 4 for each promotion: at most 4 k + 2 mistakes."
    ),
    "estimators/true-online-ogd": (
        "|w - u|^2 falls by 2 eta g (w - u) - eta^2 g^2 at least in a round, since the projection contracts; sum "
        "from w = 0."
    ),
    "estimators/true-iso-contraction": (
        "Yang and Barber 2019: isotonic regression contracts every norm that does not grow when neighbours are "
        "averaged."
    ),
    "estimators/true-boot-bagging": "Jensen: the square of a mean is at most the mean of the squares.",
    "estimators/true-cluster-lloyd-descends": (
        "The means minimise the cost of the old cells, and nearest centres that of the new means; an empty cell "
        "changes nothing."
    ),
    "estimators/true-pac-threshold": (
        "The error exceeds e only if no point falls in (theta - e, theta], with probability (1 - e)^n <= exp(-e "
        "n) = delta."
    ),
    "estimators/true-missing-mass": (
        "p (1 - p)^n is largest at p = 1/(n + 1), where it is (1 - 1/(n + 1))^(n + 1) / n <= 1 / (e n)."
    ),
    "estimators/true-sk-tree-depth": (
        "The greedy tree of depth two splits the leaves of the one of depth one, and a split does not raise the "
        "squared error."
    ),
}

WITNESSES = {
    "estimators/plain-online-perceptron-linear": {
        "params": {},
        "values": {
            "u": [0.5773502691896258, 0.5773502691896258, 0.5773502691896258],
            "x": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        },
        "why": "Three orthonormal points: three mistakes at the margin 1/sqrt 3, 1.732 against 1.2.",
    },
    "estimators/plain-online-ogd-free": {
        "params": {},
        "values": {"g": [1.0, -1.0, 1.0, -1.0, 1.0, -1.0], "u": 0.0},
        "why": "Alternating gradients: 3/2 against 5/4.",
    },
    "estimators/plain-cv-majority-loo-close": {
        "params": {},
        "values": {"y": [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0]},
        "why": "Four and four: 1 against 7/8.",
    },
    "estimators/plain-cluster-lloyd-factor": {
        "params": {},
        "values": {"x": [0.0, 0.015625, 0.03125, 0.5, 0.515625, 1.0]},
        "why": "Two of the centres stay with the first three points: 0.1617 against 0.0012.",
    },
    "estimators/plain-pac-erm-fast": {
        "params": {"n": 20, "delta": 0.1},
        "values": {"P": [0.56, 0.44, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]},
        "probability": 0.37359298802665225,
        "why": "Ten ones of twenty: the wrong threshold, whose excess risk is 0.12 > log(10)/20.",
    },
}
