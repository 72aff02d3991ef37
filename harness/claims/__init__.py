"""The ledger: one package per paper, one module per topic; and the classics, a second ledger beside it."""

import importlib
import pkgutil
from functools import cache

from harness.language.papers import Paper

PAPERS, CLASSICS = "papers", "classics"  # the two ledgers; the second is a folder, and how its ids begin


@cache
def papers() -> dict[str, Paper]:
    """Every paper of the ledger by its key, in alphabetical order."""
    found = (module for module in pkgutil.iter_modules(__path__) if module.ispkg and module.name != CLASSICS)
    made = (importlib.import_module(f"{__name__}.{module.name}") for module in found)
    return {module.PAPER.key: module.PAPER for module in made}
