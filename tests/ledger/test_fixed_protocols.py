"""Protocols that were fixed before their first run: each criterion can fail, and is the one that its page states."""

import numpy as np
import pytest
import torch
from sklearn.svm import SVC

from harness import Estimate
from harness.claims import later_images
from harness.claims.lkrf import footnote_1, radii_on_mnist
from harness.claims.nsrf import digits_on_new_splits, improving_columns, robustness
from harness.claims.nsrf.printed_table import ACCURACIES
from harness.claims.nsrf.table_1 import Task, gaussian, machine
from harness.data import Table
from harness.errors import SkipClaim
from harness.language.quantifiers import Draw


def small_task(seed: int) -> tuple[Task, torch.Generator]:
    generator = torch.Generator().manual_seed(seed)
    points = torch.rand(60, 8, generator=generator, dtype=torch.float64)
    labels = torch.where(points[:, 0] > points[:, 1], 1.0, -1.0).double()
    return Task(points[:40], labels[:40], points[40:], labels[40:]), generator


def test_features_that_are_not_learned_have_no_lead_in_any_setting(monkeypatch):
    def unlearned(task: Task, setting: object, count: int, *, generator: torch.Generator) -> torch.Tensor:
        return 50 * gaussian(task, count, generator=generator)

    monkeypatch.setattr(robustness, "samples_of_pairs", lambda *_: [small_task(seed) for seed in range(4)])
    monkeypatch.setattr(robustness, "learned_frequencies", unlearned)
    rows = robustness.method_leads_with_every_setting_halved_and_doubled(Draw(2, ("test",)))
    assert len(rows) == 20
    assert max(row.ours for row in rows) < 0


def test_a_machine_with_another_c_is_that_on_a_multiple_of_the_kernel():
    """Against the machine of the library with C = 2 on the kernel itself."""
    task, generator = small_task(7)
    frequencies = gaussian(task, 5, generator=generator)
    right, _ = machine(task, frequencies, 2.0)
    features, tested = (
        torch.cat([(x @ frequencies.T).cos(), (x @ frequencies.T).sin()], -1) for x in (task.points, task.test_points)
    )
    solver = SVC(C=2.0, kernel="precomputed", random_state=0).fit(features @ features.T, task.labels)
    scores = torch.as_tensor(solver.decision_function(tested @ features.T))
    assert torch.equal(right, (scores * task.test_labels > 0).double())


def test_the_numbers_of_data_sets_of_footnote_1_tell_half_of_the_predicted_margin():
    assert [footnote_1.sets_needed(d) for d in (2, 13, 14, 15)] == [30, 30, 44, 367]


@pytest.mark.in_turn
def test_footnote_1_fails_where_most_draws_or_their_mean_reach_250(monkeypatch):
    monkeypatch.setenv("TIGHTROPE_FULL", "1")
    for counts in ([250.0] * 20 + [100.0] * 10, [200.0] * 20 + [400.0] * 10):
        monkeypatch.setattr(footnote_1, "kept_numbers", lambda *_, some=counts, **__: some)
        rows = footnote_1.fewer_than_250_features_are_kept(Draw(2, ("test",)))
        assert len(rows) == 4 * 14 + 1
        assert min(row.ours for row in rows if row.printed is not None) < 0


def test_features_that_are_not_learned_have_no_lead_on_new_splits_of_digits(monkeypatch):
    def unlearned(task: Task, generator: torch.Generator) -> torch.Tensor:
        return 50 * gaussian(task, 20, generator=generator)

    monkeypatch.setattr(digits_on_new_splits, "digit_task", lambda *_: small_task(3)[0])
    monkeypatch.setattr(digits_on_new_splits, "frequencies", unlearned)
    monkeypatch.setattr(digits_on_new_splits, "SIZES", (2, 20))
    monkeypatch.setattr(digits_on_new_splits, "SPLITS", 3)
    rows = digits_on_new_splits.task_rows("even/odd", torch.Generator().manual_seed(1))
    judged = [row for row in rows if row.printed is not None]
    assert len(judged) == 6
    assert min(row.ours for row in judged) < 0


def test_the_step_of_the_new_splits_is_three_times_that_of_the_guarantee():
    labels = torch.tensor([1.0, 1.0, 1.0, -1.0])
    assert abs(digits_on_new_splits.step_of(labels) - 3 * 2**0.5 / (2 * 3)) < 1e-12


@pytest.mark.in_turn
def test_radii_on_images_read_none_of_the_first_ones_and_no_image_twice(monkeypatch):
    """Noise of ten classes, whose images after the first hundred make a task."""
    monkeypatch.setenv("TIGHTROPE_FULL", "1")
    generator = np.random.default_rng(0)
    data = Table(generator.integers(0, 256, (500, 30)).astype(np.uint8), np.arange(500) % 10, 100)
    radii = dict(zip(radii_on_mnist.RADII, (40.0, 20.0, 0.04, 0.0125), strict=True))
    changed = {"required": lambda *_: data, "TESTED": 20, "POOLS": 2, "FEATURES": 40}
    changed |= {"RADII": radii, "COUNTED": ((40, 20.0), (40, 0.04), (80, 20.0))}
    for name, value in changed.items():
        monkeypatch.setattr(radii_on_mnist, name, value)
    monkeypatch.setattr(later_images, "TRAINING_IMAGES", 100)
    task = radii_on_mnist.fresh_images(Draw(2, ("test",)), data, (2, 5), 30)
    training = data.training.pair(2, 5)
    assert np.array_equal(torch.cat([task.points, task.test_points]).numpy(), training.points[20:70] / 255)
    assert np.array_equal(task.test_labels.numpy(), training.targets[50:70])
    rows = {row.label: row for row in radii_on_mnist.radius_and_support_vectors_of_digits(Draw(2, ("test",)), n=20)}
    assert rows["1 - largest nnz, very large rho"].ours == 0
    assert rows["smallest nnz - N, very small rho"].ours == 0
    assert rows["nnz, rho of Table 6 - that of Table 3"].ours > 0
    with pytest.raises(SkipClaim, match="all training images"):
        radii_on_mnist.fresh_images(Draw(2, ("test",)), data, (2, 5), 300)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_support_vectors_that_go_against_the_gain_fail(sign):
    vectors = [float(i + j) for i, j in radii_on_mnist.PAIRS]
    found = torch.ones(45, 4, 4, dtype=torch.float64)
    found[:, 1, 2] = 100 + sign * torch.tensor(vectors)
    kept = torch.tensor(vectors).reshape(-1, 1, 1) + torch.tensor([[0.0, 1.0, -1.0], [2.0, 3.0, 1.0]])
    rows = {row.label: row for row in radii_on_mnist.rows_of(vectors, found, kept.double())}
    assert rows["rank correlation of support vectors and gain"].ours == pytest.approx(sign)
    fewer = rows["nnz with twice the features, less before"]
    assert (fewer.ours, fewer.error) == (-1.0, 0.0)


def test_the_pools_of_a_pair_tell_a_hundred_weights():
    assert radii_on_mnist.POOLS == 9
    assert radii_on_mnist.over_pools(torch.tensor([[0.0, 2.0], [1.0, 1.0]])) == Estimate(1.0, 0.5, 2)


def columns_of(training, payoffs, right) -> list[improving_columns.Column]:
    return [
        improving_columns.Column(torch.tensor(each).double(), share, payoff, payoff)
        for share, payoff, each in zip(training, payoffs, right, strict=True)
    ]


def judged_of(training, payoffs, right) -> list[float]:
    run = columns_of(training, payoffs, right)
    rows = improving_columns.rows_of({"1-7": run, "4-9": run})
    return [row.ours - row.printed for row in rows if row.printed is not None]


def test_each_criterion_along_the_columns_can_fail(monkeypatch):
    """The classifier of the second column is the first with all training points right."""
    monkeypatch.setattr(improving_columns, "COLUMNS", (10, 20, 50))
    better, worse = (
        [[1.0, 1.0, 1.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
        [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    )
    assert judged_of([90.0, 100.0, 100.0], [4.0, 3.0, 1.0], better) == pytest.approx([1 / 4, 2 / 3, 0.0, 100 / 3])
    assert judged_of([90.0, 100.0, 100.0], [4.0, 5.0, 1.0], worse) == pytest.approx([-1 / 4, 4 / 5, 0.0, -100 / 3])
    assert judged_of([90.0, 95.0, 99.0], [4.0, 3.0, 1.0], better)[2:] == pytest.approx([-1.0, 0.0])


def test_columns_read_later_images_once_and_enclose_the_payoff(monkeypatch):
    """Noise of ten classes: the enclosure is as wide as the solver is inaccurate, and its maximum falls."""
    generator = np.random.default_rng(0)
    data = Table(generator.integers(0, 256, (1000, 30)).astype(np.uint8), np.arange(1000) % 10, 100)
    for module, name, value in (
        (later_images, "TRAINING_IMAGES", 100),
        (improving_columns, "LEAST", 160),
        (improving_columns, "COLUMNS", (10, 20, 50)),
    ):
        monkeypatch.setattr(module, name, value)
    task = improving_columns.halves(Draw(2, ("test",)), data, "2-5")
    training = data.training.pair(2, 5)
    centred = torch.cat([task.points, task.test_points]).numpy() + training.points[20:100].mean(0) / 255
    assert np.allclose(centred, training.points[20:] / 255)
    assert (len(task.labels), len(task.test_labels)) == (80, 80)
    run = improving_columns.along_the_columns(Draw(2, ("test",)), data, "2-5")
    for each in run:
        assert each.lower <= each.upper <= 1.01 * each.lower
    assert run[0].lower > run[1].lower > run[2].lower
    monkeypatch.setattr(improving_columns, "LEAST", 161)
    with pytest.raises(SkipClaim, match="all training images"):
        improving_columns.halves(Draw(2, ("test",)), data, "2-5")


def test_the_test_images_of_the_columns_tell_the_gain_that_print_has():
    gains = [ACCURACIES[pair]["ours"] for pair in improving_columns.PAIRS]
    assert abs(sum(each[-1] - each[2] for each in gains) / 3 - 0.66) < 0.01
    assert improving_columns.TESTED == 14535
