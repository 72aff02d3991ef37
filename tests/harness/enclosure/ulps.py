"""The largest error of torch's elementary functions on the CPU, in units of the last place, against Arb.

`python tests/harness/enclosure/ulps.py 200000` prints one line per function; twice the largest stands in
`harness.certify.enclosure.outward.ULPS`.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from flint import arb, ctx
from torch import Tensor

from harness.certify.enclosure.outward import FLOOR, TINY, ULPS, UNIT

Function = Callable[..., Any]
POSITIVE, REAL, INSIDE, ABOVE = "positive", "real", "inside", "above -1"
FUNCTIONS: dict[str, tuple[Function, Function, str]] = {
    "exp": (torch.exp, arb.exp, REAL),
    "expm1": (torch.expm1, arb.expm1, REAL),
    "log": (torch.log, arb.log, POSITIVE),
    "log1p": (torch.log1p, arb.log1p, ABOVE),
    "sin": (torch.sin, arb.sin, REAL),
    "cos": (torch.cos, arb.cos, REAL),
    "tanh": (torch.tanh, arb.tanh, REAL),
    "sinh": (torch.sinh, arb.sinh, REAL),
    "cosh": (torch.cosh, arb.cosh, REAL),
    "atan": (torch.atan, arb.atan, REAL),
    "asin": (torch.asin, arb.asin, INSIDE),
    "acos": (torch.acos, arb.acos, INSIDE),
    "erf": (torch.erf, arb.erf, REAL),
    "erfc": (torch.erfc, arb.erfc, REAL),
    "lgamma": (torch.lgamma, arb.lgamma, POSITIVE),
    "digamma": (torch.digamma, arb.digamma, POSITIVE),
}
SCALES = (-320.0, -150.0, -20.0, -3.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 10.0, 100.0, 308.0)


def arguments(kind: str, count: int, rng: np.random.Generator) -> Tensor:
    """Arguments of all sizes: two thirds near 1, the others spread over all magnitudes."""
    spread = 10.0 ** rng.uniform(-320.0, 308.0, count)
    near = 10.0 ** rng.uniform(-4.0, 3.0, count)
    usual = rng.uniform(0.0, 4.0, count)
    pick = rng.integers(0, 3, count)
    x = np.select([pick == 0, pick == 1], [near, usual], spread) * (
        1.0 if kind == POSITIVE else rng.choice([-1.0, 1.0], count)
    )
    if kind == INSIDE:
        x = np.where(abs(x) > 1.0, rng.uniform(-1.0, 1.0, count), x)
    if kind == ABOVE:
        x = np.where(x <= -1.0, -1.0 + 10.0 ** rng.uniform(-16.0, 0.0, count), x)
    return torch.from_numpy(x)


def errors(name: str, x: Tensor) -> Tensor:
    """Errors in units of 2^-53 of the value (of its floor), with the smallest numbers forgiven."""
    computed, exact, _ = FUNCTIONS[name]
    before, ctx.prec = ctx.prec, 120
    try:
        found = []
        for argument, value in zip(x.tolist(), computed(x).tolist(), strict=True):
            truth = exact(arb(argument))
            if not truth.is_finite() or abs(value) == float("inf"):
                found.append(0.0)
                continue
            away = max(float(abs(arb(value) - truth).upper()) - TINY, 0.0)
            found.append(away / (max(abs(value), FLOOR.get(name, 0.0)) * 2.0 * UNIT) if away else 0.0)
    finally:
        ctx.prec = before
    return torch.tensor(found, dtype=torch.float64)


def powers(count: int, rng: np.random.Generator) -> float:
    """The same for torch.pow on positive bases, where the result is an ordinary number."""
    base = torch.from_numpy(10.0 ** rng.uniform(-20.0, 20.0, count))
    exponent = torch.from_numpy(rng.uniform(-12.0, 12.0, count))
    worst = 0.0
    before, ctx.prec = ctx.prec, 200
    try:
        for a, b, value in zip(base.tolist(), exponent.tolist(), torch.pow(base, exponent).tolist(), strict=True):
            away = float(abs(arb(value) - arb(a) ** arb(b)).upper())
            worst = max(worst, away / (abs(value) * 2.0 * UNIT))
    finally:
        ctx.prec = before
    return worst


def main(count: int) -> None:
    rng = np.random.default_rng(0)
    for name, (_, _, kind) in FUNCTIONS.items():
        x = arguments(kind, count, rng)
        found = errors(name, x)
        print(f"{name:8} {float(found.max()):8.3f} at {x[found.argmax()].item():.17g}; stated {ULPS[name]}")
    print(f"pow      {powers(count, rng):8.3f}; stated {ULPS['pow']}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
