"""Orderings between the bounds on ridge leverage scores, multinomial counts and learning rates."""

import math

from scipy import special

from bounds.random_features import leverage
from bounds.random_features.leverage import (
    corrected_cross_term_bound,
    corrected_deviation_constant,
    deterministic_cross_term_bound,
    feature_count,
    leverage_score_upper,
    printed_cross_term_bound,
    printed_deviation_constant,
    refined_deviation_constant,
)
from bounds.random_features.multinomial import multinomial_box_probability, uniform_deviation_probability
from bounds.random_features.rates import spline_effective_dimension, spline_ridge_exponent, theorem_exponent
from tests.mutation.orderings.table import DELTA, SIZE, STEP, Ordering, Span

LEVERAGE, COUNTS, RATES = (
    "bounds.random_features.leverage",
    "bounds.random_features.multinomial",
    "bounds.random_features.rates",
)
EPSILON = Span(1e-4, 1.0, "log")
POSITIVE = Span(1e-6, 1e3, "log")
DIMENSION = Span(0.5, 1e6, "log")
CONSTANT = Span(1.0, 100.0)
DRAWS = Span(1, 40, whole=True)
ACCURACY = 1e-11  # absolute, as the module promises

TABLE = (
    Ordering(
        LEVERAGE,
        "the refined constant is at least the printed one",
        "<=",
        {"epsilon": EPSILON},
        lambda epsilon: (printed_deviation_constant(epsilon), refined_deviation_constant(epsilon)),
    ),
    Ordering(
        LEVERAGE,
        "the refined constant is at most the corrected one",
        "<=",
        {"epsilon": EPSILON},
        lambda epsilon: (refined_deviation_constant(epsilon), corrected_deviation_constant(epsilon)),
    ),
    Ordering(
        LEVERAGE,
        "the printed constant loses a factor two",
        "=",
        {"epsilon": EPSILON},
        lambda epsilon: (2 * printed_deviation_constant(epsilon), corrected_deviation_constant(epsilon)),
    ),
    Ordering(
        LEVERAGE,
        "the constant of the printed theorems is at most that of the printed lemma at epsilon = 1/2",
        "<=",
        {},
        lambda: (leverage.PRINTED_THEOREM_CONSTANT, printed_deviation_constant(0.5)),
    ),
    Ordering(
        LEVERAGE,
        "refined and corrected constants agree to leading order: 2 / epsilon^2",
        "=",
        {"constant": (refined_deviation_constant, corrected_deviation_constant)},
        lambda constant: (constant(1e-9) * 1e-18, 2.0),
        rtol=1e-8,
    ),
    Ordering(
        LEVERAGE,
        "a smaller error costs more features",
        "<=",
        {"epsilon": EPSILON, "step": STEP},
        lambda epsilon, step: (refined_deviation_constant(epsilon), refined_deviation_constant(epsilon / step)),
    ),
    Ordering(
        LEVERAGE,
        "features grow with the sampling dimension",
        "<=",
        {"d": DIMENSION, "delta": DELTA, "constant": CONSTANT, "step": STEP},
        lambda d, delta, constant, step: (
            feature_count(d, d, delta, constant=constant),
            feature_count(step * d, d, delta, constant=constant),
        ),
    ),
    Ordering(
        LEVERAGE,
        "features grow with the effective dimension",
        "<=",
        {"d": DIMENSION, "delta": DELTA, "constant": CONSTANT, "step": STEP},
        lambda d, delta, constant, step: (
            feature_count(step * d, d, delta, constant=constant),
            feature_count(step * d, step * d, delta, constant=constant),
        ),
    ),
    Ordering(
        LEVERAGE,
        "features grow as the probability of failure shrinks",
        "<=",
        {"d": DIMENSION, "delta": DELTA, "constant": CONSTANT, "step": STEP},
        lambda d, delta, constant, step: (
            feature_count(d, d, delta, constant=constant),
            feature_count(d, d, delta / step, constant=constant),
        ),
    ),
    Ordering(
        LEVERAGE,
        "a count of features s leaves 16 d_K exp(-s / (c d)) at most delta",
        "<=",
        {"d": DIMENSION, "share": Span(0.1, 1.0), "delta": DELTA, "constant": CONSTANT},
        lambda d, share, delta, constant: (
            16 * share * d * math.exp(-feature_count(d, share * d, delta, constant=constant) / (constant * d)),
            delta,
        ),
        rtol=1e-9,
    ),
    Ordering(
        LEVERAGE,
        "one feature less than the count would leave more than delta",
        "<=",
        {"d": DIMENSION, "share": Span(0.3, 1.0), "delta": DELTA, "constant": CONSTANT},
        lambda d, share, delta, constant: (
            delta,
            16 * share * d * math.exp((1 - feature_count(d, share * d, delta, constant=constant)) / (constant * d)),
        ),
        rtol=1e-9,
    ),
    Ordering(
        LEVERAGE,
        "at least one feature is asked for, and one is enough where log(16 d_K / delta) < 0",
        "=",
        {"d": Span(1e-3, 0.03), "delta": Span(0.5, 1.0)},
        lambda d, delta: (feature_count(d, d, delta, constant=1.0), 1),
    ),
    Ordering(
        LEVERAGE,
        "the refined constant saves 2 / (3 epsilon)",
        "=",
        {"epsilon": EPSILON},
        lambda epsilon: (
            corrected_deviation_constant(epsilon) - refined_deviation_constant(epsilon),
            2 / (3 * epsilon),
        ),
        rtol=1e-9,
    ),
    Ordering(
        LEVERAGE,
        "the corrected cross term exceeds lambda ||f||^2 by Markov's inequality: squared, four times d / (s delta)",
        "=",
        {"norm": POSITIVE, "d": DIMENSION, "s": SIZE, "delta": Span(1e-3, 1.0)},
        lambda norm, d, s, delta: (
            (corrected_cross_term_bound(0.1, norm, d, s, delta) / (0.1 * norm) - 1) ** 2,
            4 * d / (s * delta),
        ),
        rtol=1e-9,
        atol=1e-15,
    ),
    Ordering(
        LEVERAGE,
        "a leverage score is at most its upper bound: one atom, one point",
        "<=",
        {"p": Span(1e-9, 1.0, "log"), "z": POSITIVE, "ridge": POSITIVE},
        lambda p, z, ridge: (p * z * z / (p * z * z + ridge), leverage_score_upper(p, z, ridge)),
    ),
    Ordering(
        LEVERAGE,
        "a rare atom attains the upper bound on its leverage score",
        "=",
        {"z": POSITIVE, "ridge": POSITIVE},
        lambda z, ridge: (leverage_score_upper(1e-40, z, ridge), 1e-40 * z * z / (1e-40 * z * z + ridge)),
    ),
    Ordering(
        LEVERAGE,
        "the corrected cross term is at least the printed one for functions of norm one",
        "<=",
        {"ridge": POSITIVE, "d": DIMENSION, "s": SIZE, "delta": DELTA},
        lambda ridge, d, s, delta: (
            printed_cross_term_bound(ridge),
            corrected_cross_term_bound(ridge, 1.0, d, s, delta),
        ),
    ),
    Ordering(
        LEVERAGE,
        "many features leave lambda times the squared norm",
        "=",
        {"ridge": POSITIVE, "norm": POSITIVE, "d": DIMENSION, "delta": Span(1e-3, 1.0)},
        lambda ridge, norm, d, delta: (corrected_cross_term_bound(ridge, norm, d, 10**30, delta), ridge * norm),
        rtol=1e-8,
    ),
    Ordering(
        LEVERAGE,
        "the deterministic cross term is the geometric mean of lambda and twice the risk",
        "=",
        {"ridge": POSITIVE, "risk": POSITIVE},
        lambda ridge, risk: (
            deterministic_cross_term_bound(ridge, risk) ** 2 / printed_cross_term_bound(ridge),
            2 * risk,
        ),
    ),
    Ordering(
        COUNTS,
        "the whole simplex has probability one",
        "=",
        {"s": DRAWS, "p": Span(0.0, 1.0)},
        lambda s, p: (multinomial_box_probability(s, [p / 2, p / 2, 1 - p], [0, 0, 0], [s, s, s]), 1.0),
        atol=ACCURACY,
    ),
    Ordering(
        COUNTS,
        "a probability lies in [0, 1], whatever the rounding of the likeliest and of the rarest boxes",
        "<=",
        {"p": Span(0.01, 0.99)},
        lambda p: (max(_outside(s, p) for s in range(2, 41, 6)), 0.0),
        rtol=0.0,
    ),
    Ordering(
        COUNTS,
        "one more than at most, or at most: probability one",
        "=",
        {"s": DRAWS, "p": Span(0.0, 1.0), "share": Span(0.0, 1.0)},
        lambda s, p, share: (
            multinomial_box_probability(s, [p, 1 - p], [0, 0], [int(share * s), s])
            + multinomial_box_probability(s, [p, 1 - p], [int(share * s) + 1, 0], [s, s]),
            1.0,
        ),
        atol=ACCURACY,
    ),
    Ordering(
        COUNTS,
        "two cells: bounds on one are bounds on the other",
        "=",
        {"s": DRAWS, "p": Span(0.0, 1.0), "share": Span(0.0, 1.0)},
        lambda s, p, share: (
            multinomial_box_probability(s, [p, 1 - p], [0, 0], [int(share * s), s]),
            multinomial_box_probability(s, [p, 1 - p], [0, s - int(share * s)], [s, s]),
        ),
        atol=ACCURACY,
    ),
    Ordering(
        COUNTS,
        "a larger deviation is rarer",
        "<=",
        {"s": DRAWS, "cells": Span(1, 6, whole=True), "x": Span(0.0, 2.0), "step": STEP},
        lambda s, cells, x, step: (
            uniform_deviation_probability(s, cells, step * x),
            uniform_deviation_probability(s, cells, x),
        ),
        atol=ACCURACY,
    ),
    Ordering(
        COUNTS,
        "no cell can be off by more than N - 1",
        "=",
        {"s": DRAWS, "cells": Span(2, 6, whole=True)},
        lambda s, cells: (uniform_deviation_probability(s, cells, cells - 1), 0.0),
        atol=ACCURACY,
    ),
    Ordering(
        RATES,
        "the theorem promises no more than n^-a and n^-1/2",
        "=",
        {"a": Span(0.01, 3.0)},
        lambda a: (theorem_exponent(a), max(-a, -0.5)),
    ),
    Ordering(
        RATES,
        "a spline inside the kernel's space is learned at least as fast as the theorem says, for a <= r",
        "<=",
        {"share": Span(0.01, 1.0), "r": Span(1.0, 4.0), "excess": Span(0.0, 5.0)},
        lambda share, r, excess: (
            spline_ridge_exponent(share * r, r, r + 0.5 + excess),
            theorem_exponent(share * r),
        ),
    ),
    Ordering(
        RATES,
        "smoothness beyond 2 r + 1/2 is not used",
        "=",
        {"a": Span(0.01, 2.0), "r": Span(0.6, 4.0), "excess": Span(0.0, 5.0)},
        lambda a, r, excess: (
            spline_ridge_exponent(a, r, 2 * r + 0.5 + excess),
            -min(2 * a, 1 - a / (2 * r)),
        ),
    ),
    Ordering(
        RATES,
        "bias and variance balance at a = 2 r / (2 t) for t <= 2 r + 1/2: the optimal exponent 1/(2t) - 1",
        "=",
        {"r": Span(0.6, 4.0), "share": Span(0.0, 1.0)},
        lambda r, share: _balanced(r, 0.6 + share * (2 * r + 0.5 - 0.6)),
    ),
    Ordering(
        RATES,
        "the dimension shrinks as the regularisation grows",
        "<=",
        {"r": Span(1.0, 3.0), "ridge": Span(1e-4, 1e3, "log"), "step": STEP},
        lambda r, ridge, step: (spline_effective_dimension(r, step * ridge), spline_effective_dimension(r, ridge)),
    ),
    Ordering(
        RATES,
        "the dimension shrinks as the order grows",
        "<=",
        {"r": Span(1.0, 3.0), "ridge": Span(1e-4, 1e3, "log"), "step": STEP},
        lambda r, ridge, step: (spline_effective_dimension(step * r, ridge), spline_effective_dimension(r, ridge)),
    ),
    Ordering(
        RATES,
        "order 1 in closed form: 1/(1 + lambda) + x coth x - 1 with x = pi / sqrt lambda",
        "=",
        {"ridge": Span(1e-4, 1e6, "log")},
        lambda ridge: (
            spline_effective_dimension(1.0, ridge),
            1 / (1 + ridge) + math.pi / math.sqrt(ridge) / math.tanh(math.pi / math.sqrt(ridge)) - 1,
        ),
        rtol=1e-9,
    ),
    Ordering(
        RATES,
        "lambda times the dimension tends to the trace 1 + 2 zeta(2 r)",
        "=",
        {"r": Span(1.0, 3.0)},
        lambda r: (1e12 * spline_effective_dimension(r, 1e12), 1 + 2 * float(special.zeta(2 * r))),
        rtol=1e-9,
    ),
)


def _outside(s: int, p: float) -> float:
    """How far the probabilities of the whole simplex and of a single cell taking all counts are outside [0, 1]."""
    whole = multinomial_box_probability(s, [p / 2, p / 2, 1 - p], [0, 0, 0], [s, s, s])
    rare = multinomial_box_probability(s, [1 - p, p], [0, 0], [0, s])
    return max(whole - 1, -rare)


def _balanced(r: float, t: float) -> tuple[float, float]:
    return spline_ridge_exponent(r / t, r, t), 1 / (2 * t) - 1
