"""The experiments of uarff: modes agree with features, theory with exact derivatives, and wrong variants fail."""

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from algos.ridge.regression import dual_coefficients
from algos.ridge.spline import spline_excess_risk, spline_kernel, spline_ridge_coefficients
from harness.claims.full_size import FULL
from harness.claims.uarff import feature_counts, figure_1, figure_2, table_10
from harness.claims.uarff.feature_pool import Parts, Pool, Selection, cosines, percent_wrong, root_mean_square
from harness.claims.uarff.spline_modes import (
    SplineProblem,
    modal_gram,
    modal_ridge,
    modal_sums,
    modal_values,
    population_fit,
)
from harness.errors import SkipClaim
from harness.language.quantifiers import Draw
from harness.settings import QUICK
from harness.verdict import Status
from tests.helpers import as_tuples, bare_check


def uniform(*shape: int, seed: int = 0) -> Tensor:
    return torch.rand(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def dense_risk(problem: SplineProblem, centres: Tensor, points: Tensor, targets: Tensor) -> Tensor:
    """The same estimator from its n x s features and normal equations."""
    psi = modal_values(points, problem.modes)
    features = psi * problem.weights @ modal_values(centres, problem.modes).mT
    ridge = centres.shape[-1] * points.shape[-1] * problem.regularisation
    system = features.mT @ features + ridge * torch.eye(centres.shape[-1]).double()
    beta = torch.linalg.solve(system, features.mT @ targets)
    return problem.excess_risk(problem.weights * (modal_values(centres, problem.modes).mT @ beta))


def test_sums_over_modes_are_what_they_say():
    """K is no multiple of the table's step, and the batch needs several tables."""
    points, weights = uniform(3, 9000), uniform(3, 2, 9000, seed=1) - 0.5
    k = torch.arange(37, dtype=torch.float64)
    direct = torch.exp(2j * math.pi * points.unsqueeze(-1) * k)
    torch.testing.assert_close(modal_sums(points, weights, 37), weights.to(direct.dtype) @ direct, atol=1e-9, rtol=0)
    psi = modal_values(points, 9)
    torch.testing.assert_close(modal_gram(points, 9), psi.mT @ psi, atol=1e-9, rtol=0)


def test_ridge_in_modes_is_ridge_on_features_and_with_the_mean_operator_kernel_ridge():
    problem = SplineProblem(1, 1.55, 0.05, modes=12)
    points, centres, noise = uniform(60), uniform(17, seed=1), uniform(60, seed=2)
    targets = spline_kernel(points - 0.3, 1.55) + noise
    fitted = modal_ridge(problem.feature_operator(centres), points, targets[None], modes=12, ridge=60 * 0.05)
    torch.testing.assert_close(problem.excess_risk(fitted[0]), dense_risk(problem, centres, points, targets))
    psi = modal_values(points, 12)
    coefficients = dual_coefficients(psi * problem.weights**2 @ psi.mT, targets, 60 * 0.05)
    fitted = modal_ridge(torch.diag(problem.weights**2), points, targets[None], modes=12, ridge=60 * 0.05)
    torch.testing.assert_close(fitted[0], problem.weights**2 * (psi.mT @ coefficients))


def test_many_modes_give_the_untruncated_features_of_order_2():
    """Two programs with nothing in common: piecewise polynomials and Fourier sums."""
    points, centres = uniform(2, 500), uniform(2, 20, seed=1)
    targets = spline_kernel(points - 0.3, 2.55) + uniform(2, 500, seed=2)
    problem = SplineProblem(2, 2.55, 0.1, modes=300)
    fitted = modal_ridge(problem.feature_operator(centres), points, targets.unsqueeze(-2), modes=300, ridge=50.0)
    exact = spline_ridge_coefficients(points, centres, targets, order=2, ridge=50.0)
    risk = spline_excess_risk(exact, centres, order=2, smoothness=2.55, origin=0.3)
    torch.testing.assert_close(problem.excess_risk(fitted[:, 0]), risk, rtol=1e-4, atol=0)


@pytest.mark.parametrize("inside", [False, True])
def test_the_prices_in_theory_are_exact_second_derivatives(inside):
    """Prices of random features and points are half the second derivative, averaged over one feature or point.

    A mean over 4 M + 1 equidistant centres integrates the trigonometric polynomials exactly.
    """
    problem = SplineProblem(1, 3.0 if inside else 1.55, 0.03, modes=5)
    w, f, lam = problem.weights, problem.regression, problem.regularisation
    psi = modal_values(torch.arange(21).double() / 21, 5)
    deviations = w.unsqueeze(-1) * (psi.unsqueeze(-1) * psi.unsqueeze(-2) - torch.eye(11).double()) * w
    resolvent = torch.diag(1 / (w**2 + lam))

    def price(left: Tensor) -> float:
        start = resolvent @ (f / left)
        first = (resolvent @ deviations @ start.unsqueeze(-1)).squeeze(-1)
        second = (resolvent @ deviations @ first.unsqueeze(-1)).squeeze(-1)
        value = (left * first).square().sum(-1) + 2 * ((left * start) * (left * second)).sum(-1)
        return float(lam**2 * value.mean())

    predicted = problem.predicted_risk(1.0, 1.0)
    assert predicted.features == pytest.approx(price(torch.ones(11).double()), rel=1e-10)
    assert predicted.points == pytest.approx(price(w), rel=1e-10)
    exact = population_fit(problem, torch.diag(w**2))
    assert predicted.bias == pytest.approx(float(problem.excess_risk(exact)), rel=1e-10)


def test_counts_follow_the_corollaries():
    problem = SplineProblem(2, 5.0, 0.01, modes=48)
    d = problem.effective_dimension
    assert problem.leverage_count() == math.ceil(5 * d * math.log(160 * d))
    largest = float(
        modal_values(torch.zeros(1).double(), 48) @ (problem.weights * modal_values(torch.zeros(1).double(), 48)[0])
    )
    assert problem.plain_count() == math.ceil(5 * largest**2 / 0.01 * math.log(160 * d))


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(figure_1, "SIZES", (128, 256, 512))


def test_simulated_risks_are_near_theory_in_a_short_run(short):
    """Rows carry both numbers, per curve and n, and the slopes come last; both values of t share their draws."""
    rows = figure_1.risk_and_theory_with_the_square_root_regulariser(Draw(8, ("test",)))
    risks = [row for row in as_tuples(rows) if row[0].endswith("log10 of the excess risk")]
    assert len(risks) == 2 * 2 * 2
    assert max(abs(ours - theory) for _, ours, _, theory in risks) < figure_1.FACTOR
    slopes = {label: (ours, theory) for label, ours, _, theory in as_tuples(rows) if label.startswith("slope")}
    assert len(rows) == len(risks) + len(slopes) == 8 + 4
    drop = [(last[k] - first[k]) / math.log10(4) for first, last in [risks[:2]] for k in (1, 3)]
    assert slopes["slope, (r, t) = (1, 1.55)"] == pytest.approx(tuple(drop))


@pytest.mark.parametrize("part", ["bias", "noise"])
def test_theory_without_one_of_its_parts_is_refuted(short, monkeypatch, part):
    whole = SplineProblem.predicted_risk

    def without(self: SplineProblem, n: float, features: float):
        risk = whole(self, n, features)
        return type(risk)(**{**vars(risk), part: 1e-9})

    monkeypatch.setattr(SplineProblem, "predicted_risk", without)
    if part == "noise":  # the larger part inside the space only for little data
        monkeypatch.setattr(figure_1, "NOISE", 1.5)
    assert bare_check(figure_1.risk_and_theory_with_the_square_root_regulariser).status is Status.REFUTED


def test_the_rate_is_tight_only_for_as_many_features_as_the_corollary_asks_for(monkeypatch):
    """With d squared features the exponent of lambda inside the space is larger, and the row leaves its tolerance."""
    exponent = figure_1._exponent_in_theory(2, "inside").ours
    monkeypatch.setattr(SplineProblem, "leverage_count", lambda self: math.ceil(5 * self.effective_dimension**2))
    steeper = figure_1._exponent_in_theory(2, "inside").ours
    tolerance = figure_1.the_rate_is_tight_up_to_a_logarithm.kind.tolerance
    assert abs(exponent - 1) < tolerance < steeper - 1


def test_full_experiments_run_only_where_asked_for(monkeypatch):
    for claim, parameters in (
        (figure_1.simulated_and_theoretical_risk_in_full, {"regulariser": "n^-1/2"}),
        (table_10.leverage_weighted_features_in_the_tails_at_full_size, {}),
    ):
        monkeypatch.delenv(FULL, raising=False)
        with pytest.raises(SkipClaim, match=f"{FULL}=1 tightrope check {claim.id}"):
            claim(draw=Draw(2, ("test",)), **parameters)
    monkeypatch.setenv(FULL, "1")
    monkeypatch.setattr(figure_1, "SIZES", (128, 256))
    monkeypatch.setattr(table_10, "PRINTED", TINY)
    rows = table_10.leverage_weighted_features_in_the_tails_at_full_size(draw=Draw(2, ("test",)))
    assert [printed for *_, printed in as_tuples(rows)].count(0.0) == 1


def test_at_the_count_of_the_bound_the_risk_is_small_and_with_two_features_it_is_not(monkeypatch):
    monkeypatch.setattr(SplineProblem, "plain_count", lambda *_: 999)
    assert bare_check(feature_counts.risk_against_the_number_of_features).status is Status.HOLDS
    monkeypatch.setattr(SplineProblem, "leverage_count", lambda *_: 2)
    assert bare_check(feature_counts.risk_against_the_number_of_features).status is Status.REFUTED


TINY = table_10.Sizes(points=300, pool=120, features=30)


def by_the_wrong_end(self: Pool, count: int, scores, *, generator) -> list[Selection]:
    """Features of the lowest frequencies, where the target has none."""
    order = self.features[:, :-1].square().sum(-1).argsort()[:count]
    return [Selection(order, torch.ones(count).double())]


def test_leverage_weights_help_in_the_tails_and_bad_weights_do_not(monkeypatch):
    monkeypatch.setattr(table_10, "REDUCED", TINY)
    monkeypatch.setattr(table_10, "WIDTHS", (1.0, 2.0))
    row = table_10.leverage_weighted_features_in_the_tails(Draw(20, ("test",)))[0]
    assert row.name.startswith("plain - leverage, frequencies of width 1")
    assert row.ours > row.printed == 0.0
    monkeypatch.setattr(Pool, "by_leverage", by_the_wrong_end)
    sixteen = replace(QUICK.bare(), replicates=16)  # eight data sets
    assert bare_check(table_10.leverage_weighted_features_in_the_tails, effort=sixteen).status is Status.REFUTED


def test_the_synthetic_target_is_as_described(monkeypatch):
    """Catches noise on the test targets, noise of another size, and other inputs."""
    noisy = table_10.synthetic_problem(4000, generator=torch.Generator().manual_seed(0))
    monkeypatch.setattr(table_10, "NOISE", 0.0)
    exact = table_10.synthetic_problem(4000, generator=torch.Generator().manual_seed(0))
    assert [len(part[1]) for part in (exact.train, exact.validation, exact.test)] == [4000, 1500, 2000]
    assert torch.equal(noisy.test[1], exact.test[1])
    assert float((noisy.train[1] - exact.train[1]).std()) == pytest.approx(0.1, rel=0.1)
    assert float(exact.train[0].var()) == pytest.approx(5, rel=0.1)
    assert 0.5 < float(exact.test[1].std()) < 2


def test_a_pool_fits_what_normal_equations_fit_and_chooses_on_the_validation_part():
    x = [2 * uniform(60, 3, seed=k) - 1 for k in range(3)]
    y = [torch.sin(3 * points).sum(-1) for points in x]
    parts = Parts(*zip(x, y, strict=True))
    generator = torch.Generator().manual_seed(0)
    pool = Pool.of(parts, torch.randn(25, 3, dtype=torch.float64, generator=generator), generator=generator)
    z = [cosines(points, pool.features) for points in x]
    expected = []
    for regularisation in (1e-7, 1e-6, 1e-5, 1e-4, 1e-3):
        beta = torch.linalg.solve(z[0].mT @ z[0] + 25 * 60 * regularisation * torch.eye(25).double(), z[0].mT @ y[0])
        expected.append([float(root_mean_square(z[k] @ beta, y[k])) for k in (1, 2)])
    assert pool.best(parts, [pool.everything()], loss=root_mean_square).tolist() == pytest.approx(
        min(expected), rel=1e-6
    )
    for chosen in pool.plain(10, 2, generator=generator):
        assert chosen.indices.unique().numel() == 10
    (chosen,) = pool.by_leverage(2000, pool.scores((1e-3,), 60), generator=generator)
    weighted = z[0][:, chosen.indices] * chosen.weights
    kernel, approximation = z[0] @ z[0].mT / 25, weighted @ weighted.mT / 2000
    unweighted = z[0][:, chosen.indices] @ z[0][:, chosen.indices].mT / 2000
    assert (approximation - kernel).norm() < 0.5 * (unweighted - kernel).norm()


def test_percent_wrong_counts_signs():
    assert float(percent_wrong(torch.tensor([1.0, -2.0, 0.0, 3.0]), torch.tensor([1.0, 1.0, 1.0, 1.0]))) == 50.0


def test_the_comparison_on_data_notices_bad_features(monkeypatch):
    """Constant features in place of leverage-weighted ones cost far more than a tenth of the error."""
    monkeypatch.setattr(figure_2, "FEW", figure_2.Counts((5, 10), pool=40, repetitions=10))
    rows = figure_2.leverage_weighted_features_on_bundled_data(Draw(2, ("test",)))
    assert len(rows) == 1 + 2 * 2
    assert rows[0].printed == 0.0

    def constant(self: Pool, count: int, scores, *, generator) -> list[Selection]:
        return [Selection(torch.arange(1), torch.zeros(1).double())]

    monkeypatch.setattr(Pool, "by_leverage", constant)
    assert bare_check(figure_2.leverage_weighted_features_on_bundled_data).status is Status.REFUTED
