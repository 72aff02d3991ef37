"""The lkrf claims: their bodies at instances known by hand or by enumeration, and the verdicts that must come out."""

import itertools
import math

import pytest
import torch

from harness.claims.lkrf import consistency, duality
from harness.quantifiers import Forall, from_values
from harness.testing import assert_claim


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def instance(**values) -> Forall:
    return Forall(from_values({name: tensor([value]) for name, value in values.items()}))


class Counts:
    """A draw that returns one given table of multinomial counts."""

    def __init__(self, counts) -> None:
        self.counts = tensor(counts)

    def multinomial(self, *_) -> torch.Tensor:
        return self.counts


def outcomes(n, classes):
    return [c for c in itertools.product(range(n + 1), repeat=classes) if sum(c) == n]


def odds(n, law):
    table = [
        math.factorial(n) * math.prod(p**k / math.factorial(k) for p, k in zip(law, counts, strict=True))
        for counts in outcomes(n, len(law))
    ]
    return tensor(table)


def test_duality_by_hand():
    """g = (1, 0), fair P, rho = 1/4: the weights are (3/4, 1/4)."""
    primal, dual = duality.duality_on_the_divergence_ball(instance(g=[1.0, 0.0], P=[0.5, 0.5]), k=2, N=2, rho=0.25)
    assert primal.item() == pytest.approx(0.75, rel=1e-14)
    assert dual.item() == pytest.approx(0.75, rel=1e-14)


def test_norm_bound_is_attained_on_the_sphere_only():
    direction = [0.3, -0.2, 0.9, 0.1]
    for share in (0.0, 0.5, 1.0):
        lhs, rhs = duality.weights_in_the_ball_have_small_norm(
            instance(direction=direction, share=share), k=2, N=4, rho=0.5
        )
        assert lhs.item() == pytest.approx(math.sqrt((1 + 0.5 * share**2) / 4), rel=1e-13)
        assert rhs == pytest.approx(math.sqrt(1.5 / 4))


@pytest.mark.parametrize("n", [2, 3, 5])
def test_alignment_error_is_that_of_the_u_statistic(n):
    """One feature, repeated: the supremum is |U - T|, U over all ordered pairs i != j, for every outcome of n draws.

    The U-statistic is unbiased, so U - T averages to zero; catches a kept diagonal or a wrong normalisation.
    """
    law, column, labels = [0.5, 0.25, 0.15, 0.1], [1.0, -0.5, 0.3, 0.8], [1.0, -1.0, 1.0, -1.0]
    forall = instance(law=law, features=[[x] * 8 for x in column], P0=[0.125] * 8, labels=labels)
    table = outcomes(n, 4)
    lhs, _ = consistency.alignment_is_consistent_in_the_data(forall, Counts(table), n=n, rho=0.5, delta=0.05)
    signed = [x * y for x, y in zip(column, labels, strict=True)]
    truth = sum(p * s for p, s in zip(law, signed, strict=True)) ** 2
    gaps = []
    for counts in table:
        sample = [s for s, k in zip(signed, counts, strict=True) for _ in range(k)]
        gaps.append(sum(a * b for a, b in itertools.permutations(sample, 2)) / (n * (n - 1)) - truth)
    torch.testing.assert_close(lhs, tensor(gaps).abs(), rtol=1e-12, atol=1e-12)
    assert (odds(n, law) @ tensor(gaps)).item() == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("k", [2, 3])
def test_empirical_suprema_by_enumeration(k):
    """Exact expectations over all samples of size N for 40 laws: at most the population's supremum, increasing in N."""
    generator = torch.Generator().manual_seed(6)
    for _ in range(40):
        law = torch.rand(3, dtype=torch.float64, generator=generator) ** 2
        law = (law / law.sum()).tolist()
        atoms = (2 * torch.rand(3, dtype=torch.float64, generator=generator) - 1).tolist()
        previous = -math.inf
        for size in (1, 2, 4):
            counts = Counts(outcomes(size, 3))
            lhs, rhs = duality.empirical_balls_are_pessimistic(instance(law=law, Z=atoms), counts, k=k, N=size, rho=0.7)
            mean = (odds(size, law) @ lhs).item()
            assert previous - 1e-12 <= mean <= rhs.item() + 1e-12
            previous = mean


@pytest.mark.parametrize(
    "claim",
    [
        duality.duality_on_the_divergence_ball,
        duality.weights_in_the_ball_have_small_norm,
        consistency.alignment_is_consistent_in_the_data,
        duality.empirical_balls_are_pessimistic,
    ],
    ids=lambda claim: claim.key,
)
def test_verdicts(claim):
    """Every claim of the slice holds."""
    assert_claim(claim)
