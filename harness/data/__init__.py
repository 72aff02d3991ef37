"""Data sets for the reproductions: bundled with scikit-learn, drawn, or public ones from the folder TIGHTROPE_DATA.

A claim asks `required` for a public data set; its entry in the `catalogue` reads the standard files in the folder, or
else the cache of scikit-learn there, and gives a `Table`; where neither is, the claim is skipped with the command that
fetches the data set.
"""

from harness.data.bundled import breast_cancer, handwritten_digits, photograph_patches
from harness.data.catalogue import DATA_SETS, data_set, load, required
from harness.data.data_set import DataSet, PublicFile
from harness.data.digits import digit_pair
from harness.data.folder import VARIABLE
from harness.data.images import class_pair, oriented_gradients, require_oriented_gradients
from harness.data.regression import diabetes
from harness.data.sources import Download, Fetcher, OpenML
from harness.data.table import Points, Table, dense
from harness.data.toys import checkerboard, gaussian_xor, two_moons, windmill

__all__ = [
    "DATA_SETS",
    "VARIABLE",
    "DataSet",
    "Download",
    "Fetcher",
    "OpenML",
    "Points",
    "PublicFile",
    "Table",
    "breast_cancer",
    "checkerboard",
    "class_pair",
    "data_set",
    "dense",
    "diabetes",
    "digit_pair",
    "gaussian_xor",
    "handwritten_digits",
    "load",
    "oriented_gradients",
    "photograph_patches",
    "require_oriented_gradients",
    "required",
    "two_moons",
    "windmill",
]
