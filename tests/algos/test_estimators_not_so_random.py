"""The transformer against the game it plays: kernels, scalings, truncation, certificates, Figure 1 in the small."""

import math
import pickle

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from algos.best_response.ascent import AscentPeaks
from algos.best_response.harmonic import HarmonicPeaks, ZonalPeaks
from algos.best_response.lattice import LatticePeaks
from algos.best_response.planar import PlanarPeaks
from algos.estimators import NotSoRandomFeatures
from algos.margin_game.game import play_margin_game
from algos.margin_game.measure import dual_measure
from algos.margin_game.online import adagrad_norm_step, decreasing_step
from harness.data import checkerboard, windmill

torch.set_num_threads(1)

RANDOM = np.random.default_rng(0)
CLOUDS = {d: RANDOM.standard_normal((40, d)) for d in (2, 3, 5)}
INTEGERS = np.arange(40.0)[:, None]
LABELS = np.where(RANDOM.random(40) < 0.4, "yes", "no")
SIGNS = torch.from_numpy(np.where(LABELS == "yes", 1.0, -1.0))


def ascents(x):
    """The starts that `random_state=1` gives, computed as the transformers do."""
    seed = np.random.RandomState(1).randint(2**31 - 1, size=2)[1]
    return AscentPeaks(x, generator=torch.Generator().manual_seed(int(seed)), starts=8, steps=10)


PLAYED = {
    "ascent": (NotSoRandomFeatures(n_rounds=6, n_starts=8, n_steps=10, random_state=1), CLOUDS[5], ascents),
    "planar": (NotSoRandomFeatures(n_rounds=6, radius=8.0), CLOUDS[2], lambda x: PlanarPeaks(x, radius=8.0)),
    "lattice": (NotSoRandomFeatures(n_rounds=6), INTEGERS, LatticePeaks),
    "sphere": (NotSoRandomFeatures("sphere", n_rounds=6, degree=7), CLOUDS[3], lambda x: HarmonicPeaks(x, 7)),
    "circle": (NotSoRandomFeatures("zonal", n_rounds=6, degree=7), CLOUDS[2], lambda x: ZonalPeaks(x, 7)),
    "degrees": (NotSoRandomFeatures("zonal", n_rounds=6, degree=7), CLOUDS[3], lambda x: ZonalPeaks(x, 7)),
    "landmarks": (NotSoRandomFeatures("zonal", n_rounds=6, degree=4), CLOUDS[5], lambda x: ZonalPeaks(x, 4)),
}
every_player = pytest.mark.parametrize(("transformer", "points", "make"), PLAYED.values(), ids=PLAYED)


ZEROS = {"check_estimators_dtypes": "its sample has rows of zeros, which have no direction"}


@parametrize_with_checks(
    [NotSoRandomFeatures("zonal", n_rounds=3, degree=5), NotSoRandomFeatures("zonal", n_rounds=4, step="theory")],
    expected_failed_checks=lambda _: ZEROS,
)
def test_the_checks_of_scikit_learn_pass_on_spheres(estimator, check):
    check(estimator)


@every_player
def test_inner_products_are_the_mean_kernel_of_the_game(transformer, points, make):
    """sum_t Psi_t Psi_t^T / T over the rounds, merged or not; "raw" is T times that."""
    sample = torch.from_numpy(points)
    player = make(sample)
    minority = int(min((SIGNS > 0).sum(), (SIGNS < 0).sum()))
    step = adagrad_norm_step(math.sqrt(2 * minority))
    game = play_margin_game(player, SIGNS, 1.0, rounds=6, step=step)
    kernel = sum(psi @ psi.mT for psi in (player.features(index) for index in game.indices)) / 6
    features = clone(transformer).fit_transform(points, LABELS)
    np.testing.assert_allclose(features @ features.T, kernel, rtol=0, atol=1e-10)
    raw = clone(transformer).set_params(scaling="raw").fit_transform(points, LABELS)
    np.testing.assert_allclose(raw, math.sqrt(6) * features, rtol=1e-12, atol=1e-12)


@every_player
def test_attributes_describe_the_run(transformer, points, make):
    fitted = clone(transformer).fit(points, LABELS)
    features = fitted.transform(points)
    names = fitted.frequencies_ if transformer.domain == "euclidean" else fitted.indices_
    assert names.shape[0] == fitted.masses_.shape[0] <= 6
    assert fitted.masses_.sum() == pytest.approx(1.0)
    assert fitted.values_.shape == fitted.gaps_.shape == (6,)
    assert features.shape[1] == len(fitted.get_feature_names_out())
    assert fitted.classes_.tolist() == ["no", "yes"]
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(points), features)
    rounded = fitted.transform(points.astype(np.float32))
    assert rounded.dtype == np.float32
    np.testing.assert_allclose(rounded, features, rtol=0, atol=1e-4)
    assert clone(transformer).fit(points.astype(np.float32), LABELS).transform(points).dtype == np.float64


@pytest.mark.parametrize("name", [name for name in PLAYED if name != "ascent"])
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_gpu_plays_the_same_game(name):
    """Ascents are left out: they start where the generator of the device says."""
    transformer, points, _ = PLAYED[name]
    on_cpu = clone(transformer).fit_transform(points, LABELS)
    on_gpu = clone(transformer).set_params(device="cuda").fit_transform(points, LABELS)
    np.testing.assert_allclose(on_gpu @ on_gpu.T, on_cpu @ on_cpu.T, rtol=0, atol=1e-8)


@every_player
@pytest.mark.parametrize("step", ["adagrad", "theory", 0.01])
def test_a_truncated_run_is_a_shorter_run(transformer, points, make, step):
    whole = clone(transformer).set_params(step=step).fit(points, LABELS)
    short = clone(whole).set_params(n_rounds=3).fit(points, LABELS)
    cut = whole.truncated(3)
    np.testing.assert_allclose(cut.transform(points), short.transform(points), rtol=0, atol=1e-12)
    assert cut.get_params() == short.get_params()
    assert len(whole.values_) == 6  # the long run is left as it was
    with pytest.raises(ValueError, match="rounds = 7"):
        whole.truncated(7)


def test_steps_and_masses_are_those_of_the_theorem():
    """D = C sqrt(2 m), G = sqrt(n) (1 + 2 s C m): the factors that print leaves out would give other weights."""
    minority = int((LABELS == "yes").sum())
    player = HarmonicPeaks(torch.from_numpy(CLOUDS[3]), 7)
    for mass in (1, 2):
        scale = 0.5 * math.sqrt(2 * minority) / (math.sqrt(40) * (1 + 2 * mass * 0.5 * minority))
        game = play_margin_game(player, SIGNS, 0.5, rounds=5, step=decreasing_step(scale), mass=mass)
        fitted = NotSoRandomFeatures("sphere", n_rounds=5, degree=7, C=0.5, step="theory", mass=mass)
        fitted.fit(CLOUDS[3], LABELS)
        torch.testing.assert_close(fitted.game_.mean_weights, game.mean_weights, rtol=0, atol=1e-12)
        np.testing.assert_allclose(fitted.masses_, dual_measure(game).masses)


@pytest.mark.parametrize("mass", [1, 2])
def test_the_certificate_encloses_what_a_machine_on_the_features_pays(mass):
    """max_K F against the kernel is the dual optimum of the machine in the box mass C, at most `upper`."""
    points, labels = checkerboard(120, seed=0)
    fitted = NotSoRandomFeatures("sphere", n_rounds=200, degree=9, C=0.5, mass=mass, certify=True).fit(points, labels)
    lower, upper = fitted.value_bounds_
    features = fitted.transform(points)
    machine = SVC(kernel="linear", C=0.5 * mass, tol=1e-8).fit(features, labels)
    slack = np.maximum(0, 1 - labels.numpy() * machine.decision_function(features)).sum()
    primal = 0.5 * (machine.coef_**2).sum() + 0.5 * mass * slack
    assert upper == pytest.approx(primal, rel=1e-5)
    assert 0 < lower < upper
    assert not hasattr(fitted.truncated(5), "value_bounds_")


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_zonal_features_do_not_see_rotations_and_pairs_do(dimension):
    """Fitted on rotated data, the kernel of degrees is the same; that of pairs (l, +-m) is another."""
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((dimension, dimension)))[0]
    points = CLOUDS[dimension]

    def change(transformer):
        plain, rotated = (clone(transformer).fit_transform(x, LABELS) for x in (points, points @ turn))
        return np.abs(plain @ plain.T - rotated @ rotated.T).max()

    assert change(NotSoRandomFeatures("zonal", n_rounds=5, degree=6)) < 1e-8
    if dimension == 3:
        assert change(NotSoRandomFeatures("sphere", n_rounds=5, degree=6)) > 0.01


def test_the_checkerboard_is_learned_from_few_harmonics():
    """Figure 1 in the small: 600 points; the linear machine on the coordinates is at chance."""
    (points, labels), (new, truth) = checkerboard(600, seed=1), checkerboard(4000, seed=2)
    model = NotSoRandomFeatures("sphere", n_rounds=60, step=3e-3, scaling="raw", degree=15).fit(points, labels)
    machine = SVC(kernel="linear", C=1.0).fit(model.transform(points), labels)
    assert len(model.masses_) <= 29
    assert (machine.predict(model.transform(new)) == truth.numpy()).mean() > 0.95
    assert SVC(kernel="linear").fit(points, labels).score(new, truth) < 0.6


def test_the_windmill_is_learned_beyond_a_gaussian_kernel_of_median_bandwidth():
    (points, labels), (new, truth) = windmill(400, seed=1), windmill(4000, seed=2)
    model = NotSoRandomFeatures(n_rounds=150, step=5e-4, scaling="raw", radius=20.0).fit(points, labels)
    machine = SVC(kernel="linear", C=1.0).fit(model.transform(points), labels)
    gaussian = SVC(C=1.0, gamma=1 / (2 * 0.894**2)).fit(points, labels)
    assert (machine.predict(model.transform(new)) == truth.numpy()).mean() > gaussian.score(new, truth) + 0.03


@pytest.mark.parametrize(
    ("transformer", "points", "message"),
    [
        (NotSoRandomFeatures("plane"), CLOUDS[2], "domain = 'plane' must be one of 'euclidean', 'sphere'"),
        (NotSoRandomFeatures(n_rounds=0), CLOUDS[2], "n_rounds = 0"),
        (NotSoRandomFeatures(C=0.0), CLOUDS[2], r"C = 0\.0"),
        (NotSoRandomFeatures(C=math.inf), CLOUDS[2], "C = inf"),
        (NotSoRandomFeatures(step="fast"), CLOUDS[2], "step = 'fast'"),
        (NotSoRandomFeatures(step=-1.0), CLOUDS[2], r"step = -1\.0"),
        (NotSoRandomFeatures(mass=3), CLOUDS[2], "mass = 3"),
        (NotSoRandomFeatures(scaling="unit"), CLOUDS[2], "scaling = 'unit'"),
        (NotSoRandomFeatures(peaks="fft"), CLOUDS[2], "peaks = 'fft'"),
        (NotSoRandomFeatures(radius=-1), CLOUDS[2], "radius = -1"),
        (NotSoRandomFeatures(n_starts=0), CLOUDS[2], "n_starts = 0"),
        (NotSoRandomFeatures(n_steps=1.5), CLOUDS[2], r"n_steps = 1\.5"),
        (NotSoRandomFeatures(lengthscale=0.0, peaks="ascent"), CLOUDS[2], r"lengthscale = 0\.0"),
        (NotSoRandomFeatures("zonal", degree=-1), CLOUDS[2], "degree = -1"),
        (NotSoRandomFeatures("sphere"), CLOUDS[2], "n_features = 2, but pairs of harmonics need 3"),
        (NotSoRandomFeatures("zonal"), INTEGERS, "n_features = 1, but spheres need 2"),
        (NotSoRandomFeatures(peaks="lattice"), CLOUDS[2][:, :1], "is no integer"),
        (NotSoRandomFeatures(peaks="planar"), CLOUDS[3], r"\(40, 3\)"),
        (NotSoRandomFeatures("zonal"), np.zeros((40, 2)), "points is zero"),
    ],
    ids=str,
)
def test_bad_parameters_are_named_when_fitting(transformer, points, message):
    with pytest.raises(ValueError, match=message):
        transformer.fit(points, LABELS)


@pytest.mark.parametrize(("labels", "count"), [(np.zeros(40), 1), (np.arange(40) % 3, 3)])
def test_other_than_two_classes_are_refused(labels, count):
    with pytest.raises(ValueError, match=f"y has {count} classes"):
        NotSoRandomFeatures("zonal", n_rounds=2).fit(CLOUDS[3], labels)


def test_a_certificate_of_an_uncertified_search_is_trivial_below():
    points = np.random.default_rng(3).normal(size=(12, 3))
    labels = np.arange(12) % 2
    machine = NotSoRandomFeatures(n_rounds=3, n_starts=3, n_steps=3, certify=True, random_state=0).fit(points, labels)
    assert machine.value_bounds_[0] == 0.0
    assert np.isfinite(machine.value_bounds_[1])
