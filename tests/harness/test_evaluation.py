"""One evaluation of a body: whatever it returns or raises ends as numbers or as one sentence."""

import math
import sys
from collections.abc import Callable
from contextlib import nullcontext
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from harness.errors import ClaimError, SkipClaim
from harness.kinds import Kind, always, expectation, high_probability, identity, rate
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, claim, grid
from harness.run.api import check
from harness.verdict import Status

BATCH = 7


def _claim(returns: Callable[[Any], Any], kind: Kind | None = None) -> Claim:
    def body(forall):
        """A claim under test."""
        return returns(forall.interval("x", 0.0, 1.0))

    return claim("paper/under-test", kind or always())(body)


def _evaluate(made: Claim, batch: int = BATCH) -> Any:
    values = {"x": torch.linspace(0.0, 1.0, batch, dtype=torch.float64)}
    return evaluate(made, {}, values, Draw(batch, ()), batch)


GOOD: dict[str, Callable[[Any], Any]] = {
    "tensors": lambda x: (x, x + 1.0),
    "numbers": lambda _: (0, 1.5),
    "one of each": lambda x: (x, 1),
    "list": lambda x: [x, 1.0],
    "events in float32": lambda x: ((x > 0.5).float(), 1.0),
    "large whole number": lambda x: (x, 10**40),
    "integers": lambda x: (x.long(), 1),
    "truth values": lambda x: (x > 2.0, True),
    "numpy": lambda x: (x.numpy(), np.float64(1.0)),
    "numpy integer": lambda _: (np.int64(0), np.ones(1)),
    "truth value of numpy": lambda _: (np.all(np.ones(2) > 2.0), np.True_),
    "fraction and decimal": lambda _: (Fraction(1, 3), Decimal("1.5")),
    "one element": lambda _: (torch.zeros(1), torch.zeros(1)),
}


@pytest.mark.parametrize("returns", GOOD.values(), ids=GOOD.keys())
def test_numbers_of_any_kind_become_float64_over_the_batch(returns: Callable[[Any], Any]) -> None:
    sides = _evaluate(_claim(returns))
    for side in (sides.lhs, sides.rhs):
        assert side.dtype == torch.float64
        assert tuple(side.shape) == (BATCH,)


def test_numbers_keep_all_their_digits() -> None:
    """Through float32, 0.1 would become 0.10000000149 and refute a true equality."""
    for value in (0.1, np.float64(0.1), np.array(0.1), torch.tensor(0.1, dtype=torch.float64), [0.1][0]):
        assert float(_evaluate(_claim(lambda _, v=value: (v, 1.0))).lhs[0]) == 0.1


def test_a_plain_torch_constant_is_a_float64_inside_a_body_and_nowhere_else() -> None:
    """torch.tensor(0.7) is 0.699999988 by default, and would refute "x <= 0.7 for x in [0, 0.7]"."""

    def body(forall):
        """x <= 0.7."""
        return forall.interval("x", 0.0, 0.7) - torch.tensor(0.7), torch.zeros(())

    before = torch.get_default_dtype()
    assert check(claim("paper/plain-constant", always())(body), effort="quick").status.favourable
    assert torch.get_default_dtype() == before


BAD: dict[str, tuple[Callable[[Any], Any], tuple[str, ...]]] = {
    "None": (lambda _: None, ("NoneType", "return (lhs, rhs)")),
    "one tensor": (lambda x: x, ("one tensor of shape (7,)", "return (lhs, rhs)")),
    "three sides": (lambda x: (x, x, x), ("tuple", "return (lhs, rhs)")),
    "text": (lambda x: (x, "1.0"), ("right side", "str '1.0'", "return a tensor or a number")),
    "None beside a tensor": (lambda x: (None, x), ("left side", "NoneType", "return a tensor or a number")),
    "complex tensor": (lambda x: (x * 1j, x), ("left side is complex", "real part or its modulus")),
    "complex array": (lambda x: (x, x.numpy() * 1j), ("right side is complex", "real part or its modulus")),
    "array of texts": (lambda x: (np.array(["a"]), x), ("left side", "return a tensor or a number")),
    "wrong shape": (lambda x: (x[:, None] * torch.ones(3), x), ("left side", "(7, 3)", "batch (7,)", "reduce")),
    "batch axis last": (lambda x: (x[None], x), ("left side", "(1, 7)", "batch axis first")),
    "float32": (lambda x: (x.float(), 1.0), ("left side is float32", "compute it in float64")),
    "half precision": (lambda x: (0.0, x.half()), ("right side is float16", "compute it in float64")),
    "beyond float64": (lambda _: (0, 10**400), ("right side", "beyond the range of floats", "logarithms")),
    "exits": (lambda _: sys.exit(3), ("raised SystemExit: 3", "run the function by hand")),
    "leaves a domain": (lambda _: math.sqrt(0.3 - 0.2 - 0.1), ("math domain error", "rounding alone", "clamp")),
    "raises": (lambda _: 1 / 0, ("raised ZeroDivisionError", "division by zero", "line ", "run the function by hand")),
    "raises in torch": (lambda x: (x @ torch.ones(3), x), ("raised RuntimeError", "test_evaluation.py")),
    "changes its input": (lambda x: (x.add_(1.0), 3.0), ("'x' in place", "clone()")),
}


@pytest.mark.parametrize(("returns", "words"), BAD.values(), ids=BAD.keys())
def test_nonsense_gives_a_sentence_naming_claim_value_and_remedy(
    returns: Callable[[Any], Any], words: tuple[str, ...]
) -> None:
    made = _claim(returns)
    with pytest.raises(ClaimError) as caught:
        _evaluate(made)
    message = str(caught.value)
    for word in ("paper/under-test", *words):
        assert word in message


def test_a_body_that_differentiates_is_told_how() -> None:
    def slope(forall, *, on: bool):
        """|sin'| <= 1."""
        with torch.enable_grad() if on else nullcontext():
            x = forall.interval("x", -3.0, 3.0).detach().requires_grad_()
            (found,) = torch.autograd.grad(torch.sin(x).sum(), x)
        return found.abs(), 1.0

    off = claim("slope/off", always(), over=grid(on=[False]))(slope)
    assert "`with torch.enable_grad():`" in check(off, effort="quick").reason
    on = claim("slope/on", always(), over=grid(on=[True]))(slope)
    assert check(on, effort="quick").status is Status.HOLDS


def test_a_body_that_branches_on_its_inputs_is_told_how() -> None:
    @claim("branches/if", always())
    def branching(forall):
        """|x| <= 1."""
        x = forall.interval("x", -1.0, 1.0)
        return (x if x > 0.0 else -x), 1.0

    verdict = check(branching, effort="quick")
    assert verdict.status is Status.ERROR
    assert "choose by torch.where or masks" in verdict.reason


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("kind", ["always", "high probability", "expectation"])
def test_a_claim_that_is_nowhere_finite_is_an_error_not_a_verdict(value: float, kind: str) -> None:
    def deterministic(forall):
        """NaN."""
        return forall.interval("x", 0.0, 1.0) * value, 1.0

    def drawn(draw, *, delta):
        """NaN."""
        return draw.uniform("x") * value, 1.0

    made = {
        "always": lambda: claim(f"paper/nan-{kind.replace(' ', '-')}", always())(deterministic),
        "high probability": lambda: claim(
            f"paper/nan-{kind.replace(' ', '-')}", high_probability("delta"), over=grid(delta=[0.1])
        )(drawn),
        "expectation": lambda: claim(
            f"paper/nan-{kind.replace(' ', '-')}", expectation((-1.0, 1.0)), over=grid(delta=[0.1])
        )(drawn),
    }[kind]()
    verdict = check(made, effort="quick")
    assert verdict.status is Status.ERROR
    assert "paper/nan" in verdict.reason
    assert "nowhere finite" in verdict.reason


def test_python_numbers_keep_all_their_digits() -> None:
    """Through float32, a right side of 0.1 moved by 1.5e-9 and a true inequality with equality was refuted."""
    sides = _evaluate(_claim(lambda _: (0.1, math.pi)))
    assert float(sides.lhs[0]) == 0.1
    assert float(sides.rhs[0]) == math.pi


def test_a_single_nan_is_no_violation_and_no_error() -> None:
    """0/0 at one degenerate input must neither refute nor stop a true claim."""

    def body(forall):
        """x/x <= 1."""
        x = forall.interval("x", 0.0, 1.0)
        return x / x, 1.0

    verdict = check(claim("paper/one-nan", always())(body), effort="quick")
    assert verdict.status.favourable
    assert verdict.cells[0].details.nonfinite > 0


def test_skip_passes_through() -> None:
    def body():
        """Needs data."""
        raise SkipClaim("no data here")

    with pytest.raises(SkipClaim, match="no data here"):
        evaluate(claim("paper/skip", always())(body), {}, {}, Draw(1, ()), 1)


def test_the_quantity_of_a_rate_has_one_number_per_replicate() -> None:
    def good(draw, *, n):
        """Decays."""
        return draw.uniform("x", n).mean(-1)

    def bad(draw, *, n):
        """Decays."""
        return draw.uniform("x", n), 1.0

    cells = grid(n=[1, 2, 4, 8])
    assert tuple(evaluate(claim("p/a", rate("n", -1), over=cells)(good), {"n": 4}, {}, Draw(5, ()), 5).lhs.shape) == (
        5,
    )
    with pytest.raises(ClaimError, match="return a tensor or a number"):
        evaluate(claim("p/b", rate("n", -1), over=cells)(bad), {"n": 4}, {}, Draw(5, ()), 5)


def test_anatomy_finds_the_variables_and_what_a_replicate_costs() -> None:
    def body(forall, draw, *, n, delta):
        """Something."""
        p = forall.interval("p", 0.0, 1.0)
        return draw.bernoulli("x", p, n).mean(-1), forall.simplex("w", 3).sum(-1)

    made = claim("paper/anatomy", high_probability("delta"), over=grid(n=[1000], delta=[0.1]))(body)
    parts = anatomy(made, {"n": 1000, "delta": 0.1})
    assert [space.name for space in parts.spaces] == ["p", "w"]
    # at least the draw itself, at most its few temporaries: the memory cap rests on this number
    assert 8 * 1000 <= parts.bytes_per_replicate <= 8 * 1000 * 8


def test_a_negated_view_is_a_side_as_any_other() -> None:
    """The imaginary part of a conjugate is a view with a bit that says minus, which numpy cannot read."""

    @claim("evaluation/conjugate", identity())
    def conjugate(forall):
        """Im of the conjugate of x + i y is -y."""
        x = forall.interval("x", -1.0, 1.0, 2)
        return torch.complex(x[:, 0], x[:, 1]).conj().imag, -x[:, 1]

    assert check(conjugate, effort="quick").status.favourable
