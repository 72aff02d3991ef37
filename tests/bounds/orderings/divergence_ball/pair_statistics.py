"""Orderings between the bounds of `bounds.divergence_ball.pair_statistics`."""

from bounds.divergence_ball import pair_statistics
from bounds.divergence_ball.norms import alignment_deviation, mcdiarmid_alignment_deviation
from tests.bounds.orderings import DELTA, ORDER, RHO, SIZE, Span, equal, ordered


@equal(scale=Span(1e-6, 10.0), share=Span(0.0, 0.99))
def square_moment_bound_is_an_inverse_root(scale, share):
    """E exp(lambda X^2) to the power -2 is 1 - 2 lambda sigma^2."""
    return pair_statistics.square_moment_bound(scale, proxy=share / (2 * scale)) ** -2 + share, 1.0


@ordered(n=SIZE)
def blocks_do_at_least_as_well_as_bounded_differences(n):
    return pair_statistics.alignment_variance_proxy(n), pair_statistics.printed_alignment_variance_proxy(n)


@ordered(rho=RHO, n=SIZE, delta=DELTA, order=ORDER)
def block_deviation_is_at_most_that_of_lemma_1(rho, n, delta, order):
    yield pair_statistics.block_alignment_deviation(rho, n, delta=delta, order=order)
    yield alignment_deviation(rho, n, delta=delta)


@equal(rtol=1e-11, rho=RHO, n=SIZE, delta=DELTA, order=ORDER)
def block_deviation_inverts_its_tail(rho, n, delta, order):
    deviation = pair_statistics.block_alignment_deviation(rho, n, delta=delta, order=order)
    return pair_statistics.block_alignment_deviation_tail(deviation, rho, n, order=order), delta


@ordered(rho=RHO, n=SIZE, delta=DELTA, order=ORDER)
def one_side_deviates_at_most_as_far_as_two(rho, n, delta, order):
    yield pair_statistics.centred_alignment_deviation(rho, n, delta=delta, order=order)
    yield mcdiarmid_alignment_deviation(rho, n, delta=delta, order=order)


@ordered(n=SIZE)
def diagonal_costs_at_most_the_reciprocal_of_its_points(n):
    """The diagonal costs at most 1 / (n - 1)."""
    return pair_statistics.diagonal_loss(n), 1 / (n - 1)


@equal(n=SIZE)
def diagonal_costs_most_at_the_largest_spread(n):
    """The diagonal costs most at the largest centred sum of squares: n, or n - 1/n."""
    return pair_statistics.diagonal_loss(n), pair_statistics.diagonal_loss_by_spread(n - (n % 2) / n, n)


@equal(rtol=1e-9, atol=1e-15, n=SIZE)
def u_statistic_ranges_from_a_balanced_sample_to_one(n):
    """The U-statistic of n signs ranges from that of a balanced sample to 1."""
    return 1 - 2 * pair_statistics.binary_alignment_half_range(n), (n % 2 - n) / (n * (n - 1))
