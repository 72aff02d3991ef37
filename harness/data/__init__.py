"""Data sets for the reproductions: bundled with scikit-learn, drawn, or read from the folder TIGHTROPE_DATA."""

from harness.data.adult import ADULT_FILES, Adult, adult
from harness.data.advertisements import ADVERTISEMENT_FILE, internet_advertisements
from harness.data.bundled import breast_cancer
from harness.data.digits import DIGIT_FILES, digit_pair, read_idx
from harness.data.folder import VARIABLE, data_folder, has_files
from harness.data.toys import gaussian_xor, two_moons

__all__ = [
    "ADULT_FILES",
    "ADVERTISEMENT_FILE",
    "DIGIT_FILES",
    "VARIABLE",
    "Adult",
    "adult",
    "breast_cancer",
    "data_folder",
    "digit_pair",
    "gaussian_xor",
    "has_files",
    "internet_advertisements",
    "read_idx",
    "two_moons",
]
