"""The verdicts of a run as a table for others: LaTeX, Markdown, CSV, records for pandas, and BibTeX of what it cites.

Each format is a function of a run; none needs more than the standard library.
"""

from collections.abc import Callable, Mapping

from harness.report.layout import Run
from harness.report.tables.bibliography import bibtex
from harness.report.tables.latex import latex
from harness.report.tables.markdown import markdown
from harness.report.tables.records import comma_separated, records

TABLES: Mapping[str, Callable[[Run], str]] = {
    "latex": latex,
    "markdown": markdown,
    "csv": comma_separated,
    "pandas": records,
    "bibtex": bibtex,
}
"""The formats by name."""

__all__ = ["TABLES", "bibtex", "comma_separated", "latex", "markdown", "records"]
