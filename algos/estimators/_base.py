"""What the transformers share: validation of parameters and samples, the way to tensors and back, random numbers.

Parameters are declared where the constructor names them, as those of any public function are, and are held to that in
`fit`: scikit-learn's constructors only keep what they are given.
"""

from functools import cache
from types import SimpleNamespace
from typing import Annotated, Any, TypeAlias

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data
from torch import Tensor

from signatures.checked import acceptors
from signatures.domains import DomainError, DomainTypeError, Options, Plain

Array = NDArray[Any]
RandomState: TypeAlias = int | np.random.RandomState | None
"""What scikit-learn makes a generator of."""
Selection: TypeAlias = Annotated[str, Options(("random", "stratified", "kmeans"))]
"""How landmarks are chosen."""
TwoMasses: TypeAlias = Annotated[int, Plain("[1, 2]", "1 is the game itself, 2 is printed", whole=True)]
"""Mass of a pure strategy of the margin game."""
_FLOATS = (np.float64, np.float32)
_acceptors = cache(acceptors)


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

    def _checked_parameters(self) -> Any:
        """The parameters by name, each held to the domain that the constructor declares for it."""
        accept = _acceptors(type(self).__init__)
        given = self.get_params(deep=False)
        for name in accept.keys() & given.keys():
            given[name] = accept[name](given[name])
        return SimpleNamespace(**given)

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
        try:
            return torch.from_numpy(array).to(self.device or "cpu")
        except (RuntimeError, AssertionError) as error:  # what torch says of a device that is not there
            reason = str(error).splitlines()[0]
            raise DomainError(f"device = {self.device!r} cannot hold the sample: {reason}") from error

    def _generators(self) -> tuple[torch.Generator, torch.Generator]:
        """Two independent generators: for the choice of points, and for frequencies."""
        if isinstance(self.random_state, bool | np.bool_):
            raise DomainTypeError(f"random_state = {self.random_state} must be an integer, a RandomState or None.")
        try:
            state = check_random_state(self.random_state)
        except (ValueError, TypeError, OverflowError) as error:
            raise DomainError(f"random_state makes no generator: {error}") from error
        seeds = state.randint(2**31 - 1, size=2)
        choice, frequencies = (torch.Generator().manual_seed(int(seed)) for seed in seeds)
        return choice, frequencies


def array(values: Tensor) -> Array:
    """The same numbers for numpy, on the CPU."""
    result: Array = values.detach().cpu().numpy()
    return result
