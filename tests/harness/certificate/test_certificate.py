"""Counterexamples in balls: the same body, exact numbers, and no certificate for what rounding alone does."""

import math

import numpy as np
import pytest
import torch

from harness import always, check, claim, identity
from harness.certify.certificate import certify
from harness.language.anatomy import anatomy
from harness.language.registry import Claim
from harness.run.loading import ledger
from harness.verdict import Status
from tests.harness.certificate.certified import Values, certificate, float64_gap
from tests.harness.certificate.falsehoods import (
    wrong_entropy,
    wrong_identity,
    wrong_in_the_hundredth_digit,
    wrong_length,
    wrong_spectrum,
    wrong_sum,
    wrong_where_floats_end,
)
from tests.harness.certificate.truths import (
    TRUTHS,
    determinant,
    hoeffding,
    plain_tensor,
    simplex_sum,
    sine_beyond_pi,
    sine_of_pi,
    sine_of_pi_in_a_function,
    telescope,
)


@claim("paper/small-violation", always(rtol=0.0))
def small_violation(forall):
    """1 - x <= (1 + 0.9999999 x^2) exp(-x): false by a few parts in 10^13."""
    x = forall.interval("x", -1e-3, 1e-3)
    return x + 0.4999999 * x**2, torch.expm1(x)


@pytest.mark.parametrize(
    ("made", "values"),
    [
        (wrong_sum, {"x": [1.0, 1.0]}),
        (wrong_sum, {"x": [0.9999, 0.9999]}),
        (wrong_identity, {"x": 0.5}),
        (wrong_identity, {"x": 1e-9}),
        (small_violation, {"x": -1e-3}),
        (wrong_entropy, {"p": [1 / 3, 1 / 3, 1 / 3]}),
        (wrong_entropy, {"p": [0.4, 0.3, 0.3]}),
        (wrong_spectrum, {"K": np.diag([1.0, 0.0, 0.0])}),
        (wrong_spectrum, {"K": np.full((3, 3), 1.0 / 3.0)}),
        (wrong_length, {"x": [2.5 / math.sqrt(3.0)] * 3}),
        (wrong_where_floats_end, {"x": 40 * 5e-324}),
    ],
)
def test_a_plain_falsehood_is_confirmed(made: Claim, values: Values) -> None:
    gap = float64_gap(made, values)
    proof = certificate(made, values)
    assert proof.verdict == "confirmed"
    assert proof.digits >= 40
    assert 0.0 < proof.excess <= gap * (1.0 + 1e-6)
    lhs, rhs = float(proof.lhs), float(proof.rhs)
    assert (abs(lhs - rhs) if made is wrong_identity else lhs - rhs) == pytest.approx(gap, rel=1e-3)


def test_a_violation_must_agree_with_what_float64_saw() -> None:
    for gap in (1e-2, 0.012):
        assert certificate(wrong_sum, {"x": [1.0, 1.0]}, gap).verdict == "confirmed"
    for gap in (1e-3, 1.0, 0.0, -1.0):
        assert certificate(wrong_sum, {"x": [1.0, 1.0]}, gap).verdict == "contradicted"
    for gap in (math.nan, math.inf):
        assert certificate(wrong_sum, {"x": [1.0, 1.0]}, gap).verdict == "open"


def test_more_bits_are_tried_while_the_sign_is_open() -> None:
    proof = certificate(wrong_in_the_hundredth_digit, {"x": 1e-100}, gap=5e-101)
    assert proof.verdict == "confirmed"
    assert proof.digits > 200


@pytest.mark.parametrize(("made", "values", "gap"), TRUTHS)
def test_what_rounding_alone_breaks_is_not_confirmed(made: Claim, values: Values, gap: float | None) -> None:
    proof = certificate(made, values, gap)
    assert proof.digits > 0, proof
    assert proof.verdict in ("open", "contradicted")


def test_a_violation_that_vanishes_in_balls_is_contradicted() -> None:
    assert float64_gap(telescope, {"x": 0.1, "y": 1e5}) > 1e-12
    assert certificate(telescope, {"x": 0.1, "y": 1e5}).verdict == "contradicted"
    assert certificate(hoeffding, {"p": 1.0, "s": -1e-154}).verdict == "contradicted"


def test_the_rounding_of_plain_numbers_leaves_it_open() -> None:
    for made in (sine_of_pi, sine_of_pi_in_a_function, plain_tensor):
        proof = certificate(made, {"n": 1.0})
        assert proof.verdict == "open"
        assert proof.excess > 1e-16  # the rounding of pi: proved, and meaningless
    assert certificate(sine_beyond_pi, {"x": math.pi}).verdict == "open"


def test_a_refutation_carries_its_certificate() -> None:
    verdict = check(wrong_sum, effort="quick")
    assert verdict.status is Status.REFUTED
    found = verdict.counterexample
    assert found is not None
    assert found.counterexample is not None
    proof = found.counterexample.certificate
    assert proof.verdict == "confirmed"
    assert proof.digits >= 50
    assert float(proof.lhs) == pytest.approx(found.counterexample.lhs, rel=1e-15)
    assert 0.0 < proof.excess <= found.counterexample.excess + 1e-15


@claim("paper/cancellation", identity())
def rounds_away(forall):
    """((1 + x) - 1) / x = 1: true, and off by all digits in float64 when x is tiny."""
    x = forall.interval("x", 1e-17, 1e-16)
    return ((1.0 + x) - 1.0) / x, x / x


@pytest.mark.parametrize("made", [rounds_away, hoeffding, sine_of_pi, simplex_sum, determinant])
def test_a_violation_that_is_rounding_accuses_nobody(made: Claim) -> None:
    assert check(made, effort="quick").status is not Status.REFUTED


def test_alignment_identity_of_the_ledger_holds_in_balls() -> None:
    made = next(c for c in ledger() if c.id == "nsrf/eq-4")
    params = {"n": 2, "d": 2, "frequencies": 1}
    rng = torch.Generator().manual_seed(0)
    values = {
        "points": 0.5 * torch.rand(1, 2, 2, generator=rng, dtype=torch.float64),
        "labels": torch.tensor([[1.0, -1.0]], dtype=torch.float64),
        "weights": torch.rand(1, 2, generator=rng, dtype=torch.float64),
        "omega": torch.rand(1, 1, 2, generator=rng, dtype=torch.float64),
        "measure": torch.ones(1, 1, dtype=torch.float64),
    }
    proof = certify(made, params, anatomy(made, params).spaces, values, gap=1e-15)
    assert proof.digits > 40, proof
    assert proof.excess < 1e-45
    assert proof.verdict == "contradicted"
