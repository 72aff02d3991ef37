"""The data set that comes with scikit-learn."""

import torch
from sklearn.datasets import load_breast_cancer
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
