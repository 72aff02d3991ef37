"""Data sets that come with scikit-learn."""

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer, load_digits, load_sample_images
from torch import Tensor


def breast_cancer() -> tuple[Tensor, Tensor]:
    """Breast cancer Wisconsin (diagnostic), bundled with scikit-learn, features as they are.

    Returns
    -------
    tuple of Tensor (569, 30) and Tensor (569,)
        Features, and labels -1 (malignant) or +1 (benign), float64.
    """
    features, target = load_breast_cancer(return_X_y=True)
    return torch.as_tensor(features, dtype=torch.float64), torch.as_tensor(2.0 * target - 1.0, dtype=torch.float64)


def handwritten_digits() -> tuple[Tensor, Tensor]:
    """Optical recognition of handwritten digits, bundled with scikit-learn: images of 8 x 8 pixels, divided by 16.

    Returns
    -------
    tuple of Tensor (1797, 64), float64 in [0, 1], and Tensor (1797,), int64
        Pixels, and the digit that each image shows.
    """
    pixels, digits = load_digits(return_X_y=True)
    return torch.as_tensor(pixels / 16.0, dtype=torch.float64), torch.as_tensor(digits, dtype=torch.int64)


def photograph_patches(count: int, *, side: int, seed: int) -> tuple[Tensor, Tensor]:
    """Square patches at random places of the two photographs bundled with scikit-learn, a temple and a flower.

    Grey values, the mean of the three colours. Neighbouring pixels are alike, as in any photograph: data of side^2
    dimensions whose spectrum decays.

    Parameters
    ----------
    count : int
        Even; half of the patches are from each photograph.
    side : int
        Of a patch in pixels, at most 427.
    seed : int

    Returns
    -------
    tuple of Tensor (count, side^2), float64 in [0, 1], and Tensor (count,)
        Labels -1 (temple) or +1 (flower), in random order.

    Raises
    ------
    ValueError
        If the count is odd, or a patch does not fit.
    """
    generator = np.random.default_rng(seed)
    pictures = [picture.mean(-1) / 255.0 for picture in load_sample_images().images]
    height, width = pictures[0].shape
    if count % 2 or not 1 <= side <= height:
        raise ValueError(f"{count} patches of side {side} need an even count and a side between 1 and {height}")
    patches = np.concatenate(
        [
            np.lib.stride_tricks.sliding_window_view(picture, (side, side))[
                generator.integers(0, height - side + 1, count // 2),
                generator.integers(0, width - side + 1, count // 2),
            ]
            for picture in pictures
        ]
    )
    order = generator.permutation(count)
    labels = np.repeat([-1.0, 1.0], count // 2)
    return torch.as_tensor(patches.reshape(count, -1)[order]), torch.as_tensor(labels[order])
