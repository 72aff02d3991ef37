"""Rates for the squared loss, measured: Tables 1 and 2, what they rest on, and Algorithm 1.

On the orthogonal features of `orthogonal_features`, at a target that is hardest for each n: of norm 1, near the
eigenvalues of the size of lambda. The theorems promise their bounds with probability 1 - delta, uniformly over targets
of norm 1; ours is the mean over points, features and noise.
"""

import math

from torch import Tensor

from harness import Draw, claim, grid, rate
from harness.claims.uarff.orthogonal_features import Cells, Scheme, finite_rank, geometric, polynomial

SIZES = [4**k for k in range(4, 11)]
FURTHER = [4**k for k in range(4, 14)]
POINTS_ON_THE_CIRCLE = [2**k for k in range(6, 13)]
SCHEMES = ["leverage", "plain"]
MEASURED = "indicators of cells as features; the mean excess at one target for each n; delta = 0.1"
CELLS, FAR_CELLS = f"{MEASURED}, n from 256 to 4^10", f"{MEASURED}, n from 256 to 4^13"
CIRCLE = "equally spaced points on the circle; the mean excess at one target for each n; n from 64 to 4096"


@claim(
    "uarff/rate-tab-1-finite",
    rate("n", -1 / 2),
    over=grid(n=FURTHER, scheme=SCHEMES, weakest=["fixed", "lambda"]),
    cite="uarff, Table 1, rows of finite rank",
    title="Table 1, finite rank",
    restricts=f"rank 3, eigenvalues fixed or the last at lambda; {FAR_CELLS}",
)
def worst_case_of_finite_rank(draw: Draw, *, n: int, scheme: Scheme, weakest: str):
    """With finite rank and lambda = n^-1/2, 5 d log(16 d / delta) or 5 / lambda log(...) features give n^-1/2."""
    lam = n**-0.5
    return _risk(draw, Cells.equal_halves(finite_rank(lam, weakest), lam), n, scheme)


@claim(
    "uarff/rate-tab-1-geometric",
    rate("n", -1 / 2),
    over=grid(n=SIZES, scheme=SCHEMES),
    cite="uarff, Table 1, rows A^i",
    title="Table 1, geometric decay",
    restricts=f"A = 1/2; {CELLS}",
)
def worst_case_of_geometric_decay(draw: Draw, *, n: int, scheme: Scheme):
    """With eigenvalues A^i and lambda = n^-1/2, log n log log n (plain: sqrt(n) log log n) features give n^-1/2."""
    return _risk(draw, Cells.equal_halves(geometric(), n**-0.5), n, scheme)


@claim(
    "uarff/rate-tab-1-polynomial",
    rate("n", -1 / 2),
    over=grid(n=SIZES, scheme=SCHEMES),
    cite="uarff, Table 1, rows i^-2t, with the number of features of its text",
    title="Table 1, polynomial decay",
    restricts=f"t = 3/2; {CELLS}",
)
def worst_case_of_polynomial_decay(draw: Draw, *, n: int, scheme: Scheme):
    """With eigenvalues i^-2t and lambda = n^-1/2, n^(1/4t) log n (plain: sqrt(n) log n) features give n^-1/2."""
    return _risk(draw, Cells.equal_halves(polynomial(3.0, 512), n**-0.5), n, scheme)


@claim(
    "uarff/rate-tab-1-harmonic",
    rate("n", -1 / 2),
    over=grid(n=POINTS_ON_THE_CIRCLE, scheme=SCHEMES),
    cite="uarff, Table 1, rows i^-1",
    title="Table 1, harmonic decay",
    restricts=f"eigenvalues i^-1, i < n, of sum 1; {CIRCLE}",
)
def worst_case_of_harmonic_decay(draw: Draw, *, n: int, scheme: Scheme):
    """With eigenvalues i^-1 and lambda = n^-1/2, sqrt(n) log n features give n^-1/2, drawn either way."""
    return _risk(draw, Cells.on_the_circle(polynomial(1.0, n - 1), n**-0.5), n, scheme)


@claim(
    "uarff/rate-krr",
    rate("n", -1 / 2),
    over=grid(n=SIZES, spectrum=["geometric", "polynomial"]),
    cite="uarff, below Theorem 9",
    title="kernel ridge regression",
    restricts=f"A = 1/2 and i^-3; the kernel itself; {CELLS}",
)
def kernel_ridge_regression(draw: Draw, *, n: int, spectrum: str):
    """With lambda = n^-1/2 kernel ridge regression attains the worst-case rate n^-1/2, without features."""
    eigenvalues = geometric() if spectrum == "geometric" else polynomial(3.0, 512)
    cells = Cells.equal_halves(eigenvalues, n**-0.5)
    shares = cells.shares(draw, n)
    return cells.squared_risk(n, shares, cells.spectral.to(shares).expand_as(shares))


@claim(
    "uarff/rate-tab-2-finite",
    rate("n", -1.0),
    over=grid(n=SIZES, scheme=SCHEMES, weakest=["fixed", "lambda"]),
    cite="uarff, Table 2, rows of finite rank",
    title="Table 2, finite rank",
    restricts=f"rank 3, eigenvalues fixed or the last at lambda; {CELLS}",
)
def refined_case_of_finite_rank(draw: Draw, *, n: int, scheme: Scheme, weakest: str):
    """With finite rank and lambda = 1/n, a constant number of features (plain: n) give 1/n."""
    return _risk(draw, Cells.equal_halves(finite_rank(1 / n, weakest), 1 / n), n, scheme)


@claim(
    "uarff/rate-tab-2-geometric",
    rate("n", -1.0, log_power=1),
    over=grid(n=SIZES, scheme=SCHEMES),
    cite="uarff, Table 2, rows A^i",
    title="Table 2, geometric decay",
    restricts=f"A = 1/2; {CELLS}",
)
def refined_case_of_geometric_decay(draw: Draw, *, n: int, scheme: Scheme):
    """With eigenvalues A^i and lambda = log n / n, log n log log n (plain: n) features give log n / n."""
    return _risk(draw, Cells.equal_halves(geometric(), math.log(n) / n), n, scheme)


@claim(
    "uarff/rate-tab-2-polynomial",
    rate("n", -1 / 2),
    over=grid(n=POINTS_ON_THE_CIRCLE, scheme=SCHEMES, t=[1.25, 2.0]),
    cite="uarff, Table 2, rows i^-t",
    title="Table 2, polynomial decay",
    restricts=f"t = 1.25 and 2; {CIRCLE}",
)
def refined_case_of_polynomial_decay(draw: Draw, *, n: int, scheme: Scheme, t: float):
    """With eigenvalues i^-t and lambda = n^-1/2, n^(1/2t) log n (plain: sqrt(n) log n) features give n^-1/2."""
    return _risk(draw, Cells.on_the_circle(polynomial(t, n - 1), n**-0.5), n, scheme)


@claim(
    "uarff/rate-thm-12-polynomial",
    rate("n", -3 / 4),
    over=grid(n=SIZES, scheme=SCHEMES),
    reading="inferred",
    cite="uarff, Theorem 12 with the best h in (10)",
    title="Theorem 12, polynomial decay, faster",
    restricts=f"t = 3; {CELLS}",
)
def faster_rate_for_polynomial_decay(draw: Draw, *, n: int, scheme: Scheme):
    """With eigenvalues i^-t and lambda = n^(-t/(1+t)), features as many as Theorem 12 asks for give n^(-t/(1+t)).

    The paper's tables stop at n^-1/2; h = n^(1/(1+t)) in (10) gives more, with this smaller lambda.
    """
    return _risk(draw, Cells.equal_halves(polynomial(3.0, 2048), n**-0.75), n, scheme)


@claim(
    "uarff/rate-thm-20",
    rate("n", -1 / 2),
    over=grid(n=SIZES, spectrum=["geometric", "polynomial"]),
    cite="uarff, Theorem 20",
    title="Algorithm 1, squared loss",
    restricts=f"A = 1/2 and i^-3; weights as in uarff/alg-1-weights[corrected]; {CELLS}",
)
def resampled_features(draw: Draw, *, n: int, spectrum: str):
    """With lambda = lambda* = n^-1/2, a pool of 7 / lambda log(...) and 5 d log(...) of its features give n^-1/2."""
    eigenvalues = geometric() if spectrum == "geometric" else polynomial(3.0, 512)
    return _risk(draw, Cells.equal_halves(eigenvalues, n**-0.5), n, "pool")


def _risk(draw: Draw, cells: Cells, n: int, scheme: Scheme) -> Tensor:
    shares = cells.shares(draw, n)
    return cells.squared_risk(n, shares, cells.kernel(draw, shares, scheme))
