"""The value of the margin game: lower bounds from weights, and both sides on a finite set of strategies."""

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import torch
from scipy.optimize import linprog
from torch import Tensor

from algos._domains import NonNegativeBatch, UnboundedBatch
from algos.margin_game.maximum import margin_maximum
from algos.margin_game.measure import measure_features
from algos.margin_game.projection import project_box_hyperplane
from signatures.checked import checked
from signatures.numbers import PositiveFloat, Size
from signatures.tensors import Shaped

STALLED = 40  # rounds without a better end, after which the linear programmes have no digits left


@checked
def margin_lower_bound(weight_sum: NonNegativeBatch, peak: UnboundedBatch) -> Tensor:
    """Lower bound of the game's value from feasible weights: their guaranteed payoff, after the best shrinking.

    max_(0<=s<=1) s A - s^2 V / 2 = A^2 / (2 V) if A <= V, else A - V / 2, where A = 1.a, V >= sup_w v_a(w): s a is
    feasible with a, and no measure of mass one makes its payoff smaller than s A - s^2 V / 2.

    Parameters
    ----------
    weight_sum : float or Tensor
        A >= 0, a number or (*batch,).
    peak : float or Tensor
        V >= 0, a number or (*batch,): the potential's supremum or an upper bound of it; infinity gives 0.

    Returns
    -------
    Tensor (*batch,)
        Float64 for numbers; non-negative.

    References
    ----------
    nsrf Theorem 4.1 (the value F*); the bound is ours.
    """
    total = weight_sum if isinstance(weight_sum, Tensor) else torch.tensor(weight_sum, dtype=torch.float64)
    top = torch.as_tensor(peak, dtype=total.dtype, device=total.device)
    shrink = total <= top
    divisor = torch.where(shrink & (top > 0), top, 1.0)
    return torch.where(shrink, total * (total / divisor) / 2, total - top / 2)


@dataclass(frozen=True)
class MarginValue:
    """Nearly optimal strategies of both players on a finite set, and what they certify.

    Attributes
    ----------
    lower : float
        Smallest payoff of `weights`, shrunk as in `margin_lower_bound`; at most the value of the game.
    upper : float
        Largest payoff against `measure`; at least the value.
    measure : Tensor (m,)
        Masses of the strategies, of sum 1.
    weights : Tensor (n,)
        a in K.
    """

    lower: float
    upper: float
    measure: Tensor
    weights: Tensor


@checked
def margin_value(
    strategies: Annotated[Tensor, Shaped("m n r")],
    labels: Annotated[Tensor, Shaped("n", "[-1, 1]", kind="codes")],
    box: NonNegativeBatch,
    *,
    tolerance: PositiveFloat = 1e-8,
    rounds: Size = 500,
) -> MarginValue:
    """Value of the margin game in which the min-player mixes finitely many strategies, by cutting planes.

    F* = min_lambda max_K 1.a - (1/2) sum_j lambda_j |Psi_j^T (y a)|^2. Each round solves the linear programme over the
    weights seen so far, min theta with theta >= F(a_k, lambda), and adds a maximiser of F(., lambda). Neither side
    trusts it: `upper` is certified by `algos.margin_game.maximum`, `lower` by all potentials of the mixture of the a_k.
    Strategies of a larger game only: `upper` bounds its value too, while `lower` does not.

    Parameters
    ----------
    strategies : Tensor (m, n, r)
        Features Psi_j of mass one, as a player's ``features`` give them; computed in float64.
    labels : Tensor (n,)
        y in {-1, +1}.
    box : float or Tensor ()
        C >= 0.
    tolerance : float
        Of upper - lower, relative to `upper`; the last digits are those of the linear programmes, about 1e-9.
    rounds : int
        At most so many, at least 1; 10 to 60 are usual for n <= 10. Fewer where neither end has moved for 40.

    Returns
    -------
    MarginValue
        What was reached is what `lower` and `upper` say. Programmes are solved on the CPU by HiGHS.

    Raises
    ------
    ValueError
        If there is no strategy or no round, a label is not -1 or +1, or C is negative or not finite.

    References
    ----------
    nsrf Section 3.2, the equilibrium of the game; the method is semi-infinite linear programming, ours here.
    """
    if strategies.ndim != 3 or strategies.shape[0] < 1:
        raise ValueError(
            f"strategies have shape {tuple(strategies.shape)}, but must be (m, n, r) with m >= 1: stack them."
        )
    if isinstance(box, Tensor) and box.ndim:
        raise ValueError(f"box has shape {tuple(box.shape)}, but there is one game: pass a number.")
    if rounds < 1:
        raise ValueError(f"rounds = {rounds} must be at least 1: without one there is no upper bound.")
    with torch.no_grad():
        strategies, labels = strategies.double(), labels.double()
        half = torch.full_like(labels, float(box) / 2)
        weights = project_box_hyperplane(half, labels, box)
        best = MarginValue(0.0, float("inf"), torch.zeros_like(strategies[:, 0, 0]), weights)
        cuts, payoffs = [weights], [_payoffs(strategies, labels, weights)]
        reached, stalled = (best.lower, best.upper), 0
        for _ in range(rounds):
            masses, shares = _mixtures(payoffs)
            found = margin_maximum(_support(strategies, masses), labels, box)
            mixture = project_box_hyperplane(shares.to(half) @ torch.stack(cuts), labels, box)
            lower, shrunk = _guaranteed(strategies, labels, mixture)
            best = _better(best, MarginValue(lower, found.upper.item(), masses.to(half), shrunk))
            stalled = 0 if (best.lower, best.upper) != reached else stalled + 1
            reached = best.lower, best.upper
            if best.upper - best.lower <= tolerance * best.upper or stalled == STALLED:
                break
            cuts.append(found.weights)
            payoffs.append(_payoffs(strategies, labels, found.weights))
    return best


def _payoffs(strategies: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    """F(a, j) for every strategy, (m,)."""
    potentials = (strategies.mT @ (labels * weights)).square().sum(-1)
    return weights.sum() - 0.5 * potentials


def _guaranteed(strategies: Tensor, labels: Tensor, weights: Tensor) -> tuple[float, Tensor]:
    """What the weights guarantee after the best shrinking, and the shrunk weights."""
    total = weights.sum()
    peak = 2 * (total - _payoffs(strategies, labels, weights).min())
    shrink = torch.where(peak > total, total / peak, 1.0)
    return margin_lower_bound(total, peak).item(), weights * shrink


def _support(strategies: Tensor, masses: Tensor) -> Tensor:
    """Features (n, m' r) of the mixture, from the strategies that it uses."""
    used = masses > 0
    return measure_features(strategies[used], masses[used].to(strategies))


def _mixtures(payoffs: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Optimal masses of the strategies (m,) and of the cuts (k,) in the matrix game of the cuts so far."""
    table = torch.stack(payoffs).double().cpu().numpy()
    if not np.isfinite(table).all():
        raise ValueError(
            "payoffs of these strategies in this box leave float64: scale the strategies, or lower the box."
        )
    cuts, count = table.shape
    scale = max(float(np.abs(table).max()), 1e-300)
    constraints = np.hstack([table / scale, -np.ones((cuts, 1))])
    result = linprog(
        np.append(np.zeros(count), 1.0),
        A_ub=constraints,
        b_ub=np.zeros(cuts),
        A_eq=np.append(np.ones(count), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if result.status != 0:
        raise RuntimeError(
            f"the linear programme of {cuts} cuts ended with '{result.message}': give a larger tolerance."
        )
    masses, shares = np.maximum(result.x[:-1], 0), np.maximum(-result.ineqlin.marginals, 0)
    return torch.from_numpy(masses / masses.sum()), torch.from_numpy(shares / shares.sum())


def _better(best: MarginValue, new: MarginValue) -> MarginValue:
    """The better of both sides."""
    if new.upper < best.upper:
        best = replace(best, upper=new.upper, measure=new.measure)
    if new.lower > best.lower:
        best = replace(best, lower=new.lower, weights=new.weights)
    return best
