"""The claims that the arguments of a command name."""

import ast
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import has_magic
from pathlib import Path

from harness.cli.folders import is_folder
from harness.errors import Complaint, UsageError
from harness.language.registry import Claim
from harness.report.terminal import say
from harness.run.loading import from_file, ledger, resolve
from harness.run.selection import current, globbed, is_file, ledger_of, python_files, select

LONG = 10.0  # seconds after which a file that is still imported is named


def complain(complaints: Sequence[Complaint]) -> None:
    """Say what is wrong with the arguments that were left out."""
    for complaint in complaints:
        say(f"error: {complaint.sentence}", err=True)


def gather(patterns: Sequence[str], complaints: list[Complaint] | None = None) -> tuple[list[Claim], int]:
    """The claims that arguments name, and how many claims share the error probability.

    If `complaints` is a list, a bad argument is noted there and the others are still processed; it is an error if no
    claim is left.
    """
    claims: dict[str, Claim] = {}
    families: dict[str, int] = {}
    trouble: list[Complaint] = []
    for argument in _expanded(patterns or ("",), trouble):
        try:
            family, chosen = _claims_of(argument)
            twice = [c.key for c in chosen if c.key in claims and claims[c.key].file != c.file]
            if twice:
                both = f"{claims[twice[0]].file} and {argument}"
                raise UsageError(f"claim {twice[0]!r} comes from two files, {both}; judge them one at a time.")
        except UsageError as error:
            trouble.append(Complaint(argument, str(error)))
            continue
        families[argument.partition("::")[0] if is_file(argument) else ledger_of(argument)] = family
        claims.update({c.key: c for c in chosen})
    if complaints is not None:
        complaints += trouble
    if trouble and (complaints is None or not claims):
        raise UsageError(trouble[0].sentence)
    return list(claims.values()), sum(families.values())


def _expanded(arguments: Sequence[str], trouble: list[Complaint]) -> Iterator[str]:
    """The arguments, with the files with claims that a folder or a glob names in its place; a file by one name only."""
    names: dict[str, str] = {}
    for argument in arguments:
        files = _files_of(argument)
        if files == []:
            missing = argument.endswith("/") and not Path(argument).is_dir()
            what = "is no folder here" if missing else "contains no Python file with @claim functions"
            trouble.append(Complaint(argument, f"{argument} {what}; name another place."))
        for named in [argument] if files is None else files:
            file, colons, key = named.partition("::")
            known = names.setdefault(os.path.realpath(file), file) if is_file(named) else file
            yield f"{known}{colons}{key}"


def _files_of(argument: str) -> list[str] | None:
    """The files with claims in a folder, or of a glob, in the order of their names; None for any other argument."""
    if argument.endswith(".py") and has_magic(argument) and not Path(argument).exists():
        found = globbed(argument)
    elif is_folder(argument):
        found = python_files(Path(argument))
    elif argument.endswith("/") and not any(claim.id.startswith(argument) for claim in ledger(ledger_of(argument))):
        return []
    else:
        return None
    return [str(file) for file in sorted(found) if _has_claims(file)]


def _has_claims(file: Path) -> bool:
    """Whether functions of a file are decorated with `claim`; one that cannot be read is left to whoever imports it."""
    try:
        tree = ast.parse(file.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, OSError):
        return True
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    made = [part for node in functions for part in node.decorator_list if isinstance(part, ast.Call)]
    return any(ast.unparse(part.func).rpartition(".")[2] == "claim" for part in made)


def _claims_of(argument: str) -> tuple[int, list[Claim]]:
    """The size of the family that an argument refers to, and the claims it selects."""
    if is_file(argument):
        path, _, key = argument.partition("::")
        with _told(path):
            own = from_file(Path(path))
        return len(own), select(own, [key] if key else [])
    family = ledger(ledger_of(argument))
    return len(family), select(family, [argument] if argument else [])


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Say so where a file takes long to import: it is under no limit."""
    said = f"note: {path} has been imported for {LONG:g} s; what it does outside of bodies has no limit, Ctrl-C ends it"
    late = threading.Timer(LONG, say, [said], {"err": True})
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()
        late.join()  # who forks later has no other thread


def readings(reference: str) -> tuple[list[Claim], int]:
    if is_file(reference):
        return gather([reference])
    family = ledger(ledger_of(reference))
    claims = [c for c in family if current(reference) in (c.id, c.key)]
    return (claims, len(family)) if claims else ([resolve(reference)[0]], len(family))
