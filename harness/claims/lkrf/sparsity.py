"""Appendix C on the radius: a large rho gives sparse weights, a small one dense weights, more features more of them."""

from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum, f_divergence
from algos.divergence_ball.penalised import penalised_maximum
from harness import Forall, always, claim, grid

NOTHING = 1e-9
"""Weights below this share of 1/N count as zero."""


@claim(
    "lkrf/app-C-rho",
    always(),
    over=grid(N=[6], rho=[0.5], larger=[0.6]) + grid(N=[40], rho=[3.0], larger=[30.0]),
    cite="lkrf, Appendix C: large rho yields sparse q, small rho dense q",
    sizes="N = 6 and 40; rho from .5 to 30",
    restricts="k = 2, as in the experiments; how well the models fit and how long they train is not judged",
)
def larger_radii_give_sparser_weights(forall: Forall, *, N: int, rho: float, larger: float):
    """The best weights of the ball of a larger rho have no more entries that are not zero, whatever v is."""
    v = forall.interval("v", 0.0, 1.0, N)
    return support_size(v, larger), support_size(v, rho)


_ORDERS = grid(k=[2.0, 3.0], N=[4]) + grid(k=[2.5, 5.0], N=[16])
_ANY_ORDER = "k = 2 and 3 with N = 4, k = 2.5 and 5 with N = 16; any v, and any radius, by the multiplier in (8)"


@claim(
    "lkrf/app-C-rho-any-order",
    always(),
    over=_ORDERS,
    cite="lkrf, Appendix C: large rho yields sparse q, small rho dense q, for f(t) = t^k - 1",
    sizes=_ANY_ORDER,
    restricts="how many weights are not zero; fit and time are under lkrf/app-C-fit, support vectors under "
    "lkrf/app-C-support-vectors",
)
def sparser_at_any_larger_radius(forall: Forall, *, k: float, N: int):
    """The best weights of the ball of a larger rho have no more entries that are not zero, whatever v and k >= 2 are.

    Weights that solve (8) for lambda are the best of the ball whose radius is their divergence; it does not increase
    with lambda.
    """
    v = forall.interval("v", 0.0, 1.0, N)
    multiplier, factor = multipliers(forall)
    return penalised_support(v, multiplier, k)[0], penalised_support(v, multiplier * factor, k)[0]


@claim(
    "lkrf/app-C-rho-dense",
    always(),
    over=_ORDERS,
    cite="lkrf, Appendix C: very small rho yields dense q, for f(t) = t^k - 1",
    sizes=_ANY_ORDER,
    restricts="how many weights are not zero; fit and time are under lkrf/app-C-fit, support vectors under "
    "lkrf/app-C-support-vectors",
)
def dense_at_small_radii(forall: Forall, *, k: float, N: int):
    """N (1 + rho)^(-1/(k-1)) <= nnz(q): below rho = (N / (N - 1))^(k-1) - 1 no weight is zero.

    Jensen's inequality: weights with R entries have a divergence of at least (N / R)^(k-1) - 1.
    """
    count, rho = penalised_support(forall.interval("v", 0.0, 1.0, N), multipliers(forall)[0], k)
    return N * (1 + rho) ** (-1 / (k - 1)), count


@claim(
    "lkrf/app-C-nnz",
    always(),
    over=grid(N=[2], copies=[3], rho=[0.5]) + grid(N=[5], copies=[8], rho=[2.0]),
    cite="lkrf, Appendix C: large nnz(q) can be achieved by increasing N_w or decreasing rho",
    sizes="N = 2 and 5; three and eight times as many features; rho = .5 and 2",
    restricts="k = 2, and features of the same distribution as before; support vectors are not judged",
)
def more_features_give_more_weights(forall: Forall, *, N: int, copies: int, rho: float):
    """With every feature taken m times the best weights have m times as many entries that are not zero."""
    v = forall.interval("v", 0.0, 1.0, N)
    return copies * support_size(v, rho), support_size(v.repeat(1, copies), rho)


def support_size(v: Tensor, rho: float) -> Tensor:
    """nnz of the best weights in the chi-square ball."""
    weights = chi_square_ball_maximum(v, rho).weights
    return (weights * v.shape[-1] > NOTHING).sum(-1).to(v.dtype)


def multipliers(forall: Forall) -> tuple[Tensor, Tensor]:
    """A lambda, and a factor of at least 1, of many scales."""
    return 10 ** forall.interval("log10 lambda", -6.0, 1.0), 10 ** forall.interval("log10 factor", 0.0, 3.0)


def penalised_support(v: Tensor, multiplier: Tensor, k: float) -> tuple[Tensor, Tensor]:
    """nnz of the maximiser of (8), and its divergence, `(batch,)` each."""
    weights = penalised_maximum(v, multiplier, order=k).weights
    return (weights * v.shape[-1] > NOTHING).sum(-1).to(v.dtype), f_divergence(weights, order=k)
