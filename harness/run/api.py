"""The Python interface: `check(claim)` returns a verdict that displays well in a terminal and in a notebook."""

import secrets
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

import harness.report.display  # noqa: F401  (so that verdicts print themselves)
from harness.errors import UsageError
from harness.language.registry import Claim
from harness.run.runner import Observer, run
from harness.run.store import Store
from harness.settings import EFFORTS, STANDARD, Settings
from harness.verdict import Verdict

_ONE_AT_A_TIME = threading.RLock()
"""Of the threads of this process: bodies are judged with settings that all of them share, such as the default dtype."""


def check(claim: Claim, *, seed: int = 0, effort: str = "standard", device: str = "cpu", family: int = 1) -> Verdict:
    """Judge one claim in this process; threads wait for each other.

    Parameters
    ----------
    claim : a function decorated with `@claim`.
    seed : the run's seed; the same seed gives the same verdict.
    effort : "quick" or "standard".
    device : "cpu" or "cuda".
    family : how many claims share the error probability of 1 %.

    Raises
    ------
    UsageError : for an unknown effort or device, or an argument that is not a claim.
    """
    return check_all([claim], settings=settings_for(seed=seed, effort=effort, device=device, family=family))[0]


def check_all(
    claims: Sequence[Claim],
    *,
    settings: Settings | None = None,
    folder: Path | None = None,
    observer: Observer | None = None,
) -> list[Verdict]:
    """Judge several claims in this process; with a folder, rows are stored there and reused."""
    for claim in claims:
        if not isinstance(claim, Claim):
            raise UsageError(f"{repr(claim)[:60]} is not a claim; decorate the function with @claim.")
    chosen = settings or replace(settings_for(), family=len(claims))
    with _ONE_AT_A_TIME:
        return run(claims, chosen, store=Store(folder), observer=observer)


def settings_for(*, seed: int | str = 0, effort: str = "standard", device: str = "cpu", family: int = 1) -> Settings:
    """Checked settings; `seed` may be "fresh"."""
    if effort not in EFFORTS:
        raise UsageError(f"effort {effort!r} must be one of {', '.join(EFFORTS)}.")
    if device not in ("cpu", "cuda"):
        raise UsageError(f"--device {device!r} must be cpu or cuda.")
    if device == "cuda" and not torch.cuda.is_available():
        raise UsageError("--device cuda: no GPU is available to torch here; use --device cpu.")
    if isinstance(seed, str) and seed != "fresh" and not seed.isdecimal():
        raise UsageError(f"--seed {seed!r} must be a non-negative integer or 'fresh'.")
    number = secrets.randbelow(2**31) if seed == "fresh" else int(seed)
    return Settings(seed=number, effort=EFFORTS.get(effort, STANDARD), device=device, family=max(family, 1))


__all__ = ["check", "check_all", "settings_for"]
