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


@claim(
    "pbrff/prop-7",
    identity(),
    cite="pbrff, Proposition 7",
    over=grid(n=[2, 8], dimension=[1, 3]),
    restricts="n <= 8, d <= 3",
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
    over=grid(n=[2, 8], classes=[2, 5]),
    restricts="n <= 8, d = 2, at most five classes",
)
def multiclass_loss_in_linear_time(forall: Forall, *, n: int, classes: int):
    """Alignment loss = n / (2 (n - 1)) - (2 sum_y |z_y|^2 - |sum_y z_y|^2) / (2 n (n - 1)), z_y over class y.

    Classes are lists of points, each as often as it occurs. The paper writes them in the braces of sets, a convention
    that it uses for samples too; as sets, x = (0, 0, 0) and y = (1, 1, 2) would give 3/4 instead of 2/3.
    """
    x = forall.interval("x", -10.0, 10.0, n, 2)
    y = forall.integers("y", 1, classes, n)
    w = forall.interval("w", -3.0, 3.0, 1, 2)
    return pairwise_alignment_loss(x, y, w).squeeze(-1), multiclass_alignment_loss(x, y, w).squeeze(-1)


@claim(
    "pbrff/linearity",
    identity(),
    cite="pbrff, Section 4, second display",
    over=grid(n=[2, 5]),
    restricts="n <= 5, d = 2, three classes, posteriors on four frequencies",
)
def empirical_loss_is_linear(forall: Forall, *, n: int):
    """Empirical loss of k_q = E_q of the empirical losses of the h_w, for every posterior q."""
    x = forall.interval("x", -5.0, 5.0, n, 2)
    y = forall.integers("y", 1, 3, n)
    w = forall.interval("w", -3.0, 3.0, 4, 2)
    q = forall.simplex("q", 4)
    kernel = (cosines(x, w) * q[:, None, None]).sum(-1)
    losses = (1 - agreement(y) * kernel) / 2
    off_diagonal = losses.sum((-2, -1)) - losses.diagonal(dim1=-2, dim2=-1).sum(-1)
    return off_diagonal / (n * (n - 1)), (q * multiclass_alignment_loss(x, y, w)).sum(-1)


@claim(
    "pbrff/linearity-population",
    identity(),
    cite="pbrff, Section 4, first display",
    restricts="distributions on five labelled points of the plane, posteriors on four frequencies",
)
def population_loss_is_linear(forall: Forall):
    """Loss of k_q = E_q of the losses of the h_w, for every posterior q and every distribution on five points.

    On the right the closed form (1 - 2 sum_c |f_c|^2 + |sum_c f_c|^2) / 2 with f_c = E 1[y = c] exp(i <w, x>).
    """
    law, x, y = population(forall)
    w = forall.interval("w", -3.0, 3.0, 4, 2)
    q = forall.simplex("q", 4)
    kernel = (cosines(x, w) * q[:, None, None]).sum(-1)
    loss = (law.unsqueeze(-1) * law.unsqueeze(-2) * (1 - agreement(y) * kernel)).sum((-2, -1)) / 2
    return loss, (q * population_losses(law, x, y, w)).sum(-1)


@claim(
    "pbrff/unbiased",
    identity(),
    cite="pbrff, Section 5.1",
    over=grid(n=[2, 3, 4]),
    restricts="distributions on three labelled points of the line, n <= 4",
)
def empirical_loss_is_unbiased(forall: Forall, *, n: int):
    """E over samples of the empirical loss of h_w = its loss, summed over all samples of a law on three points.

    The mean over all n^2 pairs, diagonal included, would be too small by loss / n.
    """
    law = forall.simplex("law", 3)
    x = forall.interval("x", -5.0, 5.0, 3, 1)
    y = forall.integers("y", 1, 3, 3)
    w = forall.interval("w", -3.0, 3.0, 1, 1)
    positions, probabilities = all_samples(law, n)
    everywhere = w.unsqueeze(-3).expand(-1, len(positions), -1, -1)
    empirical = pairwise_alignment_loss(x[:, positions], y[:, positions], everywhere).squeeze(-1)
    return (probabilities * empirical).sum(-1), population_losses(law, x, y, w).squeeze(-1)


@claim(
    "pbrff/eq-10-mean",
    identity(),
    cite="pbrff, Section 4.1, equation (10)",
    over=grid(n=[2, 6]),
    restricts="n <= 6, d = 2, three classes",
)
def empirical_loss_is_the_mean_over_points(forall: Forall, *, n: int):
    """Empirical loss = mean over the points of the empirical losses around them."""
    x = forall.interval("x", -10.0, 10.0, n, 2)
    y = forall.integers("y", 1, 3, n)
    w = forall.interval("w", -3.0, 3.0, 1, 2)
    around = per_point_alignment_loss(x, y, w).squeeze(-1)
    return pairwise_alignment_loss(x, y, w).squeeze(-1), around.mean(-1)


@claim(
    "pbrff/eq-10-mean-population",
    identity(),
    cite="pbrff, Section 4.1, below Theorem 1",
    restricts="distributions on five labelled points of the plane",
)
def loss_is_the_mean_over_centres(forall: Forall):
    """Loss of h_w = E over centres (x_i, y_i) of the losses around them, for every distribution on five points.

    On the left the double sum over the distribution, on the right the closed form (1 - Re exp(i <w, x_i>) conj(2
    f_(y_i) - sum_c f_c)) / 2.
    """
    law, x, y = population(forall)
    w = forall.interval("w", -3.0, 3.0, 1, 2)
    kernel = cosines(x, w).squeeze(-1)
    pairs = (law.unsqueeze(-1) * law.unsqueeze(-2) * (1 - agreement(y) * kernel)).sum((-2, -1)) / 2
    cosine, sine = (law * part for part in phases(x, w).squeeze(-1).unbind(0))
    signed = [(agreement(y) @ part.unsqueeze(-1)).squeeze(-1) for part in (cosine, sine)]
    return pairs, (law.sum(-1) - (cosine * signed[0] + sine * signed[1]).sum(-1)) / 2


@claim(
    "pbrff/eq-13",
    always(),
    cite="pbrff, Section 4.2, equation (13)",
    over=grid(atoms=[1, 4]),
    restricts="d = 2, at most four frequencies",
)
def similarities_are_at_most_one(forall: Forall, *, atoms: int):
    """-1 <= psi_l(x) <= 1 for every landmark, posterior and point; equality at the landmark itself."""
    landmark = forall.interval("landmark", -5.0, 5.0, 1, 2)
    x = forall.interval("x", -5.0, 5.0, 1, 2)
    w = forall.interval("w", -3.0, 3.0, 1, atoms, 2)
    q = forall.simplex("Q", 1, atoms)
    return similarity_map(x, landmark, w, q).flatten(-2).squeeze(-1).abs(), 1.0


@claim(
    "pbrff/eq-13-own",
    identity(),
    cite="pbrff, Section 4.2, equation (13)",
    over=grid(landmarks=[1, 3]),
    restricts="d = 2, at most three landmarks and four frequencies",
)
def similarity_to_itself_is_one(forall: Forall, *, landmarks: int):
    """psi_l(x_l) = 1 for every landmark, whatever its posterior."""
    centres = forall.interval("landmarks", -5.0, 5.0, landmarks, 2)
    w = forall.interval("w", -3.0, 3.0, landmarks, 4, 2)
    q = forall.simplex("Q", landmarks, 4)
    return similarity_map(centres, centres, w, q).diagonal(dim1=-2, dim2=-1).mean(-1), 1.0


@claim(
    "pbrff/eq-13-not-a-kernel",
    identity(),
    cite="pbrff, Section 4.2, below equation (13)",
    over=grid(n=[3]),
    restricts="one example of three points",
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


def population(forall: Forall) -> tuple[Tensor, Tensor, Tensor]:
    """A distribution on five labelled points of the plane: probabilities, points, labels."""
    law = forall.simplex("law", 5)
    return law, forall.interval("x", -5.0, 5.0, 5, 2), forall.integers("y", 1, 3, 5)


def population_losses(law: Tensor, x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """Loss of every frequency under a finite law, from the characteristic functions of its classes: (batch, m)."""
    indicators = (y.unsqueeze(-2) == table(range(1, 4), like=y).unsqueeze(-1)).to(law.dtype)
    classes = (indicators * law.unsqueeze(-2)) @ phases(x, w)  # (2, batch, 3, m)
    within, total = classes.square().sum((0, -2)), classes.sum(-2).square().sum(0)
    return (1 - 2 * within + total) / 2


def phases(x: Tensor, w: Tensor) -> Tensor:
    """Cosines and sines of <w_m, x_i>: (2, batch, n, m)."""
    angles = x @ w.mT
    return torch.stack([angles.cos(), angles.sin()])


def cosines(x: Tensor, w: Tensor) -> Tensor:
    """h_m(x_i - x_j) = cos(<w_m, x_i - x_j>): (batch, n, n, m)."""
    return ((x.unsqueeze(-2) - x.unsqueeze(-3)) @ w.unsqueeze(-3).mT).cos()


def agreement(y: Tensor) -> Tensor:
    """lambda_ij = +1 for equal labels and -1 otherwise: (batch, n, n)."""
    return torch.where(y.unsqueeze(-1) == y.unsqueeze(-2), 1.0, -1.0).to(y.dtype)
