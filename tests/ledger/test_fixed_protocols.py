"""Protocols that were fixed before their first run: each criterion can fail, and is the one that its page states."""

import math
from collections.abc import Sequence

import pytest
import torch
from sklearn.svm import SVC

from harness.claims.nsrf import robustness, step_octaves
from harness.claims.nsrf.table_1 import Task, gaussian, machine
from harness.claims.pbrff import one_more_split
from harness.language.quantifiers import Draw
from tests.helpers import as_tuples


def test_the_prediction_interval_is_that_of_one_more_normal_draw():
    """Errors 5, 7 and 9 of 143: mean 7, s = 2, and the .999 quantile of Student's law with two degrees is 22.327."""
    (_, off, _, half), *_, (_, fewest, _, _), (_, most, _, _) = as_tuples(
        one_more_split.prediction_rows("SVM", [100 * errors / 143 for errors in (5, 7, 9)])
    )
    assert off == pytest.approx(0.0, abs=1e-9)
    assert half == pytest.approx(22.3271 * 2 * math.sqrt(4 / 3), rel=1e-4)
    assert (fewest, most) == (0.0, 58.0)


@pytest.mark.parametrize(("ours", "agrees"), [((6, 8), True), ((12, 14), False)])
def test_a_printed_number_too_small_for_the_spread_of_our_splits_does_not_agree(ours, agrees):
    errors = [100 * errors / 143 for errors in ours] * 10
    (_, off, _, half), *_ = as_tuples(one_more_split.prediction_rows("SVM", errors))
    assert (off <= half) == agrees


@pytest.mark.parametrize(
    ("best", "judged"), [(-1, (False, True)), (0, (False, True)), (2, (True, True)), (4, (True, False))]
)
def test_the_best_multiple_of_the_step_lies_between_one_and_ten(best, judged, monkeypatch):
    def payoffs(player: object, labels: object, factor: float, *, at: Sequence[int]) -> list[float]:
        return [abs(math.log2(factor) - best)] * len(at)

    monkeypatch.setattr(step_octaves, "payoffs", payoffs)
    rows = step_octaves.best_multiple_of_the_step_is_a_little_above_one(Draw(2, ("test",)), data="checkerboard")
    assert [row.ours > 0 for row in rows] == [*judged, *judged]
    assert all(row.printed == 0.0 and row.error > 0 for row in rows)


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
