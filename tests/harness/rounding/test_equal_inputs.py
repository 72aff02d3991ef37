"""What is false only at equal inputs is left open: rounding tells them apart, and nothing shows that they are equal."""

import numpy as np
import pytest
import torch
from scipy.stats import kendalltau, mannwhitneyu

from harness import always, check, claim, identity
from harness.verdict import Status


@claim("equal/keys", identity(), expected="refuted")
def keys(forall):
    """A dictionary with numbers as its keys keeps all of them."""
    x = forall.interval("x", 1.0, 9.0, 4)
    return torch.tensor([sum({float(v): v * v for v in row}.values()) for row in x.numpy()]), x.square().sum(-1)


@claim("equal/tau", always(), expected="refuted")
def tau(forall):
    """.01 <= |tau| for three real numbers: it is zero at 0, 1, 0."""
    x = forall.interval("x", 0.0, 1.0, 3)
    return 0.01, torch.tensor([abs(kendalltau([1, 2, 3], row).statistic) for row in x.numpy()])


@claim("equal/u", always(), expected="refuted")
def u(forall):
    """Mann and Whitney's U is a whole number: it is 4.5 where all are equal."""
    x, y = forall.interval("x", 1.0, 2.0, 3), forall.interval("y", 1.0, 2.0, 3)
    found = [mannwhitneyu(*rows).statistic for rows in zip(x.numpy(), y.numpy(), strict=True)]
    return torch.tensor([2.0 * abs(each - round(each)) for each in found]), 0.9


@pytest.mark.parametrize("false", [keys, tau, u], ids=lambda each: each.id)
def test_what_is_false_where_numbers_are_equal_is_open(false) -> None:
    verdict = check(false, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "numbers are equal" in verdict.reason


@claim("equal/there-and-back", always())
def there_and_back(forall):
    """(x + 1/10) - 1/10 is x: violated in floats, and not where equals are equal."""
    x = forall.interval("x", 0.0, 1.0, 3)
    return ((x + 0.1) - 0.1 != x).double().sum(-1), 0.5


@claim("equal/factors", always())
def factors(forall):
    """The first entry of a factor is the root of that of its matrix: one in six matrices has one, and no three do."""
    a = forall.symmetric("A", 3)
    return torch.tensor([np.linalg.cholesky(row)[0, 0] for row in a.numpy()]), a[:, 0, 0].abs().sqrt() + 0.1


@pytest.mark.parametrize("true", [there_and_back, factors], ids=lambda each: each.id)
def test_what_is_true_where_numbers_are_equal_is_favoured(true) -> None:
    assert check(true, effort="quick").status.favourable
