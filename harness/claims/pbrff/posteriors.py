"""Sections 4 and 5: pseudo-posteriors as minimisers of the bounds with the Kullback-Leibler divergence.

"Minimises" is judged against every posterior q of the simplex, for losses of the frequencies that are any numbers in
[0, 1].
"""

import math

import torch

from algos.kernel_learning.greedy_kernel import pseudo_bayesian_weights
from algos.kernel_learning.pseudo_posterior import gibbs_posterior, kl_divergence, log_moment
from bounds.pac_bayes.kullback_leibler import (
    printed_averaged_first_order_kl_bound,
    printed_first_order_kl_bound,
    printed_second_order_kl_bound,
)
from harness import Forall, always, claim, grid, identity

DELTA = 0.05

_SETTINGS = [
    {"n": n, "beta": beta, "N": frequencies, "delta": delta}
    for n, beta, frequencies, delta in [(2, 0.3, 6, 0.05), (2, 3.0, 3, 0.5), (50, 0.3, 2, 0.5), (50, 3.0, 6, 0.05)]
]


@claim(
    "pbrff/eq-11",
    always(),
    cite="pbrff, Section 4.1, equation (11)",
    over=grid(t=[0.5, 20.0], N=[2, 6]),
    sizes="two and six frequencies, any prior on them, t = .5 and 20",
)
def gibbs_posterior_minimises_the_trade_off(forall: Forall, *, t: float, N: int):
    """E_q* loss + (2/t) KL(q* || p) <= E_q loss + (2/t) KL(q || p) for all q, at q* ~ p exp(-(t/2) loss)."""
    losses, prior = forall.interval("losses", 0.0, 1.0, N), forall.simplex("p", N)
    q = forall.simplex("q", N)
    weights = prior * (-t / 2 * losses).exp()
    best = weights / weights.sum(-1, keepdim=True)
    smallest, value = ((r * losses).sum(-1) + 2 / t * kl_divergence(r, prior) for r in (best, q))
    return smallest, value


@claim(
    "pbrff/eq-11-minimum",
    identity(),
    cite="pbrff, Section 4.1, equation (11)",
    over=[{"t": 0.5, "N": 6}, {"t": 20.0, "N": 3}],
    sizes="three and six frequencies, any prior on them, t = .5 and 20",
)
def free_energy(forall: Forall, *, t: float, N: int):
    """The smallest value over q of E_q loss + (2/t) KL(q || p) is -(2/t) log E_p exp(-(t/2) loss)."""
    losses, prior = forall.interval("losses", 0.0, 1.0, N), forall.simplex("p", N)
    weights = prior * (-t / 2 * losses).exp()
    best = weights / weights.sum(-1, keepdim=True)
    value = (best * losses).sum(-1) + 2 / t * kl_divergence(best, prior)
    return value, -2 / t * log_moment(-t / 2 * losses, prior=prior)


@claim(
    "pbrff/eq-12",
    always(),
    cite="pbrff, Section 4.2, equation (12)",
    over=_SETTINGS,
    sizes="two, three and six frequencies, n = 2 and 50, beta = .3 and 3, delta = .05 and .5",
)
def landmark_posterior_minimises_theorem_1(forall: Forall, *, n: int, beta: float, N: int, delta: float):
    """Q ~ exp(-beta sqrt(n) loss) has the smallest bound of Theorem 1 at t = beta sqrt(n), uniform prior."""
    losses, q = forall.interval("losses", 0.0, 1.0, N), forall.simplex("q", N)
    best = pseudo_bayesian_weights(losses, beta, sample_size=n)
    smallest, value = (
        printed_first_order_kl_bound(
            (r * losses).sum(-1),
            kl_divergence(r),
            sample_size=n,
            delta=delta,
            inverse_temperature=beta * math.sqrt(n),
        )
        for r in (best, q)
    )
    return smallest, value


@claim(
    "pbrff/eq-19",
    always(),
    cite="pbrff, Section 5.4, equation (19)",
    over=_SETTINGS,
    sizes="two, three and six frequencies, n = 2 and 50, beta = .3 and 3, delta = .05 and .5",
)
def pseudo_posterior_minimises_theorem_3(forall: Forall, *, n: int, beta: float, N: int, delta: float):
    """Q ~ exp(-beta sqrt(n) loss) has the smallest bound of Theorem 3 at t = beta sqrt(n), uniform prior."""
    losses, q = forall.interval("losses", 0.0, 1.0, N), forall.simplex("q", N)
    best = pseudo_bayesian_weights(losses, beta, sample_size=n)
    smallest, value = (
        printed_second_order_kl_bound(
            (r * losses).sum(-1),
            kl_divergence(r),
            sample_size=n,
            delta=delta,
            inverse_temperature=beta * math.sqrt(n),
        )
        for r in (best, q)
    )
    return smallest, value


@claim(
    "pbrff/same-minimiser",
    identity(),
    cite="pbrff, Section 5.1, below Theorem 3",
    over=[
        {"theorem": theorem, "t": t, "N": frequencies, "n": n}
        for theorem in ("Corollary 2", "Theorem 3")
        for t, frequencies, n in ((2.0, 3, 200), (20.0, 6, 30))
    ],
    sizes="three and six frequencies, any prior on them, n = 30 and 200, t = 2 and 20",
)
def both_bounds_have_the_same_minimiser(forall: Forall, *, theorem: str, t: float, N: int, n: int):
    """Bound at q = bound at q* + KL(q || q*) / tau, q* ~ p exp(-tau loss), tau = t/2 (Corollary 2), t (Theorem 3).

    So both have the minimisers q*, and no other.
    """
    losses, q = forall.interval("losses", 0.0, 1.0, N), forall.simplex("q", N)
    prior = 0.9 * forall.simplex("p", N) + 0.1 / N
    bound, tau = {
        "Corollary 2": (printed_averaged_first_order_kl_bound, t / 2),
        "Theorem 3": (printed_second_order_kl_bound, t),
    }[theorem]
    best = gibbs_posterior(losses, tau, prior=prior)
    value, smallest = (
        bound((r * losses).sum(-1), kl_divergence(r, prior), sample_size=n, delta=DELTA, inverse_temperature=t)
        for r in (q, best)
    )
    return value, smallest + kl_divergence(q, best) / tau


@claim(
    "pbrff/beta-1",
    always(),
    cite="pbrff, Section 4.2, below equation (12)",
    over=grid(n=[2, 10**3, 10**6], beta=[0.1, 1.0, 10.0]),
    restricts="divergences up to 20, delta = .05; a formula against its rate",
)
def any_fixed_beta_converges(forall: Forall, *, n: int, beta: float):
    """Gap of Theorem 1 at t = beta sqrt(n) <= ((KL + log(1/delta)) / beta + beta) / sqrt(n): any fixed beta will do.

    The bound as a formula against its rate; no sample is drawn.
    """
    divergence = forall.interval("KL", 0.0, 20.0)
    t = beta * math.sqrt(n)
    gap = printed_first_order_kl_bound(0.0, divergence, sample_size=n, delta=DELTA, inverse_temperature=t)
    return gap, ((divergence - math.log(DELTA)) / beta + beta) / math.sqrt(n)


@claim(
    "pbrff/beta-1-best",
    always(),
    cite="pbrff, Section 4.2, below equation (12)",
    over=grid(n=[2, 10**3], beta=[1.0, 2.5, 4.0]),
    restricts="divergences up to 20, delta = .05; two formulas are compared",
)
def best_beta_for_theorem_1(forall: Forall, *, n: int, beta: float):
    """Gap of Theorem 1 at t = beta sqrt(n) >= sqrt(2 (KL + log(1/delta)) / (n - 1)), its value at the best t.

    Two formulas are compared. So beta = 1 is one choice among many: the best is near sqrt(2 (KL + log(1/delta))), 2.4
    for KL = 0.
    """
    divergence = forall.interval("KL", 0.0, 20.0)
    t = beta * math.sqrt(n)
    gap = printed_first_order_kl_bound(0.0, divergence, sample_size=n, delta=DELTA, inverse_temperature=t)
    return (2 * (divergence - math.log(DELTA)) / (n - 1)) ** 0.5, gap


@claim(
    "pbrff/kl-discrete",
    identity(),
    cite="pbrff, Section 4.2, last display before equation (13)",
    over=grid(D=[1, 2, 8]),
    sizes="D <= 8",
)
def divergence_from_uniform(forall: Forall, *, D: int):
    """KL(Q || uniform) = log D + sum Q log Q."""
    q = forall.simplex("Q", D)
    return kl_divergence(q, torch.full_like(q, 1 / D)), math.log(D) + torch.xlogy(q, q).sum(-1)


@claim(
    "pbrff/kl-discrete-range",
    always(),
    cite="pbrff, Section 4.2, last display before equation (13)",
    over=grid(D=[2, 8]),
    sizes="D <= 8",
)
def divergence_from_uniform_is_at_most_log(forall: Forall, *, D: int):
    """KL(Q || uniform) lies between 0 and log D: twice its distance to log(D) / 2 is at most log(D)."""
    q = forall.simplex("Q", D)
    return (2 * torch.xlogy(q, q).sum(-1) + math.log(D)).abs(), math.log(D)
