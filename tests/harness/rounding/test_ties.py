"""Indicators of what rounding decides: what is equal in exact arithmetic differs in every rounded evaluation."""

import math

import numpy as np
import pytest
import torch

from algos.divergence_ball import chi_square_ball_maximum
from harness import always, check, claim, identity
from harness.certify.rounding.differences import HELD
from harness.certify.rounding.statements import Shares, rounded_by
from harness.certify.rounding.tensors import moved
from harness.certify.rounding.ties import Compared, Ties
from harness.language.registry import Claim
from harness.verdict import Status


@claim("ties/add-subtract", always())
def add_subtract(forall):
    """(x + 1/10) - 1/10 is x."""
    x = forall.interval("x", 0.0, 1.0)
    return ((x + 0.1) - 0.1 != x).double(), 0.5


@claim("ties/rank", always())
def rank(forall):
    """x y^T has one positive singular value at most."""
    x, y = forall.sphere("x", 2), forall.sphere("y", 2)
    return (torch.linalg.svdvals(x[:, :, None] * y[:, None, :]) > 0.0).double().sum(-1), 1.5


@claim("ties/eigenvalues", always())
def eigenvalues(forall):
    """z z^* has no negative eigenvalue."""
    z = torch.complex(forall.interval("x", 0.5, 1.0, 2), forall.interval("y", 0.5, 1.0, 2))
    return (torch.linalg.eigvalsh(z[:, :, None] * z[:, None, :].conj()) < 0.0).any(-1).double(), 0.5


@claim("ties/residual", always())
def residual(forall):
    """The residual of a regression is orthogonal to the regressor, where there is one."""
    x, y = forall.ball("x", 3), forall.ball("y", 3)
    b = (x * y).sum(-1) / (x * x).sum(-1)
    return (((y - b[:, None] * x) * x).sum(-1) != 0.0).double(), 0.5


@claim("ties/sign", identity())
def sign(forall):
    """sign of det of a singular matrix is 0."""
    x = forall.interval("x", 0.5, 1.0)
    return torch.linalg.det(x[:, None, None] * torch.tensor([[1.0, 2, 3], [4, 5, 6], [7, 8, 9]]).double()).sign(), 0.0


@claim("ties/numpy", always())
def in_numpy(forall):
    """The same eigenvalues by numpy, compared there."""
    x = forall.interval("x", 0.5, 1.0, 3).numpy()
    return torch.as_tensor((np.linalg.eigvalsh(x[:, :, None] * x[:, None, :]) < 0.0).any(-1)).double(), 0.5


@claim("ties/plain", always())
def plain(forall):
    """The same sum in plain numbers."""
    x = forall.interval("x", 0.0, 1.0)
    return torch.tensor([1.0 if (each + 0.1) - 0.1 != each else 0.0 for each in x.tolist()]).double(), 0.5


@claim("ties/rank-false", always())
def rank_false(forall):
    """x y^T + u v^T has one positive singular value at most."""
    x, y, u, v = (forall.sphere(name, 2) for name in "xyuv")
    return (torch.linalg.svdvals(x[:, :, None] * y[:, None, :] + u[:, :, None] * v[:, None, :]) > 0.0).double().sum(
        -1
    ), 1.5


@claim("ties/order-false", always())
def order_false(forall):
    """1{x > y} <= 1{x^2 > y^2}: not for negative ones."""
    x, y = forall.interval("x", -1.0, 1.0), forall.interval("y", -1.0, 1.0)
    return (x > y).double(), (x**2 > y**2).double()


@claim("ties/equal-false", always())
def equal_false(forall):
    """1{x <= y} <= 1{x < y}: not for equal ones, which are inputs and exact."""
    x = forall.interval("x", 0.0, 1.0, 2)
    return (x[:, 0] <= x[:, 1]).double(), (x[:, 0] < x[:, 1]).double()


@claim("ties/plain-false", always())
def plain_false(forall):
    """x^2 <= x / 2 in plain numbers."""
    x = forall.interval("x", 0.0, 1.0)
    return torch.tensor([1.0 if each**2 > each / 2 else 0.0 for each in x.tolist()]).double(), 0.5


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "true", [add_subtract, rank, eigenvalues, residual, sign, in_numpy, plain], ids=lambda claim: claim.id
)
@pytest.mark.parametrize("seed", [0, 1])
def test_what_rounding_decides_refutes_nothing(true: Claim, seed: int) -> None:
    """Eigenvalues of zero may be negative in every rounded evaluation: then it is said that rounding decides."""
    verdict = check(true, effort="quick", seed=seed)
    decided = true is eigenvalues and "rests on what rounding decides" in verdict.reason
    assert verdict.status in (Status.HOLDS, Status.PROVED) or decided


@pytest.mark.parametrize("false", [rank_false, order_false, equal_false, plain_false], ids=lambda claim: claim.id)
def test_what_is_false_beyond_ties_is_refuted(false: Claim) -> None:
    assert check(false, effort="quick").status is Status.REFUTED


def test_ties_are_put_on_each_side_of_zero() -> None:
    ties = Ties()
    answers = []
    for noise in (1e-17, -1e-17, 3e-17):
        ties.begin()
        assert ties.of_numbers("lt", noise, 0.0) == (noise < 0.0)
        assert ties.of_numbers("lt", 1.0 + noise, 0.0) is False
    for _ in ties.sides():
        ties.begin()
        answers.append((ties.of_numbers("lt", 2e-17, 0.0), ties.of_numbers("lt", 1.0, 0.0)))
    assert answers == [(False, False), (False, False), (True, False)]
    assert ties.side is None


def test_evaluations_that_compare_other_things_show_no_ties() -> None:
    ties = Ties()
    for shape in (8, 4):
        ties.begin()
        ties.of_numbers("eq", np.full(shape, 1e-17), 0.0)
    assert not list(ties.sides())


def test_of_evaluations_of_more_or_fewer_steps_neighbours_are_ties() -> None:
    """What is compared in step k of a search is another thing where it has taken another way."""
    ties = Ties()
    for steps in (3, 3, 4):
        ties.begin()
        for step in range(steps):
            ties.of_numbers("lt", 1e-17 * (-1.0) ** step, 0.0)
    sides = 0
    for _ in ties.sides():
        ties.begin()
        assert not ties.doubtful
        assert not ties.of_numbers("lt", 1.0, 1.0 + 2.0**-52)
        assert ties.of_numbers("lt", -1e-17, 0.0)  # far from it, by its size
        sides += 1
    assert sides == 1


def test_after_another_answer_neighbours_are_ties() -> None:
    """The first of two is always false by rounding, and the second is never asked for as long as it is."""
    ties = Ties()

    def both(noise: float) -> bool:
        ties.begin()
        return bool(ties.of_numbers("eq", 0.3 + noise, 0.3)) and bool(ties.of_numbers("eq", 0.8 - noise, 0.8))

    assert not any(both(noise) for noise in (6e-17, 1.2e-16))
    assert [both(1.2e-16) for _ in ties.sides()] == [False, True, False]


@pytest.mark.parametrize("unknown", [math.nan, math.inf - math.inf])
def test_what_is_not_known_may_lie_on_any_side(unknown: float) -> None:
    ties = Ties()
    for _ in range(2):
        ties.begin()
        ties.of_numbers("lt", np.array([unknown, 1.0]), 0.0)
    answers = []
    for _ in ties.sides():
        ties.begin()
        answers.append(ties.of_numbers("lt", np.array([unknown, 1.0]), 0.0).tolist())
    assert answers == [[False, False], [False, False], [True, False]]


def test_what_takes_much_memory_is_not_kept() -> None:
    ties = Ties()
    for noise in (1e-17, -1e-17):
        ties.begin()
        ties.of_numbers("eq", np.full(HELD, noise), 0.0)
        ties.of_numbers("eq", noise, 0.0)
    assert [list(ties.doubtful) for _ in ties.sides()] == [[0]] * 3
    assert ties.differences.shapes == [(HELD,), None]


def test_one_evaluation_shows_no_ties() -> None:
    ties = Ties()
    ties.begin()
    ties.of_numbers("ne", np.array([1e-17, -1e-17]), 0.0)
    assert not list(ties.sides())


def test_what_an_algorithm_of_ours_compares_is_left_to_it() -> None:
    """An answer that is forced on one of its comparisons fits none of the others."""
    values = torch.tensor([1.0, 1.0, 0.3, -1.0], dtype=torch.float64)
    ties = Ties()
    ties.begin()
    with moved(0, ties=ties):
        chi_square_ball_maximum(values, 1.0)
        assert ties.count == 0
        assert bool((values > 0.5).any())
    assert ties.count == 1


def scores(u, v):
    return [a / 10 + b / 10 for a, b in zip(u, v, strict=True)]


INSIDE = {
    "in": lambda s, t: float(t in s),
    "index": lambda s, t: float(s.index(t)) if t in s else -1.0,
    "count": lambda s, t: float(s.count(t)),
    "set": lambda s, _: float(len(set(s))),
    "list": lambda s, _: float(s == s[::-1]),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", INSIDE)
@pytest.mark.parametrize("slack", [0.0, 1.0])
def test_numbers_that_are_compared_inside_a_container_are_ties(name: str, slack: float) -> None:
    """Tenths that add up to .3 are equal, however they were added; what is off by one is refuted all the same."""

    @claim(f"ties/inside-{name}", identity())
    def body(forall):
        """What Python says of the scores k/10 + l/10 is what it says of the whole numbers k + l."""
        k, low = forall.integers("k", 0, 3, 3), forall.integers("l", 0, 3, 3)
        tenths = [INSIDE[name](scores(u, v), 0.3) for u, v in zip(k.tolist(), low.tolist(), strict=True)]
        whole = [INSIDE[name]([int(a + b) for a, b in zip(u, v, strict=True)], 3) for u, v in zip(k, low, strict=True)]
        return torch.tensor(tenths).double(), torch.tensor(whole).double() + slack

    status = check(body, effort="quick").status
    assert (status is Status.REFUTED) is (slack > 0.0)


def test_large_whole_numbers_and_infinities_are_no_ties() -> None:
    ties = Ties()
    ties.begin()
    big, infinite = Compared(1e300, ties), Compared(math.inf, ties)
    assert big != 10**400
    assert infinite == math.inf
    assert sorted([infinite, big]) == [big, infinite]
    assert not list(ties.sides())


TRUTHS = {
    "any": lambda x: x.any(-1),
    "all": lambda x: x.all(-1),
    "count": lambda x: x.count_nonzero(-1) > 0,
    "bool": lambda x: x.bool().any(-1),
    "nonzero": lambda x: torch.zeros(len(x)).index_fill(0, x.nonzero()[:, 0], 1.0),
}


@pytest.mark.parametrize("name", TRUTHS)
def test_which_numbers_are_not_zero_is_a_comparison(name: str) -> None:
    @claim(f"ties/truths-{name}", always())
    def body(forall):
        """(x + 1/10) - 1/10 - x is zero."""
        x = forall.interval("x", 0.0, 1.0, 1)
        return TRUTHS[name]((x + 0.1) - 0.1 - x).double(), 0.5

    assert check(body, effort="quick").status is not Status.REFUTED


def test_complex_numbers_that_are_compared_are_ties() -> None:
    @claim("ties/complex", always())
    def body(forall):
        """(.1 + .2i) + .2 is .3 + .2i: what floats say of it is no proof that it is not."""
        x = forall.interval("x", 0.0, 1.0)
        return x + (2.0 if complex(0.1, 0.2) + 0.2 == complex(0.3, 0.2) else 0.0), 1.5

    assert check(body, effort="quick").status is not Status.PROVED


def test_equal_tensors_are_equal_however_they_were_added() -> None:
    @claim("ties/equal", always())
    def body(forall):
        """Three tenths are .3."""
        x = forall.interval("x", 0.0, 1.0)
        three = torch.full((1,), 0.1, dtype=torch.float64) + 0.2
        return x + float(not torch.equal(three, torch.full((1,), 0.3, dtype=torch.float64))), 1.5

    assert check(body, effort="quick").status is Status.HOLDS


KEYS = {
    "loop": lambda s: {score: str(score) for score in s},
    "enumerate": lambda s: {score: place for place, score in enumerate(s)},
    "list": lambda s: dict.fromkeys(list(s)),
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("slack", [0.0, 1.0])
def test_numbers_of_an_array_that_become_keys_are_ties(name: str, slack: float) -> None:
    """At 7/10 + 2/10, which is next to the .9 beside it in every evaluation that moves the sum alone."""

    @claim(f"ties/keys-{name}", identity())
    def body(forall):
        """Tenths have as many values as whole numbers."""
        a, b = (forall.integers(x, 0, 9, 4).numpy() for x in "ab")
        tenths = [len(KEYS[name](u / 10 + v / 10)) for u, v in zip(a, b, strict=True)]
        whole = [len(set((u + v).tolist())) for u, v in zip(a, b, strict=True)]
        return torch.tensor(tenths).double(), torch.tensor(whole).double() + slack

    status = check(body, effort="quick").status
    assert (status is Status.REFUTED) is (slack > 0.0)


def test_loops_go_through_the_numbers_themselves() -> None:
    """Of short floats their type, of a matrix its rows, into which a loop may write."""

    def body(short):
        table = np.zeros((2, 2))
        for row in table:
            row[0] = 5.0
        return [type(x) for x in short], table[:, 0].tolist(), [x for x, _ in zip(short, table, strict=True)]

    moved = rounded_by(body, Shares(3), Ties())
    assert moved is not None
    short = np.array([0.5, 0.25], dtype=np.float32)
    assert moved(short) == ([np.float32] * 2, [5.0, 5.0], [0.5, 0.25])
