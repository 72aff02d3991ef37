"""Sentences that compare this paper's tables with prior work, by the printed cells, Remark 13 and the conclusion."""

import math
from collections.abc import Callable
from fractions import Fraction

from bounds.random_features.spectra import Spectrum, spectral_fixed_point_bound
from harness import Row, claim, grid, reproduction

from .symbols import TABLE_9_SIGNS
from .table_rows import HALF, Powers, Printed, lipschitz, only, refined, refined_lipschitz, worst_case

_EXACT = reproduction(tolerance=0.01)
_SUFFICES = reproduction(tolerance=0.01, sided="at most")

FEWER, SAME, MORE = -1.0, 0.0, 1.0


def compared(ours: Powers, theirs: Powers) -> float:
    """FEWER, SAME or MORE: which of two growths is the larger, the power of n first."""
    return FEWER if ours < theirs else MORE if ours > theirs else SAME


@claim(
    "uarff/tab-3-prior",
    _EXACT,
    over=grid(t=[1.0, 1.5, 3.0]),
    cite="uarff, Section 3.1.3 and Table 3",
    sizes="every row, by the printed cells, t = 1, 1.5, 3",
    restricts="the comparison of the printed cells; what prior work proves is not judged",
)
def plain_features_against_rudi_and_rosasco(*, t: float):
    """Table 3: fewer features than sqrt n log n for finite rank and geometric decay, as many for polynomial decay.

    -1 stands for fewer, 0 for as many. That the rows of this paper suffice is judged by tab-3.
    """
    theirs = (HALF, 1, 0)
    said = {"finite rank": FEWER, "geometric": FEWER, "polynomial": SAME, "harmonic": SAME}
    return [
        Row(f"{row.label}: features", compared(row.features, theirs), printed=said[row.spectrum])
        for row in only(worst_case(t), "plain")
    ]


@claim(
    "uarff/tab-4-prior",
    _EXACT,
    over=grid(t=[1.25, 1.5, 3.0]),
    cite="uarff, Section 3.1.3 and Table 4",
    restricts="the comparison of the cells, with sqrt n log n in place of the printed n^(1/2t) log n, as in tab-4, and "
    "prior work as printed (its spectrum: rate-tab-4-prior); t = 1.25, 1.5, 3; what prior work proves is not judged",
)
def refined_plain_features_against_rudi_and_rosasco(*, t: float):
    """Table 4: the same for finite rank and geometric decay; for i^-t a slower rate from fewer features.

    The printed n^(1/2t) log n is replaced by the sqrt n log n that the theorem gives (tab-4): still fewer.
    """
    power = 2 * t / (2 * t + 1)
    theirs: dict[Spectrum, tuple[Powers, Powers]] = {
        "finite rank": ((1, 0, 0), (-1, 0, 0)),
        "geometric": ((1, 0, 0), (-1, 1, 0)),
        "polynomial": ((_fraction(power), 1, 0), (_fraction(-power), 0, 0)),
    }
    said = {"finite rank": (SAME, SAME), "geometric": (SAME, SAME), "polynomial": (FEWER, MORE)}
    return _both(only(refined(t), "plain"), theirs, said)


@claim(
    "uarff/tab-5-prior",
    _EXACT,
    over=[{"t": t, "alpha": alpha} for t in (1.25, 3.0) for alpha in (0.001, 0.999)],
    cite="uarff, Section 3.1.3 and Table 5",
    restricts="the comparison of the printed cells, without the number of features for i^-t; what prior work proves"
    " is not judged",
)
def leverage_features_against_rudi_and_rosasco(*, t: float, alpha: float):
    """Table 5: the same for finite rank; for geometric decay fewer features if alpha is close to one.

    With (n / log n)^alpha log n features prior work has more for every alpha > 0; at alpha = 0 it has log n, fewer
    than log n log log n: the limit of which the paper speaks. For i^-t its rate is faster.
    """
    rows = {row.spectrum: row for row in only(refined(t), "leverage")}
    at_zero = compared(rows["geometric"].features, (0, 1, 0))
    theirs = (_fraction(alpha), 1 - _fraction(alpha), 0)
    rate = (_fraction(-2 * t / (2 * t + 1)), 0, 0)
    return [
        Row("finite rank: features", compared(rows["finite rank"].features, (0, 0, 0)), printed=SAME),
        Row("geometric: features at this alpha", compared(rows["geometric"].features, theirs), printed=FEWER),
        Row("geometric: features at alpha = 0", at_zero, printed=MORE),
        Row("polynomial: rate", compared(rows["polynomial"].rate, rate), printed=MORE),
    ]


@claim(
    "uarff/tab-8-prior",
    _EXACT,
    over=grid(t=[1.0, 1.5, 3.0]),
    cite="uarff, Section 3.2.3 and Table 8",
    sizes="every row, by the printed cells, t = 1, 1.5, 3",
    restricts="the comparison of the printed cells; what prior work proves is not judged",
)
def lipschitz_features_against_rahimi_recht_and_bach(*, t: float):
    """Table 8: fewer plain features than n log n for finite rank and geometric decay, else as many; weighted: as Bach.

    Finite rank is not in the rows of Bach.
    """
    said = {"finite rank": FEWER, "geometric": FEWER, "polynomial": SAME, "harmonic": SAME}
    plain = [
        Row(f"{row.label}: features", compared(row.features, (1, 1, 0)), printed=said[row.spectrum])
        for row in only(lipschitz(t), "plain")
    ]
    bach: dict[str, Powers] = {
        "geometric": (0, 1, 1),
        "polynomial": (_fraction(1 / (2 * t)), 1, 0),
        "harmonic": (1, 1, 0),
    }
    return plain + [
        Row(f"{row.label}: features", compared(row.features, bach[row.spectrum]), printed=SAME)
        for row in only(lipschitz(t), "leverage")
        if row.spectrum in bach
    ]


@claim(
    "uarff/tab-9-prior-polynomial",
    _EXACT,
    over=grid(t=[2.5, 4.0, 8.0]),
    reading="printed",
    expected="refuted",
    cite="uarff, Section 3.2.3 and Table 9, i^-t",
    quote="SUN ET AL. (2018) ... O(n^{t/(2+t)}); setting t = 4 we can see that Sun et al. (2018) obtain a fast "
    "O(n^{2/3}) learning rate",
    defect=TABLE_9_SIGNS,
)
def growing_rate_against_sun(*, t: float):
    """Table 9, i^-t: for t > 2 the rate n^-1/2 is slower than the n^(t/(2+t)) of prior work, which the text calls fast.

    Without its minus sign the latter grows with n. A sign, not a mistake.
    """
    return [Row("rate", compared((-HALF, 0, 0), (_fraction(t / (2 + t)), 0, 0)), printed=MORE)]


@claim(
    "uarff/tab-9-prior-polynomial",
    _EXACT,
    reading="corrected",
    over=grid(t=[1.25, 1.5, 1.75, 2.5, 4.0, 8.0]),
    cite="uarff, Section 3.2.3 and Table 9, i^-t",
    restricts="the comparison of the printed cells, with the minus sign that the rate n^(t/(2+t)) lacks; t = 1.25 to "
    "8; what prior work proves is not judged",
)
def refined_polynomial_features_against_sun(*, t: float):
    """Table 9, i^-t: fewer features than prior work for t > 1, and a faster rate for t < 2, a slower one for t > 2.

    n^(1/2t) log n and n^-1/2 against n^(2/(2+t)) log n and n^(-t/(2+t)): the sentences on the printed cells are judged,
    not the cells.
    """
    features: tuple[Powers, Powers] = (_fraction(1 / (2 * t)), 1, 0), (_fraction(2 / (2 + t)), 1, 0)
    rates: tuple[Powers, Powers] = (-HALF, 0, 0), (_fraction(-t / (2 + t)), 0, 0)
    return [
        Row("features", compared(*features), printed=FEWER),
        Row("rate", compared(*rates), printed=FEWER if t < 2 else MORE),
    ]


@claim(
    "uarff/tab-9-prior",
    _EXACT,
    over=grid(dimension=[2, 5]),
    cite="uarff, Section 3.2.3 and Table 9",
    restricts="the comparison of the printed cells for finite rank and geometric decay; what prior work proves is "
    "not judged",
)
def refined_lipschitz_features_against_sun(*, dimension: int):
    """Table 9: the same for finite rank; for geometric decay fewer features and a faster rate in d > 1 dimensions."""
    theirs: dict[Spectrum, tuple[Powers, Powers]] = {
        "finite rank": ((0, 0, 0), (-1, 0, 0)),
        "geometric": ((0, dimension, dimension), (-1, dimension + 2, 0)),
    }
    said = {"finite rank": (SAME, SAME), "geometric": (FEWER, FEWER)}
    return _both([row for row in only(refined_lipschitz(2.0), "leverage") if row.spectrum in said], theirs, said)


@claim(
    "uarff/rem-13",
    _EXACT,
    over=grid(t=[1.05, 1.25, 1.5, 3.0, 20.0]),
    cite="uarff, Remark 13",
    sizes="c = 1, b from 1.05 to 20 and finite rank; (10) with its constant taken as 1, up to logarithms",
    restricts="the fixed point (10) alone, its constant taken as 1, up to logarithms; not the risk",
)
def fast_rates_are_those_of_caponnetto_and_de_vito(*, t: float):
    """With c = 1 the fixed point (10) has the rates n^(-b/(b+1)) for eigenvalues i^-b, and 1/n for finite rank.

    From n^-1/2, the worst case, as b comes down to 1, to 1/n: the range of rates of Caponnetto and De Vito. Rate by
    rate it is matched by (10) at its best h, not by the rows i^-t of Tables 2, 4 and 5, which have n^-1/2 for every t.
    "Theorem 1" stands for Theorem 9.
    """
    return [
        Row(
            "i^-b: power of n",
            _power(lambda n: spectral_fixed_point_bound("polynomial", n, decay=t)),
            0.0,
            -t / (t + 1),
        ),
        Row("finite rank: power of n", _power(lambda n: spectral_fixed_point_bound("finite rank", n)), 0.0, -1.0),
        Row("A^i: power of n", _power(lambda n: spectral_fixed_point_bound("geometric", n) / math.log(n)), 0.0, -1.0),
    ]


@claim(
    "uarff/conclusion-lipschitz",
    _SUFFICES,
    over=grid(t=[1.25, 1.5, 3.0]),
    cite="uarff, conclusion, third paragraph, with Tables 6 and 7",
    restricts="that the theorems give as much; leverage sampling, finite rank, A^i and i^-2t with t = 1.25, 1.5, 3",
)
def square_root_of_n_features_for_lipschitz_losses(*, t: float):
    """With a Lipschitz loss O(sqrt n) features are possible for the rate n^-1/2, and constantly many for a fast rate.

    By leverage sampling where eigenvalues decay faster than 1/i^2. Plain sampling asks for n or more (Table
    6), and i^-2 and i^-1 for more than sqrt n with either.
    """
    rows = []
    for row in only(lipschitz(t), "leverage"):
        if row.spectrum != "harmonic":
            rows.append(Row(f"{row.label}: features, power of n", float(row.derived_features("n")), printed=0.5))
            rows.append(Row(f"{row.label}: rate, power of n", float(row.derived_rate("n")), printed=-0.5))
    (fast,) = (row for row in only(refined_lipschitz(2.0), "leverage") if row.spectrum == "finite rank")
    rows.append(Row("finite rank, refined: features, power of n", float(fast.derived_features("n")), printed=0.0))
    rows.append(Row("finite rank, refined: rate, power of n", float(fast.derived_rate("n")), printed=-1.0))
    return rows


def _both(
    rows: list[Printed], theirs: dict[Spectrum, tuple[Powers, Powers]], said: dict[str, tuple[float, float]]
) -> list[Row]:
    """Features and rates of each row against prior work."""
    return [
        Row(f"{row.label}: {name}", compared(ours, other), printed=sentence)
        for row in rows
        for name, ours, other, sentence in zip(
            ("features", "rate"), (row.features, row.rate), theirs[row.spectrum], said[row.spectrum], strict=True
        )
    ]


def _fraction(value: float) -> Fraction:
    return Fraction(value).limit_denominator(10**6)


def _power(value: Callable[[float], float]) -> float:
    """Power of n, from the ends of n = 10^60, ..., 10^120."""
    return math.log(value(1e120) / value(1e60)) / math.log(1e60)
