"""The contents of the ledger, read from its source: listing claims needs neither torch nor the papers' algorithms.

Claims of the ledger name their id, kind, reading and expectation literally; a test compares this list with the claims
as they are imported.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.claims import CLASSICS, PAPERS
from harness.language.registry import key_of

CLAIMS = Path(__file__).parents[1] / "claims"


@dataclass(frozen=True)
class Entry:
    """What `tightrope list` shows of a claim."""

    id: str
    reading: str | None
    kind: str
    expected: str | None
    statement: str

    @property
    def key(self) -> str:
        """The id, with the reading in brackets where there is one."""
        return key_of(self.id, self.reading)


def catalogue(ledger: str = PAPERS) -> list[Entry]:
    """Every claim of a ledger, in its order."""
    parts = {path.relative_to(CLAIMS).with_suffix("").parts: path for path in CLAIMS.rglob("*.py")}
    modules = {".".join(p): path for p, path in parts.items() if (p[0] == CLASSICS) == (ledger == CLASSICS)}
    return [entry for name in sorted(modules) for entry in _entries(modules[name].read_text(encoding="utf-8"))]


def _entries(text: str) -> Iterator[Entry]:
    """The claims of a module; a kind shared by several claims may be in a variable."""
    kinds: dict[str, ast.expr] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            kinds[node.targets[0].id] = node.value
        if isinstance(node, ast.FunctionDef):
            for made in node.decorator_list:
                if isinstance(made, ast.Call) and ast.unparse(made.func) == "claim":
                    kind = kinds.get(ast.unparse(made.args[1]), made.args[1])
                    yield _entry(made, kind, ast.get_docstring(node) or "")


def _entry(made: ast.Call, kind: ast.expr, docstring: str) -> Entry:
    """One claim from its decorator `@claim("paper/id", kind(...), reading=..., expected=...)`."""
    options = {o.arg: ast.literal_eval(o.value) for o in made.keywords if o.arg in ("reading", "expected")}
    return Entry(
        id=ast.literal_eval(made.args[0]),
        reading=options.get("reading"),
        kind=ast.unparse(kind).partition("(")[0].replace("_", " "),
        expected=options.get("expected"),
        statement=docstring.partition("\n")[0],
    )
