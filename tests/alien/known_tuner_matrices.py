"""Alien claims, known: truths about degenerate matrices, where a factorisation does not exist; see README.md."""

import torch

from harness import always, claim, expectation, grid, high_probability, identity


def trace(x):
    """The sum of the diagonal."""
    return x.diagonal(dim1=-2, dim2=-1).sum(-1)


@claim("tuner/true-log-det-trace", always(), over=grid(n=[1, 3]), cite="Horn-Johnson 2013, section 7.8")
def true_log_det_trace(forall, *, n):
    """log det A <= tr A - n for positive definite A."""
    a = forall.psd("a", n)
    return torch.linalg.slogdet(a).logabsdet, trace(a) - n


@claim("tuner/true-inverse-quadratic-form", always(), over=grid(n=[1, 4]), cite="Cauchy-Schwarz in the form of A")
def true_inverse_quadratic_form(forall, *, n):
    """(x' y)^2 <= (x' A x) (y' A^-1 y) for positive definite A, by `solve`."""
    a = forall.psd("a", n)
    x, y = forall.ball("x", n), forall.ball("y", n)
    solved = torch.linalg.solve(a, y)
    return (x * y).sum(-1).square(), (x * (a @ x.unsqueeze(-1)).squeeze(-1)).sum(-1) * (y * solved).sum(-1)


@claim(
    "tuner/true-trace-of-inverse", always(), over=grid(n=[1, 3]), cite="arithmetic and harmonic means of eigenvalues"
)
def true_trace_of_inverse(forall, *, n):
    """n^2 <= tr A tr A^-1 for positive definite A, by `inv`."""
    a = forall.psd("a", n)
    return float(n * n), trace(a) * trace(torch.linalg.inv(a))


@claim("tuner/true-cholesky-diagonal", always(), over=grid(n=[1, 4]), cite="Horn-Johnson 2013, Corollary 7.2.9")
def true_cholesky_diagonal(forall, *, n):
    """The squared diagonal of the Cholesky factor is at most the diagonal of A."""
    a = forall.psd("a", n)
    factor = torch.linalg.cholesky(a)
    return (factor.diagonal(dim1=-2, dim2=-1).square() - a.diagonal(dim1=-2, dim2=-1)).amax(-1), 0.0


@claim("tuner/true-correlation-spectrum", always(), over=grid(n=[1, 3]), cite="a correlation matrix has trace n")
def true_correlation_spectrum(forall, *, n):
    """The largest eigenvalue of a correlation matrix is at most n."""
    a = forall.psd("a", n)
    scale = a.diagonal(dim1=-2, dim2=-1).sqrt()
    correlation = a / (scale.unsqueeze(-1) * scale.unsqueeze(-2))
    return torch.linalg.eigvalsh(correlation)[..., -1], float(n)


@claim("tuner/true-normalised-spectral-norm", always(), over=grid(n=[1, 3]), cite="Horn-Johnson 2013, section 5.6")
def true_normalised_spectral_norm(forall, *, n):
    """The spectral norm of X / |X|_F is at most 1."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    scaled = x / torch.linalg.matrix_norm(x)[..., None, None]
    return torch.linalg.svdvals(scaled)[..., 0], 1.0


@claim("tuner/true-spectral-radius", always(), over=grid(n=[1, 2, 4]), cite="Horn-Johnson 2013, Theorem 5.6.9")
def true_spectral_radius(forall, *, n):
    """The spectral radius is at most the largest row sum of moduli; eigenvalues are complex."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    return torch.linalg.eigvals(x).abs().amax(-1), x.abs().sum(-1).amax(-1)


@claim("tuner/true-complex-eigenvalue-sum", always(), over=grid(n=[3]), cite="Schur's inequality")
def true_complex_eigenvalue_sum(forall, *, n):
    """sum |lambda_i|^2 <= |X|_F^2."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    return torch.linalg.eigvals(x).abs().square().sum(-1), x.square().sum((-1, -2))


@claim("tuner/true-penrose", identity(), over=grid(n=[1, 3]), cite="Penrose 1955")
def true_penrose(forall, *, n):
    """tr(A A+ A) = tr A for psd A, by `pinv`."""
    a = forall.psd("a", n)
    return trace(a @ torch.linalg.pinv(a, hermitian=True) @ a), trace(a)


@claim("tuner/true-condition-number", always(), over=grid(n=[1, 3]), cite="Horn-Johnson 2013, section 5.8")
def true_condition_number(forall, *, n):
    """1 <= cond(A) in the spectral norm."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    return 1.0, torch.linalg.cond(x)


@claim("tuner/true-schur-determinant", identity(rtol=1e-6), over=grid(n=[1, 3]), cite="Schur's formula")
def true_schur_determinant(forall, *, n):
    """det [A b; b' 1] = det A (1 - b' A^-1 b) for psd A + I/10."""
    a = forall.psd("a", n, trace=1.0) + 0.1 * torch.eye(n)
    b = forall.ball("b", n, radius=0.3)
    top = torch.cat([a, b.unsqueeze(-1)], -1)
    bottom = torch.cat([b, torch.ones_like(b[..., :1])], -1).unsqueeze(-2)
    whole = torch.linalg.det(torch.cat([top, bottom], -2))
    return whole, torch.linalg.det(a) * (1 - (b * torch.linalg.solve(a, b)).sum(-1))


@claim("tuner/true-cayley-transform", always(), over=grid(n=[2, 3]), cite="Horn-Johnson 2013, section 2.1")
def true_cayley_transform(forall, *, n):
    """(I + X)^-1 (I - X) with skew X has spectral norm at most 1."""
    x = forall.interval("x", -3.0, 3.0, n, n)
    x = x - x.mT
    rotation = torch.linalg.solve(torch.eye(n) + x, torch.eye(n) - x)
    return torch.linalg.matrix_norm(rotation, 2), 1.0


@claim("tuner/true-neumann-inverse", always(), over=grid(n=[1, 3]), cite="Horn-Johnson 2013, Corollary 5.6.16")
def true_neumann_inverse(forall, *, n):
    """|(I - X)^-1| (1 - |X|) <= 1 where |X| < 1, spectral norms; singular at X = I."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    norm = torch.linalg.matrix_norm(x, 2)
    inverse = torch.linalg.matrix_norm(torch.linalg.inv(torch.eye(n) - x), 2)
    return torch.where(norm < 1, inverse * (1 - norm), 0.0), 1.0


@claim("tuner/true-operator-convex-inverse", always(), over=grid(n=[1, 2]), cite="Bhatia 1997, Theorem V.2.5")
def true_operator_convex_inverse(forall, *, n):
    """tr ((A + B)/2)^-1 <= (tr A^-1 + tr B^-1) / 2 for positive definite A and B."""
    a, b = forall.psd("a", n), forall.psd("b", n)
    inverse = torch.linalg.inv
    return trace(inverse((a + b) / 2)), (trace(inverse(a)) + trace(inverse(b))) / 2


@claim("tuner/true-generalised-rayleigh", always(), over=grid(n=[1, 3]), cite="Horn-Johnson 2013, Theorem 4.2.2")
def true_generalised_rayleigh(forall, *, n):
    """x'Ax / x'Bx <= the largest eigenvalue of L^-1 A L^-T, B = L L'."""
    a, b = forall.psd("a", n), forall.psd("b", n, trace=1.0)
    x = forall.sphere("x", n).unsqueeze(-1)
    factor = torch.linalg.cholesky(b)
    half = torch.linalg.solve_triangular(factor, a, upper=False)
    whole = torch.linalg.solve_triangular(factor, half.mT, upper=False)
    ratio = (x.mT @ a @ x / (x.mT @ b @ x)).squeeze(-1).squeeze(-1)
    return ratio, torch.linalg.eigvalsh(whole)[..., -1]


@claim("tuner/true-polar-factor", always(), over=grid(n=[1, 3]), cite="Fan-Hoffman 1955")
def true_polar_factor(forall, *, n):
    """tr X <= tr |X|, the nuclear norm, by the square root of X'X."""
    x = forall.interval("x", -1.0, 1.0, n, n)
    return trace(x), torch.linalg.eigvalsh(x.mT @ x).clamp_min(0).sqrt().sum(-1)


@claim("tuner/true-hadamard-determinant", always(), over=grid(n=[1, 4]), cite="Hadamard 1893")
def true_hadamard_determinant(forall, *, n):
    """det A <= the product of the diagonal, psd A."""
    a = forall.psd("a", n)
    return torch.linalg.det(a), a.diagonal(dim1=-2, dim2=-1).prod(-1)


@claim("tuner/true-projection-trace", always(), over=grid(n=[4], d=[1, 3]), cite="the hat matrix has trace rank X")
def true_projection_trace(forall, *, n, d):
    """tr X (X'X)^-1 X' <= d, by `solve`; X may have dependent columns."""
    x = forall.interval("x", -1.0, 1.0, n, d)
    return trace(torch.linalg.solve(x.mT @ x, x.mT @ x)), float(d) + 1e-6


@claim("tuner/true-eigenvector-quadratic", always(), over=grid(n=[1, 3]), cite="the spectral theorem")
def true_eigenvector_quadratic(forall, *, n):
    """u'Au <= |A| for an eigenvector u of A / tr A; eigenvalues may repeat or A vanish."""
    a = forall.psd("a", n)
    u = torch.linalg.eigh(a / trace(a)[..., None, None]).eigenvectors[..., -1:]
    return (u.mT @ a @ u).squeeze(-1).squeeze(-1), torch.linalg.matrix_norm(a)


@claim(
    "tuner/true-sample-covariance-inverse",
    expectation(range=(-2.0, 20.0)),
    over=grid(n=[6], d=[2]),
    cite="Jensen's inequality for the inverse",
)
def true_sample_covariance_inverse(forall, draw, *, n, d):
    """2 - 1/tr <= E of the trace of the sample covariance over its spectral norm, by `inv`; s_i may vanish."""
    s = forall.interval("s", 0.0, 1.0, d)
    x = s.unsqueeze(-2) * draw.normal("g", n, d)
    covariance = x.mT @ x / n
    norm = torch.linalg.matrix_norm(torch.linalg.inv(torch.linalg.inv(covariance)), 2)
    return torch.full_like(norm, 1.0 - 1e-6), trace(covariance) / norm


@claim(
    "tuner/true-mahalanobis",
    high_probability("delta"),
    over=grid(n=[10], d=[2], delta=[0.1]),
    cite="Horn-Johnson 2013 (leverages are at most one)",
)
def true_mahalanobis(forall, draw, *, n, d, delta):
    """x_1' (X'X)^-1 x_1 <= 1 for the rows of s_j g_ij; some s_j may vanish."""
    s = forall.interval("s", 0.0, 1.0, d)
    x = s.unsqueeze(-2) * draw.normal("g", n, d)
    first = x[..., 0, :]
    return (first * torch.linalg.solve(x.mT @ x, first)).sum(-1), 1.0 + 1e-6


PROOFS = {
    "tuner/true-log-det-trace": "log t <= t - 1 for each eigenvalue.",
    "tuner/true-inverse-quadratic-form": "Cauchy-Schwarz for A^(1/2) x and A^(-1/2) y.",
    "tuner/true-trace-of-inverse": "Cauchy-Schwarz for the eigenvalues.",
    "tuner/true-cholesky-diagonal": "The diagonal of A is the squared length of a row of the factor.",
    "tuner/true-correlation-spectrum": "Non-negative eigenvalues that add up to n.",
    "tuner/true-normalised-spectral-norm": "The spectral norm is at most the Frobenius norm.",
    "tuner/true-spectral-radius": "Any induced norm bounds the spectral radius.",
    "tuner/true-complex-eigenvalue-sum": "Schur: the triangular form has the same Frobenius norm.",
    "tuner/true-penrose": "Penrose's first equation.",
    "tuner/true-condition-number": "The largest singular value is at least the smallest.",
    "tuner/true-schur-determinant": "Block elimination.",
    "tuner/true-cayley-transform": "The Cayley transform of a skew matrix is orthogonal.",
    "tuner/true-neumann-inverse": "|(I - X)^-1| <= 1 / (1 - |X|) where |X| < 1.",
    "tuner/true-operator-convex-inverse": "The inverse is operator convex.",
    "tuner/true-generalised-rayleigh": "Substitute y = L' x.",
    "tuner/true-polar-factor": "tr X = tr U|X| with orthogonal U.",
    "tuner/true-hadamard-determinant": "Hadamard's inequality for psd matrices.",
    "tuner/true-projection-trace": "(X'X)^-1 X'X is the identity where it exists.",
    "tuner/true-eigenvector-quadratic": "A unit vector: u'Au <= the spectral norm <= the Frobenius norm.",
    "tuner/true-sample-covariance-inverse": "The trace of a psd matrix is at least its spectral norm.",
    "tuner/true-mahalanobis": "A leverage is a diagonal entry of a projection.",
}

WITNESSES: dict[str, dict[str, object]] = {}
