"""Section 5.3: kernel alignment in a chi-square ball, the kernel it learns, and the bound it minimises.

"Maximises" and "minimises" are judged against every weight vector of the ball, or of the simplex.
"""

from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum, divergence_ball_dual
from algos.kernel_learning.alignment import binary_alignment_loss, multiclass_alignment_loss
from algos.kernel_learning.greedy_kernel import chi_square_alignment_weights
from algos.kernel_learning.pseudo_posterior import chi_square_divergence
from harness import Forall, always, claim, grid, identity
from harness.claims.pbrff import defects
from harness.claims.pbrff.identities import agreement, codes, cosines


@claim(
    "pbrff/eq-17-18",
    identity(),
    cite="pbrff, Section 5.3, equation (17)",
    over=[
        {"n": 2, "classes": 2, "dimension": 3, "N": 2},
        {"n": 5, "classes": 3, "dimension": 1, "N": 6},
    ],
    sizes="n <= 5, d <= 3, two and three classes, two and six frequencies",
)
def alignment_objective_is_the_loss(forall: Forall, *, n: int, classes: int, dimension: int, N: int):
    """sum_ij lambda_ij sum_m Q_m h_m(x_i - x_j) = n + n (n - 1) (1 - 2 empirical loss of Q): the diagonal adds n."""
    x, y = forall.interval("x", -5.0, 5.0, n, dimension), forall.integers("y", 1, classes, n)
    w, q = forall.interval("w", -3.0, 3.0, N, dimension), forall.simplex("Q", N)
    objective = (agreement(y) * (cosines(x, w) * q[:, None, None]).sum(-1)).sum((-2, -1))
    return objective, n + n * (n - 1) * (1 - 2 * (q * multiclass_alignment_loss(x, y, w, codes(y, classes))).sum(-1))


@claim(
    "pbrff/eq-17-18-ball",
    identity(),
    cite="pbrff, Section 5.3, equation (18)",
    over=grid(N=[1, 2, 8]),
    restricts="mu = 2, N <= 8",
)
def chi_square_is_a_distance(forall: Forall, *, N: int):
    """D_2(Q || uniform) = E (Q_m / (1/N))^2 - 1 = N |Q - 1/N|^2: a ball of radius sqrt(rho / N) around its centre.

    So the rho of the paper is N times the rho of the released code.
    """
    q = forall.simplex("Q", N)
    return (N * q).square().mean(-1) - 1, chi_square_divergence(q)


@claim(
    "pbrff/eq-17-18-maximiser",
    always(),
    cite="pbrff, Section 5.3, equations (17) and (18)",
    over=grid(rho=[0.1, 1.0]),
    restricts="mu = 2, five points of the plane, four frequencies",
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
    over=[{"N": 8, "rho": 0.1}, {"N": 5, "rho": 3.0}],
    restricts="mu = 2, N = 5 and 8",
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
    over=[{"N": 6, "rho": 0.1}, {"N": 3, "rho": 1.0}, {"N": 12, "rho": 4.0}],
    restricts="mu = 2; N = 3, 6 and 12",
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
    "pbrff/pac-coherent-orders",
    always(),
    cite="pbrff, Section 5.3, PAC-Bayesian interpretation",
    over=[{"N": 6, "order": 1.5}, {"N": 3, "order": 2.0}, {"N": 10, "order": 3.0}],
    sizes="mu = 1.5, 2 and 3; N = 3, 6 and 10; all losses in [0, 1]",
)
def alignment_in_a_ball_minimises_the_trade_off_of_theorem_4(forall: Forall, *, N: int, order: float):
    """Weights of the largest alignment in a ball of D_mu minimise E_q loss + c (D_mu(q || P) + 1)^(1/mu) over all q.

    The weights are those proportional to (eta - loss)_+^(1 / (mu - 1)), for any eta above the smallest loss, and c =
    (E_P (eta - loss)_+^mu')^(1/mu') with mu' = mu / (mu - 1). So no q with D_mu(q || P) at most theirs has a smaller
    loss: they solve (17) and (18) for rho = their D_mu, and the trade-off of Theorem 4 for the epsilon with this c.
    """
    losses, q = forall.interval("losses", 0.0, 1.0, N), forall.simplex("q", N)
    rest = losses.amin(-1) + forall.interval("height", 0.05, 2.0)
    below = (rest.unsqueeze(-1) - losses).clamp_min(0)
    conjugate = order / (order - 1)
    coefficient = below.pow(conjugate).mean(-1) ** (1 / conjugate)
    smallest, value = (
        (r * losses).sum(-1) + coefficient * (N * r).pow(order).mean(-1) ** (1 / order)
        for r in (threshold_weights(below, order), q)
    )
    return smallest, value


def threshold_weights(below: Tensor, order: float) -> Tensor:
    """Weights of a ball of D_mu, proportional to the power 1 / (mu - 1) of how far losses are below a threshold."""
    weights = below ** (1 / (order - 1))
    return weights / weights.sum(-1, keepdim=True)


@claim(
    "pbrff/kQ-1-over-N",
    identity(),
    reading="printed",
    expected="refuted",
    cite="pbrff, Section 5.3, kernel alignment algorithm",
    over=grid(N=[2, 5]),
    quote="The solution provides a learned kernel k_Q(delta) := (1/N) sum_m Q_m h_m(delta).",
    defect=defects.LEARNED_KERNEL,
)
def learned_kernel_as_printed(forall: Forall, *, N: int):
    """The learned kernel (1/N) sum_m Q_m h_m with sum Q = 1 is the kernel k_Q = E_Q h of Section 3.

    A misprint in a definition, in the paper or in our copy: this kernel is 1/N at zero, and a kernel k_Q is 1 there.
    The factor belongs to weights of sum N. A constant factor of the kernel; the features drawn from Q do not have it.
    """
    x, w = forall.interval("x", -5.0, 5.0, 2, 1), forall.interval("w", -3.0, 3.0, N, 1)
    q = forall.simplex("Q", N)
    values = cosines(x, w)[:, 0, 1]
    return (q * values).sum(-1) / N, (q * values).sum(-1)


@claim(
    "pbrff/kQ-1-over-N",
    identity(),
    reading="corrected",
    cite="pbrff, Section 5.3, kernel alignment algorithm",
    over=[{"N": 2, "dimension": 3}, {"N": 5, "dimension": 1}],
    restricts="two points, N <= 5, d <= 3",
)
def learned_kernel(forall: Forall, *, N: int, dimension: int):
    """The learned kernel is sum_m Q_m h_m with sum Q = 1, and its empirical loss is E_Q of theirs."""
    x, y = forall.interval("x", -5.0, 5.0, 2, dimension), forall.signs("y", 2)
    w, q = forall.interval("w", -3.0, 3.0, N, dimension), forall.simplex("Q", N)
    kernel = (cosines(x, w)[:, 0, 1] * q).sum(-1)
    return (1 - y.prod(-1) * kernel) / 2, (q * binary_alignment_loss(x, y, w)).sum(-1)
