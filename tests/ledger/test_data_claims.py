"""Claims on public data sets: skipped with the one command that fetches, and run on tiny copies in the same formats."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from harness.claims.full_size import FULL
from harness.claims.lkrf import table_4
from harness.claims.nsrf import cifar, hundred_features, stability, whole_table
from harness.claims.pbrff import columns, samples, tables
from harness.claims.uarff import figure_2
from harness.data import DATA_SETS, VARIABLE, Table, data_set
from harness.errors import SkipClaim
from harness.language.quantifiers import Draw
from harness.run.loading import ledger
from tests.harness import data_files
from tests.helpers import as_tuples

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = {claim.id: claim for claim in ledger()}
NEEDED = sorted({name for entry in DATA_SETS.values() for name in entry.claims})


def call(name: str, params: Mapping[str, Any]) -> Any:
    claim = CLAIMS[name]
    draw = {"draw": Draw(2, ("test",))} if "draw" in claim.wants else {}
    return claim(**draw, **params)


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("folder", ["unset", "empty"])
def test_without_its_data_a_claim_is_skipped_with_the_command_that_fetches_it(name, folder, monkeypatch, tmp_path):
    """And every data set that names the claim is asked for by one of its cells."""
    monkeypatch.setenv(VARIABLE, "" if folder == "unset" else str(tmp_path))
    monkeypatch.setenv(FULL, "1")
    asked = set()
    for params in CLAIMS[name].cells:
        with pytest.raises(SkipClaim) as caught:
            call(name, params)
        sentence = str(caught.value)
        fetching = sentence.split("`TIGHTROPE_DATA=FOLDER tightrope data fetch ")[1].split("`", maxsplit=1)[0]
        assert sentence.startswith(f"needs {data_set(fetching).title}: run `")
        assert "then `TIGHTROPE_DATA=FOLDER tightrope check " in sentence
        asked.add(fetching)
    assert asked == {entry.name for entry in DATA_SETS.values() if name in entry.claims}


def test_every_skipped_experiment_is_in_the_catalogue_or_waits_for_the_full_size(monkeypatch):
    """A claim that asks for data the catalogue does not know would be skipped with no way to run it."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.delenv(FULL, raising=False)
    recorded = json.loads((ROOT / "results" / "ledger.json").read_text(encoding="utf-8"))["claims"]
    skipped = {entry["id"] for entry in recorded if entry["status"] == "SKIPPED"}
    experiments = {name for name in skipped if CLAIMS[name].kind.name == "reproduction"} - set(NEEDED)
    for name in experiments:
        with pytest.raises(SkipClaim, match=f"{FULL}=1 tightrope check {name}"):
            call(name, CLAIMS[name].cells[0])
    assert set(NEEDED) <= skipped


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def draw() -> Draw:
    return Draw(2, ("test",))


def telling(rows: int, columns: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A few random ones in each row; the first half of the columns only in rows of one class."""
    generator = np.random.default_rng(seed)
    labels = np.where(np.arange(rows) % 2, 1.0, -1.0)
    points = np.zeros((rows, columns))
    for row, label in zip(points, labels, strict=True):
        row[generator.choice(20, 8, replace=False) + (columns // 2 if label > 0 else 0)] = 1.0
    return points, labels


def test_the_coordinates_of_the_span_have_the_same_inner_products():
    points = sparse.csr_matrix(telling(30, 400)[0])
    points = sparse.vstack([points, points[3]], format="csr")
    found = samples.span_coordinates(points)
    assert found.shape == (31, 31)
    np.testing.assert_allclose(found @ found.T, (points @ points.T).toarray(), atol=1e-12)


def test_landmarks_on_farm_ads_run_on_sparse_rows(folder):
    points, labels = telling(80, 54_877)
    (folder / "farm-ads-vect").write_text(data_files.svmlight(points, labels))
    rows = as_tuples(tables.landmarks_on_farm(draw=Draw(2, ("test",))))
    errors = {label.split(",")[0]: ours for label, ours, *_ in rows}
    assert all(printed is None for *_, printed in rows)
    assert max(errors["SVM"], errors["RBF landmarks"], errors["PB(beta = 1) landmarks"]) < 20


def test_the_printed_entries_of_farm_ads_are_judged_at_full_size(folder, monkeypatch):
    """All 80 rows of a small file, 20 for testing; off the printed 2 and 3 errors by what ours are."""
    points, labels = telling(80, 54_877)
    (folder / "farm-ads-vect").write_text(data_files.svmlight(points, labels))
    with pytest.raises(SkipClaim, match=f"{FULL}=1 tightrope check pbrff/tab-1-full"):
        columns.printed_entries_at_full_size(draw=draw(), name="farm")
    monkeypatch.setenv(FULL, "1")
    with pytest.raises(SkipClaim, match="holds 80 rows of farm, where the paper has 4143"):
        columns.printed_entries_at_full_size(draw=draw(), name="farm")
    monkeypatch.setitem(columns.SIZES, "farm", (48, 12, 20))
    monkeypatch.setattr(columns, "ALL_SETTINGS", [(8, 1.0), (64, 1.0)])
    rows = as_tuples(columns.printed_entries_at_full_size(draw=draw(), name="farm"))
    ours = {label.split(",")[0]: percent for label, percent, *_ in rows if label.endswith(", in % of points")}
    off = [abs(count - ours[name] / 5) for name, count in zip(columns.COLUMNS, (2, 3, 3, 3, 3), strict=True)]
    assert [found for _, found, _, allowed in rows if allowed is not None] == pytest.approx(off, abs=1e-9)
    assert [ours for label, ours, *_ in rows if "points (" in label] == [48, 12, 20]


def test_the_linear_kernel_keeps_the_columns_that_tell_the_class(folder, monkeypatch):
    """With rho = .05 N, 40 of the columns can have all the weight."""
    monkeypatch.setitem(table_4.PARAMETERS, "farm", (0.05, 54_877))
    points, labels = telling(80, 54_877)
    (folder / "farm-ads-vect").write_text(data_files.svmlight(points, labels))
    rows = {row.name: row.ours for row in table_4.other_data_sets_beside_the_printed_errors(name="farm", draw=draw())}
    assert rows["OK, D = nnz: test error in %, printed 11.58"] == 0.0
    assert rows["random, D = nnz: test error in %, printed 23.36"] > 20
    assert rows["nnz"] <= 40
    assert rows["training points"] == 60


def test_dense_and_sparse_rows_have_the_same_errors():
    points, labels = telling(60, 1554, seed=1)
    points += np.random.default_rng(2).random(points.shape)
    found = [
        [row.ours for row in table_4.linear_rows("ads", Table(some, labels, 20), draw())]
        for some in (points, sparse.csr_matrix(points))
    ]
    assert found[0] == pytest.approx(found[1])


def test_reuters_has_its_published_split(folder, monkeypatch):
    monkeypatch.setattr("harness.data.sparse_rows.REUTERS_TRAINING", 30)
    points, labels = telling(50, 47_236)
    data_files.reuters_cache(folder, points, np.stack([labels < 0, labels > 0], axis=1).astype(int), ["C11", "CCAT"])
    rows = {r.name: r.ours for r in table_4.other_data_sets_beside_the_printed_errors(name="reuters", draw=draw())}
    assert rows["OK, D = nnz: test error in %, printed 9.27"] == 0.0
    assert rows["training points"] == 30


def wide_margin(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    labels = np.where(np.arange(rows) % 2, 1, -1)
    points = generator.standard_normal((rows, columns))
    points[:, 0] += 6 * labels
    return points, labels


@pytest.mark.parametrize("full", ["", "1"])
def test_buzz_and_weight_run_with_a_cut_unless_the_full_size_is_asked_for(folder, monkeypatch, full):
    monkeypatch.setenv(FULL, full)
    monkeypatch.setattr(table_4, "ROWS", 60)
    monkeypatch.setitem(table_4.PARAMETERS, "buzz", (0.0145, 200))
    monkeypatch.setitem(table_4.PARAMETERS, "weight", (0.0020, 200))
    points, labels = wide_margin(80, 77)
    lines = [",".join(map(str, [*row, (label + 1) // 2])) for row, label in zip(points, labels, strict=True)]
    (folder / "Twitter-Absolute-Sigma-500.data").write_text("\n".join(lines))
    classes = np.where(labels > 0, "A", "C")
    lines = [f"a,1,2,3,{','.join(map(str, row[:5]))},{name}" for row, name in zip(points, classes, strict=True)]
    path = folder / "WearableComputing_weight_lifting_exercises_biceps_curl_variations.csv"
    path.write_text("\n".join(["u,t,t,t,a,b,c,d,e,classe", *lines]))
    for name in ("buzz", "weight"):
        rows = table_4.other_data_sets_beside_the_printed_errors(name=name, draw=draw())
        values = {row.name: row.ours for row in rows}
        assert values["training points"] == (60 if full else 45)
        assert all(0 <= row.ours <= 60 for row in rows[:3])


@pytest.mark.parametrize(("full", "sizes"), [("", (40, 20, 25)), ("1", (50, 25, 25))])
def test_leverage_weights_are_compared_on_classes(folder, monkeypatch, full, sizes):
    monkeypatch.setenv(FULL, full)
    monkeypatch.setattr(figure_2, "FEW", figure_2.Counts((5,), pool=20, repetitions=2))
    monkeypatch.setattr(figure_2, "TRAINING", 40)
    monkeypatch.setattr(figure_2, "TESTED", 25)
    split = figure_2._split

    def seen(*some):
        parts = split(*some)
        assert tuple(len(labels) for _, labels in (parts.train, parts.validation, parts.test)) == sizes
        return parts

    monkeypatch.setattr(figure_2, "_split", seen)
    points, labels = wide_margin(100, 54)
    (folder / "cod-rna").write_text(data_files.svmlight(points[:50, :8], labels[:50]))
    (folder / "cod-rna.t").write_text(data_files.svmlight(points[50:, :8], labels[50:]))
    data_files.covtype_cache(folder, points, np.where(labels > 0, 2, 5))
    for data in ("cod-rna", "covtype"):
        judged, *shown = figure_2.leverage_weighted_features_on_classes(draw=draw(), data=data)
        assert judged.printed == 0.0
        assert [row.name for row in shown] == [f"{name}, features = 5, error in %" for name in ("plain", "leverage")]
        assert all(row.printed is None and 0 <= row.ours <= 100 for row in shown)
        if data == "cod-rna" and not full:  # of 8 columns one tells the class, and five features see it
            assert max(row.ours for row in shown) < 40


def brightness(pixels: np.ndarray) -> torch.Tensor:
    return torch.as_tensor(pixels[:, :16].astype(np.float64))


def test_many_features_and_digits_are_judged_on_small_files(monkeypatch):
    for name in ("FEW", "MANY"):
        monkeypatch.setattr(figure_2, name, figure_2.Counts((4, 5), pool=20, repetitions=3))
    monkeypatch.setattr(figure_2, "TRAINING", 20)
    generator = np.random.default_rng(0)
    points, labels = generator.normal(size=(60, 4)), np.sign(generator.normal(size=60))
    asked = []
    monkeypatch.setattr(figure_2, "required", lambda *names: asked.append(names) or Table(points, labels))
    monkeypatch.setattr(figure_2, "digit_pair", lambda table, *_: table.tensors)
    for run in (figure_2.many_features_on_cod_rna, figure_2.leverage_weighted_features_on_digits):
        judged, *shown = as_tuples(run(draw=Draw(3, ("test",))))
        assert judged[-1] == 0.0
        assert np.isfinite(judged[1])
        assert len(shown) == 4
        assert all(printed is None for *_, printed in shown)
    assert asked == [("cod-rna", "uarff/app-F-classes"), ("mnist", "uarff/fig-2-mnist")]


def test_pairs_of_pictures_have_the_test_images_of_the_paper_and_a_part_for_training(folder, monkeypatch):
    monkeypatch.setattr(cifar, "require_oriented_gradients", lambda: None)
    monkeypatch.setattr(cifar, "oriented_gradients", brightness)
    monkeypatch.setattr(cifar, "SIZES", (2,))
    monkeypatch.setattr(cifar, "TRAINING", 24)
    (folder / "cifar-10-binary.tar.gz").write_bytes(data_files.cifar(per_class=4))
    rows = cifar.cifar_beside_the_printed_accuracies(draw())
    values = {label: ours for label, ours, *_ in as_tuples(rows)}
    assert (values["dog-frog: training points"], values["dog-frog: test points"]) == (24, 8)
    assert values["dog-frog: ours in print, m = 100, accuracy in %"] == 81.95
    assert 0 <= values["dog-frog: ours, m = 2, accuracy in %"] <= 100
    judged = [label for label, *_, printed in as_tuples(rows) if printed is not None]
    assert judged == [f"ours - {other}, mean of the tasks, m = 2, points" for other in ("RBF-RF", "LKRF")]


def test_the_whole_table_of_pictures_is_judged_on_all_training_images(folder, monkeypatch):
    monkeypatch.setattr(cifar, "require_oriented_gradients", lambda: None)
    monkeypatch.setattr(cifar, "oriented_gradients", brightness)
    monkeypatch.setattr(cifar, "PAIRS", ("auto-truck", "dog-frog"))
    for module in (whole_table, cifar):
        monkeypatch.setattr(module, "COLUMNS", (100, 500)[:1])
    monkeypatch.setattr(whole_table, "COMPLETE", 40)
    (folder / "cifar-10-binary.tar.gz").write_bytes(data_files.cifar(per_class=4))
    monkeypatch.setenv(FULL, "1")
    rows = {row.name: row for row in cifar.cifar_with_all_numbers_of_features(draw())}
    assert (rows["auto-truck: training points"].ours, rows["auto-truck: test points"].ours) == (40, 8)
    assert rows["ours - print + one, m = 100, points"].printed == 0.0
    assert rows["ours - LKRF, mean of the tasks, m = 100, points"].printed == 0.0


def test_every_image_of_the_figure_is_tested_once_with_few_features_of_ours_and_many_of_the_baselines(
    folder, monkeypatch
):
    monkeypatch.setattr(cifar, "require_oriented_gradients", lambda: None)
    monkeypatch.setattr(cifar, "oriented_gradients", brightness)
    for name, value in (("FEW", 10), ("MANY", 20), ("CANDIDATES", 40)):
        monkeypatch.setattr(hundred_features, name, value)
    seen = []
    monkeypatch.setattr(hundred_features, "task_without", seen_by(seen, hundred_features.task_without))
    (folder / "cifar-10-binary.tar.gz").write_bytes(data_files.cifar(per_class=4))
    monkeypatch.setenv(FULL, "1")
    rows = {row.name: row for row in hundred_features.a_hundred_learned_features_outperform_five_thousand(draw())}
    assert [len(task.labels) for task in seen] == [40] * 6
    assert sum(len(task.test_labels) for task in seen) == 48
    assert [name for name, row in rows.items() if row.printed is not None] == [
        f"ours, 10 - {other}, 20, in points" for other in ("RBF-RF", "LKRF")
    ]
    ours, other = rows["ours, m = 10, accuracy in %"].ours, rows["LKRF, m = 20, accuracy in %"].ours
    assert rows["ours, 10 - LKRF, 20, in points"].ours == pytest.approx(ours - other)


def seen_by(calls, function):
    """The function, whose results are kept."""

    def kept(*arguments):
        calls.append(function(*arguments))
        return calls[-1]

    return kept


def test_stability_is_that_of_the_task_of_the_figure(folder, monkeypatch):
    monkeypatch.setattr(cifar, "require_oriented_gradients", lambda: None)
    monkeypatch.setattr(cifar, "oriented_gradients", brightness)
    monkeypatch.setattr(stability, "COLUMNS", (10, 20))
    monkeypatch.setattr(stability, "SHORT", 4)
    monkeypatch.setattr(stability, "LONG", 3)
    (folder / "cifar-10-binary.tar.gz").write_bytes(data_files.cifar(per_class=4))
    with pytest.raises(SkipClaim, match="TIGHTROPE_FULL=1 tightrope check nsrf/tab-1-stability"):
        stability.learned_frequencies_are_stable(draw())
    monkeypatch.setenv(FULL, "1")
    judged = [row.name for row in stability.learned_frequencies_are_stable(draw()) if row.printed is not None]
    assert judged == [f"standard deviation, m = {m}, points" for m in (10, 20)]


def test_without_scikit_image_there_is_a_sentence(folder, monkeypatch):
    monkeypatch.setattr("harness.data.images.find_spec", lambda _: None)
    (folder / "cifar-10-binary.tar.gz").write_bytes(data_files.cifar())
    with pytest.raises(SkipClaim, match=r"needs scikit-image .* run `pip install 'tightrope\[images\]'`"):
        cifar.cifar_beside_the_printed_accuracies(draw())


def test_hog_features_are_512_and_see_the_direction_of_an_edge():
    pytest.importorskip("skimage")
    from harness.data import oriented_gradients

    picture = np.zeros((3, 32, 32), dtype=np.uint8)
    picture[:, :, 14:] = 200
    found = oriented_gradients(np.stack([picture, picture.transpose(0, 2, 1)]).reshape(2, -1))
    assert found.shape == (2, 512)
    upright, lying = found.reshape(2, 64, 8).sum(1)
    assert upright.argmax() != lying.argmax()
