"""The rounds that the margin games of hinge and of squared hinge losses share, and what is kept of them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from algos.best_response.oracle import BestResponse, KernelPlayer
from algos.margin_game.online import Projection, StepRule


@dataclass(frozen=True)
class MarginGame:
    """What a run of the margin game saw, round by round, and the mean of the weights; the T x n weights are not kept.

    Attributes
    ----------
    indices : Tensor (*batch, T, k)
        The strategies w_t of the min-player.
    values : Tensor (*batch, T)
        Their potentials v_t = v_(a_t)(w_t).
    gaps : Tensor (*batch, T)
        eps_t >= sup v_(a_t) - v_t, as the player certifies them.
    gradient_squares : Tensor (*batch, T)
        Squared norms of the gradients.
    weight_sums : Tensor (*batch, T)
        1.a_t.
    weight_squares : Tensor (*batch, T)
        Squared norms of a_t.
    mean_weights : Tensor (*batch, n)
        (a_1 + ... + a_T) / T.
    last_weights : Tensor (*batch, n)
        a_T.
    labels : Tensor (n,) or (*batch, n)
        As given, in the dtype of everything else.
    box : Tensor or float
        C, as given.
    mass : float
        s, the mass of a pure strategy.
    ridge : float
        rho >= 0 of the payoffs f_t(a) = 1.a - (s/2) v_a(w_t) - (rho/2) |a|^2; 0 for the hinge loss.
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

    Everything is kept in the dtype of the player's features.

    Raises
    ------
    ValueError
        If there are no rounds.

    References
    ----------
    nsrf Algorithm 2.
    """
    if rounds < 1:
        raise ValueError(f"rounds = {rounds} must be at least 1: the outcome is an average over rounds.")
    ridge = rules.ridge
    answer = rules.respond(rules.labels * start)
    dtype = answer.features.dtype
    labels, action = rules.labels.to(dtype), start.to(dtype).expand((*answer.value.shape, start.shape[-1]))
    signed, scaled = labels * action, rules.mass * labels
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
        action = rules.project(action + (size.unsqueeze(-1) if isinstance(size, Tensor) else size) * slope).to(dtype)
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
