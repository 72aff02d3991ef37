"""Larger tables of numbers with two classes: covtype, buzz in social media, and weight lifting exercises."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

from harness.data.folder import read_lines, read_numbers
from harness.data.table import Table, binary_labels
from harness.errors import UsageError

LODGEPOLE_PINE = 2
"""Class of covtype (lodgepole pine) that LIBSVM's binary version opposes to the six others."""
_COVTYPE_COLUMNS, _BUZZ_COLUMNS = 55, 78
_IDENTIFIERS = 4
"""First columns of weight lifting that name the person and the time."""
_CLASS = "A"
"""The exercise done as it should be; the other classes are mistakes."""


def covtype(paths: Sequence[Path]) -> Table:
    """Forest cover types, 581,012 x 54: lodgepole pine (+1) against the other six (-1); ``covtype.data`` has no header.

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    (path,) = paths
    table = read_numbers(path, columns=_COVTYPE_COLUMNS)
    return Table(table[:, :-1], binary_labels(table[:, -1] == LODGEPOLE_PINE))


def covtype_of_cache(fetched: Bunch) -> Table:
    """The same from what scikit-learn's `fetch_covtype` returns."""
    return Table(fetched.data, binary_labels(fetched.target == LODGEPOLE_PINE))


def buzz(paths: Sequence[Path]) -> Table:
    """Buzz in social media, Twitter: 140,707 x 77, does a topic become popular (+1) or not (-1)?

    ``Twitter-Absolute-Sigma-500.data`` has no header, and the class, 0 or 1, last.

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    (path,) = paths
    table = read_numbers(path, columns=_BUZZ_COLUMNS)
    return Table(table[:, :-1], binary_labels(table[:, -1] > 0))


def weight_lifting(paths: Sequence[Path]) -> Table:
    """Weight Lifting Exercises, 39,242 x 53: is an exercise done as specified, class A (+1), or not (-1)?

    Of the columns after the first four, those that hold a number in every row. The last column is the class.

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    (path,) = paths
    names, *rows = csv.reader(read_lines(path))
    if not rows or any(len(row) != len(names) for row in rows):
        raise UsageError(f"{path} has no rows, or a row with another number of fields than its header; fetch it again.")
    columns = zip(*[row[_IDENTIFIERS:-1] for row in rows], strict=True)
    complete = [numbers for column in columns if (numbers := _all_numbers(column)) is not None]
    if not complete:
        raise UsageError(f"{path} has no column with a number in every row; fetch the file again.")
    return Table(np.stack(complete, axis=1), binary_labels(np.array([row[-1] for row in rows]) == _CLASS))


def _all_numbers(column: Sequence[str]) -> np.ndarray | None:
    """A column as numbers, or None if one of them is missing."""
    try:
        numbers = np.array(column, dtype=np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None
