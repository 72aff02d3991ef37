"""What only floats define, assume or compute is no violation: found by hands that had read no code."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import always, claim, identity, tail
from harness.certify.conversions import wanted_type
from harness.certify.precision import Precise, Unsupported
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check


def _shifted(a: np.ndarray) -> np.ndarray:
    """a, with the rounding of 1e10."""
    return (a + 1e10) - 1e10


def _ratio(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """kl(q, p) / (q - p)^2, which is at least 2."""
    kl = q * np.log(q / p) + (1 - q) * np.log((1 - q) / (1 - p))
    return _over(kl, (q - p) ** 2)


def _over(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a / b


def _wronskian(x: Tensor) -> Tensor:
    """J1 Y0 - J0 Y1."""
    j0, j1, y0, y1 = (getattr(torch.special, f"bessel_{name}")(x) for name in ("j0", "j1", "y0", "y1"))
    return j1 * y0 - j0 * y1


@claim("undefined/limit", always())
def limit(forall):
    """(1 - x)^(1/x) <= 1/e for 0 < x <= 1; at 0 floats say 1."""
    x = forall.interval("x", 0.0, 1.0)
    return (1 - x) ** (1 / x), 1 / math.e


@claim("undefined/too-low-a-limit", always())
def too_low_a_limit(forall):
    """(1 - x)^(1/x) <= .36; near 0 it is .3679."""
    x = forall.interval("x", 0.0, 1.0)
    return (1 - x) ** (1 / x), 0.36


@claim("undefined/logarithm", always())
def logarithm(forall):
    """e <= (1 + 1e-9) x^(1 / log x) for 0 < x < 1; at 0 floats say 1 on the right."""
    x = forall.interval("x", 0.0, 0.99)
    return math.e, (1 + 1e-9) * x ** (1 / x.log())


@claim("undefined/arctangents", identity())
def arctangents(forall):
    """atan x + atan 1/x = sign(x) pi/2; at 0 there is no 1/x."""
    x = forall.interval("x", -2.0, 2.0)
    return torch.atan(x) + torch.atan(1 / x), torch.sign(x) * math.pi / 2


@claim("undefined/chosen", always())
def chosen_away(forall):
    """What is divided by zero and not chosen says nothing: x/x where x > 0, else 2, is at most 1, but for x = 0."""
    x = forall.integers("x", 0, 3)
    return torch.where(x > 0, 1.0 / x * x, 2.0), 1.0


@claim("undefined/projected", always())
def projected(forall):
    """A factor min(1, 1/|x|) is at most .9; at 0, by 1/0, it is 1."""
    x = forall.integers("x", -3, 3)
    return (1.0 / x.abs()).clamp_max(1.0) - (x != 0).double(), 0.9


@claim("undefined/assumed", always())
def assumed(forall):
    """Under 1 + x <= 1: x <= 0; floats assume it for x = 1e-20."""
    x = forall.interval("x", 0.0, 1.0)
    forall.assume(1.0 + x <= 1.0)
    return x, 0.0


@claim("undefined/assumed-sum", identity())
def assumed_sum(forall):
    """Under a + b = c: a = c - b."""
    a, b, c = forall.interval("a", 0.0, 1.0), forall.integers("b", 0, 3), forall.integers("c", 0, 3)
    forall.assume(a + b == c)
    return a, c - b


@claim("undefined/assumed-disc", always())
def assumed_disc(forall):
    """Under x^2 + y^2 <= 1: x + y <= 1.41421; at the edge it is 1.4142135."""
    x, y = forall.interval("x", 0.0, 1.0), forall.interval("y", 0.0, 1.0)
    forall.assume(x**2 + y**2 <= 1.0)
    return x + y, 1.41421


@claim("undefined/helper", always())
def helper(forall):
    """x <= x + 1e-12, by numpy in a function that rounds at 1e10."""
    x = forall.interval("x", 0.0, 1.0)
    return torch.as_tensor(_shifted(x.detach().numpy())), x + 1e-12


@claim("undefined/helper-of-helper", always())
def helper_of_helper(forall):
    """2 <= kl(q, p) / (q - p)^2, by numpy in functions that call another."""
    q, p = forall.interval("q", 0.05, 0.95), forall.interval("p", 0.05, 0.95)
    return 2.0, torch.as_tensor(_ratio(q.detach().numpy(), p.detach().numpy()))


@claim("undefined/wrong-helper", always())
def wrong_helper(forall):
    """2.2 <= kl(q, p) / (q - p)^2; at one half it is 2."""
    q, p = forall.interval("q", 0.05, 0.95), forall.interval("p", 0.05, 0.95)
    return 2.2, torch.as_tensor(_ratio(q.detach().numpy(), p.detach().numpy()))


@claim("undefined/wronskian", identity())
def wronskian(forall):
    """J1 Y0 - J0 Y1 = 2 / (pi x) (DLMF 10.5.2); torch's functions are wrong in the seventh digit."""
    x = forall.interval("x", 1.0, 20.0)
    return _wronskian(x), 2 / (math.pi * x)


@claim("undefined/wrong-wronskian", identity())
def wrong_wronskian(forall):
    """J1 Y0 - J0 Y1 = 2.001 / (pi x)."""
    x = forall.interval("x", 1.0, 20.0)
    return _wronskian(x), 2.001 / (math.pi * x)


TRUE = (limit, logarithm, arctangents, assumed, assumed_sum, helper, helper_of_helper, wronskian)
FALSE = (too_low_a_limit, chosen_away, projected, assumed_disc, wrong_helper, wrong_wronskian)


@pytest.mark.in_turn
@pytest.mark.parametrize("made", TRUE, ids=lambda made: made.id)
def test_what_only_floats_say_is_no_violation(made: Claim) -> None:
    """Would catch 1 ** (1 / 0) = 1, an assumption that rounding makes true, and rounding that nobody measured."""
    for seed in (0, 1):
        assert bare_check(made, effort="quick", seed=seed).status in (Status.HOLDS, Status.UNDECIDED)


@pytest.mark.in_turn
@pytest.mark.parametrize("made", FALSE, ids=lambda made: made.id)
def test_their_wrong_twins_are_refuted(made: Claim) -> None:
    """What is chosen away, clamped, or violated beside the pole or at the edge of an assumption is judged as before."""
    assert bare_check(made, effort="standard").status is Status.REFUTED


@pytest.mark.in_turn
def test_trials_at_a_pole_of_the_inputs_refute_nothing() -> None:
    @claim("undefined/limit-of-a-probability", tail())
    def of_a_probability(forall, draw):
        """P(U <= (1 - x)^(1/x)) <= 1/e."""
        x = forall.interval("x", 0.0, 1.0)
        return draw.uniform("u") <= (1 - x) ** (1 / x), 1 / math.e

    assert bare_check(of_a_probability, effort="quick").status is not Status.REFUTED


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ((int,), torch.int64),
        ((bool,), torch.bool),
        ((float,), torch.float64),
        ((torch.float32,), torch.float32),
        ((torch.LongTensor,), torch.int64),
        ((torch.ones(1, dtype=torch.int32),), torch.int32),
        (("cpu", None, True), None),
        ((torch.device("cpu"), int), torch.int64),
    ],
)
def test_a_conversion_is_known_by_every_name(options: tuple[object, ...], found: torch.dtype | None) -> None:
    assert wanted_type(*options) is found


@pytest.mark.parametrize("option", ["torch.LongTensor", "half", str, 7, object()])
def test_what_may_be_a_type_is_an_error(option: object) -> None:
    with pytest.raises((ValueError, RuntimeError)):
        wanted_type(option)


def test_balls_are_no_members_of_sets() -> None:
    """Without inputs they stand for plain numbers, of which equal ones are one member."""
    half: Tensor = Precise(0.5)
    with pytest.raises(Unsupported, match="members of a set"):
        hash(half)
