"""What a user may have in modules of their own, in plain numbers and numpy."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np


def smallest_eigenvalue_of_ones(n: int) -> float:
    return float(np.linalg.eigvalsh(np.ones((n, n)))[0])


def normal_equations(a: np.ndarray) -> np.ndarray:
    """The sum of A^-1 A 1 for A = a^T a."""
    gram = np.swapaxes(a, -1, -2) @ a
    return np.asarray(np.linalg.solve(gram, (gram @ np.ones(a.shape[-1]))[..., None])[..., 0].sum(-1))


class Model:
    """With a method that rounds."""

    def __init__(self, n: int) -> None:
        self.n = n

    def gap(self) -> float:
        return _square(math.sqrt(self.n)) - self.n

    def __call__(self) -> float:
        return self.__own_gap()

    def __own_gap(self) -> float:
        return math.sqrt(self.n) * math.sqrt(self.n) - self.n


def _gap(root: float) -> float:
    return root**2 - round(root**2)


def _square(x: float) -> float:
    return x * x


gap_of_two = functools.partial(_gap, math.sqrt(2.0))


def doubled(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def twice(*args: Any) -> Any:
        return 2 * function(*args)

    return twice


@doubled
def behind_a_decorator(n: int) -> int:
    return n
