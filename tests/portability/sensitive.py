"""A plugin of pytest: of the tests that a cell names, those that can depend on the machine.

1. Left out of `tests/bounds` are the files that name neither torch, scipy nor numpy's linear algebra: Python's own
   floats beside exact arithmetic know no BLAS, no vector unit and no threads.
2. Left out are scikit-learn's own checks, and ours, of a learner's interface (`test_estimators_contract.py`).
3. A parametrised test runs one of its cases, the one whose name has the smallest SHA-256; `--every-case` runs all.
"""

import hashlib
import re
from collections.abc import Iterable

import pytest

_NUMERIC = re.compile(r"\b(torch|scipy|linalg)\b")
_CONTRACT = re.compile("checks_of_scikit_learn|test_estimators_contract")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--every-case`: rule 3 is lifted."""
    parser.addoption("--every-case", action="store_true", help="all cases of parametrised tests")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what the rules keep."""
    kept = [item for item in items if not _CONTRACT.search(item.nodeid) and _can_depend_on_the_machine(item)]
    if not config.getoption("every_case"):
        kept = _one_case_of_each(kept)
    dropped = set(items).difference(kept)
    config.hook.pytest_deselected(items=[item for item in items if item in dropped])
    items[:] = kept


def _can_depend_on_the_machine(item: pytest.Item) -> bool:
    return "bounds" not in item.path.parts[-3:-1] or bool(_NUMERIC.search(item.path.read_text(encoding="utf-8")))


def _one_case_of_each(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    first: dict[tuple[str, str], pytest.Item] = {}
    for item in items:
        test = (str(item.path), item.name.partition("[")[0])
        first[test] = min(first.get(test, item), item, key=lambda item: hashlib.sha256(item.name.encode()).digest())
    return list(first.values())
