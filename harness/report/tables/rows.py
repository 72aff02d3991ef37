"""What the tables for a paper's appendix show of each claim, by paper."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from harness.claims import CLASSICS, papers
from harness.numbers import number
from harness.report.layout import Judged
from harness.report.terminal import printable

COLUMNS = ("claim", "statement", "source", "verdict", "looseness", "detectable")


def by_paper(claims: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """The claims in their order, with the first part of their ids: a paper, the classics, or one's own."""
    for name, some in groupby(claims, key=lambda claim: claim.id.partition("/")[0]):
        yield name, list(some)


def heading(name: str) -> str:
    """How a paper is called above its claims."""
    paper = papers().get(name)
    if paper is not None:
        return f"{paper.names}: {paper.title}, {paper.venue} {paper.year}"
    return "Textbook theorems" if name == CLASSICS else printable(name)


def cells(claim: Judged) -> tuple[str, ...]:
    """The cells of a claim's row, as plain text, in the order of COLUMNS."""
    ratio = claim.looseness is not None and claim.looseness > 0.0
    return (
        printable(claim.key),
        printable(f"{claim.statement} ({claim.restricts})" if claim.restricts else claim.statement),
        printable(claim.cite),
        str(claim.status) + (" (!)" if claim.as_expected is False else ""),
        number(claim.looseness) if ratio else "",
        number(claim.detectable_factor) if ratio and claim.detectable_factor is not None else "",
    )
