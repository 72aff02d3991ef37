"""Ranges of arguments that only bounds have."""

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

from signatures.domains import Elementwise, Options, Plain, Series

AtLeastTwo: TypeAlias = Annotated[Any, Elementwise("[2, inf)", "a pair needs two points")]
"""Finite and at least 2, elementwise: a number of points that is quantified."""
EpsilonMagnitude: TypeAlias = Annotated[float, Plain("(0, inf)", scaled=True)]
"""An accuracy whose square is divided by."""
WIDEST = 10**8
"""Entries of the longest Fourier transform."""

CommonRatio: TypeAlias = Annotated[float, Plain("(0, 0.9999]", "the sum of eigenvalues has to end")]
"""Ratio of a geometric spectrum that is summed."""
Decay: TypeAlias = Annotated[float, Plain("[1.05, 20]", "use the harmonic spectrum for 1")]
"""Exponent of a polynomial spectrum that is summed."""
SplineOrder: TypeAlias = Annotated[float, Plain("(0.5, inf)", "splines are continuous")]
"""Order of a spline."""
GridRatio: TypeAlias = Annotated[float, Plain("[1.01, inf)", "neighbours on the grid differ by a factor")]
"""Ratio of neighbours on a grid."""
SphereDimension: TypeAlias = Annotated[int, Plain("[2, 1e4]", "spheres with harmonics have 2 axes or more", whole=True)]
"""Dimension d of the space around a sphere S^(d-1); integers of 6000 digits are counted exactly."""
DerivativeOrder: TypeAlias = Annotated[int, Plain("[1, 1e4]", "it is that of a derivative", whole=True)]
"""Order of a derivative."""
Degree: TypeAlias = Annotated[int, Plain("[0, 1e4]", "it is that of a polynomial", whole=True)]
"""Degree of a polynomial."""
Trials: TypeAlias = Annotated[int, Plain("[0, 1e7]", "work and error grow with it", whole=True)]
"""Number of draws of a multinomial vector."""
FloatAboveOne: TypeAlias = Annotated[float, Plain("(1, inf)")]
"""Finite and above 1."""
OpenUnit: TypeAlias = Annotated[float, Plain("(0, 1)")]
"""In (0, 1)."""
AtLeastHalf: TypeAlias = Annotated[float, Plain("[0.5, inf)", "lambda is at most the largest eigenvalue of K / n")]
"""An effective dimension under Assumption 3 of uarff."""
LowPower: TypeAlias = Annotated[float, Plain("[1, 2]", "use the bound for high powers")]
"""Power of a norm, from 1 to 2."""
HighPower: TypeAlias = Annotated[float, Plain("[2, inf)", "use the bound for low powers")]
"""Power of a norm, at least 2."""
MomentRatio: TypeAlias = Annotated[float, Plain("[1, 2]", "the moment is between the two given ones")]
"""Order of a moment between k and 2 k, as a multiple of k."""
Probabilities: TypeAlias = Annotated[Sequence[float], Series(Plain("[0, 1]"), least=1)]
"""Probabilities of cells or classes."""
Limits: TypeAlias = Annotated[Sequence[int], Series(Plain("(-inf, inf)", whole=True), least=1)]
"""Whole numbers."""
PositiveTrials: TypeAlias = Annotated[int, Plain("[1, 1e7]", "work and error grow with it", whole=True)]
"""Number of draws of a multinomial vector, at least one."""
SummableRegularisation: TypeAlias = Annotated[float, Plain("[1e-8, inf)", "the sum has to be short")]
"""Regularisation for which a sum over eigenvalues is short."""
BoundedDecay: TypeAlias = Annotated[float, Plain("(1, inf)", "use the harmonic spectrum for 1")]
"""Exponent of a polynomial spectrum of finite trace."""
AnyBound: TypeAlias = Annotated[Any, Elementwise("[-inf, inf]")]
"""What a bound says, which may be nothing."""
ReachableDivergence: TypeAlias = Annotated[float, Plain("[0, 1e6)", "no sample is large enough for more")]
"""A divergence that some sample can pay for."""
LossLevel: TypeAlias = Annotated[float, Plain("[1e-6, 1]", "losses are compared there")]
"""A loss that a bound should reach."""
Divergences: TypeAlias = Annotated[Sequence[float], Series(Plain("[0, inf]", "it is a divergence"), least=1)]
"""Divergences of several orders."""
DivergenceOrders: TypeAlias = Annotated[Sequence[float], Series(Plain("(1, inf)"), least=1)]
"""Orders of power divergences."""
StrategyMass: TypeAlias = Annotated[int, Options((1, 2))]
"""Half or all of delta_w + delta_-w."""
Variance: TypeAlias = Annotated[float, Plain("[0, inf)", scaled=True)]
"""A variance: zero or from 1e-150 to 1e150."""
Width: TypeAlias = Annotated[float, Plain("[0, inf)", scaled=True)]
"""Length of an interval: zero or from 1e-150 to 1e150."""
