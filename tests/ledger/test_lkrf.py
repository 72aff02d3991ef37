"""The lkrf claims on the ball, its dual and moments: their bodies at instances known by hand or by enumeration."""

import itertools
import math

import pytest
import torch
from scipy import integrate

from harness import testing
from harness.claims.lkrf import ball, consistency, duality, moments
from harness.claims.lkrf.multinomial_laws import all_counts, all_signs
from harness.language.quantifiers import Forall, from_values


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def instance(**values) -> Forall:
    """One instance; names with spaces are written with two underscores."""
    return testing.instance({name.replace("__", " "): value for name, value in values.items()})


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


def test_all_counts_are_enumerated_with_their_probabilities():
    law = [[0.5, 0.3, 0.2], [1.0, 0.0, 0.0]]
    for size in (1, 2, 5):
        counts, probabilities = all_counts(tensor(law), size)
        assert [tuple(map(int, row)) for row in counts.tolist()] == outcomes(size, 3)
        torch.testing.assert_close(probabilities, torch.stack([odds(size, row) for row in law]))
        torch.testing.assert_close(probabilities.sum(-1), tensor([1.0, 1.0]))


def test_all_signs_are_the_vertices_of_the_cube():
    for count in (1, 3):
        assert [tuple(row) for row in all_signs(count, like=tensor([0.0])).tolist()] == list(
            itertools.product((-1.0, 1.0), repeat=count)
        )


def test_duality_by_hand():
    """g = (1, 0), fair P, rho = 1/4: the weights are (3/4, 1/4)."""
    primal, dual = duality.duality_on_the_divergence_ball(instance(g=[1.0, 0.0], P=[0.5, 0.5]), k=2, N=2, rho=0.25)
    assert primal.item() == pytest.approx(0.75, rel=1e-14)
    assert dual.item() == pytest.approx(0.75, rel=1e-14)


@pytest.mark.parametrize("scaling", duality.SCALINGS)
def test_the_best_multiplier_of_the_full_dual_reaches_the_supremum(scaling):
    """The same problem: weights 3/2 and 1/2 times P, so that lambda and eta solve (g - eta)/lambda = f'(3/2), f'(1/2).

    f' differs by the factor k between the scalings, hence lambda by its inverse.
    """
    factor = 2.0 if scaling == "t^k - 1" else 1.0  # f'(t) = factor t
    multiplier, eta = 1 / factor, 1 - 1.5
    values = {"g": tensor([[1.0, 0.0]]), "P": tensor([[0.5, 0.5]])}
    values |= {"lambda": tensor([multiplier]), "eta": tensor([eta])}
    lhs, rhs = duality.dual_objective_is_above_the_supremum(
        Forall(from_values(values)), k=2, N=2, rho=0.25, scaling=scaling
    )
    assert lhs.item() - 2 == pytest.approx(0.75, rel=1e-14)
    assert rhs.item() - 2 == pytest.approx(0.75, rel=1e-14)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_conjugates_by_a_grid(k):
    """sup over t >= 0 on a grid finer than the claims' own search: from below, and within its resolution."""
    s = tensor([-2.0, 0.0, 0.3, 1.0, 4.0])
    t = torch.linspace(0, 5, 200_001, dtype=torch.float64)
    for scaling in duality.SCALINGS:
        values = s.unsqueeze(-1) * t - duality.generator(t, k, scaling)
        torch.testing.assert_close(values.amax(-1), duality.conjugate(s, k, scaling), rtol=0, atol=1e-8)


def test_norm_bound_is_attained_on_the_sphere_only():
    direction = [0.3, -0.2, 0.9, 0.1]
    for share in (0.0, 0.5, 1.0):
        lhs, rhs = ball.weights_in_the_ball_have_small_norm(
            instance(direction=direction, share=share), k=2, N=4, rho=0.5
        )
        assert lhs.item() == pytest.approx(math.sqrt((1 + 0.5 * share**2) / 4), rel=1e-13)
        assert rhs == pytest.approx(math.sqrt(1.5 / 4))


def test_sharp_norm_is_attained_by_uniform_weights_on_half_the_entries():
    """k = 3, N = 10, rho = 3: five entries of 1/5 have divergence 10^2 5 / 5^3 - 1 = 3 and norm 1 / sqrt 5."""
    direction = [1.0] * 5 + [0.0] * 5
    lhs, rhs = ball.weights_in_the_ball_have_smaller_norm(instance(direction=direction, share=1.0), k=3, N=10, rho=3.0)
    assert lhs.item() == pytest.approx(1 / math.sqrt(5), rel=1e-12)
    assert rhs == pytest.approx(1 / math.sqrt(5), rel=1e-14)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_alignment_error_is_that_of_the_u_statistic(n):
    """One feature, repeated: the supremum is |U - T|, U over all ordered pairs i != j, for every outcome of n draws.

    The U-statistic is unbiased, so U - T averages to zero; catches a kept diagonal or a wrong normalisation.
    """
    law, column, labels = [0.5, 0.25, 0.15, 0.1], [1.0, -0.5, 0.3, 0.8], [1.0, -1.0, 1.0, -1.0]
    forall = instance(law=law, features=[[x] * 8 for x in column], P0=[0.125] * 8, labels=labels)
    table = outcomes(n, 4)
    lhs, _ = consistency.alignment_is_consistent_in_the_data(forall, Counts(table), k=2, n=n, rho=0.5, delta=0.05)
    signed = [x * y for x, y in zip(column, labels, strict=True)]
    truth = sum(p * s for p, s in zip(law, signed, strict=True)) ** 2
    gaps = []
    for counts in table:
        sample = [s for s, k in zip(signed, counts, strict=True) for _ in range(k)]
        gaps.append(sum(a * b for a, b in itertools.permutations(sample, 2)) / (n * (n - 1)) - truth)
    torch.testing.assert_close(lhs, tensor(gaps).abs(), rtol=1e-12, atol=1e-12)
    assert (odds(n, law) @ tensor(gaps)).item() == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("k", [2, 3])
def test_one_sample_adds_nothing_to_the_mean(k):
    """The ball around one sample is that sample: E sup - E Z = 0 at N = 1, by hand."""
    forall = instance(law=[0.2, 0.5, 0.3], Z=[0.7, -1.0, 0.1])
    lhs, rhs = ball.empirical_balls_are_pessimistic(forall, k=k, N=1, atoms=3, rho=0.7)
    assert lhs.item() == pytest.approx(0, abs=1e-14)
    assert rhs.item() > 0.1


@pytest.mark.parametrize("k", [2, 3, 5])
def test_empirical_balls_of_every_order_are_pessimistic_and_less_so_with_more_samples(k):
    """Forty laws at once, exactly: 0 <= E sup_1 - E Z <= E sup_2 - E Z <= E sup_4 - E Z <= sup - E Z."""
    generator = torch.Generator().manual_seed(6)
    law = torch.rand(40, 3, dtype=torch.float64, generator=generator) ** 2
    atoms = 2 * torch.rand(40, 3, dtype=torch.float64, generator=generator) - 1
    source = from_values({"law": law / law.sum(-1, keepdim=True), "Z": atoms})
    sides = [ball.empirical_balls_are_pessimistic(Forall(source), k=k, N=size, atoms=3, rho=0.7) for size in (1, 2, 4)]
    chain = torch.stack([*(lhs for lhs, _ in sides), sides[0][1]])
    assert bool((chain.diff(dim=0) >= -1e-12).all())
    assert bool((chain[1] > 1e-6).all())


def test_two_samples_by_hand():
    """Z = +-1 fair, N = 2, rho >= 1: a mixed sample has supremum 1, so E sup = -1/4 + 3/4, which is E Z + 1/2."""
    forall = instance(law=[0.5, 0.5, 0.0], Z=[1.0, -1.0, 0.0])
    lhs, rhs = ball.empirical_balls_are_pessimistic(forall, k=2, N=2, atoms=3, rho=1.0)
    assert lhs.item() == pytest.approx(0.5, rel=1e-14)
    assert rhs.item() == pytest.approx(1.0, rel=1e-14)


def test_normal_squares_against_an_integrator():
    """E exp(lambda X^2) for a normal X, by adaptive quadrature, at the claim's most demanding lambda."""
    for share in (0.0, 0.5, 0.9):
        values = {"2 lambda": tensor([share])}
        lhs, _ = moments.squares_of_gaussian_variables(Forall(from_values(values)))
        truth = integrate.quad(lambda x, a=share: math.exp((a - 1) * x * x / 2) / math.sqrt(2 * math.pi), -40, 40)[0]
        assert lhs.item() == pytest.approx(truth, rel=1e-10)


@pytest.mark.parametrize(("n", "p"), [(1, 2.0), (3, 1.5), (4, 5.0)])
def test_deficit_of_the_power_mean_by_enumeration(n, p):
    """All 2^n samples of a law on {0.3, 0.9}, one by one."""
    values = {"law": tensor([[0.35, 0.65]]), "Z": tensor([[0.3, 0.9]])}
    deficit, norm, variance, two_norm = moments.power_means(Forall(from_values(values)), n, p)
    law = {0.3: 0.35, 0.9: 0.65}
    mean = sum(q * z**p for z, q in law.items())
    expected = sum(
        math.prod(law[z] for z in sample) * (sum(z**p for z in sample) / n) ** (1 / p)
        for sample in itertools.product(law, repeat=n)
    )
    assert norm.item() == pytest.approx(mean ** (1 / p), rel=1e-14)
    assert deficit.item() == pytest.approx(mean ** (1 / p) - expected, rel=1e-12)
    assert variance.item() == pytest.approx(sum(q * (z**p - mean) ** 2 for z, q in law.items()), rel=1e-13)
    assert two_norm.item() == pytest.approx(math.sqrt(sum(q * z * z for z, q in law.items())), rel=1e-14)


def test_the_exponent_that_the_statement_seems_to_have_would_fail():
    """p = 2, n = 1, Z in {0, 100} with probability 1/4 for 100: deficit 25, above C^(1/2) sqrt 2 but not C/2 sqrt 2."""
    values = {"law": tensor([[0.25, 0.75]]), "Z": tensor([[100.0, 0.0]])}
    deficit, bound = moments.power_mean_of_low_order_bounded(Forall(from_values(values)), p=2.0, n=1, C=100.0, atoms=2)
    assert deficit.item() == pytest.approx(25, rel=1e-14)
    assert 100**0.5 * math.sqrt(2) < 25 < bound == pytest.approx(50 * math.sqrt(2))
    _, rendered = moments.power_mean_of_low_order_bounded_as_rendered(Forall(from_values(values)), p=2.0, n=1, C=100.0)
    assert rendered == pytest.approx(10 * math.sqrt(2))
