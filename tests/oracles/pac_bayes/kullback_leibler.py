"""Donsker and Varadhan: t gap <= KL + log E exp(t D) + log(1/delta), log E exp(t D) <= t^2 times a proxy / 2."""

import itertools

from mpmath import log, mpf

POINTS = list(itertools.product([(0.0, 0.0), (0.3, 0.5)], [2, 3, 10, 1001], [0.05, 0.5], [0.25, 30.0]))
POINTS += [((0.0, 0.0), 2, 1 - 2**-53, 1e-9), ((0.0, 0.0), 2, 5e-324, 1.0)]  # the largest and the least probability


def cases():
    for (loss, kl), n, delta, t in POINTS:
        options = {"sample_size": n, "delta": delta, "inverse_temperature": t}
        rest, pairs = mpf(n - 1), mpf(n // 2)  # a mean of k independent losses of range one, Hoeffding: 1 / (4 k)
        for function, proxy, union, times in [
            ("first_order_kl_bound", 1 / (4 * rest), 1, 1),
            ("second_order_kl_bound", 1 / (4 * pairs), 1, 1),
            ("averaged_first_order_kl_bound", 1 / (4 * rest), n + 1, 2),
            ("printed_first_order_kl_bound", 1 / rest, 1, 1),
            ("printed_second_order_kl_bound", mpf(n) * (mpf(2) / n) ** 2 / 4, 1, 1),  # n bounded differences 2 / n
            ("printed_averaged_first_order_kl_bound", 1 / rest, n + 1, 2),
        ]:
            yield function, (loss, kl), options, loss + times * gap(kl, proxy, union / mpf(delta), t)


def gap(kl, proxy, inverse_delta, t):
    return mpf(kl) / t + mpf(t) * proxy / 2 + log(inverse_delta) / t
