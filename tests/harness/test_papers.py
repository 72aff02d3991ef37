"""Papers are data: the README, the citation file and the report say of them what stands beside their claims."""

from pathlib import Path

import pytest

from harness.claims import papers
from harness.language.papers import Paper
from harness.run.catalogue import catalogue

ROOT = Path(__file__).parents[2]
EVERY = pytest.mark.parametrize("paper", papers().values(), ids=lambda paper: paper.key)


def test_every_claim_of_the_ledger_belongs_to_a_paper() -> None:
    assert {entry.id.split("/")[0] for entry in catalogue()} == set(papers())


@EVERY
def test_the_readme_names_the_paper_with_its_link(paper: Paper) -> None:
    row = f"| `{paper.key}` | {paper.names}: [{paper.title}]({paper.link}), {paper.venue} {paper.year} |"
    assert row in (ROOT / "README.md").read_text(encoding="utf-8")


@EVERY
def test_the_citation_file_refers_to_the_paper(paper: Paper) -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for part in (f'title: "{paper.title}"', f"year: {paper.year}", f"url: {paper.link}"):
        assert part in text
    for author in paper.authors:
        given, _, family = author.rpartition(" ")
        assert f'given-names: "{given}"\n        family-names: "{family}"' in text
