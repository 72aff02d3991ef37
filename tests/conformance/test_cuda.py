"""What `test_device.py` sees on a pretended device, on a real one: these tests need a GPU."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch
from sklearn.base import BaseEstimator, clone
from torch import Tensor

from harness.errors import SkipClaim
from harness.judges.conformance import Cell, placed
from harness.kinds import Rate
from harness.language.evaluation import call
from harness.language.quantifiers import Draw, Forall, from_values
from harness.language.registry import Claim
from harness.run.api import check_all, settings_for
from harness.verdict import Status
from tests.conformance.device_cases import CASES
from tests.conformance.device_inputs import Inputs, leaves
from tests.conformance.test_device import BODIES, CLASSES, EXPERIMENTS, JUDGED, LEARNERS, LEDGER, SAME, TINY

if not torch.cuda.is_available():
    pytest.skip("torch sees no GPU", allow_module_level=True)


@dataclass(frozen=True)
class Traced(Inputs):
    """Inputs that know whether random numbers were drawn: a GPU has a stream of its own."""

    drawn: list[str]

    def generator(self) -> torch.Generator:
        self.drawn.append(self.device)
        return super().generator()


def allocated() -> int:
    """How many tensors have been made on the device."""
    return torch.cuda.memory_stats().get("allocation.all.allocated", 0)


def largest(*numbers: object) -> float:
    """Beside which a difference is small: a gap that closes is all rounding."""
    sizes = [np.abs(np.asarray(x, dtype=complex)) for x in numbers if isinstance(x, Tensor | int | float)]
    return max((float(size[np.isfinite(size)].max(initial=0.0)) for size in sizes), default=0.0)


def same(one: object, other: object, size: float) -> bool:
    """Up to SAME of the largest number that the result has."""
    one, other = (np.asarray(x, dtype=complex) for x in (one, other))
    return np.allclose(one, other, rtol=SAME, atol=SAME * size, equal_nan=True)


@pytest.mark.parametrize("name", CASES)
def test_an_algorithm_computes_where_its_inputs_are(name: str) -> None:
    inputs = Traced("cuda", [])
    plain, found = leaves(CASES[name](Inputs("cpu"))), leaves(CASES[name](inputs))
    assert len(plain) == len(found)
    size = largest(*plain)
    for one, other in zip(plain, found, strict=True):
        if isinstance(one, Tensor):
            assert other.is_cuda
            assert other.dtype == one.dtype
        if inputs.drawn and isinstance(one, Tensor):
            assert other.shape == one.shape
        elif isinstance(one, Tensor):
            assert same(one, other.cpu(), size)
        elif isinstance(one, int | float) and not inputs.drawn:
            assert same(one, other, size)


@pytest.mark.parametrize(("learner", "points"), LEARNERS, ids=lambda x: str(x) if isinstance(x, BaseEstimator) else "")
def test_a_learner_computes_on_its_device(learner: BaseEstimator, points: object) -> None:
    plain = clone(learner).fit(points, CLASSES).transform(points)
    before = allocated()
    found = clone(learner).set_params(device="cuda").fit(points, CLASSES).transform(points)
    assert found.shape == plain.shape
    assert allocated() > before


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.key)
def test_a_body_computes_where_its_variables_are(body: Claim) -> None:
    assert placed(Cell(body, body.cells[0]), "cuda") == ""


@pytest.mark.parametrize("body", EXPERIMENTS, ids=lambda body: body.key)
def test_an_experiment_runs_on_the_device(body: Claim) -> None:
    try:
        rows = call(body, body.cells[0], forall=Forall(from_values({})), draw=Draw(2, ("device",), "cuda"))
    except SkipClaim as reason:
        pytest.skip(str(reason))
    assert rows


@pytest.mark.parametrize("judged", JUDGED, ids=lambda judged: judged.key)
def test_a_verdict_does_not_depend_on_the_device(judged: Claim) -> None:
    few = judged if isinstance(judged.kind, Rate) else replace(judged, cells=judged.cells[:1])
    plain, found = (
        check_all([few], settings=replace(settings_for(device=device, family=len(LEDGER)), effort=TINY))[0]
        for device in ("cpu", "cuda")
    )
    assert plain.status is not Status.ERROR
    assert [cell.status for cell in found.cells] == [cell.status for cell in plain.cells]
