"""Rows of the tables with all their parameters free: what a theorem asks for and promises against the printed growths.

A row is a spectrum of K / n, mu_i <= R_0 times rank k, A^i, i^-a, or of trace R_0, with lambda = n^-p (log n)^q. Its
effective dimension is at most D g(n): `dK-decay` and the trace. Then 5 d log(16 d / delta) is at most
5 D (1 + log+(16 D / delta)) g(n) h(n) wherever h >= 1 and h >= log g, and the printed cell is compared with g h. All
numbers are logarithms, so that n may be of any size from 16 on, where log log n >= 1.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import softplus

from bounds.random_features.spectra import Spectrum
from harness import Forall

Power: TypeAlias = float | Callable[[Tensor], Tensor]
"""An exponent, or one that depends on t."""
Loss: TypeAlias = Literal["squared", "lipschitz"]
Analysis: TypeAlias = Literal["worst case", "refined", "best"]
"""Which cut h the bound on the fixed point takes: none, log n / log(1/A) for A^i, or n^(1/(a+1)) for i^-a."""

LEAST = math.log(16.0)


@dataclass(frozen=True)
class Parameters:
    """What the rows leave free, (batch,): log n, t, A, the rank, log R_0, delta and log z_0^2."""

    log_n: Tensor
    t: Tensor
    ratio: Tensor
    rank: Tensor
    log_scale: Tensor
    delta: Tensor
    log_bound: Tensor

    def growth(self, power: Power, *logs: float) -> Tensor:
        """Logarithm of n^power (log n)^logs[0] (log log n)^logs[1]."""
        total = (power(self.t) if callable(power) else power) * self.log_n
        iterated = self.log_n
        for exponent in logs:
            iterated = iterated.log()
            total = total + exponent * iterated
        return total


def parameters(forall: Forall, least: float = 1.0) -> Parameters:
    """n from 16 to exp(10^6), t from `least` to 20, A from .05 to .98, rank to 50, R_0 and z_0^2 from .01 to 100."""
    log_n = forall.interval("log log n", math.log(LEAST), math.log(1e6)).exp().clamp_min(LEAST)
    log_scale, log_bound = (forall.interval(name, -math.log(100), math.log(100)) for name in ("log R_0", "log z_0^2"))
    ratio, rank = forall.interval("A", 0.05, 0.98), forall.integers("rank", 1, 50)
    delta = 10.0 ** forall.interval("log10 delta", -6.0, 0.0)
    return Parameters(log_n, forall.interval("t", least, 20.0), ratio, rank, log_scale, delta, log_bound)


@dataclass(frozen=True)
class GrowthRow:
    """One printed row; `decay` times t is the exponent of i, `excess` a constant that absorbs a smaller growth."""

    spectrum: Spectrum
    regularisation: tuple[Power, float]
    features: tuple[Power, float, float]
    rate: tuple[Power, float]
    decay: float = 2.0
    excess: Callable[[Tensor], Tensor] = torch.ones_like

    def log_regularisation(self, p: Parameters) -> Tensor:
        """Log lambda."""
        power, log_power = self.regularisation
        return p.growth(0.0, log_power) - p.growth(power)

    def dimension(self, p: Parameters) -> tuple[Tensor, Tensor]:
        """Logarithms of a bound on d and of the constant D in it."""
        inverse = -self.log_regularisation(p)
        if self.spectrum == "finite rank":
            return p.rank.log(), p.rank.log()
        if self.spectrum == "geometric":
            rate, power = -p.ratio.log(), self.regularisation[0]
            assert not callable(power)
            constant = power + softplus(p.log_scale) / LEAST
            return (softplus(p.log_scale + inverse) / rate).log(), (constant / rate).log()
        if self.spectrum == "harmonic":
            return p.log_scale + inverse, p.log_scale
        angle = math.pi / (self.decay * p.t)
        constant = (angle / angle.sin()).log() + p.log_scale / (self.decay * p.t)
        return constant + inverse / (self.decay * p.t), constant

    def feature_ratio(self, p: Parameters, sampling: str) -> Tensor:
        """5 d log(16 d / delta), with z_0^2 / lambda for the first d in plain sampling, over C times the cell.

        C = 5 D (1 + log+(16 D / delta)), with z_0^2 for the first D in plain sampling; the constant 5 cancels.
        """
        found, constant = self.dimension(p)
        leading, scale = (found, constant) if sampling == "leverage" else (p.log_bound, p.log_bound)
        if sampling == "plain":
            leading = leading - self.log_regularisation(p)
        count = leading + positive(math.log(16) + found - p.delta.log()).log()
        printed = p.growth(*self.features) + scale + (1 + positive(math.log(16) + constant - p.delta.log())).log()
        return (count - printed - self.excess(p.t).log()).exp()

    def risk_ratio(self, p: Parameters, loss: Loss, analysis: Analysis) -> Tensor:
        """The largest over the terms of the theorem's bound, each over C times the printed rate."""
        rate, regularisation = p.growth(*self.rate), self.log_regularisation(p)
        terms = [regularisation if loss == "squared" else regularisation / 2, self._complexity(p, analysis)]
        if loss == "squared":
            found, constant = self.dimension(p)
            terms.append(found - constant - p.log_n)  # the variance of kernel ridge regression itself
        return (torch.stack(torch.broadcast_tensors(*terms)).amax(0) - rate).exp()

    def _complexity(self, p: Parameters, analysis: Analysis) -> Tensor:
        """Logarithm of n^-1/2, or of h / n + sqrt(tail / n) over its constant."""
        if analysis == "worst case":
            return -p.log_n / 2
        if self.spectrum == "finite rank":
            return -p.log_n
        if self.spectrum == "geometric":
            rate = -p.ratio.log()
            cut = (p.log_n / rate).ceil()
            beyond = p.log_scale - torch.log1p(-p.ratio)
            root = ((beyond - (cut + 1) * rate + p.log_n) / 2).exp()
            constant = 1 / rate + (1 + ((beyond - rate) / 2).exp()) / LEAST
            return (cut + root).log() - p.log_n - constant.log()
        decay = self.decay * p.t
        if analysis == "refined":
            return -p.log_n / 2
        cut, root = p.log_n / (decay + 1), (p.log_scale - (decay - 1).log()) / 2
        edge = torch.where(cut < 30, cut.clamp_max(30).exp().ceil().log(), cut)
        tail = root - (decay - 1) / 2 * edge - p.log_n / 2
        return torch.logaddexp(edge - p.log_n, tail) - (2 + root.exp()).log()


def positive(value: Tensor) -> Tensor:
    """The positive part, kept off zero for its logarithm."""
    return value.clamp_min(1e-300)


def largest(ratios: list[Tensor]) -> Tensor:
    """The largest of the ratios of all rows, (batch,)."""
    return torch.stack(torch.broadcast_tensors(*ratios)).amax(0)
