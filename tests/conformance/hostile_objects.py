"""Hostile arguments for the public classes: players, families of features, and the learners of `algos.estimators`."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from sklearn.base import clone

from algos.best_response.ascent import AscentPeaks
from algos.best_response.harmonic import HarmonicPeaks, ZonalPeaks
from algos.best_response.lattice import FinitePeaks, LatticePeaks
from algos.best_response.planar import PlanarPeaks
from algos.best_response.separable_potential import SeparablePotential
from algos.estimators import (
    GaussianLandmarks,
    GreedyFourierFeatures,
    LearnedKernelFeatures,
    LeverageWeightedFeatures,
    NotSoRandomFeatures,
    PseudoBayesianLandmarks,
)
from algos.fourier.feature_families import ArcCosine, Coordinates, OffsetCosine
from algos.margin_game.projection import BoxHyperplane
from algos.sphere.zonal_features import ZonalMap
from tests.conformance import hostile, hostile_tensors

Method = tuple[Callable[..., Any], dict[str, Any]]
"""A callable and ordinary arguments of it."""
LABELS = hostile_tensors.LABELS
RANDOM = np.random.default_rng(11)
CLOUD, PLANE, SPHERE, FEW = (torch.from_numpy(RANDOM.normal(size=(n, d))) for n, d in ((6, 4), (6, 2), (6, 3), (4, 2)))
LINE = torch.arange(6).unsqueeze(-1)
WEIGHTS = 0.1 * LABELS


def _generator() -> torch.Generator:
    return torch.Generator().manual_seed(1)


Player = tuple[type, dict[str, Any], dict[str, dict[str, Any]]]
"""A class with ordinary arguments of its constructor and of its methods."""
ANSWER = {"__call__": {"signed": WEIGHTS}}
LINE_INDEX, PLANE_INDEX, WHOLE = torch.ones(1).double(), torch.ones(2).double(), torch.tensor([1, 0])


def _found(index: torch.Tensor, points: torch.Tensor, **others: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Arguments of the methods that every player has."""
    return ANSWER | others | {"features": {"index": index, "points": points}}


def _finite_players() -> dict[str, Player]:
    """Players that search finitely many features."""
    zonal = {"potentials": {"signed": WEIGHTS}, "map": {"degree": 2}}
    potential = {"potential": {"signed": WEIGHTS}}
    return {
        "LatticePeaks": (LatticePeaks, {"points": LINE, "grid": 64}, _found(LINE_INDEX, LINE, **potential)),
        "FinitePeaks": (FinitePeaks, {"points": PLANE, "frequencies": FEW}, _found(PLANE_INDEX, PLANE, **potential)),
        "HarmonicPeaks": (HarmonicPeaks, {"points": SPHERE, "degree": 4}, _found(WHOLE, SPHERE)),
        "ZonalPeaks": (ZonalPeaks, {"points": CLOUD, "degree": 3}, _found(WHOLE[:1], CLOUD, **zonal)),
    }


def _continuous_players() -> dict[str, Player]:
    """Players that search frequencies of the plane."""
    ascent = {"starts": 3, "steps": 4, "lengthscale": 1.0, "step": 2.0, "polish": 3, "radius": 5.0, "reuse": False}
    planar = {"radius": 2.0, "spacing": 0.25, "starts": 3, "tolerance": 0.1, "evaluations": 1000}
    return {
        "PlanarPeaks": (PlanarPeaks, {"points": PLANE} | planar, _found(PLANE_INDEX, PLANE)),
        "AscentPeaks": (
            AscentPeaks,
            {"points": PLANE, "generator": None, "search": torch.float64} | ascent,
            _found(PLANE_INDEX, PLANE, best={"signed": WEIGHTS, "count": 2}),
        ),
    }


def _family(parameters: torch.Tensor) -> dict[str, dict[str, Any]]:
    sums = {"points": PLANE, "weights": WEIGHTS.unsqueeze(0)}
    return {
        "draw": {"count": 3, "dimension": 2, "generator": None, "dtype": torch.float64},
        "evaluate": {"points": PLANE, "parameters": parameters},
        "kernel": {"points": PLANE, "others": FEW},
        "weighted_sums": sums | {"parameters": parameters},
        "squared_sums": {"points": PLANE, "parameters": parameters},
    }


def _families() -> dict[str, Player]:
    """Families of features, and the map of one degree of the sphere."""
    parameters = torch.cat([FEW, FEW[:, :1]], -1)
    every = {"every": {"dimension": 2, "device": "cpu"}}
    return {
        "ZonalMap": (ZonalMap, {"degree": 2, "dimension": 3}, {"__call__": {"points": SPHERE}}),
        "OffsetCosine": (OffsetCosine, {"gamma": 0.5}, _family(parameters)),
        "Coordinates": (Coordinates, {}, _family(torch.tensor([[0], [1]])) | every),
        "ArcCosine": (ArcCosine, {"order": 2}, _family(FEW)),
    }


def _parts_of_games() -> dict[str, Player]:
    """What players are made of: a potential on the plane, a projection."""
    moments = SeparablePotential(PLANE, radius=2.0).moments(WEIGHTS)
    at = {"moments": moments, "frequencies": FEW.clamp(-1, 1)}
    axis = torch.linspace(0, 1, 4, dtype=torch.float64)
    methods = {
        "moments": {"signed": WEIGHTS},
        "value": at,
        "value_and_gradient": at,
        "value_gradient_and_hessian": at,
        "grid": {"moments": moments, "first": axis, "second": axis},
    }
    return {
        "SeparablePotential": (SeparablePotential, {"points": PLANE, "radius": 2.0}, methods),
        "BoxHyperplane": (BoxHyperplane, {"labels": LABELS, "box": 1.0}, {"__call__": {"points": WEIGHTS}}),
    }


PLAYERS = _finite_players() | _continuous_players() | _parts_of_games() | _families()
"""Constructors and methods by the name of the class."""
LEARNERS: dict[str, Any] = {
    "GaussianLandmarks": GaussianLandmarks(2, gamma=0.5, selection="kmeans", n_init=2, random_state=1),
    "PseudoBayesianLandmarks": PseudoBayesianLandmarks(0.5, n_frequencies=4, random_state=1),
    "GreedyFourierFeatures": GreedyFourierFeatures(3, pool_size=9, random_state=1),
    "GreedyFourierFeatures-chi-square": GreedyFourierFeatures(3, pool_size=9, weighting="chi-square", random_state=1),
    "LearnedKernelFeatures": LearnedKernelFeatures(n_features=9, n_components=3, random_state=1),
    "LearnedKernelFeatures-arc-cosine": LearnedKernelFeatures("arc-cosine", n_features=9, order_k=3.0, random_state=1),
    "LeverageWeightedFeatures": LeverageWeightedFeatures(3, pool_size=9, block_rows=4, random_state=1),
    "LeverageWeightedFeatures-matern": LeverageWeightedFeatures(3, kernel="matern32", pool_size=9, random_state=1),
    "NotSoRandomFeatures": NotSoRandomFeatures(n_rounds=3, n_starts=3, n_steps=3, radius=2.0, random_state=1),
    "NotSoRandomFeatures-ascent": NotSoRandomFeatures(
        n_rounds=2, peaks="ascent", n_starts=3, n_steps=3, lengthscale=1.0, step=0.1, certify=True, random_state=1
    ),
}
"""Learners small enough to be fitted often."""
_SAMPLE_WORDS = r"sample|data|could not convert|feature|array|Input|input|label|class|target|dtype|estimator"
"""How scikit-learn names X and y."""


def methods(name: str) -> Iterator[tuple[str, Method]]:
    """The constructor and the methods of a class, each with ordinary arguments."""
    made, given, by_method = PLAYERS[name]
    yield name, (made, given)
    for method, arguments in by_method.items():
        yield f"{name}.{method}", (_late(made, given, method), arguments)


def _late(made: type, given: dict[str, Any], method: str) -> Callable[..., Any]:
    """A method of a fresh object, under the signature of the method."""

    def call(**arguments: Any) -> Any:
        ready = {k: _generator() if k == "generator" else v for k, v in given.items()}
        return getattr(made(**ready), method)(**arguments)

    signature = inspect.signature(getattr(made, method))
    parameters = [p for p in signature.parameters.values() if p.name != "self"]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return call


def failures_of_class(name: str, rng: np.random.Generator, count: int) -> list[str]:
    """Calls of the constructor and of the methods of a class that end as they should not."""
    found = []
    for title, (function, usual) in methods(name):
        ready = {k: _generator() if k == "generator" else v for k, v in usual.items()}
        for arguments, junk in hostile_tensors.spoilt_calls(function, ready, rng, count):
            end = hostile_tensors.end(function, arguments, junk=junk)
            if end not in ("named", "answered"):
                found.append(f"{end}: {title}({arguments!r:.500})")
    return found


def _spoilt_sample(rng: np.random.Generator) -> tuple[Any, Any]:
    """Points and labels, of which one, at least, should not be there."""
    points, labels = PLANE.numpy().copy(), np.where(LABELS.numpy() > 0, "in", "out")
    extreme = float(rng.choice([np.nan, np.inf, -np.inf, 1e300, -1e300, 1e-300, 1e154, 1e39, 0.0]))
    one = points.copy()
    one[int(rng.integers(6)), int(rng.integers(2))] = extreme
    ways: tuple[tuple[Any, Any], ...] = (
        (one, labels),
        (one, labels),
        (np.full_like(points, extreme), labels),
        (extreme * points, labels),
        (points[:0], labels[:0]),
        (points[:1], labels[:1]),
        (points[:2], labels[:2]),
        (points[:, :0], labels),
        (points[:, :1], labels),
        (points, labels[:3]),
        (points, np.full(6, "in")),
        (points, np.arange(6)),
        (points, np.linspace(0, 1, 6)),
        (points, np.array([0.0, 1.0, np.nan, 0.0, 1.0, 1.0])),
        (points, labels.astype(object)),
        (points, None),
        (points, np.stack([labels, labels], -1)),
        (points.ravel(), labels),
        (points[None], labels),
        (points.astype(np.float32), labels),
        (points.astype(np.float16), labels),
        (points.round().astype(int), labels),
        (points > 0, labels),
        (points.astype(complex), labels),
        (points.astype(str), labels),
        (np.asfortranarray(points), labels),
        (points[::-1], labels),
        (points.tolist(), labels.tolist()),
        (np.zeros_like(points), labels),
        (1e300 * np.ones_like(points), labels),
        ("points", labels),
        (None, labels),
        (3.0, labels),
        (points, 1.0),
        (torch.from_numpy(points), torch.from_numpy(labels == "in")),
    )
    return ways[int(rng.integers(len(ways)))]


def learner_end(learner: Any, sample: tuple[Any, Any], later: Any) -> str:
    """How fitting and transforming ends."""
    names = [*learner.get_params(), "X", "y"]

    def run() -> Any:
        return learner.fit(*sample).transform(sample[0] if later is None else later)

    end = hostile.verdict(run, {}, junk=False)
    if end.endswith("names no argument"):
        try:
            run()
        except (ValueError, TypeError) as error:
            if re.search(rf"\b({'|'.join(names)})\b|{_SAMPLE_WORDS}", str(error)):
                return "named"
        return end
    return end


def learner_calls(name: str, rng: np.random.Generator, count: int) -> Iterator[tuple[Any, tuple[Any, Any], Any]]:
    """Learners with one absurd parameter, absurd samples for ordinary learners, and absurd points to transform."""
    usual = LEARNERS[name]
    sample = (PLANE.numpy(), np.where(LABELS.numpy() > 0, "in", "out"))
    for _ in range(count):
        learner, kind = clone(usual), rng.random()
        if kind < 0.5:
            key = str(rng.choice(sorted(learner.get_params())))
            pool = hostile.NUMBERS if rng.random() < 0.7 else hostile.JUNK
            learner.set_params(**{key: pool[int(rng.integers(len(pool)))]})
            yield learner, sample, None
        elif kind < 0.8:
            yield learner, _spoilt_sample(rng), None
        else:
            yield learner, sample, _spoilt_sample(rng)[0]


def failures_of_learner(name: str, rng: np.random.Generator, count: int) -> list[str]:
    """Fits and transforms that end as they should not."""
    found = []
    for learner, sample, later in learner_calls(name, rng, count):
        end = learner_end(learner, sample, later)
        if end not in ("named", "answered"):
            found.append(f"{end}: {learner!r:.300} on {sample!r:.300}, {later!r:.200}".replace("\n", " "))
    return found
