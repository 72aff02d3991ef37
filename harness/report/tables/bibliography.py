"""What the claims of a run cite, as BibTeX: the papers of the ledger, and the works that are named in `cite=`.

A work is named by its authors' family names and the year: "Hoeffding 1963, Theorem 1", "Cover and Thomas 2006, section
2.6", "Karlin et al. 1988". Titles of the classics' sources are in `harness/claims/classics/references.toml`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import harness.claims
from harness.claims import CLASSICS, papers
from harness.files import read_toml
from harness.language.papers import Paper
from harness.report.layout import Judged, Run
from harness.report.tables.tex import tex

_NAME = r"(?:(?:van der|van|von|de|Le|La) )?[^\W\d_a-z][\w'’-]+"
WORK = re.compile(rf"(?P<authors>{_NAME}(?:(?:,? and |, ){_NAME})*)(?P<others> et al\.)? (?P<year>1[5-9]\d\d|20\d\d)\b")
"""Authors and year, in the text of a citation."""


@dataclass(frozen=True)
class Work:
    """A work that a citation names."""

    authors: tuple[str, ...]
    year: int

    @property
    def key(self) -> str:
        """Its key in the bibliography: "hoeffding-1963"."""
        plain = unicodedata.normalize("NFKD", "-".join((*self.authors, str(self.year))))
        return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode().lower()).strip("-")


def works(cite: str) -> list[Work]:
    """The works that a citation names, in order."""
    return [work_of(found) for found in WORK.finditer(cite)]


def work_of(found: re.Match[str]) -> Work:
    """The work of one match of WORK."""
    names = tuple(re.split(r",? and |, ", found["authors"]))
    return Work(names + (("others",) if found["others"] else ()), int(found["year"]))


def bibtex(run: Run) -> str:
    """An entry for each paper of the ledger and each work that a claim of the run cites, in the order of the keys."""
    return "\n".join(entry for _, entry in sorted(_entries(run.claims).items()))


def _entries(claims: Iterable[Judged]) -> dict[str, str]:
    entries = {}
    for claim in claims:
        paper = papers().get(claim.id.partition("/")[0])
        if paper is not None:
            entries[paper.key] = _of_paper(paper)
        entries |= {work.key: _of_work(work) for work in works(claim.cite)}
    return entries


def _of_paper(paper: Paper) -> str:
    kind, place = ("article", "journal") if paper.journal else ("inproceedings", "booktitle")
    fields = {"author": " and ".join(map(tex, paper.authors)), "title": f"{{{tex(paper.title)}}}"}
    return _entry(kind, paper.key, {**fields, place: tex(paper.venue), "year": str(paper.year), "url": paper.link})


def _of_work(work: Work) -> str:
    names = [f"{{{tex(name)}}}" if " " in name else tex(name) for name in work.authors]
    known = titles().get(work.key, {})
    fields = {"author": " and ".join(names), "title": f"{{{tex(known.get('title', ''))}}}", "year": str(work.year)}
    place = {"howpublished": tex(known["in"])} if "in" in known else {}
    return _entry("misc", work.key, {name: value for name, value in (fields | place).items() if value != "{}"})


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}}}\n"


@cache
def titles() -> Mapping[str, Mapping[str, str]]:
    """Titles and places of the classics' sources, by key."""
    known: Mapping[str, Mapping[str, str]] = read_toml(Path(harness.claims.__path__[0]) / CLASSICS / "references.toml")
    return known
