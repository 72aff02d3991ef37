"""The uarff claims: what their bodies construct is what the statements assume, and the verdicts come out by search."""

import pytest
import torch
from torch import Tensor

from algos.leverage import feature_kernel, operator_norm_deviation, sampled_kernel
from algos.ridge import dual_coefficients, kernel_ridge_fit, ridge_cross_term
from bounds.leverage import deterministic_cross_term_bound, printed_deviation_constant
from bounds.multinomial import uniform_deviation_probability
from harness import check
from harness.claims.uarff import approximation, complexity, designs, figure_1, leverage
from harness.quantifiers import Draw, Forall
from harness.registry import Claim, registered
from harness.verdict import Status

MODULES = (approximation, complexity, figure_1, leverage)
CLAIMS = {claim.key: claim for module in MODULES for claim in registered(module.__name__)}


def instances(*shapes: int, seed: int = 0) -> Tensor:
    return torch.rand(*shapes, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def test_the_slice_is_complete() -> None:
    """Both readings stand wherever print and truth differ."""
    both = {
        f"uarff/{name}[{reading}]" for name in ("lem-2", "lem-24", "lem-27") for reading in ("printed", "corrected")
    }
    assert both | {"uarff/lev-int", "uarff/lev-upper", "uarff/fig-1-half", "uarff/fig-1-third"} <= set(CLAIMS)
    assert all((claim.expected == "refuted") == (claim.reading == "printed") for claim in CLAIMS.values())


def test_targets_respect_the_assumptions_of_lemma_24() -> None:
    """The kernel ridge fit has norm at most 1 and n lambda is at most the largest eigenvalue, at random instances."""
    heights, p = 2 * instances(200, 2) - 1, 0.05 + 0.9 * instances(200, seed=1)
    features = torch.stack([torch.ones_like(heights), heights], dim=-2)
    kernel = feature_kernel(features, torch.stack([p, 1 - p], dim=-1))
    ridge = instances(200, seed=2) * designs.trace(kernel) / 2 + 1e-3
    directions = torch.nn.functional.normalize(instances(200, 2, seed=3) - 0.5, dim=-1)
    weights = dual_coefficients(kernel, designs.ridge_targets(kernel, ridge, directions), ridge)
    squared_norm = (weights * (kernel @ weights.unsqueeze(-1)).squeeze(-1)).sum(-1)
    assert squared_norm.max() <= 1 + 1e-9
    assert squared_norm.median() > 0.999
    assert (ridge - 1e-3 <= torch.linalg.eigvalsh(kernel)[..., -1] * (1 + 1e-12)).all()


def test_the_orthogonal_design_is_the_one_described() -> None:
    """The closed form in the claim is the operator norm of the real matrices, and the counts sum to s."""
    size = designs.orthogonal_count(5, 0.25, 0.1, printed_deviation_constant(0.5))
    draw = Draw(7, ("test",))
    ours = designs.orthogonal_deviation(draw, 5, 0.25, size)
    counts = Draw(7, ("test",)).multinomial("counts", size, [0.2] * 5)
    assert (counts.sum(-1) == size).all()
    drawn = sampled_kernel(5**0.5 * torch.eye(5).double(), torch.full((5,), 0.2).double(), counts)
    torch.testing.assert_close(ours, operator_norm_deviation(torch.eye(5).double(), drawn, 0.25))


def test_the_exact_reading_is_at_least_as_bad_as_the_simulated_cell() -> None:
    """At the simulated cell the exact failure probability of the printed count is 2.5 times delta."""
    (cell,) = CLAIMS["uarff/lem-27[printed]"].cells
    size = designs.orthogonal_count(300, cell["ridge"], 0.05, printed_deviation_constant(0.1))
    assert uniform_deviation_probability(size, 300, 0.1 * (1 + cell["ridge"])) > 0.12


@pytest.mark.parametrize("key", [key for key in CLAIMS if "fig-1" not in key])
def test_verdicts(key: str) -> None:
    """Printed readings are refuted by the search itself, everything else survives it, under a seed of its own."""
    claim = CLAIMS[key]
    verdict = check(claim, seed=2026, effort="quick", family=50)
    assert verdict.status is (Status.REFUTED if claim.expected == "refuted" else Status.HOLDS)


def test_the_counterexample_to_lemma_24_is_found_and_clearly_violates() -> None:
    """No instance is handed over: the claim has no `choice`, and the reduced violation is above one per cent."""
    claim = CLAIMS["uarff/lem-24[printed]"]
    verdict = check(claim, seed=1, effort="quick")
    values = verdict.cells[0].counterexample
    assert values is not None
    assert values["lhs"] > 1.01 * values["rhs"]
    lhs, rhs = sides(claim, values["values"])
    assert (lhs, rhs) == pytest.approx((values["lhs"], values["rhs"]), rel=1e-9)


def sides(claim: Claim, values: dict[str, object]) -> tuple[float, float]:
    forall = Forall(lambda space: torch.tensor([values[space.name]], dtype=torch.float64))
    lhs, rhs = claim(forall)
    return float(lhs), float(rhs)


@pytest.mark.parametrize("smoothness", [2.55, 5.0])
def test_the_excess_risk_decays_at_the_size_of_the_kernel_ridge_theory(smoothness: float) -> None:
    """Exact risks are positive and fall from n = 64 to n = 1024 by at least half of what the claim promises."""
    small, large = (figure_1._spline_excess_risk(Draw(101, ("decay", n)), n, n**-0.5, smoothness) for n in (64, 1024))
    assert (torch.cat([small, large]) > 0).all()
    assert large.mean() < small.mean() * (1024 / 64) ** -0.25


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
    targets = designs.ridge_targets(kernel, ridge, directions)
    residual_risk = (targets - kernel_ridge_fit(kernel, targets, ridge)).square().mean(-1)
    shifted = drawn + ridge[:, None, None] * torch.eye(n, dtype=torch.float64) - kernel / 2
    event = torch.linalg.eigvalsh(shifted)[..., 0] >= 0
    excess = ridge_cross_term(kernel, drawn, targets, ridge) / deterministic_cross_term_bound(ridge / n, residual_risk)
    assert event.sum() > 100
    assert excess[event].max() <= 1
    assert excess[~event].max() > 1
