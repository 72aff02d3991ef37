"""Weights of features learned jointly with the predictor: the expensive alternative to alignment, certified."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import torch
from torch import Tensor

from algos._domains import OrderAboveOne, Steps, Vector
from algos.divergence_ball.exact import DivergenceBallSolution, chi_square_ball_maximum, divergence_ball_maximum
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat, PositiveFloat
from signatures.tensors import Shaped

_LINE_SEARCH_HALVINGS = 50

_SAME = 1e-14
"""Maximisers closer than this are one atom."""


@dataclass(frozen=True)
class JointKernel:
    """Feature weights and dual variables of the joint problem; leading axes are batch axes, no gradients.

    Attributes
    ----------
    weights : Tensor (*batch, N)
        q in the ball.
    dual : Tensor (*batch, n)
        alpha = (K_q + mu I)^(-1) y, the maximiser at q.
    value : Tensor (*batch,)
        The objective maximised over alpha at q.
    gap : Tensor (*batch,)
        At least value minus the minimum over the ball.
    steps : Tensor (*batch,)
        Int64.
    """

    weights: Tensor
    dual: Tensor
    value: Tensor
    gap: Tensor
    steps: Tensor


@checked
def joint_kernel_ridge(
    features: Annotated[Tensor, Shaped("*batch n m")],
    labels: Vector,
    rho: NonNegativeFloat,
    *,
    ridge: PositiveFloat,
    order: OrderAboveOne = 2.0,
    tolerance: PositiveFloat = 1e-8,
    max_steps: Steps = 1000,
) -> JointKernel:
    """Minimise over the divergence ball what ridge regression with the kernel K_q attains, by Frank-Wolfe.

    min_q max_alpha alpha.y - alpha^T (K_q + mu I) alpha / 2 = min_q y^T (K_q + mu I)^(-1) y / 2 with
    K_q = sum_m q_m phi_m phi_m^T, the inner value being min_theta |y - Phi diag(q)^(1/2) theta|^2 / (2 mu)
    + |theta|^2 / 2.
    The objective is convex in q with derivative -w_m / 2, w_m = (phi_m.alpha)^2. Each step moves towards the exact
    maximiser of w over the ball, or away from the earlier maximiser that is worst now, whichever climbs more, as far as
    is best on the segment. Weak duality at the current alpha gives value - minimum <= (max_{s in ball} s.w - q.w) / 2,
    which is the gap; it vanishes only where alpha and q are each best against the other.

    A reference for small problems: a step solves about fifty n x n systems, and all maximisers are kept. The gap decays
    geometrically where the ball constraint is active with most weights positive, and on the whole simplex; it decays
    more slowly where the ball constraint is active with few weights positive.

    Parameters
    ----------
    features : Tensor (*batch, n, N)
        phi(x_i, w_m).
    labels : Tensor (*batch, n)
        y.
    rho : float
        Radius, >= 0 and finite. For rho = 0 the uniform weights are returned at once.
    ridge : float
        mu > 0.
    order : float
        k > 1 of the divergence.
    tolerance : float
        Stop once the gap is at most this share of the value.
    max_steps : int
        Steps allowed; the gap tells how far they led.

    Returns
    -------
    JointKernel
        y = 0 gives the uniform weights, value 0 and gap 0.

    Raises
    ------
    ValueError
        For a ridge or a tolerance that is not positive, or as `divergence_ball_maximum`.

    References
    ----------
    lkrf eq. (9), with the squared loss in place of the hinge loss: alpha is then free, and its maximisation is a linear
    system.
    """
    if not ridge > 0:
        raise ValueError(f"ridge = {ridge} must be positive: without it the inner problem may be unbounded.")
    if not tolerance > 0:
        raise ValueError(f"tolerance = {tolerance} must be positive: give the accepted share of the value.")
    with torch.no_grad():
        batch = np.broadcast_shapes(features.shape[:-2], labels.shape[:-1])
        problem = _Ridge(features.expand(*batch, *features.shape[-2:]), labels.expand(*batch, labels.shape[-1]), ridge)
        return _away_step_frank_wolfe(problem, rho, order, tolerance=tolerance, max_steps=max_steps)


@dataclass(frozen=True)
class _Ridge:
    features: Tensor
    labels: Tensor
    ridge: float

    def inner_maximum(self, weights: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """alpha, the value, and the scores w."""
        kernel = (self.features * weights.unsqueeze(-2)) @ self.features.mT
        kernel.diagonal(dim1=-2, dim2=-1).add_(self.ridge)
        dual = torch.cholesky_solve(self.labels.unsqueeze(-1), torch.linalg.cholesky(kernel)).squeeze(-1)
        return dual, (dual * self.labels).sum(-1) / 2, (dual.unsqueeze(-2) @ self.features).squeeze(-2).square()

    def best_step(self, weights: Tensor, direction: Tensor, longest: Tensor) -> Tensor:
        """Minimiser of the value over [0, longest] along the direction, (*batch, 1), by bisecting the derivative."""
        low, high = torch.zeros_like(longest), longest
        for _ in range(_LINE_SEARCH_HALVINGS):
            middle = (low + high) / 2
            scores = self.inner_maximum((weights + middle * direction).clamp_min(0))[2]
            falling = (scores * direction).sum(-1, keepdim=True) > 0
            low, high = torch.where(falling, middle, low), torch.where(falling, high, middle)
        return high


def _away_step_frank_wolfe(
    problem: _Ridge, rho: float, order: float, *, tolerance: float, max_steps: int
) -> JointKernel:
    """Weights are mixtures of atoms, the maximisers met so far; atom 0 is uniform."""
    size = problem.features.shape[-1]
    atoms = problem.features.new_full((*problem.features.shape[:-2], 1, size), 1 / size)
    shares = torch.ones_like(atoms[..., 0])
    steps = torch.zeros_like(shares[..., 0], dtype=torch.int64)
    for step in range(max_steps + 1):
        weights = (shares.unsqueeze(-2) @ atoms).squeeze(-2)
        dual, value, scores = problem.inner_maximum(weights)
        best = _ball_maximum(scores, rho, order)
        gap = ((best.dual_value - (weights * scores).sum(-1)) / 2).clamp_min(0)
        running = gap > tolerance * value
        if step == max_steps or not bool(running.any()):
            break
        atoms, shares, index = _with_atom(atoms, shares, best.weights)
        worth = (atoms @ scores.unsqueeze(-1)).squeeze(-1)
        worst = torch.where(shares > 0, worth, torch.inf).argmin(-1, keepdim=True)
        here, share = (weights * scores).sum(-1, keepdim=True), shares.gather(-1, worst)
        away = (here - worth.gather(-1, worst) > worth.gather(-1, index) - here) & (share < 1)
        sign = torch.where(away, -1.0, 1.0)
        longest = torch.where(away, share / torch.where(away, 1 - share, 1.0), 1.0)
        target = torch.where(away, worst, index)
        direction = sign * (_atom(atoms, target) - weights)
        length = problem.best_step(weights, direction, longest)
        length = torch.where(running.unsqueeze(-1), length, 0.0)
        shares = shares * (1 - sign * length)
        shares = shares.scatter_add(-1, target, sign * length)
        shares = torch.where((shares > 0) & ~((length == longest) & away & _is(target, shares)), shares, 0.0)
        shares = shares / shares.sum(-1, keepdim=True)
        steps = steps + running
    return JointKernel(weights, dual, value, gap, steps)


def _with_atom(atoms: Tensor, shares: Tensor, new: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Atoms and shares with a further atom of share 0, and the index of the atom that equals the new one."""
    atoms = torch.cat([atoms, new.unsqueeze(-2)], -2)
    shares = torch.cat([shares, torch.zeros_like(shares[..., :1])], -1)
    same = (atoms - new.unsqueeze(-2)).abs().amax(-1) <= _SAME
    return atoms, shares, same.to(torch.int8).argmax(-1, keepdim=True)


def _atom(atoms: Tensor, index: Tensor) -> Tensor:
    return atoms.gather(-2, index.unsqueeze(-1).expand(*index.shape, atoms.shape[-1])).squeeze(-2)


def _is(index: Tensor, shares: Tensor) -> Tensor:
    return torch.arange(shares.shape[-1], device=shares.device) == index


def _ball_maximum(scores: Tensor, rho: float, order: float) -> DivergenceBallSolution:
    return chi_square_ball_maximum(scores, rho) if order == 2 else divergence_ball_maximum(scores, rho, order=order)
