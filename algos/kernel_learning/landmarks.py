"""Landmarks and the similarity features they define."""

from typing import Annotated

import torch
from sklearn import config_context
from sklearn.cluster import KMeans
from torch import Tensor

from algos._domains import Cloud, LabelVector, Points, Seed, Starts
from algos.fourier.sums import fourier_sums
from signatures.checked import checked
from signatures.numbers import Count
from signatures.tensors import Shaped


@checked
def random_landmarks(labels: LabelVector, count: Count, *, generator: torch.Generator) -> Tensor:
    """Positions of landmarks chosen uniformly without replacement, whatever the labels.

    The only choice covered by the union bound of pbrff Section 4.2.

    Parameters
    ----------
    labels : Tensor (n,)
    count : int
        1 <= count <= n.
    generator : torch.Generator

    Returns
    -------
    Tensor (count,) of positions

    Raises
    ------
    ValueError
        If the sample has fewer than ``count`` points.

    References
    ----------
    pbrff Section 4.2.
    """
    _check_count(count, len(labels), "the sample")
    return torch.randperm(len(labels), generator=generator, device=generator.device)[:count].to(labels.device)


@checked
def stratified_landmarks(labels: LabelVector, count: Count, *, generator: torch.Generator) -> Tensor:
    """Positions of landmarks chosen at random, equally many in each class (the first classes take the remainder).

    The positions depend on the labels, which pbrff Theorem 1 does not cover: its bound then needs log(n / epsilon).

    Parameters
    ----------
    labels : Tensor (n,)
    count : int
    generator : torch.Generator

    Returns
    -------
    Tensor (count,) of positions
        Class after class.

    Raises
    ------
    ValueError
        If a class has fewer points than its share.

    References
    ----------
    The experiments of pbrff Section 6.1.
    """
    chosen = []
    for code, share in _shares(labels, count):
        members = (labels == code).nonzero().squeeze(-1)
        _check_count(share, len(members), f"class {code:g}")
        order = torch.randperm(len(members), generator=generator, device=generator.device)
        chosen.append(members[order[:share].to(members.device)])
    return torch.cat(chosen)


@checked
def kmeans_landmarks(
    points: Cloud, labels: LabelVector, count: Count, *, seed: Seed, n_init: Starts = 10
) -> tuple[Tensor, Tensor]:
    """Landmarks at the k-means centroids of each class, equally many per class.

    Runs scikit-learn's k-means (k-means++) on the CPU in float64; the centroids are no sample points.

    Parameters
    ----------
    points : Tensor (n, d)
    labels : Tensor (n,)
    count : int
    seed : int
    n_init : int
        Starts of k-means, of which the best is kept. The library's default fell from 10 to 1 since the paper, and moves
        the published errors by points.

    Returns
    -------
    tuple of Tensor (count, d) and Tensor (count,)
        Centroids and their classes, on the device and in the dtypes of the inputs.

    Raises
    ------
    ValueError
        If a class has fewer points than its share.

    References
    ----------
    The experiments of pbrff Section 6.1 (number of starts unspecified there).
    """
    centroids, classes = [], []
    for code, share in _shares(labels, count):
        members = points[labels == code].detach().double().cpu().numpy()
        _check_count(share, len(members), f"class {code:g}")
        if share:
            with config_context(assume_finite=True, skip_parameter_validation=True):  # the arguments are checked
                means = KMeans(share, n_init=n_init, init="k-means++", random_state=seed).fit(members).cluster_centers_
            centroids.append(torch.as_tensor(means).to(points))
            classes.append(labels.new_full((share,), code))
    return torch.cat(centroids), torch.cat(classes)


@checked
def similarity_map(
    points: Points,
    landmarks: Annotated[Tensor, Shaped("*batch l d")],
    frequencies: Annotated[Tensor, Shaped("*batch l m d")],
    posterior: Annotated[Tensor, Shaped("*batch l m", "[0, 1]")],
) -> Tensor:
    """Learned similarity of each point to each landmark.

    ``psi_l(x) = sum_m Q^l_m cos(<w^l_m, x_l - x>)``, every landmark with frequencies and posterior of its own. It is
    one at the landmark itself; it is no kernel, since the similarity of two landmarks is not symmetric.

    Parameters
    ----------
    points : Tensor (..., n, d)
    landmarks : Tensor (..., l, d)
    frequencies : Tensor (..., l, m, d)
    posterior : Tensor (..., l, m)
        Probabilities.

    Returns
    -------
    Tensor (..., n, l)
        In [-1, 1].

    References
    ----------
    pbrff eq. 13.
    """
    phases = (frequencies @ landmarks.unsqueeze(-1)).squeeze(-1)
    weights = torch.stack([posterior * phases.cos(), posterior * phases.sin()], dim=-2)
    cosine, sine = fourier_sums(frequencies, points.unsqueeze(-3), weights)
    return (cosine[..., 0, :] + sine[..., 1, :]).mT


def _shares(labels: Tensor, count: int) -> list[tuple[float, int]]:
    codes = sorted(set(labels.tolist()))
    share, remainder = divmod(count, max(1, len(codes)))
    return [(code, share + int(k < remainder)) for k, code in enumerate(codes)]


def _check_count(count: int, available: int, source: str) -> None:
    if not 0 <= count <= available:
        raise ValueError(f"count: {count} landmarks are asked of {source}, which has {available} points: ask for fewer")
