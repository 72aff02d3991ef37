"""Suprema inside the event: enumerated, scanned or climbed, replicate by replicate."""

import functools
import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
import torch

from harness import ClaimError, check, claim, grid, high_probability, tail
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw
from harness.language.recorded import Recorder
from harness.language.registry import Claim
from harness.verdict import Status
from tests.helpers import bare_check

pytestmark = pytest.mark.usefixtures("double_precision")
REPS = 257


def sides(made: Claim, draw=None) -> tuple[torch.Tensor, torch.Tensor]:
    cell = made.cells[0]
    found = evaluate(made, cell, {}, draw or Draw(REPS, ("test",)), REPS)
    return found.lhs, found.rhs


def test_a_small_finite_class_is_enumerated() -> None:
    @claim("mine/signs", high_probability("delta"), over=grid(delta=[0.1]))
    def signs(draw, within, *, delta):
        """The supremum of <s, x> over signs is the 1-norm of x."""
        x = draw.normal("x", 6)
        return (within.signs("s", 6) * x).sum(-1), x.abs().sum(-1)

    lhs, rhs = sides(signs)
    torch.testing.assert_close(lhs, rhs, rtol=1e-14, atol=0.0)


@pytest.mark.parametrize(("n", "share"), [(1, 0.0), (3, 0.0), (6, 0.0), (7, 0.02)])
def test_the_best_order_is_found(n: int, share: float) -> None:
    """The best assignment, by all n! of them; from seven on it is searched by exchanges (short by .65 % here)."""

    @claim(f"mine/assignment-{n}", high_probability("delta"), over=grid(delta=[0.1]))
    def assignment(draw, within, *, delta):
        """The best of all assignments."""
        a = draw.normal("a", n, n)
        return a.gather(-1, within.permutation("p", n)[..., None])[..., 0].sum(-1), 0.0

    found, _ = sides(assignment)
    a = Draw(REPS, ("test",)).normal("a", n, n)
    each = (a[:, torch.arange(n), torch.tensor(order)].sum(-1) for order in itertools.permutations(range(n)))
    best = functools.reduce(torch.maximum, each)
    assert bool((found <= best + 1e-12).all())
    assert float((best - found).mean()) <= share * float(best.mean())


@pytest.mark.parametrize("dimension", [1, 2, 5, 20])
def test_linear_functions_of_a_ball_attain_their_norm(dimension: int) -> None:
    @claim("mine/ball", high_probability("delta"), over=grid(delta=[0.1]))
    def ball(draw, within, *, delta):
        """The supremum of <u, x> over the unit ball is the norm of x."""
        x = draw.normal("x", dimension)
        return (within.ball("u", dimension) * x).sum(-1), x.norm(dim=-1)

    lhs, rhs = sides(ball)
    assert bool((lhs <= rhs * (1 + 1e-12)).all())
    assert bool((lhs >= 0.999 * rhs).all())


def test_one_real_number_is_scanned() -> None:
    @claim("mine/wave", high_probability("delta"), over=grid(delta=[0.1]))
    def wave(draw, within, *, delta):
        """The supremum of cos(20 (t - x)) over [0, 1] is 1."""
        x = draw.uniform("x")
        return torch.cos(20.0 * (within.interval("t", 0.0, 1.0) - x)), 1.0

    assert float(sides(wave)[0].min()) > 0.999


def test_answers_are_those_of_each_replicate_and_are_kept_with_the_draws() -> None:
    @claim("mine/kept", high_probability("delta"), over=grid(delta=[0.1]))
    def kept(draw, within, *, delta):
        """A supremum over a simplex."""
        x = draw.normal("x", 4)
        return (within.simplex("p", 4) * x).sum(-1), x.amax(-1)

    recorder = Recorder(Draw(REPS, ("test",)))
    whole = sides(kept, recorder)[0]
    some = torch.tensor([3, 200, 17])
    again = evaluate(kept, kept.cells[0], {}, recorder.rows(some), 3).lhs
    torch.testing.assert_close(again, whole[some], rtol=0.0, atol=0.0)
    assert torch.equal(sides(kept)[0], whole)


def test_what_is_drawn_afterwards_is_refused() -> None:
    @claim("mine/late", high_probability("delta"), over=grid(delta=[0.1]))
    def late(draw, within, *, delta):
        """The adversary would have to see a draw that comes later."""
        t = within.interval("t", 0.0, 1.0)
        return t, draw.uniform("x")

    with pytest.raises(ClaimError, match="draw before"):
        sides(late)
    assert check(late, effort="quick").status == "ERROR"


def test_it_needs_draws() -> None:
    with pytest.raises(ClaimError, match="use `forall`"):

        @claim("mine/none", high_probability("delta"), over=grid(delta=[0.1]))
        def none(within, *, delta):
            """Nothing is drawn."""
            return within.interval("t", 0.0, 1.0), 1.0


def deviation(constant: float) -> Claim:
    @claim("mine/dkw", high_probability("delta"), over=grid(n=[40], delta=[0.1]))
    def dkw(draw, within, *, n, delta):
        """sup_t |F_n(t) - t| <= sqrt(log(2/delta) / (constant n)) for uniform numbers; true for constants up to 2."""
        x = draw.uniform("x", n)
        t = within.interval("t", 0.0, 1.0)
        return ((x <= t[:, None]).double().mean(-1) - t).abs(), math.sqrt(math.log(2 / delta) / (constant * n))

    return dkw


def test_massart_s_constant() -> None:
    assert check(deviation(2.0), effort="quick").status == "HOLDS"
    refuted = check(deviation(3.0), effort="quick")
    assert refuted.status == "REFUTED"
    held = str(check(deviation(2.0), effort="quick"))
    assert "searched" in held


def test_calls_count_as_work() -> None:
    plain = anatomy(deviation(2.0), deviation(2.0).cells[0])
    assert plain.bytes_per_replicate > 40 * 8 * 50


def uniform_sums(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """sup (F_n(t) - t) and sup (t - F_n(t)) of uniform numbers."""
    ordered, steps = x.sort(-1).values, torch.arange(1, x.shape[-1] + 1) / x.shape[-1]
    return (steps - ordered).amax(-1), (ordered - steps + 1 / x.shape[-1]).amax(-1)


def test_both_ends_of_a_step_are_tried() -> None:
    @claim("mine/kolmogorov", high_probability("delta"), over=grid(delta=[0.1]))
    def kolmogorov(draw, within, *, delta):
        """sup_t |F_n(t) - t| is attained at a step, from either side."""
        x = draw.uniform("x", 40)
        t = within.interval("t", 0.0, 1.0)
        return ((x <= t[:, None]).double().mean(-1) - t).abs(), torch.maximum(*uniform_sums(x))

    lhs, rhs = sides(kolmogorov)
    assert bool((lhs <= rhs).all())
    assert bool((lhs >= rhs - 1e-4 / 40).all())


def test_several_numbers_are_moved_from_step_to_step() -> None:
    @claim("mine/kuiper", high_probability("delta"), over=grid(delta=[0.1]))
    def kuiper(draw, within, *, delta):
        """Kuiper's statistic is the sum of both one-sided ones."""
        x = draw.uniform("x", 20)
        t = within.interval("t", 0.0, 1.0, 2)
        found = (x[:, None] <= t[:, :, None]).double().mean(-1)
        return (found - t)[:, 1] - (found - t)[:, 0], sum(uniform_sums(x))

    lhs, rhs = sides(kuiper)
    assert bool((lhs <= rhs + 1e-15).all())
    assert float((rhs - lhs).mean()) < 1e-4
    assert float((rhs - lhs).max()) < 0.01


@pytest.mark.parametrize("distance", [torch.abs, torch.square, lambda x: (x.square() + 1.0).sqrt() - 1.0])
def test_a_narrow_window_finds_a_point(distance: Callable[[torch.Tensor], torch.Tensor]) -> None:
    width = distance(torch.tensor(1e-5))

    @claim("mine/window", high_probability("delta"), over=grid(delta=[0.1]))
    def window(draw, within, *, delta):
        """Around each of twenty points there is a window that holds it."""
        x = draw.uniform("x", 20)
        return (distance(x - within.interval("t", 0.0, 1.0)[:, None]) <= width).double().sum(-1), 1.0

    assert float(sides(window)[0].min()) >= 1.0


def most_in_a_half_plane(x: np.ndarray, y: np.ndarray) -> float:
    """The largest sum of labels in a half-plane, by all lines through two points."""
    best = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        across = x[j] - x[i]
        side = (x - x[i]) @ np.array([-across[1], across[0]])
        side[[i, j]] = 0.0
        for sign, first, second in itertools.product((-1, 1), (0, 1), (0, 1)):
            best = max(best, y[sign * side > 0.0].sum() + first * y[i] + second * y[j])
    return best


def test_half_planes_are_nearly_the_best() -> None:
    @claim("mine/half-planes", high_probability("delta"), over=grid(delta=[0.1]))
    def half_planes(draw, within, *, delta):
        """The largest sum of signs in a half-plane."""
        x, y = draw.normal("x", 12, 2), draw.signs("y", 12)
        inside = (x @ within.sphere("w", 2)[:, :, None]).squeeze(-1) <= within.interval("b", -3.0, 3.0)[:, None]
        return (inside * y).sum(-1), 0.0

    draw = Draw(REPS, ("test",))
    x, y = draw.normal("x", 12, 2).numpy(), draw.signs("y", 12).numpy()
    exact = np.array([most_in_a_half_plane(*each) for each in zip(x, y, strict=True)])
    found = sides(half_planes)[0].numpy()
    assert (found <= exact).all()
    assert (found == exact).mean() > 0.8
    assert (exact - found).max() <= 2.0


def test_what_is_nowhere_compared_costs_no_more() -> None:
    calls = []

    def made(body: Callable[[torch.Tensor], torch.Tensor]) -> Claim:
        @claim("mine/counted", high_probability("delta"), over=grid(delta=[0.1]))
        def counted(draw, within, *, delta):
            """A supremum over a ball."""
            calls.append(0)
            x = draw.normal("x", 3)
            return body((within.ball("u", 3) * x).sum(-1)), 1.0

        return counted

    def counting(body: Callable[[torch.Tensor], torch.Tensor]) -> int:
        calls.clear()
        sides(made(body))
        return len(calls)

    smooth = counting(torch.abs)
    assert smooth < 80
    assert counting(lambda x: (x > 0.5).double()) > smooth + 40


def kuiper(constant: float) -> Claim:
    @claim("mine/two-ends", high_probability("delta"), over=grid(n=[10], delta=[0.1]))
    def two_ends(draw, within, *, n, delta):
        """Kuiper's statistic of n uniform numbers is at most constant / sqrt(n)."""
        x, t = draw.uniform("x", n), within.interval("t", 0.0, 1.0, 2)
        found = (x[:, None] <= t[:, :, None]).double().mean(-1)
        return (found - t)[:, 1] - (found - t)[:, 0], constant / math.sqrt(n)

    return two_ends


def test_a_false_claim_about_steps_is_refuted_and_a_true_one_holds() -> None:
    """Stephens 1970: the quantile of order .9 is 1.620 / (sqrt(n) + 0.155 + 0.24 / sqrt(n)), 1.51 / sqrt(10)."""
    assert check(kuiper(1.35), effort="quick").status == "REFUTED"
    assert check(kuiper(1.65), effort="quick").status == "HOLDS"


@pytest.mark.parametrize("entries", [20, 50])
def test_many_signs_and_whole_numbers_are_moved_entry_by_entry(entries: int) -> None:
    @claim("mine/many", high_probability("delta"), over=grid(delta=[0.1]))
    def many(draw, within, *, delta):
        """Linear functions of signs and of numbers 0, ..., 3 attain their largest values."""
        x, y = draw.normal("x", entries), draw.normal("y", entries)
        found = (within.signs("s", entries) * x).sum(-1) + (within.integers("k", 0, 3, entries) * y).sum(-1)
        return found, x.abs().sum(-1) + 3.0 * y.clamp_min(0.0).sum(-1)

    torch.testing.assert_close(*sides(many), rtol=1e-13, atol=0.0)


def test_a_cut_is_nearly_the_largest() -> None:
    signs = torch.tensor([(1.0, *rest) for rest in itertools.product((-1.0, 1.0), repeat=11)])

    @claim("mine/cut", high_probability("delta"), over=grid(delta=[0.1]))
    def cut(draw, within, *, delta):
        """The largest value of a quadratic form of twelve signs, without slopes."""
        a = draw.normal("a", 12, 12)
        s = within.signs("s", 12).detach()
        return (s * (a @ s[:, :, None]).squeeze(-1)).sum(-1), 0.0

    a = Draw(64, ("test",)).normal("a", 12, 12)
    exact = ((signs @ a) * signs).sum(-1).amax(-1)
    found = evaluate(cut, cut.cells[0], {}, Draw(64, ("test",)), 64).lhs
    assert bool((found <= exact + 1e-12).all())
    assert float((found >= exact - 1e-9).double().mean()) > 0.8
    assert float((found / exact).mean()) > 0.98


def test_one_whole_number_of_many_is_scanned() -> None:
    @claim("mine/arg", high_probability("delta"), over=grid(delta=[0.1]))
    def arg(draw, within, *, delta):
        """A parabola over a million whole numbers attains its largest value."""
        x = draw.uniform("x", low=0.0, high=1e6).round()
        return -(within.integers("k", 0, 10**6) - x).square(), 0.0

    assert float(sides(arg)[0].min()) == 0.0


@pytest.mark.parametrize("words", ["within", "forall"])
def test_answers_are_those_that_are_assumed(words: str) -> None:
    """By either word: the supremum of x (t - s) over s <= t, s + t <= 1 is x at s = 0, t = 1, or 0 where x < 0."""

    @claim(f"mine/assumed-{words}", high_probability("delta"), over=grid(delta=[0.1]))
    def assumed(forall, draw, within, *, delta):
        """Attained in a corner of a triangle, or on its edge."""
        x, s, t = draw.normal("x"), within.interval("s", 0.0, 1.0), within.interval("t", 0.0, 1.0)
        (within if words == "within" else forall).assume((s <= t) & (s + t <= 1.0))
        return x * (t - s), x.clamp_min(0.0)

    lhs, rhs = sides(assumed)
    assert bool((lhs <= rhs + 1e-12).all())
    assert float((rhs - lhs).max()) < 0.1
    assert float((rhs - lhs).mean()) < 5e-3


def test_signs_that_must_agree_are_enumerated() -> None:
    @claim("mine/agree", high_probability("delta"), over=grid(delta=[0.1]))
    def agree(draw, within, *, delta):
        """Both signs are equal, so that the supremum is |x_1 + x_2|."""
        x, s = draw.normal("x", 2), within.signs("s", 2)
        within.assume(s[:, 0] == s[:, 1])
        return (s * x).sum(-1), x.sum(-1).abs()

    lhs, rhs = sides(agree)
    torch.testing.assert_close(lhs, rhs, rtol=1e-14, atol=0.0)


def test_what_nothing_satisfies_says_nothing() -> None:
    @claim("mine/nothing", high_probability("delta"), over=grid(delta=[0.1]))
    def nothing(draw, within, *, delta):
        """No sign is larger than x + 2 where x is positive."""
        x, s = draw.uniform("x", low=-1.0, high=1.0), within.signs("s")
        within.assume(s > x + 1.0)
        return s, 0.0

    found = evaluate(nothing, nothing.cells[0], {}, Draw(REPS, ("test",)), REPS)
    x = Draw(REPS, ("test",)).uniform("x", low=-1.0, high=1.0)
    assert torch.equal(found.lhs.isnan(), x >= 0.0)


def test_an_event_may_be_true_for_some_answer() -> None:
    @claim("mine/event", tail())
    def event(draw, within):
        """Some sign s has s x >= 2: |x| >= 2, of probability .0455."""
        x, s = draw.normal("x"), within.signs("s")
        return x * s >= 2.0, 0.06

    assert check(event, effort="quick").status.name == "HOLDS"


@pytest.mark.parametrize(("room", "status"), [(0.2, Status.REFUTED), (0.26, Status.HOLDS)])
def test_a_right_side_that_depends_on_the_answer_is_taken_where_the_difference_is_largest(
    room: float, status: Status
) -> None:
    """It is at t = 1/2, while the left side alone is largest at t = 1."""

    @claim("within/right", high_probability("delta"), over=grid(delta=[0.05]))
    def made(draw, within, *, delta):
        """t x <= t^2 + room for all t, with x = 1."""
        x, t = draw.bernoulli("x", 1.0), within.interval("t", 0.0, 1.0)
        return t * x, t**2 + room

    assert bare_check(made).status is status
