"""Gaps at any finite law of labelled points: against the losses of the points themselves, over all samples."""

import itertools
import math

import pytest
import torch

from algos.kernel_learning.alignment import landmark_alignment_loss, multiclass_alignment_loss
from harness.claims.pbrff.atom_beds import atom_gaps, centred_atom_gaps
from harness.testing import instance
from tests.ledger.test_pbrff import Scripted, tensor

P, LABELS = [0.5, 0.3, 0.2], [1.0, 2.0, 1.0]
PHASES = [[0.3, 2.0, 5.0], [1.1, 0.4, 6.0], [4.0, 3.0, 0.2]]
PRIOR = [0.6, 0.1, 0.3]
AXES = torch.eye(3).double()
"""Frequencies e_1, e_2, e_3: the points in space are their phases."""


def test_the_gaps_are_expected_losses_minus_those_of_the_sample():
    mean, empirical = 0.0, []
    for sample in itertools.product(range(3), repeat=3):
        forall = instance(**{"law": P, "class": LABELS, "phase": PHASES, "prior": PRIOR})
        counts = tensor([[float(sample.count(k)) for k in range(3)]])
        found = atom_gaps(forall, Scripted(counts=counts), n=3, atoms=3)
        points, labels = tensor([PHASES[k] for k in sample]), tensor([LABELS[k] for k in sample])
        empirical.append(found.values[0] + multiclass_alignment_loss(points, labels, AXES))
        assert found.prior[0].tolist() == PRIOR
        mean += math.prod(P[k] for k in sample) * found.values[0]
    for expected in empirical:
        torch.testing.assert_close(expected, empirical[0], rtol=1e-13, atol=1e-13)
    assert mean.tolist() == pytest.approx([0.0] * 3, abs=1e-15)


@pytest.mark.parametrize("inside", [0, 1])
def test_the_gaps_around_landmarks_have_mean_zero_given_the_landmarks(inside):
    priors = [PRIOR, [0.2, 0.2, 0.6]]
    n, size = 3, 5 - 2 * inside
    mean = {}
    for sample in itertools.product(range(3), repeat=size):
        forall = instance(**{"law": P, "class": LABELS, "phase": PHASES, "prior": priors})
        drawn = Scripted(points=tensor([sample]))
        found = centred_atom_gaps(forall, drawn, n=n, atoms=3, landmarks=2, inside=inside)
        assert found.prior[0].tolist() == priors
        points, labels = tensor([PHASES[k] for k in sample]), tensor([LABELS[k] for k in sample])
        empirical = landmark_alignment_loss(
            points[size - n :], labels[size - n :], points[:2], labels[:2], AXES, in_sample=bool(inside)
        )
        for landmark in range(2):
            others = [k for i, k in enumerate(sample) if i != landmark]
            key = (landmark, sample[landmark])
            gap, truth, weight = mean.get(key, (0.0, [], 0.0))
            chance = math.prod(P[k] for k in others)
            truth.append(found.values[0, landmark] + empirical[landmark])
            mean[key] = gap + chance * found.values[0, landmark], truth, weight + chance
    assert len(mean) == 6
    for gap, expected, weight in mean.values():
        assert weight == pytest.approx(1.0)
        assert gap.tolist() == pytest.approx([0.0] * 3, abs=1e-14)
        for each in expected:
            torch.testing.assert_close(each, expected[0], rtol=1e-13, atol=1e-13)
