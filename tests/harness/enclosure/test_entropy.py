"""Sums of logarithms and semidefinite forms with phases: what is proved, and what is false beside each."""

import math
import random
from typing import Any

import pytest
import torch
from flint import fmpq

from harness import Forall, always, identity
from harness.certify.expansion.exponentials import exponential
from harness.certify.expansion.forms import Workspace, ends_of
from harness.certify.expansion.lowest_terms import in_lowest_terms
from harness.certify.expansion.polynomials import number_of
from harness.certify.proof import Proof, Unproved
from tests.harness.enclosure.stating import Body, tried

HAIR = 1e-6


def _divergence(q: Any, p: Any) -> Any:
    return (torch.xlogy(q, q) - torch.xlogy(q, p)).sum(-1)


def _gibbs(f: Forall, *, excess: float = 0.0, mass: float = 1.0) -> Any:
    """KL(q || mass p) >= excess; for mass > 1 its least value is -log(mass)."""
    q, p = f.simplex("q", 3), f.simplex("p", 3)
    return excess + 0.0 * q[:, 0], _divergence(q, mass * p)


def _free_energy(f: Forall, *, temperature: float) -> Any:
    """-log E_p exp(-x) <= E_q x + KL(q || p); with another temperature on the left it is false for most x."""
    q, p, x = f.simplex("q", 3), f.simplex("p", 3), f.interval("x", 0.0, 1.0, 3)
    return -(p * (-temperature * x).exp()).sum(-1).log(), (q * x).sum(-1) + _divergence(q, p)


def _entropy(f: Forall, *, least: float, most: float) -> Any:
    """The entropy lies between 0 and log 4."""
    q = f.simplex("q", 4)
    return (-torch.xlogy(q, q).sum(-1) - (least + most) / 2).abs() * 2.0, most - least


def _one_logarithm(f: Forall, *, excess: float) -> Any:
    """log(x) >= 1 - 1/x, with equality at 1."""
    x = f.interval("x", 0.5, 2.0)
    return 1.0 - 1.0 / x + excess, x.log()


def _logarithm_of_what_vanishes(f: Forall, *, factor: float) -> Any:
    """x log(x / y) >= x - y, where x and y may be 0; with a smaller right side's factor it is false at x = y."""
    x, y = f.interval("x", 0.0, 1.0), f.interval("y", 0.0, 1.0)
    return x - factor * y, torch.xlogy(x, x) - torch.xlogy(x, y)


def _with_both_signs(f: Forall, *, excess: float) -> Any:
    """(a - b) log(a) - (a - b) log(b) >= 0: true, but a may be 0 where its weight in one group is not."""
    a, b = f.interval("a", 0.0, 1.0), f.interval("b", 0.0, 1.0)
    return excess + 0.0 * a, torch.xlogy(a - b, a) - torch.xlogy(a - b, b)


def _kernel(f: Forall, *, cross: float, turned: float = 1.0) -> Any:
    """2 |sum a_i b_k cos(w.(x_i - x_k))| <= a'Ga + b'Gb; not if some phases are no differences."""
    x, w = f.ball("x", 3, 2), f.ball("w", 2, radius=9.0)
    a, b = f.interval("a", -1.0, 1.0, 3), f.interval("b", -1.0, 1.0, 3)
    phases = ((x.unsqueeze(-2) - x.unsqueeze(-3)) * w[:, None, None]).sum(-1)
    scale = torch.ones(3, 3, dtype=torch.float64)
    scale[0, 1] = scale[1, 0] = turned
    gram = (scale * phases).cos()

    def form(left: Any, right: Any) -> Any:
        return (left * (gram @ right.unsqueeze(-1)).squeeze(-1)).sum(-1)

    return cross * 2.0 * form(a, b), form(a, a) + form(b, b)


def _signed_waves(f: Forall, *, factor: float) -> Any:
    """|sum y_i s_i exp(i t_i)|^2 >= 0 for signs y: with more between the points than they have themselves it is not."""
    y, s, t = f.signs("y", 3), f.interval("s", -1.0, 1.0, 3), f.interval("t", -9.0, 9.0, 3)
    signed, gaps = y * s, t.unsqueeze(-1) - t.unsqueeze(-2)
    off = 1.0 - torch.eye(3, dtype=torch.float64)
    between = (off * gaps.cos() * signed.unsqueeze(-1) * signed.unsqueeze(-2)).sum((-2, -1))
    return -factor * between, s.square().sum(-1)


INEQUALITIES: dict[str, tuple[Body, Body]] = {
    "Gibbs": (_gibbs, lambda f: _gibbs(f, excess=HAIR)),
    "Gibbs for too much mass": (_gibbs, lambda f: _gibbs(f, mass=1.0 + 1e-3)),
    "free energy": (lambda f: _free_energy(f, temperature=1.0), lambda f: _free_energy(f, temperature=1.0 + 1e-3)),
    "entropy from above": (
        lambda f: _entropy(f, least=0.0, most=math.log(4)),
        lambda f: _entropy(f, least=0.0, most=math.log(4) - HAIR),
    ),
    "entropy from below": (
        lambda f: _entropy(f, least=0.0, most=math.log(4)),
        lambda f: _entropy(f, least=HAIR, most=math.log(4)),
    ),
    "one logarithm": (lambda f: _one_logarithm(f, excess=0.0), lambda f: _one_logarithm(f, excess=HAIR)),
    "logarithms of what may vanish": (
        lambda f: _logarithm_of_what_vanishes(f, factor=1.0),
        lambda f: _logarithm_of_what_vanishes(f, factor=1.0 - 1e-3),
    ),
    "a kernel": (lambda f: _kernel(f, cross=1.0), lambda f: _kernel(f, cross=1.0 + HAIR)),
    "signed waves": (lambda f: _signed_waves(f, factor=1.0), lambda f: _signed_waves(f, factor=1.0 + HAIR)),
}


@pytest.mark.parametrize("name", INEQUALITIES)
def test_sums_of_logarithms_and_semidefinite_forms_are_proved_without_boxes(name: str) -> None:
    assert tried(always(rtol=0.0), INEQUALITIES[name][0], 500) == Proof(1.0, 0, 0.0)


@pytest.mark.parametrize("name", INEQUALITIES)
def test_what_is_false_beside_them_is_not_proved(name: str) -> None:
    """Would catch a weight that is not negative only for some inputs, a share of the wrong sign, a wrong phase."""
    found = tried(always(rtol=0.0), INEQUALITIES[name][1], 300)
    assert isinstance(found, Unproved) or found.c > 1.0


MORE_FALSE: dict[str, Body] = {
    "phases that are no differences": lambda f: _kernel(f, cross=1.0, turned=2.0),
    "a weight of either sign": lambda f: (
        0.0,
        (x := f.interval("x", -1.0, 1.0)) * (2.0 + f.interval("y", -1.0, 1.0)).log() + 0.0 * x,
    ),
    "a logarithm that is not defined": lambda f: (
        torch.xlogy(torch.clamp(x := f.interval("x", -1.0, 1.0), min=0.0), x) + HAIR,
        0.0 * x,
    ),
    "an absolute value with one sign": lambda f: (0.0, (x := f.interval("x", -1.0, 1.0)).abs() + 2.0 * x),
    "a simplex and half of its last entry": lambda f: (
        0.0,
        (1.0 - (w := f.simplex("w", 4))[:, :3].sum(-1)) - 0.5 * (1.0 - w[:, :2].sum(-1)),
    ),
    "half of a logarithm kept from what is negative": lambda f: (
        ((x := f.interval("x", -1.0, 1.0)).log() / 2).exp().nan_to_num(2.0),
        1.0 + 0.0 * x,
    ),
    "a logarithm kept from what is negative": lambda f: (
        (x := f.interval("x", -1.0, 1.0)).log().exp().nan_to_num(2.0),
        1.0 + 0.0 * x,
    ),
}


@pytest.mark.parametrize("name", MORE_FALSE)
def test_false_inequalities_of_their_kind_are_not_proved(name: str) -> None:
    found = tried(always(rtol=0.0), MORE_FALSE[name], 300)
    assert isinstance(found, Unproved) or found.c > 1.0


def test_arguments_that_vanish_under_weights_of_both_signs_are_left_alone() -> None:
    """It is true, but not for any number in the place of log(0), which the proof would rest on."""
    assert isinstance(tried(always(rtol=0.0), lambda f: _with_both_signs(f, excess=HAIR), 200), Unproved)


def _at_the_best(p: Any, x: Any, scale: float) -> Any:
    """E_q x + KL(q || p) = -log E_p exp(-x) at q ~ p exp(-x)."""
    weights = p * (-x).exp()
    total = weights.sum(-1, keepdim=True)
    q = weights / total
    return (q * x).sum(-1) + _divergence(q, p).clamp_min(0.0), -scale * total.squeeze(-1).log()


@pytest.mark.parametrize("scale", [1.0, 1.0 + HAIR])
def test_the_free_energy_is_reached_at_the_best_weights(scale: float) -> None:
    """With a clamp of the divergence, which its sign takes away."""
    body: Body = lambda f: _at_the_best(f.simplex("p", 3), f.interval("x", 0.0, 1.0, 3), scale)  # noqa: E731
    found = tried(identity(rtol=0.0), body, 200)
    assert found == Proof(1.0, 0, 0.0) if scale == 1.0 else isinstance(found, Unproved)


def test_lowest_terms_are_the_same_fraction() -> None:
    space = Workspace(10**6)
    x, y, p = (space.variable(0.0, 1.0) for _ in range(3))
    half = space.number(0.5)
    total = exponential(x * half) * p + exponential(-y)
    fraction = exponential(x) * p * total * y / (total * (y + p))
    found = in_lowest_terms(fraction)
    assert found.below is not None
    assert len(found.below) < len(fraction.below or {})
    assert (found - fraction).vanishes()
    assert not (found * space.number(2.0) - fraction).vanishes()


def test_ends_at_the_vertices_of_a_simplex() -> None:
    """1 - w_1 - w_2 >= 0 between them, and no more than that is claimed."""
    space = Workspace(10**6)
    w = [space.variable(0.0, 1.0) for _ in range(2)]
    space.ring.simplices.append([1, 2])
    last = space.number(1.0) - w[0] - w[1]
    assert ends_of(last) == (fmpq(0), fmpq(1))
    assert ends_of(last - w[1]) == (fmpq(-1), fmpq(1))
    assert ends_of(last * last) == (fmpq(-3), fmpq(5))  # not linear: term by term


@pytest.mark.parametrize("seed", range(20))
def test_ends_over_simplices_hold_all_values(seed: int) -> None:
    """Random polynomials, linear in the entries of a simplex, at random points of it, in rational arithmetic."""
    rng = random.Random(seed)
    space = Workspace(10**6)
    w, x = [space.variable(0.0, 1.0) for _ in range(3)], space.variable(-1.0, 1.0)
    space.ring.simplices.append([1, 2, 3])
    coefficients = [space.number(rng.randint(-3, 3)) + x * space.number(rng.randint(-2, 2)) for _ in range(4)]
    form = coefficients[3]
    for entry, coefficient in zip(w, coefficients, strict=False):
        form = form + entry * coefficient
    ends = ends_of(form)
    assert ends is not None
    for _ in range(50):
        parts = [rng.randint(0, 9) for _ in range(4)]
        shares = [fmpq(part, max(sum(parts), 1)) for part in parts[:3]]
        place = dict(zip((1, 2, 3, 4), [*shares, fmpq(rng.randint(-9, 9), 9)], strict=True))
        value = number_of(space.ring.at(form.above, place))
        assert value is not None
        assert ends[0] <= value <= ends[1]
