"""Ordinary and hostile arguments for functions of tensors, drawn from what their signatures declare."""

import inspect
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, get_args, get_origin

import numpy as np
import torch
from torch import Tensor

from algos.best_response.lattice import LatticePeaks
from algos.best_response.oracle import BestResponse
from algos.fourier.feature_families import FeatureFamily, OffsetCosine
from algos.fourier.random_features import random_fourier_features
from algos.fourier.structured import structured_signs
from algos.fourier.sums import fourier_potential_and_gradient
from algos.margin_game.game import play_margin_game
from algos.margin_game.measure import dual_measure
from algos.margin_game.online import decreasing_step
from algos.margin_game.projection import project_box_hyperplane
from signatures.checked import Unbounded
from signatures.domains import Interval, Options, Plain
from signatures.tensors import Device, Scalars, Shaped
from tests.conformance import hostile

SIZES = {"n": 6, "d": 2, "m": 4, "k": 5, "s": 4, "v": 5, "c": 2, "r": 3, "l": 3, "t": 4, "p": 3}
POINTS = torch.arange(6, dtype=torch.float64).unsqueeze(-1)
LABELS = torch.tensor([1.0, -1.0, 1.0, 1.0, -1.0, -1.0], dtype=torch.float64)


def _player() -> LatticePeaks:
    return LatticePeaks(POINTS, grid=64)


def _game() -> Any:
    return play_margin_game(_player(), LABELS, 1.0, rounds=5, step=decreasing_step(0.1))


def _climb(frequencies: Tensor) -> tuple[Tensor, Tensor]:
    points = torch.ones(6, 2, dtype=torch.float64)
    return fourier_potential_and_gradient(points, frequencies, torch.ones(6, dtype=torch.float64))


def _gradient(_round: int, actions: Tensor) -> Tensor:
    return -actions


SPECIAL: dict[str, Callable[[], Any]] = {
    "respond": _player,
    "player": _player,
    "game": _game,
    "measure": lambda: dual_measure(_game()),
    "family": lambda: OffsetCosine(0.5),
    "generator": lambda: torch.Generator().manual_seed(1),
    "step": lambda: decreasing_step(0.1),
    "project": lambda: lambda actions: project_box_hyperplane(actions, LABELS, 1.0),
    "gradient": lambda: _gradient,
    "value_and_gradient": lambda: _climb,
    "function": lambda: lambda radius: radius.sqrt(),
    "progress": lambda: None,
    "dtype": lambda: torch.float64,
    "device": lambda: None,
    "block_bytes": lambda: None,
    "out": lambda: None,
    "smoothness": lambda: 1.5,
    "order": lambda: 3.0,
    "max_steps": lambda: 50,
    "iterations": lambda: 20,
    "steps": lambda: 5,
    "lengths": lambda: 20,
    "offsets": lambda: 10,
    "nodes": lambda: 9,
    "tolerance": lambda: 1e-3,
    "rtol": lambda: 1e-9,
    "degree": lambda: 3,
    "dimension": lambda: 3,
    "rounds": lambda: 4,
    "columns_per_feature": lambda: 1,
    "temperature": lambda: 0.1,
    "curvature": lambda: 1.0,
}
"""Arguments of a name that domains do not describe, or whose usual size keeps a call short."""
PER_FUNCTION: dict[str, dict[str, Callable[[], Any]]] = {
    "feature_map": {},
    "leverage_weighted_sample": {
        "feature_map": lambda: random_fourier_features,
        "pool": lambda: _rows(4, 2),
        "columns_per_feature": lambda: 2,
    },
    "pseudo_bayesian_similarities": {"sample": lambda: torch.tensor([0, 2, 3])},
    "feature_gram": {"feature_map": lambda: lambda points: points.cos()},
    "feature_moments": {"feature_map": lambda: lambda points: points.cos()},
    "divergence_ball_dual": {"threshold": lambda: torch.tensor(0.1, dtype=torch.float64)},
    "langevin_dynamics": {"step": lambda: 0.01, "noise": lambda: None},
    "langevin_noise_scale": {"step": lambda: 0.01},
    "printed_noise_scale": {"step": lambda: 0.01},
    "stationary_variance": {"step": lambda: 0.01},
    "spline_kernel": {"offsets": lambda: _rows(4, 2)},
    "spline_frequencies": {"shape": lambda: (3, 1)},
    "alignment_vector": {"parameters": lambda: _rows(4, 3)},
    "alignment_u_statistic": {"parameters": lambda: _rows(4, 3), "targets": lambda: LABELS.unsqueeze(0)},
    "harmonic_pairs": {"indices": lambda: torch.tensor([[1, 0], [2, 1]])},
    "conjugate_index": {"indices": lambda: torch.tensor([[1, 0], [2, -1]])},
    "spherical_harmonics": {},
    "structured_frequencies": {"signs": lambda: _signs(2), "dimension": lambda: 2},
    "structured_phases": {"signs": lambda: _signs(2)},
    "structured_fourier_features": {"signs": lambda: _signs(2)},
    "project_cone_ball": {},
    "strongly_concave_step": {},
    "average_regret": {"rounds": lambda: 3},
    "play_squared_hinge_game": {"step": lambda: None},
}


def _signs(p: int) -> Tensor:
    return structured_signs(3, p, generator=torch.Generator().manual_seed(1))


def _rows(*shape: int) -> Tensor:
    return torch.linspace(0.1, 0.9, math.prod(shape), dtype=torch.float64).reshape(shape)


def ordinary(function: hostile.Function, rng: np.random.Generator, batch: tuple[int, ...] = ()) -> dict[str, Any]:
    """Arguments that the function answers, drawn until it does."""
    last = ""
    for _ in range(30):
        arguments = {
            name: _argument(function.__name__, name, parameter.annotation, rng, batch)
            for name, parameter in inspect.signature(function).parameters.items()
        }
        try:
            call(function, arguments)
        except ValueError as error:
            last = str(error)
            continue
        return arguments
    raise AssertionError(f"{function.__module__}.{function.__name__} refuses its own domains: {last}")


def call(function: hostile.Function, arguments: dict[str, Any]) -> Any:
    """Call with a shape spread over positional arguments, where there is one."""
    given = dict(arguments)
    shape = given.pop("shape", ())
    given = {k: torch.Generator().manual_seed(1) if isinstance(v, torch.Generator) else v for k, v in given.items()}
    result = function(*shape, **given) if isinstance(shape, tuple) else function(shape, **given)
    return list(result) if inspect.isgenerator(result) else result


def _argument(function: str, name: str, annotation: Any, rng: np.random.Generator, batch: tuple[int, ...]) -> Any:
    special = PER_FUNCTION.get(function, {}).get(name)
    if special is not None:
        return special()
    domain = _declared(annotation)
    if name == "shape":
        return (3, 2)
    if isinstance(domain, Shaped):
        return tensor(name, domain, rng, batch)
    if name in SPECIAL:
        return SPECIAL[name]()
    if isinstance(domain, Scalars):
        span = Interval(domain.interval)
        return float(rng.uniform(max(span.low, 0.1), min(span.high, 1.0)))
    if annotation is bool:
        return False
    if isinstance(domain, Plain) and domain.whole:
        return int(rng.integers(max(2, math.ceil(Interval(domain.interval).low)), 4))
    if domain is None or isinstance(domain, Options):
        return hostile._argument(name, hostile.domain_of(annotation), rng)
    span = Interval(domain.interval)
    return float(rng.uniform(max(span.low, 0.1), min(span.high, 2.0)))


def _declared(annotation: Any) -> Any:
    if get_origin(annotation) is Annotated:
        return next((mark for mark in annotation.__metadata__ if hasattr(mark, "acceptor")), None)
    inner = [part for part in get_args(annotation) if part is not type(None)]
    return _declared(inner[0]) if len(inner) == 1 else None


def tensor(name: str, domain: Shaped, rng: np.random.Generator, batch: tuple[int, ...] = ()) -> Tensor:
    """A tensor of a domain: signs, codes, probabilities, semidefinite matrices or numbers of the order of one."""
    tokens = domain.axes.split()
    lead = batch if tokens[:1] == ["*batch"] else (3,) if tokens[:1] == ["*any"] else ()
    axes = [token.partition(">=")[0] for token in tokens if not token.startswith("*")]
    shape = lead + tuple(int(axis) if axis.isdigit() else SIZES[axis] for axis in axes)
    if domain.interval == "[-1, 1]":
        return LABELS.expand(shape).clone()
    if domain.kind == "codes":
        return torch.from_numpy(rng.integers(0, 2, size=shape)) if shape else torch.tensor(1)
    if len(axes) > 1 and axes[-1] == axes[-2]:
        root = torch.from_numpy(rng.normal(size=shape))
        return root @ root.mT / shape[-1] + 0.1 * torch.eye(shape[-1], dtype=torch.float64)
    if domain.interval == "[0, 1]":
        return torch.from_numpy(rng.dirichlet(np.ones(shape[-1]), size=shape[:-1]))
    positive = Interval(domain.interval).low >= 0
    values = rng.uniform(0.1, 1.0, size=shape) if positive else rng.uniform(-1.0, 1.0, size=shape)
    return torch.from_numpy(np.sort(values, axis=-1)[..., ::-1].copy() if name == "eigenvalues" else values)


def spoiled(value: Tensor, rng: np.random.Generator) -> Tensor:
    """A tensor that should not be there: other shapes, dtypes and entries."""
    entry = float(rng.choice([math.nan, math.inf, -math.inf, 1e300, -1e300, 1e-300, 0.0, -1.0]))
    one_entry = value.clone().double()
    if one_entry.numel():
        one_entry.view(-1)[int(rng.integers(one_entry.numel()))] = entry
    ways: tuple[Callable[[], Tensor], ...] = (
        lambda: one_entry,
        lambda: one_entry,
        lambda: torch.full_like(value.double(), entry),
        lambda: value[..., :0] if value.ndim else value,
        lambda: value[:0] if value.ndim else value,
        lambda: value[:1] if value.ndim else value,
        lambda: value.unsqueeze(0),
        lambda: value.unsqueeze(-1),
        lambda: value.reshape(-1)[:3],
        value.float,
        value.long,
        value.bool,
        lambda: value.to(torch.complex128),
        lambda: torch.stack([value, value], -1)[..., 0],
        lambda: value.mT if value.ndim > 1 else value.flip(0) if value.ndim else value,
        lambda: torch.zeros_like(value),
        value.half,
    )
    return ways[int(rng.integers(len(ways)))]()


def calls(function: hostile.Function, rng: np.random.Generator, count: int) -> Iterator[tuple[dict[str, Any], bool]]:
    """Ordinary arguments with one or two replaced, and whether one of those is junk."""
    for start in range(0, count, 10):
        yield from spoilt_calls(function, ordinary(function, rng), rng, min(10, count - start))


def spoilt_calls(
    function: hostile.Function, given: dict[str, Any], rng: np.random.Generator, count: int
) -> Iterator[tuple[dict[str, Any], bool]]:
    """The same for given ordinary arguments."""
    parameters = inspect.signature(function).parameters
    for _ in range(count):
        arguments, junk = dict(given), False
        for name in rng.permutation(list(given))[: 1 + int(rng.random() < 0.2)]:
            usual, annotation = given[name], parameters[name].annotation
            optional = hostile.allows_none(annotation)
            if isinstance(usual, Tensor) and rng.random() < 0.8:
                arguments[name] = spoiled(usual, rng)
            elif isinstance(usual, int | float) and not isinstance(usual, bool) and rng.random() < 0.7:
                arguments[name] = hostile.NUMBERS[rng.integers(len(hostile.NUMBERS))]
            else:
                arguments[name] = hostile.JUNK[rng.integers(len(hostile.JUNK))]
                junk |= _is_junk(arguments[name], usual, annotation, optional=optional)
        yield arguments, junk


def end(function: hostile.Function, arguments: dict[str, Any], *, junk: bool) -> str:
    """How one call ends, the tensors of its result included."""
    answers: list[Any] = []

    def run(**given: Any) -> Any:
        answers.append(call(function, given))
        return answers[-1]

    found = hostile.verdict(run, arguments, junk=junk)
    if found != "answered" or _may_be_undefined(function, arguments):
        return found
    return next(filter(None, map(_wrong, leaves(answers[0]))), "answered")


def _may_be_undefined(function: hostile.Function, arguments: dict[str, Any]) -> bool:
    """Where the docstring says so, or an instance of a batch is not finite."""
    tensors = [value for value in arguments.values() if isinstance(value, Tensor)]
    return _unbounded(function) or not all(bool(t.isfinite().all()) for t in tensors)


@cache
def _unbounded(function: hostile.Function) -> bool:
    marks = getattr(inspect.signature(function).return_annotation, "__metadata__", ())
    return any(isinstance(mark, Unbounded) for mark in marks)


def _wrong(leaf: Any) -> str:
    if isinstance(leaf, Tensor):
        return "silent nan in a tensor" if leaf.isnan().any() else ""
    return "silent nan" if hostile.holds_nan(leaf) else ""


def _is_junk(value: Any, usual: Any, annotation: Any, *, optional: bool) -> bool:
    if value is None:
        return not optional
    if isinstance(value, bool) and annotation is bool:
        return False
    if callable(value) and (callable(usual) or "Callable" in str(annotation)):
        return False
    return not (isinstance(_declared(annotation), Device) or (isinstance(usual, tuple) and isinstance(value, tuple)))


def leaves(result: Any) -> Iterator[Any]:
    """The tensors and numbers of a result: of tuples, lists and dataclasses too."""
    if isinstance(result, Tensor | float | int | complex | np.ndarray):
        yield result
    elif isinstance(result, tuple | list):
        for part in result:
            yield from leaves(part)
    elif hasattr(result, "__dataclass_fields__"):
        for name in result.__dataclass_fields__:
            yield from leaves(getattr(result, name))


__all__ = ["BestResponse", "FeatureFamily", "call", "calls", "end", "leaves", "ordinary", "spoiled"]
