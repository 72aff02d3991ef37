"""Images of MNIST that most claims do not read: the training images after the first 10,000."""

from torch import Tensor

from harness import Draw, skip
from harness.claims.placement import on_device
from harness.data import Table
from harness.data.digits import TRAINING_IMAGES


def later_pair(draw: Draw, digits: Table, pair: tuple[int, int], *, least: int) -> tuple[Tensor, Tensor]:
    """Two digits among the training images after the first 10,000, in their order; pixels divided by 255.

    Parameters
    ----------
    draw : Draw
        Whose device is meant.
    digits : Table
        MNIST.
    pair : tuple of int
        Digits; the first is labelled -1, the second +1.
    least : int
        How many images are needed.

    Returns
    -------
    tuple of Tensor (n, 784) and Tensor (n,), float64

    Raises
    ------
    SkipClaim
        If there are fewer.
    """
    known = digits.training
    later = Table(known.points[TRAINING_IMAGES:], known.targets[TRAINING_IMAGES:]).pair(*pair)
    if len(later.targets) < least:
        raise skip("needs all training images of MNIST: unset TIGHTROPE_MNIST_TRAINING, then fetch mnist")
    images, labels = on_device(draw, later.tensors)
    return images / 255, labels
