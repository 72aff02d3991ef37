"""Labels of two classes."""

from torch import Tensor


def check_signs(labels: Tensor) -> None:
    """Refuse a label that is not -1 or +1."""
    if not bool((labels.abs() == 1).all()):
        wrong = labels.detach()[labels.abs() != 1].reshape(-1)[0].item()
        raise ValueError(f"labels hold {wrong}, but each must be -1 or +1: map the two classes to these signs.")
