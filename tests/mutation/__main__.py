"""`python -m tests.mutation`: mutate the bounds, print who noticed, exit with 1 if a mutant survives."""

import json
import sys
from pathlib import Path

import click
from rich.console import Console

import bounds
from harness.errors import TightropeError, UsageError
from harness.files import write_atomically
from tests.helpers import public_modules
from tests.mutation.engine import judge_all
from tests.mutation.killers import ClaimKiller, Killer, OracleKiller, OrderingKiller
from tests.mutation.report import as_json, survivors, table


def modules_of_bounds() -> list[str]:
    """The public modules of `bounds`."""
    return public_modules(bounds)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("modules", nargs=-1)
@click.option(
    "--oracles", type=click.Path(path_type=Path), default=Path("tests/oracles"), help="Folder of oracle values."
)
@click.option("--killers", default="oracle,ordering,claim", help="Who looks, in this order.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write everything about each mutant here.")
def main(modules: tuple[str, ...], oracles: Path, killers: str, json_file: Path | None) -> None:
    """Mutate MODULES of bounds (all by default; `rates` for `bounds.random_features.rates`) and see what notices."""
    console = Console()
    try:
        watchers = _killers(killers, oracles)
        known = modules_of_bounds()
        chosen = [_module(name, known) for name in modules] or known
        outcomes = judge_all(chosen, watchers)
        if json_file is not None:
            write_atomically(json_file, json.dumps(as_json(outcomes), indent=1))
    except TightropeError as error:
        console.print(f"error: {error}", markup=False)
        sys.exit(2)
    console.print(table(outcomes, [killer.name for killer in watchers]))
    left = survivors(outcomes)
    console.print("\n".join(left), markup=False, soft_wrap=True)
    sys.exit(1 if left else 0)


def _killers(names: str, oracles: Path) -> list[Killer]:
    known: dict[str, Killer] = {k.name: k for k in (OracleKiller(oracles), OrderingKiller(), ClaimKiller())}
    try:
        return [known[name] for name in names.split(",")]
    except KeyError as error:
        raise UsageError(f"there is no killer {error}; choose some of {', '.join(known)}.") from error


def _module(name: str, known: list[str]) -> str:
    found = [full for full in known if full == name or full.endswith(f".{name}")]
    if len(found) != 1:
        raise UsageError(f"there is no module {name}, or more than one; choose some of {', '.join(known)}.")
    return found[0]


if __name__ == "__main__":
    main()
