"""Decimals next to whole numbers: .29 x 100 stands for 29, whatever a float makes of it."""

import numpy as np
import pytest
import torch

from harness import always, check, claim, expectation, grid, identity, tail
from harness.certify.rounding.statements import rounded_differently
from harness.verdict import Status


@claim("whole/floor", always())
def floor(forall):
    """29 k / 100 rounded down, from below."""
    k = forall.integers("k", 0, 1000)
    return torch.floor(29 * k / 100), torch.floor(0.29 * k)


@claim("whole/frac", always())
def frac(forall):
    """frac(.29 (100 k)) <= .5: it is zero, 29 k being whole."""
    k = forall.integers("k", 0, 1000)
    return torch.frac(0.29 * (100 * k)), 0.5


@claim("whole/long", identity())
def long(forall):
    """Of an interval, whose lower end gives 29."""
    x = forall.interval("x", 100.0, 103.0)
    return (0.29 * x).long().double(), 29.0 + 0.0 * x


@claim("whole/end", always())
def end(forall):
    """29 <= floor(100 x) for x in [.29, 1]: the end of the interval is a decimal, too."""
    x = forall.interval("x", 0.29, 1.0)
    return 29.0, torch.floor(100 * x)


@claim("whole/cells", identity(), over=grid(eps=[0.1, 0.05, 0.01]))
def cells(forall, *, eps):
    """An interval of length k has k / eps cells of width eps."""
    k = forall.integers("k", 1, 10)
    return k // eps, k * round(1 / eps)


@claim("whole/cube-root", identity())
def cube_root(forall):
    """floor of the cube root of k^3 is k."""
    k = forall.integers("k", 1, 100)
    return torch.floor((k**3) ** (1 / 3)), k


@claim("whole/mean", expectation(range=(-30.0, 30.0)))
def mean(draw):
    """29/2 <= E floor(.29 * 100 s) for a coin s: it is 29/2."""
    s = draw.bernoulli("x", 0.5)
    return 14.5, torch.floor(0.29 * (100 * s))


@claim("whole/tail", tail())
def never(draw):
    """S // .1 < 10 S never happens, S the number of heads of ten coins."""
    s = draw.bernoulli("x", 0.5, 10).sum(-1)
    return s // 0.1 < 10 * s, 0.0


@claim("whole/median", identity())
def median(forall):
    """The median of four numbers is the mean of the two in the middle: torch interpolates between them."""
    x = forall.interval("x", -1.0, 1.0, 4)
    s = x.sort(-1).values
    return torch.quantile(x, 0.5, dim=-1), (s[:, 1] + s[:, 2]) / 2


@claim("whole/entropy", always())
def entropy(forall):
    """H(p) <= 2 log 3 sqrt(1 - max p), with equality at the vertices, where torch clamps p to 1 - 2^-52."""
    p = forall.simplex("p", 3)
    return torch.distributions.Categorical(probs=p).entropy(), 2 * np.log(3) * (1 - p.amax(-1)).clamp_min(0).sqrt()


TRUE = [floor, frac, long, end, cells, cube_root, mean, never, median, entropy]


@pytest.mark.parametrize("made", TRUE, ids=lambda made: made.id)
def test_what_only_floats_contradict_is_not_refuted(made) -> None:
    assert check(made, effort="quick").status is not Status.REFUTED


def test_what_is_wrong_by_one_is_refuted() -> None:
    @claim("whole/too-large", always())
    def made(forall):
        """floor(29 k / 100) + 1 <= floor(.29 k)."""
        k = forall.integers("k", 0, 1000)
        return torch.floor(29 * k / 100) + 1, torch.floor(0.29 * k)

    assert check(made, effort="quick").status is Status.REFUTED


def quotient(x, width):
    return x // width


@pytest.mark.parametrize("seed", range(3))
def test_floor_division_by_a_float_takes_tensors_and_arrays(seed: int) -> None:
    moved = rounded_differently(quotient, seed)
    assert moved is not None
    assert moved(torch.tensor([1.0, 2.5, 7.9]), 0.3).shape == (3,)
    assert moved(np.array([0.35, 2.5, 7.9]), 0.3).tolist() == [1.0, 8.0, 26.0]
    assert moved(1.0, 0.1) == 10.0  # next to a whole number
    assert type(moved(1.0, 0.1)) is float


@pytest.mark.parametrize(
    ("dtype", "top", "bits"), [(torch.int32, 10**5, 32), (torch.uint8, 255, 8), (torch.int16, 300, 16)]
)
def test_whole_numbers_that_wrap_are_an_error(dtype: torch.dtype, top: int, bits: int) -> None:
    @claim("whole/wraps", always())
    def made(forall):
        """k <= k^2 + k for whole k >= 0."""
        k = forall.integers("k", 0, top).to(dtype)
        return k.double(), (k * k + k).double()

    verdict = check(made, effort="quick")
    assert verdict.status is Status.ERROR
    assert f"whole numbers overflow {bits} bits" in verdict.reason
