"""What `tightrope figures` does: find the run, draw, say what is missing."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.claims import CLASSICS, PAPERS
from harness.cli.executors import executor
from harness.cli.options import UNEXPECTED
from harness.files import write_atomically
from harness.kinds.decay import Rate
from harness.language.registry import Claim
from harness.report.figures.atlas import atlas as rates_by_theme
from harness.report.figures.atlas import page
from harness.report.figures.drawing import Format, draw_figure
from harness.report.figures.material import Absent, of_figure
from harness.report.figures.sheet import Shown, contact_sheet
from harness.report.figures.specification import Figure, claims_of, figures
from harness.report.layout import Judged, judged, last_run, run_of
from harness.report.progress import ProgressBar
from harness.report.terminal import console, say
from harness.run.api import settings_for
from harness.run.loading import ledger
from harness.run.runner import run
from harness.run.selection import select
from harness.run.store import Store


def draw_all(
    *,
    papers: Sequence[str],
    atlas: bool,
    form: Format,
    source: Path | None,
    folder: Path | None,
    sheet: Path | None,
    quick: bool,
    seed: str,
    jobs: int | None,
    out: Path,
) -> int:
    """Draw the figures of the papers, or the atlas of rates with its page, and a contact sheet; the exit code."""
    chosen = figures(*(paper for paper in papers if not (atlas and paper == CLASSICS)))
    to = folder or out / "figures"

    def judge(name: str, names: Sequence[str]) -> _Run:
        return _judged(ledger(name), names, quick=quick, seed=seed, jobs=jobs, out=out)

    if not atlas:
        run = _stored(source) if source else judge(PAPERS, claims_of(chosen))
        return _draw_each(chosen, run, _Target(to, form, sheet))
    runs = [_stored(source)] if source else [judge(name, _rates(name)) for name in (PAPERS, CLASSICS)]
    held = {claim.key: claim for one in runs for claim in one.claims.values()}
    everything = rates_by_theme(held.values())
    some = {paper: listed for paper, listed in everything.items() if not papers or paper in papers}
    text = page(some, held, "atlas", form)
    code = _draw_each(some, _Run(held, runs[0].name), _Target(to / "atlas", form, sheet))
    say(f"wrote {write_atomically(to / 'atlas.md', text)}")
    return code


def _rates(name: str) -> list[str]:
    """The readings of a ledger that are rates."""
    return [claim.key for claim in ledger(name) if isinstance(claim.kind, Rate)]


@dataclass(frozen=True)
class _Target:
    """The folder of the files, their format, and the contact sheet or none."""

    folder: Path
    form: Format
    sheet: Path | None


def _draw_each(chosen: Mapping[str, Sequence[Figure]], held: "_Run", to: _Target) -> int:
    drawn = {paper: [_draw(paper, figure, held, to) for figure in listed] for paper, listed in chosen.items()}
    complete = [not shown.absent for listed in drawn.values() for shown in listed]
    if to.sheet:
        say(f"wrote {write_atomically(to.sheet, contact_sheet(drawn, held.name))}")
    say(f"{sum(complete)} of {len(complete)} figures have all their panels")
    return 0 if all(complete) else UNEXPECTED


@dataclass(frozen=True)
class _Run:
    """The claims of a run by id and by key, and how it is named."""

    claims: Mapping[str, Judged]
    name: str

    @classmethod
    def of(cls, claims: Iterable[Judged], effort: str, seed: int) -> "_Run":
        named = {name: claim for claim in claims for name in (claim.id, claim.key)}
        return cls(named, f"from our run ({effort} effort, seed {seed})")


def _draw(paper: str, figure: Figure, run: _Run, to: _Target) -> Shown:
    """Write the file of a figure if there is anything to draw; what a contact sheet shows of it."""
    found = of_figure(figure, run.claims)
    absent = [(panel, part.why) for panel, part in zip(figure.panels, found, strict=True) if isinstance(part, Absent)]
    svg = b""
    if len(absent) < len(found):
        path = to.folder / paper / f"{figure.file}.{to.form}"
        content = draw_figure(paper, figure, found, to.form, made=run.name)
        if to.sheet:
            svg = content if to.form == "svg" else draw_figure(paper, figure, found, made=run.name)
        say(f"wrote {write_atomically(path, content)}")
    for panel, why in absent:
        name = ", ".join(filter(None, (paper, figure.name, panel.title)))
        say(f"not drawn: {name}: {why}")
    return Shown(figure, svg, [": ".join(filter(None, (panel.title, why))) for panel, why in absent])


def _stored(source: Path) -> _Run:
    """A run that was written to a file, or into a folder."""
    stored = last_run(source) if source.is_dir() else run_of(source)
    return _Run.of(stored.claims, stored.effort, stored.seed)


def _judged(
    family: Sequence[Claim], names: Sequence[str], *, quick: bool, seed: str, jobs: int | None, out: Path
) -> _Run:
    """Judge the claims of a ledger with these names; what is stored is reused."""
    settings = settings_for(seed=seed, effort="quick" if quick else "standard", family=len(family))
    store = Store(out)
    claims = select(family, names) if names else []
    with executor(jobs or (os.cpu_count() or 1)) as (workers, in_flight), ProgressBar(console()) as bar:
        verdicts = run(claims, settings, store=store, executor=workers, observer=bar, in_flight=in_flight)
    for sentence in store.damaged:
        say(f"warning: {sentence}", err=True)
    return _Run.of(map(judged, verdicts), settings.effort.name, settings.seed)
