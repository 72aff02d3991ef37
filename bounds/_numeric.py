"""The one numeric type of this package."""

from typing import Any, TypeAlias

Real: TypeAlias = Any
"""A float, a float64 array, or any object with arithmetic operators (claims pass tensors for quantified arguments)."""
