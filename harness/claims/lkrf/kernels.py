"""The learned kernel K_q = sum_m q_m phi_m phi_m: its alignment, its estimators, and learning it jointly."""

from functools import cache

import torch
from torch import Tensor

from algos.fourier.feature_families import Coordinates
from algos.kernel_learning.joint_kernel import JointKernel, joint_kernel_ridge
from algos.kernel_learning.weights import alignment_vector, learned_kernel, reweighted_features
from harness import Forall, always, claim, grid, identity
from harness.claims.lkrf.ball import any_weights
from harness.claims.lkrf.multinomial_laws import all_signs
from harness.claims.pbrff.finite_laws import all_samples
from harness.claims.placement import table

BOX, RIDGE = 1.0, 0.5


@claim(
    "lkrf/sec-2-hadamard",
    identity(),
    over=grid(n=[1], N=[3]) + grid(n=[4], N=[1, 6]),
    cite="lkrf, Section 2.1, first display",
    sizes="n = 1 and 4 points, N = 1, 3 and 6 features",
)
def alignment_is_linear_in_the_weights(forall: Forall, *, n: int, N: int):
    """sum_ij y_i y_j K_q(x_i, x_j) = q.v with v = (Phi y) o (Phi y), all pairs i, j included (V-statistic)."""
    features, y = forall.interval("phi", -1.0, 1.0, n, N), forall.signs("y", n)
    q = forall.simplex("q", N)
    family = Coordinates()
    v = alignment_vector(features, y.unsqueeze(-2), family.every(N), family)
    kernel = learned_kernel(features, features, q)
    return (y.unsqueeze(-1) * y.unsqueeze(-2) * kernel).sum((-2, -1)), (q * v).sum(-1)


@claim(
    "lkrf/eq-5",
    identity(),
    over=grid(N=[3], D=[1, 3]) + grid(N=[2], D=[5]),
    cite="lkrf, equation (5)",
    sizes="N = 2 and 3 features, D = 1, 3 and 5 draws",
)
def sampled_features_are_unbiased(forall: Forall, *, N: int, D: int):
    """E of the mean of phi(x, W_j) phi(x', W_j) over D draws W_j from q is K_q(x, x'): a sum over all N^D draws."""
    x, other = forall.interval("phi(x)", -1.0, 1.0, N), forall.interval("phi(x')", -1.0, 1.0, N)
    q = forall.simplex("q", N)
    draws, probabilities = all_samples(q, D)
    features, others = (row[..., draws] / D**0.5 for row in (x, other))
    kernel = learned_kernel(x.unsqueeze(-2), other.unsqueeze(-2), q)[..., 0, 0]
    return (probabilities * (features * others).sum(-1)).sum(-1), kernel


@claim(
    "lkrf/eq-6",
    identity(),
    over=grid(n=[3], N=[2, 5]),
    cite="lkrf, equation (6)",
    restricts="squared loss with a ridge penalty, n = 3, N = 2 and 5",
)
def reweighted_features_have_the_learned_kernel(forall: Forall, *, n: int, N: int):
    """Ridge regression on the features sqrt(q_m) phi(x, w_m) predicts what kernel ridge regression with K_q does.

    Without the root, a ridge penalty on the coefficients of phi is another estimator, which does not depend on q.
    """
    features, y = forall.interval("phi", -1.0, 1.0, n, N), forall.interval("y", -1.0, 1.0, n)
    point = forall.interval("phi(x)", -1.0, 1.0, 1, N)
    q, ridge = forall.simplex("q", N), forall.interval("ridge", 0.1, 2.0)[:, None, None]
    weighted, at = reweighted_features(features, q), reweighted_features(point, q)
    coefficients = ridge_solution(weighted.mT @ weighted, weighted.mT @ y.unsqueeze(-1), ridge)
    dual = ridge_solution(learned_kernel(features, features, q), y.unsqueeze(-1), ridge)
    return (at @ coefficients)[..., 0, 0], (learned_kernel(point, features, q) @ dual)[..., 0, 0]


@claim(
    "lkrf/eq-6-kernel",
    identity(),
    over=grid(n=[1], N=[3]) + grid(n=[4], N=[2, 7]),
    cite="lkrf, equation (6): the primal form of problem (1) for any loss",
    sizes="n = 1 and 4, N = 2, 3 and 7",
)
def any_coefficients_have_a_function_of_the_learned_space(forall: Forall, *, n: int, N: int):
    """The scores theta'diag(q)^(1/2) phi^i and |theta|^2 of theta = sum_i a_i diag(q)^(1/2) phi^i are G a and a'G a.

    G the Gram matrix of K_q, so with r(theta) = lambda |theta|^2/2 the objective of (6) is that of (1) for any cost c;
    a theta orthogonal to all features only adds to its norm. Both sides are combinations b.(G a) + a'G a.
    """
    features, q = forall.interval("phi", -1.0, 1.0, n, N), forall.simplex("q", N)
    a, b = forall.interval("a", -1.0, 1.0, n), forall.interval("b", -1.0, 1.0, n)
    weighted, gram = reweighted_features(features, q), learned_kernel(features, features, q)
    theta = (weighted * a.unsqueeze(-1)).sum(-2)
    scores = (weighted * theta.unsqueeze(-2)).sum(-1)
    image = (gram @ a.unsqueeze(-1)).squeeze(-1)
    return (b * scores).sum(-1) + theta.square().sum(-1), ((a + b) * image).sum(-1)


@claim(
    "lkrf/eq-7",
    identity(),
    reading="corrected",
    over=grid(D=[1, 4]),
    cite="lkrf, equation (7), with D for N_w",
    sizes="D = 1 and 4",
    restricts="the box of the coefficients; the minimisation is not judged",
)
def box_of_coefficients(forall: Forall, *, D: int):
    """sup { sum_m alpha_m phi(x, w_m) : |alpha_m| <= C/D, m = 1..D } = C mean |phi(x, w_m)|, at most C as |phi| <= 1.

    The display has alpha in R^(N_w) and C / N_w while its sum has D terms: lkrf/eq-7[printed]. Left a maximum over the
    vertices of the box.
    """
    phi, size = forall.interval("phi(x)", -1.0, 1.0, D), forall.interval("C", 0.0, 10.0)
    vertices = size[:, None, None] / D * all_signs(D, like=phi)
    return (vertices * phi.unsqueeze(-2)).sum(-1).amax(-1), size * phi.abs().mean(-1)


@claim(
    "lkrf/eq-9",
    always(),
    over=grid(n=[3], N=[3]) + grid(n=[5], N=[2]),
    cite="lkrf, equation (9)",
    sizes="n = 3 and 5, N = 2 and 3; C = 1, as alpha and the features can be rescaled",
)
def joint_objective_is_concave_in_alpha(forall: Forall, *, n: int, N: int):
    """The objective of (9) is concave in alpha: a chord lies below it, 0 <= alpha <= C."""
    y, features, q = joint_problem(forall, n, N)
    first, second = forall.interval("alpha", 0.0, BOX, n), forall.interval("other alpha", 0.0, BOX, n)
    share = forall.interval("share", 0.0, 1.0)
    middle = mixture(share, first, second)
    chord = mixture(share, *(joint_objective(alpha, y, features, q).unsqueeze(-1) for alpha in (first, second)))
    return chord.squeeze(-1) + shift(n), joint_objective(middle, y, features, q) + shift(n)


@claim(
    "lkrf/eq-9-linear",
    identity(),
    over=grid(n=[3], N=[3]) + grid(n=[5], N=[2]),
    cite="lkrf, equation (9)",
    sizes="n = 3 and 5, N = 2 and 3; C = 1, as alpha and the features can be rescaled",
)
def joint_objective_is_linear_in_the_weights(forall: Forall, *, n: int, N: int):
    """The objective of (9) is linear in q, so its supremum over alpha is convex: a saddle-point problem."""
    y, features, first = joint_problem(forall, n, N)
    second, share = forall.simplex("other q", N), forall.interval("share", 0.0, 1.0)
    alpha = forall.interval("alpha", 0.0, BOX, n)
    chord = mixture(share, *(joint_objective(alpha, y, features, q).unsqueeze(-1) for q in (first, second)))
    return chord.squeeze(-1), joint_objective(alpha, y, features, mixture(share, first, second))


@claim(
    "lkrf/eq-9-saddle",
    always(),
    over=grid(n=[3], N=[4], rho=[0.5, 2.0]),
    cite="lkrf, equation (9), with the squared loss for the hinge loss",
    restricts="squared loss, five problems with cosine features, n = 3, N = 4",
)
def joint_solution_is_a_saddle_point(forall: Forall, *, n: int, N: int, rho: float):
    """No q in the ball has a smaller max of alpha.y - alpha'(K_q + mu I) alpha/2 than the joint solver's value - gap.

    Five problems with cosine features at once: the largest ratio. The gap is max over the ball at the solver's alpha,
    so value - gap is the best that alpha can guarantee.
    """
    weights = any_weights(forall, 2, N, rho).unsqueeze(-2)
    features, y, solved = solved_problems(n, N, rho)
    features, y = table(features, like=weights), table(y, like=weights)
    kernel = learned_kernel(features, features, weights)
    inner = (y * ridge_solution(kernel, y.unsqueeze(-1), RIDGE).squeeze(-1)).sum(-1) / 2
    return (table(solved.value - solved.gap, like=inner) / inner).amax(-1), 1.0


@cache
def solved_problems(n: int, N: int, rho: float) -> tuple[Tensor, Tensor, JointKernel]:
    """Features (5, n, N), alternating labels (n,), and the joint solutions."""
    problem, point, feature = (torch.arange(size, dtype=torch.float64) for size in (5, n, N))
    features = (problem[:, None, None] + point[:, None] * (feature + 1)).cos()
    y = 1 - 2 * (point % 2)
    return features, y, joint_kernel_ridge(features, y, rho, ridge=RIDGE)


def joint_problem(forall: Forall, n: int, N: int) -> tuple[Tensor, Tensor, Tensor]:
    """Labels, features and weights."""
    return forall.signs("y", n), forall.interval("phi", -1.0, 1.0, n, N), forall.simplex("q", N)


def joint_objective(alpha: Tensor, y: Tensor, features: Tensor, q: Tensor) -> Tensor:
    """alpha.1 - (1/2) sum_ij alpha_i alpha_j y_i y_j K_q(x_i, x_j)."""
    signed = alpha * y
    form = (signed.unsqueeze(-1) * signed.unsqueeze(-2) * learned_kernel(features, features, q)).sum((-2, -1))
    return alpha.sum(-1) - form / 2


def mixture(share: Tensor, first: Tensor, second: Tensor) -> Tensor:
    return (1 - share).unsqueeze(-1) * first + share.unsqueeze(-1) * second


def shift(n: int) -> float:
    """Makes both sides positive: the quadratic form is at most (n C)^2."""
    return (n * BOX) ** 2 / 2


def ridge_solution(matrix: Tensor, target: Tensor, ridge: Tensor | float) -> Tensor:
    eye = torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
    solution: Tensor = torch.linalg.solve(matrix + ridge * eye, target)
    return solution
