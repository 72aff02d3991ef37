"""Whose code it is that compares numbers: an algorithm of this package, what checks and keeps them, or a body."""

import os
import sys

import torch

from harness.origins import CLAIMS, ROOT, is_ours

_HERE, _TORCH = (f"{os.path.dirname(place)}{os.sep}" for place in (__file__, torch.__file__))
_ALGORITHMS = tuple(f"{ROOT / top}{os.sep}" for top in ("algos", "bounds"))


def in_an_algorithm() -> bool:
    """Whether an algorithm of this package compares: it sees to its ties, and no answer but its own fits the others."""
    return _asking().startswith(_ALGORITHMS)


def in_ours() -> bool:
    """Whether this package asks, and not a body: what it checks and keeps decides nothing."""
    file = _asking()
    return is_ours(file) and not file.startswith(CLAIMS)


def _asking() -> str:
    """The file of the code that compares, or calls what does."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_HERE, _TORCH)):
        frame = frame.f_back
    return frame.f_code.co_filename
