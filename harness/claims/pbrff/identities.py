"""Closed forms of the alignment loss against its definition as a mean over pairs."""

from algos.alignment import binary_alignment_loss, multiclass_alignment_loss, pairwise_alignment_loss
from harness import Forall, claim, grid, identity


@claim("pbrff/prop-7", identity(), cite="pbrff, Proposition 7", over=grid(n=[2, 3, 8], dimension=[1, 3]))
def binary_loss_in_linear_time(forall: Forall, *, n: int, dimension: int):
    """Binary alignment loss = n / (2 (n - 1)) - |sum_i y_i exp(i <w, x_i>)|^2 / (2 n (n - 1))."""
    x = forall.interval("x", -10.0, 10.0, n, dimension)
    y = forall.signs("y", n)
    w = forall.interval("w", -3.0, 3.0, 1, dimension)
    return pairwise_alignment_loss(x, y, w).squeeze(-1), binary_alignment_loss(x, y, w).squeeze(-1)


@claim("pbrff/prop-8", identity(), cite="pbrff, Proposition 8", over=grid(n=[2, 3, 8], classes=[2, 3, 5]))
def multiclass_loss_in_linear_time(forall: Forall, *, n: int, classes: int):
    """Alignment loss = n / (2 (n - 1)) - (2 sum_y |z_y|^2 - |sum_y z_y|^2) / (2 n (n - 1)), z_y over class y.

    Classes are read as multisets: with sets, as printed, x = (0, 0, 0) and y = (1, 1, 2) would give 3/4 instead of 2/3.
    """
    x = forall.interval("x", -10.0, 10.0, n, 2)
    y = forall.integers("y", 1, classes, n)
    w = forall.interval("w", -3.0, 3.0, 1, 2)
    return pairwise_alignment_loss(x, y, w).squeeze(-1), multiclass_alignment_loss(x, y, w).squeeze(-1)
