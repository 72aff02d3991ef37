"""The excessive gap technique for the margin game on finitely many strategies: both players at a rate 1/k."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import torch
from torch import Tensor

from algos._domains import NonNegativeBatch, Signs
from algos.margin_game.projection import BoxHyperplane
from signatures.checked import checked
from signatures.numbers import Size
from signatures.tensors import Shaped


@dataclass(frozen=True)
class NearEquilibrium:
    """Strategies of both players, and a bound on max_K F(., measure) - min_j F(weights, j).

    Attributes
    ----------
    measure : Tensor (*batch, m)
        lambda, masses of the strategies, of sum 1.
    weights : Tensor (*batch, n)
        a in K.
    bound : Tensor (*batch,)
        mu_1 D_1 + mu_2 D_2, at most 2 sqrt 10 |A| B C^2 k^(3/2) / (rounds + 2), k the size of the smaller class.
    """

    measure: Tensor
    weights: Tensor
    bound: Tensor


@checked
def excessive_gap(
    strategies: Annotated[Tensor, Shaped("*batch m n r")], labels: Signs, box: NonNegativeBatch, *, rounds: Size
) -> NearEquilibrium:
    """Approximate Nash equilibrium of the margin game by Nesterov's excessive gap technique.

    With S_j(a) = Psi_j^T (y a) the game min_lambda max_K 1.a - (1/2) sum_j lambda_j |S_j(a)|^2 is min_u f(u) = (sum_j
    |u_j|)^2/2 + max_K {1.a - sum_j <u_j, S_j(a)>}: for (1/2) sum_j |u_j|^2/lambda_j is smallest at lambda_j = |u_j| /
    sum_i |u_i|, and phi(a) = 1.a + min_u {...} = 1.a - max_j |S_j(a)|^2/2. Both players' problems are smoothed, by
    mu_1 |u|^2/2 and mu_2 |a|^2/2, and f_(mu_2)(u) <= phi_(mu_1)(a) is kept while the larger of mu_1 D_1 and mu_2 D_2
    shrinks by 1 - tau, tau^2/(1 - tau) = mu_1 mu_2/|A|^2, where |A| bounds the norm of a -> S(a). So f(u) - phi(a) <=
    mu_1 D_1 + mu_2 D_2, D_1 = (2 B C k)^2/2 and D_2 = C^2 k, B the largest norm of features of a point, k the size of
    the smaller class.

    Parameters
    ----------
    strategies : Tensor (*batch, m, n, r)
        Features Psi_j on the points.
    labels : Tensor (n,) or (*batch, n)
        y in {-1, +1}. With one class only K = {0}.
    box : float or Tensor
        C >= 0, a number or (*batch,).
    rounds : int
        Steps, each of one projection onto K and one or two products with the features; at least 1.

    Returns
    -------
    NearEquilibrium

    Raises
    ------
    ValueError
        If a label is not -1 or +1, or C is negative or not finite.

    References
    ----------
    nsrf Appendix A.3, which names Nesterov 2005, Excessive gap technique in nonsmooth convex minimization; the form of
    the game in u, whose term is not smooth but simple, is ours.
    """
    return _Players(strategies, labels, box).play(rounds)


class _Players:
    """Best answers of both players to smoothed payoffs, and the steps that keep the excessive gap."""

    def __init__(self, strategies: Tensor, labels: Tensor, box: Tensor | float) -> None:
        batch = np.broadcast_shapes(strategies.shape[:-3], labels.shape[:-1], torch.as_tensor(box).shape)
        labels = labels.to(strategies.dtype).expand(*batch, labels.shape[-1])
        signed = strategies * labels.unsqueeze(-1).unsqueeze(-3)
        self._signed = signed.movedim(-3, -2).flatten(-2)  # (*batch, n, m r)
        self._shape = (strategies.shape[-3], strategies.shape[-1])
        self._nearest = BoxHyperplane(labels, box)
        majority = torch.where(labels.sum(-1, keepdim=True) < 0, -labels, labels)
        self._lead, self._majority = 1 - majority, (1 + majority) / 2
        self._minority = (labels.shape[-1] - labels.sum(-1).abs()) / 2
        least = torch.finfo(labels.dtype).tiny ** 0.5  # of squares: both norms are bounds, which may be larger
        self._reach = strategies.square().sum(-1).amax((-2, -1)).clamp(min=least).sqrt()
        gram = (self._signed @ self._signed.mT).abs()
        trace, rows = gram.diagonal(dim1=-2, dim2=-1).sum(-1), gram.sum(-1).amax(-1)
        self._norm = torch.minimum(trace, rows).clamp(min=least).sqrt()
        self._box = torch.as_tensor(box, dtype=labels.dtype, device=labels.device)

    def play(self, rounds: int) -> NearEquilibrium:
        """Start at u = 0, then shrink mu_1 = p |A| sqrt(D_2/D_1) or mu_2 = q |A| sqrt(D_1/D_2), in turns."""
        ratio = self._reach * (2 * self._minority.clamp(min=1)).sqrt()  # sqrt(D_1/D_2)
        first, second = self._norm / ratio, self._norm * ratio
        p = q = 1.0
        weights = self._best_weights(None, q * second)
        atoms = self._best_atoms(self._sums(weights), p * first)
        for _ in range(rounds):
            product = p * q
            tau = (math.sqrt(product**2 + 4 * product) - product) / 2
            if p >= q:
                middle = _mean(atoms, self._best_atoms(self._sums(weights), p * first), tau)
                answer = self._best_weights(middle, q * second)
                slope = self._norm.square() / (q * second)
                atoms = self._best_atoms(self._sums(answer) + slope[..., None, None] * middle, slope)
                weights, p = _mean(weights, answer, tau), p * (1 - tau)
            else:
                between = _mean(weights, self._best_weights(atoms, q * second), tau)
                reply = self._best_atoms(self._sums(between), p * first)
                slope = self._norm.square() / (p * first)
                weights = self._project(between + self._gradient(reply) / slope.unsqueeze(-1))
                atoms, q = _mean(atoms, reply, tau), q * (1 - tau)
        sizes = torch.linalg.vector_norm(atoms, dim=-1)
        total = sizes.sum(-1, keepdim=True)
        measure = torch.where(total > 0, sizes / torch.where(total > 0, total, 1.0), 1 / sizes.shape[-1])
        spread = self._norm * self._reach * math.sqrt(2) * self._box.square() * self._minority**1.5
        return NearEquilibrium(measure, weights, (p + q) * spread)

    def _sums(self, weights: Tensor) -> Tensor:
        """S_j(a), (*batch, m, r)."""
        sums = (weights.unsqueeze(-2) @ self._signed).squeeze(-2)
        return sums.reshape(*sums.shape[:-1], *self._shape)

    def _gradient(self, atoms: Tensor) -> Tensor:
        """Of 1.a - s y.a - sum_j <u_j, S_j(a)>, the payoff on K, with the sign s of the larger class: (*batch, n).

        The 1 is gone from the larger class, where it would drown the rest.
        """
        return self._lead - (self._signed @ atoms.flatten(-2).unsqueeze(-1)).squeeze(-1)

    def _best_weights(self, atoms: Tensor | None, smoothing: Tensor) -> Tensor:
        """argmax over K of 1.a - sum_j <u_j, S_j(a)> - mu |a|^2/2."""
        slope = self._lead if atoms is None else self._gradient(atoms)
        return self._project(slope / smoothing.unsqueeze(-1))

    def _project(self, points: Tensor) -> Tensor:
        """Onto K, by a shift of at most C + max |z_i|, i in the larger class: further ones fill or empty it.

        So entries of the smaller class that are as large as this plus C end at C, and need not be larger.
        """
        largest = (points.abs() * self._majority).amax(-1, keepdim=True)
        nearest: Tensor = self._nearest(torch.minimum(points, largest + 2 * self._box.unsqueeze(-1)))
        return nearest

    @staticmethod
    def _best_atoms(pull: Tensor, smoothing: Tensor) -> Tensor:
        """argmin over u of (sum_j |u_j|)^2/2 - sum_j <u_j, g_j> + mu |u|^2/2: |u_j| = (|g_j| - s)_+/mu, s their sum.

        s = (sum of the k largest |g_j|)/(mu + k) for the k that makes it largest.
        """
        sizes: Tensor = torch.linalg.vector_norm(pull, dim=-1)
        counts = torch.arange(1, sizes.shape[-1] + 1, dtype=sizes.dtype, device=sizes.device)
        sums = sizes.sort(-1, descending=True).values.cumsum(-1)
        total: Tensor = (sums / (smoothing.unsqueeze(-1) + counts)).amax(-1, keepdim=True)
        lengths: Tensor = (sizes - total).clamp(min=0) / smoothing.unsqueeze(-1)
        return pull * (lengths / torch.where(sizes > 0, sizes, 1.0)).unsqueeze(-1)


def _mean(old: Tensor, new: Tensor, share: float) -> Tensor:
    return (1 - share) * old + share * new
