"""`tightrope new`: a claim to start from, and its test."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from harness.cli.starting import COINS, SETS, STARTS, claim_text, grid_of, text_of_test
from harness.errors import UsageError
from harness.files import write_atomically
from harness.report.terminal import say
from harness.shell import operand, quoted

KIND, INPUTS = "high_probability", "interval"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--kind", default=None, type=click.Choice(list(STARTS)), help="The kind of statement.")
@click.option(
    "--inputs", default=None, type=click.Choice(list(SETS)), help="What is quantified: n numbers in this set."
)
@click.option("--grid", "axes", multiple=True, metavar="NAME=V,V", help="Values of a parameter; may be repeated.")
@click.option("--test/--no-test", default=True, show_default=True, help="Write the test beside the claim.")
def new(file: Path, kind: str | None, inputs: str | None, axes: tuple[str, ...], *, test: bool) -> None:
    """Create a file with one claim as a starting point, and its test.

    On a terminal it asks for what is not given; elsewhere the theorem is Hoeffding's inequality for coin flips. Both
    files work as they are: the claim HOLDS (tightrope check FILE), and its test passes (pytest test_FILE).
    """
    beside = file.with_name(f"test_{file.name}")
    for path in (file, *([beside] if test else [])):
        _refuse(path)
    kind, inputs, axes = _asked(kind, inputs, axes) if _on_a_terminal() else (kind or KIND, inputs, axes)
    if inputs is not None and not STARTS[kind].takes:
        raise UsageError(f"--inputs {inputs!r}: a {kind} quantifies over nothing; leave it out.")
    text = claim_text(str(file), file.stem, kind, inputs or INPUTS, grid_of(kind, axes))
    say(f"wrote {write_atomically(file, text)}; judge it with: tightrope check {quoted(operand(str(file)))}")
    if test:
        write_atomically(beside, text_of_test(file.name, beside.name, file.name))
        say(f"wrote {beside}; run it with: pytest {quoted(operand(str(beside)))}")


def _refuse(path: Path) -> None:
    if path.suffix != ".py":
        raise UsageError(f"{path} must be a name that ends in .py.")
    if path.exists():
        raise UsageError(f"{path} exists already; choose another name.")
    if _is_module(path.stem):
        raise UsageError(f"{path} would hide the module {path.stem!r} from what is beside it; choose another name.")


def _is_module(name: str) -> bool:
    """Whether `import name` finds a module here; a folder without code is none."""
    if not name.isidentifier():
        return False
    try:
        found = find_spec(name)
    except ValueError:  # one that was loaded in a way of its own
        return True
    return found is not None and found.origin is not None


def _on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _asked(kind: str | None, inputs: str | None, axes: Sequence[str]) -> tuple[str, str | None, tuple[str, ...]]:
    """What was given, and the answers to the rest."""
    if kind is None:
        kind = str(click.prompt("Kind of statement", default=KIND, type=click.Choice(list(STARTS))))
    if inputs is None and STARTS[kind].takes:
        inputs = str(click.prompt("For all x in", default=INPUTS, type=click.Choice(list(SETS))))
    if not axes:
        usual = (COINS if kind == KIND else STARTS[kind]).grid
        shown = " ".join(f"{name}={','.join(map(str, values))}" for name, values in usual.items())
        axes = str(click.prompt("Grid", default=shown)).split()
    return kind, inputs, tuple(axes)


COMMANDS = {"new": new}
