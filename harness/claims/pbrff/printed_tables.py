"""What the printed tables say by themselves: counts of errors, sizes of splits, and the sentences about them."""

from collections.abc import Sequence

from algos.estimators.hold_out import published_split_sizes
from harness import Row, claim, grid, reproduction
from harness.claims.pbrff import defects
from harness.claims.pbrff.learners import published_split, validation_size
from harness.data import breast_cancer, data_set, required

COLUMNS = ("SVM", "RBF", "PB", "PB(beta = 1)", "PB(D = 64)")
ERRORS = {
    "ads": (3.05, 10.98, 4.88, 5.12, 5.00),
    "adult": (19.70, 19.60, 17.99, 17.99, 17.99),
    "breast": (4.90, 6.99, 3.50, 3.50, 2.80),
    "farm": (11.58, 17.47, 15.73, 14.19, 15.73),
    "mnist17": (0.34, 0.74, 0.42, 0.32, 0.32),
    "mnist49": (1.16, 2.26, 1.80, 2.09, 2.50),
    "mnist56": (0.55, 0.97, 1.06, 1.55, 1.03),
}
"""Table 1: test errors in percent."""

SIZES = {
    "ads": (1967, 492, 820),
    "adult": (26048, 6513, 16281),
    "breast": (340, 86, 143),
    "farm": (2485, 622, 1036),
    "mnist17": (9101, 2276, 3793),
    "mnist49": (8268, 2068, 3446),
    "mnist56": (7912, 1979, 3298),
}
"""Table 2: training, validation and test points."""

DEVIATIONS = 3.0
"""How far two numbers of errors, each of one split, may be from each other, in standard deviations."""

PARTS = ("training", "validation", "test")

DIMENSIONS = {"ads": 1554, "adult": 108, "breast": 30, "farm": 54877, "mnist17": 784, "mnist49": 784, "mnist56": 784}

ROWS = {"ads": 3279, "adult": 32561, "breast": 569, "farm": 4143}
"""Rows of the archive's files; of UCI Adult, of the training file."""

ADULT_TEST_ROWS = 16281

DIGITS = {1: 7877, 4: 6824, 5: 6313, 6: 6876, 7: 7293, 9: 6958}
"""Images of each digit among the 70,000 of MNIST."""

ADULT_CATEGORIES = {
    "workclass": 9,
    "education": 16,
    "marital-status": 7,
    "occupation": 15,
    "relationship": 6,
    "race": 5,
    "sex": 2,
    "native-country": 42,
}
"""Values of each categorical attribute, the missing one included."""


def errors_of(name: str, column: str) -> int:
    """Number of errors that the printed percentage stands for: the integer nearest to it."""
    return round(ERRORS[name][COLUMNS.index(column)] * SIZES[name][2] / 100)


@claim(
    "pbrff/tab-1-errors",
    reproduction(tolerance=0.005),
    cite="pbrff, Tables 1 and 2",
    over=grid(name=list(ERRORS)),
    sizes="all seven data sets and five columns, by the printed numbers",
)
def errors_are_counts(*, name: str):
    """Every entry of Table 1 is a whole number of errors among the test points of Table 2, in percent to two decimals.

    Among 143 points only one number in 70 is; among the 16,281 of adult every number is, and 19.70 two ways (3207 or
    3208 errors).
    """
    tested = SIZES[name][2]
    return [
        Row(f"{column}: {errors_of(name, column)} of {tested}", 100 * errors_of(name, column) / tested, printed=printed)
        for column, printed in zip(COLUMNS, ERRORS[name], strict=True)
    ]


@claim(
    "pbrff/tab-1-svm-best",
    reproduction(),
    cite="pbrff, Section 6.1 on Table 1",
    sizes="all seven data sets, by the printed numbers",
)
def kernel_machine_is_best_on_four():
    """The kernel machine is better than all landmark-based learners on 4 of the 7 data sets of Table 1."""
    margins = {name: min(others) - svm for name, (svm, *others) in ERRORS.items()}
    rows: list[Row] = [
        Row("data sets where the kernel machine is best", sum(m > 0 for m in margins.values()), printed=4.0)
    ]
    return rows + [Row(f"{name}: best landmarks - SVM, in %", margin) for name, margin in margins.items()]


@claim(
    "pbrff/tab-1-improves",
    reproduction(sided="at least"),
    reading="printed",
    cite="pbrff, Section 6.1 on Table 1",
    over=grid(column=["PB", "PB(beta = 1)"]),
    quote='We observe that learning the posterior improves the RBF-Landmarks (except on "mnist56")',
    restricts="two of the three columns, as the sentence names none; by the numbers printed in the table",
)
def learning_improves_landmarks(*, column: str):
    """By the printed numbers, in PB and PB(beta = 1), learning saves errors of RBF landmarks except on mnist56.

    The column D = 64 has a second exception: the two other readings. The exception is judged too: it saves none.
    """
    return _errors_saved(column, ["mnist56"])


@claim(
    "pbrff/tab-1-improves",
    reproduction(sided="at least"),
    reading="inferred",
    expected="refuted",
    cite="pbrff, Section 6.1 on Table 1, if meant for every column",
    over=grid(column=["PB(D = 64)"]),
    sizes="all seven data sets, by the printed numbers",
    defect=defects.ALL_COLUMNS,
)
def learning_improves_landmarks_in_every_column(*, column: str):
    """By the printed numbers, in PB(D = 64) too, learning saves errors of RBF landmarks except on mnist56.

    The sentence does not say which column it means. In this one mnist49 is a second exception, 2.50 > 2.26, of seven
    data sets; the two other columns are as it says.
    """
    return _errors_saved(column, ["mnist56"])


@claim(
    "pbrff/tab-1-improves",
    reproduction(sided="at least"),
    reading="corrected",
    cite="pbrff, Section 6.1 on Table 1, with mnist49 as an exception of D = 64",
    over=[
        {"column": "PB", "exceptions": ["mnist56"]},
        {"column": "PB(beta = 1)", "exceptions": ["mnist56"]},
        {"column": "PB(D = 64)", "exceptions": ["mnist49", "mnist56"]},
    ],
    sizes="all seven data sets and three columns, by the printed numbers",
)
def learning_improves_landmarks_with_two_exceptions(*, column: str, exceptions: list[str]):
    """By the printed numbers, learning saves errors of RBF landmarks except on mnist56, and on mnist49 for D = 64.

    Exceptions are judged too: they save none.
    """
    return _errors_saved(column, exceptions)


def _errors_saved(column: str, exceptions: Sequence[str]) -> list[Row]:
    """Errors of RBF landmarks less those of a column: at least one, at exceptions none."""
    rows: list[Row] = []
    for name in ERRORS:
        saved = errors_of(name, "RBF") - errors_of(name, column)
        label = f"{name}: errors added (an exception)" if name in exceptions else f"{name}: errors saved"
        rows.append(Row(label, -saved if name in exceptions else saved, printed=0.0 if name in exceptions else 1.0))
    return rows


@claim(
    "pbrff/tab-1-not-mandatory",
    reproduction(sided="at least"),
    cite="pbrff, Section 6.1 on Table 1",
    sizes="all seven data sets, by the printed numbers; satisfactory is taken as no worse on most data sets",
    restricts="by the numbers printed in the table; what satisfactory means is ours",
)
def validation_is_not_mandatory():
    """With beta = 1, or D = 64, fixed, landmarks err no more than with both validated on most of the 7 data sets.

    By the printed numbers: on four with beta = 1, on five with D = 64. Nor do they err more than RBF landmarks do on
    most of them.
    """
    rows: list[Row] = []
    for column in COLUMNS[3:]:
        for other in ("PB", "RBF"):
            count = sum(errors_of(name, column) <= errors_of(name, other) for name in ERRORS)
            rows.append(Row(f"{column}: data sets where it errs no more than {other}", float(count), printed=4.0))
    return rows


@claim(
    "pbrff/tab-1-satisfactory",
    reproduction(sided="at most"),
    cite="pbrff, Section 6.1 on Table 1",
    over=grid(column=COLUMNS[3:]),
    quote="the validation of both beta and D parameters are not mandatory to obtain satisfactory results.",
    sizes="all seven data sets and both columns; satisfactory: no more errors than with both validated, up to the "
    "three standard deviations of tab-1-columns",
    restricts="by the numbers printed in the table; no experiment is run",
)
def fixed_parameters_are_satisfactory(*, column: str):
    """On each of the 7 data sets, with beta = 1 or D = 64 fixed, landmarks err no more than with both validated.

    Up to three standard deviations of the difference, sqrt(a + b) for numbers of errors a and b that fall one by one,
    as two entries of Table 1 are compared elsewhere (tab-1-columns). The paper does not say what satisfactory is.
    """
    rows: list[Row] = []
    for name in ERRORS:
        fixed, validated = (errors_of(name, each) for each in (column, "PB"))
        allowed = DEVIATIONS * (fixed + validated) ** 0.5
        rows.append(Row(f"{name}: errors added to {validated}", float(fixed - validated), printed=allowed))
    return rows


@claim(
    "pbrff/tab-2",
    reproduction(),
    cite="pbrff, Table 2 and Appendix A.3",
    sizes="all seven data sets, by the sizes of the public files",
)
def split_sizes_as_printed():
    """The sizes of Table 2 are a quarter for testing and a fifth of the rest for validation, both rounded up.

    The dimension of farm is the one that its archive states; that of adult counts "?" as a category.
    """
    counts = ROWS | {f"mnist{a}{b}": DIGITS[a] + DIGITS[b] for a, b in ((1, 7), (4, 9), (5, 6))}
    rows: list[Row] = []
    for name, printed in SIZES.items():
        sizes = _adult_sizes(counts[name], ADULT_TEST_ROWS) if name == "adult" else published_split_sizes(counts[name])
        rows += [
            Row(f"{name}: {part} points", float(ours), printed=float(size))
            for part, ours, size in zip(PARTS, sizes, printed, strict=True)
        ]
    return rows + _breast_split() + _dimensions()


def _adult_sizes(count: int, tested: int) -> tuple[int, int, int]:
    """Adult comes with test rows: only the validation part is set apart."""
    return count - validation_size(count), validation_size(count), tested


def _breast_split() -> list[Row]:
    points, labels = breast_cancer()
    task = published_split(points, labels, gammas=(), costs=())
    return [
        Row(f"breast, by the library's split: {part} points", float(len(rows)), printed=float(size))
        for part, rows, size in zip(PARTS, (task.train, task.valid, task.test), SIZES["breast"], strict=True)
    ]


def _dimensions() -> list[Row]:
    attributes = {"ads": 1558 - 4, "breast": breast_cancer()[0].shape[1], "adult": 6 + sum(ADULT_CATEGORIES.values())}
    attributes["farm"] = data_set("farm").columns
    attributes |= dict.fromkeys(("mnist17", "mnist49", "mnist56"), 28 * 28)
    return [Row(f"{name}: d", float(d), printed=float(DIMENSIONS[name])) for name, d in attributes.items()]


@claim(
    "pbrff/tab-2-adult",
    reproduction(),
    cite="pbrff, Table 2, adult",
    restricts="adult alone",
)
def adult_sizes_as_printed():
    """The files of UCI Adult have the sizes and the dimension of Table 2."""
    data = required("adult", "pbrff/tab-2-adult")
    ours = (*_adult_sizes(len(data.training.targets), data.tested), data.points.shape[1])
    printed = (*SIZES["adult"], DIMENSIONS["adult"])
    return [Row(part, float(a), printed=float(b)) for part, a, b in zip((*PARTS, "d"), ours, printed, strict=True)]
