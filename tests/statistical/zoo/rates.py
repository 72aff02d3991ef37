"""More decays with the wrong exponent, with and without lower-order terms and logarithms."""

from harness.selftest.falsehoods import wrong_rate

RATES = [
    wrong_rate("half-negative", (-0.5, -0.9, 0.0), (-1.0, 0.0)),
    wrong_rate("one-correction", (-1.0, 4.0, 0.0), (-1.25, 0.0)),
    wrong_rate("third", (-1.0 / 3.0, 0.0, 0.0), (-0.5, 0.0)),
    wrong_rate("tenth-correction", (-0.5, 1.0, 0.0), (-0.6, 0.0)),
    wrong_rate("tenth-logarithm", (-0.5, 0.0, 1.0), (-0.6, 1.0)),
    wrong_rate("log-squared", (-1.0, 0.0, 2.0), (-1.0, 0.0)),
    wrong_rate("extra-log", (-0.5, 0.0, 0.0), (-0.6, -1.0)),
    wrong_rate("at-margin", (-0.5, 0.0, 0.0), (-0.55, 0.0)),
]
