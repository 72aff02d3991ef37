"""Lemma E.3: how far v / n^2 is from its mean at one frequency, by exact laws of samples of a few labelled points."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from bounds.margin_game.fourier_potential import expected_potential
from bounds.margin_game.potential_concentration import labelled_potential_tail, potential_tail, printed_potential_tail
from harness import Forall, always, claim, grid
from harness.claims.lkrf.beds import binomial_law
from harness.claims.lkrf.multinomial_laws import all_counts
from harness.claims.nsrf import defects
from harness.claims.nsrf.sampled_potentials import beyond, labelled_points, potential_of_counts
from harness.claims.placement import table


@claim(
    "nsrf/lem-E.3",
    always(),
    over=grid(n=[1], R_w=[1.17], epsilon=[0.84], labels=["equal"])
    + grid(n=[100], R_w=[0.01], epsilon=[0.01], labels=["free"])
    + grid(n=[100], R_w=[0.3], epsilon=[0.1], labels=["free"]),
    reading="printed",
    expected="refuted",
    cite="nsrf, Lemma E.3",
    quote=(
        "For all omega and eps > 0, Pr[|v(omega)/n^2 - v_ideal(omega)| >= eps] <= exp(-n eps^2/(8 R_x^2 R_omega^2))."
    ),
    defect=defects.LABELS_OF_SAMPLES,
)
def potential_concentrates_as_printed(forall: Forall, *, n: int, R_w: float, epsilon: float, labels: str):
    """P(|v/n^2 - v_ideal| >= epsilon) <= exp(-n epsilon^2/(8 R_x^2 R_w^2)) at every frequency |w| <= R_w.

    Labels are random as well as points, and a changed label moves v/n^2 by up to 4 (n - 1)/n^2 however small R_x R_w
    is: coins at w = 0 refute it. With all labels equal (first row) one sample refutes it, whose potential is always 1.
    The probability is exact, of deviations beyond epsilon, for two labelled points of norm at most R_x = 1.
    """
    law, waves = labelled_points(forall, 2, R_w, equal=labels == "equal")
    empirical, ideal, odds = _sample(law, waves, n)
    return beyond((empirical - ideal).abs(), epsilon, odds), printed_potential_tail(epsilon, R_w, n)


@claim(
    "nsrf/lem-E.3",
    always(),
    over=grid(n=[1, 2, 40], atoms=[2]) + grid(n=[6], atoms=[3]),
    reading="corrected",
    cite="nsrf, Lemma E.3, around the exact mean",
    restricts="distributions on two or three labelled points of the line, n <= 40",
)
def potential_concentrates(forall: Forall, *, n: int, atoms: int):
    """P(|v/n^2 - v_ideal - (1 - v_ideal)/n| >= t) <= 2 exp(-n t^2/8), at the t where the two are closest."""
    law, waves = labelled_points(forall, atoms, math.pi)
    empirical, ideal, odds = _sample(law, waves, n)
    deviation = (empirical - expected_potential(ideal, n)).abs()
    return _at_worst_deviation(deviation, odds, lambda t: potential_tail(t, n))


@claim(
    "nsrf/lem-E.3-U",
    always(),
    over=grid(n=[2, 40], atoms=[2]) + grid(n=[6], atoms=[3]),
    cite="nsrf, Lemma E.3, for the unbiased estimate",
    restricts="distributions on two or three labelled points of the line, n <= 40",
)
def unbiased_potential_concentrates(forall: Forall, *, n: int, atoms: int):
    """P(|(v - n)/(n (n - 1)) - v_ideal| >= t) <= 2 exp(-n t^2/8), at the t where the two are closest."""
    law, waves = labelled_points(forall, atoms, math.pi)
    empirical, ideal, odds = _sample(law, waves, n)
    deviation = ((n * empirical - 1) / (n - 1) - ideal).abs()
    return _at_worst_deviation(deviation, odds, lambda t: potential_tail(t, n))


@claim(
    "nsrf/lem-E.3-labels",
    always(),
    over=grid(positive=[1], negative=[0], R_w=[1.0]) + grid(positive=[3], negative=[3], R_w=[0.1, 1.0]),
    cite="nsrf, Lemma E.3, given the labels",
    restricts="distributions on two points per class, d = 1, n <= 6",
)
def potential_concentrates_given_the_labels(forall: Forall, *, positive: int, negative: int, R_w: float):
    """Given y: P(|v/n^2 - E[v/n^2 | y]| >= t) <= 2 exp(-n t^2/(8 R_x^2 R_w^2)), at the t where the two are closest.

    Two possible points per class, of norm at most R_x = 1, each class with its own distribution.
    """
    n = positive + negative
    phases = forall.interval("w", -R_w, R_w).unsqueeze(-1) * forall.interval("points", -1.0, 1.0, 4)
    shares = forall.interval("shares", 0.0, 1.0, 2)
    first, second = torch.meshgrid(torch.arange(positive + 1.0), torch.arange(negative + 1.0), indexing="ij")
    counts = torch.stack([first, positive - first, -second, second - negative], -1).flatten(0, 1)
    empirical = potential_of_counts(table(counts, like=phases), (phases.cos(), phases.sin()))
    odds = binomial_law(shares[:, 0], positive).unsqueeze(-1) * binomial_law(shares[:, 1], negative).unsqueeze(-2)
    odds = odds.flatten(-2)
    deviation = (empirical / n**2 - (odds * empirical / n**2).sum(-1, keepdim=True)).abs()
    return _at_worst_deviation(deviation, odds, lambda t: labelled_potential_tail(t, R_w, n))


def _sample(law: Tensor, waves: tuple[Tensor, Tensor], n: int) -> tuple[Tensor, Tensor, Tensor]:
    """v / n^2 of every sample (batch, outcomes), v_ideal (batch, 1), and the samples' probabilities."""
    counts, odds = all_counts(law, n)
    return potential_of_counts(counts, waves) / n**2, potential_of_counts(law.unsqueeze(-2), waves), odds


def _at_worst_deviation(deviation: Tensor, odds: Tensor, tail: Callable[[Any], Any]) -> tuple[Tensor, Tensor]:
    """P(D >= t) and its bound, each (batch,), at the value t of D where their ratio is largest."""
    ordered = deviation.sort(-1, descending=True)
    reached = odds.expand_as(deviation).gather(-1, ordered.indices).cumsum(-1)
    bounds = tail(ordered.values)
    worst = (reached / bounds).argmax(-1, keepdim=True)
    return reached.gather(-1, worst).squeeze(-1), bounds.gather(-1, worst).squeeze(-1)
