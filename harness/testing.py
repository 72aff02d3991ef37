"""Theorems as tests: `assert_claim(my_claim)` in any test suite, and `instance` to evaluate a body by hand."""

from collections.abc import Mapping
from typing import Any

import torch

from harness.language.quantifiers import Forall, from_values
from harness.language.registry import Claim
from harness.report.explain import explain
from harness.run.api import check
from harness.verdict import Verdict


def assert_claim(claim: Claim, *, seed: int = 0, effort: str = "quick", device: str = "cpu") -> Verdict:
    """Judge a claim and fail unless the verdict is the expected one; returns the verdict.

    A claim without `expected=` is expected to hold. UNDECIDED and SKIPPED fail too: a theorem in a test suite has to be
    decided by it. The message is the explanation that `tightrope show` prints, with the replay line.
    """
    __tracebackhide__ = True
    verdict = check(claim, seed=seed, effort=effort, device=device)
    if verdict.as_expected is not True:
        raise AssertionError(explain(verdict))
    return verdict


def instance(values: Mapping[str, Any] | None = None, /, **more: Any) -> Forall:
    """One instance of what a claim quantifies over, to evaluate its body by hand.

    ``lhs, rhs = my_claim(instance(p=0.3, x=[1.0, 2.0]), n=2)``. Numbers and nested lists become float64 tensors with a
    batch axis of one in front; they are taken as they are, inside the claim's sets or not. Names that are no Python
    names go into the mapping.
    """
    given = {**(values or {}), **more}
    return Forall(
        from_values({name: torch.as_tensor(value, dtype=torch.float64)[None] for name, value in given.items()})
    )
