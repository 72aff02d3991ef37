"""Bounds whose inverse temperature or order may be chosen after the sample is seen: a union over a grid fixed before.

A Kullback-Leibler bound is ``loss + a ((KL + log(m / delta)) / t + b t)``; its best t depends on KL, hence on the
sample. Over KL between 0 and D a geometric grid of K values of t, each at level delta / K, loses log K nats, and a
factor of at most ``(r^(1/2) + r^(-1/2)) / 2`` in the gap, where r is the ratio of neighbours.
"""

import itertools
import math
from typing import Literal, NamedTuple, TypeAlias

from bounds._ranges import DivergenceOrders, Divergences, GridRatio
from bounds.pac_bayes.power_divergence import power_divergence_bound
from signatures.checked import checked
from signatures.numbers import Divergence, NonNegativeFloat, PairCount, Probability, Real, Share, UnitFloat

KLBound: TypeAlias = Literal["second_order", "first_order", "averaged_first_order"]


@checked
def kl_bound_infimum(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    bound: KLBound,
    sample_size: PairCount,
    delta: Probability,
) -> Real:
    """Infimum over the inverse temperature of a Kullback-Leibler bound: what tuning t tries to reach, and no bound.

    ``loss + 2 a sqrt(b (KL + log(m / delta)))``, attained at ``t = sqrt((KL + log(m / delta)) / b)``. A bound for one
    posterior that is fixed before the sample; for others this t would depend on the sample.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        KL(q || p) >= 0.
    bound : {"second_order", "first_order", "averaged_first_order"}
        Which of `second_order_kl_bound`, `first_order_kl_bound`, `averaged_first_order_kl_bound`.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n or delta is out of range.

    References
    ----------
    pbrff Theorem 3, Theorem 1 and Corollary 2, minimised over t.
    """
    form = _form(bound, sample_size)
    nats = divergence + (math.log(form.union) - math.log(delta))
    return empirical_loss + 2 * form.times * (form.slope * nats) ** 0.5


@checked
def tuned_kl_bound(
    empirical_loss: Share,
    divergence: Divergence,
    *,
    bound: KLBound,
    sample_size: PairCount,
    delta: Probability,
    largest_divergence: NonNegativeFloat | None = None,
    ratio: GridRatio = 2.5,
) -> Real:
    """Kullback-Leibler bound at the best inverse temperature of a grid: valid for every posterior, prior fixed.

    ``min over k of loss + a ((KL + log(m K / delta)) / t_k + b t_k)``. For KL <= D the gap is at most
    ``(ratio^(1/2) + ratio^(-1/2)) / 2`` times that of `kl_bound_infimum` at KL + log K; for larger KL it is valid and
    uses the largest t.

    Parameters
    ----------
    empirical_loss : float or array
        In [0, 1].
    divergence : float or array
        KL(q || p) >= 0.
    bound : {"second_order", "first_order", "averaged_first_order"}
        Which of `second_order_kl_bound`, `first_order_kl_bound`, `averaged_first_order_kl_bound`.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    largest_divergence : float, optional
        D >= 0. Chosen before the sample: log N for a uniform prior on N frequencies. By default the divergence at which
        the infimum of the gap is one, beyond which no t helps.
    ratio : float
        At least 1.01. Largest ratio of neighbours on the grid, chosen before the sample.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta, D or the ratio is out of range.

    References
    ----------
    The bounds of pbrff, where t must not depend on the sample, with a union bound over t.
    """
    form = _form(bound, sample_size)
    grid = _grid(form, delta=delta, largest_divergence=largest_divergence, ratio=ratio)
    t = _best_on(divergence, grid=grid)
    return empirical_loss + form.times * ((divergence + grid.least) / t + form.slope * t)


@checked
def tuned_inverse_temperature(
    divergence: Divergence,
    *,
    bound: KLBound,
    sample_size: PairCount,
    delta: Probability,
    largest_divergence: NonNegativeFloat | None = None,
    ratio: GridRatio = 2.5,
) -> Real:
    """Inverse temperature that `tuned_kl_bound` chooses for a posterior of this divergence.

    With ``c = log(m K / delta)`` the grid is ``t_k = (c / b)^(1/2) s^(k + 1/2)``, k = 0, ..., K - 1, where
    ``s = (1 + D / c)^(1 / (2 K))`` is at most `ratio`; t_k is the best where ``c s^(2 k) < KL + c <= c s^(2 k + 2)``.

    Parameters
    ----------
    divergence : float or array
        KL(q || p) >= 0.
    bound : {"second_order", "first_order", "averaged_first_order"}
        Which of `second_order_kl_bound`, `first_order_kl_bound`, `averaged_first_order_kl_bound`.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    largest_divergence : float, optional
        D >= 0. Chosen before the sample: log N for a uniform prior on N frequencies. By default the divergence at which
        the infimum of the gap is one, beyond which no t helps.
    ratio : float
        At least 1.01. Largest ratio of neighbours on the grid, chosen before the sample.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If n, delta, D or the ratio is out of range.

    References
    ----------
    As for `tuned_kl_bound`.
    """
    form = _form(bound, sample_size)
    grid = _grid(form, delta=delta, largest_divergence=largest_divergence, ratio=ratio)
    return _best_on(divergence, grid=grid)


@checked
def temperature_grid_size(
    *,
    bound: KLBound,
    sample_size: PairCount,
    delta: Probability,
    largest_divergence: NonNegativeFloat | None = None,
    ratio: GridRatio = 2.5,
) -> int:
    """Number K of inverse temperatures on the grid of `tuned_kl_bound`; choosing among them costs log K nats.

    The smallest K with ``ratio^(2 K) >= 1 + D / log(m K / delta)``. One when the largest useful t is at most `ratio`
    times the smallest: then a single t, fixed before the sample, is good for every posterior and costs nothing.

    Parameters
    ----------
    bound : {"second_order", "first_order", "averaged_first_order"}
        Which of `second_order_kl_bound`, `first_order_kl_bound`, `averaged_first_order_kl_bound`.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    largest_divergence : float, optional
        D >= 0. Chosen before the sample: log N for a uniform prior on N frequencies. By default the divergence at which
        the infimum of the gap is one, beyond which no t helps.
    ratio : float
        At least 1.01. Largest ratio of neighbours on the grid, chosen before the sample.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If n, delta, D or the ratio is out of range.

    References
    ----------
    As for `tuned_kl_bound`.
    """
    form = _form(bound, sample_size)
    return _grid(form, delta=delta, largest_divergence=largest_divergence, ratio=ratio).size


@checked
def tuned_power_divergence_bound(
    empirical_loss: UnitFloat,
    divergences: Divergences,
    *,
    orders: DivergenceOrders,
    sample_size: PairCount,
    delta: Probability,
    labels: Literal["binary", "general"],
) -> float:
    """Power-divergence bound at the best of finitely many orders, valid whatever the choice depends on.

    ``min over j of power_divergence_bound(loss, D_j, order=mu_j, delta=delta / J)``.

    Parameters
    ----------
    empirical_loss : float
        In [0, 1].
    divergences : sequence of J floats
        ``D_mu(q || p)`` for each order.
    orders : sequence of J floats
        mu > 1, chosen before the sample.
    sample_size : int
        n >= 2.
    delta : float
        In (0, 1).
    labels : {"binary", "general"}
        "binary" or "general".

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If n, delta or an order is out of range, or there is not one divergence for each order.

    References
    ----------
    pbrff Theorem 4, corrected, with a union bound over mu.
    """
    if not orders or len(orders) != len(divergences):
        raise ValueError(
            f"there are {len(divergences)} divergences and {len(orders)} orders, but each order has its own: match them"
        )
    share = delta / len(orders)
    return min(
        float(
            power_divergence_bound(
                empirical_loss, divergence, sample_size=sample_size, delta=share, order=order, labels=labels
            )
        )
        for divergence, order in zip(divergences, orders, strict=True)
    )


class _Form(NamedTuple):
    """a, b and m of ``a ((KL + log(m / delta)) / t + b t)``."""

    times: int
    slope: float
    union: int


class _Grid(NamedTuple):
    """``t_k = start step^(k + 1/2)``, k = 0, ..., size - 1, where ``least = log(m size / delta)``."""

    start: float
    step: float
    size: int
    least: float


def _form(bound: KLBound, sample_size: int) -> _Form:
    if bound == "second_order":
        return _Form(1, 1 / (8 * (sample_size // 2)), 1)
    slope = 1 / (8 * (sample_size - 1))
    return _Form(1, slope, 1) if bound == "first_order" else _Form(2, slope, sample_size + 1)


def _grid(form: _Form, *, delta: float, largest_divergence: float | None, ratio: float) -> _Grid:
    confidence = math.log(form.union) - math.log(delta)
    gap_of_one = 1 / (4 * form.times**2 * form.slope)
    span = max(0.0, gap_of_one - confidence) if largest_divergence is None else largest_divergence
    sizes = itertools.count(1)
    size = next(k for k in sizes if 2 * k * math.log(ratio) >= math.log1p(span / (confidence + math.log(k))))
    least = confidence + math.log(size)
    return _Grid(math.sqrt(least / form.slope), (1 + span / least) ** (1 / (2 * size)), size, least)


def _best_on(divergence: Real, *, grid: _Grid) -> Real:
    nats = divergence + grid.least
    cell = 0 / nats  # zeros shaped and typed like the divergence, also where it is infinite
    for k in range(1, grid.size):
        cell = cell + (nats > grid.least * grid.step ** (2 * k))
    return grid.start * grid.step ** (cell + 0.5)
