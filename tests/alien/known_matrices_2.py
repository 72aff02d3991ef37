"""Alien claims, known, part 2 of 2: matrices; see README.md."""

import math

import torch

from harness import always, claim, expectation, grid, high_probability, rate


def _root(m):
    values, vectors = torch.linalg.eigh(m)
    return (vectors * values.clamp_min(0).sqrt().unsqueeze(-2)) @ vectors.mT


@claim(
    "matrices/plain-minkowski-exponent",
    always(),
    cite="Horn-Johnson, Theorem 7.8.21, with the exponent 1/(n + 1)",
    over=grid(n=[3]),
    expected="refuted",
)
def minkowski_exponent(forall, *, n):
    """det(A)^{1/(n+1)} + det(B)^{1/(n+1)} <= det(A + B)^{1/(n+1)} for positive semidefinite A and B."""
    a = forall.psd("a", n)
    b = forall.psd("b", n)
    left, right, both = (torch.linalg.det(m).clamp_min(0) ** (1 / (n + 1)) for m in (a, b, a + b))
    return left + right, both


@claim(
    "matrices/subtle-integer-condition",
    always(),
    cite="Golub-Van Loan, Section 2.6.2; for 2 x 2, kappa + 1/kappa = ||A||_F^2 / |det A|",
    over=grid(m=[10]),
    expected="refuted",
)
def integer_condition(forall, *, m):
    """A nonsingular 2 x 2 matrix of integers in [-10, 10] has kappa + 1/kappa = ||A||_F^2 / |det A| <= 300.

    Findable: 32 of the 194,481 matrices violate it ([[10, 9], [9, 8]] and its signed relatives, 326); random search
    meets them.
    """
    a = forall.integers("a", -m, m, 2, 2)
    determinant = a[:, 0, 0] * a[:, 1, 1] - a[:, 0, 1] * a[:, 1, 0]
    return a.square().sum((-2, -1)) / determinant.abs(), 300.0


@claim(
    "matrices/plain-absolute-value-lipschitz",
    always(),
    cite="Bhatia, Matrix Analysis, Theorem VII.5.7: the constant is sqrt 2",
    over=grid(n=[2, 5]),
    expected="refuted",
)
def absolute_value_lipschitz(forall, *, n):
    """|| |X| - |Y| ||_F <= ||X - Y||_F with |X| = (X'X)^{1/2}, for square X and Y."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    y = forall.interval("y", -1.0, 1.0, n, n)
    return torch.linalg.matrix_norm(_root(x.mT @ x) - _root(y.mT @ y)), torch.linalg.matrix_norm(x - y)


@claim(
    "matrices/subtle-six-lines",
    always(),
    cite="Horn-Johnson, Gram matrices; equiangular lines: 1/sqrt 5 is best for six lines in space",
    over=grid(n=[6]),
    expected="refuted",
)
def six_lines(forall, *, n):
    """Among six unit vectors in space two have |<x_i, x_j>| >= 0.46.

    Findable: the diagonals of the icosahedron have 0.4472, an attractive minimum of the largest product.
    """
    x = forall.sphere("x", n, 3)
    i, j = torch.triu_indices(n, n, offset=1)
    return 0.46, (x @ x.mT)[:, i, j].abs().amax(-1)


@claim(
    "matrices/plain-interlacing-two-deleted",
    always(),
    cite="Horn-Johnson, Theorem 4.3.28, with the index for one deletion",
    over=grid(n=[4, 12]),
    expected="refuted",
)
def interlacing_two_deleted(forall, *, n):
    """lambda_k(B) <= lambda_{k+1}(A) (ascending) for B = A without its last two rows and columns."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    a = (x + x.mT) / 2
    inner = torch.linalg.eigvalsh(a[:, :-2, :-2])
    return (inner - torch.linalg.eigvalsh(a)[:, 1:-1]).amax(-1), 0.0


@claim(
    "matrices/subtle-anticommutator",
    always(),
    cite="for 0 <= A, B <= 1 the sharp bound is AB + BA >= -1/4",
    over=grid(n=[4]),
    expected="refuted",
)
def anticommutator_low(forall, *, n):
    """lambda_min(AB + BA) >= -0.2475 for states A and B (true with 0.25).

    Findable: two projections at 60 degrees; rank one is a corner of the set and the angle climbs smoothly.
    """
    a = forall.psd("a", n, trace=1.0)
    b = forall.psd("b", n, trace=1.0)
    return -torch.linalg.eigvalsh(a @ b + b @ a)[:, 0], 0.2475


@claim(
    "matrices/plain-hutchinson-one",
    expectation(range=(-1.0, 25.0)),
    cite="Avron, Toledo 2011, Lemma 9, with the factor 2 forgotten",
    over=grid(n=[6]),
    expected="refuted",
)
def hutchinson_one(forall, draw, *, n):
    """E (z'Az - tr A)^2 <= ||A||_F^2 - sum_i a_ii^2 for random signs z."""
    a = forall.psd("a", n, trace=1.0)
    z = draw.signs("z", n)
    diagonal = a.diagonal(dim1=-2, dim2=-1)
    form = (z * (a @ z.unsqueeze(-1)).squeeze(-1)).sum(-1)
    return (form - diagonal.sum(-1)).square(), a.square().sum((-2, -1)) - diagonal.square().sum(-1)


@claim(
    "matrices/subtle-commutator",
    always(),
    cite="Bottcher-Wenzel inequality: the sharp constant is 2",
    over=grid(n=[4]),
    expected="refuted",
)
def commutator_low(forall, *, n):
    """||AB - BA||_F^2 <= 1.96 ||A||_F^2 ||B||_F^2 for all 4 x 4 matrices (true with 2).

    Findable: equality at E12, E21 and everything similar to it by rotations; the ratio is smooth and ascent ends there.
    """
    a = forall.interval("a", -1.0, 1.0, n, n)
    b = forall.interval("b", -1.0, 1.0, n, n)
    squares = [m.square().sum((-2, -1)) for m in (a @ b - b @ a, a, b)]
    return squares[0], 1.96 * squares[1] * squares[2]


@claim(
    "matrices/plain-covariance-rate",
    rate("n", -1.0),
    cite="Tropp 2015, Section 1.6.3: the rate is n^{-1/2}",
    over=grid(n=[32, 64, 128, 256, 512]),
    expected="refuted",
)
def covariance_rate(draw, *, n):
    """The mean operator norm error of the sample covariance of n Gaussian vectors in R^4 decays like 1/n."""
    x = draw.normal("x", n, 4)
    return torch.linalg.matrix_norm(x.mT @ x / n - torch.eye(4, dtype=x.dtype), 2)


@claim(
    "matrices/subtle-cholesky-stormer",
    always(),
    cite="Powers-Stormer inequality, with Cholesky factors instead of roots",
    over=grid(n=[3]),
    expected="refuted",
)
def cholesky_stormer(forall, *, n):
    """||chol(A + 0.15 I) - chol(B + 0.15 I)||_F^2 <= ||A - B||_1 for states A and B.

    Findable: nearly all pairs of full rank obey it, some four percent of the pairs of rank one do not; vectors whose
    factors differ by signs within a column are the worst, and the objective is smooth there.
    """
    a = forall.psd("a", n, trace=1.0)
    b = forall.psd("b", n, trace=1.0)
    ridge = torch.eye(n, dtype=a.dtype) * 0.15
    factors = torch.linalg.cholesky(a + ridge) - torch.linalg.cholesky(b + ridge)
    return factors.square().sum((-2, -1)), torch.linalg.matrix_norm(a - b, "nuc")


@claim(
    "matrices/plain-hilbert-constant",
    always(),
    cite="Hilbert's inequality (Horn-Johnson, 5.6); the constant pi, here read as 2.1",
    over=grid(n=[200]),
    expected="refuted",
)
def hilbert_constant(forall, *, n):
    """sum_{i,j} x_i x_j / (i + j - 1) <= 2.1 sum_i x_i^2 for nonnegative x in R^200."""
    x = forall.interval("x", 0.0, 1.0, n)
    i = torch.arange(1, n + 1, dtype=x.dtype)
    hilbert = 1 / (i.unsqueeze(-1) + i - 1)
    return (x * (x @ hilbert)).sum(-1), 2.1 * x.square().sum(-1)


@claim(
    "matrices/subtle-nuclear-frobenius",
    always(),
    cite="Horn-Johnson, 5.6.P: the constant is sqrt(n), reached by orthogonal matrices only",
    over=grid(n=[12]),
    expected="refuted",
)
def nuclear_frobenius(forall, *, n):
    """||X||_1 <= sqrt(0.98 n) ||X||_F for all 12 x 12 X (true with n).

    Findable: the ratio is smooth and without other maxima, ascent ends at multiples of orthogonal matrices.
    """
    x = forall.interval("x", -1.0, 1.0, n, n)
    return torch.linalg.svdvals(x).sum(-1), math.sqrt(0.98 * n) * torch.linalg.matrix_norm(x)


@claim(
    "matrices/subtle-khinchine-constant",
    expectation(range=(0.74 - math.sqrt(10), 0.74)),
    cite="Szarek 1976: the best constant is 1/sqrt 2 = 0.7071",
    over=grid(d=[10]),
    expected="refuted",
)
def khinchine_constant(forall, draw, *, d):
    """0.74 |a|_2 <= E |<a, eps>| for random signs eps.

    Findable: violated only where two entries share nearly all the mass equally, a sparse vector with two equal entries.
    """
    a = forall.sphere("a", d)
    return 0.74 * a.norm(dim=-1), (a * draw.signs("eps", d)).sum(-1).abs()


@claim(
    "matrices/subtle-sign-sum-tail",
    high_probability("delta"),
    cite="Tomaszewski-type tail: the mass at sqrt 2 is 1/2",
    over=grid(d=[10], delta=[0.4]),
    expected="refuted",
)
def sign_sum_tail(forall, draw, *, d, delta):
    """|<a, eps>| <= 1.4 |a|_2 with probability at least 0.6 for random signs eps.

    Findable: violated with probability 1/2 at two equal entries and zeros elsewhere, a sparse vector (sqrt 2 > 1.4).
    """
    a = forall.sphere("a", d)
    return (a * draw.signs("eps", d)).sum(-1).abs(), 1.4 * a.norm(dim=-1)


@claim(
    "matrices/plain-singular-product",
    always(),
    cite="Horn-Johnson, Topics in Matrix Analysis, Theorem 3.3.16, misread",
    over=grid(n=[2, 5]),
    expected="refuted",
)
def singular_product(forall, *, n):
    """sigma_2(AB) <= sigma_2(A) sigma_2(B) for square A and B."""
    a = forall.interval("a", -1.0, 1.0, n, n)
    b = forall.interval("b", -1.0, 1.0, n, n)
    second, first, other = (torch.linalg.svdvals(m)[:, 1] for m in (a @ b, a, b))
    return second, first * other


@claim(
    "matrices/plain-path-gap-rate",
    rate("n", -2.4),
    cite="Fiedler 1973: the path's second eigenvalue is 2 - 2 cos(pi/n)",
    over=grid(n=[8, 16, 32, 64, 128]),
    expected="refuted",
)
def path_gap_rate(draw, *, n):
    """The algebraic connectivity of a path on n vertices decays like n^{-2.4}."""
    step = torch.diag(torch.ones(n - 1, dtype=torch.float64), 1)
    laplacian = torch.diag((step + step.mT).sum(-1)) - step - step.mT
    return torch.linalg.eigvalsh(laplacian)[1] + 0.0 * draw.uniform("u")


@claim(
    "matrices/plain-sign-determinant-mean",
    expectation(range=(-5.5, 10.5)),
    cite="Turan: E det^2 = n!, so 6 for n = 3",
    over=grid(n=[3]),
    expected="refuted",
)
def sign_determinant_mean(draw, *, n):
    """E det(S)^2 <= 5.5 for a random 3 x 3 matrix of signs."""
    return torch.linalg.det(draw.signs("s", n, n)).square(), 5.5


@claim(
    "matrices/plain-gershgorin-half",
    always(),
    cite="Horn-Johnson, Matrix Analysis, Theorem 6.1.1, with half the radius",
    over=grid(n=[5, 30]),
    expected="refuted",
)
def gershgorin_half(forall, *, n):
    """lambda_max(A) <= max_i (a_ii + sum_{j != i} |a_ij| / 2) for symmetric A."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    a = (x + x.mT) / 2
    diagonal = a.diagonal(dim1=-2, dim2=-1)
    radius = a.abs().sum(-1) - diagonal.abs()
    return torch.linalg.eigvalsh(a)[:, -1], (diagonal + radius / 2).amax(-1)


SHORT, LONG = math.sqrt((1 - 1 / math.sqrt(5)) / 2), math.sqrt((1 + 1 / math.sqrt(5)) / 2)


PROOFS: dict[str, object] = {}


WITNESSES = {
    "matrices/plain-minkowski-exponent": {
        "params": {"n": 3},
        "values": {
            "a": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            "b": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        },
        "why": "A = B = I: 2 against 8^(1/4) = 1.682",
    },
    "matrices/subtle-integer-condition": {
        "params": {"m": 10},
        "values": {"a": [[10.0, 9.0], [9.0, 8.0]]},
        "why": "100 + 81 + 81 + 64 = 326, |80 - 81| = 1",
    },
    "matrices/plain-absolute-value-lipschitz": {
        "params": {"n": 2},
        "values": {"x": [[1.0, 0.0], [0.0, 0.0]], "y": [[0.8, 0.6], [0.0, 0.0]]},
        "why": ("unit rank ones e e' and e v' with c = 0.8: sqrt(2 - 2c^2) = 0.8485 against sqrt(2 - 2c) = 0.6325"),
    },
    "matrices/subtle-six-lines": {
        "params": {"n": 6},
        "values": {
            "x": [
                [0.0, SHORT, LONG],
                [0.0, SHORT, -LONG],
                [SHORT, LONG, 0.0],
                [SHORT, -LONG, 0.0],
                [LONG, 0.0, SHORT],
                [-LONG, 0.0, SHORT],
            ]
        },
        "why": ("icosahedron (0, 1, phi)/sqrt(2 + phi) and cyclic: every product is +-1/sqrt 5 = 0.44721 < 0.46"),
    },
    "matrices/plain-interlacing-two-deleted": {
        "params": {"n": 4},
        "values": {"x": [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]},
        "why": ("B = I_2 has lambda_1 = 1, A = diag(1, 1, 0, 0) has second smallest eigenvalue 0"),
    },
    "matrices/subtle-anticommutator": {
        "params": {"n": 4},
        "values": {
            "a": [[1.0, 0.0, 0.0, 0.0], [0.0] * 4, [0.0] * 4, [0.0] * 4],
            "b": [[0.25, math.sqrt(3) / 4, 0.0, 0.0], [math.sqrt(3) / 4, 0.75, 0.0, 0.0], [0.0] * 4, [0.0] * 4],
        },
        "why": ("AB + BA = [[1/2, s], [s, 0]] with s^2 = 3/16: eigenvalues 3/4 and -1/4"),
    },
    "matrices/plain-hutchinson-one": {
        "params": {"n": 6},
        "values": {"a": [[1 / 6] * 6 for _ in range(6)]},
        "mean": 5 / 6,
        "why": "A = ones/6: the variance is 2 (1 - 1/6) = 5/3, the right side 5/6",
    },
    "matrices/subtle-commutator": {
        "params": {"n": 4},
        "values": {
            "a": [[0.0, 1.0, 0.0, 0.0], [0.0] * 4, [0.0] * 4, [0.0] * 4],
            "b": [[0.0] * 4, [1.0, 0.0, 0.0, 0.0], [0.0] * 4, [0.0] * 4],
        },
        "why": "the commutator of E12 and E21 is diag(1, -1, 0, 0): 2 > 1.96",
    },
    "matrices/plain-covariance-rate": {
        "params": {},
        "values": {},
        "exponent": -0.5,
        "why": (
            "central limit theorem: sqrt(n) (X'X/n - I) converges to the symmetric Gaussian matrix, whose norm "
            "has a positive mean"
        ),
    },
    "matrices/subtle-cholesky-stormer": {
        "params": {"n": 3},
        "values": {
            "a": [[9 / 49, 6 / 49, 18 / 49], [6 / 49, 4 / 49, 12 / 49], [18 / 49, 12 / 49, 36 / 49]],
            "b": [[9 / 49, -6 / 49, -18 / 49], [-6 / 49, 4 / 49, 12 / 49], [-18 / 49, 12 / 49, 36 / 49]],
        },
        "why": (
            "projections on (3, 2, 6)/7 and (3, -2, -6)/7: ratio 1.160 by 50-digit Cholesky factors (found by "
            "climbing; 1.204 at best)"
        ),
    },
    "matrices/plain-hilbert-constant": {
        "params": {"n": 200},
        "values": {"x": [1 / math.sqrt(i) for i in range(1, 201)]},
        "why": "x_i = 1/sqrt(i): quotient 2.2212 (the largest eigenvalue is 2.2743)",
    },
    "matrices/subtle-nuclear-frobenius": {
        "params": {"n": 12},
        "values": {"x": [[float(i == j) for j in range(12)] for i in range(12)]},
        "why": "X = I: 12 against sqrt(0.98) 12, one percent",
    },
    "matrices/subtle-khinchine-constant": {
        "params": {"d": 10},
        "values": {"a": [math.sqrt(0.5)] * 2 + [0.0] * 8},
        "mean": 0.74 - math.sqrt(0.5),
        "why": (
            "E |eps_1 + eps_2| / sqrt 2 = 1/sqrt 2; excess 0.0329, standard deviation 0.7071 (0.046 of it), "
            "0.0136 of |low|"
        ),
    },
    "matrices/subtle-sign-sum-tail": {
        "params": {"d": 10, "delta": 0.4},
        "values": {"a": [math.sqrt(0.5)] * 2 + [0.0] * 8},
        "probability": 0.5,
        "why": "|eps_1 + eps_2| / sqrt 2 is sqrt 2 or 0 with probability 1/2 each",
    },
    "matrices/plain-singular-product": {
        "params": {"n": 2},
        "values": {"a": [[1.0, 0.0], [0.0, 0.125]], "b": [[0.125, 0.0], [0.0, 1.0]]},
        "why": "AB = I/8: 1/8 against 1/64",
    },
    "matrices/plain-path-gap-rate": {
        "params": {},
        "values": {},
        "exponent": -2.0,
        "why": "2 - 2 cos(pi/n) = pi^2/n^2 (1 + O(n^-2))",
    },
    "matrices/plain-sign-determinant-mean": {
        "params": {"n": 3},
        "values": {},
        "mean": 0.5,
        "why": "det^2 is 16 with probability 192/512 and 0 otherwise: mean 6",
    },
    "matrices/plain-gershgorin-half": {
        "params": {"n": 5},
        "values": {"x": [[1.0] * 5 for _ in range(5)]},
        "why": "all ones: 5 against 1 + 4/2 = 3",
    },
}
