"""Theorem 4.1 of nsrf: the numbers of its refutations, checked independently, and that nothing true is refuted.

Payoffs against a pair of frequencies are recomputed with 50 digits or exact fractions; the plays with numpy alone.
"""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch
from scipy.optimize import linprog

from algos.margin_game.certificate import average_regret, regret_certificate
from algos.margin_game.game import margin_payoff, margin_payoff_gradient
from bounds.margin_game.sign_patterns import printed_share, sign_pattern_gap
from harness import claim, identity
from harness.claims.nsrf import convergence as corrected
from harness.claims.nsrf import (
    counting,
    game_beds,
    margin_ratio,
    other_steps,
    proof_steps,
    quantifiers,
    regret,
    small_games,
    squared_hinge,
    unseen,
)
from harness.language.quantifiers import Forall, from_values
from harness.testing import assert_claim
from tests.helpers import bare_check, expected_verdict
from tests.ledger.nsrf import rows, tensor


def exactly_feasible(weights: torch.Tensor, labels: torch.Tensor, capacity: Fraction) -> list[Fraction]:
    """Rational weights of K next to float ones: clipped, and the heavier class scaled down to the other."""
    clipped = [min(max(Fraction(w), Fraction(0)), capacity) for w in weights.tolist()]
    total = {s: sum((w for w, y in zip(clipped, labels.tolist(), strict=True) if y == s), Fraction(0)) for s in (1, -1)}
    least = min(total.values())
    return [w * least / total[int(y)] for w, y in zip(clipped, labels.tolist(), strict=True)]


def payoff(weights: list[Fraction], labels: torch.Tensor, frequency: float) -> mpmath.mpf:
    """F at rational weights on 0, 1, ... against one pair, in 50 digits."""
    signed = [int(y) * mpmath.mpf(w.numerator) / w.denominator for w, y in zip(weights, labels.tolist(), strict=True)]
    total = mpmath.fsum(u * mpmath.expj(mpmath.mpf(frequency) * i) for i, u in enumerate(signed))
    return mpmath.fsum(abs(u) for u in signed) - abs(total) ** 2 / 2


@pytest.mark.parametrize(
    ("copies", "box", "left", "right"), [(1024, "1/128", 888.51, 844.0), (240, "1/24", 1110.64, 1104.0)]
)
def test_one_round_in_fifty_digits(copies, box, left, right):
    """Weights that are feasible as fractions still exceed the printed bound, whose last digits are 50-digit too."""
    labels, capacity = unseen.rudin_shapiro(128), copies * Fraction(box)
    frequency, gap = quantifiers.one_round_payoff(128, float(capacity))[1:]
    points = torch.arange(128, dtype=torch.float64)
    found = unseen.heaviest_unseen_by(tensor([[frequency]]) * points, labels, float(capacity))
    weights = exactly_feasible(found, labels, capacity)
    assert sum(w * int(y) for w, y in zip(weights, labels.tolist(), strict=True)) == 0
    assert all(0 <= w <= capacity for w in weights)
    with mpmath.workdps(50):
        value = payoff(weights, labels, frequency)
        c = mpmath.mpf(Fraction(box).numerator) / Fraction(box).denominator
        allowed = 64 + mpmath.mpf(gap) / 2 + mpmath.mpf(3) / 4 * (c + 2 * c**2) * copies * 128
        assert value > allowed
    assert float(value) == pytest.approx(left, abs=0.01)
    assert float(allowed) == pytest.approx(right, abs=0.01)


def test_the_first_frequency_is_a_peak_and_its_gap_is_rigorous():
    """a_1 from scratch in numpy; a grid eight times finer finds nothing above the value plus the gap."""
    labels, capacity = unseen.rudin_shapiro(128), 8.0
    answer = quantifiers.first_answer(labels, capacity, grid=2**18)
    y = labels.numpy()
    shifts = np.linspace(-8, 8, 200_001)
    start = capacity / 2 - y * shifts[np.abs([np.clip(capacity / 2 - y * s, 0, capacity) @ y for s in shifts]).argmin()]
    signal = y * np.clip(start, 0, capacity)
    spectrum = np.abs(np.fft.rfft(signal, 2**21)) ** 2
    assert answer.value.item() <= spectrum.max() * (1 + 1e-6) <= (answer.value + answer.gap).item() * (1 + 2e-6)
    assert answer.index.item() == pytest.approx(2.505134, abs=2e-6)


@pytest.mark.parametrize("count", [3, 8, 16])
def test_equal_masses_on_roots_of_unity_make_the_kernel_the_identity(count):
    """The comparator of the refutations, F* <= P/2; distinct integers, pairs of mass one."""
    lattice = torch.arange(count, dtype=torch.float64)
    gram = (2 * math.pi / count * lattice[:, None, None] * (lattice[:, None] - lattice)).cos().mean(0)
    torch.testing.assert_close(gram, torch.eye(count, dtype=torch.float64), rtol=0, atol=1e-12)


def test_weights_that_no_frequency_sees():
    """Feasible, unseen, and no heavier than the optimum of the linear programme, which vertex weights cannot beat."""
    labels, points = tensor([1.0, -1, -1, 1, -1, 1]), torch.arange(6, dtype=torch.float64)
    phases = tensor([[0.7]]) * points
    near, best = unseen.unseen_by(phases, labels, 2.0), unseen.heaviest_unseen_by(phases, labels, 2.0)
    for weights in (near, best):
        assert bool(((weights >= 0) & (weights <= 2.0)).all())
        assert abs((weights @ labels).item()) < 1e-12
        sums = torch.stack([(phases.cos() @ (labels * weights)), (phases.sin() @ (labels * weights))])
        assert sums.abs().max() < 1e-9
    assert 0 < near.sum() <= best.sum() + 1e-9


@pytest.mark.in_turn
def test_second_frequencies_against_direct_payoffs():
    """Payoffs over intervals are below the exact maximum between the grid points, and above the bound."""
    seconds, payoffs = quantifiers.payoffs_after_two_rounds(128, 8.0)
    labels, points = unseen.rudin_shapiro(128), torch.arange(128, dtype=torch.float64)
    first, spacing = quantifiers.one_round_payoff(128, 8.0)[1], math.pi / 12_000
    for index in (0, 1, 37, 4000, 9569, 12_000):
        for offset in (-0.5, 0.0, 0.5):
            phases = tensor([[first], [seconds[index].item() + offset * spacing]]) * points
            features = torch.cat([phases.cos(), phases.sin()]).mT / math.sqrt(2)
            most = quantifiers.margin_maximum(features, labels, 8.0).upper
            assert payoffs[index] <= most
    assert payoffs.min() > 770.4
    found = rows(quantifiers.second_frequency_as_printed)
    least, limit = found.pop("least payoff over all w_2")
    assert limit == pytest.approx(615.54, abs=0.01)
    assert least == min(ours for ours, _ in found.values()) == payoffs.min()


def test_one_good_second_frequency_would_save_the_bound(monkeypatch):
    """The accusation is about every w_2: catches rows that are judged one by one."""
    seconds, payoffs = quantifiers.payoffs_after_two_rounds(128, 8.0)
    spared = payoffs.clone()
    spared[700] = 600.0
    monkeypatch.setattr(quantifiers, "payoffs_after_two_rounds", lambda *_: (seconds, spared))
    assert bare_check(quantifiers.second_frequency_as_printed).status == "HOLDS"


def test_counting_argument():
    """T = 9, P = 10^4, c = 20, C = .001: .293 > .2505; T = 2 is out of its reach for every P, c, C."""
    assert sign_pattern_gap(10**4, 9, 20.0) == pytest.approx(0.293, abs=5e-4)
    assert printed_share(0.001, 9) == pytest.approx(0.2505)
    assert sign_pattern_gap(10**12, 2, 1e9) < printed_share(0.0, 2)
    assert sign_pattern_gap(10**12, 3, 1e9) > printed_share(0.0, 3)


def test_heaviest_unseen_weights_are_a_sum_of_hinge_losses():
    """The duality behind the counting argument: c min over b, z of sum [1 - y (b + Re conj(z) e)]_+."""
    labels, points = tensor([1.0, 1, -1, 1, -1, -1, 1, -1, 1, 1]), torch.arange(10, dtype=torch.float64)
    phases = tensor([[0.4], [1.9]]) * points
    best = unseen.heaviest_unseen_by(phases, labels, 1.5).sum().item()
    design = torch.cat([torch.ones_like(phases[:1]), phases.cos(), phases.sin()]).numpy().T
    margins = labels.numpy()[:, None] * design
    losses = linprog(
        np.append(np.zeros(5), np.full(10, 1.5)),
        A_ub=np.hstack([-margins, -np.eye(10)]),
        b_ub=-np.ones(10),
        bounds=[(None, None)] * 5 + [(0, None)] * 10,
    )
    assert best == pytest.approx(losses.fun, abs=1e-9)
    errors = (margins @ losses.x[:5] <= 0).sum()
    assert best >= 1.5 * errors - 1e-9


@pytest.mark.parametrize("printed", [True, False])
def test_thrown_weights_are_those_of_algorithm_2(printed):
    """The reduction to one weight against four weights, projections onto K and gradients of mass two."""
    box, rounds = 0.2, 30
    points, labels = tensor([[0.0], [0.0], [1.0], [1.0]]), tensor([1.0, 1.0, -1.0, -1.0])
    scale = 1 / box if printed else box
    weights, answers, played = torch.full((4,), box / 2, dtype=torch.float64), [], 0.0
    for t in range(1, rounds + 1):
        omega = tensor([[math.pi if weights.sum() > 3 * box else 0.0]])
        answers.append(omega)
        played += margin_payoff(weights, labels, points, omega, mass=2).item() / rounds
        slope = margin_payoff_gradient(weights, labels, points, omega, mass=2).squeeze(-2)
        assert torch.linalg.vector_norm(slope) <= 2 + 1e-12
        weights = quantifiers.project_box_hyperplane(weights + scale / t**0.5 * slope, labels, box)
    shares = torch.linspace(0, 1, 2001, dtype=torch.float64)[:, None] * tensor([[box] * 4])
    best = margin_payoff(shares, labels, points, torch.cat(answers), mass=2).mean(-1).max().item()
    claim = regret.online_ascent_in_the_game_with_printed_steps if printed else regret.online_ascent_in_the_game
    average, _ = claim.body(forall=Forall(from_values({"C": tensor([box])})), T=rounds)
    assert average.item() == pytest.approx(best - played, abs=1e-6)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_small_games_agree_with_enumeration(count):
    """Payoff of the mean measure at vertices of K, by hand."""
    points = tensor([[1.0, 2, 5, 7][:count]])
    labels = tensor([[1.0, -1, 1, -1][:count]])
    games = small_games.SmallGames(points, labels, tensor([1.0]))
    game, _ = small_games.theorem(games, 5)
    largest = games.largest(game).item()
    frequencies = game.indices.reshape(-1).tolist()
    for pick in itertools.product((0.0, 0.5, 1.0), repeat=count):
        if abs(sum(a * y for a, y in zip(pick, labels[0].tolist(), strict=True))) > 1e-12:
            continue
        total = [
            abs(
                sum(
                    a * y * complex(math.cos(w * x), math.sin(w * x))
                    for a, y, x in zip(pick, labels[0].tolist(), points[0].tolist(), strict=True)
                )
            )
            ** 2
            for w in frequencies
        ]
        direct = sum(pick) - sum(total) / 10
        assert games.payoff(game, tensor([pick])).item() == pytest.approx(direct, abs=1e-10)
        assert direct <= largest + 1e-9


def test_the_last_step_of_the_proof_is_refuted():
    """F is affine, not linear, in the measure: the mean of F(a, delta_w + delta_-w)/2 is not F(a, lambda_bar)."""

    @claim("variants/linear", identity(), over=[{"n": 3}], expected="refuted")
    def linear_in_the_measure(forall, *, n):
        """F(a, lambda_bar) is half of the mean of F(a, delta_w + delta_-w)."""
        games, weights = small_games.games_and_weights(forall, n)
        game, _ = small_games.as_played(games, 2)
        pairs = weights.sum(-1) - 2 * (weights.sum(-1) - games.payoff(game, weights))
        return games.payoff(game, weights), pairs / 2

    assert_claim(linear_in_the_measure)


@pytest.mark.in_turn
def test_what_the_proof_would_give_is_refuted_by_the_run_itself():
    """Half of the regret of the printed play does not bound its gap; with pairs of mass one the regret does."""
    four, rounds = game_beds.FOUR, 3000
    played_twice = game_beds.played(four, (0.25 / 3,), rounds, mass=2)[0]
    regret_of_it = average_regret(played_twice, four.player())[1]
    gap = game_beds.largest_payoff(four, played_twice, rounds).lower.item() - proof_steps.VALUE
    assert gap > 10 * (regret_of_it / 2 + played_twice.gaps.mean().item() / 2)
    played_once = game_beds.played(four, (0.25 / 3,), rounds, mass=1)[0]
    gap = game_beds.largest_payoff(four, played_once, rounds).upper.item() - proof_steps.VALUE
    assert gap <= regret_certificate(played_once, four.player())


def spoilt(share):
    return lambda bound: lambda *args, **kwargs: share * bound(*args, **kwargs)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("judged", "module", "name", "share"),
    [
        (corrected.mean_measure_converges, small_games, "convergence", 0.07),
        (corrected.printed_play_converges_in_the_doubled_box, small_games, "printed_play_convergence", 0.04),
        (margin_ratio.weak_learner_form, margin_ratio, "online_ascent_regret", 0.03),
        (margin_ratio.margin_ratio, margin_ratio, "margin_ratio_loss", 0.9),
        (margin_ratio.margin_ratio_for_some_steps, margin_ratio, "printed_margin_ratio_loss", 0.02),
        (corrected.mean_measure_converges_with_any_steps, small_games, "posterior_convergence", 0.2),
        (corrected.mean_measure_converges_with_adaptive_steps, small_games, "adagrad_convergence", 0.15),
        (corrected.regret_certifies_the_gap, corrected, "margin_payoff", 0.9),
        (regret.online_ascent_in_the_game, regret, "online_ascent_regret", 0.3),
        (corrected.random_games_stay_below_the_bounds, small_games, "adagrad_convergence", 0.2),
        (corrected.random_games_stay_below_the_bounds, small_games, "convergence", 0.07),
        (squared_hinge.squared_hinge_rate, squared_hinge, "squared_hinge_convergence", 1e-4),
        (squared_hinge.squared_hinge_regret, squared_hinge, "squared_hinge_convergence", 0.01),
        (other_steps.exact_constants, other_steps, "convergence", 0.01),
    ],
    ids=lambda part: getattr(part, "key", ""),
)
def test_a_bound_made_too_small_is_refuted(judged, module, name, share, monkeypatch):
    monkeypatch.setattr(module, name, spoilt(share)(getattr(module, name)))
    assert bare_check(judged).status == "REFUTED"


CLAIMS = [
    quantifiers.one_round_as_printed,
    quantifiers.rudin_shapiro_labels_as_printed,
    quantifiers.rudin_shapiro_labels,
    quantifiers.second_frequency_as_printed,
    quantifiers.two_rounds,
    counting.labels_exist_for_which_no_frequencies_help_as_printed,
    counting.labels_exist_for_which_no_frequencies_help,
    corrected.mean_measure_converges,
    corrected.mean_measure_converges_with_any_steps,
    corrected.mean_measure_converges_with_adaptive_steps,
    corrected.printed_play_converges_in_the_doubled_box,
    corrected.regret_certifies_the_gap,
    corrected.random_games_stay_below_the_bounds,
    proof_steps.proof_steps_as_printed,
    proof_steps.mass_one_steps,
    other_steps.slow_steps_obey_the_printed_bound,
    other_steps.slow_steps,
    other_steps.plugged_constants,
    other_steps.exact_constants,
    other_steps.certificate_along_runs,
    margin_ratio.weak_learner_form_as_printed,
    margin_ratio.weak_learner_form,
    margin_ratio.largest_rho_as_printed,
    margin_ratio.largest_payoff_of_a_round,
    margin_ratio.margin_ratio_with_the_steps_of_the_proof,
    margin_ratio.margin_ratio,
    margin_ratio.margin_ratio_for_some_steps,
    squared_hinge.squared_hinge_regret,
    squared_hinge.squared_hinge_rate_of_the_printed_play,
    squared_hinge.squared_hinge_rate,
    regret.online_ascent_in_the_game_with_printed_steps,
    regret.online_ascent_in_the_game,
]


@pytest.mark.in_turn
@pytest.mark.parametrize("judged", CLAIMS, ids=lambda c: c.key)
def test_verdicts(judged):
    """The search and the runs refute what is printed as far as it is false, and nothing that is true."""
    assert expected_verdict(judged, family=1).as_expected
