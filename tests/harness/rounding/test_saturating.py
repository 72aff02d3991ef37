"""What saturates is rounded, however short its result, and what a kernel loses inside is rounding too."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import scipy.stats
import torch
from torch import Tensor
from torch.nn import functional

from harness import always, check, claim, expectation, grid, high_probability, identity, up_to_constant
from harness.language.registry import Claim

LOGITS = {
    "cross-entropy": lambda z: functional.cross_entropy(
        _two(z), torch.zeros(len(z), dtype=torch.long), reduction="none"
    ),
    "log-softmax": lambda z: -torch.log_softmax(_two(z), -1)[:, 0],
    "softmax": lambda z: -torch.softmax(_two(z), -1)[:, 0].log(),
    "logsumexp": lambda z: torch.logsumexp(_two(z), -1) - z,
    "logaddexp": lambda z: torch.logaddexp(z, torch.zeros_like(z)) - z,
    "binary": lambda z: functional.binary_cross_entropy(torch.sigmoid(z), torch.ones_like(z), reduction="none"),
    "categorical": lambda z: -torch.distributions.Categorical(logits=_two(z)).log_prob(torch.zeros(len(z))),
    "numpy": lambda z: np.log1p(np.exp(z.numpy())) - z.numpy(),
    "math": lambda z: torch.tensor([math.log(1.0 + math.exp(-v)) for v in z.tolist()], dtype=torch.float64),
}


def _two(z: Tensor) -> Tensor:
    return torch.stack([z, 0.0 * z], -1)


@pytest.mark.parametrize("loss", LOGITS.values(), ids=LOGITS.keys())
def test_logistic_losses_are_larger_than_half_a_power_and_not_than_a_whole_one(
    loss: Callable[[Tensor], Tensor],
) -> None:
    def made(factor: float) -> Claim:
        @claim("mine/logistic", always())
        def logistic(forall):
            """e^-z factor <= log(1 + e^-z) for z >= 0: true for 1/2, false for 3/4."""
            z = forall.interval("z", 0.0, 50.0)
            return factor * (-z).exp(), loss(z)

        return logistic

    assert check(made(0.5), effort="quick").status in ("HOLDS", "UNDECIDED", "PROVED")
    assert check(made(0.75), effort="quick").status == "REFUTED"


TINY = {
    "exp": lambda x: (x / 2.0, x.exp() - 1.0),
    "cos": lambda x: (x**2 / 4.0, 1.0 - x.cos()),
    "log1p": lambda x: (x**2 / 8.0, x - torch.log1p(x)),
    "sigmoid": lambda x: (0.5 * (-1.0 / x).exp(), 1.0 - torch.sigmoid(1.0 / x)),
    "erf": lambda x: (torch.special.erfcx(1.0 / x) * (-1.0 / x**2).exp() / 2.0, 1.0 - torch.erf(1.0 / x)),
    "underflow": lambda x: ((-1.0 / x).exp(), (-2.0 / x).exp().sqrt()),
    "numpy": lambda x: (x.numpy() / 2.0, np.exp(x.numpy()) - 1.0),
    "numpy's function of a tensor": lambda x: (x / 2.0, np.exp(x) - 1.0),
    "scipy": lambda x: (0.1 * x.numpy() ** 2, 0.5 - scipy.stats.norm.cdf(-x.numpy()) - 0.3 * x.numpy()),
}


@pytest.mark.parametrize("sides", TINY.values(), ids=TINY.keys())
def test_functions_of_short_numbers_are_not_exact(sides: Callable[[Tensor], tuple[Tensor, Tensor]]) -> None:
    @claim("mine/tiny", high_probability("delta"), over=grid(delta=[0.05]))
    def tiny(draw, *, delta):
        """True at 2^-k for k = 0, ..., 79, by Taylor's formula."""
        return sides(0.5 ** draw.categorical("k", [1 / 80] * 80))

    assert check(tiny, effort="quick").status in ("HOLDS", "UNDECIDED")


def test_a_mean_of_saturated_events_is_open() -> None:
    @claim("mine/tanh", expectation(range=(-2.0, 2.0)))
    def tanh(draw):
        """P(tanh k >= 1) <= 0."""
        k = draw.categorical("k", [1 / 40] * 40)
        return (1.0 - torch.tanh(k) <= 0.0).double(), 0.0

    assert check(tanh, effort="quick").status == "UNDECIDED"


def test_a_right_side_that_rounds_to_zero_has_no_ratio() -> None:
    @claim("mine/ratio", up_to_constant("n"), over=grid(n=[5, 10, 20, 40, 80]))
    def ratio(*, n):
        """e^-n <= C (1 - sigmoid(n))."""
        z = torch.tensor([float(n)], dtype=torch.float64)
        return (-z).exp(), 1.0 - torch.sigmoid(z)

    assert check(ratio, effort="quick").status == "UNDECIDED"


NORMS = {
    "layer": lambda x: functional.layer_norm(x, (4,)),
    "group": lambda x: functional.group_norm(x[:, :, None], 1)[:, :, 0],
    "instance": lambda x: functional.instance_norm(x[:, None, :])[:, 0],
}


@pytest.mark.parametrize("norm", NORMS.values(), ids=NORMS.keys())
def test_normalised_inputs_add_up_to_zero_and_do_not_see_a_shift(norm: Callable[[Tensor], Tensor]) -> None:
    @claim("mine/sum", always())
    def total(forall):
        """|sum| <= 0."""
        return norm(forall.interval("x", -1.0, 1.0, 4)).sum(-1).abs(), 0.0

    @claim("mine/shift", identity())
    def shift(forall):
        """The first entry is that of shifted inputs."""
        x, c = forall.interval("x", -1.0, 1.0, 4), forall.interval("c", -1e6, 1e6)
        return norm(x)[:, 0], norm(x + c[:, None])[:, 0]

    @claim("mine/scale", identity())
    def scale(forall):
        """The first entry is that of inputs three times as large: false, beside the eps in the root."""
        x = forall.interval("x", -0.01, 0.01, 4)
        return norm(x)[:, 0], norm(3.0 * x)[:, 0]

    assert check(total, effort="quick").status == "HOLDS"
    assert check(shift, effort="quick").status == "HOLDS"
    assert check(scale, effort="quick").status == "REFUTED"


def test_whole_numbers_that_overflow_are_an_error() -> None:
    @claim("mine/power", always())
    def power(forall):
        """k <= k^10."""
        k = forall.integers("k", 0, 100).long()
        return k, k**10

    @claim("mine/small-power", always())
    def small(forall):
        """k <= k^9, up to 100: below 2^63."""
        k = forall.integers("k", 0, 100).long()
        return k, k**9

    verdict = check(power, effort="quick")
    assert verdict.status == "ERROR"
    assert "overflow 64 bits" in str(verdict)
    assert check(small, effort="quick").status in ("HOLDS", "PROVED")
