"""The max-player's best answer to a kernel: the dual problem of a support vector machine, with a certified bracket."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import torch
from torch import Tensor

from algos._domains import Signs, UnboundedBatch
from algos.margin_game._interior_point import interior_point
from algos.margin_game.projection import BoxHyperplane
from signatures.checked import checked
from signatures.numbers import NonNegativeFloat, PositiveFloat, Size
from signatures.tensors import Shaped


@dataclass(frozen=True)
class MarginMaximum:
    """Feasible weights and two numbers that enclose the maximum of the payoff, up to rounding, however they were found.

    Attributes
    ----------
    weights : Tensor (*batch, n)
        a in K.
    lower : Tensor (*batch,)
        F(a) <= max F. Its gradient in the features is that of the maximum (envelope theorem).
    upper : Tensor (*batch,)
        The primal objective of the machine at w = sum_i y_i a_i psi_i and `bias`, >= max F.
    bias : Tensor (*batch,)
        b of the decision function <w, psi> + b.
    """

    weights: Tensor
    lower: Tensor
    upper: Tensor
    bias: Tensor


@checked
def margin_maximum(
    features: Annotated[Tensor, Shaped("*batch n r")],
    labels: Signs,
    box: UnboundedBatch,
    *,
    ridge: NonNegativeFloat = 0.0,
    tolerance: PositiveFloat = 1e-11,
    iterations: Size = 100,
) -> MarginMaximum:
    """Maximise the payoff of the margin game against a kernel given by features, and certify the maximum.

    F(a) = 1.a - |Psi^T (y a)|^2 / 2 - rho |a|^2 / 2 over K = {0 <= a <= C, y.a = 0}, by interior points. For any a in K
    and any b, F(a) <= max F <= |w|^2/2 + sum_i h(1 - y_i (<w, psi_i> + b)), w = Psi^T (y a), h(z) = max_(0<=c<=C) c z -
    rho c^2/2; without ridge h(z) = C max(0, z), and the best b is between two order statistics of y_i - <w, psi_i>.

    Parameters
    ----------
    features : Tensor (*batch, n, r)
        Psi; the kernel of a measure has `algos.margin_game.measure.measure_features`.
    labels : Tensor (n,) or (*batch, n)
        y in {-1, +1}. With one class only K = {0}, and everything is 0.
    box : float or Tensor
        C >= 0, a number or (*batch,); may be infinite where rho > 0, since then |a| <= sqrt(n) / rho at the maximum.
    ridge : float
        rho >= 0; 1/C' for the squared hinge loss with constant C'.
    tolerance : float
        Of the bracket, relative to the maximum. What was reached is what `lower` and `upper` say; rounding leaves about
        1e-11 for kernels of mass one and C up to 1000, and 1e-8 at C = 10^6.
    iterations : int
        At most so many, each of one Cholesky factorisation of order n; of order r where n > 256 and r < n/2, and begun
        again at order n where that was less accurate, as for large C, up to n = 2048. 10 to 20 are usual.

    Returns
    -------
    MarginMaximum

    Raises
    ------
    ValueError
        If a label is not -1 or +1, C is negative, or infinite without a ridge, or the ridge is negative or infinite.

    References
    ----------
    nsrf Section 3.2 (max over K of F) and Section 4.1, the squared loss.
    """
    if not 0 <= ridge < torch.inf:
        raise ValueError(f"ridge = {ridge} must be finite and at least 0, for a concave payoff: 0 is the hinge loss.")
    n = features.shape[-2]
    limit = torch.as_tensor(box, dtype=features.dtype, device=features.device)
    reach = limit if ridge == 0 else limit.clamp(max=2 * n**0.5 / ridge)
    labels = labels.to(features.dtype)
    batch = np.broadcast_shapes(features.shape[:-2], labels.shape[:-1], limit.shape)
    labels, reach = labels.expand(*batch, n), reach.expand(batch)
    features = features.expand(*batch, *features.shape[-2:])
    with torch.no_grad():
        nearest = BoxHyperplane(labels, reach)
        factor = features * labels.unsqueeze(-1)
        weights, bias = _solve(factor, labels, reach, ridge=ridge, tolerance=tolerance, iterations=iterations)
        weights = nearest(weights)
    normal = (features.mT @ (labels * weights).unsqueeze(-1)).squeeze(-1)
    scores = (features @ normal.unsqueeze(-1)).squeeze(-1)
    squared = normal.square().sum(-1)
    lower = weights.sum(-1) - 0.5 * squared - 0.5 * ridge * weights.square().sum(-1)
    with torch.no_grad():
        if ridge == 0:
            bias = _best_bias(labels - scores, labels)
        margins = labels * (scores + bias.unsqueeze(-1))
        upper = _primal_objective(squared, margins, limit.unsqueeze(-1), ridge)
    return MarginMaximum(weights, lower, torch.maximum(upper, lower), bias)


def _solve(
    factor: Tensor, labels: Tensor, box: Tensor, *, ridge: float, tolerance: float, iterations: int
) -> tuple[Tensor, Tensor]:
    """Interior points where K has an interior; weights 0 where it is {0}, with a bias beyond every score of 0."""
    mean = labels.mean(-1)
    inside = (mean.abs() < 1) & (box > 0)
    weights, bias = torch.zeros_like(labels), mean.sign()
    if bool(inside.any()):
        found = interior_point(
            factor[inside], labels[inside], box[inside].unsqueeze(-1), ridge, tolerance=tolerance, iterations=iterations
        )
        weights[inside], bias[inside] = found[0], found[1].squeeze(-1)
    return weights, bias


def _primal_objective(squared: Tensor, margins: Tensor, box: Tensor, ridge: float) -> Tensor:
    """|w|^2/2 + sum_i h(1 - margin_i); of separable data also at w / min margin, whose losses are 0 for any C."""
    missing = (1 - margins).clamp(min=0)
    if ridge > 0:
        cost = torch.minimum(missing / ridge, box)
        return 0.5 * squared + (cost * missing - 0.5 * ridge * cost.square()).sum(-1)
    soft = 0.5 * squared + (box * missing).sum(-1)
    least = margins.amin(-1)
    separated = least > 0
    hard = 0.5 * squared / torch.where(separated, least, 1.0).square()
    return torch.where(separated, torch.minimum(soft, hard), soft)


def _best_bias(targets: Tensor, labels: Tensor) -> Tensor:
    """A minimiser b of sum_(y=1) max(0, p_i - b) + sum_(y=-1) max(0, b - p_i).

    The slope is n_+ below zero left of all p_i and rises by one at each, so b lies between the n_+-th and the next.
    """
    ordered = targets.sort(-1).values
    count = (labels > 0).sum(-1, keepdim=True)
    ends = torch.cat([count - 1, count], -1).clamp(0, targets.shape[-1] - 1)
    return ordered.gather(-1, ends).mean(-1)
