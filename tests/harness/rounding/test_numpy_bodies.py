"""Bodies that compute in numpy from whole numbers, or from no inputs: what only their rounding contradicts."""

import math

import numpy as np
import pytest
import torch
from numpy.linalg import inv

from harness import always, check, claim, grid, identity, tail
from harness.language.registry import Claim
from harness.verdict import Status


@claim("numpy/eigenvalue", always())
def eigenvalue(forall):
    """0 <= the smallest eigenvalue of x x^T."""
    x = forall.integers("x", -3, 3, 3).numpy()
    return 0.0, torch.as_tensor(np.linalg.eigvalsh(x[:, :, None] * x[:, None, :])[:, 0])


@claim("numpy/choice", always())
def choice(forall):
    """The same of two vectors."""
    x = forall.choice("x", [[1.0, 1.0, 1.0], [1.0, 2.0, 3.0]]).numpy()
    return 0.0, torch.as_tensor(np.linalg.eigvalsh(x[:, :, None] * x[:, None, :])[:, 0])


@claim("numpy/signs", always())
def signs(forall):
    """The same of vectors of signs."""
    x = forall.signs("x", 3).numpy()
    return 0.0, torch.as_tensor(np.linalg.eigvalsh(x[:, :, None] * x[:, None, :])[:, 0])


@claim("numpy/determinant", identity())
def determinant(forall):
    """det x y^T = 0."""
    x, y = forall.integers("x", -9, 9, 3).numpy(), forall.integers("y", -9, 9, 3).numpy()
    return torch.as_tensor(np.linalg.det(x[:, :, None] * y[:, None, :])), 0.0


@claim("numpy/convolution", always())
def convolution(forall):
    """0 <= x * y for x, y >= 0, by Fourier transforms."""
    x, y = forall.integers("x", 0, 3, 4).numpy(), forall.integers("y", 0, 3, 4).numpy()
    return 0.0, torch.as_tensor(np.fft.irfft(np.fft.rfft(x, 7) * np.fft.rfft(y, 7), 7).min(-1))


@claim("numpy/sinc", identity())
def sinc(forall):
    """sin(pi n) / (pi n) = 0."""
    return torch.as_tensor(np.sinc(forall.integers("n", 1, 9).numpy())), 0.0


@claim("numpy/no-input", always(), over=grid(n=[3]))
def no_input(*, n):
    """0 <= the smallest eigenvalue of a matrix of ones, which no function of torch sees."""
    return 0.0, np.linalg.eigvalsh(np.ones((n, n)))[0]


@claim("numpy/roots", identity())
def roots():
    """The roots of (x - 1)^3 are one: float64 finds 1.0000066 of exact coefficients."""
    return np.abs(np.roots([1.0, -3.0, 3.0, -1.0])).max(), 1.0


@claim("numpy/nilpotent", always())
def nilpotent():
    """The eigenvalues of P^-1 J P are zero for a Jordan block J, P of zeros and ones."""
    p = np.tril(np.ones((8, 8)))
    return np.abs(np.linalg.eigvals(p @ np.eye(8, k=1) @ np.linalg.inv(p))).max(), 0.0


@claim("numpy/solve", identity())
def solve(forall):
    """A^-1 A 1 = 1 for A = U^T U, U unit triangular and whole, whose condition is 1e12 at the worst."""
    u = np.triu(forall.integers("a", -3, 3, 10, 10).numpy(), 1) + np.eye(10)
    a = np.swapaxes(u, -1, -2) @ u
    return torch.as_tensor(np.linalg.solve(a, (a @ np.ones(10))[..., None])[..., 0].sum(-1)), 10.0


def _inverse(a: np.ndarray) -> np.ndarray:
    return inv(a)


@claim("numpy/inverse", identity())
def inverse(forall):
    """A^-1 A = I, by a function of its own name inside another one."""
    u = np.triu(forall.integers("a", -3, 3, 10, 10).numpy(), 1) + np.eye(10)
    a = np.swapaxes(u, -1, -2) @ u
    return torch.as_tensor((_inverse(a) @ a).sum((-1, -2))), 10.0


@claim("numpy/local-import", always())
def local_import():
    """0 <= the smallest eigenvalue of a matrix of ones, of a library that only the body names."""
    from scipy import linalg

    return 0.0, linalg.eigvalsh(np.ones((3, 3)))[0]


@claim("numpy/rank", identity())
def rank(forall):
    """rank x y^T = 1 and |x|_0 = 5 for positive whole x and y: what counts is not moved."""
    x, y = forall.integers("x", 1, 9, 5).numpy(), forall.integers("y", 1, 9, 5).numpy()
    ranks = np.linalg.matrix_rank(x[:, :, None] * y[:, None, :])
    return torch.as_tensor(ranks * [np.linalg.norm(each, 0) for each in x]), 5.0


@claim("numpy/inverse-false", always())
def inverse_false(forall):
    """The entries of U^-1 are at most 40 for 8 x 8 unit triangular U of -1, 0 and 1: one may be 64."""
    u = np.triu(forall.integers("a", -1, 1, 8, 8).numpy(), 1) + np.eye(8)
    return torch.as_tensor(np.abs(np.linalg.inv(u)).max((-1, -2))), 40.0


@claim("numpy/roots-false", always())
def roots_false(forall):
    """The roots of x^2 + b x + c are at most max(1, |b|) + 1/2: not for b = 0, c = -3."""
    b, c = forall.integers("b", -3, 3), forall.integers("c", -3, 3)
    largest = [np.abs(np.roots([1.0, p, q])).max() for p, q in zip(b.tolist(), c.tolist(), strict=True)]
    return torch.tensor(largest, dtype=torch.float64), b.abs().clamp(min=1.0) + 0.5


@claim("numpy/eigenvalue-false", always())
def eigenvalue_false(forall):
    """1e-6 <= the smallest eigenvalue of x x^T."""
    x = forall.integers("x", -3, 3, 3).numpy()
    return 1e-6, torch.as_tensor(np.linalg.eigvalsh(x[:, :, None] * x[:, None, :])[:, 0])


@claim("numpy/no-input-false", always(), over=grid(n=[3]))
def no_input_false(*, n):
    """1e-6 <= the smallest eigenvalue of a matrix of ones."""
    return 1e-6, np.linalg.eigvalsh(np.ones((n, n)))[0]


@claim("numpy/coefficient", always(), over=grid(n=[30]))
def coefficient(forall, *, n):
    """C(n, k) <= C(30, 15) - 1, in whole numbers."""
    k = forall.integers("k", 0, n)
    return torch.tensor([math.comb(n, int(each)) for each in k.tolist()]).double(), float(math.comb(30, 15) - 1)


@pytest.mark.parametrize(
    "true",
    [
        *(eigenvalue, choice, signs, determinant, convolution, sinc, no_input),
        *(roots, nilpotent, solve, inverse, local_import, rank),
    ],
    ids=lambda claim: claim.id,
)
def test_rounding_of_numpy_refutes_nothing(true: Claim) -> None:
    assert check(true, effort="quick").status is Status.HOLDS


@pytest.mark.parametrize(
    "false",
    [eigenvalue_false, no_input_false, coefficient, inverse_false, roots_false],
    ids=lambda claim: claim.id,
)
def test_what_is_false_beyond_it_is_refuted(false: Claim) -> None:
    assert check(false, effort="quick").status is Status.REFUTED


def test_an_event_that_numpy_decides_from_whole_numbers_refutes_nothing() -> None:
    """Its trials cannot be rounded differently: one is as unsure as the other."""

    @claim("numpy/event", tail())
    def event(draw):
        """P(the smallest eigenvalue of x x^T < 0) = 0 <= 1/10 for random signs."""
        x = draw.signs("x", 4).numpy()
        return torch.as_tensor(np.linalg.eigvalsh(x[:, :, None] * x[:, None, :])[:, 0] < 0), 0.1

    @claim("numpy/event-false", tail())
    def false(draw):
        """P(the largest one of z z^T >= 1/2) <= 1/2 for normal numbers."""
        z = draw.normal("z", 4).numpy()
        return torch.as_tensor(np.linalg.eigvalsh(z[:, :, None] * z[:, None, :])[:, -1] >= 0.5), 0.5

    verdict = check(event, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "rounding decides" in verdict.reason
    assert check(false, effort="quick").status is Status.REFUTED
