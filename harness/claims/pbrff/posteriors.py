"""Sections 4 and 5: pseudo-posteriors as minimisers of the bounds, and what kernel alignment in a ball minimises.

"Minimises" is judged against every posterior q of the simplex. The losses of the frequencies are any numbers in [0, 1]
where only they matter, and alignment losses of points where the statement is about data.
"""

import math

import torch
from torch import Tensor

from algos.alignment import binary_alignment_loss, multiclass_alignment_loss
from algos.divergence_ball import chi_square_ball_maximum, divergence_ball_dual
from algos.greedy_kernel import chi_square_alignment_weights, pseudo_bayesian_weights
from algos.pseudo_posterior import chi_square_divergence, gibbs_posterior, kl_divergence, log_moment
from bounds.pac_bayes import averaged_first_order_kl_bound, first_order_kl_bound, second_order_kl_bound
from harness import Forall, always, claim, grid, identity
from harness.claims.pbrff.identities import agreement, cosines

DELTA = 0.05


@claim("pbrff/eq-11", always(), cite="pbrff, Section 4.1, equation (11)", over=grid(t=[0.5, 20.0], N=[2, 6]))
def gibbs_posterior_minimises_the_trade_off(forall: Forall, *, t: float, N: int):
    """E_q* loss + (2/t) KL(q* || p) <= E_q loss + (2/t) KL(q || p) for all q, at q* ~ p exp(-(t/2) loss)."""
    losses, prior = forall.interval("losses", 0.0, 1.0, N), forall.simplex("p", N)
    q = forall.simplex("q", N)
    best = gibbs_posterior(losses, t / 2, prior=prior)
    smallest, value = ((r * losses).sum(-1) + 2 / t * kl_divergence(r, prior) for r in (best, q))
    return smallest, value


@claim("pbrff/eq-11-minimum", identity(), cite="pbrff, Section 4.1, equation (11)", over=grid(t=[0.5, 20.0]))
def free_energy(forall: Forall, *, t: float):
    """The smallest value over q of E_q loss + (2/t) KL(q || p) is -(2/t) log E_p exp(-(t/2) loss)."""
    losses, prior = forall.interval("losses", 0.0, 1.0, 6), forall.simplex("p", 6)
    best = gibbs_posterior(losses, t / 2, prior=prior)
    value = (best * losses).sum(-1) + 2 / t * kl_divergence(best, prior)
    return value, -2 / t * log_moment(-t / 2 * losses, prior=prior)


@claim("pbrff/eq-12", always(), cite="pbrff, Section 4.2, equation (12)", over=grid(n=[2, 50], beta=[0.3, 3.0]))
def landmark_posterior_minimises_theorem_1(forall: Forall, *, n: int, beta: float):
    """Q ~ exp(-beta sqrt(n) loss) has the smallest bound of Theorem 1 at t = beta sqrt(n), uniform prior."""
    losses, q = forall.interval("losses", 0.0, 1.0, 6), forall.simplex("q", 6)
    best = pseudo_bayesian_weights(losses, beta, sample_size=n)
    smallest, value = (
        first_order_kl_bound(
            (r * losses).sum(-1),
            kl_divergence(r),
            sample_size=n,
            delta=DELTA,
            inverse_temperature=beta * math.sqrt(n),
        )
        for r in (best, q)
    )
    return smallest, value


@claim("pbrff/eq-19", always(), cite="pbrff, Section 5.4, equation (19)", over=grid(n=[2, 50], beta=[0.3, 3.0]))
def pseudo_posterior_minimises_theorem_3(forall: Forall, *, n: int, beta: float):
    """Q ~ exp(-beta sqrt(n) loss) has the smallest bound of Theorem 3 at t = beta sqrt(n), uniform prior."""
    losses, q = forall.interval("losses", 0.0, 1.0, 6), forall.simplex("q", 6)
    best = pseudo_bayesian_weights(losses, beta, sample_size=n)
    smallest, value = (
        second_order_kl_bound(
            (r * losses).sum(-1),
            kl_divergence(r),
            sample_size=n,
            delta=DELTA,
            inverse_temperature=beta * math.sqrt(n),
        )
        for r in (best, q)
    )
    return smallest, value


@claim(
    "pbrff/same-minimiser",
    identity(),
    cite="pbrff, Section 5.1, below Theorem 3",
    over=grid(theorem=["Corollary 2", "Theorem 3"], t=[2.0, 20.0]),
)
def both_bounds_have_the_same_minimiser(forall: Forall, *, theorem: str, t: float):
    """Bound at q = bound at q* + KL(q || q*) / tau with q* ~ exp(-tau loss), tau = t/2 (Corollary 2), t (Theorem 3).

    So both have the minimisers q*, and no other.
    """
    losses, q = forall.interval("losses", 0.0, 1.0, 6), forall.simplex("q", 6)
    bound, tau = {"Corollary 2": (averaged_first_order_kl_bound, t / 2), "Theorem 3": (second_order_kl_bound, t)}[
        theorem
    ]
    best = gibbs_posterior(losses, tau)
    value, smallest = (
        bound((r * losses).sum(-1), kl_divergence(r), sample_size=30, delta=DELTA, inverse_temperature=t)
        for r in (q, best)
    )
    return value, smallest + kl_divergence(q, best) / tau


@claim(
    "pbrff/beta-1",
    always(),
    cite="pbrff, Section 4.2, below equation (12)",
    over=grid(n=[2, 10**3, 10**6], beta=[0.1, 1.0, 10.0]),
)
def any_fixed_beta_converges(forall: Forall, *, n: int, beta: float):
    """Gap of Theorem 1 at t = beta sqrt(n) <= ((KL + log(1/delta)) / beta + beta) / sqrt(n): any fixed beta will do."""
    divergence = forall.interval("KL", 0.0, 20.0)
    t = beta * math.sqrt(n)
    gap = first_order_kl_bound(0.0, divergence, sample_size=n, delta=DELTA, inverse_temperature=t)
    return gap, ((divergence - math.log(DELTA)) / beta + beta) / math.sqrt(n)


@claim(
    "pbrff/beta-1-best",
    always(),
    cite="pbrff, Section 4.2, below equation (12)",
    over=grid(n=[2, 10**3], beta=[1.0, 2.5, 4.0]),
)
def best_beta_for_theorem_1(forall: Forall, *, n: int, beta: float):
    """Gap of Theorem 1 at t = beta sqrt(n) >= sqrt(2 (KL + log(1/delta)) / (n - 1)), its value at the best t.

    So beta = 1 is one choice among many: the best is near sqrt(2 (KL + log(1/delta))), 2.4 for KL = 0.
    """
    divergence = forall.interval("KL", 0.0, 20.0)
    t = beta * math.sqrt(n)
    gap = first_order_kl_bound(0.0, divergence, sample_size=n, delta=DELTA, inverse_temperature=t)
    return (2 * (divergence - math.log(DELTA)) / (n - 1)) ** 0.5, gap


@claim(
    "pbrff/kl-discrete",
    identity(),
    cite="pbrff, Section 4.2, last display before equation (13)",
    over=grid(D=[1, 2, 8]),
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
)
def divergence_from_uniform_is_at_most_log(forall: Forall, *, D: int):
    """KL(Q || uniform) lies between 0 and log D: its distance to log(D) / 2 is at most log(D) / 2."""
    q = forall.simplex("Q", D)
    return (torch.xlogy(q, q).sum(-1) + math.log(D) / 2).abs(), math.log(D) / 2


@claim("pbrff/eq-17-18", identity(), cite="pbrff, Section 5.3, equation (17)", over=grid(n=[2, 5]))
def alignment_objective_is_the_loss(forall: Forall, *, n: int):
    """sum_ij lambda_ij sum_m Q_m h_m(x_i - x_j) = n + n (n - 1) (1 - 2 empirical loss of Q): the diagonal adds n."""
    x, y = forall.interval("x", -5.0, 5.0, n, 2), forall.integers("y", 1, 3, n)
    w, q = forall.interval("w", -3.0, 3.0, 4, 2), forall.simplex("Q", 4)
    objective = (agreement(y) * (cosines(x, w) * q[:, None, None]).sum(-1)).sum((-2, -1))
    return objective, n + n * (n - 1) * (1 - 2 * (q * multiclass_alignment_loss(x, y, w)).sum(-1))


@claim("pbrff/eq-17-18-ball", identity(), cite="pbrff, Section 5.3, equation (18)", over=grid(N=[1, 2, 8]))
def chi_square_is_a_distance(forall: Forall, *, N: int):
    """D_2(Q || uniform) = E (Q_m / (1/N))^2 - 1 = N |Q - 1/N|^2: a ball of radius sqrt(rho / N) around its centre.

    So the rho of print is N times the rho of the released code.
    """
    q = forall.simplex("Q", N)
    return (N * q).square().mean(-1) - 1, chi_square_divergence(q)


@claim(
    "pbrff/eq-17-18-maximiser",
    always(),
    cite="pbrff, Section 5.3, equations (17) and (18)",
    over=grid(rho=[0.1, 1.0]),
)
def ball_weights_maximise_the_alignment(forall: Forall, *, rho: float):
    """Alignment of any Q with D_2(Q || uniform) <= rho is at most that of the weights of smallest loss in this ball."""
    x, y = forall.interval("x", -5.0, 5.0, 5, 2), forall.integers("y", 1, 3, 5)
    w, q = forall.interval("w", -3.0, 3.0, 4, 2), forall.simplex("Q", 4)
    outside = (chi_square_divergence(q) / rho).clamp_min(1).sqrt().unsqueeze(-1)
    inside = 0.25 + (q - 0.25) / outside
    best = chi_square_alignment_weights(multiclass_alignment_loss(x, y, w), rho)
    alignments = (agreement(y).unsqueeze(-1) * cosines(x, w)).sum((-3, -2))
    return (inside * alignments).sum(-1), (best * alignments).sum(-1)


@claim(
    "pbrff/eq-17-18-optimal",
    identity(),
    cite="pbrff, Section 5.3, equations (17) and (18)",
    over=grid(N=[8], rho=[0.1, 3.0]),
)
def ball_weights_are_certified(forall: Forall, *, N: int, rho: float):
    """Loss of the ball's weights = eta - sqrt((1 + rho) E (eta - loss)_+^2), the dual bound, at their threshold eta.

    The dual bounds the loss of all Q in the ball from below, whatever eta: equality proves optimality.
    """
    losses = forall.interval("losses", 0.0, 1.0, N)
    solution = chi_square_ball_maximum(-losses, rho)
    return (solution.weights * losses).sum(-1), -divergence_ball_dual(-losses, solution.threshold, rho)


@claim(
    "pbrff/pac-coherent",
    always(),
    cite="pbrff, Section 5.3, PAC-Bayesian interpretation",
    over=grid(N=[6], rho=[0.1, 1.0, 4.0]),
)
def ball_weights_minimise_corollary_5(forall: Forall, *, N: int, rho: float):
    """Weights of smallest loss in a ball minimise E_q loss + sqrt(c (chi^2 + 1)) over all q, for a fitting c.

    That is Corollary 5 with c = 1 / (4 n epsilon). The weights are proportional to (eta - loss)_+, with the threshold
    eta of the ball, and stationary for the bound where c = E (eta - loss)_+^2.
    """
    losses, q = forall.interval("losses", 0.0, 1.0, N), forall.simplex("q", N)
    solution = chi_square_ball_maximum(-losses, rho)
    coefficient = (-losses - solution.threshold.unsqueeze(-1)).clamp_min(0).square().mean(-1)
    smallest, value = (
        (r * losses).sum(-1) + (coefficient * (chi_square_divergence(r) + 1)).sqrt() for r in (solution.weights, q)
    )
    return smallest, value


@claim(
    "pbrff/kQ-1-over-N",
    identity(),
    reading="printed",
    expected="refuted",
    cite="pbrff, Section 5.3, kernel alignment algorithm",
    over=grid(N=[2, 5]),
)
def learned_kernel_as_printed(forall: Forall, *, N: int):
    """The learned kernel is (1/N) sum_m Q_m h_m with sum Q = 1, and its empirical loss is E_Q of theirs.

    A misprint: this kernel is 1/N at zero. The factor belongs to weights of sum N.
    """
    return _losses_of_the_learned_kernel(forall, N, factor=1 / N)


@claim(
    "pbrff/kQ-1-over-N",
    identity(),
    reading="corrected",
    cite="pbrff, Section 5.3, kernel alignment algorithm",
    over=grid(N=[2, 5]),
)
def learned_kernel(forall: Forall, *, N: int):
    """The learned kernel is sum_m Q_m h_m with sum Q = 1, and its empirical loss is E_Q of theirs."""
    return _losses_of_the_learned_kernel(forall, N, factor=1.0)


def _losses_of_the_learned_kernel(forall: Forall, N: int, *, factor: float) -> tuple[Tensor, Tensor]:
    """Loss of the kernel factor sum_m Q_m h_m on two points, and E_Q of the losses of the h_m."""
    x, y = forall.interval("x", -5.0, 5.0, 2, 1), forall.signs("y", 2)
    w, q = forall.interval("w", -3.0, 3.0, N, 1), forall.simplex("Q", N)
    kernel = factor * (cosines(x, w)[:, 0, 1] * q).sum(-1)
    return (1 - y.prod(-1) * kernel) / 2, (q * binary_alignment_loss(x, y, w)).sum(-1)
