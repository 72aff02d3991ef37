"""`tightrope check --contract`: what it says of each body, and its exit code."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from harness.cli import main
from harness.judges.conformance import NO_GPU

CLAIMS = '''
from harness import Row, always, claim, reproduction

@claim("mine/keeps", always())
def keeps(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), 1.0

@claim("mine/false", always())
def false(forall):
    """x <= 0.9."""
    return forall.interval("x", 0.0, 1.0), 0.9

@claim("mine/table", reproduction())
def table():
    """1 = 1."""
    return [Row("one", 1.0, 0.0, 1.0)]
'''
BREAKS = '''
from harness import always, claim

@claim("mine/breaks", always())
def breaks(forall):
    """The mean of all x is at most 1."""
    return forall.interval("x", 0.0, 1.0).mean(), 1.0
'''


@pytest.fixture
def contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_claims: Callable[..., Path]
) -> Callable[..., Result]:
    """The command on a file of claims, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, *more: str) -> Result:
        return CliRunner().invoke(main, ["check", "--contract", str(write_claims(text)), *more], catch_exceptions=False)

    return run


def test_each_body_is_said_to_keep_it_and_nothing_is_judged(
    contract: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A false statement may keep the contract; what was not seen is said; no results are written."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    result = contract(CLAIMS)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "keeps  mine/keeps",
        "keeps  mine/false",
        "unseen mine/table",
        f"not seen: {NO_GPU}",
        "not seen: mine/table: it returns no sides before it is judged",
    ]
    assert not (tmp_path / "results").exists()


def test_a_breach_is_named_and_fails(contract: Callable[..., Result]) -> None:
    result = contract(CLAIMS + BREAKS)
    assert result.exit_code == 2
    first, sentence = result.output.splitlines()[3:5]
    assert first == "breaks mine/breaks"
    assert sentence.strip().startswith("claim 'mine/breaks': its left side mixes the instances of its batch")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--json", "out.json"], "--contract judges nothing"),
        (["nothing/like-it"], "nothing/like-it"),
    ],
)
def test_bad_usage_is_said(contract: Callable[..., Result], more: list[str], words: str) -> None:
    result = contract(CLAIMS, *more)
    assert result.exit_code == 2
    assert words in result.output


def test_claims_are_named_as_for_judging() -> None:
    result = CliRunner().invoke(main, ["check", "--contract", "classics/we*"], catch_exceptions=False)
    assert result.exit_code == 0
    assert "keeps  classics/weyl" in result.output


TROUBLE = {
    "ends its process": ("import os\n    os._exit(0)", "claim 'mine/odd': ended its process with exit code 0."),
    "never returns": ("while True:\n        pass", "claim 'mine/odd': stopped after 0.5 s of --time-limit"),
    "interrupts": ("raise KeyboardInterrupt", "the body raised KeyboardInterrupt"),
    "seeds the generator of torch": ("import torch\n    torch.manual_seed(3)", "changes the random generator of torch"),
    "counts its calls": ("COUNT.append(0)\n    x = x + len(COUNT)", "claim 'mine/odd'"),
    "prints": ("print('hello from the body')", ""),
}


@pytest.mark.parametrize(("line", "said"), TROUBLE.values(), ids=TROUBLE.keys())
def test_bodies_are_run_where_they_end_nothing_and_within_limits(
    contract: Callable[..., Result], line: str, said: str
) -> None:
    """A body that ended its process had the command end with exit code 0, and no claim was looked at."""
    odd = f'''
COUNT = []

@claim("mine/odd", always())
def odd(forall):
    """Something is odd."""
    x = forall.interval("x", 0.0, 1.0)
    {line}
    return x, 1.0
'''
    result = contract(CLAIMS + odd, "--time-limit", "0.5s" if "while" in line else "60s")
    lines = result.output.splitlines()
    assert lines[:3] == ["keeps  mine/keeps", "keeps  mine/false", "unseen mine/table"]
    assert (result.exit_code, lines[3]) == ((2, "breaks mine/odd") if said else (0, "keeps  mine/odd")), result.output
    assert said in lines[4]
    assert "hello" not in result.output
