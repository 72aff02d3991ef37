"""What the printed tables say by themselves: sentences about them, sizes of splits, and where they disagree."""

import math

from harness import Row, claim, grid, reproduction
from harness.claims.lkrf.defects import ALL_DATA_SETS
from harness.data import DATA_SETS
from harness.data.sparse_rows import REUTERS_TRAINING

COLUMNS = ("OK", "random, D = nnz", "random, D = 10 nnz", "ABMKSVM(ratio)", "MKSVM")
ERRORS = {
    "adult": (15.54, 17.51, 16.08, 15.44, 16.79),
    "reuters": (9.27, 46.49, 23.69, 9.09, 10.13),
    "buzz": (4.92, 8.68, 4.16, 3.48, 3.54),
    "ads": (5.37, 8.05, 3.54, 3.05, 3.17),
    "farm": (11.58, 23.36, 14.58, 10.81, 10.23),
    "mnist17": (3.24, 4.44, 1.76, 0.51, 0.97),
    "mnist49": (6.53, 21.55, 4.02, 1.10, 1.26),
    "mnist56": (6.81, 5.89, 3.03, 0.87, 0.59),
    "weight": (13.08, 15.68, 2.89, 0.78, 1.49),
}
"""Table 4: test errors in percent."""

TIMES = {
    "adult": (3.6, 4.6, 86.9, 87.3, 740.9),
    "reuters": (0.8, 0.2, 1.0, 31207.4, 17490.7),
    "buzz": (2.0, 1.9, 60.2, 92.7, 1035.1),
    "ads": (0.017, 0.013, 0.014, 56.7, 92.3),
    "farm": (0.27, 0.05, 8.3, 86.3, 180.0),
    "mnist17": (3.4, 4.0, 53.1, 38.0, 702.6),
    "mnist49": (3.7, 4.4, 78.1, 27.0, 602.5),
    "mnist56": (2.9, 3.6, 56.4, 24.3, 623.9),
    "weight": (1.9, 1.0, 65.0, 83.1, 695.3),
}
"""Table 5: seconds of training and test."""

BEST = {"adult": (15.54, 3.6, 15.44, 43.1), "reuters": (9.27, 0.8, 9.36, 295.9), "buzz": (4.92, 2.0, 4.58, 11.9)}
"""Table 1: error in percent and seconds of OK and of random features."""

JOINT = {
    "adult": (16.22, 16.36, 1.8, 14.88, 16.31, 198.1),
    "reuters": (7.64, 9.66, 0.6, 6.30, 8.96, 173.3),
    "buzz": (8.44, 8.32, 0.4, 7.38, 7.08, 137.5),
}
"""Table 2: training error, test error and seconds of OK and of joint optimisation."""

PARAMETERS = {
    "adult": (0.0120, 20000),
    "reuters": (0.0123, 47236),
    "buzz": (0.0145, 2000),
    "ads": (0.1000, 1554),
    "farm": (0.0050, 54877),
    "mnist17": (0.0300, 20000),
    "mnist49": (0.0300, 20000),
    "mnist56": (0.0300, 20000),
    "weight": (0.0020, 20000),
}
"""Table 3: rho / N_w and N_w."""

SIZES = {
    "adult": (32561, 16281),
    "reuters": (23149, 781265),
    "buzz": (105530, 35177),
    "ads": (2459, 820),
    "farm": (3107, 1036),
    "mnist17": (13007, 2163),
    "mnist49": (11791, 1991),
    "mnist56": (11339, 1850),
    "weight": (29431, 9811),
}
"""Table 3: training and test points."""

COLUMNS_OF = {"adult": 123, "reuters": 47236, "buzz": 77, "ads": 1554, "farm": 54877, "weight": 53}
"""Table 3: d, beside the 784 of mnist."""

ROWS = {"buzz": 140707, "ads": 3279, "farm": 4143, "weight": 39242}
"""Rows of the files without a published split."""

TRAINED = {"adult": 32561, "reuters": REUTERS_TRAINING}
"""Training rows of those with one: all others are for testing."""

DIGITS = {1: (6742, 1135), 4: (5842, 982), 5: (5421, 892), 6: (5918, 958), 7: (6265, 1028), 9: (5949, 1009)}
"""Images of each digit in the training and the test set of MNIST."""

LARGER = {"mnist17": (1.06, 9.1), "mnist49": (1.91, 9.4), "mnist56": (1.68, 8.3), "weight": (2.04, 64.7)}
"""Table 6: error in percent and seconds of OK with a larger subset or a smaller radius."""


@claim(
    "lkrf/tab-1",
    reproduction(sided="at least"),
    cite="lkrf, Table 1 and Section 4.3",
    restricts="reuters; the gain on buzz is shown",
)
def surpasses_two_orders_faster():
    """On reuters, learned features surpass the best random ones 100 times faster: by the printed numbers, 370 times."""
    error, seconds, random_error, random_seconds = BEST["reuters"]
    return [
        Row("reuters: random error - OK error, in %", random_error - error, printed=0.0),
        Row("reuters: random time / OK time", random_seconds / seconds, printed=100.0),
        Row("buzz: random error - OK error, in %", BEST["buzz"][2] - BEST["buzz"][0]),
    ]


@claim(
    "lkrf/tab-1-adult",
    reproduction(tolerance=0.5),
    cite="lkrf, Table 1 and Section 4.3",
    restricts="the ratio of the times; the difference of the errors is shown",
)
def a_twelfth_of_the_time():
    """On adult, learned features take roughly 1/12 of the time of random ones: 43.1 / 3.6, to the nearest integer.

    Their errors, 15.54 and 15.44 %, are called the same: 16 of 16,281 test points apart.
    """
    error, seconds, random_error, random_seconds = BEST["adult"]
    return [
        Row("adult: random time / OK time", random_seconds / seconds, printed=12.0),
        Row("adult: OK error - random error, in %", error - random_error),
    ]


@claim(
    "lkrf/tab-2",
    reproduction(sided="at least"),
    cite="lkrf, Table 2 and Section 4.3",
    restricts="that joint optimisation errs less; how marginal its gain is, and its time, are shown",
)
def joint_optimisation_gains_little():
    """Joint optimisation errs less than learned features on all three data sets, in training and in test.

    The gains that print calls marginal are .05 % of the test points on adult, .70 on reuters and 1.24 on buzz (a
    seventh of the errors), for 110 to 344 times the time.
    """
    rows: list[Row] = []
    for name, (train, test, seconds, joint_train, joint_test, joint_seconds) in JOINT.items():
        rows += [
            Row(f"{name}: training error, OK - joint, in %", train - joint_train, printed=0.0),
            Row(f"{name}: test error, OK - joint, in %", test - joint_test, printed=0.0),
            Row(f"{name}: joint time / OK time", joint_seconds / seconds),
        ]
    return rows


@claim(
    "lkrf/tab-3",
    reproduction(sided="at most"),
    cite="lkrf, Table 3 and Appendix C",
    restricts="the sentence on rho, from the printed numbers; the sizes are under lkrf/tab-3-sizes",
)
def radii_are_below_a_thousand():
    """Every radius of Table 3, rho/N_w times N_w, is below 1000: between 29 (buzz) and 600 (mnist)."""
    return [Row(f"{name}: rho", ratio * count, printed=1000.0) for name, (ratio, count) in PARAMETERS.items()]


@claim(
    "lkrf/tab-3-sizes",
    reproduction(),
    cite="lkrf, Table 3 and Appendix C",
    over=grid(name=list(SIZES)),
    restricts=(
        "the splits, against the numbers of rows that the sources publish, and N_w = d for linear kernels; d itself is "
        "compared with the files where they are read"
    ),
)
def split_sizes_as_printed(*, name: str):
    """Splits of Table 3 are the published ones (adult, reuters, mnist), else a quarter for testing, rounded up.

    With a linear kernel all coordinates are features, so N_w = d, both as printed. No file is opened here; d, such as
    the 1554 of the 1558 attributes of ads, is what our readers return, and they compare it with the files.
    """
    if name in ROWS:
        tested = math.ceil(ROWS[name] / 4)
        sizes = (ROWS[name] - tested, tested)
    elif name in TRAINED:
        sizes = (TRAINED[name], DATA_SETS[name].rows - TRAINED[name])
    else:
        first, second = (DIGITS[int(digit)] for digit in name.removeprefix("mnist"))
        sizes = (first[0] + second[0], first[1] + second[1])
    parts = zip(("training", "test"), sizes, SIZES[name], strict=True)
    rows: list[Row] = [Row(f"{part} points", float(ours), printed=float(printed)) for part, ours, printed in parts]
    if name in ("reuters", "ads", "farm"):
        rows.append(Row("N_w, all coordinates", float(COLUMNS_OF[name]), printed=float(PARAMETERS[name][1])))
    return rows


@claim("lkrf/tab-4", reproduction(sided="at least"), cite="lkrf, Table 4 and Appendix C")
def learned_features_beat_as_many_random_ones():
    """Learned features err less than as many random ones on eight of nine data sets, mnist56 being the exception.

    The exception is judged too: there random features save .92 % of the test points, at 3.6 s instead of 2.9 s.
    """
    rows: list[Row] = []
    for name, (ok, same, *_) in ERRORS.items():
        exception = name == "mnist56"
        label = "OK - random, D = nnz (an exception)" if exception else "random, D = nnz - OK"
        rows.append(Row(f"{name}: {label}, in %", ok - same if exception else same - ok, printed=0.0))
    more = [Row(f"{name}: random, D = 10 nnz - OK, in %", e[2] - e[0]) for name, e in ERRORS.items()]
    return rows + more


@claim(
    "lkrf/tab-5",
    reproduction(sided="at least"),
    cite="lkrf, Table 5 and Appendix C",
    restricts="that printed times of learned features are below those of multiple-kernel learning; no time is measured",
    unnoticed="the limit is a ratio of 1, which the sentence names; the least printed ratio is 7.3",
)
def multiple_kernel_learning_costs_more():
    """Learned features take less time than both multiple-kernel learners on every data set: time ratios above 1."""
    return [Row(f"{name}: fastest other / OK", min(t[3:]) / t[0], printed=1.0) for name, t in TIMES.items()]


@claim(
    "lkrf/tab-6",
    reproduction(sided="at least"),
    cite="lkrf, Table 6 and Appendix C",
    restricts="that errors fall; how comparable they are to the other learners is shown",
)
def more_data_or_a_smaller_radius_helps():
    """On mnist and weight a larger part of the data or a smaller radius lowers the error: Table 4 - Table 6 > 0.

    "Comparable" to the multiple-kernel learners is shown: the better of them still errs less everywhere.
    """
    rows: list[Row] = [
        Row(f"{name}: Table 4 - Table 6, in %", ERRORS[name][0] - e, printed=0.0) for name, (e, _) in LARGER.items()
    ]
    return rows + [
        Row(f"{name}: Table 6 - best other, in %", e - min(ERRORS[name][3:])) for name, (e, _) in LARGER.items()
    ]


@claim("lkrf/tab-agreement", reproduction(), cite="lkrf, Tables 1, 4 and 5")
def tables_repeat_each_other():
    """The errors and times of learned features in Table 1 are those of Tables 4 and 5."""
    rows: list[Row] = []
    for name, (error, seconds, *_) in BEST.items():
        rows += [
            Row(f"{name}: error, in %", ERRORS[name][0], printed=error),
            Row(f"{name}: seconds", TIMES[name][0], printed=seconds),
        ]
    return rows


@claim(
    "lkrf/tab-contradictions",
    reproduction(sided="at least"),
    reading="inferred",
    expected="refuted",
    cite="lkrf, Appendix C, against Tables 4 and 5, if computational cost is time",
    defect=ALL_DATA_SETS,
)
def consistent_improvement_on_all_data_sets():
    """On all data sets learned features are more accurate or faster than the random ones of Tables 4 and 5.

    The sentence has "at a given computational cost" and does not say which. Taken for time, in the weakest sense that
    we find: nowhere are random features both at least as accurate and at least as fast. On ads, one data set of nine,
    10 nnz(q) of them are: by 1.8 % of the points and 3 ms. Taken for the number of features it fails on mnist56 alone.
    """
    return [row for name in ERRORS for row in _trades(name, limit=0.0)]


@claim(
    "lkrf/tab-contradictions",
    reproduction(sided="at least"),
    reading="corrected",
    cite="lkrf, Tables 1, 4, 5 and Appendix C",
    restricts="eight of nine data sets",
)
def consistent_improvement_at_a_given_cost():
    """On all data sets but ads learned features are more accurate or faster than the random ones of Table 4.

    On mnist56 as many random features err less (5.89 %, not 6.81 %), but take longer. Two smaller disagreements are
    shown: the best random error on buzz is 4.58 % in Table 1 and 4.16 % in Table 4, unless "best" is meant within the D
    of Figure 3; and of the 1558 attributes of ads "all but the first 3" would be 1555, where Table 3 has 1554 (the
    fourth has missing values as well).
    """
    return [
        *(row for name in ERRORS for row in _trades(name, limit=None if name == "ads" else 0.0)),
        Row("buzz: least random error in Table 4 - best in Table 1, in %", min(ERRORS["buzz"][1:3]) - BEST["buzz"][2]),
        Row("ads: 1558 - 3 - d of Table 3", 1558.0 - 3 - PARAMETERS["ads"][1]),
    ]


def _trades(name: str, *, limit: float | None) -> list[Row]:
    """For both numbers of random features, the larger of their excesses in error and in time, as logarithms."""
    (ok, *random), (seconds, *random_seconds) = ERRORS[name][:3], TIMES[name][:3]
    return [
        Row(
            f"{name}: excess of {column} in error or in time",
            max(math.log(e / ok), math.log(t / seconds)),
            printed=limit,
        )
        for column, e, t in zip(COLUMNS[1:], random, random_seconds, strict=False)
    ]
