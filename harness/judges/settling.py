"""Which trials are ties, and in which ones rounding decides, so that they count for neither verdict."""

from dataclasses import dataclass

import torch
from torch import Tensor

from harness.certify.rounding.spread import CLEAR, NoiseLevel
from harness.certify.rounding.trials import DECIDED, PAIRS, decided_elsewhere, trial_noise
from harness.language.evaluation import Sides
from harness.language.recorded import Recorder
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space
from harness.search.distributions import noise_level
from harness.search.objective import Batch

ROUNDING = 1e-9  # lhs > rhs beyond the stated relative tolerance
WARY = 8.0  # trials within this many times the rounding of the probe have their own rounding measured
UNMEASURED = 1e-6  # of both sides: the rounding of a trial that cannot be evaluated otherwise
ACCUSED = 61  # violations in a block, at most, whose rounding is measured although none is expected there
SEVERAL = 2**12  # other trials, at most, in which rounding is measured as thoroughly, where it decides some
DECIDES = 1e-6  # of the usual size of both sides, from which on rounding is more than last places
INPUTS = 1e-9  # and of the largest input


@dataclass(frozen=True)
class Settled:
    """Both sides of some trials with ties made equal, how many those are, and where rounding decides.

    `doubt` is how far rounding may take lhs - rhs where that is more than last places, `(reps,)`, as where an event
    hangs on a tie; zero elsewhere. Such trials keep their sides. Neither verdict may rest on what rounding decides.
    `unresolved` counts those that samples decide which are too small, too large, or too close to another number of
    their law for floats.
    """

    sides: Sides
    ties: int
    doubt: Tensor
    unresolved: int = 0


@dataclass(frozen=True)
class Settling:
    """Measures the rounding of the trials of one cell; `drawn` has recorded what their sides were made from."""

    claim: Claim
    params: Parameters
    spaces: tuple[Space, ...]
    events: bool = False  # whether the left side is 0 or 1, which is never a tie with the probability on the right

    def level(self, instance: Batch, sides: Sides, drawn: Recorder) -> NoiseLevel:
        """What the rounding of some trials says about others, apart from those that it decides."""
        noise = self._noise(instance, sides, drawn, torch.arange(drawn.reps), 1)
        decides = self._decides(noise, sides, instance, drawn)
        level = noise_level(Sides(sides.lhs[~decides], sides.rhs[~decides]), noise[~decides])
        return level._replace(decides=float(decides.double().mean()))

    def settled(self, instance: Batch, sides: Sides, noise: NoiseLevel, drawn: Recorder) -> Settled:
        """The trials with ties made equal, and where rounding decides them.

        A tie is a trial whose sides differ by no more than the stated tolerance, or than rounding, which is measured
        where the probe leaves a violation in doubt, in all trials where it has found some that rounding decides, where
        floats do not resolve a sample, and in some violations in any case: they may be too rare for a probe. Sides that
        are nothing but rounding become zero.
        """
        gap, size = (sides.lhs - sides.rhs).abs(), sides.lhs.abs() + sides.rhs.abs()
        finite = torch.isfinite(gap)
        tied = finite & (gap <= ROUNDING * torch.maximum(sides.lhs.abs(), sides.rhs.abs())) & (not self.events)
        expected = torch.maximum(torch.tensor(noise.absolute, dtype=torch.float64), noise.relative * size)
        near = gap <= WARY * CLEAR * expected
        violated = finite & ~tied & (sides.lhs > sides.rhs)
        measured = violated & near | finite & ~tied & (size <= CLEAR * expected)
        decided = noise.decides > 0.0 or self._accused(instance, sides, drawn, violated & ~measured)
        if decided:
            measured = finite if noise.decides else measured | violated
        unresolved = finite & drawn.unresolved()
        measured |= unresolved
        if not bool(measured.any()):
            return Settled(
                Sides(torch.where(tied, sides.rhs, sides.lhs), sides.rhs), int(tied.sum()), torch.zeros_like(gap)
            )
        own = self._measured(instance, sides, drawn, (measured & violated, measured & ~violated), thorough=decided)
        least = torch.where(torch.isfinite(own), CLEAR * own, UNMEASURED * size)
        unsure = measured & (gap <= least) & (unresolved | self._decides(own, sides, instance, drawn))
        doubt = torch.where(unsure, own, 0.0)
        tied = (tied | measured & (gap <= least)) & ~unsure & (not self.events)
        nothing = measured & tied & (size <= least)
        lhs = torch.where(nothing, 0.0, torch.where(tied, sides.rhs, sides.lhs))
        settled = Sides(lhs, torch.where(nothing, 0.0, sides.rhs))
        return Settled(settled, int(tied.sum()), doubt, int((unsure & unresolved).sum()))

    def _measured(
        self, instance: Batch, sides: Sides, drawn: Recorder, which: tuple[Tensor, Tensor], *, thorough: bool
    ) -> Tensor:
        """The rounding of these violations and these other trials, `(reps,)`; zero elsewhere."""
        own = torch.zeros_like(sides.lhs)
        for violations, mask in zip((True, False), which, strict=True):
            some = torch.nonzero(mask).squeeze(-1)
            if len(some):
                pairs = PAIRS if thorough and (violations or len(some) <= SEVERAL) else 2 - thorough
                own[some] = self._noise(instance, sides, drawn, some, pairs)
        return own

    def _accused(self, instance: Batch, sides: Sides, drawn: Recorder, violated: Tensor) -> bool:
        """Whether rounding decides some of the violations where none is expected, by a few of them."""
        some = torch.nonzero(violated).squeeze(-1)[:ACCUSED]
        if not len(some):
            return False
        return bool(self._decides(self._noise(instance, sides, drawn, some, 2), sides, instance, drawn).any())

    def _noise(self, instance: Batch, sides: Sides, drawn: Recorder, some: Tensor, pairs: int) -> Tensor:
        """The rounding of lhs - rhs in some trials of a block."""
        gap = (sides.lhs - sides.rhs)[some]
        if self.events and decided_elsewhere(self.claim, self.spaces, drawn.drawn):
            return torch.full_like(gap, DECIDED)
        return trial_noise(self.claim, self.params, self.spaces, instance, lambda: drawn.rows(some), gap, pairs=pairs)

    def _decides(self, noise: Tensor, sides: Sides, instance: Batch, drawn: Recorder) -> Tensor:
        """Where rounding is more than last places, beside the usual size of both sides and what they are made of.

        The latter since sides may be nothing but rounding, such as the sum of deviations from a mean.
        """
        size = sides.lhs.abs() + sides.rhs.abs()
        usual = size[torch.isfinite(size) & (size > 0.0)]
        if not len(usual):
            return torch.zeros_like(noise, dtype=torch.bool)
        inputs = max((_largest(value) for value in (*instance.values(), *drawn.drawn.values())), default=1.0)
        return torch.isfinite(noise) & (noise > max(DECIDES * float(usual.median()), INPUTS * max(inputs, 1.0)))


def _largest(value: Tensor) -> float:
    """The largest finite entry in absolute value; zero where there is none."""
    value = torch.view_as_real(value) if value.is_complex() else value.double()
    low, high = torch.aminmax(value) if value.numel() else (torch.zeros(()), torch.zeros(()))
    if not bool(torch.isfinite(low) & torch.isfinite(high)):
        return _largest(torch.where(torch.isfinite(value), value, 0.0))
    return max(-float(low), float(high))
