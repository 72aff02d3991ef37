"""The readers of archive files, on small synthetic ones, and the toys."""

import bz2
import gzip

import numpy as np
import pytest
import torch

from harness.data import VARIABLE, data_set, gaussian_xor, load, two_moons
from harness.errors import UsageError

ADULT_ROW = "39, {work}, 77516, {school}, 13, Never-married, Sales, Husband, White, Male, 0, 0, 40, {land}, {label}"
TRAIN = [
    ADULT_ROW.format(work="Private", school="HS-grad", land="Cuba", label="<=50K"),
    ADULT_ROW.format(work="?", school="HS-grad", land="Japan", label=">50K"),
    ADULT_ROW.format(work="Private", school="11th", land="Cuba", label=">50K"),
]
TEST = [
    "|1x3 Cross validator",
    ADULT_ROW.format(work="Private", school="HS-grad", land="Peru", label=">50K."),
    ADULT_ROW.format(work="?", school="11th", land="Japan", label="<=50K."),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "adult.data").write_text("\n".join(TRAIN) + "\n\n")
    (tmp_path / "adult.test.gz").write_bytes(gzip.compress(("\n".join(TEST) + "\n\n").encode()))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_adult_has_its_numbers_first_and_then_one_column_per_training_category(folder):
    """Catches a lost "?", a test label read with its dot, and a category of the test file that shifts the columns."""
    points, labels = load("adult").training.tensors
    test_points, test_labels = load("adult").test.tensors
    assert labels.tolist() == [-1, 1, 1]
    assert test_labels.tolist() == [1, -1]
    assert points.shape == (3, 6 + 2 + 2 + 1 + 1 + 1 + 1 + 1 + 2)
    assert points.dtype == test_points.dtype == torch.float64
    numbers = [39, 77516, 13, 0, 0, 40]
    #                           ?  Private  11th HS   married, job, husband, white, male   Cuba Japan
    assert points[0].tolist() == [*numbers, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0]
    assert points[1].tolist() == [*numbers, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1]
    assert test_points[0].tolist() == [*numbers, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0]
    assert test_points[1].tolist() == [*numbers, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TRAIN[0][:-7], "line 1 has 14 fields where 15"),
        (TRAIN[0].replace("39", "old"), "'old' where a number"),
        (TRAIN[0].replace("<=50K", "rich"), "the label 'rich'"),
        ("\n\n", "contains no rows"),
        (b"\xff\xfe\x00", "not a text file"),
    ],
)
def test_damaged_files_give_one_sentence(folder, content, message):
    (folder / "adult.data").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UsageError, match=message):
        load("adult")


def test_a_file_may_be_plain_or_compressed_and_must_be_there(folder, monkeypatch):
    whole = load("adult")
    (folder / "adult.data.bz2").write_bytes(bz2.compress((folder / "adult.data").read_bytes()))
    (folder / "adult.data").unlink()
    assert (load("adult").points == whole.points).all()
    (folder / "adult.data.bz2").unlink()
    with pytest.raises(UsageError, match=r"data fetch adult`, or put adult\.data, adult\.test there"):
        load("adult")
    for ending in ("gz", "bz2"):
        (folder / f"adult.data.{ending}").write_bytes(b"nothing packed at all")
        with pytest.raises(UsageError, match="cannot be read"):
            load("adult")
        (folder / f"adult.data.{ending}").unlink()
    monkeypatch.delenv(VARIABLE)
    assert not data_set("adult").here
    with pytest.raises(UsageError, match="UCI Adult is not here"):
        load("adult")


def advertisements(rows: int, seed: int = 0) -> str:
    """Rows as in the archive: four incomplete numbers, 1554 zeros and ones, the label."""
    bits = np.random.default_rng(seed).integers(0, 2, (rows, 1554))
    labels = ("ad.", "nonad.")
    return "\n".join(f"   ?,125,0.5,1,{','.join(map(str, row))},{labels[k % 2]}" for k, row in enumerate(bits))


def test_advertisements_lose_their_incomplete_attributes(folder):
    (folder / "ad.data").write_text(advertisements(4))
    points, labels = load("ads").tensors
    assert points.shape == (4, 1554)
    assert labels.tolist() == [-1, 1, -1, 1]
    assert set(points.unique().tolist()) == {0, 1}
    (folder / "ad.data").write_text(advertisements(4).replace("nonad.", "maybe."))
    with pytest.raises(UsageError, match=r"the label 'maybe\.'"):
        load("ads")


@pytest.mark.parametrize("toy", [two_moons, gaussian_xor])
def test_toys_have_two_classes_and_depend_on_the_seed_alone(toy):
    points, labels = toy(400, noise=0.1, seed=5)
    again, other = toy(400, noise=0.1, seed=5), toy(400, noise=0.1, seed=6)
    assert points.shape == (400, 2)
    assert points.dtype == labels.dtype == torch.float64
    assert set(labels.tolist()) == {-1, 1}
    assert torch.equal(points, again[0])
    assert torch.equal(labels, again[1])
    assert not torch.equal(points, other[0])


def test_without_noise_the_toys_lie_where_they_should():
    points, labels = gaussian_xor(50, noise=0.0, seed=0)
    assert torch.equal(points.prod(-1), labels)
    assert set(points.flatten().tolist()) == {-1, 1}
    points, labels = two_moons(50, noise=0.0, seed=0)
    centre = torch.where(labels.unsqueeze(-1) < 0, torch.tensor([0.0, 0.0]), torch.tensor([1.0, 0.5])).double()
    torch.testing.assert_close((points - centre).norm(dim=-1), torch.ones(50, dtype=torch.float64))
