"""Table 1 of nsrf: what print says by itself, the methods on problems whose answer is known, rows that can fail."""

import dataclasses
import math
from statistics import NormalDist

import numpy as np
import pytest
import torch
from scipy.stats import chi2
from sklearn.svm import SVC

from algos.fourier.sums import fourier_potential
from harness import Estimate, check
from harness.claims.full_size import FULL
from harness.claims.nsrf import digits, mnist, printed_table, stability, table_1, tuning_guide, whole_table
from harness.claims.rows import deviation_and_error, trials_needed
from harness.errors import SkipClaim
from harness.language.quantifiers import Draw
from harness.settings import QUICK
from harness.verdict import Status
from tests.helpers import as_tuples, bare_check


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


WAVE = tensor([3.0, -2.0, 1.0])


def waves(n: int = 300) -> table_1.Task:
    """Labels are the sign of the cosine of one frequency."""
    points = torch.randn(n, 3, dtype=torch.float64, generator=seeded())
    labels = torch.where((points @ WAVE).cos() > 0, 1.0, -1.0).double()
    return table_1.task_of(points, labels, torch.arange(n) < n // 3)


# --- the printed numbers ---------------------------------------------------------------------------------------------


def test_the_columns_of_the_table_have_the_sums_of_print():
    """A digit mistyped in one cell would change a sum."""
    assert [list(task) for task in printed_table.ACCURACIES.values()] == [["RBF-RF", "LKRF", "ours"]] * 8
    sums = {
        method: [round(sum(task[method][k] for task in printed_table.ACCURACIES.values()), 2) for k in range(5)]
        for method in ("RBF-RF", "LKRF", "ours")
    }
    assert sums == {
        "RBF-RF": [644.85, 692.76, 709.15, 715.54, 720.71],
        "LKRF": [650.14, 693.27, 708.04, 715.10, 720.92],
        "ours": [710.64, 723.66, 728.66, 736.87, 740.75],
    }


def test_sentences_about_the_table_have_the_verdicts_they_deserve():
    true = (
        printed_table.outperforms_both_baselines,
        printed_table.two_thousand_features_outperform_five_thousand,
        printed_table.accuracy_continues_increasing,
    )
    assert [bare_check(claim).status for claim in true] == [Status.HOLDS] * 3
    accused = check(printed_table.a_hundred_features_outperform_five_thousand_everywhere, effort="quick")
    assert accused.status is Status.REFUTED


def test_the_accusation_rests_on_two_tasks_and_falls_with_them(monkeypatch):
    """Gaps that 2000 test examples do not resolve accuse nobody."""
    for task in ("4-9", "5-6"):
        numbers = printed_table.ACCURACIES[task]
        monkeypatch.setitem(printed_table.ACCURACIES, task, {**numbers, "ours": (98.0, *numbers["ours"][1:])})
    verdict = check(printed_table.a_hundred_features_outperform_five_thousand_everywhere, effort="quick")
    assert verdict.status is Status.UNDECIDED


def test_the_error_of_a_gap_is_that_of_two_binomial_proportions():
    gaps = {task: (gain, error) for task, gain, error in printed_table._gains(100)}
    assert len(gaps) == 8
    gain, error = gaps["4-9"]
    assert gain == pytest.approx(93.02 - 98.08)
    assert error == pytest.approx(100 * math.sqrt((0.9302 * 0.0698 + 0.9808 * 0.0192) / 2000))


def test_features_needed_and_the_single_step_down():
    rows = printed_table.two_thousand_features_outperform_five_thousand()
    needed = [ours for label, ours, *_ in as_tuples(rows) if "least m" in label]
    assert needed == [1000, 2000, 1000, 100, 500, 500, 500, 500]
    falls = [(label, ours) for label, ours, *_ in as_tuples(printed_table.accuracy_continues_increasing()) if ours < 0]
    assert falls == [("auto-deer: step to the next column, m = 500, points", pytest.approx(-0.05))]


@pytest.mark.parametrize(
    ("column", "value", "claim"),
    [
        (1, 98.9, printed_table.outperforms_both_baselines),
        (3, 99.3, printed_table.two_thousand_features_outperform_five_thousand),
        (4, 99.0, printed_table.accuracy_continues_increasing),
    ],
)
def test_a_changed_number_is_noticed(monkeypatch, column, value, claim):
    numbers = printed_table.ACCURACIES["1-7"]
    changed = list(numbers["ours"])
    changed[column] = value
    monkeypatch.setitem(printed_table.ACCURACIES, "1-7", {**numbers, "ours": tuple(changed)})
    assert bare_check(claim).status is Status.REFUTED


# --- the methods -----------------------------------------------------------------------------------------------------


def test_a_task_is_centred_by_its_training_points_alone():
    points = torch.arange(10.0, dtype=torch.float64).unsqueeze(-1) ** 2
    task = table_1.random_task(points, points[:, 0].sign(), share=0.6, generator=seeded())
    assert (len(task.points), len(task.test_points)) == (6, 4)
    assert float(task.points.mean()) == pytest.approx(0, abs=1e-12)
    assert abs(float(task.test_points.mean())) > 1
    everything = torch.cat([task.points, task.test_points])[:, 0].sort().values
    assert torch.allclose(everything - everything[0], points[:, 0])


def test_the_bandwidth_is_the_median_distance():
    task = table_1.task_of(tensor([[0.0], [1.0], [3.0], [100.0]]), tensor([1.0, -1, 1, -1]), tensor([0, 0, 0, 1]) > 0)
    assert task.bandwidth == pytest.approx(2)
    many = table_1.gaussian(task, 4000, generator=seeded())
    assert float(many.std()) == pytest.approx(1 / 2, rel=0.06)  # five standard errors of 4000 draws


def test_the_machine_is_that_of_explicit_raw_features():
    """Cosines and sines with weight one, hinge loss, C = 1 and a free bias: another scale would move decisions."""
    task = waves()
    frequencies = table_1.gaussian(task, 7, generator=seeded())
    features, tested = (
        np.concatenate([np.cos(x @ frequencies.numpy().T), np.sin(x @ frequencies.numpy().T)], 1)
        for x in (task.points.numpy(), task.test_points.numpy())
    )
    machine = SVC(C=1.0, kernel="linear").fit(features, task.labels.numpy())
    right, training = table_1.machine(task, frequencies)
    assert np.array_equal(right.numpy() > 0, machine.predict(tested) == task.test_labels.numpy())
    assert training == pytest.approx(100 * machine.score(features, task.labels.numpy()))


def test_the_game_finds_the_frequency_that_makes_the_labels():
    task = waves()
    first = table_1.peaks(task, 1, generator=seeded())[0]
    assert float((first * first.dot(WAVE).sign() - WAVE).norm()) < 0.2
    found = table_1.answers(task, table_1.OURS, (2, 5), generator=seeded())
    assert set(found.right) == set(found.training) == {2, 5}
    assert found.accuracy(2) > 90


def test_aligned_frequencies_are_better_aligned_than_gaussian_ones(monkeypatch):
    def alignment(frequencies) -> float:
        return float(fourier_potential(task.points, frequencies, task.labels).mean())

    task = waves()
    plain = alignment(table_1.gaussian(task, 2000, generator=seeded()))
    assert alignment(table_1.aligned(task, 2000, generator=seeded())) > 1.4 * plain
    monkeypatch.setattr(table_1, "RADIUS", 0.0)
    assert alignment(table_1.aligned(task, 2000, generator=seeded())) < 1.1 * plain


def test_one_sample_of_each_run_is_the_game_itself():
    task = waves(90)
    several = table_1.several_peaks(task, 4, 1, generator=seeded())
    assert torch.allclose(several, table_1.peaks(task, 4, generator=seeded()))
    assert table_1.several_peaks(task, 2, 5, generator=seeded()).shape == (10, 3)


def test_leads_are_paired_by_split_with_at_least_the_error_of_the_test_points():
    ours = [
        table_1.Answers({5: tensor([1, 1, 1, 0])}, {5: 100.0}),
        table_1.Answers({5: tensor([1, 1, 1, 1])}, {5: 90.0}),
    ]
    theirs = [table_1.Answers({9: tensor([1, 0, 0, 0])}, {}), table_1.Answers({9: tensor([1, 1, 0, 0])}, {})]
    lead = table_1.lead([*ours, table_1.Answers({}, {})], [*theirs, theirs[0]], 5, 9)
    assert (lead.value, lead.trials) == (pytest.approx(50), 2)
    assert lead.error == pytest.approx(math.sqrt(2 * (100**2 / 3) / 4) / 2)
    rows = table_1.curves({"ours": ours}, prefix="task: ")
    assert [(label, value) for label, value, *_ in as_tuples(rows)] == [
        ("task: ours, m = 5, accuracy in %", 87.5),
        ("task: ours in training, m = 5, accuracy in %", 95.0),
    ]
    assert all(printed is None for *_, printed in as_tuples(rows))


# --- digits ----------------------------------------------------------------------------------------------------------


def test_tasks_of_digits_have_their_classes():
    for name, size, positive in ((digits.EVEN, 1797, 906), (digits.LOW, 1797, 896), (digits.THREE, 357, 174)):
        task = digits.digit_task(name, seeded())
        labels = torch.cat([task.labels, task.test_labels])
        assert (len(labels), int((labels > 0).sum())) == (size, positive)
        assert len(task.labels) == round(0.6 * size)


@pytest.mark.in_turn
def test_the_lead_on_digits_can_be_lost(monkeypatch):
    """Gaussian frequencies of a sixteenth of the bandwidth, called ours, are behind."""
    rough = {
        **table_1.METHODS,
        "ours": lambda task, m, *, generator: 16 * table_1.gaussian(task, m, generator=generator),
    }
    monkeypatch.setattr(table_1, "METHODS", rough)
    monkeypatch.setattr(digits, "MANY", 20)
    sixteen = dataclasses.replace(QUICK.bare(), replicates=16)  # eight splits
    assert bare_check(digits.learned_frequencies_lead_on_digits, effort=sixteen).status is Status.REFUTED


@pytest.mark.in_turn
def test_the_lead_on_digits_is_judged_with_few_frequencies_of_two_tasks(monkeypatch):
    monkeypatch.setattr(digits, "SIZES", (2, 3))
    monkeypatch.setattr(digits, "FEW", (2,))
    monkeypatch.setattr(digits, "MANY", 4)
    rows = digits.learned_frequencies_lead_on_digits(Draw(16, ("test",)))
    judged = [label for label, *_, printed in as_tuples(rows) if printed is not None]
    assert judged == [
        *(f"{task}: ours - {other}, m = 2, points" for task in digits.JUDGED for other in ("RBF-RF", "LKRF")),
        "lead at m = 2 over lead at m = 3, mean of the tasks and baselines, in points",
    ]
    values = {label: ours for label, ours, *_ in as_tuples(rows)}
    gains = [
        values[f"{t}: ours - {o}, m = 2, points"] - values[f"{t}: ours - {o}, m = 3, points"]
        for t in digits.JUDGED
        for o in ("RBF-RF", "LKRF")
    ]
    assert values[judged[-1]] == pytest.approx(sum(gains) / 4)


# --- the tuning guide ------------------------------------------------------------------------------------------------


def test_ten_samples_of_no_use_are_noticed(monkeypatch):
    monkeypatch.setattr(
        tuning_guide, "peaks", lambda task, m, *, generator: table_1.gaussian(task, m, generator=generator)
    )
    monkeypatch.setattr(
        tuning_guide,
        "several_peaks",
        lambda _, rounds, count, **__: torch.zeros(rounds * count, 64).double(),
    )
    some = dataclasses.replace(
        tuning_guide.ten_samples_of_each_run, cells=tuning_guide.ten_samples_of_each_run.cells[:1]
    )
    assert bare_check(some).status is Status.REFUTED


@pytest.mark.in_turn
def test_another_bandwidth_than_the_median_is_noticed(monkeypatch):
    monkeypatch.setattr(
        table_1.Task, "bandwidth", property(lambda task: 16 * float(torch.pdist(task.points[:200]).median()))
    )
    assert bare_check(tuning_guide.median_distance_as_bandwidth).status is Status.REFUTED


# --- mnist -----------------------------------------------------------------------------------------------------------


def test_test_images_come_first():
    task = mnist.mnist_task(torch.arange(5.0).unsqueeze(-1), tensor([1, -1, 1, -1, 1]), 2)
    assert task.test_points[:, 0].tolist() == [-3, -2]
    assert task.test_labels.tolist() == [1, -1]
    assert task.points[:, 0].tolist() == [-1, 0, 1]


def test_leads_on_mnist_are_judged_and_shown_beside_print(monkeypatch):
    monkeypatch.setattr(mnist, "first_images", lambda *_: waves(60))
    monkeypatch.setattr(mnist, "SIZES", (2, 3))
    monkeypatch.setattr(mnist, "MANY", 4)
    rows = mnist.mnist_beside_the_printed_accuracies(Draw(20, ("test",)))
    judged = [label for label, *_, printed in as_tuples(rows) if printed is not None]
    baselines = ("RBF-RF", "LKRF")
    assert judged == [
        *(f"ours - {other}, mean of the tasks, m = {m}, points" for m in (2, 3) for other in baselines),
        "lead at m = 2 over that at m = 3, mean of both baselines, in points",
    ]
    values = {label: ours for label, ours, *_ in as_tuples(rows)}
    means = {
        name: sum(values[f"{pair}: {name}, m = 2, accuracy in %"] for pair in mnist.PAIRS) / 3
        for name in ("ours", "LKRF")
    }
    assert values[judged[1]] == pytest.approx(means["ours"] - means["LKRF"])
    first, last = ((values[judged[k]] + values[judged[k + 1]]) / 2 for k in (0, 2))
    assert values[judged[-1]] == pytest.approx(first - last)
    assert values["4-9: LKRF in print, m = 100, accuracy in %"] == 88.42
    assert (values["5-6: training points"], values["1-7: test points"]) == (40, 20)
    assert "1-7: RBF-RF, m = 4, accuracy in %" in values


def test_the_lead_on_mnist_can_be_lost(monkeypatch):
    """Gaussian frequencies of a sixteenth of the bandwidth, called ours, are behind."""
    rough = {
        **table_1.METHODS,
        "ours": lambda task, m, *, generator: 16 * table_1.gaussian(task, m, generator=generator),
    }
    monkeypatch.setattr(table_1, "METHODS", rough)
    monkeypatch.setattr(mnist, "first_images", lambda *_: waves(900))
    monkeypatch.setattr(mnist, "SIZES", (40,))
    monkeypatch.setattr(mnist, "MANY", 4)
    assert bare_check(mnist.mnist_beside_the_printed_accuracies).status is Status.REFUTED


def test_the_full_experiment_runs_on_request_only(monkeypatch):
    monkeypatch.delenv(FULL, raising=False)
    with pytest.raises(SkipClaim, match="TIGHTROPE_FULL=1 tightrope check nsrf/tab-1-mnist-full"):
        mnist.mnist_with_all_numbers_of_features(Draw(2, ("test",)))
    asked = []
    monkeypatch.setenv(FULL, "1")
    monkeypatch.setattr(mnist, "first_images", lambda *_, training: asked.append(training) or waves(60))
    monkeypatch.setattr(mnist, "beside", lambda *_: [])
    small_table(monkeypatch)
    rows = {row.name for row in mnist.mnist_with_all_numbers_of_features(Draw(3, ("test",)))}
    assert asked == [None] * 3
    assert {f"4-9: {method}, m = {m}, accuracy in %" for method in ("ours", "RBF-RF") for m in (10, 20, 30)} <= rows


def small_table(monkeypatch):
    """Three small columns."""
    monkeypatch.setattr(whole_table, "COLUMNS", (10, 20, 30))


@pytest.mark.parametrize("complete", [False, True])
def test_the_whole_table_is_judged_by_the_sentences_and_print_where_all_images_are_there(monkeypatch, complete):
    monkeypatch.setattr(whole_table, "COMPLETE", 40 if complete else 41)
    small_table(monkeypatch)
    tasks = {"auto-truck": waves(60), "dog-frog": waves(60)}
    rows = {row.name: row for row in whole_table.rows_of_the_table(Draw(3, ("test",)), tasks)}
    leads = [
        f"ours - {other}, mean of the tasks, m = {m}, points" for m in (10, 20, 30) for other in ("RBF-RF", "LKRF")
    ]
    limits = {name: row.printed for name, row in rows.items()}
    assert list(limits)[:6] == leads
    assert all(limits[name] == 0.0 for name in leads)
    against = [f"ours - print + one, m = {m}, points" for m in (10, 20, 30)]
    assert [limits[name] for name in against] == [0.0 if complete else None] * 3
    curve = {(pair, m): rows[f"{pair}: ours, m = {m}, accuracy in %"].ours for pair in tasks for m in (10, 30)}
    gained = sum(curve[pair, 30] - curve[pair, 10] for pair in tasks) / 2
    assert rows["accuracy at m = 30 - at m = 10, in points"].ours == pytest.approx(gained)
    over_print = (curve["auto-truck", 10] - 84.8 + curve["dog-frog", 10] - 81.95) / 2
    assert rows[against[0]].ours == pytest.approx(over_print + 1)
    lost = rows["lead over LKRF at m = 10 over that at m = 30, in points"].ours
    assert lost == pytest.approx(rows[leads[1]].ours - rows[leads[5]].ours)


def test_stability_is_judged_in_each_column_by_its_own_trials():
    rows = stability.rows_of({100: [80.0, 82.0, 84.0, 86.0], 500: [90.0, 90.0, 93.0]})
    deviations, curve = rows[:2], rows[2:]
    assert [row.ours for row in deviations] == pytest.approx([(20 / 3) ** 0.5, 3**0.5])
    assert [row.printed for row in deviations] == [1.0, 1.0]
    assert [(row.ours, row.printed) for row in curve] == [(83.0, None), (91.0, None)]


def test_the_error_of_a_deviation_is_that_of_the_chi_square_law():
    """(n - 1) s^2 / sigma^2 is below its quantile at 5 % in 5 % of samples, and then s + z e is below sigma."""
    deviation, error = deviation_and_error(0.7, 6, error=0.05)
    limit = deviation + NormalDist().inv_cdf(0.95) * error
    assert chi2.cdf(5 * (0.7 / limit) ** 2, 5) == pytest.approx(0.05)
    needed = trials_needed(0.5, error=0.05, power=0.9)
    assert chi2.cdf(4 * chi2.ppf(0.05, needed - 1), needed - 1) >= 0.9
    assert chi2.cdf(4 * chi2.ppf(0.05, needed - 2), needed - 2) < 0.9
    with pytest.raises(ValueError, match="share"):
        trials_needed(1.0, error=0.05, power=0.9)


def test_means_of_tasks_have_the_error_of_independent_numbers_but_where_they_share_a_class():
    one, other = Estimate(1.0, 3.0, 12), Estimate(2.0, 4.0)
    assert whole_table.over_tasks({"4-9": one, "5-6": other}) == Estimate(1.5, 2.5, 12)
    assert whole_table.over_tasks({"auto-ship": one, "auto-deer": other}) == Estimate(1.5, 3.5, 12)
