"""A user's file as it is loaded: the same in every process, whatever was drawn or loaded before."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from harness import check
from harness.errors import UsageError
from harness.run.closure import closure, source_hashes
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


PACKAGED = {
    "bounds_of_ours/__init__.py": "SCALE = 2.0\n",
    "bounds_of_ours/common.py": "def half(x):\n    return x / 2.0\n",
    "bounds_of_ours/online/__init__.py": "",
    "bounds_of_ours/online/near.py": "HIGH = 1.0\n",
    "bounds_of_ours/online/mine.py": '''
from harness import always, claim

from .. import SCALE
from ..common import half
from .near import HIGH
from bounds_of_ours import common

@claim("mine/c", always())
def t(forall):
    """x/2 <= HIGH."""
    assert half is common.half
    return SCALE * half(forall.interval("x", 0.0, 1.0)), HIGH
''',
}


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_a_file_within_a_package_imports_relatively_and_by_the_name_of_the_package(tmp_path: Path) -> None:
    _write(tmp_path, PACKAGED)
    path = tmp_path / "bounds_of_ours" / "online" / "mine.py"
    (claim,) = from_file(path)
    assert check(claim, effort="quick").status == "PROVED"
    reached = {module.name for module in closure(path).siblings}
    whole = {"bounds_of_ours", "bounds_of_ours.common", "bounds_of_ours.online", "bounds_of_ours.online.near"}
    assert reached == whole
    before = source_hashes([claim])
    _write(tmp_path, {"bounds_of_ours/common.py": "def half(x):\n    return 2.0 * x\n"})
    (edited,) = from_file(path)
    assert source_hashes([edited]) != before
    assert check(edited, effort="quick").status == "REFUTED"


def test_what_does_not_import_says_how_to_see_it(tmp_path: Path) -> None:
    """Within a package as a module of it; dots outside of a package lead nowhere."""
    _write(tmp_path, {"lonely.py": "from .x import y\n", "own/__init__.py": "", "own/lost.py": "from .x import y\n"})
    with pytest.raises(UsageError, match=r"give its folder an __init__\.py.*run `python .*lonely\.py`"):
        from_file(tmp_path / "lonely.py")
    with pytest.raises(
        UsageError, match=rf"No module named 'own.x' \(line 1\); run `python -m own.lost` in {tmp_path} to see"
    ):
        from_file(tmp_path / "own" / "lost.py")


@pytest.mark.parametrize("library", ["torch", "numpy", "msgspec"])
def test_a_file_called_like_a_library_that_is_loaded_hides_nothing(tmp_path: Path, library: str) -> None:
    """The library was forgotten, and our own modules imported the file in its place: workers died for ever."""
    (tmp_path / f"{library}.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(
        PACKAGED["bounds_of_ours/online/mine.py"].split("from ..")[0]
        + '''
@claim("mine/c", always())
def t(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), 1.0
''',
        encoding="utf-8",
    )
    before = sys.modules[library]
    (claim,) = from_file(tmp_path / "mine.py")
    assert sys.modules[library] is before
    assert {module.name for module in closure(tmp_path / "mine.py").siblings} == set()
    assert check(claim, effort="quick").status == "PROVED"
