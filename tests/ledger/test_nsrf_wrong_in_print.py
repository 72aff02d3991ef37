"""What nsrf prints and a run refutes, beside the readings that test_nsrf_identities judges: facts known by hand."""

import math

import pytest
import torch

from algos.margin_game.value import margin_value
from harness.claims.nsrf import bochner, harmonic_chain, langevin, no_equilibrium, printed_letters
from harness.claims.nsrf.no_equilibrium import norm
from harness.language.registry import Claim
from tests.helpers import expected_verdict
from tests.ledger.nsrf import sides

MODULES = (bochner, harmonic_chain, langevin, no_equilibrium, printed_letters)
CLAIMS = [item for module in MODULES for item in vars(module).values() if isinstance(item, Claim) and item.reading]


@pytest.mark.parametrize("item", CLAIMS, ids=lambda item: item.key)
def test_verdicts(item: Claim) -> None:
    assert expected_verdict(item, family=1).as_expected


@pytest.mark.parametrize(("p", "q"), [(1, 1), (3, 1), (5, -7), (1393, 789)])
def test_the_norm_is_the_product_of_the_conjugates_and_odd_for_odd_numbers(p: int, q: int) -> None:
    signs = [(s, t) for s in (1, -1) for t in (1, -1)]
    product = math.prod(p - q + s * q * math.sqrt(3) + t * p * math.sqrt(2) for s, t in signs)
    assert norm(p, q) == pytest.approx(product, rel=1e-9)
    assert norm(p, q) % 2 == 1


def test_the_value_of_the_game_at_three_independent_points_tends_to_one_half() -> None:
    """Pairs of larger and larger frequencies: the smallest max F over lambda approaches 1/2, and stays above."""
    points = torch.tensor([1.0, math.sqrt(2), math.sqrt(3)], dtype=torch.float64)
    labels = torch.tensor([1.0, -1.0, -1.0], dtype=torch.float64)
    found = []
    for limit in (10, 100, 1000):
        phases = torch.linspace(0, limit, 50 * limit + 1, dtype=torch.float64).unsqueeze(-1) * points
        near = (torch.exp(1j * phases) @ torch.tensor([2.0, -1.0, -1.0], dtype=torch.complex128)).abs().topk(8).indices
        value = margin_value(torch.stack([phases[near].cos(), phases[near].sin()], -1), labels, 1.0)
        found.append(value.upper)
    assert 0.5 < found[2] < found[1] < found[0]
    assert found[2] == pytest.approx(0.5, abs=1e-3)


def test_legendre_has_a_negative_coefficient_in_the_polynomials_of_the_printed_index() -> None:
    """(3 t^2 - 1)/2 = 3/8 (4 t^2 - 1) - 1/8, and 2/3 C_2 in the index 1/2 is P_2 itself."""
    assert printed_letters.expansions(3, 2, 1.0)[2] == pytest.approx([-1 / 8, 0, 3 / 8], abs=1e-14)
    assert printed_letters.expansions(3, 2, 0.5)[2] == pytest.approx([0, 0, 1], abs=1e-14)


def test_the_sine_has_opposite_coefficients() -> None:
    """sin at 0, 90, 180 and 270 degrees: lambda(1) = -i/2, lambda(-1) = i/2."""
    values = {"values": [0.0, 1.0, 0.0, -1.0], "j": 1.0}
    cell = {"P": 4, "part": "imaginary"}
    assert sides(printed_letters.transforms_of_real_functions_as_printed, cell, **values) == pytest.approx((0.5, -0.5))
    assert sides(printed_letters.transforms_of_real_functions, cell, **values) == pytest.approx((-0.5, -0.5))


def test_the_product_with_the_degree_above_vanishes_at_the_poles() -> None:
    pole = {"x": [[0.0, 0.0, 1.0]], "x_prime": [[0.0, 0.0, 1.0]]}
    assert sides(printed_letters.separated_harmonics_as_printed, {"degree": 2}, **pole) == (0.0, 1.0)


def test_the_product_with_the_degree_above_is_normalised() -> None:
    """At the equator the three squares of degree 1 are 3/(8 pi) each, and 4 pi/3 times their sum is 3/2."""
    point = {"x": [[0.0, 1.0, 0.0]], "x_prime": [[0.0, 1.0, 0.0]]}
    assert sides(printed_letters.separated_harmonics_as_printed, {"degree": 1}, **point) == pytest.approx((1.5, 1.0))


def test_one_point_has_the_sum_of_one_over_all_harmonics_without_temperature() -> None:
    values = {"x": [[0.0, 0.6, 0.8]], "beta": 0.0}
    assert sides(harmonic_chain.law_of_the_chain_on_all_harmonics, {"share": 0.2, "degree": 2}, **values) == (9.0, 5.0)
