"""The experiments of pbrff: learners on problems whose answer is known, exact numbers exact, and paired rows."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
import torch

from algos.estimators.hold_out import hold_out_search
from harness import Panel, Row
from harness.claims.full_size import FULL
from harness.claims.pbrff import columns, figures, learners, one_split, printed_tables, tables, toy_figures
from harness.claims.pbrff.learned_maps import (
    GreedyGrids,
    clustered_landmarks,
    drawn_landmarks,
    few_landmarks,
    gaussian_landmark_machine,
    greedy_errors,
    learned_landmark_machines,
)
from harness.claims.pbrff.learners import (
    Machine,
    Task,
    best,
    consecutive_split,
    kernel_machine,
    linear_decisions,
    linear_machine,
    published_split,
    random_split,
    validation_size,
)
from harness.data import VARIABLE, breast_cancer
from harness.language.quantifiers import Draw
from harness.verdict import Status
from tests.helpers import as_tuples, bare_check


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def two_clouds(n: int = 80, *, gap: float = 4.0) -> Task:
    """Two clouds in the plane: far apart, everything that learns anything is right."""
    generator = torch.Generator().manual_seed(0)
    labels = torch.where(torch.arange(n) % 2 == 0, 1.0, -1.0).double()
    noise = 0.1 * torch.randn(n, 2, dtype=torch.float64, generator=generator)
    points = gap * labels.unsqueeze(-1) * tensor([1.0, 0.0]) + noise
    order = torch.randperm(n, generator=generator)
    return random_split(points, labels, order, gammas=(0.01, 0.1), costs=(1.0, 100.0))


def test_learners_are_right_on_separated_clouds():
    task, costs = two_clouds(), (1.0, 100.0)
    generator = torch.Generator().manual_seed(0)
    assert kernel_machine(task).test_error == 0
    assert linear_machine(task, task.points, costs=costs).test_error == 0
    for landmarks in (
        clustered_landmarks(task, 0.1, seed=0),
        drawn_landmarks(task, 0.1, generator=generator),
        few_landmarks(task, 5, generator=generator),
    ):
        machines = learned_landmark_machines(
            task, landmarks, gamma=0.01, costs=costs, features=16, betas=(1.0, 10.0), generator=generator
        )
        machines.append(gaussian_landmark_machine(task, landmarks, gamma=0.01, costs=costs))
        assert [machine.test_error for machine in machines] == [0, 0, 0]
    grids = GreedyGrids(betas=(1.0, 10.0), radii=(0.01, 0.1), costs=costs)
    errors = greedy_errors(task, gamma=0.01, grids=grids, pool=200, draws={20: (2, 1), 30: (1, 1)}, seed=0)
    assert errors.tolist() == [[[0, 0, 0], [0, 0, 0]]] * 2


def test_the_decisions_are_those_of_the_chosen_machine():
    """Clouds so close that C matters: errors of the signs are those of the machine on every part."""
    task, costs = two_clouds(gap=0.05), (1e-3, 1.0, 100.0)
    machine, decisions = (
        linear_machine(task, task.points, costs=costs),
        linear_decisions(task, task.points, costs=costs),
    )
    parts = (task.valid, task.test, task.train)
    errors = [task.errors(decisions[rows].sign().numpy(), rows) for rows in parts]
    assert errors == pytest.approx([machine.validation_error, machine.test_error, machine.training_error])
    assert 0 < machine.training_error < 50


def test_the_panels_of_a_toy_are_kernels_around_their_landmarks_and_decisions():
    """Exchanged axes or landmarks would move the peak of a kernel; the decision agrees with the classes."""
    task = two_clouds()
    panels = {panel.title: panel for panel in toy_figures._panels(task, 0)}
    assert len(panels) == 1 + 5 + 2 * 6
    left, right, bottom, top = panels["training points"].extent
    x = torch.linspace(left, right, toy_figures.CELLS, dtype=torch.float64)
    y = torch.linspace(bottom, top, toy_figures.CELLS, dtype=torch.float64)
    for k in range(1, 6):
        values, landmark = panels[f"RBF, landmark {k}"].values, panels[f"landmark {k}"].points[0]
        row, column = divmod(int(values.argmax()), toy_figures.CELLS)
        assert abs(x[column] - landmark[0]) <= (right - left) / 40
        assert abs(y[row] - landmark[1]) <= (top - bottom) / 40
    for name in ("RBF", "PB"):
        sides = panels[f"{name}, decision"].values.sign()
        for end, label in ((0, -1.0), (-1, 1.0)):  # the clouds lie left and right
            assert (sides[toy_figures.CELLS // 2, end] == label).all()
    assert all(isinstance(panel, Panel) for panel in panels.values())


def test_landmarks_have_their_number_and_place():
    """Catches a centroid counted as a sample point: its own pair would then be left out of the loss."""
    task = two_clouds()
    generator = torch.Generator().manual_seed(0)
    training = {tuple(point) for point in task.points[task.train].tolist()}
    for share, count in ((0.01, 0), (0.1, 4), (0.25, 12)):  # of 48 training points
        clustered = clustered_landmarks(task, share, seed=1) if count else None
        drawn = drawn_landmarks(task, share, generator=generator) if count else None
        for landmarks in filter(None, (clustered, drawn)):
            assert len(landmarks.points) == count
            assert landmarks.labels.sum() == 0
            inside = {tuple(point) for point in landmarks.points.tolist()} <= training
            assert inside == landmarks.in_sample
    assert few_landmarks(task, 5, generator=generator).points.shape == (5, 2)


def test_ties_go_to_the_first_candidate_and_errors_are_percentages():
    machines = [Machine({"C": k}, error, 10.0 * k, 0.0) for k, error in ((1, 5.0), (2, 3.0), (3, 3.0))]
    assert best(machines).parameters == {"C": 2}
    task = two_clouds()
    wrong = -task.labels[task.test]
    assert task.errors(wrong.numpy(), task.test) == 100.0
    assert kernel_machine(task).parameters == {"C": 1.0, "gamma": 0.01}


def test_the_three_errors_of_a_machine_belong_to_their_parts():
    """Every part has its own share of flipped labels, so that exchanged parts would show."""
    task = two_clouds()
    labels = task.labels.clone()
    for rows, flipped in ((task.valid, 4), (task.test, 4), (task.train, 6)):
        labels[rows[:flipped]] *= -1
    flipped = Task(task.points, labels, task.train, task.valid, task.test, (0.01,), (1.0,))
    machine = kernel_machine(flipped)
    assert (machine.validation_error, machine.test_error, machine.training_error) == pytest.approx((100 / 3, 20, 12.5))


def test_splits_have_the_published_sizes_and_no_row_twice():
    points, labels = breast_cancer()
    order = torch.randperm(569, generator=torch.Generator().manual_seed(0))
    for task in (
        published_split(points, labels, gammas=(1.0,), costs=(1.0,)),
        random_split(points, labels, order, gammas=(1.0,), costs=(1.0,)),
        consecutive_split(points, labels, train=340, valid=86, gammas=(1.0,), costs=(1.0,)),
    ):
        assert (len(task.train), len(task.valid), len(task.test)) == (340, 86, 143)
        assert torch.cat([task.train, task.valid, task.test]).unique().numel() == 569
    assert validation_size(32561) == 6513


def test_the_published_error_of_the_kernel_machine_comes_out():
    ((_, ours, error, printed),) = as_tuples(one_split.kernel_machine_on_breast_cancer())
    assert ours == pytest.approx(700 / 143, rel=1e-12)
    assert error == 0
    assert round(ours, 2) == printed


@pytest.mark.in_turn
def test_the_grid_of_sigma_gives_another_number_and_no_tie_excuses_it():
    """Before print is called wrong: no choice among ties of the printed grid may give the printed number."""
    (_, ours, _, _), (_, sigma, _, _) = as_tuples(one_split.grid_of_sigma())
    assert (ours, sigma) == (pytest.approx(800 / 143), pytest.approx(100))
    (_, ours, _, _), (_, sigma, _, _) = as_tuples(one_split.grid_of_gamma())
    assert (ours, sigma) == (pytest.approx(700 / 143), pytest.approx(223.6, abs=0.01))
    task = one_split.published_task(gammas=[1 / (2 * sigma**2) for sigma in one_split.PRINTED_GRID])
    parts = [(task.points[rows].numpy(), task.labels[rows].numpy()) for rows in (task.train, task.valid, task.test)]
    from sklearn.svm import SVC

    found = hold_out_search(SVC(), {"C": task.costs, "gamma": task.gammas}, *parts[:2], test=parts[2])
    assert len(found.candidates) == 100
    assert all(round(100 * candidate.test_error, 2) != 4.90 for candidate in found.tied)


def test_every_printed_error_is_the_only_whole_number_that_prints_so():
    """In exact arithmetic, to half a unit of the last decimal; adult's kernel machine has two, as the claim says."""
    several = set()
    for name, percentages in printed_tables.ERRORS.items():
        tested = printed_tables.SIZES[name][2]
        for column, percentage in zip(printed_tables.COLUMNS, percentages, strict=True):
            exact = Fraction(str(percentage))
            fitting = [k for k in range(tested + 1) if abs(Fraction(100 * k, tested) - exact) <= Fraction(1, 200)]
            assert printed_tables.errors_of(name, column) in fitting
            if len(fitting) > 1:
                several.add((name, column, *fitting))
    assert several == {("adult", "SVM", 3207, 3208)}


def test_a_changed_digit_of_table_1_is_noticed(monkeypatch):
    """4.91 is no number of errors among 143."""
    changed = {**printed_tables.ERRORS, "breast": (4.91, 6.99, 3.50, 3.50, 2.80)}
    monkeypatch.setattr(printed_tables, "ERRORS", changed)
    assert bare_check(printed_tables.errors_are_counts).status is Status.REFUTED


@pytest.mark.parametrize(
    "claim",
    [
        printed_tables.errors_are_counts,
        printed_tables.kernel_machine_is_best_on_four,
        printed_tables.learning_improves_landmarks,
        printed_tables.learning_improves_landmarks_with_two_exceptions,
        printed_tables.split_sizes_as_printed,
    ],
)
def test_the_printed_tables_agree_with_themselves(claim):
    assert bare_check(claim).status is Status.HOLDS


def test_the_sentence_on_improvement_fails_in_the_third_column_without_its_second_exception():
    rows = printed_tables.learning_improves_landmarks_in_every_column(column="PB(D = 64)")
    assert [label for label, ours, _, least in as_tuples(rows) if ours < least] == ["mnist49: errors saved"]


@pytest.mark.in_turn
def test_rows_are_paired_and_only_directions_are_judged():
    rows = tables.landmarks_on_breast_cancer(Draw(2, ("test",)))
    values = {label.split(",")[0]: (ours, printed) for label, ours, _, printed in as_tuples(rows)}
    difference = values["RBF landmarks"][0] - values["PB(beta = 1) landmarks"][0]
    assert values["RBF - PB(beta = 1)"] == (pytest.approx(difference, abs=1e-12), 0.0)
    assert [printed for _, printed in values.values()].count(None) == len(rows) - 1


def test_the_mean_gain_of_figure_6_is_the_mean_over_its_curves(monkeypatch):
    monkeypatch.setattr(figures, "PERCENTAGES", (5, 20))
    monkeypatch.setattr(figures, "STABLE_PERCENTAGES", (20,))
    rows = figures.percentage_of_landmarks_on_breast_cancer(Draw(2, ("test",)))
    ours = {label: value for label, value, _, _ in as_tuples(rows)}
    for strategy in "CR":
        curves = [
            [ours[f"{name}-{strategy}, percentage = {k}, in % of points"] for k in figures.PERCENTAGES]
            for name in ("RBF", "PB")
        ]
        gain = ours[f"RBF-{strategy} - PB-{strategy}, mean over the percentages, in % of points"]
        assert gain == pytest.approx(float(np.subtract(*curves).mean()))
    assert [label for label, _, _, printed in as_tuples(rows) if printed is not None] == [rows[0].name, rows[1].name]


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", [toy_figures.five_landmarks_on_two_moons, toy_figures.five_landmarks_on_four_clouds])
def test_toys_judge_two_differences_and_show_the_errors(claim):
    rows = [entry for entry in claim(draw=Draw(3, ("test",))) if isinstance(entry, Row)]
    values = {label.split(",")[0]: (ours, printed) for label, ours, _, printed in as_tuples(rows)}
    difference = values["RBF landmarks"][0] - values["PB landmarks"][0]
    assert values["RBF landmarks - PB landmarks"] == (pytest.approx(difference), 0.0)
    assert sum(printed is not None for _, printed in values.values()) == 2


@pytest.mark.in_turn
def test_experiments_run_on_an_archive_file_that_is_there(monkeypatch, tmp_path):
    """Sixty rows in the archive's form, of which 40 attributes tell the class: everything runs, at either size."""
    generator = np.random.default_rng(0)
    lines = []
    for k in range(60):
        bits = generator.integers(0, 2, 1554)
        bits[:40] = k % 2
        lines.append(f"?,?,?,1,{','.join(map(str, bits))},{('ad.', 'nonad.')[k % 2]}")
    (tmp_path / "ad.data").write_text("\n".join(lines))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(figures, "PERCENTAGES", (10, 20))
    monkeypatch.setattr(figures, "STABLE_PERCENTAGES", (10, 20))
    draws = dict.fromkeys((1, 3, 100), (1, 1))
    monkeypatch.setattr(figures, "WIDE", figures.Study(figures.NARROW.grids, 50, draws))
    monkeypatch.setattr(figures, "FULL", figures.Study(figures.NARROW.grids, 60, {**draws, 120: (1, 1)}))
    few = [("tab-1", tables.landmarks_on_advertisements, {}, 0),
           ("fig-2", figures.percentage_of_landmarks_on_advertisements, {}, 1),
           ("fig-3", figures.learned_features_on_other_data_sets, {"name": "ads"}, 4)]  # fmt: skip
    for full in ("", "1"):
        monkeypatch.setenv(FULL, full)
        for name, claim, params, judged in few:
            rows = claim(draw=Draw(2, ("test",)), **params)
            found = as_tuples(rows)
            assert sum(printed is not None for *_, printed in found) == judged + (full == "1") * {
                "fig-2": 1,
                "fig-3": 2,
            }.get(name, 0)
            assert all(-100 < ours < 100 and 0 <= error < 100 for _, ours, error, _ in found)
            assert any("D = 120" in label for label, *_ in found) == (name == "fig-3" and full == "1")


def test_printed_entries_are_compared_with_our_mean_number_of_errors():
    """7, 10, 5, 5 and 4 errors of 143: exactly ours are off by nothing, no errors at all by all of them."""
    ours = 100 * tensor([[7, 10, 5, 5, 4]]) / 143
    for errors, off in (
        (ours, [0, 0, 0, 0, 0]),
        (0 * ours, [7, 10, 5, 5, 4]),
        (torch.cat([ours, 3 * ours]), [7, 10, 5, 5, 4]),
    ):
        judged = [row for row in as_tuples(columns.entry_rows("breast", errors)) if row[3] is not None]
        assert [row[1] for row in judged] == pytest.approx(off, abs=1e-9)
    quantile = math.tan(math.pi * (0.5 - 0.001))  # of Student's law with one degree of freedom
    assert judged[0][3] == pytest.approx(quantile * 14 / 2**0.5 * 1.5**0.5)
    (single, *_) = (row for row in as_tuples(columns.entry_rows("breast", ours)) if row[3] is not None)
    assert single[3] == pytest.approx(3 * (2 * 7) ** 0.5)


def test_columns_choose_among_their_settings(monkeypatch):
    """On clouds that all can tell apart there is no error; each column sees the settings that its name allows."""
    task, seen = two_clouds(), []
    monkeypatch.setattr(columns, "best", lambda machines: seen.append(len(list(machines))) or Machine({}, 0, 0, 0))
    protocol = columns.Protocol(columns.ALL_SETTINGS, (1.0,))
    assert columns.column_errors((task, kernel_machine(task)), protocol, 0) == [0] * 5
    assert seen == [35, 5, 7]
    assert (len(columns.CROSS), len(set(columns.CROSS))) == (11, 11)


def test_a_wrong_entry_of_table_1_is_noticed(monkeypatch):
    """A kernel machine with 25 % of errors is no reproduction of 4.90 %."""

    def close_to(svm):
        noise = random.Random(0)
        return lambda *_: [mean + noise.gauss(0.0, 1.5) for mean in (svm, 7.0, 4.2, 4.2, 3.5)]

    monkeypatch.setattr(columns, "column_errors", close_to(4.9))
    assert bare_check(columns.printed_entries_on_breast_cancer).status is Status.HOLDS
    monkeypatch.setattr(columns, "column_errors", close_to(25.0))
    assert bare_check(columns.printed_entries_on_breast_cancer).status is Status.REFUTED


def test_the_stability_of_figure_6_is_that_of_the_choice_of_landmarks(monkeypatch):
    """A machine whose error is the first landmark: centroids hardly depend on their seed, random points do."""
    task = two_clouds(gap=0.1)
    monkeypatch.setattr(
        figures,
        "gaussian_landmark_machine",
        lambda _, landmarks, **__: Machine({}, 0, 1e3 * float(landmarks.points[0, 0]), 0),
    )
    chosen = (task, Machine({"gamma": 1.0}, 0, 0, 0))

    def spread(seed: int) -> float:
        return figures._spread_at(chosen, seed, 5, figures._errors_at(chosen, seed, 5))

    spreads = [spread(seed) for seed in range(6)]
    assert np.mean(spreads) > 10
    monkeypatch.setattr(figures, "drawn_landmarks", lambda task, share, **_: clustered_landmarks(task, share, seed=0))
    assert np.mean([spread(seed) for seed in range(6)]) <= 1e-9


def test_large_tasks_have_the_same_machines(monkeypatch):
    """Breast cancer, treated as large: machines on shared Gram matrices and cosines are those without."""
    points, labels = breast_cancer()
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(0))
    task = random_split(points, labels, order, gammas=(1e-6, 1e-5, 1e-4), costs=(1.0, 100.0))
    costs, betas = (0.01, 0.1, 1.0), (0.0, 1.0)

    def machines() -> list[Machine]:
        landmarks, generator = clustered_landmarks(task, 0.1, seed=0), torch.Generator().manual_seed(0)
        learned = learned_landmark_machines(
            task, landmarks, gamma=1e-5, costs=costs, features=8, betas=betas, generator=generator
        )
        return [
            kernel_machine(task),
            gaussian_landmark_machine(task, landmarks, gamma=1e-5, costs=costs),
            *learned,
        ]

    small = machines()
    monkeypatch.setattr(learners, "LARGE", 0)
    assert machines() == small
