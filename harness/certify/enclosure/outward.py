"""Outward rounding: ends of intervals moved so far that no rounding of the operation behind them can matter.

The error model:

- `+ - * /` and the root are those of IEEE 754, correct to half a unit in the last place: one step outward suffices.
  Sums and products that are exact for certain stay: a sum by Knuth's error term, a product with a factor 0 or +-1.
- A sum of n terms in any order is wrong by at most (n - 1) u sum |x| (1 + n u), u = 2^-53 (Higham 2002, section 4.2).
- Elementary functions are those of torch on the CPU (SLEEF, or the C library at the end of an array). Their largest
  error was measured against Arb on 100,000 arguments of all sizes (`tests/harness/enclosure/ulps.py`): 0.9 units in the
  last place, for digamma 6.1 (below the size 1 of the value, of that of 1, `FLOOR`). Twice as much and more is allowed
  for in `ULPS`, and the tests hold every run to half of it.
"""

import torch
from torch import Tensor

UNIT = 2.0**-53
TINY = 2.0**-1074
INF = float("inf")
ULPS: dict[str, float] = {
    "exp": 4.0,
    "expm1": 4.0,
    "log": 4.0,
    "log1p": 4.0,
    "sin": 4.0,
    "cos": 4.0,
    "tanh": 4.0,
    "sinh": 4.0,
    "cosh": 4.0,
    "atan": 4.0,
    "asin": 4.0,
    "acos": 4.0,
    "erf": 4.0,
    "erfc": 8.0,
    "pow": 4.0,
    "lgamma": 16.0,
    "digamma": 16.0,
}
FLOOR: dict[str, float] = {"lgamma": 1.0, "digamma": 1.0}
"""The size below which an error counts relative to this number."""


def down(x: Tensor) -> Tensor:
    """The next float below; -inf for nan, which stands for anything."""
    return torch.nextafter(x, x.new_full((), -INF)).nan_to_num(nan=-INF, posinf=INF, neginf=-INF)


def up(x: Tensor) -> Tensor:
    """The next float above; inf for nan, which stands for anything."""
    return torch.nextafter(x, x.new_full((), INF)).nan_to_num(nan=INF, posinf=INF, neginf=-INF)


def below(x: Tensor, margin: Tensor | float) -> Tensor:
    """A float below x - margin."""
    return down(x - margin)


def above(x: Tensor, margin: Tensor | float) -> Tensor:
    """A float above x + margin."""
    return up(x + margin)


def margin_of(name: str, value: Tensor) -> Tensor:
    """How far the computed value of an elementary function may lie from the true one."""
    size = value.abs().clamp(min=FLOOR.get(name, 0.0), max=torch.finfo(torch.float64).max)
    return size * (ULPS[name] * 2.0 * UNIT) + ULPS[name] * TINY


def rounded(name: str, low: Tensor, high: Tensor, exact: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
    """Computed values of an elementary function at two ends, moved outward by its error, unless they are exact."""
    under, over = below(low, margin_of(name, low)), above(high, margin_of(name, high))
    if exact is None:
        return under, over
    return torch.where(exact[0], low, under), torch.where(exact[1], high, over)


def sum_ends(a: tuple[Tensor, Tensor], b: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """The sum of two intervals; an end that is exact stays."""
    low, high = a[0] + b[0], a[1] + b[1]
    return torch.where(_exact(a[0], b[0], low), low, down(low)), torch.where(_exact(a[1], b[1], high), high, up(high))


def _exact(a: Tensor, b: Tensor, total: Tensor) -> Tensor:
    """Where a + b = total without rounding: Knuth's error term vanishes (it is nan where a number is infinite)."""
    second = total - a
    return ((a - (total - second)) + (b - second)) == 0.0


def line_margin(sizes: Tensor, count: int) -> Tensor:
    """A bound on the rounding of a sum of `count` terms, given the computed sum of their sizes."""
    return sizes * ((count + 2) * 1.01 * UNIT)
