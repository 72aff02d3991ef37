"""What the commands share: exit codes, options, and numbers with units."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from harness.errors import UsageError

UNEXPECTED, BAD_USAGE, OPEN, INTERRUPTED = 1, 2, 3, 130
OUT = click.option(
    "--out",
    default="results",
    type=click.Path(path_type=Path),
    show_default=True,
    help="Folder for rows and reports.",
)
JOBS = click.option(
    "--jobs", default=None, type=click.IntRange(min=1), help="Worker processes; default: the number of cores."
)
SEED = click.option("--seed", default="0", show_default=True, help="Seed of the run, or 'fresh'.")

SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
BYTES = {"M": 2.0**20, "G": 2.0**30, "T": 2.0**40}


def measure(option: str, text: str, units: Mapping[str, float], examples: str) -> float:
    """A positive number with a unit."""
    try:
        number = float(text[:-1]) * units[text[-1]]
    except (KeyError, ValueError, IndexError):
        number = math.nan
    if not 0.0 < number < math.inf:
        raise UsageError(f"{option} {text!r} must be a number with a unit: {examples}.")
    return number


def seconds(option: str, text: str) -> float:
    return measure(option, text, SECONDS, "90s, 10m or 2h")


def json_object(option: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_constant=_not_finite)
    except ValueError as error:
        raise UsageError(f"{option} {text[:60]!r} is not JSON ({error}); write it as '{{\"n\": 10}}'.") from error
    if not isinstance(value, dict):
        raise UsageError(f"{option} {text[:60]!r} must be a JSON object such as '{{\"n\": 10}}'.")
    return value


def _not_finite(word: str) -> Any:
    raise ValueError(f"{word} is no number of it")


def require_checkout(command: str, file: Path, remedy: str) -> None:
    """Raise UsageError where a file of the repository is not to be found: commands of its maintainers need it."""
    if not file.is_file():
        raise UsageError(
            f"`tightrope {command}` works on a checkout of the repository, and there is no {file} here; run it in the "
            f"root of a clone, {remedy}."
        )
