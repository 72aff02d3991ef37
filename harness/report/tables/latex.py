"""A table in LaTeX for a paper's appendix, with its citations.

A fragment for `\\input`: it needs the packages array and longtable, and the bibliography that `--format bibtex` writes.
"""

from harness.claims import papers
from harness.report.layout import Judged, Run
from harness.report.tables.bibliography import WORK, work_of
from harness.report.tables.rows import COLUMNS, by_paper, cells, heading
from harness.report.tables.tex import tex, tex_name

HEAD = r"""%% Verdicts of Tightrope %(version)s (%(effort)s effort, seed %(seed)s): `tightrope report --format latex`.
%% Preamble: \usepackage{array,longtable}. Bibliography: \bibliography{refs}, from `tightrope report --format bibtex`.
{\scriptsize\setlength{\tabcolsep}{2pt}
\newcolumntype{T}[1]{>{\raggedright\arraybackslash}p{#1\linewidth}}
\begin{longtable}{T{0.18}T{0.27}T{0.13}T{0.13}rr}
\hline
%(columns)s \\
\hline
\endhead
"""
FOOT = "\\hline\n\\end{longtable}}\n"


def latex(run: Run) -> str:
    """One long table, a part for each paper."""
    named = {"version": tex(run.version), "effort": tex(run.effort), "seed": run.seed}
    parts = [HEAD % {**named, "columns": " & ".join(COLUMNS)}]
    for name, claims in by_paper(run.claims):
        parts.append(rf"\multicolumn{{{len(COLUMNS)}}}{{T{{0.95}}}}{{\textit{{{tex(heading(name))}}}}} \\*" + "\n")
        parts += [_row(claim) for claim in claims]
    return "".join(parts) + FOOT


def _row(claim: Judged) -> str:
    name, statement, _, *rest = cells(claim)
    return " & ".join([tex_name(name), tex(statement), cited(claim), *map(tex, rest)]) + " \\\\\n"


def cited(claim: Judged) -> str:
    """The source of a claim, with `\\cite` in the place of the works it names."""
    parts, end = [], 0
    paper = claim.cite.partition(",")[0]
    if paper in papers():
        parts.append(rf"\cite{{{paper}}}")
        end = len(paper)
    for found in WORK.finditer(claim.cite, end):
        parts += [_text(claim.cite[end : found.start()]), rf"\cite{{{work_of(found).key}}}"]
        end = found.end()
    return "".join([*parts, _text(claim.cite[end:])])


def _text(text: str) -> str:
    """A part of a citation, with the blanks at its ends."""
    before, after = (" " if blank else "" for blank in (text[:1].isspace(), text[1:] and text[-1:].isspace()))
    return before + tex(text) + after
