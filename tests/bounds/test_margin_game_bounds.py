"""Convergence of the margin game and its value: exact regrets of adversarial sequences, kernels at random, examples."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.margin_game import game
from bounds.margin_game.online import diameter, gradient_norm
from bounds.margin_game.value import printed_weak_learner_value, value_lower_bound, weak_learner_value

NORMS = st.lists(st.floats(0.0, 5.0), min_size=1, max_size=30).filter(lambda norms: norms[0] > 1e-3)


@given(NORMS, st.floats(0.1, 4.0))
def test_adagrad_steps_have_at_most_their_bound(norms: list[float], longest: float) -> None:
    """The posterior bound at the AdaGrad steps themselves: a wrong constant of either is seen."""
    squares = np.square(norms)
    steps = longest / np.sqrt(2 * squares.cumsum())
    posterior = game.posterior_convergence(longest, steps[-1], (steps * squares).sum(), len(norms))
    assert posterior <= game.adagrad_convergence(longest, squares.sum(), len(norms)) * (1 + 1e-12)


@given(NORMS)
def test_the_run_never_needs_more_than_the_prior_bound(norms: list[float]) -> None:
    """Gradients of at most G at steps D / (G sqrt t): the posterior bound is below 3 G D / (2 sqrt T)."""
    box, n, minority = 0.5, 6, 3
    steepest, longest = gradient_norm(box, n, minority, mass=1), diameter(box, minority)
    squares = np.square(np.minimum(norms, steepest))
    steps = longest / (steepest * np.sqrt(np.arange(1, len(norms) + 1)))
    posterior = game.posterior_convergence(longest, steps[-1], (steps * squares).sum(), len(norms), peak_gap=0.25)
    assert posterior <= game.convergence(box, n, minority, len(norms), peak_gap=0.25) * (1 + 1e-12)


@given(st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=20), st.floats(0.0, 1.0))
def test_posterior_bound_holds_for_linear_payoffs(slopes: list[float], start: float) -> None:
    """Exact regret of projected ascent on [0, 1] with AdaGrad-norm steps, whatever the slopes."""
    action, total, played, weighted, step = start, 0.0, 0.0, 0.0, 1.0
    for slope in slopes:
        total += slope * slope
        step = 1 / np.sqrt(2 * total) if total > 0 else 0.0
        played, weighted = played + slope * action, weighted + step * slope * slope
        action = min(max(action + step * slope, 0.0), 1.0)
    regret = (max(sum(slopes), 0.0) - played) / len(slopes)
    if total > 0:
        assert regret <= game.posterior_convergence(1.0, step, weighted, len(slopes)) + 1e-9


def test_the_printed_play_is_the_game_in_twice_the_box() -> None:
    """Payoff and potential of mass two at a, of mass one at 2 a, on random data: half, and a quarter."""
    generator = np.random.default_rng(1)
    points, labels, weights = generator.normal(size=7), generator.choice([-1, 1], 7), generator.uniform(size=7)

    def potential(a: np.ndarray) -> float:
        return float(abs((labels * a * np.exp(1.3j * points)).sum()) ** 2)

    whole = weights.sum() - potential(weights)
    assert whole == pytest.approx((2 * weights.sum() - potential(2 * weights) / 2) / 2)
    assert potential(2 * weights) == pytest.approx(4 * potential(weights))


def test_squared_hinge_gradients_and_maximisers() -> None:
    """Norm of the gradient on the ball of radius C sqrt n, and |a*| <= C sqrt n for any kernel with unit diagonal."""
    generator = np.random.default_rng(2)
    for n, box in itertools.product([2, 5, 9], [0.25, 1.0, 8.0]):
        labels = np.where(np.arange(n) < n // 2, 1.0, -1.0)
        steepest = n**0.5 * (2 + box * n)
        for _ in range(200):
            weights = np.abs(generator.normal(size=n))
            weights *= box * n**0.5 * generator.uniform() / np.linalg.norm(weights)
            phase = np.exp(1j * generator.normal(size=n) * 3)
            total = (labels * weights * phase).sum()
            gradient = 1 - labels * (np.conj(total) * phase).real - weights / box
            assert np.linalg.norm(gradient) <= steepest
        assert game.squared_hinge_convergence(box, n, 1) == pytest.approx(box * steepest**2 / 2)
        features = generator.normal(size=(n, 3))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        kernel = labels[:, None] * (features @ features.T) * labels + np.eye(n) / box
        free = np.linalg.solve(np.block([[kernel, labels[:, None]], [labels, 0.0]]), np.append(np.ones(n), 0.0))[:n]
        assert free.sum() == pytest.approx(free @ kernel @ free)
        assert np.linalg.norm(free) <= box * n**0.5 + 1e-9


def test_no_kernel_is_worth_less() -> None:
    """Weights of any sum s on any kernel with unit diagonal; equality on aligned phases."""
    generator = np.random.default_rng(3)
    for _ in range(200):
        features = generator.normal(size=(6, 2))
        features /= np.linalg.norm(features, axis=1, keepdims=True)
        weights = generator.dirichlet(np.ones(6)) * generator.uniform()
        total = weights.sum()
        payoff = total - np.sum((features.T @ weights) ** 2) / 2
        assert payoff >= value_lower_bound(total) - 1e-12


def test_printed_bounds_at_the_counterexamples() -> None:
    """n = 4, one round of 131072 weights, and the alternate form: printed right sides of the examples."""
    assert game.printed_convergence(0.25, 4, 10**4) == pytest.approx(0.01125)
    assert 64 + game.printed_convergence(1 / 128, 131072, 1) == pytest.approx(844.0)
    assert game.printed_convergence(0.25, 4, 10**4) < 0.0122  # below the limiting gap
    assert printed_weak_learner_value(0.0, 1.0, 2, 81) >= 0.5 > printed_weak_learner_value(0.0, 1.0, 2, 82)


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 4.0)), min_size=1, max_size=12))
def test_weak_learners_bound_the_maximum(rounds: list[tuple[float, float]]) -> None:
    """One point in each class: weights (a, a), potential a^2 k with any k in [0, 4]; maxima in closed form."""
    actions, slopes = np.array(rounds).T
    payoffs = 2 * actions - actions**2 * slopes / 2
    mean = slopes.mean()
    best = 2.0 - mean / 2 if mean <= 2 else 2 / mean
    regret = best - payoffs.mean()
    assert best <= weak_learner_value(2 * actions.mean(), (actions**2 * slopes).min(), regret) + 1e-12
    assert weak_learner_value(2 * actions.mean(), (actions**2 * slopes).mean(), regret) == pytest.approx(best)
