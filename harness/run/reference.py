"""A claim by its name: what is sent to a worker, which has the claims or imports them."""

import importlib
from dataclasses import dataclass
from pathlib import Path

from harness.errors import UsageError
from harness.language.registry import Claim, registered
from harness.run.loading import from_file

LEDGER = "harness.claims."


@dataclass(frozen=True)
class ClaimReference:
    """How a worker finds a claim: among those already loaded, else by module for the ledger and by file otherwise."""

    module: str
    file: str
    key: str
    source: str  # the hash of everything that its rows depend on, where the run was started

    @property
    def home(self) -> "str | ClaimReference":
        """Which claims share workers: those of one file of the ledger, and so what it plays once for all of them.

        Any other claim has workers of its own.
        """
        return self.module if self.module.startswith(LEDGER) else self

    def resolve(self) -> Claim:
        """Raises UsageError if there is no such claim here."""
        known = registered(self.module) or self._load()
        found = next((claim for claim in known if claim.key == self.key), None)
        if found is None:
            raise UsageError(f"there is no claim {self.key!r} in {self.file}")
        return found

    def _load(self) -> tuple[Claim, ...]:
        if not self.module.startswith(LEDGER):
            return from_file(Path(self.file))
        importlib.import_module(self.module)
        return registered(self.module)
