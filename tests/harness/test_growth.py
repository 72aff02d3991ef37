"""Whether a curve stays bounded: what does is never said to grow, what grows never to stay bounded."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import special

from harness.evidence.growth import Growth, growth

SURE = 1.0 - 1e-4
MARGIN = 0.05
GRIDS = {
    "decades": np.array([10.0, 30, 100, 300, 1000, 3000, 10_000]),
    "powers of two": 2.0 ** np.arange(3, 11),
    "short": np.array([4.0, 8, 16, 32, 64]),
    "far": np.array([1e2, 1e3, 1e4, 1e5, 1e6]),
    "powers of four": 4.0 ** np.arange(1, 7),
    "from two": 2.0 ** np.arange(1, 11),
}
Function = Callable[[np.ndarray], np.ndarray]


def _harmonic(n: np.ndarray) -> np.ndarray:
    return special.digamma(n + 1) + np.euler_gamma


BOUNDED: dict[str, Function] = {
    "constant": np.ones_like,
    "1 - 1/n": lambda n: 1 - 1 / n,
    "1 - n^-1/2": lambda n: 1 - n**-0.5,
    "1 - n^-1/4": lambda n: 1 - n**-0.25,
    "sum k^-1.2": lambda n: 5.59 - 5 * n**-0.2,
    "1 - 1/log": lambda n: 1 - 1 / np.log(n + 1),
    "1 - 0.3/log log": lambda n: 1 - 0.3 / np.log(np.log(n) + 1),
    "n/(n + 20)": lambda n: n / (n + 20),
    "n/(n + 200)": lambda n: n / (n + 200),
    "n/(n + 2000)": lambda n: n / (n + 2000),
    "n^2/(n^2 + 10^4)": lambda n: n**2 / (n**2 + 1e4),
    "n^4/(n^4 + 10^6)": lambda n: n**4 / (n**4 + 1e6),
    "1 - exp(-n/50)": lambda n: -np.expm1(-n / 50),
    "arctan": lambda n: np.arctan(n / 30),
    "waves": lambda n: 1 + 0.1 * np.sin(3 * np.log(n)),
    "even and odd": lambda n: 1 + 0.2 * (-1.0) ** np.arange(len(n)),
    "n^-0.3": lambda n: n**-0.3,
    "1 + 3/log": lambda n: 1 + 3 / np.log(n),
    "log n!": lambda n: special.gammaln(n + 1) / (n * np.log(n)),
    "quicksort": lambda n: (2 * (n + 1) * _harmonic(n) - 4 * n) / (n * np.log(n)),
    "skip list": lambda n: (np.log2(n) + 1) / (np.log2(n) + 4),
    "birthday": lambda n: (np.sqrt(np.pi * n / 2) - 1 / 3) / np.sqrt(n),
}
GROWING: dict[str, Function] = {
    "log": np.log,
    "harmonic": _harmonic,
    "quicksort": lambda n: (2 * (n + 1) * _harmonic(n) - 4 * n) / n,
    "log n!": lambda n: special.gammaln(n + 1) / n,
    "log + 0.6": lambda n: np.log(n) + 0.5772 + 0.5 / n,
    "log^2": lambda n: np.log(n) ** 2,
    "sqrt log": lambda n: np.log(n) ** 0.5,
    "n^0.1": lambda n: n**0.1,
    "n^0.5 - 1": lambda n: n**0.5 - 1,
    "n^0.5 + 10": lambda n: n**0.5 + 10,
    "n/log": lambda n: n / np.log(n),
    "n": lambda n: n,
    "n^2.8": lambda n: n**2.8,
    "exp": lambda n: np.exp(n / n[-1] * 20),
}
SLOW = {("short", "n^0.1"), ("short", "n^0.5 + 10")}  # grow by less than GROWN there
OPEN = {("powers of two", "quicksort"), ("short", "quicksort"), ("from two", "quicksort"), ("short", "log n!")}
OPEN |= {("from two", "n^0.5 - 1")}  # may be on their way to a bound


def _growth(n: np.ndarray, values: np.ndarray, share: float = 1e-6) -> Growth:
    return growth(n, values, share * values, 0.99, sure=SURE)


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", BOUNDED)
def test_what_is_bounded_is_not_said_to_grow(name: str, grid: str) -> None:
    assert not _growth(GRIDS[grid], BOUNDED[name](GRIDS[grid])).endless


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", GROWING)
def test_what_grows_is_seen_to_and_never_said_to_be_bounded(name: str, grid: str) -> None:
    found = _growth(GRIDS[grid], GROWING[name](GRIDS[grid]))
    assert found.endless != ((grid, name) in SLOW | OPEN)
    assert not found.bounded(MARGIN)


@pytest.mark.parametrize("name", ["constant", "1 - 1/n", "1 - n^-1/2", "n^-0.3", "1 + 3/log", "n/(n + 20)"])
def test_what_is_bounded_is_said_to_be_where_it_shows(name: str) -> None:
    assert _growth(GRIDS["decades"], BOUNDED[name](GRIDS["decades"])).bounded(MARGIN)


def test_noise_makes_no_growth() -> None:
    """Two hundred noisy curves of bounded means, at a level that allows one in ten thousand to be accused."""
    rng = np.random.default_rng(0)
    n = GRIDS["powers of two"]
    for _ in range(50):
        for name in ("constant", "1 - n^-1/2", "n/(n + 20)", "n/(n + 200)"):
            exact = BOUNDED[name](n)
            noisy = exact * (1.0 + 0.02 * rng.standard_normal(len(n)))
            assert not _growth(n, noisy, 0.02).endless


def test_noisy_growth_is_seen() -> None:
    rng = np.random.default_rng(1)
    n = GRIDS["powers of two"]
    assert _growth(n, n**0.5 * (1.0 + 0.01 * rng.standard_normal(len(n))), 0.01).endless


def test_noise_on_a_short_grid_accuses_nobody() -> None:
    rng = np.random.default_rng(2)
    n = GRIDS["short"]
    assert not any(_growth(n, n * (1.0 + 0.01 * rng.standard_normal(len(n))), 0.01).endless for _ in range(5))
