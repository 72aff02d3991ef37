"""Theorems as tests: `assert_claim(my_claim)` in any test suite, for the claims of a file by `claims_in(file)`;
`check_contract(my_claim)` for what its body must keep to, and `instance` to evaluate a body by hand.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from harness.errors import ClaimError
from harness.judges.conformance import examine
from harness.language.quantifiers import Forall
from harness.language.registry import Claim
from harness.language.spaces import Space
from harness.report.explain import explain
from harness.run.api import check, settings_for
from harness.run.loading import from_file
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


class ContractError(AssertionError):
    """A body breaks its contract; `breaches` holds a sentence for each breach."""

    def __init__(self, breaches: tuple[str, ...]) -> None:
        super().__init__("\n".join(breaches))
        self.breaches = breaches


def check_contract(claim: Claim, *, device: str | None = None) -> tuple[str, ...]:
    """Fail unless a body keeps to what the judge relies on; nothing is judged.

    At ordinary inputs its sides are finite and the same when asked again; no instance of a batch and no replicate sees
    another one; there is a gradient where sides change smoothly with an input; nothing is computed in fewer digits than
    float64 has; sides are on the device of their inputs.

    Parameters
    ----------
    claim : a function decorated with `@claim`.
    device : "cuda" or "cpu", where the last of these is looked at; without it, on the GPU if torch has one.

    Returns
    -------
    A sentence for each thing that could not be seen here: without a GPU, the device; of a reproduction, everything.

    Raises
    ------
    ContractError : an AssertionError with one sentence for each breach.
    UsageError : if there is no such device.
    """
    __tracebackhide__ = True
    if device is not None:
        settings_for(device=device)
    found = examine(claim, device)
    if found.breaches:
        raise ContractError(found.breaches)
    return found.unseen


def claims_in(file: str | Path) -> tuple[Claim, ...]:
    """The claims of a file, whatever it is called: the parameters of a test that stands beside it.

    Raises UsageError if the file is not there, does not import, or has no claims.
    """
    return from_file(Path(file))


def instance(values: Mapping[str, Any] | None = None, /, **more: Any) -> Forall:
    """One instance of what a claim quantifies over, to evaluate its body by hand.

    ``lhs, rhs = my_claim(instance(p=0.3, x=[1.0, 2.0]), n=2)``. Numbers and nested lists become float64 tensors with a
    batch axis of one in front; they are taken as they are, inside the claim's sets or not. Names that are no Python
    names go into the mapping.

    Raises
    ------
    ClaimError : for a value that is no number; when the body is called, for a variable that has no value here, or one
        of another shape.
    """
    given = {name: _one(name, value) for name, value in {**(values or {}), **more}.items()}

    def source(space: Space) -> torch.Tensor:
        if space.name not in given:
            names = ", ".join(given) or "nothing"
            raise ClaimError(f"instance() has no value for {space.name!r}; it was given {names}.")
        value = given[space.name]
        if value.shape[1:] != space.shape:
            raise ClaimError(
                f"instance() was given {space.name!r} of shape {tuple(value.shape[1:])}; the claim quantifies it with "
                f"shape {tuple(space.shape)}."
            )
        return value

    return Forall(source)


def _one(name: str, value: Any) -> torch.Tensor:
    """A value with a batch axis of one in front."""
    try:
        return torch.as_tensor(value, dtype=torch.float64)[None]
    except (TypeError, ValueError, RuntimeError) as error:
        raise ClaimError(
            f"instance() was given {name} = {value!r}; give a number, or nested lists of numbers."
        ) from error
