"""Balls: tensors of numbers with rigorous error bounds, on which a claim's body runs without rounding errors.

A `Precise` tensor holds an object array of Arb balls (python-flint: midpoint and radius, every operation outward) and
answers torch's functions through `__torch_function__`. What comes out contains the exact value for the inputs given, or
is nan, which stands for any number; a comparison that the balls do not decide, and an operation without enclosure here,
raise `Unsupported`. Three conventions:

- numbers are real numbers: plain floats and tensors in a body are taken exactly, nothing overflows, and zero has no
  sign, so that 1/0 is nan;
- roots, powers, arcs and entropies take the part of a ball inside their domain: the root of a ball around 0 is that of
  its non-negative part, since the exact value has a root wherever the body makes sense;
- nothing is changed in place.

>>> from harness.certify.precision import BITS, Precise, Unsupported, each, lift, working_bits
"""

from harness.certify.precision.balls import (
    BITS,
    Unsupported,
    each,
    lift,
    plain_numbers,
    rounded_to_floats,
    working_bits,
)
from harness.certify.precision.spectra import eigenvalues
from harness.certify.precision.tensor import Precise

__all__ = [
    "BITS",
    "Precise",
    "Unsupported",
    "each",
    "eigenvalues",
    "lift",
    "plain_numbers",
    "rounded_to_floats",
    "working_bits",
]
