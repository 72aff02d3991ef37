"""Appendix C on the radius: a large rho gives sparse weights, a small one dense weights, more features more of them."""

import torch
from torch import Tensor

from algos.divergence_ball.exact import chi_square_ball_maximum, divergence_ball_maximum
from harness import Forall, always, claim, grid

NOTHING = 1e-9
"""Weights below this share of 1/N count as zero."""


@claim(
    "lkrf/app-C-rho",
    always(),
    over=grid(N=[6], rho=[0.5], larger=[0.6]) + grid(N=[40], rho=[3.0], larger=[30.0]),
    cite="lkrf, Appendix C: large rho yields sparse q, small rho dense q",
    sizes="N = 6 and 40; rho from .5 to 30",
    restricts="k = 2, as in the experiments; how well the models fit and how long they train is not judged",
)
def larger_radii_give_sparser_weights(forall: Forall, *, N: int, rho: float, larger: float):
    """The best weights of the ball of a larger rho have no more entries that are not zero, whatever v is."""
    v = forall.interval("v", 0.0, 1.0, N)
    return support_size(v, larger), support_size(v, rho)


_ORDERS = grid(k=[2.0, 2.5, 3.0, 5.0], N=[3, 12, 48])
_RADII = 7
_ANY_ORDER = "k = 2, 2.5, 3 and 5, N = 3, 12 and 48; seven radii from one that leaves no weight out to a single weight"


@claim(
    "lkrf/app-C-rho-any-order",
    always(),
    over=_ORDERS,
    cite="lkrf, Appendix C: large rho yields sparse q, small rho dense q, for f(t) = t^k - 1",
    sizes=_ANY_ORDER,
)
def sparser_from_radius_to_radius(forall: Forall, *, k: float, N: int):
    """From rho to a larger rho the best weights gain no entry that is not zero, whatever v and k >= 2 are."""
    counts = support_sizes(forall.interval("v", 0.0, 1.0, N), k)
    return (counts[:, 1:] / counts[:, :-1]).amax(-1), 1.0


@claim(
    "lkrf/app-C-rho-ends",
    always(),
    over=_ORDERS,
    cite="lkrf, Appendix C: very large rho yields extremely sparse q, very small rho dense q, for f(t) = t^k - 1",
    sizes=_ANY_ORDER,
)
def dense_for_small_and_single_for_large_radii(forall: Forall, *, k: float, N: int):
    """N (1 + rho)^(-1/(k-1)) <= nnz(q) for all rho, and only the largest v have weight from rho = N^(k-1) - 1 on.

    Below rho = (N / (N - 1))^(k-1) - 1 no weight is zero: Jensen's inequality, as q with R entries has a divergence of
    at least (N / R)^(k-1) - 1.
    """
    v = forall.interval("v", 0.0, 1.0, N)
    counts = support_sizes(v, k)
    floor = torch.stack([N * (1 + rho) ** (-1 / (k - 1)) / counts[:, j] for j, rho in enumerate(radii(k, N))], -1)
    largest = (v >= v.amax(-1, keepdim=True)).sum(-1).to(v.dtype)
    return torch.maximum(floor.amax(-1), counts[:, -1] / largest), 1.0


@claim(
    "lkrf/app-C-nnz",
    always(),
    over=grid(N=[2], copies=[3], rho=[0.5]) + grid(N=[5], copies=[8], rho=[2.0]),
    cite="lkrf, Appendix C: large nnz(q) can be achieved by increasing N_w or decreasing rho",
    sizes="N = 2 and 5; three and eight times as many features; rho = .5 and 2",
    restricts="k = 2, and features of the same distribution as before; support vectors are not judged",
)
def more_features_give_more_weights(forall: Forall, *, N: int, copies: int, rho: float):
    """With every feature taken m times the best weights have m times as many entries that are not zero."""
    v = forall.interval("v", 0.0, 1.0, N)
    return copies * support_size(v, rho), support_size(v.repeat(1, copies), rho)


def support_size(v: Tensor, rho: float) -> Tensor:
    """nnz of the best weights in the chi-square ball."""
    weights = chi_square_ball_maximum(v, rho).weights
    return (weights * v.shape[-1] > NOTHING).sum(-1).to(v.dtype)


def radii(k: float, N: int) -> list[float]:
    """Evenly spaced in log(1 + rho) from half that of (N / (N - 1))^(k-1) - 1 to that of 2 N^(k-1) - 1."""
    low, high = (N / (N - 1)) ** ((k - 1) / 2), 2 * float(N) ** (k - 1)
    return [low * (high / low) ** (j / (_RADII - 1)) - 1 for j in range(_RADII)]


def support_sizes(v: Tensor, k: float) -> Tensor:
    """nnz of the best weights at every one of the radii, `(batch, radii)`."""
    N = v.shape[-1]
    found = [divergence_ball_maximum(v, rho, order=k).weights for rho in radii(k, N)]
    return torch.stack([(weights * N > NOTHING).sum(-1) for weights in found], -1).to(v.dtype)
