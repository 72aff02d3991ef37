"""Kernel-alignment losses of single frequencies, as U-statistics in O(n d), and their exact variance.

The pair loss of a frequency w is ``l = (1 - lambda cos(<w, x - x'>)) / 2`` in [0, 1], with ``lambda = +1`` for equal
labels and -1 otherwise. The empirical loss is its mean over the ``n (n - 1)`` ordered pairs of *different* positions:
duplicated points are different positions (pbrff prints sets where multisets are meant), a class may be empty, and w = 0
gives the fraction of pairs with different labels.
"""

from typing import Annotated

import torch
from torch import Tensor

from algos._domains import (
    Classes,
    Cloud,
    Frequencies,
    Kernel,
    Labels,
    LabelVector,
    Law,
    Masses,
    PointPairs,
    Signs,
    Vector,
)
from algos.fourier.sums import fourier_potential, fourier_sums
from signatures.checked import checked
from signatures.numbers import PairCount
from signatures.tensors import Shaped


@checked
def binary_alignment_loss(points: PointPairs, labels: Signs, frequencies: Frequencies) -> Tensor:
    """Alignment loss of each frequency for labels -1 and +1.

    ``n / (2 (n - 1)) - |sum_i y_i exp(i <w, x_i>)|^2 / (2 n (n - 1))``.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
        n >= 2.
    labels : Tensor (*batch, n)
        Entries -1 or +1.
    frequencies : Tensor (*batch, m, d)

    Returns
    -------
    Tensor (*batch, m)
        In [0, n / (2 (n - 1))].

    Raises
    ------
    ValueError
        If n < 2, a label is neither -1 nor +1, or the shapes do not fit.

    References
    ----------
    pbrff Proposition 7 (printed as O(n) per frequency, where O(n d) is meant).
    """
    n = _sample_size(points)
    if not bool((labels.abs() == 1).all()):
        offending = labels[labels.abs() != 1].flatten()[0].item()
        raise ValueError(f"a label is {offending}, but binary labels are -1 or +1: use multiclass_alignment_loss")
    return n / (2 * (n - 1)) - fourier_potential(points, frequencies, labels) / (2 * n * (n - 1))


@checked
def multiclass_alignment_loss(
    points: PointPairs, labels: Labels, frequencies: Frequencies, classes: Classes | None = None
) -> Tensor:
    """Alignment loss of each frequency for any number of classes.

    With ``z_y = sum_{i: y_i = y} exp(i <w, x_i>)``:
    ``n / (2 (n - 1)) - (2 sum_y |z_y|^2 - |sum_y z_y|^2) / (2 n (n - 1))``.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
        n >= 2.
    labels : Tensor (*batch, n)
        Class codes: entries are equal or not, nothing else matters. Batch entries may lack classes of others.
    frequencies : Tensor (*batch, m, d)
    classes : Tensor (c,), optional
        All codes, each once; by default those that occur.

    Returns
    -------
    Tensor (*batch, m)
        In [0, 1].

    Raises
    ------
    ValueError
        If n < 2, the shapes do not fit or a label is not among the classes.

    References
    ----------
    pbrff Proposition 8, classes read as multisets.
    """
    n = _sample_size(points)
    cosine, sine = fourier_sums(points, frequencies, _class_indicators(points, labels, classes))
    within = (cosine.square() + sine.square()).sum(-2)
    total = cosine.sum(-2).square() + sine.sum(-2).square()
    return n / (2 * (n - 1)) - (2 * within - total) / (2 * n * (n - 1))


@checked
def pairwise_alignment_loss(points: PointPairs, labels: Labels, frequencies: Frequencies) -> Tensor:
    """Alignment loss of each frequency by enumerating the pairs: the definition, in O(n^2 m d).

    Parameters
    ----------
    points : Tensor (*batch, n, d)
        n >= 2.
    labels : Tensor (*batch, n)
        Binary or class codes.
    frequencies : Tensor (*batch, m, d)

    Returns
    -------
    Tensor (*batch, m)
        In [0, 1].

    Raises
    ------
    ValueError
        If n < 2.

    References
    ----------
    pbrff eq. 7 and the empirical loss below it.
    """
    n = _sample_size(points)
    first, second = (index.to(points.device) for index in torch.triu_indices(n, n, offset=1))
    differences = points[..., first, :] - points[..., second, :]
    agreement = torch.where(labels[..., first] == labels[..., second], 1.0, -1.0).to(points.dtype)
    return (1 - agreement.unsqueeze(-1) * (differences @ frequencies.mT).cos()).mean(-2) / 2


@checked
def per_point_alignment_loss(
    points: PointPairs, labels: Labels, frequencies: Frequencies, classes: Classes | None = None
) -> Tensor:
    """Alignment loss of each frequency around each point: the mean over the other n - 1 points.

    Its mean over the points is the alignment loss of the sample.

    Parameters
    ----------
    points : Tensor (*batch, n, d)
        n >= 2.
    labels : Tensor (*batch, n)
        Binary or class codes.
    frequencies : Tensor (*batch, m, d)
    classes : Tensor (c,), optional
        All codes, each once; by default those that occur.

    Returns
    -------
    Tensor (*batch, n, m)
        In [0, 1].

    Raises
    ------
    ValueError
        If n < 2, the shapes do not fit or a label is not among the classes.

    References
    ----------
    pbrff eq. 10.
    """
    n = _sample_size(points)
    indicators = _class_indicators(points, labels, classes)
    cosine, sine = fourier_sums(points, frequencies, indicators)
    phases = points @ frequencies.mT
    signed = [2 * indicators.mT @ total - total.sum(-2, keepdim=True) for total in (cosine, sine)]
    return (n - phases.cos() * signed[0] - phases.sin() * signed[1]) / (2 * (n - 1))


@checked
def landmark_alignment_loss(
    points: Cloud,
    labels: LabelVector,
    landmarks: Annotated[Tensor, Shaped("l d")],
    landmark_labels: Annotated[Tensor, Shaped("l", kind="codes")],
    frequencies: Annotated[Tensor, Shaped("*shared m d")],
    *,
    in_sample: bool = False,
) -> Tensor:
    """Alignment loss of each landmark's own frequencies: the mean pair loss of the landmark with the sample.

    A landmark that is one of the points pairs with itself at loss zero: that pair is left out, and the mean has n - 1
    terms.

    Parameters
    ----------
    points : Tensor (n, d)
    labels : Tensor (n,)
        Binary or class codes.
    landmarks : Tensor (l, d)
    landmark_labels : Tensor (l,)
        Coded as `labels`; a code without points disagrees with all of them.
    frequencies : Tensor (l, m, d)
        Or (m, d) shared by the landmarks.
    in_sample : bool
        Whether the landmarks are points of the sample.

    Returns
    -------
    Tensor (l, m)
        In [0, 1].

    Raises
    ------
    ValueError
        If the sample leaves no pair (n = 0, or n = 1 with the landmark in it).

    References
    ----------
    pbrff Theorem 1 and eq. 12 (the display of Section 4.2 prints the generalisation loss for this one).
    """
    pairs = points.shape[-2] - int(in_sample)
    if pairs < 1:
        raise ValueError(f"{points.shape[-2]} points leave no pair with a landmark: give at least {1 + int(in_sample)}")
    codes = _codes(torch.cat([labels, landmark_labels]))
    weights = (labels == codes.unsqueeze(-1)).to(points.dtype)
    cosine, sine = fourier_sums(points, frequencies.expand(len(landmarks), *frequencies.shape[-2:]), weights)
    own = (landmark_labels == codes.unsqueeze(-1)).mT.to(points.dtype).unsqueeze(-1)
    phases = (frequencies @ landmarks.unsqueeze(-1)).squeeze(-1)
    signed = [2 * (own * total).sum(-2) - total.sum(-2) for total in (cosine, sine)]
    return (points.shape[-2] - phases.cos() * signed[0] - phases.sin() * signed[1]) / (2 * pairs)


@checked
def quadratic_alignment(gram: Kernel, weights: Vector) -> Tensor:
    """Quadratic form of a Gram matrix, ``a' G a``: with labels as weights the unnormalised kernel alignment.

    Parameters
    ----------
    gram : Tensor (*batch, n, n)
    weights : Tensor (*batch, n)

    Returns
    -------
    Tensor (*batch)

    References
    ----------
    nsrf eq. 4 (weights ``alpha_i y_i``); pbrff eq. 17 (weights y, diagonal included).
    """
    return (weights * (gram @ weights.unsqueeze(-1)).squeeze(-1)).sum(-1)


@checked
def u_statistic_variance(
    kernel: Annotated[Tensor, Shaped("*batch k k")], probabilities: Law, sample_size: PairCount
) -> Tensor:
    """Exact variance of the U-statistic of order two over an i.i.d. sample from a finite law.

    ``4 (n - 2) / (n (n - 1)) zeta1 + 2 / (n (n - 1)) zeta2`` with ``zeta1 = Var E[l(z, z') | z]`` and
    ``zeta2 = Var l(z, z')``.

    Parameters
    ----------
    kernel : Tensor (*batch, k, k)
        Symmetric pair losses of the k atoms.
    probabilities : Tensor (*batch, k)
    sample_size : int
        At least 2.

    Returns
    -------
    Tensor (*batch)

    Raises
    ------
    ValueError
        If ``sample_size`` < 2.

    References
    ----------
    Hoeffding 1948; used against pbrff Lemma 6.
    """
    if sample_size < 2:
        raise ValueError(f"sample_size is {sample_size}, but a pair needs two points: give 2 or more")
    n = sample_size
    projection = (kernel @ probabilities.unsqueeze(-1)).squeeze(-1)
    mean = (probabilities * projection).sum(-1)
    first = (probabilities * (projection - mean.unsqueeze(-1)).square()).sum(-1)
    second = quadratic_alignment((kernel - mean[..., None, None]).square(), probabilities)
    return (4 * (n - 2) * first + 2 * second) / (n * (n - 1))


@checked
def label_alignment_variance(probabilities: Law, sample_size: PairCount) -> Tensor:
    """Exact variance of the alignment loss when every input is the same point and labels follow a class law.

    The pair loss is then ``1[y != y']``: ``zeta1 = sum p^3 - (sum p^2)^2`` and ``zeta2 = sum p^2 (1 - sum p^2)``.

    Parameters
    ----------
    probabilities : Tensor (*batch, classes)
    sample_size : int
        At least 2.

    Returns
    -------
    Tensor (*batch)

    References
    ----------
    The worst known laws of pbrff Lemma 6.
    """
    classes = probabilities.shape[-1]
    different = 1 - torch.eye(classes, dtype=probabilities.dtype, device=probabilities.device)
    return u_statistic_variance(different, probabilities, sample_size)


@checked
def label_alignment_loss(counts: Masses) -> Tensor:
    """Alignment loss of a sample whose inputs are all the same point: the fraction of pairs with different labels.

    ``sum_y k_y (n - k_y) / (n (n - 1))`` with ``n = sum_y k_y``; its expectation is ``1 - sum_y p_y^2``.

    Parameters
    ----------
    counts : Tensor (*batch, classes)
        Class counts with sum at least 2.

    Returns
    -------
    Tensor (*batch)
        In [0, 1].

    References
    ----------
    pbrff Proposition 8 at constant x.
    """
    n = counts.sum(-1, keepdim=True)
    return (counts / n * ((n - counts) / (n - 1))).sum(-1)


def _sample_size(points: Tensor) -> int:
    n = points.shape[-2]
    if n < 2:
        raise ValueError(f"the sample has {n} points, but a pair needs two: give n >= 2")
    return n


def _class_indicators(points: Tensor, labels: Tensor, classes: Tensor | None) -> Tensor:
    """(*batch, n) codes -> (*batch, classes, n) zeros and ones; all codes that occur in the batch by default."""
    codes = _codes(labels) if classes is None else classes
    indicators = (labels.unsqueeze(-2) == codes.unsqueeze(-1)).to(points.dtype)
    if classes is not None and not bool((indicators.sum(-2) == 1).all()):
        raise ValueError("a label is not among the classes, or a class is there twice: list all codes once")
    return indicators


def _codes(labels: Tensor) -> Tensor:
    codes: Tensor = labels.detach().unique()  # type: ignore[no-untyped-call]
    return codes
