"""UCI Adult: does a person earn more than 50,000 dollars a year?"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from harness.data.folder import locate, parse_number, read_table
from harness.errors import UsageError

ADULT_FILES = ("adult.data", "adult.test")
_ATTRIBUTES = 14
_CATEGORICAL = (1, 3, 5, 6, 7, 8, 9, 13)
_NUMERIC = tuple(k for k in range(_ATTRIBUTES) if k not in _CATEGORICAL)
_LABELS = {"<=50K": -1.0, ">50K": 1.0}


@dataclass(frozen=True)
class Adult:
    """The published training and test rows: features (n, 108) as they are, labels -1 (at most 50K) or +1, float64."""

    points: Tensor
    labels: Tensor
    test_points: Tensor
    test_labels: Tensor


def adult() -> Adult:
    """UCI Adult with its published split, 32,561 and 16,281 rows.

    The six numbers come first, unscaled; then one column per category of the training file, in which "?" (missing) is
    a category as well: 6 + 102 = 108 columns. A category that only the test file knows gives zeros. Reads
    ``adult.data`` and ``adult.test``, as they are or gzipped, from the folder named by TIGHTROPE_DATA.

    Raises
    ------
    UsageError
        If the folder is not set, or a file is missing or damaged.
    """
    paths = [locate(name, what="UCI Adult") for name in ADULT_FILES]
    tables = [read_table(path, columns=_ATTRIBUTES + 1) for path in paths]
    categories = [sorted({row[k] for row in tables[0]}) for k in _CATEGORICAL]
    (points, labels), (test_points, test_labels) = (
        _encoded(table, categories, path) for table, path in zip(tables, paths, strict=True)
    )
    return Adult(points, labels, test_points, test_labels)


def _encoded(table: list[list[str]], categories: list[list[str]], path: Path) -> tuple[Tensor, Tensor]:
    numbers = np.array([[parse_number(row[k], path) for k in _NUMERIC] for row in table])
    columns = np.array(table, dtype=str)
    indicators = [columns[:, [k]] == np.array([names]) for k, names in zip(_CATEGORICAL, categories, strict=True)]
    labels = [row[-1].removesuffix(".") for row in table]  # the test file ends its labels in a dot
    unknown = set(labels) - set(_LABELS)
    if unknown:
        raise UsageError(f"{path} holds the label {min(unknown)!r}; the labels are {', '.join(_LABELS)}.")
    features = torch.as_tensor(np.hstack([numbers, *indicators]), dtype=torch.float64)
    return features, torch.tensor([_LABELS[label] for label in labels], dtype=torch.float64)
