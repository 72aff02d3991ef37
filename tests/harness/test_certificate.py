"""Counterexamples in 50 digits: the same body, exact numbers, and no certificate where there is none."""

import math

import mpmath
import pytest
import torch

from harness import always, check, claim, identity
from harness.certificate import certify
from harness.loading import ledger
from harness.precision import DIGITS, Precise, Unsupported, lift
from harness.verdict import Status


def digits(value: object) -> mpmath.mpf:
    return lift(value).reshape(-1)[0]


SAMPLE = torch.tensor([[0.3, -1.2, 2.5], [0.7, 0.1, -0.4]], dtype=torch.float64)
SQUARE = torch.tensor([[2.0, 0.3], [0.3, 1.0]], dtype=torch.float64)
OPERATIONS = {
    "arithmetic": lambda x: (2.0 - x) * x / (1.5 + x.abs()) - x**3 + x**-2 + 2.0**x,
    "elementary": lambda x: x.exp() + x.cos() * torch.sin(x) + x.abs().sqrt() + torch.log(x.abs()) + torch.log1p(x**2),
    "reductions": lambda x: x.sum(-1) + x.mean(-1) + x.prod(-1) + x.amax(-1) - x.amin(-1) + x.norm(dim=-1),
    "extremes": lambda x: x.max(dim=-1).values - x.min(dim=-1).values + torch.maximum(x, 0.1 * x.flip(-1)).sum(-1),
    "order": lambda x: (x.sort(dim=-1, descending=True).values * torch.arange(3)).sum(-1),
    "cumulative": lambda x: x.cumsum(-1)[..., 1:] - x[..., :2],
    "choice": lambda x: torch.where(x > 0.0, x, -2.0 * x).clamp(0.2, 1.0) + x.clamp_min(0.0),
    "shape": lambda x: (
        x.unsqueeze(-1).expand(2, 3, 2).transpose(0, 1).reshape(-1, 4).squeeze() @ torch.ones(4).double()
    ),
    "products": lambda x: (x @ x.mT).diagonal(dim1=-2, dim2=-1) + torch.linalg.vector_norm(x, dim=-1),
    "stacking": lambda x: torch.cat([torch.stack([x, x + 1.0]), torch.zeros_like(x).unsqueeze(0)]).sum(0),
    "systems": lambda x: (
        torch.linalg.solve(SQUARE + 0 * x[:, :1], x) + torch.linalg.cholesky(SQUARE + 0 * x[:, :1]) @ x
    ),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_agrees_with_float64(name: str) -> None:
    with mpmath.workdps(DIGITS):
        exact = lift(OPERATIONS[name](Precise(SAMPLE)))
        plain = OPERATIONS[name](SAMPLE)
        assert exact.shape == tuple(plain.shape)
        for a, b in zip(exact.reshape(-1), plain.reshape(-1).tolist(), strict=True):
            assert abs(float(a) - b) <= 1e-13 * max(1.0, abs(b))


def test_digits_beyond_float64_are_real() -> None:
    with mpmath.workdps(DIGITS):
        third = digits(Precise(torch.ones(1)) / 3.0)
        assert abs(third * 3 - 1) < mpmath.mpf(10) ** (2 - DIGITS)
        cancelled = digits((Precise(torch.tensor([1e-20], dtype=torch.float64)) + 1.0) - 1.0)
        assert abs(cancelled / mpmath.mpf(1e-20) - 1) < mpmath.mpf(10) ** -25


def test_what_has_no_fifty_digits_says_so() -> None:
    with pytest.raises(Unsupported, match="numpy"):
        Precise(SAMPLE).numpy()
    with pytest.raises(Unsupported, match="erf"):
        torch.erf(Precise(SAMPLE))


@claim("paper/cancellation", identity())
def rounds_away(forall):
    """(1 + x) - 1 = x: true, and off by all digits in float64 when x is tiny."""
    x = forall.interval("x", 1e-17, 1e-16)
    return ((1.0 + x) - 1.0) / x, x / x


def test_a_violation_that_vanishes_in_fifty_digits_accuses_nobody() -> None:
    verdict = check(rounds_away, effort="quick")
    assert verdict.status is Status.UNDECIDED
    assert "50 digits" in verdict.reason


@claim("paper/sum-of-squares", always())
def wrong_sum(forall):
    """x^2 + y^2 <= 1.99 on the square."""
    x = forall.interval("x", 0.0, 1.0, 2)
    return (x**2).sum(-1), 1.99


def test_a_refutation_carries_its_certificate() -> None:
    verdict = check(wrong_sum, effort="quick")
    assert verdict.status is Status.REFUTED
    found = verdict.counterexample
    assert found is not None
    assert found.counterexample is not None
    proof = found.counterexample["certificate"]
    assert proof["digits"] == DIGITS
    assert float(proof["lhs"]) == found.counterexample["lhs"]
    assert proof["margin"] > 1.0
    assert "50 digits" in str(verdict)


def test_plain_numbers_on_both_sides_are_not_certified() -> None:
    @claim("paper/plain", always())
    def plain():
        """2 <= 1."""
        return 2.0, 1.0

    proof = certify(plain, {}, {}, rounding=1e-9)
    assert proof["digits"] == 0
    assert "float64" in proof["reason"]


def test_alignment_identity_of_the_ledger_holds_to_fifty_digits() -> None:
    made = next(c for c in ledger() if c.id == "nsrf/eq-4")
    rng = torch.Generator().manual_seed(0)
    values = {
        "points": 0.5 * torch.rand(1, 2, 2, generator=rng, dtype=torch.float64),
        "labels": torch.tensor([[1.0, -1.0]], dtype=torch.float64),
        "weights": torch.rand(1, 2, generator=rng, dtype=torch.float64),
        "omega": torch.rand(1, 1, 2, generator=rng, dtype=torch.float64),
        "measure": torch.ones(1, 1, dtype=torch.float64),
    }
    proof = certify(made, {"n": 2, "frequencies": 1}, values, rounding=1e-15)
    assert proof["digits"] == DIGITS
    assert proof["excess"] < 1e-45
    assert not math.isnan(float(proof["lhs"]))
