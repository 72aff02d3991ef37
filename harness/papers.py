"""The papers of the ledger as data: what the report, the README and CITATION.cff say about them."""

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Paper:
    """A paper whose claims stand in `harness/claims/<key>/`, where its `__init__.py` names it as `PAPER`."""

    key: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    link: str

    @property
    def names(self) -> str:
        """The authors' family names."""
        return ", ".join(author.rpartition(" ")[2] for author in self.authors)


@cache
def papers() -> dict[str, Paper]:
    """Every paper of the ledger by its key, in alphabetical order."""
    import harness.claims  # noqa: PLC0415  (this module stands below the claims)

    found = (module for module in pkgutil.iter_modules(harness.claims.__path__) if module.ispkg)
    made = (importlib.import_module(f"harness.claims.{module.name}") for module in found)
    return {module.PAPER.key: module.PAPER for module in made}
