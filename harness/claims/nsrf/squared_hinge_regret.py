"""The regret of Algorithm 2 with squared hinge losses against any answers of the kernel player."""

import torch
from torch import Tensor

from algos.best_response.oracle import BestResponse
from algos.fourier.sums import fourier_potential
from algos.margin_game.squared_hinge import play_squared_hinge_game
from bounds.margin_game.game import squared_hinge_convergence
from harness import Forall, always, claim, grid
from harness.claims.nsrf.finite_games import pairs
from harness.claims.nsrf.margin import scaled_to_the_hyperplane


@claim(
    "nsrf/l2-svm-regret",
    always(),
    over=grid(n=[2], d=[1], T=[60], C=[0.2]) + grid(n=[4], d=[5], T=[4], C=[0.2]) + grid(n=[2], d=[1], T=[1], C=[2.0]),
    reading="printed",
    cite="nsrf, Appendix C, last sentence of Theorem 4.1, and Section 4.1 after Corollary 4.2",
    quote="If Algorithm 2 is used on a l_2-SVM, the regret bound can be improved to be O(log T/T).",
    sizes="n = 2 and 4, d = 1 and 5, T = 1, 4 and 60, C = .2 and 2; the constant is ours",
    unnoticed="the logarithmic regret is for the worst sequence of functions of its slope: a fortieth of it is reached",
)
def squared_hinge_regret_is_logarithmic(forall: Forall, *, n: int, d: int, T: int, C: float):
    """With squared hinge losses, steps C/t and pairs of mass two the average regret is <= C G^2 (1 + log T)/(2 T).

    For any sample and any frequencies w_t, best answers or not, against any weights a >= 0, y.a = 0. G = sqrt n (2 + 2
    C n) bounds the gradients on |a| <= C sqrt n, to which the play is confined and which holds the best weights; the
    paper has no bounded set and no constant. What a small regret says of the measure is under nsrf/l2-svm.
    """
    points, omega = forall.ball("points", n, d), forall.ball("omega", T, d, radius=20.0)
    labels = forall.signs("labels", n)
    weights = scaled_to_the_hyperplane(forall, labels, n)
    game = play_squared_hinge_game(GivenAnswers(points, omega), labels, C, rounds=T, mass=2)
    steady = weights.sum(-1) - fourier_potential(points, omega, labels * weights).mean(-1)
    steady = steady - weights.square().sum(-1) / (2 * C)
    return steady - game.payoffs().mean(-1), squared_hinge_convergence(2 * C, n, T) / 2


class GivenAnswers:
    """A kernel player that answers in round t with w_t, whatever the weights are."""

    def __init__(self, points: Tensor, frequencies: Tensor) -> None:
        self._frequencies, self._features, self._round = frequencies, pairs(points, frequencies), 0

    def __call__(self, signed: Tensor) -> BestResponse:
        """The answer to signed weights (batch, n)."""
        omega, features = self._frequencies[..., self._round, :], self._features[..., self._round, :, :]
        self._round += 1
        value = (signed.unsqueeze(-2) @ features).square().sum((-2, -1))
        return BestResponse(omega, features, value, torch.full_like(value, torch.inf))
