"""Alien claims, known, part 1 of 2: matrices; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, identity, rate


def _root(m):
    values, vectors = torch.linalg.eigh(m)
    return (vectors * values.clamp_min(0).sqrt().unsqueeze(-2)) @ vectors.mT


@claim(
    "matrices/true-weyl-difference",
    always(),
    cite="Horn-Johnson, Matrix Analysis, Theorem 4.3.1",
    over=grid(n=[4, 12], i=[1, 2], j=[1, 3]),
)
def weyl_difference(forall, *, n, i, j):
    """lambda_{i+j-1}(P - Q) <= lambda_i(P) + lambda_j(-Q), eigenvalues in decreasing order."""
    p = forall.psd("p", n)
    q = forall.psd("q", n)
    difference = torch.linalg.eigvalsh(p - q).flip(-1)
    return difference[:, i + j - 2], torch.linalg.eigvalsh(p).flip(-1)[:, i - 1] + torch.linalg.eigvalsh(-q).flip(-1)[
        :, j - 1
    ]


@claim(
    "matrices/true-cauchy-interlacing",
    always(),
    cite="Horn-Johnson, Matrix Analysis, Theorem 4.3.17",
    over=grid(n=[2, 10, 40]),
)
def cauchy_interlacing(forall, *, n):
    """lambda_k(A) <= lambda_k(B) <= lambda_{k+1}(A) (ascending) for B = A without its last row and column."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    a = (x + x.mT) / 2
    outer = torch.linalg.eigvalsh(a)
    inner = torch.linalg.eigvalsh(a[:, :-1, :-1])
    gaps = torch.cat([outer[:, :-1] - inner, inner - outer[:, 1:]], dim=-1)
    return gaps.amax(-1), 0.0


@claim(
    "matrices/true-minkowski-determinant",
    always(),
    cite="Horn-Johnson, Matrix Analysis, Theorem 7.8.21",
    over=grid(n=[2, 4]),
)
def minkowski_determinant(forall, *, n):
    """det(A)^{1/n} + det(B)^{1/n} <= det(A + B)^{1/n} for positive semidefinite A and B."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    left, right, both = (torch.linalg.det(m).clamp_min(0) ** (1 / n) for m in (a, b, a + b))
    return left + right, both


@claim(
    "matrices/true-hoffman-wielandt",
    always(),
    cite="Horn-Johnson, Matrix Analysis, Corollary 6.3.8",
    over=grid(n=[1, 3, 25]),
)
def hoffman_wielandt(forall, *, n):
    """sum_i (lambda_i(A) - lambda_i(B))^2 <= ||A - B||_F^2 for symmetric A and B, both ordered."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    y = forall.interval("y", -1.0, 1.0, n, n)
    a, b = (x + x.mT) / 2, (y + y.mT) / 2
    shift = torch.linalg.eigvalsh(a) - torch.linalg.eigvalsh(b)
    return shift.square().sum(-1), (a - b).square().sum((-2, -1))


@claim("matrices/true-davis-kahan-sine", always(), cite="Yu, Wang, Samworth 2015, Corollary 1", over=grid(n=[2, 6, 20]))
def davis_kahan_sine(forall, *, n):
    """sin(angle of the top eigenvectors of A and A + E) * (lambda_1(A) - lambda_2(A)) <= 2 ||E||_op."""
    a = forall.psd("a", n)
    x = forall.interval("x", -1.0, 1.0, n, n)
    e = (x + x.mT) / 2
    values, vectors = torch.linalg.eigh(a)
    _, moved = torch.linalg.eigh(a + e)
    cosine = (vectors[..., -1] * moved[..., -1]).sum(-1)
    sine = (1 - cosine**2).clamp_min(0).sqrt()
    return sine * (values[:, -1] - values[:, -2]), 2 * torch.linalg.matrix_norm(e, 2)


@claim(
    "matrices/true-powers-stormer",
    always(),
    cite="Powers, Stormer 1970, Lemma 4.1; Bhatia, Theorem X.1.3",
    over=grid(n=[1, 3, 15]),
)
def powers_stormer(forall, *, n):
    """||A^{1/2} - B^{1/2}||_F^2 <= ||A - B||_1 (nuclear norm) for positive semidefinite A and B."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    return (_root(a) - _root(b)).square().sum((-2, -1)), torch.linalg.matrix_norm(a - b, "nuc")


@claim(
    "matrices/true-weighted-chi-square",
    high_probability("delta"),
    cite="Laurent, Massart 2000, Lemma 1",
    over=grid(d=[1, 5, 60], delta=[0.05, 0.3]),
)
def weighted_chi_square(forall, draw, *, d, delta):
    """sum_i a_i (g_i^2 - 1) <= 2 |a|_2 sqrt(log(1/delta)) + 2 |a|_inf log(1/delta) with probability 1 - delta."""
    a = forall.simplex("a", d)
    g = draw.normal("g", d)
    t = math.log(1 / delta)
    return (a * (g**2 - 1)).sum(-1), 2 * a.norm(dim=-1) * math.sqrt(t) + 2 * a.amax(-1) * t


@claim(
    "matrices/true-khinchine-szarek",
    expectation(range=(1 / math.sqrt(2) - math.sqrt(12), 1 / math.sqrt(2))),
    cite="Szarek 1976; Latala, Oleszkiewicz 1994",
    over=grid(d=[1, 2, 12]),
)
def khinchine_szarek(forall, draw, *, d):
    """|a|_2 / sqrt(2) <= E |<a, eps>| for random signs eps (the best constant in Khinchine's inequality)."""
    a = forall.sphere("a", d)
    signs = draw.signs("eps", d)
    return a.norm(dim=-1) / math.sqrt(2), (a * signs).sum(-1).abs()


@claim(
    "matrices/true-vandermonde",
    identity(),
    cite="Golub-Van Loan, Matrix Computations, Section 4.6",
    over=grid(n=[1, 3, 6]),
)
def vandermonde(forall, *, n):
    """det(x_i^j) = prod_{i<j} (x_j - x_i)."""
    x = forall.interval("x", -2.0, 2.0, n)
    powers = x.unsqueeze(-1) ** torch.arange(n, dtype=x.dtype)
    i, j = torch.triu_indices(n, n, offset=1)
    return torch.linalg.det(powers), (x[:, j] - x[:, i]).prod(-1)


@claim(
    "matrices/true-bottcher-wenzel",
    always(),
    cite="Vong, Jin 2008; Bottcher, Wenzel 2008, Theorem 1",
    over=grid(n=[1, 2, 6]),
)
def bottcher_wenzel(forall, *, n):
    """||AB - BA||_F <= sqrt(2) ||A||_F ||B||_F for all real square A and B."""
    a = forall.interval("a", -1.0, 1.0, n, n)
    b = forall.interval("b", -1.0, 1.0, n, n)
    commutator = a @ b - b @ a
    return torch.linalg.matrix_norm(commutator), math.sqrt(2) * torch.linalg.matrix_norm(a) * torch.linalg.matrix_norm(
        b
    )


@claim(
    "matrices/true-sylvester-determinant",
    identity(),
    cite="Horn-Johnson, Matrix Analysis, Section 0.8.5",
    over=grid(n=[5, 40], k=[1, 3]),
)
def sylvester_determinant(forall, *, n, k):
    """log det(I_n + U U') = log det(I_k + U' U)."""
    u = forall.interval("u", -10.0, 10.0, n, k)
    large = torch.eye(n, dtype=u.dtype) + u @ u.mT
    small = torch.eye(k, dtype=u.dtype) + u.mT @ u
    return torch.logdet(large), torch.logdet(small)


@claim(
    "matrices/true-loewner-heinz",
    always(),
    cite="Bhatia, Matrix Analysis, Proposition V.1.8 (Loewner-Heinz)",
    over=grid(n=[1, 2, 7]),
)
def loewner_heinz(forall, *, n):
    """(A + B)^{1/2} - A^{1/2} is positive semidefinite for positive semidefinite A and B."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    return -torch.linalg.eigvalsh(_root(a + b) - _root(a))[:, 0], 0.0


@claim(
    "matrices/true-hutchinson-variance",
    expectation(range=(-2.0, 25.0)),
    cite="Hutchinson 1989; Avron, Toledo 2011, Lemma 9",
    over=grid(n=[1, 2, 5]),
)
def hutchinson_variance(forall, draw, *, n):
    """E (z'Az - tr A)^2 <= 2 (||A||_F^2 - sum_i a_ii^2) for random signs z (in truth an equality)."""
    a = forall.psd("a", n, trace=1.0)
    z = draw.signs("z", n)
    diagonal = a.diagonal(dim1=-2, dim2=-1)
    form = (z * (a @ z.unsqueeze(-1)).squeeze(-1)).sum(-1)
    return (form - diagonal.sum(-1)).square(), 2 * (a.square().sum((-2, -1)) - diagonal.square().sum(-1))


@claim(
    "matrices/true-least-singular-value",
    rate("n", -0.5),
    cite="Edelman 1988, Corollary 3.1",
    over=grid(n=[4, 8, 16, 32, 64]),
)
def least_singular_value(draw, *, n):
    """The least singular value of a square Gaussian matrix is of order n^{-1/2} in the mean."""
    return torch.linalg.svdvals(draw.normal("g", n, n))[:, -1]


@claim(
    "matrices/true-rayleigh-residual",
    always(),
    cite="Stewart-Sun, Matrix Perturbation Theory, Theorem V.4.1 ff.",
    over=grid(n=[1, 3, 25]),
)
def rayleigh_residual(forall, *, n):
    """Some eigenvalue of symmetric A is within |Ax - rho x| of the Rayleigh quotient rho of the unit vector x."""
    x = forall.interval("m", -1.0, 1.0, n, n)
    a = (x + x.mT) / 2
    v = forall.sphere("v", n)
    image = (a @ v.unsqueeze(-1)).squeeze(-1)
    rho = (v * image).sum(-1, keepdim=True)
    return (torch.linalg.eigvalsh(a) - rho).abs().amin(-1), (image - rho * v).norm(dim=-1)


@claim(
    "matrices/true-logdet-subadditive",
    always(),
    cite="Horn-Johnson, Matrix Analysis, 7.8 (Fischer); Rotfel'd 1969",
    over=grid(n=[1, 6, 30]),
)
def logdet_subadditive(forall, *, n):
    """log det(I + A + B) <= log det(I + A) + log det(I + B) for positive semidefinite A and B."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    eye = torch.eye(n, dtype=a.dtype)
    return torch.logdet(eye + a + b), torch.logdet(eye + a) + torch.logdet(eye + b)


@claim(
    "matrices/true-sign-determinant-six",
    always(),
    cite="Hadamard's maximal determinant problem; OEIS A003433",
    over=grid(n=[6]),
)
def sign_determinant_six(forall, *, n):
    """|det S| <= 160 for every 6 x 6 matrix of signs."""
    return torch.linalg.det(forall.signs("s", n, n)).abs(), 160.0


@claim(
    "matrices/true-kantorovich-wide",
    always(),
    cite="Horn-Johnson, Matrix Analysis, Theorem 7.4.41 (Kantorovich)",
    over=grid(d=[1, 2, 30]),
)
def kantorovich_wide(forall, *, d):
    """(sum w a)(sum w / a) <= (max a + min a)^2 / (4 max a min a) for a = 10^e and weights w."""
    w = forall.simplex("w", d)
    a = 10.0 ** forall.interval("e", -6.0, 6.0, d)
    top, low = a.amax(-1), a.amin(-1)
    return (w * a).sum(-1) * (w / a).sum(-1), (top + low) ** 2 / (4 * top * low)


@claim(
    "matrices/true-oppenheim",
    always(),
    cite="Horn-Johnson, Matrix Analysis, Theorem 7.8.16 (Oppenheim)",
    over=grid(n=[1, 2, 6]),
)
def oppenheim(forall, *, n):
    """det(A) prod_i b_ii <= det(A o B) for positive semidefinite A and B (entrywise product)."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    return torch.linalg.det(a) * b.diagonal(dim1=-2, dim2=-1).prod(-1), torch.linalg.det(a * b)


@claim(
    "matrices/true-polarization",
    identity(),
    cite="Horn-Johnson, Matrix Analysis, Section 5.1 (polarization)",
    over=grid(d=[1, 20, 200]),
)
def polarization(forall, *, d):
    """(|x + y|^2 - |x - y|^2) / 4 = <x, y>."""
    x = forall.sphere("x", d, radius=1000.0)
    y = forall.ball("y", d, radius=0.001)
    return ((x + y).square().sum(-1) - (x - y).square().sum(-1)) / 4, (x * y).sum(-1)


@claim(
    "matrices/plain-weyl-second",
    always(),
    cite="Horn-Johnson, Matrix Analysis, Theorem 4.3.1, indices forgotten",
    over=grid(n=[2, 10]),
    expected="refuted",
)
def weyl_second(forall, *, n):
    """lambda_2(A + B) <= lambda_2(A) + lambda_2(B), second largest eigenvalues of psd matrices."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    second, first, other = (torch.linalg.eigvalsh(m)[:, -2] for m in (a + b, a, b))
    return second, first + other


@claim(
    "matrices/subtle-triple-trace",
    always(),
    cite="Gram determinants; the sharp constant is 1/8",
    over=grid(n=[3]),
    expected="refuted",
)
def triple_trace_low(forall, *, n):
    """tr(ABC) >= -0.1235 for states A, B, C (true with 0.125).

    Findable: the optimum, three projections at 120 degrees in a common plane, is a smooth maximum that ascent reaches.
    """
    a, b, c = forall.psd("a", n, trace=1.0), forall.psd("b", n, trace=1.0), forall.psd("c", n, trace=1.0)
    return -(a @ b @ c).diagonal(dim1=-2, dim2=-1).sum(-1), 0.1235


@claim(
    "matrices/plain-davis-kahan-one",
    always(),
    cite="Davis-Kahan with the gap of A alone and the factor 2 forgotten",
    over=grid(n=[2, 6]),
    expected="refuted",
)
def davis_kahan_one(forall, *, n):
    """sin(angle of the top eigenvectors of A and A + E) * (lambda_1(A) - lambda_2(A)) <= ||E||_op."""
    a = forall.psd("a", n)
    x = forall.interval("x", -1.0, 1.0, n, n)
    e = (x + x.mT) / 2
    values, vectors = torch.linalg.eigh(a)
    _, moved = torch.linalg.eigh(a + e)
    cosine = (vectors[..., -1] * moved[..., -1]).sum(-1)
    sine = (1 - cosine**2).clamp_min(0).sqrt()
    return sine * (values[:, -1] - values[:, -2]), torch.linalg.matrix_norm(e, 2)


@claim(
    "matrices/subtle-sign-determinant-seven",
    always(),
    cite="Hadamard's maximal determinant problem: 576 for n = 7",
    over=grid(n=[7]),
    expected="refuted",
)
def sign_determinant_seven(forall, *, n):
    """|det S| <= 560 for every 7 x 7 matrix of signs (the possible values are multiples of 64).

    Findable: the maximum 576 = 9 * 64 is reached by single flips from a fair share of random starts.
    """
    return torch.linalg.det(forall.signs("s", n, n)).abs(), 560.0


PROOFS = {
    "matrices/true-weyl-difference": (
        "Weyl's inequality lambda_{i+j-1}(A+B) <= lambda_i(A) + lambda_j(B) with A = P, B = -Q (i + j - 1 <= "
        "n on the grid)."
    ),
    "matrices/true-cauchy-interlacing": ("Cauchy's interlacing theorem (Courant-Fischer restricted to a hyperplane)."),
    "matrices/true-minkowski-determinant": (
        "Minkowski's determinant theorem (AM-GM for the eigenvalues of A^{-1}B; the singular case by continuity)."
    ),
    "matrices/true-hoffman-wielandt": (
        "Hoffman-Wielandt for symmetric matrices: tr(AB) <= sum lambda_i(A) lambda_i(B); equality for n = 1 "
        "and commuting alike."
    ),
    "matrices/true-davis-kahan-sine": (
        "Yu-Wang-Samworth Corollary 1 with j = 1 (lambda_0 = infinity), any top eigenvector of A + E; trivial"
        " when the gap of A is 0."
    ),
    "matrices/true-powers-stormer": "The Powers-Stormer inequality; equality at B = 0.",
    "matrices/true-weighted-chi-square": (
        "Laurent-Massart Lemma 1, upper tail: P(Z >= 2|a|_2 sqrt x + 2|a|_inf x) <= exp(-x) for a >= 0."
    ),
    "matrices/true-khinchine-szarek": (
        "Szarek's sharp Khinchine inequality in L1, equality at (1, 1, 0, ...)/sqrt 2; |<a, eps>| is in [0, sqrt d]."
    ),
    "matrices/true-vandermonde": "The Vandermonde determinant.",
    "matrices/true-bottcher-wenzel": (
        "The Boettcher-Wenzel inequality, proved by Vong and Jin (real) ; equality at E12, E21."
    ),
    "matrices/true-sylvester-determinant": "Sylvester's determinant identity.",
    "matrices/true-loewner-heinz": "The square root is operator monotone and A <= A + B.",
    "matrices/true-hutchinson-variance": (
        "z'Az - tr A = 2 sum_{i<j} a_ij z_i z_j with orthonormal products, so equality; z'Az is in [0, n], "
        "the sides in [0, 16] and [0, 2]."
    ),
    "matrices/true-least-singular-value": (
        "Edelman: sqrt(n) sigma_min converges in law (density (1 + sqrt x)/(2 sqrt x) exp(-(x/2 + sqrt x)) "
        "for n sigma_min^2), with means."
    ),
    "matrices/true-rayleigh-residual": (
        "|Av - rho v|^2 = sum (lambda_i - rho)^2 c_i^2 >= min_i (lambda_i - rho)^2 with sum c_i^2 = 1."
    ),
    "matrices/true-logdet-subadditive": (
        "det(I+A)^{-1} det(I+A+B) = det(I + B^{1/2}(I+A)^{-1}B^{1/2}) <= det(I+B); equality where A and B "
        "have orthogonal ranges."
    ),
    "matrices/true-sign-determinant-six": (
        "Maximal determinants of +-1 matrices: 1, 2, 4, 16, 48, 160, 576, 4096 (Williamson 1946); also the "
        "Ehlich-Wojtas bound for n = 6."
    ),
    "matrices/true-kantorovich-wide": (
        "Kantorovich's inequality; equality for equal entries and for weights 1/2, 1/2 on the extremes."
    ),
    "matrices/true-oppenheim": (
        "Oppenheim's inequality; equality for diagonal A, and 0 = 0 when A and A o B are singular (A = B of "
        "equal entries)."
    ),
    "matrices/true-polarization": ("Expand both squares; rounding is 1e-10 beside products of size at most 1."),
}


WITNESSES = {
    "matrices/plain-weyl-second": {
        "params": {"n": 2},
        "values": {"a": [[1.0, 0.0], [0.0, 0.0]], "b": [[0.0, 0.0], [0.0, 1.0]]},
        "why": "lambda_2(I) = 1 against 0 + 0",
    },
    "matrices/subtle-triple-trace": {
        "params": {"n": 3},
        "values": {
            "a": [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
            "b": [[0.25, -math.sqrt(3) / 4, 0.0], [-math.sqrt(3) / 4, 0.75, 0.0], [0.0, 0.0, 0.0]],
            "c": [[0.25, math.sqrt(3) / 4, 0.0], [math.sqrt(3) / 4, 0.75, 0.0], [0.0, 0.0, 0.0]],
        },
        "why": "product of the three cosines (-1/2)^3 = -1/8, so 0.125 > 0.1235",
    },
    "matrices/plain-davis-kahan-one": {
        "params": {"n": 2},
        "values": {"a": [[1.0, 0.0], [0.0, 0.0]], "x": [[-0.75, 0.0], [0.0, 0.75]]},
        "why": ("A + E = diag(0.25, 0.75): the angle is 90 degrees, the gap 1, the norm 0.75"),
    },
    "matrices/subtle-sign-determinant-seven": {
        "params": {"n": 7},
        "values": {
            "s": [
                [-1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0],
                [1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0],
                [1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0],
                [1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0],
                [1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0],
                [1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0],
                [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, -1.0],
            ]
        },
        "why": "integer determinant +-576 by exact elimination",
    },
}
