"""Rates of lkrf, pbrff and nsrf: quantities against brute force at small sizes, and verdicts that must come out."""

import itertools
import math

import pytest
import torch
from scipy.integrate import quad

from algos.fourier.sums import fourier_potential
from algos.kernel_learning.alignment import binary_alignment_loss, landmark_alignment_loss
from algos.kernel_learning.weights import learned_kernel
from algos.margin_game.certificate import game_certificate
from algos.margin_game.squared_hinge import play_squared_hinge_game
from bounds.pac_bayes.power_divergence import printed_power_divergence_bound
from harness.claims.lkrf import rates as lkrf
from harness.claims.lkrf.ball import ball_maximum
from harness.claims.lkrf.complexity import complexity
from harness.claims.lkrf.multinomial_laws import all_signs
from harness.claims.nsrf import rates as nsrf
from harness.claims.nsrf.generalisation import GRIDS, excess_of_cosines
from harness.claims.nsrf.small_games import theorem
from harness.claims.pbrff import rates as pbrff
from harness.language.registry import Claim
from harness.run.loading import ledger
from harness.run.sensitivity import halved
from harness.verdict import Status
from tests.helpers import bare_check

CLOSE = {"rtol": 1e-10, "atol": 1e-12}
HEAVY = "pbrff/rate-lem-6"  # at the quick effort one of its squares carries a tenth of their spread
LONG = ("nsrf/rate-lem-C.1", "nsrf/rate-thm-4.1", "nsrf/rate-l2-svm")
RATES = [
    pytest.param(claim, id=claim.key, marks=[pytest.mark.nightly] if claim.id in LONG else [])
    for claim in ledger()
    if claim.id.startswith(("lkrf/rate-", "pbrff/rate-", "nsrf/rate-"))
]


def tensor(values) -> torch.Tensor:
    return torch.as_tensor(values, dtype=torch.float64)


class Scripted:
    """A draw that returns given tensors."""

    device = "cpu"

    def __init__(self, **values) -> None:
        self.values = {name: tensor(value) for name, value in values.items()}

    def __getattr__(self, kind):
        return lambda name, *_, **__: self.values[name.replace(" ", "_")]


def counts_of(places, size) -> list[list[float]]:
    return [[float(list(places).count(k)) for k in range(size)]]


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", RATES)
def test_the_rate_comes_out_and_one_that_is_faster_by_a_half_does_not(claim: Claim):
    """Catches a bed on which the rate is not seen, and one on which too fast a rate would pass for it."""
    effort = "standard" if claim.id == HEAVY else "quick"
    verdict = bare_check(claim, family=1000, effort=effort)
    assert verdict.status == (Status.REFUTED if claim.expected == "refuted" else Status.HOLDS)
    assert bare_check(halved(claim).claim, family=1000).status is not Status.HOLDS


def test_errors_of_the_alignment_are_those_of_the_mean_over_pairs():
    """Catches a diagonal left in the statistic, or a square of the wrong mean."""
    places = (0, 2, 2, 3)
    draw = Scripted(points=counts_of(places, 4))
    signed = lkrf._signed(draw)
    pairs = [signed[i] * signed[j] for i, j in itertools.permutations(places, 2)]
    truth = sum(p * q * signed[i] * signed[j] for i, p in enumerate(lkrf.LAW) for j, q in enumerate(lkrf.LAW))
    error = torch.stack(pairs).mean(0) - truth
    torch.testing.assert_close(lkrf.alignment_variance.body(draw, n=4)[0], error[0] ** 2, **CLOSE)
    torch.testing.assert_close(lkrf._statistics(draw, 4)[0], torch.stack(pairs).mean(0), **CLOSE)
    best = max(ball_maximum(sign * error, lkrf.RHO, 2).value for sign in (1, -1))
    torch.testing.assert_close(lkrf.uniform_alignment_error.body(draw, n=4)[0], best, **CLOSE)


@pytest.mark.parametrize(("power", "low"), [(1.5, 0.0), (3.0, 0.5)])
def test_deficits_of_power_means_are_means_over_all_samples(power, low):
    """Catches a binomial law that is not that of the number of ones."""
    success, n = 0.3, 4
    mean = 0.0
    for sample in itertools.product((1.0, low), repeat=n):
        odds = math.prod(success if z == 1.0 else 1 - success for z in sample)
        mean += odds * (sum(z**power for z in sample) / n) ** (1 / power)
    norm = (success + (1 - success) * low**power) ** (1 / power)
    found = lkrf._deficit(tensor([success]), power, n, low=low)
    torch.testing.assert_close(found, tensor([norm - mean]), **CLOSE)


def test_the_gap_of_rare_features_is_a_mean_over_all_samples_of_features():
    """Catches a supremum at the wrong share of ones: here the solver finds each on the sample itself."""
    c, size, rho = 0.7, 4, 3.0
    values, law = tensor([1.0, -1.0]), tensor([c / size, 1 - c / size])
    mean = 0.0
    for sample in itertools.product((0, 1), repeat=size):
        odds = math.prod(float(law[k]) for k in sample)
        mean += odds * float(ball_maximum(values[list(sample)], rho, 2).value)
    found = lkrf.expected_supremum_gap_of_rare_features.body(Scripted(c=[c]), N=size)
    torch.testing.assert_close(found, ball_maximum(values, rho, 2, law).value.reshape(1) - mean, **CLOSE)


def test_the_complexity_of_given_points_is_the_mean_over_signs():
    """Catches counts of points and signs that are read in the wrong order."""
    places = (1, 1, 3)
    features = lkrf._signed(Scripted())
    found = []
    for signs in all_signs(3, like=features):
        cells = [0.0] * 8
        for place, sign in zip(places, signs.tolist(), strict=True):
            cells[2 * place + int(sign < 0)] += 1.0
        found.append(lkrf.complexity_of_the_class.body(Scripted(points_and_signs=[cells]), n=3))
    torch.testing.assert_close(torch.cat(found).mean(), complexity(features[list(places)], lkrf.RHO), **CLOSE)


def test_the_error_of_sampled_features_is_that_of_the_kernel():
    """Catches weights that are not those of the draws."""
    counts = [[2.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 2.0]]
    signed = lkrf._signed(Scripted())
    q = tensor(range(1, 9)) / 36
    error = learned_kernel(signed, signed, tensor(counts)[0] / 8) - learned_kernel(signed, signed, q)
    found = lkrf.kernel_of_sampled_features.body(Scripted(features=counts), D=8)
    torch.testing.assert_close(found[0], error.abs().max(), **CLOSE)


def test_losses_of_counts_are_those_of_the_sample():
    """Catches Proposition 7 with the wrong normalisation, and an expected loss that is not that of two points."""
    places = (0, 0, 3, 5, 4)
    x, y = tensor(pbrff.POINTS)[list(places)], tensor(pbrff.LABELS)[list(places)]
    nodes = pbrff._nodes(Scripted(), pbrff.NODES)
    empirical, expected = pbrff._losses(Scripted(), tensor(counts_of(places, 6)), 5)
    torch.testing.assert_close(empirical[0], binary_alignment_loss(x.unsqueeze(-1), y, nodes.unsqueeze(-1)), **CLOSE)
    points, labels = zip(pbrff.POINTS, pbrff.LAW, strict=True), pbrff.LABELS
    pairs = itertools.product(zip(points, labels, strict=True), repeat=2)
    means = sum(p * q * (1 - s * t * (nodes[:9] * (a - b)).cos()) / 2 for ((a, p), s), ((b, q), t) in pairs)
    torch.testing.assert_close(expected[:9], torch.as_tensor(means), **CLOSE)


def test_losses_around_a_landmark_are_those_of_the_sample():
    """Catches a landmark whose label or place is left out."""
    places = (1, 1, 2, 4)
    x, y = tensor(pbrff.POINTS).unsqueeze(-1), tensor(pbrff.LABELS)
    nodes = pbrff._nodes(Scripted(), pbrff.NODES).unsqueeze(-1)
    found = pbrff._landmark_losses(Scripted(), tensor(counts_of(places, 6)) / 4)
    truth = landmark_alignment_loss(x[list(places)], y[list(places)], x[:1], y[:1], nodes)
    torch.testing.assert_close(found, truth, **CLOSE)


def test_gaps_of_independent_coordinates_are_those_of_the_sample():
    """Catches a coordinate that is not a frequency pi e_k, around the sample and around each of its points."""
    heads = tensor([[1.0, 3.0, 0.0]])
    inputs = tensor([[1, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]])
    frequencies, ones = math.pi * torch.eye(3, dtype=torch.float64), torch.ones(4, dtype=torch.float64)
    losses = binary_alignment_loss(inputs, ones, frequencies)
    torch.testing.assert_close(pbrff._independent_gaps(Scripted(heads=heads), 4).values[0], 0.32 - losses, **CLOSE)
    own = (math.pi * torch.eye(4, dtype=torch.float64)).unsqueeze(-2)
    square = torch.cat([inputs, tensor([[0], [1], [1], [1]])], -1)
    around = landmark_alignment_loss(square, ones, square, ones, own, in_sample=True).squeeze(-1)
    differing = (square != square.diagonal()).sum(0, keepdim=True)
    found = pbrff.largest_gap_over_the_landmarks.body(Scripted(differing=differing), n=4)
    torch.testing.assert_close(found[0], (around - 0.5).abs().max(), **CLOSE)


def test_similarities_weigh_each_frequency_as_often_as_it_was_drawn():
    """Catches a posterior that forgets how often a frequency came."""
    drawn = [3, 3, 100, 400]
    shares = torch.zeros(1, pbrff.NODES, dtype=torch.float64)
    for place in drawn:
        shares[0, place] += 0.25
    nodes = pbrff._nodes(Scripted(), pbrff.NODES)
    losses = pbrff._landmark_losses(Scripted(), pbrff._law(Scripted()))
    q = (-10 * losses[drawn]).softmax(-1)
    truth = torch.stack([(q * (0.5 * k * nodes[drawn]).cos()).sum() for k in range(1, 7)])
    torch.testing.assert_close(pbrff._similarity(Scripted(), shares)[0], truth, **CLOSE)


@pytest.mark.parametrize(("n", "order"), [(7, 4.0), (100, 3.0)])
def test_the_printed_bound_of_theorem_4_bounds_the_mean_by_its_integral(n, order):
    """What the refuted rate says: the integral over the level is mu (4 n)^-(1 - 1/mu)."""

    def bound(delta: float) -> float:
        return float(printed_power_divergence_bound(0.0, 0.0, sample_size=n, delta=delta, order=order))

    assert quad(bound, 0.0, 1.0)[0] == pytest.approx(order * (4 * n) ** -(1 - 1 / order), rel=1e-6)


def test_potentials_of_counts_are_those_of_the_sample():
    """Catches a law or labels at the wrong points."""
    places = (0, 1, 1, 4, 5)
    draw = Scripted(points=counts_of(places, 6))
    frequencies = torch.linspace(0.0, nsrf.BANDWIDTH, nsrf.STEPS + 1, dtype=torch.float64).unsqueeze(-1)
    x, y = tensor(nsrf.POINTS).unsqueeze(-1), tensor(nsrf.LABELS)
    sampled, ideal = nsrf._both_potentials(draw, 5)
    found = fourier_potential(x[list(places)], frequencies, y[list(places)]) / 25
    torch.testing.assert_close(sampled[0], found, **CLOSE)
    torch.testing.assert_close(ideal, fourier_potential(x, frequencies, y * tensor(nsrf.LAW)), **CLOSE)


def test_refined_peaks_are_stationary_and_the_highest():
    """Catches a step of Newton with a wrong derivative."""
    law = tensor(nsrf.LAW).unsqueeze(0)
    place = tensor([1.1]).requires_grad_()
    value, slope, curvature = nsrf._derivatives(Scripted(), law, place)
    (first,) = torch.autograd.grad(value.sum(), place, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), place)
    torch.testing.assert_close(slope.detach(), first.detach(), **CLOSE)
    torch.testing.assert_close(curvature.detach(), second, **CLOSE)
    peak = nsrf._refined_peak(Scripted(), law)
    fine = torch.linspace(0.0, nsrf.BANDWIDTH, 100_001, dtype=torch.float64)
    values = nsrf._derivatives(Scripted(), law, fine)[0]
    assert abs(float(peak) - float(fine[values.argmax()])) <= nsrf.BANDWIDTH / 100_000
    assert abs(float(nsrf._derivatives(Scripted(), law, peak)[1])) < 1e-12


def test_the_largest_excess_is_that_of_the_worst_cosine():
    """Catches a margin on the wrong side of theta, function by function."""
    points, labels, law = nsrf._bed(Scripted())
    shares = tensor([[0.2, 0.1, 0.3, 0.1, 0.1, 0.2]])
    steps, turns = GRIDS[1]
    excess = -1.0
    for k, turn in itertools.product(range(steps + 1), range(turns)):
        margins = labels * (k * nsrf.BANDWIDTH / steps * points - 2 * math.pi * turn / turns).cos()
        excess = max(excess, float(law[margins <= 1e-12].sum() - shares[0][margins <= 0.05 + 1e-12].sum()))
    found = excess_of_cosines(
        points.unsqueeze(-1), labels, law, shares, thetas=tensor([0.05]), bandwidth=nsrf.BANDWIDTH
    )
    torch.testing.assert_close(found, tensor([[excess]]), **CLOSE)


def test_gaps_of_games_are_those_of_the_certificate():
    """Catches a batch that is not its games, one by one, with the hinge loss and with its square."""
    shifts = tensor([[0, 1, 1, 0, 0, 1, 0, 1], [1, 1, 0, 0, 1, 0, 0, 0]])
    both = nsrf.gap_of_the_mean_strategies.body(Scripted(shifts=shifts), T=4)
    squared = nsrf.gap_with_squared_hinge_losses.body(Scripted(shifts=shifts), T=4)
    for row in range(2):
        games = nsrf._random_games(Scripted(shifts=shifts[row]))
        game = theorem(games, 4)[0]
        torch.testing.assert_close(both[row].item(), game_certificate(game, games.player).gap, rtol=1e-8, atol=1e-9)
        game = play_squared_hinge_game(games.player, games.labels, 1.0, rounds=4)
        gap = game_certificate(game, games.player).gap
        torch.testing.assert_close(squared[row].item(), gap, rtol=1e-8, atol=1e-9)


def test_the_regret_is_that_of_a_step_by_step_run():
    """Catches steps of the other order, and a comparator that is not the better end of the interval."""
    signs = [1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0]
    for steps, scale in (("D/(G sqrt t)", 0.5), ("G/(D sqrt t)", 2.0)):
        action, earned = 0.5, 0.0
        for t, sign in enumerate(signs, start=1):
            earned += 2 * sign * action
            action = min(max(action + scale / math.sqrt(t) * 2 * sign, 0.0), 1.0)
        regret = (max(0.0, 2 * sum(signs)) - earned) / len(signs)
        found = nsrf.regret_of_online_ascent.body(Scripted(slopes=[[signs]]), T=8, steps=steps)
        torch.testing.assert_close(found, tensor([abs(regret)]), **CLOSE)
