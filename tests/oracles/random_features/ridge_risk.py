"""Risks of ridge regression on features, from the steps of their proofs, in 50 digits."""

from mpmath import findroot, log, mpf, sqrt


def cases():
    yield "PRINTED_SQUARED_RADIUS", (), {}, 2
    for ridge in (0.05, 2.0, 1e-6):
        yield "printed_empirical_risk_excess", (ridge,), {}, 4 * mpf(ridge)
    for multiple, truncation in [(12.0, 16.0), (12.0, 32.0), (32 / 3, 29.4), (100.0, 4.0), (9.25, 17.0), (1e4, 400.0)]:
        value = constant(mpf(multiple), mpf(truncation))
        yield "empirical_risk_excess_constant", (multiple,), {"truncation": truncation}, value
    yield "empirical_risk_excess_constant", (9.18,), {"truncation": 26.6}, constant(mpf(9.18), mpf(26.6))
    yield "empirical_risk_excess_constant", (32 / 3,), {}, constant(mpf(32 / 3), mpf(16))
    for ridge, norm, d, s, delta in [(0.05, 0.97, 2.0, 200, 0.04), (2.0, 0.1, 50.0, 7, 0.5), (0.3, 1.0, 1.0, 1, 1.0)]:
        options = {"squared_norm": norm, "sampling_dimension": d, "features": s, "delta": delta}
        # (I3): first order at most ||f||^2, second order at most twice a square of mean d / s, and lambda ||f||^2.
        value = mpf(ridge) * (mpf(norm) + mpf(norm) + 2 * mpf(norm) * mpf(d) / s / mpf(delta))
        yield "markov_empirical_risk_excess", (ridge,), options, value
    for norm, d, s, delta in [(0.97, 2.0, 200, 0.04), (0.1, 50.0, 7, 0.5), (1.0, 1.0, 1, 1.0)]:
        options = {"sampling_dimension": d, "features": s, "delta": delta}
        half = mpf(delta) / 2
        root = sqrt(mpf(norm) / half) + sqrt(2 * mpf(norm) * mpf(d) / s / half)
        yield "squared_norm_bound", (norm,), options, root**2
    sizes = [(1.0, 1.0, 400, 0.1, 2.0), (0.5, 1.4, 37, 0.01, 4.7), (3.0, 0.25, 1, 0.9, 0.5)]
    for y, z, n, delta, rho in sizes:
        for convention in ("plain", "absolute"):
            options = {"squared_radius": rho, "convention": convention}
            yield "generalisation_gap", (y, z, n, delta), options, gap(y, z, n, delta, rho, convention=convention)
            both = gap(y, z, n, delta, rho, convention=convention) + gap(y, z, n, delta, 1, convention=convention)
            value = mpf(3.5) * mpf(0.125) + both
            yield "ridge_excess_risk_bound", (0.125, y, z, n, delta), {**options, "constant": 3.5}, value
    yield "generalisation_gap", (1.0, 1e-170, 1, 1.0), {"squared_radius": 1.0}, gap(1, 1e-170, 1, 1, 1)
    options = {"squared_radius": 2.0}
    yield "generalisation_gap", (1.0, 1.5, 50, 0.2), options, gap(1, 1.5, 50, 0.2, 2)
    value = mpf(4) / 64 + gap(1, 1.5, 50, 0.2, 2) + gap(1, 1.5, 50, 0.2, 1)
    yield "ridge_excess_risk_bound", (1 / 64, 1.0, 1.5, 50, 0.2), options | {"constant": 4.0}, value


def deviation(multiple, span):
    """x with exponent s x^2 / 2 / (d (1 + span x / 3)) equal to the logarithm at s = multiple * d * logarithm."""
    return findroot(lambda x: x * x / 2 / (1 + span * x / 3) - 1 / multiple, (mpf("1e-4"), mpf(10)), solver="anderson")


def constant(multiple, truncation):
    lower = deviation(multiple, mpf(1))  # light features: increments at most d
    vector = deviation(multiple, sqrt(truncation) + sqrt(mpf(2)))  # |X| <= sqrt(tau) d |f|, |E X| <= sqrt(2) d |f|
    heavy = 1 / truncation  # share of the heavy features, by Markov's inequality
    second = (sqrt(heavy) + vector) ** 2 / (1 - heavy - lower)
    return 1 + second + 1  # from K~ to K, and from the penalised to the empirical risk


def gap(y, z, n, delta, rho, *, convention="plain"):
    """Ball of radius sqrt rho: |f| <= sqrt(rho) z, so |2 (y - f)| <= 2 H and (y - f)^2 <= H^2."""
    radius = sqrt(mpf(rho))
    height = mpf(y) + radius * mpf(z)
    mean = radius * mpf(z) / sqrt(mpf(n))
    if convention == "plain":
        return 2 * (2 * height) * mean + height**2 * sqrt(-log(mpf(delta)) / n / 2)
    return 2 * (2 * height) * (2 * mean) + height**2 * sqrt(8 * (log(2) - log(mpf(delta))) / n)
