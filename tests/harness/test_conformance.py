"""`check_contract`: a body that breaks one rule is told so in one sentence, and one that keeps to all passes."""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from harness import Row, always, claim, expectation, grid, high_probability, identity, rate, reproduction, skip, tail
from harness.errors import UsageError
from harness.judges.conformance import NO_GPU
from harness.language.kind import Kind
from harness.language.registry import Claim
from harness.run.api import check
from harness.testing import ContractError, check_contract
from harness.verdict import Status
from tests.helpers import cancellation_in_another_order, sums_in_another_order
from tests.pretended_device import PretendedCuda

N = [10, 20, 40, 80, 160]


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same on every machine."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


def _made(kind: Kind, body: Callable[..., Any], over: Sequence[dict[str, Any]] = ({},)) -> Claim:
    body.__doc__ = body.__doc__ or "A body under test."
    name = re.sub("[^a-z]+", "-", body.__qualname__.lower()).strip("-")
    made: Claim = claim(f"conformance/{name}", kind, over=over)(body)
    return made


def _for_all(returns: Callable[[Tensor], Any], kind: Kind, low: float = 0.0) -> Claim:
    """A claim about four numbers in [low, 1], x of shape (batch, 4)."""
    return _made(kind, lambda forall: returns(forall.interval("x", low, 1.0, 4)))


def _drawn(returns: Callable[[Tensor], Any], kind: Kind) -> Claim:
    """A claim about six normal numbers, z of shape (reps, 6)."""

    def body(draw, *, delta):
        return returns(draw.normal("z", 6))

    return _made(kind, body, grid(delta=[0.1]))


def _rate(returns: Callable[[Tensor], Any]) -> Claim:
    def body(draw, *, n):
        return returns(draw.normal("z", n))

    return _made(rate("n", -1.0), body, grid(n=N))


def _breaches(made: Claim) -> tuple[str, ...]:
    with pytest.raises(ContractError) as caught:
        check_contract(made)
    assert str(caught.value) == "\n".join(caught.value.breaches)
    return caught.value.breaches


MIXED, REPLICATES = "mixes the instances of its batch", "mixes the replicates"
RANDOM, INFINITE, FLOAT32 = "different values for equal inputs", "is NaN or infinite in", "float32"
FLAT = "has no gradient in 'x', although its sides change smoothly with it"


def _itemwise(x: Tensor) -> Tensor:
    return torch.stack([torch.tensor(row.square().sum().item()) for row in x])


def _in_numpy(x: Tensor) -> Tensor:
    return torch.from_numpy(x.numpy() ** 2).sum(-1)


def _beyond_the_third(x: Tensor) -> Tensor:
    """What three instances do not show."""
    return torch.cat([x[:3], x[3:] - x[3:].mean(0)]).sum(-1)


BREAKS: dict[str, tuple[Callable[[Tensor], Any], str]] = {
    "mean of everything": (lambda x: (x.mean(), 2.0 + x.sum(-1)), MIXED),
    "mean over the batch": (lambda x: ((x - x.mean(0)).sum(-1), 9.0), MIXED),
    "mean over a larger batch": (lambda x: (_beyond_the_third(x), 9.0), MIXED),
    "a millionth of the mean": (lambda x: (x.sum(-1) + 1e-7 * x.mean(), 9.0), MIXED),
    "its own random numbers": (lambda x: (x.sum(-1), 9.0 + torch.rand(len(x))), RANDOM),
    "a logarithm of what is negative": (lambda x: ((x - 0.5).log().sum(-1), 9.0), INFINITE),
    "an infinite side": (lambda x: (x.sum(-1), torch.where(x[:, 0] > 0.5, math.inf, 9.0)), INFINITE),
    "detached": (lambda x: (x.detach().square().sum(-1), 9.0), FLAT),
    "item": (lambda x: (_itemwise(x), 9.0), FLAT),
    "numpy": (lambda x: (_in_numpy(x), 9.0), FLAT),
    "float32 at the end": (lambda x: (x.sum(-1).float(), 9.0), FLOAT32),
    "float32 on the way": (lambda x: (x.float().double().sum(-1), 9.0), FLOAT32),
    "in place": (lambda x: (x.mul_(0.5).sum(-1), 9.0), "changes its variable 'x' in place"),
    "of another shape": (lambda x: (x, 9.0), "does not broadcast to the batch"),
    "an exception": (lambda x: (x + {}, 9.0), "raised TypeError"),
}


@pytest.mark.parametrize("kind", [always(), identity()], ids=lambda kind: kind.name)
@pytest.mark.parametrize(("returns", "words"), BREAKS.values(), ids=BREAKS.keys())
def test_a_body_that_breaks_one_rule_is_told_so_in_one_sentence(
    returns: Callable[[Tensor], Any], words: str, kind: Kind
) -> None:
    (sentence,) = _breaches(_for_all(returns, kind))
    assert "claim 'conformance/for-all-locals-lambda'" in sentence
    assert words in sentence


DRAWN: dict[str, tuple[Callable[[Tensor], Any], str]] = {
    "mean over the replicates": (lambda z: (z.mean(), 9.0), REPLICATES),
    "centred over the replicates": (lambda z: ((z - z.mean(0)).sum(-1), 99.0), REPLICATES),
    "its own random numbers": (lambda z: (z.sum(-1), 99.0 + torch.rand(len(z))), RANDOM),
    "a root of what is negative": (lambda z: (z[:, 0].sqrt(), 9.0), INFINITE),
    "float32 on the way": (lambda z: (z.float().sum(-1).double(), 9.0), FLOAT32),
}


@pytest.mark.parametrize("kind", [high_probability("delta"), expectation((-99.0, math.inf))], ids=lambda k: k.name)
@pytest.mark.parametrize(("returns", "words"), DRAWN.values(), ids=DRAWN.keys())
def test_a_body_that_draws_and_breaks_one_rule_is_told_so(
    returns: Callable[[Tensor], Any], words: str, kind: Kind
) -> None:
    (sentence,) = _breaches(_drawn(returns, kind))
    assert words in sentence


RATES: dict[str, tuple[Callable[[Tensor], Any], str]] = {
    "centred over the replicates": (lambda z: (z - z.mean(0)).mean(-1).square(), REPLICATES),
    "its own random numbers": (lambda z: z.mean(-1).square() * torch.rand(len(z)), RANDOM),
    "a logarithm of what is negative": (lambda z: z.mean(-1).log(), INFINITE),
    "float32 on the way": (lambda z: z.float().mean(-1).square().double(), FLOAT32),
}


@pytest.mark.parametrize(
    ("of", "words"), [("shape", "depends on the number of"), ("parameter", "mixes the replicates")]
)
def test_draws_that_depend_on_the_number_of_replicates_are_told_so(of: str, words: str) -> None:
    """Each replicate has the sides that it has alone, and yet another law in a larger block."""

    def body(draw, *, delta):
        if of == "shape":
            return draw.uniform("u", draw.reps).amax(-1), 2.0
        return draw.bernoulli("b", 1.0 / draw.reps, 20).sum(-1), 99.0

    (sentence,) = _breaches(_made(high_probability("delta"), body, grid(delta=[0.1])))
    assert words in sentence


@pytest.mark.parametrize(("returns", "words"), RATES.values(), ids=RATES.keys())
def test_a_rate_that_breaks_one_rule_is_told_so(returns: Callable[[Tensor], Any], words: str) -> None:
    (sentence,) = _breaches(_rate(returns))
    assert words in sentence


def test_several_breaches_have_a_sentence_each() -> None:
    found = _breaches(
        _for_all(lambda x: (x.detach().float().mean(0).sum().double(), x[:, 0].log()), always(), low=-1.0)
    )
    for words in (INFINITE, MIXED, FLOAT32):
        assert sum(words in sentence for sentence in found) == 1, found


def test_a_gradient_is_missed_variable_by_variable() -> None:
    """A search that moves one input only is held up as much as one that moves none."""

    def body(forall):
        return forall.interval("x", 0.0, 1.0) * forall.interval("y", 0.0, 1.0).detach(), 1.0

    (sentence,) = _breaches(_made(always(), body))
    assert "no gradient in 'y', although" in sentence


def test_one_cell_is_enough() -> None:
    def body(forall, *, n):
        x = forall.interval("x", 0.0, 1.0, 3)
        return (x.sum(-1).log() if n == 2 else (x - 1.0).sum(-1).log()), 9.0

    (sentence,) = _breaches(_made(always(), body, grid(n=[1, 2])))
    assert "at n=1" in sentence


KEEPS: dict[str, Claim] = {}


def keeps(kind: Kind, over: Sequence[dict[str, Any]] = ({},)) -> Callable[[Callable[..., Any]], None]:
    """A body that keeps to the contract."""

    def decorate(body: Callable[..., Any]) -> None:
        KEEPS[body.__name__.replace("_", " ")] = _made(kind, body, over)

    return decorate


@keeps(always())
def constants_beside_inputs(forall):
    forall.interval("x", 0.0, 1.0)
    return 0.5, torch.tensor(1.0)


@keeps(always())
def no_inputs():
    return 0.5, 1.0


@keeps(always())
def an_order_has_no_slope(forall):
    """Constant almost everywhere: there is nothing to climb, and nothing was cut."""
    order = forall.permutation("order", 5)
    return (order[:, 0] - order[:, 1]).abs(), 4.0


@keeps(always())
def a_graph_has_no_slope(forall):
    return forall.graph("G", 4).sum((-2, -1)), 12.0


@keeps(always())
def jumps_beside_slopes(forall):
    x = forall.interval("x", 0.0, 1.0, 50)
    return (x > 0.5).double().mean(-1) * forall.interval("y", 0.0, 1.0), 1.0


keeps(identity())(sums_in_another_order)
keeps(identity())(cancellation_in_another_order)


@keeps(identity())
def constant_up_to_rounding(forall):
    return forall.simplex("p", 5).sum(-1), 1.0


@keeps(always())
def what_is_assumed_away_is_not_finite(forall):
    x, y = forall.interval("x", -1.0, 1.0, 3), forall.interval("y", -1.0, 1.0)
    forall.assume((x > 0.0).all(-1))
    return x.log().sum(-1) + y, 9.0


@keeps(always())
def matrices_and_functions(forall):
    points = forall.interval("t", -1.0, 1.0, 4)
    f = forall.lipschitz("f", points)
    return (f[:, 0] - f[:, 1]).abs() + 0.0 * forall.orthogonal("U", 3).sum((-2, -1)), (
        points[:, 0] - points[:, 1]
    ).abs()


@keeps(always())
def counts_in_float32(forall):
    """Whole numbers are exact there."""
    x = forall.interval("x", 0.0, 1.0, 9)
    return (x > 0.5).float().sum(-1) + x[:, 0], 10.0


@keeps(high_probability("delta"), grid(delta=[0.1]))
def draws_of_every_kind(forall, draw, *, delta):
    law = forall.simplex("law", 3)
    total = draw.categorical("c", law) + draw.multinomial("m", 5, law)[:, 0] + draw.sphere("s", 3).sum(-1)
    total = total + draw.ball("b", 3).sum(-1) + draw.signs("e", 2).sum(-1)
    return total, 99.0


@keeps(tail())
def an_event_of_a_law(forall, draw):
    law, t = forall.law("P", low=-1.0), forall.interval("t", 0.05, 2.0)
    return draw.law("x", law) >= law.mean + t, law.variance / (law.variance + t**2)


@keeps(tail())
def an_assumption_beside_draws(forall, draw):
    p, q = forall.interval("p", 0.0, 1.0), forall.interval("q", 0.0, 1.0)
    forall.assume(p < 0.1 * q)
    return draw.bernoulli("x", p) > 0.5, p / torch.where(q > 10.0 * p, q, torch.nan)


@keeps(high_probability("delta"), grid(n=[5], delta=[0.1]))
def a_supremum_within(draw, within, *, n, delta):
    x, t = draw.uniform("x", n), within.interval("t", 0.0, 1.0)
    return ((x <= t[:, None]).double().mean(-1) - t).abs(), 1.0


@keeps(rate("n", -1.0), grid(n=N))
def a_rate(draw, *, n):
    return draw.normal("z", n).mean(-1).square()


@pytest.mark.parametrize("made", KEEPS.values(), ids=KEEPS.keys())
def test_a_body_that_keeps_to_the_contract_passes(made: Claim) -> None:
    """All of it but the device, which is not there, and which is said."""
    assert check_contract(made) == (NO_GPU,)


@pytest.mark.parametrize("made", KEEPS.values(), ids=KEEPS.keys())
def test_a_body_that_keeps_to_the_contract_does_so_on_a_device(made: Claim) -> None:
    with PretendedCuda():
        assert check_contract(made, device="cuda") == ()


OFF_DEVICE: dict[str, tuple[Callable[[Tensor], Any], str]] = {
    "a table": (lambda x: ((x * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum(-1), 9.0), "MixedDevicesError"),
    "a side": (lambda x: (x.sum(-1), torch.full((len(x),), 9.0)), "returns a side on cpu for inputs on cuda"),
    "a copy": (lambda x: (x.cpu().sum(-1), 9.0), "returns a side on cpu for inputs on cuda"),
    "other numbers": (lambda x: (x.sum(-1) * (1.0 + x.is_cuda), 9.0), "another left side on cuda than on the CPU"),
}


@pytest.mark.parametrize(("returns", "words"), OFF_DEVICE.values(), ids=OFF_DEVICE.keys())
def test_a_body_that_leaves_the_device_is_told_so(returns: Callable[[Tensor], Any], words: str) -> None:
    """On the CPU nothing is wrong with it."""
    for made in (_for_all(returns, always()), _drawn(lambda z: returns(z[:, :4]), high_probability("delta"))):
        assert check_contract(made) == (NO_GPU,)
        with PretendedCuda(), pytest.raises(ContractError) as caught:
            check_contract(made, device="cuda")
        (sentence,) = caught.value.breaches
        assert words in sentence


def test_a_device_that_is_not_there_is_a_users_mistake() -> None:
    made = KEEPS["no inputs"]
    with pytest.raises(UsageError, match="no GPU"):
        check_contract(made, device="cuda")
    with pytest.raises(UsageError, match="cpu or cuda"):
        check_contract(made, device="tpu")
    assert check_contract(made, device="cpu") == ()


def test_what_cannot_be_seen_is_said() -> None:
    def absent(forall):
        raise skip("needs a folder")

    def nowhere(forall):
        x = forall.interval("x", 0.0, 1.0)
        forall.assume(x > 2.0)
        return x, 1.0

    table = _made(reproduction(), lambda: [Row("one", 1.0, 0.0, 1.0)])
    assert check_contract(table) == (f"{table.key}: it returns no sides before it is judged",)
    assert check_contract(_made(always(), absent))[-1].endswith(": needs a folder")
    assert "none of 512 random inputs satisfies what it assumes" in check_contract(_made(always(), nowhere))[-1]


def test_the_contract_asks_for_more_than_the_judge() -> None:
    """A body that the judge takes as it is, with a remark on what it cannot see, is told how to show more."""
    made = _for_all(lambda x: ((x - 0.5).sqrt().sum(-1), 9.0), always())
    assert check(made, effort="quick").status is not Status.ERROR
    assert INFINITE in _breaches(made)[0]
