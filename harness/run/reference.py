"""A claim by its name: what is sent to a worker, which has the claims or imports them."""

import importlib
from dataclasses import dataclass
from pathlib import Path

from harness.errors import UsageError
from harness.language.registry import Claim, registered
from harness.run.loading import from_file
from harness.run.witness import LOADED, compiled

LEDGER = "harness.claims."


@dataclass(frozen=True)
class ClaimReference:
    """How a worker finds a claim: among those already loaded, else by module for the ledger and by file otherwise."""

    module: str
    file: str
    key: str
    source: str  # the hash of everything that its rows depend on, where the run was started
    texts: tuple[tuple[str, str], ...] = ()  # the user's files that were compiled there, with their digests

    @classmethod
    def of(cls, claim: Claim, source: str) -> "ClaimReference":
        """The reference to a claim as it was loaded in this process."""
        module = claim.body.__module__
        return cls(module, claim.file, claim.key, source, tuple(compiled(LOADED.get(module, {})).items()))

    @property
    def home(self) -> "str | ClaimReference":
        """Which claims share workers: those of one file of the ledger, and so what it plays once for all of them.

        Any other claim has workers of its own.
        """
        return self.module if self.module.startswith(LEDGER) else self

    def resolve(self) -> Claim:
        """Raises UsageError if there is no such claim here, or if its files are not what the run began with."""
        if known := registered(self.module):
            return self._among(known)
        found = self.load()
        here = compiled(LOADED.get(self.module, {}))
        for path, digest in self.texts:
            if here.get(path, digest) != digest:
                raise UsageError(changed(path, self.key))
        return found

    def load(self) -> Claim:
        """The claim as its file is here and now. Raises UsageError if there is none."""
        if not self.module.startswith(LEDGER):
            return self._among(registered(self.module) or from_file(Path(self.file)))
        importlib.import_module(self.module)
        return self._among(registered(self.module))

    def _among(self, known: tuple[Claim, ...]) -> Claim:
        found = next((claim for claim in known if claim.key == self.key), None)
        if found is None:
            raise UsageError(f"there is no claim {self.key!r} in {self.file}")
        return found


def changed(path: str, key: str) -> str:
    """The message for a claim whose parts were judged from two texts of a file."""
    return f"claim {key!r}: {Path(path).name} changed while it was judged; run the command again."
