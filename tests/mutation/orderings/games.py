"""Orderings between the bounds of the Fourier potential and the margin game."""

import math

from bounds.margin_game.fourier_potential import expected_potential, lipschitz_constant, printed_lipschitz_constant
from bounds.margin_game.online import (
    decreasing_step_regret,
    diameter,
    gradient_norm,
    online_ascent_regret,
    printed_diameter,
    printed_gradient_norm,
)
from tests.mutation.orderings.table import SIZE, STEP, Ordering, Span

POTENTIAL, GAME = "bounds.margin_game.fourier_potential", "bounds.margin_game.online"
POSITIVE = Span(1e-3, 1e3, "log")
ROUNDS = Span(1, 10**6, "log", whole=True)
BOX = Span(0.0, 10.0)
IDEAL = Span(0.0, 1.0)

TABLE = (
    Ordering(
        POTENTIAL,
        "the printed Lipschitz constant is twice the best one",
        "=",
        {"n": SIZE, "radius": POSITIVE},
        lambda n, radius: (printed_lipschitz_constant(n, radius), 2 * lipschitz_constant(n, radius)),
    ),
    Ordering(
        POTENTIAL,
        "every point counted twice: four times the Lipschitz constant; space stretched twice: two times",
        "=",
        {"n": SIZE, "radius": POSITIVE, "bound": (lipschitz_constant, printed_lipschitz_constant)},
        lambda n, radius, bound: (bound(2 * n, radius), 2 * bound(n, 2 * radius)),
    ),
    Ordering(
        POTENTIAL,
        "two points at distance 2 R: v = 2 + 2 cos(2 R w) has slope at most 4 R",
        "=",
        {"radius": POSITIVE},
        lambda radius: (lipschitz_constant(2, radius), 4 * radius),
    ),
    Ordering(
        POTENTIAL,
        "the diagonal biases upwards",
        "<=",
        {"ideal": IDEAL, "n": SIZE},
        lambda ideal, n: (ideal, expected_potential(ideal, n)),
    ),
    Ordering(
        POTENTIAL,
        "the expected potential is at most 1",
        "<=",
        {"ideal": IDEAL, "n": SIZE},
        lambda ideal, n: (expected_potential(ideal, n), 1.0),
    ),
    Ordering(
        POTENTIAL,
        "the bias decreases with the sample",
        "<=",
        {"ideal": IDEAL, "n": SIZE},
        lambda ideal, n: (expected_potential(ideal, n + 1), expected_potential(ideal, n)),
    ),
    Ordering(
        POTENTIAL,
        "one sample has potential 1",
        "=",
        {"ideal": IDEAL},
        lambda ideal: (expected_potential(ideal, 1), 1.0),
    ),
    Ordering(
        POTENTIAL,
        "the bias vanishes as n grows",
        "=",
        {"ideal": Span(0.01, 1.0)},
        lambda ideal: (expected_potential(ideal, 1e15), ideal),
        rtol=1e-12,
    ),
    Ordering(
        GAME,
        "steps D / (G sqrt t) give the regret of the lemma",
        "=",
        {"d": POSITIVE, "g": POSITIVE, "rounds": ROUNDS},
        lambda d, g, rounds: (decreasing_step_regret(d, g, rounds, scale=d / g), online_ascent_regret(d, g, rounds)),
    ),
    Ordering(
        GAME,
        "no scale does better than sqrt 2 D G / sqrt T",
        "<=",
        {"d": POSITIVE, "g": POSITIVE, "rounds": ROUNDS, "scale": POSITIVE},
        lambda d, g, rounds, scale: (
            math.sqrt(2) * d * g / math.sqrt(rounds),
            decreasing_step_regret(d, g, rounds, scale=scale),
        ),
    ),
    Ordering(
        GAME,
        "the scale D / (sqrt 2 G) is the best one",
        "=",
        {"d": POSITIVE, "g": POSITIVE, "rounds": ROUNDS},
        lambda d, g, rounds: (
            decreasing_step_regret(d, g, rounds, scale=d / (math.sqrt(2) * g)),
            math.sqrt(2) * d * g / math.sqrt(rounds),
        ),
    ),
    Ordering(
        GAME,
        "four times as many rounds halve the average regret",
        "=",
        {"d": POSITIVE, "g": POSITIVE, "rounds": ROUNDS},
        lambda d, g, rounds: (online_ascent_regret(d, g, 4 * rounds), online_ascent_regret(d, g, rounds) / 2),
    ),
    Ordering(
        GAME,
        "half a strategy has at most the gradient of a whole one",
        "<=",
        {"box": BOX, "n": SIZE, "share": Span(0.0, 0.5)},
        lambda box, n, share: (
            gradient_norm(box, n, int(share * n), mass=1),
            gradient_norm(box, n, int(share * n), mass=2),
        ),
    ),
    Ordering(
        GAME,
        "the printed gradient norm is that of mass 1 with a single point in the smaller class",
        "=",
        {"box": BOX, "n": SIZE},
        lambda box, n: (printed_gradient_norm(box, n), gradient_norm(box, n, 1, mass=1)),
    ),
    Ordering(
        GAME,
        "one class alone leaves no action but zero: gradient sqrt n, diameter zero",
        "=",
        {"box": BOX, "n": SIZE, "mass": (1, 2)},
        lambda box, n, mass: (gradient_norm(box, n, 0, mass=mass) + diameter(box, 0), math.sqrt(n)),
    ),
    Ordering(
        GAME,
        "aligned phases with a = C reach s n C - 1 in each entry",
        "<=",
        {"box": BOX, "half": Span(1, 1000, "log", whole=True), "mass": (1, 2)},
        lambda box, half, mass: (
            math.sqrt(2 * half) * abs(1 - 2 * mass * half * box),
            gradient_norm(box, 2 * half, half, mass=mass),
        ),
    ),
    Ordering(
        GAME,
        "the diameter is at most the printed one",
        "<=",
        {"box": BOX, "n": SIZE, "share": Span(0.0, 0.5)},
        lambda box, n, share: (diameter(box, int(share * n)), printed_diameter(box, n)),
    ),
    Ordering(
        GAME,
        "balanced classes attain the printed diameter",
        "=",
        {"box": BOX, "half": SIZE},
        lambda box, half: (diameter(box, half), printed_diameter(box, 2 * half)),
    ),
    Ordering(
        GAME,
        "the diameter grows with the smaller class",
        "<=",
        {"box": BOX, "half": SIZE, "step": STEP},
        lambda box, half, step: (diameter(box, half), diameter(box, step * half)),
    ),
)
