"""How long a file and a function may be: what does not fit on a few screens is split by topic.

Claims that other hands wrote (`tests/alien`) are kept as they were handed in. The lines of a docstring do not count as
lines of its function: that of a public function lists its arguments.
"""

import ast
import functools
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HANDED_IN = ROOT / "tests" / "alien"
LONGEST_FILE, LONGEST_FUNCTION, MEDIAN = 400, 50, 10


def _files() -> list[Path]:
    found = (path for folder in ("signatures", "bounds", "algos", "harness", "tests") for path in _below(folder))
    return sorted(path for path in found if not path.is_relative_to(HANDED_IN))


def _below(folder: str) -> Iterator[Path]:
    return (ROOT / folder).rglob("*.py")


@functools.cache
def _functions(text: str) -> tuple[tuple[str, int], ...]:
    """The name of each function, methods and inner ones too, and its lines without those of its docstring."""
    return tuple(
        (node.name, _lines(node) - _docstring(node))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def _docstring(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is None or first.end_lineno is None:
        return 0
    return first.end_lineno - first.lineno + 1


def _too_long(name: str, text: str) -> list[str]:
    """What a file has too much of."""
    lines = len(text.splitlines())
    found = [f"{name} has {lines} lines"] if lines > LONGEST_FILE else []
    return found + [f"{name}: {f} has {size} lines" for f, size in _functions(text) if size > LONGEST_FUNCTION]


def test_no_file_and_no_function_is_too_long() -> None:
    """A reader finds one topic in a file, and a function on one screen."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in _files()}
    assert [excess for name, text in texts.items() for excess in _too_long(name, text)] == []


def test_half_of_all_functions_are_short() -> None:
    sizes = [size for path in _files() for _, size in _functions(path.read_text(encoding="utf-8"))]
    assert len(sizes) > 1000
    assert statistics.median(sizes) < MEDIAN


BODY = "    x = 1\n"


@pytest.mark.parametrize(
    ("text", "excess"),
    [
        ("x = 1\n" * 400, 0),
        ("x = 1\n" * 401, 1),
        ("def f():\n" + BODY * 49, 0),
        ("def f():\n" + BODY * 50, 1),
        ("async def f():\n" + BODY * 50, 1),
        ("class A:\n    def f(self):\n" + 50 * ("    " + BODY), 1),
        ('def f():\n    """One.\n\n    Two.\n    """\n' + BODY * 49, 0),
        ('def f():\n    """One.\n\n    Two.\n    """\n' + BODY * 50, 1),
    ],
)
def test_the_rules_see_what_they_forbid(text: str, excess: int) -> None:
    """A rule that matches nothing would pass for ever."""
    assert len(_too_long("file", text)) == excess
