"""Pairs of MNIST digits, from the four IDX files in which the data set is published."""

import os
import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from harness.data.folder import VARIABLE, data_folder, has_files, read_bytes
from harness.errors import UsageError

TRAINING = "TIGHTROPE_MNIST_TRAINING"
"""Environment variable: how the names of the two training files begin, where that is not `train`."""
TRAINING_IMAGES = 10_000
_UNSIGNED_BYTE = 8


def digit_files() -> tuple[tuple[str, str], tuple[str, str]]:
    """Names of the image and the label file of the test set, and of the training set.

    A folder that holds only a part of the training set, under another name, is used when the environment variable
    TIGHTROPE_MNIST_TRAINING says how that name begins: `part` for part-images-idx3-ubyte.gz. The part has to hold the
    first 10,000 images, the only ones that are read.

    Raises
    ------
    UsageError
        If the variable holds anything but letters and digits.
    """
    training = os.environ.get(TRAINING, "") or "train"
    if not (training.isascii() and training.isalnum()):
        raise UsageError(f"{TRAINING} is {training!r}; write how the file names begin, in letters and digits: 'train'.")
    images, labels = (f"{part}-idx{axes}-ubyte.gz" for part, axes in (("images", 3), ("labels", 1)))
    return (f"t10k-{images}", f"t10k-{labels}"), (f"{training}-{images}", f"{training}-{labels}")


def digits_remedy(pattern: str) -> str:
    """How to run the claims of a pattern on MNIST; empty where its files are there."""
    names = [name for pair in digit_files() for name in pair]
    if has_files(*names):
        return ""
    return f"needs MNIST: put {', '.join(names)} into a folder and run `{VARIABLE}=FOLDER tightrope check {pattern}`"


def digit_pair(first: int, second: int) -> tuple[Tensor, Tensor]:
    """Two digits of MNIST: the test set and the first 10,000 training images, pixels divided by 255.

    Reads ``t10k-*`` and ``train-*`` (IDX format, gzip) from the folder named by TIGHTROPE_DATA; see `digit_files`.

    Parameters
    ----------
    first, second : int
        Digits; the first is labelled -1, the second +1.

    Returns
    -------
    tuple of Tensor (n, 784) and Tensor (n,), float64

    Raises
    ------
    UsageError
        If the folder is not set, a file is missing or damaged, a training file holds fewer than 10,000 images, or the
        digits are not two different ones.
    """
    if first == second or not {first, second} <= set(range(10)):
        raise UsageError(f"digit_pair({first}, {second}) needs two different digits between 0 and 9.")
    folder = data_folder()
    test, training = digit_files()
    if folder is None:
        raise UsageError(f"MNIST is not bundled; set {VARIABLE} to a folder that holds {test[0]} and its kin.")
    images, labels = zip(_images(folder, test), _images(folder, training, TRAINING_IMAGES), strict=True)
    pixels, digits = np.concatenate(images), np.concatenate(labels)
    chosen = (digits == first) | (digits == second)
    points = torch.as_tensor(pixels[chosen].reshape(int(chosen.sum()), -1) / 255.0)
    return points, torch.as_tensor(np.where(digits[chosen] == first, -1.0, 1.0))


def _images(folder: Path, files: tuple[str, str], count: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Images and their labels: all, or the first `count`."""
    images, labels = (read_idx(folder / name) for name in files)
    if len(images) != len(labels):
        raise UsageError(f"{files[0]} holds {len(images)} images and {files[1]} {len(labels)} labels; fetch both.")
    if count is not None and len(images) < count:
        raise UsageError(f"{files[0]} holds {len(images)} images, {count} are needed; fetch it again.")
    return images[:count], labels[:count]


def read_idx(path: Path) -> np.ndarray:
    """Array of unsigned bytes in an IDX file compressed by gzip.

    Raises
    ------
    UsageError
        If the file is missing, is not a gzip or IDX file of unsigned bytes, or does not have the length in its header.
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
