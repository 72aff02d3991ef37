"""Data laws whose alignment losses are known exactly: gaps ``L_D(h_w) - empirical loss`` of all frequencies of a prior.

Every bed returns the gaps ``(reps, N)`` under a uniform prior over N frequencies chosen independently of the sample.
"""

import torch
from torch import Tensor

from algos.alignment import binary_alignment_loss, label_alignment_loss
from harness import Draw, Forall


def label_gaps(forall: Forall, draw: Draw, *, n: int, classes: int) -> Tensor:
    """Every input is the same point, labels follow any class law: all frequencies have the gap of one."""
    p = forall.simplex("class_probabilities", classes)
    counts = draw.multinomial("class_counts", n, p)
    return (1 - p.square().sum(-1) - label_alignment_loss(counts)).unsqueeze(-1)


def coin_gaps(forall: Forall, draw: Draw, *, n: int) -> Tensor:
    """Every input is the same point, labels are coin flips of any bias."""
    bias = forall.interval("bias", 0.0, 1.0)
    counts = draw.multinomial("class_counts", n, torch.stack([bias, 1 - bias], -1))
    return (2 * bias * (1 - bias) - label_alignment_loss(counts)).unsqueeze(-1)


def independent_gaps(forall: Forall, draw: Draw, *, n: int, frequencies: int = 32) -> Tensor:
    """Inputs in {0, 1}^N with independent coordinates, label +1, prior uniform on pi e_k: N independent coins."""
    bias = forall.interval("bias", 0.0, 1.0)
    heads = draw.bernoulli("inputs", bias, frequencies, n).sum(-1)
    losses = label_alignment_loss(torch.stack([heads, n - heads], -1))
    return (2 * bias * (1 - bias)).unsqueeze(-1) - losses


def gaussian_gaps(forall: Forall, draw: Draw, *, n: int, frequencies: int = 16) -> Tensor:
    """Two Gaussian classes N(a, s^2) and N(-a, s^2) on the line, prior: N frequencies from N(0, 1).

    ``E y exp(iwx) = exp(-s^2 w^2 / 2) (pi exp(iwa) - (1 - pi) exp(-iwa))``, and the loss is half of one minus its
    squared modulus.
    """
    share = forall.interval("share", 0.0, 1.0)
    mean = forall.interval("mean", 0.0, 2.0)
    scale = forall.interval("scale", 0.01, 2.0)
    y = 2 * draw.bernoulli("labels", share, n) - 1
    x = y * mean.unsqueeze(-1) + scale.unsqueeze(-1) * draw.normal("noise", n)
    w = draw.normal("prior", frequencies)
    cross = 2 * share * (1 - share)
    modulus = (1 - cross).unsqueeze(-1) - cross.unsqueeze(-1) * (2 * mean.unsqueeze(-1) * w).cos()
    loss = (1 - (-((scale.unsqueeze(-1) * w) ** 2)).exp() * modulus) / 2
    return loss - binary_alignment_loss(x.unsqueeze(-1), y, w.unsqueeze(-1))


def gaps(bed: str, forall: Forall, draw: Draw, *, n: int) -> Tensor:
    """The gaps of the bed of that name: "labels" (six classes), "coin", "independent" or "gaussian"."""
    if bed == "labels":
        return label_gaps(forall, draw, n=n, classes=6)
    return {"coin": coin_gaps, "independent": independent_gaps, "gaussian": gaussian_gaps}[bed](forall, draw, n=n)


TWO_CLASSES = ("coin", "independent", "gaussian")
"""Beds with two classes: the binary constants apply to them."""
