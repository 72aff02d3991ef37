"""What `tightrope tighten` prints, draws and writes."""

from pathlib import Path

from harness.cli.options import json_object
from harness.errors import UsageError
from harness.files import json_text, write_atomically
from harness.language.kind import Comparison
from harness.language.registry import Claim, Parameters
from harness.numbers import headed
from harness.report.explain import shortened_values
from harness.report.terminal import say
from harness.run.api import settings_for
from harness.run.loading import resolve
from harness.settings import Settings
from harness.tightening import Tightened, tighten_by_judging, tighten_ratio
from harness.tightening.picture import FORMATS, draw
from harness.tightening.scaled import has_constant, scaled, with_constant


def tightened(
    reference: str,
    *,
    params: str | None,
    constant: str | None,
    rtol: float,
    boxes: int,
    quick: bool,
    seed: str,
    plot: Path | None,
    file: Path | None,
) -> None:
    """Enclose the best constant of a claim in its cells, print each, and draw and write them where asked to."""
    claim, _ = resolve(reference)
    if plot is not None and plot.suffix not in FORMATS:
        raise UsageError(f"--plot needs a file that ends in {', '.join(FORMATS)}, got {str(plot)!r}.")
    if not rtol > 0.0:
        raise UsageError(f"--rtol {rtol} must be positive, such as 0.01.")
    if claim.kind.flaw:
        raise UsageError(claim.kind.flaw)
    if not has_constant(claim):
        raise UsageError(
            f"claim {claim.key!r} is of kind {claim.kind.name!r}, which has no constant; tighten an always, "
            "high_probability or expectation claim."
        )
    settings = settings_for(seed=seed, effort="quick" if quick else "standard")
    found = []
    for cell in _cells(claim, params):
        result = _one(claim, cell, constant, settings, rtol, boxes)
        found.append(result)
        say(f"{claim.key} {headed(cell, result.sentence)}")
        if result.instance is not None:
            ratio = "" if result.ratio is None else f" (ratio {result.ratio:.6g})"
            say(f"  approached at {shortened_values(result.instance)}{ratio}")
    if plot is not None:
        draw(found, plot)
    if file is not None:
        payload = {"claim": claim.key, "constant": constant, "cells": [each.plain() for each in found]}
        write_atomically(file, json_text(payload, 1))


def _cells(claim: Claim, params: str | None) -> tuple[Parameters, ...]:
    if params is None:
        return claim.groups()
    wanted = json_object("--params", params)
    if wanted in claim.groups():
        return (wanted,)
    raise UsageError(f"--params {params} is no cell of {claim.key!r}; its cells are {list(claim.groups())[:4]}.")


def _one(  # noqa: PLR0917
    claim: Claim, cell: Parameters, constant: str | None, settings: Settings, rtol: float, boxes: int
) -> Tightened:
    if constant is not None:
        rest = {name: value for name, value in cell.items() if name != constant}
        start = float(cell.get(constant) or 1.0)
        return tighten_by_judging(
            lambda c: with_constant(claim, cell, constant, c), rest, settings, start=start, rtol=rtol
        )
    if isinstance(claim.kind, Comparison):
        return tighten_ratio(claim, cell, settings, rtol=rtol, boxes=boxes)
    return tighten_by_judging(lambda c: scaled(claim, cell, c), cell, settings, rtol=rtol)
