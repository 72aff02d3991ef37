"""Experiments at the paper's full size: they run on request only."""

import os

from harness import skip

FULL = "TIGHTROPE_FULL"
LIMIT = "--time-limit 100h"  # the default is ten minutes for all cells of a claim


def full_size() -> bool:
    """Whether the environment variable TIGHTROPE_FULL is 1."""
    return os.environ.get(FULL) == "1"


def require_full_size(claim: str, *, takes: str) -> None:
    """Skip the claim, with the command that runs it, unless the environment variable TIGHTROPE_FULL is 1."""
    if not full_size():
        raise skip(f"takes {takes}: run `{FULL}=1 tightrope check {claim} {LIMIT}`")
