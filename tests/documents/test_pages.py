"""The manual is true: the blocks of every page run, in order, and what a page shows is what appears."""

import re
import shlex
import sys
from pathlib import Path

import pytest
import yaml

from harness.cli import COMMANDS
from tests.documents.blocks import blocks, steps
from tests.documents.running import execute, run
from tests.documents.shown import agrees

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))

GENERATED = {
    "atlas.md": "made by `tightrope figures --atlas`",
    "classics.md": "made by `tightrope record`",
    "coverage.md": "made by `tightrope record`",
    "errata.md": "made by `tightrope record`; its commands run in the nightly test below",
    "figures.md": "made by `tightrope record`",
    "sensitivity.md": "made by `tightrope sensitivity`",
    "speed.md": "made by `tightrope bench --from results/speed.json --page docs/speed.md`",
}
WALKS = ("features.md", "kernel-learning.md", "language.md", "margin-game.md", "pac-bayes.md")
"""Pages whose blocks run in tests/test_documents.py, with more said about their numbers."""
REASONS = {
    "it needs a GPU",
    "it needs a Slurm cluster",
    "it needs other machines",
    "it installs packages",
    "it downloads data",
}
"""Why a block may stand in a page without being run."""
LANGUAGES = {"python", "console", "text", "yaml", "toml"}
RUN = [page for page in PAGES if page not in GENERATED and page not in WALKS]


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in RUN if "```" in text_of(page)])
def test_a_page_shows_what_appears(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write what appears by `python -m tests.documents docs/PAGE`, and read what has changed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    for output in run(text_of(page)):
        place = f"{page}, line {output.first + 1}, below\n{output.below}\n"
        assert agrees(output.shown, output.found), place + "\n".join(output.found)
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


REPLAYS = re.findall(r"(?ms)^```sh\ntightrope (replay '(\S+)'.*?)\n```", text_of("errata.md"))


@pytest.mark.nightly
@pytest.mark.parametrize("command", [pytest.param(command, id=claim) for command, claim in REPLAYS])
def test_a_counterexample_of_the_errata_replays(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is made from a run; its commands have to work for a reader who has only the page."""
    monkeypatch.chdir(tmp_path)
    code, said = execute(["tightrope", *shlex.split(command)])
    assert code == 0, said


def test_every_defect_of_the_errata_has_a_command() -> None:
    assert len(REPLAYS) == text_of("errata.md").count("\n### ")


@pytest.mark.parametrize("page", RUN)
def test_every_block_runs_or_says_why_not(page: str) -> None:
    """No language that nothing runs, no output below nothing, no reason that is not on the list."""
    for block in blocks(text_of(page)):
        place = f"{page}, line {block.first}"
        assert block.language in LANGUAGES, place
        assert block.not_run is None or block.not_run in REASONS, place
        if block.language == "text" and block.title is None:
            assert block.follows is not None, f"{place}: no block stands above this output"
        if block.language in ("yaml", "toml"):
            assert block.title is not None, f"{place}: a file needs its name"


def test_no_reason_is_kept_that_no_block_has() -> None:
    used = {block.not_run for page in RUN for block in blocks(text_of(page)) if block.not_run}
    assert used == REASONS


def test_every_page_that_is_made_exists() -> None:
    assert {*GENERATED, *WALKS} <= set(PAGES)


def test_the_workflow_and_the_hook_run_what_the_page_runs() -> None:
    """Their other steps are those of GitHub and pip, which nothing here can run."""
    found = {block.title: block for block in blocks(text_of("howto/ci.md")) if block.title}
    job = yaml.safe_load(found[".github/workflows/theory.yml"].text)["jobs"]["claims"]
    hook = yaml.safe_load(found[".pre-commit-config.yaml"].text)["repos"][0]["hooks"][0]
    (name,) = (title for title in found if re.search(hook["files"], title))
    wanted = [step["run"] for step in job["steps"] if step.get("run", "").startswith("tightrope")]
    consoles = [block for block in blocks(text_of("howto/ci.md")) if block.language == "console"]
    shown = [step.command for block in consoles for step in steps(block)]
    assert [*wanted, f"{hook['entry']} {name}"] == shown


def test_every_command_is_described() -> None:
    said = [step.command for block in blocks(text_of("commands.md")) for step in steps(block)]
    assert sorted(said) == sorted(
        ["tightrope --help", *(f"tightrope {name} --help" for name in (*COMMANDS, "bench asv"))]
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    """To a file, and where a part of a page is named, to a heading of it."""
    path = DOCS / page
    for target, part in re.findall(r"\]\(((?!https?:)[^)#\s]*)(?:#([^)\s]+))?\)", text_of(page)):
        found = path.parent / target if target else path
        assert found.exists(), target
        assert not part or part in headings(found.read_text(encoding="utf-8")), f"{target}#{part}"


def headings(text: str) -> set[str]:
    """The anchors of the headings of a page."""
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def test_lines_that_are_left_out_and_seconds_agree() -> None:
    """The comparison allows what its documentation names, and can fail by anything else."""
    found = ["HOLDS mine (3.1 s)", "", "claim  verdict  seconds", "mine   HOLDS        3.1", "", "1 HOLDS"]
    assert agrees(["HOLDS mine (1.0 s)", "...", "1 HOLDS"], found)
    assert agrees(["...", "claim verdict seconds", "mine HOLDS 0.2", "", "1 HOLDS"], found)
    assert agrees(["... mine ...", "..."], found)
    assert not agrees(["...", "claim verdict seconds", "mine PROVED 3.1", "", "1 HOLDS"], found)
    assert not agrees(["HOLDS mine (1.0 s)", "1 HOLDS"], found)
    assert not agrees(["HOLDS mine (1.0 s)"], found)
    assert not agrees([], found)
    assert not agrees(["..."][:0], ["x"])


def test_decimals_agree_to_the_last_digit_and_whole_numbers_exactly() -> None:
    assert agrees(["x 0.428"], ["x 0.429"])
    assert not agrees(["x 0.428"], ["x 0.430"])
    assert agrees(["x 0.42408273782263245"], ["x 0.4240827378226322"])
    assert not agrees(["x 0.42408273782263245"], ["x 0.42408273982263245"])
    assert not agrees(["1 failed"], ["2 failed"])
    assert not agrees(["x 0.428"], ["x -0.428"])


BROKEN = """
```python
print(1)
```

```text
2
```

```console
$ tightrope replay
```
"""


def test_a_page_that_is_wrong_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another number, and a command that fails without its exit code."""
    monkeypatch.chdir(tmp_path)
    number, command = run(BROKEN)
    assert not agrees(number.shown, number.found)
    assert not agrees([line for line in command.found if "exit code" not in line], command.found)
