"""The outcome of a run as a table, as text about each mutant, and as JSON."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from rich.table import Table

from tests.mutation.engine import Outcome
from tests.mutation.mutants import Mutant


def counts(outcomes: Sequence[Outcome]) -> dict[str, Counter[str]]:
    """Per module: how many mutants each killer killed, are equivalent, or survived."""
    found: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        module = found.setdefault(outcome.mutant.module, Counter())
        module["mutants"] += 1
        module[outcome.killer if outcome.status == "killed" and outcome.killer else outcome.status] += 1
    return found


def table(outcomes: Sequence[Outcome], killers: Sequence[str]) -> Table:
    """One row per module, one column per killer, and what nobody killed."""
    columns = ["mutants", *killers, "equivalent", "survived", "wrong proof"]
    view = Table(*("bounds", *columns), title="Mutants of the bounds, by the first that noticed")
    view.columns[0].no_wrap = True
    rows = counts(outcomes)
    for module, row in rows.items():
        view.add_row(module.removeprefix("bounds."), *(str(row[column]) for column in columns))
    total: Counter[str] = sum(rows.values(), Counter())
    view.add_section()
    view.add_row("all", *(str(total[column]) for column in columns))
    return view


def survivors(outcomes: Sequence[Outcome]) -> list[str]:
    """One line per mutant that nobody noticed, or that was noticed in spite of a proof."""
    lines = []
    for outcome in outcomes:
        if outcome.status == "survived":
            lines.append(f"survived: {outcome.mutant.label} ({outcome.mutant.operator})")
        elif outcome.status == "wrong proof":
            lines.append(f"wrong proof: {outcome.mutant.label}, but {outcome.evidence}")
    return lines


def as_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Everything about every mutant."""
    facts = [field.name for field in fields(Mutant) if field.compare]
    rows = [
        {name: getattr(outcome.mutant, name) for name in facts}
        | {name: getattr(outcome, name) for name in ("status", "killer", "evidence", "proof")}
        for outcome in outcomes
    ]
    return {"schema": 1, "counts": {module: dict(row) for module, row in counts(outcomes).items()}, "mutants": rows}
