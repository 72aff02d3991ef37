"""Orderings between the bounds of `bounds.pac_bayes.tuning`."""

import math
from typing import Any

import torch

from bounds.pac_bayes import tuning
from bounds.pac_bayes.kullback_leibler import second_order_kl_bound
from bounds.pac_bayes.power_divergence import power_divergence_bound
from tests.bounds.orderings import SIZE, Span, equal, ordered

DELTA = Span(1e-9, 0.9, "log")
FORMS = ("second_order", "first_order", "averaged_first_order")
KL = Span(1e-3, 1e3, "log")
GRIDS = tuple((span, ratio) for span in (0.0, 3.0, 10.0, 100.0) for ratio in (1.1, 1.5, 2.5, 10.0))
FORM: dict[str, Any] = {"bound": FORMS, "sample_size": SIZE, "delta": DELTA}


def _worst_factor(ratio: float) -> float:
    return math.cosh(math.log(ratio) / 2)


def _tuning(grid: tuple[float, float], **form: Any) -> dict[str, Any]:
    return form | {"largest_divergence": grid[0], "ratio": grid[1]}


@ordered(kl=KL, grid=GRIDS, **FORM)
def no_choice_of_the_temperature_is_below_the_infimum(kl, grid, **form):
    return tuning.kl_bound_infimum(0.3, kl, **form), tuning.tuned_kl_bound(0.3, kl, **_tuning(grid, **form))


@ordered(share=Span(0.0, 1.0), grid=GRIDS, **FORM)
def tuning_costs_a_union_and_half_a_step_of_the_grid(share, grid, **form):
    """Tuning costs at most log K nats and the factor of half a step of the grid."""
    yield tuning.tuned_kl_bound(0.0, share * grid[0], **_tuning(grid, **form))
    union = math.log(tuning.temperature_grid_size(**_tuning(grid, **form)))
    yield _worst_factor(grid[1]) * tuning.kl_bound_infimum(0.0, share * grid[0] + union, **form)


@equal(**FORM, ratio=Span(1.1, 10.0))
def up_to_a_divergence_of_zero_there_is_one_temperature_the_best(ratio, **form):
    return tuning.tuned_kl_bound(0.3, 0.0, **_tuning((0.0, ratio), **form)), tuning.kl_bound_infimum(0.3, 0.0, **form)


@equal(rtol=1e-11, kl=KL, n=SIZE, delta=DELTA)
def tuned_bound_is_the_bound_at_the_chosen_temperature(kl, n, delta):
    """Tuned Theorem 3 is Theorem 3 at the chosen temperature and level delta / K."""
    form: dict[str, Any] = {"bound": "second_order", "sample_size": n, "delta": delta}
    size, t = tuning.temperature_grid_size(**form), float(tuning.tuned_inverse_temperature(kl, **form))
    plain = second_order_kl_bound(0.3, kl, sample_size=n, delta=delta / size, inverse_temperature=t)
    return float(tuning.tuned_kl_bound(0.3, kl, **form)), float(plain)


@equal(kl=KL, **FORM)
def tensor_of_divergences_gets_the_temperatures_of_its_entries(kl, **form):
    """A tensor of divergences gets the temperatures of its entries, in its own precision."""
    grid = _tuning((1000.0, 2.5), **form)
    together = tuning.tuned_inverse_temperature(torch.tensor([kl, math.inf], dtype=torch.float64), **grid)
    return float(together[0]), float(tuning.tuned_inverse_temperature(kl, **grid))


@ordered(chi=KL, sample_size=SIZE, delta=DELTA, labels=("binary", "general"))
def best_of_two_orders_costs_at_most_a_union(chi, delta, **o):
    """One order costs nothing, and the best of two at most log 2 in 1 / delta."""
    yield tuning.tuned_power_divergence_bound(0.0, [0.5, chi], orders=[1.5, 2.0], delta=delta, **o)
    first = power_divergence_bound(0.0, 0.5, order=1.5, delta=delta / 2, **o)
    yield min(first, tuning.tuned_power_divergence_bound(0.0, [chi], orders=[2.0], delta=delta / 2, **o))
