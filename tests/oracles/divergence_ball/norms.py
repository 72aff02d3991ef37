"""Norms from extreme points and power means, deviations from solving tails."""

import itertools

from mpmath import findroot, log, mp, mpf, root, sqrt


def cases():
    for rho in [0.0, 1e-9, 0.5, 8.0, 1e6]:
        yield "radius_growth", (rho, 1.0), {}, mpf(rho)
        yield "radius_growth", (rho, 0.5), {}, sqrt(1 + mpf(rho)) - 1
        for order in [2.0, 3.0, 5.0]:
            yield "chi_square_radius", (rho,), {"order": order}, root(1 + mpf(rho), int(order) - 1) - 1
    for rho, count, order in [(0.5, 3, 2), (0.5, 3, 3), (7.0, 10, 2.5), (0.0, 4, 6), (1e4, 1000, 2), (30.0, 7, 5.0)]:
        yield "printed_weight_norm", (rho, count), {"order": order}, by_power_means(mpf(rho), count, mpf(order))
    for count, support, order in [(8, 1, 3), (8, 2, 2), (12, 3, 4), (100, 50, 2), (9, 9, 5), (64, 1, 2), (6, 2, 7)]:
        # Uniform weights on R of N entries: rho = (N/R)^(k-1) - 1, norm 1 / sqrt R, the largest in their ball.
        rho = (count // support) ** (order - 1) - 1
        yield "weight_norm", (float(rho), count), {"order": order}, 1 / sqrt(mpf(support))
    for t, rho, n in [(0.5, 0.0, 10), (1.5, 3.0, 100), (0.0, 1.0, 2), (2.0, 10.0, 40), (0.25, 0.5, 1000)]:
        yield "alignment_deviation_tail", (t, rho, n), {}, tail(mpf(t), mpf(rho), n)
    for rho, n, delta in itertools.product([0.0, 0.75, 10.0], [2, 7, 1000], [5e-324, 0.01, 0.5]):
        solved = findroot(lambda t, n=n, rho=rho, delta=delta: log(tail(t, mpf(rho), n) / mpf(delta)), 1)
        yield "alignment_deviation", (rho, n), {"delta": delta}, solved
    for rho, n, delta in itertools.product([0.0, 0.75, 10.0], [2, 7, 1000], [5e-324, 0.01, 0.5]):
        yield "mcdiarmid_alignment_deviation", (rho, n), {"delta": delta}, mcdiarmid(mpf(rho), n, mpf(delta), 2)
        options = {"delta": delta, "order": 3.5}
        yield "mcdiarmid_alignment_deviation", (rho, n), options, mcdiarmid(mpf(rho), n, mpf(delta), mpf(3.5))


def by_power_means(rho, count, order):
    """||q||_2 <= N^(1/2 - 1/k) ||q||_k, and N^(k-1) sum q^k <= 1 + rho."""
    norm = ((1 + rho) * mpf(count) ** (1 - order)) ** (1 / order)
    return mpf(count) ** (mpf(1) / 2 - 1 / order) * norm


def tail(t, rho, n):
    """Lemma 1: sqrt 2 exp(-n t^2 / (16 (1 + rho)))."""
    return sqrt(mpf(2)) * mp.exp(-n * t * t / (16 + 16 * rho))


def mcdiarmid(rho, n, delta, order):
    """Mean: Euclidean norm of the density ratio times sd sqrt(2/n). Tail: bounded differences 4/n, n of them."""
    differences = n * (mpf(4) / n) ** 2
    return (1 + rho) ** (1 / (2 * (mpf(order) - 1))) * sqrt(mpf(2) / n) + sqrt(differences * -log(delta) / 2)
