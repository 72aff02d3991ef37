"""Where a body jumps between two answers of `within`: at the comparisons that change sides on the way.

A supremum over a class of events, such as half-spaces or windows, has no slope to follow: it is constant between jumps.
But each jump is a comparison of two numbers that the body makes, `x <= t`, and a few calls of the body along a line of
answers say where on it the two sides meet. What lies between two jumps is then tried at both ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from harness.language.dispatch import DispatchMode

PLACES = (0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0)  # of a line, where the body is called to begin with
SAME = 1e-13  # of a line: jumps that are closer are one
QUADRATIC = 1e-9  # of its size: the third difference, at most, of what is quadratic along a line
BENT = 1e-6  # of its size: the second difference, at least, of what is not linear
HELD = 2**22  # comparisons of all replicates that are looked at

_PAIRS = {"lt", "le", "gt", "ge", "eq", "ne"}
_SORTED = {"searchsorted", "bucketize"}
_SIGNS = {"sign", "sgn", "heaviside", "signbit"}
_BENDS = {"abs", "sqrt"}
_NORMS = {"linalg_vector_norm", "norm"}


@dataclass(frozen=True)
class Met:
    """By how much both sides of comparisons differ, and what bends on the way to them, each `(reps, count)`."""

    margins: Tensor
    bends: Tensor

    def __len__(self) -> int:
        return self.margins.shape[-1]


class Comparisons(DispatchMode):
    """Records the comparisons of a body, a row for each replicate."""

    def __init__(self, reps: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.reps = reps
        self._margins: list[Tensor] = []
        self._bends: list[Tensor] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__.rstrip("_")
        if name in _PAIRS:
            self._note(self._margins, _number(args[0]) - _number(args[1]))
        elif name in _SIGNS:
            self._note(self._margins, _number(args[0]))
        elif name in _SORTED:
            places, values = (args[0], args[1]) if name == "searchsorted" else (args[1], args[0])
            self._note(self._margins, _number(values).unsqueeze(-1) - places.double().unsqueeze(-2))
        elif name in _BENDS:
            self._note(self._bends, args[0])
        elif name in _NORMS and len(args) > 2:
            self._note(self._bends, args[0].square().sum(args[2] or None))
        return out

    def met(self) -> Met:
        """What the body has compared."""
        return Met(self._joined(self._margins), self._joined(self._bends))

    def _joined(self, noted: list[Tensor]) -> Tensor:
        if not noted:
            return torch.zeros((self.reps, 0), dtype=torch.float64)
        joined = torch.cat(noted, -1)
        return joined[:, :: 1 + joined.numel() // HELD]

    def _note(self, noted: list[Tensor], margin: Tensor) -> None:
        if margin.ndim and len(margin) == self.reps and margin.is_floating_point():
            noted.append(margin.detach().reshape(self.reps, -1))


def changes(met: Sequence[Met]) -> int:
    """How many comparisons of a replicate, at most, come out of other numbers in one of these calls than in others."""
    first = met[0].margins
    if not len(met[0]) or any(other.margins.shape != first.shape for other in met):
        return 0
    moved = torch.stack([other.margins != first for other in met]).any(0)
    return int(moved.sum(-1).max())


def jumps(met: Sequence[Met]) -> tuple[Tensor, Tensor, bool]:
    """Where comparisons change sides on a line, where something bends, and whether the former is all there is.

    Both are in order, `(reps, count)`, infinite where a replicate has fewer. They are exact for numbers that are linear
    or quadratic along the line: their zeros, and where they turn. Of others the zeros between calls of different sign
    are taken, and there may be more. `met` are the calls at `PLACES`.
    """
    margins = torch.stack([each.margins for each in met], -1)
    zeros, turns, certain = _zeros(margins)
    bends = [turns]
    if all(each.bends.shape == met[0].bends.shape for each in met):
        bends += _zeros(torch.stack([each.bends for each in met], -1))[:2]
    return _ordered(zeros), _ordered(torch.cat(bends, -1)), certain


def crossings(places: Tensor, margins: Tensor) -> Tensor:
    """Where margins `(reps, calls, count)` change sign between calls at places `(reps, calls)`, by straight lines."""
    order = places.argsort(-1)
    at, values = places.gather(-1, order), margins[..., :: 1 + margins.numel() // (16 * HELD)]
    values = values.gather(1, order.unsqueeze(-1).expand(-1, -1, values.shape[-1]))
    zeros = _secant(at[:, :-1, None], at[:, 1:, None], values[:, :-1], values[:, 1:])
    return _ordered(zeros.flatten(1))


def stretches(jumps: Tensor, near: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """Both ends of what lies between neighbouring jumps, `(reps, count)`: at most so many, near one place and others.

    Where a replicate has fewer, both are `near`.
    """
    ends = torch.nn.functional.pad(jumps, (1, 1), value=torch.inf)
    ends[:, 0] = 0.0
    ends = ends.scatter(-1, ends.isfinite().sum(-1, keepdim=True), 1.0)  # the end of the line
    low, high = ends[:, :-1], ends[:, 1:]
    order = some(0.5 * (low + high), near, most)
    low, high = low.gather(-1, order), high.gather(-1, order)
    there, near = high.isfinite(), near.unsqueeze(-1)
    return torch.where(there, low, near), torch.where(there, high, near)


def some(places: Tensor, near: Tensor, most: int) -> Tensor:
    """The indices of at most so many ordered places, `(reps, count)`: half of them near one, others evenly spread."""
    reps, count = places.shape
    if count <= most:
        return torch.arange(count, device=near.device).expand(reps, count)
    nearest = (places - near.unsqueeze(-1)).abs().topk(most // 2, largest=False).indices
    last = (places.isfinite().sum(-1, keepdim=True) - 1).clamp_min(0)
    share = torch.linspace(0.0, 1.0, most - most // 2, dtype=torch.float64, device=near.device)
    return torch.cat([nearest, (share * last).round().long()], -1)


def _zeros(values: Tensor) -> tuple[Tensor, Tensor, bool]:
    """Zeros and turns of `(reps, count, 4)` numbers at `PLACES`, and whether all of them are at most quadratic."""
    first, second, third, last = values.unbind(-1)
    size = values.abs().amax(-1)
    plain = (last - 3.0 * third + 3.0 * second - first).abs() <= QUADRATIC * size
    slope = -5.5 * first + 9.0 * second - 4.5 * third + last  # first + slope s + bend s^2
    bend = 9.0 * first - 22.5 * second + 18.0 * third - 4.5 * last
    bend = torch.where(bend.abs() > BENT * size, bend, 0.0)
    far = -0.5 * (slope + torch.where(slope < 0.0, -1.0, 1.0) * (slope.square() - 4.0 * bend * first).sqrt())
    exact = torch.stack([first / far, far / bend], -1)
    at = torch.tensor(PLACES, dtype=values.dtype, device=values.device)
    secants = _secant(at[:-1], at[1:], values[..., :-1], values[..., 1:])
    zeros = torch.where(plain.unsqueeze(-1), torch.inf, secants)
    zeros = torch.cat([torch.where(plain.unsqueeze(-1), exact, torch.inf), zeros], -1)
    turns = torch.where(plain, -0.5 * slope / bend, torch.inf)
    return zeros.flatten(1), turns, bool((plain | ~size.isfinite()).all())


def _secant(start: Tensor, end: Tensor, low: Tensor, high: Tensor) -> Tensor:
    """Where a straight line between two values is zero; infinite where they have the same sign."""
    change = low - high
    between = ((low <= 0.0) & (high >= 0.0) | (low >= 0.0) & (high <= 0.0)) & (change != 0.0)
    return torch.where(between, start + (end - start) * low / change, torch.inf)


def _ordered(places: Tensor) -> Tensor:
    """Places on the line once each, in order; infinite ones at the end, as few as may be."""
    places = torch.where((places >= 0.0) & (places <= 1.0), places, torch.inf).sort(-1).values
    again = torch.zeros_like(places, dtype=torch.bool)
    again[:, 1:] = places[:, 1:] - places[:, :-1] <= SAME
    places = torch.where(again, torch.inf, places).sort(-1).values
    most = int(places.isfinite().sum(-1).max()) if places.numel() else 0
    return places[:, :most]


def _number(value: Any) -> Tensor:
    return value.double() if isinstance(value, Tensor) else torch.as_tensor(value, dtype=torch.float64)
