"""What a sample of data says: the error of the alignment at one feature, and uniformly over the ball.

The ball of k = 2 contains those of larger k; in the sharpened bounds rho' = (1 + rho)^(1/(k-1)) - 1 is what a larger k
leaves of rho.
"""

import torch
from torch import Tensor

from algos.kernel_learning.alignment import quadratic_alignment
from bounds.divergence_ball.norms import alignment_deviation, mcdiarmid_alignment_deviation
from bounds.divergence_ball.pair_statistics import (
    alignment_variance_proxy,
    block_alignment_deviation,
    printed_alignment_variance_proxy,
)
from harness import Draw, Forall, always, claim, grid, high_probability, identity
from harness.claims.lkrf.ball import ball_maximum
from harness.claims.lkrf.beds import at_worst_level
from harness.claims.lkrf.multinomial_laws import all_counts


@claim(
    "lkrf/lem-6-mean",
    identity(),
    over=grid(atoms=[3], n=[2, 5]) + grid(atoms=[2], n=[4]),
    cite="lkrf, Lemma 6: mean zero",
    sizes="distributions on two and three points, n = 2, 4 and 5",
)
def alignment_is_unbiased(forall: Forall, *, atoms: int, n: int):
    """E That(w) = T(w), for any similarity S phi phi' in [-1, 1] on a finite distribution."""
    statistics, probabilities, truth = pair_statistics(forall, atoms, n)
    return (probabilities * statistics).sum(-1) + 2, truth + 2


@claim(
    "lkrf/lem-6",
    always(),
    over=grid(atoms=[2], n=[2, 3, 50]) + grid(atoms=[3], n=[4]),
    cite="lkrf, Lemma 6",
    sizes="distributions on two points (n = 2, 3, 50) and on three (n = 4), |lambda| <= 5 n, beyond it trivial",
    unnoticed="half of it holds for even n, by Hoeffding's blocks (lkrf/lem-6-blocks): half of it is reached",
)
def alignment_is_sub_gaussian(forall: Forall, *, atoms: int, n: int):
    """log E exp(lambda (That(w) - T(w))) <= (4/n) lambda^2 / 2 for every lambda."""
    moment, scale = log_moment(forall, atoms, n)
    return moment, scale**2 * printed_alignment_variance_proxy(n) / 2


@claim(
    "lkrf/lem-6-blocks",
    always(),
    over=grid(atoms=[2], n=[2, 3, 50]) + grid(atoms=[3], n=[4]),
    cite="lkrf, Lemma 6, by Hoeffding's blocks",
    sizes="distributions on two points (n = 2, 3, 50) and on three (n = 4), |lambda| <= 5 n, beyond it trivial",
)
def alignment_is_sub_gaussian_by_blocks(forall: Forall, *, atoms: int, n: int):
    """log E exp(lambda (That(w) - T(w))) <= lambda^2 / (2 floor(n/2)) for every lambda.

    The mean over floor(n/2) disjoint pairs. Sharp for n = 2: y phi a fair sign, lambda -> 0.
    """
    moment, scale = log_moment(forall, atoms, n)
    return moment, scale**2 * alignment_variance_proxy(n) / 2


@claim(
    "lkrf/lem-1",
    high_probability("delta"),
    over=grid(k=[2], n=[10], rho=[0.5], delta=[0.05])
    + grid(k=[2], n=[1000], rho=[0.5, 10.0], delta=[0.05])
    + grid(k=[3], n=[1000], rho=[10.0], delta=[0.05]),
    trivial=2.0,
    cite="lkrf, Lemma 1",
    restricts="k = 2 and 3; S = y y', four points, eight features, delta = .05, n = 10 and 1000",
    unnoticed="Hoelder's inequality and a moment bound a supremum: .21 of it is reached (lem-1-every-level: .60)",
)
def alignment_is_consistent_in_the_data(forall: Forall, draw: Draw, *, k: int, n: int, rho: float, delta: float):
    """sup over the ball of |That(Q) - T(Q)| is below 4 sqrt((1 + rho) log(sqrt 2/delta)/n) with probability 1 - delta.

    S = y y', four labelled points, eight features in [-1, 1]. The supremum of an absolute value is the larger one of
    the suprema of both signs, each exact.
    """
    return uniform_error(forall, draw, k, n, rho), alignment_deviation(rho, n, delta=delta)


@claim(
    "lkrf/lem-1-every-level",
    always(),
    over=grid(k=[2], n=[2], rho=[0.01]) + grid(k=[2, 3], n=[5], rho=[1.0]),
    cite="lkrf, Lemma 1",
    restricts="k = 2 and 3; S = y y', three points, two features, n = 2 and 5",
)
def alignment_is_consistent_at_every_level(forall: Forall, *, k: int, n: int, rho: float):
    """P(sup over the ball of |That(Q) - T(Q)| >= t) <= sqrt 2 exp(-n t^2/(16 (1 + rho))) at every t, by enumeration."""
    error, probabilities = exact_uniform_error(forall, k, n, rho)
    return at_worst_level(
        error, probabilities, lambda delta: alignment_deviation(rho, n, delta=delta), numerator=2**0.5
    )


@claim(
    "lkrf/lem-1-any-similarity",
    always(),
    over=grid(k=[2], n=[2], atoms=[2], features=[1], rho=[0.01])
    + grid(k=[2], n=[5], atoms=[3], features=[2], rho=[1.0])
    + grid(k=[2], n=[3], atoms=[2], features=[4], rho=[5.0]),
    cite="lkrf, Lemma 1",
    sizes="k = 2, whose ball contains the others; n = 2, 3 and 5; two and three points, one, two and four features",
)
def alignment_is_consistent_for_any_similarity(
    forall: Forall, *, k: int, n: int, atoms: int, features: int, rho: float
):
    """P(sup over the ball of |That(Q) - T(Q)| >= t) <= sqrt 2 exp(-n t^2/(16 (1 + rho))), for any S into [-1, 1].

    At every t, by enumeration of all samples; any distribution of the points, any P0 on the features.
    """
    law, measure = forall.simplex("law", atoms), forall.simplex("P0", features)
    phi, similarity = forall.interval("phi", -1.0, 1.0, features, atoms), forall.interval("S", -1.0, 1.0, atoms, atoms)
    weighted = phi.unsqueeze(-1) * similarity.unsqueeze(-3) * phi.unsqueeze(-2)  # (batch, features, atoms, atoms)
    counts, probabilities = all_counts(law, n)
    squares = torch.einsum("oi,bfij,oj->bof", counts, weighted, counts)
    pairs = squares - torch.einsum("oi,bfii->bof", counts, weighted)
    truth = torch.einsum("bi,bfij,bj->bf", law, weighted, law)
    error = larger_supremum(pairs / (n * (n - 1)) - truth.unsqueeze(-2), rho, k, measure.unsqueeze(-2))
    return at_worst_level(
        error, probabilities, lambda delta: alignment_deviation(rho, n, delta=delta), numerator=2**0.5
    )


@claim(
    "lkrf/lem-1-blocks",
    always(),
    over=grid(k=[2], n=[2], rho=[0.01]) + grid(k=[2, 3], n=[5], rho=[1.0]),
    cite="lkrf, Lemma 1, by Hoeffding's blocks",
    restricts="k = 2 and 3; S = y y', three points, two features, n = 2 and 5",
)
def alignment_is_consistent_by_blocks(forall: Forall, *, k: int, n: int, rho: float):
    """P(sup over the ball of |That(Q) - T(Q)| >= t) <= sqrt 2 exp(-floor(n/2) t^2/(4 (1 + rho'))) at every t.

    For even n the printed 16 becomes 8.
    """
    error, probabilities = exact_uniform_error(forall, k, n, rho)
    return at_worst_level(
        error, probabilities, lambda delta: block_alignment_deviation(rho, n, delta=delta, order=k), numerator=2**0.5
    )


@claim(
    "lkrf/lem-1-mcdiarmid",
    high_probability("delta"),
    over=grid(k=[2], n=[1000], rho=[0.5, 10.0], delta=[0.05]),
    trivial=2.0,
    cite="lkrf, Lemma 1, by McDiarmid's inequality",
    restricts="k = 2; S = y y', four points, eight features, delta = .05, n = 1000",
    unnoticed="mean and deviation are bounded for the worst law of each: .28 of it is reached (at every level: .999)",
)
def alignment_is_consistent_by_bounded_differences(
    forall: Forall, draw: Draw, *, k: int, n: int, rho: float, delta: float
):
    """sup over the ball of |That(Q) - T(Q)| <= sqrt(2 (1 + rho')/n) + sqrt(8 log(1/delta)/n) with p. 1 - delta."""
    return uniform_error(forall, draw, k, n, rho), mcdiarmid_alignment_deviation(rho, n, delta=delta, order=k)


@claim(
    "lkrf/lem-1-mcdiarmid-every-level",
    always(),
    over=grid(k=[2], n=[2], rho=[0.001]) + grid(k=[2, 3], n=[5], rho=[1.0]),
    cite="lkrf, Lemma 1, by McDiarmid's inequality",
    restricts="k = 2 and 3; S = y y', three points, two features, n = 2 and 5",
)
def alignment_is_consistent_by_bounded_differences_at_every_level(forall: Forall, *, k: int, n: int, rho: float):
    """P(sup over the ball of |That(Q) - T(Q)| >= sqrt(2 (1 + rho')/n) + t) <= exp(-n t^2/8) at every t, by enumeration.

    The first term is sharp at n = 2 as rho -> 0: with a fair sign y phi the error is 1 always, its bound
    sqrt(1 + rho).
    """
    error, probabilities = exact_uniform_error(forall, k, n, rho)
    return at_worst_level(
        error, probabilities, lambda delta: mcdiarmid_alignment_deviation(rho, n, delta=delta, order=k), numerator=1
    )


def pair_statistics(forall: Forall, atoms: int, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """That(w) for all samples of a finite law, their probabilities, and T(w); S phi phi' is any symmetric matrix."""
    law, table = forall.simplex("law", atoms), forall.interval("S phi phi'", -1.0, 1.0, atoms, atoms)
    similarity = (table + table.mT) / 2
    counts, probabilities = all_counts(law, n)
    squares = ((counts @ similarity) * counts).sum(-1) - similarity.diagonal(dim1=-2, dim2=-1) @ counts.mT
    return squares / (n * (n - 1)), probabilities, quadratic_alignment(similarity, law)


def log_moment(forall: Forall, atoms: int, n: int) -> tuple[Tensor, Tensor]:
    """log E exp(lambda (That - T)), exactly, and lambda."""
    statistics, probabilities, truth = pair_statistics(forall, atoms, n)
    scale = n * forall.interval("lambda / n", -5.0, 5.0)
    exponents = scale.unsqueeze(-1) * (statistics - truth.unsqueeze(-1))
    return torch.logsumexp(probabilities.log() + exponents, -1), scale


def uniform_error(forall: Forall, draw: Draw, order: int, n: int, rho: float) -> Tensor:
    """sup over the ball of |That(Q) - T(Q)| for n draws from four labelled points, with eight features."""
    law = forall.simplex("law", 4)
    features = forall.interval("features", -1.0, 1.0, 4, 8)
    measure = forall.simplex("P0", 8)
    signed = forall.signs("labels", 4).unsqueeze(-1) * features
    error = alignment_errors(draw.multinomial("counts", n, law), signed, law, n)
    return larger_supremum(error, rho, order, measure)


def alignment_errors(counts: Tensor, signed: Tensor, law: Tensor, n: int) -> Tensor:
    """That(w) - T(w) of every feature, (batch, features), for the counts of labelled points with values y phi."""
    points = counts.unsqueeze(-1)
    sums, squares = (points * signed).sum(-2), (points * signed**2).sum(-2)
    return (sums**2 - squares) / (n * (n - 1)) - (law.unsqueeze(-1) * signed).sum(-2) ** 2


def exact_uniform_error(forall: Forall, order: int, n: int, rho: float) -> tuple[Tensor, Tensor]:
    """The same for all samples of three points with two features y phi, and their probabilities."""
    law, measure = forall.simplex("law", 3), forall.simplex("P0", 2)
    signed = forall.interval("y phi", -1.0, 1.0, 3, 2)
    counts, probabilities = all_counts(law, n)
    statistics = ((counts @ signed) ** 2 - counts @ signed**2) / (n * (n - 1))
    error = statistics - ((law.unsqueeze(-1) * signed).sum(-2) ** 2).unsqueeze(-2)
    return larger_supremum(error, rho, order, measure.unsqueeze(-2)), probabilities


def larger_supremum(error: Tensor, rho: float, order: int, measure: Tensor) -> Tensor:
    """sup over the ball around P0 of |E_Q error|: the larger supremum of both signs."""
    return ball_maximum(torch.stack([error, -error]), rho, order, measure).value.amax(0)
