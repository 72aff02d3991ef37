"""Identities of the alignment loss: closed forms, unbiasedness, linearity, and the similarity features of landmarks."""

import math

import torch
from torch import Tensor

from algos.kernel_learning.alignment import (
    binary_alignment_loss,
    landmark_alignment_loss,
    multiclass_alignment_loss,
    pairwise_alignment_loss,
    per_point_alignment_loss,
)
from algos.kernel_learning.greedy_kernel import pseudo_bayesian_weights
from algos.kernel_learning.landmarks import similarity_map
from harness import Forall, always, claim, grid, identity
from harness.claims.pbrff.finite_laws import all_samples
from harness.claims.placement import table

_PAIRS = (
    {"classes": 2, "dimension": 1, "frequencies": 2},
    {"classes": 3, "dimension": 3, "frequencies": 4},
)


@claim(
    "pbrff/prop-7",
    identity(),
    cite="pbrff, Proposition 7",
    over=grid(n=[2, 8], dimension=[1, 3]),
    sizes="n <= 8, d <= 3",
)
def binary_loss_in_linear_time(forall: Forall, *, n: int, dimension: int):
    """Binary alignment loss = n / (2 (n - 1)) - |sum_i y_i exp(i <w, x_i>)|^2 / (2 n (n - 1))."""
    x = forall.interval("x", -10.0, 10.0, n, dimension)
    y = forall.signs("y", n)
    w = forall.interval("w", -3.0, 3.0, 1, dimension)
    return pairwise_alignment_loss(x, y, w).squeeze(-1), binary_alignment_loss(x, y, w).squeeze(-1)


@claim(
    "pbrff/prop-8",
    identity(),
    cite="pbrff, Proposition 8",
    over=[{"n": n, "classes": c, "dimension": d} for n, c, d in [(2, 2, 3), (2, 5, 1), (8, 2, 1), (8, 5, 3)]],
    sizes="n <= 8, d <= 3, at most five classes",
)
def multiclass_loss_in_linear_time(forall: Forall, *, n: int, classes: int, dimension: int):
    """Alignment loss = n / (2 (n - 1)) - (2 sum_y |z_y|^2 - |sum_y z_y|^2) / (2 n (n - 1)), z_y over class y.

    Classes are lists of points, each as often as it occurs. The paper writes them in the braces of sets, a convention
    that it uses for samples too; as sets, x = (0, 0, 0) and y = (1, 1, 2) would give 3/4 instead of 2/3.
    """
    x = forall.interval("x", -10.0, 10.0, n, dimension)
    y = forall.integers("y", 1, classes, n)
    w = forall.interval("w", -3.0, 3.0, 1, dimension)
    return pairwise_alignment_loss(x, y, w).squeeze(-1), multiclass_alignment_loss(x, y, w, codes(y, classes)).squeeze(
        -1
    )


@claim(
    "pbrff/linearity",
    identity(),
    cite="pbrff, Section 4, second display",
    over=[{"n": 2, **_PAIRS[0]}, {"n": 5, **_PAIRS[1]}],
    sizes="n <= 5, d <= 3, two and three classes, all posteriors on two and four frequencies",
)
def empirical_loss_is_linear(forall: Forall, *, n: int, classes: int, dimension: int, frequencies: int):
    """Empirical loss of k_q = E_q of the empirical losses of the h_w, for every posterior q."""
    x = forall.interval("x", -5.0, 5.0, n, dimension)
    y = forall.integers("y", 1, classes, n)
    w = forall.interval("w", -3.0, 3.0, frequencies, dimension)
    q = forall.simplex("q", frequencies)
    kernel = (cosines(x, w) * q[:, None, None]).sum(-1)
    losses = (1 - agreement(y) * kernel) / 2
    off_diagonal = losses.sum((-2, -1)) - losses.diagonal(dim1=-2, dim2=-1).sum(-1)
    return off_diagonal / (n * (n - 1)), (q * multiclass_alignment_loss(x, y, w, codes(y, classes))).sum(-1)


@claim(
    "pbrff/linearity-population",
    identity(),
    cite="pbrff, Section 4, first display",
    over=[{"points": 2, **_PAIRS[0]}, {"points": 5, **_PAIRS[1]}],
    sizes="all distributions on two and five labelled points, d <= 3, all posteriors on two and four frequencies",
)
def population_loss_is_linear(forall: Forall, *, points: int, classes: int, dimension: int, frequencies: int):
    """Loss of k_q = E_q of the losses of the h_w, for every posterior q and every distribution on finitely many points.

    On the right the closed form (1 - 2 sum_c |f_c|^2 + |sum_c f_c|^2) / 2 with f_c = E 1[y = c] exp(i <w, x>).
    """
    law, x, y = population(forall, points, classes, dimension)
    w = forall.interval("w", -3.0, 3.0, frequencies, dimension)
    q = forall.simplex("q", frequencies)
    kernel = (cosines(x, w) * q[:, None, None]).sum(-1)
    loss = (law.unsqueeze(-1) * law.unsqueeze(-2) * (1 - agreement(y) * kernel)).sum((-2, -1)) / 2
    return loss, (q * population_losses(law, x, y, w)).sum(-1)


@claim(
    "pbrff/unbiased",
    identity(),
    cite="pbrff, Section 5.1",
    over=[{"n": n, "points": k, "dimension": d} for n, k, d in [(2, 5, 3), (3, 3, 1), (4, 2, 2)]],
    sizes="all distributions on two, three and five labelled points, d <= 3, n <= 4",
)
def empirical_loss_is_unbiased(forall: Forall, *, n: int, points: int, dimension: int):
    """E over samples of the empirical loss of h_w = its loss, summed over all samples of a law on finitely many points.

    The mean over all n^2 pairs, diagonal included, would be too small by loss / n.
    """
    law, x, y = population(forall, points, points, dimension)
    w = forall.interval("w", -3.0, 3.0, 1, dimension)
    positions, probabilities = all_samples(law, n)
    everywhere = w.unsqueeze(-3).expand(-1, len(positions), -1, -1)
    empirical = pairwise_alignment_loss(x[:, positions], y[:, positions], everywhere).squeeze(-1)
    return (probabilities * empirical).sum(-1), population_losses(law, x, y, w).squeeze(-1)


@claim(
    "pbrff/eq-10-mean",
    identity(),
    cite="pbrff, Section 4.1, equation (10)",
    over=[{"n": 2, "classes": 2, "dimension": 1}, {"n": 6, "classes": 3, "dimension": 3}],
    sizes="n <= 6, d <= 3, two and three classes",
)
def empirical_loss_is_the_mean_over_points(forall: Forall, *, n: int, classes: int, dimension: int):
    """Empirical loss = mean over the points of the empirical losses around them."""
    x = forall.interval("x", -10.0, 10.0, n, dimension)
    y = forall.integers("y", 1, classes, n)
    w = forall.interval("w", -3.0, 3.0, 1, dimension)
    around = per_point_alignment_loss(x, y, w, codes(y, classes)).squeeze(-1)
    return pairwise_alignment_loss(x, y, w).squeeze(-1), around.mean(-1)


@claim(
    "pbrff/eq-10-mean-population",
    identity(),
    cite="pbrff, Section 4.1, below Theorem 1",
    over=[{"points": 2, "classes": 2, "dimension": 1}, {"points": 5, "classes": 3, "dimension": 3}],
    sizes="all distributions on two and five labelled points, d <= 3",
)
def loss_is_the_mean_over_centres(forall: Forall, *, points: int, classes: int, dimension: int):
    """Loss of h_w = E over centres (x_i, y_i) of the losses around them, for every distribution on some points.

    On the left the double sum over the distribution, on the right the closed form (1 - Re exp(i <w, x_i>) conj(2
    f_(y_i) - sum_c f_c)) / 2.
    """
    law, x, y = population(forall, points, classes, dimension)
    w = forall.interval("w", -3.0, 3.0, 1, dimension)
    kernel = cosines(x, w).squeeze(-1)
    pairs = (law.unsqueeze(-1) * law.unsqueeze(-2) * (1 - agreement(y) * kernel)).sum((-2, -1)) / 2
    cosine, sine = (law * part for part in phases(x, w).squeeze(-1).unbind(0))
    signed = [(agreement(y) @ part.unsqueeze(-1)).squeeze(-1) for part in (cosine, sine)]
    return pairs, (law.sum(-1) - (cosine * signed[0] + sine * signed[1]).sum(-1)) / 2


@claim(
    "pbrff/eq-13",
    always(),
    cite="pbrff, Section 4.2, equation (13)",
    over=[{"atoms": 1, "dimension": 1}, {"atoms": 4, "dimension": 3}],
    sizes="d <= 3, at most four frequencies",
)
def similarities_are_at_most_one(forall: Forall, *, atoms: int, dimension: int):
    """-1 <= psi_l(x) <= 1 for every landmark, posterior and point; equality at the landmark itself."""
    landmark = forall.interval("landmark", -5.0, 5.0, 1, dimension)
    x = forall.interval("x", -5.0, 5.0, 1, dimension)
    w = forall.interval("w", -3.0, 3.0, 1, atoms, dimension)
    q = forall.simplex("Q", 1, atoms)
    return similarity_map(x, landmark, w, q).flatten(-2).squeeze(-1).abs(), 1.0


@claim(
    "pbrff/eq-13-own",
    identity(),
    cite="pbrff, Section 4.2, equation (13)",
    over=[{"landmarks": 1, "atoms": 4, "dimension": 3}, {"landmarks": 3, "atoms": 2, "dimension": 1}],
    sizes="d <= 3, at most three landmarks and four frequencies",
)
def similarity_to_itself_is_one(forall: Forall, *, landmarks: int, atoms: int, dimension: int):
    """psi_l(x_l) = 1 for every landmark, whatever its posterior."""
    centres = forall.interval("landmarks", -5.0, 5.0, landmarks, dimension)
    w = forall.interval("w", -3.0, 3.0, landmarks, atoms, dimension)
    q = forall.simplex("Q", landmarks, atoms)
    return similarity_map(centres, centres, w, q).diagonal(dim1=-2, dim2=-1).mean(-1), 1.0


@claim(
    "pbrff/eq-13-not-a-kernel",
    identity(),
    cite="pbrff, Section 4.2, below equation (13)",
    over=grid(n=[3]),
    sizes="an example, which is all that it takes: three points, every beta from .1 to 5",
)
def similarities_are_not_symmetric(forall: Forall, *, n: int):
    """Similarities are not a kernel: psi_1(x_2) - psi_2(x_1) = -tanh(beta sqrt(3) / 4) in an example of three points.

    Sample (0, +), (1, -), (2, -), landmarks 0 and 1, frequencies 0 and pi: the landmarks have losses (1, 1/2) and (1/2,
    1/2) there, hence different posteriors.
    """
    beta = forall.interval("beta", 0.1, 5.0)
    x, y = table([[0.0], [1.0], [2.0]], like=beta), table([1.0, -1.0, -1.0], like=beta)
    w = table([[0.0], [math.pi]], like=beta)
    losses = landmark_alignment_loss(x, y, x[:2], y[:2], w, in_sample=True)
    scaled = beta[:, None, None] * losses
    q = pseudo_bayesian_weights(scaled, 1.0, sample_size=n)
    psi = similarity_map(x[:2], x[:2], w.expand(len(beta), 2, 2, 1), q)
    return psi[:, 1, 0] - psi[:, 0, 1], -(beta * math.sqrt(n) / 4).tanh()


def population(forall: Forall, points: int, classes: int, dimension: int) -> tuple[Tensor, Tensor, Tensor]:
    """A distribution on labelled points: probabilities, points, labels."""
    law, x = forall.simplex("law", points), forall.interval("x", -5.0, 5.0, points, dimension)
    return law, x, forall.integers("y", 1, classes, points)


def population_losses(law: Tensor, x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """Loss of every frequency under a finite law, from the characteristic functions of its classes: (batch, m)."""
    labels = table(range(1, y.shape[-1] + 1), like=y)  # of n points, one of 1, ..., n each
    indicators = (y.unsqueeze(-2) == labels.unsqueeze(-1)).to(law.dtype)
    classes = (indicators * law.unsqueeze(-2)) @ phases(x, w)  # (2, batch, n, m)
    within, total = classes.square().sum((0, -2)), classes.sum(-2).square().sum(0)
    return (1 - 2 * within + total) / 2


def phases(x: Tensor, w: Tensor) -> Tensor:
    """Cosines and sines of <w_m, x_i>: (2, batch, n, m)."""
    angles = x @ w.mT
    return torch.stack([angles.cos(), angles.sin()])


def cosines(x: Tensor, w: Tensor) -> Tensor:
    """h_m(x_i - x_j) = cos(<w_m, x_i - x_j>): (batch, n, n, m)."""
    return ((x.unsqueeze(-2) - x.unsqueeze(-3)) @ w.unsqueeze(-3).mT).cos()


def codes(y: Tensor, classes: int) -> Tensor:
    """The codes 1, ..., c of c classes."""
    return table(range(1, classes + 1), like=y)


def agreement(y: Tensor) -> Tensor:
    """lambda_ij = +1 for equal labels and -1 otherwise: (batch, n, n)."""
    return torch.where(y.unsqueeze(-1) == y.unsqueeze(-2), 1.0, -1.0).to(y.dtype)
