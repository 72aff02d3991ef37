"""Bodies that compute in numpy from whole numbers, or from no inputs: what only their rounding contradicts."""

import math

import numpy as np
import pytest
import torch

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
    "true", [eigenvalue, choice, signs, determinant, convolution, sinc, no_input], ids=lambda claim: claim.id
)
def test_rounding_of_numpy_refutes_nothing(true: Claim) -> None:
    assert check(true, effort="quick").status is Status.HOLDS


@pytest.mark.parametrize("false", [eigenvalue_false, no_input_false, coefficient], ids=lambda claim: claim.id)
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
