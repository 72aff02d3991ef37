"""The rounding of random claims, trial by trial."""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from harness.certify.rounding import CLEAR, trial_noise
from harness.kinds import high_probability
from harness.language.evaluation import Sides, evaluate
from harness.language.quantifiers import Draw
from harness.language.registry import claim, grid


def _trials(body: Callable[..., Any], reps: int = 2000) -> tuple[Sides, Tensor]:
    made = claim(f"rounding/trials-{body.__name__}", high_probability("delta"), over=grid(delta=[0.05]))(body)
    params = {"delta": 0.05}
    draw = functools.partial(Draw, reps, ("test", body.__name__))
    with torch.no_grad():
        sides = evaluate(made, params, {}, draw(), reps)
        noise = trial_noise(made, params, (), {}, draw, sides.lhs - sides.rhs, pairs=2)
    assert noise.shape == (reps,)
    return sides, noise


def test_trials_that_tie_by_decimals_are_ties() -> None:
    """0.1 + 0.2 > 0.3 in float64: a claim that is exact on the reals would be violated in every trial."""

    def decimals(draw, *, delta):
        """0.1 + 0.2 <= 0.3."""
        zero = 0.0 * draw.normal("z")
        return zero + 0.1 + 0.2, zero + 0.3

    def tenths(draw, *, delta):
        """A sum of tenths is a tenth of the sum."""
        x = draw.signs("x", 10)
        return (0.1 * x).sum(-1), 0.1 * x.sum(-1)

    for body in (decimals, tenths):
        sides, noise = _trials(body)
        gap = (sides.lhs - sides.rhs).abs()
        assert int((gap > 0.0).sum()) > 20
        assert bool((gap <= CLEAR * noise).all())
        assert bool((noise < 1e-13).all())


def test_trials_that_do_not_tie_stay_apart() -> None:
    """A noise as wide as the gap between the sides would make every violation a tie."""

    def level(draw, *, delta):
        """u <= 1 - delta."""
        return draw.uniform("u"), 1.0 - delta

    def close(draw, *, delta):
        """u (1 + 1e-9) <= u: violated by 1e-9 in every trial."""
        u = draw.uniform("u")
        return u * (1.0 + 1e-9), u

    def tiny(draw, *, delta):
        """1e-150 u <= 1e-150 (1 - delta)."""
        return 1e-150 * draw.uniform("u"), 1e-150 * (1.0 - delta)

    for body in (level, close, tiny):
        sides, noise = _trials(body)
        gap = (sides.lhs - sides.rhs).abs()
        assert float((gap > CLEAR * noise).double().mean()) > 0.99


def test_trials_of_whole_numbers_have_no_rounding() -> None:
    def counted(draw, *, delta):
        """A count is at most 7."""
        return draw.bernoulli("x", 0.3, 20).sum(-1), 7.0

    assert float(_trials(counted)[1].max()) == 0.0


def test_the_draws_are_the_same_however_they_are_rounded() -> None:
    """Other draws would make the spread of the law look like rounding, and every violation like a tie."""

    def drawn(draw, *, delta):
        """z <= 0."""
        return draw.normal("z", 3).sum(-1) + draw.uniform("u"), draw.signs("s")

    assert float(_trials(drawn)[1].max()) < 1e-12


def test_trials_through_numpy_have_their_statements_moved() -> None:
    """A trial that no evaluation happens to move counts as a violation: at delta = 1 %, a few in a hundred convict."""

    def left(draw, *, delta):
        """(u + 1e8) - 1e8 = u, through numpy."""
        x = draw.uniform("u").numpy()
        return torch.from_numpy(((x + 1e8) - 1e8) - x), 0.0

    sides, noise = _trials(left)
    assert bool(((sides.lhs - sides.rhs).abs() <= CLEAR * noise).all())
