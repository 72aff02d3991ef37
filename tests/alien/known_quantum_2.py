"""Alien claims, known: quantum states and channels, metrics of classification and ranking; see README.md."""

import math

import torch

from harness import always, claim, grid, high_probability, identity, rate, up_to_constant

PAULI_X = torch.tensor([[0.0, 1.0], [1.0, 0.0]], dtype=torch.complex128)
PAULI_Y = torch.tensor([[0.0, -1.0j], [1.0j, 0.0]], dtype=torch.complex128)
PAULI_Z = torch.tensor([[1.0, 0.0], [0.0, -1.0]], dtype=torch.complex128)


def bloch(r):
    """The qubit with the Bloch vector r."""
    x, y, z = r[:, 0, None, None], r[:, 1, None, None], r[:, 2, None, None]
    return (torch.eye(2, dtype=torch.complex128) + x * PAULI_X + y * PAULI_Y + z * PAULI_Z) / 2.0


def distance(rho, sigma):
    """The trace distance."""
    return torch.linalg.eigvalsh(rho - sigma).abs().sum(-1) / 2.0


def norm(a):
    """The largest singular value."""
    return torch.linalg.matrix_norm(a, ord=2)


def chsh(forall):
    """The norm of the CHSH operator for measurements in the plane, at four angles."""
    angle = forall.interval("angles", 0.0, 2.0 * math.pi, 4)
    a, c, b, d = (
        angle[:, i, None, None].cos() * PAULI_Z.real + angle[:, i, None, None].sin() * PAULI_X.real for i in range(4)
    )
    pairs = torch.einsum("bij,bkl->bikjl", a, b + d) + torch.einsum("bij,bkl->bikjl", c, b - d)
    return norm(pairs.reshape(-1, 4, 4))


def auc(positive, negative):
    """The area under the ROC curve, ties counted by half."""
    gap = positive[:, :, None] - negative[:, None, :]
    return ((gap > 0.0).double() + 0.5 * (gap == 0.0).double()).mean((-1, -2))


def inversions(order):
    """The number of pairs in the wrong order, which is n (n - 1) (1 - tau) / 4."""
    wrong = order[:, :, None] > order[:, None, :]
    return torch.triu(wrong.double(), diagonal=1).sum((-1, -2))


@claim("quantum/true-tsirelson", always(), cite="Tsirelson 1980")
def tsirelson(forall):
    """The CHSH operator of measurements in a plane has norm at most 2 sqrt 2."""
    return chsh(forall), 2.0 * math.sqrt(2.0)


@claim("quantum/true-lie-trotter", always(), cite="Suzuki 1985; Childs et al. 2021")
def lie_trotter(forall):
    """|exp(i (A + B)) - exp(i A) exp(i B)| <= |[A, B]| / 2 in the operator norm."""
    a, b = (forall.symmetric(name, 3).to(torch.complex128) for name in "AB")
    error = torch.matrix_exp(1j * (a + b)) - torch.matrix_exp(1j * a) @ torch.matrix_exp(1j * b)
    return norm(error), norm(a @ b - b @ a) / 2.0


@claim(
    "quantum/true-trotter-steps", up_to_constant("n"), over=grid(n=[2, 4, 8, 16, 32]), cite="Trotter 1959; Suzuki 1985"
)
def trotter_steps(forall, *, n):
    """|(exp(i A / n) exp(i B / n))^n - exp(i (A + B))| <= C / n."""
    a, b = (forall.symmetric(name, 2).to(torch.complex128) for name in "AB")
    step = torch.matrix_exp(1j * a / n) @ torch.matrix_exp(1j * b / n)
    return norm(torch.linalg.matrix_power(step, n) - torch.matrix_exp(1j * (a + b))), 1.0 / n


@claim(
    "quantum/plain-trotter-steps",
    up_to_constant("n"),
    over=grid(n=[2, 4, 8, 16, 32]),
    cite="Trotter 1959, with the order of Strang's splitting",
    expected="refuted",
)
def trotter_steps_fast(forall, *, n):
    """|(exp(i A / n) exp(i B / n))^n - exp(i (A + B))| <= C / n^2."""
    a, b = (forall.symmetric(name, 2).to(torch.complex128) for name in "AB")
    step = torch.matrix_exp(1j * a / n) @ torch.matrix_exp(1j * b / n)
    return norm(torch.linalg.matrix_power(step, n) - torch.matrix_exp(1j * (a + b))), 1.0 / n**2


@claim(
    "quantum/plain-shots",
    high_probability("delta"),
    over=grid(n=[20, 100], delta=[0.05]),
    cite="Hoeffding 1963, for the range 1",
    expected="refuted",
)
def shots_few(forall, draw, *, n, delta):
    """The mean of n measurements of Z is within sqrt(log(2 / delta) / (2 n)) of <Z>."""
    z = forall.ball("r", 3)[:, 2]
    outcome = 2.0 * draw.bernoulli("z", ((1.0 + z) / 2.0).clamp(0.0, 1.0), n) - 1.0
    return (outcome.mean(-1) - z).abs(), math.sqrt(math.log(2.0 / delta) / (2.0 * n))


@claim("quantum/true-tomography", rate("n", -0.5, at="exactly"), over=grid(n=[50, 200, 800, 3200]), cite="folklore")
def tomography(draw, *, n):
    """The trace distance of an estimated qubit decays as n^-1/2 with n shots of each Pauli matrix."""
    r = torch.tensor([0.3, 0.2, 0.1], dtype=torch.float64)
    estimate = 2.0 * draw.bernoulli("shots", (1.0 + r) / 2.0, 3, n).mean(-1) - 1.0
    return distance(bloch(estimate), bloch(r[None, :]))


@claim("quantum/true-auc-ranks", identity(), cite="Mann and Whitney 1947; Hanley and McNeil 1982")
def auc_ranks(forall):
    """AUC = (R - m (m + 1) / 2) / (m n) with the midranks R of the positive scores, in five grades."""
    pos, neg = forall.integers("p", 1, 5, 3), forall.integers("n", 1, 5, 4)
    scores = torch.cat([pos, neg], -1)
    below = (scores[:, None, :] < pos[:, :, None]).double().sum(-1)
    equal = (scores[:, None, :] == pos[:, :, None]).double().sum(-1)
    return auc(pos, neg), ((below + (equal + 1.0) / 2.0).sum(-1) - 6.0) / 12.0


@claim(
    "quantum/plain-auc-accuracy",
    always(),
    cite="Hanley and McNeil 1982, as if every curve were concave",
    expected="refuted",
)
def auc_accuracy(forall):
    """No threshold has a balanced accuracy above the AUC."""
    pos, neg = forall.integers("p", 1, 5, 3), forall.integers("n", 1, 5, 4)
    t = forall.integers("t", 1, 6)[:, None]
    return ((pos >= t).double().mean(-1) + (neg < t).double().mean(-1)) / 2.0, auc(pos, neg)


@claim(
    "quantum/plain-f1-accuracy", always(), cite="van Rijsbergen 1979, compared with the wrong score", expected="refuted"
)
def f1_accuracy(forall):
    """The F1 score is at most the accuracy."""
    tp, fp, fn, tn = (forall.interval(name, 0.01, 1.0) for name in ("tp", "fp", "fn", "tn"))
    return 2.0 * tp / (2.0 * tp + fp + fn), (tp + tn) / (tp + fp + fn + tn)


@claim("quantum/true-jaccard-triangle", always(), cite="Lipkus 1999")
def jaccard_triangle(forall):
    """The Jaccard distance of sets satisfies the triangle inequality."""
    a, b, c = ((1.0 + forall.signs(name, 6)) / 2.0 for name in "abc")
    forall.assume((a.sum(-1) > 0) & (b.sum(-1) > 0) & (c.sum(-1) > 0))

    def far(x, y):
        return 1.0 - torch.minimum(x, y).sum(-1) / torch.maximum(x, y).sum(-1)

    return far(a, c), far(a, b) + far(b, c)


@claim("quantum/true-brier", identity(), cite="Murphy 1973")
def brier(forall):
    """The Brier score is calibration plus refinement."""
    w, f, o = forall.simplex("w", 4), forall.interval("f", 0.0, 1.0, 4), forall.interval("o", 0.0, 1.0, 4)
    score = (w * (o * (1.0 - f) ** 2 + (1.0 - o) * f**2)).sum(-1)
    return score, (w * (f - o) ** 2).sum(-1) + (w * o * (1.0 - o)).sum(-1)


@claim("quantum/subtle-calibration", always(), cite="Murphy 1973, with the factor 0.99", expected="refuted")
def calibration(forall):
    """ECE^2 <= 0.99 times the calibration term of the Brier score, over six bins."""
    w, f, o = forall.simplex("w", 6), forall.interval("f", 0.0, 1.0, 6), forall.interval("o", 0.0, 1.0, 6)
    return (w * (f - o).abs()).sum(-1) ** 2, 0.99 * (w * (f - o) ** 2).sum(-1)


@claim("quantum/true-information-triangle", always(), cite="Meila 2007")
def information_triangle(forall):
    """The variation of information of partitions satisfies the triangle inequality."""
    p = forall.simplex("p", 8).reshape(-1, 2, 2, 2)

    def h(q):
        return torch.special.entr(q).flatten(1).sum(-1)

    x, y, z = p.sum((2, 3)), p.sum((1, 3)), p.sum((1, 2))
    xy, yz, xz = p.sum(3), p.sum(1), p.sum(2)
    return 2.0 * h(xz) - h(x) - h(z), 2.0 * h(xy) - h(x) - h(y) + 2.0 * h(yz) - h(y) - h(z)


@claim("quantum/true-footrule", always(), cite="Diaconis and Graham 1977")
def footrule(forall):
    """Spearman's footrule is at most twice Kendall's distance (Diaconis and Graham)."""
    order = forall.permutation("pi", 6).double()
    return (order - torch.arange(6, dtype=torch.float64)).abs().sum(-1), 2.0 * inversions(order)


@claim("quantum/plain-daniels", always(), cite="Daniels 1951, with n + 2 for n", expected="refuted")
def daniels(forall):
    """|3 (n + 2) tau - 2 (n + 1) rho| <= n - 2 for n = 5 (Daniels)."""
    order = forall.permutation("pi", 5).double()
    tau = 1.0 - inversions(order) / 5.0
    rho = 1.0 - (order - torch.arange(5, dtype=torch.float64)).square().sum(-1) / 20.0
    return (21.0 * tau - 12.0 * rho).abs(), 3.0


PROOFS = {
    "quantum/true-tsirelson": (
        "Tsirelson 1980: the square of the operator is 4 + [a, c] (x) [b, d] up to sign, of norm at most 8."
    ),
    "quantum/true-lie-trotter": (
        "Childs et al. 2021, Section IV: integrate the commutator, all exponentials are unitary."
    ),
    "quantum/true-trotter-steps": ("n steps err by at most n |[A, B]| / (2 n^2), and |[A, B]| <= 8."),
    "quantum/true-tomography": (
        "The distance is half of that of the Bloch vectors, whose parts are means of n independent outcomes."
    ),
    "quantum/true-auc-ranks": (
        "The midrank of a positive score counts the negative ones below it, the positive ones below it and ties."
    ),
    "quantum/true-jaccard-triangle": ("Lipkus 1999."),
    "quantum/true-brier": ("o (1 - f)^2 + (1 - o) f^2 = (f - o)^2 + o (1 - o)."),
    "quantum/true-information-triangle": ("H(X | Z) <= H(X | Y) + H(Y | Z), added to the same for Z and X."),
    "quantum/true-footrule": ("Diaconis and Graham 1977."),
}

WITNESSES = {
    "quantum/plain-trotter-steps": {
        "params": [{"n": n} for n in (2, 4, 8, 16, 32)],
        "values": [{"A": [0.0, 1.0, 0.0], "B": [1.0, 0.0, -1.0]}] * 5,
        "why": "the first order is exact: n times the ratio of 1 / n",
    },
    "quantum/plain-shots": {
        "params": {"n": 20, "delta": 0.05},
        "values": {"r": [0.0, 0.0, 0.0]},
        "probability": 0.11531829833984375,
        "why": "fair coins: P(|k - 10| >= 4)",
    },
    "quantum/plain-auc-accuracy": {
        "params": {},
        "values": {"p": [5, 1, 1], "n": [2, 2, 2, 2], "t": 3},
        "why": "2/3 > 1/3",
    },
    "quantum/plain-f1-accuracy": {
        "params": {},
        "values": {"tp": 1.0, "fp": 0.5, "fn": 0.5, "tn": 0.01},
        "why": "2/3 > 1.01 / 2.01",
    },
    "quantum/subtle-calibration": {
        "params": {},
        "values": {"w": [0.25] * 4 + [0.0] * 2, "f": [0.5] * 6, "o": [0.0] * 6},
        "why": "equal gaps attain Jensen's inequality",
    },
    "quantum/plain-daniels": {"params": {}, "values": {"pi": [0.0] * 5}, "why": "the identity: 9 > 3"},
}
