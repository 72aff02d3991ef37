"""Several distributions in one call of the body: the numbers are those of one call for each."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from harness import Draw, Forall, high_probability
from harness.errors import ClaimError
from harness.language.abreast import Abreast
from harness.language.evaluation import anatomy
from harness.language.quantifiers import from_values, stream
from harness.language.registry import Claim, claim
from harness.search.distributions import DistributionObjective, Sample, abreast

REPS = 7
KEPT: list[dict[Any, Any] | None] = [None, {}]

DRAWN: dict[str, Callable[[Forall, Any], Tensor]] = {
    "normal": lambda _, draw: draw.normal("x", 3),
    "uniform": lambda _, draw: draw.uniform("x", 3, low=-1.0),
    "signs": lambda _, draw: draw.signs("x", 3),
    "sphere": lambda _, draw: draw.sphere("x", 3),
    "ball": lambda _, draw: draw.ball("x", 3),
    "bernoulli": lambda forall, draw: draw.bernoulli("x", forall.interval("p", 0.0, 1.0), 4),
    "many": lambda forall, draw: draw.bernoulli("x", forall.interval("p", 0.0, 1.0, 4), 4),
    "categorical": lambda forall, draw: draw.categorical("x", forall.simplex("law", 3), 4),
    "law": lambda forall, draw: draw.law("x", forall.law("P", atoms=3), 4),
    "few trials": lambda forall, draw: draw.multinomial("x", 20, forall.simplex("law", 3)),
    "many trials": lambda forall, draw: draw.multinomial("x", 2000, forall.simplex("law", 3)),
    "one law": lambda _, draw: draw.multinomial("x", 20, torch.tensor([0.2, 0.8])),
}


@pytest.mark.parametrize("kept", KEPT, ids=["afresh", "kept"])
@pytest.mark.parametrize("name", DRAWN)
def test_replicates_of_each_instance_are_those_of_one_call(name: str, kept: dict[Any, Any] | None) -> None:
    """Twice, for names of draws are noted once in each call."""
    body = DRAWN[name]
    spaces = []

    def source(space: Any) -> Tensor:
        spaces.append(space)
        return space.sample(rng, 1)

    rng = stream("instances", name)
    body(Forall(source), Draw(REPS, ("a",)))
    instances = [{space.name: space.sample(rng, 1) for space in spaces} for _ in range(3)]
    numbers = None if kept is None else {}
    alone = torch.cat([body(Forall(from_values(one)), Draw(REPS, ("a",), kept=numbers)) for one in instances])
    rows = {key: torch.cat([one[key] for one in instances]).repeat_interleave(REPS, 0) for key in instances[0]}
    for _ in range(2):
        together = body(Forall(from_values(rows)), Abreast(Draw(REPS, ("a",), kept=numbers), 3))
        assert torch.equal(together, alone)


def test_what_depends_on_its_parameters_otherwise_is_refused() -> None:
    draw = Abreast(Draw(REPS, ("a",)), 2)
    with pytest.raises(ClaimError, match="several instances"):
        draw.sample("x", torch.distributions.Exponential(torch.ones(1)))
    with pytest.raises(ClaimError, match="twice"):
        draw.uniform("y") + draw.uniform("y")


CALLS: list[int] = []


@claim("abreast/separate", high_probability("delta"), over=[{"delta": 0.1}])
def separate(forall: Any, draw: Any, *, delta: float) -> Any:
    """A mean of three coins with one bias, against another number."""
    CALLS.append(draw.reps)
    return draw.normal("x", 3).mean(-1) * forall.interval("a", 0.0, 1.0), forall.interval("b", 0.0, 1.0)


@claim("abreast/first", high_probability("delta"), over=[{"delta": 0.1}])
def first(forall: Any, draw: Any, *, delta: float) -> Any:
    """The first entry stands for its whole batch: right for one distribution."""
    CALLS.append(draw.reps)
    return draw.normal("x", 3).mean(-1) * forall.interval("a", 0.0, 1.0)[0], forall.interval("b", 0.0, 1.0)


@claim("abreast/number", high_probability("delta"), over=[{"delta": 0.1}])
def number(forall: Any, draw: Any, *, delta: float) -> Any:
    """A number is asked for."""
    CALLS.append(draw.reps)
    return draw.normal("x", 3).mean(-1) * forall.interval("a", 0.0, 1.0).item(), forall.interval("b", 0.0, 1.0)


def _largest(sample: Sample) -> float:
    return float((sample.lhs - sample.rhs).max())


def _objective(made: Claim, abreast: int) -> DistributionObjective:
    spaces = anatomy(made, {"delta": 0.1}).spaces
    return DistributionObjective(made, {"delta": 0.1}, spaces, 101, ("laws",), _largest, abreast=abreast)


@pytest.mark.parametrize(
    ("made", "calls"),
    [(separate, [404, 101, 101, 404, 303]), (first, [404, *[101] * 13]), (number, [404, *[101] * 11])],
)
def test_scores_are_those_of_one_call_for_each(made: Claim, calls: list[int]) -> None:
    """One call for several, the first of them compared with two calls for one; where that fails, one call for each."""
    a, b = torch.rand(2, 12, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    values = {"a": a, "b": torch.where(torch.arange(12) == 5, b[4], b)}
    values["a"][5] = values["a"][4]  # one of them twice
    alone = _objective(made, 1).scores(values, 12)
    CALLS.clear()
    assert torch.equal(_objective(made, 4).scores(values, 12), alone)
    assert [reps for reps in CALLS if reps >= 101] == calls


def test_few_bytes_for_each_operation_are_put_together_and_many_are_not() -> None:
    parts = anatomy(separate, {"delta": 0.1})
    few = abreast(separate, parts, 101)
    assert few > 10
    assert abreast(separate, parts, 101 * few) == 1
    assert abreast(separate, parts, 10**7) == 1
