"""The game on four points and its like: values, plays, gaps and constants, checked independently."""

import itertools
import math

import numpy as np
import pytest
import torch

from algos.margin_game.certificate import measure_maximum
from algos.margin_game.measure import dual_measure
from algos.margin_game.squared_hinge import play_squared_hinge_game
from bounds.margin_game.game import printed_convergence
from harness.claims.nsrf import game_beds, margin_ratio, other_steps, proof_steps, quantifiers, regret, squared_hinge
from harness.language.quantifiers import Forall, from_values
from tests.ledger.nsrf import rows, tensor


def test_value_of_the_four_points():
    """Closed form, primal and dual agree; the equilibrium of the box 1/2 has the value 2/3 at +-pi/3 alone."""
    four = game_beds.FOUR
    assert pytest.approx(0.61272406, abs=1e-8) == proof_steps.VALUE
    assert game_beds.guaranteed(four, torch.full((4,), 0.25, dtype=torch.float64)) <= proof_steps.VALUE
    assert proof_steps.against_pair(proof_steps.PEAK).upper.item() == pytest.approx(proof_steps.VALUE, abs=1e-9)
    interior = tensor([2.0, 4, 4, 2]) / 9
    assert game_beds.guaranteed(four, interior) == pytest.approx(2 / 3, abs=1e-6)
    doubled = quantifiers.margin_maximum(four.player().features(tensor([math.pi / 3])), four.labels, 0.5)
    assert doubled.upper.item() == pytest.approx(2 / 3, abs=1e-9)
    potential = four.player().potential(four.labels * interior)
    frequencies = four.player().frequencies.squeeze(-1)
    away = (frequencies - math.pi / 3).abs() > 0.05
    assert potential[away].max() < potential.max() - 1e-3
    assert proof_steps.against_pair(math.pi / 3).lower.item() == pytest.approx(5 / 8, abs=1e-9)


def numpy_play(points, signs, box, scale, rounds, *, mass):
    """Algorithm 2 in numpy, projections by bisection: the peaks found on 1025 frequencies, in order."""
    x, y = np.array(points, float), np.array(signs, float)
    grid = np.linspace(0, math.pi, 1025)
    phases = np.exp(1j * np.outer(grid, x))

    def project(z):
        low, high = -np.abs(z).max() - box, np.abs(z).max() + box
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if y @ np.clip(z - middle * y, 0, box) > 0 else (low, middle)
        return np.clip(z - (low + high) / 2 * y, 0, box)

    action, found = project(np.full(len(x), box / 2)), []
    for t in range(1, rounds + 1):
        sums = phases @ (y * action)
        best = int(np.abs(sums).argmax())
        found.append(grid[best])
        gradient = 1 - mass * y * (np.conj(sums[best]) * phases[best]).real
        action = project(action + scale / math.sqrt(t) * gradient)
    return np.array(found)


@pytest.mark.in_turn
@pytest.mark.parametrize("mass", [1, 2])
def test_play_of_the_four_points_in_numpy(mass):
    """The same frequencies and the same largest payoff after 300 rounds: catches a lost factor of the mass."""
    four, scale = game_beds.FOUR, 0.25 / 3
    game = game_beds.played(four, (scale,), 300, mass=mass)[0]
    found = numpy_play(four.points, four.signs, 0.25, scale, 300, mass=mass)
    ours = game.indices.squeeze(-1).abs().numpy()
    assert np.sort(ours) == pytest.approx(np.sort(found), abs=0.004)
    phases = np.outer(found, four.points)
    signed = np.array(list(itertools.product(np.linspace(0, 0.25, 11), repeat=3)))
    signed = signed[
        (signed[:, 0] + signed[:, 1] >= signed[:, 2]) & (signed[:, 0] + signed[:, 1] - signed[:, 2] <= 0.25)
    ]
    weights = np.column_stack([signed, signed[:, 0] + signed[:, 1] - signed[:, 2]])
    potentials = np.abs((weights * np.array(four.signs)) @ np.exp(1j * phases).T) ** 2
    enumerated = (weights.sum(1) - potentials.mean(1) / 2).max()
    most = game_beds.largest_payoff(four, game, 300).upper.item()
    assert enumerated <= most + 1e-4
    assert most <= enumerated + 0.01


@pytest.mark.in_turn
def test_gaps_of_the_four_points():
    """The second reading's ratios to the bound without eps_t, at T = 10^4, and the limit of the gap."""
    found = rows(proof_steps.proof_steps_as_printed)
    bound = 1.125 / 100
    assert found["gap, D/(G sqrt t), T = 10000"][0] / bound == pytest.approx(1.090, abs=1e-3)
    assert found["gap, D/(G sqrt t), exact D and G, T = 10000"][0] / bound == pytest.approx(1.086, abs=1e-3)
    assert found["gap, G/(D sqrt t), T = 10000"][0] / bound == pytest.approx(1.44, abs=0.1)
    assert found["gap, G/(D sqrt t), exact D and G, T = 10000"][0] / bound == pytest.approx(2.49, abs=0.2)
    assert found["gap of the pair +-pi/3"][0] == pytest.approx(0.0122759, abs=1e-7)
    assert found["bound, T = 10000"][0] == pytest.approx(bound, rel=1e-3)
    assert found["gap, steps 0"][0] == pytest.approx(0, abs=1e-6)
    assert found["gap, steps .01/sqrt t"][0] / bound == pytest.approx(0.79, abs=0.01)
    for label in ("width of F*", "width of max F"):
        assert abs(found[label][0]) <= 1e-6
    assert game_beds.proof_scale(game_beds.FOUR, copies=100, constants="exact") == pytest.approx(0.25 / 3)
    assert game_beds.proof_scale(game_beds.FOUR) == pytest.approx(1 / 6)
    assert game_beds.proof_scale(game_beds.FOUR, constants="exact", inverted=True) == pytest.approx(12)


@pytest.mark.in_turn
def test_mass_one_converges_and_two_in_the_doubled_box():
    found = rows(proof_steps.mass_one_steps)
    assert found["gap, mass one, T = 10000"][0] < 1e-6
    assert found["gap in the box 2 C, mass two, T = 10000"][0] < 1e-4


def test_plugged_constants_and_exact_ones():
    found = rows(other_steps.plugged_constants)
    assert found["max F, D/(G sqrt t)"][0] == pytest.approx(24.32, abs=0.01)
    assert found["max F, G/(D sqrt t)"][0] == pytest.approx(30.76, abs=0.05)
    assert found["max F, D/(G sqrt t), exact D and G"][0] == pytest.approx(9.44, abs=0.01)
    assert found["max F, steps 0"][0] == pytest.approx(20.51, abs=0.01)
    least, limit = found["least max F of both orders"]
    assert limit == pytest.approx(23.2017, abs=0.001)
    assert least == found["max F, D/(G sqrt t)"][0] > limit


@pytest.mark.nightly
def test_each_slow_step_fails():
    """Every c, 0 included, whose gap needs no play: the answer to a_1 = C/2 is the pair +-pi."""
    found = rows(other_steps.slow_steps_obey_the_printed_bound)
    least, limit = found.pop("least gap over c")
    assert len(found) == 7
    assert min(gap for gap, _ in found.values()) == least > limit
    assert found["gap, c = 0"][0] == pytest.approx(0.0220296, abs=1e-7)


def test_each_rule_of_the_proof_fails_at_last():
    found = rows(proof_steps.proof_steps_as_printed)
    least, limit = found["least gap of the four, T = 10000"]
    assert min(found[f"gap, {rule}, T = 10000"][0] for rule in proof_steps.RULES) == least > limit
    judged = rows(margin_ratio.margin_ratio_with_the_steps_of_the_proof)
    least, limit = judged.pop("least delta of all, T = 10000")
    last = [loss for label, (loss, _) in judged.items() if label.endswith("T = 10000")]
    assert len(last) == 8
    assert min(last) == least > limit


def test_a_copy_is_a_weight():
    """k copies in the box C and steps eta play as one point in the box k C with steps k eta."""
    one = game_beds.Bed((0, 1, 3, 4), (-1, -1, 1, 1), 0.25)
    three = game_beds.Bed((0, 1, 3, 4) * 3, (-1, -1, 1, 1) * 3, 0.25 / 3)
    single = game_beds.played(one, (0.3,), 40, mass=2)[0]
    copied = game_beds.played(three, (0.1,), 40, mass=2)[0]
    torch.testing.assert_close(single.values, copied.values, rtol=1e-9, atol=1e-12)
    measure = dual_measure(copied)
    most = measure_maximum(measure, three.player(), three.labels, three.capacity)
    assert most.upper.item() == pytest.approx(game_beds.largest_payoff(one, single, 40).upper.item(), abs=1e-9)


def test_the_gap_of_the_grid_is_rigorous():
    """A grid sixteen times finer never exceeds value + gap; catches a slack that forgets a factor."""
    bed = game_beds.Bed(game_beds.EIGHT.points, game_beds.EIGHT.signs, 0.5, 33)
    fine = game_beds.Bed(bed.points, bed.signs, 0.5, 513)
    generator = np.random.default_rng(1)
    raw = torch.from_numpy(generator.uniform(0, 1, (200, 8)))
    weights = quantifiers.project_box_hyperplane(raw, bed.labels, 0.5)
    answer, finer = bed.player()(bed.labels * weights), fine.player()(bed.labels * weights)
    assert bool((finer.value <= answer.value + answer.gap).all())
    assert bool((finer.value > answer.value + 1e-3 * answer.gap).any())


def test_largest_rho():
    found = rows(margin_ratio.largest_rho_as_printed)
    assert [limit for _, limit in found.values()] == pytest.approx([0.475, 0.25 * 4 / 9 + 0.225, 0.225], abs=1e-9)
    assert all(ours >= 0.5 - 1e-12 for ours, _ in found.values())


def test_alternate_form_fails_from_82_rounds():
    for rounds, fails in ((81, False), (82, True)):
        left, right = margin_ratio.weak_learner_form_as_printed.body(
            forall=Forall(from_values({"C": tensor([1.0])})), n=2, T=rounds
        )
        assert bool(left > right) is fails


def test_ratio_of_margins():
    found = rows(margin_ratio.margin_ratio_with_the_steps_of_the_proof)
    geometric, limit = (
        found["delta, geometric, D/(G sqrt t), exact D and G, T = 10000"][0],
        found["least delta of all, T = 10000"][1],
    )
    assert limit == pytest.approx(0.75 * (0.25 + 2 * 0.0625 / 100) * 4 / 100, rel=2e-3)
    assert limit < geometric < 0.00987
    assert found["delta, reciprocal, D/(G sqrt t), exact D and G, T = 10000"][0] < 0.0196442
    assert printed_convergence(1 / 400, 400, 1) > 0.5


@pytest.mark.nightly
def test_squared_hinge_excess():
    found = rows(squared_hinge.squared_hinge_rate_of_the_printed_play)
    assert found["excess, T = 4000"][0] == pytest.approx(0.0033, abs=1e-4)
    limit, allowed = found["lower bound of the limit of the excess"]
    assert 30 * allowed < limit < found["excess, T = 4000"][0]


@pytest.mark.in_turn
def test_no_round_has_a_larger_peak_gap():
    """The a-priori bound against the first gaps of both plays and those of weights on the sphere |a| = C sqrt n."""
    eight, most = game_beds.EIGHT, squared_hinge.largest_peak_gap(game_beds.EIGHT)
    for mass in (1, 2):
        played = play_squared_hinge_game(
            squared_hinge.player(eight), eight.labels, eight.capacity, rounds=2000, mass=mass
        )
        assert played.gaps.max() < most
    generator = np.random.default_rng(2)
    raw = torch.from_numpy(generator.uniform(0, 1, (200, 8)) ** 4)
    weights = quantifiers.project_box_hyperplane(raw, eight.labels, 1.0)
    weights = weights * (0.5 * 8**0.5 / torch.linalg.vector_norm(weights, dim=-1, keepdim=True))
    assert squared_hinge.player(eight)(eight.labels * weights).gap.max() < most


@pytest.mark.in_turn
def test_programme_near_the_equilibrium_is_a_relaxation():
    """Without a constraint on the other game it is the value of this one, to the accuracy of the last cut."""
    free = squared_hinge.least_payoff_near_equilibrium(game_beds.EIGHT, 1e9)
    best = squared_hinge.largest(game_beds.EIGHT, squared_hinge.run(game_beds.EIGHT, 1), squared_hinge.ROUNDS[-1])[1]
    assert best - 1e-3 < free <= best


def test_regret_in_the_game():
    """By hand: the first payoff is 1/2, all others are 0, and the best weights have half of both payoffs, 1/2."""
    forall = Forall(from_values({"C": tensor([0.25])}))
    average, bound = regret.online_ascent_in_the_game_with_printed_steps.body(forall=forall, T=100)
    assert (average.item(), bound.item()) == (pytest.approx(0.495, abs=1e-3), pytest.approx(0.15))
    assert average.item() > 3 * 3 * 0.5 / (2 * 10)  # the proof's G = (1 + 2 C) sqrt n = 3
