"""Alien claims, known: refuted conjectures and printed slips (1); see README.md."""

# ruff: noqa: E731

import math
from dataclasses import dataclass

import numpy as np
import torch

from harness import always, claim, grid, identity, up_to_constant


@claim("errata/true-noncommutative-amgm-two", always(), cite="Recht and Re 2012; Bhatia and Kittaneh 2000")
def amgm2(forall):
    """Recht and Re's conjecture at n = 2: |(AB+BA)/2| <= |(A+B)/2|^2 for PSD A, B."""
    a, b = forall.psd("A", 2, trace=1.0), forall.psd("B", 2, trace=1.0)
    s = (a @ b + b @ a) / 2
    return torch.linalg.eigvalsh(s).abs().amax(-1), torch.linalg.eigvalsh((a + b) / 2)[:, -1] ** 2


@claim("errata/true-root-operator-monotone", always(), cite="Loewner 1934")
def root_mono(forall):
    """0 < A <= B implies A^(1/2) <= B^(1/2)."""
    a, d = forall.psd("A", 2, trace=1.0), forall.psd("D", 2, trace=1.0)

    def root(m):
        w, v = torch.linalg.eigh(m)
        return v @ torch.diag_embed(w.clamp_min(0.0).sqrt()) @ v.mT

    eye = torch.eye(2, dtype=a.dtype)
    return -torch.linalg.eigvalsh(root(a + d + 0.1 * eye) - root(a + 0.1 * eye))[:, 0], 1e-9


@claim(
    "errata/plain-operator-triangle", always(), expected="refuted", cite="Thompson 1976, without the unitary matrices"
)
def op_triangle(forall):
    """|A + B| <= |A| + |B| in the Loewner order, |A| = (A^T A)^(1/2), symmetric A and B."""
    a, b = forall.symmetric("A", 2), forall.symmetric("B", 2)

    def modulus(m):
        w, v = torch.linalg.eigh(m)
        return v @ torch.diag_embed(w.abs()) @ v.mT

    return torch.linalg.eigvalsh(modulus(a + b) - modulus(a) - modulus(b))[:, -1], 1e-3


def tr(a):
    return a.diagonal(dim1=-2, dim2=-1).sum(-1)


@claim(
    "errata/plain-trace-of-three-psd", always(), expected="refuted", cite="Bhatia 1997, chapter II; two matrices only"
)
def tr3(forall):
    """tr(ABC) >= 0 for PSD A, B, C."""
    a, b, c = (forall.psd(k, 2, trace=1.0) for k in "ABC")
    return -tr(a @ b @ c), 0.0


@claim("errata/true-lieb-thirring", always(), cite="Lieb and Thirring 1976")
def lt(forall):
    """tr((AB)^2) <= tr(A^2 B^2)."""
    a, b = forall.psd("A", 3, trace=1.0), forall.psd("B", 3, trace=1.0)
    ab = a @ b
    return tr(ab @ ab), tr(a @ a @ b @ b)


@claim("errata/true-spectral-radius-symmetric", always(), cite="Horn and Johnson 2013, 5.6")
def rho_sym(forall):
    """rho(AB) <= rho(A) rho(B) for symmetric A and B."""
    a, b = forall.symmetric("A", 2), forall.symmetric("B", 2)
    r = lambda m: torch.linalg.eigvalsh(m).abs().amax(-1)
    return torch.linalg.eigvals(a @ b).abs().amax(-1), r(a) * r(b)


@claim("errata/plain-schur-root", always(), expected="refuted", cite="FitzGerald and Horn 1977")
def schur_root(forall):
    """The entrywise square root of a PSD 3 x 3 matrix with non-negative entries is PSD."""
    v = forall.interval("V", 0.0, 1.0, 3, 3)
    gram = v @ v.mT
    return -torch.linalg.eigvalsh((gram + 1e-6).sqrt() - 1e-3)[:, 0], 1e-2


def piecewise(x):
    return torch.where(x < 1, 25 * x, torch.where(x < 2, x + 24, 25 * x - 24))


@claim(
    "errata/plain-heavy-ball-converges",
    always(),
    expected="refuted",
    cite="Polyak 1964; Lessard, Recht and Packard 2016",
)
def heavy_ball(forall):
    """Polyak's tuned heavy ball (1, 25) on a 1-strongly convex, 25-smooth f is within .1 of 0 after 60 steps
    from [3, 4].
    """
    x = forall.interval("x", 3.0, 4.0)
    prev = x
    for _ in range(60):
        x, prev = x - piecewise(x) / 9 + 4 / 9 * (x - prev), x
    return x.abs(), 0.1


@claim(
    "errata/true-gradient-descent-converges",
    always(),
    over=grid(steps=[1, 20, 60]),
    cite="Lessard, Recht and Packard 2016",
)
def gd(forall, *, steps):
    """Gradient descent with step 1/25 on the same f contracts by 24/25 a step."""
    x = forall.interval("x", -4.0, 4.0)
    y = x
    for _ in range(steps):
        y = y - piecewise(y) / 25
    return y.abs(), (24 / 25) ** steps * x.abs()


@claim(
    "errata/true-adam-lemma-repaired", always(), over=grid(T=[1, 5]), cite="Kingma and Ba 2015, Lemma 10.3, repaired"
)
def adam_fixed(forall, *, T):
    """sum_t |g_t| / sqrt(t) <= sqrt(1 + log T) |g|_2."""
    g = forall.interval("g", -1.0, 1.0, T)
    t = torch.arange(1, T + 1, dtype=g.dtype)
    return (g.abs() / t.sqrt()).sum(-1), math.sqrt(1 + math.log(T)) * g.norm(dim=-1)


@dataclass(frozen=True)
class Huber:
    tau: torch.Tensor

    def value(self, x):
        return torch.where(x.abs() <= self.tau, x**2 / 2, self.tau * x.abs() - self.tau**2 / 2)

    def slope(self, x):
        return torch.minimum(torch.maximum(x, -self.tau), self.tau)


def descend(f, x, k):
    return x if k == 0 else descend(f, x - f.slope(x), k - 1)


@claim(
    "errata/subtle-gd-constant",
    always(),
    over=grid(k=[3]),
    expected="refuted",
    cite="Drori and Teboulle 2014, Theorem 1",
)
def gd_false(forall, *, k):
    """f(x_k) - f* <= L R^2 / (4 k + 3) for gradient descent with step 1/L, R = |x_0|, on Huber functions."""
    f, x0 = Huber(forall.interval("tau", 0.0, 1.0)), torch.tensor(1.0, dtype=torch.float64)
    return f.value(descend(f, x0, k)), 1 / (4 * k + 3)


@claim("errata/subtle-simpson-constant", always(), expected="refuted", cite="Davis and Rabinowitz 1984, 2.2")
def simpson_false(forall):
    """|Simpson - integral| <= (b - a)^5 max|f''''| / 3000 for quartics on [0, b]."""
    c, b = forall.interval("c", -1, 1, 5), forall.interval("b", 0.5, 2.0)
    p = lambda x: sum(c[:, i] * x**i for i in range(5))
    rule = b / 6 * (p(0 * b) + 4 * p(b / 2) + p(b))
    exact = sum(c[:, i] * b ** (i + 1) / (i + 1) for i in range(5))
    return (rule - exact).abs(), b**5 * 24 * c[:, 4].abs() / 3000


@claim("errata/true-simpson-error", identity(), cite="Davis and Rabinowitz 1984, 2.2")
def simpson_true(forall):
    """Simpson - integral = (b - a)^5 f'''' / 2880 for quartics on [0, b]."""
    c, b = forall.interval("c", -1, 1, 5), forall.interval("b", 0.5, 2.0)
    p = lambda x: sum(c[:, i] * x**i for i in range(5))
    rule = b / 6 * (p(0 * b) + 4 * p(b / 2) + p(b))
    exact = sum(c[:, i] * b ** (i + 1) / (i + 1) for i in range(5))
    return rule - exact, b**5 * 24 * c[:, 4] / 2880


def interpolation_error(nodes):
    f = lambda x: 1 / (1 + 25 * x**2)
    x = np.linspace(-1, 1, 801)
    w = np.array([1 / np.prod(nodes[i] - np.delete(nodes, i)) for i in range(len(nodes))])
    worst = 0.0
    for t in x:
        d = t - nodes
        if (np.abs(d) < 1e-12).any():
            continue
        worst = max(worst, abs((w * f(nodes) / d).sum() / (w / d).sum() - f(t)))
    return worst


@claim(
    "errata/true-chebyshev-interpolation",
    always(),
    over=grid(n=[5, 9, 15, 25]),
    cite="Runge 1901; Trefethen 2013, chapter 8",
)
def runge_fixed(*, n):
    """At Chebyshev points it errs by at most 1."""
    return float(interpolation_error(np.cos((2 * np.arange(n) + 1) * np.pi / (2 * n)))), 1.0


def growth(a):
    a, top = a.copy(), np.abs(a).max()
    peak = top
    for k in range(len(a) - 1):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        a[[k, p]] = a[[p, k]]
        if a[k, k] == 0:
            continue
        for i in range(k + 1, len(a)):
            a[i] = a[i] - a[i, k] / a[k, k] * a[k]
        peak = max(peak, np.abs(a).max())
    return peak / top


@claim("errata/plain-pivot-growth", always(), over=grid(n=[3, 4]), expected="refuted", cite="Wilkinson 1961")
def growth_false(forall, *, n):
    """Partial pivoting grows entries by a factor of at most n."""
    a = forall.interval("A", -1.0, 1.0, n, n)
    return torch.tensor([growth(m) if np.abs(m).max() > 1e-3 else 1.0 for m in a.numpy()]), float(n)


@claim("errata/true-pl-example", always(), cite="Karimi, Nutini and Schmidt 2016, section 2.2")
def pl(forall):
    """f - f* <= 16 f'^2 for f = x^2 + 3 sin^2 x."""
    x = forall.interval("x", -6, 6)
    return x**2 + 3 * x.sin() ** 2, 16 * (2 * x + 3 * (2 * x).sin()) ** 2


@claim("errata/plain-pl-is-convex", always(), expected="refuted", cite="Karimi, Nutini and Schmidt 2016, section 2.2")
def pl_convex(forall):
    """That PL function is midpoint convex."""
    x, y = forall.interval("x", -6, 6), forall.interval("y", -6, 6)
    f = lambda t: t**2 + 3 * t.sin() ** 2
    return f((x + y) / 2), (f(x) + f(y)) / 2


@claim("errata/true-harmonic-log", up_to_constant("n"), over=grid(n=[10, 30, 100, 300, 1000, 3000]), cite="Euler 1734")
def harmonic_log(*, n):
    """sum_{k<=n} 1/k <= C log n."""
    return float(sum(1 / k for k in range(1, n + 1))), math.log(n)


PROOFS = {
    "errata/true-noncommutative-amgm-two": (
        "Bhatia and Kittaneh: |AB| <= |A + B|^2 / 4 for PSD A and B, and |AB + BA| / 2 <= |AB|."
    ),
    "errata/true-root-operator-monotone": (
        "Loewner: the square root is operator monotone, so the least eigenvalue of the difference is not negative."
    ),
    "errata/true-lieb-thirring": "Cauchy and Schwarz: tr(AB AB) <= |AB|_F |BA|_F = |AB|_F^2 = tr(A^2 B^2).",
    "errata/true-spectral-radius-symmetric": (
        "rho(AB) <= |AB| <= |A| |B|, and the norm of a symmetric matrix is its spectral radius."
    ),
    "errata/true-gradient-descent-converges": (
        "f'(x)/x lies between 1 and 25, so each step multiplies x by a factor between 0 and 24/25."
    ),
    "errata/true-adam-lemma-repaired": "Cauchy and Schwarz, and 1 + 1/2 + ... + 1/T <= 1 + log T.",
    "errata/true-simpson-error": (
        "Simpson's rule is exact for cubics, and for x^4 it gives 5 b^5/24 = b^5/5 + b^5/120 = b^5/5 + 24 b^5/2880."
    ),
    "errata/true-chebyshev-interpolation": (
        "Computed in 50 digits, the four largest errors are 0.4020, 0.1708, 0.0466 and 0.0069."
    ),
    "errata/true-pl-example": (
        "Karimi, Nutini and Schmidt: f is PL with mu = 1/32, f'^2 / 2 >= (f - f*) / 32; the best mu is 0.1755."
    ),
    "errata/true-harmonic-log": "H_n <= 1 + log n <= (1 + 1/log 10) log n for n >= 10.",
}

WITNESSES = {
    "errata/plain-operator-triangle": {
        "params": {},
        "values": {"A": [0.5, 0.5, 0.5], "B": [-1.0, 0.0, 0.0]},
        "why": "|A + B| = I / sqrt 2, and |A| + |B| has the least eigenvalue 1 - 1/sqrt 2: sqrt 2 - 1 against 0.001.",
    },
    "errata/plain-trace-of-three-psd": {
        "params": {},
        "values": {
            "A": [[1.0, 0.0], [0.0, 0.0]],
            "B": [[0.25, math.sqrt(3.0) / 4.0], [math.sqrt(3.0) / 4.0, 0.75]],
            "C": [[0.25, -math.sqrt(3.0) / 4.0], [-math.sqrt(3.0) / 4.0, 0.75]],
        },
        "why": "Lines at 60 degrees: the product of the three cosines is -1/8.",
    },
    "errata/plain-schur-root": {
        "params": {},
        "values": {"V": [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]},
        "why": (
            "The root of [[1, 1, 0], [1, 2, 1], [0, 1, 1]] has a determinant of sqrt 2 - 2, its least eigenvalue "
            "is -0.222."
        ),
    },
    "errata/plain-heavy-ball-converges": {
        "params": {},
        "values": {"x": 3.2},
        "why": "It runs into a cycle of three points: 0.6465 after 60 steps.",
    },
    "errata/subtle-gd-constant": {
        "params": {"k": 3},
        "values": {"tau": 1.0 / 7.0},
        "why": "The bound 1/14 is attained at tau = 1/7, against 1/15.",
    },
    "errata/subtle-simpson-constant": {
        "params": {},
        "values": {"c": [0.0, 0.0, 0.0, 0.0, 1.0], "b": 1.0},
        "why": "x^4 on [0, 1]: 1/120 against 1/125.",
    },
    "errata/plain-pivot-growth": {
        "params": {"n": 4},
        "values": {"A": [[1.0, 0.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 1.0], [-1.0, -1.0, 1.0, 1.0], [-1.0, -1.0, -1.0, 1.0]]},
        "why": "Wilkinson's matrix: 8 against 4.",
    },
    "errata/plain-pl-is-convex": {
        "params": {},
        "values": {"x": 1.0, "y": 2.0},
        "why": "f'' = 2 + 6 cos 2x is negative between: 5.24 against 4.80.",
    },
}
