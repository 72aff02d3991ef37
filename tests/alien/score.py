"""Judge the alien claims and print the score: `python tests/alien/score.py [known|aside|all]` (see README.md).

Exit code 1 when a truth is REFUTED or a claim cannot be judged (it raises, or its worker dies), else 0. Of the hold-out
set only counts are shown, unless `--names` asks for more.
"""

import argparse
import fnmatch
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table

from harness.run.api import check
from harness.run.loading import from_file
from harness.verdict import Status

FOLDER = Path(__file__).resolve().parent
FAMILY = 4000  # how many claims share the error probability of 1 %: fixed, and more than all truths there are
TROUBLES = ("accused", "missed", "error")
ASYMPTOTIC = "asymptotic evidence against"  # no sample refutes a mean without a range
claims_of = cache(from_file)  # a worker loads a file once


class Job(NamedTuple):
    """One claim at one seed; its grade is "true", "plain" or "subtle"."""

    part: str
    hand: str
    grade: str
    path: Path
    claim_id: str
    seed: int


class Result(NamedTuple):
    """What became of a job."""

    job: Job
    status: Status
    cpu_seconds: float
    reason: str = ""

    @property
    def trouble(self) -> str:
        """A refuted truth is "accused", a falsehood not refuted "missed"; "error", or "" where all is well."""
        if self.status == Status.ERROR:
            return "error"
        true, refuted = self.job.grade == "true", self.status == Status.REFUTED
        return "" if true != refuted else "accused" if true else "missed"


def jobs_of(part: str, seeds: Sequence[int], pattern: str = "*") -> Iterator[Job]:
    """The claims of `part` ("known" or "aside") whose id matches the pattern, each at every seed."""
    for path in sorted(FOLDER.glob(f"{part}_*.py")):
        for name in fnmatch.filter((claim.id for claim in claims_of(path)), pattern):
            hand, _, title = name.partition("/")
            yield from (Job(part, hand, title.partition("-")[0], path, name, seed) for seed in seeds)


def judge(job: Job, effort: str) -> Result:
    """Runs in a worker: load the claim and judge it on one thread."""
    torch.set_num_threads(1)
    start = time.process_time()
    try:
        claim = next(claim for claim in claims_of(job.path) if claim.id == job.claim_id)
        verdict = check(claim, seed=job.seed, effort=effort, family=FAMILY)
        status, reason = verdict.status, verdict.reason
    except Exception as error:  # a judge that raises is a finding, not the end of the score
        status, reason = Status.ERROR, f"{type(error).__name__}: {error}"
    return Result(job, status, time.process_time() - start, reason)


def run(jobs: Sequence[Job], chosen: argparse.Namespace, console: Console) -> list[Result]:
    """All results, in the order of the jobs."""
    os.environ["OMP_NUM_THREADS"] = "1"  # inherited by the workers
    results: dict[Job, Result] = {}
    with ProcessPoolExecutor(chosen.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = {pool.submit(judge, job, chosen.effort): job for job in jobs}
        for future in track(as_completed(futures), "judging", total=len(futures), console=console):
            job, death = futures[future], future.exception()
            results[job] = Result(job, Status.ERROR, 0.0, f"its worker died: {death}") if death else future.result()
    return [results[job] for job in jobs]


def counts(results: Sequence[Result]) -> dict[str, Any]:
    """Truths by status, falsehoods refuted and in all by grade, troubles and CPU seconds."""
    graded = {grade: [r for r in results if r.job.grade == grade] for grade in ("true", "plain", "subtle")}
    return {
        "truths": dict(sorted(Counter(r.status for r in graded.pop("true")).items())),
        **{g: {"refuted": sum(r.status == Status.REFUTED for r in rs), "of": len(rs)} for g, rs in graded.items()},
        **{trouble: sum(r.trouble == trouble for r in results) for trouble in TROUBLES},
        "asymptotic": sum(r.trouble == "missed" and ASYMPTOTIC in r.reason for r in results),
        "cpu_seconds": round(sum(r.cpu_seconds for r in results), 1),
    }


def show(part: str, results: Sequence[Result], console: Console, *, named: bool) -> dict[str, Any]:
    """Print the table of a part, and its troubles by name if wanted; returns the counts by hand and "all"."""
    table = Table("hand", "truths", "plain refuted", "subtle refuted", "CPU s", title=part, title_justify="left")
    hands = sorted({r.job.hand for r in results})
    rows = {hand: counts([r for r in results if r.job.hand == hand]) for hand in hands} | {"all": counts(results)}
    for hand, row in rows.items():
        truths = ", ".join(f"{n} {status}" for status, n in row["truths"].items())
        falsehoods = [f"{row[grade]['refuted']} of {row[grade]['of']}" for grade in ("plain", "subtle")]
        table.add_row(hand, truths, *falsehoods, str(row["cpu_seconds"]))
    console.print(table)
    console.print(", ".join(f"{rows['all'][trouble]} {trouble}" for trouble in TROUBLES))
    console.print(f"of the missed, with the strongest word for a mean without a range: {rows['all']['asymptotic']}")
    for r in sorted(results, key=lambda r: r.trouble):
        if named and r.trouble:
            line = f"{r.trouble}: {r.job.claim_id} (seed {r.job.seed}) {r.status} {r.reason}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="all", choices=("known", "aside", "all"))
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--effort", default="standard", choices=("quick", "standard"))
    parser.add_argument("--jobs", type=int, default=1, help="worker processes")
    parser.add_argument("--json", type=Path, help="write the counts to this file")
    parser.add_argument("--names", action="store_true", help="name the troubles of the hold-out set too")
    parser.add_argument("--only", default="*", help="claims whose id matches this pattern")
    chosen, console = parser.parse_args(arguments), Console()
    parts = ("known", "aside") if chosen.part == "all" else (chosen.part,)
    results = run([j for part in parts for j in jobs_of(part, chosen.seeds, chosen.only)], chosen, console)
    counted: dict[str, Any] = {"seeds": chosen.seeds, "effort": chosen.effort, "family": FAMILY}
    for part in parts:
        inside = [r for r in results if r.job.part == part]
        counted[part] = show(part, inside, console, named=chosen.names or part == "known")
    if chosen.json:
        chosen.json.write_text(json.dumps(counted, indent=1) + "\n", encoding="utf-8")
    return int(any(r.trouble in ("accused", "error") for r in results))


if __name__ == "__main__":
    sys.exit(main())
