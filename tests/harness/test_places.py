"""Where a worker is when its time is up: the innermost frame that a user has written."""

import json
from pathlib import Path

import numpy as np

import harness
from harness.run.workers.places import place, without_stack

HARNESS = Path(harness.__file__).parent


def stack(*frames: tuple[str, int, str]) -> str:
    lines = [f'  File "{file}", line {line} in {function}' for file, line, function in frames]
    return "\n".join(["Stack (most recent call first):", *lines, ""])


def test_libraries_and_the_harness_are_passed_over() -> None:
    """The line of a library at which a body waits says nothing to its author."""
    found = stack(
        (np.__file__, 3, "array"),
        (json.__file__, 5, "loads"),
        ("<frozen runpy>", 1, "_run"),
        (str(HARNESS / "language" / "evaluation.py"), 9, "call"),
        ("/home/me/mine.py", 18, "step"),
        ("/home/me/mine.py", 30, "body"),
    )
    assert place("words\n" + found) == " in line 18 of mine.py (step)"


def test_the_body_of_a_claim_of_the_ledger_is_one_that_a_user_reads() -> None:
    found = stack(
        (str(HARNESS / "claims" / "nsrf" / "games.py"), 7, "body"), (str(HARNESS / "cli" / "main.py"), 1, "main")
    )
    assert place(found) == " in line 7 of games.py (body)"


def test_the_harness_itself_and_no_stack_are_no_place() -> None:
    assert place(stack((str(HARNESS / "search" / "race.py"), 40, "race"))) == ""
    assert place('File "/home/me/mine.py", line 1 in f') == ""
    assert place("") == ""


def test_the_last_stack_counts() -> None:
    assert place(stack(("/a.py", 1, "f")) + stack(("/b.py", 2, "g"))) == " in line 2 of b.py (g)"


def test_words_come_before_the_stack() -> None:
    assert without_stack("one\ntwo\n" + stack(("/a.py", 1, "f"))) == "one\ntwo\n"
    assert without_stack("one") == "one"
