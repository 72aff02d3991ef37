"""Appendix A.1 of nsrf: the search does what it says, and its claims fail where it is no search."""

import dataclasses
from dataclasses import replace

import pytest
import torch

from algos.fourier.sums import fourier_potential
from harness.claims.nsrf import evolution, langevin, langevin_search, search_guide, step_guide
from harness.verdict import Status
from tests.helpers import as_tuples, bare_check


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def one_cell(claim, number: int = 0):
    return dataclasses.replace(claim, cells=(claim.cells[number],))


def test_a_search_starts_where_it_should_and_reports_the_potential():
    """The starts of a search without steps have the asked-for variance, and its best value is that of the points."""
    hidden = langevin_search.hidden_potential(200, 50, length=1.5, generator=seeded())
    run = langevin_search.langevin_search(hidden, langevin_search.Search(400, 0, variance=6.0), generator=seeded())
    deviation = 6.0**0.5 / hidden.bandwidth()
    assert float(run.last.std()) == pytest.approx(deviation, rel=0.03)
    value = fourier_potential(hidden.points, run.best_index.double()[None], hidden.signed)
    assert float(run.best_value) == pytest.approx(float(value), rel=1e-3)


def test_the_first_move_has_three_percent_of_the_length_and_noise_of_its_size():
    hidden = langevin_search.hidden_potential(200, 50, length=1.5, generator=seeded())
    starts = langevin_search.langevin_search(hidden, langevin_search.Search(300, 0), generator=seeded()).last
    for noise, expected in ((0.0, 1.0), (1.0, 2.0**0.5)):
        search = langevin_search.Search(300, 1, noise=noise)
        moved = langevin_search.langevin_search(hidden, search, generator=seeded()).last - starts
        share = float(moved.square().mean().sqrt() / starts.square().mean().sqrt())
        assert share == pytest.approx(langevin_search.MOVE * expected, rel=0.05)


def test_the_hidden_wave_makes_the_labels_and_its_height():
    hidden = langevin_search.hidden_potential(4000, 20, length=1.5, generator=seeded())
    assert hidden.height / 4000**2 == pytest.approx(0.4, abs=0.05)
    assert set(hidden.signed.tolist()) == {-1.0, 1.0}


@pytest.mark.parametrize("cell", [0, 1])
def test_no_steps_find_no_peak(monkeypatch, cell):
    """At hundreds of dimensions; in the plane two starts are tried."""
    monkeypatch.setattr(langevin, "Search", lambda starts: langevin_search.Search(starts // 10, 0))
    assert bare_check(one_cell(langevin.dynamics_find_the_peak, cell)).status is Status.REFUTED


@pytest.mark.in_turn
@pytest.mark.parametrize("cell", [1, 2])
def test_the_rule_of_thumb_for_starts_can_fail(monkeypatch, cell):
    """One start and no step is no search."""
    monkeypatch.setattr(search_guide, "RULE", langevin_search.Search(1, 0))
    monkeypatch.setattr(search_guide, "ROUNDS", 2)
    monkeypatch.setattr(search_guide, "SAMPLES", 5)
    assert bare_check(one_cell(search_guide.rule_of_thumb_for_the_starts, cell)).status is Status.REFUTED


@pytest.mark.in_turn
def test_the_temperatures_can_change_places(monkeypatch):
    """With the noise called high and none exchanged, what rose falls."""
    exchanged = {"no noise": 10.0, "a tenth of the gradient step": 1.0, "ten times it": 0.0}
    monkeypatch.setattr(search_guide, "TEMPERATURES", exchanged)
    assert bare_check(one_cell(search_guide.high_temperatures_give_the_best_samples, 1)).status is not Status.HOLDS
    assert bare_check(search_guide.high_temperatures_can_hurt).status is not Status.HOLDS


@pytest.mark.in_turn
@pytest.mark.parametrize(("larger", "far"), [((0.03, 0.1), (30.0, 100.0)), ((30.0, 100.0), (3.0, 10.0))])
def test_another_step_is_noticed(monkeypatch, larger, far):
    monkeypatch.setattr(step_guide, "LARGER", larger)
    monkeypatch.setattr(step_guide, "FAR_LARGER", far)
    monkeypatch.setattr(step_guide, "TOYS", ("windmill",))
    monkeypatch.setattr(step_guide, "POINTS", (100,))
    monkeypatch.setattr(step_guide, "DRAWS", 4)
    assert bare_check(step_guide.step_of_the_guarantee_is_a_little_conservative).status is Status.REFUTED


def test_payoffs_are_those_of_a_game_with_the_step_of_the_guarantee():
    """Of 10 and 20 labels: D = sqrt 20 and G = sqrt 30 (1 + 20)."""
    seen = []

    class Search:
        def __call__(self, signed):
            seen.append(signed)
            raise StopIteration

    labels = torch.cat([torch.ones(10), -torch.ones(20)]).double()
    original = step_guide.played
    try:
        step_guide.played = lambda *_, rounds, step: (
            seen.append((rounds, step)) or original(*_, rounds=rounds, step=step)
        )
        with pytest.raises(StopIteration):
            step_guide.payoffs(Search(), labels, 2.0)
    finally:
        step_guide.played = original
    assert seen[0] == (75, pytest.approx(2 * 20**0.5 / (30**0.5 * 21)))


def test_the_pictures_of_figure_1_can_fail(monkeypatch):
    """With uniform weights for ever nothing moves to the margin, and no support grows."""
    labels = evolution.windmill_sample()[1]
    game = evolution.windmill_game(40, evolution.CAREFUL)
    still = replace(game, last_weights=torch.ones_like(labels))
    monkeypatch.setattr(evolution, "windmill_game", lambda *_: still)
    monkeypatch.setattr(evolution, "_ROUND", 40)
    grown = as_tuples(evolution.peaks_have_a_larger_support())[0]
    assert grown[1] == pytest.approx(grown[3])
    moved = as_tuples(evolution.weights_move_to_the_margin())[0]
    assert moved[1] == pytest.approx(moved[3])


@pytest.mark.in_turn
def test_the_baselines_are_compared_with_print():
    judged = [row for row in as_tuples(evolution.baselines_saturate()) if row[3] is not None]
    assert [(name.split(":")[0], printed) for name, _, _, printed in judged] == [
        ("windmill", 92.1),
        ("checkerboard", 95.1),
    ]
    assert all(abs(ours - printed) < 1.0 for _, ours, _, printed in judged)
