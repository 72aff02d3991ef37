"""Online gradient ascent: a step taken in the wrong round, a lost projection or a wrong comparator would fail here."""

import itertools
import math

import pytest
import torch

from algos.margin_game.online import adagrad_norm_step, decreasing_step, linear_regret, online_gradient_ascent
from bounds.margin_game.online import decreasing_step_regret, online_ascent_regret


def play(slopes, start, diameter, step):
    """Oblivious linear payoffs on [0, D]."""
    run = online_gradient_ascent(
        lambda t, _: slopes[..., t - 1 : t],
        lambda action: action.clamp(0.0, diameter),
        start.unsqueeze(-1),
        rounds=slopes.shape[-1],
        step=step,
    )
    return run.actions.squeeze(-1), linear_regret(slopes, run.actions.squeeze(-1), 0.0, diameter)


def all_signs(rounds):
    return torch.tensor(list(itertools.product([-1.0, 1.0], repeat=rounds)), dtype=torch.float64)


def test_first_rounds_by_hand():
    """D = 1, G = 2, steps 1/(2 sqrt t): 0 -> +1 (clipped from 1), then 1 - 2/(2 sqrt 2)."""
    slopes = torch.tensor([2.0, -2.0, 2.0], dtype=torch.float64)
    actions, regret = play(slopes, torch.zeros((), dtype=torch.float64), 1.0, decreasing_step(0.5))
    expected = [0.0, 1.0, 1.0 - 1.0 / math.sqrt(2.0)]
    torch.testing.assert_close(actions, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-15)
    assert regret.item() == pytest.approx((2.0 - 2 * (0.0 - 1.0 + expected[2])) / 3)


def test_standard_steps_stay_below_the_bound_on_every_sign_sequence():
    """All 2^12 sequences of extreme slopes on [0, 1] from both ends: the best is 0.712 of the bound, never above 1."""
    slopes = all_signs(12)
    for start in (0.0, 1.0):
        begin = torch.full((len(slopes),), start, dtype=torch.float64)
        _, regret = play(slopes, begin, 1.0, decreasing_step(1.0))
        ratio = (regret / online_ascent_regret(1.0, 1.0, 12)).max().item()
        assert ratio <= 1.0
        assert ratio >= 0.7


@pytest.mark.parametrize(
    ("diameter", "lipschitz", "rounds", "regret"), [(3.0, 1.0, 10, 2.075), (10.0, 1.0, 1000, 5.930)]
)
def test_printed_steps_are_too_slow_on_wide_intervals(diameter, lipschitz, rounds, regret):
    """Constant payoff slope G from a_1 = 0, steps G/(D sqrt t): known regrets above 3GD/(2 sqrt T)."""
    slopes = torch.full((rounds,), lipschitz, dtype=torch.float64)
    _, ours = play(slopes, torch.zeros((), dtype=torch.float64), diameter, decreasing_step(lipschitz / diameter))
    assert ours.item() == pytest.approx(regret, abs=5e-4)
    assert ours.item() > online_ascent_regret(diameter, lipschitz, rounds)
    scale = lipschitz / diameter
    assert ours.item() <= decreasing_step_regret(diameter, lipschitz, rounds, scale=scale)


@pytest.mark.parametrize(("lipschitz", "rounds", "regret"), [(2.0, 10, 1.0), (2.0, 16, 1.0), (4.0, 256, 2.0)])
def test_printed_steps_overshoot_against_an_adaptive_adversary(lipschitz, rounds, regret):
    """Payoffs that push away from the present end of [0, 1]: steps G/(D sqrt t) throw the action from end to end."""
    run = online_gradient_ascent(
        lambda _, action: torch.where(action > 0.5, -lipschitz, lipschitz),
        lambda action: action.clamp(0.0, 1.0),
        torch.ones(1, dtype=torch.float64),
        rounds=rounds,
        step=decreasing_step(lipschitz),
    )
    ours = linear_regret(run.gradients.squeeze(-1), run.actions.squeeze(-1), 0.0, 1.0)
    assert ours.item() == pytest.approx(regret, abs=1e-12)


def test_adagrad_norm_keeps_its_bound_and_survives_zero_gradients():
    """Ternary sequences of length 7, the first gradients zero in many: finite, and within sqrt 2 D |g| / T."""
    slopes = torch.tensor(list(itertools.product([-1.0, 0.0, 1.0], repeat=7)), dtype=torch.float64)
    start = torch.full((len(slopes),), 0.3, dtype=torch.float64)
    actions, regret = play(slopes, start, 2.0, adagrad_norm_step(2.0))
    assert torch.isfinite(actions).all()
    bound = math.sqrt(2.0) * 2.0 * slopes.square().sum(-1).sqrt() / 7
    assert (regret <= bound + 1e-12).all()


def test_batched_diameters_and_gradients():
    """Step scales may be tensors, and regret is differentiable in the slopes."""
    slopes = torch.randn(4, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    diameter = torch.tensor([0.5, 1.0, 2.0, 4.0], dtype=torch.float64)
    run = online_gradient_ascent(
        lambda t, _: slopes[..., t - 1 : t],
        lambda action: torch.minimum(action.clamp(min=0.0), diameter.unsqueeze(-1)),
        torch.zeros(4, 1, dtype=torch.float64),
        rounds=5,
        step=decreasing_step(diameter),
    )
    linear_regret(slopes, run.actions.squeeze(-1), 0.0, diameter).sum().backward()
    assert torch.isfinite(slopes.grad).all()
    for i in range(4):
        actions, _ = play(
            slopes[i].detach(),
            torch.zeros((), dtype=torch.float64),
            diameter[i].item(),
            decreasing_step(diameter[i].item()),
        )
        torch.testing.assert_close(run.actions[i, :, 0].detach(), actions)


def test_no_rounds_is_refused():
    with pytest.raises(ValueError, match="rounds = 0"):
        online_gradient_ascent(lambda _, a: a, lambda a: a, torch.zeros(1), rounds=0, step=decreasing_step(1.0))


@pytest.mark.parametrize("project", [float, torch.Tensor.tolist, bool])
def test_a_projection_that_returns_no_tensor_is_refused_by_name(project):
    start = torch.zeros(3, dtype=torch.float64)
    with pytest.raises((TypeError, ValueError), match="project"):
        online_gradient_ascent(lambda _, actions: 1 - actions, project, start, rounds=3, step=decreasing_step(0.1))


def test_a_step_rule_may_return_any_real_number_and_nothing_else():
    start = torch.zeros(3, dtype=torch.float64)
    run = online_gradient_ascent(lambda _, a: 1 - a, lambda a: a, start, rounds=2, step=lambda *_: 1)
    assert run.actions[1].tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(TypeError, match="step must return"):
        online_gradient_ascent(lambda _, a: 1 - a, lambda a: a, start, rounds=2, step=lambda *_: "long")
