"""Feature counts from solving Bernstein's inequality, in 50 digits."""

import itertools

from mpmath import ceil, log, mpf, sqrt


def cases():
    yield "PRINTED_THEOREM_CONSTANT", (), {}, 5
    for p, z, ridge in [(0.5, 2.0, 0.1), (1e-3, 0.5, 4.0), (1.0, 3.0, 0.25), (0.0, 1.0, 1.0)]:
        yield "leverage_score_upper", (p, z, ridge), {}, mpf(p) * mpf(z) * mpf(z) / mpf(ridge)
    for epsilon in (1.0, 0.5, 0.25, 0.1, 0.003):
        e = mpf(epsilon)
        # Summands of mean I / s with norm d: variance d / s, range d in the refined form, 2 d in the corrected one.
        corrected, refined = bernstein(e, 1, 2), bernstein(e, 1, 1)
        yield "deviation_constant", (epsilon,), {}, corrected
        yield "refined_deviation_constant", (epsilon,), {}, refined
        yield "printed_deviation_constant", (epsilon,), {}, corrected / 2  # its last display loses the factor two
    for d, share, delta, constant in itertools.product(
        (0.75, 3.0, 300.0), (1.0, 0.3), (0.5, 0.05, 1e-6), (5.0, 28 / 3)
    ):
        effective = d * share
        count = ceil(mpf(constant) * mpf(d) * (log(16) + log(mpf(effective)) - log(mpf(delta))))
        yield "feature_count", (d, effective, delta), {"constant": constant}, count
    yield "feature_count", (0.01, 0.01, 0.9), {"constant": 1.0}, 1  # log(16 d_K / delta) < 0: no feature is too few
    for ridge in (0.05, 2.0, 1e-6):
        yield "printed_cross_term_bound", (ridge,), {}, ridge
    for ridge, norm, d, s, delta in [(0.05, 0.97, 2.0, 200, 0.04), (2.0, 0.1, 50.0, 7, 0.5), (0.3, 1.0, 1.0, 1, 1.0)]:
        # Markov: a square of mean d / s exceeds d / (s delta) with probability delta; it enters twice, as its root.
        value = mpf(ridge) * mpf(norm) * (1 + sqrt(4 * mpf(d) / s / mpf(delta)))
        yield "cross_term_bound", (ridge, norm, d, s, delta), {}, value
    for ridge, risk in [(0.02, 0.09), (1.0, 3.0), (1e-4, 0.5)]:
        # Cauchy-Schwarz: |Y - f| / sqrt n times sqrt(2 lambda), the operator norm of Lemma 22.
        yield "deterministic_cross_term_bound", (ridge, risk), {}, sqrt(2 * mpf(ridge)) * sqrt(mpf(risk))


def bernstein(epsilon, variance, span):
    """Units s / (d L) at which the tail exp(-s e^2 / 2 / (v d + b d e / 3)) has exponent L."""
    return 2 * (variance + span * epsilon / 3) / epsilon**2
