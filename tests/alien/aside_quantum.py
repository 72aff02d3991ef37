"""Alien claims, aside: quantum states and channels, metrics of classification and ranking; see README.md."""

import math

import torch

from harness import always, claim, expectation, identity

PAULI_X = torch.tensor([[0.0, 1.0], [1.0, 0.0]], dtype=torch.complex128)
PAULI_Z = torch.tensor([[1.0, 0.0], [0.0, -1.0]], dtype=torch.complex128)


def square_root(forall, name, d):
    """A matrix A of norm one; A A* is a density matrix, and every density matrix is one of these."""
    parts = forall.sphere(name, 2 * d * d).reshape(-1, d, d, 2)
    return torch.complex(parts[..., 0], parts[..., 1])


def state(forall, name, d):
    """Any density matrix of the dimension d."""
    a = square_root(forall, name, d)
    return a @ a.mH


def pure(forall, name, d):
    """Any unit vector of C^d."""
    parts = forall.sphere(name, 2 * d).reshape(-1, d, 2)
    return torch.complex(parts[..., 0], parts[..., 1])


def distance(rho, sigma):
    """The trace distance."""
    return torch.linalg.eigvalsh(rho - sigma).abs().sum(-1) / 2.0


def entropy(rho):
    """Von Neumann's entropy in nats."""
    return torch.special.entr(torch.linalg.eigvalsh(rho).clamp_min(0.0)).sum(-1)


def first(rho):
    """The state of the first of two qubits."""
    return torch.einsum("bijkj->bik", rho.reshape(-1, 2, 2, 2, 2))


def binary_entropy(t):
    """The entropy of a coin."""
    return torch.special.entr(t) + torch.special.entr(1.0 - t)


def norm(a):
    """The largest singular value."""
    return torch.linalg.matrix_norm(a, ord=2)


def trace(a):
    """The real part of the trace."""
    return a.diagonal(dim1=-2, dim2=-1).sum(-1).real


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


@claim("quantum/true-pure-distance", identity(), cite="Nielsen and Chuang 2010, (9.99)")
def pure_distance(forall):
    """T^2 = 1 - |<x, y>|^2 for pure states."""
    x, y = pure(forall, "x", 3), pure(forall, "y", 3)
    rho, sigma = x[:, :, None] * x[:, None, :].conj(), y[:, :, None] * y[:, None, :].conj()
    return distance(rho, sigma) ** 2, 1.0 - (x.conj() * y).sum(-1).abs() ** 2


@claim("quantum/true-partial-trace-contracts", always(), cite="Ruskai 1994")
def partial_trace_contracts(forall):
    """T(rho_A, sigma_A) <= T(rho, sigma) for two qubits."""
    rho, sigma = state(forall, "a", 4), state(forall, "b", 4)
    return distance(first(rho), first(sigma)), distance(rho, sigma)


@claim(
    "quantum/plain-monotone-entropy",
    always(),
    cite="Nielsen and Chuang 2010, Section 11.3.3, as for classical bits",
    expected="refuted",
)
def monotone_entropy(forall):
    """S(A) <= S(AB) for two qubits."""
    rho = state(forall, "a", 4)
    return entropy(first(rho)), entropy(rho)


@claim("quantum/true-holevo", always(), cite="Holevo 1973; Nielsen and Chuang 2010, (11.84)")
def holevo(forall):
    """The Holevo quantity of three qubits is at most the entropy of their weights."""
    p = forall.simplex("p", 3)
    states = [state(forall, name, 2) for name in "abc"]
    mean = sum(p[:, i, None, None] * states[i] for i in range(3))
    information = entropy(mean) - sum(p[:, i] * entropy(states[i]) for i in range(3))
    return information, torch.special.entr(p).sum(-1)


@claim("quantum/subtle-audenaert", always(), cite="Audenaert 2007, with the factor 0.98", expected="refuted")
def audenaert_less(forall):
    """|S(rho) - S(sigma)| <= T log(d - 1) + 0.98 h(T) for d = 3."""
    rho, sigma = state(forall, "a", 3), state(forall, "b", 3)
    t = distance(rho, sigma).clamp_max(1.0)
    return (entropy(rho) - entropy(sigma)).abs(), t * math.log(2.0) + 0.98 * binary_entropy(t)


@claim("quantum/true-golden-thompson", always(), cite="Golden 1965; Thompson 1965")
def golden_thompson(forall):
    """tr exp(A + B) <= tr exp(A) exp(B) for symmetric matrices."""
    a, b = forall.symmetric("A", 3), forall.symmetric("B", 3)
    return trace(torch.matrix_exp(a + b)), trace(torch.matrix_exp(a) @ torch.matrix_exp(b))


@claim("quantum/subtle-tsirelson", always(), cite="Tsirelson 1980, with 2.8", expected="refuted")
def tsirelson_less(forall):
    """The CHSH operator of measurements in a plane has norm at most 2.8."""
    return chsh(forall), 2.8


@claim("quantum/true-dilation", identity(), cite="Halmos 1950")
def dilation(forall):
    """[[K, sqrt(1 - K^2)], [sqrt(1 - K^2), -K]] keeps every norm, for a symmetric contraction K."""
    k, x = forall.symmetric("K", 2, radius=0.4), forall.ball("x", 4)
    values, vectors = torch.linalg.eigh(torch.eye(2, dtype=torch.float64) - k @ k)
    root = vectors @ (values.sqrt()[..., None] * vectors.mT)
    u = torch.cat([torch.cat([k, root], -1), torch.cat([root, -k], -1)], -2)
    return (u @ x[:, :, None])[:, :, 0].norm(dim=-1), x.norm(dim=-1)


@claim("quantum/true-random-purity", expectation(range=(-1.0, 1.0), margin=0.01), cite="Lubkin 1978")
def random_purity(draw):
    """The mean purity of a qubit of a random pure state of two is 4 / 5 (Lubkin)."""
    parts = draw.sphere("x", 8).reshape(-1, 2, 2, 2)
    x = torch.complex(parts[..., 0], parts[..., 1])
    rho = x @ x.mH
    return trace(rho @ rho), 0.8


@claim(
    "quantum/subtle-random-overlap",
    expectation(range=(-1.0, 1.0)),
    cite="Lubkin 1978, with 0.49 for 1/2",
    expected="refuted",
)
def random_overlap(draw):
    """The mean of |<0, x>|^2 over random qubits is at most 0.49."""
    return draw.sphere("x", 4)[:, :2].square().sum(-1), 0.49


@claim("quantum/true-auc-gaussian", expectation(range=(-1.0, 1.0), margin=0.01), cite="Green and Swets 1966")
def auc_gaussian(forall, draw):
    """The mean AUC of scores N(m, 1) against N(0, 1) is Phi(m / sqrt 2)."""
    m = forall.interval("m", -2.0, 2.0)
    return auc(draw.normal("p", 5) + m[:, None], draw.normal("n", 8)), torch.special.ndtr(m / math.sqrt(2.0))


@claim("quantum/plain-dice-triangle", always(), cite="Lipkus 1999, for Dice's coefficient", expected="refuted")
def dice_triangle(forall):
    """One minus Dice's coefficient satisfies the triangle inequality."""
    a, b, c = ((1.0 + forall.signs(name, 6)) / 2.0 for name in "abc")
    forall.assume((a.sum(-1) > 0) & (b.sum(-1) > 0) & (c.sum(-1) > 0))

    def far(x, y):
        return 1.0 - 2.0 * (x * y).sum(-1) / (x.sum(-1) + y.sum(-1))

    return far(a, c), far(a, b) + far(b, c)


@claim("quantum/true-parity-error", always(), cite="Zhao and Gordon 2019")
def parity_error(forall):
    """The gap of base rates is at most the gap of positive rates plus the errors in both groups."""
    g, h = forall.simplex("g", 4), forall.simplex("h", 4)
    base = (g[:, 0] + g[:, 1] - h[:, 0] - h[:, 1]).abs()
    positive = (g[:, 0] + g[:, 2] - h[:, 0] - h[:, 2]).abs()
    return base, positive + g[:, 1] + g[:, 2] + h[:, 1] + h[:, 2]


@claim("quantum/true-ndcg", always(), cite="Jarvelin and Kekalainen 2002")
def ndcg(forall):
    """The DCG of no order exceeds that of the order by relevance."""
    rel, order = forall.interval("rel", 0.0, 3.0, 6), forall.permutation("pi", 6)
    discount = torch.arange(2, 8, dtype=torch.float64).log2()
    gain = 2.0**rel - 1.0
    return (gain.gather(-1, order) / discount).sum(-1), (gain.sort(-1, descending=True).values / discount).sum(-1)


@claim("quantum/subtle-ndcg", always(), cite="Jarvelin and Kekalainen 2002, with 0.51 for 1/2", expected="refuted")
def ndcg_worst(forall):
    """The DCG of any order of three documents is more than 0.51 times the best one."""
    rel, order = forall.interval("rel", 0.0, 1.0, 3), forall.permutation("pi", 3)
    discount = torch.arange(2, 5, dtype=torch.float64).log2()
    best = (rel.sort(-1, descending=True).values / discount).sum(-1)
    return 0.51 * best, (rel.gather(-1, order) / discount).sum(-1)


PROOFS = {
    "quantum/true-pure-distance": (
        "The difference has rank two, trace 0 and the determinant |<x, y>|^2 - 1 on the span of both."
    ),
    "quantum/true-partial-trace-contracts": ("Ruskai 1994: the partial trace is a channel."),
    "quantum/true-holevo": ("Nielsen and Chuang 2010, Theorem 11.10."),
    "quantum/true-golden-thompson": ("Golden 1965; Thompson 1965."),
    "quantum/true-dilation": ("K and the root of 1 - K^2 commute, so that the square is the identity."),
    "quantum/true-random-purity": ("(d_A + d_B) / (d_A d_B + 1) for d_A = d_B = 2."),
    "quantum/true-auc-gaussian": ("The difference of two scores is N(m, 2)."),
    "quantum/true-parity-error": (
        "In each group base rate and positive rate differ by at most the error; the triangle inequality."
    ),
    "quantum/true-ndcg": ("The rearrangement inequality."),
}

WITNESSES = {
    "quantum/plain-monotone-entropy": {
        "params": {},
        "values": {"a": [math.sqrt(0.5), *[0.0] * 23, math.sqrt(0.5), *[0.0] * 7]},
        "why": "a Bell state is pure, its parts are not",
    },
    "quantum/subtle-audenaert": {
        "params": {},
        "values": {"a": [1.0, *[0.0] * 17], "b": [math.sqrt(0.5), *[0.0] * 7, 0.5, *[0.0] * 7, 0.5, 0.0]},
        "why": "a pure state and diag(1/2, 1/4, 1/4) attain the bound",
    },
    "quantum/subtle-tsirelson": {
        "params": {},
        "values": {"angles": [0.0, math.pi / 2.0, math.pi / 4.0, 7.0 * math.pi / 4.0]},
        "why": "2.8284 > 2.8",
    },
    "quantum/subtle-random-overlap": {"params": {}, "values": {}, "mean": 0.01, "why": "the mean is 1/2"},
    "quantum/plain-dice-triangle": {
        "params": {},
        "values": {"a": [1, -1, -1, -1, -1, -1], "b": [1, 1, -1, -1, -1, -1], "c": [-1, 1, -1, -1, -1, -1]},
        "why": "1 > 1/3 + 1/3",
    },
    "quantum/subtle-ndcg": {
        "params": {},
        "values": {"rel": [0.0, 0.0, 1.0], "pi": [0.0, 0.0, 0.0]},
        "why": "the only good document last: 1/2",
    },
}
