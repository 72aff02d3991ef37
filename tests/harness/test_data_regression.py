"""The readers of data sets with real targets, on small synthetic files, and the bundled one."""

import gzip

import pytest
import torch

from harness.data import VARIABLE, diabetes, load
from harness.errors import UsageError

ROBOT = ["-0.5,0.25,1,2,3,4,5,6,0.75", "1.5,0,0,0,0,0,0,1,-0.5"]
NAMES = [f"f{k}" for k in range(21)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def computer(header: list[str], rows: int = 2) -> str:
    """A line of names, then rows with the position of the value in it."""
    return "\n".join([",".join(header), *(",".join(str(100 * row + k) for k in range(22)) for row in range(rows))])


@pytest.mark.parametrize("compressed", [False, True])
def test_the_target_of_kin8nm_is_its_last_column(folder, compressed):
    text = "\n".join(ROBOT) + "\n"
    if compressed:
        (folder / "kin8nm.csv.gz").write_bytes(gzip.compress(text.encode()))
    else:
        (folder / "kin8nm.csv").write_text(text)
    points, targets = load("kin8nm").tensors
    assert points.tolist() == [[-0.5, 0.25, 1, 2, 3, 4, 5, 6], [1.5, 0, 0, 0, 0, 0, 0, 1]]
    assert targets.tolist() == [0.75, -0.5]
    assert points.dtype == targets.dtype == torch.float64


@pytest.mark.parametrize(("name", "position"), [("target", 0), ("usr", 21), ("target", 7)])
def test_the_target_of_cpu_act_is_found_by_its_name(folder, name, position):
    """Catches a reader that takes a fixed column: copies of the file differ in where the target stands."""
    (folder / "cpu_act.csv").write_text(computer([*NAMES[:position], name, *NAMES[position:]]))
    points, targets = load("cpu_act").tensors
    assert targets.tolist() == [position, 100 + position]
    assert points[0].tolist() == [k for k in range(22) if k != position]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (computer([*NAMES, "other"]), "0 columns named target or usr"),
        (computer(["target", *NAMES[:-1], "usr"]), "2 columns named"),
        (computer(["target", *NAMES], rows=0), "and 0 rows"),
        (computer(["target", *NAMES]).replace("105", "many"), "'many' where a number"),
        (computer(["target", *NAMES]) + "\n1,2", "line 4 has 2 fields where 22"),
    ],
)
def test_damaged_files_of_cpu_act_give_one_sentence(folder, text, message):
    (folder / "cpu_act.csv").write_text(text)
    with pytest.raises(UsageError, match=message):
        load("cpu_act")


def test_missing_files_name_what_is_missing(folder, monkeypatch):
    with pytest.raises(UsageError, match=r"data fetch kin8nm`, or put kin8nm\.csv there"):
        load("kin8nm")
    (folder / "kin8nm.csv").write_text("1,2,3\n")
    with pytest.raises(UsageError, match="3 numbers where 9"):
        load("kin8nm")
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(UsageError, match="cpu_act is not here"):
        load("cpu_act")


def test_diabetes_has_the_published_size_and_unscaled_features():
    points, targets = diabetes()
    assert points.shape == (442, 10)
    assert targets.shape == (442,)
    assert (float(points[0, 0]), float(targets[0])) == (59.0, 151.0)
