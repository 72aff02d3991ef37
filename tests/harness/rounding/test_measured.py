"""What is measured of one body: its terms, its clamps, underflow, closures, batches."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from harness.certify.rounding import CLEAR, instance_noise
from harness.certify.rounding.spread import leaves_torch
from harness.certify.rounding.statements import rounded_differently
from harness.kinds import always
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw
from harness.language.spaces import tensor
from tests.harness.rounding.equalities import (
    a_clamp_above_the_difference,
    a_variance_in_one_pass,
    cancellation,
    terms_that_cancel_in_a_sum,
    the_smallest_of_many_roundings,
)
from tests.harness.rounding.measured import EPS, claim_of, measured
from tests.harness.rounding.outside_torch import plain_decimals, plain_numpy, plain_roots


def test_the_rounding_of_a_difference_is_that_of_its_terms() -> None:
    """(x + 1e8) - 1e8 keeps about eight digits: neither sixteen, nor four."""
    _, noise = measured(cancellation, x=tensor([0.1, 0.2, 0.7]))
    assert bool(((noise > 0.2 * 1e8 * EPS) & (noise < 10.0 * 1e8 * EPS)).all())


def test_a_clamp_does_not_hide_what_is_rounded_below_it() -> None:
    """max(0, rounding) is zero for every second instance; its copies rounded the other way show what it hides."""
    x = tensor(np.random.default_rng(0).random(200))
    gap, noise = measured(a_clamp_above_the_difference, calls=1, x=x)
    assert 20 < int((gap == 0.0).sum()) < 180
    assert bool((noise > 0.0).all())


def test_one_call_sees_the_smallest_of_many_roundings() -> None:
    """Random last places leave the smallest of fifty below zero in every copy: a shift of all of them is needed."""
    gap, noise = measured(the_smallest_of_many_roundings, calls=1)
    assert bool((gap <= CLEAR * noise).all())


def test_underflow_is_a_rounding() -> None:
    """|x| <= 2 sqrt(x^2) fails where x^2 is lost: by all of x, at a right side of exactly zero."""

    def lost(forall):
        x = forall.interval("x", 0.0, 1e-160)
        return x, 2.0 * (x * x).sqrt()

    gap, noise = measured(lost, x=tensor([1e-162, 3e-163, 1e-170, 1e-200]))
    assert gap.tolist()[2:] == [1e-170, 1e-200]  # nothing is left of their squares
    assert bool((gap <= CLEAR * noise).all())


def test_a_body_that_leaves_torch_is_known_and_its_inputs_are_moved() -> None:
    """Inside numpy no result can be moved: without moving the inputs, 1 - 1e-17 would look exact."""

    def left(forall):
        x = forall.interval("x", 0.0, 1.0)
        return torch.from_numpy(np.sin(x.numpy())), 0.5

    def kept(forall):
        return forall.interval("x", 0.0, 1.0).sin(), 0.5

    values = {"x": tensor([0.25, 0.5, 1.0])}
    for body, leaves in ((left, True), (kept, False)):
        assert leaves_torch(claim_of(body), {}, values, Draw(3, ()), 3) is leaves
    _, noise = measured(left, **values)
    assert bool(((noise > 0.01 * EPS) & (noise < 10.0 * EPS)).all())


@pytest.mark.parametrize("name", ["math", "decimal", "numpy"])
def test_plain_constants_are_seen_without_any_tensor(name: str) -> None:
    """No operation of torch takes part in these: sqrt(2)^2 = 2 would be refuted by 4e-16."""
    body = {"math": plain_roots, "decimal": plain_decimals, "numpy": plain_numpy}[name]
    gap, noise = measured(body)
    assert float(gap[0]) > 0.0
    assert EPS / 16.0 < float(noise[0]) < 32.0 * EPS


def test_a_body_that_is_rewritten_keeps_its_closure_defaults_and_globals() -> None:
    """Another function in the place of the body would measure the rounding of another statement."""
    factor = 3.0

    def body(forall, *, n=2, by: float = 0.5):
        y = [factor * by for _ in range(n)]
        return math.fsum(y), {"a": max(y)}["a"]

    made = rounded_differently(body, 0)
    assert made is not None
    assert made is not body
    assert made(None) == body(None) == (3.0, 1.5)
    assert made(None, n=4, by=2.0) == body(None, n=4, by=2.0)
    first, second = (lambda x: (x, factor), lambda x, *, n=2.0: (n * x, x))  # told apart on one line
    for short in (first, second):
        again = rounded_differently(short, 0)
        assert again is not None
        assert again(1.0) == short(1.0)
    assert rounded_differently(eval("lambda x: (x, x)"), 0) is None
    assert rounded_differently(math.sin, 0) is None


def test_a_body_without_source_is_measured_as_it_is() -> None:
    scope: dict[str, Any] = {}
    exec("def sourceless(forall):\n    x = forall.interval('x', 0.0, 1.0)\n    return (x + 1e8) - 1e8, x\n", scope)
    gap, noise = measured(scope["sourceless"])
    assert bool((gap <= CLEAR * noise).all())


def test_the_same_instance_has_the_same_rounding_every_time() -> None:
    """A verdict must not depend on how often, or after what, something was measured."""
    first, again = (measured(a_variance_in_one_pass)[1] for _ in range(2))
    torch.rand(3)
    np.random.default_rng(0).random()
    assert torch.equal(first, again)
    assert torch.equal(first, measured(a_variance_in_one_pass)[1])


def test_more_calls_never_measure_less() -> None:
    few, more = (measured(terms_that_cancel_in_a_sum, calls=calls)[1] for calls in (1, 6))
    assert bool((more >= few).all())


def test_sides_that_are_not_finite_when_rounded_otherwise_have_no_measured_rounding() -> None:
    """The square root of a rounding is NaN for every second copy; of a negative number for all of them."""

    def root(forall):
        x = forall.interval("x", -1.0, 1.0)
        return x.sqrt(), 0.5

    _, noise = measured(root, x=tensor([-0.5, 0.25]))
    assert noise[0] == torch.inf
    assert 0.0 <= float(noise[1]) < 10.0 * EPS


def test_one_instance_does_not_spoil_the_rounding_of_its_batch() -> None:
    """A check that fails when moved raises for the whole call; the other instances cancel as much as they do alone."""

    def checked(forall):
        third = forall.interval("x", 0.0, 1.0) / 3.0
        if bool((3.0 * third > 1.0).any()):
            raise ValueError("three thirds are more than one")
        return (third + 1e8) - 1e8, third

    alone = measured(checked, x=tensor([0.3, 0.4, 0.7]))[1]
    beside = measured(checked, x=tensor([0.3, 0.4, 0.7, 1.0]))[1]
    for noise in (alone, beside[:3]):
        assert bool(((noise > 1e-9) & (noise < 1e-6)).all())


def test_an_inequality_is_measured_like_an_equality() -> None:
    def cancelling(forall):
        """(x + 1e8) - 1e8 <= x."""
        x = forall.interval("x", 0.0, 1.0)
        return (x + 1e8) - 1e8, x

    made, values = claim_of(cancelling, always()), {"x": tensor([0.1, 0.2])}
    sides = evaluate(made, {}, values, Draw(2, ()), 2)
    noise = instance_noise(made, {}, anatomy(made, {}).spaces, values, sides.lhs - sides.rhs, calls=1)
    assert bool((noise > 1e-9).all())
