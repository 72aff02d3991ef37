"""Run a page from its first block to its last in an empty folder, as a reader would.

A block with a title is a file of that name. Other `python` blocks run one after another in one namespace, and the
`text` block below one shows what it prints. In a `console` each `$` is a command, with its output below. A command that
fails shows its exit code: `$ echo $?` comes next.
"""

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from click.testing import CliRunner

from harness.cli import main
from tests.documents.blocks import Block, blocks, steps

ROOT = Path(__file__).resolve().parents[2]
READERS = {".toml": tomllib.loads, ".yml": yaml.safe_load, ".yaml": yaml.safe_load, ".json": json.loads}


@dataclass(frozen=True)
class Output:
    """What a page shows in its lines from `first` on, and what appeared."""

    first: int
    shown: Sequence[str]
    found: Sequence[str]
    below: str  # what was run


def run(text: str) -> Iterator[Output]:
    """Run the blocks of a page in the working directory, and say what appeared for each that shows or prints."""
    namespace: dict[str, object] = {"__name__": "page"}
    found = list(blocks(text))
    for block, after in zip(found, [*found[1:], None], strict=True):
        if block.not_run is not None or block.language == "text":
            continue
        if block.title is not None:
            _write(block, block.title)
        elif block.language == "python":
            below = after if after is not None and after.follows == block.end and after.language == "text" else None
            printed = _printed(block.text, namespace).splitlines()
            if below is not None:
                yield Output(below.first, below.lines, printed, block.text)
            elif printed:
                yield Output(block.end + 1, (), printed, block.text)
        else:
            yield from _console(block)


def _write(block: Block, title: str) -> None:
    """A file of the page; where its ending names a format, it can be read."""
    path = Path(title)
    if path.suffix in READERS:
        READERS[path.suffix](block.text)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")


def _printed(code: str, namespace: dict[str, object]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        exec(compile(code, "page", "exec"), namespace)
    return stream.getvalue()


def _console(block: Block) -> Iterator[Output]:
    code = 0
    commands = steps(block)
    for step, after in zip(commands, [*commands[1:], None], strict=True):
        if step.command == "echo $?":
            code, printed = 0, str(code)
        else:
            code, printed = execute(shlex.split(step.command))
        if code and (after is None or after.command != "echo $?"):
            printed += f"\n[exit code {code}: show it by `$ echo $?`]"
        yield Output(step.first, step.shown, printed.splitlines(), step.command)


def execute(words: list[str]) -> tuple[int, str]:
    """The exit code of a command, and what it writes to either stream."""
    if words[0] == "tightrope":
        result = CliRunner().invoke(main, words[1:], prog_name="tightrope", env={"COLUMNS": "80"})
        return result.exit_code, result.output
    if words[0] == "cat":
        return 0, "".join(Path(name).read_text(encoding="utf-8") for name in words[1:])
    if words[0] in ("pytest", "python"):
        call = [sys.executable, *(["-m", "pytest"] if words[0] == "pytest" else []), *words[1:]]
        place = {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]), "COLUMNS": "80"}
        done = subprocess.run(call, env={**os.environ, **place}, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr
    raise ValueError(f"a page may run tightrope, pytest, python, cat and echo $?, not {words[0]!r}.")
