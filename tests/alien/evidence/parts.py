"""What the evidence scripts ask of the claim files: everything that one hand wrote, known or aside, under one roof."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from harness.run.loading import from_file

FOLDER = Path(__file__).resolve().parents[1]


def part(name: str, hand: str) -> SimpleNamespace:
    """The contents of `<name>_<hand>.py` or, where it is split, of `<name>_<hand>_1.py`, `_2.py`, ...

    The dictionaries PROOFS and WITNESSES are joined.
    """
    joined: dict[str, Any] = {"PROOFS": {}, "WITNESSES": {}}
    for path in sorted(p for p in FOLDER.glob("*.py") if re.fullmatch(rf"{name}_{hand}(_\d)?", p.stem)):
        contents = vars(sys.modules[from_file(path)[0].body.__module__])
        tables = {table: {**joined[table], **contents[table]} for table in ("PROOFS", "WITNESSES")}
        joined = {**joined, **contents, **tables}
    return SimpleNamespace(**joined)
