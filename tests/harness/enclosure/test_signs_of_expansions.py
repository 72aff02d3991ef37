"""Inequalities by the sign of an expansion, powers and logarithms as normal forms; and what is false beside each."""

import math
from typing import Any

import pytest
import torch
from flint import fmpq

from algos.sphere.zonal import unit_directions
from harness import Forall, always, identity
from harness.certify.expansion.forms import Workspace
from harness.certify.expansion.positivity import is_dominated
from harness.certify.proof import Proof, Unproved
from tests.harness.enclosure.stating import Body, tried

HAIR = 1e-6


def _pair(f: Forall, low: float = -1.0) -> Any:
    return f.interval("x", low, 1.0, 4), f.interval("y", low, 1.0, 4)


def _jensen(f: Forall, excess: float) -> Any:
    """sum q (x - 1/2)^2 >= excess, where all x may be 1/2."""
    q, x = f.simplex("q", 3), f.interval("x", 0.0, 1.0, 3)
    return excess + 0.0 * x[:, 0], (q * (x - 0.5).square()).sum(-1)


def _labels(f: Forall, factor: float) -> Any:
    """2 y_1 y_2 x_1 x_2 <= x_1^2 + x_2^2 for signs y."""
    y, x = f.signs("y", 2), f.interval("x", -1.0, 1.0, 2)
    return factor * 2.0 * y.prod(-1) * x.prod(-1), x.square().sum(-1)


def _in_four_variables(f: Forall, factor: float) -> Any:
    """2 a b c d <= a^2 b^2 + c^2 d^2."""
    (a, b, c, d), _ = f.interval("x", -1.0, 1.0, 4).unbind(-1), f.interval("z", 0.0, 1.0)
    return factor * a * b * c * d, (a * b).square() + (c * d).square()


def _shared(f: Forall, factor: float) -> Any:
    """(a b c d + a b e g) / 2 <= ((a b)^2 + (c d)^2 / 2 + (e g)^2 / 2) / 2: both products take a half of the first."""
    a, b, c, d, e, g = f.interval("x", -1.0, 1.0, 6).unbind(-1)
    left = factor * a * b * (c * d + e * g)
    return left, ((a * b).square() + (c * d).square() / 2 + (e * g).square() / 2) / 2


def _projected(f: Forall, factor: float) -> Any:
    """(a c + b d)^2 / (a^2 + b^2 + t) <= c^2 + d^2 for t > 0, which may be tiny."""
    a, b, c, d = f.interval("x", -1.0, 1.0, 4).unbind(-1)
    below = a.square() + b.square() + f.interval("t", 1e-7, 1.0)
    return factor * (a * c + b * d).square() / below, c.square() + d.square()


def _waves(f: Forall, factor: float) -> Any:
    """2 x y cos(t) <= x^2 + y^2 for numbers of any sign."""
    x, y, t = f.interval("x", -1.0, 1.0), f.interval("y", -1.0, 1.0), f.interval("t", -9.0, 9.0)
    return factor * 2.0 * x * y * t.cos(), x.square() + y.square()


def _mixed(f: Forall, bound: float) -> Any:
    """|sum_j w_j 2 cos(t_j)|^2 <= 4 for weights w of a simplex; its bound on the box of the weights would be 16."""
    w, t = f.simplex("w", 3), f.interval("t", -9.0, 9.0, 3)
    return (w * 2.0 * t.cos()).sum(-1).square(), bound + 0.0 * w[:, 0]


INEQUALITIES: dict[str, tuple[Body, Body]] = {
    "a product of ends": (
        lambda f: ((x := _pair(f, 0.0)[0]).prod(-1), x[:, 0] * x[:, 1]),
        lambda f: ((x := _pair(f, 0.0)[0]).prod(-1), (1.0 - HAIR) * x[:, 0] * x[:, 1]),
    ),
    "a sum of squares": (
        lambda f: (((p := _pair(f))[0] * p[1]).sum(-1) * 2.0, (p[0].square() + p[1].square()).sum(-1)),
        lambda f: (((p := _pair(f))[0] * p[1]).sum(-1) * (2.0 + HAIR), (p[0].square() + p[1].square()).sum(-1)),
    ),
    "a square times a factor": (
        lambda f: (2.0 * (x := _pair(f, 0.0)[0])[:, 0] * x[:, 1] * x[:, 2], x[:, 2] * (x[:, 0] ** 2 + x[:, 1] ** 2)),
        lambda f: (2.0 * (x := _pair(f)[0])[:, 0] * x[:, 1] * x[:, 2], x[:, 2] * (x[:, 0] ** 2 + x[:, 1] ** 2)),
    ),
    "vertices of a simplex": (lambda f: _jensen(f, 0.0), lambda f: _jensen(f, HAIR)),
    "cases of signs": (lambda f: _labels(f, 1.0), lambda f: _labels(f, 1.0 + HAIR)),
    "Bernstein coefficients": (
        lambda f: ((x := f.interval("x", 0.0, 1.0)) ** 3, x),
        lambda f: ((x := f.interval("x", 0.0, 1.0 + HAIR)) ** 3, x),
    ),
    "a quotient": (
        lambda f: ((x := f.interval("x", 0.0, 1.0)) / (1.0 + x), x),
        lambda f: ((x := f.interval("x", -0.5, 1.0)).abs() / (1.0 + x), x.abs()),
    ),
    "real numbers without bounds": (
        lambda f: (2.0 * (x := f.real("x", 2))[:, 0] * x[:, 1], x.square().sum(-1)),
        lambda f: (2.0 * (x := f.real("x", 2))[:, 0] * x[:, 1], x.square().sum(-1).clamp(max=1e11)),
    ),
    "two means": (lambda f: _in_four_variables(f, 2.0), lambda f: _in_four_variables(f, 2.0 + HAIR)),
    "parts of one square": (lambda f: _shared(f, 0.5), lambda f: _shared(f, 0.5 + HAIR)),
    "products of odd powers": (
        lambda f: ((x := _pair(f, 0.0)[0])[:, 0] * x[:, 1] * f.interval("t", -9.0, 9.0).cos(), x[:, 0] * x[:, 1]),
        lambda f: ((x := _pair(f)[0])[:, 0] * x[:, 1] * f.interval("t", -9.0, 9.0).cos(), x[:, 0] * x[:, 1]),
    ),
    "two means above a sum": (lambda f: _projected(f, 1.0), lambda f: _projected(f, 1.0 + HAIR)),
    "phases": (lambda f: _waves(f, 1.0), lambda f: _waves(f, 1.0 + HAIR)),
    "coefficients over a simplex": (lambda f: _mixed(f, 4.0), lambda f: _mixed(f, 4.0 - HAIR)),
    "a root squared": (
        lambda f: ((2.0 + 2.0 * f.interval("t", -9.0, 9.0).cos()).sqrt(), 2.0 + f.interval("x", 0.0, 1.0)),
        lambda f: ((2.0 + 2.0 * f.interval("t", -9.0, 9.0).cos()).sqrt(), 2.0 - HAIR + f.interval("x", 0.0, 1.0)),
    ),
    "a root above what is negative": (
        lambda f: (-f.interval("x", 0.0, 1.0), (1.0 + f.interval("t", -9.0, 9.0).cos()).sqrt()),
        lambda f: ((1.0 + f.interval("t", -9.0, 9.0).cos()).sqrt(), -f.interval("x", 2.0, 3.0)),
    ),
    "a root": (
        lambda f: ((x := f.interval("x", 0.0, 1.0)).sqrt() * 2.0, 1.0 + x),
        lambda f: ((x := f.interval("x", 0.0, 1.0)).sqrt() * (2.0 + HAIR), 1.0 + x),
    ),
}


@pytest.mark.parametrize("name", [name for name in INEQUALITIES if name != "a root"])
def test_signs_of_expansions_are_proved_without_boxes(name: str) -> None:
    found = tried(always(), INEQUALITIES[name][0], 200)
    assert isinstance(found, Proof), found
    assert (found.c, found.boxes) == (1.0, 0)


@pytest.mark.parametrize("name", INEQUALITIES)
def test_what_is_false_by_a_hair_has_no_sign(name: str) -> None:
    """Would catch a face of the box that is missed, and a factor or a denominator whose sign is guessed."""
    found = tried(always(), INEQUALITIES[name][1], 200)
    assert isinstance(found, Unproved) or found.c > 1.0, found


def _positive(f: Forall) -> Any:
    return f.interval("x", 0.5, 2.0), f.interval("y", 0.5, 2.0)


def _rounded(f: Forall, excess: float) -> Any:
    """a x + b y with rounded numbers on one side, which vanishes at 0, and `excess` where it does."""
    x, y = f.interval("x", 0.0, 1.0), f.interval("y", 0.0, 1.0)
    first = (math.pi * 0.1 * 3) * x + (1.0 / (7.0 * math.e)) * 7.0 * y
    return first, math.pi * 0.3 * x + y / math.e + excess * (1.0 - x)


def _on_circles(f: Forall, excess: float) -> Any:
    """a |x|^2 = a for points of a sphere, weighed by a number that may be 0, with roots among the numbers."""
    x, a = f.sphere("x", 3), f.interval("a", 0.0, 1.0)
    wide = a * (math.sqrt(3.0) * x * math.sqrt(1.0 / (4.0 * math.pi))).square().sum(-1)
    return wide * (4.0 * math.pi / 3.0) + excess * a * x[:, 0], a


def _by_type(f: Forall, place: int) -> Any:
    """x, by a body that would return y if real numbers beside 0 were no complex ones; y is wanted at place 1."""
    x = f.interval("x", 0.5, 1.0, 2)
    turned = torch.complex(x, 0.0 * x)
    return (turned.real if turned.is_complex() else x.flip(-1))[:, 0], x[:, place]


EQUALITIES: dict[str, tuple[Body, Body]] = {
    "powers of one third": (
        lambda f: ((x := _positive(f)[0]) ** (1 / 3) * x ** (1 - 1 / 3), x),
        lambda f: ((x := _positive(f)[0]) ** (1 / 3) * x ** (1 - 1 / 3 + HAIR), x),
    ),
    "a power of a product": (
        lambda f: ((p := _positive(f))[0] ** 0.75 * p[1] ** 0.75, (p[0] * p[1]) ** 0.75),
        lambda f: ((p := _positive(f))[0] ** 0.75 * p[1] ** 0.25, (p[0] * p[1]) ** 0.75),
    ),
    "a root of a square": (
        lambda f: ((x := f.interval("x", -1.0, 1.0)).square().sqrt(), x.abs()),
        lambda f: ((x := f.interval("x", -1.0, 1.0)).square().sqrt(), x),
    ),
    "a root of a product": (
        lambda f: ((p := _positive(f))[0].sqrt() * p[1].sqrt(), (p[0] * p[1]).sqrt()),
        lambda f: ((p := _positive(f))[0].sqrt() * p[1].sqrt(), (p[0] * p[1] + HAIR).sqrt()),
    ),
    "what vanishes on either side": (
        lambda f: (1.0 + ((x := f.interval("x", -1.0, 1.0)) - x.abs()) * x.relu().sqrt(), 1.0 + 0.0 * x),
        lambda f: (1.0 + ((x := f.interval("x", -1.0, 1.0)) + x.abs()) * x.relu().sqrt(), 1.0 + 0.0 * x),
    ),
    "a geometric mean": (
        lambda f: (((p := _positive(f))[0].log() / 2 + p[1].log() / 2).exp(), (p[0] * p[1]).sqrt()),
        lambda f: (((p := _positive(f))[0].log() / 2 + p[1].log() / 3).exp(), (p[0] * p[1]).sqrt()),
    ),
    "a power without cancellation": (
        lambda f: ((2 / 3 * (x := _positive(f)[0]).log1p()).expm1() + 1.0, (1.0 + x) ** (2 / 3)),
        lambda f: ((2 / 3 * (x := _positive(f)[0]).log1p()).expm1() + 1.0, (1.0 + x) ** (2 / 3 + HAIR)),
    ),
    "half of the logarithm of a square": (
        lambda f: (((x := f.interval("x", -1.0, 1.0)).square().log() / 2).exp(), x.abs()),
        lambda f: (((x := f.interval("x", -1.0, 1.0)).square().log() / 2).exp(), x),
    ),
    "the logarithm of a number": (
        lambda f: ((6.0 * (x := _positive(f)[0])).log(), math.log(2) + math.log(3) + x.log()),
        lambda f: ((6.0 * (x := _positive(f)[0])).log(), math.log(2) + math.log(3) + HAIR + x.log()),
    ),
    "rounded numbers": (
        lambda f: ((x := _positive(f)[0]) * (0.1 * 3), 0.3 * x),
        lambda f: ((x := _positive(f)[0]) * (0.1 * 3 + HAIR), 0.3 * x),
    ),
    "rounded numbers where both sides vanish": (
        lambda f: _rounded(f, 0.0),
        lambda f: _rounded(f, 1e-13),
    ),
    "rounded numbers beside roots": (
        lambda f: _on_circles(f, 0.0),
        lambda f: _on_circles(f, 1e-8),
    ),
    "the direction of a point of a sphere": (
        lambda f: ((x := f.sphere("x", 3))[:, 0] + 2.0, unit_directions(x)[:, 0] + 2.0),
        lambda f: ((x := f.ball("x", 3))[:, 0] + 2.0, unit_directions(x)[:, 0] + 2.0),
    ),
    "the largest size on a sphere": (
        lambda f: ((x := f.sphere("x", 2)).abs().amax(-1), x.flip(-1).abs().amax(-1)),
        lambda f: ((x := f.sphere("x", 2)).abs().amax(-1), x[:, 0].abs()),
    ),
    "the type of complex numbers": (lambda f: _by_type(f, 0), lambda f: _by_type(f, 1)),
    "a comparison of what is not defined": (
        lambda f: (2.0 * (x := f.interval("x", -1.0, 1.0)), x + x),
        lambda f: (torch.where((x := f.interval("x", -1.0, 1.0)).sqrt() >= 0.0, 1.0, 2.0), 1.0 + 0.0 * x),
    ),
}


@pytest.mark.parametrize("name", EQUALITIES)
def test_equal_forms_are_recognised(name: str) -> None:
    found = tried(identity(), EQUALITIES[name][0], 200)
    assert isinstance(found, Proof), found
    assert found.boxes == 0


@pytest.mark.parametrize("name", EQUALITIES)
def test_different_forms_are_told_apart(name: str) -> None:
    """Would catch a branch of a root, a sign or an exponent taken for another, and a tolerance that is too wide."""
    assert isinstance(tried(identity(), EQUALITIES[name][1], 200), Unproved)


def test_one_term_dominates_no_more_than_once() -> None:
    """Would catch a factor that several terms use up, each for itself, and a sign that is left out."""
    space = Workspace(10_000)
    x, y = space.variable(0.0, 1.0), space.variable(-1.0, 1.0)
    third, part = space.number(0.375), fmpq(3, 4)
    assert is_dominated(x * y * third + x * y * y * third, x, part)
    assert not is_dominated(x * y * third + x * y * y * third, x, part - fmpq(1, 1000))
    assert not is_dominated(x * third, y, fmpq(1))
    assert not is_dominated(y * third, x, fmpq(1))
    root = space.number(math.sqrt(2.0))
    assert is_dominated(x * root, x, fmpq(1414213563, 10**9))
    assert not is_dominated(x * root, x, fmpq(1414213562, 10**9))
