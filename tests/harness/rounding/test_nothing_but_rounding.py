"""Quotients of rounding by rounding, and matrices that only rounding keeps from being singular: no side exists."""

import numpy as np
import pytest
import torch

from harness import always, check, claim, grid, high_probability, identity, tail
from harness.certify.rounding.tensors import moved
from harness.certify.rounding.ties import Ties
from harness.language.registry import Claim
from harness.verdict import Status


def moments(x):
    c = x - x.mean(-1, keepdim=True)
    return c.square().mean(-1), (c**3).mean(-1), (c**4).mean(-1)


@claim("nothing/kurtosis", always())
def kurtosis(forall):
    """skewness^2 + 1 <= kurtosis, where there is one."""
    m2, m3, m4 = moments(forall.interval("x", -1.0, 1.0, 6))
    return m3**2 / m2**3 + 1, m4 / m2**2


@claim("nothing/kurtosis-numpy", always())
def kurtosis_numpy(forall):
    """The same by numpy, with a loop."""
    found = []
    for x in forall.interval("x", -1.0, 1.0, 6).numpy():
        c = x - x.mean()
        m2, m3, m4 = (c**2).mean(), (c**3).mean(), (c**4).mean()
        found.append([m3**2 / m2**3 + 1 if m2 else np.nan, m4 / m2**2 if m2 else np.nan])
    return torch.tensor(found).double().unbind(-1)


@claim("nothing/reciprocals", always())
def reciprocals(forall):
    """The same with reciprocals."""
    m2, m3, m4 = moments(forall.interval("x", -1.0, 1.0, 6))
    return (m3 * m2.rsqrt() * m2.reciprocal()) ** 2 + 1, m4 * m2.reciprocal() ** 2


@claim("nothing/kurtosis-law", high_probability("delta"), over=grid(delta=[0.05]))
def kurtosis_law(forall, draw, *, delta):
    """The same of six draws of any law."""
    m2, m3, m4 = moments(draw.law("x", forall.law("P", atoms=2), 6))
    return m3**2 / m2**3 + 1, m4 / m2**2


@claim("nothing/kurtosis-false", always())
def kurtosis_false(forall):
    """skewness^2 + 1.1 <= kurtosis is false for two values."""
    m2, m3, m4 = moments(forall.interval("x", -1.0, 1.0, 6))
    return m3**2 / m2**3 + 1.1, m4 / m2**2


def hat_trace(x, solve=torch.linalg.solve):
    x = torch.stack([torch.ones_like(x), x], -1)
    return (x @ solve(x.mT @ x, x.mT)).diagonal(dim1=-2, dim2=-1).sum(-1)


SOLVES = {
    "solve": torch.linalg.solve,
    "inverse": lambda a, b: torch.linalg.inv(a) @ b,
    "cholesky": lambda a, b: torch.cholesky_solve(b, torch.linalg.cholesky(a)),
    "numpy": lambda a, b: torch.tensor(np.linalg.solve(a.numpy(), b.numpy())),
}


def _of_regression(name: str, trace: float) -> Claim:
    @claim(f"nothing/hat-{name}-{trace:g}", identity())
    def made(forall):
        """The hat matrix of a simple regression has a trace."""
        return hat_trace(forall.interval("x", -1.0, 1.0, 5), solve=SOLVES[name]), trace

    return made


@pytest.mark.parametrize("name", SOLVES)
def test_regressions_on_equal_numbers_refute_nothing(name: str) -> None:
    assert check(_of_regression(name, 2.0), effort="quick").status in (Status.HOLDS, Status.PROVED)


@pytest.mark.parametrize("name", SOLVES)
def test_another_trace_is_refuted(name: str) -> None:
    assert check(_of_regression(name, 2.001), effort="quick").status is Status.REFUTED


@claim("nothing/hat-of-a-law", high_probability("delta"), over=grid(delta=[0.05]))
def hat_of_a_law(forall, draw, *, delta):
    """The same trace of five draws of any law, where it exists."""
    return 1.9, hat_trace(draw.law("x", forall.law("P", atoms=2), 5))


@claim("nothing/hat-of-normals", high_probability("delta"), over=grid(delta=[0.05]))
def hat_of_normals(forall, draw, *, delta):
    """The trace for normal numbers that hardly differ."""
    m, s = forall.interval("m", 0.0, 1000.0), forall.interval("s", 0.001, 1.0)
    return 1.9, hat_trace(m[:, None] + s[:, None] * draw.normal("x", 5))


@claim("nothing/hat-tail", tail())
def hat_tail(forall, draw):
    """P(trace <= 1.9) <= 1/100: it is zero."""
    m, s = forall.interval("m", -1.0, 1.0), forall.interval("s", 1e-9, 1.0)
    return hat_trace(m[:, None] + s[:, None] * draw.normal("x", 5)) <= 1.9, 0.01


@claim("nothing/hat-false", high_probability("delta"), over=grid(delta=[0.05]))
def hat_false(forall, draw, *, delta):
    """The trace is not more than 2.1."""
    m = forall.interval("m", -1.0, 1.0)
    return 2.1, hat_trace(m[:, None] + draw.normal("x", 5))


TRUE = [kurtosis, kurtosis_numpy, reciprocals, kurtosis_law, hat_of_a_law, hat_of_normals, hat_tail]


@pytest.mark.in_turn
@pytest.mark.parametrize("true", TRUE, ids=lambda each: each.id)
def test_what_does_not_exist_refutes_nothing(true: Claim) -> None:
    assert check(true, effort="quick").status is not Status.REFUTED


@pytest.mark.parametrize("false", [kurtosis_false, hat_false], ids=lambda each: each.id)
def test_what_is_false_elsewhere_is_refuted(false: Claim) -> None:
    assert check(false, effort="quick").status is Status.REFUTED


def test_a_divisor_is_zero_where_rounding_made_it_and_the_quotient_matters() -> None:
    """Beside one that is not, and as it is where it is exact or a guard leaves it out."""
    ties = Ties()
    for share in (1.0, -2.0, 3.0):
        ties.begin()
        assert torch.equal(ties.of_divisor(torch.tensor([share * 1e-17, 0.5])), torch.tensor([share * 1e-17, 0.5]))
        assert ties.of_divisor(0.25) == 0.25
    found = []
    for _ in ties.sides():
        ties.begin()
        divisors = (ties.of_divisor(torch.tensor([1e-17, 0.5])).tolist(), ties.of_divisor(0.25))
        found.append((*divisors, ties.undefined(2).tolist()))
    assert found[1] == ([0.0, 0.5], 0.25, [True, False])
    assert [divided for *_, divided in found] == [[False] * 2, [True, False], [False] * 2]


def test_a_divisor_that_a_guard_has_replaced_stays() -> None:
    """`where(m2 == 0, 1, m2)` beside ties on zero is 1: larger than m2 ever was."""
    ties = Ties(of_trials=True)
    for share in (1.0, -2.0, 3.0):
        ties.begin()
        ties.of_divisor(torch.tensor([share * 1e-17]))
    found = []
    for _ in ties.sides():
        for divisor in (2e-17, 1.0):
            ties.begin()
            found.append((ties.side, ties.of_divisor(torch.tensor([divisor])).item(), ties.undefined(1).any()))
    assert found == [(0.0, 0.0, True), (0.0, 1.0, False)]


GUARDS = {
    "where": lambda x: torch.where(x == 0.0, 1e-300, x),
    "clamp_min": lambda x: x.clamp_min(1e-150),
    "clamp": lambda x: torch.clamp(x, min=1e-150, max=5.0),
    "none": lambda x: x,
}


@pytest.mark.parametrize("name", GUARDS)
def test_a_guard_by_a_tiny_number_keeps_the_quotient(name: str) -> None:
    """1 / max(x, 1e-150) of what may be zero is finite, and 1 / x is nothing."""
    ties = Ties(of_trials=True)
    noise = (torch.tensor([1e-17 * share, 0.5], dtype=torch.float64) for share in (1.0, 2.0, 4.0))
    for x in noise:
        ties.begin()
        with moved(0, ties=ties):
            1.0 / GUARDS[name](x)
    undefined = []
    for _ in ties.sides():
        ties.begin()
        with moved(0, ties=ties):
            1.0 / GUARDS[name](torch.tensor([2e-17, 0.5], dtype=torch.float64))
        undefined += ties.undefined(2).tolist()
    assert undefined == ([True, False] if name == "none" else [False, False])


def test_ties_of_trials_lie_on_zero_alone() -> None:
    """Of many trials each side shows in some."""
    ties = Ties(of_trials=True)
    for noise in (1e-17, -1e-17):
        ties.begin()
        ties.of_numbers("lt", noise, 0.0)
    assert [ties.side for _ in ties.sides()] == [0.0]


def test_matrices_far_from_singular_are_left_alone() -> None:
    ties = Ties()
    ties.begin()
    near = torch.tensor([[1.0, 1.0], [1.0, 1.0 + 1e-15]]).double()
    both = torch.stack([near, torch.eye(2).double()])
    assert torch.equal(ties.of_matrices(both), both)
    for _ in ties.sides():
        ties.begin()
        found = ties.of_matrices(both)
        assert torch.equal(found[1], both[1])
        assert found[0].isnan().all() == (ties.side == 0.0)
    assert list(Ties().sides()) == []
