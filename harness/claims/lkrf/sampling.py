"""What a sample of features says: suprema over the ball around N samples, and over the ball around their distribution.

Mostly exact, on features with two values, where sup_N depends on a binomial number only. The radius is quantified too.
"""

from torch import Tensor

from bounds.divergence_ball.kernel_learning import printed_sampling_deviation, sampling_deviation
from bounds.divergence_ball.sampling import expected_supremum_gap, printed_expected_supremum_gap, supremum_deviation
from harness import Draw, Forall, always, claim, grid, high_probability
from harness.claims.lkrf.ball import ball_maximum
from harness.claims.lkrf.beds import at_worst_level, sampled_suprema, two_valued_supremum
from harness.claims.lkrf.multinomial_laws import all_counts


def feature_and_radius(forall: Forall) -> tuple[Tensor, Tensor]:
    """P(Z = 1) and rho."""
    return forall.interval("P(Z = 1)", 0.0, 1.0), 10 ** forall.interval("log10 rho", -3.0, 4.0)


@claim(
    "lkrf/lem-5-upper",
    always(),
    over=grid(k=[2], N=[3, 100]) + grid(k=[3, 8], N=[10]),
    cite="lkrf, Lemma 5, second inequality",
    restricts="Z = +-1; k = 2 (N = 3 and 100), k = 3 and 8 (N = 10)",
)
def sampled_supremum_is_pessimistic(forall: Forall, *, k: int, N: int):
    """E sup over the ball around N samples of Z = +-1 is at most the supremum over the ball around their law, any rho.

    Less E Z on both sides: what the ball adds to the mean. Equation (11) at a scale of its own.
    """
    success, rho = feature_and_radius(forall)
    suprema, probabilities = sampled_suprema(success, rho, N, k)
    mean = 2 * success - 1
    return (probabilities * suprema).sum(-1) - mean, two_valued_supremum(success, rho, k) - mean


@claim(
    "lkrf/lem-5-lower",
    always(),
    over=grid(k=[2], N=[1, 10, 100]) + grid(k=[3, 8], N=[10]),
    cite="lkrf, Lemma 5, first inequality",
    restricts="Z = +-1; k = 2 (N = 1, 10, 100), k = 3 and 8 (N = 10)",
    unnoticed="the constant 4 C_rho is at least 32, where sqrt(rho) is enough (lem-5-sharp): .06 of it is reached",
)
def sampled_supremum_is_not_far_below(forall: Forall, *, k: int, N: int):
    """sup_P - E sup_N <= 4 C_rho M sqrt(log(2 N)/N), C_rho = 2 (1 + rho)/(sqrt(1 + rho) - 1), for |Z| <= M."""
    gap, rho = expected_gap(forall, k, N)
    return gap, printed_expected_supremum_gap(1.0, rho, N)


@claim(
    "lkrf/lem-5-sharp",
    always(),
    over=grid(k=[2], N=[1, 2, 10, 100]) + grid(k=[3, 8], N=[10]),
    cite="lkrf, Lemma 5, sharpened",
    restricts="Z = +-1; k = 2 (N = 1, 2, 10, 100), k = 3 and 8 (N = 10)",
)
def sampled_supremum_is_close_below(forall: Forall, *, k: int, N: int):
    """sup_P - E sup_N <= c_N M sqrt(rho'/N), c_N = sqrt 2 (1 - 1/(2N))^(N - 1/2), for Z in an interval of length 2M.

    rho' = (1 + rho)^(1/(k-1)) - 1, c_N <= 1; no logarithm, nothing infinite at rho = 0. Attained for k = 2 and every N:
    Z = +-M, P(Z = M) = 1/(2N), rho = 2N - 1.
    """
    gap, rho = expected_gap(forall, k, N)
    return gap, expected_supremum_gap(1.0, rho, N, order=k)


@claim(
    "lkrf/lem-5-sharp-any-law",
    always(),
    over=grid(k=[2], N=[4], atoms=[3], rho=[0.3])
    + grid(k=[2], N=[4], atoms=[2], rho=[7.0])
    + grid(k=[3], N=[2], atoms=[3], rho=[3.0]),
    cite="lkrf, Lemma 5, sharpened",
    sizes="k = 2 and 3; N = 2 and 4; distributions on two and three points; rho = .3, 3 and 7",
)
def sampled_supremum_is_close_below_for_any_law(forall: Forall, *, k: int, N: int, atoms: int, rho: float):
    """sup_P - E sup_N <= c_N M sqrt(rho'/N), rho' = (1 + rho)^(1/(k-1)) - 1, for any distribution on a few points.

    Below the first inequality of the lemma, as c_N <= 1; the second one is equation (11), lkrf/eq-11.
    """
    law, places = forall.simplex("law", atoms), forall.interval("Z", -1.0, 1.0, atoms)
    counts, probabilities = all_counts(law, N)
    sampled = (probabilities * ball_maximum(places.unsqueeze(-2), rho, k, counts / N).value).sum(-1)
    half_range = (places.amax(-1) - places.amin(-1)) / 2
    gap = ball_maximum(places, rho, k, law).value - sampled
    return gap, expected_supremum_gap(half_range, rho, N, order=k)


@claim(
    "lkrf/eq-14",
    always(),
    over=grid(k=[2], N=[10, 200]) + grid(k=[3], N=[10]),
    cite="lkrf, equation (14)",
    restricts="F = +-1; k = 2 (N = 10 and 200) and 3 (N = 10)",
)
def sampled_supremum_concentrates(forall: Forall, *, k: int, N: int):
    """|sup_N - E sup_N| <= 2 sqrt 2 M sqrt((1 + rho) log(2/delta)/N) with probability 1 - delta, at every delta.

    Exact binomial tails; shown at the level where deviation and bound come closest.
    """
    success, rho = feature_and_radius(forall)
    suprema, probabilities = sampled_suprema(success, rho, N, k)
    deviation = (suprema - (probabilities * suprema).sum(-1, keepdim=True)).abs()
    return at_worst_level(
        deviation, probabilities, lambda delta: supremum_deviation(1.0, rho, N, delta=delta), numerator=2
    )


@claim(
    "lkrf/eq-14-any-law",
    always(),
    over=grid(k=[2], N=[5], atoms=[3], rho=[1.0]) + grid(k=[3], N=[3], atoms=[2], rho=[10.0]),
    cite="lkrf, equation (14)",
    sizes="k = 2 and 3; N = 3 and 5; distributions on two and three points of [-1, 1]; rho = 1 and 10",
    unnoticed="the concentration of any convex Lipschitz function loses a constant: .49 of it is reached",
)
def sampled_supremum_of_any_law_concentrates(forall: Forall, *, k: int, N: int, atoms: int, rho: float):
    """|sup_N - E sup_N| <= 2 sqrt 2 M sqrt((1 + rho) log(2/delta)/N) with probability 1 - delta, for any law.

    At every delta, by enumeration of all samples; F in [-1, 1], M = 1.
    """
    law, places = forall.simplex("law", atoms), forall.interval("F", -1.0, 1.0, atoms)
    counts, probabilities = all_counts(law, N)
    suprema = ball_maximum(places.unsqueeze(-2), rho, k, counts / N).value
    deviation = (suprema - (probabilities * suprema).sum(-1, keepdim=True)).abs()
    return at_worst_level(
        deviation, probabilities, lambda delta: supremum_deviation(1.0, rho, N, delta=delta), numerator=2
    )


@claim(
    "lkrf/lem-2",
    high_probability("delta"),
    over=grid(k=[2], N=[100, 20_000], features=[6], rho=[3.0], delta=[0.05])
    + grid(k=[3], N=[3000], features=[2], rho=[3.0], delta=[0.2])
    + grid(k=[2], N=[10_000], features=[3], rho=[1.0], delta=[0.2]),
    trivial=2.0,
    cite="lkrf, Lemma 2",
    sizes="k = 2 and 3, N from 3000 to 20,000, two, three and six features, delta = .05 and .2; rho = 1 and 3",
    unnoticed="the constant 4 C_rho of Lemma 5 is at least 32, where sqrt(rho) is enough: .04 of it is reached",
)
def sampled_features_are_consistent(
    forall: Forall, draw: Draw, *, k: int, N: int, features: int, rho: float, delta: float
):
    """|sup_N That - sup_P That| <= 4 C_rho sqrt(log(2N)/N) + D_rho sqrt(log(2/delta)/N) with probability 1 - delta.

    The data are fixed; That takes any values in [-1, 1]. Below its trivial value from N = 2700 on, at the best
    rho = 3.
    """
    law, alignments = forall.simplex("P0", features), forall.interval("That", -1.0, 1.0, features)
    shares = draw.multinomial("counts", N, law) / N
    sampled = ball_maximum(alignments, rho, k, shares).value
    return (sampled - ball_maximum(alignments, rho, k, law).value).abs(), printed_sampling_deviation(
        rho, N, delta=delta
    )


@claim(
    "lkrf/lem-2-every-level",
    always(),
    over=grid(k=[2], N=[10, 200]) + grid(k=[3], N=[10]),
    cite="lkrf, Lemma 2",
    restricts="That = +-1; k = 2 (N = 10 and 200) and 3 (N = 10)",
    unnoticed="the constant 4 C_rho is at least 32, where sqrt(rho) is enough (lem-2-sharp): .23 of it is reached",
)
def sampled_features_are_consistent_at_every_level(forall: Forall, *, k: int, N: int):
    """|sup_N That - sup_P That| <= 4 C_rho sqrt(log(2N)/N) + D_rho sqrt(log(2/delta)/N): exact tails, That = +-1."""
    deviation, probabilities, rho = two_valued_deviation(forall, k, N)
    return at_worst_level(
        deviation, probabilities, lambda delta: printed_sampling_deviation(rho, N, delta=delta), numerator=2
    )


@claim(
    "lkrf/lem-2-sharp",
    always(),
    over=grid(k=[2], N=[1, 10, 200]) + grid(k=[3], N=[10]),
    cite="lkrf, Lemma 2, rebuilt on the sharp Lemma 5",
    restricts="That = +-M; k = 2 (N = 1, 10, 200) and 3 (N = 10)",
)
def sampled_features_are_sharply_consistent(forall: Forall, *, k: int, N: int):
    """|sup_N That - sup_P That| <= c_N M sqrt(rho'/N) + 2 M sqrt(2 (1 + rho') log(2/delta)/N): exact tails, That = +-M.

    At every delta, for That in an interval of length 2 M; rho' = (1 + rho)^(1/(k-1)) - 1.
    """
    deviation, probabilities, rho = two_valued_deviation(forall, k, N)
    return at_worst_level(
        deviation, probabilities, lambda delta: sampling_deviation(1.0, rho, N, delta=delta, order=k), numerator=2
    )


def expected_gap(forall: Forall, order: int, size: int) -> tuple[Tensor, Tensor]:
    """sup_P - E sup_N for Z = +-1, and the radius."""
    success, rho = feature_and_radius(forall)
    suprema, probabilities = sampled_suprema(success, rho, size, order)
    return two_valued_supremum(success, rho, order) - (probabilities * suprema).sum(-1), rho


def two_valued_deviation(forall: Forall, order: int, size: int) -> tuple[Tensor, Tensor, Tensor]:
    """|sup_N - sup_P| over all outcomes for a feature +-1, their probabilities, and the radius."""
    success, rho = feature_and_radius(forall)
    suprema, probabilities = sampled_suprema(success, rho, size, order)
    return (suprema - two_valued_supremum(success, rho, order).unsqueeze(-1)).abs(), probabilities, rho
