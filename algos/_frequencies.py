"""What all samplers of frequencies ask for."""

from collections.abc import Sequence


def check_shape(name: str, shape: Sequence[int]) -> None:
    """Refuse a sampler that was called without a shape."""
    if not shape:
        raise ValueError(f"{name} has no shape, but frequencies have coordinates: give (*batch, m, d)")
