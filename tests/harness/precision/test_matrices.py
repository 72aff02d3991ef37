"""Matrices with a known spectrum, and functions of matrices."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb

from harness.certify.precision import (
    BITS,
    Precise,
    Unsupported,
    each,
    lift,
    working_bits,
)
from tests.harness.precision.references import called, entries, lines

SPECTRA = {
    "distinct": [-2, 0, 1, 5],
    "ties": [1, 1, 1, 3],
    "singular": [0, 0, 0, 1],
    "multiple of the identity": [2, 2, 2, 2],
    "zero": [0, 0, 0, 0],
    "tiny and huge": [Fraction(10) ** -30, 1, 2, Fraction(10) ** 30],
    "almost tied": [1, 1 + Fraction(1, 2**40), 2, 3],
    "opposite": [-3, -1, 1, 3],
}


def reflected(values: list[Fraction | int]) -> tuple[np.ndarray, np.ndarray]:
    """A matrix of balls with these eigenvalues, and its eigenvectors, by the reflection at a rational vector."""
    axis = np.asarray([Fraction(1), Fraction(2), Fraction(-1), Fraction(3)], dtype=object)
    mirror = np.asarray(np.eye(4).astype(int), dtype=object) - 2 * np.outer(axis, axis) / axis.dot(axis)
    matrix = (mirror * np.asarray(values, dtype=object)).dot(mirror.T)
    return each(lambda q: arb(q.numerator) / q.denominator, matrix), mirror


@pytest.mark.parametrize("bits", BITS[:2])
@pytest.mark.parametrize("name", SPECTRA)
def test_eigenvalues_of_known_matrices(name: str, bits: int) -> None:
    with working_bits(bits):
        matrix, mirror = reflected(SPECTRA[name])
        found = torch.linalg.eigh(Precise(matrix))
        exact = [arb(Fraction(v).numerator) / Fraction(v).denominator for v in sorted(SPECTRA[name])]
        top = max(1.0, *(abs(float(v)) for v in SPECTRA[name]))
        for ball, value in zip(entries(found.eigenvalues), exact, strict=True):
            assert ball.overlaps(value)
            assert ball.rad() < arb(top) * arb(2) ** (30 - bits)
        for ball, value in zip(entries(torch.linalg.eigvalsh(Precise(matrix))), exact, strict=True):
            assert ball.overlaps(value)
        sizes = sorted((abs(v) for v in exact), key=float, reverse=True)
        for ball, value in zip(entries(torch.linalg.svdvals(Precise(matrix))), sizes, strict=True):
            assert ball.overlaps(value)
        order = np.argsort([float(v) for v in SPECTRA[name]], kind="stable")
        for k in range(4):
            column = lift(found.eigenvectors)[:, k]
            if SPECTRA[name].count(sorted(SPECTRA[name])[k]) > 1:
                assert all(entry.is_nan() for entry in column)
                continue
            vector = [arb(q.numerator) / q.denominator for q in mirror[:, order[k]]]
            sign = 1 if float(column[0]) * float(vector[0]) > 0 else -1
            assert all(entry.overlaps(sign * value) for entry, value in zip(column, vector, strict=True))
            assert all(entry.rad() < 1e-15 for entry in column)


def test_eigenvalues_of_wide_matrices_enclose_those_inside() -> None:
    rng = np.random.default_rng(0)
    plain = rng.standard_normal((5, 5))
    plain = plain + plain.T
    wide = each(lambda a: arb(a.mid(), 1e-3), lift(plain))
    found = torch.linalg.eigh(Precise(wide))
    ours = entries(found.eigenvalues)
    for _ in range(5):
        shift = rng.uniform(-1e-3, 1e-3, (5, 5))
        inside = plain + np.tril(shift) + np.tril(shift, -1).T
        values, vectors = np.linalg.eigh(inside)
        assert all(ball.contains(arb(float(v), 1e-12)) for ball, v in zip(ours, values, strict=True))
        for ball, v in zip(entries(found.eigenvectors), vectors.reshape(-1), strict=True):
            assert ball.is_nan() or ball.overlaps(arb(float(v), 1e-12)) or ball.overlaps(arb(-float(v), 1e-12))


def test_eigenvalues_of_wide_multiples_of_the_identity() -> None:
    wide = each(lambda a: arb(a.mid(), 0.125), lift(np.eye(3)))
    low, middle, high = entries(torch.linalg.eigvalsh(Precise(wide)))
    assert high.contains(1.375)  # where 1/8 is added everywhere
    assert low.contains(0.625)
    assert middle.contains(1)


def test_eigenvectors_have_the_sign_that_torch_gives_them() -> None:
    for seed in range(5):
        plain = np.random.default_rng(seed).standard_normal((4, 4))
        plain = torch.as_tensor(plain + plain.T)
        expected, found = torch.linalg.eigh(plain), torch.linalg.eigh(Precise(plain))
        for ball, number in zip(entries(found.eigenvectors), expected.eigenvectors.reshape(-1).tolist(), strict=True):
            assert abs(float(ball) - number) < 1e-12


def test_one_triangle_is_read() -> None:
    plain = torch.tensor([[2.0, 9.0], [0.5, 1.0]])
    for uplo in ("L", "U"):
        expected = torch.linalg.eigvalsh(plain, UPLO=uplo).tolist()
        assert np.allclose([float(v) for v in entries(torch.linalg.eigvalsh(Precise(plain), UPLO=uplo))], expected)
    system, target = torch.tensor([[2.0, 9.0], [0.5, 1.0]]), torch.tensor([[1.0], [2.0]])
    for upper, unit in itertools.product((True, False), repeat=2):
        arguments = {"upper": upper, "unitriangular": unit}
        expected = torch.linalg.solve_triangular(system, target, **arguments).reshape(-1).tolist()
        found = torch.linalg.solve_triangular(Precise(system), Precise(target), **arguments)
        assert np.allclose([float(v) for v in entries(found)], expected)
    found = torch.linalg.solve_triangular(Precise(system), Precise(target.mT), upper=False, left=False)
    expected = torch.linalg.solve_triangular(system, target.mT, upper=False, left=False)
    assert np.allclose([float(v) for v in entries(found)], expected.reshape(-1).tolist())


LINEAR = """
torch.linalg.cholesky(x)
torch.linalg.cholesky(x, upper=True)
torch.linalg.cholesky_ex(x).L
torch.cholesky_solve(x[..., :1], torch.linalg.cholesky(x))
torch.linalg.solve(x, x[..., 0])
torch.linalg.solve(x, x[..., :2])
torch.linalg.solve(x[0], x)
torch.linalg.solve(x, 2 * x + 1, left=False)
torch.linalg.inv(x)
x.inverse()
torch.linalg.matrix_power(x, -2)
torch.linalg.matrix_power(x, 0)
torch.linalg.det(x)
x.logdet()
torch.linalg.slogdet(-x)
torch.linalg.cond(x)
torch.matrix_exp(0.1 * x)
torch.linalg.matrix_exp(-0.1 * x)
torch.linalg.eigvalsh(x)
torch.linalg.svdvals(x[..., :2])
torch.linalg.eigh(x)
"""


@pytest.mark.parametrize("call", lines(LINEAR))
def test_matrix_functions_agree_with_torch(call: str) -> None:
    factor = np.random.default_rng(1).standard_normal((2, 3, 3))
    plain = torch.as_tensor(factor @ np.swapaxes(factor, -1, -2) + np.eye(3))
    expected, found = called(call, plain), called(call, Precise(plain))
    for ours, theirs in zip(found, expected, strict=True):
        assert tuple(ours.shape) == tuple(theirs.shape)
        for enclosure, number in zip(entries(ours), theirs.reshape(-1).tolist(), strict=True):
            assert abs(float(enclosure) - number) <= 1e-10 * max(1.0, abs(number))
            assert enclosure.rad() < 1e-45


def test_factors_and_exponentials_multiply_back() -> None:
    wide = each(lambda a: arb(a.mid(), 1e-20), lift([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 3.0]]))
    lower = torch.linalg.cholesky(Precise(wide))
    assert all(a.overlaps(b) for a, b in zip(entries(lower @ lower.mT), wide.reshape(-1), strict=True))
    there, back = torch.matrix_exp(Precise(wide)), torch.matrix_exp(-Precise(wide))
    assert all(a.overlaps(b) for a, b in zip(entries(there @ back), lift(np.eye(3)).reshape(-1), strict=True))
    with pytest.raises(Unsupported) as signal:
        torch.linalg.cholesky(Precise([[1.0, 1.0], [1.0, 1.0]]))
    assert signal.value.undecided


# --- conventions -----------------------------------------------------------------------------------------------------
