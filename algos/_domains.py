"""What the tensors and numbers of this package's signatures are called.

Axes: `n` points of `d` coordinates, `m` frequencies, `k` atoms or entries, `s` features, `v` columns of a finite law.
"""

from typing import Annotated, TypeAlias

import torch
from torch import Tensor

from signatures.checked import Unbounded
from signatures.domains import Options, Plain
from signatures.tensors import Device, Scalars, Shaped

Points: TypeAlias = Annotated[Tensor, Shaped("*batch n d")]
"""Points (*batch, n, d), finite."""
PointPairs: TypeAlias = Annotated[Tensor, Shaped("*batch n>=2 d")]
"""Points (*batch, n, d) of which there are two at least."""
AnyPoints: TypeAlias = Annotated[Tensor, Shaped("*batch n>=0 d")]
"""Points (*batch, n, d), of which there may be none."""
AnyFrequencies: TypeAlias = Annotated[Tensor, Shaped("*batch m>=0 d")]
"""Frequencies (*batch, m, d), of which there may be none."""
AnyWeights: TypeAlias = Annotated[Tensor, Shaped("*batch n>=0")]
"""One weight for each point, (*batch, n), of which there may be none."""
OtherPoints: TypeAlias = Annotated[Tensor, Shaped("*batch k d")]
"""More points (*batch, k, d)."""
LinePoints: TypeAlias = Annotated[Tensor, Shaped("*batch n 1", kind="codes")]
"""Points on a line (*batch, n, 1), integers that stay such."""
PlanePoints: TypeAlias = Annotated[Tensor, Shaped("n 2")]
"""One sample in the plane, (n, 2)."""
SpherePoints: TypeAlias = Annotated[Tensor, Shaped("n 3")]
"""Directions in three dimensions, (n, 3)."""
Directions: TypeAlias = Annotated[Tensor, Shaped("n d>=2")]
"""Directions (n, d), d >= 2."""
Frequency: TypeAlias = Annotated[Tensor, Shaped("*batch d")]
"""One frequency, (*batch, d)."""
PlaneFrequencies: TypeAlias = Annotated[Tensor, Shaped("*batch m 2")]
"""Frequencies in the plane, (*batch, m, 2)."""
HarmonicIndex: TypeAlias = Annotated[Tensor, Shaped("*batch 2", kind="codes")]
"""Degree and order, (*batch, 2)."""
DegreeIndex: TypeAlias = Annotated[Tensor, Shaped("*batch 1", kind="codes")]
"""Degree, (*batch, 1)."""
Moments: TypeAlias = Annotated[Tensor, Shaped("*batch k v")]
"""Moments (*batch, K, K')."""
Axis: TypeAlias = Annotated[Tensor, Shaped("g")]
"""Coordinates of the lines of a grid."""
WeightRows: TypeAlias = Annotated[Tensor, Shaped("*batch c n")]
"""Weight vectors (*batch, c, n)."""
OffsetFrequencies: TypeAlias = Annotated[Tensor, Shaped("*batch m p>=2")]
"""Frequencies with an offset in the last column, (*batch, m, d + 1)."""
CoordinateIndex: TypeAlias = Annotated[Tensor, Shaped("*batch m 1", "[0, inf)", kind="whole")]
"""Numbers of coordinates, (*batch, m, 1)."""
CircleGrid: TypeAlias = Annotated[int, Plain("[2, 1e8]", "a grid on the circle needs both 0 and pi", whole=True)]
"""Points of a grid on the circle."""
Cloud: TypeAlias = Annotated[Tensor, Shaped("n d")]
"""One sample (n, d)."""
Frequencies: TypeAlias = Annotated[Tensor, Shaped("*batch m d")]
"""Frequencies, or starts of a search for them, (*batch, m, d)."""
Vector: TypeAlias = Annotated[Tensor, Shaped("*batch n")]
"""One number for each point, (*batch, n)."""
Labels: TypeAlias = Annotated[Tensor, Shaped("*batch n", kind="codes")]
"""Class codes (*batch, n)."""
LabelVector: TypeAlias = Annotated[Tensor, Shaped("n", kind="codes")]
"""Class codes (n,) of one sample."""
Classes: TypeAlias = Annotated[Tensor, Shaped("c", kind="codes")]
"""The codes of all classes, each once (c,)."""
Signs: TypeAlias = Annotated[Tensor, Shaped("*batch n", "[-1, 1]", kind="codes")]
"""Labels -1 and +1, (*batch, n)."""
Kernel: TypeAlias = Annotated[Tensor, Shaped("*batch n n")]
"""A kernel matrix (*batch, n, n)."""
Values: TypeAlias = Annotated[Tensor, Shaped("*batch k")]
"""Values at atoms, (*batch, k)."""
Masses: TypeAlias = Annotated[Tensor, Shaped("*batch k", "[0, inf)")]
"""Masses of atoms, (*batch, k)."""
Law: TypeAlias = Annotated[Tensor, Shaped("*batch k", "[0, 1]", distribution=True)]
"""Probabilities of atoms, (*batch, k), that sum to one."""
ColumnMasses: TypeAlias = Annotated[Tensor, Shaped("*batch v", "[0, inf)")]
"""Masses of columns, (*batch, v)."""
Coefficients: TypeAlias = Annotated[Tensor, Shaped("*batch s")]
"""One number for each feature or centre, (*batch, s)."""
AnyTensor: TypeAlias = Annotated[Tensor, Shaped("*any")]
"""Real numbers in any shape."""

Undefinable: TypeAlias = Annotated[Tensor, Unbounded()]
"""A result that holds nan where the docstring says so, such as for a singular matrix."""

RealBatch: TypeAlias = Annotated[float | Tensor, Scalars("(-inf, inf)")]
"""A number or (*batch,)."""
NonNegativeBatch: TypeAlias = Annotated[float | Tensor, Scalars("[0, inf)")]
"""A number >= 0 or (*batch,) of them."""
PositiveBatch: TypeAlias = Annotated[float | Tensor, Scalars("(0, inf)")]
"""A number > 0 or (*batch,) of them."""
UnboundedBatch: TypeAlias = Annotated[float | Tensor, Scalars("[0, inf]")]
"""A number >= 0 or (*batch,) of them, infinity included."""
AnyBatch: TypeAlias = Annotated[float | Tensor, Scalars("[-inf, inf]")]
"""A number or (*batch,) of them, infinities included."""
SampledSplineOrder: TypeAlias = Annotated[float, Plain("[1.001, 1000]", "nearer to 1 most harmonics leave float64")]

SplineOrder: TypeAlias = Annotated[float, Plain("(1, 1000]", "its masses sum only above 1, and the work grows with it")]
"""Order of a spline, or its smoothness."""
SplineSmoothness: TypeAlias = Annotated[float, Plain("(0, 500]", "the work grows with it")]
"""Half an order of a spline, or more."""
OrderAboveOne: TypeAlias = Annotated[float, Plain("(1, inf)")]
"""Order of a divergence or a norm."""
OrderFromTwo: TypeAlias = Annotated[float, Plain("[2, inf)")]
"""Order of the divergences of lkrf."""

ArcCosineOrder: TypeAlias = Annotated[int, Plain("[0, 2]", "arc-cosine features have order 0, 1 or 2", whole=True)]
"""Order of arc-cosine features."""
CoordinateCount: TypeAlias = Annotated[int, Plain("[1, 1e6]", whole=True)]
"""Number of coordinates."""
SphereSpace: TypeAlias = Annotated[int, Plain("[2, 1e4]", "rotations need a plane", whole=True)]
"""Dimension of the space around a sphere."""
HarmonicDegree: TypeAlias = Annotated[int, Plain("[0, 1000]", "there are its square many harmonics", whole=True)]
"""Degree of spherical harmonics."""
ZonalDegree: TypeAlias = Annotated[int, Plain("[0, 1e5]", "degrees of polynomials start at 0", whole=True)]
"""Degree of a zonal polynomial."""
Enumerable: TypeAlias = Annotated[int, Plain("[1, 16]", "all sign vectors are enumerated", whole=True)]
"""Number of points whose signs are enumerated."""
AxisSize: TypeAlias = Annotated[int, Plain("[0, 1e8]", whole=True)]
"""Size of an axis of the result."""
Steps: TypeAlias = Annotated[int, Plain("[0, 1e7]", "the work grows with it", whole=True)]
"""Number of steps, none included."""
Starts: TypeAlias = Annotated[int, Plain("[1, 1e4]", "the work grows with it", whole=True)]
"""Number of starts of a search."""
Seed: TypeAlias = Annotated[int, Plain("[0, 4294967295]", whole=True)]
"""Seed of a generator of scikit-learn."""
Nodes: TypeAlias = Annotated[int, Plain("[2, 1e4]", "a grid has two ends", whole=True)]
"""Nodes of a grid."""
GridPoints: TypeAlias = Annotated[int, Plain("[1, 1e5]", "the work grows with it", whole=True)]
"""Points of a grid."""
FloatDtype: TypeAlias = Annotated[torch.dtype, Options((torch.float64, torch.float32, torch.float16, torch.bfloat16))]
"""A floating dtype."""
AnyDevice: TypeAlias = Annotated[torch.device | str | None, Device()]
"""A device, its name, or None."""
