"""Largest and smallest losses from laws that attain them; sample sizes by trying one after the other."""

import itertools
from fractions import Fraction

from mpmath import log, mpf


def cases():
    for classes in (1, 2, 3, 4, 7, 100):
        constant = loss_of_law([Fraction(1, classes)] * classes, [1] * classes)
        erased = loss_of_law([Fraction(1, classes)] * classes, [0] * classes)
        yield "largest_alignment_loss", (classes,), {}, max(constant, erased)
        for value in (0.25, 0.5, 0.625, 0.75, 1.0):
            margin = max(constant, erased) - Fraction(value)
            yield "informative_margin", (value,), {"classes": classes}, margin, {"atol": 1e-16}
    for shares in ([1], [F(1, 2)] * 2, [F(3, 8), F(5, 8)], [F(1, 4)] * 4, [F(7, 8), F(1, 16), F(1, 16)], [F(0), F(1)]):
        erased, constant = (loss_of_law(shares, [phi] * len(shares)) for phi in (0, 1))
        yield "uninformed_alignment_loss", ([float(share) for share in shares],), {}, min(erased, constant)
    for bound, delta in itertools.product(GAPS, (0.05, 0.5)):
        for divergence, level in ((0.0, 0.5), (2.0, 0.5), (0.5, 0.875)):
            options = {"bound": bound, "delta": delta, "divergence": divergence, "level": level}
            gap, n = GAPS[bound], 2
            while gap(n, mpf(delta), mpf(divergence)) >= level:
                n += 1
            yield "smallest_informative_sample", (), options, mpf(n)
    yield "smallest_informative_sample", (), {"bound": "second_order", "delta": 0.05}, mpf(12)
    yield "smallest_informative_sample", (), {"bound": "second_order", "delta": 0.5, "level": 1.0}, mpf(2)


def F(a, b=1):  # noqa: N802
    return Fraction(a, b)


def loss_of_law(shares, characteristic):
    """(1 - sum_cd l_cd pi_c pi_d phi_c phi_d) / 2 with l = 1 for equal classes and -1 otherwise, term by term."""
    pairs = itertools.product(range(len(shares)), repeat=2)
    signed = sum(
        (1 if c == d else -1) * shares[c] * shares[d] * characteristic[c] * characteristic[d] for c, d in pairs
    )
    return (1 - Fraction(signed)) / 2


def first_order(n, delta, kl, losses=None):
    """min over t of (a + t^2 v / 2) / t = sqrt(2 a v); a mean of k losses of range one has v = 1 / (4 k)."""
    return (2 * (kl - log(delta)) / (4 * (losses or n - 1))) ** mpf("0.5")


def second_order(n, delta, kl):
    return first_order(n, delta, kl, losses=n // 2)


def averaged_first_order(n, delta, kl):
    return 2 * first_order(n, delta / (n + 1), kl)


GAPS = {"second_order": second_order, "first_order": first_order, "averaged_first_order": averaged_first_order}
