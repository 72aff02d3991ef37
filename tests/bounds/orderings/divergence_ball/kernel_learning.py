"""Orderings between the bounds of `bounds.divergence_ball.kernel_learning`."""

from bounds.divergence_ball import kernel_learning
from bounds.divergence_ball.norms import alignment_deviation
from bounds.divergence_ball.pair_statistics import diagonal_loss
from bounds.divergence_ball.sampling import expected_supremum_gap, supremum_deviation
from tests.bounds.orderings import COUNT, DELTA, ORDER, RHO, SIZE, Span, equal, ordered

BOTH = {"rho": RHO, "n": SIZE, "count": COUNT, "delta": DELTA}


def _both(*arguments, **options):
    """The printed Theorem 1 and the rebuilt one together."""
    printed = kernel_learning.printed_consistency_deviation(*arguments, **options)
    return printed + kernel_learning.consistency_deviation(0.5, *arguments, **options)


@ordered(rho=RHO, count=COUNT, delta=DELTA, order=ORDER)
def lemma_2_on_the_sharp_gap_is_at_most_the_printed_one(rho, count, delta, order):
    yield kernel_learning.sampling_deviation(1.0, rho, count, delta=delta, order=order)
    yield kernel_learning.printed_sampling_deviation(rho, count, delta=delta)


@equal(half=Span(0.5, 1.0), rho=RHO, count=COUNT, delta=DELTA)
def lemma_2_is_the_gap_of_the_means_and_a_deviation(half, rho, count, delta):
    yield kernel_learning.sampling_deviation(half, rho, count, delta=delta)
    yield expected_supremum_gap(half, rho, count) + supremum_deviation(half, rho, count, delta=delta)


@ordered(**BOTH, order=ORDER)
def rebuilt_theorem_1_is_at_most_the_printed_one(rho, n, count, delta, order):
    yield kernel_learning.consistency_deviation(1.0, rho, n, count, delta=delta, order=order)
    yield kernel_learning.printed_consistency_deviation(rho, n, count, delta=delta)


@equal(rtol=1e-8, rho=RHO, count=Span(1, 1000, "log", whole=True), delta=Span(1e-6, 0.9))
def theorem_1_tends_to_lemma_2_as_the_points_grow(rho, count, delta):
    yield _both(rho, 10**30, count, delta=delta)
    sharp = kernel_learning.sampling_deviation(0.5, rho, count, delta=delta)
    yield kernel_learning.printed_sampling_deviation(rho, count, delta=delta) + sharp


@ordered(**BOTH)
def printed_theorem_1_uses_lemma_1_twice_and_log_2_for_log_sqrt_2(rho, n, count, delta):
    twice = 2 * alignment_deviation(rho, n, delta=delta)
    yield kernel_learning.printed_sampling_deviation(rho, count, delta=delta) + twice
    yield kernel_learning.printed_consistency_deviation(rho, n, count, delta=delta)


@equal(**BOTH)
def algorithm_pays_for_its_diagonal_on_top(rho, n, count, delta):
    yield _both(rho, n, count, delta=delta, maximiser="v-statistic")
    yield _both(rho, n, count, delta=delta) + 2 * diagonal_loss(n)
