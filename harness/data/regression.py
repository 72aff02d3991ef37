"""Data sets with real targets: two from the folder TIGHTROPE_DATA, one bundled with scikit-learn."""

import torch
from sklearn.datasets import load_diabetes
from torch import Tensor

from harness.data.folder import locate, parse_number, read_table
from harness.errors import UsageError

KIN8NM_FILE, CPU_ACT_FILE = "kin8nm.csv", "cpu_act.csv"
_KIN8NM_COLUMNS, _CPU_ACT_COLUMNS = 9, 22
_TARGETS = ("target", "usr")


def kin8nm() -> tuple[Tensor, Tensor]:
    """Forward kinematics of a robot arm (DELVE kin8nm), 8192 rows.

    Reads ``kin8nm.csv``, as it is or gzipped, from the folder named by TIGHTROPE_DATA: no header, the target last.

    Returns
    -------
    tuple of Tensor (n, 8) and Tensor (n,)
        Features and targets as they are, float64.

    Raises
    ------
    UsageError
        If the folder is not set, or the file is missing or damaged.
    """
    path = locate(KIN8NM_FILE, what="kin8nm")
    rows = [[parse_number(text, path) for text in row] for row in read_table(path, columns=_KIN8NM_COLUMNS)]
    table = torch.tensor(rows, dtype=torch.float64)
    return table[:, :-1], table[:, -1]


def cpu_act() -> tuple[Tensor, Tensor]:
    """Share of time that the processors of a computer spend in user mode (DELVE compactiv), 8192 rows.

    Reads ``cpu_act.csv``, as it is or gzipped, from the folder named by TIGHTROPE_DATA: a line of names, one of them
    ``target`` or ``usr``, the target.

    Returns
    -------
    tuple of Tensor (n, 21) and Tensor (n,)
        Features and targets as they are, float64.

    Raises
    ------
    UsageError
        If the folder is not set, or the file is missing, damaged or without a target.
    """
    path = locate(CPU_ACT_FILE, what="cpu_act")
    names, *lines = read_table(path, columns=_CPU_ACT_COLUMNS)
    named = [k for k, name in enumerate(names) if name in _TARGETS]
    if len(named) != 1 or not lines:
        raise UsageError(
            f"{path} has {len(named)} columns named {' or '.join(_TARGETS)} and {len(lines)} rows; it needs one such "
            "column and a row: fetch it again."
        )
    table = torch.tensor([[parse_number(text, path) for text in row] for row in lines], dtype=torch.float64)
    kept = [k for k in range(_CPU_ACT_COLUMNS) if k != named[0]]
    return table[:, kept], table[:, named[0]]


def diabetes() -> tuple[Tensor, Tensor]:
    """Progression of diabetes after a year, bundled with scikit-learn, features as measured.

    Returns
    -------
    tuple of Tensor (442, 10) and Tensor (442,), float64
    """
    features, target = load_diabetes(return_X_y=True, scaled=False)
    return torch.as_tensor(features, dtype=torch.float64), torch.as_tensor(target, dtype=torch.float64)
