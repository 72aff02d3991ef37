"""The nsrf claims: their bodies at instances known by hand or by enumeration, and the verdicts that must come out."""

import cmath
import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.claims.nsrf import alignment, potential, regret
from harness.testing import instance
from tests.helpers import expected_verdict


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


class Counts:
    """A draw that returns one given table of multinomial counts."""

    def __init__(self, counts) -> None:
        self.counts = tensor(counts)

    def multinomial(self, *_) -> torch.Tensor:
        return self.counts


COORDINATE = st.sampled_from([-0.5, 0.0, 0.5])  # few values: duplicated points and the zero vector are common


@st.composite
def alignments(draw):
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    masses = [draw(st.integers(0, 3)) for _ in range(m)]
    masses[0] += 1
    return {
        "n": n,
        "frequencies": m,
        "points": [[draw(COORDINATE), draw(COORDINATE)] for _ in range(n)],
        "labels": draw(st.sampled_from([[1.0] * n, [-1.0] * n, [(-1.0) ** i for i in range(n)]])),
        "weights": [draw(st.floats(0, 1)) for _ in range(n)],
        "omega": [[draw(st.sampled_from([0.0, 3.0, -7.25])), draw(st.floats(-5, 5))] for _ in range(m)],
        "measure": [mass / sum(masses) for mass in masses],
    }


@settings(deadline=None, max_examples=200)
@given(alignments())
def test_alignment_identity_with_duplicates_one_class_and_zero_frequencies(case):
    """Also n = 1 and 2; catches a lost cross term (the factor 2 between the classes) and a lost diagonal."""
    n, frequencies = case.pop("n"), case.pop("frequencies")
    aligned, integral = alignment.alignment_is_an_integral_of_the_potential(
        instance(**case), n=n, d=2, frequencies=frequencies
    )
    torch.testing.assert_close(aligned, integral, rtol=1e-12, atol=1e-12)
    direct = 0.0
    for mass, w in zip(case["measure"], case["omega"], strict=True):
        terms = zip(case["weights"], case["labels"], case["points"], strict=True)
        total = sum(a * y * cmath.exp(1j * (w[0] * x[0] + w[1] * x[1])) for a, y, x in terms)
        direct += mass * abs(total) ** 2
    assert aligned.item() == pytest.approx(direct, rel=1e-10, abs=1e-12)


def test_the_best_lipschitz_constant_is_half_of_the_printed_one():
    """Equal labels, half of the points at each of +-1, w = pi/4: the slope n^2 sin(pi/2) is attained."""
    forall = instance(points=[[1.0], [-1.0]], labels=[1.0, 1.0], omega=[[math.pi / 4]])
    slope, bound = potential.potential_is_lipschitz(forall, n=2, d=1)
    assert slope.item() == pytest.approx(4.0)
    assert bound.item() == 8.0


@pytest.mark.parametrize(("box", "norm", "printed", "corrected"), [(1.0, 14.0, 6.0, 18.0), (2.0, 30.0, 10.0, 34.0)])
def test_payoff_gradient_at_aligned_data(box, norm, printed, corrected):
    """Points 0, 0, 1, 1, labels + + - -, w = pi, every weight at the box."""
    values = {"box": box, "labels": [1.0, 1.0, -1.0, -1.0], "points": [[0.0], [0.0], [1.0], [1.0]]}
    values |= {"omega": [[math.pi]], "raw": [1.0] * 4}
    lhs, rhs = regret.payoff_gradient_as_printed(instance(**values), n=4)
    assert (lhs.item(), rhs.item()) == (pytest.approx(norm), printed)
    lhs, rhs = regret.payoff_gradient(instance(**values), n=4, mass=2)
    assert (lhs.item(), rhs.item()) == (pytest.approx(norm), corrected)


def test_online_ascent_at_constant_slopes():
    """D = 3, G = 1, T = 10 from 0: regret 2.075 against 1.423 with the printed steps, 0.3 with the others."""
    values = {"diameter": 3.0, "lipschitz": 1.0, "start": 0.0, "slopes": [1.0] * 10}
    average, bound = regret.online_ascent_with_printed_steps(instance(**values), T=10)
    assert average.item() == pytest.approx(2.075, abs=5e-4)
    assert bound.item() == pytest.approx(1.423, abs=5e-4)
    average, bound = regret.online_ascent(instance(**values), T=10)
    assert average.item() == pytest.approx(0.3)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_bias_by_enumeration(n):
    """All multinomial outcomes of three labelled points: the corrected statement is an equality, the printed is not."""
    law = [0.5, 0.2, 0.3, 0.0]
    outcomes = [c for c in itertools.product(range(n + 1), repeat=4) if sum(c) == n]
    odds = tensor(
        [
            math.factorial(n) * math.prod(p**k / math.factorial(k) for p, k in zip(law, counts, strict=True))
            for counts in outcomes
        ]
    )
    values = {"law": law, "points": [[0.0], [1.0], [2.5], [0.0]], "labels": [1.0, -1.0, 1.0, 1.0]}
    for side in (1, -1):
        lhs, rhs = potential.potential_bias(instance(**values), Counts(outcomes), n=n, side=side)
        assert (odds @ lhs).item() == pytest.approx(rhs.item(), rel=1e-13)
        lhs, rhs = potential.potential_is_unbiased_as_printed(instance(**values), Counts(outcomes), n=n, side=side)
        assert side * (odds @ lhs - rhs).item() == pytest.approx((1 - side * rhs.item()) / n)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "claim",
    [
        alignment.alignment_is_an_integral_of_the_potential,
        potential.potential_is_lipschitz,
        regret.payoff_gradient_as_printed,
        regret.payoff_gradient,
        regret.online_ascent_with_printed_steps,
        regret.online_ascent,
        potential.potential_is_unbiased_as_printed,
        potential.potential_bias,
    ],
    ids=lambda claim: claim.key,
)
def test_verdicts(claim):
    """The search finds every printed error by itself and convicts no true statement."""
    assert expected_verdict(claim, family=1).as_expected
