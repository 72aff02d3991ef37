"""The threshold of the penalised problem in linear time for every order: a median search, then binary digits.

With the depths d_i = (max v - v_i) / (k lambda) and the largest ratio y = N max q, the ratios N q_i are
((y^(k-1) - d_i)_+)^(1/(k-1)), and y makes their sum S(y) equal to N. For k > 2 sums of roots do not carry over from one
pivot to the next. Those of P(y) = y^(2-k) sum (y^(k-1) - d_i)_+ do: the count and the sum of the depths passed suffice.

P <= S, as u <= u^(1/(k-1)) for u in [0, 1]. And P(2 y) >= S(y): the terms active at y have there at least
2^(2-k) (2^(k-1) - 1) y >= y each. So the root of P lies between that of S and its double, and as many bisections as
there are binary digits find the root of S, however many entries there are.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from algos._domains import OrderFromTwo, UnboundedBatch, Values
from algos.divergence_ball._penalised import _compact, depths
from algos.divergence_ball.penalised import _price
from signatures.checked import checked

DIGITS = 55
"""Bisections of an interval that ends at no more than four times its start: 53 binary digits of the root."""
SELECTION = 6
"""Comparisons an entry that finding a median takes, by Blum, Floyd, Pratt, Rivest and Tarjan 1973: 5.4305."""


@dataclass(frozen=True)
class LinearTimeMaximum:
    """The maximiser of q.v - lambda D(q) over the simplex, and what finding it takes; leading axes are batch axes.

    Attributes
    ----------
    weights : Tensor (*batch, N)
        q, before any normalisation: their sum is 1 as far as the digits of y go.
    largest : Tensor (*batch,)
        y = N max q, with tau = (y^(k-1) - max v / (k lambda)) / N^(k-1).
    steps : Tensor (*batch,)
        Comparisons, additions, subtractions, products, quotients and powers, in float64.
    """

    weights: Tensor
    largest: Tensor
    steps: Tensor


@checked
def linear_time_maximum(values: Values, multiplier: UnboundedBatch, *, order: OrderFromTwo) -> LinearTimeMaximum:
    """Maximise q.v - (lambda / N) sum_m (N q_m)^k over the simplex in O(N) steps for any order from two on.

    The maximiser is that of `penalised_maximum`. Without gradients.

    Parameters
    ----------
    values : Tensor (*batch, N)
        N >= 1, finite.
    multiplier : float or Tensor
        lambda >= 0, a number or (*batch,).
    order : float
        k >= 2 and finite.

    Returns
    -------
    LinearTimeMaximum

    Raises
    ------
    ValueError
        As `penalised_maximum`, and for an order below two.

    References
    ----------
    lkrf Section 2.1, below (8); Duchi, Shalev-Shwartz, Singer and Chandra 2008 for order two.
    """
    with torch.no_grad():
        size = values.shape[-1]
        price = _price(multiplier, values, order)
        depth = depths(values.amax(-1, keepdim=True) - values, price, order)
        steps = torch.full_like(depth[..., :1], 4.0 * size)  # the largest value, differences, quotients, the cut
        count, total, taken = _passed(depth, order)
        steps += taken
        if order == 2:
            largest, last = (size + total) / count, 2.0
        else:
            largest, last = _root(depth, count, total, order)
        ratios = _ratios(depth, largest, order)
        steps += last + 4.0 * size + 1.0
        return LinearTimeMaximum(ratios / size, largest.squeeze(-1), steps.squeeze(-1))


def _passed(depth: Tensor, order: float) -> tuple[Tensor, Tensor, Tensor]:
    """Number and sum of the depths below the root of P (*batch, 1), and the steps taken, by halving at medians.

    At a pivot, y^(k-1) = p: whether y^(k-2) P(y) is below N y^(k-2). Besides finding it, an entry is compared, counted,
    added and moved.
    """
    size = depth.shape[-1]
    undecided, places = depth, torch.arange(size, device=depth.device).expand(depth.shape)
    total, count, steps = (torch.zeros_like(depth[..., :1]) for _ in range(3))
    while undecided.shape[-1]:
        waiting = (~undecided.isnan()).sum(-1, keepdim=True).to(depth.dtype)
        pivot = undecided.nanmedian(-1, keepdim=True).values
        near = undecided <= pivot
        new_count = count + near.sum(-1, keepdim=True)
        new_total = total + torch.where(near, undecided, 0.0).sum(-1, keepdim=True)
        fits = new_count * pivot - new_total < size * pivot ** ((order - 2) / (order - 1))
        fits |= pivot <= 0  # P there is 0
        steps += torch.where(waiting > 0, (SELECTION + 4) * waiting + 6, 0.0)
        count, total = torch.where(fits, new_count, count), torch.where(fits, new_total, total)
        undecided, places = _compact(undecided, places, torch.where(fits, undecided > pivot, undecided < pivot), size)
    return count, total, steps


def _root(depth: Tensor, count: Tensor, total: Tensor, order: float) -> tuple[Tensor, float]:
    """Root of S (*batch, 1), and the steps taken: first that of P within a factor of two, then the digits."""
    size = depth.shape[-1]
    low, high = torch.ones_like(count), torch.full_like(count, float(size))  # the largest ratio
    rounds = max(size.bit_length() - 1, 0).bit_length() + 1  # halve log2 N until it is at most 1/2
    for _ in range(rounds):
        middle = (low * high).sqrt()
        below = count * middle - total * middle ** (2 - order) < size
        low, high = torch.where(below, middle, low), torch.where(below, high, middle)
    low = low / 2
    for _ in range(DIGITS):
        middle = (low + high) / 2
        below = _ratios(depth, middle, order).sum(-1, keepdim=True) < size
        low, high = torch.where(below, middle, low), torch.where(below, high, middle)
    return high, 7.0 * rounds + 1.0 + DIGITS * (4.0 * size + 4.0)


def _ratios(depth: Tensor, largest: Tensor, order: float) -> Tensor:
    """(y^(k-1) - d)_+^(1/(k-1))."""
    return (largest ** (order - 1) - depth).clamp_min(0) ** (1 / (order - 1))
