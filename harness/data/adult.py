"""UCI Adult: does a person earn more than 50,000 dollars a year?"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harness.data.folder import parse_number, read_table, signs
from harness.data.table import Table, stacked
from harness.errors import UsageError

_ATTRIBUTES = 14
_CATEGORICAL = (1, 3, 5, 6, 7, 8, 9, 13)
_NUMERIC = tuple(k for k in range(_ATTRIBUTES) if k not in _CATEGORICAL)
_SIZES = (9, 16, 7, 15, 6, 5, 2, 42)
"""Categories of each attribute in the published training file, "?" first where it occurs."""
_WITH_MISSING = (1, 6, 13)
_MOSTLY_ZERO = (3, 4)
"""Gain and loss, among the numbers."""
INDICATORS = 4 * 5 + 2 * 2 + sum(_SIZES) - len(_WITH_MISSING)
"""Columns of `adult_indicators`: 123."""
_LABELS = {"<=50K": -1.0, ">50K": 1.0}


def adult(paths: Sequence[Path]) -> Table:
    """UCI Adult with its published split, 32,561 and 16,281 rows, from ``adult.data`` and ``adult.test``.

    The six numbers come first, unscaled; then one column per category of the training file, in which "?" (missing) is
    a category as well: 6 + 102 = 108 columns. A category that only the test file knows gives zeros. Labels are -1 (at
    most 50K) and +1.

    Raises
    ------
    UsageError
        If a file is damaged.
    """
    tables = [read_table(path, columns=_ATTRIBUTES + 1) for path in paths]
    categories = [sorted({row[k] for row in tables[0]}) for k in _CATEGORICAL]
    training, test = (_encoded(table, categories, path) for table, path in zip(tables, paths, strict=True))
    return stacked(training, test)


def _encoded(table: list[list[str]], categories: list[list[str]], path: Path) -> Table:
    numbers = np.array([[parse_number(row[k], path) for k in _NUMERIC] for row in table])
    columns = np.array(table, dtype=str)
    indicators = [columns[:, [k]] == np.array([names]) for k, names in zip(_CATEGORICAL, categories, strict=True)]
    labels = [row[-1].removesuffix(".") for row in table]  # the test file ends its labels in a dot
    return Table(np.hstack([numbers, *indicators]).astype(np.float64), np.array(signs(labels, _LABELS, path)))


def adult_indicators(table: Table) -> Table:
    """The 123 binary columns in which UCI Adult is usual: numbers by quintiles, categories without "?".

    Age, weight, education and hours by the quintiles of the training rows, five columns each; gain and loss by whether
    they are zero, two columns each; then the 99 categories. A missing value has zeros only.

    Raises
    ------
    UsageError
        If the table is not that of `adult` with its 6 numbers and 102 categories.
    """
    if table.points.shape[1] != len(_NUMERIC) + sum(_SIZES):
        raise UsageError(f"a table of {table.points.shape[1]} columns is not UCI Adult: give what `adult` has read.")
    numbers, training = table.points[:, : len(_NUMERIC)], table.training.points[:, : len(_NUMERIC)]
    columns = []
    for k in range(len(_NUMERIC)):
        edges = np.zeros(1) if k in _MOSTLY_ZERO else np.quantile(training[:, k], (0.2, 0.4, 0.6, 0.8))
        columns.append(np.searchsorted(edges, numbers[:, [k]]) == np.arange(len(edges) + 1))
    first = len(_NUMERIC) + np.cumsum([0, *_SIZES[:-1]])
    missing = [start for start, attribute in zip(first, _CATEGORICAL, strict=True) if attribute in _WITH_MISSING]
    categories = np.delete(table.points, [*range(len(_NUMERIC)), *missing], axis=1)
    return Table(np.hstack([*columns, categories]).astype(np.float64), table.targets, table.tested)
