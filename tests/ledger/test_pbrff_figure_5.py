"""Figure 5 of pbrff at the paper's size: what its rows judge, its numbers of splits, and the features of a law."""

import pytest
import torch

from algos.fourier.random_features import random_fourier_features
from algos.kernel_learning.greedy_kernel import sample_frequencies
from harness.claims.full_size import FULL
from harness.claims.pbrff import figure_5, figures
from harness.claims.pbrff.learned_maps import drawn_features
from harness.data import VARIABLE
from harness.errors import SkipClaim
from harness.language.quantifiers import Draw
from harness.verdict import Status
from tests.helpers import as_tuples, bare_check


def tensor(values) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def curves(*, reps: int, plain: float, learned: float, many: float, shift: float = 0.0) -> dict[int, torch.Tensor]:
    """Errors at D = 1, 3 and 5000: plain and learned ones with few features, `many` with 5000, PBRFF `shift` more."""
    few, rest = tensor([plain, learned, learned]), tensor([many, many, many + shift])
    return {D: (rest if D > 3 else few).expand(reps, 2, 3).clone() for D in (1, 3, 5000)}


def test_figure_5_judges_what_print_says_of_few_and_of_many_features():
    """Each sentence has rows that turn negative where it is false, and standard errors of two splits have a floor."""

    def judged(errors, **options) -> dict[str, tuple[float, float, float]]:
        rows = figure_5.rows_of(errors, few=1.0, many=0.1, slight=None, **options)
        return {name.split(", in %")[0]: tuple(rest) for name, *rest in as_tuples(rows) if rest[-1] is not None}

    found = judged(curves(reps=2, plain=40, learned=20, many=1))
    assert len(found) == 10
    assert all(ours > bound for ours, _, bound in found.values())
    assert {error for _, error, _ in found.values()} == {1.0, 0.1}
    assert found["OKRFF: gain at D = 5000"] == (0.0, 0.1, -1.0)
    assert found["OKRFF: gain at D = 1 less gain at D = 5000"] == (20.0, 1.0, 0.0)
    assert judged(curves(reps=2, plain=20, learned=40, many=1))["PBRFF: gain, mean over D = 1 and 3"][0] == -20
    worse = judged(curves(reps=2, plain=40, learned=20, many=1, shift=3.0))
    assert {name for name, (ours, _, bound) in worse.items() if ours < bound} == {"PBRFF: gain at D = 5000"}
    better = judged(curves(reps=2, plain=40, learned=20, many=5, shift=-3.0))
    assert {name for name, (ours, _, bound) in better.items() if ours < bound} == {"PBRFF: loss at D = 5000"}


@pytest.mark.in_turn
def test_figure_5_at_full_size_runs_on_request_and_has_its_splits(monkeypatch):
    """The printed sizes are replaced by small ones; the numbers of splits are those that the deviations ask for."""
    assert (figure_5.FOLDS, figure_5.SPLITS, figure_5.LARGEST) == (3, 2, 5000)
    assert bare_check(figure_5.learned_features_at_full_size).status is Status.SKIPPED
    monkeypatch.setenv(FULL, "1")
    monkeypatch.delenv(VARIABLE, raising=False)
    small = figures.Study(figures.NARROW.grids, 50, dict.fromkeys((1, 3, 5000), (1, 1)))
    with pytest.raises(SkipClaim, match="data fetch mnist"):  # all four data sets, or none
        figure_5.learned_features_at_full_size(draw=Draw(2, ("test",)), name="breast")
    for name, value in (("FULL", small), ("ORDERS", 2), ("FOLDS", 2), ("required", lambda *_: None)):
        monkeypatch.setattr(figure_5, name, value)
    found = as_tuples(figure_5.learned_features_at_full_size(draw=Draw(2, ("test",)), name="breast"))
    assert sum(printed is not None for *_, printed in found) == 11


def test_a_frequency_drawn_often_is_one_feature():
    """The inner products are means over the draws, as those of as many columns as there are draws."""
    generator = torch.Generator().manual_seed(0)
    points, frequencies = (torch.randn(n, 3, dtype=torch.float64, generator=generator) for n in (20, 4))
    weights = tensor([0.7, 0.3, 0.0, 0.1])
    found = drawn_features(points, frequencies, weights, 50, generator=torch.Generator().manual_seed(1))
    drawn = sample_frequencies(frequencies, weights, 50, generator=torch.Generator().manual_seed(1))
    all_columns = random_fourier_features(points, drawn)
    assert found.shape == (20, 6)
    torch.testing.assert_close(found @ found.T, all_columns @ all_columns.T)
