"""Similarities to landmarks under pseudo-posteriors learnt on a sample, for several temperatures at once."""

import math
from typing import Annotated

import torch
from torch import Tensor

from algos._domains import Cloud
from algos.kernel_learning.pseudo_posterior import gibbs_posterior
from signatures.checked import checked
from signatures.tensors import Shaped

BLOCK = 2**21
"""Phases in memory at once, at least one landmark's."""


@checked
def pseudo_bayesian_similarities(
    points: Cloud,
    sample: Annotated[Tensor, Shaped("r", "[0, inf)", kind="whole")],
    labels: Annotated[Tensor, Shaped("r", kind="codes")],
    landmarks: Annotated[Tensor, Shaped("l d")],
    frequencies: Annotated[Tensor, Shaped("l m d")],
    *,
    landmark_labels: Annotated[Tensor, Shaped("l", kind="codes")],
    betas: Annotated[Tensor, Shaped("c", "[0, inf)")],
    in_sample: bool = False,
) -> Tensor:
    """Similarities to landmarks under the pseudo-posterior of each, learnt on a sample, from cosines computed once.

    ``psi_l(x) = sum_m Q^l_m cos(<w^l_m, x_l - x>)`` with ``Q^l_m ~ exp(-beta sqrt(r) loss^l_m)``, where the loss is the
    mean of ``(1 - lambda cos(<w^l_m, x_l - x_i>)) / 2`` over the sample: both need the same cosines, for all beta. The
    maps are those of `similarity_map` under `pseudo_bayesian_weights` of `landmark_alignment_loss`.

    Parameters
    ----------
    points : Tensor (n, d)
    sample : Tensor (r,) of positions
        The rows that the posteriors are learnt on.
    labels : Tensor (r,)
        Binary or class codes of these rows.
    landmarks : Tensor (l, d)
    frequencies : Tensor (l, m, d)
    landmark_labels : Tensor (l,)
        Coded as `labels`.
    betas : Tensor (c,)
        Non-negative; 0 learns nothing.
    in_sample : bool
        Whether the landmarks are points of the sample: a landmark is then not paired with itself.

    Returns
    -------
    Tensor (c, n, l)
        One map for each beta, in [-1, 1].

    Raises
    ------
    ValueError
        If the sample leaves no pair, or a beta is negative or not finite.

    References
    ----------
    pbrff eqs. 12 and 13.
    """
    pairs = len(sample) - int(in_sample)
    if pairs < 1:
        raise ValueError(f"{len(sample)} points leave no pair with a landmark: give at least {1 + int(in_sample)}")
    used = (points != 0).any(0) | (landmarks != 0).any(0)
    if not bool(used.all()):
        points, landmarks, frequencies = points[:, used], landmarks[:, used], frequencies[..., used]
    found = points.new_empty(len(betas), len(landmarks), len(points))
    width = max(1, BLOCK // max(1, len(points) * frequencies.shape[1]))
    for start in range(0, len(landmarks), width):
        block = slice(start, start + width)
        own = frequencies[block] @ landmarks[block].unsqueeze(-1)
        cosines = (own - frequencies[block] @ points.mT).cos_()
        agreement = torch.where(labels == landmark_labels[block].unsqueeze(-1), 1.0, -1.0).to(points)
        signed = (cosines[..., sample] @ agreement.unsqueeze(-1)).squeeze(-1)
        losses = (len(sample) - signed) / (2 * pairs)
        posteriors = gibbs_posterior(losses.unsqueeze(1).expand(-1, len(betas), -1), betas * math.sqrt(len(sample)))
        found[:, block] = (posteriors @ cosines).movedim(1, 0)
    return found.mT
