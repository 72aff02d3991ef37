"""Orderings between tuned bounds, their infima and the bounds at one temperature; unions; levels that say nothing."""

import itertools
import math
from typing import Any

import torch

from bounds.pac_bayes.guarantees import corrected_power_divergence_bound, first_order_kl_bound, second_order_kl_bound
from bounds.pac_bayes.landmark_union import landmark_kl_bound, selected_landmark_kl_bound
from bounds.pac_bayes.tuning import (
    kl_bound_infimum,
    temperature_grid_size,
    tuned_inverse_temperature,
    tuned_kl_bound,
    tuned_power_divergence_bound,
)
from bounds.pac_bayes.vacuity import (
    informative_margin,
    largest_alignment_loss,
    smallest_informative_sample,
    uninformed_alignment_loss,
)
from tests.mutation.orderings.table import SIZE, Ordering, Span

LANDMARKS, TUNING, VACUITY = "bounds.pac_bayes.landmark_union", "bounds.pac_bayes.tuning", "bounds.pac_bayes.vacuity"
DELTA = Span(1e-9, 0.9, "log")
KL, COUNT = Span(1e-3, 1e3, "log"), Span(1, 10**4, "log", whole=True)
FORMS = tuple(itertools.product(("second_order", "first_order", "averaged_first_order"), ("printed", "improved")))
FORM: dict[str, Any] = {"form": FORMS, "n": SIZE, "delta": DELTA}
GRIDS = tuple((span, ratio) for span in (0.0, 3.0, 10.0, 100.0) for ratio in (1.1, 1.5, 2.5, 10.0))
UNION: dict[str, Any] = {"sample_size": SIZE, "delta": DELTA, "inverse_temperature": Span(1e-2, 1e4, "log")}


def _infimum(loss: float, kl: float, form: tuple[Any, Any], n: int, delta: float) -> float:
    return float(kl_bound_infimum(loss, kl, bound=form[0], constant=form[1], sample_size=n, delta=delta))


def _tuning(form: tuple[Any, Any], n: int, delta: float, grid: tuple[float, float]) -> dict[str, Any]:
    settings = {"bound": form[0], "constant": form[1], "sample_size": n, "delta": delta}
    return settings | {"largest_divergence": grid[0], "ratio": grid[1]}


def _worst_factor(ratio: float) -> float:
    return math.cosh(math.log(ratio) / 2)


def _tuned_and_plain(kl: float, n: int, delta: float, constant: Any) -> tuple[float, float]:
    form: dict[str, Any] = {"bound": "second_order", "sample_size": n, "delta": delta, "constant": constant}
    size, t = temperature_grid_size(**form), float(tuned_inverse_temperature(kl, **form))
    plain = second_order_kl_bound(0.3, kl, sample_size=n, delta=delta / size, inverse_temperature=t, constant=constant)
    return float(tuned_kl_bound(0.3, kl, **form)), float(plain)


def _of_tensor(kl: float, form: tuple[Any, Any], n: int, delta: float) -> tuple[float, float]:
    grid = _tuning(form, n, delta, (1000.0, 2.5))
    together = tuned_inverse_temperature(torch.tensor([kl, math.inf], dtype=torch.float64), **grid)
    return float(together[0]), float(tuned_inverse_temperature(kl, **grid))


def _smallest(kl: float, form: tuple[Any, Any], delta: float, level: float) -> int:
    return smallest_informative_sample(bound=form[0], constant=form[1], delta=delta, divergence=kl, level=level)


TABLE = (
    Ordering(
        LANDMARKS,
        "one landmark costs nothing",
        "=",
        {"kl": KL, **UNION},
        lambda kl, **o: (landmark_kl_bound(0.3, kl, landmarks=1, **o), first_order_kl_bound(0.3, kl, **o)),
    ),
    Ordering(
        LANDMARKS,
        "one landmark outside the sample is Theorem 3 as printed",
        "=",
        {"kl": KL, **UNION},
        lambda kl, **o: (
            landmark_kl_bound(0.3, kl, landmarks=1, position="outside", **o),
            second_order_kl_bound(0.3, kl, **o),
        ),
    ),
    Ordering(
        LANDMARKS,
        "selecting landmarks costs log n more than fixing them",
        "=",
        {"kl": KL, "count": COUNT, **UNION},
        lambda kl, count, **o: (
            selected_landmark_kl_bound(0.3, kl, settings=count, **o),
            landmark_kl_bound(0.3, kl, landmarks=count, **o) + math.log(o["sample_size"]) / o["inverse_temperature"],
        ),
        rtol=1e-11,
    ),
    Ordering(
        TUNING,
        "no choice of the temperature is below the infimum",
        "<=",
        {"kl": KL, "grid": GRIDS, **FORM},
        lambda kl, grid, **form: (_infimum(0.3, kl, **form), tuned_kl_bound(0.3, kl, **_tuning(**form, grid=grid))),
    ),
    Ordering(
        TUNING,
        "tuning costs at most log K nats and the factor of half a step of the grid",
        "<=",
        {"share": Span(0.0, 1.0), "grid": GRIDS, **FORM},
        lambda share, grid, **form: (
            tuned_kl_bound(0.0, share * grid[0], **_tuning(**form, grid=grid)),
            _worst_factor(grid[1])
            * _infimum(0.0, share * grid[0] + math.log(temperature_grid_size(**_tuning(**form, grid=grid))), **form),
        ),
    ),
    Ordering(
        TUNING,
        "up to a divergence of zero there is one temperature, the best",
        "=",
        FORM | {"ratio": Span(1.1, 10.0)},
        lambda ratio, **form: (
            tuned_kl_bound(0.3, 0.0, **_tuning(**form, grid=(0.0, ratio))),
            _infimum(0.3, 0.0, **form),
        ),
    ),
    Ordering(
        TUNING,
        "tuned Theorem 3 is Theorem 3 at the chosen temperature and level delta / K",
        "=",
        {"kl": KL, "n": SIZE, "delta": DELTA, "constant": ("printed", "improved")},
        _tuned_and_plain,
        rtol=1e-11,
    ),
    Ordering(
        TUNING,
        "a tensor of divergences gets the temperatures of its entries, in its own precision",
        "=",
        {"kl": KL, **FORM},
        _of_tensor,
    ),
    Ordering(
        TUNING,
        "one order costs nothing, and the best of two at most log 2 in 1 / delta",
        "<=",
        {"chi": KL, "sample_size": SIZE, "delta": DELTA, "labels": ("binary", "general")},
        lambda chi, delta, **o: (
            tuned_power_divergence_bound(0.0, [0.5, chi], orders=[1.5, 2.0], delta=delta, **o),
            min(
                corrected_power_divergence_bound(0.0, 0.5, order=1.5, delta=delta / 2, **o),
                tuned_power_divergence_bound(0.0, [chi], orders=[2.0], delta=delta / 2, **o),
            ),
        ),
    ),
    Ordering(
        VACUITY,
        "for two classes the constant kernel has the chance that two labels differ",
        "=",
        {"share": Span(0.0, 1.0)},
        lambda share: (uninformed_alignment_loss([share, 1 - share]), 2 * share * (1 - share)),
        atol=1e-15,
    ),
    Ordering(
        VACUITY,
        "the largest loss of many classes is the loss of constant inputs, one minus the chance that labels agree",
        "=",
        {"classes": Span(2, 1000, "log", whole=True)},
        lambda classes: (largest_alignment_loss(classes), 1 - sum([classes**-2.0] * classes)),
    ),
    Ordering(
        VACUITY,
        "the margin and the bound add to the largest loss",
        "=",
        {"classes": Span(1, 1000, "log", whole=True), "value": Span(0.0, 2.0)},
        lambda classes, value: (informative_margin(value, classes=classes) + value, largest_alignment_loss(classes)),
    ),
    Ordering(
        VACUITY,
        "at the smallest informative sample the gap is below the level",
        "<=",
        {"kl": KL, "form": FORMS, "delta": DELTA, "level": Span(0.1, 1.0)},
        lambda kl, form, delta, level: (_infimum(0.0, kl, form, _smallest(kl, form, delta, level), delta), level),
    ),
    Ordering(
        VACUITY,
        "one point less is not enough",
        "<=",
        {"kl": KL, "form": FORMS, "delta": DELTA, "level": Span(0.1, 1.0)},
        lambda kl, form, delta, level: (
            level,
            _infimum(0.0, kl, form, max(2, _smallest(kl, form, delta, level) - 1), delta)
            + (math.inf if _smallest(kl, form, delta, level) == 2 else 0),
        ),
    ),
)
