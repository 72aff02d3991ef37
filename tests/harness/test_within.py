"""Suprema inside the event: enumerated, scanned or climbed, replicate by replicate."""

import math

import pytest
import torch

from harness import ClaimError, check, claim, grid, high_probability
from harness.language.evaluation import anatomy, evaluate
from harness.language.quantifiers import Draw, Recorder
from harness.language.registry import Claim

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
