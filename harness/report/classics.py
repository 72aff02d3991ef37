"""The table of the classics, from the JSON of a run: statement, source, verdict, and whether the constant is sharp."""

from collections.abc import Sequence

from harness.numbers import number
from harness.report.layout import Judged

HEAD = """# The classics

Written by `tightrope record classics` from a run of `tightrope check classics` ({effort} effort, seed {seed}): textbook
theorems in the words of the [language](language.md), each as a claim in `harness/claims/classics/`. *Looseness* says by
how much the right side could shrink at the tightest instance found. *Sharp*: with the right side times this factor (a
tail or a rate with its exponent divided by it) the claim is refuted; or why the constant is not sharp. UNDECIDED are
theorems with equality, which no number of draws certifies. They are no part of the four papers, nor counted there.

{counts}
"""
COLUMNS = ("claim", "statement", "source", "verdict", "looseness", "sharp")
FRIENDS = """
## False friends

What many believe, and what is true instead. Each is REFUTED; `tightrope show ID` prints its smallest counterexample.
"""


def classics(claims: Sequence[Judged], effort: str, seed: int) -> str:
    """The page `docs/classics.md`."""
    true = [claim for claim in claims if claim.expected != "refuted"]
    false = [claim for claim in claims if claim.expected == "refuted"]
    verdicts = [claim.status for claim in true]
    found = ", ".join(f"{verdicts.count(status)} {status}" for status in dict.fromkeys(sorted(verdicts)))
    caught = sum(claim.status == "REFUTED" for claim in false)
    counts = f"{len(true)} theorems: {found}. {len(false)} false friends: {caught} REFUTED."
    head = HEAD.format(effort=effort, seed=seed, counts=counts)
    friends = [(_name(c), c.statement, c.remarks, c.cite, c.status) for c in false]
    return (
        f"{head}\n{_table(COLUMNS, [_row(claim) for claim in true])}{FRIENDS}\n"
        f"{_table(('claim', 'statement', 'what is true', 'source', 'verdict'), friends)}"
    )


def _row(claim: Judged) -> tuple[str, ...]:
    looseness = "" if claim.looseness is None else number(claim.looseness)
    statement = f"{claim.statement} ({claim.restricts})" if claim.restricts else claim.statement
    return _name(claim), statement, claim.cite, claim.status, looseness, str(claim.sharp)


def _name(claim: Judged) -> str:
    return f"`{claim.id.partition('/')[2]}`"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; bars inside a cell are escaped."""
    lines = [columns, ["---"] * len(columns), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
