"""Data sets with real targets: two of OpenML, one bundled with scikit-learn."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_diabetes
from torch import Tensor

from harness.data.folder import parse_number, read_numbers, read_table
from harness.data.openml import Relation
from harness.data.table import Table
from harness.errors import UsageError

_KIN8NM_COLUMNS, _CPU_ACT_COLUMNS = 9, 22
_TARGETS = ("target", "usr")


def kin8nm(paths: Sequence[Path]) -> Table:
    """Forward kinematics of a robot arm (DELVE kin8nm), 8192 x 8; ``kin8nm.csv`` has no header, the target comes last.

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    (path,) = paths
    table = read_numbers(path, columns=_KIN8NM_COLUMNS)
    return Table(table[:, :-1], table[:, -1])


def cpu_act(paths: Sequence[Path]) -> Table:
    """Share of time that the processors of a computer spend in user mode (DELVE compactiv), 8192 x 21.

    The first line of ``cpu_act.csv`` has the names of its columns, one of them ``target`` or ``usr``, the target.

    Raises
    ------
    UsageError
        If the file is damaged or without a target.
    """
    (path,) = paths
    names, *lines = read_table(path, columns=_CPU_ACT_COLUMNS)
    named = [k for k, name in enumerate(names) if name in _TARGETS]
    if len(named) != 1 or not lines:
        raise UsageError(
            f"{path} has {len(named)} columns named {' or '.join(_TARGETS)} and {len(lines)} rows; it needs one such "
            "column and a row: fetch it again."
        )
    table = np.array([[parse_number(text, path) for text in row] for row in lines])
    return Table(np.delete(table, named[0], axis=1), table[:, named[0]])


def last_column(relation: Relation) -> Table:
    """The table of a relation of OpenML whose target is its last attribute."""
    return Table(relation.rows[:, :-1], relation.rows[:, -1])


def diabetes() -> tuple[Tensor, Tensor]:
    """Progression of diabetes after a year, bundled with scikit-learn, features as measured.

    Returns
    -------
    tuple of Tensor (442, 10) and Tensor (442,), float64
    """
    features, target = load_diabetes(return_X_y=True, scaled=False)
    return torch.as_tensor(features, dtype=torch.float64), torch.as_tensor(target, dtype=torch.float64)
