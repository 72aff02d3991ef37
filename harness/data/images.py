"""CIFAR-10, from the archive in which its binary version is published, and histograms of oriented gradients."""

import io
import tarfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from harness.data.folder import read_bytes
from harness.data.table import Table, stacked
from harness.errors import UsageError, skip

CLASSES = ("plane", "auto", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
SIDE, CHANNELS = 32, 3
ORIENTATIONS, CELL = 8, 4
"""Eight orientations in cells of 4 x 4 pixels give 8 * 8 * 8 = 512 features."""

_RECORD = 1 + CHANNELS * SIDE**2
_TRAINING = tuple(f"data_batch_{k}.bin" for k in range(1, 6))
_TEST = "test_batch.bin"


def cifar10(paths: Sequence[Path]) -> Table:
    """CIFAR-10: rows of 3 x 32 x 32 bytes and class codes, 50,000 for training and 10,000 for the test.

    Raises
    ------
    UsageError
        If the archive is damaged or a batch is missing.
    """
    (path,) = paths
    batches = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(read_bytes(path))) as archive:
            for member in archive:
                name = Path(member.name).name
                if name in (*_TRAINING, _TEST) and (content := archive.extractfile(member)) is not None:
                    batches[name] = _records(content.read(), name, path)
    except tarfile.TarError as error:
        raise UsageError(f"{path} cannot be read ({error}); fetch the file again.") from error
    if missing := {*_TRAINING, _TEST} - set(batches):
        raise UsageError(f"{path} does not hold {min(missing)}; fetch the file again.")
    training = np.concatenate([batches[name] for name in _TRAINING])
    return stacked(*(Table(part[:, 1:], part[:, 0].astype(np.int64)) for part in (training, batches[_TEST])))


def _records(content: bytes, name: str, path: Path) -> np.ndarray:
    if len(content) % _RECORD:
        raise UsageError(f"{name} in {path} is no sequence of {_RECORD} bytes; fetch the file again.")
    return np.frombuffer(content, dtype=np.uint8).reshape(-1, _RECORD)


def class_pair(images: Table, first: str, second: str) -> Table:
    """The images of two classes, labelled -1 and +1, training images first."""
    codes = CLASSES.index(first), CLASSES.index(second)
    return stacked(images.training.pair(*codes), images.test.pair(*codes))


def require_oriented_gradients() -> None:
    """Skip where scikit-image is not installed.

    Raises
    ------
    SkipClaim
    """
    if find_spec("skimage") is None:
        raise skip("needs scikit-image for HoG features: run `pip install 'tightrope[images]'`")


def oriented_gradients(pixels: np.ndarray) -> Tensor:
    """HoG features (n, 512) of rows of 3 x 32 x 32 bytes; needs scikit-image, the extra `images`."""
    from skimage.feature import hog  # noqa: PLC0415  (an extra)

    colours = pixels.reshape(-1, CHANNELS, SIDE, SIDE).transpose(0, 2, 3, 1)
    features = [
        hog(image, orientations=ORIENTATIONS, pixels_per_cell=(CELL, CELL), cells_per_block=(1, 1), channel_axis=-1)
        for image in colours
    ]
    return torch.as_tensor(np.array(features, dtype=np.float64))
