"""The papers of the ledger as data: what the report, the README and CITATION.cff say about them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper whose claims stand in `harness/claims/<key>/`, where its `__init__.py` names it as `PAPER`."""

    key: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    link: str

    @property
    def names(self) -> str:
        """The authors' family names."""
        return ", ".join(author.rpartition(" ")[2] for author in self.authors)
