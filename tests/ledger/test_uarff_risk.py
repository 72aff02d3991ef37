"""The uarff claims on risks: exact known values, what the beds compute, and falsehoods nearby."""

import math

import numpy as np
import pytest
import torch
from scipy import special

from algos.ridge.regression import dual_coefficients
from harness.claims.uarff import algorithm_1, finite_population, generalisation, lipschitz_risk, risk
from harness.claims.uarff.finite_population import _fit, ridge_risks
from harness.language.quantifiers import Draw, Forall
from harness.language.registry import registered
from harness.verdict import Status
from tests.helpers import bare_check, falsified, instances, is_refuted

pytestmark = pytest.mark.usefixtures("double_precision")

CLAIMS = {c.key: c for m in (generalisation, lipschitz_risk, risk) for c in registered(m.__name__)}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("uarff/thm-15[printed]", 0.5915),
        ("uarff/cor-17[printed]", 0.5915),
        ("uarff/cor-18[printed]", 0.3548),
    ],
)
def test_exact_failure_probabilities(key: str, expected: float) -> None:
    assert float(CLAIMS[key](**CLAIMS[key].cells[0])[0]) == pytest.approx(expected, abs=5e-5)


def test_the_estimator_leaves_the_ball_with_the_norm_of_the_page() -> None:
    """At delta = .1: 23 features, squared norm 4.70 when the rarer feature is drawn once; in all cells above delta."""
    norms, probabilities, s, _ = generalisation._rare_feature(8.0386e-4, 0.1, 0.1, 5.0)
    assert s == 23
    assert float(norms[0]) == 0.0
    assert float(norms[1]) == pytest.approx(4.70, abs=5e-3)
    assert float(probabilities.sum()) == pytest.approx(1, rel=1e-12)
    claim = CLAIMS["uarff/eq-15-assumption"]
    found = [claim(**cell) for cell in claim.cells]
    assert [float(failure) for _, failure in found] == pytest.approx([0.1820, 0.0948, 0.01998], abs=5e-5)
    assert all(float(failure) > 1.5 * delta for delta, failure in found)


def test_the_risk_of_theorem_15_is_two_tenths() -> None:
    assert lipschitz_risk._risk_when_missed(20.0, 0.01, 0.02) == pytest.approx(0.2020, abs=5e-5)
    assert lipschitz_risk._leverage_count(0.01, 0.02, 0.1) == 26
    assert lipschitz_risk._risk_when_missed(20.0, 0.01, 0.02) > math.sqrt(0.02)


def test_population_fits_are_ridge_regression_on_the_sample() -> None:
    """Against the n x n kernel system on a sample of five points of three kinds."""
    phi, y = 2 * instances(1, 3, 3) - 1, 2 * instances(5) - 1
    positions = torch.tensor([0, 2, 2, 1, 0])
    n, lam = 5, 0.3
    onehot = torch.nn.functional.one_hot(positions, 3).double()
    values, norm = _fit(phi, onehot.mean(0).unsqueeze(0), (onehot * y[:, None]).mean(0).unsqueeze(0), lam)
    sample = phi[0, positions]
    w = dual_coefficients(sample @ sample.T, y, n * lam)
    torch.testing.assert_close(values[0], phi[0] @ sample.T @ w)
    torch.testing.assert_close(norm[0], w @ sample @ sample.T @ w)


@pytest.mark.parametrize("sampling", ["leverage", "plain", "mixed"])
def test_the_excess_risk_vanishes_with_many_features(sampling: str) -> None:
    """Each sampling is unbiased: a thousand times as many features leave a hundredth of the excess or less."""
    values = {
        "features": 2 * instances(1, 3, 3) - 1,
        "probabilities": torch.tensor([[0.2, 0.3, 0.5]]).double(),
        "law": torch.tensor([[0.3, 0.3, 0.4]]).double(),
        "mean": torch.tensor([[0.8, -0.5, 0.3]]).double(),
        "spread": torch.tensor([[0.1, 0.1, 0.1]]).double(),
    }
    few, many = (
        ridge_risks(
            Forall(lambda space: values[space.name]), Draw(64, ("many", c)), 100, 0.1, sampling=sampling, constant=c
        )
        for c in (0.05, 5e4)
    )
    assert many.excess.abs().max() < 0.02 * few.excess.abs().max()
    assert (many.features > 1000 * few.features).all()


@pytest.mark.parametrize(("sampling", "integral"), [("leverage", "d"), ("mixed", "2 d"), ("plain", "sqrt n")])
def test_the_number_of_features_is_that_of_the_sample(sampling: str, integral: str) -> None:
    """One orthogonal design, law and masses alike: d = 3 * (1/9) / (1/9 + lambda)."""
    third = torch.full((1, 3), 1 / 3).double()
    gram = (torch.eye(3) / 9).double().unsqueeze(0)
    scores = finite_population.leverage_scores(gram, third, 0.1)
    d = 3 * (1 / 9) / (1 / 9 + 0.1)
    assert float(scores.sum()) == pytest.approx(d, rel=1e-9)
    bound = finite_population._upper_bound(scores, third, 0.1, sampling)
    s = finite_population._counts(scores.sum(-1), bound.sum(-1), 0.1, 5.0)
    factor = {"d": d, "2 d": 2 * d, "sqrt n": 10.0}[integral]
    assert float(s) == math.ceil(5 * factor * math.log(16 * d / 0.1))


@pytest.mark.parametrize("key", [key for key, claim in CLAIMS.items() if claim.expected == "refuted"])
def test_what_is_wrong_in_print_is_refuted_from_a_cold_start(key: str) -> None:
    assert bare_check(CLAIMS[key], seed=2026, family=300).status is Status.REFUTED


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("key", "factor"),
    [
        ("uarff/eq-15-atoms[corrected]", 0.03),
        ("uarff/eq-17[corrected]", 0.3),
        ("uarff/eq-19[corrected]", 0.45),
        ("uarff/eq-19-trace", 0.95),
        ("uarff/cor-10", 0.002),
        ("uarff/thm-15-training[corrected]", 0.95),
        ("uarff/thm-15[corrected]", 0.8),
        ("uarff/thm-15-small", 0.8),
    ],
)
def test_claims_with_a_smaller_right_side_are_refuted(key: str, factor: float) -> None:
    """Each of them can fail: the search comes that close."""
    wrong = falsified(CLAIMS[key], lambda lhs, rhs: (lhs, factor * rhs))
    assert is_refuted(wrong, family=1, seed=1)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("key", "status"),
    [
        ("uarff/thm-9[printed]", Status.HOLDS),
        ("uarff/thm-9[corrected]", Status.VACUOUS),
        ("uarff/cor-10", Status.HOLDS),
        ("uarff/cor-11", Status.HOLDS),
    ],
)
def test_the_theorem_is_not_accused(key: str, status: Status) -> None:
    assert bare_check(CLAIMS[key], seed=2026, family=300).status is status


def test_few_resampled_waves_leave_a_growing_multiple_of_the_bound() -> None:
    """The law is the same for all n, and the energy that any m frequencies leave is a sum that quadrature confirms."""
    ratios = []
    for cell in algorithm_1.few_resampled_features_as_printed.cells:
        excess, bound = algorithm_1.few_resampled_features_as_printed(**cell)
        ratios.append(excess / bound)
    assert ratios == pytest.approx([48.8, 3725.0], rel=0.01)
    excess, bound = algorithm_1.few_resampled_features_as_printed(n=10**16)
    assert excess < bound
    v = np.arange(1, 10**6, dtype=float)
    squared_coefficients = v**-1.1 / special.zeta(1.1)
    eigenvalues = 3 / np.pi**2 * v**-2
    assert excess == pytest.approx(float((squared_coefficients * eigenvalues)[208:].sum()), rel=1e-6)
