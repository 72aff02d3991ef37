"""Find claims: the shipped ledger, and a user's files."""

import importlib
import importlib.util
import linecache
import pkgutil
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import harness.claims
from harness.errors import TightropeError, UsageError
from harness.registry import Claim, forget, registered


@cache
def ledger() -> tuple[Claim, ...]:
    """Every claim that ships with Tightrope, paper by paper."""
    found: list[Claim] = []
    for module in sorted(pkgutil.walk_packages(harness.claims.__path__, "harness.claims."), key=lambda m: m.name):
        importlib.import_module(module.name)
        found += registered(module.name)
    return tuple(found)


def from_file(path: Path) -> tuple[Claim, ...]:
    """The claims of a Python file; a file that does not import gives one sentence."""
    if not path.exists():
        raise UsageError(f"there is no file {path}; give a Python file with @claim functions.")
    name = "tightrope_user_" + "_".join(path.resolve().with_suffix("").parts[1:])
    name = "".join(c if c.isalnum() else "_" for c in name)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is not a Python file; give a file that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    forget(name)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except TightropeError as error:
        raise UsageError(f"{path}: {error}") from error
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"{path} does not import: {type(error).__name__}: {error}; run `python {path}` to see the traceback."
        ) from error
    _remember(module.__file__ or str(path))
    claims = registered(name)
    if not claims:
        raise UsageError(f"{path} has no @claim functions; decorate one with @claim (see `tightrope new`).")
    return claims


def _remember(file: str) -> None:
    """Keep the text of a file for whoever reads the source of a body later: it is judged as it was loaded."""
    linecache.cache.pop(file, None)  # of another load
    lines = linecache.getlines(file)
    linecache.cache[file] = (sum(map(len, lines)), None, lines, file)


def is_file(text: str) -> bool:
    """Whether a command-line argument names a file rather than a pattern."""
    return text.endswith(".py") or ("::" in text and text.split("::", 1)[0].endswith(".py"))


def select(claims: Sequence[Claim], patterns: Sequence[str]) -> list[Claim]:
    """The claims whose id or key matches any pattern: exactly, as a glob, or as the beginning of the id.

    A pattern that matches nothing is an error that names the closest ids.
    """
    if not patterns:
        return list(claims)
    chosen: dict[str, Claim] = {}
    for pattern in patterns:
        hits = [c for c in claims if _matches(c, pattern)]
        if not hits:
            raise UsageError(f"no claim matches {pattern!r}; {_nearest(claims, pattern)}")
        chosen.update({hit.key: hit for hit in hits})
    return [c for c in claims if c.key in chosen]


def _matches(claim: Claim, pattern: str) -> bool:
    if pattern in (claim.id, claim.key):
        return True
    whole_paper = claim.id.startswith(pattern.rstrip("/") + "/")
    escaped = pattern.replace("[", "[[]")
    return whole_paper or fnmatchcase(claim.id, pattern) or fnmatchcase(claim.key, escaped)


def _nearest(claims: Sequence[Claim], pattern: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  (only on this error path)

    ids = sorted({claim.id for claim in claims})
    close = get_close_matches(pattern, ids, n=3, cutoff=0.4) or [i for i in ids if pattern in i][:3]
    return f"did you mean {', '.join(close)}?" if close else "`tightrope list` shows all ids."


def resolve(reference: str) -> tuple[Claim, tuple[Claim, ...]]:
    """One claim named on a command line ("id", "id[reading]" or "file.py::id"), and the family it belongs to."""
    if is_file(reference):
        file, _, key = reference.partition("::")
        family = from_file(Path(file))
        if not key and len(family) == 1:
            return family[0], family
    else:
        family, key = ledger(), reference
    exact = [c for c in family if c.key == key] or [c for c in family if c.id == key]
    if len(exact) == 1:
        return exact[0], family
    if exact:
        keys = ", ".join(c.key for c in exact)
        raise UsageError(f"{reference!r} has several readings; name one of {keys}.")
    raise UsageError(f"no claim is called {reference!r}; {_nearest(family, key)}")
