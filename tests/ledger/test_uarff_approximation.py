"""The uarff claims on sampled kernels and Lemma 24: exact known values, cold-start searches, falsehoods nearby."""

from fractions import Fraction

import pytest
import torch
from torch import Tensor

from algos.ridge.leverage import feature_kernel, operator_norm_deviation, sampled_kernel
from algos.ridge.regression import dual_coefficients, kernel_ridge_fit, ridge_cross_term, unit_ball_coefficients
from bounds.random_features.leverage import deterministic_cross_term_bound, printed_deviation_constant
from bounds.random_features.multinomial import uniform_deviation_probability
from harness.claims.uarff import approximation, cross_term, designs, training_risk, unit_ball
from harness.claims.uarff.finite_support import finite_support, fitted_targets, squared_norm, training_risk_excess
from harness.language.quantifiers import Draw, Forall
from harness.language.registry import registered
from harness.language.spaces import Space
from harness.verdict import Status
from tests.helpers import bare_check, falsified, instances, is_refuted

pytestmark = pytest.mark.usefixtures("double_precision")

CLAIMS = {c.key: c for m in (approximation, cross_term, training_risk, unit_ball) for c in registered(m.__name__)}


def test_beds_respect_the_assumptions_of_lemma_24() -> None:
    """The kernel ridge fit has norm at most 1, n lambda at most lambda_1 and q is the leverage distribution."""
    values = {"features": instances(200, 3, 2) - 0.5, "probabilities": instances(200, 3), "ridge": instances(200)}
    values["features"] = torch.nn.functional.normalize(values["features"], dim=-1)
    values["probabilities"] = values["probabilities"] / values["probabilities"].sum(-1, keepdim=True)
    bed = finite_support(Forall(lambda space: values[space.name]), n=2, atoms=3)
    assert (bed.ridge <= torch.linalg.eigvalsh(bed.kernel)[..., -1] * (1 + 1e-12)).all()
    torch.testing.assert_close(bed.leverage_distribution.sum(-1), torch.ones(200).double())
    w = unit_ball_coefficients(bed.kernel, torch.nn.functional.normalize(instances(200, 2, seed=3) - 0.5, dim=-1))
    again = dual_coefficients(bed.kernel, fitted_targets(bed.kernel, w, bed.ridge), bed.ridge)
    norms = squared_norm(bed.kernel, again)
    assert norms.max() <= 1 + 1e-9
    assert norms.median() > 0.999


def test_the_training_risk_is_that_of_the_two_ridge_fits() -> None:
    """Against |Y - f~|^2 / n - |Y - f^|^2 / n from the fits themselves."""
    features = 2 * instances(50, 3, 4) - 1
    kernel, drawn = features @ features.mT, features[..., :2] @ features[..., :2].mT
    ridge, w = 0.1 + instances(50), 2 * instances(50, 3, seed=1) - 1
    y = fitted_targets(kernel, w, ridge)
    risks = [(y - kernel_ridge_fit(k, y, ridge)).square().mean(-1) for k in (drawn, kernel)]
    torch.testing.assert_close(training_risk_excess(kernel, drawn, w, ridge), risks[0] - risks[1])


def test_the_orthogonal_design_is_the_one_described() -> None:
    """The closed form in the claim is the operator norm of the real matrices, and the counts sum to s."""
    size = designs.orthogonal_count(5, 0.25, 0.1, printed_deviation_constant(0.5))
    ours = designs.orthogonal_deviation(Draw(7, ("test",)), 5, 0.25, size)
    counts = Draw(7, ("test",)).multinomial("counts", size, [0.2] * 5)
    assert (counts.sum(-1) == size).all()
    drawn = sampled_kernel(5**0.5 * torch.eye(5).double(), torch.full((5,), 0.2).double(), counts)
    torch.testing.assert_close(ours, operator_norm_deviation(torch.eye(5).double(), drawn, 0.25))


def test_the_exact_reading_is_at_least_as_bad_as_the_simulated_cell() -> None:
    """At the simulated cell the exact failure probability of the printed count is 2.5 times delta."""
    (cell,) = CLAIMS["uarff/lem-27[printed]"].cells
    size = designs.orthogonal_count(300, cell["ridge"], 0.05, printed_deviation_constant(0.1))
    assert uniform_deviation_probability(size, 300, 0.1 * (1 + cell["ridge"])) > 0.12


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("uarff/lem-27-one-point[printed]", [1.3501e-3, 1.1127e-4]),
        ("uarff/lem-22-one-point[printed]", [1.7226e-10, 6.5e-12]),
        ("uarff/lem-22-orthogonal[printed]", [1.7226e-7]),
        ("uarff/lem-24-theorem-9[inferred]", [0.33882]),
    ],
)
def test_exact_failure_probabilities(key: str, expected: list[float]) -> None:
    """Values computed independently (binomial sums, certified brackets)."""
    found = [float(CLAIMS[key](**cell)[0]) for cell in CLAIMS[key].cells]
    assert found == pytest.approx(expected, rel=5e-3)


def test_at_the_size_of_theorem_9_the_cross_term_exceeds_lambda_by_a_few_per_cent_only() -> None:
    terms, probabilities, s, _ = cross_term._pair_law(0.01, 0.1, 0.1, 5.0)
    assert s == 23
    assert float(probabilities.sum()) == pytest.approx(1, rel=1e-12)
    assert float(terms.max() / 0.05) == pytest.approx(1.043, abs=1e-3)
    assert float((terms * probabilities).sum() / 0.05) == pytest.approx(0.996, abs=1e-3)


def replayed(**values: object) -> Forall:
    def source(space: Space) -> Tensor:
        return torch.tensor([values[space.name]], dtype=torch.float64)

    return Forall(source)


def test_the_published_example_against_lemma_24_in_exact_fractions() -> None:
    """Atoms (1, +-1/10), n lambda = 1/10, Y = (-.44, .99): 6361/5550 lambda for the first, 109/222 for the second."""
    features = torch.tensor([[1.0, 1.0], [0.1, -0.1]]).double()
    kernel = feature_kernel(features, torch.full((2,), 0.5).double())
    y = torch.tensor([-0.44, 0.99]).double()
    for column, value in ((0, Fraction(6361, 5550)), (1, Fraction(109, 222))):
        z = features[:, column]
        cross = ridge_cross_term(kernel, torch.outer(z, z), y, 0.1)
        assert float(cross) / 0.05 == pytest.approx(float(value), rel=1e-12)


def test_the_mean_over_the_atoms_of_the_second_example() -> None:
    """Atoms (2, .1) and (1, -.2), all halved: 1.08133 lambda on average; the claim's own averaging finds it."""
    features = torch.tensor([[1.0, 0.5], [0.05, -0.1]]).double().unsqueeze(0)
    halves = torch.full((1, 2), 0.5).double()
    bed = cross_term.FiniteSupport(features, halves, torch.tensor([0.025]).double())
    y = torch.tensor([[0.497, 0.753]]).double() / 2
    w = dual_coefficients(bed.kernel, y, bed.ridge)
    mean = cross_term._mean_cross_term(bed, w)
    assert float(squared_norm(bed.kernel, w)) == pytest.approx(0.99856, abs=1e-5)
    assert float(mean / (bed.ridge / 2)) == pytest.approx(1.08133, abs=1e-5)


def test_on_the_event_the_conclusion_of_16_can_fail_by_a_factor_ten() -> None:
    """The known instance: |Delta| = .4876 and 40.3 lambda."""
    slope = -0.4 * 1e-3**0.5 / (1e-7 + 1e-3) ** 0.5
    forall = replayed(log_kappa=-7.0, log_ridge=-3.0, slope=slope, angle=0.785)
    excess, bound = training_risk.training_risk_on_the_event_as_deduced(forall)
    assert float(excess / bound) == pytest.approx(40.318 / 4, rel=1e-3)


@pytest.mark.in_turn
@pytest.mark.parametrize("key", [key for key, claim in CLAIMS.items() if claim.expected == "refuted"])
def test_what_is_wrong_in_print_is_refuted_from_a_cold_start(key: str) -> None:
    assert bare_check(CLAIMS[key], seed=2026, family=300).status is Status.REFUTED


@pytest.mark.parametrize("key", ["uarff/lem-24[printed]", "uarff/lem-24-expectation[inferred]"])
def test_the_counterexamples_to_lemma_24_are_found_and_clearly_violate(key: str) -> None:
    """No instance is handed over: the claims have no `choice`, and the reduced violation is above one per cent."""
    claim = CLAIMS[key]
    verdict = bare_check(claim, seed=1)
    values = verdict.cells[0].counterexample
    assert values is not None
    assert values.lhs > 1.01 * values.rhs
    lhs, rhs = claim(replayed(**values.values))
    assert (float(lhs), float(rhs)) == pytest.approx((values.lhs, values.rhs), rel=1e-9)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("key", "factor"),
    [
        ("uarff/lem-22", 0.4),
        ("uarff/lem-27-atoms[corrected]", 0.3),
        ("uarff/lem-24[corrected]", 0.3),
        ("uarff/eq-16[printed]", 0.3),
        ("uarff/eq-16[corrected]", 0.3),
        ("uarff/lem-22-sup", 0.95),
        ("uarff/rem-23", 0.95),
        ("uarff/lem-24-expectation[corrected]", 0.25),
        ("uarff/eq-16-event[corrected]", 0.5),
    ],
)
def test_claims_with_a_smaller_right_side_are_refuted(key: str, factor: float) -> None:
    """Each of them can fail: the search comes that close."""
    wrong = falsified(CLAIMS[key], lambda lhs, rhs: (lhs, factor * rhs))
    assert is_refuted(wrong, family=1, seed=1)


@pytest.mark.in_turn
@pytest.mark.parametrize("key", ["uarff/lem-24[corrected]", "uarff/eq-16[printed]", "uarff/eq-16[corrected]"])
def test_what_stands_is_certified(key: str) -> None:
    assert bare_check(CLAIMS[key], seed=2026, family=300).status.favourable


def test_the_deterministic_bound_on_the_cross_term_holds_on_its_event() -> None:
    """sqrt(2 lambda R_n(f)) wherever K~ + n lambda >= K / 2; off the event some instance must exceed it."""
    n, count = 2, 4000
    features = 2 * instances(count, n, 3, seed=4) - 1
    probabilities = torch.nn.functional.normalize(instances(count, 3, seed=5) ** 4, p=1, dim=-1)
    kernel = feature_kernel(features, probabilities)
    ridge = 10 ** (-3 * instances(count, seed=6)) * designs.trace(kernel) / n
    counts = torch.nn.functional.one_hot(torch.arange(count) % 3, 3).to(kernel)
    drawn = sampled_kernel(features, probabilities, counts)
    directions = torch.nn.functional.normalize(instances(count, n, seed=7) - 0.5, dim=-1)
    targets = fitted_targets(kernel, unit_ball_coefficients(kernel, directions), ridge)
    residual_risk = (targets - kernel_ridge_fit(kernel, targets, ridge)).square().mean(-1)
    shifted = drawn + ridge[:, None, None] * torch.eye(n, dtype=torch.float64) - kernel / 2
    event = torch.linalg.eigvalsh(shifted)[..., 0] >= 0
    excess = ridge_cross_term(kernel, drawn, targets, ridge) / deterministic_cross_term_bound(ridge / n, residual_risk)
    assert event.sum() > 100
    assert excess[event].max() <= 1
    assert excess[~event].max() > 1
