"""The regret from its sum over rounds; norms and diameters from vertices of the feasible set."""

import itertools

from mpmath import mpf, sqrt


def cases():
    for d, g, rounds in [(1.0, 1.0, 1), (0.5, 7.0, 50), (3.0, 0.25, 1000), (2.0, 5.0, 4)]:
        # D^2 / (2 c) + c G^2 at c = D / G, over sqrt T.
        yield "online_ascent_regret", (d, g, rounds), {}, regret(mpf(d), mpf(g), rounds, mpf(d) / mpf(g))
        for scale in (0.125, 1.0, 6.0):
            options = {"scale": scale}
            yield "decreasing_step_regret", (d, g, rounds), options, regret(mpf(d), mpf(g), rounds, mpf(scale))
    for box, n in [(0.5, 4), (1.0, 9), (2.0, 1), (0.25, 7), (0.0, 3)]:
        yield "printed_gradient_norm", (box, n), {}, sqrt(mpf(n)) + 2 * mpf(box) * sqrt(mpf(n))
        yield "printed_diameter", (box, n), {}, sqrt(n * mpf(box) ** 2)  # the box's own diagonal
    for box, n, minority, mass in [(1.0, 4, 2, 2), (1.0, 4, 2, 1), (0.25, 7, 3, 2), (2.0, 9, 1, 1), (0.5, 3, 0, 2)]:
        largest_sum = 2 * minority * mpf(box)  # of |S|: both classes carry the smaller one's mass
        value = sqrt(n * (1 + mass * largest_sum) ** 2)
        yield "gradient_norm", (box, n, minority), {"mass": mass}, value
    for box, labels in [(0.5, (1, -1)), (1.0, (1, 1, -1)), (2.0, (1, 1, 1, -1, -1, -1)), (3.0, (1, 1, 1, 1, -1, -1))]:
        minority = min(labels.count(1), labels.count(-1))
        yield "diameter", (box, minority), {}, by_vertices(mpf(box), labels)


def regret(d, g, rounds, scale):
    """Telescoped distances leave D^2 sqrt T / (2 c); gradients cost (c G^2 / 2) sum 1 / sqrt t <= c G^2 sqrt T."""
    return (d * d * sqrt(mpf(rounds)) / (2 * scale) + scale * g * g * sqrt(mpf(rounds))) / rounds


def by_vertices(box, labels):
    """Largest distance between vertices {0, C}^n of the feasible set."""
    corners = itertools.product((0, 1), repeat=len(labels))
    feasible = [v for v in corners if sum(a * y for a, y in zip(v, labels, strict=True)) == 0]
    squares = (sum((a - b) ** 2 for a, b in zip(v, w, strict=True)) for v in feasible for w in feasible)
    return sqrt(mpf(max(squares))) * box
