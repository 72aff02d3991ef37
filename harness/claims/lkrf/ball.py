"""The divergence ball around weights: suprema of any order, the size of its points, and balls around samples."""

import torch
from torch import Tensor

from algos.divergence_ball.exact import (
    DivergenceBallSolution,
    chi_square_ball_maximum,
    divergence_ball_dual,
    divergence_ball_maximum,
)
from bounds.divergence_ball.norms import printed_weight_norm, weight_norm
from harness import Forall, always, claim, grid
from harness.claims.lkrf.multinomial_laws import all_counts


def ball_maximum(values: Tensor, rho: float, order: float, base: Tensor | None = None) -> DivergenceBallSolution:
    """The exact solver for order 2, root-finding on the threshold for other orders."""
    if order == 2:
        return chi_square_ball_maximum(values, rho, base=base)
    return divergence_ball_maximum(values, rho, order=order, base=base)


@claim(
    "lkrf/eq-13",
    always(),
    over=grid(k=[2], N=[2, 10], rho=[0.5]) + grid(k=[3], N=[10], rho=[3.0]),
    cite="lkrf, equation (13)",
    sizes="k = 2 and 3, N = 2 and 10, rho = .5 and 3",
)
def weights_in_the_ball_have_small_norm(forall: Forall, *, k: int, N: int, rho: float):
    """Weights q with N^(k-1) sum q^k - 1 <= rho have Euclidean norm at most (1 + rho)^(1/k) / sqrt N."""
    weights = any_weights(forall, k, N, rho)
    return torch.linalg.vector_norm(weights, dim=-1), printed_weight_norm(rho, N, order=k)


@claim(
    "lkrf/eq-13-sharp",
    always(),
    over=grid(k=[3], N=[10], rho=[3.0]) + grid(k=[4], N=[4], rho=[7.0]),
    cite="lkrf, equation (13), sharpened for k > 2",
    restricts="k = 3 and 4, N = 10 and 4; between the uniform weights and maximisers of linear functions",
)
def weights_in_the_ball_have_smaller_norm(forall: Forall, *, k: int, N: int, rho: float):
    """Weights q with N^(k-1) sum q^k - 1 <= rho have Euclidean norm at most (1 + rho)^(1/(2(k-1))) / sqrt N.

    Log-convexity of the moments of N q, whose mean is 1. Attained by uniform weights on N (1 + rho)^(-1/(k-1)) entries,
    5 and 2 of them here.
    """
    weights = any_weights(forall, k, N, rho)
    return torch.linalg.vector_norm(weights, dim=-1), weight_norm(rho, N, order=k)


@claim(
    "lkrf/eq-11",
    always(),
    over=grid(k=[2], N=[4], atoms=[3], rho=[0.3])
    + grid(k=[2], N=[6], atoms=[2], rho=[3.0])
    + grid(k=[3], N=[2], atoms=[2], rho=[1.0]),
    cite="lkrf, equation (11)",
    sizes="k = 2 and 3; N = 2, 4 and 6; distributions on two and three points; rho = .3, 1 and 3",
)
def empirical_balls_are_pessimistic(forall: Forall, *, k: int, N: int, atoms: int, rho: float):
    """E sup over the ball around N samples of E_Q Z is at most the supremum over the ball around their distribution.

    Exact, over all samples of any distribution on a few points, and less E Z on both sides: what the ball adds to the
    mean.
    """
    law = forall.simplex("law", atoms)
    places = forall.interval("Z", -1.0, 1.0, atoms)
    counts, probabilities = all_counts(law, N)
    suprema = ball_maximum(places.unsqueeze(-2), rho, k, counts / N).value
    mean = (law * places).sum(-1)
    return (probabilities * suprema).sum(-1) - mean, ball_maximum(places, rho, k, law).value - mean


@claim(
    "lkrf/eq-11-monotone",
    always(),
    over=grid(k=[2], N=[1, 5], rho=[0.7]),
    cite="lkrf, equation (11): the expectation does not decrease in N",
    restricts="k = 2, N = 1 and 5, distributions on three points, rho = .7",
)
def more_samples_are_less_pessimistic(forall: Forall, *, k: int, N: int, rho: float):
    """E sup over the ball around N samples is at most that around N + 1 samples.

    The dual objective at N + 1 samples is at least its mean over the samples with one left out. Less E Z on both sides.
    """
    law = forall.simplex("law", 3)
    atoms = forall.interval("Z", -1.0, 1.0, 3)

    def expected(size: int) -> Tensor:
        counts, probabilities = all_counts(law, size)
        return (probabilities * ball_maximum(atoms.unsqueeze(-2), rho, k, counts / size).value).sum(-1)

    mean = (law * atoms).sum(-1)
    return expected(N) - mean, expected(N + 1) - mean


@claim(
    "lkrf/lipschitz",
    always(),
    over=grid(k=[2], N=[3], rho=[1.0]) + grid(k=[3], N=[6], rho=[4.0]),
    cite="lkrf, proof of Lemma 5: the cover of the process S_N(eta) - E S_N(eta)",
    sizes="k = 2 and 3, N = 3 and 6, rho = 1 and 4; M = 1, eta from -3 to 1",
)
def centred_process_is_lipschitz(forall: Forall, *, k: int, N: int, rho: float):
    """The difference of S_N(eta) at two samples is (1 + rho)^(1/k)-Lipschitz in eta; its mean over the second too.

    S_N(eta) = (1 + rho)^(1/k) (mean (Z_i - eta)_+^(k*))^(1/k*) + eta has slopes in [1 - (1 + rho)^(1/k), 1].
    """
    samples = [forall.interval(name, -1.0, 1.0, N) for name in ("Z", "other Z")]
    eta = [forall.interval(name, -3.0, 1.0) for name in ("eta", "other eta")]
    first, second = ([divergence_ball_dual(z, e, rho, order=k) for e in eta] for z in samples)
    change = (first[0] - second[0]) - (first[1] - second[1])
    return change.abs(), (1 + rho) ** (1 / k) * (eta[0] - eta[1]).abs()


@claim(
    "lkrf/lipschitz-sample",
    always(),
    over=grid(k=[2], N=[3], rho=[1.0]) + grid(k=[3], N=[6], rho=[4.0]),
    cite="lkrf, proof of Lemma 5: the map T",
    sizes="k = 2 and 3, N = 3 and 6, rho = 1 and 4; M = 1, eta from -3 to 1",
)
def dual_function_is_lipschitz_in_the_sample(forall: Forall, *, k: int, N: int, rho: float):
    """S_N(eta) is (1 + rho)^(1/k) / sqrt N-Lipschitz in the sample, in the Euclidean norm."""
    z, other = forall.interval("Z", -1.0, 1.0, N), forall.interval("other Z", -1.0, 1.0, N)
    eta = forall.interval("eta", -3.0, 1.0)
    change = divergence_ball_dual(z, eta, rho, order=k) - divergence_ball_dual(other, eta, rho, order=k)
    return change.abs(), (1 + rho) ** (1 / k) / N**0.5 * torch.linalg.vector_norm(z - other, dim=-1)


def any_weights(forall: Forall, k: int, N: int, rho: float) -> Tensor:
    """A point of the ball around uniform weights: between its centre and the maximiser of a linear function."""
    direction = forall.interval("direction", -1.0, 1.0, N)
    share = forall.interval("share", 0.0, 1.0)
    extreme = ball_maximum(direction, rho, k).weights
    return 1 / N + share.unsqueeze(-1) * (extreme - 1 / N)
