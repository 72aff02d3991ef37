"""Mutants that are no mistakes, each with its proof in one line.

The key is (module, name, expression before, after, occurrence of that pair within the function, from 1). A proof that
names a rounding error or an accuracy refers to the one that the function's docstring promises.
"""

Key = tuple[str, str, str, str, int]

_BOX = "multinomial_box_probability"
_DIMENSION = "spline_effective_dimension"
_GAP = "kl_bound_infimum(0.0, divergence, bound=bound, sample_size=sample_size, delta=delta, constant=constant) < level"

EQUIVALENTS: dict[Key, str] = {
    (
        "bounds.leverage",
        "corrected_cross_term_bound",
        "(regularisation, squared_norm, sampling_dimension, features, delta)",
        "(squared_norm, regularisation, sampling_dimension, features, delta)",
        1,
    ): "lambda and ||f||^2 enter by their product alone, which commutes.",
    (
        "bounds.leverage",
        "deterministic_cross_term_bound",
        "(regularisation, residual_risk)",
        "(residual_risk, regularisation)",
        1,
    ): "lambda and R_n(f) enter by their product alone, which commutes.",
    (
        "bounds.online",
        "online_ascent_regret",
        "(diameter, lipschitz, rounds)",
        "(lipschitz, diameter, rounds)",
        1,
    ): "D and G enter by their product alone, which commutes.",
    (
        "bounds.online",
        "gradient_norm",
        "(box, n, minority)",
        "(minority, n, box)",
        1,
    ): "C and m enter by their product alone, which commutes.",
    (
        "bounds.multinomial",
        _BOX,
        "max(int(a), 0)",
        "int(a)",
        1,
    ): "Poisson counts have no mass below zero, so a negative lower bound adds zeros to the convolution.",
    (
        "bounds.multinomial",
        _BOX,
        "min(int(b), count)",
        "int(b)",
        1,
    ): "counts beyond s lie behind the coefficient at s of a product of series with nonnegative exponents.",
    (
        "bounds.multinomial",
        _BOX,
        "b - a",
        "b",
        1,
    ): "the width may exceed that of the product, b >= b - a: coefficients beyond are 0 up to rounding.",
    (
        "bounds.multinomial",
        _BOX,
        "b - a",
        "b + a",
        1,
    ): "the width may exceed that of the product, b + a >= b - a: coefficients beyond are 0 up to rounding.",
    (
        "bounds.multinomial",
        _BOX,
        "1",
        "2",
        1,
    ): "a transform longer than the product pads it with one more zero.",
    (
        "bounds.multinomial",
        _BOX,
        "1",
        "0.5",
        3,
    ): "the integers in [a, b + 1) and in [a, b + 1/2) are the same.",
    (
        "bounds.multinomial",
        "uniform_deviation_probability",
        "math.floor(mean * (1 + deviation) + slack)",
        "mean * (1 + deviation) + slack",
        1,
    ): "the box truncates its bounds to integers, which for a positive number is the floor.",
    (
        "bounds.pac_bayes",
        "power_divergence_bound",
        "order <= 2",
        "order < 2",
        1,
    ): "both cases are (4 n)^(-1/2) at mu = 2.",
    (
        "bounds.tuning",
        "_grid",
        "2 * k * math.log(ratio) >= math.log1p(span / (confidence + math.log(k)))",
        "2 * k * math.log(ratio) > math.log1p(span / (confidence + math.log(k)))",
        1,
    ): "no equality: it would make the logarithm of an algebraic number rational (Lindemann); for D = 0 both hold.",
    (
        "bounds.tuning",
        "_best_on",
        "nats > grid.least * grid.step ** (2 * k)",
        "nats >= grid.least * grid.step ** (2 * k)",
        1,
    ): "at equality both neighbours on the grid give the same bound.",
    (
        "bounds.vacuity",
        "smallest_informative_sample",
        _GAP,
        _GAP.replace("<", "<="),
        1,
    ): "no equality: log(m / delta) is transcendental for rational m / delta (Lindemann), the squared level rational.",
    (
        "bounds.vacuity",
        "_first",
        "2",
        "4",
        1,
    ): "powers of four are as good a bracket as powers of two.",
    (
        "bounds.vacuity",
        "_first",
        "1",
        "2",
        1,
    ): "a bracket that starts at 4 instead of 2 leaves the same first n inside.",
    (
        "bounds.rates",
        _DIMENSION,
        "1000",
        "500",
        1,
    ): "the next correction at the edge is 7 f'''/5760, below 1e-14 of the sum from 500 terms on.",
    (
        "bounds.rates",
        _DIMENSION,
        "1000",
        "2000",
        1,
    ): "more terms of the same sum are taken directly.",
    (
        "bounds.rates",
        _DIMENSION,
        "10000.0",
        "5000.0",
        1,
    ): "the tail's first neglected term is (2e-4)^3 / 7 of a tail that is below 1 % of the sum, hence below 1e-13.",
    (
        "bounds.rates",
        _DIMENSION,
        "10000.0",
        "20000.0",
        1,
    ): "more terms of the same sum are taken directly.",
    (
        "bounds.rates",
        _DIMENSION,
        "j - 1",
        "j + 1",
        1,
    ): "(-1)^(j + 1) = (-1)^(j - 1).",
    (
        "bounds.rates",
        _DIMENSION,
        "j - 1",
        "1 - j",
        1,
    ): "(-1)^(1 - j) = (-1)^(j - 1).",
    (
        "bounds.rates",
        _DIMENSION,
        "4",
        "8",
        1,
    ): "the terms j = 4, ..., 7 of the alternating tail are below (1e-4)^3 / 7 of a tail that is below 1 % of the sum.",
    (
        "bounds.spectra",
        "_HEAD",
        "1000",
        "2000",
        1,
    ): "more terms one by one and fewer by the formula: both are exact to 1e-11.",
    (
        "bounds.spectra",
        "geometric_effective_dimension",
        "50",
        "100",
        1,
    ): "fifty more units of terms below exp(-50), which change no digit.",
    (
        "bounds.spectra",
        "polynomial_effective_dimension",
        "_HEAD + 0.5",
        "_HEAD - 0.5",
        1,
    ): "sum and integral meet one term earlier, at the same accuracy.",
    (
        "bounds.spectra",
        "polynomial_effective_dimension",
        "beyond < 0.5",
        "beyond <= 0.5",
        1,
    ): "at one half both branches compute the same share.",
    (
        "bounds.spectra",
        "polynomial_effective_dimension",
        "0.5",
        "0.25",
        2,
    ): "between 1/4 and 1/2 neither branch loses digits.",
}
