"""The atlas of rates: every rate that a run holds, its means with intervals against the claimed decay, theme by theme.

A theme is the table, theorem or figure that the source of a claim names first; its readings are panels of one picture.
"""

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from harness.judges.decay_findings import Fitted
from harness.kinds.decay import SAID, Rate
from harness.numbers import headed
from harness.report.coverage import cell as table_cell
from harness.report.figures.material import MEAN, Absent, of_panel
from harness.report.figures.specification import Curve, Figure, Panel
from harness.report.layout import Judged
from harness.verdict import CellVerdict

INTRODUCTION = """This page is written by `tightrope figures --atlas` from a run: every claim of the kind `rate` that
the run holds, of the papers and of the classics. `--from FILE` draws from what `tightrope check --json FILE` wrote and
judges nothing. A claim says that a mean decays at least as fast as the dashed line, which starts at the first mean. It
HOLDS where the 99 % interval of the exponent ends below the claimed one plus a margin of 0.05, and is REFUTED where
the interval at the family-wise level of the run begins above ("at least": the other way round; "exactly": both); the
interval shown is the one that decides. It allows for a correction of lower order, so that it may lie beside the slope
that the eye sees. Bars: three standard errors."""

_NUMBERED = re.compile(r"([A-Za-z]+) (\d[\w.]*\w|\d)")
_TITLE_WIDTH = 48
PANELS, CURVES = 6, 12  # of one picture, at most; a panel with more curves has one of its own


def atlas(claims: Iterable[Judged]) -> dict[str, list[Figure]]:
    """One picture for each theme of each paper; panels name their readings by key."""
    themes: dict[tuple[str, str], list[Judged]] = {}
    for claim in claims:
        if claim.kind == Rate.name:
            themes.setdefault((claim.id.partition("/")[0], _theme(claim)), []).append(claim)
    found: dict[str, list[Figure]] = {}
    for (paper, theme), some in sorted(themes.items(), key=lambda item: _natural("/".join(item[0]))):
        parts = _parted(some)
        for number, part in enumerate(parts, start=1):
            name = theme if len(parts) == 1 else f"{theme} {number}"
            figure = Figure(
                name=name,
                file=name.lower().replace(" ", "-"),
                shows="",
                panels=[_panel(claim) for claim in part],
                columns=2,
                size=(3.4, 2.4),
            )
            found.setdefault(paper, []).append(figure)
    return found


def _parted(claims: Sequence[Judged]) -> list[list[Judged]]:
    """The readings of one theme, picture by picture, in their order."""
    parts: list[list[Judged]] = []
    for claim in claims:
        curves = sum(len(each.cells) for each in parts[-1]) if parts else CURVES
        if curves + len(claim.cells) > CURVES or len(parts[-1]) == PANELS:
            parts.append([])
        parts[-1].append(claim)
    return parts


def page(pictures: Mapping[str, Sequence[Figure]], claims: Mapping[str, Judged], folder: str, form: str) -> str:
    """The page in Markdown. `claims`: by key; `folder`: of the pictures, beside the page."""
    readings = sum(len(figure.panels) for listed in pictures.values() for figure in listed)
    parts = ["# Atlas of rates", "", INTRODUCTION, "", f"{readings} readings.", ""]
    for paper, listed in pictures.items():
        parts += [f"## {paper}", ""]
        for figure in listed:
            parts += [f"### {figure.name}", ""]
            if not all(isinstance(of_panel(panel, claims), Absent) for panel in figure.panels):
                parts += [f"![{paper}, {figure.name}]({folder}/{paper}/{figure.file}.{form})", ""]
            parts += ["| reading | statement | verdict | claimed | exponent |", "|---|---|---|---|---|"]
            parts += [_line(claims[key]) for panel in figure.panels for key in panel.claims]
            parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def _theme(claim: Judged) -> str:
    """ "Table 1" of "uarff, Table 1, rows of finite rank"; "rates" where the source is not the paper of the claim."""
    paper = claim.id.partition("/")[0]
    named = _NUMBERED.search(claim.cite) if claim.cite.startswith(f"{paper}, ") else None
    return f"{named[1].capitalize()} {named[2]}" if named else "rates"


def _natural(text: str) -> list[int | str]:
    """For sorting: Lemma 2 before Lemma 22 and Lemma 7 before Lemma 10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


def _panel(claim: Judged) -> Panel:
    fits = [cell.details for cell in claim.cells if cell.details is not None]
    return Panel(
        title=textwrap.fill(f"{claim.title or claim.key}: {claim.status}", _TITLE_WIDTH),
        claims=[claim.key],
        x=fits[0].along if fits else "",
        y="mean",
        log="xy",
        curves=[Curve(rows=MEAN, label=_label(cell), line="o", cell=cell.params) for cell in claim.cells],
        beside=f"claimed {_claimed(fits[0])}" if fits else "",
        beside_line="--",
    )


def _line(claim: Judged) -> str:
    fits = [cell.details for cell in claim.cells if cell.details is not None]
    columns = (
        f"`{claim.key}`",
        table_cell(f"{claim.statement} ({claim.restricts})" if claim.restricts else claim.statement),
        claim.status,
        _claimed(fits[0]) if fits else "",
        "; ".join(map(_measured, claim.cells)),
    )
    return f"| {' | '.join(columns)} |"


def _measured(cell: CellVerdict) -> str:
    """The fitted exponent with its interval, after the parameters of the cell."""
    return headed(cell.params, _exponent(cell.details))


def _label(cell: CellVerdict) -> str:
    """The same, for a legend: words of the grid speak for themselves."""
    words = (value if isinstance(value, str) else f"{name}={value}" for name, value in cell.params.items())
    return ": ".join(filter(None, (", ".join(words), _exponent(cell.details))))


def _exponent(fit: Fitted | None) -> str:
    if fit is None or fit.exponent is None:
        return "no exponent"
    ends = ("" if end is None else f"{end:.2f}" for end in fit.interval)
    return f"{fit.exponent:.2f} [{', '.join(ends)}]"


def _claimed(fit: Fitted) -> str:
    """As "n^-0.5", "n^-1 log^2 n" or "exactly n^-1"."""
    power = f"^{fit.log_power:g}" if fit.log_power != 1 else ""
    return f"{SAID[fit.at]}{fit.along}^{fit.claimed:.3g}" + (f" log{power} {fit.along}" if fit.log_power else "")
