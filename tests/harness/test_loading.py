"""A user's file as it is loaded: the same in every process, whatever was drawn or loaded before."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from harness.run.loading import from_file

DRAWS = '''
import random
import numpy as np
import torch
from harness import always, claim

DRAWN = {}

@claim("mine/c", always())
def t(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), 1.0 + DRAWN
'''
GENERATORS: dict[str, tuple[str, Callable[[], Any]]] = {
    "torch": ("torch.rand(()).item()", lambda: torch.rand(()).item()),
    "numpy": ("np.random.rand()", np.random.rand),
    "Python": ("random.random()", random.random),
}


@pytest.mark.parametrize(("text", "draw"), GENERATORS.values(), ids=GENERATORS.keys())
def test_what_a_file_draws_is_the_same_each_time_and_is_not_taken_from_others(
    write_claims: Callable[..., Path], text: str, draw: Callable[[], float]
) -> None:
    path = write_claims(DRAWS.format(text))
    torch.manual_seed(1)
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    between = [draw()]
    drawn = set()
    for _ in range(2):
        (claim,) = from_file(path)
        drawn.add(claim.body.__globals__["DRAWN"])
        between.append(draw())
    assert len(drawn) == 1
    torch.manual_seed(1)
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    assert between == [draw() for _ in range(3)]
