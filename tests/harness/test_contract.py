"""What a body must keep to: every breach is an ERROR with its sentence, and whatever keeps to it is judged."""

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from harness.kinds import Kind, always, expectation, high_probability, identity, rate
from harness.language.registry import Claim, claim, grid
from harness.run.api import check
from harness.verdict import Status, Verdict
from tests.helpers import cancellation_in_another_order, sums_in_another_order

N = [10, 20, 40, 80, 160]
CALLS = [0]  # what a body must not keep between calls


def _judged(name: str, kind: Kind, body: Callable[..., Any], over: Any = ({},)) -> Verdict:
    body.__doc__ = body.__doc__ or "A body under test."
    made: Claim = claim(f"contract/{name}", kind, over=over)(body)
    return check(made, effort="quick")


def _counted() -> int:
    CALLS[0] += 1
    return CALLS[0]


def _in_data(x: torch.Tensor) -> torch.Tensor:
    x.data.mul_(0.5)  # past the version counter
    return x


def _in_numpy(x: torch.Tensor) -> torch.Tensor:
    x.numpy()[...] = 0.5
    return x


MIXED = ("side mixes the instances of its batch", "changes when they are evaluated apart", "dim=-1")
RANDOM = ("returns different values for equal inputs", "take random numbers from `draw`", "keep no state between calls")
CHANGED = ("changes its variable 'x' in place", "x.clone()")

# x has shape (batch, 4)
FOR_ALL: dict[str, tuple[Callable[[torch.Tensor], Any], tuple[str, ...]]] = {
    "mean of everything": (lambda x: (x.mean(), 2.0), ("left", *MIXED)),
    "maximum of everything": (lambda x: (x.sum(-1), 4.0 * x.max()), ("right", *MIXED)),
    "mean over the batch": (lambda x: ((x - x.mean(0)).sum(-1), 9.0), ("left", *MIXED)),
    "softmax over the batch": (lambda x: (torch.softmax(x, 0).sum(-1), 9.0), ("left", *MIXED)),
    "sorted over the batch": (lambda x: (x.sort(0).values[:, 0], 9.0), ("left", *MIXED)),
    "summed up along the batch": (lambda x: (x[:, 0], x.cumsum(0).sum(-1) + 9.0), ("right", *MIXED)),
    "batch turned round": (lambda x: (x[:, 0], x.flip(0)[:, 0] + 9.0), ("right", *MIXED)),
    "first instance": (lambda x: (x[:, 0], x[0, 0] + 9.0), ("right", *MIXED)),
    "size of the batch": (lambda x: (x[:, 0], 9.0 * len(x)), ("right", *MIXED)),
    "branch on the batch": (lambda x: (x[:, 0], 9.0 + float((x[:, 0] > x[-1, 0]).any())), ("right", *MIXED)),
    "matrix of all": (lambda x: ((x @ x.T).sum(-1), 99.0), ("left", *MIXED)),
    "through numpy": (lambda x: (torch.full((len(x),), float(np.mean(x.numpy()))), 9.0), ("left", *MIXED)),
    "own random numbers": (lambda x: (x[:, 0], 9.0 + torch.rand(len(x))), RANDOM),
    "random numbers of numpy": (lambda x: (x[:, 0], 9.0 + float(np.random.default_rng().random())), RANDOM),
    "the time": (lambda x: (x[:, 0], 9.0 + 1e-6 * time.perf_counter()), RANDOM),
    "a counter": (lambda x: (x[:, 0], 9.0 + _counted()), RANDOM),
    "in place": (lambda x: (x.mul_(0.5)[:, 0], 9.0), CHANGED),
    "in place, unseen by torch": (lambda x: (_in_data(x)[:, 0], 9.0), CHANGED),
    "in place through numpy": (lambda x: (_in_numpy(x)[:, 0], 9.0), CHANGED),
    "a view in place": (lambda x: (x[:, 0].clamp_(max=0.1), 9.0), CHANGED),
}


@pytest.mark.parametrize("kind", [always(), identity()], ids=lambda kind: kind.name)
@pytest.mark.parametrize(("returns", "words"), FOR_ALL.values(), ids=FOR_ALL.keys())
def test_a_body_for_all_inputs_that_breaks_the_contract_is_an_error_with_its_sentence(
    returns: Callable[[torch.Tensor], Any], words: tuple[str, ...], kind: Kind
) -> None:
    """All of these inequalities are true of what the body computes: without the check they would count as evidence."""

    def body(forall):
        return returns(forall.interval("x", 0.0, 1.0, 4))

    verdict = _judged("for-all", kind, body)
    assert verdict.status is Status.ERROR
    for word in ("contract/for-all", *words):
        assert word in verdict.reason


REPLICATES = ("side mixes the replicates", "changes when they are evaluated apart", "dim=-1")

# z has shape (reps, 6), p has shape (1,)
DRAWN: dict[str, tuple[Callable[[torch.Tensor, torch.Tensor], Any], tuple[str, ...]]] = {
    "mean over the replicates": (lambda z, _: (z.mean(), 9.0), ("left", *REPLICATES)),
    "spread over the replicates": (lambda z, _: (z.sum(-1), 99.0 * z.std()), ("right", *REPLICATES)),
    "centred over the replicates": (lambda z, _: ((z - z.mean(0)).sum(-1), 99.0), ("left", *REPLICATES)),
    "ranked among the replicates": (lambda z, _: (z[:, 0].argsort().argsort() * 1.0, 9e9), ("left", *REPLICATES)),
    "first replicate": (lambda z, _: (z[:, 0], 99.0 + z[0, 0]), ("right", *REPLICATES)),
    "number of replicates": (lambda z, _: (z[:, 0], 99.0 + len(z)), ("right", *REPLICATES)),
    "own random numbers": (lambda z, _: (z[:, 0], 99.0 + torch.rand(len(z))), RANDOM),
    "a counter": (lambda z, _: (z[:, 0], 99.0 + _counted()), RANDOM),
    "law in place": (lambda z, p: (z[:, 0], 99.0 + p.mul_(0.5)), ("changes its variable 'p' in place",)),
    "law in place, unseen": (lambda z, p: (z[:, 0], 99.0 + _in_data(p)), ("changes its variable 'p' in place",)),
}


@pytest.mark.parametrize("kind", [high_probability("delta"), expectation((-999.0, math.inf))], ids=lambda k: k.name)
@pytest.mark.parametrize(("returns", "words"), DRAWN.values(), ids=DRAWN.keys())
def test_a_body_that_draws_and_breaks_the_contract_is_an_error_with_its_sentence(
    returns: Callable[[torch.Tensor, torch.Tensor], Any], words: tuple[str, ...], kind: Kind
) -> None:
    """One number for all replicates counts as thousands of trials: P(mean <= c) would be certified from one of them."""

    def body(forall, draw, *, delta):
        return returns(draw.normal("z", 6), forall.interval("p", 0.0, 1.0))

    verdict = _judged("drawn", kind, body, grid(delta=[0.1]))
    assert verdict.status is Status.ERROR
    for word in ("contract/drawn", *words):
        assert word in verdict.reason


RATES: dict[str, tuple[Callable[[torch.Tensor], Any], tuple[str, ...]]] = {
    "mean over the replicates": (lambda z: z.mean().abs(), REPLICATES),
    "centred over the replicates": (lambda z: (z - z.mean(0)).mean(-1).square(), REPLICATES),
    "spread over the replicates": (lambda z: z.mean(-1).std(correction=0).expand(len(z)), REPLICATES),
    "own random numbers": (lambda z: z.mean(-1).square() * torch.rand(len(z)), RANDOM),
    "a counter": (lambda z: z.mean(-1).square() * _counted(), RANDOM),
}


@pytest.mark.parametrize(("returns", "words"), RATES.values(), ids=RATES.keys())
def test_a_rate_that_breaks_the_contract_is_an_error_with_its_sentence(
    returns: Callable[[torch.Tensor], Any], words: tuple[str, ...]
) -> None:
    """Its standard error comes from the spread over replicates: of one number, it would be zero."""

    def body(draw, *, n):
        return returns(draw.normal("z", n))

    verdict = _judged("rate", rate("n", -1.0), body, grid(n=N))
    assert verdict.status is Status.ERROR
    for word in ("contract/rate", *words):
        assert word in verdict.reason


KEEPS: dict[str, tuple[Kind, Callable[..., Any]]] = {}


def keeps(kind: Kind) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A body that keeps to the contract."""

    def decorate(body: Callable[..., Any]) -> Callable[..., Any]:
        KEEPS[body.__name__.replace("_", " ")] = kind, body
        return body

    return decorate


@keeps(always())
def a_constant_side(forall):
    return forall.interval("x", 0.0, 1.0), 1.0


@keeps(always())
def two_constant_sides(forall):
    forall.interval("x", 0.0, 1.0)
    return 0.5, 1.0


@keeps(always())
def a_constant_tensor_without_axes(forall):
    return forall.interval("x", 0.0, 1.0), torch.tensor(1.0)


@keeps(always())
def a_constant_tensor_of_one_entry(forall):
    return forall.interval("x", 0.0, 1.0), torch.ones(1)


@keeps(always())
def a_constant_of_numpy(forall):
    return forall.interval("x", 0.0, 1.0), np.ones(1)


@keeps(always())
def no_variables():
    return 0.5, 1.0


@keeps(always())
def a_loop_over_the_batch(forall):
    x = forall.interval("x", 0.0, 1.0, 3)
    return torch.stack([row.sum() for row in x]), 3.0


@keeps(always())
def copies_in_place(forall):
    x = forall.interval("x", 0.0, 1.0, 3)
    y = x.clone()
    y.mul_(0.5)
    return y.sum(-1), x.sum(-1)


keeps(identity())(sums_in_another_order)
keeps(identity())(cancellation_in_another_order)


@keeps(always())
def not_finite_in_places(forall):
    x = forall.interval("x", -1.0, 1.0)
    return x.sqrt(), 1.0


@keeps(always())
def signs_and_choices(forall):
    s, c = forall.signs("s", 4), forall.choice("c", [0.0, 1.0])
    return s.sum(-1) + c, 5.0


@keeps(high_probability("delta"))
def a_law_beside_draws(forall, draw, *, delta):
    p = forall.interval("p", 0.0, 0.04)
    return draw.bernoulli("x", p), p + 0.5  # the right side has shape (1,)


@keeps(high_probability("delta"))
def sides_of_the_law_alone(forall, draw, *, delta):
    p = forall.interval("p", 0.0, 1.0)
    draw.uniform("u")
    return p, p + 1.0


@keeps(high_probability("delta"))
def no_draws_at_all(draw, *, delta):
    return 0.5, 1.0


@keeps(high_probability("delta"))
def no_draws_for_a_law(forall, draw, *, delta):
    return forall.interval("p", 0.0, 1.0), 1.0


@keeps(high_probability("delta"))
def draws_that_depend_on_draws(draw, *, delta):
    p = draw.uniform("p", high=0.02)
    return draw.bernoulli("x", p) + draw.bernoulli("y", p), 0.5


@keeps(high_probability("delta"))
def draws_changed_in_place(draw, *, delta):
    u = draw.uniform("u")
    u.mul_(0.5)
    return u, 0.6


@keeps(high_probability("delta"))
def draws_of_every_kind(forall, draw, *, delta):
    law = forall.simplex("law", 3)
    total = draw.categorical("c", law) + draw.multinomial("m", 5, law)[:, 0] + draw.sphere("s", 3).sum(-1)
    total = total + draw.ball("b", 3).sum(-1) + draw.signs("e", 2).sum(-1)
    return total + draw.sample("d", torch.distributions.Exponential(1.0)).clamp(max=9.0), 99.0


@keeps(high_probability("delta"))
def the_number_and_place_of_replicates(draw, *, delta):
    zero = torch.zeros(draw.reps, device=draw.device)
    return zero + draw.uniform("u"), 2.0


@keeps(expectation((-1.0, 1.0)))
def a_mean_for_every_law(forall, draw, *, delta):
    p = forall.interval("p", 0.0, 1.0)
    return draw.bernoulli("x", p) * 0.5, p * 0.5 + 0.4


@pytest.mark.parametrize(("kind", "body"), KEEPS.values(), ids=KEEPS.keys())
def test_a_body_that_keeps_to_the_contract_is_judged(kind: Kind, body: Callable[..., Any]) -> None:
    """A check that refuses an honest body takes its claim out of the ledger."""
    over = grid(delta=[0.1]) if kind.name in ("high probability", "expectation") else ({},)
    verdict = _judged(f"keeps-{body.__name__}", kind, body, over)
    assert verdict.status.favourable, verdict.reason


RATES_KEPT: dict[str, Callable[..., Any]] = {
    "mean of draws": lambda draw, n: draw.normal("z", n).mean(-1).square(),
    "a number for each n": lambda _, n: 1.0 / n,
    "a tensor without axes": lambda _, n: torch.tensor(1.0 / n),
    "a tensor of one entry": lambda _, n: torch.full((1,), 1.0 / n),
    "a number times draws": lambda draw, n: draw.uniform("u") / n,
    "draws in place": lambda draw, n: draw.uniform("u").mul_(1.0 / n),
}


@pytest.mark.parametrize("returns", RATES_KEPT.values(), ids=RATES_KEPT.keys())
def test_a_rate_that_keeps_to_the_contract_is_judged(returns: Callable[..., Any]) -> None:
    def body(draw, *, n):
        return returns(draw, n)

    verdict = _judged("rate-kept", rate("n", -1.0), body, grid(n=N))
    assert verdict.status in (Status.HOLDS, Status.UNDECIDED), verdict.reason


def test_one_cell_that_breaks_the_contract_is_enough() -> None:
    """The check runs in every cell: a body may mix its batch for some parameters only."""

    def body(forall, *, n):
        x = forall.interval("x", 0.0, 1.0, 4)
        return (x.mean() if n == 2 else x.mean(-1)), 2.0

    verdict = _judged("one-cell", always(), body, grid(n=[1, 2]))
    assert verdict.status is Status.ERROR
    assert [cell.status for cell in verdict.cells] == [Status.PROVED, Status.ERROR]
    assert "mixes the instances" in verdict.reason


@pytest.mark.parametrize("over", [1, 2, 3, 4, 5, 6, 7])
def test_variables_of_any_size_are_not_taken_for_the_batch(over: int) -> None:
    """An inner axis as long as the batch must not look like it."""

    def body(forall, draw, *, n, delta):
        w = forall.simplex("w", n)
        return (draw.uniform("u", n) * w).sum(-1), w.sum(-1) + 1e-6

    verdict = _judged("sizes", high_probability("delta"), body, grid(n=[over], delta=[0.1]))
    assert verdict.status.favourable, verdict.reason


@pytest.mark.parametrize("last", [2.0**-52, 2.0**-47])
def test_last_digits_may_differ_between_calls(last: float) -> None:
    """As those of LAPACK do, by where in memory its arrays begin."""

    def body(forall):
        return forall.interval("x", 0.0, 1.0, 4).sum(-1), 9.0 + 9.0 * last * (_counted() % 2)

    assert _judged("last-digits", always(), body).status.favourable
