"""The pbrff claims: exact laws of the test beds, learners on separable data, and verdicts that must come out."""

import itertools
import math

import numpy as np
import pytest
import torch

from algos.kernel_learning.alignment import landmark_alignment_loss, pairwise_alignment_loss
from harness.claims.pbrff.beds import FREQUENCIES, coin_gaps, gaps, gaussian_gaps, independent_gaps, label_gaps
from harness.claims.pbrff.centred_beds import centred_gaps, landmark_gaps
from harness.claims.pbrff.identities import binary_loss_in_linear_time, multiclass_loss_in_linear_time
from harness.claims.pbrff.variance import variance_as_printed, variance_for_two_classes
from harness.language.quantifiers import Draw
from harness.run.api import check
from harness.testing import instance
from harness.verdict import Status
from tests.helpers import bare_check

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


class Scripted:
    """A draw that returns given tensors."""

    def __init__(self, **values) -> None:
        self.values = values

    def __getattr__(self, kind):
        return lambda name, *_, **__: self.values[name]


class Recording(Scripted):
    """A scripted draw that remembers what was asked of each variable."""

    def __init__(self, **values) -> None:
        super().__init__(**values)
        self.seen = {}

    def __getattr__(self, kind):
        def drawn(name, *arguments):
            self.seen[name] = arguments
            return self.values[name]

        return drawn


def test_the_label_beds_have_gaps_of_mean_zero_over_all_samples():
    """Enumerates every sample of three labels; catches a population loss that is not the mean of the empirical one."""
    p, mean = [0.5, 0.3, 0.2], 0.0
    for labels in itertools.product(range(3), repeat=3):
        counts = tensor([[float(labels.count(k)) for k in range(3)]])
        gap = label_gaps(instance(class_probabilities=p), Scripted(class_counts=counts), n=3, classes=3).values
        assert gap.shape == (1, 1)
        mean += math.prod(p[k] for k in labels) * float(gap)
    assert mean == pytest.approx(0, abs=1e-15)
    mean = 0.0
    for heads in range(5):
        counts = tensor([[float(heads), 4.0 - heads]])
        weight = math.comb(4, heads) * 0.3**heads * 0.7 ** (4 - heads)
        mean += weight * float(coin_gaps(instance(bias=0.3), Scripted(class_counts=counts), n=4).values)
    assert mean == pytest.approx(0, abs=1e-15)


def test_the_independent_bed_is_the_alignment_loss_at_the_frequencies_pi_e_k():
    """One coordinate for each number of ones; the law of that number by enumerating all inputs of one coordinate."""
    inputs = (torch.arange(4).unsqueeze(-1) < torch.arange(5)).double()
    drawn = Recording(coordinates_by_ones=tensor([[1.0, 2.0, 3.0, 4.0, 5.0]]))
    found = independent_gaps(instance(bias=0.4), drawn, n=4)
    loss = pairwise_alignment_loss(inputs, torch.ones(4).double(), torch.pi * torch.eye(5).double())
    torch.testing.assert_close(found.values, 0.48 - loss.unsqueeze(0), **CLOSE)
    torch.testing.assert_close(found.prior * FREQUENCIES, drawn.values["coordinates_by_ones"], **CLOSE)
    law = [0.0] * 5
    for bits in itertools.product((0, 1), repeat=4):
        law[sum(bits)] += math.prod(0.4 if bit else 0.6 for bit in bits)
    torch.testing.assert_close(drawn.seen["coordinates_by_ones"][-1], tensor([law]), **CLOSE)


def test_the_independent_gaps_around_a_point_by_enumeration_of_its_coordinate():
    drawn = Recording(coordinates_by_centre_and_differing=torch.ones(1, 6).double())
    found = centred_gaps("independent", instance(bias=0.4), drawn, n=3)
    law = dict.fromkeys(itertools.product((0, 1), range(3)), 0.0)
    for bits in itertools.product((0, 1), repeat=3):
        law[bits[0], sum(bit != bits[0] for bit in bits[1:])] += math.prod(0.4 if bit else 0.6 for bit in bits)
    expected = [(0.6 if centre else 0.4) - differing / 2 for centre, differing in law]
    torch.testing.assert_close(found.values, tensor([expected]), **CLOSE)
    torch.testing.assert_close(
        drawn.seen["coordinates_by_centre_and_differing"][-1], tensor([list(law.values())]), **CLOSE
    )


@pytest.mark.parametrize("inside", [0, 1])
def test_label_gaps_around_landmarks_have_mean_zero_given_the_landmark(inside):
    p = [0.5, 0.3, 0.2, 0.0, 0.0, 0.0]
    size = 2 + 1 - inside
    mean = dict.fromkeys(range(3), 0.0)
    for labels in itertools.product(range(3), repeat=size):
        drawn = Scripted(labels=tensor([labels]))
        gap = landmark_gaps("labels", instance(class_probabilities=p), drawn, n=2, landmarks=1, inside=inside).values
        assert gap.shape == (1, 1, 1)
        mean[labels[0]] += math.prod(p[k] for k in labels[1:]) * float(gap)
    assert list(mean.values()) == pytest.approx([0, 0, 0], abs=1e-15)


@pytest.mark.parametrize("inside", [0, 1])
def test_gaussian_gaps_around_landmarks_are_quadrature_minus_the_landmark_loss(inside):
    nodes, weights = (tensor(a) for a in np.polynomial.hermite_e.hermegauss(60))
    weights = weights / weights.sum()
    y, noise = tensor([[1.0, -1.0, 1.0, -1.0, -1.0]]), tensor([[0.3, -1.0, 0.2, 0.9, 0.1]])
    w = tensor([[[0.0, 0.7, 2.0], [1.0, -0.4, 0.2]]])
    share, mean, scale, n = 0.3, 1.5, 0.5, 5 - 2 * (1 - inside)
    drawn = Scripted(labels=(y + 1) / 2, noise=noise, prior=w)
    forall = instance(share=share, mean=mean, scale=scale)
    found = landmark_gaps("gaussian", forall, drawn, n=n, landmarks=2, inside=inside).values
    x = (y * mean + scale * noise)[0].unsqueeze(-1)
    empirical = landmark_alignment_loss(
        x[5 - n :], y[0, 5 - n :], x[:2], y[0, :2], w[0].unsqueeze(-1), in_sample=bool(inside)
    )
    atoms = torch.stack([mean + scale * nodes, -mean + scale * nodes])  # class, node
    agreement = tensor([1.0, -1.0]).unsqueeze(-1) * y[0, :2, None, None, None]
    cosines = (w[0][..., None, None] * (x[:2, :, None, None] - atoms)).cos()
    mass = tensor([[share], [1 - share]]) * weights
    truth = ((1 - agreement * cosines) / 2 * mass).sum((-1, -2))
    torch.testing.assert_close(found[0] + empirical, truth, rtol=1e-12, atol=1e-12)


def test_the_gaussian_bed_has_the_loss_of_its_law():
    """Gauss-Hermite quadrature over both classes against the closed form, at the two ends and in between."""
    nodes, weights = (tensor(a) for a in np.polynomial.hermite_e.hermegauss(60))
    weights = weights / weights.sum()
    w, y = tensor([[0.0, 0.7, 2.0]]), tensor([[1.0, -1.0, 1.0]])
    noise = tensor([[0.3, -1.0, 0.2]])
    for share, mean, scale in ((0.3, 1.5, 0.5), (0.0, 0.4, 0.01), (1.0, 2.0, 2.0)):
        forall = instance(share=share, mean=mean, scale=scale)
        drawn = Scripted(labels=(y + 1) / 2, noise=noise, prior=w)
        x = y * mean + scale * noise
        empirical = pairwise_alignment_loss(x.unsqueeze(-1), y, w.unsqueeze(-1))
        phases = torch.stack([mean + scale * nodes, -mean + scale * nodes]).unsqueeze(-1) * w[0]
        signed = tensor([[share], [share - 1]])
        cosine, sine = ((signed * (weights @ part)).sum(0) for part in (phases.cos(), phases.sin()))
        truth = (1 - cosine**2 - sine**2) / 2
        found = gaussian_gaps(forall, drawn, n=3, frequencies=3).values
        torch.testing.assert_close(found + empirical, truth.unsqueeze(0))


@pytest.mark.parametrize("bed", ["labels", "coin", "independent", "gaussian"])
def test_every_bed_draws_one_gap_per_replicate_and_frequency(bed):
    values = {"class_probabilities": [1 / 6] * 6, "bias": 0.3, "share": 0.5, "mean": 1.0, "scale": 1.0}
    drawn = gaps(bed, instance(**values), Draw(5, ("test",)), n=4)
    assert (drawn.values <= 1).all()
    assert drawn.values.isfinite().all()
    for supremum in (drawn.kl_supremum(2.0), drawn.power_supremum(2.0)):
        assert supremum.shape == (5,)
        assert (supremum <= drawn.values.amax() + 1e-12).all()
    if drawn.prior is not None:
        assert drawn.prior.sum(-1).tolist() == pytest.approx([1.0] * 5)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "claim", [binary_loss_in_linear_time, multiclass_loss_in_linear_time, variance_for_two_classes]
)
def test_true_claims_hold_in_the_quick_effort(claim):
    assert bare_check(claim).status.favourable


def test_the_printed_variance_is_refuted_by_a_fair_coin_found_by_the_search_alone():
    verdict = check(variance_as_printed, effort="quick", family=45)
    assert verdict.status is Status.REFUTED
    assert verdict.cells[0].counterexample.values["class_probabilities"] == [0.5, 0.5]
