"""The counting argument: its linear program, its coins and its identity kernel at sizes where all can be enumerated."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog

from bounds.margin_game.game import printed_convergence
from bounds.margin_game.sign_patterns import error_deficit, log_sign_patterns, printed_share, sign_pattern_gap


def unseen(labels: np.ndarray, frequencies: np.ndarray, capacity: float) -> tuple[float, np.ndarray]:
    """Largest sum of weights in [0, c] on x = 0, 1, ... that no frequency and no bias sees, and the dual function g."""
    phases = np.outer(np.arange(len(labels)), frequencies)
    columns = np.column_stack([np.ones(len(labels)), np.cos(phases), np.sin(phases)])
    found = linprog(
        -np.ones(len(labels)), A_eq=(columns * labels[:, None]).T, b_eq=np.zeros(columns.shape[1]), bounds=(0, capacity)
    )
    return -found.fun, columns @ -found.eqlin.marginals


def test_what_no_frequency_sees_is_a_hinge_loss_above_its_errors() -> None:
    """Strong duality at random labels and frequencies, and at least c for each y g <= 0."""
    generator = np.random.default_rng(4)
    for rounds, capacity in itertools.product([1, 2, 3], [1.0, 4.0]):
        labels = generator.choice([-1.0, 1.0], 24)
        value, dual = unseen(labels, generator.uniform(0, math.pi, rounds), capacity)
        assert value == pytest.approx(capacity * np.maximum(1 - labels * dual, 0).sum(), rel=1e-9)
        assert value >= capacity * (labels * dual <= -1e-9).sum() - 1e-9


@pytest.mark.parametrize("count", [1, 2, 8, 40])
def test_some_labels_keep_their_distance_from_any_patterns(count: int) -> None:
    """All 2^10 labels against random patterns: more than P/2 - sqrt(P log N / 2) errors, without a margin."""
    points = 10
    labels = np.array(list(itertools.product([-1, 1], repeat=points)))
    generator = np.random.default_rng(count)
    for _ in range(20):
        patterns = generator.choice([-1, 1], (count, points))
        errors = (labels[:, None, :] != patterns).sum(-1).min(-1)
        assert errors.max() > points / 2 - math.sqrt(points * math.log(count) / 2)


def test_bound_on_patterns_covers_those_found() -> None:
    """Distinct signs of b + Re(conj(z) exp(i w x)) on 0, ..., P - 1 among many draws."""
    generator = np.random.default_rng(5)
    points = np.arange(12)
    b, size, shift, w = generator.normal(size=(4, 100_000, 1))
    signs = np.sign(b + size * np.cos(w * 3 * points - 9 * shift))
    assert math.log(len(np.unique(signs, axis=0))) <= log_sign_patterns(12, 1)


def test_roots_of_unity_make_the_kernel_the_identity() -> None:
    """Hence max F <= P/2 for c >= 1, whatever the labels."""
    points = np.arange(16)
    kernel = np.cos(np.subtract.outer(points, points)[..., None] * 2 * np.pi * points / 16).mean(-1)
    assert kernel == pytest.approx(np.eye(16), abs=1e-14)


def test_nine_rounds_on_ten_thousand_points_refute_the_printed_bound() -> None:
    """Forced share .293 of C n against .2505; the share is the printed bound over C n."""
    assert sign_pattern_gap(10_000, 9, 20.0) == pytest.approx(0.29308, abs=5e-6)
    assert printed_share(0.001, 9) == pytest.approx(0.2505)
    box, n = 0.001, 20_000 * 10_000
    assert printed_convergence(box, n, 9) == pytest.approx(printed_share(box, 9) * box * n)
    assert sign_pattern_gap(10_000, 9, 20.0) + error_deficit(10_000, 9) / 10_000 == pytest.approx(0.475)
