"""Names for the ranges of numbers that signatures declare.

An `int` or `float` alias is one plain number. Aliases of `Any` are elementwise: a number, an array, or a tensor, which
claims pass for what they quantify. A magnitude is zero or from 1e-150 to 1e150: its square is divided by another
number, and would have lost its digits below.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from signatures.checked import Unbounded
from signatures.domains import Elementwise, Plain, Series

Real: TypeAlias = Annotated[Any, Elementwise("(-inf, inf)")]
"""Finite, elementwise."""
NonNegative: TypeAlias = Annotated[Any, Elementwise("[0, inf)")]
"""Finite and at least 0, elementwise."""
Positive: TypeAlias = Annotated[Any, Elementwise("(0, inf)")]
"""Finite and above 0, elementwise."""
Magnitude: TypeAlias = Annotated[Any, Elementwise("[0, inf)", scaled=True)]
"""Zero or from 1e-150 to 1e150, elementwise."""
PositiveMagnitude: TypeAlias = Annotated[Any, Elementwise("(0, inf)", scaled=True)]
"""From 1e-150 to 1e150, elementwise."""
AtLeastOne: TypeAlias = Annotated[Any, Elementwise("[1, inf)")]
"""Finite and at least 1, elementwise: a count that is quantified."""
Share: TypeAlias = Annotated[Any, Elementwise("[0, 1]")]
"""In [0, 1], elementwise."""
Divergence: TypeAlias = Annotated[Any, Elementwise("[0, inf]", "it is a divergence")]
"""At least 0, elementwise; infinite where a posterior leaves its prior, and then the bound is infinite."""
Extended: TypeAlias = Annotated[Any, Unbounded()]
"""A result that is infinite where the formula is."""

Probability: TypeAlias = Annotated[float, Plain("(0, 1)", "it is a probability of failure")]
"""In (0, 1)."""
HalfOpenProbability: TypeAlias = Annotated[float, Plain("(0, 1]", "it is a probability of failure")]
"""In (0, 1]."""
UnitInterval: TypeAlias = Annotated[float, Plain("(0, 1]")]
"""In (0, 1]: a relative error."""
UnitFloat: TypeAlias = Annotated[float, Plain("[0, 1]")]
"""In [0, 1]."""
Float: TypeAlias = Annotated[float, Plain("(-inf, inf)")]
"""Finite."""
PositiveFloat: TypeAlias = Annotated[float, Plain("(0, inf)")]
"""Finite and above 0."""
NonNegativeFloat: TypeAlias = Annotated[float, Plain("[0, inf)")]
"""Finite and at least 0."""
FloatFromOne: TypeAlias = Annotated[float, Plain("[1, inf)")]
"""Finite and at least 1."""
BallOrder: TypeAlias = Annotated[float, Plain("[2, inf)", "the paper's divergences are f(t) = t^k - 1 with k >= 2")]
"""Order k >= 2 of a divergence t^k - 1."""
DivergenceOrder: TypeAlias = Annotated[float, Plain("(1, inf)", "the limit 1 is the Kullback-Leibler divergence")]
"""Order mu > 1 of a power divergence."""

Count: TypeAlias = Annotated[int, Plain("[1, inf)", whole=True)]
"""A whole number, at least 1."""
PairCount: TypeAlias = Annotated[int, Plain("[2, inf)", "a pair needs two points", whole=True)]
"""A whole number of points, at least 2."""
Natural: TypeAlias = Annotated[int, Plain("[0, inf)", whole=True)]
"""A whole number, at least 0."""
Size: TypeAlias = Annotated[int, Plain("[1, 1e7]", "the work grows with it", whole=True)]
"""A whole number of steps or entries, from 1 to ten millions."""

PositiveExact: TypeAlias = Annotated[Fraction | float, Plain("(0, inf)", exact=True)]
"""A finite fraction or float above 0."""
DecayExact: TypeAlias = Annotated[Fraction | float, Plain("(1, inf)", "use the harmonic spectrum for 1", exact=True)]
"""A finite fraction or float above 1."""

Eigenvalues: TypeAlias = Annotated[Sequence[float], Series(Plain("[0, inf)"))]
"""Eigenvalues, each at least 0."""
