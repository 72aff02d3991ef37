"""The mixed strategy that a run of the margin game returns: its mean kernel as a few weighted pure strategies."""

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from algos.margin_game.game import MarginGame
from signatures.checked import checked
from signatures.numbers import Count
from signatures.tensors import Shaped


@dataclass(frozen=True)
class DualMeasure:
    """A probability measure on finitely many pure strategies.

    Attributes
    ----------
    indices : Tensor (m, k)
        Distinct; w and -w are one strategy, named by the one whose first non-zero coordinate is positive.
    masses : Tensor (m,)
        Positive, of sum 1.
    """

    indices: Tensor
    masses: Tensor


@checked
def dual_measure(game: MarginGame, rounds: Count | None = None) -> DualMeasure:
    """Mean of the pure strategies of a run, equal ones merged.

    lambda_bar = (1/T) sum_t delta_(w_t), each delta_w standing for (delta_w + delta_-w)/2 of mass one.

    Parameters
    ----------
    game : MarginGame
        One run; slice a batch first, ``game[0]``.
    rounds : int, optional
        How many of the first rounds, T; by default all.

    Returns
    -------
    DualMeasure

    Raises
    ------
    ValueError
        If the game is a batch, or has not so many rounds.

    References
    ----------
    nsrf Algorithm 2, its return value; merging is the last remark of Appendix A.3.
    """
    if game.indices.ndim != 2:
        raise ValueError(
            f"the game is a batch of shape {tuple(game.indices.shape[:-2])}, and measures of different runs differ in "
            "size: take one run of it, as game[0]."
        )
    played = game.indices.shape[0]
    count = played if rounds is None else rounds
    if not 1 <= count <= played:
        raise ValueError(f"rounds = {rounds} must lie between 1 and the {played} rounds that were played.")
    indices, counts = torch.unique(_canonical(game.indices[:count]), dim=0, return_counts=True)
    return DualMeasure(indices, counts.to(game.values.dtype) / count)


def _canonical(indices: Tensor) -> Tensor:
    """(m, k) with w and -w made equal; + 0 turns -0 into 0."""
    nonzero = indices != 0
    first = nonzero.to(torch.int8).argmax(-1, keepdim=True)
    return torch.where(indices.gather(-1, first) < 0, -indices, indices) + 0


@checked
def measure_features(
    features: Annotated[Tensor, Shaped("*batch m n r")], masses: Annotated[Tensor, Shaped("*batch m", "[0, inf)")]
) -> Tensor:
    """Features of the kernel of a measure: the features of its strategies, scaled and put side by side.

    Psi = [sqrt(lambda_1) Psi_1, ..., sqrt(lambda_m) Psi_m], so that Psi Psi^T = sum_j lambda_j Psi_j Psi_j^T.

    Parameters
    ----------
    features : Tensor (*batch, m, n, r)
        Of the strategies.
    masses : Tensor (*batch, m)
        Non-negative.

    Returns
    -------
    Tensor (*batch, n, m r)

    References
    ----------
    nsrf Algorithm 2, its features; there every round has the same weight, and equal rounds are repeated.
    """
    return (masses.sqrt()[..., None, None] * features).movedim(-3, -2).flatten(-2)
