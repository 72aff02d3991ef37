"""The claims that the arguments of a command name."""

from collections.abc import Sequence
from pathlib import Path

from harness.errors import UsageError
from harness.language.registry import Claim
from harness.run.loading import from_file, ledger, resolve
from harness.run.selection import current, is_file, ledger_of, select


def gather(patterns: Sequence[str], complaints: list[str] | None = None) -> tuple[list[Claim], int]:
    """The claims that arguments name, and how many claims share the error probability.

    If `complaints` is a list, a bad argument is noted there and the others are still processed; it is an error if no
    claim is left.
    """
    claims: dict[str, Claim] = {}
    families: dict[str, int] = {}
    trouble: list[UsageError] = []
    for argument in patterns or ("",):
        try:
            family, chosen = _claims_of(argument)
            twice = [c.key for c in chosen if c.key in claims and claims[c.key].file != c.file]
            if twice:
                raise UsageError(f"claim {twice[0]!r} comes from two files; judge them one at a time.")
        except UsageError as error:
            trouble.append(error)
            continue
        families[argument.partition("::")[0] if is_file(argument) else ledger_of(argument)] = family
        claims.update({c.key: c for c in chosen})
    if trouble and (complaints is None or not claims):
        raise trouble[0]
    if complaints is not None:
        complaints += [str(error) for error in trouble]
    return list(claims.values()), sum(families.values())


def _claims_of(argument: str) -> tuple[int, list[Claim]]:
    """The size of the family that an argument refers to, and the claims it selects."""
    if is_file(argument):
        path, _, key = argument.partition("::")
        own = from_file(Path(path))
        return len(own), select(own, [key] if key else [])
    family = ledger(ledger_of(argument))
    return len(family), select(family, [argument] if argument else [])


def readings(reference: str) -> tuple[list[Claim], int]:
    if is_file(reference):
        return gather([reference])
    family = ledger(ledger_of(reference))
    claims = [c for c in family if current(reference) in (c.id, c.key)]
    return (claims, len(family)) if claims else ([resolve(reference)[0]], len(family))
