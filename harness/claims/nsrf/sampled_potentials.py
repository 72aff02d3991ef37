"""Test distributions on a few labelled points, under which the potential of a sample depends only on the counts."""

import torch
from torch import Tensor

from harness import Forall
from harness.claims.placement import table

ROUNDING = 1e-9


def labelled_points(
    forall: Forall, atoms: int, bandwidth: float, *, equal: bool = False
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Any law on labelled points of norm at most one, and y (cos, sin) <w, x> at any |w| <= R_w: (batch, atoms)."""
    law = forall.simplex("law", atoms)
    phases = forall.interval("w", -bandwidth, bandwidth).unsqueeze(-1) * forall.interval("points", -1.0, 1.0, atoms)
    labels = torch.ones_like(phases) if equal else forall.signs("labels", atoms)
    return law, (labels * phases.cos(), labels * phases.sin())


def potential_of_counts(counts: Tensor, waves: tuple[Tensor, Tensor]) -> Tensor:
    """|sum_k c_k z_k|^2 for counts (*batch, outcomes, atoms) and z = y exp(i <w, x>): (*batch, outcomes)."""
    real, imaginary = ((counts @ part.unsqueeze(-1)).squeeze(-1) for part in waves)
    return real.square() + imaginary.square()


def beyond(deviation: Tensor, level: float, odds: Tensor) -> Tensor:
    """Probability that the deviation exceeds the level by more than rounding: (batch,)."""
    return (odds * (deviation > level * (1 + ROUNDING))).sum(-1)


def largest_deviation(
    forall: Forall, shares: Tensor, law: Tensor, share: Tensor | float, *, bandwidth: float, nodes: int = 65
) -> Tensor:
    """Upper bound of sup_w |v(w) - a^2 v_ideal(w)| over |w| <= R_w for one instance, `(reps,)`.

    v is the squared modulus of sum_k s_k y_k exp(i w x_k) for the shares s `(reps, atoms)` of a sample, a their sum.
    On a grid, plus what can happen between its nodes: points of norm at most one make both potentials a^2-Lipschitz.
    """
    atoms = law.shape[-1]
    labels = forall.signs("labels", atoms)
    points = forall.interval("points", -1.0, 1.0, atoms)
    frequencies = table(torch.linspace(0.0, bandwidth, nodes, dtype=torch.float64), like=points)
    phases = frequencies.unsqueeze(-1) * points
    waves = ((labels * phases.cos()).mT, (labels * phases.sin()).mT)
    sampled, ideal = (((weights @ waves[0]).square() + (weights @ waves[1]).square()) for weights in (shares, law))
    spacing = bandwidth / (nodes - 1)
    return (sampled - share**2 * ideal).abs().amax(-1) + share**2 * spacing
