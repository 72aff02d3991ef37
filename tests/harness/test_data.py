"""The bundled data sets, and the IDX reader on good, missing and damaged files."""

import gzip
import struct

import numpy as np
import pytest
import torch
from sklearn.datasets import load_sample_images

from harness.data import VARIABLE, breast_cancer, digit_pair, handwritten_digits, load, photograph_patches, required
from harness.data.digits import read_idx
from harness.data.folder import data_folder
from harness.errors import SkipClaim, UsageError


def pair(first: int, second: int):
    return digit_pair(load("mnist"), first, second)


def write_idx(path, array, *, promised=None):
    array = np.asarray(array, dtype=np.uint8)
    shape = promised or array.shape
    path.write_bytes(
        gzip.compress(bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + array.tobytes())
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Five 2 x 2 digits in the test files; three in the training files, then threes, and sevens that are not read."""
    for prefix, digits in (("t10k", [1, 7, 3, 1, 7]), ("train", [7, 5, 1, *[3] * 9997, 7, 7])):
        images = (np.arange(4 * len(digits)) % 256).reshape(len(digits), 2, 2)
        write_idx(tmp_path / f"{prefix}-images-idx3-ubyte.gz", images)
        write_idx(tmp_path / f"{prefix}-labels-idx1-ubyte.gz", digits)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_breast_cancer_has_the_published_size_and_classes():
    points, labels = breast_cancer()
    assert points.shape == (569, 30)
    assert points.dtype == labels.dtype == torch.float64
    assert (int((labels == -1).sum()), int((labels == 1).sum())) == (212, 357)


def test_handwritten_digits_have_the_published_size_and_range():
    points, digits = handwritten_digits()
    assert points.shape == (1797, 64)
    assert (points.dtype, digits.dtype) == (torch.float64, torch.int64)
    assert (float(points.min()), float(points.max())) == (0.0, 1.0)
    assert digits.bincount().tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_patches_are_parts_of_the_two_photographs():
    """Of the brighter one under the label -1; every patch is found in it, row by row."""
    points, labels = photograph_patches(40, side=5, seed=1)
    assert points.shape == (40, 25)
    assert points.dtype == labels.dtype == torch.float64
    assert (float(labels.sum()), int((labels[:20] > 0).sum()) in range(1, 20)) == (0.0, True)
    again, same = photograph_patches(40, side=5, seed=1)
    assert torch.equal(points, again)
    assert torch.equal(labels, same)
    for sign, picture in zip((-1, 1), load_sample_images().images, strict=True):
        windows = np.lib.stride_tricks.sliding_window_view(picture.mean(-1) / 255.0, (5, 5)).reshape(-1, 25)
        for patch in points[labels == sign][:3].numpy():
            assert (windows == patch).all(1).any()
    for count, side in ((3, 5), (4, 0), (4, 428)):
        with pytest.raises(ValueError, match="need an even count"):
            photograph_patches(count, side=side, seed=0)


def test_a_pair_of_digits_is_pooled_scaled_and_labelled(folder):
    points, labels = pair(1, 7)
    assert labels.tolist() == [-1, 1, -1, 1, 1, -1]
    assert points.shape == (6, 4)
    assert points[0].tolist() == [0, 1 / 255, 2 / 255, 3 / 255]
    assert points[-1].tolist() == [8 / 255, 9 / 255, 10 / 255, 11 / 255]


def test_a_part_of_the_training_images_is_read_only_where_the_option_names_it(folder, monkeypatch):
    """Nobody outside can have a file that is not public: without the option its name is not even mentioned."""
    whole = pair(1, 7)
    for kind in ("images-idx3", "labels-idx1"):
        (folder / f"train-{kind}-ubyte.gz").rename(folder / f"part-{kind}-ubyte.gz")
    with pytest.raises(UsageError, match=r"data fetch mnist`, or put train-images-idx3-ubyte"):
        pair(1, 7)
    with pytest.raises(SkipClaim, match="needs MNIST: run `TIGHTROPE_DATA=FOLDER tightrope data fetch mnist`"):
        required("mnist", "x")
    monkeypatch.setenv("TIGHTROPE_MNIST_TRAINING", "part")
    assert all(torch.equal(a, b) for a, b in zip(pair(1, 7), whole, strict=True))
    monkeypatch.setenv("TIGHTROPE_MNIST_TRAINING", "../part")
    with pytest.raises(UsageError, match="letters and digits"):
        pair(1, 7)


def test_too_few_training_images_are_refused(folder):
    write_idx(folder / "train-images-idx3-ubyte.gz", np.zeros((3, 2, 2)))
    write_idx(folder / "train-labels-idx1-ubyte.gz", [7, 5, 1])
    with pytest.raises(UsageError, match="3 images, 10000 are needed"):
        pair(1, 7)
    points, labels = digit_pair(load("mnist"), 1, 7, training=None)
    assert labels.tolist() == [-1, 1, -1, 1, 1, -1]
    assert points[-1].tolist() == [0, 0, 0, 0]


def test_all_training_images_are_used_on_request(folder):
    """Two more sevens stand behind the first 10,000."""
    assert digit_pair(load("mnist"), 1, 7, training=None)[1].tolist() == [-1, 1, -1, 1, 1, -1, 1, 1]


def test_files_may_be_unpacked(folder):
    whole = pair(1, 7)
    for path in folder.glob("*.gz"):
        path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
        path.unlink()
    assert all(torch.equal(a, b) for a, b in zip(pair(1, 7), whole, strict=True))


def test_the_folder_may_be_unset_but_not_wrong(monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert data_folder() is None
    with pytest.raises(UsageError, match=f"MNIST is not here: run `{VARIABLE}=FOLDER tightrope data fetch mnist`"):
        pair(1, 7)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "absent"))
    with pytest.raises(UsageError, match="not a folder"):
        data_folder()


def test_damaged_files_give_one_sentence(folder):
    images = folder / "t10k-images-idx3-ubyte.gz"
    good = images.read_bytes()
    write_idx(images, np.zeros((4, 2, 2)), promised=(5, 2, 2))
    with pytest.raises(UsageError, match="16 values where its header says"):
        read_idx(images)
    write_idx(images, np.zeros((4, 2, 2)))
    with pytest.raises(UsageError, match=r"4 images and .* 5 labels"):
        pair(1, 7)
    for content, message in (
        (good[:-12], "cannot be read"),
        (b"no gzip at all", "cannot be read"),
        (good[:30] + bytes(40) + good[70:], "cannot be read"),
        (gzip.compress(b"\x00\x00\x0d\x01text"), "not an IDX file"),
        (gzip.compress(b"\x00\x00\x08\x03\x00"), "header says"),
    ):
        images.write_bytes(content)
        with pytest.raises(UsageError, match=message):
            read_idx(images)
    images.unlink()
    with pytest.raises(UsageError, match="there is no file"):
        read_idx(images)


def test_digits_must_be_two_different_ones(folder):
    for digits in ((3, 3), (1, 12)):
        with pytest.raises(UsageError, match="two different digits"):
            pair(*digits)
