"""MNIST, from the four IDX files in which it is published or from OpenML, and pairs of its digits."""

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from harness.data.folder import read_bytes
from harness.data.openml import Relation
from harness.data.table import Table, stacked
from harness.errors import UsageError

TRAINING = "TIGHTROPE_MNIST_TRAINING"
"""Environment variable: how the names of the two training files begin, where that is not `train`."""
TRAINING_IMAGES = 10_000
"""How many training images the claims use that do not ask for more."""
TEST_IMAGES = 10_000
_UNSIGNED_BYTE = 8


def mnist(paths: Sequence[Path]) -> Table:
    """MNIST: images as rows of bytes, and the digit that each shows; the published test images come last.

    The paths are those of the training images and labels, and of the test images and labels.

    Raises
    ------
    UsageError
        If a file is damaged.
    """
    train, test = (_images(*pair) for pair in (paths[:2], paths[2:]))
    return stacked(train, test)


def mnist_of_openml(relation: Relation) -> Table:
    """OpenML's copy: 60,000 training images, then the 10,000 test images; the digit is the last attribute."""
    return Table(relation.rows[:, :-1].astype(np.uint8), relation.rows[:, -1].astype(np.int64), TEST_IMAGES)


def digit_pair(
    digits: Table, first: int, second: int, *, training: int | None = TRAINING_IMAGES
) -> tuple[Tensor, Tensor]:
    """Two digits of MNIST: of the test set, then of the first `training` images (None: all); pixels divided by 255.

    Parameters
    ----------
    digits : Table
        MNIST.
    first, second : int
        Digits; the first is labelled -1, the second +1.
    training : int or None

    Returns
    -------
    tuple of Tensor (n, 784) and Tensor (n,), float64

    Raises
    ------
    UsageError
        If there are fewer training images, or the digits are not two different ones.
    """
    if first == second or not {first, second} <= set(range(10)):
        raise UsageError(f"digit_pair({first}, {second}) needs two different digits between 0 and 9.")
    known = digits.training
    if training is not None and len(known.targets) < training:
        raise UsageError(
            f"the training file of MNIST holds {len(known.targets)} images, {training} are needed; fetch it again."
        )
    some = Table(known.points[:training], known.targets[:training])
    chosen = stacked(digits.test, some).pair(first, second)
    return torch.as_tensor(chosen.points / 255.0), torch.as_tensor(chosen.targets)


def _images(images: Path, labels: Path) -> Table:
    pixels, digits = read_idx(images), read_idx(labels)
    if len(pixels) != len(digits):
        raise UsageError(
            f"{images.name} holds {len(pixels)} images and {labels.name} {len(digits)} labels; fetch both."
        )
    return Table(pixels.reshape(len(pixels), -1), digits)


def read_idx(path: Path) -> np.ndarray:
    """Array of unsigned bytes in an IDX file, decompressed where its name ends in .gz or .bz2.

    Raises
    ------
    UsageError
        If the file is missing, is damaged or no IDX file of unsigned bytes, or does not have the length in its header.
    """
    content = read_bytes(path)
    if len(content) < 4 or content[:3] != bytes([0, 0, _UNSIGNED_BYTE]):
        raise UsageError(f"{path} is not an IDX file of unsigned bytes; fetch the file again.")
    axes = content[3]
    header = 4 + 4 * axes
    shape = struct.unpack(f">{axes}I", content[4:header]) if len(content) >= header else (-1,)
    if len(content) - header != int(np.prod(shape)):
        raise UsageError(f"{path} holds {len(content) - header} values where its header says {shape}; fetch it again.")
    return np.frombuffer(content, dtype=np.uint8, offset=header).reshape(shape)
