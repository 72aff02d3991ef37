"""Values and margins from their definitions."""

from mpmath import mpf, sqrt


def cases():
    for total in (0.25, 0.5, 0.8125, 1.0, 0.0625):
        # All signed phases aligned: the worst kernel is constant one on the labels.
        yield "value_lower_bound", (total,), {}, mpf(total) - (mpf(total) ** 2) / 2
    for box, n, rounds in [(1.0, 2, 400), (0.25, 4, 40_000), (2.0, 9, 7), (0.5, 6, 1)]:
        gap = (3 * n * (mpf(box) + 2 * mpf(box) ** 2) / (2 * sqrt(mpf(rounds)))) / 2  # half of the printed regret
        for peak in (0.0, 0.25, 3.0):
            yield "printed_weak_learner_value", (peak, box, n, rounds), {}, gap + mpf(peak)
        for mean in (0.0, 0.0625):
            options = {"peak_gap": mean} if mean else {}
            yield "printed_margin_ratio_loss", (box, n, rounds), options, gap + mpf(mean)
    for weight_sum, peak, regret in [(3.0, 0.5, 0.125), (2.0, 4.0, 0.25), (1.0, 0.0, 0.0), (5.0, 8.0, 2.0)]:
        yield "weak_learner_value", (weight_sum, peak, regret), {}, mpf(weight_sum) - mpf(peak) / 2 + mpf(regret)
    for gap, value in [(0.125, 0.5), (0.0, 2.0), (0.75, 3.0), (0.01171875, 0.625)]:
        # Slopes at gap 0 of 1 - M / M*, M = (2 V)^(-1/2) and M = 1 / V: both are concave in the gap.
        yield "margin_ratio_loss", (gap, value), {"margin": "geometric"}, slope(value, -0.5) * mpf(gap)
        yield "margin_ratio_loss", (gap, value), {"margin": "reciprocal"}, slope(value, -1) * mpf(gap)


def slope(value, power):
    """-(d/dg) ((F* + g) / F*)^power at g = 0."""
    return -mpf(power) / mpf(value)
