"""Everything that computes keeps to the device of its inputs: seen on a pretended one, which needs no GPU.

Each test runs something twice, on the CPU and on the device. It catches a tensor made on the wrong device, a result
that comes back on the CPU, a copy to the CPU that `docs/devices.md` does not name, and numbers that depend on where
they were computed.
"""

import inspect
import math
import re
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.base import BaseEstimator, clone
from torch import Tensor

import algos
from algos import estimators
from algos.estimators import (
    GaussianLandmarks,
    GreedyFourierFeatures,
    LearnedKernelFeatures,
    LeverageWeightedFeatures,
    NotSoRandomFeatures,
    PseudoBayesianLandmarks,
)
from algos.fourier.random_features import random_fourier_features
from harness import Row, always, claim, expectation, grid, high_probability, identity, rate, reproduction, tail
from harness.errors import SkipClaim
from harness.judges.conformance import Cell, placed
from harness.kinds import Rate, Reproduction, Untestable
from harness.language.evaluation import call
from harness.language.quantifiers import Draw, Forall, from_values
from harness.language.registry import Claim
from harness.run.api import check_all, settings_for
from harness.run.loading import ledger
from harness.run.selection import select
from harness.settings import QUICK
from harness.verdict import Status
from tests.conformance.device_cases import CASES, NUMBERS_ONLY
from tests.conformance.device_inputs import Inputs, leaves
from tests.helpers import public_classes, public_functions
from tests.pretended_device import OnDevice, PretendedCuda

SAME = 1e-9  # relative: a device sums in another order
LIST = Path(__file__).resolve().parents[2] / "docs" / "devices.md"
DECLARED = set(re.findall(r"^\| `([\w.]+:\w+)` \|", LIST.read_text(encoding="utf-8"), flags=re.MULTILINE))

LEDGER = [listed for listed in ledger() if not isinstance(listed.kind, Untestable)]
BODIES = [
    listed for listed in (*LEDGER, *ledger("classics")) if listed.wants and listed.kind.returns in ("sides", "quantity")
]
EXPERIMENTS = [listed for listed in LEDGER if "draw" in listed.wants and isinstance(listed.kind, Reproduction)]


@pytest.fixture
def device() -> Iterator[PretendedCuda]:
    """The device; what was copied from it must be declared."""
    made = PretendedCuda()
    yield made
    assert {copy.place for copy in made.downloads} <= DECLARED


def _close(one: Any, other: Any) -> None:
    one, other = (np.asarray(x.detach() if isinstance(x, Tensor) else x, dtype=complex) for x in (one, other))
    size = float(np.abs(one[np.isfinite(one)]).max(initial=0.0))
    np.testing.assert_allclose(one, other, rtol=SAME, atol=SAME * size)


def _public() -> Iterator[str]:
    made = [c for c in public_classes(algos) if not is_dataclass(c) and "__init__" in vars(c)]
    for thing in [*public_functions(algos), *(c for c in made if not getattr(c, "_is_protocol", False))]:
        topic = thing.__module__.split(".")[1]
        if topic != "estimators":
            yield f"{topic}.{thing.__name__}"


def test_every_public_function_of_the_algorithms_has_a_case() -> None:
    assert set(_public()) - set(CASES) - NUMBERS_ONLY == set()


@pytest.mark.in_turn
@pytest.mark.parametrize("name", CASES)
def test_an_algorithm_computes_where_its_inputs_are(name: str, device: PretendedCuda) -> None:
    plain = leaves(CASES[name](Inputs("cpu")))
    with device:
        found = leaves(CASES[name](Inputs("cuda")))
    assert len(plain) == len(found)
    for one, other in zip(plain, found, strict=True):
        if isinstance(one, Tensor):
            assert isinstance(other, OnDevice), "a result is on the CPU"
            _close(one, other.held)
        elif isinstance(one, int | float):
            _close(one, other)


def test_a_feature_map_takes_as_many_calls_for_many_points_as_for_few(device: PretendedCuda) -> None:
    """On a GPU starting a call costs more than what it computes."""
    calls = []
    with device:
        frequencies = Inputs("cuda").real(500, 3)
        for n in (10, 3000):
            points, before = Inputs("cuda").real(n, 3), device.operations
            random_fourier_features(points, frequencies)
            calls.append(device.operations - before)
    assert calls[0] == calls[1]


RANDOM = np.random.RandomState(0)
CLOUD = RANDOM.randn(40, 3)
DIRECTIONS = CLOUD / np.linalg.norm(CLOUD, axis=1, keepdims=True)
CLASSES = (np.linalg.norm(CLOUD, axis=1) > 1.5).astype(int)
LEARNERS: list[tuple[BaseEstimator, Any]] = [
    *((GaussianLandmarks(4, selection=s, random_state=1), CLOUD) for s in ("random", "stratified", "kmeans")),
    *(
        (PseudoBayesianLandmarks(4, n_frequencies=8, selection=s, random_state=1), CLOUD)
        for s in ("random", "stratified", "kmeans")
    ),
    *(
        (GreedyFourierFeatures(5, pool_size=50, weighting=w, random_state=1), CLOUD)
        for w in ("pseudo-bayesian", "chi-square", "uniform")
    ),
    *(
        (LearnedKernelFeatures(f, n_features=30, estimator=e, n_components=4, random_state=1), CLOUD)
        for f in ("gaussian", "linear", "arc-cosine")
        for e in ("reweighted", "sampled")
    ),
    *(
        (LeverageWeightedFeatures(5, kernel=k, pool_size=40, sampling=s, random_state=1), CLOUD)
        for k, s in (("gaussian", "leverage"), ("laplace", "uniform"), ("matern32", "leverage"))
    ),
    (NotSoRandomFeatures(n_rounds=2, n_starts=3, n_steps=3, random_state=1), CLOUD),
    (NotSoRandomFeatures(n_rounds=2, peaks="lattice", random_state=1), RANDOM.randint(0, 9, (40, 1)).astype(float)),
    (NotSoRandomFeatures(n_rounds=2, peaks="planar", radius=5.0, random_state=1), CLOUD[:, :2]),
    (NotSoRandomFeatures(n_rounds=2, domain="sphere", degree=6, random_state=1), DIRECTIONS),
    (NotSoRandomFeatures(n_rounds=2, domain="zonal", degree=6, random_state=1), DIRECTIONS),
]


def test_every_learner_is_tried() -> None:
    transformers = {
        thing
        for thing in map(vars(estimators).get, estimators.__all__)
        if inspect.isclass(thing) and issubclass(thing, BaseEstimator)
    }
    assert {type(learner) for learner, _ in LEARNERS} == transformers


@pytest.mark.in_turn
@pytest.mark.parametrize(("learner", "points"), LEARNERS, ids=lambda x: str(x) if isinstance(x, BaseEstimator) else "")
def test_a_learner_computes_on_its_device(learner: BaseEstimator, points: Any, device: PretendedCuda) -> None:
    plain = clone(learner).fit(points, CLASSES).transform(points)
    with device:
        fitted = clone(learner).set_params(device="cuda").fit(points, CLASSES)
        _close(plain, fitted.transform(points))
    assert device.operations > 0


@pytest.mark.in_turn
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.key)
def test_a_body_computes_where_its_variables_are(body: Claim, device: PretendedCuda) -> None:
    """This part of the contract, at a few instances of the first cell; `test_ledger.py` sees to the others."""
    cell = Cell(body, body.cells[0])
    assert cell.batch  # its inputs are chosen on the CPU
    with device:
        assert placed(cell, "cuda") == ""
    assert device.operations > 0


@pytest.mark.nightly
@pytest.mark.parametrize("body", EXPERIMENTS, ids=lambda body: body.key)
def test_an_experiment_runs_on_the_device(body: Claim, device: PretendedCuda) -> None:
    """A reproduction that draws, at one replicate."""
    with device:
        try:
            rows = call(body, body.cells[0], forall=Forall(from_values({})), draw=Draw(2, ("device",), "cuda"))
        except SkipClaim as reason:
            pytest.skip(str(reason))
    assert rows


TINY = replace(
    QUICK,
    name="tiny",
    hard=8,
    random=16,
    starts=2,
    steps=4,
    population=4,
    generations=2,
    laws=4,
    law_generations=1,
    minimum_trials=100,
    maximum_trials=1_000,
    replicates=2,
    rate_replicates=5,
    rate_rounds=1,
)


@claim("device/identity", identity(), over=grid(n=[3]))
def squares(forall: Forall, *, n: int) -> Any:
    """sum x_i^2 = <x, x>."""
    x = forall.interval("x", -1.0, 1.0, n)
    return x.square().sum(-1), (x.unsqueeze(-2) @ x.unsqueeze(-1)).flatten()


@claim("device/always", always(), expected="refuted", over=grid(n=[3]))
def too_small(forall: Forall, *, n: int) -> Any:
    """max x <= 1/2 for |x| <= 1, which is false."""
    return forall.interval("x", -1.0, 1.0, n).amax(-1), 0.5


@claim("device/high-probability", high_probability("delta"), over=grid(n=[5], delta=[0.1]))
def hoeffding(forall: Forall, draw: Draw, *, n: int, delta: float) -> Any:
    """|mean - p| <= sqrt(log(2/delta) / (2 n))."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs(), math.sqrt(math.log(2 / delta) / (2 * n))


@claim("device/expectation", expectation((-1.0, 1.0)), over=grid(n=[5]))
def spread(forall: Forall, draw: Draw, *, n: int) -> Any:
    """E |mean - p| <= 1 / (2 sqrt n)."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.multinomial("x", n, torch.stack([p, 1 - p], -1))[:, 0] / n - p).abs(), 0.5 / math.sqrt(n)


@claim("device/tail", tail(), over=grid(n=[5]))
def chebyshev(forall: Forall, draw: Draw, *, n: int) -> Any:
    """P(|mean - p| >= 1/2) <= 1 / n."""
    p = forall.interval("p", 0.0, 1.0)
    return (draw.bernoulli("x", p, n).mean(-1) - p).abs() >= 0.5, 1 / n


@claim("device/rate", rate("n", exponent=-0.5), over=grid(n=[8, 16, 32, 64, 128]))
def decay(draw: Draw, *, n: int) -> Any:
    """|mean of n normal numbers| = O(n^-1/2)."""
    return draw.normal("x", n).mean(-1).abs()


@claim("device/reproduction", reproduction(tolerance=0.5))
def table(draw: Draw) -> Any:
    """The variance of a normal number is one."""
    x = draw.normal("x", 100)
    return [Row("variance", x.square().mean().item(), 0.01, 1.0)]


SMALL = (squares, too_small, hoeffding, spread, chebyshev, decay, table)
FROM_THE_LEDGER = (
    "uarff/eq-2-5",  # a table beside the inputs
    "nsrf/thm-4.4-full[corrected]",  # a plain number on the right, beside a tensor on the left
    "nsrf/alg-1-hits",  # data, and a generator of the device
)
JUDGED = (*SMALL, *select(LEDGER, FROM_THE_LEDGER))


def test_a_claim_of_every_kind_is_judged_here() -> None:
    assert {type(judged.kind) for judged in SMALL} == {type(listed.kind) for listed in LEDGER}


@pytest.mark.in_turn
@pytest.mark.parametrize("judged", JUDGED, ids=lambda judged: judged.key)
def test_a_verdict_does_not_depend_on_the_device(judged: Claim, device: PretendedCuda) -> None:
    """Search, rounding, contract and evidence, end to end: `tightrope check --device cuda` at a small effort."""
    few = judged if isinstance(judged.kind, Rate) else replace(judged, cells=judged.cells[:1])
    plain = check_all([few], settings=replace(settings_for(family=len(LEDGER)), effort=TINY))[0]
    with device:
        settings = settings_for(device="cuda", family=len(LEDGER))
        found = check_all([few], settings=replace(settings, effort=TINY))[0]
    assert plain.status is not Status.ERROR
    for one, other in zip(plain.cells, found.cells, strict=True):
        assert (one.status, one.trials, one.reason) == (other.status, other.trials, other.reason)
    assert device.operations > 0
