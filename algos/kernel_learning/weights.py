"""Learning the weights of random features: alignments with the labels, the learned kernel, and its two estimators.

A similarity of labels S_ij is written as T^T T with targets T (*batch, c, n): c = 1 and T = y for labels -1 and +1. The
alignment of feature m is v_m = sum_{i,j} S_ij phi(x_i, w_m) phi(x_j, w_m) = |sum_i T_i phi(x_i, w_m)|^2, linear in the
weights of a kernel K_q = sum_m q_m phi_m phi_m; `algos.divergence_ball.exact` maximises it over a ball of weights.
"""

import math
from typing import Annotated

import torch
from torch import Tensor

from algos._domains import Labels, PointPairs, Points
from algos.fourier.feature_families import FeatureFamily
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat, Size
from signatures.tensors import Shaped, readable


@checked
def class_targets(labels: Labels) -> Tensor:
    """Targets T with T_i.T_j = 1 for equal labels and -1 / (L - 1) for different ones, L the number of classes.

    T_ci = sqrt(L / (L - 1)) (1[y_i = c] - 1 / L). Two classes have the single row y in {-1, +1}, up to sign.
    The paper has labels -1 and +1 with S_ij = y_i y_j, and any S in [-1, 1] in its theory; this is the choice that
    contains the former, is positive semidefinite and sums to zero over the classes.

    Parameters
    ----------
    labels : Tensor (*batch, n)
        Class codes; the classes are the codes that occur in the batch.

    Returns
    -------
    Tensor (*batch, c, n)
        Float64: c = 1 for up to two classes (a single class: ones), else c = L. Columns have norm 1.

    References
    ----------
    lkrf Section 3 (S_ij in [-1, 1]); the rule for more than two classes is ours.
    """
    codes: Tensor = labels.detach().unique()  # type: ignore[no-untyped-call]
    classes = len(codes)
    if classes <= 2:
        return torch.where(labels == codes[-1], 1.0, -1.0).to(torch.float64).unsqueeze(-2)
    indicators = (labels.unsqueeze(-2) == codes.unsqueeze(-1)).to(torch.float64)
    return math.sqrt(classes / (classes - 1)) * (indicators - 1 / classes)


@checked
def alignment_vector(
    points: Points,
    targets: Annotated[Tensor, Shaped("*batch c n")],
    parameters: Annotated[Tensor, Shaped("*batch m p", kind="codes")],
    family: FeatureFamily,
) -> Tensor:
    """Alignment of every feature with the labels, as the objective of the kernel problem has it (V-statistic).

    v_m = sum_{i,j} S_ij phi(x_i, w_m) phi(x_j, w_m) = |sum_i T_i phi(x_i, w_m)|^2; for labels -1 and +1, (Phi y)^2.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
    targets : Tensor (*batch, c, n)
        T with S = T^T T.
    parameters : Tensor (*batch, N, p)
        Of the features.
    family : FeatureFamily
        phi. No n x N array is kept.

    Returns
    -------
    Tensor (*batch, N)
        Non-negative, of order n^2.

    References
    ----------
    lkrf eq. (4) and Section 2.1.
    """
    return family.weighted_sums(points, parameters, targets.to(points.dtype)).square().sum(-2)


@checked
def alignment_u_statistic(
    points: PointPairs,
    targets: Annotated[Tensor, Shaped("*batch c n")],
    parameters: Annotated[Tensor, Shaped("*batch m p", kind="codes")],
    family: FeatureFamily,
) -> Tensor:
    """Alignment of every feature without the diagonal pairs, the unbiased estimator that the theory is about.

    That_m = sum_{i != j} S_ij phi(x_i, w_m) phi(x_j, w_m) / (n (n - 1)) = (v_m - s_m) / (n (n - 1)) with the diagonal
    s_m = sum_i phi(x_i, w_m)^2, for targets of norm 1.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
        n >= 2.
    targets : Tensor (*batch, c, n)
        T with S = T^T T, of norm 1 each.
    parameters : Tensor (*batch, N, p)
        Of the features.
    family : FeatureFamily
        phi. No n x N array is kept.

    Returns
    -------
    Tensor (*batch, N)
        In [-1/(n-1), 1] for bounded features.

    Raises
    ------
    ValueError
        If n < 2 or a target has another norm.

    References
    ----------
    lkrf Section 3.
    """
    n = points.shape[-2]
    if n < 2:
        raise ValueError(f"the sample has {n} points, but a pair needs two: give n >= 2")
    norms = targets.square().sum(-2)
    if not bool(((norms - 1).abs() <= 1e-6).all()):
        worst = norms.flatten()[(norms - 1).abs().argmax()].item()
        raise ValueError(f"targets hold a column of squared norm {worst}, not 1: rescale it")
    diagonal = family.squared_sums(points, parameters)
    return (alignment_vector(points, targets, parameters, family) - diagonal) / (n * (n - 1))


@checked
def learned_kernel(
    features: Annotated[Tensor, Shaped("*batch n m")],
    others: Annotated[Tensor, Shaped("*batch k m")],
    weights: Annotated[Tensor, Shaped("*batch m")],
) -> Tensor:
    """Kernel of weighted features: K_q(x, x') = sum_m q_m phi(x, w_m) phi(x', w_m).

    Parameters
    ----------
    features, others : Tensor (*batch, n, N)
        And (*batch, k, N).
    weights : Tensor (*batch, N)
        q.

    Returns
    -------
    Tensor (*batch, n, k)

    References
    ----------
    lkrf eq. (2) at a discrete law.
    """
    return (features * weights.unsqueeze(-2)) @ others.mT


@checked
def reweighted_features(
    features: Annotated[Tensor, Shaped("*batch n m")], weights: Annotated[Tensor, Shaped("*batch m", "[0, inf)")]
) -> Tensor:
    """Features of the re-weighting estimator: sqrt(q_m) phi(x, w_m), whose inner products are K_q.

    A ridge penalty on their coefficients is not that on the coefficients of phi: leaving out sqrt(q), as the released
    code does, is another estimator.

    Parameters
    ----------
    features : Tensor (*batch, n, N)
    weights : Tensor (*batch, N)
        q >= 0. Features of weight zero can be dropped: `support`.

    Returns
    -------
    Tensor (*batch, n, N)

    References
    ----------
    lkrf eq. (6).
    """
    return features * weights.sqrt().unsqueeze(-2)


@checked
def support(weights: Annotated[Tensor, Shaped("m")], *, smallest: NonNegativeFloat = 0.0) -> Tensor:
    """Indices of the features to keep, largest weight first: those with q_m > smallest; their number is nnz(q).

    Parameters
    ----------
    weights : Tensor (N,)
        q.
    smallest : float
        >= 0. The exact solvers give exact zeros; the released code drops weights up to the machine epsilon.

    Returns
    -------
    Tensor (nnz,)
        Int64. In the chi-square ball of radius rho, nnz >= N / (1 + rho).

    References
    ----------
    lkrf below eq. (6).
    """
    order = weights.detach().argsort(descending=True, stable=True)
    return order[weights.detach()[order] > smallest]


@checked
def sampled_features(
    weights: Annotated[Tensor, Shaped("*batch m", "[0, inf)")], count: Size, *, generator: torch.Generator
) -> Tensor:
    """Features of the sampling estimator: indices of D independent draws from q.

    The mean of phi(x, W_j) phi(x', W_j) over the draws is an unbiased estimator of K_q(x, x'); as features these are
    phi(x, W_j) / sqrt(D).

    Parameters
    ----------
    weights : Tensor (*batch, N)
        q >= 0 with positive sum.
    count : int
        D >= 1.
    generator : torch.Generator
        On the device of the weights.

    Returns
    -------
    Tensor (*batch, D)
        Int64; entries of zero weight are never drawn.

    Raises
    ------
    ValueError
        If D < 1, or all weights are 0.

    References
    ----------
    lkrf eq. (5).
    """
    if count < 1:
        raise ValueError(f"count is {count}, but an estimator needs a feature: draw 1 or more")
    cumulative = weights.detach().cumsum(-1)
    total = cumulative[..., -1:]
    if readable((total,)) and not bool((total > 0).all()):
        raise ValueError("weights are all 0, but one must be positive to be drawn: give a law")
    shape = (*weights.shape[:-1], count)
    uniform = torch.rand(shape, dtype=weights.dtype, device=weights.device, generator=generator)
    below = torch.nextafter(total, torch.zeros_like(total))
    return torch.searchsorted(cumulative, torch.minimum(uniform * total, below), right=True)
