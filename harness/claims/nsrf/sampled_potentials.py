"""Test distributions on a few labelled points, under which the potential of a sample depends only on the counts."""

import itertools
import math

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
    forall: Forall, shares: Tensor, law: Tensor, share: Tensor | float, *, d: int = 1, bandwidth: float, steps: int = 64
) -> Tensor:
    """Upper bound of sup_w |v(w) - a^2 v_ideal(w)| over |w| <= R_w in R^d for one instance, `(reps,)`.

    v is the squared modulus of sum_k s_k y_k exp(i <w, x_k>) for the shares s `(reps, atoms)` of a sample, a their sum.
    On a lattice, plus what can happen between its nodes: points of norm at most one make both potentials a^2-Lipschitz,
    for along a unit vector u the derivative of v_ideal is at most the mean of |<u, x - x'>|, which is at most one.
    """
    atoms = law.shape[-1]
    labels = forall.signs("labels", atoms)
    points = forall.ball("points", atoms, d)[0]
    spacing = bandwidth / steps
    reach = spacing * math.sqrt(d) / 2  # from any frequency to a node
    phases = half_ball(bandwidth + reach, d, spacing=spacing, like=points) @ points.mT
    waves = ((labels * phases.cos()).mT, (labels * phases.sin()).mT)
    sampled, ideal = (((weights @ waves[0]).square() + (weights @ waves[1]).square()) for weights in (shares, law))
    return (sampled - share**2 * ideal).abs().amax(-1) + 2 * share**2 * reach


def half_ball(radius: float, d: int, *, spacing: float, like: Tensor) -> Tensor:
    """Lattice nodes of a ball whose first coordinate is >= 0, `(nodes, d)`: what w and -w do is the same."""
    count = math.floor(radius / spacing * (1 + ROUNDING))
    axes = [range(count + 1), *[range(-count, count + 1)] * (d - 1)]
    nodes = [node for node in itertools.product(*axes) if math.hypot(*node) * spacing <= radius * (1 + ROUNDING)]
    return spacing * table(nodes, like=like)
