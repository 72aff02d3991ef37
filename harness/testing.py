"""Theorems as tests: `assert_claim(my_claim)` inside any pytest suite."""

from harness.api import check
from harness.registry import Claim
from harness.report.explain import explain
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
