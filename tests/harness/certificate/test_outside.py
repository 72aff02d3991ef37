"""What is computed before a body is called counts as exact, and the verdict says so."""

import torch

from harness import always, check, claim
from harness.certify.recompiled import computed_outside
from harness.report.explain import explain
from harness.verdict import Status

BLOCK, SIZE, LOW = int(64 ** (1 / 3)), 4, -1.5  # 3, where the root is 4
HALF: float = 1 / 2


def _helper(x):
    SIZE = torch.ones(())  # a name of its own
    return x * HALF * SIZE


def test_a_refutation_names_what_was_computed_outside_its_body() -> None:
    @claim("outside/block", always())
    def block(forall):
        """4 p <= floor(64^(1/3)) p."""
        p = forall.interval("p", 0.5, 1.0)
        return p * SIZE, p * BLOCK

    verdict = check(block, effort="quick")
    assert verdict.status is Status.REFUTED
    assert "Computed outside the body, and taken as exact: BLOCK." in explain(verdict)


def test_a_proof_names_what_was_computed_outside_its_body() -> None:
    @claim("outside/halves", always())
    def halves(forall):
        """p / 2 <= 1/2."""
        return HALF * forall.interval("p", 0.0, 1.0), 0.5

    verdict = check(halves, effort="quick")
    assert verdict.status is Status.PROVED
    assert explain(verdict).endswith("Computed outside the body, and taken as exact: HALF.")


def test_what_was_computed_is_told_from_what_is_written_down() -> None:
    matrix, factor = torch.linalg.inv(torch.eye(2)), 0.3

    def made(forall):
        return _helper(forall) * SIZE * LOW * factor * matrix

    def plain(forall):
        return forall * SIZE * LOW * torch.pi

    assert computed_outside(made) == ["HALF", "matrix"]
    assert computed_outside(plain) == []
    assert computed_outside(len) == []
