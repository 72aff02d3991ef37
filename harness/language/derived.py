"""Sets made of simpler ones: matrices, functions, permutations, trees of moves.

Each is a map of ordinary inputs onto the set, so that the search, the reducer, replay and gradients need nothing new:
`symmetric` mirrors a triangle, `orthogonal` takes the Q of a matrix, `lipschitz` the least envelope of free values.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.errors import ClaimError


class Derived:
    """The methods of `forall` and `within` that are made of its other ones."""

    interval: Callable[..., Tensor]
    _triangle: Callable[..., Tensor]

    def __init__(self) -> None:
        self.masks: list[Tensor] = []
        self.made: dict[str, Tensor] = {}  # by name, what was made of ordinary inputs: counterexamples show it

    def assume(self, condition: Tensor) -> None:
        """Judge only the instances where this holds: `(batch,)` booleans; say how the inputs are tied together."""
        if isinstance(condition, bool | np.bool_ | np.ndarray):
            condition = torch.as_tensor(condition)
        if not hasattr(condition, "ndim"):
            raise ClaimError(f"assume() takes a boolean for each instance, `(batch,)`, got {condition!r}.")
        if condition.dtype is not torch.bool or condition.ndim > 1:
            raise ClaimError(
                f"assume() takes a boolean for each instance, `(batch,)`, got {condition.dtype} of shape "
                f"{tuple(condition.shape)}; reduce the other axes: (x <= y).all(-1)."
            )
        self.masks.append(condition)

    def real(self, name: str, *shape: int) -> Tensor:
        """Real numbers, most of size one, none beyond 5e5: t / (1 - t^2) for t in (-1, 1); give larger ones a scale."""
        t = self.interval(name, -1.0 + 1e-6, 1.0 - 1e-6, *shape)
        return self._made(name, t / (1.0 - t**2))

    def symmetric(self, name: str, n: int, *, radius: float = 1.0) -> Tensor:
        """Symmetric n x n matrices with entries in [-radius, radius]."""
        entries = self._triangle(name, n, radius)
        place = torch.zeros(n, n, dtype=torch.long)
        rows, columns = torch.tril_indices(n, n)
        place[rows, columns] = place[columns, rows] = torch.arange(len(rows))
        return self._made(name, entries[..., place.to(entries.device)])

    def orthogonal(self, name: str, n: int) -> Tensor:
        """Orthogonal n x n matrices: the factor Q, with positive diagonal of R, of a matrix with entries in [-1, 1]."""
        q, r = torch.linalg.qr(self.interval(name, -1.0, 1.0, n, n))
        signs = torch.where(r.diagonal(dim1=-2, dim2=-1) < 0.0, -1.0, 1.0)
        return self._made(name, q * signs.unsqueeze(-2))

    def spectrum(self, name: str, eigenvalues: Tensor | Sequence[float]) -> Tensor:
        """Symmetric matrices with the given eigenvalues, `(n,)` or `(batch, n)`, in any position."""
        values = torch.as_tensor(eigenvalues, dtype=torch.float64)
        turn = self.orthogonal(name, values.shape[-1])
        return self._made(name, (turn * values.to(turn.device).unsqueeze(-2)) @ turn.mT)

    def permutation(self, name: str, n: int) -> Tensor:
        """Permutations of 0 ... n - 1 as indices, `(batch, n)`: the order of n numbers."""
        return self._made(name, self.interval(name, 0.0, 1.0, n).argsort(-1))

    def lipschitz(self, name: str, points: Tensor, *, constant: float = 1.0, radius: float = 1.0) -> Tensor:
        """Values at the points `(..., k, d)` or `(..., k)` of any function with this Lipschitz constant.

        f(x_i) = min_j v_j + constant |x_i - x_j| for free values v in [-radius, radius], McShane's extension of them;
        every such function on the points with values in that interval is among them.
        """
        table = points if points.ndim > 2 else points.unsqueeze(-1)
        steps = table.unsqueeze(-2) - table.unsqueeze(-3)
        apart: Tensor = torch.linalg.vector_norm(steps, dim=-1)  # which, unlike a root, has a gradient at zero
        free = self.interval(name, -radius, radius, table.shape[-2])
        return self._made(name, (free.unsqueeze(-2) + constant * apart).amin(-1))

    def convex(self, name: str, pieces: int, dimension: int, *, radius: float = 1.0) -> "Convex":
        """The largest of several affine functions: any convex function, as far as that many pieces go."""
        slopes = self.interval(f"{name} slopes", -radius, radius, pieces, dimension)
        return Convex(slopes, self.interval(f"{name} heights", -radius, radius, pieces))

    def graph(self, name: str, n: int) -> Tensor:
        """Adjacency matrices of graphs on n vertices without loops, `(batch, n, n)` of 0 and 1."""
        if n == 1:
            return torch.zeros((1, 1, 1), dtype=torch.float64)
        present = (self.interval(name, 0.0, 1.0, n * (n - 1) // 2) > 0.5).to(torch.float64)
        place = torch.zeros(n, n, dtype=torch.long)
        rows, columns = torch.tril_indices(n, n, -1)
        place[rows, columns] = place[columns, rows] = torch.arange(len(rows))
        return self._made(name, present[..., place.to(present.device)] * (1.0 - torch.eye(n, device=present.device)))

    def strategy(self, name: str, depth: int, branching: int, *, low: float = 0.0, high: float = 1.0) -> "Strategy":
        """An adversary who responds to the history: a number in [low, high] for every history of moves."""
        nodes = sum(branching**level for level in range(depth))
        if nodes > LARGEST_TREE:
            raise ClaimError(
                f"strategy {name!r} has {nodes} histories, more than {LARGEST_TREE}; use fewer rounds or moves."
            )
        return Strategy(self.interval(name, low, high, nodes), depth, branching)

    def _made(self, name: str, value: Tensor) -> Tensor:
        self.made[name] = value
        return value


LARGEST_TREE = 4096


class Convex:
    """x -> max_j <a_j, x> + b_j; slopes `(batch, pieces, d)`, heights `(batch, pieces)`."""

    def __init__(self, slopes: Tensor, heights: Tensor) -> None:
        self.slopes, self.heights = slopes, heights

    def __call__(self, x: Tensor) -> Tensor:
        """Values at `x`, `(batch, d)`."""
        return (torch.einsum("bpd,bd->bp", self.slopes, x) + self.heights).amax(-1)

    def subgradient(self, x: Tensor) -> Tensor:
        """The slope of a piece that is largest at `x`, `(batch, d)`."""
        best = (torch.einsum("bpd,bd->bp", self.slopes, x) + self.heights).argmax(-1)
        pieces = self.slopes.expand(len(best), -1, -1)  # of one function for all replicates, where the points are drawn
        return pieces.gather(1, best.reshape(-1, 1, 1).expand(-1, 1, pieces.shape[-1])).squeeze(1)


class Strategy:
    """A number for every history: the nodes of a tree, level by level."""

    def __init__(self, values: Tensor, depth: int, branching: int) -> None:
        self.values, self.depth, self.branching = values, depth, branching
        self._level = 0
        self._place: Any = torch.zeros(len(values), dtype=torch.long, device=values.device)

    def move(self) -> Tensor:
        """What the adversary does now, `(batch,)`; the same until it is told what happens."""
        if self._level >= self.depth:
            raise ClaimError(f"a strategy of depth {self.depth} has no move {self._level + 1}; give it more depth.")
        start = sum(self.branching**level for level in range(self._level))
        nodes = (start + self._place).unsqueeze(1)  # of one tree for all replicates, where the answers are drawn
        return self.values.expand(len(nodes), -1).gather(1, nodes).squeeze(1)

    def answer(self, happened: Tensor) -> None:
        """What happens then, one of 0 ... branching - 1 for each instance; the next move may depend on it.

        Raises ClaimError for any other number: it would stand for another history.
        """
        place = happened.long()
        if type(happened) is Tensor:
            strange = (place < 0) | (place >= self.branching) | (place != happened)
            strange = strange & ~happened.isnan() if happened.is_floating_point() else strange
            if bool(strange.any()):
                one = happened[strange].reshape(-1)[0].item()
                raise ClaimError(
                    f"a strategy was told that {one} happened, which is none of 0 ... {self.branching - 1}; number "
                    "what may happen, such as (guess > 0) for a guess of -1 or 1."
                )
        self._place = self._place * self.branching + place
        self._level += 1


def admitted(key: str, masks: Sequence[Tensor], batch: int) -> Tensor | None:
    """Which instances of a claim satisfy all its assumptions; None where nothing is assumed."""
    if not masks:
        return None
    for mask in masks:
        if mask.numel() not in (1, batch):
            raise ClaimError(
                f"claim {key!r}: assume() has a condition of shape {tuple(mask.shape)} for {batch} instances; give one "
                "boolean for each of them: the first axis is the batch."
            )
    return torch.stack([mask.broadcast_to((batch,)) for mask in masks]).all(0).cpu()
