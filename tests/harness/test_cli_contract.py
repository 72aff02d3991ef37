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
