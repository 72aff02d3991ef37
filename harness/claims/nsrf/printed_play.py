"""Algorithm 2 as printed, round by round, for frequencies and for spherical harmonics of any dimension."""

import torch
from torch import Tensor

from algos.best_response.oracle import BestResponse
from algos.margin_game.game import play_margin_game
from algos.margin_game.projection import project_box_hyperplane
from harness import Forall, claim, grid, identity
from harness.claims.nsrf.explicit_harmonics import explicit_harmonics
from harness.claims.nsrf.kernels import Family


@claim(
    "nsrf/alg-2-steps",
    identity(),
    over=grid(family=["translation"], n=[1], d=[5], J=[0], T=[1])
    + grid(family=["translation"], n=[5], d=[2], J=[0], T=[4])
    + grid(family=["rotation"], n=[2], d=[2], J=[3], T=[2])
    + grid(family=["rotation"], n=[4], d=[3], J=[2], T=[5])
    + grid(family=["rotation"], n=[3], d=[5], J=[1], T=[3]),
    cite="nsrf, Algorithm 2, lines 4 to 10",
    sizes="n = 1 to 5, T = 1 to 5; any frequencies for d = 2 and 5, all harmonics up to degrees 1 to 3 for d = 2, 3"
    " and 5; boxes up to 2",
)
def play_step_by_step(forall: Forall, *, family: Family, n: int, d: int, J: int, T: int):
    """Our play is Algorithm 2 as printed: a_1 = Proj_K(C/2), then a <- Proj_K[a + eta_t g_t] with its gradient g_t.

    g_t = 1 - 2 Y Re(<Phi, Y a> conj Phi). For any sample, any steps eta_t and any answers w_t, best ones or not.
    Compared are a_T and the mean of a_1, ..., a_T along any direction. The projection is the nearest point of K; how
    the paper computes it is under nsrf/alg-3-steps, and what the factor 2 means under nsrf/alg-2-box.
    """
    labels, box = forall.signs("labels", n), forall.interval("C", 0.1, 2.0)
    steps, direction = forall.interval("eta", 0.0, 1.0, T), forall.sphere("direction", n)
    waves = _answers(forall, family, n=n, d=d, J=J, T=T)
    game = play_margin_game(AnswersInTurn(waves), labels, box, rounds=T, step=lambda t, _: steps[..., t - 1], mass=2)
    weights = project_box_hyperplane((box / 2).unsqueeze(-1).expand_as(labels), labels, box)
    total = torch.zeros_like(weights)
    for t in range(T):
        total, last, phi = total + weights, weights, waves[..., t]
        inner = (phi * labels * weights).sum(-1, keepdim=True)
        slope = 1 - 2 * labels * (inner * phi.conj()).real
        weights = project_box_hyperplane(weights + steps[..., t : t + 1] * slope, labels, box)
    ours, printed = game.last_weights + game.mean_weights, last + total / T
    return (ours * direction).sum(-1), (printed * direction).sum(-1)


def _answers(forall: Forall, family: Family, *, n: int, d: int, J: int, T: int) -> Tensor:
    """phi_x(w_t) at the points of the sample, complex, (batch, n, T)."""
    if family == "translation":
        return torch.exp(1j * (forall.ball("points", n, d) @ forall.ball("omega", T, d, radius=20.0).mT))
    points = forall.sphere("points", n, d)
    waves = torch.cat([explicit_harmonics(points, degree) for degree in range(J + 1)], -1)
    found = forall.integers("(l, m)", 0, waves.shape[-1] - 1, T).to(torch.int64)
    return waves.gather(-1, found.unsqueeze(-2).expand(-1, n, -1))


class AnswersInTurn:
    """A kernel player that answers in round t with the features (Re phi, Im phi) of w_t, whatever the weights are."""

    def __init__(self, waves: Tensor) -> None:
        self._waves, self._round = waves, 0

    def __call__(self, signed: Tensor) -> BestResponse:
        """The answer to signed weights (batch, n)."""
        features = torch.view_as_real(self._waves[..., self._round])
        self._round += 1
        value = (features.mT @ signed.unsqueeze(-1)).square().sum((-2, -1))
        return BestResponse(torch.zeros_like(value).unsqueeze(-1), features, value, torch.full_like(value, torch.inf))
