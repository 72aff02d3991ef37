"""Instances of the theorems: orthogonal features."""

from torch import Tensor

from bounds.random_features.leverage import feature_count
from harness import Draw


def trace(kernel: Tensor) -> Tensor:
    """Tr K, over the last two axes."""
    return kernel.diagonal(dim1=-2, dim2=-1).sum(-1)


def orthogonal_count(cells: int, ridge: float, delta: float, constant: float) -> int:
    """Features for atoms sqrt(N) e_i with probability 1/N on n = N points: K = I, d = N / (1 + n lambda)."""
    dimension = cells / (1 + ridge)
    return feature_count(dimension, dimension, delta, constant=constant)


def orthogonal_deviation(draw: Draw, cells: int, ridge: float, s: int) -> Tensor:
    """The operator norm for those atoms; leverage sampling is uniform and K~ = diag(N c_i / s)."""
    counts = draw.multinomial("counts", s, [1 / cells] * cells)
    return (cells * counts / s - 1).abs().amax(-1) / (1 + ridge)
