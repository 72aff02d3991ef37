"""Turns: proofs of one claim wait for each other, and no process tries a cell that another has tried."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from harness.certify import readings
from harness.language.kept import forget
from harness.run.loading import from_file
from harness.run.runner import Inline, run
from harness.run.store import Store
from harness.run.turns import Turns
from harness.settings import EFFORTS, Settings

CELLS = """
from harness import always, claim, grid

@claim("turns/squares", always(), over=grid(n=[3, 1, 2, 4]))
def squares(forall, *, n):
    \"\"\"|x|^2 <= n.\"\"\"
    return forall.interval("x", -1.0, 1.0, n).square().sum(-1), n
"""
QUICK = Settings(effort=EFFORTS["quick"])


class Apart(Inline):
    """Each task in a process that remembers nothing, as far as proofs go."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        forget()
        return super().submit(fn, *args, **kwargs)


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each cell is tried."""
    count: Counter[int] = Counter()
    prove = readings.prove

    def counted(claim: Any, params: Any, *args: Any, **kwargs: Any) -> Any:
        count[params["n"]] += 1
        return prove(claim, params, *args, **kwargs)

    monkeypatch.setattr(readings, "prove", counted)
    return count


def test_a_cell_is_tried_once_whoever_asks(write_claims: Callable[..., Path], proofs: Counter[int]) -> None:
    claims = from_file(write_claims(CELLS))
    verdicts = run(claims, QUICK, executor=Apart())
    assert proofs == Counter({1: 1, 2: 1, 3: 1, 4: 1})
    assert [cell.status for cell in verdicts[0].cells] == ["PROVED"] * 4


def test_stored_rows_tell_too(write_claims: Callable[..., Path], proofs: Counter[int], tmp_path: Path) -> None:
    """A run that goes on from the rows of another tries what is left."""
    claims = from_file(write_claims(CELLS))
    run(claims, QUICK, store=Store(tmp_path))
    forget()
    for path in tmp_path.rglob("*.jsonl"):  # the largest cell is proved last: its row is lost
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not ('"n":4' in line.replace(" ", "") and "prove" in line)))
    proofs.clear()
    run(claims, QUICK, store=Store(tmp_path), executor=Apart())
    assert proofs == Counter({4: 1})


def test_one_goes_and_the_others_follow_in_order() -> None:
    turns: Turns[int] = Turns()
    assert turns.enter("a", 1)
    assert not turns.enter("a", 2)
    assert turns.enter("b", 3)
    assert not turns.enter("a", 4)
    assert [turns.leave("a") for _ in range(3)] == [2, 4, None]
    assert turns.enter("a", 5)
