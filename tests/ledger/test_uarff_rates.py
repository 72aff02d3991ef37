"""The measured rates of uarff: formulas against brute force at small sizes, verdicts, and rates that are too fast."""

import math
from dataclasses import replace
from itertools import product

import pytest
import torch
from scipy import optimize
from torch import Tensor

from algos.ridge.leverage import (
    effective_dimension,
    feature_kernel,
    ridge_leverage_scores,
    unit_ball_approximation_ratio,
)
from algos.ridge.leverage_sampling import pool_leverage_scores
from algos.ridge.regression import kernel_ridge_fit
from harness.claims.uarff import (
    orthogonal_features,
    rates_features,
    rates_in_text,
    rates_lipschitz,
    rates_prior,
    rates_squared,
)
from harness.claims.uarff.orthogonal_features import (
    NOISE,
    Cells,
    finite_rank,
    hardest_sign_risk,
    hinge_values,
    logistic_values,
    polynomial,
)
from harness.language.quantifiers import Draw
from harness.language.registry import Claim, registered
from harness.verdict import Status
from tests.helpers import bare_check, holds_everywhere

CLAIMS = {
    c.key: c
    for m in (rates_features, rates_in_text, rates_lipschitz, rates_prior, rates_squared)
    for c in registered(m.__name__)
}
MEASURED = {key: claim for key, claim in CLAIMS.items() if claim.expected != "refuted"}


@pytest.mark.in_turn
@pytest.mark.parametrize("key", CLAIMS)
def test_verdicts(key: str) -> None:
    claim = CLAIMS[key]
    status = bare_check(claim, seed=11, effort="standard").status
    assert status is (Status.REFUTED if claim.expected == "refuted" else Status.HOLDS)


@pytest.mark.in_turn
@pytest.mark.parametrize("key", MEASURED)
def test_a_rate_faster_by_one_half_is_not_certified(key: str) -> None:
    """Every reading has a cell that comes close to its claim: a certificate says something."""
    claim = MEASURED[key]
    faster = replace(claim, kind=replace(claim.kind, exponent=claim.kind.exponent - 0.5))
    assert not holds_everywhere(faster, seed=11)


def test_there_are_enough_readings_and_each_differs() -> None:
    assert len(CLAIMS) >= 22
    assert len({(c.statement, c.restricts) for c in CLAIMS.values()}) == len(CLAIMS)


def cells(regularisation: float = 0.05) -> Cells:
    masses = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
    return Cells(masses, torch.tensor([0.2, 0.5, 0.3], dtype=torch.float64), regularisation)


def sample(counts: list[int]) -> tuple[Tensor, Tensor]:
    """Indicators (n, J) of the cells at n points, and n_j / n (1, J)."""
    indicators = torch.eye(len(counts), dtype=torch.float64).repeat_interleave(torch.tensor(counts), 0)
    return indicators, indicators.mean(0, keepdim=True)


def test_risk_of_ridge_regression_on_cells_is_that_of_the_kernel_matrix() -> None:
    """Mean over all signs of the noise of the squared distance on the population; a cell without points keeps zero."""
    bed, counts = cells(), [3, 2, 0]
    indicators, shares = sample(counts)
    n, kernel = len(indicators), torch.tensor([[0.3, 0.1, 0.4]], dtype=torch.float64)
    target, ridge = bed.hardest_target(), n * bed.regularisation
    gram = (indicators * kernel) @ indicators.mT
    risks = []
    for signs in product((-NOISE, NOISE), repeat=n):
        y = indicators @ target + torch.tensor(signs, dtype=torch.float64)
        dual = torch.linalg.solve(gram + ridge * torch.eye(n), y)
        torch.testing.assert_close(gram @ dual, kernel_ridge_fit(gram, y, torch.tensor(ridge)))
        risks.append(bed.masses @ (kernel[0] * (indicators.mT @ dual) - target).square())
    torch.testing.assert_close(bed.squared_risk(n, shares, kernel), torch.stack(risks).mean().reshape(1))


def test_risk_on_the_circle_is_that_of_regression_on_equally_spaced_points() -> None:
    """Trigonometric features on 7 points, noise averaged in closed form by its covariance."""
    n = 7
    bed = Cells.on_the_circle(polynomial(1.5, 4), 0.1)
    angles = 2 * math.pi * torch.arange(n, dtype=torch.float64) / n
    features = 2**0.5 * torch.stack([angles.cos(), angles.sin(), (2 * angles).cos(), (2 * angles).sin()], -1)
    assert features.abs().max() <= bed.feature_bound
    kernel = torch.tensor([[0.3, 0.0, 0.4, 0.1]], dtype=torch.float64)
    gram = (features * kernel) @ features.mT
    fit = (kernel.mT * features.mT) @ torch.linalg.inv(gram + n * bed.regularisation * torch.eye(n))
    target = bed.hardest_target()
    expected = (fit @ features @ target - target).square().sum() + NOISE**2 * fit.square().sum()
    torch.testing.assert_close(bed.squared_risk(n, bed.shares(Draw(1, ("test",)), n), kernel)[0], expected)


def test_scores_and_dimension_are_those_of_the_kernel_matrix() -> None:
    bed, (indicators, shares) = cells(), sample([4, 3, 3])
    n = len(indicators)
    ridge = torch.tensor(n * bed.regularisation)
    kernel = feature_kernel(indicators, bed.spectral)
    scores = ridge_leverage_scores(indicators, bed.spectral, ridge)
    ours = bed.spectral * shares / (bed.spectral * shares + bed.regularisation)
    torch.testing.assert_close(ours[0], scores)
    torch.testing.assert_close(ours.sum(), effective_dimension(kernel, ridge))
    exact = replace(bed, masses=shares[0])
    assert exact.dimension == pytest.approx(float(scores.sum()), rel=1e-12)


def test_pool_scores_add_up_over_equal_features() -> None:
    """Features that Algorithm 1 draws more than once into its pool share the score of their cell."""
    bed, (indicators, shares) = cells(), sample([4, 3, 3])
    drawn = torch.tensor([0, 1, 1, 1, 2])
    pool = indicators[:, drawn]
    scores = pool_leverage_scores(pool.mT @ pool, torch.tensor(len(indicators) * bed.regularisation))
    weights = torch.tensor([1.0, 3.0, 1.0], dtype=torch.float64) / 5
    ours = weights * shares[0] / (weights * shares[0] + bed.regularisation)
    torch.testing.assert_close(torch.zeros(3).double().index_add(0, drawn, scores), ours)


@pytest.mark.parametrize("scheme", ["leverage", "plain", "pool"])
def test_sampled_kernels_have_the_kernel_as_their_mean(scheme: str) -> None:
    """With weights p / q; the mean of 20,000 lies within six of its standard errors."""
    bed, (_, shares) = cells(), sample([4, 3, 3])
    draw = Draw(20_000, ("test", scheme))
    kernel = bed.kernel(draw, shares.expand(draw.reps, -1), scheme)  # type: ignore[arg-type]
    error = kernel.std(0) / draw.reps**0.5
    assert ((kernel.mean(0) - bed.spectral).abs() <= 6 * error).all()
    assert (error > 0).all()


def test_approximation_error_is_that_of_the_unit_ball() -> None:
    """lambda max p / (k + lambda) against the largest eigenvalue of K^1/2 (K~ + n lambda)^-1 K^1/2."""
    bed, (indicators, _) = cells(), sample([4, 3, 3])
    k = torch.tensor([0.1, 0.6, 0.3], dtype=torch.float64)
    shares, ridge = torch.tensor([0.4, 0.3, 0.3]).double(), torch.tensor(10 * bed.regularisation)
    kernel, approximation = (feature_kernel(indicators, w / w.sum()) * w.sum() for w in (bed.spectral, k))
    ratio = unit_ball_approximation_ratio(kernel, approximation, ridge)
    expected = (bed.spectral * shares / (k * shares + bed.regularisation)).max()
    torch.testing.assert_close(ratio, expected)


def test_lipschitz_learners_minimise_their_objectives() -> None:
    a, b, k = (torch.tensor([x], dtype=torch.float64) for x in (0.2, 0.3, 0.4))
    for lam in (1e-3, 0.1, 2.0):
        logistic = optimize.minimize_scalar(
            lambda g, lam=lam: 0.2 * math.log1p(math.exp(-g)) + 0.3 * math.log1p(math.exp(g)) + lam * g * g / 0.4,
            options={"xtol": 1e-12},
        )
        assert float(logistic_values(a, b, k, lam)) == pytest.approx(logistic.x, abs=1e-7)
        grid = torch.linspace(-2, 2, 40_001).double()
        hinge = 0.2 * (1 - grid).clamp_min(0) + 0.3 * (1 + grid).clamp_min(0) + lam * grid.square() / 0.4
        assert float(hinge_values(a, b, k, lam)) == pytest.approx(float(grid[hinge.argmin()]), abs=2e-4)
    nothing = torch.zeros_like(k)
    assert logistic_values(a, b, nothing, 0.1) == hinge_values(a, b, nothing, 0.1) == 0.0


def test_sign_features_leave_the_predicted_loss() -> None:
    """s = 1 feature of two, all four points of the population: a linear search over both weights; then its mean."""
    p, lam = torch.tensor([0.8, 0.2], dtype=torch.float64), 0.3
    points = torch.tensor(list(product((-1.0, 1.0), repeat=2)), dtype=torch.float64)
    weights = torch.linspace(-1, 1, 4001).double()
    for target, drawn in product(range(2), repeat=2):
        y, feature = p[target].sqrt() * points[:, target], points[:, drawn]
        losses = (y - weights.unsqueeze(-1) * feature).abs().mean(-1) + lam * weights.square()  # k = 1: p = q, s = 1
        best = weights[losses.argmin()]
        risk = (y - best * feature).abs().mean()
        predicted = (p[target].sqrt() - (drawn == target) / (2 * lam)).clamp_min(0)
        assert float(risk) == pytest.approx(float(predicted), abs=1e-3)


def test_mean_loss_over_counts_is_that_of_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The binomial sum against counts drawn one by one, with so few features that up to two are not enough."""
    monkeypatch.setattr(orthogonal_features, "PRINTED_THEOREM_CONSTANT", 0.2)
    p, lam = torch.tensor([0.6, 0.25, 0.15], dtype=torch.float64), 0.2
    exact = Cells(torch.ones(3).double(), p, lam)
    s = exact.count("plain")
    counts = Draw(200_000, ("test",)).multinomial("features", s, p)
    losses = (p.sqrt() - counts / s / (2 * lam)).clamp_min(0)
    mean, error = losses.mean(0), losses.std(0) / 200_000**0.5
    worst = int(mean.argmax())
    found = hardest_sign_risk(p, lam, exact.dimension, "plain")
    assert abs(found - float(mean[worst])) <= 6 * float(error[worst])
    assert float(error[worst]) > 0


def test_targets_have_norm_one_and_spectra_are_as_said() -> None:
    bed = cells()
    assert float((bed.hardest_target().square() / bed.spectral).sum()) == pytest.approx(1.0)
    for spectrum in (finite_rank(0.01, "fixed"), finite_rank(0.01, "lambda")):
        torch.testing.assert_close(Cells.equal_halves(spectrum, 0.1).eigenvalues, spectrum)
    assert float(finite_rank(0.01, "lambda")[-1]) == 0.01


def test_too_few_features_are_seen() -> None:
    """With n^(1/16) log n features drawn by leverage, Table 1's polynomial row is not certified."""
    claim: Claim = CLAIMS["uarff/rate-tab-1-polynomial"]

    def fewer(draw: Draw, *, n: int, scheme: str) -> Tensor:
        bed = Cells.equal_halves(polynomial(3.0, 512), n**-0.5)
        shares = bed.shares(draw, n)
        count = math.ceil(n ** (1 / 16) * math.log(n) / 4)
        return bed.squared_risk(n, shares, bed.leverage_kernel(draw, bed.spectral, shares, count))

    leverage = tuple(cell for cell in claim.cells if cell["scheme"] == "leverage")
    assert bare_check(replace(claim, body=fewer, cells=leverage), seed=11).status is not Status.HOLDS


def test_parts_that_are_missed_are_summed_in_full() -> None:
    """Against a sum of a million terms."""
    index = torch.arange(1, 10**6 + 1, dtype=torch.float64)
    p = index**-2 * 6 / math.pi**2
    weights = index**-1.1 / 10.584448464950809
    for s in (1, 100, 10**6):
        exact = float((p * weights * (s * torch.log1p(-p)).exp()).sum())
        assert rates_features.missed_by_plain_features(s, 2.0) == pytest.approx(exact, rel=1e-4)


def test_what_the_best_features_leave_and_the_cuts_by_hand() -> None:
    """Sums of a_j^2 beyond three signs; (10) over log n / n at n = 1e4 and 1e8, A = .9."""
    index = torch.arange(1, 10**6 + 1, dtype=torch.float64)
    shares = index**-2 * 6 / math.pi**2 * index**-1.1 / 10.584448464950809
    assert rates_in_text._least(3, 2.0) == pytest.approx(float(shares[3:].sum()), rel=1e-6)
    cuts = (rates_in_text.cut_of_the_text, rates_in_text.cut_by_the_ratio)
    found = [[cut(n=n, ratio=0.9) * n / math.log(n) for n in (10**4, 10**8)] for cut in cuts]
    assert found == [[pytest.approx(20.32, abs=0.01), pytest.approx(599.6, abs=0.1)], [pytest.approx(9.7, abs=0.3)] * 2]


@pytest.mark.parametrize("n", [3, 20])
def test_the_best_linear_learner_against_the_least_favourable_target(n: int) -> None:
    """Pinsker's risk is the largest of sum_i theta_i^2 e / (theta_i^2 + e), e = sigma^2 / n, over the unit ball."""
    mu, e = torch.arange(1, n + 1).double() ** -2.0 * 6 / math.pi**2, rates_prior.NOISE**2 / n
    logits = torch.zeros(n, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([logits], max_iter=500, line_search_fn="strong_wolfe", tolerance_change=1e-14)

    def risk() -> Tensor:
        energy = mu * logits.softmax(-1)
        return (energy * e / (energy + e)).sum()

    def loss() -> Tensor:
        optimiser.zero_grad()
        value = -risk()
        value.backward()
        return value

    optimiser.step(loss)
    assert float(risk().detach()) == pytest.approx(rates_prior._linear_minimax_risk(n, 2.0), rel=1e-6)
