"""Numbers that samples of torch's laws come so close to that floats lose how far away they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor
from torch.distributions import (
    Cauchy,
    Distribution,
    Independent,
    MixtureSameFamily,
    StudentT,
    Transform,
    TransformedDistribution,
    constraints,
)
from torch.distributions.constraints import _IndependentConstraint

from harness.language.torch_laws import precision

STEP = 2.0  # last places by which a sample near a mark may be wrong, and more where a transform has spread them
NEAR = 32.0  # steps from a mark within which samples are moved, before transforms


@dataclass(frozen=True)
class Mark:
    """A number of a law: an end, which it reaches with probability zero, or the middle, where it may be narrow.

    All tensors have the shape of one sample. `side` is 1 where the samples in question are above, -1 where below, and
    `reach` how far they go. They may be wrong by a `step`, which is zero where there is no mark.
    """

    at: Tensor
    side: Tensor
    step: Tensor
    reach: Tensor
    end: bool

    def near(self, sample: Tensor) -> Tensor:
        """Where samples are so close that their distance has lost digits."""
        away = (sample - self.at) * self.side
        return (self.step > 0.0) & (away >= -self.step) & (away <= self.reach)

    def moved(self, sample: Tensor, *, outwards: bool) -> Tensor:
        """What these samples may be as well: further from the mark, or closer to it, but not beyond an end."""
        if outwards:
            return sample + self.side * self.step
        closer = sample - self.side * self.step
        if not self.end:
            return closer
        inside = torch.where((closer - self.at) * self.side < 0.0, self.at, closer)
        return torch.where(sample == self.at, sample + 0.5 * self.side * self.step, inside)

    def beside(self, *, rows: bool, drawn: int, axes: int) -> "Mark":
        """The same with the axes of a sample, the replicates first; `rows` where the first one of the law is theirs."""

        def spread(value: Tensor) -> Tensor:
            first = tuple(value.shape[:1]) if rows else ()
            rest = value.shape[len(first) :]
            ones = drawn if rows else axes - len(rest)
            return value.reshape(*first, *(1 for _ in range(ones)), *rest)

        return self.each(spread)

    def of(self, some: Tensor) -> "Mark":
        """Beside some replicates only."""
        if self.at.shape[0] == 1:
            return self
        rows = some.to(self.at.device)
        return self.each(lambda value: value[rows])

    def each(self, change: Callable[[Tensor], Tensor]) -> "Mark":
        """The same with every tensor changed."""
        return Mark(change(self.at), change(self.side), change(self.step), change(self.reach), self.end)


def marks(law: Distribution) -> list[Mark]:
    """Ends of a continuous law of torch other than zero, next to which floats are dense, and both sides of its middle.

    Other laws, such as discrete ones, have none.
    """
    limits = precision(law)
    found = [] if limits is None else _marks(law, limits.eps)
    return [mark for mark in found if bool((mark.step > 0.0).any())]


def _marks(law: Distribution, eps: float) -> list[Mark]:
    if isinstance(law, Independent):
        return _marks(law.base_dist, eps)
    if isinstance(law, MixtureSameFamily):
        return _of_components(law, eps)
    shape = law.batch_shape + law.event_shape
    found = _through(law, eps) if isinstance(law, TransformedDistribution) else []
    for value, side, end in _own(law):
        at = torch.as_tensor(value, dtype=torch.float64).expand(shape)
        step = _positive(STEP * eps * at.abs())
        found.append(Mark(at, torch.full_like(at, side), step, NEAR * step, end))
    return found


def _own(law: Distribution) -> Iterator[tuple[Tensor | float, float, bool]]:
    """The numbers of a law, the side of its samples, and whether they are ends."""
    support = law.support
    while isinstance(support, _IndependentConstraint):
        support = support.base_constraint
    if support is constraints.simplex:
        yield 1.0, -1.0, True
    if (low := getattr(support, "lower_bound", None)) is not None:
        yield low, 1.0, True
    if (high := getattr(support, "upper_bound", None)) is not None:
        yield high, -1.0, True
    try:
        middle = law.loc if isinstance(law, Cauchy | StudentT) else law.mean
    except NotImplementedError:
        return
    yield middle, 1.0, False
    yield middle, -1.0, False


def _of_components(law: MixtureSameFamily, eps: float) -> list[Mark]:
    axis, classes = -1 - len(law.event_shape), law.component_distribution.batch_shape[-1]
    found = _marks(law.component_distribution, eps)
    return [mark.each(partial(torch.select, dim=axis, index=k)) for mark in found for k in range(classes)]


def _through(law: TransformedDistribution, eps: float) -> list[Mark]:
    """Those of the law that is transformed, as its transforms leave them; none where these mix the entries."""
    found = _marks(law.base_dist, eps)
    for transform in law.transforms:
        if transform.domain.event_dim or transform.codomain.event_dim:
            return []
        try:
            sign = torch.as_tensor(transform.sign, dtype=torch.float64)
        except NotImplementedError:
            return []
        found = [_mapped(mark, transform, sign, eps) for mark in found]
    shape = law.batch_shape + law.event_shape
    return [mark.each(partial(torch.broadcast_to, size=shape)) for mark in found]


def _mapped(mark: Mark, transform: Transform, sign: Tensor, eps: float) -> Mark:
    """The same behind a transform, which may spread what it lies next to, or bring it together."""
    at, side = transform(mark.at), mark.side * sign
    last = STEP * eps * at.abs()
    step = _positive(torch.maximum(last, (transform(mark.at + mark.side * mark.step) - at).abs()))
    reach = torch.maximum(NEAR * last, (transform(mark.at + mark.side * mark.reach) - at).abs())
    return Mark(at, side, step, reach, mark.end)


def _positive(step: Tensor) -> Tensor:
    """Zero where it is not finite."""
    return torch.where(torch.isfinite(step), step, 0.0)
