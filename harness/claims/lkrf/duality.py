"""The dual of a supremum over the divergence ball: its conjugates, its equality, and where its threshold lies."""

from typing import Literal

from torch import Tensor

from algos.divergence_ball.exact import divergence_ball_dual, f_divergence
from bounds.divergence_ball.sampling import c_rho, c_rho_order, dual_threshold_bound
from harness import Forall, always, claim, grid, identity
from harness.claims.lkrf.ball import ball_maximum

Scaling = Literal["t^k - 1", "(t^k - 1)/k"]
SCALINGS: list[Scaling] = ["t^k - 1", "(t^k - 1)/k"]


def generator(t: Tensor, k: int, scaling: Scaling) -> Tensor:
    """f(t) of the main text, or that of the appendix."""
    return (t**k - 1) / (k if scaling == "(t^k - 1)/k" else 1)


def conjugate(s: Tensor, k: int, scaling: Scaling) -> Tensor:
    """f*(s) = sup { s t - f(t) : t >= 0 }: s_+^(k*)/k* + 1/k if scaled, (k - 1) (s_+/k)^(k*) + 1 if not."""
    dual = k / (k - 1)
    if scaling == "(t^k - 1)/k":
        return s.clamp(min=0) ** dual / dual + 1 / k
    return (k - 1) * (s.clamp(min=0) / k) ** dual + 1


@claim(
    "lkrf/f-conjugate",
    always(),
    over=grid(k=[2, 3], scaling=SCALINGS),
    cite="lkrf, Appendix B.2, f* for both scalings of f",
    restricts="k = 2 and 3, |s| <= 5, t <= 5",
)
def conjugate_of_the_divergence(forall: Forall, *, k: int, scaling: Scaling):
    """s t - f(t) <= f*(s) for all t >= 0: (k-1)(s_+/k)^(k*) + 1 for t^k - 1, s_+^(k*)/k* + 1/k for (t^k - 1)/k."""
    s, t = forall.interval("s", -5.0, 5.0), forall.interval("t", 0.0, 5.0)
    return s * t - generator(t, k, scaling), conjugate(s, k, scaling)


@claim(
    "lkrf/f-conjugate-attained",
    identity(),
    over=grid(k=[2, 3], scaling=SCALINGS),
    cite="lkrf, Appendix B.2, f* for both scalings of f",
    restricts="k = 2 and 3, |s| <= 5",
)
def conjugate_is_attained(forall: Forall, *, k: int, scaling: Scaling):
    """s t - f(t) = f*(s) at t = (s_+/k)^(1/(k-1)) for f(t) = t^k - 1, at t = s_+^(1/(k-1)) for (t^k - 1)/k."""
    s = forall.interval("s", -5.0, 5.0)
    slope = s.clamp(min=0) / (1 if scaling == "(t^k - 1)/k" else k)
    t = slope ** (1 / (k - 1))
    return s * t - generator(t, k, scaling), conjugate(s, k, scaling)


@claim(
    "lkrf/lem-4",
    identity(),
    over=grid(k=[2], N=[2], rho=[50.0]) + grid(k=[2], N=[20], rho=[0.01, 1.0]) + grid(k=[3], N=[5], rho=[1.0]),
    cite="lkrf, Lemma 4",
    restricts="f(t) = t^k - 1 with k = 2 and 3, spaces of at most 20 points",
)
def duality_on_the_divergence_ball(forall: Forall, *, k: int, N: int, rho: float):
    """sup { E_Q g : D_f(Q || P) <= rho } = inf { lambda E_P f*((g - eta)/lambda) + lambda rho + eta : lambda, eta }.

    Left: the value of the weights found by sorting (k = 2) or bisection, less what they leave the ball by. Right: the
    dual objective after its minimum over lambda, at one eta. Weak duality makes equality a proof that both are optimal.
    For rho = 0 the infimum is a limit, not attained.
    """
    g = forall.interval("g", -1.0, 1.0, N)
    base = forall.simplex("P", N)
    solution = ball_maximum(g, rho, k, base)
    outside = (f_divergence(solution.weights, base, order=k) - rho).clamp(min=0)
    return (solution.weights * g).sum(-1) - outside, divergence_ball_dual(
        g, solution.threshold, rho, order=k, base=base
    )


@claim(
    "lkrf/lem-4-weak",
    always(),
    over=[
        {"k": 2, "N": 3, "rho": 1.0, "scaling": "t^k - 1"},
        {"k": 2, "N": 3, "rho": 1.0, "scaling": "(t^k - 1)/k"},
    ],
    cite="lkrf, Lemma 4, with the f* of Appendix B.2",
    restricts="f(t) = t^k - 1 and its multiple with k = 2, three points, rho = 1, lambda from .01 to 3",
)
def dual_objective_is_above_the_supremum(forall: Forall, *, k: int, N: int, rho: float, scaling: Scaling):
    """The supremum over the ball is at most lambda E_P f*((g - eta)/lambda) + lambda rho + eta at all lambda > 0, eta.

    The scaled f has the same ball at radius rho / k, as in the appendix. Two is added to both sides, which makes them
    positive.
    """
    g = forall.interval("g", -1.0, 1.0, N)
    base = forall.simplex("P", N)
    multiplier, eta = forall.interval("lambda", 0.01, 3.0), forall.interval("eta", -3.0, 1.0)
    radius = rho / k if scaling == "(t^k - 1)/k" else rho
    slopes = (g - eta.unsqueeze(-1)) / multiplier.unsqueeze(-1)
    dual = multiplier * (base * conjugate(slopes, k, scaling)).sum(-1) + radius * multiplier + eta
    return ball_maximum(g, rho, k, base).value + 2, dual + 2


@claim(
    "lkrf/eq-17",
    always(),
    over=[
        {"k": 2, "N": 3, "rho": 50.0, "end": "lower"},
        {"k": 3, "N": 5, "rho": 1.0, "end": "lower"},
        {"k": 2, "N": 2, "rho": 1.0, "end": "upper"},
    ],
    cite="lkrf, equation (17)",
    sizes="k = 2 and 3, rho = 1 and 50, distributions on two, three and five points",
)
def dual_threshold_lies_in_an_interval(forall: Forall, *, k: int, N: int, rho: float, end: str):
    """For |Z| <= M, the dual's minimiser eta lies in [-c M, M], c = ((1+rho)^(1/k*) + 1)/((1+rho)^(1/k*) - 1)."""
    z = forall.interval("Z", -1.0, 1.0, N)
    eta = ball_maximum(z, rho, k, forall.simplex("P", N)).threshold
    return (-eta, dual_threshold_bound(rho, order=k)) if end == "lower" else (eta, 1.0)


@claim(
    "lkrf/c-rho",
    always(),
    over=grid(k=[2, 3, 100]),
    cite="lkrf, Lemma 5, below its statement",
    sizes="k = 2, 3, 100; rho from 1e-4 to 1e4",
)
def constant_of_an_order_is_below_that_of_order_two(forall: Forall, *, k: int):
    """C_{rho,k} = 2 (1+rho)/((1+rho)^(1 - 1/k) - 1) <= C_rho = 2 (1+rho)/(sqrt(1+rho) - 1) for rho > 0 and k >= 2."""
    rho = 10 ** forall.interval("log10_rho", -4.0, 4.0)
    return c_rho_order(rho, order=k), c_rho(rho)


@claim(
    "lkrf/c-rho-identity",
    identity(),
    over=grid(k=[2, 3, 100]),
    cite="lkrf, proof of Lemma 5, below (18)",
    sizes="k = 2, 3, 100; rho from 1e-4 to 1e4",
)
def constant_of_an_order(forall: Forall, *, k: int):
    """(1 + rho)^(1/k) (1 + c_{rho,k}) = C_{rho,k}, with the c_{rho,k} of equation (17)."""
    rho = 10 ** forall.interval("log10_rho", -4.0, 4.0)
    return (1 + rho) ** (1 / k) * (1 + dual_threshold_bound(rho, order=k)), c_rho_order(rho, order=k)
