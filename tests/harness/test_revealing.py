"""A counterexample says what its values stand for, where the body makes them into something else."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

from harness import always, check, claim
from harness.cli import main
from harness.language.registry import Claim

TEXT = '''
from harness import always, claim

@claim("made/real", always())
def real(forall):
    """x - .2 <= x^2."""
    x = forall.real("x")
    return x - 0.2, x**2
'''


def _made(body: Claim) -> tuple[dict, dict]:
    cell = check(body, effort="quick").counterexample
    assert cell is not None
    return cell.counterexample.values, cell.counterexample.made


def test_permutations_are_shown_beside_their_keys() -> None:
    @claim("made/permutation", always())
    def body(forall):
        """6 <= sum i p_i."""
        p = forall.permutation("p", 4)
        return 6.0, p[:, 1] + 2.0 * p[:, 2] + 3.0 * p[:, 3]

    values, made = _made(body)
    keys, order = values["p"], made["p"]
    assert sorted(order) == [0, 1, 2, 3]
    assert [keys[place] for place in order] == sorted(keys)
    assert order[1] + 2 * order[2] + 3 * order[3] < 6


def test_what_stands_for_itself_is_shown_once() -> None:
    @claim("made/interval", always())
    def body(forall):
        """.2 <= x."""
        return 0.2, forall.interval("x", 0.0, 1.0)

    values, made = _made(body)
    assert (values, made) == ({"x": 0.0}, {})


def test_a_worker_makes_it_for_the_command(write_claims: Callable[..., Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = CliRunner().invoke(main, ["check", str(write_claims(TEXT)), "--quick", "--out", str(out), "--jobs", "1"])
    (found,) = json.loads((out / "verdicts.json").read_text())["claims"]
    shown = found["cells"][0]["counterexample"]
    t = shown["values"]["x"]
    assert shown["made"] == {"x": t / (1.0 - t**2)}
    assert '"made": {"x": ' in ran.output
