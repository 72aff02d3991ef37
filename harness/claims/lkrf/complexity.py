"""The complexity of the class of learned kernels, over all signs: its form, its bounds, and where they are met."""

import torch
from torch import Tensor

from algos.complexity.rademacher import all_signs
from algos.kernel_learning.alignment import quadratic_alignment
from algos.kernel_learning.weights import learned_kernel, reweighted_features
from bounds.complexity.rademacher import (
    divergence_ball_complexity,
    fourth_moment_divergence_ball_complexity,
    khinchine_divergence_ball_complexity,
    printed_divergence_ball_complexity,
)
from harness import Forall, always, claim, grid, identity
from harness.claims.lkrf.ball import ball_maximum
from harness.claims.lkrf.beds import squares_of_sign_patterns


@claim(
    "lkrf/eq-15",
    identity(rtol=1e-7),
    over=grid(k=[2], n=[4], N=[3], rho=[0.5])
    + grid(k=[2], n=[2], N=[5], rho=[5.0])
    + grid(k=[3], n=[3], N=[3], rho=[1.0]),
    cite="lkrf, equation (15)",
    sizes="k = 2 and 3, n = 2, 3 and 4 points, N = 3 and 5 features, rho = .5, 1 and 5",
    restricts="the supremum is taken at one function; that none is larger is under lkrf/eq-15-supremum",
)
def complexity_is_a_quadratic_form(forall: Forall, *, k: int, n: int, N: int, rho: float):
    """(1/n) E sup over h of sum_i s_i h(x_i) = (B/n) E sup over q of sqrt(s' (sum_m q_m psi_m psi_m') s).

    Left: the function h = sum_m alpha_m sqrt(q_m) phi_m with the best q and alpha along sqrt(q_m) s.psi_m, |alpha| = B.
    Where signs cancel, the root of a rounding error is 6e-8; so far the sides may differ.
    """
    features, radius = forall.interval("phi", -1.0, 1.0, n, N), forall.interval("B", 0.5, 2.0)
    signs = all_signs(n, like=features)
    weights = ball_maximum((signs @ features) ** 2, rho, k).weights
    scaled = reweighted_features(features.unsqueeze(-3), weights)
    slopes = (signs.unsqueeze(-1) * scaled).sum(-2)
    lengths = torch.linalg.vector_norm(slopes, dim=-1, keepdim=True)
    functions = (scaled @ (slopes / torch.where(lengths == 0.0, 1.0, lengths)).unsqueeze(-1)).squeeze(-1)
    forms = quadratic_alignment(learned_kernel(features.unsqueeze(-3), features.unsqueeze(-3), weights), signs)
    return radius * (signs * functions).sum(-1).mean(-1) / n, radius / n * root(forms).mean(-1)


@claim(
    "lkrf/eq-15-supremum",
    always(),
    over=grid(k=[2, 3], n=[3], N=[3], rho=[1.0]) + grid(k=[2], n=[5], N=[2], rho=[0.3]),
    cite="lkrf, equation (15)",
    sizes="k = 2 and 3, n = 3 and 5, N = 2 and 3, rho = .3 and 1; B = 1, in which both sides are homogeneous",
)
def no_function_beats_the_quadratic_form(forall: Forall, *, k: int, n: int, N: int, rho: float):
    """sum_i s_i h(x_i) <= B sup over q of sqrt(s' (sum_m q_m psi_m psi_m') s), for h in the class and signs s."""
    features, signs = forall.interval("phi", -1.0, 1.0, n, N), forall.signs("s", n)
    direction, alpha = forall.interval("direction", -1.0, 1.0, N), forall.ball("alpha", N)
    weights = ball_maximum(direction, rho, k).weights
    functions = (reweighted_features(features, weights) @ alpha.unsqueeze(-1)).squeeze(-1)
    forms = ((signs.unsqueeze(-1) * features).sum(-2)) ** 2
    return (signs * functions).sum(-1), root(ball_maximum(forms, rho, k).value)


@claim(
    "lkrf/eq-15-fourth-moment",
    always(),
    over=grid(n=[3, 8]),
    cite="lkrf, proof of Lemma 3: E (s.psi)^4 <= E (sum_i s_i)^4 = 3 n^2 - 2 n",
    sizes="n = 3 and 8",
    restricts="one step of the chain",
)
def fourth_moment_of_signs(forall: Forall, *, n: int):
    """E (s.psi)^4 <= 3 n^2 - 2 n over random signs s, for every psi in [-1, 1]^n.

    Attained by psi = (1, ..., 1). The exact mean, over all signs.
    """
    psi = forall.interval("psi", -1.0, 1.0, n)
    return ((all_signs(n, like=psi) @ psi.unsqueeze(-1)).squeeze(-1) ** 4).mean(-1), 3.0 * n**2 - 2.0 * n


@claim(
    "lkrf/lem-3",
    always(),
    over=grid(k=[2], n=[2], N=[4], rho=[0.268])
    + grid(k=[2], n=[6], N=[4], rho=[3.0])
    + grid(k=[2], n=[3], N=[2], rho=[1.0]),
    cite="lkrf, Lemma 3",
    sizes="k = 2, whose ball contains the others; n = 2, 3 and 6, N = 2 and 4; B = 1: both sides are homogeneous in it",
)
def complexity_as_printed(forall: Forall, *, k: int, n: int, N: int, rho: float):
    """R_n <= B sqrt(2 (1 + rho)/n) for features in [-1, 1] (B = 1), over all 2^n signs."""
    return complexity(forall.interval("phi", -1.0, 1.0, n, N), rho, k), printed_divergence_ball_complexity(1.0, rho, n)


@claim(
    "lkrf/lem-3-proof",
    always(),
    over=grid(n=[2], N=[4], rho=[1.0]) + grid(n=[4], N=[4], rho=[3.0]),
    cite="lkrf, Lemma 3, from its proof",
    restricts="k = 2, n = 2 and 4, N = 4, B = 1",
)
def complexity_from_the_proof(forall: Forall, *, n: int, N: int, rho: float):
    """R_n <= B ((3 - 2/n)(1 + rho))^(1/4) / sqrt n: the line before the last, with the fourth root of the radius."""
    features = forall.interval("phi", -1.0, 1.0, n, N)
    return complexity(features, rho), fourth_moment_divergence_ball_complexity(1.0, rho, n)


@claim(
    "lkrf/lem-3-sharp",
    always(),
    over=grid(n=[2, 3], N=[4], rho=[1.0], k=[2])
    + grid(n=[7], N=[3], rho=[1.0], k=[2])
    + grid(n=[3], N=[4], rho=[2.0], k=[3]),
    cite="lkrf, Lemma 3, sharpened",
    restricts="k = 2 and 3, n <= 7, N <= 4, rho = 1 and 2, B = 1",
)
def complexity_sharply(forall: Forall, *, n: int, N: int, rho: float, k: int):
    """R_n <= (B/sqrt n) sqrt(1 + sqrt(2 rho' (1 - 1/n))), rho' = (1 + rho)^(1/(k-1)) - 1.

    Attained by all sign patterns, up to a common sign: four features for n = 3.
    """
    features = forall.interval("phi", -1.0, 1.0, n, N)
    return complexity(features, rho, k), divergence_ball_complexity(1.0, rho, n, order=k)


@claim(
    "lkrf/lem-3-attained",
    identity(),
    over=grid(n=[2, 3, 8, 1000], share=[0.1, 1.0]),
    cite="lkrf, Lemma 3, sharpened",
    restricts="k = 2; n = 2, 3, 8, 1000",
)
def complexity_of_all_sign_patterns(*, n: int, share: float):
    """R_n = (B/sqrt n) sqrt(1 + sqrt(2 rho (1 - 1/n))) for all 2^n sign patterns as features.

    Up to rho = 2 - 2/n for even n and 2n/(n - 1) for odd n, of which `share` is taken.
    """
    rho = share * (2 - 2 / n if n % 2 == 0 else 2 * n / (n - 1))
    return complexity_of_patterns(n, rho, 2), divergence_ball_complexity(1.0, rho, n)


@claim(
    "lkrf/lem-3-khinchine",
    always(),
    over=grid(n=[2, 1000], rho=[2.0], k=[3]),
    cite="lkrf, Lemma 3, for k > 2",
    restricts="k = 3, rho = 2, n = 2 and 1000; all sign patterns as features",
)
def complexity_by_khinchine(*, n: int, rho: float, k: int):
    """R_n <= (B/sqrt n) (1 + rho)^(1/(2k)) (E |G|^(2k*))^(1/(2k*)), G normal, k* = k/(k-1): all sign patterns."""
    return complexity_of_patterns(n, rho, k), khinchine_divergence_ball_complexity(1.0, rho, n, order=k)


@claim(
    "lkrf/thm-2-independent-of-N",
    identity(),
    over=grid(n=[3], N=[3], copies=[3], rho=[0.5]),
    cite="lkrf, remark after Theorem 2",
    restricts="k = 2, n = N = 3, three copies, rho = .5",
)
def complexity_does_not_grow_with_copies(forall: Forall, *, n: int, N: int, copies: int, rho: float):
    """R_n is the same when every feature is taken several times, at a fixed B: the number of features does not matter.

    The bound of Lemma 3 does not contain it; with a B that grows with it, as in practice, the bound does.
    """
    features = forall.interval("phi", -1.0, 1.0, n, N)
    return complexity(features.repeat(1, 1, copies), rho), complexity(features, rho)


def complexity(features: Tensor, rho: float, k: int = 2) -> Tensor:
    """Exact R_n for B = 1 from features (batch, n, N)."""
    n = features.shape[-2]
    forms = (all_signs(n, like=features) @ features) ** 2
    return root(ball_maximum(forms, rho, k).value).mean(-1) / n


def complexity_of_patterns(n: int, rho: float, k: int) -> Tensor:
    """Exact R_n for B = 1 and all 2^n sign patterns, for which every sign vector has the same supremum."""
    squares, shares = squares_of_sign_patterns(n)
    return root(ball_maximum(squares, rho, k, shares).value) / n


def root(x: Tensor) -> Tensor:
    """Square root with derivative zero at zero."""
    positive = x > 0
    return torch.where(positive, torch.where(positive, x, 1.0).sqrt(), 0.0)
