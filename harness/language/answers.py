"""Answers of an adversary to the draws of each replicate, and how good they are."""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from torch import Tensor

from harness.language.spaces import Space

Answers = dict[str, Tensor]  # one row for each replicate
Gap = Callable[[Mapping[str, Tensor]], Tensor]  # lhs - rhs of each replicate, given the answers


class Found(NamedTuple):
    """Answers that were tried, and lhs - rhs of each replicate there; undefined ones are the lowest."""

    answers: Answers
    heights: Tensor

    def or_better(self, other: "Found") -> "Found":
        """For each replicate the better of two, these where they are equal."""
        return self.unless(other.heights > self.heights, other)

    def unless(self, wins: Tensor, other: "Found") -> "Found":
        """These, but the other ones in some replicates."""
        answers = {
            name: torch.where(wins.reshape(column(value)), other.answers[name], value)
            for name, value in self.answers.items()
        }
        return Found(answers, torch.where(wins, other.heights, self.heights))


def height(gap: Tensor) -> Tensor:
    """lhs - rhs without slopes, undefined ones the lowest."""
    return torch.nan_to_num(gap.detach(), nan=-math.inf)


def lift(before: Tensor, after: Tensor) -> float:
    """The mean rise of the replicates, in units of their spread; infinite where one was undefined before."""
    rise = torch.where(after > before, after - before, 0.0).mean()
    spread = torch.where(after.isfinite(), after, 0.0).std(correction=0)
    return float(torch.where(rise > 0.0, rise / spread.clamp_min(1e-300), 0.0))


def column(value: Tensor) -> tuple[int, ...]:
    """The shape that lets one number for each replicate meet a value."""
    return (-1, *(1 for _ in value.shape[1:]))


def sloped(spaces: list[Space], gap: Gap, answers: Answers) -> tuple[Tensor, Answers]:
    """lhs - rhs, and directions of steepest ascent in these sets, of unit length in each replicate where it has any."""
    if not spaces:
        return height(gap(answers)), {}
    leaves = {space.name: answers[space.name].detach().requires_grad_() for space in spaces}
    with torch.enable_grad():
        found = gap({**answers, **leaves})
        total = torch.nan_to_num(found).sum()
    if not total.requires_grad:
        return height(found), {}
    slopes = torch.autograd.grad(total, list(leaves.values()), allow_unused=True)
    return height(found), {name: _unit(slope) for name, slope in zip(leaves, slopes, strict=True) if slope is not None}


def _unit(slope: Tensor) -> Tensor:
    """A direction of length one in each replicate; zero where there is none."""
    length = slope.reshape(len(slope), -1).norm(dim=1).clamp_min(1e-300)
    return torch.nan_to_num(slope / length.reshape(column(slope)))
