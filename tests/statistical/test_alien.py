"""Claims that strangers wrote: no true one is accused, nearly all that are plainly false are refuted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCORE = Path(__file__).parents[1] / "alien" / "score.py"
# Fixed before a score was seen; a change of these numbers needs a reason beside it.
ACCUSED = 0  # truths refuted, at most; random ones share an error probability of 1 %
ERRORS = 0  # claims that could not be judged, at most
PLAIN_REFUTED = 0.95  # share of the plain falsehoods refuted, at least


@pytest.mark.nightly
def test_the_known_alien_claims_are_judged_as_their_writers_proved(tmp_path: Path) -> None:
    """Catches rounding taken for a violation, a claim that breaks the judge, and a search that lost its edge.

    Standard effort, seed 0. A false accusation by chance: at most 1 % over the run, since its truths number less than
    the family that `score.py` states.
    """
    file = tmp_path / "score.json"
    workers = str(os.cpu_count() or 1)
    command = [sys.executable, str(SCORE), "known", "--seeds", "0", "--effort", "standard", "--jobs", workers]
    done = subprocess.run([*command, "--json", str(file)], capture_output=True, text=True, check=False)
    assert file.exists(), done.stderr
    counted = json.loads(file.read_text(encoding="utf-8"))["known"]["all"]
    assert counted["error"] <= ERRORS, done.stdout
    assert counted["accused"] <= ACCUSED, done.stdout
    assert counted["plain"]["refuted"] >= PLAIN_REFUTED * counted["plain"]["of"], done.stdout
    assert done.returncode == 0, done.stderr
