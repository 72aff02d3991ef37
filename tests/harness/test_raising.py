"""A body that raises: the error tells the inputs, and what is assumed away before it may raise."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from harness import always, claim, grid, high_probability, identity
from harness.errors import BodyRaised
from harness.language.anatomy import anatomy
from harness.language.apart import evaluate_apart
from harness.verdict import Status
from tests.helpers import bare_check


def rowwise(function: Callable[[float], float], x: Tensor) -> Tensor:
    return torch.tensor([function(float(each)) for each in x.detach()], dtype=torch.float64)


def halved(limit: float):
    """A claim whose root raises below zero, where it is not assumed to be."""

    @claim("raising/root", always(), over=grid(n=[1]))
    def root(forall, *, n):
        """sqrt x <= limit for x in [0, 1]."""
        x = forall.interval("x", -1.0, float(n))
        forall.assume(x >= 0.0)
        return rowwise(math.sqrt, x), limit

    return root


def test_what_is_assumed_away_may_raise() -> None:
    """The claim says nothing there: an ERROR would be a refusal of a sound claim."""
    assert bare_check(halved(1.0), effort="quick").status is Status.HOLDS
    assert bare_check(halved(0.9), effort="quick").status is Status.REFUTED


def test_a_violation_beside_the_end_of_what_is_assumed_is_found() -> None:
    """Rounded copies of x = 0 lie below zero, where the body raises."""

    @claim("raising/edge", always())
    def edge(forall):
        """sqrt x >= 0.1."""
        x = forall.interval("x", -1.0, 1.0)
        forall.assume(x >= 0.0)
        return 0.1, rowwise(math.sqrt, x)

    assert bare_check(edge, effort="quick").status is Status.REFUTED


def test_an_identity_may_raise_where_it_is_not_assumed() -> None:
    @claim("raising/identity", identity())
    def square(forall):
        """x = sqrt(x)^2 for x >= 0."""
        x = forall.interval("x", -1.0, 1.0)
        forall.assume(x >= 0.0)
        return x, rowwise(math.sqrt, x) ** 2

    assert bare_check(square, effort="quick").status is Status.HOLDS


@pytest.mark.parametrize("assumed", [True, False])
def test_distributions_that_are_assumed_away_may_raise(*, assumed: bool) -> None:
    @claim("raising/drawn", high_probability("delta"), trivial=1.0, over=grid(n=[10], delta=[0.05]))
    def mean(forall, draw, *, n, delta):
        """|mean - p| <= sqrt(log(2/delta) / (2 n)) with probability at least 1 - delta."""
        p = forall.interval("p", -1.0, 1.0)
        if assumed:
            forall.assume(p >= 0.0)
        math.sqrt(float(p))
        x = draw.bernoulli("x", p, n)
        return (x.mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (2 * n))

    found = bare_check(mean, effort="quick")
    if assumed:
        assert found.status is Status.HOLDS
    else:
        assert "at n=10, delta=0.05 raised ValueError" in found.reason
        assert " at p=-" in found.reason


def test_assumptions_that_come_after_it_do_not_excuse_it() -> None:
    @claim("raising/late", always())
    def late(forall):
        """sqrt x <= 1 for x in [0, 1]."""
        x = forall.interval("x", -1.0, 1.0)
        found = rowwise(math.sqrt, x)
        forall.assume(x >= 0.0)
        return found, 1.0

    assert " at x=-" in bare_check(late, effort="quick").reason


def test_the_error_tells_which_input_of_a_batch_is_to_blame() -> None:
    @claim("raising/zero", always())
    def inverse(forall):
        """x/x <= 1."""
        x = forall.interval("x", 0.0, 1.0)
        return rowwise(lambda each: each / each, x), 1.0

    spaces = anatomy(inverse, {}).spaces
    assert [space.name for space in spaces] == ["x"]
    values = {"x": torch.linspace(1.0, 0.0, 9, dtype=torch.float64)}
    with pytest.raises(BodyRaised, match=r"raised ZeroDivisionError.* \(line \d+ of test_raising.py\) at x=0\.0; run"):
        evaluate_apart(inverse, {}, values, 9)
    assert evaluate_apart(inverse, {}, {"x": values["x"][:8]}, 8).lhs.tolist() == [1.0] * 8


def test_only_the_instances_that_are_left_are_evaluated_again() -> None:
    root = halved(1.0)
    values = {"x": torch.tensor([-1.0, 0.25, -0.5, 1.0], dtype=torch.float64)}
    found = evaluate_apart(root, {"n": 1}, values, 4)
    assert found.out.tolist() == [True, False, True, False]
    assert found.lhs[~found.out].tolist() == [0.5, 1.0]
    assert bool(found.lhs[found.out].isnan().all())


def test_what_fails_for_the_whole_batch_alone_names_no_input() -> None:
    @claim("raising/together", always())
    def together(forall):
        """x <= 1."""
        x = forall.interval("x", 0.0, 1.0)
        if len(x) == 7:
            raise ValueError("seven")
        return x, 1.0

    with pytest.raises(BodyRaised, match=r"raised ValueError: seven \(line \d+ of test_raising.py\); run"):
        evaluate_apart(together, {}, {"x": torch.linspace(0.0, 1.0, 7, dtype=torch.float64)}, 7)


def test_long_inputs_are_cut() -> None:
    @claim("raising/long", always())
    def long(forall):
        """1 <= 1."""
        forall.interval("x", -1.0, 1.0, 100)
        raise ValueError("always")

    found = bare_check(long, effort="quick").reason
    assert " at x=[" in found
    assert "...; run" in found
    assert len(found) < 500


@pytest.mark.parametrize("raises", [True, False])
def test_a_condition_of_the_wrong_shape_is_named(*, raises: bool) -> None:
    @claim("raising/shape", always())
    def shape(forall):
        """x <= 1."""
        x = forall.interval("x", 0.0, 1.0)
        forall.assume(torch.ones(77, dtype=torch.bool))
        if raises:
            raise ValueError("never seen")
        return x, 1.0

    found = bare_check(shape, effort="quick")
    assert found.status is Status.ERROR
    assert "assume() has a condition of shape (77,)" in found.reason
