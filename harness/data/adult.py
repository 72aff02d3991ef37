"""UCI Adult: does a person earn more than 50,000 dollars a year?"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harness.data.folder import parse_number, read_table, signs
from harness.data.table import Table, stacked

_ATTRIBUTES = 14
_CATEGORICAL = (1, 3, 5, 6, 7, 8, 9, 13)
_NUMERIC = tuple(k for k in range(_ATTRIBUTES) if k not in _CATEGORICAL)
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
