"""What is proved is true: closed cases, the planted falsehoods, every kind of set; and what stops a proof is said."""

import math
from typing import Any

import pytest
import torch

from harness import Forall, always, identity
from harness.certify.enclosure.branch import Budget, Unfinished
from harness.certify.proof import Proof, Unproved, prove
from harness.kinds import Always, Identity
from harness.language.anatomy import anatomy
from harness.selftest.falsehoods import FALSEHOODS
from tests.harness.enclosure.stating import Body, tried


def _interval(forall: Forall) -> Any:
    return forall.interval("x", -1.0, 1.0)


def _share(forall: Forall) -> Any:
    return forall.interval("p", 0.0, 1.0)


TRUE: dict[str, tuple[Body, float]] = {  # with the constant that should be proved at most
    "a parabola below its top": (lambda f: ((p := _share(f)) * (1.0 - p), 0.25), 1.0),
    "both sides vanish inside": (lambda f: ((x := _interval(f)).square(), x.abs()), 1.0),
    "equality at an end": (lambda f: ((x := _share(f)).exp(), 1.0 + x * (math.e - 1.0) + 1e-15), 1.0),
    "negative sides": (lambda f: (-2.0 - (x := _interval(f)).square(), -1.0 - x.abs() / 4), 1.0),
    "equality inside": (lambda f: (2.0 * (x := f.interval("x", 0.5, 2.0)), 1.0 + x.square()), 1.01),
    "integers": (lambda f: ((k := f.integers("k", 0, 40)), (k + 1.0) ** 1.5), 1.0),
    "signs": (lambda f: (f.signs("s", 6).sum(-1), 6.0), 1.0),
    "a choice": (lambda f: (f.choice("c", [0.1, 0.9, 0.4]), 0.9), 1.0),
    "a simplex": (lambda f: ((p := f.simplex("p", 3)).square().sum(-1), p.amax(-1) + 0.01), 1.0),
    "a ball": (lambda f: (f.ball("b", 2).sum(-1), math.sqrt(2.0) * 1.01), 1.01),
    "a sphere": (lambda f: (0.5, f.sphere("b", 2).abs().amax(-1)), 1.01),
    "a matrix": (lambda f: (f.psd("K", 2, trace=1.0)[:, 0, 1].abs(), 0.51), 1.0),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_inequalities_are_proved(name: str) -> None:
    body, c = TRUE[name]
    found = tried(always(), body)
    assert isinstance(found, Proof), found
    assert found.c <= c


FALSE: dict[str, Body] = {
    "by a factor 1.02": lambda f: ((p := _share(f)) * (1.0 - p) * 1.02, 0.25),
    "at a corner": lambda f: (f.interval("x", 0.0, 1.0, 3).prod(-1), 0.98),
    "in a tiny part": lambda f: (1.02 - (_share(f) - 0.3).abs().clamp(max=0.01) * 3.0, 1.0),
    "at one integer": lambda f: (torch.where(f.integers("k", 0, 30) == 17.0, 2.0, 1.0), 1.5),
    "at one pattern of signs": lambda f: (f.signs("s", 5).sum(-1), 4.0),
    "at a vertex of the simplex": lambda f: (f.simplex("p", 3).amax(-1), 0.98),
    "on the boundary of the ball": lambda f: (f.ball("b", 2).sum(-1), 1.39),
    "on the sphere": lambda f: (0.72, f.sphere("b", 2).abs().amax(-1)),
    "where a root is not defined": lambda f: (torch.where(_interval(f).sqrt() >= 0.0, 0.0, 2.0), 1.0),
    "beside a pole": lambda f: (1.0 / (x := _interval(f)) + 0.0 * x, 1e6),
    "negative right sides": lambda f: (-1.0 + 0.0 * _interval(f), -1.02),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_inequalities_are_not_proved(name: str) -> None:
    """Would catch a face taken for its box where it misses the set, an end rounded inward, a jump overlooked."""
    found = tried(always(), FALSE[name])
    assert isinstance(found, Unproved), found


DETERMINISTIC = [f for f in FALSEHOODS if isinstance(f.claim.kind, Always | Identity)]


@pytest.mark.parametrize("falsehood", DETERMINISTIC, ids=[f.claim.id for f in DETERMINISTIC])
def test_no_planted_falsehood_is_proved(falsehood: Any) -> None:
    """Some are wrong by less than the steps of the ladder: a proof with c > 1 is no proof of the claim."""
    made = falsehood.claim
    found = prove(made, {}, anatomy(made, {}), boxes=500)
    assert isinstance(found, Unproved) or found.c > 1.0


STOPPED: dict[str, tuple[Body, str]] = {
    "no enclosure": (lambda f: (torch.special.bessel_j0(_interval(f)), 2.0), "bessel_j0"),
    "plain numbers": (lambda f: (0.0 * float(_interval(f).sum() * 0.0), 1.0), "plain float64 numbers"),
    "no inputs": (lambda _: (1.0, 2.0), "no input is quantified"),
    "budget": (lambda f: ((x := f.interval("x", 0.0, 1.0, 9)).prod(-1), x.square().sum(-1)), "budget"),
    "unbounded": (lambda f: (-(k := f.psd("K", 2))[:, 0, 0], k[:, 1, 1]), "without a bound"),
}


@pytest.mark.parametrize("name", STOPPED)
def test_what_stops_a_proof_is_said(name: str) -> None:
    body, words = STOPPED[name]
    found = tried(always(), body, 300)
    assert isinstance(found, Unproved)
    assert words in found.reason


def test_a_proof_that_would_take_many_budgets_is_given_up() -> None:
    budget = Budget(boxes=1000, work=math.inf)
    budget.spend(500, 0.0)
    budget.look_ahead(0.1)  # five budgets
    with pytest.raises(Unfinished, match=r"500 boxes, 50% of it, prove 0\.01 of all inputs"):
        budget.look_ahead(0.01)


def test_an_identity_is_proved_exactly_by_expansion() -> None:
    found = tried(identity(), lambda f: ((x := f.interval("x", -1.0, 1.0, 3)).sum(-1).square(), _squares(x)))
    assert found == Proof(1.0, 0, 0.0)


def _squares(x: Any) -> Any:
    return (x.unsqueeze(-1) * x.unsqueeze(-2)).sum((-2, -1))


def test_an_identity_without_expansion_is_proved_to_its_tolerance() -> None:
    body: Body = lambda f: ((x := f.interval("x", 2.0, 3.0)).log2() * 1.0001, x.log2())  # noqa: E731
    found = tried(identity(rtol=1e-2), body, 4_000)
    assert isinstance(found, Proof)
    assert found.tolerance == 1e-2
    assert isinstance(tried(identity(rtol=1e-5), body, 1_000), Unproved)


def _counts(f: Any) -> Any:
    """How many of two labels are equal to each code."""
    y, codes = f.integers("y", 1, 3, 2), torch.tensor([1.0, 2.0, 3.0]).double()
    return (y.unsqueeze(-2) == codes.unsqueeze(-1)).to(torch.float64).sum(-1)


EXPANDED: dict[str, Body] = {
    "each label has one code": lambda f: (_counts(f).sum(-1), 2.0),
    "a table at a whole number": lambda f: (
        (k := f.integers("k", 0, 3).to(torch.int64), torch.tensor([0.0, 1.0, 4.0, 9.0])[k])[1],
        (k * k).to(torch.float64),
    ),
    "an entry at a whole number": lambda f: (
        (x := f.interval("x", -1.0, 1.0, 2)).gather(-1, (k := f.integers("k", 0, 1)).to(torch.int64)[:, None])[:, 0],
        x[:, 0] + k * (x[:, 1] - x[:, 0]),
    ),
    "an undefined number that is never chosen": lambda f: (
        torch.where(torch.zeros(1) > 0, math.nan, x := f.interval("x", -1.0, 1.0)) ** 2,
        x * x,
    ),
}


@pytest.mark.parametrize("name", EXPANDED)
def test_finite_values_are_expanded(name: str) -> None:
    assert tried(identity(), EXPANDED[name]) == Proof(1.0, 0, 0.0)


MISSED: dict[str, Body] = {
    "a code too few": lambda f: (_counts(f)[..., :2].sum(-1), 2.0),
    "one entry of a table": lambda f: (
        (k := f.integers("k", 0, 3).to(torch.int64), torch.tensor([0.0, 1.0, 4.0, 9.5])[k])[1],
        (k * k).to(torch.float64),
    ),
    "the other entry": lambda f: (
        (x := f.interval("x", -1.0, 1.0, 2)).gather(-1, (k := f.integers("k", 0, 1)).to(torch.int64)[:, None])[:, 0],
        x[:, 1] - k * (x[:, 1] - x[:, 0]),
    ),
    "half a number as a place": lambda f: (
        torch.tensor([1.0, 1.0])[(0.5 * f.integers("k", 0, 1)).to(torch.int64)],
        1.0,
    ),
}


@pytest.mark.parametrize("name", MISSED)
def test_finite_values_are_told_apart(name: str) -> None:
    """Would catch an indicator of the wrong value, and a conversion that cuts numbers off taken for the identity."""
    assert isinstance(tried(identity(), MISSED[name]), Unproved)


def _system(f: Any) -> tuple[Any, Any, Any]:
    """A positive definite matrix of order 3, its lower factor, and right sides."""
    features, ridge = f.interval("features", -1.0, 1.0, 3, 2), f.interval("ridge", 0.1, 2.0)
    matrix = features @ features.mT + ridge[:, None, None] * torch.eye(3, dtype=torch.float64)
    factor, info = torch.linalg.cholesky_ex(matrix)
    return matrix, factor.masked_fill((info != 0)[..., None, None], math.nan), f.interval("b", -1.0, 1.0, 3, 1)


def _twice_solved(f: Any) -> Any:
    _, factor, b = _system(f)
    half = torch.linalg.solve_triangular(factor, b, upper=False)
    whole = torch.linalg.solve_triangular(factor.mT, half, upper=True)
    return (whole - torch.cholesky_solve(b, factor)).sum((-2, -1)) + 1.0, 1.0


def _energies(f: Any) -> Any:
    matrix, factor, b = _system(f)
    solution = torch.linalg.solve(matrix, b)
    return torch.linalg.solve_triangular(factor, b, upper=False).square().sum((-2, -1)), (b * solution).sum((-2, -1))


def _pushed_through(f: Any) -> Any:
    """Z (Z^T Z + r)^-1 = (Z Z^T + r)^-1 Z."""
    z, r = f.interval("z", -1.0, 1.0, 2, 3), f.interval("r", 0.1, 2.0)[:, None, None]
    small, large = (g + r * torch.eye(g.shape[-1], dtype=torch.float64) for g in (z @ z.mT, z.mT @ z))
    return (z @ torch.linalg.inv(large)).sum((-2, -1)), torch.linalg.solve(small, z).sum((-2, -1))


SYSTEMS: dict[str, Body] = {"two halves": _twice_solved, "energies": _energies, "push through": _pushed_through}


@pytest.mark.parametrize("name", SYSTEMS)
def test_linear_systems_are_expanded(name: str) -> None:
    assert tried(identity(), SYSTEMS[name]) == Proof(1.0, 0, 0.0)


def _lopsided(f: Any, *, lower: bool) -> Any:
    """The factor of a matrix with different triangles, and that of one of the triangles, solve the same system."""
    a = f.interval("a", 0.0, 0.5)
    zero, one = 0.0 * a, 1.0 + 0.0 * a
    b = torch.stack([one, one], -1).unsqueeze(-1)
    left = torch.stack([torch.stack([one, zero], -1), torch.stack([a, one], -1)], -2)
    off = a if lower else zero
    right = torch.stack([torch.stack([one, off], -1), torch.stack([off, one], -1)], -2)
    solved = torch.cholesky_solve(b, torch.linalg.cholesky(left)).sum((-2, -1))
    return solved, torch.linalg.solve(right, b).sum((-2, -1))


def test_a_factorisation_looks_at_the_lower_triangle() -> None:
    assert tried(identity(), lambda f: _lopsided(f, lower=True)) == Proof(1.0, 0, 0.0)
    assert isinstance(tried(identity(), lambda f: _lopsided(f, lower=False)), Unproved)


UNSOLVED: dict[str, Body] = {
    "a transposed factor": lambda f: (
        (s := _system(f))[0].sum((-2, -1)) + 0.0,
        torch.linalg.solve_triangular(s[1].mT, s[2], upper=False).sum((-2, -1)),
    ),
    "an inverse a little off": lambda f: (
        (1.0 + 1e-6) * torch.cholesky_solve((s := _system(f))[2], s[1]).sum((-2, -1)),
        torch.linalg.solve(s[0], s[2]).sum((-2, -1)),
    ),
    "where there is no factor": lambda f: (
        torch.where(
            torch.linalg.cholesky_ex((x := f.interval("x", -1.0, 1.0))[:, None, None])[1] == 0, x * 0.0, x * 0.0 + 1.0
        ),
        0.0 * x,
    ),
    "a comparison with what may be undefined": lambda f: (
        torch.where(
            torch.cholesky_solve(
                (x := f.interval("x", -1.0, 1.0))[:, None, None], torch.linalg.cholesky(x[:, None, None])
            )[:, 0, 0]
            > 0.5,
            0.0 * x,
            0.0 * x + 1.0,
        ),
        0.0 * x,
    ),
    "a mask that lets nan through": lambda f: (
        torch.where((x := f.interval("x", -1.0, 1.0)) > 0.0, torch.where(x > 0.5, math.nan, x), 1.0),
        torch.where(x > 0.0, x, 2.0),
    ),
}


@pytest.mark.parametrize("name", UNSOLVED)
def test_systems_that_differ_or_have_no_solution_are_not_proved(name: str) -> None:
    """Would catch a failed factorisation taken for one that succeeds, and a decision that nan would change."""
    assert isinstance(tried(identity(), UNSOLVED[name]), Unproved)


def _guarded(f: Any) -> Any:
    x = f.interval("x", 0.1, 2.0)
    if bool((x < 0).any()):
        raise ValueError("x is negative")
    return 2.0 * x, x + x


SIGNS: dict[str, Body] = {
    "absolute values": lambda f: (((x := f.interval("x", 0.1, 2.0)) ** 2 + x).abs(), x * (x + 1.0)),
    "a guard": _guarded,
    "an extreme": lambda f: (torch.maximum(x := f.interval("x", 0.1, 1.0), x + 1.0), x + 1.0),
}


@pytest.mark.parametrize("name", SIGNS)
def test_signs_that_the_sets_decide_are_known(name: str) -> None:
    assert tried(identity(), SIGNS[name]) == Proof(1.0, 0, 0.0)


@pytest.mark.parametrize("low", [-1e-9, -2.0])
def test_signs_that_the_sets_leave_open_are_not_guessed(low: float) -> None:
    assert isinstance(tried(identity(), lambda f: ((x := f.interval("x", low, 2.0)).abs(), x)), Unproved)
