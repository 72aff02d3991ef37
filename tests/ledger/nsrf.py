"""What the checks of nsrf share: both sides of a body at one instance, labelled rows, spoilt subjects."""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch

from harness import testing
from harness.language.quantifiers import Forall
from harness.language.registry import Claim
from tests.helpers import as_tuples, is_refuted


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def instance(**values) -> Forall:
    """One instance; names with spaces are written with underscores, x' as x_prime."""
    names = {"x_prime": "x'", "x_and_x_prime": "x and x'"}
    return testing.instance({names.get(k, k.replace("_", " ")): v for k, v in values.items()})


def sides(body, cell, /, **values) -> tuple[float, float]:
    lhs, rhs = (torch.as_tensor(side, dtype=torch.float64) for side in body(instance(**values), **cell))
    return lhs.item(), rhs.item()


def rows(reproduction_claim: Claim) -> dict[str, tuple[float, float | None]]:
    """The rows of a reproduction by their labels, computed once for all tests of a process."""
    return dict(_computed(reproduction_claim.body))


@cache
def _computed(body: Callable[[], Any]) -> tuple[tuple[str, tuple[float, float | None]], ...]:
    return tuple((label, (float(ours), limit)) for label, ours, _, limit in as_tuples(body()))


def refutes(item: Claim) -> bool:
    return is_refuted(item, family=250)


def scaled(subject, factor):
    return lambda *args, **keywords: factor * subject(*args, **keywords)
