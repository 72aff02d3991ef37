"""Numbers formatted for people."""

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

Array: TypeAlias = float | list[float | list[float | list[float | list[float | list[float]]]]]
"""Numbers of a tensor as plain data: up to five axes."""

Instance: TypeAlias = dict[str, Array]
"""What a claim quantifies over, by the names of its variables."""


def dump(values: Mapping[str, Any], index: int = 0) -> Instance:
    """One instance of a batch of tensors as plain numbers."""
    return {name: value[index].tolist() for name, value in values.items()}


def number(value: float | None) -> str:
    """Three significant digits; a dash for nothing, the sign for infinity."""
    if value is None:
        return "-"
    if math.isinf(value):
        return "inf"
    if value == round(value) and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.3g}"


def count(value: int) -> str:
    """1234567 as "1.2 million", 20000 as "20,000": whole numbers as people read them, rounded from a million on."""
    for limit, unit in ((10**9, "billion"), (10**6, "million")):
        if value >= limit:
            digits = 1 if value < 9.95 * limit else 0
            return f"{value / limit:,.{digits}f}".removesuffix(".0") + f" {unit}"
    return f"{value:,}"


def size(count: float) -> str:
    """A number of bytes: `512 MiB`, `1.5 GiB`."""
    power = next((power for power in (3, 2, 1) if count >= 1024**power), 0)
    return f"{count / 1024**power:.3g} {('bytes', 'KiB', 'MiB', 'GiB')[power]}"


def parameters(params: Mapping[str, Any]) -> str:
    """n=10, delta=0.05"""
    return ", ".join(f"{name}={value}" for name, value in params.items())


def claim_at(key: str, params: Mapping[str, Any]) -> str:
    """claim 'hoeffding1963/thm-1' at n=10, delta=0.05"""
    return f"claim {key!r} at {parameters(params)}" if params else f"claim {key!r}"


def headed(params: Mapping[str, Any], text: str) -> str:
    """A text about a cell after the cell's parameters: "n=10, delta=0.05: text"."""
    return f"{parameters(params)}: {text}" if params else text
