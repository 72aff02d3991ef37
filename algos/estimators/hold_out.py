"""Choice of hyper-parameters by the error on one validation part, with the ties that decide it in view."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from signatures.checked import checked
from signatures.domains import Plain

Grid: TypeAlias = Mapping[str, Sequence[Any]]
Sample: TypeAlias = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True)
class HoldOutCandidate:
    """One point of the grid.

    Attributes
    ----------
    parameters : dict
        Its parameters, by name.
    validation_mistakes : int
        Its wrong predictions on the validation part.
    validation_error : float
        The share that these are of the part.
    test_error : float or None
        The share of wrong predictions on the test part, if there is one and no candidate has fewer mistakes.
    """

    parameters: dict[str, Any]
    validation_mistakes: int
    validation_error: float
    test_error: float | None


@dataclass(frozen=True)
class HoldOutSearch:
    """What a search found.

    Attributes
    ----------
    best_estimator : object
        The estimator fitted to the training part with the chosen parameters.
    best : HoldOutCandidate
        The chosen candidate, the first in grid order of those with the fewest mistakes.
    tied : tuple of HoldOutCandidate
        All candidates with as few mistakes as the best, itself among them: their number says how far the order of the
        grid decided, and the range of their test errors what this was worth.
    candidates : tuple of HoldOutCandidate
        All, in grid order.
    """

    best_estimator: Any
    best: HoldOutCandidate
    tied: tuple[HoldOutCandidate, ...]
    candidates: tuple[HoldOutCandidate, ...]


@checked
def hold_out_search(
    estimator: Any, grid: Grid | Sequence[Grid], train: Sample, valid: Sample, *, test: Sample | None = None
) -> HoldOutSearch:
    """Choose hyper-parameters by the number of mistakes on the validation part; the first in grid order wins a tie.

    Every candidate is a clone fitted to the training part alone. Mistakes are counted as integers, so that a tie is
    exact.

    Parameters
    ----------
    estimator : object
        Scikit-learn classifier (or pipeline that ends in one).
    grid : mapping or sequence of mappings
        From parameter names to their values. Order of the grid: mapping after mapping,
        and within one the last name varies fastest, as in nested loops (scikit-learn's own grids are sorted by name
        instead).
    train, valid : tuple of array
        Pairs of points (n, d) and labels (n,).
    test : tuple of array, optional
        Adds test errors to the best and those tied with it; the choice does not see them.

    Returns
    -------
    HoldOutSearch

    Raises
    ------
    ValueError
        If the grid has no point, or the validation or test part none.

    References
    ----------
    The experiments of pbrff (Section 6 and the appendix), which do not say how ties are broken: eight of the settings
    tried on breast cancer tie on 86 validation points.
    """
    points = list(_grid_points(grid))
    if not points:
        raise ValueError(f"the grid {grid!r} has no point: give every parameter at least one value")
    parts = {"validation": valid} if test is None else {"validation": valid, "test": test}
    for name, (_, labels) in parts.items():
        if len(np.asarray(labels)) == 0:
            raise ValueError(f"the {name} part has 0 points, but errors are shares of them: give at least one")
    counts, fewest = [], math.inf
    models: dict[int, Any] = {}
    plain = clone(estimator)
    for position, parameters in enumerate(points):
        values = {name: clone(value, safe=False) for name, value in parameters.items()}
        model = deepcopy(plain).set_params(**values).fit(*train)
        counts.append(_mistakes(model, valid))
        if counts[-1] < fewest:
            fewest, models = counts[-1], {}
        if counts[-1] == fewest:
            models[position] = model
    tested = (
        {} if test is None else {k: _mistakes(model, test) / len(np.asarray(test[1])) for k, model in models.items()}
    )
    size = len(np.asarray(valid[1]))
    candidates = tuple(
        HoldOutCandidate(parameters, mistakes, mistakes / size, tested.get(k))
        for k, (parameters, mistakes) in enumerate(zip(points, counts, strict=True))
    )
    tied = tuple(candidates[k] for k in models)
    return HoldOutSearch(models[min(models)], tied[0], tied, candidates)


@checked
def published_split_sizes(
    n: Annotated[int, Plain("[3, inf)", "three parts need three points", whole=True)],
) -> tuple[int, int, int]:
    """Sizes of the training, validation and test parts: a quarter for testing, a fifth of the rest for validation.

    Both are rounded up, as scikit-learn's ``train_test_split`` does.

    Parameters
    ----------
    n : int
        At least 3.

    Returns
    -------
    tuple of int
        Training, validation and test points; none is 0, and their sum is n.

    Raises
    ------
    ValueError
        If n is less than 3.

    References
    ----------
    pbrff, appendix, Table 2; on adult, whose test part is given, the second rule alone applies.
    """
    test = -(-n // 4)
    valid = -(-(n - test) // 5)
    return n - test - valid, valid, test


def _grid_points(grid: Grid | Sequence[Grid]) -> Iterator[dict[str, Any]]:
    for part in [grid] if isinstance(grid, Mapping) else grid:
        for values in itertools.product(*part.values()):
            yield dict(zip(part, values, strict=True))


def _mistakes(model: Any, sample: Sample) -> int:
    points, labels = sample
    return int(np.sum(model.predict(points) != np.asarray(labels)))
