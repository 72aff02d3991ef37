"""The README, the language and the walks are true: their code runs as printed, and what they name exists.

The other pages of the manual, and its site, are tested in tests/documents.
"""

import inspect
import io
import re
import textwrap
from contextlib import redirect_stdout
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from harness.cli import COMMANDS, main
from harness.cli.check import check
from harness.cli.starting import claim_text, grid_of
from harness.language import every
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.kind import NAMED
from harness.language.quantifiers import Draw, Forall
from harness.language.registry import Claim

ROOT = Path(__file__).resolve().parent.parent


def python_blocks(document: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [
        textwrap.dedent(block) for block in re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    ]


def test_the_theorem_of_the_readme_is_the_template_and_holds(tmp_path: Path) -> None:
    block = python_blocks("README.md")[0]
    path = tmp_path / "my_claims.py"
    path.write_text(block, encoding="utf-8")
    arguments = ["check", str(path), "--quick", "--jobs", "1", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "HOLDS" in result.output
    template = claim_text("my_claims.py", "my_claims", "high_probability", "interval", grid_of("high_probability", ()))
    printed, written = (text.split("@claim")[1].split('"', 2)[2] for text in (block, template))
    assert printed == written


def test_the_learner_of_the_readme_fits_and_its_bound_says_something() -> None:
    namespace: dict[str, object] = {"__name__": "readme"}
    with redirect_stdout(io.StringIO()) as found:
        exec(compile(python_blocks("README.md")[-1], "README.md", "exec"), namespace)
    score, empirical, bound = (float(number) for number in found.getvalue().split())
    assert score > 0.9
    assert empirical < bound < 1.0


def test_every_command_and_option_that_the_readme_names_exists() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"`tightrope (\w+)", text))
    assert commands == set(COMMANDS)
    options = {option for parameter in check.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert set(re.findall(r"`(--[a-z-]+)", text.split("`check` takes")[1].split("\n\n")[0])) <= options


def agree(printed: str, found: str) -> bool:
    """Same words, and numbers that differ by at most one unit in the last printed digit."""
    number = re.compile(r"\d+(?:\.\d+)?")
    if number.sub("#", printed).split() != number.sub("#", found).split():
        return False
    pairs = zip(number.findall(printed), number.findall(found), strict=True)
    return all(abs(Decimal(a) - Decimal(b)) <= Decimal((0, (1,), Decimal(a).as_tuple().exponent)) for a, b in pairs)


def walk(document: str) -> tuple[set[str], set[str]]:
    """Run each block after those before it, compare what it prints with the text below; decimals of prose and text."""
    text = (ROOT / document).read_text(encoding="utf-8")
    steps = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    assert len(steps) == text.count("```python") == text.count("```text") > 0
    namespace: dict[str, object] = {"__name__": "walk"}
    for block, printed in steps:
        with redirect_stdout(io.StringIO()) as found:
            exec(compile(block, document, "exec"), namespace)
        assert agree(printed, found.getvalue()), found.getvalue()
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    decimal = re.compile(r"\d+\.\d+")
    return set(decimal.findall(prose)), set(decimal.findall("".join(printed for _, printed in steps)))


def test_the_walk_through_the_pac_bayes_bounds_prints_what_it_says() -> None:
    """Each block, run after those before it, prints the text below it; the prose quotes no other decimal number."""
    quoted, printed = walk("docs/pac-bayes.md")
    assert quoted <= printed
    assert {"0.462", "0.428", "0.451"} <= quoted


def test_the_bounds_on_learned_kernels_print_what_the_page_says() -> None:
    """Sharp constant, printed and rebuilt bounds at the paper's sizes, and the experiment they do not explain."""
    quoted, printed = walk("docs/kernel-learning.md")
    assert quoted <= printed | {"4.1", "0.05", "0.85"}  # a section, delta, and 1 - 3 delta
    assert {"0.599", "1.89", "0.1952", "0.25", "0.12"} <= quoted
    assert {"5.53", "0.315", "0.99", "0.107", "0.8803"} <= printed


def test_the_page_on_feature_counts_prints_what_it_says() -> None:
    """Counts on real data, exact failures, the constant of (16), exponents, and bounds with all constants."""
    quoted, printed = walk("docs/features.md")
    assert quoted <= printed | {"1.146"}  # the counterexample to Lemma 24
    assert {"8.2", "3.66", "3.28", "1.145"} <= printed


def test_the_page_on_the_margin_game_prints_what_it_says() -> None:
    """Closed form, runs of both masses, the linear program of one round, the counting argument, sizes and classes."""
    quoted, printed = walk("docs/margin-game.md")
    assert quoted <= printed | {"4.1", "4.2", "4.3"}  # theorems
    assert {"0.6127241", "0.0122759", "0.2931", "0.2505", "0.00987", "15.926", "0.0488"} <= printed


def test_numbers_agree_to_the_last_digit_only() -> None:
    """The comparison itself can fail: by a digit, a word, a line too many."""
    assert agree("x  0.428 n 340", "x 0.429 n 340")
    assert not agree("x 0.428", "x 0.430")
    assert not agree("n 340", "n 342")
    assert not agree("x 0.428", "y 0.428")
    assert not agree("x 0.428", "x 0.428 0.428")


@pytest.mark.usefixtures("double_precision")
def test_every_word_of_the_language_has_an_example_that_runs() -> None:
    """The blocks run in order; every claim in them is evaluated, and is not violated where it is looked at."""
    namespace: dict[str, Any] = {"__name__": "language"}
    for block in python_blocks("docs/language.md"):
        exec(compile(block, "docs/language.md", "exec"), namespace)
    made = [value for value in namespace.values() if isinstance(value, Claim)]
    for each in made:
        if each.kind.returns == "sides":
            looked_at(each)
    ours = {name for name, kind in NAMED.items() if kind.__module__.startswith("harness.kinds.")}
    assert {each.kind.name for each in made} == ours - {"broken"}  # which stands for a claim that cannot be made
    text = "".join(python_blocks("docs/language.md"))
    for owner in (Forall, Draw):
        words = [name for name, _ in inspect.getmembers(owner, inspect.isfunction) if not name.startswith("_")]
        assert len(words) > 9
        assert [word for word in words if f"{owner.__name__.lower()}.{word}(" not in text] == []
    outcomes = [name for name, _ in inspect.getmembers(every, inspect.isfunction) if not name.startswith("_")]
    assert [word for word in outcomes if f"every.{word}(" not in text] == []
    exact = ("expect", "mean", "probability", "quantile", "variance")
    assert [word for word in exact if f"law.{word}" not in text] == []
    assert "within." in text


def looked_at(each: Claim) -> None:
    """Evaluate a claim at a few instances; an inequality that holds for each of them is respected."""
    cell, random = each.cells[0], "draw" in each.wants
    rng = np.random.default_rng(0)
    values = {space.name: space.sample(rng, 1 if random else 64) for space in anatomy(each, cell).spaces}
    sides = evaluate(each, cell, values, Draw(64, ("language",)), 64)
    known = torch.isfinite(sides.lhs)
    assert bool(known.any())
    if each.kind.name in ("always", "identity"):
        assert bool((sides.lhs <= sides.rhs + 1e-9)[known].all()), each.id


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "tests/README.md"])
def test_every_link_of_a_document_leads_somewhere(document: str) -> None:
    """The links of the manual are tested in tests/documents."""
    path = ROOT / document
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target
