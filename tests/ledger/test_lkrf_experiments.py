"""The experiments of lkrf: learners on problems whose answer is known, print in exact numbers, rows that can fail."""

import itertools
import math

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from algos.divergence_ball.exact import chi_square_ball_maximum, f_divergence
from algos.fourier.feature_families import Coordinates
from algos.kernel_learning.sphere import sphere_alignment
from harness import Panel, Row
from harness.claims.full_size import FULL
from harness.claims.lkrf import (
    data_sets,
    features_in_the_plane,
    printed_tables,
    sequences,
    sparse_selection,
    sphere_figures,
    spheres,
    table_4,
)
from harness.claims.lkrf.logistic import logistic_regression
from harness.data import VARIABLE
from harness.errors import SkipClaim
from harness.language.quantifiers import Draw
from harness.verdict import Status
from tests.helpers import as_tuples, bare_check


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


# --- the classifier -------------------------------------------------------------------------------------------------


def test_logistic_regression_is_at_least_as_good_as_scikit_learn():
    """The same objective: a penalised intercept, another factor of C or an early stop would show."""
    features = torch.randn(300, 5, dtype=torch.float64, generator=seeded())
    noise = torch.randn(300, dtype=torch.float64, generator=seeded(1))
    labels = torch.where(features[:, 0] - 2 * features[:, 1] + 0.7 + noise > 0, 1.0, -1.0).double()
    for cost in (0.1, 1.0, 1e4):
        coefficients, intercept = logistic_regression(features, labels, cost=cost)
        model = LogisticRegression(C=cost, tol=1e-10, max_iter=10_000).fit(features.numpy(), labels.numpy())
        assert np.allclose(coefficients.numpy(), model.coef_[0], atol=1e-3)
        assert float(intercept) == pytest.approx(float(model.intercept_[0]), abs=1e-3)


def test_logistic_regression_ends_on_separable_classes():
    """Full Newton steps would overshoot; the penalty keeps the minimum finite."""
    features = tensor([[-2.0], [-1.0], [1.0], [2.0]])
    labels = tensor([-1.0, -1.0, 1.0, 1.0])
    coefficients, intercept = logistic_regression(features, labels, cost=1e4)
    assert bool(torch.isfinite(coefficients).all())
    assert bool((labels * (features @ coefficients + intercept) > 0).all())
    wrong = torch.sigmoid(-labels * (features @ coefficients + intercept))
    assert float(coefficients[0] - 1e4 * (wrong * labels * features[:, 0]).sum()) == pytest.approx(0, abs=0.3)


# --- spheres --------------------------------------------------------------------------------------------------------


def test_labels_are_sides_of_the_sphere_and_chosen_weights_lie_in_the_ball():
    points, labels = spheres.sphere_sample(500, 3, generator=seeded())
    assert torch.equal(labels > 0, points.square().sum(-1) > 3)
    chosen = spheres.choose_features(points, labels, generator=seeded(1), count=3000)
    assert chosen.weights.sum() == pytest.approx(1)
    weights = torch.cat([chosen.weights, chosen.weights.new_zeros(3000 - chosen.count)])
    assert float(f_divergence(weights)) == pytest.approx(spheres.RADIUS, rel=1e-6)
    assert chosen.count >= 3000 / (1 + spheres.RADIUS)
    exact = (labels @ spheres.FAMILY.evaluate(points, chosen.parameters) / 500).square()
    assert chosen.alignment == pytest.approx(float(chosen.weights @ exact), rel=1e-4)
    assert bool((chosen.weights.diff() <= 0).all())


def test_single_precision_moves_no_weight_that_matters():
    """The docstring of `choose_features` promises less than 1e-3 in total."""
    points, labels = spheres.sphere_sample(2000, 4, generator=seeded())
    narrow = spheres.choose_features(points, labels, generator=seeded(1), count=4000)
    pool = spheres.FAMILY.draw(4000, 4, generator=seeded(1))
    sums = spheres.alignment_vector(points, labels.unsqueeze(0), pool, spheres.FAMILY)
    wide = spheres.chi_square_ball_maximum(sums, spheres.RADIUS).weights
    assert narrow.count == int((wide > 0).sum())
    assert float((wide.sort(descending=True).values[: narrow.count] - narrow.weights).abs().sum()) < 1e-3


def test_the_three_learners_of_the_spheres_at_a_small_size():
    """At d = 8 the order of the errors is beyond doubt; exchanged columns would show."""
    outcome = spheres.compare(8, generator=seeded(), count=5000, points=3000, test_points=3000)
    assert outcome.tuned < outcome.learned < outcome.plain
    assert 0 < outcome.gain_error < 0.05
    assert outcome.chosen.population_alignment < outcome.chosen.alignment


def test_rows_of_the_spheres_judge_what_the_docstrings_say(monkeypatch):
    chosen = spheres.Chosen(spheres.FAMILY.draw(3, 4, generator=seeded()), tensor([0.5, 0.3, 0.2]), 0.1)
    outcome = spheres.Outcome(chosen, learned=0.2, plain=0.1, tuned=0.3, gain_error=1e-6)
    monkeypatch.setattr(sphere_figures, "compare", lambda *_, **__: outcome)

    def judged(dimension: int) -> dict[str, tuple[float, float]]:
        rows = sphere_figures.outcome_rows(dimension, Draw(4, ("test",)), sets=4)
        return {row.label: (row.ours, row.error) for row in rows if row.printed is not None}

    assert judged(4) == {"GK error - OK error": (pytest.approx(-0.1), pytest.approx(5e-7)), "250 - nnz": (247.0, 0.0)}
    assert set(judged(3)) == {"250 - nnz"}
    assert set(judged(5)) == {"GK error - OK error", "OK error - tuned GK error", "250 - nnz"}
    assert set(judged(15)) == {"GK error - OK error", "OK error - tuned GK error"}
    assert bare_check(sphere_figures.spheres_in_a_few_dimensions).status is Status.REFUTED


def test_curves_are_drawn_against_the_dimension():
    from harness.language.curves import curves_of

    rows = [
        Row(name, 0.1, at={"d": d}).stored()
        for name in ("OK error", "GK error", "tuned GK error", "nnz")
        for d in (4, 8)
    ]
    assert len(curves_of(rows)) == 4


def test_the_population_predicts_fewer_than_250_features(monkeypatch):
    monkeypatch.setattr(sphere_figures, "kept_counts", lambda *_, **__: [240.0, 260.0])
    rows = sphere_figures.number_of_features_kept(Draw(2, ("test",)))
    predicted = [ours for _, ours, _, printed in as_tuples(rows) if printed is not None]
    assert len(predicted) == 14
    assert max(predicted) == predicted[-1] < 250
    assert {label: ours for label, ours, *_ in as_tuples(rows)}["share of the draws with nnz < 250 at d = 15"] == 0.5
    monkeypatch.setattr(sphere_figures, "FEATURES", 25_000)
    assert bare_check(sphere_figures.number_of_features_kept).status is Status.REFUTED


def test_the_panels_of_the_plane_hold_the_training_points_and_the_chosen_frequencies():
    points, labels = spheres.sphere_sample(600, 2, generator=seeded())
    chosen = spheres.Chosen(spheres.FAMILY.draw(3, 2, generator=seeded()), tensor([0.5, 0.3, 0.2]), 0.1)
    data, features = (panel.stored() for panel in sphere_figures._plane(points, labels, chosen))
    assert len(data.points) == sphere_figures.SHOWN
    assert data.labels == labels[: sphere_figures.SHOWN].tolist()
    assert np.asarray(features.points) == pytest.approx(chosen.parameters[:, :2].numpy(), abs=1e-4)
    assert features.sizes == pytest.approx([1.0, 0.6, 0.4])


def test_offsets_in_the_plane_can_fail(monkeypatch):
    """Features with uniform offsets have mean |cos v| = .64."""

    def uniform(*_, generator):
        pool = spheres.FAMILY.draw(200, 2, generator=generator)
        return spheres.Chosen(pool, torch.full((200,), 1 / 200, dtype=torch.float64), 0.1)

    monkeypatch.setattr(sphere_figures, "choose_features", uniform)
    assert bare_check(sphere_figures.chosen_features_in_the_plane).status is Status.REFUTED


@pytest.mark.in_turn
def test_chosen_features_near_two_points_can_fail_and_all_data_sets_run_on_request_only(monkeypatch):
    """Features with the weights of P_0 are as far from any pair, and their offsets as far from 0 and pi, as those."""
    claim = features_in_the_plane.chosen_features_lie_near_two_opposite_points_on_average
    monkeypatch.delenv(FULL, raising=False)
    with pytest.raises(SkipClaim, match="TIGHTROPE_FULL=1 tightrope check lkrf/fig-1a-pair-full"):
        claim(Draw(2, ("test",)))
    monkeypatch.setenv(FULL, "1")
    monkeypatch.setattr(features_in_the_plane, "MANY", 3)
    assert all(0 <= row.ours < 1 and row.error > 0 for row in claim(Draw(2, ("test",))))
    pool = spheres.FAMILY.draw(20_000, 2, generator=seeded())
    plain = spheres.Chosen(pool, torch.full((20_000,), 1 / 20_000, dtype=torch.float64), 0.1)
    monkeypatch.setattr(features_in_the_plane, "choose_features", lambda *_, **__: plain)
    rows = claim(Draw(2, ("test",)))
    assert [row.ours for row in rows] == pytest.approx([1.0, 1.0, 2.0], abs=0.02)


@pytest.mark.in_turn
def test_the_population_is_further_than_half_from_any_pair():
    """As n and N grow the ratio goes to .864, far above the rule's .5: the pair is an effect of n = 10^4 points.

    t(w, v) = cos^2(v) h_2(|w|)^2 has no direction, and the best law is a ring.
    """
    lengths, offsets = (torch.arange(400) + 0.5) / 40, (torch.arange(40) + 0.5) * math.pi / 80
    angles = (torch.arange(40) + 0.5) * math.pi / 20
    grid = torch.cartesian_prod(lengths.double(), angles.double(), offsets.double())
    parameters = torch.stack([grid[:, 0] * grid[:, 1].cos(), grid[:, 0] * grid[:, 1].sin(), grid[:, 2]], dim=-1)
    base = grid[:, 0] * (-grid[:, 0].square() / 2).exp()
    base /= base.sum()
    best = chi_square_ball_maximum(sphere_alignment(parameters), spheres.RADIUS, base=base).weights
    distances = features_in_the_plane._distance(parameters, tensor([1.0, 1.0]))
    assert float(best @ distances / (base @ distances)) == pytest.approx(0.864, abs=0.002)


def test_the_full_experiment_runs_on_request_only(monkeypatch):
    monkeypatch.delenv(FULL, raising=False)
    with pytest.raises(SkipClaim, match="TIGHTROPE_FULL=1 tightrope check lkrf/fig-1b-full"):
        sphere_figures.spheres_in_all_dimensions(Draw(2, ("test",)))
    monkeypatch.setenv(FULL, "1")
    monkeypatch.setattr(sphere_figures, "outcome_rows", lambda d, _, sets: [Row("x", sets, at={"d": d})])
    rows = sphere_figures.spheres_in_all_dimensions(Draw(32, ("test",)))
    assert [ours for _, ours, *_ in as_tuples(rows)] == [8, 8, 32, *[8] * 11]


# --- sequences ------------------------------------------------------------------------------------------------------


def test_every_k_gram_has_its_own_column_and_every_sequence_all_its_k_grams():
    letters = torch.randint(4, (3, 81), generator=seeded()).numpy()
    features = sequences.k_grams(letters).toarray()
    assert features.shape == (3, 105_476)
    for row, text in enumerate("".join(sequences.LETTERS[i] for i in line) for line in letters):
        held = {sequences.column(text[p : p + k], p) for k in range(1, 6) for p in range(82 - k)}
        assert set(np.flatnonzero(features[row])) == held
        assert len(held) == 81 + 80 + 79 + 78 + 77
    columns = {
        sequences.column("".join(gram), place)
        for k in range(1, 4)
        for gram in itertools.product(sequences.LETTERS, repeat=k)
        for place in range(82 - k)
    }
    assert columns == set(range(sequences.dimension(longest=3)))


def test_motifs_are_planted_in_their_share_of_the_positive_sequences():
    data = sequences.motif_sequences(4000, share=1.0, generator=seeded())
    held = sum(
        data.features[:, sequences.column(motif, place)].toarray().ravel()
        for motif in sequences.MOTIFS
        for place in sequences.PLACES
    )
    assert bool((held[data.labels > 0] >= 1).all())
    by_chance = 10 * len(held[data.labels < 0]) / 4**5
    assert held[data.labels < 0].sum() < by_chance + 6 * math.sqrt(by_chance)
    assert abs(data.labels.sum()) < 6 * math.sqrt(4000)


@pytest.mark.in_turn
def test_the_selection_claims_judge_and_can_fail(monkeypatch):
    assert bare_check(sparse_selection.number_of_k_grams).status is Status.HOLDS
    assert bare_check(sparse_selection.selection_takes_under_a_fifth_of_a_second).status is Status.HOLDS
    monkeypatch.setattr(sparse_selection, "SETS", 3)
    monkeypatch.setattr(sparse_selection, "POINTS", 1500)
    returned = sparse_selection.planted_motifs_are_selected(Draw(3, ("test",)))
    rows = [entry for entry in returned if isinstance(entry, Row)]
    curves = {(row.label, row.at["D"]): row.ours for row in rows if row.at and row.label in ("LK error", "OK error")}
    assert len(curves) == 2 * 5
    gain = next(row.ours for row in rows if row.name == "LK error - OK error, D = 30")
    assert gain == pytest.approx(curves["LK error", 30] - curves["OK error", 30])
    weights, prefixes = (np.asarray(entry.points) for entry in returned if isinstance(entry, Panel))
    assert weights[:, 1].sum() == pytest.approx(100.0)
    assert {tuple(point) for point in prefixes} < {tuple(point) for point in weights}
    assert all(ours > 0 for _, ours, _, printed in as_tuples(rows) if printed is not None)
    monkeypatch.setattr(sparse_selection, "SHARE", 0.0)  # nothing planted: nothing to select, and nothing gained
    assert bare_check(sparse_selection.planted_motifs_are_selected).status is not Status.HOLDS


# --- printed tables -------------------------------------------------------------------------------------------------


def test_printed_tables_agree_with_what_is_said_of_them():
    claims = (
        printed_tables.surpasses_two_orders_faster,
        printed_tables.a_twelfth_of_the_time,
        printed_tables.joint_optimisation_gains_little,
        printed_tables.radii_are_below_a_thousand,
        printed_tables.split_sizes_as_printed,
        printed_tables.learned_features_beat_as_many_random_ones,
        printed_tables.multiple_kernel_learning_costs_more,
        printed_tables.more_data_or_a_smaller_radius_helps,
        printed_tables.tables_repeat_each_other,
        printed_tables.consistent_improvement_at_a_given_cost,
    )
    assert [bare_check(claim).status for claim in claims] == [Status.HOLDS] * len(claims)


def test_only_ads_has_random_features_that_are_better_and_faster():
    """No rounding of the printed digits excuses it: 3.545 < 5.365 and .0145 < .0165. Judged by the printed reading."""
    assert bare_check(printed_tables.consistent_improvement_on_all_data_sets).status is Status.REFUTED
    violated = [row.name for row in printed_tables.consistent_improvement_on_all_data_sets() if row.ours < 0.0]
    assert violated == ["ads: excess of random, D = 10 nnz in error or in time"]
    rows = [row for row in printed_tables.consistent_improvement_at_a_given_cost() if "excess" in row.name]
    better = [(label, printed) for label, ours, _, printed in as_tuples(rows) if ours < 0.0]
    assert better == [("ads: excess of random, D = 10 nnz in error or in time", None)]
    assert sum(printed is not None for *_, printed in as_tuples(rows)) == 2 * (len(printed_tables.ERRORS) - 1)


@pytest.mark.parametrize(
    ("table", "name", "changed", "claim"),
    [
        ("BEST", "adult", (15.54, 3.0, 15.44, 43.1), printed_tables.a_twelfth_of_the_time),
        ("BEST", "reuters", (9.27, 3.0, 9.36, 295.9), printed_tables.surpasses_two_orders_faster),
        ("BEST", "buzz", (4.93, 2.0, 4.58, 11.9), printed_tables.tables_repeat_each_other),
        ("PARAMETERS", "farm", (0.0500, 54877), printed_tables.radii_are_below_a_thousand),
        ("SIZES", "ads", (2460, 819), printed_tables.split_sizes_as_printed),
        ("COLUMNS_OF", "ads", 1555, printed_tables.split_sizes_as_printed),
        (
            "ERRORS",
            "adult",
            (17.52, 17.51, 16.08, 15.44, 16.79),
            printed_tables.learned_features_beat_as_many_random_ones,
        ),
        ("JOINT", "adult", (16.22, 16.36, 1.8, 14.88, 16.41, 198.1), printed_tables.joint_optimisation_gains_little),
        ("TIMES", "ads", (60.0, 0.013, 0.014, 56.7, 92.3), printed_tables.multiple_kernel_learning_costs_more),
        ("LARGER", "weight", (13.09, 64.7), printed_tables.more_data_or_a_smaller_radius_helps),
    ],
)
def test_a_changed_digit_is_noticed(monkeypatch, table, name, changed, claim):
    monkeypatch.setitem(getattr(printed_tables, table), name, changed)
    assert bare_check(claim).status is Status.REFUTED


def test_the_numbers_of_digits_are_those_of_the_published_sets():
    """60,000 and 10,000 images, of which the six digits used are these shares; a typo would break a sum."""
    train, test = (sum(counts[part] for counts in printed_tables.DIGITS.values()) for part in (0, 1))
    assert train == 60_000 - 5923 - 5958 - 6131 - 5851
    assert test == 10_000 - 980 - 1032 - 1010 - 974


# --- data sets ------------------------------------------------------------------------------------------------------


def separable(n: int = 60) -> data_sets.Task:
    """The first of ten coordinates tells the class."""
    points = torch.randn(n, 10, dtype=torch.float64, generator=seeded())
    labels = torch.where(points[:, 0] > 0, 1.0, -1.0).double()
    points[:, 0] += 3 * labels
    return data_sets.Task(points[: n // 2], labels[: n // 2], points[n // 2 :], labels[n // 2 :])


class EveryCoordinate(Coordinates):
    """Draws each coordinate once."""

    def draw(self, count, dimension, *, generator, dtype=torch.float64):
        return self.every(dimension)


def test_the_informative_coordinate_is_learned_and_both_classifiers_are_right():
    task = separable()
    (kept,) = data_sets.learn(task, EveryCoordinate(), count=10, rho=1e6, generator=seeded()).kept.tolist()
    assert kept == 0
    assert data_sets.logistic_error(task, Coordinates(), torch.tensor([[kept]])) == 0
    assert data_sets.ridge_error(task, Coordinates(), torch.tensor([[kept]])) == 0
    assert data_sets.logistic_error(task, Coordinates(), torch.tensor([[1], [2]])) > 20


def test_splits_are_disjoint_of_the_published_sizes_and_scaled_by_their_training_part():
    points = torch.arange(3279.0, dtype=torch.float64).unsqueeze(-1)
    task = data_sets.random_split(points, points[:, 0], generator=seeded(), scaled=False)
    assert (len(task.labels), len(task.test_labels)) == (2459, 820)
    assert torch.cat([task.labels, task.test_labels]).unique().numel() == 3279
    scaled = data_sets.random_split(points, points[:, 0], generator=seeded(), train=100)
    assert scaled.points.mean().item() == pytest.approx(0, abs=1e-12)
    assert scaled.points.std().item() == pytest.approx(1)
    assert len(scaled.test_points) == 3179


def test_breast_cancer_rows_are_differences_of_the_curves():
    rows = data_sets.learned_features_on_breast_cancer(Draw(2, ("test",)))
    ours = {label: value for label, value, *_ in as_tuples(rows)}
    gain = ours["GK error, D = 3, %"] - ours["OK error, D = 3, %"]
    assert ours["GK error - OK error at D = 3, in %"] == pytest.approx(gain)
    assert [printed for *_, printed in as_tuples(rows)].count(None) == len(rows) - 2
    assert ours["GK training error, D = 300, %"] < ours["GK training error, D = 3, %"]
    assert all(ours[f"speedup, D = {size}"] > 0 for size in (3, 10, 30, 100, 300))


def test_a_kernel_that_is_not_learned_gains_nothing(monkeypatch):
    """With rho = 0 draws from the learned law are draws from P_0."""
    learn = data_sets.learn
    monkeypatch.setattr(data_sets, "learn", lambda *args, **options: learn(*args, **{**options, "rho": 0.0}))
    assert bare_check(data_sets.learned_features_on_breast_cancer).status is not Status.HOLDS


def test_table_rows_run_on_a_file_that_is_there(monkeypatch, tmp_path):
    """Eighty advertisements of which forty attributes tell the class: the gain over random ones is judged."""
    generator = np.random.default_rng(0)
    lines = []
    for k in range(80):
        bits = generator.integers(0, 2, 1554)
        bits[:40] = k % 2
        lines.append(f"?,?,?,1,{','.join(map(str, bits))},{('ad.', 'nonad.')[k % 2]}")
    (tmp_path / "ad.data").write_text("\n".join(lines))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    rows = table_4.advertisements_beside_the_printed_errors(draw=Draw(2, ("test",)))
    assert (rows[0].name, rows[0].ours) == ("OK, D = nnz: test error in %, printed 5.37", 0.0)
    assert [label for label, *_, printed in as_tuples(rows) if printed is not None] == [
        "random, D = nnz - OK, D = nnz, in %"
    ]
    assert rows[-1].ours == rows[1].ours - rows[0].ours
