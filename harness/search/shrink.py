"""Make a counterexample easy to read: fewer digits, zeros, ends of the sets, equal entries, small-integer weights.

All candidates of a round are judged in one batched call; the simplest that is still bad enough is kept.
"""

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from harness.language.spaces import Ball, Choice, PositiveSemidefinite, Simplex, Space, tensor
from harness.search.objective import Batch

Acceptable = Callable[[Tensor], Tensor]
MAX_ENTRIES = 400  # per-entry candidates beyond this many entries would cost more than they explain
MAX_CANDIDATES = 600


def shrink(
    spaces: tuple[Space, ...],
    instance: Batch,
    acceptable: Acceptable,
    measure: Callable[[Batch, int], Tensor],
    rounds: int = 60,
) -> Batch:
    """Simplify `instance` (batch of one) while `acceptable(measure(...))` holds; returns a batch of one."""
    current = {name: value.clone() for name, value in instance.items()}
    for _ in range(rounds):
        improved = _round(spaces, current, acceptable, measure)
        if improved is None:
            return current
        current = improved
    return current


def _round(
    spaces: tuple[Space, ...], current: Batch, acceptable: Acceptable, measure: Callable[[Batch, int], Tensor]
) -> Batch | None:
    weight = complexity(current)
    options = []
    for space in spaces:
        for candidate in _candidates(space, current[space.name][0]):
            trial = {**current, space.name: candidate.unsqueeze(0)}
            cost = complexity(trial)
            if cost < weight:
                options.append((cost, trial))
    if not options:
        return None
    options.sort(key=lambda option: option[0])
    options = options[:MAX_CANDIDATES]
    for start in range(0, len(options), 64):
        some = options[start : start + 64]
        values = {name: torch.cat([trial[name] for _, trial in some]) for name in current}
        with torch.no_grad():
            passed = acceptable(measure(values, len(some)))
        for (_, trial), good in zip(some, passed.tolist(), strict=True):
            if good:
                return trial
    return None


def complexity(instance: Batch) -> tuple[int, int, int]:
    """Distinct non-trivial numbers weigh most, then digits, then the number of non-zero entries."""
    digits = distinct = nonzero = 0
    for value in instance.values():
        flat = value.reshape(-1).tolist()
        texts = {_digits(abs(v)) for v in flat}
        distinct += len({abs(v) for v in flat})
        digits += sum(len(text) for text in texts)
        nonzero += sum(v != 0.0 for v in flat)
    return digits + 2 * distinct, nonzero, round(sum(float(v.abs().sum()) for v in instance.values()))


def _digits(number: float) -> str:
    if number in (0.0, 1.0):
        return ""
    mantissa, _, exponent = f"{number!r}".partition("e")
    return mantissa.replace(".", "").strip("0") + exponent


def _candidates(space: Space, value: Tensor) -> list[Tensor]:
    """Simpler elements of the set near (or far from) `value`."""
    raw = [_tidy(space, candidate) for candidate in _proposals(space, value)]
    stacked = torch.stack([value, *raw]) if raw else value.unsqueeze(0)
    allowed = space.contains(stacked)[1:].tolist()
    return [candidate for candidate, inside in zip(raw, allowed, strict=True) if inside]


def _tidy(space: Space, candidate: Tensor) -> Tensor:
    if space.accuracy == "size" or (isinstance(space, Ball) and space.surface):
        return space.project(candidate.unsqueeze(0))[0]
    return candidate


def _proposals(space: Space, value: Tensor) -> list[Tensor]:
    if isinstance(space, Choice):
        return []
    proposals = [torch.full_like(value, special) for special in space.simplest()]
    proposals += [_rounded(value, places) for places in range(8)]
    if isinstance(space, Simplex):
        proposals += _integer_weights(value)
    if isinstance(space, PositiveSemidefinite):
        proposals.append(torch.diag(value.diagonal()))
        return proposals
    if value.ndim and value.numel() > 1:
        proposals += _whole(value)
        if value.numel() <= MAX_ENTRIES and not isinstance(space, Simplex):
            proposals += _entrywise(space, value)
    return proposals


def _whole(value: Tensor) -> list[Tensor]:
    """All entries equal; small entries zero; a few distinct values; sorted; rows repeated."""
    proposals = [torch.full_like(value, float(value.mean())), torch.full_like(value, float(value.median()))]
    size = float(value.abs().max())
    proposals += [torch.where(value.abs() < cut * size, 0.0, value) for cut in (1e-6, 1e-3, 0.1, 0.5)]
    proposals.append(torch.where(value.abs() > 0.5 * size, value.sign() * size, 0.0))
    proposals.append(value.sign() * size)
    sizes = [_round_number(size, digits) for digits in range(3) if size > 0.0]
    proposals += [_rounded(value / size, places) * simple for places in range(3) for simple in sizes]
    if value.ndim > 1:
        proposals.append(value[:1].expand_as(value).clone())
    return proposals


def _entrywise(space: Space, value: Tensor) -> list[Tensor]:
    """One entry replaced by a simple number, by itself rounded, or by another entry."""
    flat = value.reshape(-1)
    others = sorted(set(flat.tolist()))[:8]
    proposals = []
    for i, entry in enumerate(flat.tolist()):
        simple = [*space.simplest(), *others, *(_round_number(entry, places) for places in range(4))]
        for number in simple:
            if number != entry and math.isfinite(number):
                changed = flat.clone()
                changed[i] = number
                proposals.append(changed.reshape(value.shape))
    return proposals


def _integer_weights(value: Tensor) -> list[Tensor]:
    """Probability vectors k/q with small integers k, by largest remainders."""
    rows = value.reshape(-1, value.shape[-1]).numpy()
    proposals = []
    for q in (*range(1, 13), 15, 16, 20, 25, 50, 100, 1000):
        scaled = rows * q
        base = np.floor(scaled)
        for row, part in zip(base, scaled - base, strict=True):
            short = round(q - row.sum())
            row[np.argsort(-part, kind="stable")[: max(short, 0)]] += 1.0
        proposals.append(tensor(base / q).reshape(value.shape))
    return proposals


def _rounded(value: Tensor, places: int) -> Tensor:
    return tensor(np.round(value.numpy(), places)) + 0.0


def _round_number(number: float, places: int) -> float:
    """Round to `places` + 1 significant digits."""
    if number == 0.0 or not math.isfinite(number):
        return number
    return float(f"{number:.{places}e}")
