"""The uarff claims on kernels, scores, complexities and the algorithm: beds, known values, and falsehoods nearby."""

import itertools
import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from algos.complexity.local_rademacher import sub_root_fixed_point
from algos.ridge.leverage import sampled_kernel
from harness.claims.uarff import (
    algorithm_1,
    complexity,
    decomposition,
    leverage,
    local_complexity,
    refined_risk,
    spline_identity,
    variance_condition,
)
from harness.claims.uarff.finite_classes import class_complexity, example_complexity, quadratic_supremum
from harness.claims.uarff.finite_support import FiniteSupport
from harness.kinds import Identity
from harness.language.quantifiers import Forall
from harness.language.registry import registered
from harness.run.loading import ledger
from harness.verdict import Status
from tests.helpers import bare_check, falsified, instances, is_refuted

pytestmark = pytest.mark.usefixtures("double_precision")

MODULES = (
    algorithm_1,
    complexity,
    decomposition,
    leverage,
    local_complexity,
    refined_risk,
    spline_identity,
    variance_condition,
)
CLAIMS = {claim.key: claim for module in MODULES for claim in registered(module.__name__)}
PAGE = """
    eq-2-5 unbiased lev-int lev-upper gg-closed assump-3 def-1 lem-2 lem-3 lip-comp def-4 lem-5 lem-6 lem-7 lem-30
    prop-8 eq-7 lem-26 lem-27 rem-28 lem-29 lem-22 rem-23 lem-24 eq-16 eq-15 eq-17 eq-19 thm-9 cor-10 cor-11 thm-12
    lem-25 eq-10 eq-21 eq-22 thm-12-remarks thm-15 cor-17 cor-18 B.2 thm-19 thm-20 thm-20b thm-21 alg-1 cost-claims
    spline-id
"""


def test_every_row_of_the_page_exists() -> None:
    assert {f"uarff/{name}" for name in PAGE.split()} <= {claim.id for claim in ledger()}


@pytest.mark.in_turn
@pytest.mark.parametrize("key", [key for key, claim in CLAIMS.items() if claim.expected == "refuted"])
def test_what_is_wrong_in_print_is_refuted_from_a_cold_start(key: str) -> None:
    verdict = bare_check(CLAIMS[key], seed=2026, family=300)
    assert verdict.status is Status.REFUTED


TRUE_IDENTITIES = [key for key, c in CLAIMS.items() if isinstance(c.kind, Identity) and c.expected != "refuted"]


@pytest.mark.in_turn
@pytest.mark.parametrize("key", TRUE_IDENTITIES)
def test_identities_off_by_a_thousandth_are_refuted(key: str) -> None:
    """So that no identity compares a thing with itself, or zero with zero."""
    wrong = falsified(CLAIMS[key], lambda lhs, rhs: (lhs, 1.001 * rhs))
    assert is_refuted(wrong, family=1, seed=1)


TIGHT = [
    "uarff/lev-upper",
    "uarff/lev-upper-atom",
    "uarff/assump-3",
    "uarff/eq-2-5-footnote[corrected]",
    "uarff/prop-8",
    "uarff/lem-29",
    "uarff/eq-7-minimum",
    "uarff/lem-2[corrected]",
    "uarff/lip-comp",
    "uarff/def-4[corrected]",
    "uarff/lem-30",
    "uarff/B.2[corrected]",
    "uarff/B.2-chain",
    "uarff/eq-10[corrected]",
    "uarff/thm-12-remarks",
    "uarff/thm-12-fixed-points[corrected]",
]


@pytest.mark.in_turn
@pytest.mark.parametrize("key", TIGHT)
def test_inequalities_that_are_attained_are_refuted_five_per_cent_below(key: str) -> None:
    wrong = falsified(CLAIMS[key], lambda lhs, rhs: (lhs, 0.95 * rhs))
    assert is_refuted(wrong, family=1, seed=1)


@pytest.mark.in_turn
def test_the_fixed_point_property_fails_at_another_point() -> None:
    """With r* replaced by 1.1 r* the signs disagree somewhere: (psi(r) - r)(r - 1.1 r*) > 0."""
    claim = CLAIMS["uarff/lem-5[corrected]"]

    def body(forall: Forall, *, n: int) -> tuple[Tensor, float]:
        psi = local_complexity._spectral_function(forall, n)
        r = forall.interval("r", 0.0, 10.0)
        fixed = 1.1 * sub_root_fixed_point(psi, torch.ones_like(r), iterations=60)
        return (psi(r) - r) * (r - fixed), 0.0

    assert bare_check(replace(claim, body=body), seed=1).status is Status.REFUTED


def test_samples_of_features_are_enumerated_with_their_probabilities() -> None:
    """Against a loop over all ordered samples of two out of three features."""
    features, p = 2 * instances(1, 2, 3) - 1, torch.tensor([[0.2, 0.3, 0.5]]).double()
    q = torch.tensor([[0.6, 0.1, 0.3]]).double()
    kernels, probabilities = FiniteSupport(features, p, torch.ones(1).double()).every_sample(2, q)
    for k, (i, j) in enumerate(itertools.product(range(3), repeat=2)):
        counts = torch.zeros(3).double()
        counts[i] += 1
        counts[j] += 1
        torch.testing.assert_close(kernels[0, k], sampled_kernel(features[0], p[0], counts, sampling=q[0]))
        assert float(probabilities[0, k]) == pytest.approx(float(q[0, i] * q[0, j]), rel=1e-12)
    assert len(probabilities[0]) == 9


@pytest.mark.parametrize("laws", [[[0.7, 0.3], [1.0, 0.0]], [[0.5, 0.2, 0.3], [0.1, 0.9, 0.0]]])
def test_the_complexity_of_a_few_examples_is_that_of_all_samples_and_signs(laws: list[list[float]]) -> None:
    examples, n = len(laws[0]), 4
    values = 2 * instances(2, 3, examples) - 1
    found = example_complexity(values, torch.tensor(laws).double(), n)
    for b in range(2):
        expected = 0.0
        for sample in itertools.product(range(examples), repeat=n):
            weight = math.prod(laws[b][x] for x in sample)
            expected += weight * float(class_complexity(values[b : b + 1][..., list(sample)]))
        assert float(found[b]) == pytest.approx(expected, rel=1e-12)


def test_class_complexities_are_means_over_all_signs() -> None:
    values = 2 * instances(1, 2, 3) - 1
    signs = list(itertools.product((-1, 1), repeat=3))
    sums = [[sum(s * float(v) for s, v in zip(sign, f, strict=True)) for f in values[0]] for sign in signs]
    absolute = sum(max(abs(x) for x in row) for row in sums) * 2 / 3 / len(signs)
    plain = sum(max(row) for row in sums) / 3 / len(signs)
    assert float(class_complexity(values)) == pytest.approx(absolute, rel=1e-12)
    assert float(class_complexity(values, convention="plain")) == pytest.approx(plain, rel=1e-12)


def test_quadratic_suprema_against_a_fine_grid() -> None:
    curvature, slope = 4 * instances(200) - 2, 4 * instances(200, seed=1) - 2
    a = torch.linspace(-1.5, 1.5, 30_001, dtype=torch.float64)
    grid = (curvature[:, None] * a**2 + slope[:, None] * a).amax(-1)
    found = quadratic_supremum(curvature, slope, 1.5)
    assert (found >= grid - 1e-12).all()
    assert (found - grid).max() < 1e-7


@pytest.mark.parametrize(
    ("x", "y", "printed", "truth"), [(0.1, 0.35, 0.940810, 0.970405), (0.2, 0.2, 2.082321, 1.541160)]
)
def test_the_spline_identity_is_off_by_half_of_the_cosines(x: float, y: float, printed: float, truth: float) -> None:
    """Values of the full series at order 2, from quadrature elsewhere; six modes are within 0.005 of it."""
    forall = Forall(lambda space: torch.tensor([{"x": x, "y": y}[space.name]], dtype=torch.float64))
    integral, stated = spline_identity.product_rule_as_printed(forall, r=2)
    assert float(stated) == pytest.approx(printed, abs=5e-3)
    assert float(integral) == pytest.approx(truth, abs=5e-3)
    assert float(integral) - 1 == pytest.approx((float(stated) - 1) / 2, rel=1e-12)


def test_the_gaussian_bed_has_the_dimension_of_the_page() -> None:
    (first, second) = leverage.gaussian_leverage_integrates_to_the_dimension.cells
    for cell, dimension in ((first, 2.4882), (second, 13.0658)):
        sides = leverage.gaussian_leverage_integrates_to_the_dimension(**cell)
        assert [float(side) for side in sides] == pytest.approx([dimension] * 2, abs=5e-5)


def test_the_bound_on_25_fails_by_sigma_squared_and_the_source_s_factor_repairs_it() -> None:
    """Training risk 1 - 1/n and risk 1 + 1/n up to O(1/n^2): 2 (1 - 1/n) - (1 + 1/n) = 1 - 3/n."""
    for n in (100, 10_000):
        training, risk = refined_risk._constant_kernel(n)
        assert 2 * training - risk == pytest.approx(1 - 3 / n, abs=3 / n**2)
        assert 2 * training - 3 * risk == pytest.approx(-1, abs=6 / n)


def test_the_pool_of_algorithm_1_asks_for_more_features_than_it_holds() -> None:
    """Printed scores sum to s d; d = 3 * 3 / (3 + .03) for three orthogonal features and n lambda = lambda_1 / 100."""
    pool = torch.eye(3, 3, dtype=torch.float64).unsqueeze(0) * 3
    forall = Forall(lambda space: pool if space.name == "pool" else torch.tensor([0.01], dtype=torch.float64))
    total, held = algorithm_1.features_drawn_from_the_pool_as_printed(forall, n=3, s=3)
    assert held == 3
    assert float(total) == pytest.approx(3 * 9 / 3.03, rel=1e-12)


def test_the_star_hull_of_the_unit_ball_by_hand() -> None:
    """n = 1, z = 1, y = 2: losses up to 9, the smallest 1, hence 18 and 16; and a fine grid of the ball for n = 3."""
    values = {"z": torch.ones(1, 1).double(), "y": torch.full((1, 1), 2.0).double()}
    sides = refined_risk.translated_class_as_printed(Forall(lambda space: values[space.name]), n=1)
    assert [float(side) for side in sides] == [18.0, 16.0]
    z, y = 2 * instances(1, 3) - 1, 4 * instances(1, 3, seed=1) - 2
    sides = refined_risk.translated_class_as_printed(Forall(lambda space: {"z": z, "y": y}[space.name]), n=3)
    losses = (y - torch.linspace(-1, 1, 20_001).double().unsqueeze(-1) * z).square()
    fitted = losses[losses.mean(-1).argmin()]
    hull = torch.cat([losses, torch.zeros(1, 3).double()])
    for side, members in zip(sides, (hull, hull - fitted), strict=True):
        assert float(side) == pytest.approx(float(class_complexity(members.unsqueeze(0))), rel=1e-4)
