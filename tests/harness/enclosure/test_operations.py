"""No enclosure fails: at points of boxes of all kinds, the exact value (Arb, 200 bits) lies in what the boxes give."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from flint import arb
from torch import Tensor

from harness.certify.enclosure import Enclosed, NoEnclosure
from harness.certify.precision import Precise, lift, working_bits
from tests.harness.enclosure.boxes import boxes, points, reshaped

Body = Callable[..., Any]
FAST, NIGHTLY = 10_000, 1_000_000
PART = 50_000  # boxes at once: Arb's tensors hold 2^18 entries, and a body stacks up to four results
ALL = (-math.inf, math.inf)
WITHIN = (-600.0, 600.0)
ONE: dict[str, tuple[Body, tuple[float, float]]] = {
    "neg abs square": (lambda x: torch.stack([-x, x.abs(), x.square()]), ALL),
    "reciprocal": (lambda x: 1.0 / x, ALL),
    "exp expm1": (lambda x: torch.stack([x.exp(), x.expm1()]), WITHIN),
    "log": (torch.log, (0.0, math.inf)),
    "log1p": (torch.log1p, (-1.0, math.inf)),
    "sqrt": (torch.sqrt, (0.0, math.inf)),
    "rsqrt": (torch.rsqrt, (1e-300, math.inf)),
    "sin": (torch.sin, (-1e9, 1e9)),
    "cos": (torch.cos, (-1e9, 1e9)),
    "tanh": (torch.tanh, ALL),
    "sinh": (torch.sinh, WITHIN),
    "cosh": (torch.cosh, WITHIN),
    "atan": (torch.atan, ALL),
    "asin acos": (lambda x: torch.stack([x.asin(), x.acos()]), (-1.0, 1.0)),
    "arcsin arccos": (lambda x: torch.stack([torch.arcsin(x), torch.arccos(x)]), (-1.0, 1.0)),
    "arctan absolute": (lambda x: torch.stack([torch.arctan(x), torch.absolute(x)]), ALL),
    "erf erfc": (lambda x: torch.stack([x.erf(), x.erfc()]), (-25.0, 25.0)),
    "lgamma": (torch.lgamma, (1e-300, 1e300)),
    "digamma": (torch.digamma, (1e-300, 1e300)),
    "sigmoid": (torch.sigmoid, WITHIN),
    "softplus": (torch.nn.functional.softplus, (-600.0, 19.0)),
    "entr": (torch.special.entr, (0.0, 1e300)),
    "whole powers": (lambda x: torch.stack([x**2, x**3, x**4, x**7]), (-1e40, 1e40)),
    "inverse powers": (lambda x: torch.stack([x**-1, x**-2, x**-3]), (-1e90, 1e90)),
    "real powers": (lambda x: torch.stack([x**0.5, x**1.5, x ** (1 / 3), x**-0.7]), (0.0, 1e100)),
    "powers of two": (lambda x: 2.0**x, (-900.0, 900.0)),
    "log2 log10": (lambda x: torch.stack([x.log2(), x.log10()]), (0.0, math.inf)),
    "sign floor ceil round": (lambda x: torch.stack([x.sign(), x.floor(), x.ceil(), x.round()]), (-1e15, 1e15)),
    "clamp relu": (lambda x: torch.stack([x.clamp(-1.0, 2.0), x.clamp(min=0.0), torch.relu(x)]), ALL),
}
TWO: dict[str, tuple[Body, tuple[float, float]]] = {
    "add sub": (lambda x, y: torch.stack([x + y, x - y, 3.0 - x, torch.add(x, y, alpha=2)]), (-1e300, 1e300)),
    "mul": (lambda x, y: x * y, (-1e150, 1e150)),
    "div": (lambda x, y: x / y, (-1e150, 1e150)),
    "pow": (lambda x, y: x**y, (0.0, 20.0)),
    "xlogy": (torch.xlogy, (0.0, 1e150)),
    "extremes": (lambda x, y: torch.stack([torch.maximum(x, y), torch.minimum(x, y)]), ALL),
    "lerp addcmul": (lambda x, y: torch.stack([torch.lerp(x, y, 0.3), torch.addcmul(x, y, y)]), (-1e100, 1e100)),
}
LINES: dict[str, tuple[Body, tuple[float, float]]] = {
    "sum mean": (lambda x: torch.stack([x.sum(-1), x.mean(-1)]), (-1e300, 1e300)),
    "prod": (lambda x: x.prod(-1), (-1e40, 1e40)),
    "cumsum diff": (lambda x: torch.cat([x.cumsum(-1), x.diff(dim=-1)], -1), (-1e300, 1e300)),
    "cumprod": (lambda x: x.cumprod(-1), (-1e40, 1e40)),
    "amax amin": (lambda x: torch.stack([x.amax(-1), x.amin(-1), x.max(-1).values, x.min(-1).values]), ALL),
    "sort": (lambda x: x.sort(-1).values, ALL),
    "norms": (
        lambda x: torch.stack([torch.linalg.vector_norm(x, p, dim=-1) for p in (1, 2, 3, math.inf)]),
        (-1e60, 1e60),
    ),
    "var std": (lambda x: torch.stack([x.var(-1), x.std(-1)]), (-1e100, 1e100)),
    "logsumexp": (lambda x: x.logsumexp(-1), WITHIN),
    "softmax": (lambda x: x.softmax(-1), WITHIN),
    "products": (
        lambda x: torch.stack(
            [(x * x).sum(-1), torch.einsum("bi,bi->b", x, x), (x[:, None, :] @ x[..., None])[:, 0, 0]]
        ),
        (-1e60, 1e60),
    ),
    "matmul": (lambda x: (x.unsqueeze(-1) @ x.unsqueeze(-2)) @ torch.linspace(-1.0, 1.0, 4), (-1e60, 1e60)),
    "moves": (
        lambda x: torch.stack([x.flip(-1), x.roll(1, -1), x[:, [1, 0, 3, 2]], x.gather(1, torch.ones_like(x).long())]),
        ALL,
    ),
}


def compare(body: Body, inputs: list[Enclosed], rng: np.random.Generator) -> int:
    """Number of entries compared; fails at the first enclosure that misses an exact value."""
    found = body(*inputs)
    chosen = [points(box, rng) for box in inputs]
    with working_bits(200):
        exact = lift(body(*map(Precise, chosen))).reshape(-1)
    low, high = found.low.reshape(-1).tolist(), found.high.reshape(-1).tolist()
    assert len(low) == len(exact)
    compared = 0
    for k, (under, value, over) in enumerate(zip(low, exact.tolist(), high, strict=True)):
        if not value.is_finite():
            continue
        compared += 1
        with working_bits(200):
            inside = not (value < arb(under)) and not (value > arb(over))
        assert inside, f"{value} is outside of [{under!r}, {over!r}], entry {k}"
    return compared


GROUPS = [
    *((name, body, ends, "one") for name, (body, ends) in ONE.items()),
    *((name, body, ends, "two") for name, (body, ends) in TWO.items()),
    *((name, body, ends, "lines") for name, (body, ends) in LINES.items()),
]


def _check(body: Body, ends: tuple[float, float], arity: str, count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    if arity == "lines":
        inputs = [reshaped(boxes(count, rng, low=ends[0], high=ends[1]), count // 4, 4)]
    else:
        inputs = [boxes(count, rng, low=ends[0], high=ends[1]) for _ in range(1 if arity == "one" else 2)]
    assert compare(body, inputs, rng) > count // 8


@pytest.mark.parametrize(("name", "body", "ends", "arity"), GROUPS, ids=[group[0] for group in GROUPS])
def test_no_enclosure_misses_an_exact_value(name: str, body: Body, ends: tuple[float, float], arity: str) -> None:
    """Would catch an end rounded inward, a missed extreme, a wrong sign, an error beyond the error model."""
    _check(body, ends, arity, FAST, 1)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "body", "ends", "arity"), GROUPS, ids=[group[0] for group in GROUPS])
def test_a_million_boxes(name: str, body: Body, ends: tuple[float, float], arity: str) -> None:
    for part in range(NIGHTLY // PART):
        _check(body, ends, arity, PART, 100 + part)


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "and": lambda x, y: (x > 0.0) & (y > 0.0),
    "or": lambda x, y: (x > 0.0) | ~(y > 0.0),
    "xor": lambda x, y: (x > 0.0) ^ (y > x),
}


def truths(value: Any) -> tuple[Tensor, Tensor]:
    return (value.low, value.high) if isinstance(value, Enclosed) else (value.double(), value.double())


@pytest.mark.parametrize("name", COMPARISONS)
def test_what_is_decided_holds_at_every_point(name: str) -> None:
    """Would catch a comparison decided for a box that holds both answers."""
    rng = np.random.default_rng(2)
    x, y = boxes(FAST, rng), boxes(FAST, rng)
    low, high = truths(COMPARISONS[name](x, y))
    at = COMPARISONS[name](points(x, rng), points(y, rng)).double()
    assert bool(((low <= at) & (at <= high)).all())


def test_a_choice_that_is_open_takes_the_hull_of_both_branches() -> None:
    rng = np.random.default_rng(3)
    x, y = boxes(FAST, rng), boxes(FAST, rng)
    found = torch.where(x > 0.5, y, -x)
    for _ in range(4):
        a, b = points(x, rng), points(y, rng)
        at = torch.where(a > 0.5, b, -a)
        assert bool(((found.low <= at) & (at <= found.high)).all())


def test_entries_by_a_place_that_is_open_are_the_hull_of_the_line() -> None:
    """The entry beside the largest one, where the boxes do not say which that is."""
    rng = np.random.default_rng(4)
    x = reshaped(boxes(FAST, rng, low=-1e3, high=1e3), FAST // 4, 4)
    y = reshaped(boxes(FAST, rng, low=-1e3, high=1e3), FAST // 4, 4)
    found = y.gather(-1, x.argmax(-1, keepdim=True))
    for _ in range(4):
        a, b = points(x, rng), points(y, rng)
        at = b.gather(-1, a.argmax(-1, keepdim=True))
        assert bool(((found.low <= at) & (at <= found.high)).all())


def wide(low: float, high: float) -> Enclosed:
    return Enclosed(torch.tensor([low], dtype=torch.float64), torch.tensor([high], dtype=torch.float64))


REFUSED: dict[str, Body] = {
    "an unknown operation": torch.special.bessel_j0,
    "a decision": lambda x: bool(x > 0.0),
    "a number": float,
    "numpy": lambda x: x.numpy(),
    "a mask": lambda x: x[x > 0.0],
    "in place": lambda x: x.add_(1.0),
    "written into": lambda x: x.__setitem__(0, 1.0),
    "an out argument": lambda x: torch.exp(x, out=torch.empty(1)),
    "single precision": lambda x: x.float(),
    "complex numbers": lambda x: x * torch.ones(1, dtype=torch.complex128),
    "gamma below zero": torch.lgamma,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_enclosure_is_refused(name: str) -> None:
    with pytest.raises(NoEnclosure):
        REFUSED[name](wide(-1.0, 2.0))


def test_nothing_is_decided_about_what_may_be_undefined() -> None:
    """sqrt(x) >= 0 is false where the root does not exist: it must not be taken for true on a box that goes below 0."""
    root = wide(-1.0, 4.0).sqrt()
    found = torch.where(root >= 0.0, 1.0, 5.0)
    assert found.low.item() == 1.0
    assert found.high.item() == 5.0
    assert torch.where(1.0 / wide(-1.0, 1.0) == 7.0, 1.0, 2.0).low.item() == 1.0


def test_behind_an_enclosure_there_is_no_number() -> None:
    """Whatever would read the memory of an enclosure is stopped."""
    with torch._C.DisableTorchFunctionSubclass(), pytest.raises(NoEnclosure):
        torch.Tensor.isnan(wide(1.0, 2.0))
