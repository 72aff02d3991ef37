"""What `tightrope compare` prints, draws and writes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from harness.comparison import FAMILIES, Along, Comparison, Standing, along, compare
from harness.comparison.picture import FORMATS, draw
from harness.errors import UsageError
from harness.files import json_text, write_atomically
from harness.report.terminal import console, say


def compare_bounds(
    names: Sequence[str], numbers: Sequence[str], *, span: str | None, plot: Path | None, file: Path | None, out: Path
) -> None:
    """List families, or rank bounds at numbers given as `name=value`, or along one of them."""
    pairs = [_number(text) for text in numbers]
    given = dict(pairs)
    if len(given) < len(pairs):
        twice = next(name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1)
        raise UsageError(f"{twice} is given twice; give each number once, or a span of it with --along.")
    if plot is not None and span is None:
        raise UsageError(f"--plot {plot}: it draws bounds along a number; name that with --along.")
    if plot is not None and plot.suffix not in FORMATS:
        raise UsageError(f"--plot needs a file that ends in {', '.join(FORMATS)}, got {str(plot)!r}.")
    if not names:
        if given or span or file:
            raise UsageError("say which bounds to compare; `tightrope compare` lists them.")
        _list()
    elif span is None:
        comparison = compare(names, given)
        _show(comparison, _verdicts(out))
        _write(file, [comparison])
    else:
        name, low, high = _span(span)
        curves = along(names, given, name, low, high)
        _show_along(curves)
        if plot is not None:
            draw(curves, plot)
        _write(file, curves.comparisons)


def _list() -> None:
    for family in FAMILIES:
        say(f"{family.name}: {family.left_side}")
        for number, meaning in family.numbers.items():
            say(f"    {number}: {meaning}")
        for bound in family.bounds:
            say(f"  {bound.name} ({bound.source}): from {', '.join(bound.needs)}")


def _show(comparison: Comparison, verdicts: Mapping[str, str]) -> None:
    family = comparison.family
    say(f"{family.left_side}; trivial: {_form(comparison.trivial)}")
    table = Table(box=None, pad_edge=False, header_style="bold")
    headers = ("bound", "value", "over the best", "", *([f"informative from {family.grows}"] if family.grows else []))
    for header in (*headers, "source", "judged by"):
        table.add_column(header, overflow="fold", justify="right" if header in headers[1:3] else "left")
    for s in comparison.standings:
        threshold = [_threshold(s)] if family.grows else []
        ratio = "" if s.above_best is None or s.false else f"{s.above_best:.3g}"
        judged = verdicts.get(s.bound.claim or "", s.bound.claim or "")
        table.add_row(s.bound.name, _form(s.value), ratio, _remark(s), *threshold, s.bound.source, judged)
    console().print(table)


def _verdicts(out: Path) -> dict[str, str]:
    """What the last run said of each reading, if there was one."""
    if not (out / "verdicts.json").exists():
        return {}
    from harness.report.layout import last_run  # noqa: PLC0415  (imports torch)

    found = {}
    for claim in last_run(out).claims:
        loose = "" if claim.looseness is None else f", looseness {claim.looseness:.3g}"
        found[claim.key] = f"{claim.key}: {claim.status}{loose}"
    return found


def _remark(standing: Standing) -> str:
    words = [standing.obstacle] if standing.obstacle else []
    if standing.false:
        words.append("false in print")
    if standing.vacuous:
        words.append("vacuous")
    return ", ".join(words)


def _threshold(standing: Standing) -> str:
    return "" if standing.informative_from is None else f"{standing.informative_from:,}"


def _show_along(curves: Along) -> None:
    compared = {s.bound.name for s in curves.comparisons[0].standings}
    names = [bound.name for bound in curves.comparisons[0].family.bounds if bound.name in compared]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for header in (curves.name, *names, "best"):
        table.add_column(header, overflow="fold", justify="right")
    for comparison in curves.comparisons:
        values = {s.bound.name: s for s in comparison.standings}
        best = comparison.best
        cells = [f"({_form(values[n].value)})" if values[n].vacuous else _form(values[n].value) for n in names]
        table.add_row(f"{comparison.numbers[curves.name]:g}", *cells, best.bound.name if best else "-")
    console().print(table)
    say("in brackets: vacuous")
    for value, name in curves.changes():
        say(f"from {curves.name} = {value:g}: {name}")


def _write(file: Path | None, comparisons: Sequence[Comparison]) -> None:
    if file is not None:
        content = {"comparisons": [_plain(comparison) for comparison in comparisons]}
        write_atomically(file, json_text(content, 1) + "\n")


def _plain(comparison: Comparison) -> dict[str, Any]:
    return {
        "family": comparison.family.name,
        "numbers": dict(comparison.numbers),
        "trivial": comparison.trivial,
        "bounds": [
            {
                "name": s.bound.name,
                "value": s.value,
                "obstacle": s.obstacle,
                "vacuous": s.vacuous,
                "false_in_print": s.false,
                "over_best": s.above_best,
                "informative_from": s.informative_from,
                "source": s.bound.source,
                "claim": s.bound.claim,
            }
            for s in comparison.standings
        ],
    }


def _number(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    return name.strip(), _value(value, text)


def _value(value: str, text: str) -> float:
    """A whole number as an integer, however it is written."""
    try:
        number = float(value)
    except ValueError:
        raise UsageError(f"{text!r} is not of the form n=100.") from None
    return int(number) if number.is_integer() else number


def _span(text: str) -> tuple[str, float, float]:
    name, _, ends = text.partition("=")
    low, colon, high = ends.partition(":")
    if not colon:
        raise UsageError(f"--along {text!r} is not of the form n=100:1e6.")
    return name.strip(), _value(low, text), _value(high, text)


def _form(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
