"""Gaps at any distribution of finitely many labelled points and any prior on finitely many frequencies.

Only the phases <w, x> matter, and any phases belong to points and frequencies of some dimension: they are quantified
themselves. A sample is the number of its points at each atom.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from harness import Draw, Forall
from harness.claims.pbrff.beds import Gaps


@dataclass(frozen=True)
class Atoms:
    """Probabilities of the atoms ``(1, k)`` and losses of every pair of them at every frequency ``(1, k, k, N)``."""

    law: Tensor
    losses: Tensor

    @property
    def around(self) -> Tensor:
        """Expected loss around each atom, ``(1, k, N)``."""
        return (self.law[:, None, :, None] * self.losses).sum(-2)

    @property
    def expected(self) -> Tensor:
        """``L_D(h_w)``, ``(1, N)``."""
        return (self.law.unsqueeze(-1) * self.around).sum(-2)


def any_atoms(forall: Forall, *, atoms: int, frequencies: int) -> Atoms:
    """Any distribution of `atoms` labelled points: their probabilities, classes and phases at each frequency."""
    law, y = forall.simplex("law", atoms), forall.integers("class", 1, atoms, atoms)
    phase = forall.interval("phase", 0.0, 2 * torch.pi, atoms, frequencies)
    agreement = torch.where(y.unsqueeze(-1) == y.unsqueeze(-2), 1.0, -1.0).to(phase.dtype)
    cosines = (phase.unsqueeze(-2) - phase.unsqueeze(-3)).cos()
    return Atoms(law, (1 - agreement.unsqueeze(-1) * cosines) / 2)


def atom_gaps(forall: Forall, draw: Draw, *, n: int, atoms: int) -> Gaps:
    """Gaps of as many frequencies as atoms, under any prior on them; a pair of points at one atom has no loss."""
    bed = any_atoms(forall, atoms=atoms, frequencies=atoms)
    counts = draw.multinomial("counts", n, bed.law)
    empirical = ((counts @ bed.losses[0].flatten(1)).unflatten(-1, (atoms, atoms)) * counts.unsqueeze(-1)).sum(-2)
    values = bed.expected - empirical / (n * (n - 1))
    return Gaps(values, forall.simplex("prior", atoms).expand_as(values))


def centred_atom_gaps(forall: Forall, draw: Draw, *, n: int, atoms: int, landmarks: int, inside: int) -> Gaps:
    """Gaps around each landmark, ``(reps, landmarks, N)``, each under a prior of its own.

    `inside` is 1 when the landmarks are the first points of the sample, and 0 when they are further points.
    """
    bed = any_atoms(forall, atoms=atoms, frequencies=atoms)
    positions = draw.categorical("points", bed.law, n + landmarks * (1 - inside)).long()
    centres, sample = positions[:, :landmarks], positions[:, positions.shape[-1] - n :]
    counts = torch.nn.functional.one_hot(sample, atoms).sum(-2).to(bed.law.dtype)
    empirical = (counts @ bed.losses[0].transpose(0, 1).flatten(1)).unflatten(-1, (atoms, atoms)) / (n - inside)
    values = (bed.around - empirical).gather(-2, centres.unsqueeze(-1).expand(-1, -1, atoms))
    return Gaps(values, forall.simplex("prior", landmarks, atoms).expand_as(values))
