"""The pbrff claims: exact laws of the test beds, learners on separable data, and verdicts that must come out."""

import itertools
import math

import pytest
import torch

from algos.alignment import pairwise_alignment_loss
from harness.api import check
from harness.claims.pbrff import experiments
from harness.claims.pbrff.beds import coin_gaps, gaps, gaussian_gaps, independent_gaps, label_gaps
from harness.claims.pbrff.guarantees import chi_square_as_printed, power_divergence_as_printed
from harness.claims.pbrff.identities import binary_loss_in_linear_time, multiclass_loss_in_linear_time
from harness.claims.pbrff.learners import (
    GreedyGrids,
    Machine,
    Task,
    best,
    greedy_errors,
    kernel_machine,
    landmark_errors,
    linear_machine,
    published_split,
    random_split,
)
from harness.claims.pbrff.variance import variance_as_printed, variance_for_two_classes
from harness.data import VARIABLE, breast_cancer
from harness.errors import SkipClaim
from harness.quantifiers import Draw, Forall, from_values
from harness.verdict import Status

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def instance(**values) -> Forall:
    return Forall(from_values({name: tensor([value]) for name, value in values.items()}))


class Scripted:
    """A draw that returns given tensors."""

    def __init__(self, **values) -> None:
        self.values = values

    def __getattr__(self, kind):
        return lambda name, *_, **__: self.values[name]


def test_the_label_beds_have_gaps_of_mean_zero_over_all_samples():
    """Enumerates every sample of three labels; catches a population loss that is not the mean of the empirical one."""
    p, mean = [0.5, 0.3, 0.2], 0.0
    for labels in itertools.product(range(3), repeat=3):
        counts = tensor([[float(labels.count(k)) for k in range(3)]])
        gap = label_gaps(instance(class_probabilities=p), Scripted(class_counts=counts), n=3, classes=3)
        assert gap.shape == (1, 1)
        mean += math.prod(p[k] for k in labels) * float(gap)
    assert mean == pytest.approx(0, abs=1e-15)
    mean = 0.0
    for heads in range(5):
        counts = tensor([[float(heads), 4.0 - heads]])
        weight = math.comb(4, heads) * 0.3**heads * 0.7 ** (4 - heads)
        mean += weight * float(coin_gaps(instance(bias=0.3), Scripted(class_counts=counts), n=4))
    assert mean == pytest.approx(0, abs=1e-15)


def test_the_independent_bed_is_the_alignment_loss_at_the_frequencies_pi_e_k():
    inputs = tensor([[[1, 0, 1, 1], [0, 0, 1, 0]]])
    gap = independent_gaps(instance(bias=0.4), Scripted(inputs=inputs), n=4, frequencies=2)
    loss = pairwise_alignment_loss(inputs[0].mT, torch.ones(4, dtype=torch.float64), torch.pi * torch.eye(2).double())
    torch.testing.assert_close(gap, 0.48 - loss.unsqueeze(0), **CLOSE)


def test_the_gaussian_bed_has_the_loss_of_its_law():
    """Gauss-Hermite quadrature over both classes against the closed form, at the two ends and in between."""
    nodes, weights = (tensor(a) for a in __import__("numpy").polynomial.hermite_e.hermegauss(60))
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
        torch.testing.assert_close(gaussian_gaps(forall, drawn, n=3, frequencies=3) + empirical, truth.unsqueeze(0))


@pytest.mark.parametrize("bed", ["labels", "coin", "independent", "gaussian"])
def test_every_bed_draws_one_gap_per_replicate_and_frequency(bed):
    values = {"class_probabilities": [1 / 6] * 6, "bias": 0.3, "share": 0.5, "mean": 1.0, "scale": 1.0}
    drawn = gaps(bed, instance(**values), Draw(5, ("test",)), n=4)
    assert drawn.shape[0] == 5
    assert (drawn <= 1).all()
    assert drawn.isfinite().all()


@pytest.mark.parametrize(
    "claim", [binary_loss_in_linear_time, multiclass_loss_in_linear_time, variance_for_two_classes]
)
def test_true_claims_hold_in_the_quick_effort(claim):
    assert check(claim, effort="quick").status is Status.HOLDS


@pytest.mark.parametrize("claim", [variance_as_printed, power_divergence_as_printed, chi_square_as_printed])
def test_false_claims_are_refuted_by_the_search_alone(claim):
    verdict = check(claim, effort="quick", family=45)
    assert verdict.status is Status.REFUTED
    assert any(cell.counterexample for cell in verdict.cells)


def two_clouds(n: int = 80) -> Task:
    """Two far clouds in the plane: everything that learns anything is right."""
    generator = torch.Generator().manual_seed(0)
    labels = torch.where(torch.arange(n) % 2 == 0, 1.0, -1.0).double()
    points = 4 * labels.unsqueeze(-1) * tensor([1.0, 0.0]) + 0.1 * torch.randn(
        n, 2, dtype=torch.float64, generator=generator
    )
    order = torch.randperm(n, generator=generator)
    return random_split(points, labels, order, gammas=(0.01, 0.1), costs=(1.0, 100.0))


def test_learners_are_right_on_separated_clouds():
    task = two_clouds()
    assert kernel_machine(task).test_error == 0
    assert linear_machine(task, task.points, costs=(1.0,)).test_error == 0
    found = landmark_errors(task, gamma=0.01, costs=(1.0, 100.0), features=16, beta=1.0, seed=0)
    assert (found.rbf, found.pseudo_bayesian) == (0, 0)
    grids = GreedyGrids(betas=(1.0, 10.0), radii=(0.01, 0.1), costs=(1.0, 100.0))
    errors = greedy_errors(task, gamma=0.01, grids=grids, pool=200, count=20, repeats=(2, 1), seed=0)
    assert errors.tolist() == [0, 0, 0]


def test_ties_go_to_the_first_candidate_and_errors_are_percentages():
    machines = [Machine((k,), error, 10.0 * k) for k, error in ((1, 5.0), (2, 3.0), (3, 3.0))]
    assert best(machines).parameters == (2,)
    task = two_clouds()
    wrong = -task.labels[task.test]
    assert task.errors(wrong.numpy(), task.test) == 100.0


def test_splits_have_the_published_sizes_and_no_row_twice():
    points, labels = breast_cancer()
    order = torch.randperm(569, generator=torch.Generator().manual_seed(0))
    for task in (
        published_split(points, labels, gammas=(1.0,), costs=(1.0,)),
        random_split(points, labels, order, gammas=(1.0,), costs=(1.0,)),
    ):
        assert (len(task.train), len(task.valid), len(task.test)) == (340, 86, 143)
        assert torch.cat([task.train, task.valid, task.test]).unique().numel() == 569


def test_the_published_error_of_the_kernel_machine_comes_out():
    ((_, ours, error, printed),) = experiments.kernel_machine_on_breast_cancer()
    assert ours == pytest.approx(700 / 143, rel=1e-12)
    assert error == 0
    assert round(ours, 2) == printed


def test_rows_are_paired_and_only_directions_are_judged():
    rows = experiments.landmarks_on_breast_cancer(Draw(2, ("test",)))
    values = {label.split(",")[0]: (ours, printed) for label, ours, _, printed in rows}
    difference = values["RBF landmarks"][0] - values["PB(beta = 1) landmarks"][0]
    assert values["RBF - PB(beta = 1)"] == (pytest.approx(difference, abs=1e-12), 0.0)
    assert [printed for _, printed in values.values()].count(None) == len(rows) - 1


def test_digits_are_skipped_with_the_remedy_without_a_folder(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    for claim in (experiments.landmarks_on_digits, experiments.few_learned_features_on_digits):
        with pytest.raises(SkipClaim, match="TIGHTROPE_DATA=FOLDER tightrope check"):
            claim(draw=Draw(2, ("test",)), pair="1-7")
