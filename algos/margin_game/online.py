"""Projected online gradient ascent: the loop, its step rules, and its regret."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import torch
from torch import Tensor

from algos._domains import NonNegativeBatch, RealBatch, Vector
from signatures.checked import checked
from signatures.numbers import Size
from signatures.tensors import Shaped

PayoffGradient: TypeAlias = Callable[[int, Tensor], Tensor]
"""(round t = 1, 2, ..., actions (*batch, n)) -> gradient of the t-th payoff there, (*batch, n)."""

Projection: TypeAlias = Callable[[Tensor], Tensor]
"""(*batch, n) -> (*batch, n), a point of the convex set that is at least as near to every point of the set."""

StepRule: TypeAlias = Callable[[int, Tensor], Tensor | float]
"""(round t, sum of squared gradient norms of the rounds 1..t (*batch,)) -> step size, a number or (*batch,)."""


@dataclass(frozen=True)
class OnlineAscent:
    """What a run of online gradient ascent played and saw.

    Attributes
    ----------
    actions : Tensor (*batch, T, n)
        a_1, ..., a_T.
    gradients : Tensor (*batch, T, n)
        Gradients of the payoffs f_t at a_t.
    """

    actions: Tensor
    gradients: Tensor


@checked
def online_gradient_ascent(
    gradient: PayoffGradient, project: Projection, start: Vector, *, rounds: Size, step: StepRule
) -> OnlineAscent:
    """Projected online gradient ascent: a_(t+1) = project(a_t + eta_t grad f_t(a_t)).

    Parameters
    ----------
    gradient : callable
        The adversary; it may depend on the action just played.
    project : callable
        Onto the convex set of actions.
    start : Tensor (*batch, n)
        a_1 in the set.
    rounds : int
        T >= 1.
    step : callable
        eta_t, one of the rules below or any callable.

    Returns
    -------
    OnlineAscent

    Raises
    ------
    ValueError
        If there are no rounds.

    References
    ----------
    nsrf Algorithm 2 (the max-player) and Lemma C.1.
    """
    if rounds < 1:
        raise ValueError(f"rounds = {rounds} must be at least 1: regret is an average over rounds.")
    action = start
    squared = torch.zeros_like(start[..., 0])
    actions, gradients = [], []
    for t in range(1, rounds + 1):
        slope = gradient(t, action)
        squared = squared + slope.square().sum(-1)
        actions.append(action.expand_as(slope))
        gradients.append(slope)
        size = torch.as_tensor(step(t, squared), dtype=slope.dtype, device=slope.device)
        action = project(action + size.unsqueeze(-1) * slope)
    return OnlineAscent(torch.stack(actions, -2), torch.stack(gradients, -2))


@checked
def decreasing_step(scale: NonNegativeBatch) -> StepRule:
    """Steps c / sqrt t. Standard: c = D/G (diameter over gradient bound); printed in nsrf Lemma C.1: c = G/D.

    A step rule is a function of t = 1, 2, ... and of sum_(s<=t) |g_s|^2, one number for each instance, (*batch,).

    Parameters
    ----------
    scale : float or Tensor
        c, a number or (*batch,).

    Returns
    -------
    callable
    """
    return lambda t, _: scale / t**0.5


@checked
def adagrad_norm_step(diameter: NonNegativeBatch) -> StepRule:
    """Steps D / sqrt(2 sum_(s<=t) |g_s|^2), which need no gradient bound; 0 while every gradient has been zero.

    A step rule is a function of t = 1, 2, ... and of that sum of squares, one number for each instance, (*batch,).
    Average regret at most sqrt 2 D sqrt(sum_t |g_t|^2) / T.

    Parameters
    ----------
    diameter : float or Tensor
        D, a number or (*batch,).

    Returns
    -------
    callable

    References
    ----------
    AdaGrad-norm, for the a-posteriori form of nsrf Theorem 4.1.
    """

    def step(_: int, squared: Tensor) -> Tensor:
        seen = squared > 0
        return torch.where(seen, diameter / (2 * torch.where(seen, squared, 1.0)).sqrt(), 0.0)

    return step


@checked
def linear_regret(
    slopes: Annotated[Tensor, Shaped("*batch t")],
    actions: Annotated[Tensor, Shaped("*batch t")],
    low: RealBatch,
    high: RealBatch,
) -> Tensor:
    """Average regret of actions in an interval against its best fixed point, for the payoffs a -> slope_t a.

    (max(low sum_t g_t, high sum_t g_t) - sum_t g_t a_t) / T.

    Parameters
    ----------
    slopes, actions : Tensor (*batch, T)
    low, high : float or Tensor
        Ends of the interval, numbers or (*batch,).

    Returns
    -------
    Tensor (*batch,)
        For concave payoffs with these slopes at the actions, an upper bound of their average regret.
    """
    total = slopes.sum(-1)
    return (torch.maximum(low * total, high * total) - (slopes * actions).sum(-1)) / slopes.shape[-1]
