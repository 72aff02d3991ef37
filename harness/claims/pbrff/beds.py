"""Data laws whose alignment losses are known: gaps ``L_D(h_w) - empirical loss`` of all frequencies of a prior.

A test distribution draws samples and returns the gaps of every frequency with the weights of the prior, which is chosen
independently of the sample. "For all posteriors" is evaluated in closed form on them, so one sample gives one number:
with gaps D under the prior p, ``sup_q (E_q D - KL(q || p) / t) = log E_p exp(t D) / t`` and ``sup_q E_q D / (D_mu(q ||
p) + 1)^(1 / mu) = (E_p D_+^mu')^(1 / mu')``.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from algos.kernel_learning.alignment import binary_alignment_loss, label_alignment_loss
from algos.kernel_learning.pseudo_posterior import conjugate_norm, log_moment
from harness import Draw, Forall
from harness.claims.pbrff.gap_laws import binomial_probabilities

FREQUENCIES = 1_000_000
"""Frequencies of the independent beds: enough for the mean over the prior to be nearly its expectation."""

TWO_CLASSES = ("coin", "independent", "gaussian")
"""Beds with two classes: the binary constants apply to them."""


@dataclass(frozen=True)
class Gaps:
    """Gaps of the frequencies, ``(reps, N)``, and their prior probabilities; uniform by default."""

    values: Tensor
    prior: Tensor | None = None

    def kl_supremum(self, inverse_temperature: float) -> Tensor:
        """``sup_q (E_q D - KL(q || p) / t)``, ``(reps,)``."""
        return log_moment(inverse_temperature * self.values, prior=self.prior) / inverse_temperature

    def power_supremum(self, order: float) -> Tensor:
        """``sup_q E_q D / (D_mu(q || p) + 1)^(1 / mu)`` where it is positive, else 0; ``(reps,)``."""
        return conjugate_norm(self.values, order, prior=self.prior)


def gaps(bed: str, forall: Forall, draw: Draw, *, n: int) -> Gaps:
    """The gaps of the test distribution of that name: "labels" (six classes), "coin", "independent" or "gaussian"."""
    if bed == "labels":
        return label_gaps(forall, draw, n=n, classes=6)
    return {"coin": coin_gaps, "independent": independent_gaps, "gaussian": gaussian_gaps}[bed](forall, draw, n=n)


def label_gaps(forall: Forall, draw: Draw, *, n: int, classes: int) -> Gaps:
    """Every input is the same point, labels follow any class distribution: all frequencies have the gap of one."""
    p = forall.simplex("class_probabilities", classes)
    counts = draw.multinomial("class_counts", n, p)
    return Gaps((1 - p.square().sum(-1) - label_alignment_loss(counts)).unsqueeze(-1))


def coin_gaps(forall: Forall, draw: Draw, *, n: int) -> Gaps:
    """Every input is the same point, labels are coin flips of any bias."""
    bias = forall.interval("bias", 0.0, 1.0)
    counts = draw.multinomial("class_counts", n, torch.stack([bias, 1 - bias], -1))
    return Gaps((2 * bias * (1 - bias) - label_alignment_loss(counts)).unsqueeze(-1))


def independent_gaps(forall: Forall, draw: Draw, *, n: int) -> Gaps:
    """Inputs in {0, 1}^N with independent coordinates, label +1, prior uniform on pi e_k: N independent coins.

    The gap at pi e_k depends on the number of ones of coordinate k; how many coordinates have which number of ones is
    multinomial, so a sample costs O(n) for any N.
    """
    bias = forall.interval("bias", 0.0, 1.0)
    shares = draw.multinomial("coordinates_by_ones", FREQUENCIES, binomial_probabilities(bias, n)) / FREQUENCIES
    ones = torch.arange(n + 1, dtype=bias.dtype, device=bias.device)
    losses = label_alignment_loss(torch.stack([ones, n - ones], -1))
    return Gaps((2 * bias * (1 - bias)).unsqueeze(-1) - losses, shares)


def gaussian_gaps(forall: Forall, draw: Draw, *, n: int, frequencies: int = 16) -> Gaps:
    """Two Gaussian classes N(a, s^2) and N(-a, s^2) on the line, prior: N frequencies from N(0, 1).

    ``E y exp(iwx) = exp(-s^2 w^2 / 2) (pi exp(iwa) - (1 - pi) exp(-iwa))``, and the loss is half of one minus its
    squared modulus.
    """
    share, mean, scale = gaussian_classes(forall)
    y = 2 * draw.bernoulli("labels", share, n) - 1
    x = y * mean + scale * draw.normal("noise", n)
    w = draw.normal("prior", frequencies)
    cross = 2 * share * (1 - share)
    modulus = 1 - cross - cross * (2 * mean * w).cos()
    loss = (1 - (-((scale * w) ** 2)).exp() * modulus) / 2
    return Gaps(loss - binary_alignment_loss(x.unsqueeze(-1), y, w.unsqueeze(-1)))


def gaussian_classes(forall: Forall) -> tuple[Tensor, Tensor, Tensor]:
    """Share of the first class, its mean and its scale, each ``(1, 1)``."""
    share = forall.interval("share", 0.0, 1.0)
    mean = forall.interval("mean", 0.0, 2.0)
    scale = forall.interval("scale", 0.01, 2.0)
    return share.unsqueeze(-1), mean.unsqueeze(-1), scale.unsqueeze(-1)
