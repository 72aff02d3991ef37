"""Pairs of MNIST digits from IDX files."""

import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from harness.data.folder import VARIABLE, data_folder, read_bytes
from harness.errors import UsageError

_PAIRS_OF_FILES = (
    ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"),
    ("train10k-images-idx3-ubyte.gz", "train10k-labels-idx1-ubyte.gz"),
)
DIGIT_FILES = tuple(name for pair in _PAIRS_OF_FILES for name in pair)
_UNSIGNED_BYTE = 8


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
        raise UsageError(f"MNIST is not bundled; set {VARIABLE} to a folder that holds {DIGIT_FILES[0]} and its kin.")
    images, labels = [], []
    for image_file, label_file in _PAIRS_OF_FILES:
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
    content = read_bytes(path)
    if len(content) < 4 or content[:3] != bytes([0, 0, _UNSIGNED_BYTE]):
        raise UsageError(f"{path} is not an IDX file of unsigned bytes; fetch the file again.")
    axes = content[3]
    header = 4 + 4 * axes
    shape = struct.unpack(f">{axes}I", content[4:header]) if len(content) >= header else (-1,)
    if len(content) - header != int(np.prod(shape)):
        raise UsageError(f"{path} holds {len(content) - header} values where its header says {shape}; fetch it again.")
    return np.frombuffer(content, dtype=np.uint8, offset=header).reshape(shape)
