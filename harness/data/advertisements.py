"""UCI Internet Advertisements: is an image on a web page an advertisement?"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harness.data.folder import parse_number, read_table, signs
from harness.data.table import Table

_ATTRIBUTES = 1558
_INCOMPLETE = 4  # the first four attributes have missing values
_LABELS = {"ad.": -1.0, "nonad.": 1.0}


def internet_advertisements(paths: Sequence[Path]) -> Table:
    """UCI Internet Advertisements without its four incomplete attributes, 3279 x 1554, from ``ad.data``.

    Labels are -1 (advertisement) and +1 (none).

    Raises
    ------
    UsageError
        If the file is damaged.
    """
    (path,) = paths
    table = read_table(path, columns=_ATTRIBUTES + 1)
    labels = signs([row[-1] for row in table], _LABELS, path)
    points = [[parse_number(text, path) for text in row[_INCOMPLETE:-1]] for row in table]
    return Table(np.array(points), np.array(labels))
