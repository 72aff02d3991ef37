"""Every public function against reference values that were computed without it, in 50 digits or rational numbers."""

import ast
import importlib
import inspect
import runpy
from pathlib import Path

import pytest

import bounds
from harness.errors import UsageError
from tests.helpers import public_modules
from tests.mutation.oracles import Case, load_cases

FOLDER = Path(__file__).parents[1] / "oracles"
ROWS = runpy.run_path(str(FOLDER / "make.py"))["rows"]
"""Of the script that writes the values, by path: the folder is no package."""
MODULES = [name.removeprefix("bounds.") for name in public_modules(bounds)]


def public_functions(module: str) -> set[str]:
    found = vars(importlib.import_module(f"bounds.{module}")).items()
    return {
        name
        for name, value in found
        if inspect.isfunction(value) and value.__module__ == f"bounds.{module}" and not name.startswith("_")
    }


@pytest.mark.parametrize("module", MODULES)
def test_every_function_returns_its_reference_values(module: str) -> None:
    """To twelve digits, unless the case says what the function promises instead."""
    errors = [case.error(f"bounds.{module}") for case in load_cases(FOLDER, f"bounds.{module}")]
    assert [error for error in errors if error is not None] == []


@pytest.mark.parametrize("module", MODULES)
def test_every_public_function_has_several_values(module: str) -> None:
    """A new bound without an oracle fails here: add it to the script of its module and run make.py."""
    cases = load_cases(FOLDER, f"bounds.{module}")
    for name in public_functions(module):
        assert len({case.value for case in cases if case.function == name}) >= 3, name


@pytest.mark.parametrize("module", MODULES)
def test_stored_values_are_those_of_the_script(module: str) -> None:
    """A value edited by hand, or a script that was changed without running it, fails here."""
    stored = load_cases(FOLDER, f"bounds.{module}")
    fresh = [Case.of(row) for row in ROWS(module)]
    assert len(fresh) == len(stored)
    for ours, theirs in zip(fresh, stored, strict=True):
        assert ours.value == pytest.approx(theirs.value, rel=1e-15, abs=0)
        assert (ours.function, ours.arguments, ours.options) == (theirs.function, theirs.arguments, theirs.options)


@pytest.mark.parametrize("module", MODULES)
def test_scripts_do_not_ask_the_bounds(module: str) -> None:
    """A reference value that comes from the code it checks is none."""
    for node in ast.walk(ast.parse((FOLDER / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        assert not any(name.split(".")[0] in ("bounds", "harness", "algos") for name in names)


def test_a_wrong_value_is_seen_and_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    """The comparison itself can fail: wrong number, wrong type, exception."""
    right = Case("theorem_exponent", (0.25,), -0.25)
    assert right.error("bounds.random_features.rates") is None
    assert "got -0.25" in str(
        Case("theorem_exponent", (0.25,), -0.25 * (1 + 3e-12)).error("bounds.random_features.rates")
    )
    assert "raised DomainError" in str(Case("theorem_exponent", (0.0,), 0.0).error("bounds.random_features.rates"))
    with pytest.raises(UsageError, match=r"rates\.json"):
        load_cases(tmp_path, "bounds.random_features.rates")
    (tmp_path / "random_features").mkdir()
    (tmp_path / "random_features" / "rates.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match="no oracle values"):
        load_cases(tmp_path, "bounds.random_features.rates")
