"""The public data sets in the formats in which they are published, on tiny copies; and the caches of scikit-learn."""

import gzip
import hashlib
import io
import json

import numpy as np
import pytest
from scipy import sparse

from harness.data import VARIABLE, class_pair, data_set, load, sparse_rows
from harness.data import digits as digits_module
from harness.errors import UsageError
from tests.harness import data_files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


ARFF = """% a comment
@RELATION robots
@ATTRIBUTE 'theta 1' REAL
@attribute theta2 NUMERIC
@ATTRIBUTE y {0,1,2}

@DATA
0.5,-1e3,2
% another
-0.25,4,1
"""


def test_the_cache_of_openml_is_read_where_the_files_are_missing(folder):
    data_files.openml_cache(folder, "kin8nm", ARFF)
    assert (data_set("kin8nm").paths, data_set("kin8nm").cached) == (None, True)
    table = load("kin8nm")
    assert table.points.tolist() == [[0.5, -1000], [-0.25, 4]]
    assert table.targets.tolist() == [2, 1]


def test_standard_files_come_before_the_cache(folder):
    data_files.openml_cache(folder, "kin8nm", ARFF)
    (folder / "kin8nm.csv").write_text("1,2,3,4,5,6,7,8,9\n")
    assert load("kin8nm").targets.tolist() == [9]


def test_a_part_of_the_cache_of_openml_is_none(folder):
    path = data_files.openml_cache(folder, "cpu_act", ARFF)
    path.unlink()
    assert not data_set("cpu_act").here
    (folder / f"{data_files.API}/17.gz").unlink()
    assert not data_set("cpu_act").here


@pytest.mark.parametrize(
    ("arff", "message"),
    [
        (ARFF.replace("@DATA", ""), "no line @data"),
        (ARFF.replace("-1e3", "far"), "'far'"),
        (ARFF.replace("-1e3,", ""), "cannot be read"),
        (ARFF.replace("@attribute theta2 NUMERIC\n", ""), "2 attributes and has rows of 3"),
    ],
)
def test_a_damaged_cache_of_openml_gives_one_sentence_and_stays(folder, arff, message):
    """scikit-learn would remove the file and ask the network."""
    path = data_files.openml_cache(folder, "kin8nm", arff)
    with pytest.raises(UsageError, match=message):
        load("kin8nm")
    path.write_bytes(b"no gzip")
    with pytest.raises(UsageError, match="remove it and fetch the data set again"):
        load("kin8nm")
    data_files.packed(folder / f"{data_files.API}/17.gz", b"no json")
    with pytest.raises(UsageError, match=r"17\.gz cannot be read"):
        load("kin8nm")


def test_digits_of_openml_are_training_images_and_then_test_images(folder, monkeypatch):
    monkeypatch.setattr(digits_module, "TEST_IMAGES", 2)
    names = "".join(f"@ATTRIBUTE pixel{k} REAL\n" for k in range(4))
    rows = "0,1,2,3,7\n4,5,6,255,1\n8,9,10,11,7\n"
    data_files.openml_cache(folder, "mnist_784", f"@RELATION m\n{names}@ATTRIBUTE class {{1,7}}\n@DATA\n{rows}")
    table = load("mnist")
    assert (table.points.dtype, table.tested) == (np.uint8, 2)
    assert table.training.points.tolist() == [[0, 1, 2, 3]]
    assert table.test.targets.tolist() == [1, 7]


def test_sparse_rows_stay_sparse(folder):
    rows = np.zeros((3, 54_877))
    rows[[0, 1, 2], [0, 54_876, 5]] = 1, 2.5, -1
    (folder / "farm-ads-vect").write_text(data_files.svmlight(rows, [1, -1, 1]))
    table = load("farm")
    assert sparse.issparse(table.points)
    assert table.points.format == "csr"
    assert (table.points.toarray() == rows).all()
    assert table.targets.tolist() == [1, -1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [("1 x:3\n", "cannot be read"), ("1 54878:1\n", "cannot be read"), ("", "contains no rows"), ("one 1:1", "cannot")],
)
def test_damaged_sparse_files_give_one_sentence(folder, text, message):
    (folder / "farm-ads-vect").write_text(text)
    with pytest.raises(UsageError, match=message):
        load("farm")


def test_cod_rna_has_a_published_test_set(folder):
    rows = np.arange(16.0).reshape(2, 8)
    (folder / "cod-rna").write_text(data_files.svmlight(rows, [1, -1]))
    (folder / "cod-rna.t.gz").write_bytes(gzip.compress(data_files.svmlight(rows[1:] + 1, [1]).encode()))
    table = load("cod-rna")
    assert table.points.tolist() == [*rows.tolist(), (rows[1] + 1).tolist()]
    assert (table.targets.tolist(), table.tested) == ([1, -1, 1], 1)
    assert [part.tolist() for part in table.test.tensors] == [[(rows[1] + 1).tolist()], [1]]


def test_lodgepole_pine_is_told_from_other_trees_in_the_file_and_in_the_cache(folder):
    points, classes = np.arange(54.0 * 4).reshape(4, 54), np.array([1, 2, 7, 2])
    data_files.covtype_cache(folder, points, classes)
    assert data_set("covtype").paths is None
    cached = load("covtype")
    lines = [",".join(map(str, [*row, label])) for row, label in zip(points, classes, strict=True)]
    (folder / "covtype.data.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    assert data_set("covtype").paths is not None
    for table in (cached, load("covtype")):
        assert (table.points == points).all()
        assert table.targets.tolist() == [-1, 1, -1, 1]


def test_documents_of_reuters_are_labelled_by_their_topic_in_the_files_and_in_the_cache(folder, monkeypatch):
    monkeypatch.setattr(sparse_rows, "REUTERS_TRAINING", 2)
    rows = np.zeros((6, 47_236))
    rows[range(6), [5, 0, 47_235, 7, 8, 9]] = range(1, 7)
    about = np.array([[0, 1], [1, 0], [0, 1], [1, 1], [1, 0], [0, 0]])
    data_files.reuters_cache(folder, rows, about, ["C11", "CCAT"])
    cached = load("reuters")
    names = [*data_set("reuters").names]
    parts = [rows[:2], *(rows[k : k + 1] for k in range(2, 6))]
    for name, part, first in zip(names, parts, (0, 2, 3, 4, 5), strict=False):
        (folder / name).write_text(data_files.svmlight(part, range(100 + first, 100 + first + len(part))))
    topics = [
        (name, 100 + k) for k, row in enumerate(about) for name, on in zip(("C11", "CCAT"), row, strict=True) if on
    ]
    (folder / names[-1]).write_text("".join(f"{name} {number} 1\n" for name, number in topics))
    for table in (cached, load("reuters")):
        assert (table.points.toarray() == rows).all()
        assert table.targets.tolist() == [1, -1, 1, 1, -1, -1]
        assert table.training.points.shape == (2, 47_236)
    (folder / names[-1]).write_text("CCAT\n")
    with pytest.raises(UsageError, match="the line 'CCAT'"):
        load("reuters")


def test_buzz_has_its_class_last(folder):
    rows = [[*range(77), 1], [*range(1, 78), 0]]
    path = folder / "Twitter-Absolute-Sigma-500.data"
    path.write_text("\n".join(",".join(f"{x:.1f}" for x in row) for row in rows))
    assert load("buzz").points.tolist() == [row[:-1] for row in rows]
    assert load("buzz").targets.tolist() == [1, -1]
    for text, message in (
        ("1,2\n", "2 numbers where 78"),
        ("a\n", "cannot be read"),
        ("\xff", "not a text file"),
    ):
        path.write_text(text, encoding="latin-1")
        with pytest.raises(UsageError, match=message):
            load("buzz")


def test_weight_lifting_keeps_the_complete_columns_after_the_first_four(folder):
    header = '"user","time 1","time 2","date","new_window","num_window","roll","kurtosis","pitch","classe"'
    lines = ['"eve",1,2,"05/12/2011, 11:23","no",11,1.5,NA,-3,"A"', '"bob",1,2,"05/12","yes",12,2.5,7,"",C']
    path = folder / "WearableComputing_weight_lifting_exercises_biceps_curl_variations.csv"
    path.write_text("\n".join([header, *lines]))
    assert load("weight").points.tolist() == [[11, 1.5], [12, 2.5]]
    assert load("weight").targets.tolist() == [1, -1]
    for text, message in (
        (header, "has no rows"),
        (f"{header}\n1,2", "another number of fields"),
        ("a,b,c,d,e,classe\n1,1,1,1,no,A", "no column with a number"),
    ):
        path.write_text(text)
        with pytest.raises(UsageError, match=message):
            load("weight")


def test_pictures_are_read_from_the_archive_of_the_binary_version(folder):
    path = folder / "cifar-10-binary.tar.gz"
    path.write_bytes(data_files.cifar())
    table = load("cifar10")
    assert (table.points.shape, table.points.dtype, table.tested) == ((120, 3072), np.uint8, 20)
    assert np.bincount(table.targets).tolist() == [12] * 10
    pair = class_pair(table, "dog", "frog")
    assert (pair.targets.tolist(), pair.tested) == ([-1, -1, 1, 1] * 6, 4)
    assert (pair.points[0] == table.points[10]).all()
    for content, message in (
        (data_files.tar({"test_batch.bin": bytes(3073)}), r"does not hold data_batch_1\.bin"),
        (data_files.tar({"test_batch.bin": bytes(3072)}), "no sequence of 3073 bytes"),
        (gzip.compress(b"no archive at all"), "cannot be read"),
    ):
        path.write_bytes(content)
        with pytest.raises(UsageError, match=message):
            load("cifar10")


def test_what_scikit_learn_leaves_in_its_cache_is_what_is_read(folder, monkeypatch):
    """`fetch_openml` itself writes the cache, from answers of this test; our own copies of it could be mistaken."""
    numbers = [[k + 0.5 * row for k in range(9)] for row in range(2)]
    names = [f"theta{k}" for k in range(8)] + ["y"]
    arff = "@RELATION kin8nm\n" + "".join(f"@ATTRIBUTE {name} REAL\n" for name in names) + "@DATA\n"
    arff += "".join(",".join(map(str, row)) + "\n" for row in numbers)
    features = [
        {
            "index": str(k),
            "name": name,
            "data_type": "numeric",
            "is_target": "true" if name == "y" else "false",
            "is_ignore": "false",
            "is_row_identifier": "false",
            "number_of_missing_values": "0",
        }
        for k, name in enumerate(names)
    ]
    description = {
        "id": "189",
        "name": "kin8nm",
        "version": "1",
        "status": "active",
        "format": "ARFF",
        "description": "robots",
        "file_id": "3626",
        "url": "https://www.openml.org/data/v1/download/3626/kin8nm.arff",
        "md5_checksum": hashlib.md5(arff.encode(), usedforsecurity=False).hexdigest(),
    }
    answers = {
        "/list/": {"data": {"dataset": [{"did": 189, "name": "kin8nm", "version": 1, "status": "active"}]}},
        "/features/": {"data_features": {"feature": features}},
        "/qualities/": {"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": "2.0"}]}},
        "/json/data/189": {"data_set_description": description},
    }

    def urlopen(request, *_, **__):
        url = request.full_url
        found = next((json.dumps(answer) for part, answer in answers.items() if part in url), arff)
        return Answer(found.encode())

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", urlopen)
    data_set("kin8nm").fetch(folder, lambda *_: None)
    table = load("kin8nm")
    assert table.points.tolist() == [row[:-1] for row in numbers]
    assert table.targets.tolist() == [row[-1] for row in numbers]


class Answer(io.BytesIO):
    """What `urlopen` returns."""

    def info(self) -> dict[str, str]:
        return {}
