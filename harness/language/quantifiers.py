"""The arguments of a claim's body: `forall` (universally quantified inputs) and `draw` (random inputs).

Both return tensors by name. `Forall` asks a source for each variable, so that the same body serves discovery, search,
replay and judgement; `Draw` derives one random stream per (key, variable name), so that a draw is reproducible from
(run seed, claim, cell, block) alone, on any machine and device.
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from harness.errors import ClaimError, Resized
from harness.language.chances import ROUNDING, Layouts, aligned, class_weights, has_rows, indicator, thresholds
from harness.language.derived import Derived
from harness.language.distributions import Atoms, Distribution, GaussianMixture, Pareto, gpus_in_use
from harness.language.spaces import (
    Ball,
    Choice,
    Integers,
    Interval,
    PositiveSemidefinite,
    Signs,
    Simplex,
    Space,
    Triangle,
)
from harness.language.torch_laws import sampled

Source = Callable[[Space], Tensor]
COUNTED = 128  # trials up to which counting uniform numbers is faster than drawing binomial ones


def stream(*key: object) -> np.random.Generator:
    """A random generator that depends on the key's text alone."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in key).encode()).digest()
    seed = np.random.SeedSequence(int.from_bytes(digest[:16], "little"))
    return np.random.Generator(np.random.Philox(seed))


class Forall(Derived):
    """The universally quantified inputs of a claim. Every method returns a float64 tensor `(batch, *shape)`."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source
        self.spaces: dict[str, Space] = {}

    def _afresh(self) -> None:
        """Ready for the body to be called once more."""
        for met in (self.spaces, self.masks, self.made):
            met.clear()

    def _take(self, space: Space) -> Tensor:
        if space.name in self.spaces:
            raise ClaimError(f"forall variable {space.name!r} is quantified twice; give the second one its own name.")
        if not isinstance(space.name, str):
            raise ClaimError(f"a forall variable is called {space.name!r}; its name, a text, comes first.")
        if any(not isinstance(axis, int) or axis < 1 for axis in space.shape):
            raise ClaimError(
                f"forall variable {space.name!r} has shape {space.shape}; an axis is whole, and at least 1."
            )
        self.spaces[space.name] = space
        return self._source(space)

    def member(self, space: Space) -> Tensor:
        """Elements of any set, one of your own included: a `Space`, which has the name and the shape."""
        if not isinstance(space, Space):
            raise ClaimError(
                f"forall.member takes a Space, got {space!r}; derive one from harness.language.spaces.Space."
            )
        return self._take(space)

    def interval(self, name: str, low: float, high: float, *shape: int) -> Tensor:
        """Numbers in [low, high]."""
        low, high = _number(name, low), _number(name, high)
        if not low <= high:
            raise ClaimError(f"forall.interval({name!r}, {low}, {high}) is empty; low must not exceed high.")
        return self._take(Interval(name, shape, low, high))

    def _triangle(self, name: str, n: int, radius: float) -> Tensor:
        """Lower triangles of symmetric n x n matrices, row by row."""
        end = _positive(name, radius)
        return self._take(Triangle(name, (n * (n + 1) // 2,), -end, end))

    def integers(self, name: str, low: int, high: int, *shape: int) -> Tensor:
        """Whole numbers in [low, high], both ends included, up to 2^53: beyond it floats miss every second one."""
        low_, high_ = math.ceil(_number(name, low)), math.floor(_number(name, high))
        wrong = "is empty; low must not exceed high" if low_ > high_ else "passes 2^53: no float there is odd"
        if not low_ <= high_ or max(-low_, high_) > 2**53:
            raise ClaimError(f"forall.integers({name!r}, {low}, {high}) {wrong}.")
        return self._take(Integers(name, shape, low_, high_))

    def signs(self, name: str, *shape: int) -> Tensor:
        """Entries -1 or +1."""
        return self._take(Signs(name, shape))

    def ball(self, name: str, *shape: int, radius: float = 1.0) -> Tensor:
        """Vectors (last axis) of Euclidean norm at most `radius`."""
        return self._take(Ball(name, _vector_shape(name, shape), _positive(name, radius), surface=False))

    def sphere(self, name: str, *shape: int, radius: float = 1.0) -> Tensor:
        """Vectors (last axis) of Euclidean norm exactly `radius`."""
        return self._take(Ball(name, _vector_shape(name, shape), _positive(name, radius), surface=True))

    def simplex(self, name: str, *shape: int) -> Tensor:
        """Probability vectors (last axis sums to 1)."""
        return self._take(Simplex(name, _vector_shape(name, shape)))

    def psd(self, name: str, n: int, trace: float | None = None) -> Tensor:
        """Symmetric positive semi-definite n x n matrices, of the given trace if one is given."""
        return self._take(PositiveSemidefinite(name, (n, n), None if trace is None else _positive(name, trace)))

    def choice(self, name: str, options: Sequence[Any]) -> Tensor:
        """One of a few hand-written hard instances (tensors of one shape), which are always tried first."""
        try:
            tensors = [torch.as_tensor(option, dtype=torch.float64) for option in options]
        except (TypeError, ValueError) as error:
            raise ClaimError(
                f"forall.choice({name!r}) takes numbers, tensors and lists of numbers ({error})."
            ) from error
        if not tensors:
            raise ClaimError(f"forall.choice({name!r}) has no options; give at least one.")
        if any(option.shape != tensors[0].shape for option in tensors):
            shapes = [tuple(option.shape) for option in tensors]
            raise ClaimError(f"forall.choice({name!r}) needs options of one shape, got shapes {shapes}.")
        flat = tuple(tuple(float(v) for v in option.reshape(-1)) for option in tensors)
        return self._take(Choice(name, tuple(tensors[0].shape), flat))

    def law(
        self,
        name: str,
        *,
        atoms: int | Sequence[float] = 2,
        low: float = 0.0,
        high: float = 1.0,
    ) -> Atoms:
        """Any distribution with finitely many atoms, its mean and expectations exact; draw from it by `draw.law`.

        With a number of `atoms`, their places in [low, high] and their weights are quantified; with a list of places,
        the weights alone. Its inputs are called "P atoms" and "P weights" where the law is called "P".
        """
        if isinstance(atoms, int):
            places = self.interval(f"{name} atoms", low, high, atoms)
        else:
            places = torch.tensor([[_number(name, place) for place in atoms]], dtype=torch.float64)
        weights = self.simplex(f"{name} weights", places.shape[-1])
        return Atoms(places.to(weights.device), weights)

    def gaussian_mixture(
        self, name: str, components: int, *, radius: float = 1.0, scale: tuple[float, float] = (0.0, 1.0)
    ) -> GaussianMixture:
        """Any mixture of normal components: means in [-radius, radius], standard deviations between two ends."""
        means = self.interval(f"{name} means", -_positive(name, radius), radius, components)
        scales = self.interval(f"{name} scales", *scale, components)
        return GaussianMixture(means, scales, self.simplex(f"{name} weights", components))

    def pareto(self, name: str, *, index: tuple[float, float]) -> Pareto:
        """Pareto laws on [1, inf) with P(X > x) = x^(-a), for all a between two ends; heavy tails."""
        return Pareto(self.interval(f"{name} index", _positive(name, index[0]), index[1]))


class Draw:
    """The random inputs of a claim. Every method returns a float64 tensor `(reps, *shape)`."""

    def __init__(
        self, reps: int, key: tuple[object, ...], device: str = "cpu", kept: dict[Any, np.ndarray] | None = None
    ) -> None:
        if reps < 1 or not isinstance(key, tuple):
            raise ClaimError(
                f"Draw({reps!r}, {key!r}): give how many replicates, from 1, and a tuple such as ('by hand',)."
            )
        self.reps = reps
        self.device = device
        self._key = key
        self._kept = kept  # variates of draws with the same key, where many share them
        self.names: list[str] = []
        self.answers: dict[str, Tensor] | None = None  # what is quantified within, once it has been found
        self.layouts: Layouts | None = None  # of parameters; without them, as many entries as replicates are theirs

    def _afresh(self) -> None:
        """Ready for the body to be called once more, with the same numbers."""
        self.names.clear()

    def _stream(self, name: str) -> np.random.Generator:
        self._note(name)
        return stream(*self._key, name)

    def _note(self, name: str) -> None:
        if name in self.names:
            raise ClaimError(f"draw variable {name!r} is drawn twice; give the second one its own name.")
        self.names.append(name)

    def _variates(self, kind: str, name: str, *shape: int) -> np.ndarray:
        """Variates (reps, *shape) of a method of numpy's generators; never to be written into."""
        self._note(name)
        kept = {} if self._kept is None else self._kept
        if (kind, name, shape) not in kept:
            kept[kind, name, shape] = getattr(stream(*self._key, name), kind)((self.reps, *shape))
        return kept[kind, name, shape]

    def _uniform_behind(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """The uniform numbers (reps, *shape) that `bernoulli` and `categorical` compare; not to be written into."""
        found = (self._kept or {}).get(("random", name, shape))
        return stream(*self._key, name).random((self.reps, *shape)) if found is None else found

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.as_tensor(np.asarray(array, dtype=np.float64), device=self.device)

    def normal(self, name: str, *shape: int) -> Tensor:
        """Standard normal numbers."""
        return self._tensor(self._variates("standard_normal", name, *shape).copy())

    def uniform(self, name: str, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        """Numbers uniform on [low, high)."""
        return self._tensor(low + (high - low) * self._variates("random", name, *shape))

    def bernoulli(self, name: str, p: Tensor | float, *shape: int) -> Tensor:
        """0 or 1, with P(1) = p."""
        uniform = self._tensor(self._variates("random", name, *shape))
        probability = self._beside(name, p, shape)
        if not bool(((probability >= -ROUNDING) & (probability <= 1.0 + ROUNDING)).all()):
            raise ClaimError(f"draw.bernoulli({name!r}) has a probability outside [0, 1]; clamp or correct p.")
        return indicator(torch.lt, uniform, probability)

    def signs(self, name: str, *shape: int) -> Tensor:
        """-1 or +1, each with probability 1/2."""
        return self._tensor(2.0 * self._stream(name).integers(0, 2, (self.reps, *shape)) - 1.0)

    def sphere(self, name: str, *shape: int) -> Tensor:
        """Uniform on the unit sphere (last axis = coordinates)."""
        gaussian = self._variates("standard_normal", name, *_vector_shape(name, shape))
        return self._tensor(gaussian / np.linalg.norm(gaussian, axis=-1, keepdims=True))

    def ball(self, name: str, *shape: int) -> Tensor:
        """Uniform in the unit ball (last axis = coordinates)."""
        rng = self._stream(name)
        gaussian = rng.standard_normal((self.reps, *_vector_shape(name, shape)))
        radius = rng.random((self.reps, *shape[:-1], 1)) ** (1.0 / shape[-1])
        return self._tensor(radius * gaussian / np.linalg.norm(gaussian, axis=-1, keepdims=True))

    def categorical(self, name: str, probs: Tensor | Sequence[float], *shape: int) -> Tensor:
        """Class indices 0..K-1; the last axis of `probs` holds the K probabilities."""
        uniform = self._tensor(self._variates("random", name, *shape))
        index = torch.zeros_like(uniform)
        edges = thresholds(name, torch.as_tensor(probs, dtype=torch.float64, device=self.device))
        for edge in edges.unbind(-1):  # few classes: K passes, nothing of size reps x shape x K
            index += indicator(torch.ge, uniform, self._beside(name, edge, shape))
        return index

    def law(self, name: str, law: Distribution, *shape: int) -> Tensor:
        """Independent draws from a distribution of `forall.law`, `forall.gaussian_mixture` or `forall.pareto`."""
        return law.sample(self, name, *shape)

    def multinomial(self, name: str, count: Tensor | int, probs: Tensor | Sequence[float]) -> Tensor:
        """Counts of K classes in `count` independent trials, drawn directly; shape (reps, K).

        `count` is a whole number, or one for each replicate, `(reps,)` or `(1,)`.
        """
        table = class_weights(name, torch.as_tensor(probs, dtype=torch.float64)).detach().cpu().numpy()
        table = table / table.sum(-1, keepdims=True)
        if table.ndim > 2 or (table.ndim == 2 and table.shape[0] not in (1, self.reps)):
            raise ClaimError(f"draw.multinomial({name!r}) has probs of shape {table.shape}; give (K,) or (1, K).")
        each = count.detach().cpu().numpy() if isinstance(count, Tensor) and count.ndim else None
        if each is None and table.size == table.shape[-1]:  # one law
            if self._kept is not None and int(count) <= COUNTED:
                self._note(name)
                return self._tensor(self._counted(self._kept, name, int(count), table.ravel().cumsum()[:-1]))
            return self._tensor(self._stream(name).multinomial(int(count), table.ravel(), size=self.reps))
        rng = self._stream(name)
        trials = int(count) if each is None else self._trials(name, each)
        return self._tensor(rng.multinomial(trials, np.broadcast_to(table, (self.reps, table.shape[-1]))))

    def _counted(self, kept: dict[Any, np.ndarray], name: str, trials: int, thresholds: np.ndarray) -> np.ndarray:
        """How many of as many kept uniform numbers fall between thresholds, (reps, K): few trials, shared by many."""
        key = ("trials", name, trials)
        if key not in kept:
            kept[key] = stream(*self._key, name).random((trials, self.reps))
        below = [np.add.reduce((kept[key] < edge).view(np.uint8), axis=0, dtype=np.uint8) for edge in thresholds]
        every = np.full(self.reps, trials, dtype=np.uint8)  # trials <= COUNTED < 256
        return np.diff(np.stack([*below, every]), axis=0, prepend=np.uint8(0)).T.astype(np.float64, order="C")

    def _trials(self, name: str, trials: np.ndarray) -> np.ndarray:
        """A whole number for each replicate."""
        if trials.shape not in ((1,), (self.reps,)) or not (np.isfinite(trials) & (trials >= 0)).all():
            raise ClaimError(
                f"draw.multinomial({name!r}) has a count of shape {trials.shape} from {trials.min()} to "
                f"{trials.max()}; give a whole number, or one >= 0 for each replicate."
            )
        return trials.astype(np.int64)

    def sample(self, name: str, distribution: torch.distributions.Distribution, *shape: int) -> Tensor:
        """Samples of any torch distribution, of shape (reps, *shape, ...); the global generator is left untouched."""
        seed = int(self._stream(name).integers(0, 2**63 - 1))
        batch = tuple(distribution.batch_shape)
        rows = bool(batch) and has_rows(name, batch, (self.reps, *shape), self.layouts)
        drawn: Tensor
        with torch.random.fork_rng(devices=(gpus := gpus_in_use())):
            torch.default_generator.manual_seed(
                seed
            )  # torch.manual_seed writes the stack down for each GPU there is not
            if gpus:
                torch.cuda.manual_seed_all(seed)
            if rows:
                drawn = sampled(name, distribution.expand((self.reps, *batch[1:])), shape)
                drawn = drawn.movedim(len(shape), 0) if shape else drawn
            else:
                drawn = sampled(name, distribution, (self.reps, *shape))
        return drawn.to(dtype=torch.float64, device=self.device)

    def _once(self, name: str, number: Callable[["Draw"], Tensor], reps: int) -> Tensor:
        """What depends on `reps` draws of its own: one number, the same in each replicate, `(reps of this,)`."""
        self._note(name)
        return number(Draw(reps, (*self._key, name), self.device)).to(self.device).expand(self.reps)

    def _beside(self, name: str, parameter: Tensor | float, shape: tuple[int, ...]) -> Tensor:
        """A parameter beside the draw (reps, *shape)."""
        value = torch.as_tensor(parameter, dtype=torch.float64, device=self.device)
        return aligned(name, value, (self.reps, *shape), self.layouts)


def from_values(values: Mapping[str, Tensor]) -> Source:
    """A source that replays given values."""

    def source(space: Space) -> Tensor:
        if space.name not in values:
            raise ClaimError(
                f"forall variable {space.name!r} appears for some inputs only; "
                "the set of variables may depend on the grid, not on values."
            )
        given = values[space.name]
        if type(given) is Tensor and given.shape[1:] != space.shape:
            raise Resized(
                f"forall variable {space.name!r} has shape {space.shape}, and had {tuple(given.shape[1:])}; shapes may "
                "depend on the grid, not on values."
            )
        return given

    return source


def _number(name: str, value: object) -> float:
    if isinstance(value, Tensor) or not isinstance(value, int | float | np.floating | np.integer):
        raise ClaimError(f"forall variable {name!r} has a bound {value!r}; bounds must be plain numbers.")
    if not math.isfinite(float(value)):
        raise ClaimError(f"forall variable {name!r} has a bound {value!r}; bounds must be finite.")
    return float(value)


def _positive(name: str, value: float) -> float:
    number = _number(name, value)
    if number <= 0.0:
        raise ClaimError(f"forall variable {name!r} has size {number}; it must be positive.")
    return number


def _vector_shape(name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    if not shape:
        raise ClaimError(f"variable {name!r} needs a shape; its last axis holds the coordinates.")
    return shape
