"""Gaps around single points: ``L_D^l(h_w) - empirical loss around landmark l``, which averages n - 1 or n pairs.

A landmark is a point of the sample, whose pair with itself has loss zero and is left out, or a further point of the
same distribution. The statements hold conditionally on the landmark as well.
"""

import torch
from torch import Tensor

from harness import Draw, Forall
from harness.claims.pbrff.beds import FREQUENCIES, Gaps, gaussian_classes
from harness.claims.pbrff.gap_laws import binomial_probabilities


def centred_gaps(bed: str, forall: Forall, draw: Draw, *, n: int) -> Gaps:
    """Gaps around the first point of the sample, ``(reps, N)``, on the bed "labels", "independent" or "gaussian"."""
    if bed == "independent":
        return _independent(forall, draw, n=n)
    return Gaps(landmark_gaps(bed, forall, draw, n=n, landmarks=1, inside=1).values.squeeze(-2))


def landmark_gaps(bed: str, forall: Forall, draw: Draw, *, n: int, landmarks: int, inside: int) -> Gaps:
    """Gaps around each landmark, ``(reps, landmarks, N)``, on the test distribution "labels" or "gaussian".

    `inside` is 1 when the landmarks are the first points of the sample, and 0 when they are further points.
    """
    size = n + landmarks * (1 - inside)
    bed_gaps = {"labels": _labels, "gaussian": _gaussian}[bed]
    return Gaps(bed_gaps(forall, draw, size=size, n=n, landmarks=landmarks, pairs=n - inside))


def _labels(forall: Forall, draw: Draw, *, size: int, n: int, landmarks: int, pairs: int) -> Tensor:
    """Every input is the same point, labels follow any law on six classes: all frequencies have the gap of one."""
    p = forall.simplex("class_probabilities", 6)
    y = draw.categorical("labels", p, size)
    around, sample = y[:, :landmarks, None], y[:, None, size - n :]
    expected = 1 - p.squeeze(0)[around.long()]
    return expected - (around != sample).to(p.dtype).sum(-1, keepdim=True) / pairs


def _gaussian(
    forall: Forall, draw: Draw, *, size: int, n: int, landmarks: int, pairs: int, frequencies: int = 8
) -> Tensor:
    """Two Gaussian classes N(a, s^2) and N(-a, s^2) on the line, prior of each landmark: N frequencies from N(0, 1).

    The expected loss around (x, y) is ``(1 - y Re exp(-iwx) E y' exp(iwx')) / 2``, see `beds.gaussian_gaps`.
    """
    share, mean, scale = gaussian_classes(forall)
    y = 2 * draw.bernoulli("labels", share, size) - 1
    x = y * mean + scale * draw.normal("noise", size)
    w = draw.normal("prior", landmarks, frequencies)
    share, mean, scale = (value.unsqueeze(-1) for value in (share, mean, scale))
    centre, label = x[:, :landmarks, None], y[:, :landmarks, None]
    waves = share * (w * (centre - mean)).cos() - (1 - share) * (w * (centre + mean)).cos()
    expected = (1 - label * (-((scale * w) ** 2) / 2).exp() * waves) / 2
    others, labels = x[:, None, None, size - n :], y[:, None, None, size - n :]
    cosines = (w.unsqueeze(-1) * (centre.unsqueeze(-1) - others)).cos()
    return expected - ((1 - label.unsqueeze(-1) * labels * cosines) / 2).sum(-1) / pairs


def _independent(forall: Forall, draw: Draw, *, n: int) -> Gaps:
    """Inputs in {0, 1}^N with independent coordinates, label +1, prior uniform on pi e_k: N independent gaps.

    The gap at pi e_k is the probability of differing from the centre in coordinate k minus the share of the other
    points that do. How many coordinates have which centre and how many differing points is multinomial.
    """
    bias = forall.interval("bias", 0.0, 1.0)
    differing = torch.stack([bias, 1 - bias], -1)  # for a centre of 0, and of 1
    law = differing.flip(-1).unsqueeze(-1) * binomial_probabilities(differing, n - 1)
    shares = draw.multinomial("coordinates_by_centre_and_differing", FREQUENCIES, law.flatten(-2)) / FREQUENCIES
    losses = torch.arange(n, dtype=bias.dtype, device=bias.device) / (n - 1)
    return Gaps((differing.unsqueeze(-1) - losses).flatten(-2), shares)
