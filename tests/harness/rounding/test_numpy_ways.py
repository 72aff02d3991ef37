"""Ways of numpy and scipy to add: into an array, under a mask, in a loop from outside, as weights, to an optimum."""

import numpy as np
import pytest
from scipy import ndimage, optimize

from harness import always, check, claim, identity

BIG = 1e8
shift = np.vectorize(lambda t: (t + BIG) - BIG)


def _into_an_array(x: np.ndarray) -> np.ndarray:
    a = x.copy()
    np.add(a, BIG, out=a)
    np.subtract(a, BIG, out=(a,))
    return a


def _under_a_mask(x: np.ndarray) -> np.ndarray:
    a = np.ma.array(x, mask=np.zeros(x.shape, bool))
    return ((a + BIG) - BIG).filled(0.0)


def _in_place_under_a_mask(x: np.ndarray) -> np.ndarray:
    a = np.ma.array(x.copy(), mask=np.zeros(x.shape, bool))
    b = a
    a += BIG
    a -= BIG
    return b.filled(0.0)


def _of_a_matrix(x: np.ndarray) -> np.ndarray:
    return np.asarray((np.asmatrix(x) + BIG) - BIG)[0]


def _in_a_loop_from_outside(x: np.ndarray) -> np.ndarray:
    return shift(x)


def _as_weights(x: np.ndarray) -> np.ndarray:
    sums = [np.histogram([0.5] * 3, bins=1, range=(0, 1), weights=[BIG, each, -BIG])[0][0] for each in x]
    return np.array(sums)


def _by_labels(x: np.ndarray) -> np.ndarray:
    return np.array([ndimage.sum_labels(np.array([BIG, each, -BIG]), np.ones(3, int), [1])[0] for each in x])


WAYS = [_into_an_array, _under_a_mask, _in_place_under_a_mask, _of_a_matrix, _in_a_loop_from_outside]
WAYS += [_as_weights, _by_labels]


@pytest.mark.in_turn
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.strip("_"))
def test_what_floats_lose_on_the_way_is_no_violation(way) -> None:
    name = way.__name__.strip("_").replace("_", "-")

    @claim(f"ways/{name}/true", identity())
    def true(forall):
        """x + 1e8 - 1e8 = x."""
        x = forall.interval("x", 1.0, 2.0).numpy()
        return way(x), x

    @claim(f"ways/{name}/false", identity())
    def false(forall):
        """x + 1e8 - 1e8 = x + 1e-3."""
        x = forall.interval("x", 1.0, 2.0).numpy()
        return way(x), x + 1e-3

    assert check(true, effort="quick").status == "HOLDS"
    assert check(false, effort="quick").status == "REFUTED"


WEIGHTS = [90301, 35206, 33547, 51502, 90548, 20954, 32435, 57034, 31741, 46824]
VALUES = [90302, 35206, 33547, 51502, 90551, 20958, 32439, 57037, 31745, 46826]
PACKED = [0, 1, 0, 1, 1, 1, 0, 0, 0, 1]  # of weight 245034 and value 245043: scipy stops at 245037


def _knapsack(more: float):
    w, v, x = (np.array(each, float) for each in (WEIGHTS, VALUES, PACKED))
    room = optimize.LinearConstraint(w[None], -np.inf, 245046.0)
    best = optimize.milp(-v, constraints=room, integrality=np.ones(10), bounds=optimize.Bounds(0, 1))
    return v @ x + more, -best.fun


def test_a_program_in_whole_numbers_is_solved_to_its_optimum() -> None:
    @claim("ways/knapsack/true", always())
    def true():
        """The optimum is at least the value of a packing."""
        return _knapsack(0.0)

    @claim("ways/knapsack/false", always())
    def false():
        """The optimum is by 1000 more than the value of a packing."""
        return _knapsack(1000.0)

    assert check(true, effort="quick").status != "REFUTED"
    assert check(false, effort="quick").status == "REFUTED"
