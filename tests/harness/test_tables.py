"""A run as a table for others: LaTeX that compiles, Markdown, CSV, records, and BibTeX of what is cited."""

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.claims import papers
from harness.cli import main
from harness.cli.report import FORMATS
from harness.language.registry import Claim
from harness.report.layout import Run
from harness.report.tables import TABLES, bibtex, comma_separated, latex, markdown, records
from harness.report.tables.bibliography import titles, works
from harness.report.tables.latex import cited
from harness.report.tables.tex import tex, tex_name
from harness.run.loading import ledger
from harness.verdict import CellVerdict, Status
from tests.harness.runs import HOSTILE, judged_as, one, run_with, write


@pytest.fixture(scope="module")
def run() -> Run:
    """Every reading of both ledgers, and one whose texts are hostile."""
    hostile = one("mine/hostile_1.2-3", statement=HOSTILE, cite=HOSTILE, restricts=HOSTILE, reason=HOSTILE)
    return run_with(*(judged_as(claim) for claim in (*ledger(), *ledger("classics"))), hostile)


def _tightrope(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


DOCUMENT = r"""\documentclass{article}
\usepackage{array,longtable}
\begin{document}
\nocite{*}
\input{table}
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""


def test_the_latex_of_both_ledgers_compiles_with_its_bibliography(run: Run, tmp_path: Path) -> None:
    """Would catch a character that no font has, a command of a package that is not loaded, an undefined citation."""
    compiler, bibliographer = shutil.which("pdflatex"), shutil.which("bibtex")
    if compiler is None or bibliographer is None:
        pytest.skip("there is no pdflatex with bibtex on this machine (Debian: texlive-latex-base)")
    for name, text in (("main.tex", DOCUMENT), ("table.tex", latex(run)), ("refs.bib", bibtex(run))):
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [compiler, "-halt-on-error", "-interaction=nonstopmode", "main.tex"]
    for step in (command, [bibliographer, "main"], command, command, command):
        done = subprocess.run(step, cwd=tmp_path, capture_output=True, encoding="latin-1", check=False, timeout=120)
        assert done.returncode == 0, done.stdout[-2000:]
        assert "Warning--" not in done.stdout.replace("Warning--empty title", "")
    assert "undefined" not in done.stdout
    assert (tmp_path / "main.pdf").stat().st_size > 100_000


def test_latex_is_ascii_and_what_is_special_is_escaped(run: Run) -> None:
    assert latex(run).isascii()
    assert bibtex(run).isascii()
    assert tex("x_i^2 ≤ α & 5 %") == r"x\_i\textasciicircum{}2 \ensuremath{\le} \ensuremath{\alpha} \& 5 \%"
    assert tex("Gaël Łoś") == r"Ga{\"{e}}l \L{}o{\'{s}}"
    assert tex("ς Ω ϕ ο λ Λ") == (
        r"\ensuremath{\varsigma} \ensuremath{\Omega} \ensuremath{\phi} \ensuremath{o} \ensuremath{\lambda} "
        r"\ensuremath{\Lambda}"
    )
    assert tex("中\x1b\ud800") == r"[U+4E2D]\textbackslash{}x1b\textbackslash{}ud800"
    assert tex("<= \\input{x}") == r"\textless{}= \textbackslash{}input\{x\}"
    assert tex_name("a/b-c") == r"\texttt{a/\allowbreak{}b-{}\allowbreak{}c}"


CITES = {
    "Hoeffding 1963, Theorem 1, (2.1)": ["hoeffding-1963"],
    "Cover and Thomas 2006, section 2.8; Csiszar 1967": ["cover-thomas-2006", "csiszar-1967"],
    "Cover, Thomas 2006, Theorem 2.6.4": ["cover-thomas-2006"],
    "Trefethen 2013, Theorem 15.2 (Bernstein 1912; Ehlich and Zeller 1966)": [
        "trefethen-2013",
        "bernstein-1912",
        "ehlich-zeller-1966",
    ],
    "van der Vaart 1998, Corollary 21.5": ["van-der-vaart-1998"],
    "von Neumann 1937; Le Cam 1973": ["von-neumann-1937", "le-cam-1973"],
    "Karlin et al. 1988": ["karlin-others-1988"],
    "Pajor 1985; Sauer 1972 and Shelah 1972 follow": ["pajor-1985", "sauer-1972", "shelah-1972"],
    "McAllester 2003, Theorem 1, with the constant of Maurer 2004": ["mcallester-2003", "maurer-2004"],
    "Hölder 1889": ["holder-1889"],
    "folklore": [],
    "me, line 1": [],
    "uarff, Section 2.2": [],
}


@pytest.mark.parametrize(("cite", "keys"), CITES.items())
def test_the_works_that_a_citation_names(cite: str, keys: list[str]) -> None:
    assert [work.key for work in works(cite)] == keys


def test_every_citation_of_the_classics_names_a_work_or_says_folklore() -> None:
    silent = [claim.cite for claim in ledger("classics") if not works(claim.cite)]
    assert all(cite.startswith("folklore") for cite in silent), silent


def test_every_title_is_of_a_work_that_the_classics_cite() -> None:
    """A misspelt key would leave its entry without a title."""
    assert set(titles()) <= {work.key for claim in ledger("classics") for work in works(claim.cite)}


def test_the_bibliography_holds_what_the_table_cites_and_nothing_else(run: Run) -> None:
    keys = re.findall(r"^@\w+\{([^,]+),$", bibtex(run), re.M)
    assert keys == sorted(set(keys))
    assert set(keys) == set(re.findall(r"\\cite\{([^}]+)\}", latex(run)))
    assert set(papers()) <= set(keys)
    assert "@article{uarff" in bibtex(run)
    assert 'Ga{\\"{e}}l Letarte and Emilie Morvant and Pascal Germain' in bibtex(run)
    some = run_with(*(claim for claim in run.claims if claim.id.startswith("lkrf/")))
    assert re.findall(r"^@\w+\{([^,]+),$", bibtex(some), re.M)[0] == "lkrf"
    assert "uarff" not in bibtex(some)


def test_a_citation_stands_in_the_place_of_authors_and_year() -> None:
    assert cited(one(cite="uarff, Lemma 27 & more")) == r"\cite{uarff}, Lemma 27 \& more"
    assert cited(one(cite="see Sauer 1972 and Shelah 1972")) == r"see \cite{sauer-1972} and \cite{shelah-1972}"
    assert cited(one(cite="")) == ""


def test_markdown_has_a_row_for_each_claim_and_shows_text_as_it_is(run: Run) -> None:
    text = markdown(run)
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert len(lines) == len(run.claims) + 2 * len(headings)
    assert len(headings) == len(papers()) + 2
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {7}
    assert "<b>" not in text.replace("\\<b", "")


def test_csv_has_a_row_for_each_claim(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(comma_separated(run))))
    assert [row["id"] for row in rows] == [claim.id for claim in run.claims]
    assert [row["statement"] for row in rows] == [claim.statement for claim in run.claims]
    assert {row["defect"] for row in rows} > {"", "uarff/lem-24"}


def test_records_have_one_for_each_cell_with_its_parameters(run: Run) -> None:
    found = json.loads(records(run))
    assert len(found) == sum(len(claim.cells) for claim in run.claims)
    cell = CellVerdict({"n": 3}, Status.HOLDS, 7, 1, 0.5, 2.0, (1.5, 2.5))
    (record,) = json.loads(records(run_with(one("mine/a", cells=[cell], reading="printed"))))
    assert record["claim"] == "mine/a[printed]"
    assert record["paper"] == "mine"
    assert record["params.n"] == 3
    assert (record["trials"], record["violations"], record["worst_ratio"]) == (7, 1, 0.5)
    assert (record["looseness"], record["looseness_low"], record["looseness_high"]) == (2.0, 1.5, 2.5)


def test_pandas_reads_the_records(run: Run) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed, nor needed")
    frame = pandas.read_json(io.StringIO(records(run)))
    assert len(frame) == sum(len(claim.cells) for claim in run.claims)


def test_the_command_writes_every_format_to_a_file_or_prints_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    claims: list[Claim] = [claim for claim in ledger() if claim.id.startswith(("lkrf/lem-1", "uarff/lem-2"))]
    write(tmp_path / "results" / "verdicts.json", run_with(*map(judged_as, claims)))
    assert {*TABLES, "html", "badge", "shields"} == set(FORMATS)
    for form, table in TABLES.items():
        printed = _tightrope("report", "--format", form, "lkrf")
        written = _tightrope(
            "report", "--format", form, "--from", "results/verdicts.json", "-o", f"deep/{form}", "lkrf"
        )
        assert (printed.exit_code, written.exit_code) == (0, 0)
        assert written.output == f"wrote: deep/{form}\n"
        text = (tmp_path / "deep" / form).read_text(encoding="utf-8")
        assert text == printed.output
        assert text == table(run_with(*(judged_as(claim) for claim in claims if claim.id.startswith("lkrf"))))
        assert "uarff" not in text
    nothing = _tightrope("report", "--format", "csv", "pbrff")
    assert nothing.exit_code == 2
    assert "no claim matches 'pbrff'" in nothing.output
