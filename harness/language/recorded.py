"""Draws that are remembered, so that a body sees the same ones again while its numbers are rounded differently."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import torch
from torch import Tensor

from harness.errors import ClaimError
from harness.language.asked import Asked, changed
from harness.language.chances import Layouts, aligned, has_rows, thresholds
from harness.language.marks import Mark, marks
from harness.language.quantifiers import Draw
from harness.language.torch_laws import smallest


class Unsure(NamedTuple):
    """The entries of a sample that floats do not resolve: out of their range, and beside each mark of its law."""

    out: Tensor | None  # None for nowhere
    beside: list[tuple[Mark, Tensor]]


class Recorder:
    """A `Draw` that remembers what it has handed out, so that rows of it can be had again."""

    def __init__(self, draw: Draw) -> None:
        self.draw, self.reps, self.device = draw, draw.reps, draw.device
        self.drawn: dict[str, Tensor] = {}
        self.asked: dict[str, Asked] = {}
        self.answers: dict[str, Tensor] | None = None
        self.complete = False  # whether the body has run, so that there is nothing more to draw
        self.closed = ""  # the variable that was quantified within, after which nothing may be drawn
        self._uniform: dict[str, np.ndarray] = {}
        self.smallest: dict[str, float] = {}  # numbers of these samples, below which there is zero in their place
        self._laws: dict[str, tuple[torch.distributions.Distribution, int]] = {}  # theirs, and how many axes are drawn
        self._unsure: dict[str, Unsure] = {}
        self._moved = 0  # how often rows have been handed out

    @property
    def layouts(self) -> Layouts | None:
        """Those of the draw."""
        return self.draw.layouts

    @layouts.setter
    def layouts(self, found: Layouts) -> None:
        self.draw.layouts = found

    def _afresh(self) -> None:
        """Ready for the body to be called once more, with the same numbers."""
        self.draw._afresh()
        self.closed = ""

    def __getattr__(self, method: str) -> Callable[..., Tensor]:
        def drawing(name: str, *args: Any, **kwargs: Any) -> Tensor:
            return self._handed_out(method, name, *args, **kwargs)

        return drawing

    def _handed_out(self, method: str, name: str, *args: Any, **kwargs: Any) -> Tensor:
        if self.closed:
            raise ClaimError(
                f"draw variable {name!r} is drawn after {self.closed!r} is quantified within; draw before."
            )
        self.drawn[name] = getattr(self.draw, method)(name, *args, **kwargs)
        self.asked[name] = args, kwargs
        return self.drawn[name].clone()

    def sample(self, name: str, distribution: torch.distributions.Distribution, *shape: int) -> Tensor:
        """Samples of any torch distribution."""
        found = self._handed_out("sample", name, distribution, *shape)
        if (least := smallest(distribution)) is not None:
            self.smallest[name] = least
            self._laws[name] = (distribution, len(shape))
        return found

    def unresolved(self) -> Tensor:
        """Replicates with a sample too small, too large, or too close to a mark of its law for a float, `(reps,)`."""
        found = torch.zeros(self.reps, dtype=torch.bool)
        for name in self.smallest:
            unsure = self.unsure(name)
            for which in (unsure.out, *(near for _, near in unsure.beside)):
                if which is not None:
                    found |= which.reshape(self.reps, -1).any(-1).cpu()
        return found

    def unsure(self, name: str) -> "Unsure":
        """Which entries of a sample floats do not resolve; found out once."""
        if name not in self._unsure:
            with torch.no_grad(), torch._C._DisableTorchDispatch():  # nothing of this is the body's
                self._unsure[name] = self._looked(name)
        return self._unsure[name]

    def _looked(self, name: str) -> "Unsure":
        law, drawn = self._laws[name]
        sample, batch = self.drawn[name], tuple(law.batch_shape)
        rows = bool(batch) and has_rows(name, batch, tuple(sample.shape), self.layouts)
        out = (sample == 0.0) | torch.isinf(sample)
        placed = (mark.beside(rows=rows, drawn=drawn, axes=sample.ndim) for mark in marks(law))
        beside = [(here, here.near(sample)) for here in (mark.each(lambda v: v.to(sample.device)) for mark in placed)]
        return Unsure(out if bool(out.any()) else None, [pair for pair in beside if bool(pair[1].any())])

    def _uniform_behind(self, name: str) -> np.ndarray | None:
        """The uniform numbers behind what was drawn, `(reps, *shape)`; None where all outcomes are listed instead."""
        if type(self.draw) is not Draw:
            return None
        if name not in self._uniform:
            self._uniform[name] = self.draw._uniform_behind(name, tuple(self.drawn[name].shape[1:]))
        return self._uniform[name]

    def again(self) -> "Rows":
        """The same draws once more."""
        return self.rows(torch.arange(self.reps))

    def rows(self, some: Tensor, *, exact: bool = False) -> "Rows":
        """The draws of some replicates (their indices) only; `exact`, those that floats do not resolve, too."""
        self._moved += 1
        rows = Rows(self, some, exact=exact, turn=self._moved)
        if self.answers is not None:
            rows.answers = {name: value[some.to(value.device)] for name, value in self.answers.items()}
        return rows


class Rows:
    """Some rows of what a recorder has handed out, in the place of a `Draw`.

    What was compared with uniform numbers is compared with the same ones again, so that the rounding of a probability
    shows where it decides a draw. So does what floats do not hold: a sample that has underflowed is the smallest normal
    number or half of it, another one at every `turn`, and one next to a mark of its law is further from it by a step,
    or closer. All else is as it was, whatever has become of its parameters since; `redrawn` are the rows of which more
    has changed than rounding, `(reps,)`: how many are drawn, or from what law, is decided by rounding there.
    """

    def __init__(self, recorder: Recorder, some: Tensor, *, exact: bool = False, turn: int = 1) -> None:
        self.some, self.device, self.exact, self.turn = some, recorder.device, exact, turn
        self.reps = len(some)
        self.answers: dict[str, Tensor] | None = None
        self.layouts = recorder.layouts
        self.redrawn = torch.zeros(self.reps, dtype=torch.bool)
        self._recorder = recorder

    @property
    def drawn(self) -> Mapping[str, Tensor]:
        """What was handed out, of all replicates."""
        return self._recorder.drawn

    def _afresh(self) -> None:
        """Nothing to forget."""

    def __getattr__(self, method: str) -> Callable[..., Tensor]:
        def drawing(name: str, *args: Any, **kwargs: Any) -> Tensor:
            self._compare(name, *args, **kwargs)
            return self._as_it_was(name)

        return drawing

    def _compare(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Notice what is asked for otherwise than it was recorded."""
        self.redrawn |= changed(self._recorder.asked[name], (args, kwargs), self.some, self._recorder.reps)

    def _as_it_was(self, name: str) -> Tensor:
        return self.drawn[name][self.some.to(self.drawn[name].device)]

    def bernoulli(self, name: str, p: Tensor | float, *shape: int) -> Tensor:
        """0 or 1 from the same uniform numbers."""
        self._compare(name, p, *shape)
        uniform = self._uniform(name, p)
        if uniform is None:
            return self._as_it_was(name)
        return self._tensor(uniform < self._beside(name, torch.as_tensor(p, dtype=torch.float64), shape))

    def categorical(self, name: str, probs: Tensor | Sequence[float], *shape: int) -> Tensor:
        """Classes from the same uniform numbers."""
        self._compare(name, probs, *shape)
        uniform = self._uniform(name, probs)
        if uniform is None:
            return self._as_it_was(name)
        edges = thresholds(name, torch.as_tensor(probs, dtype=torch.float64)).unbind(-1)
        passed = (uniform >= self._beside(name, edge, shape) for edge in edges)
        return self._tensor(sum(passed, np.zeros(uniform.shape)))

    def sample(self, name: str, *args: Any) -> Tensor:
        """As it was, and another number that it stands for as well where floats do not resolve it."""
        self._compare(name, *args)
        found, least = self._as_it_was(name), self._recorder.smallest.get(name)
        if least is None or self.exact:
            return found
        unsure, some = self._recorder.unsure(name), self.some.to(found.device)
        with torch.no_grad(), torch._C._DisableTorchDispatch():  # nothing of this is the body's
            result = found
            if unsure.out is not None:
                nearest = torch.where(found == 0.0, least, torch.sign(found) / least)
                result = torch.where(unsure.out[some], nearest * self._factors(name, found), found)
            for mark, near in unsure.beside:
                moved = mark.of(some).moved(found, outwards=self.turn % 2 == 1)
                result = torch.where(near[some], moved, result)
            return result

    def _factors(self, name: str, like: Tensor) -> Tensor:
        """Of samples that are somewhere beyond the range of floats, and not at one place: in (1/2, 1]."""
        generator = torch.Generator().manual_seed(self.turn + (crc32(name.encode()) << 16))
        return (1.0 - 0.5 * torch.rand(like.shape, generator=generator, dtype=torch.float64)).to(like)

    def _uniform(self, name: str, parameter: Any) -> np.ndarray | None:
        """The uniform numbers behind these rows; None where there are none, or the parameter is more than numbers."""
        plain = not isinstance(parameter, Tensor) or type(parameter) is Tensor
        uniform = self._recorder._uniform_behind(name) if plain else None
        return None if uniform is None else uniform[self.some.cpu().numpy()]

    def _beside(self, name: str, value: Tensor, shape: tuple[int, ...]) -> np.ndarray:
        return np.asarray(aligned(name, value, (self.reps, *shape), self.layouts).detach().cpu().numpy())

    def _tensor(self, found: np.ndarray) -> Tensor:
        return torch.as_tensor(found.astype(np.float64), device=self.device)
