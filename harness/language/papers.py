"""The papers of the ledger as data, for the report, the README and CITATION.cff."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper; its claims are in `harness/claims/<key>/`, whose `__init__.py` defines it as `PAPER`."""

    key: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    link: str
    journal: bool = False  # else the proceedings of a conference

    @property
    def names(self) -> str:
        """The authors' family names."""
        return ", ".join(author.rpartition(" ")[2] for author in self.authors)
