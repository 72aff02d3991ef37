"""Bodies without inputs: true ones, false ones that float64 takes for true, and ones that leave what balls can see."""

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import torch
from scipy import special

SMALL = 2.0**-80  # lost beside 1 in float64
TENTHS = (0.1, 0.1, 0.1)


@dataclass(frozen=True)
class Amount:
    """A number with an operator of its own."""

    value: float

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.value + other.value)


def roots() -> Any:
    return math.sqrt(2.0) ** 2, 2.0


def exponentials() -> Any:
    return math.exp(1.0), math.e


def helpers() -> Any:
    return _shifted(0.5), 1.5


def _shifted(x: float, by: float = 1.0) -> float:
    return x + by


def tensors() -> Any:
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    return (x / 3).sum(), torch.linspace(0.0, 1.0, 5, dtype=torch.float64).sum() - 0.5


def whole_parts() -> Any:
    return math.ceil(10 * (1 - 0.25)) + math.floor(7 / 2) + int(2.5) + round(2.7), 16


def comprehensions() -> Any:
    return sum(x * x for x in TENTHS), max(0.03 + 1e-15, math.fsum(map(math.sqrt, [1e-6, 1e-6])))


def fractions() -> Any:
    return float(Fraction(1, 3)) + Fraction(2, 3), 1


def objects() -> Any:
    total = Amount(0.25) + Amount(0.5)
    return total.value, 0.75


def arrays() -> Any:
    return float(np.sum(special.expit(-np.arange(1.0, 4.0)))), 0.5


def steps() -> Any:
    taken = {"count": 0}
    for _ in range(3):
        taken["count"] += 1
    return taken["count"], 3


TRUE = [roots, exponentials, helpers, tensors, whole_parts, comprehensions, fractions, objects, arrays, steps]


def swallowed_sum() -> Any:
    return 1.0 + SMALL, 1.0


def swallowed_product() -> Any:
    return (1.0 + 2.0**-30) ** 2 - 2.0**-29, 1.0


def swallowed_in_a_tensor() -> Any:
    return torch.tensor([1.0, SMALL], dtype=torch.float64).sum(), 1.0


def swallowed_in_a_helper() -> Any:
    return _shifted(SMALL), 1.0


def swallowed_by_an_object() -> Any:
    return (Amount(1.0) + Amount(SMALL)).value, 1.0


def swallowed_quotient() -> Any:
    return 1 / 3, 0.3333333333333333


def wrong_whole_part() -> Any:
    return math.ceil(1.0 + SMALL), 1


def wrong_whole_part_of_a_quotient() -> Any:
    return math.ceil((10**17 + 1) / 10**17), 1


def wrong_branch() -> Any:
    return (2.0 if 1.0 + SMALL > 1.0 else 0.0), 1.0


def wrong_place() -> Any:
    return (0.0, 2.0)[int(1.0 + SMALL > 1.0)], 1.0


def plainly_wrong() -> Any:
    return 1.02 * math.pi, 3.2


def wrong_by_an_in_place_step() -> Any:
    total = 1.0
    total += SMALL
    return total, 1.0


def wrong_beside_what_is_undefined() -> Any:
    return float("nan"), 1.0


FALSE = [
    swallowed_sum,
    swallowed_product,
    swallowed_in_a_tensor,
    swallowed_in_a_helper,
    swallowed_by_an_object,
    swallowed_quotient,
    wrong_whole_part,
    wrong_whole_part_of_a_quotient,
    wrong_branch,
    wrong_place,
    plainly_wrong,
    wrong_by_an_in_place_step,
    wrong_beside_what_is_undefined,
]


def numpys_sum() -> Any:
    return float(np.add(1.0, SMALL)), 1.0


def numpys_operator() -> Any:
    return float((np.ones(1) + SMALL)[0]), 1.0


def a_library() -> Any:
    return float(special.zeta(2.0)), math.pi**2 / 6


def a_method_of_floats() -> Any:
    return (0.1).hex().count("a") + 0.0, 5.0


def whole_tensors_that_round() -> Any:
    return torch.arange(10).double().log().sum() * 0.0 + torch.arange(3).float().mean(), 1.0


def text() -> Any:
    return float(f"{1.0 + SMALL:.3f}"), 1.0


def the_type_of_a_number() -> Any:
    return (0.0 if isinstance(0.5, float) else 2.0), 1.0


def doubled(function: Any) -> Any:
    """A decorator that changes what a function gives."""

    @functools.wraps(function)
    def changed(*args: Any) -> Any:
        return 2.0 * function(*args)

    return changed


@doubled
def _one() -> float:
    return 1.0


def a_decorator() -> Any:
    return _one(), 1.5


REFUSED = [
    a_decorator,
    numpys_sum,
    numpys_operator,
    a_library,
    a_method_of_floats,
    whole_tensors_that_round,
    text,
    the_type_of_a_number,
]
