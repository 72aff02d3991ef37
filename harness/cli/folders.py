"""Whether an argument names a folder, found out without torch."""

from pathlib import Path

from harness.run.catalogue import catalogue
from harness.run.selection import ledger_of


def is_folder(argument: str) -> bool:
    """Whether an argument names a folder; one that a ledger calls its own is meant so only with a slash or a dot."""
    path = Path(argument)
    if not argument or not path.is_dir():
        return False
    plain = not argument.startswith(("/", ".", "~")) and not argument.endswith("/")
    return not (plain and any(entry.id.startswith(f"{argument}/") for entry in catalogue(ledger_of(argument))))
