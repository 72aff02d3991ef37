"""Weights that a few frequencies do not see: a lower bound of what the kernels on these frequencies leave to a machine.

If S_a(w_t) = sum_i y_i a_i exp(i w_t x_i) = 0 at every frequency of a measure, then its payoff at a in K is F(a, .) =
1.a. A point with k copies in the box C is one point with the box c = k C, whose weight is the sum of theirs.
"""

import numpy as np
import torch
from scipy.optimize import linprog
from torch import Tensor

from algos.margin_game.projection import project_box_hyperplane
from harness.claims.placement import table


def rudin_shapiro(count: int) -> Tensor:
    """(-1)^(number of pairs 11 in the binary digits of i), i < count: |sum_i s_i exp(i w i)|^2 <= 2 count for 2^k."""
    return torch.tensor([(-1.0) ** (i & (i >> 1)).bit_count() for i in range(count)], dtype=torch.float64)


def unseen_by(phases: Tensor, labels: Tensor, capacity: float, *, iterations: int = 25) -> Tensor:
    """Feasible weights next to c 1 that are hardly seen at any frequency: S = 0 where the iteration has converged.

    The projection of c 1 onto {0 <= b <= c, y.b = 0, S = 0} is clip(c - A^T z, 0, c), A the 2 T + 1 rows of the
    conditions; z by Newton's method. The result is projected onto K, hence feasible whatever the iteration did.

    phases (*batch, T, P), w_t x_i; labels (P,) or (*batch, P) -> (*batch, P).
    """
    rows = torch.cat([torch.ones_like(phases[..., :1, :]), phases.cos(), phases.sin()], -2) * labels.unsqueeze(-2)
    damping = 1e-10 * rows.shape[-1] * table(torch.eye(rows.shape[-2]), like=rows)
    free = torch.ones_like(rows[..., 0, :])
    weights, price = capacity * free, rows.new_zeros(rows.shape[:-1])
    for _ in range(iterations):
        residual = (rows @ weights.unsqueeze(-1)).squeeze(-1)
        curvature = (rows * free.unsqueeze(-2)) @ rows.mT + damping
        price = price + torch.linalg.solve(curvature, residual)
        unclipped = capacity - (price.unsqueeze(-2) @ rows).squeeze(-2)
        weights = unclipped.clamp(0, capacity)
        free = ((unclipped > 0) & (unclipped < capacity)).to(rows.dtype)
    return project_box_hyperplane(weights, labels, capacity)


def heaviest_unseen_by(phases: Tensor, labels: Tensor, capacity: float) -> Tensor:
    """Weights (P,) of the largest sum among those that no frequency sees, by linear programming; phases (T, P).

    Projected onto K, so the solver's tolerance may leave a little potential but not infeasibility.
    """
    rows = torch.cat([torch.ones_like(phases[:1]), phases.cos(), phases.sin()]) * labels
    found = linprog(-np.ones(len(labels)), A_eq=rows.numpy(), b_eq=np.zeros(len(rows)), bounds=(0, capacity))
    return project_box_hyperplane(torch.from_numpy(found.x), labels, capacity)
