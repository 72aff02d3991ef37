"""Data sets for the reproductions: bundled with scikit-learn, drawn, or read from the folder TIGHTROPE_DATA."""

from harness.data.adult import ADULT_FILES, Adult, adult
from harness.data.advertisements import ADVERTISEMENT_FILE, internet_advertisements
from harness.data.bundled import breast_cancer, handwritten_digits
from harness.data.digits import digit_files, digit_pair, digits_remedy, read_idx
from harness.data.folder import VARIABLE, data_folder, has_files
from harness.data.regression import CPU_ACT_FILE, KIN8NM_FILE, cpu_act, diabetes, kin8nm
from harness.data.toys import checkerboard, gaussian_xor, two_moons, windmill

__all__ = [
    "ADULT_FILES",
    "ADVERTISEMENT_FILE",
    "CPU_ACT_FILE",
    "KIN8NM_FILE",
    "VARIABLE",
    "Adult",
    "adult",
    "breast_cancer",
    "checkerboard",
    "cpu_act",
    "data_folder",
    "diabetes",
    "digit_files",
    "digit_pair",
    "digits_remedy",
    "gaussian_xor",
    "handwritten_digits",
    "has_files",
    "internet_advertisements",
    "kin8nm",
    "read_idx",
    "two_moons",
    "windmill",
]
