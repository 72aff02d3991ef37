"""Where a worker is: it prints its stack at a signal, in C and without waiting for what it is at."""

import faulthandler
import os
import re
from contextlib import suppress
from pathlib import Path
from signal import SIGUSR2

from harness.origins import CLAIMS, ROOT, library_folders

WHERE = SIGUSR2
"""The signal at which a worker prints its stack."""
_HEAD = re.compile(r"^Stack \(most recent call first\):$", re.MULTILINE)
_FRAME = re.compile(r'^  File "(?P<file>.+)", line (?P<line>\d+) in (?P<function>.+)$', re.MULTILINE)
_HARNESS = f"{ROOT / 'harness'}{os.sep}"


def answer_where(descriptor: int) -> None:
    """In this process: print the stack of the main thread to a descriptor at the signal `WHERE`."""
    with suppress(OSError, ValueError):
        faulthandler.register(WHERE, file=descriptor, all_threads=False)


def without_stack(printed: str) -> str:
    """What was printed before the first stack."""
    found = _HEAD.search(printed)
    return printed[: found.start()] if found else printed


def place(printed: str) -> str:
    """in line 18 of loop.py (step): the innermost frame of the last stack that was printed which a user has written.

    Empty where there is no stack, or nothing but libraries and the harness itself below its claims.
    """
    heads = list(_HEAD.finditer(printed))
    for frame in _FRAME.finditer(printed, heads[-1].end()) if heads else ():
        if not _ours(frame["file"]):
            return f" in line {frame['line']} of {Path(frame['file']).name} ({frame['function']})"
    return ""


def _ours(file: str) -> bool:
    if file.startswith(_HARNESS):
        return not file.startswith(CLAIMS)
    return file.startswith((*library_folders(), "<"))
