"""The claims that a pattern selects."""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from glob import has_magic
from pathlib import Path
from typing import Protocol, TypeVar

from harness.claims import CLASSICS, PAPERS
from harness.errors import UsageError


class Named(Protocol):
    """A claim, or an entry of the catalogue."""

    @property
    def id(self) -> str: ...

    @property
    def key(self) -> str: ...


N = TypeVar("N", bound=Named)

_GLOB = frozenset("*?[")

_FORMER = (  # how ids of the ledger began in version 0.1.0; accepted for one more version
    (re.compile(r"^((?:nsrf|uarff)/)table-"), r"\1tab-"),
    (re.compile(r"^(pbrff/)lemma-"), r"\1lem-"),
    (re.compile(r"^(lkrf/(?:eq|alg|sec))(?=\d)"), r"\1-"),
)


def current(text: str) -> str:
    """The current form of an id, key or pattern written in the former style."""
    for form, today in _FORMER:
        text = form.sub(today, text)
    return text


def ledger_of(text: str) -> str:
    """Which ledger a pattern or id refers to: the classics only where it begins with their name."""
    return CLASSICS if text.startswith(CLASSICS) else PAPERS


def is_file(text: str) -> bool:
    """Whether a command-line argument names a file rather than a pattern."""
    return text.endswith(".py") or ("::" in text and text.split("::", 1)[0].endswith(".py"))


def python_files(folder: Path) -> list[Path]:
    """The Python files of a folder and of those below it, but for hidden ones, in the order of their names.

    What is called so and is no file, such as a folder, is none; a link that leads nowhere is left to who reads it.
    """
    return _shown(folder, folder.rglob("*.py"))


def globbed(pattern: str) -> list[Path]:
    """The files that a glob of paths names, as in a folder; hidden ones if it names such.

    `**` follows no link to a folder, which may lead to one above it.
    """
    parts = Path(pattern).parts
    first = next(i for i, part in enumerate(parts) if has_magic(part))
    folder, inner = Path(*parts[:first]), "/".join(parts[first:])
    return _shown(folder, folder.glob(inner), hidden=any(part.startswith(".") for part in parts[first:]))


def _shown(folder: Path, found: Iterable[Path], *, hidden: bool = False) -> list[Path]:
    files = (f for f in found if f.is_file() or not f.exists())
    return sorted(f for f in files if hidden or not any(p.startswith(".") for p in f.relative_to(folder).parts))


def select(claims: Sequence[N], patterns: Sequence[str]) -> list[N]:
    """The claims whose id or key matches any pattern: exactly, as a glob, or as the beginning of the id.

    A pattern that matches nothing is an error that names the closest ids.
    """
    if not patterns:
        return list(claims)
    chosen: dict[str, N] = {}
    for pattern in patterns:
        hits = [c for c in claims if _matches(c, pattern) or _matches(c, current(pattern))]
        if not hits:
            raise UsageError(f"no claim matches {pattern!r}; {nearest(claims, pattern)}")
        chosen.update({hit.key: hit for hit in hits})
    return [c for c in claims if c.key in chosen]


def _matches(claim: Named, pattern: str) -> bool:
    if pattern in (claim.id, claim.key):
        return True
    if claim.id.startswith(pattern.rstrip("/") + "/"):
        return True
    if not _GLOB.intersection(pattern):
        return False
    escaped = pattern.replace("[", "[[]")
    return fnmatchcase(claim.id, pattern) or fnmatchcase(claim.key, escaped)


def nearest(claims: Sequence[Named], pattern: str) -> str:
    """The claims whose ids are closest to the given one, as part of a sentence."""
    from difflib import get_close_matches  # noqa: PLC0415  (only on this error path)

    ids = sorted({claim.id for claim in claims})
    close = get_close_matches(pattern, ids, n=3, cutoff=0.4) or [i for i in ids if pattern in i][:3]
    return f"did you mean {', '.join(close)}?" if close else "`tightrope list` shows all ids."
