"""What the transformers share: validation of samples, the way to tensors and back, random numbers."""

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data
from torch import Tensor

Array = NDArray[Any]
_FLOATS = (np.float64, np.float32)


class TensorTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that computes with tensors; subclasses have the parameters `random_state` and `device`."""

    random_state: int | np.random.RandomState | None
    device: str | torch.device | None
    classes_: Array
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._needs_labels()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _needs_labels(self) -> bool:
        return True

    def _checked_sample(self, X: ArrayLike, y: ArrayLike | None) -> tuple[Tensor, Tensor]:
        """Points (n, d), and positions in `classes_` (n,): zeros where labels play no part."""
        if not self._needs_labels():
            points = self._tensor(validate_data(self, X, dtype=_FLOATS))
            return points, torch.zeros(len(points), dtype=torch.int64, device=points.device)
        X, y = validate_data(self, X, y, dtype=_FLOATS, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        return self._tensor(X), self._tensor(codes)

    def _checked_points(self, X: ArrayLike) -> Tensor:
        """New points (n, d) of a fitted transformer."""
        check_is_fitted(self)
        return self._tensor(validate_data(self, X, dtype=_FLOATS, reset=False))

    def _tensor(self, values: Any) -> Tensor:
        array = np.require(values, requirements=["C", "W"])
        return torch.from_numpy(array).to(self.device or "cpu")

    def _generators(self) -> tuple[torch.Generator, torch.Generator]:
        """Two independent generators: for the choice of points, and for frequencies."""
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=2)
        choice, frequencies = (torch.Generator().manual_seed(int(seed)) for seed in seeds)
        return choice, frequencies


def array(values: Tensor) -> Array:
    """The same numbers for numpy, on the CPU."""
    result: Array = values.detach().cpu().numpy()
    return result


def check_count(name: str, value: object) -> int:
    """A positive integer, or an error that names the parameter."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} is {value!r}, but must be a positive integer: choose at least 1")
    return int(value)


def check_number(name: str, value: object, *, positive: bool) -> float:
    """A finite real number that is positive or non-negative, or an error that names the parameter."""
    rule = "positive" if positive else "non-negative"
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}, but must be a finite {rule} number: choose one")
    if value < 0 or (positive and value == 0):
        raise ValueError(f"{name} is {value!r}, but must be {rule}: choose another value")
    return float(value)


def check_option(name: str, value: object, options: tuple[str, ...]) -> None:
    """One of the options, or an error that lists them."""
    if value not in options:
        raise ValueError(f"{name} is {value!r}, but must be one of {', '.join(map(repr, options))}: choose one of them")
