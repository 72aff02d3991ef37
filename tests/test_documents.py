"""The documents are true: their code runs as printed, and the commands and files they name exist."""

import re
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import TEMPLATE, main

ROOT = Path(__file__).resolve().parent.parent


def python_blocks(document: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [
        textwrap.dedent(block) for block in re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    ]


@pytest.mark.parametrize("index", range(4))
def test_each_recipe_of_contributing_runs_as_printed(index: int, tmp_path: Path) -> None:
    block = python_blocks("CONTRIBUTING.md")[index]
    path = tmp_path / f"recipe_{index}.py"
    path.write_text(block, encoding="utf-8")
    exec(compile(block, str(path), "exec"), {"__name__": f"recipe_{index}"})


def test_the_theorem_of_the_readme_is_the_template_and_holds(tmp_path: Path) -> None:
    block = python_blocks("README.md")[0]
    path = tmp_path / "my_claims.py"
    path.write_text(block, encoding="utf-8")
    arguments = ["check", str(path), "--quick", "--jobs", "1", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "HOLDS" in result.output
    assert block.split("@claim")[1].split('"', 2)[2] == TEMPLATE.split("@claim")[1].split('"', 2)[2]


def test_every_command_and_option_that_the_readme_names_exists() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"`tightrope (\w+)", text))
    assert commands <= set(main.commands)
    assert set(main.commands) <= commands
    options = {option for parameter in main.commands["check"].params for option in parameter.opts}
    assert set(re.findall(r"`(--[a-z-]+)", text.split("`check` takes")[1].split("\n\n")[0])) <= options


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/verdicts.md"])
def test_every_link_between_documents_leads_somewhere(document: str) -> None:
    path = ROOT / document
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target
