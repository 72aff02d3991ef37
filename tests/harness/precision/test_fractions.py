"""Rational operations against exact fractions."""

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from flint import arb
from torch import Tensor

from harness.certify.precision import (
    Precise,
    Unsupported,
    lift,
    working_bits,
)

Exact = np.ndarray


def fractions(plain: np.ndarray) -> Exact:
    flat = np.empty(plain.size, dtype=object)
    flat[:] = [Fraction(float(value)) for value in plain.reshape(-1)]
    return flat.reshape(plain.shape)


def running(function: Callable[[Fraction, Fraction], Fraction]) -> Callable[[Exact], Exact]:
    return lambda x: np.apply_along_axis(
        lambda line: np.asarray(list(itertools.accumulate(line, function)), dtype=object), -1, x
    )


def leibniz(x: Exact) -> Fraction:
    total = Fraction(0)
    for places in itertools.permutations(range(len(x))):
        inversions = sum(a > b for a, b in itertools.combinations(places, 2))
        term = Fraction((-1) ** inversions)
        for row, place in enumerate(places):
            term *= x[row, place]
        total += term
    return total


def inverse(x: Exact) -> Exact | None:
    size, whole = len(x), leibniz(x)
    if whole == 0:
        return None
    result = np.empty((size, size), dtype=object)
    for i, j in np.ndindex(size, size):
        result[j, i] = (-1) ** (i + j) * leibniz(np.delete(np.delete(x, i, 0), j, 1)) / whole
    return result


def exact_variance(x: Exact) -> Exact:
    centred = x - x.sum(-1, keepdims=True) / x.shape[-1]
    return np.asarray((centred * centred).sum(-1) / (x.shape[-1] - 1), dtype=object)


RATIONAL: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Exact], Any]]] = {
    "sum": (lambda x: x.sum(-1), lambda x: x.sum(-1)),
    "sum of all": (lambda x: x.sum(), lambda x: x.sum()),
    "mean": (lambda x: x.mean((-1, -2)), lambda x: x.sum() / x.size),
    "product": (lambda x: x.prod(-1), lambda x: x.prod(-1)),
    "largest": (lambda x: x.amax(-1), lambda x: x.max(-1)),
    "smallest": (lambda x: x.min(-1).values, lambda x: x.min(-1)),
    "sorted": (lambda x: x.sort(-1).values, lambda x: np.sort(x, -1)),
    "median": (lambda x: x.median(-1).values, lambda x: np.sort(x, -1)[:, 1]),
    "variance": (lambda x: x.var(-1), exact_variance),
    "running sums": (lambda x: x.cumsum(-1), running(lambda a, b: a + b)),
    "running products": (lambda x: x.cumprod(-1), running(lambda a, b: a * b)),
    "differences": (lambda x: x.diff(n=2), lambda x: np.diff(x, n=2)),
    "product of matrices": (lambda x: x @ x, lambda x: x.dot(x)),
    "Gram": (lambda x: torch.einsum("ij,ik->jk", x, x), lambda x: x.T.dot(x)),
    "power": (lambda x: torch.linalg.matrix_power(x, 5), lambda x: x.dot(x).dot(x).dot(x).dot(x)),
    "determinant": (torch.linalg.det, leibniz),
    "inverse": (torch.linalg.inv, inverse),
    "solution": (lambda x: torch.linalg.solve(x, x[0]), lambda x: None if inverse(x) is None else inverse(x).dot(x[0])),
    "norm": (lambda x: x.norm(1, dim=-1), lambda x: abs(x).sum(-1)),
    "squares": (lambda x: x.norm(dim=-1) ** 2, lambda x: (x * x).sum(-1)),
    "polynomial": (lambda x: x**4 - 3.0 * x**2 + 0.1, lambda x: x**4 - 3 * x**2 + Fraction(0.1)),
    "quotient": (lambda x: x / (1.0 + x * x), lambda x: x / (1 + x * x)),
}
FAMILIES: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "random": lambda rng: rng.standard_normal((4, 4)),
    "tiny": lambda rng: 1e-300 * rng.standard_normal((4, 4)),
    "subnormal": lambda rng: 5e-324 * rng.integers(-3, 4, (4, 4)),
    "huge": lambda rng: 1e300 * rng.standard_normal((4, 4)),
    "mixed": lambda rng: 10.0 ** rng.integers(-200, 200, (4, 4)) * rng.standard_normal((4, 4)),
    "zero": lambda _: np.zeros((4, 4)),
    "ties": lambda rng: rng.integers(-1, 2, (4, 4)).astype(float),
    "negative": lambda rng: -rng.random((4, 4)),
    "cancelling": lambda rng: (
        np.where(rng.random((4, 4)) < 0.5, 1.0, -1.0) * (1.0 + rng.integers(0, 2, (4, 4)) * 2.0**-52)
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", RATIONAL)
def test_rational_operations_against_exact_fractions(name: str, family: str) -> None:
    function, reference = RATIONAL[name]
    for seed in range(2):
        plain = FAMILIES[family](np.random.default_rng(seed))
        expected = reference(fractions(plain))
        if expected is None:
            with pytest.raises(Unsupported):
                function(Precise(plain))
            continue
        try:
            found = lift(function(Precise(plain)))
        except Unsupported as signal:  # the enclosure of a determinant contains 0: more bits are needed
            if name not in ("inverse", "solution") or family != "mixed" or not signal.undecided:
                raise
            continue
        expected = np.asarray(expected, dtype=object)
        assert found.shape == expected.shape
        for ball, number in zip(found.reshape(-1), expected.reshape(-1), strict=True):
            with working_bits(8000):
                assert ball.overlaps(arb(number.numerator) / arb(number.denominator)), (ball, float(number))
