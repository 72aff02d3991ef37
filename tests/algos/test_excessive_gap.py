"""The excessive gap technique: against the value by cutting planes, its bound, degenerate games."""

import math

import pytest
import torch
from torch import Tensor

from algos.margin_game.excessive_gap import NearEquilibrium, excessive_gap
from algos.margin_game.maximum import margin_maximum
from algos.margin_game.measure import measure_features
from algos.margin_game.value import margin_value

LABELS = torch.tensor([1.0, -1.0, 1.0, 1.0, -1.0, -1.0], dtype=torch.float64)


def strategies(count: int, *, seed: int) -> Tensor:
    """Cosines and sines of six points of the plane at some frequencies."""
    generator = torch.Generator().manual_seed(seed)
    points, omega = (torch.randn(k, 2, generator=generator, dtype=torch.float64) for k in (6, count))
    phases = 3 * omega @ points.mT
    return torch.stack([phases.cos(), phases.sin()], -1)


def guarantees(psi: Tensor, found: NearEquilibrium, box: float) -> tuple[float, float]:
    """What the weights guarantee against every strategy, and what the measure guarantees, from above."""
    potentials = (psi.mT @ (LABELS * found.weights)).square().sum(-1)
    most = margin_maximum(measure_features(psi, found.measure), LABELS, box).upper
    return float(found.weights.sum() - potentials.max() / 2), float(most)


@pytest.mark.parametrize(("count", "box"), [(1, 1.0), (4, 0.3), (7, 2.0)])
def test_both_players_approach_the_value(count, box):
    """Brackets that shrink by their bound, around the value of a method that shares nothing with this one."""
    psi = strategies(count, seed=count)
    value = margin_value(psi, LABELS, box)
    for rounds in (1, 10, 300):
        found = excessive_gap(psi, LABELS, box, rounds=rounds)
        low, high = guarantees(psi, found, box)
        assert low <= value.upper + 1e-9
        assert value.lower - 1e-9 <= high <= low + found.bound.item()
        assert found.bound.item() <= 2 * math.sqrt(10) * psi.norm().item() * box**2 * 3**1.5 / (rounds + 2)
        assert found.measure.sum().item() == pytest.approx(1.0)
    assert high - low < 0.05 * value.upper


def test_the_best_atoms_minimise():
    """(sum |u_j|)^2/2 - <u, g> + mu |u|^2/2 rises in every direction, by a grid of perturbations."""
    from algos.margin_game.excessive_gap import _Players

    pull = torch.tensor([[3.0, 0.0], [0.0, 2.5], [0.3, 0.4]], dtype=torch.float64)

    def cost(u: Tensor) -> Tensor:
        return u.norm(dim=-1).sum(-1) ** 2 / 2 - (u * pull).sum((-2, -1)) + 0.35 * u.square().sum((-2, -1))

    best = _Players._best_atoms(pull, torch.tensor(0.7, dtype=torch.float64))
    moves = 1e-3 * torch.randn(2000, 3, 2, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    assert bool((cost(best + moves) > cost(best)).all())
    assert best[2].norm() == 0


def test_a_batch_is_played_game_by_game():
    psi = torch.stack([strategies(3, seed=seed) for seed in (1, 2)])
    labels, box = torch.stack([LABELS, -LABELS.flip(0)]), torch.tensor([0.5, 2.0], dtype=torch.float64)
    together = excessive_gap(psi, labels, box, rounds=5)
    for place in range(2):
        alone = excessive_gap(psi[place], labels[place], box[place], rounds=5)
        torch.testing.assert_close(together.measure[place], alone.measure)
        torch.testing.assert_close(together.weights[place], alone.weights)
        torch.testing.assert_close(together.bound[place], alone.bound)


@pytest.mark.parametrize(("labels", "box"), [(LABELS.abs(), 1.0), (LABELS, 0.0)])
def test_where_only_zero_is_feasible(labels, box):
    found = excessive_gap(strategies(3, seed=0), labels, box, rounds=3)
    assert found.weights.abs().max() == 0
    assert found.bound == 0
    assert found.measure.sum().item() == pytest.approx(1.0)


@pytest.mark.parametrize("scale", [1e-4, 1e-8, 1e-20, 0.0])
@pytest.mark.parametrize(("count", "dtype"), [(1, torch.float64), (-1, torch.float32)])
def test_features_of_any_size_leave_the_weights_feasible_and_the_bound_honest(scale, count, dtype):
    """The projected points are of the order of 1 over the squared features: the box must not drown in them."""
    psi, labels = (scale * strategies(3, seed=1)).to(dtype), count * torch.tensor([1.0, 1, 1, 1, -1, 1], dtype=dtype)
    found = excessive_gap(psi.unsqueeze(0), labels, 1.0, rounds=100)
    weights, measure = found.weights[0].double(), found.measure[0].double()
    feasible = torch.tensor([0.2, 0.2, 0.2, 0.2, 1.0, 0.2], dtype=torch.float64)

    def payoffs(a: Tensor) -> Tensor:
        return a.sum() - (psi.double().mT @ (labels * a)).square().sum(-1) / 2

    rounding = 10 * torch.finfo(dtype).eps
    assert abs(float((labels * weights).sum())) < rounding
    assert float((measure * payoffs(feasible)).sum() - payoffs(weights).min()) < found.bound.item() + rounding


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_without_features_all_weights_of_the_smaller_class_are_used(dtype):
    psi, labels = torch.zeros(2, 3, 1, dtype=dtype), torch.tensor([1.0, -1.0, 1.0], dtype=dtype)
    assert excessive_gap(psi, labels, 10.0, rounds=3).weights.tolist() == pytest.approx([5.0, 10.0, 5.0])
