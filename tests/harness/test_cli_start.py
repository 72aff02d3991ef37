"""What a command imports before it does anything: help and comparisons answer at once."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

import harness
from harness.cli import COMMANDS, main, selection
from harness.errors import UsageError
from harness.run.catalogue import Entry, catalogue
from harness.run.loading import ledger

HEAVY = ("torch", "numpy", "scipy", "matplotlib", "sklearn")
LIGHT = [
    ["--help"],
    ["--version"],
    *([name, "--help"] for name in COMMANDS),
    ["list"],
    ["list", "lkrf/lem-*"],
    ["new", "mine.py"],
    ["diff", "one.json", "one.json"],
]
COMPILER = ("torch._dynamo", "sympy")
"""What torch compiles with: a thousand modules and three seconds, which some of its functions import."""
SELDOM = ("scipy.optimize", "scipy.stats", "sklearn")
"""Libraries that few claims need."""

JUDGES = f"""
import sys
from pathlib import Path
from harness.run.api import check
from harness.run.loading import from_file, ledger
from harness.run.execution import warm

warm()
known = {{claim.key: claim for claim in [*ledger(), *from_file(Path(sys.argv[1]))]}}
for key in ("hoeffding1963/thm-1", "nsrf/eq-4", "lkrf/eq-15"):
    assert check(known[key], effort="quick").status.favourable, key
print(*({{*sys.modules}} & {{*{COMPILER!r}}}))
"""
VERDICTS = '{"claims": [{"id": "a/b", "reading": null, "status": "HOLDS"}]}'


@pytest.mark.parametrize("command", LIGHT, ids=" ".join)
def test_commands_that_judge_nothing_import_nothing_heavy(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(VERDICTS)
    script = f"import sys\ntry:\n    from harness.cli import main; main({command!r})\nfinally:\n    print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    modules = set(done.stdout.split())
    assert "harness.cli" in modules
    assert modules.isdisjoint(HEAVY)


def test_judging_flips_waves_and_divergence_balls_imports_no_compiler(
    write_claims: Callable[..., Path], coin_text: str
) -> None:
    """Nor does the process from which workers are forked, before it forks the first."""
    command = [sys.executable, "-c", JUDGES, str(write_claims(coin_text))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_what_judges_a_claim_of_a_user_loads_no_library_that_few_claims_need() -> None:
    script = "import sys; import harness.cli.judging; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"torch", "scipy.special"} <= set(done.stdout.split())
    assert set(SELDOM).isdisjoint(done.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_what_the_help_says_about_a_command_is_what_the_command_says(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert (command.help or "").startswith(COMMANDS[name][1].rstrip("."))


def test_the_list_is_that_of_the_claims_as_they_are_imported() -> None:
    shown = [Entry(c.id, c.reading, c.kind.name, c.expected, c.statement) for c in ledger()]
    assert catalogue() == shown
    assert [entry.key for entry in catalogue()] == [claim.key for claim in ledger()]


def test_every_public_name_is_where_the_package_looks_for_it() -> None:
    for name in harness.__all__:
        assert getattr(harness, name).__name__.rpartition(".")[2] == name  # `every` is a module
    assert set(harness.__all__) <= set(dir(harness))
    with pytest.raises(AttributeError, match="'nothing'"):
        _ = harness.nothing


def test_a_file_that_takes_long_to_import_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(selection, "LONG", 0.05)
    (tmp_path / "slow.py").write_text("import time\n\ntime.sleep(0.5)\n", encoding="utf-8")
    (tmp_path / "fast.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.setattr(selection, "from_file", lambda path: exec(path.read_text()) or ())
    for name in ("slow.py", "fast.py"):
        with pytest.raises(UsageError):
            selection.gather([f"{tmp_path / name}::mine/nothing"])
    said = capfd.readouterr().err
    assert f"note: {tmp_path / 'slow.py'} has been imported for 0.05 s" in said
    assert "fast.py" not in said
