"""What nsrf prints and a run refutes, beside the readings that test_nsrf_identities judges: facts known by hand."""

import math

import pytest
import torch

from algos.margin_game.value import margin_value
from harness.claims.nsrf import no_equilibrium
from harness.claims.nsrf.no_equilibrium import norm
from harness.language.registry import Claim
from tests.helpers import expected_verdict

MODULES = (no_equilibrium,)
CLAIMS = [item for module in MODULES for item in vars(module).values() if isinstance(item, Claim)]


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
