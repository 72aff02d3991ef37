"""Mutants that are no mistakes, each with its proof in one line, from the table beside this file."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

Key = tuple[str, str, str, str, int]
"""Module, name, expression before and after, occurrence of that pair within the function, from 1."""


def _proofs() -> Iterator[tuple[Key, str]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for topic, modules in table.items():
        for module, names in modules.items():
            for name, changes in names.items():
                for change, proof in changes.items():
                    before, _, rest = change.partition(" -> ")
                    after, _, occurrence = rest.partition(" #")
                    yield (f"bounds.{topic}.{module}", name, before, after, int(occurrence or 1)), proof


EQUIVALENTS: dict[Key, str] = dict(_proofs())
