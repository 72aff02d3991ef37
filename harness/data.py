"""Data sets for the reproductions: one comes with scikit-learn, others lie in the folder that TIGHTROPE_DATA names."""

import gzip
import os
import struct
import zlib
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from torch import Tensor

from harness.errors import UsageError

VARIABLE = "TIGHTROPE_DATA"
_DIGIT_FILES = (
    ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"),
    ("train10k-images-idx3-ubyte.gz", "train10k-labels-idx1-ubyte.gz"),
)
_UNSIGNED_BYTE = 8


def breast_cancer() -> tuple[Tensor, Tensor]:
    """Breast cancer Wisconsin (diagnostic), bundled with scikit-learn, features as they are.

    Returns
    -------
    tuple of Tensor (569, 30) and Tensor (569,)
        Features, and labels -1 (malignant) or +1 (benign), float64.
    """
    features, target = load_breast_cancer(return_X_y=True)
    return torch.as_tensor(features, dtype=torch.float64), torch.as_tensor(2.0 * target - 1.0, dtype=torch.float64)


def data_folder() -> Path | None:
    """The folder named by the environment variable TIGHTROPE_DATA, or None where it is not set.

    Raises
    ------
    UsageError
        If the variable names something that is not a folder.
    """
    named = os.environ.get(VARIABLE, "")
    if not named:
        return None
    if not Path(named).is_dir():
        raise UsageError(
            f"{VARIABLE} is {named!r}, which is not a folder; set it to the folder that holds the data files."
        )
    return Path(named)


def digit_pair(first: int, second: int) -> tuple[Tensor, Tensor]:
    """Two digits of MNIST: the test set and the first 10,000 training images, pixels divided by 255.

    Reads ``t10k-*`` and ``train10k-*`` (IDX format, gzip) from the folder named by TIGHTROPE_DATA.

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
        If the folder is not set, a file is missing or damaged, or the digits are not two different ones.
    """
    if first == second or not {first, second} <= set(range(10)):
        raise UsageError(f"digit_pair({first}, {second}) needs two different digits between 0 and 9.")
    folder = data_folder()
    if folder is None:
        raise UsageError(
            f"MNIST is not bundled; set {VARIABLE} to a folder that holds {_DIGIT_FILES[0][0]} and its kin."
        )
    images, labels = [], []
    for image_file, label_file in _DIGIT_FILES:
        images.append(read_idx(folder / image_file))
        labels.append(read_idx(folder / label_file))
        if len(images[-1]) != len(labels[-1]):
            raise UsageError(
                f"{image_file} holds {len(images[-1])} images and {label_file} {len(labels[-1])} labels; fetch both."
            )
    pixels, digits = np.concatenate(images), np.concatenate(labels)
    chosen = (digits == first) | (digits == second)
    points = torch.as_tensor(pixels[chosen].reshape(int(chosen.sum()), -1) / 255.0)
    return points, torch.as_tensor(np.where(digits[chosen] == first, -1.0, 1.0))


def read_idx(path: Path) -> np.ndarray:
    """Array of unsigned bytes in an IDX file compressed by gzip.

    Raises
    ------
    UsageError
        If the file is missing, is no gzip or IDX file of unsigned bytes, or is shorter or longer than its header says.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}; put it there or point {VARIABLE} elsewhere.")
    try:
        with gzip.open(path) as stream:
            content = stream.read()
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read ({error}); fetch the file again.") from error
    if len(content) < 4 or content[:3] != bytes([0, 0, _UNSIGNED_BYTE]):
        raise UsageError(f"{path} is not an IDX file of unsigned bytes; fetch the file again.")
    axes = content[3]
    header = 4 + 4 * axes
    shape = struct.unpack(f">{axes}I", content[4:header]) if len(content) >= header else (-1,)
    if len(content) - header != int(np.prod(shape)):
        raise UsageError(f"{path} holds {len(content) - header} values where its header says {shape}; fetch it again.")
    return np.frombuffer(content, dtype=np.uint8, offset=header).reshape(shape)
