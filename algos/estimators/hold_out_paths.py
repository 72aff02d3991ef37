"""The hold-out choice of support vector machines: one Gram matrix for each width, one path for all C.

The same grids, orders and ties as `hold_out_search` on scikit-learn's `SVC` and on its `LinearSVC` in the primal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import torch
from sklearn.svm import SVC
from torch import Tensor

from algos._domains import Cloud
from algos._labels import check_signs
from algos.ridge.squared_hinge_path import squared_hinge_path
from signatures.checked import checked
from signatures.tensors import Shaped

SignVector = Annotated[Tensor, Shaped("n", "[-1, 1]", kind="codes")]
TrainingRows = Annotated[Tensor, Shaped("t", "[0, inf)", kind="whole")]
ValidationRows = Annotated[Tensor, Shaped("v", "[0, inf)", kind="whole")]

CACHE_MEGABYTES = 1000


@dataclass(frozen=True)
class HoldOutPath:
    """What a search over a grid found.

    Attributes
    ----------
    parameters : dict
        Of the first candidate in grid order of those with the fewest mistakes on the validation rows.
    mistakes : Tensor (candidates,)
        On the validation rows, in grid order.
    predicted : Tensor (n,)
        Labels -1 and +1 that the chosen machine gives to all rows.
    """

    parameters: dict[str, float]
    mistakes: Tensor
    predicted: Tensor


@checked
def gaussian_machine_path(
    points: Cloud,
    labels: SignVector,
    train: TrainingRows,
    valid: ValidationRows,
    *,
    costs: Sequence[float],
    gammas: Sequence[float],
) -> HoldOutPath:
    """Choose C and gamma of a support vector machine with kernel ``exp(-gamma |x - x'|^2)`` by its validation mistakes.

    The solver is scikit-learn's; it is given the Gram matrix in float64, which all C of a gamma share.

    Parameters
    ----------
    points : Tensor (n, d)
    labels : Tensor (n,)
        Entries -1 or +1.
    train : Tensor (t,) of positions
        Rows that the machines are fitted to.
    valid : Tensor (v,) of positions
        Rows that choose among them.
    costs, gammas : sequence of float
        C in the outer loop of the grid, gamma in the inner one.

    Returns
    -------
    HoldOutPath

    Raises
    ------
    ValueError
        If the grid has no point, the validation part none, or a label is not -1 or +1.

    References
    ----------
    The experiments of pbrff (Section 6 and the appendix).
    """
    _check_grid(costs=costs, gammas=gammas)
    check_signs(labels)
    centred = points.double() - points.double().mean(0)
    squares = torch.cdist(centred, centred[train], compute_mode="use_mm_for_euclid_dist").square_()
    targets = labels[train].cpu().numpy()
    machines: dict[tuple[int, int], SVC] = {}
    mistakes = torch.zeros(len(costs), len(gammas), dtype=torch.long)
    for column, gamma in enumerate(gammas):
        kernel = _gaussian(squares, gamma)
        gram, held_out = kernel[train].cpu().numpy(), kernel[valid].cpu().numpy()
        for line, cost in enumerate(costs):
            machine = SVC(C=cost, kernel="precomputed", cache_size=CACHE_MEGABYTES, random_state=0).fit(gram, targets)
            predicted = torch.as_tensor(machine.predict(held_out)).to(labels)
            mistakes[line, column] = (predicted != labels[valid]).sum()
            machines[line, column] = machine
    line, column = divmod(_first_fewest(mistakes.flatten()), len(gammas))
    all_rows = _gaussian(squares, gammas[column]).cpu().numpy()
    predicted = torch.as_tensor(machines[line, column].predict(all_rows)).to(labels)
    return HoldOutPath({"C": costs[line], "gamma": gammas[column]}, mistakes.flatten(), predicted)


@checked
def linear_machine_path(
    features: Cloud, labels: SignVector, train: TrainingRows, valid: ValidationRows, *, costs: Sequence[float]
) -> HoldOutPath:
    """Choose C of a linear machine with squared hinge losses by its validation mistakes.

    With an intercept that is penalised like the other weights, as scikit-learn's `LinearSVC` has it.

    Parameters
    ----------
    features : Tensor (n, d)
    labels : Tensor (n,)
        Entries -1 or +1.
    train : Tensor (t,) of positions
    valid : Tensor (v,) of positions
    costs : sequence of float

    Returns
    -------
    HoldOutPath

    Raises
    ------
    ValueError
        If there is no cost, no validation row, or a label is not -1 or +1.

    References
    ----------
    The experiments of pbrff (Section 6 and the appendix).
    """
    _check_grid(costs=costs)
    columns = torch.cat([features, torch.ones_like(features[:, :1])], dim=1)
    weights = squared_hinge_path(columns[train], labels[train], columns.new_tensor(costs))
    predicted = torch.where(columns @ weights.mT > 0, 1.0, -1.0).to(labels)
    mistakes = (predicted[valid] != labels[valid].unsqueeze(-1)).sum(0)
    chosen = _first_fewest(mistakes)
    return HoldOutPath({"C": costs[chosen]}, mistakes, predicted[:, chosen])


def _gaussian(squares: Tensor, gamma: float) -> Tensor:
    return (squares * -gamma).exp_()


def _first_fewest(mistakes: Tensor) -> int:
    counts = mistakes.tolist()
    return counts.index(min(counts))


def _check_grid(**grid: Sequence[float]) -> None:
    for name, values in grid.items():
        if not values:
            raise ValueError(f"{name} is empty, but the grid needs a point: give at least one value")
