"""Orderings between bounds on potentials: changes of a sample, concentration, and spherical harmonics."""

import math

from bounds.margin_game.fourier_potential import (
    derivative_bound,
    expected_potential,
    lipschitz_constant,
    point_lipschitz_constant,
    printed_point_lipschitz_constant,
    printed_replacement_change,
    replacement_change,
)
from bounds.margin_game.potential_concentration import (
    labelled_potential_tail,
    potential_sample_size,
    potential_tail,
    printed_potential_sample_size,
    printed_potential_tail,
)
from bounds.margin_game.sphere import (
    harmonic_dimension,
    harmonic_potential_bound,
    printed_harmonic_dimension,
    printed_harmonic_potential_bound,
    surface_area,
)
from tests.mutation.orderings.table import DELTA, SIZE, STEP, Ordering, Span

POTENTIAL, TAILS, SPHERE = (
    "bounds.margin_game.fourier_potential",
    "bounds.margin_game.potential_concentration",
    "bounds.margin_game.sphere",
)
POSITIVE = Span(1e-3, 1e3, "log")
DEVIATION = Span(1e-3, 1.0, "log")
DIMENSION = Span(2, 40, whole=True)
DEGREE = Span(0, 60, whole=True)

TABLE = (
    Ordering(
        POTENTIAL,
        "the first derivative's bound is the Lipschitz constant",
        "=",
        {"n": SIZE, "radius": POSITIVE},
        lambda n, radius: (derivative_bound(n, radius, 1), lipschitz_constant(n, radius)),
    ),
    Ordering(
        POTENTIAL,
        "each derivative costs a diameter",
        "=",
        {"n": SIZE, "radius": Span(1e-2, 1e2, "log"), "order": Span(1, 8, whole=True)},
        lambda n, radius, order: (
            derivative_bound(n, radius, order + 1),
            2 * radius * derivative_bound(n, radius, order),
        ),
    ),
    Ordering(
        POTENTIAL,
        "the printed slope in one point counts the point itself too",
        "=",
        {"n": SIZE, "bandwidth": POSITIVE},
        lambda n, bandwidth: (
            printed_point_lipschitz_constant(n, bandwidth) * (n - 1),
            point_lipschitz_constant(n, bandwidth) * n,
        ),
    ),
    Ordering(
        POTENTIAL,
        "the printed change is that of a point which crosses the ball at the printed slope",
        "=",
        {"n": SIZE, "radius": POSITIVE, "bandwidth": POSITIVE},
        lambda n, radius, bandwidth: (
            printed_replacement_change(radius * bandwidth, n),
            2 * radius * printed_point_lipschitz_constant(n, bandwidth) / n**2,
        ),
    ),
    Ordering(
        POTENTIAL,
        "one sample changes little",
        "<=",
        {"n": SIZE},
        lambda n: (replacement_change(n), min(1.0, 4 / n)),
    ),
    Ordering(
        TAILS,
        "given the labels, unit phases have the tail of replaced samples",
        "=",
        {"t": DEVIATION, "n": Span(1, 10**4, "log", whole=True)},
        lambda t, n: (labelled_potential_tail(t, 1.0, n), potential_tail(t, n)),
    ),
    Ordering(
        TAILS,
        "twice the phases: the tail of half the deviation",
        "=",
        {"t": DEVIATION, "phase": Span(0.1, 10.0, "log"), "n": Span(1, 10**3, "log", whole=True)},
        lambda t, phase, n: (
            printed_potential_tail(t, 2 * phase, n),
            printed_potential_tail(t / 2, phase, n),
        ),
    ),
    Ordering(
        TAILS,
        "at the proved sample size half of the deviation, less the bias, is enough at one frequency",
        "<=",
        {"epsilon": Span(0.01, 1.0, "log"), "delta": DELTA, "dimension": Span(1, 20, whole=True), "phase": POSITIVE},
        lambda epsilon, delta, dimension, phase: _net_tail(
            potential_sample_size(dimension, phase, epsilon=epsilon, delta=delta), epsilon, delta, dimension, phase
        ),
        rtol=1e-9,
    ),
    Ordering(
        TAILS,
        "a wider ball of frequencies needs more samples",
        "<=",
        {"epsilon": DEVIATION, "delta": DELTA, "phase": POSITIVE, "step": STEP},
        lambda epsilon, delta, phase, step: (
            potential_sample_size(3, phase, epsilon=epsilon, delta=delta),
            potential_sample_size(3, step * phase, epsilon=epsilon, delta=delta),
        ),
    ),
    Ordering(
        TAILS,
        "points stretched and frequencies shrunk by s: the printed sample size falls by s^2 or more",
        "<=",
        {"scale": STEP, "delta": DELTA, "bandwidth": Span(1.0, 100.0, "log")},
        lambda scale, delta, bandwidth: (
            printed_potential_sample_size(2, 2.0 * scale, bandwidth / scale, epsilon=0.1, delta=delta) * scale**2,
            printed_potential_sample_size(2, 2.0, bandwidth, epsilon=0.1, delta=delta),
        ),
    ),
    Ordering(
        SPHERE,
        "on the sphere of R^3 there are 2 l + 1 harmonics of degree l",
        "=",
        {"degree": DEGREE},
        lambda degree: (harmonic_dimension(3, degree), 2 * degree + 1),
    ),
    Ordering(
        SPHERE,
        "harmonics of degree l in d + 1 variables: one degree more, by those of degree l in d",
        "=",
        {"dimension": DIMENSION, "degree": DEGREE},
        lambda dimension, degree: (
            harmonic_dimension(dimension + 1, degree + 1) - harmonic_dimension(dimension + 1, degree),
            harmonic_dimension(dimension, degree + 1),
        ),
    ),
    Ordering(
        SPHERE,
        "print agrees up to degree two",
        "=",
        {"dimension": DIMENSION, "degree": (0, 1, 2)},
        lambda dimension, degree: (
            printed_harmonic_dimension(dimension, degree),
            harmonic_dimension(dimension, degree),
        ),
    ),
    Ordering(
        SPHERE,
        "areas two dimensions apart differ by the factor 2 pi / d",
        "=",
        {"dimension": DIMENSION},
        lambda dimension: (surface_area(dimension + 2), surface_area(dimension) * 2 * math.pi / dimension),
    ),
    Ordering(
        SPHERE,
        "the constant harmonic has the printed bound over the area",
        "=",
        {"mass": POSITIVE, "dimension": DIMENSION},
        lambda mass, dimension: (
            harmonic_potential_bound(mass, dimension, 0) * surface_area(dimension),
            printed_harmonic_potential_bound(mass),
        ),
    ),
)


def _net_tail(n: float, epsilon: float, delta: float, dimension: float, phase: float) -> tuple[float, float]:
    """Logarithm of the union of tails over the net at a sample size, against that of delta."""
    nodes = dimension * math.log1p(8 * phase / epsilon)
    bias = expected_potential(0.0, n)
    return nodes + math.log(2) - n * (epsilon / 2 - bias) ** 2 / 8, math.log(delta)
