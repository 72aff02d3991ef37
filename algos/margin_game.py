"""The margin game between the weights of a support vector machine and the spectrum of its kernel.

The max-player picks a in K = {0 <= a <= C, y.a = 0}, the min-player a probability measure lambda over pure strategies;
the payoff is F(a, lambda) = 1.a - (1/2) int v_a dlambda, the dual objective of the machine with the kernel of lambda.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from algos.best_response import BestResponse, KernelPlayer
from algos.fourier import fourier_potential, fourier_sums
from algos.online import Projection, StepRule
from algos.projection import BoxHyperplane


def margin_payoff(weights: Tensor, labels: Tensor, points: Tensor, frequencies: Tensor, *, mass: float) -> Tensor:
    """Payoff of weights against a symmetric pair of frequencies of a given total mass.

    F(a, (s/2)(delta_w + delta_-w)) = sum_i a_i - (s/2) |sum_i y_i a_i exp(i w.x_i)|^2.

    Parameters
    ----------
    weights : (*batch, n), a.
    labels : (n,) or (*batch, n), y in {-1, +1}.
    points : (*batch, n, d), x.
    frequencies : (*batch, m, d), w.
    mass : s; 1 for a strategy of the game, 2 for the pair that the printed algorithm plays.

    Returns
    -------
    (*batch, m).

    Source: nsrf Section 3.2.
    """
    return weights.sum(-1, keepdim=True) - 0.5 * mass * fourier_potential(points, frequencies, weights * labels)


def margin_payoff_gradient(
    weights: Tensor, labels: Tensor, points: Tensor, frequencies: Tensor, *, mass: float
) -> Tensor:
    """Gradient of `margin_payoff` in the weights: 1 - s Y Re(conj(S) Phi(w)), S = sum_i y_i a_i exp(i w.x_i).

    Parameters
    ----------
    weights, labels, points, frequencies, mass : as in `margin_payoff`.

    Returns
    -------
    (*batch, m, n).

    Source: nsrf Algorithm 2, whose factor 2 is the mass s = 2.
    """
    cosine, sine = fourier_sums(points, frequencies, (weights * labels).unsqueeze(-2))
    phases = frequencies @ points.mT
    response = cosine.mT * torch.cos(phases) + sine.mT * torch.sin(phases)
    return 1.0 - mass * labels.unsqueeze(-2) * response


@dataclass(frozen=True)
class MarginGame:
    """What a run of the margin game saw, round by round, and the mean of the weights; the T x n weights are not kept.

    Attributes
    ----------
    indices : (*batch, T, k), the strategies w_t of the min-player.
    values : (*batch, T), their potentials v_t = v_(a_t)(w_t).
    gaps : (*batch, T), eps_t >= sup v_(a_t) - v_t, as the player certifies them.
    gradient_squares : (*batch, T), squared norms of the gradients.
    weight_sums : (*batch, T), 1.a_t.
    weight_squares : (*batch, T), squared norms of a_t.
    mean_weights : (*batch, n), (a_1 + ... + a_T) / T.
    last_weights : (*batch, n), a_T.
    labels : (n,) or (*batch, n), as given.
    box : C, as given.
    mass : s, the mass of a pure strategy.
    ridge : rho >= 0 of the payoffs f_t(a) = 1.a - (s/2) v_a(w_t) - (rho/2) |a|^2; 0 for the hinge loss.
    """

    indices: Tensor
    values: Tensor
    gaps: Tensor
    gradient_squares: Tensor
    weight_sums: Tensor
    weight_squares: Tensor
    mean_weights: Tensor
    last_weights: Tensor
    labels: Tensor
    box: Tensor | float
    mass: float
    ridge: float = 0.0

    def __getitem__(self, entry: int | tuple[int, ...]) -> "MarginGame":
        """One run of a batch."""
        shape = self.values.shape[:-1]
        box = torch.as_tensor(self.box, device=self.values.device).expand(shape)[entry]
        labels = self.labels.expand(self.mean_weights.shape)[entry]
        runs = {name: getattr(self, name)[entry] for name in (*_ROUNDS, "mean_weights", "last_weights")}
        return replace(self, labels=labels, box=box, **runs)

    def payoffs(self) -> Tensor:
        """f_t(a_t), (*batch, T)."""
        return self.weight_sums - 0.5 * self.mass * self.values - 0.5 * self.ridge * self.weight_squares


_ROUNDS = ("indices", "values", "gaps", "gradient_squares", "weight_sums", "weight_squares")


def play_margin_game(
    respond: KernelPlayer,
    labels: Tensor,
    box: Tensor | float,
    *,
    rounds: int,
    step: StepRule,
    mass: float = 1.0,
    project: Projection | None = None,
    start: Tensor | None = None,
    progress: Callable[[int], None] | None = None,
) -> MarginGame:
    """Play online gradient ascent over the weights against best responses of the kernel player.

    a_(t+1) = project(a_t + eta_t g_t),  g_t = 1 - s y Psi_t Psi_t^T (y a_t), Psi_t the features of the answer to a_t.

    Parameters
    ----------
    respond : the min-player; it gets the signed weights y a (*batch, n).
    labels : (n,) or (*batch, n), y in {-1, +1}.
    box : C >= 0, a number or (*batch,).
    rounds : T >= 1.
    step : eta_t, see `algos.online`.
    mass : s; 1 plays the game whose value the theorem bounds. 2 is what is printed; it is the game in the box 2C.
    project : onto K; exact by default. `algos.projection.alternating_projection` is the printed one.
    start : (*batch, n), a_1 in K; by default the projection of C/2 for every point.
    progress : called with t after each round.

    Returns
    -------
    MarginGame, without gradients. Batch axes are those of the inputs and of the player's answers.

    Raises
    ------
    ValueError : if there are no rounds, a label is not -1 or +1, or C is negative or not finite.

    Source: nsrf Algorithm 2.
    """
    if not labels.is_floating_point():
        labels = labels.to(torch.get_default_dtype())
    nearest = BoxHyperplane(labels, box)
    if start is None:
        half = 0.5 * torch.as_tensor(box, dtype=labels.dtype, device=labels.device).unsqueeze(-1)
        start = nearest(half * torch.ones_like(labels))
    rules = GameRules(respond, labels, project or nearest, step, mass=mass, progress=progress)
    return replace(play_rounds(rules, start, rounds), box=box)


@dataclass(frozen=True)
class GameRules:
    """What stays the same from round to round: the players, the set, the steps, and the payoffs' constants."""

    respond: KernelPlayer
    labels: Tensor
    project: Projection
    step: StepRule
    mass: float = 1.0
    ridge: float = 0.0
    progress: Callable[[int], None] | None = None


@torch.no_grad()
def play_rounds(rules: GameRules, start: Tensor, rounds: int) -> MarginGame:
    """Play the rounds from a feasible start; `play_margin_game` and the game of squared hinge losses both end here.

    Raises
    ------
    ValueError : if there are no rounds.

    Source: nsrf Algorithm 2.
    """
    if rounds < 1:
        raise ValueError(f"rounds = {rounds} must be at least 1: the outcome is an average over rounds.")
    labels, ridge = rules.labels, rules.ridge
    scaled = rules.mass * labels
    action = start
    signed = labels * action
    answer = rules.respond(signed)
    action = action.expand((*answer.value.shape, action.shape[-1]))
    kept = _Rounds()
    squared, total = action.new_zeros(action.shape[:-1]), torch.zeros_like(action)
    for t in range(1, rounds + 1):
        if t > 1:
            signed = labels * action
            answer = rules.respond(signed)
        slope = 1.0 - scaled * _kernel_product(answer.features, signed)
        if ridge:
            slope = slope - ridge * action
        norm = slope.square().sum(-1)
        squared = squared + norm
        total += action
        kept.add(answer, action, norm)
        last = action
        size = rules.step(t, squared)
        action = rules.project(action + (size.unsqueeze(-1) if isinstance(size, Tensor) else size) * slope)
        if rules.progress is not None:
            rules.progress(t)
    return MarginGame(
        **kept.histories(),
        mean_weights=total / rounds,
        last_weights=last,
        labels=labels,
        box=torch.inf,
        mass=rules.mass,
        ridge=ridge,
    )


def _kernel_product(features: Tensor, signed: Tensor) -> Tensor:
    """Psi Psi^T u, through the few columns of Psi."""
    if features.ndim == 2 and signed.ndim == 1:
        return features @ (signed @ features)
    return (features @ (features.mT @ signed.unsqueeze(-1))).squeeze(-1)


class _Rounds:
    """Histories, one small tensor per round and quantity; what the player gave may be a view of much more: copied."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Tensor]] = {name: [] for name in _ROUNDS}

    def add(self, answer: BestResponse, action: Tensor, norm: Tensor) -> None:
        rows = self._rows
        rows["indices"].append(answer.index.clone())
        rows["values"].append(answer.value.clone())
        rows["gaps"].append(answer.gap.clone())
        rows["gradient_squares"].append(norm)
        rows["weight_sums"].append(action.sum(-1))
        rows["weight_squares"].append(action.square().sum(-1))

    def histories(self) -> dict[str, Tensor]:
        """(*batch, T) each, indices (*batch, T, k)."""
        return {name: torch.stack(rows, -2 if name == "indices" else -1) for name, rows in self._rows.items()}
