"""What a claim's body sees: shapes, reproducibility, laws, and one sentence for each misuse."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import claim, grid, high_probability
from harness.errors import ClaimError
from harness.evidence.bernoulli import sample_size
from harness.language.evaluation import evaluate
from harness.language.quantifiers import COUNTED, Draw, Forall, from_values
from harness.language.spaces import Space

REPS = 61

FORALL: dict[str, tuple[Callable[[Forall], Tensor], tuple[int, ...]]] = {
    "interval": (lambda f: f.interval("x", 0.0, 1.0), ()),
    "interval of shape": (lambda f: f.interval("x", -1, 2.5, 3, 2), (3, 2)),
    "integers": (lambda f: f.integers("x", 0, 5), ()),
    "integers of shape": (lambda f: f.integers("x", -5, 5, 4), (4,)),
    "signs": (lambda f: f.signs("x", 2, 3), (2, 3)),
    "scalar sign": (lambda f: f.signs("x"), ()),
    "ball": (lambda f: f.ball("x", 3), (3,)),
    "ball of rows": (lambda f: f.ball("x", 2, 3, radius=0.5), (2, 3)),
    "sphere": (lambda f: f.sphere("x", 2, radius=4.0), (2,)),
    "simplex": (lambda f: f.simplex("x", 4), (4,)),
    "rows of a simplex": (lambda f: f.simplex("x", 2, 4), (2, 4)),
    "psd": (lambda f: f.psd("x", 3), (3, 3)),
    "psd of trace": (lambda f: f.psd("x", 2, trace=1.0), (2, 2)),
    "choice": (lambda f: f.choice("x", [torch.zeros(2), torch.ones(2)]), (2,)),
    "choice of numbers": (lambda f: f.choice("x", [0.5, 2]), ()),
}

DRAW: dict[str, tuple[Callable[[Draw], Tensor], tuple[int, ...]]] = {
    "normal": (lambda d: d.normal("x"), ()),
    "normal of shape": (lambda d: d.normal("x", 3, 2), (3, 2)),
    "uniform": (lambda d: d.uniform("x", 4, low=-1.0, high=2.0), (4,)),
    "bernoulli": (lambda d: d.bernoulli("x", 0.3, 5), (5,)),
    "signs": (lambda d: d.signs("x", 5), (5,)),
    "sphere": (lambda d: d.sphere("x", 2, 3), (2, 3)),
    "ball": (lambda d: d.ball("x", 3), (3,)),
    "categorical": (lambda d: d.categorical("x", [0.2, 0.3, 0.5], 5), (5,)),
    "scalar categorical": (lambda d: d.categorical("x", [0.2, 0.3, 0.5]), ()),
    "multinomial": (lambda d: d.multinomial("x", 7, [0.2, 0.3, 0.5]), (3,)),
    "sample": (lambda d: d.sample("x", torch.distributions.Gamma(2.0, 1.0), 5), (5,)),
    "vector sample": (
        lambda d: d.sample("x", torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2)), 5),
        (5, 2),
    ),
}

every_forall = pytest.mark.parametrize(("call", "shape"), FORALL.values(), ids=FORALL.keys())
every_draw = pytest.mark.parametrize(("call", "shape"), DRAW.values(), ids=DRAW.keys())


def _sampling(batch: int) -> Forall:
    return Forall(lambda space: space.sample(np.random.default_rng(0), batch))


@every_forall
@pytest.mark.parametrize("batch", [1, 17])
def test_forall_hands_out_batch_then_shape(
    call: Callable[[Forall], Tensor], shape: tuple[int, ...], batch: int
) -> None:
    forall = _sampling(batch)
    x = call(forall)
    assert x.dtype == torch.float64
    assert tuple(x.shape) == (batch, *shape)
    assert bool(forall.spaces["x"].contains(x).all())


@every_draw
@pytest.mark.parametrize("reps", [1, REPS])
def test_draw_hands_out_reps_then_shape(call: Callable[[Draw], Tensor], shape: tuple[int, ...], reps: int) -> None:
    x = call(Draw(reps, ("k",)))
    assert x.dtype == torch.float64
    assert tuple(x.shape) == (reps, *shape)
    assert bool(torch.isfinite(x).all())


@every_draw
def test_a_draw_depends_on_its_key_and_name_alone(call: Callable[[Draw], Tensor], shape: tuple[int, ...]) -> None:
    """Same key: same numbers, whatever was drawn before. Another key: other numbers."""
    first = call(Draw(REPS, (0, "claim", "cell", 3)))
    later = Draw(REPS, (0, "claim", "cell", 3))
    later.normal("something else", 10)
    torch.manual_seed(99)
    assert torch.equal(call(later), first)
    assert not torch.equal(call(Draw(REPS, (0, "claim", "cell", 4))), first)


def test_two_names_are_two_streams() -> None:
    draw = Draw(REPS, ("k",))
    a, b = draw.uniform("a", 50), draw.uniform("b", 50)
    assert not bool((a == b).any())


def test_keys_do_not_run_together() -> None:
    """("1", "12") and ("11", "2") must not name one stream."""
    assert not torch.equal(Draw(9, ("1", "12")).normal("x"), Draw(9, ("11", "2")).normal("x"))


@every_draw
def test_global_generators_are_left_alone(call: Callable[[Draw], Tensor], shape: tuple[int, ...]) -> None:
    torch_state, numpy_state = torch.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    call(Draw(REPS, ("k",)))
    assert torch.equal(torch.get_rng_state(), torch_state)
    assert np.array_equal(np.random.get_state()[1], numpy_state)  # noqa: NPY002


BATCHED = torch.linspace(0.0, 1.0, REPS, dtype=torch.float64)
PER_ENTRY = torch.tensor([0.0, 1.0, 0.0], dtype=torch.float64)


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (1.0, torch.ones(REPS, 3)),
        (torch.tensor(1.0), torch.ones(REPS, 3)),
        (torch.tensor([1.0]), torch.ones(REPS, 3)),
        ((BATCHED >= 0.5).double(), (BATCHED >= 0.5)[:, None].expand(REPS, 3)),
        (PER_ENTRY, PER_ENTRY.expand(REPS, 3)),
        (PER_ENTRY[None], PER_ENTRY.expand(REPS, 3)),
        ((BATCHED >= 0.5).double()[:, None] * PER_ENTRY, (BATCHED >= 0.5)[:, None] * PER_ENTRY),
    ],
    ids=["number", "scalar", "(1,)", "(reps,)", "(n,)", "(1, n)", "(reps, n)"],
)
def test_parameters_align_with_the_batch_axis_first(p: Tensor | float, expected: Tensor) -> None:
    """With p in {0, 1} the outcome is certain, so a wrong alignment cannot hide behind chance."""
    assert torch.equal(Draw(REPS, ("k",)).bernoulli("x", p, 3), expected.double())


def test_parameters_are_padded_on_the_right() -> None:
    p = PER_ENTRY[None]  # (1, 3) against (reps, 3, 3): entry i belongs to row i, not to column i
    x = Draw(REPS, ("k",)).bernoulli("x", p, 3, 3)
    assert torch.equal(x, PER_ENTRY[None, :, None].expand(REPS, 3, 3))


@pytest.mark.parametrize("leading", [(), (1,)], ids=["(3, K)", "(1, 3, K)"])
def test_class_probabilities_align_like_any_other_parameter(leading: tuple[int, ...]) -> None:
    """Row i certainly has class i; square shapes would hide a transposition from a shape check."""
    probs = torch.eye(3, dtype=torch.float64).reshape(*leading, 3, 3)
    expected = torch.arange(3.0, dtype=torch.float64)
    assert torch.equal(Draw(REPS, ("k",)).categorical("x", probs, 3), expected.expand(REPS, 3))
    assert torch.equal(Draw(REPS, ("k",)).categorical("x", probs, 3, 3), expected[:, None].expand(REPS, 3, 3))


def test_class_probabilities_of_one_instance_serve_all_entries() -> None:
    probs = torch.tensor([[0.0, 0.0, 1.0]], dtype=torch.float64)
    assert bool((Draw(REPS, ("k",)).categorical("x", probs, 4) == 2.0).all())
    assert bool((Draw(REPS, ("k",)).categorical("x", probs) == 2.0).all())


@pytest.mark.parametrize("probs", [[0.2, 0.8], [[0.2, 0.8]], torch.tensor([[0.2, 0.8]])])
def test_multinomial_counts_add_up(probs: object) -> None:
    counts = Draw(REPS, ("k",)).multinomial("x", 9, probs)  # type: ignore[arg-type]
    assert bool((counts.sum(-1) == 9.0).all())
    assert bool((counts >= 0.0).all())


@pytest.mark.parametrize("probs", [[0.2, 0.8], [0.1, 0.2, 0.7]])
@pytest.mark.parametrize("count", [3, 4096])
def test_multinomial_counts_of_one_law_are_those_of_a_law_for_each_replicate(probs: list[float], count: int) -> None:
    """One law is drawn by another method of numpy, which must not change a verdict that is on record."""
    law = torch.tensor([probs], dtype=torch.float64)
    once, each = (Draw(REPS, ("k",)).multinomial("x", count, table) for table in (law, law.expand(REPS, -1)))
    assert torch.equal(once, each)


@pytest.mark.parametrize("probs", [[1.0], [0.3, 0.0, 0.7]])
@pytest.mark.parametrize("count", [0, 1, COUNTED, COUNTED + 1])
def test_kept_multinomial_counts_add_up_and_follow_their_law(probs: list[float], count: int) -> None:
    draw = Draw(REPS, ("k",), kept={})
    counts = draw.multinomial("x", count, probs)
    assert tuple(counts.shape) == (REPS, len(probs))
    assert bool((counts.sum(-1) == count).all())
    assert bool((counts >= 0.0).all())
    assert bool((counts[:, torch.tensor(probs) == 0.0] == 0.0).all())
    draw._afresh()
    assert torch.equal(draw.multinomial("x", count, probs), counts)  # the same numbers for all who share them


def test_multinomial_counts_add_up_to_the_sum_of_each_replicate() -> None:
    sums = torch.arange(REPS, dtype=torch.float64)
    counts = Draw(REPS, ("k",)).multinomial("x", sums, [0.2, 0.8])
    assert torch.equal(counts.sum(-1), sums)
    assert torch.equal(Draw(4, ("k",)).multinomial("x", torch.tensor([9]), [0.2, 0.8]).sum(-1), torch.full((4,), 9.0))


@pytest.mark.parametrize("count", [torch.tensor([-1.0]), torch.tensor([math.nan]), torch.ones(REPS + 1)])
def test_a_sum_that_is_none_is_refused(count: Tensor) -> None:
    with pytest.raises(ClaimError, match="one >= 0 for each replicate"):
        Draw(REPS, ("k",)).multinomial("x", count, [0.2, 0.8])


def test_batched_distributions_keep_the_batch_axis_first() -> None:
    """Location 0, 100, 200, ... of replicate i must end up in row i."""
    location = 100.0 * torch.arange(REPS, dtype=torch.float64)
    for shape in ((), (5,), (5, 2)):
        x = Draw(REPS, ("k",)).sample("x", torch.distributions.Normal(location, 1.0), *shape)
        assert tuple(x.shape) == (REPS, *shape)
        assert bool(((x.reshape(REPS, -1) - location[:, None]).abs() < 20.0).all())
    one = Draw(REPS, ("k",)).sample("x", torch.distributions.Normal(torch.zeros(1), torch.ones(1)), 4)
    assert tuple(one.shape) == (REPS, 4)
    assert len(one.unique()) == REPS * 4


FALSE_ALARM, MISSED = 1e-9, 1e-9
DEFECT = 0.02  # the smallest error of a probability that a test must see

LAWS: dict[str, tuple[Callable[[Draw], Tensor], float]] = {
    "bernoulli": (lambda d: d.bernoulli("x", 0.3), 0.3),
    "bernoulli per entry": (lambda d: d.bernoulli("x", torch.tensor([0.9, 0.3]), 2)[:, 1], 0.3),
    "uniform": (lambda d: d.uniform("x", low=-1.0, high=3.0) < 0.0, 0.25),
    "signs": (lambda d: d.signs("x") > 0.0, 0.5),
    "normal": (lambda d: d.normal("x") > 1.0, 0.5 * math.erfc(1.0 / math.sqrt(2.0))),
    "circle": (lambda d: d.sphere("x", 2)[:, 0] > math.sqrt(0.5), 0.25),
    "sphere": (lambda d: d.sphere("x", 3)[:, 1] > 0.5, 0.25),
    "disc": (lambda d: d.ball("x", 2).norm(dim=-1) < 0.5, 0.25),
    "ball": (lambda d: d.ball("x", 3).norm(dim=-1) < 0.5 ** (1 / 3), 0.5),
    "first class": (lambda d: d.categorical("x", [0.2, 0.3, 0.5]) == 0.0, 0.2),
    "second class": (lambda d: d.categorical("x", [0.2, 0.3, 0.5]) == 1.0, 0.3),
    "last class": (lambda d: d.categorical("x", [0.2, 0.3, 0.5]) == 2.0, 0.5),
    "all of one class": (lambda d: d.multinomial("x", 3, [0.5, 0.2, 0.3])[:, 0] == 3.0, 0.125),
    "all of one class, by replicate": (
        lambda d: d.multinomial("x", torch.full((d.reps,), 3), [0.5, 0.2, 0.3])[:, 0] == 3.0,
        0.125,
    ),
    "none of a class": (lambda d: d.multinomial("x", 2, [[0.5, 0.2, 0.3]])[:, 1] == 0.0, 0.64),
    "exponential": (lambda d: d.sample("x", torch.distributions.Exponential(1.0)) > 1.0, math.exp(-1.0)),
}


@pytest.mark.parametrize("kept", [None, {}], ids=["alone", "kept"])
@pytest.mark.parametrize(("event", "probability"), LAWS.values(), ids=LAWS.keys())
def test_laws(event: Callable[[Draw], Tensor], probability: float, kept: dict[Any, np.ndarray] | None) -> None:
    """Draws alone, and those whose numbers are kept for many to share.

    Null hypothesis: the event has the stated probability; an error of 0.02 is missed with probability 1e-9.
    """
    for null, hits in ((probability, lambda e: e), (1.0 - probability, lambda e: 1.0 - e)):
        trials, accepted = sample_size(FALSE_ALARM, MISSED, null, null + DEFECT)
        outcome = event(Draw(trials, ("laws",), kept=None if kept is None else {})).double()
        assert int(hits(outcome).sum()) <= accepted


MISUSES: dict[str, tuple[Callable[[Forall, Draw], object], str]] = {
    "empty interval": (lambda f, _: f.interval("x", 2.0, 1.0), "low must not exceed high"),
    "tensor bound": (lambda f, _: f.interval("x", torch.tensor(0.0), 1.0), "bounds must be plain numbers"),
    "infinite bound": (lambda f, _: f.interval("x", 0.0, math.inf), "bounds must be finite"),
    "no integer inside": (lambda f, _: f.integers("x", 0.2, 0.8), "low must not exceed high"),
    "integers that floats miss": (lambda f, _: f.integers("x", 2**59, 2**60), "no float there is odd"),
    "negative radius": (lambda f, _: f.ball("x", 3, radius=-1.0), "must be positive"),
    "ball without coordinates": (lambda f, _: f.ball("x"), "needs a shape"),
    "simplex without atoms": (lambda f, _: f.simplex("x"), "needs a shape"),
    "empty axis": (lambda f, _: f.signs("x", 0), "at least 1"),
    "fractional axis": (lambda f, _: f.signs("x", 2.5), "at least 1"),
    "texts as options": (lambda f, _: f.choice("x", ["a", "b"]), "takes numbers, tensors and lists of numbers"),
    "probabilities of less than one": (lambda _, d: d.categorical("x", [0.5, 0.4]), "sum to 0.9; divide them by"),
    "counts of less than one": (lambda _, d: d.multinomial("x", 3, [0.5, 0.4]), "sum to 0.9; divide them by"),
    "twice forall": (lambda f, _: (f.signs("x"), f.signs("x")), "quantified twice"),
    "no options": (lambda f, _: f.choice("x", []), "has no options; give at least one"),
    "ragged options": (lambda f, _: f.choice("x", [torch.zeros(2), torch.zeros(3)]), "options of one shape"),
    "twice drawn": (lambda _, d: (d.normal("x"), d.normal("x")), "drawn twice"),
    "too many axes": (lambda _, d: d.bernoulli("x", torch.ones(1, 3, 2), 3), "more axes than the draw"),
    "probability above one": (lambda _, d: d.bernoulli("x", 1.2, 3), "outside [0, 1]"),
    "probability NaN": (lambda _, d: d.bernoulli("x", math.nan, 3), "outside [0, 1]"),
    "negative class": (lambda _, d: d.categorical("x", [0.5, -0.5, 1.0], 3), "negative, NaN or all zero"),
    "no classes": (lambda _, d: d.categorical("x", 0.5, 3), "last axis"),  # type: ignore[arg-type]
    "empty law": (lambda _, d: d.multinomial("x", 3, [0.0, 0.0]), "negative, NaN or all zero"),
    "batched law": (lambda _, d: d.multinomial("x", 3, torch.full((5, 3), 1 / 3)), "give (K,) or (1, K)"),
    "sphere without coordinates": (lambda _, d: d.sphere("x"), "needs a shape"),
}


@pytest.mark.parametrize(("misuse", "remedy"), MISUSES.values(), ids=MISUSES.keys())
def test_misuse_gives_one_sentence_naming_the_variable_and_the_remedy(
    misuse: Callable[[Forall, Draw], object], remedy: str
) -> None:
    with pytest.raises(ClaimError) as caught:
        misuse(_sampling(1), Draw(REPS, ("k",)))
    message = str(caught.value)
    assert remedy in message
    assert "'x'" in message
    assert "\n" not in message


def test_probabilities_may_leave_the_unit_interval_by_rounding() -> None:
    above, below = 1.0 + 1e-12, -1e-12
    assert bool((Draw(REPS, ("k",)).bernoulli("x", above, 3) == 1.0).all())
    assert bool((Draw(REPS, ("k",)).bernoulli("x", below, 3) == 0.0).all())
    assert bool((Draw(REPS, ("k",)).categorical("x", [below, 1.0, below], 3) == 1.0).all())


def test_replay_hands_back_the_stored_values_and_refuses_others() -> None:
    value = torch.tensor([[1.0, -1.0]], dtype=torch.float64)
    assert Forall(from_values({"x": value})).signs("x", 2) is value
    with pytest.raises(ClaimError, match="may depend on the grid, not on values"):
        Forall(from_values({"x": value})).signs("y", 2)


def test_forall_records_its_sets_in_order() -> None:
    seen: list[Space] = []
    forall = Forall(lambda space: (seen.append(space), space.sample(np.random.default_rng(0), 1))[1])
    forall.interval("b", 0, 1)
    forall.signs("a", 2)
    assert [space.name for space in seen] == ["b", "a"] == list(forall.spaces)


def test_indicators_are_numbers_and_take_parameters_with_gradients() -> None:
    p = torch.tensor([0.25, 0.75], dtype=torch.float64, requires_grad=True)
    x = Draw(2, ("k",)).bernoulli("x", p, 1000)
    assert x.shape == (2, 1000)
    assert x.dtype == torch.float64
    assert not x.requires_grad
    assert set(x.unique().tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("n", [60, 61, 62])
def test_a_bias_for_each_coin_is_none_for_each_replicate_however_many_there_are(n: int) -> None:
    """A list of as many numbers as there are replicates: the same body at other sizes tells what it is."""

    @claim("mine/own-bias", high_probability("delta"), over=grid(delta=[0.05]))
    def made(draw, *, delta):
        """The first coin never shows 1, the last one always."""
        p = torch.linspace(0.0, 1.0, n)
        x, c = draw.bernoulli("x", p, n), draw.categorical("c", torch.stack([1.0 - p, p], -1), n)
        z = draw.sample("z", torch.distributions.Normal(p, 1e-9))
        return x[:, 0] + c[:, 0] + z[:, 0] - x[:, -1] - c[:, -1] - z[:, -1], torch.zeros(())

    lhs = evaluate(made, {"delta": 0.05}, {}, Draw(61, ("k",)), 61).lhs
    assert torch.allclose(lhs, torch.full((61,), -3.0, dtype=torch.float64), atol=1e-7)
    assert len(lhs.unique()) == 61  # samples of their own


@pytest.mark.parametrize("reps", [7, 61])
def test_a_bias_for_each_replicate_stays_its_own(reps: int) -> None:
    @claim("mine/hierarchical", high_probability("delta"), over=grid(delta=[0.05]))
    def made(draw, *, delta):
        """61 coins of a bias that is 0 or 1."""
        p = draw.bernoulli("p", 0.5)
        x, z = draw.bernoulli("x", p, 61), draw.sample("z", torch.distributions.Normal(p, 1e-9))
        return (x - p[:, None]).abs().sum(-1) + (z - p).abs(), 1e-7

    sides = evaluate(made, {"delta": 0.05}, {}, Draw(reps, ("k",)), reps)
    assert bool((sides.lhs <= sides.rhs).all())


def test_a_body_that_stops_at_other_sizes_keeps_a_bias_for_each_replicate() -> None:
    @claim("mine/stops", high_probability("delta"), over=grid(delta=[0.05]))
    def made(draw, *, delta):
        """Coins of a bias that is 0 or 1, in blocks of 61 only."""
        p = draw.bernoulli("p", 0.5)
        if draw.reps != 61:
            raise ValueError("not today")
        return (draw.bernoulli("x", p, 61) - p[:, None]).abs().sum(-1), 0.0

    sides = evaluate(made, {"delta": 0.05}, {}, Draw(61, ("k",)), 61)
    assert bool((sides.lhs == 0.0).all())


@pytest.mark.parametrize(
    ("shape", "axes"), [((1, 8), (1, 50)), ((8,), (1, 50)), ((5,), ()), ((3,), (50, 3)), ((2, 3), (3,))]
)
def test_a_parameter_wider_than_the_draw_is_refused(shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    """Its values would share their random numbers."""
    with pytest.raises(ClaimError, match=r"'x': its parameter has shape .* (fit|more axes)"):
        Draw(7, ("k",)).bernoulli("x", torch.full(shape, 0.5), *axes)


@pytest.mark.parametrize(
    ("law", "mean", "middle"),
    [
        (torch.distributions.Beta(torch.tensor(1e-3), torch.tensor(3e-3)), 0.25, 0.02),
        (torch.distributions.Beta(torch.tensor([1e-12]), torch.tensor([1e-12])), 0.5, 1e-9),
        (torch.distributions.Dirichlet(torch.tensor([1e-3, 1e-3, 2e-3])), 0.25, 0.02),
    ],
    ids=["beta", "tiny beta", "dirichlet"],
)
def test_small_concentrations_have_their_law(law: object, mean: float, middle: float) -> None:
    """P(.1 < X < .9) is about a b / (a + b) log 81: torch's own gamma variates underflow to a middle of a half.

    The mean of 4096 variables in [0, 1] is off by more than .06 with probability 1.4e-13 (Hoeffding).
    """
    x = Draw(4096, ("k",)).sample("x", law, 1)
    first = x.reshape(4096, -1)[:, 0]
    assert abs(float(first.mean()) - mean) < 0.06
    assert float(((first > 0.1) & (first < 0.9)).double().mean()) <= middle


def test_counts_beyond_all_floats_are_refused() -> None:
    with pytest.raises(ClaimError, match="Poisson"):
        Draw(3, ("k",)).sample("x", torch.distributions.Poisson(torch.tensor(1e19)))
