"""A file that replaces a function of a library is refused, and what it sets is set for its own claims alone."""

import decimal
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.special
import scipy.stats
import torch

from harness.errors import UsageError
from harness.run.api import check
from harness.run.loading import from_file
from harness.verdict import Status

CLAIM = """
from harness import always, claim

@claim("{name}/one", always())
def one(forall):
    \"\"\"p <= 1.\"\"\"
    p = forall.interval("p", 0.0, 1.0)
    {inside}
    return p, 1.0
"""
REPLACED = {
    "numpy.mean": "import numpy\nnumpy.mean = lambda x: 0",
    "numpy.linalg.norm": "import numpy\nnumpy.linalg.norm = lambda x: 0",
    "scipy.special.gamma": "import scipy.special\nscipy.special.gamma = lambda x: 0",
    "scipy.stats.norm.cdf": "import scipy.stats\nscipy.stats.norm.cdf = lambda x: 0",
    "torch.distributions.normal.Normal.sample": "import torch\ntorch.distributions.Normal.sample = lambda s: 0",
    "statistics.mean": "import statistics\nstatistics.mean = lambda x: 0",
    "random.random": "import random\nrandom.random = lambda: .5",
}


def _write(folder: Path, name: str, first: str = "", inside: str = "") -> Path:
    file = folder / f"{name}.py"
    file.write_text(f"{first}\n{CLAIM.format(name=name, inside=inside)}")
    return file


@pytest.mark.parametrize("name", REPLACED)
def test_a_replaced_function_is_named_and_put_back(tmp_path: Path, name: str) -> None:
    before = np.mean, scipy.special.gamma, scipy.stats.norm.cdf(0.0), torch.distributions.Normal.sample
    with pytest.raises(UsageError, match=f"importing it changes {name}, on which"):
        from_file(_write(tmp_path, "a", REPLACED[name]))
    assert before == (np.mean, scipy.special.gamma, scipy.stats.norm.cdf(0.0), torch.distributions.Normal.sample)


def test_a_function_of_a_module_that_the_file_loads_itself_is_named(tmp_path: Path) -> None:
    """What it was before is not known: the module is to be loaded again."""
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith("sklearn.datasets")}
    try:
        with pytest.raises(UsageError, match=r"importing it changes sklearn\.datasets\.load_iris"):
            from_file(_write(tmp_path, "a", "import sklearn.datasets\nsklearn.datasets.load_iris = lambda: 0"))
        assert "sklearn.datasets" not in sys.modules
    finally:
        sys.modules.update(kept)


def test_what_a_file_sets_is_set_for_its_own_claims(tmp_path: Path) -> None:
    before = decimal.getcontext().prec, sys.getrecursionlimit()
    setting = "import decimal, sys, torch\ndecimal.getcontext().prec = 50\nsys.setrecursionlimit(4321)"
    setting += "\ntorch.set_default_dtype(torch.float64)"
    asked = "import decimal, sys; assert (decimal.getcontext().prec == 50, sys.getrecursionlimit() == 4321) == "
    try:
        first = from_file(_write(tmp_path, "a", setting, f"{asked}(True, True)"))
        second = from_file(_write(tmp_path, "b", "", f"{asked}(False, False)"))
        assert torch.get_default_dtype() is torch.float32
        for claims in (first, second, first):
            assert check(claims[0], effort="quick").status in (Status.PROVED, Status.HOLDS)
    finally:
        from_file(_write(tmp_path, "c"))
    assert (decimal.getcontext().prec, sys.getrecursionlimit()) == before
