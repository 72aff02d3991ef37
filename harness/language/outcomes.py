"""Every outcome instead of draws: exact probabilities and means where a distribution is finite.

`Outcomes` stands in the place of a `Draw`: the same body sees each combination of outcomes once, as its replicates, and
`weights` holds their probabilities. It knows what takes finitely many values: `bernoulli`, `signs`, `categorical`,
`multinomial` and `law` with atoms; anything else raises `Endless`.
"""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.language.chances import ROUNDING
from harness.language.quantifiers import Draw

T = TypeVar("T")
LARGEST = 2**17  # outcomes


class Endless(Exception):  # noqa: N818  (a signal, not an error)
    """What is drawn takes infinitely many values, or too many."""


class Outcomes(Draw):
    """All combinations of outcomes of a body's draws, `reps` of them."""

    def __init__(
        self,
        sizes: Sequence[int] | None,
        device: str = "cpu",
        *,
        most: float = LARGEST,
        part: tuple[int, int] | None = None,
    ) -> None:
        """`sizes` says how many outcomes each draw has, in the order of the body; None counts them on one outcome.

        `part` = (start, stop) leaves out the outcomes before and after; more than `most` of them are Endless.
        """
        self.start, stop = part or (0, 1 if sizes is None else math.prod(sizes))
        super().__init__(stop - self.start, ("outcomes",), device)
        self.counted = sizes
        self.most = most
        self.endless = False  # kept, for a body may catch what it does not know
        self.sizes: list[int] = []
        self.weights = torch.ones(self.reps, dtype=torch.float64, device=device)
        self.wrong = ""  # the draw with a probability that is none, at outcomes that may happen

    def _afresh(self) -> None:
        """Ready for the body to be called once more, with the same outcomes."""
        super()._afresh()
        self.sizes.clear()
        self.weights, self.wrong = torch.ones(self.reps, dtype=torch.float64, device=self.device), ""

    def _stream(self, name: str) -> np.random.Generator:
        raise self._ended(f"draw variable {name!r} takes infinitely many values")

    def _variates(self, kind: str, name: str, *shape: int) -> np.ndarray:  # noqa: ARG002
        raise self._ended(f"draw variable {name!r} takes infinitely many values")

    def _ended(self, why: str) -> Endless:
        self.endless = True
        return Endless(why)

    def _index(self, name: str, size: float) -> Tensor:
        """Which of `size` outcomes of the next draw each combination has, `(reps,)`."""
        rest = self._repeats(name, size)
        return torch.arange(self.start, self.start + self.reps, device=self.device) // rest % int(size)

    def _repeats(self, name: str, size: float) -> int:
        """How many combinations in a row have the same of `size` outcomes of the next draw."""
        self._note(name)
        if size > self.most or size * math.prod(self.sizes) > self.most:
            raise self._ended(f"the draws have more than {self.most:.6g} outcomes")
        self.sizes.append(int(size))
        if self.counted is None:
            return 1
        rest = math.prod(self.counted[len(self.sizes) :])
        if len(self.sizes) > len(self.counted) or self.counted[len(self.sizes) - 1] != int(size):
            raise self._ended(f"what is drawn beside {name!r} depends on what was drawn before")
        return rest

    def _classes(self, name: str, classes: int, shape: tuple[int, ...]) -> Tensor:
        """The class of each entry, `(reps, *shape)`: every combination."""
        entries = math.prod(shape)
        rest = self._repeats(name, float(classes) ** min(entries, 64))
        digits = _digits((self.start, self.reps, rest), classes, entries, self.device)
        return digits.reshape(self.reps, *shape).clone()

    def _table(self, probs: Tensor | Sequence[float]) -> Tensor:
        """Probabilities of classes without rounding below zero."""
        table = torch.as_tensor(probs, dtype=torch.float64, device=self.device)
        return torch.where((table < 0.0) & (table >= -ROUNDING), 0.0, table)

    def _weigh(self, name: str, probabilities: Tensor) -> None:
        """Multiply the probabilities of what was drawn before; what never happens has any one, such as 0/0."""
        each, possible = probabilities.reshape(self.reps, -1), self.weights > 0.0
        fine = ((each >= -ROUNDING) & (each <= 1.0 + ROUNDING)).all(-1)
        if not self.wrong and bool((possible & ~fine).any()):
            self.wrong = name
        self.weights = torch.where(possible, self.weights * each.prod(-1), 0.0)

    def chances(self, of: str = "") -> Tensor:
        """The probabilities of the outcomes.

        Raises ClaimError, which begins with `of`, where a draw has a probability outside [0, 1], or none.
        """
        if self.wrong:
            raise ClaimError(f"{of}draw variable {self.wrong!r} has a probability outside [0, 1]; clamp or correct it.")
        return self.weights

    def signs(self, name: str, *shape: int) -> Tensor:
        """Every vector of signs, each as probable."""
        classes = self._classes(name, 2, shape)
        self._weigh(name, torch.full_like(classes, 0.5))
        return 2.0 * classes - 1.0

    def bernoulli(self, name: str, p: Tensor | float, *shape: int) -> Tensor:
        """Every vector of zeros and ones."""
        ones = self._classes(name, 2, shape)
        chance = self._beside(name, p, shape)
        self._weigh(name, (ones * chance + (1.0 - ones) * (1.0 - chance)).expand(ones.shape))
        return ones

    def categorical(self, name: str, probs: Tensor | Sequence[float], *shape: int) -> Tensor:
        """Every vector of classes."""
        table = self._table(probs)
        table = table / table.sum(-1, keepdim=True)
        classes = self._classes(name, table.shape[-1], shape)
        chances = [self._beside(name, table[..., k], shape) for k in range(table.shape[-1])]
        self._weigh(name, sum(((classes == k) * chance for k, chance in enumerate(chances)), 0.0 * classes))
        return classes

    def multinomial(self, name: str, count: Tensor | int, probs: Tensor | Sequence[float]) -> Tensor:
        """Every vector of counts with this sum."""
        if isinstance(count, Tensor) and count.ndim:
            raise self._ended(f"draw variable {name!r} has a sum of its own in each replicate")
        table = self._table(probs)
        k, count = table.shape[-1], int(count)
        index = self._index(name, math.comb(count + k - 1, k - 1))
        counts = torch.as_tensor(_compositions(count, k), device=self.device)[index]
        ways = torch.lgamma(torch.tensor(count + 1.0, dtype=torch.float64)) - torch.lgamma(counts + 1.0).sum(-1)
        share = (table / table.sum(-1, keepdim=True)).reshape(-1, k)
        chances = torch.exp(ways + torch.special.xlogy(counts, share).sum(-1))
        self._weigh(name, chances.clamp_max(1.0))  # of millions, the gamma functions leave nine digits
        return counts


@functools.lru_cache(maxsize=16)
def _digits(some: tuple[int, int, int], base: int, entries: int, device: str) -> Tensor:
    """Digits of the numbers k // rest, `(count, entries)`, lowest first; never to be written into.

    `some` = (start, count, rest): k runs through `count` numbers from `start`.
    """
    start, count, rest = some
    index = torch.arange(start, start + count, device=device) // rest % base**entries
    places = torch.tensor([base**k for k in range(entries)], dtype=torch.long, device=device)
    digits: Tensor = index.unsqueeze(-1) // places % base
    return digits.to(torch.float64)


@functools.lru_cache(maxsize=16)
def _compositions(total: int, parts: int) -> np.ndarray:
    """All vectors of `parts` whole numbers with this sum, `(count, parts)`: bars between stars."""
    length, bars = total + parts - 1, parts - 1
    chosen = np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(length), bars)), dtype=np.float64)
    return np.diff(chosen.reshape(math.comb(length, bars), bars), axis=1, prepend=-1.0, append=length) - 1.0


def counted(run: Callable[[Any], object], device: str = "cpu", *, most: float = LARGEST) -> list[int]:
    """How many outcomes each draw has; raises Endless when they are infinitely many or more than `most` in all."""
    counting = Outcomes(None, device, most=most)
    run(counting)
    if counting.endless:
        raise Endless("the body caught it")
    return counting.sizes


def over_outcomes(run: Callable[[Any], T], device: str = "cpu") -> tuple[T, Tensor]:
    """What a run gives on every outcome of its draws, and the probabilities of these outcomes, `(reps,)`.

    Raises Endless when the draws have infinitely many outcomes or more than `LARGEST`, ClaimError as `chances`.
    """
    outcomes = Outcomes(counted(run, device), device)
    return run(outcomes), outcomes.chances()
