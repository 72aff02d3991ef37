"""Maximisation of a linear function minus a multiple of the divergence: the inner problem of the published search."""

from dataclasses import dataclass

import torch
from torch import Tensor

from algos._domains import OrderAboveOne, UnboundedBatch, Values
from algos.divergence_ball._penalised import Number, Search, check_values, column, depths, divergence_of, maximiser
from algos.divergence_ball._threshold import check_order
from signatures.checked import checked


@dataclass(frozen=True)
class PenalisedMaximum:
    """The maximiser of q.v - lambda D(q) over the simplex; leading axes are batch axes.

    Attributes
    ----------
    weights : Tensor (*batch, N)
        q; differentiable in the values and in the multiplier.
    tau : Tensor (*batch,)
        The threshold of the closed form; infinite for a multiplier so small that it overflows.
    divergence : Tensor (*batch,)
        D(q), without cancellation when it is tiny.
    visits : Tensor (*batch,)
        Int64, entries looked at by the median search, 0 where the entries were sorted.
    """

    weights: Tensor
    tau: Tensor
    divergence: Tensor
    visits: Tensor


@checked
def penalised_maximum(
    values: Values,
    multiplier: UnboundedBatch,
    *,
    order: OrderAboveOne,
    search: Search = "sort",
) -> PenalisedMaximum:
    """Maximise a linear function minus a multiple of the divergence from uniform over the probability simplex.

    max { q.v - (lambda / N) sum_m (N q_m)^k } is attained at q_m = [v_m / (k lambda N^(k-1)) + tau]_+^(1/(k-1)), with
    the tau for which sum q = 1.

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    multiplier : float or Tensor
        lambda >= 0, a number or (*batch,). Zero gives the limit: uniform on the largest values. Infinity gives uniform
        weights.
    order : float
        k > 1 and finite.
    search : {"sort", "median"}
        How the active entries are found for order 2; other orders always use the median search. "sort" does it by
        sorting. "median" does it by the median search and counts the entries looked at: at most 2 N for order 2, where
        sums of the active entries carry over from round to round and give tau in closed form. For other orders every
        round looks again at the active entries, up to N (1 + log2 N) in all, and tau needs root-finding besides, whose
        visits (all active entries, per evaluation) are not counted.

    Returns
    -------
    PenalisedMaximum
        Ties have equal weights; constant values and N = 1 give uniform weights.

    Raises
    ------
    ValueError
        For a negative multiplier or nan, an empty last axis, or an order that is not a finite number above 1.

    References
    ----------
    lkrf eq. (8) and the closed form below it, with the factor k restored.
    """
    return _penalised(values, _price(multiplier, values, order), order, search)


@checked
def printed_penalised_maximum(
    values: Values,
    multiplier: UnboundedBatch,
    *,
    order: OrderAboveOne,
    search: Search = "sort",
) -> PenalisedMaximum:
    """The paper's closed form of the penalised maximum, which loses the factor k: the maximiser at lambda / k.

    It has v_m / (lambda N^(k-1)) in place of v_m / (k lambda N^(k-1)). For N = 2, k = 2, v = (1, 0) and lambda = 1/2
    the maximiser is (3/4, 1/4), the printed form has (1, 0).

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    multiplier : float or Tensor
        lambda >= 0, a number or (*batch,). Zero gives the limit: uniform on the largest values. Infinity gives uniform
        weights.
    order : float
        k > 1 and finite.
    search : {"sort", "median"}
        How the active entries are found for order 2; other orders always use the median search. "sort" does it by
        sorting. "median" does it by the median search and counts the entries looked at: at most 2 N for order 2, where
        sums of the active entries carry over from round to round and give tau in closed form. For other orders every
        round looks again at the active entries, up to N (1 + log2 N) in all, and tau needs root-finding besides, whose
        visits (all active entries, per evaluation) are not counted.

    Returns
    -------
    PenalisedMaximum
        Ties have equal weights; constant values and N = 1 give uniform weights.

    Raises
    ------
    ValueError
        As `penalised_maximum`.

    References
    ----------
    lkrf eq. (8) and the closed form below it.
    """
    return _penalised(values, _price(multiplier, values, order) / order, order, search)


def _price(multiplier: Number, values: Tensor, order: float) -> Tensor:
    check_order(order)
    check_values(values)
    price = column(multiplier, values)
    if not bool((price >= 0).all()):
        raise ValueError(f"multiplier = {multiplier} must be at least 0: it is the price of divergence.")
    return price


def _penalised(values: Tensor, price: Tensor, order: float, search: Search) -> PenalisedMaximum:
    """The maximum at the multipliers (*batch, 1)."""
    top = values.amax(-1, keepdim=True)
    deviation, level, visits = maximiser(depths(top - values, price, order), order, search)
    shift = torch.where(top == 0.0, 0.0, top / (price * order))
    tau = torch.where(torch.isinf(shift), -shift, level + (1 - shift)) / values.shape[-1] ** (order - 1)
    return PenalisedMaximum(_weights(deviation), tau.squeeze(-1), divergence_of(deviation, order), visits.squeeze(-1))


def _weights(deviation: Tensor) -> Tensor:
    weights = (1 + deviation) / deviation.shape[-1]
    return weights / weights.sum(-1, keepdim=True)
