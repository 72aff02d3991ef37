"""Alien claims, known: quantum states and channels, metrics of classification and ranking; see README.md."""

import math

import torch

from harness import always, claim, identity

PAULI_X = torch.tensor([[0.0, 1.0], [1.0, 0.0]], dtype=torch.complex128)
PAULI_Y = torch.tensor([[0.0, -1.0j], [1.0j, 0.0]], dtype=torch.complex128)
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


def bloch(r):
    """The qubit with the Bloch vector r."""
    x, y, z = r[:, 0, None, None], r[:, 1, None, None], r[:, 2, None, None]
    return (torch.eye(2, dtype=torch.complex128) + x * PAULI_X + y * PAULI_Y + z * PAULI_Z) / 2.0


def distance(rho, sigma):
    """The trace distance."""
    return torch.linalg.eigvalsh(rho - sigma).abs().sum(-1) / 2.0


def entropy(rho):
    """Von Neumann's entropy in nats."""
    return torch.special.entr(torch.linalg.eigvalsh(rho).clamp_min(0.0)).sum(-1)


def logarithm(rho):
    """The logarithm of a positive definite matrix."""
    values, vectors = torch.linalg.eigh(rho)
    return vectors @ (values.log()[..., None] * vectors.mH)


def first(rho):
    """The state of the first of two qubits."""
    return torch.einsum("bijkj->bik", rho.reshape(-1, 2, 2, 2, 2))


def second(rho):
    """The state of the second of two qubits."""
    return torch.einsum("bijil->bjl", rho.reshape(-1, 2, 2, 2, 2))


def binary_entropy(t):
    """The entropy of a coin."""
    return torch.special.entr(t) + torch.special.entr(1.0 - t)


def norm(a):
    """The largest singular value."""
    return torch.linalg.matrix_norm(a, ord=2)


def trace(a):
    """The real part of the trace."""
    return a.diagonal(dim1=-2, dim2=-1).sum(-1).real


@claim("quantum/true-fuchs-lower", always(), cite="Fuchs and van de Graaf 1999")
def fuchs_lower(forall):
    """1 - F <= T for two states of a qutrit (Fuchs and van de Graaf)."""
    a, b = square_root(forall, "a", 3), square_root(forall, "b", 3)
    return 1.0 - torch.linalg.svdvals(a.mH @ b).sum(-1), distance(a @ a.mH, b @ b.mH)


@claim("quantum/true-fuchs-upper", always(), cite="Fuchs and van de Graaf 1999")
def fuchs_upper(forall):
    """T^2 + F^2 <= 1 for two states of a qubit."""
    a, b = square_root(forall, "a", 2), square_root(forall, "b", 2)
    return distance(a @ a.mH, b @ b.mH) ** 2 + torch.linalg.svdvals(a.mH @ b).sum(-1) ** 2, 1.0


@claim(
    "quantum/plain-fuchs-mixed", always(), cite="Nielsen and Chuang 2010, (9.111), for mixed states", expected="refuted"
)
def fuchs_mixed(forall):
    """1 - F^2 <= T for two states of a qutrit."""
    a, b = square_root(forall, "a", 3), square_root(forall, "b", 3)
    return 1.0 - torch.linalg.svdvals(a.mH @ b).sum(-1) ** 2, distance(a @ a.mH, b @ b.mH)


@claim("quantum/true-bloch-distance", identity(), cite="Nielsen and Chuang 2010, (9.20)")
def bloch_distance(forall):
    """T(rho, sigma) = |r - s| / 2 on the Bloch ball."""
    r, s = forall.ball("r", 3), forall.ball("s", 3)
    return distance(bloch(r), bloch(s)), (r - s).norm(dim=-1) / 2.0


@claim("quantum/true-damping-contracts", always(), cite="Ruskai 1994")
def damping_contracts(forall):
    """Amplitude damping does not increase the trace distance."""
    rho, sigma, g = state(forall, "a", 2), state(forall, "b", 2), forall.interval("g", 0.0, 1.0)
    zero, one = torch.zeros_like(g), torch.ones_like(g)
    stay = torch.stack([one, zero, zero, (1.0 - g).sqrt()], -1).reshape(-1, 2, 2).to(rho.dtype)
    decay = torch.stack([zero, g.sqrt(), zero, zero], -1).reshape(-1, 2, 2).to(rho.dtype)
    out = [stay @ x @ stay.mH + decay @ x @ decay.mH for x in (rho, sigma)]
    return distance(*out), distance(rho, sigma)


@claim(
    "quantum/plain-damping-rate",
    always(),
    cite="Nielsen and Chuang 2010, Section 8.3.5, with the rate of the populations",
    expected="refuted",
)
def damping_rate(forall):
    """Amplitude damping by g shrinks the trace distance by 1 - g."""
    rho, sigma, g = state(forall, "a", 2), state(forall, "b", 2), forall.interval("g", 0.0, 1.0)
    zero, one = torch.zeros_like(g), torch.ones_like(g)
    stay = torch.stack([one, zero, zero, (1.0 - g).sqrt()], -1).reshape(-1, 2, 2).to(rho.dtype)
    decay = torch.stack([zero, g.sqrt(), zero, zero], -1).reshape(-1, 2, 2).to(rho.dtype)
    out = [stay @ x @ stay.mH + decay @ x @ decay.mH for x in (rho, sigma)]
    return distance(*out), (1.0 - g) * distance(rho, sigma)


@claim("quantum/true-subadditivity", always(), cite="Araki and Lieb 1970")
def subadditivity(forall):
    """S(AB) <= S(A) + S(B) for two qubits."""
    rho = state(forall, "a", 4)
    return entropy(rho), entropy(first(rho)) + entropy(second(rho))


@claim("quantum/true-araki-lieb", always(), cite="Araki and Lieb 1970")
def araki_lieb(forall):
    """|S(A) - S(B)| <= S(AB) for two qubits."""
    rho = state(forall, "a", 4)
    return (entropy(first(rho)) - entropy(second(rho))).abs(), entropy(rho)


@claim("quantum/subtle-holevo", always(), cite="Holevo 1973, with the factor 0.99", expected="refuted")
def holevo_less(forall):
    """The Holevo quantity of three qubits is at most 0.99 log 2."""
    p = forall.simplex("p", 3)
    states = [state(forall, name, 2) for name in "abc"]
    mean = sum(p[:, i, None, None] * states[i] for i in range(3))
    return entropy(mean) - sum(p[:, i] * entropy(states[i]) for i in range(3)), 0.99 * math.log(2.0)


@claim("quantum/true-pinsker", always(), cite="Hiai, Ohya and Tsukada 1981")
def pinsker(forall):
    """2 T^2 <= S(rho || sigma) for sigma of full rank."""
    rho = 0.99 * state(forall, "a", 2) + 0.005 * torch.eye(2, dtype=torch.complex128)
    sigma = 0.9 * state(forall, "b", 2) + 0.05 * torch.eye(2, dtype=torch.complex128)
    return 2.0 * distance(rho, sigma) ** 2, trace(rho @ (logarithm(rho) - logarithm(sigma)))


@claim("quantum/subtle-pinsker", always(), cite="Hiai, Ohya and Tsukada 1981, with 2.02 for 2", expected="refuted")
def pinsker_more(forall):
    """2.02 T^2 <= S(rho || sigma) for sigma of full rank."""
    rho = 0.99 * state(forall, "a", 2) + 0.005 * torch.eye(2, dtype=torch.complex128)
    sigma = 0.9 * state(forall, "b", 2) + 0.05 * torch.eye(2, dtype=torch.complex128)
    return 2.02 * distance(rho, sigma) ** 2, trace(rho @ (logarithm(rho) - logarithm(sigma)))


@claim("quantum/true-audenaert", always(), cite="Audenaert 2007")
def audenaert(forall):
    """|S(rho) - S(sigma)| <= T log(d - 1) + h(T) for d = 3."""
    rho, sigma = state(forall, "a", 3), state(forall, "b", 3)
    t = distance(rho, sigma).clamp_max(1.0)
    return (entropy(rho) - entropy(sigma)).abs(), t * math.log(2.0) + binary_entropy(t)


@claim(
    "quantum/plain-golden-thompson-three",
    always(),
    cite="Golden 1965; Thompson 1965, for three matrices",
    expected="refuted",
)
def golden_thompson_three(forall):
    """tr exp(A + B + C) <= |tr exp(A) exp(B) exp(C)| for symmetric matrices."""
    a, b, c = forall.symmetric("A", 2), forall.symmetric("B", 2), forall.symmetric("C", 2)
    product = torch.matrix_exp(a) @ torch.matrix_exp(b) @ torch.matrix_exp(c)
    return trace(torch.matrix_exp(a + b + c)), trace(product).abs()


@claim("quantum/true-robertson", always(), cite="Robertson 1929")
def robertson(forall):
    """|<[A, B]>|^2 / 4 <= Var A Var B for symmetric A and B in a pure state."""
    x = pure(forall, "x", 3)[..., None]
    a, b = (forall.symmetric(name, 3).to(torch.complex128) for name in "AB")

    def mean(m):
        return (x.mH @ m @ x)[:, 0, 0]

    spread = (mean(a @ a).real - mean(a).real ** 2) * (mean(b @ b).real - mean(b).real ** 2)
    return mean(a @ b - b @ a).abs() ** 2 / 4.0, spread


@claim("quantum/plain-robertson", always(), cite="Robertson 1929, without the factor 4", expected="refuted")
def robertson_less(forall):
    """|<[A, B]>|^2 <= Var A Var B for symmetric A and B in a pure state."""
    x = pure(forall, "x", 2)[..., None]
    a, b = (forall.symmetric(name, 2).to(torch.complex128) for name in "AB")

    def mean(m):
        return (x.mH @ m @ x)[:, 0, 0]

    spread = (mean(a @ a).real - mean(a).real ** 2) * (mean(b @ b).real - mean(b).real ** 2)
    return mean(a @ b - b @ a).abs() ** 2, spread


PROOFS = {
    "quantum/true-fuchs-lower": ("Fuchs and van de Graaf 1999, by the measurement that attains the fidelity."),
    "quantum/true-fuchs-upper": ("Fuchs and van de Graaf 1999, by Uhlmann's purifications."),
    "quantum/true-bloch-distance": ("(r - s) . sigma / 2 has the eigenvalues |r - s| / 2 and -|r - s| / 2."),
    "quantum/true-damping-contracts": ("Ruskai 1994: channels contract the trace norm."),
    "quantum/true-subadditivity": ("The relative entropy of rho and rho_A (x) rho_B is not negative."),
    "quantum/true-araki-lieb": ("Subadditivity for a purification."),
    "quantum/true-pinsker": (
        "Hiai, Ohya and Tsukada 1981: measured by the sign of rho - sigma it is Pinsker's inequality."
    ),
    "quantum/true-audenaert": ("Audenaert 2007."),
    "quantum/true-robertson": (
        "Cauchy-Schwarz for (A - <A>) x and (B - <B>) x, and the imaginary part of their product."
    ),
}

WITNESSES = {
    "quantum/plain-fuchs-mixed": {
        "params": {},
        "values": {
            "a": [math.sqrt(0.5), *[0.0] * 7, math.sqrt(0.5), *[0.0] * 9],
            "b": [math.sqrt(0.5), *[0.0] * 15, math.sqrt(0.5), 0.0],
        },
        "why": "two coins with one face in common: 3/4 > 1/2",
    },
    "quantum/plain-damping-rate": {
        "params": {},
        "values": {
            "a": [math.sqrt(0.5), 0.0, 0.0, 0.0, math.sqrt(0.5), 0.0, 0.0, 0.0],
            "b": [math.sqrt(0.5), 0.0, 0.0, 0.0, -math.sqrt(0.5), 0.0, 0.0, 0.0],
            "g": 0.5,
        },
        "why": "coherences shrink by the root of 1 - g",
    },
    "quantum/subtle-holevo": {
        "params": {},
        "values": {"p": [0.5, 0.5, 0.0], "a": [1.0, *[0.0] * 7], "b": [*[0.0] * 6, 1.0, 0.0], "c": [1.0, *[0.0] * 7]},
        "why": "two orthogonal states carry log 2",
    },
    "quantum/subtle-pinsker": {
        "params": {},
        "values": {
            "a": [math.sqrt(0.55), *[0.0] * 5, math.sqrt(0.45), 0.0],
            "b": [math.sqrt(0.5), *[0.0] * 5, math.sqrt(0.5), 0.0],
        },
        "why": "close to sigma = 1/2 the constant is 2",
    },
    "quantum/plain-golden-thompson-three": {
        "params": {},
        "values": {"A": [-0.76, -0.95, -0.93], "B": [0.93, 0.52, -0.73], "C": [-0.85, 0.53, 0.99]},
        "why": "a ratio of 2.04",
    },
    "quantum/plain-robertson": {
        "params": {},
        "values": {"x": [math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)], "A": [0.0, 1.0, 0.0], "B": [1.0, 0.0, -1.0]},
        "why": "an eigenvector of Y, A = X, B = Z: 4 > 1",
    },
}
