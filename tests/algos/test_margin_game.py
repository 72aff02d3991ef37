"""The margin game's payoff against an explicit Gram matrix, and its rounds against a loop written out."""

import math

import pytest
import torch

from algos.best_response.lattice import FinitePeaks
from algos.best_response.oracle import BestResponse
from algos.margin_game.game import margin_payoff, margin_payoff_gradient, play_margin_game
from algos.margin_game.online import adagrad_norm_step, decreasing_step
from algos.margin_game.projection import alternating_projection, project_box_hyperplane
from algos.margin_game.squared_hinge import play_squared_hinge_game


def instance(batch=(3,), n=5, m=2, d=2):
    generator = torch.Generator().manual_seed(n)

    def draw(*shape):
        return torch.randn(*batch, *shape, dtype=torch.float64, generator=generator)

    return draw(n).abs(), torch.where(draw(n) > 0, 1.0, -1.0), draw(n, d), draw(m, d)


@pytest.mark.parametrize("mass", [1.0, 2.0])
def test_payoff_is_the_dual_objective_of_the_kernel(mass):
    """F = 1.a - a'YGYa/2 with the kernel s cos(w.(x - x'))."""
    weights, labels, points, frequencies = instance()
    phases = (frequencies.unsqueeze(-2) * points.unsqueeze(-3)).sum(-1)
    gram = mass * torch.cos(phases.unsqueeze(-1) - phases.unsqueeze(-2))
    signed = (labels * weights).unsqueeze(-2)
    expected = weights.sum(-1, keepdim=True) - 0.5 * ((signed.unsqueeze(-2) @ gram).squeeze(-2) * signed).sum(-1)
    torch.testing.assert_close(margin_payoff(weights, labels, points, frequencies, mass=mass), expected)


@pytest.mark.parametrize("mass", [1.0, 2.0])
def test_gradient_matches_autograd(mass):
    weights, labels, points, frequencies = instance()
    weights.requires_grad_()
    analytic = margin_payoff_gradient(weights, labels, points, frequencies, mass=mass)
    payoff = margin_payoff(weights, labels, points, frequencies, mass=mass)
    for j in range(payoff.shape[-1]):
        (gradient,) = torch.autograd.grad(payoff[..., j].sum(), weights, retain_graph=True)
        torch.testing.assert_close(analytic[..., j, :], gradient)


@pytest.mark.parametrize(("box", "norm"), [(1.0, 14.0), (2.0, 30.0)])
def test_aligned_data_attain_a_gradient_beyond_the_printed_bound(box, norm):
    """Four points at 0, 0, 1, 1 with labels + + - - and w = pi: every phase agrees with its label, so |S| = 4 C."""
    weights = torch.full((4,), box, dtype=torch.float64)
    labels = torch.tensor([1.0, 1.0, -1.0, -1.0], dtype=torch.float64)
    points = torch.tensor([[0.0], [0.0], [1.0], [1.0]], dtype=torch.float64)
    frequency = torch.full((1, 1), math.pi, dtype=torch.float64)
    gradient = margin_payoff_gradient(weights, labels, points, frequency, mass=2.0)
    assert gradient.norm().item() == pytest.approx(norm, rel=1e-14)


GRID = torch.linspace(0, math.pi, 257, dtype=torch.float64).unsqueeze(-1)


def line(*values):
    return torch.tensor(values, dtype=torch.float64)


POINTS, LABELS = line(0, 1, 3, 4, 4, 6).unsqueeze(-1), line(-1, -1, 1, 1, -1, 1)


def by_hand(points, labels, box, *, sizes, mass):
    """Weights, frequencies, potentials and gradients of every round, from complex exponentials."""
    weights = project_box_hyperplane(torch.full_like(labels, box / 2), labels, box)
    history = []
    for size in sizes:
        waves = torch.exp(1j * GRID * points.squeeze(-1))
        sums = waves @ (labels * weights).to(waves.dtype)
        best = sums.abs().square().argmax()
        gradient = 1 - mass * labels * (sums[best].conj() * waves[best]).real
        history.append((weights, GRID[best], sums[best].abs().square(), gradient))
        weights = project_box_hyperplane(weights + size * gradient, labels, box)
    return history


@pytest.mark.parametrize("mass", [1.0, 2.0])
def test_rounds_are_those_of_the_algorithm(mass):
    """Frequencies, potentials, gradients and means of 40 rounds; a wrong mass, sign or order of updates would show."""
    step = decreasing_step(0.07)
    history = by_hand(POINTS, LABELS, 0.5, sizes=[0.07 / t**0.5 for t in range(1, 41)], mass=mass)
    game = play_margin_game(FinitePeaks(POINTS, GRID), LABELS, 0.5, rounds=40, step=step, mass=mass)
    weights, indices, values, gradients = (torch.stack(part) for part in zip(*history, strict=True))
    torch.testing.assert_close(game.indices, indices)
    torch.testing.assert_close(game.values, values)
    torch.testing.assert_close(game.gradient_squares, gradients.square().sum(-1))
    torch.testing.assert_close(game.weight_sums, weights.sum(-1))
    torch.testing.assert_close(game.weight_squares, weights.square().sum(-1))
    torch.testing.assert_close(game.mean_weights, weights.mean(0))
    torch.testing.assert_close(game.last_weights, weights[-1])
    torch.testing.assert_close(game.payoffs(), weights.sum(-1) - mass * values / 2)
    assert (game.gaps == 0).all()


def test_mass_two_is_the_game_of_mass_one_in_twice_the_box():
    """b = 2 a turns 1.a - v_a into (1.b - v_b / 2) / 2, with four times the step."""
    player = FinitePeaks(POINTS, GRID)
    double = play_margin_game(player, LABELS, 0.25, rounds=60, step=decreasing_step(0.05), mass=2.0)
    single = play_margin_game(player, LABELS, 0.5, rounds=60, step=decreasing_step(0.1), mass=1.0)
    torch.testing.assert_close(2 * double.mean_weights, single.mean_weights)
    torch.testing.assert_close(double.indices, single.indices)


def test_two_points_start_at_the_optimum_and_adagrad_stays_there():
    """x = 0, 1, labels + and -, C = 1: a_1 = (1/2, 1/2) has its peak at pi and gradient 0, so every sum is 0."""
    game = play_margin_game(
        FinitePeaks(line(0, 1).unsqueeze(-1), GRID), line(1, -1), 1.0, rounds=20, step=adagrad_norm_step(2**0.5)
    )
    torch.testing.assert_close(game.last_weights, line(0.5, 0.5), rtol=0, atol=1e-12)
    torch.testing.assert_close(game.payoffs(), torch.full((20,), 0.5, dtype=torch.float64))


@pytest.mark.parametrize("labels", [[1.0], [-1.0, -1.0, -1.0]])
def test_one_class_plays_zero(labels):
    points = torch.arange(len(labels), dtype=torch.float64).unsqueeze(-1)
    game = play_margin_game(FinitePeaks(points, GRID), line(*labels), 2.0, rounds=5, step=decreasing_step(1.0))
    assert (game.values == 0).all()
    assert (game.mean_weights == 0).all()


def test_an_unbalanced_start_is_the_projection():
    labels = line(1, -1, -1, -1)
    game = play_margin_game(FinitePeaks(POINTS[:4], GRID), labels, 1.0, rounds=1, step=decreasing_step(1.0))
    torch.testing.assert_close(game.mean_weights, project_box_hyperplane(torch.full_like(labels, 0.5), labels, 1.0))


def test_batches_equal_single_games():
    """Three boxes and three label vectors at once; each run of the batch, sliced, is its own game."""
    boxes, labels = line(0.2, 0.7, 3.0), torch.stack([LABELS, LABELS.flip(0), -LABELS])
    player = FinitePeaks(POINTS, GRID)
    batch = play_margin_game(player, labels, boxes, rounds=15, step=adagrad_norm_step(1.0))
    assert batch.indices.shape == (3, 15, 1)
    for i in range(3):
        single = play_margin_game(player, labels[i], boxes[i].item(), rounds=15, step=adagrad_norm_step(1.0))
        torch.testing.assert_close(batch[i].indices, single.indices)
        torch.testing.assert_close(batch[i].payoffs(), single.payoffs())
        torch.testing.assert_close(batch[i].last_weights, single.last_weights)
        assert float(batch[i].box) == boxes[i]


def test_progress_start_and_projection_can_be_chosen():
    seen, start = [], torch.zeros_like(LABELS)
    game = play_margin_game(
        FinitePeaks(POINTS, GRID),
        LABELS,
        0.5,
        rounds=4,
        step=decreasing_step(0.3),
        start=start,
        progress=seen.append,
        project=lambda points: alternating_projection(points, LABELS, 0.5, iterations=10),
    )
    assert seen == [1, 2, 3, 4]
    assert game.weight_sums[0] == 0
    first = alternating_projection(0.3 * torch.ones_like(LABELS), LABELS, 0.5, iterations=10)
    assert game.weight_sums[1].item() == pytest.approx(first.sum().item(), rel=1e-14)


def test_what_a_player_lends_is_copied():
    """A player may reuse its buffers: histories must not change afterwards."""
    shared = torch.zeros(1, dtype=torch.float64)

    def respond(signed):
        shared.add_(1)
        return BestResponse(shared, torch.ones(2, 1, dtype=torch.float64), shared[0], shared[0] / 2)

    game = play_margin_game(respond, line(1, -1), 1.0, rounds=3, step=decreasing_step(1.0))
    assert game.indices.flatten().tolist() == game.values.tolist() == [1, 2, 3]
    assert game.gaps.tolist() == [0.5, 1, 1.5]


@pytest.mark.parametrize(
    ("labels", "points"), [(torch.long, torch.float64), (torch.float32, torch.float64), (torch.float64, torch.float32)]
)
@pytest.mark.parametrize("play", [play_margin_game, play_squared_hinge_game])
def test_a_game_runs_in_the_dtype_of_the_features(labels, points, play):
    """Also with steps that are tensors of another dtype."""
    step = decreasing_step(torch.tensor(0.1, dtype=torch.float64))
    player = FinitePeaks(POINTS.to(points), GRID)
    game = play(player, LABELS.to(labels), 0.5, rounds=4, step=step)
    same = play(FinitePeaks(POINTS, GRID), LABELS, 0.5, rounds=4, step=step)
    assert {tensor.dtype for tensor in (game.values, game.mean_weights, game.last_weights, game.labels)} == {points}
    tolerance = 1e-4 if points == torch.float32 else 1e-13
    torch.testing.assert_close(game.mean_weights.double(), same.mean_weights, rtol=0, atol=tolerance)


def test_integer_labels_and_gradients_of_nothing():
    weights = torch.full((6,), 0.1, dtype=torch.float64, requires_grad=True)
    game = play_margin_game(
        FinitePeaks(POINTS, GRID), LABELS.long(), 0.5, rounds=2, step=decreasing_step(0.1), start=weights
    )
    assert not game.mean_weights.requires_grad


@pytest.mark.parametrize(
    ("rounds", "box", "match"), [(0, 1.0, "rounds = 0"), (3, -1.0, "box = -1.0"), (3, math.inf, "box = inf")]
)
def test_bad_input_names_the_value(rounds, box, match):
    with pytest.raises(ValueError, match=match):
        play_margin_game(FinitePeaks(POINTS, GRID), LABELS, box, rounds=rounds, step=decreasing_step(1.0))


def test_squared_hinge_rounds_are_those_of_the_algorithm():
    """One round written out: gradient 1 - y Psi Psi^T (y a) - a / C, step C / 1, and the payoff's ridge."""
    player, box = FinitePeaks(POINTS, GRID), 0.8
    game = play_squared_hinge_game(player, LABELS, box, rounds=2)
    first = torch.full_like(LABELS, box / 2)
    answer = player(LABELS * first)
    gradient = 1 - LABELS * (answer.features @ (answer.features.T @ (LABELS * first))) - first / box
    assert game.gradient_squares[0].item() == pytest.approx(gradient.square().sum().item(), rel=1e-12)
    moved = first + box * gradient
    cone = project_box_hyperplane(moved, LABELS, 1e3)
    cone = cone * min(1.0, box * 6**0.5 / cone.norm().item())
    torch.testing.assert_close(game.last_weights, cone)
    expected = first.sum() - answer.value / 2 - first.square().sum() / (2 * box)
    assert game.payoffs()[0].item() == pytest.approx(expected.item(), rel=1e-12)
