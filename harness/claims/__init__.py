"""The ledger: one package per paper, one module per topic."""

import importlib
import pkgutil
from functools import cache

from harness.language.papers import Paper


@cache
def papers() -> dict[str, Paper]:
    """Every paper of the ledger by its key, in alphabetical order."""
    found = (module for module in pkgutil.iter_modules(__path__) if module.ispkg)
    made = (importlib.import_module(f"{__name__}.{module.name}") for module in found)
    return {module.PAPER.key: module.PAPER for module in made}
