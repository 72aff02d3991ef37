"""UCI Internet Advertisements: is an image on a web page an advertisement?"""

import torch
from torch import Tensor

from harness.data.folder import locate, parse_number, read_table
from harness.errors import UsageError

ADVERTISEMENT_FILE = "ad.data"
_ATTRIBUTES = 1558
_INCOMPLETE = 4  # the first four attributes have missing values
_LABELS = {"ad.": -1.0, "nonad.": 1.0}


def internet_advertisements() -> tuple[Tensor, Tensor]:
    """UCI Internet Advertisements without its four incomplete attributes.

    Reads ``ad.data``, as it is or gzipped, from the folder named by TIGHTROPE_DATA.

    Returns
    -------
    tuple of Tensor (3279, 1554) and Tensor (3279,)
        Features, and labels -1 (advertisement) or +1 (none), float64.

    Raises
    ------
    UsageError
        If the folder is not set, or the file is missing or damaged.
    """
    path = locate(ADVERTISEMENT_FILE, what="Internet Advertisements")
    table = read_table(path, columns=_ATTRIBUTES + 1)
    unknown = {row[-1] for row in table} - set(_LABELS)
    if unknown:
        raise UsageError(f"{path} holds the label {min(unknown)!r}; the labels are {', '.join(_LABELS)}.")
    points = [[parse_number(text, path) for text in row[_INCOMPLETE:-1]] for row in table]
    return torch.tensor(points, dtype=torch.float64), torch.tensor(
        [_LABELS[row[-1]] for row in table], dtype=torch.float64
    )
