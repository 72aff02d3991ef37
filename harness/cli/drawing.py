"""What `tightrope figures` does: find the run, draw, say what is missing."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.cli.executors import executor
from harness.cli.options import UNEXPECTED
from harness.files import write_atomically
from harness.report.figures.drawing import Format, draw_figure
from harness.report.figures.material import Absent, of_figure
from harness.report.figures.specification import Figure, claims_of, figures
from harness.report.layout import Judged, judged, last_run, run_of
from harness.report.table import ProgressBar
from harness.report.terminal import console, say
from harness.run.api import settings_for
from harness.run.loading import ledger
from harness.run.runner import run
from harness.run.selection import select
from harness.run.store import Store


def draw_all(
    *,
    papers: Sequence[str],
    form: Format,
    source: Path | None,
    folder: Path | None,
    quick: bool,
    seed: str,
    jobs: int | None,
    out: Path,
) -> int:
    """Draw the figures of the papers; the exit code."""
    chosen = figures(*papers)
    names = claims_of(chosen)
    runs = _stored(source) if source else _judged(names, quick=quick, seed=seed, jobs=jobs, out=out)
    to = folder or out / "figures"
    complete = [_draw(paper, figure, runs, to, form) for paper, listed in chosen.items() for figure in listed]
    say(f"{sum(complete)} of {len(complete)} figures have all their panels")
    return 0 if all(complete) else UNEXPECTED


@dataclass(frozen=True)
class _Run:
    """The claims of a run by id, and how it is named."""

    claims: Mapping[str, Judged]
    name: str

    @classmethod
    def of(cls, claims: Iterable[Judged], effort: str, seed: int) -> "_Run":
        return cls({claim.id: claim for claim in claims}, f"from our run ({effort} effort, seed {seed})")


def _draw(paper: str, figure: Figure, run: _Run, folder: Path, form: Format) -> bool:
    """Write the file of a figure if there is anything to draw; whether every panel is drawn."""
    found = of_figure(figure, run.claims)
    absent = [(panel, part.why) for panel, part in zip(figure.panels, found, strict=True) if isinstance(part, Absent)]
    if len(absent) < len(found):
        path = folder / paper / f"{figure.file}.{form}"
        say(f"wrote {write_atomically(path, draw_figure(paper, figure, found, form, made=run.name))}")
    for panel, why in absent:
        name = ", ".join(filter(None, (paper, figure.name, panel.title)))
        say(f"not drawn: {name}: {why}")
    return not absent


def _stored(source: Path) -> _Run:
    """A run that was written to a file, or into a folder."""
    stored = last_run(source) if source.is_dir() else run_of(source)
    return _Run.of(stored.claims, stored.effort, stored.seed)


def _judged(names: Sequence[str], *, quick: bool, seed: str, jobs: int | None, out: Path) -> _Run:
    """Judge the claims; what is stored is reused."""
    family = ledger()
    settings = settings_for(seed=seed, effort="quick" if quick else "standard", family=len(family))
    store = Store(out)
    claims = select(family, names) if names else []
    with executor(jobs or (os.cpu_count() or 1)) as (workers, in_flight), ProgressBar(console()) as bar:
        verdicts = run(claims, settings, store=store, executor=workers, observer=bar, in_flight=in_flight)
    for sentence in store.damaged:
        say(f"warning: {sentence}", err=True)
    return _Run.of(map(judged, verdicts), settings.effort.name, settings.seed)
