"""Data sets that come with scikit-learn."""

import torch
from sklearn.datasets import load_breast_cancer, load_digits
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
