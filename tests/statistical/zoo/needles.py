"""More inequalities that are violated in a tiny part of their set: with a slope that leads there, or without one."""

import math

import numpy as np
import torch

from harness.language.quantifiers import Forall
from harness.selftest.entries import Sides
from harness.selftest.falsehoods import AT, PATTERN, SLOPE, TARGET, box, needle
from harness.selftest.theory import from_volume
from harness.selftest.truths import norm

STIFFNESS = torch.logspace(0.0, 5.0, 10, dtype=torch.float64)
_ANGLES = np.random.default_rng(7).standard_normal((10, 10))
ROTATION = torch.from_numpy(np.linalg.qr(_ANGLES)[0])
BALANCED = torch.tensor([1.0, 1.0, -1.0, 1.0, -1.0, -1.0, -1.0, 1.0] * 4, dtype=torch.float64)
COMBINATION = torch.tensor([3.0, 97.0, 41.0, 0.0, 88.0, 15.0, 62.0, 100.0, 29.0, 54.0], dtype=torch.float64)


def _bell(forall: Forall) -> Sides:
    return torch.exp(-8.0 * (box(forall) - TARGET).square().sum(-1)), 1.0 - 1e-4


def _flat_box(forall: Forall) -> Sides:
    inside = (forall.interval("x", 0.0, 1.0, 2) < 0.1).all(-1) & (forall.interval("y", 0.0, 1.0) > 0.5)
    return 0.5 + inside.to(torch.float64), 1.0


def _valley(forall: Forall) -> Sides:
    """Rosenbrock's curved valley, scaled to the box [-2, 2]."""
    x = 2.0 * box(forall)
    steep = 100.0 * (x[..., 1:] - x[..., :-1].square()).square() + (1.0 - x[..., :-1]).square()
    return 1.0 + 1e-3 - steep.sum(-1), 1.0


def _stiff(forall: Forall) -> Sides:
    x = (box(forall) - TARGET) @ ROTATION
    return 1.0 + 1e-3 - (STIFFNESS * x.square()).sum(-1), 1.0


def _stiff_without_gradient(forall: Forall) -> Sides:
    x = (box(forall).detach() - TARGET) @ ROTATION
    return 1.0 + 1e-3 - (STIFFNESS**0.6 * x.square()).sum(-1), 1.0


def _cone_without_gradient(forall: Forall) -> Sides:
    return 1.0 + 1e-3 - norm(box(forall).detach() - TARGET), 1.0


def _ripples(forall: Forall) -> Sides:
    """A bowl covered with ripples: ten local maxima along each axis."""
    x = box(forall)[..., :5] - TARGET[:5]
    return 1.0 + 1e-2 - (x.square() + 0.05 * (1.0 - torch.cos(10.0 * math.pi * x))).sum(-1), 1.0


def _kink(forall: Forall) -> Sides:
    """A ridge: the steepest ascent zigzags across it."""
    x = box(forall) - TARGET
    return 1.0 + 1e-3 - (30.0 * (x[..., 0] + x[..., 1]).abs() + x.abs().amax(-1)), 1.0


def _pairs(forall: Forall) -> Sides:
    """Unbalanced patterns are infeasible: single flips lead nowhere, exchanges do."""
    s = forall.signs("s", 32)
    close = 32.0 - (s != BALANCED).to(torch.float64).sum(-1)
    return torch.where(s.sum(-1) == 0.0, 0.5 + close, 0.0), 32.0


def _integers(forall: Forall) -> Sides:
    return 1000.5 - (forall.integers("k", 0, 100, 10) - COMBINATION).abs().sum(-1), 1000.0


def _carry(forall: Forall) -> Sides:
    """100 a + b close to a number: single steps of a are too large, both have to move."""
    k = forall.integers("k", 0, 100, 2)
    return 1.0 + 0.5 - (100.0 * k[..., 0] - 99.0 * k[..., 1] - 437.0).abs() - 1e-3 * k.sum(-1), 1.0


def _mixed(forall: Forall) -> Sides:
    k, s, x = forall.integers("k", 0, 50), forall.signs("s", 12), forall.interval("x", -1.0, 1.0, 4)
    off = (k - 37.0).abs() + (s != PATTERN[:12]).to(torch.float64).sum(-1) + norm(x - TARGET[:4])
    return 1.0 + 1e-3 - off, 1.0


def _vertex(forall: Forall) -> Sides:
    x = forall.interval("x", 0.0, 1.0, 20)
    return 1.0 + 1e-3 - (x - (PATTERN[:20] + 1.0) / 2.0).abs().sum(-1), 1.0


def _tiny(forall: Forall) -> Sides:
    x = forall.interval("x", 0.0, 1.0)
    return 1e-6 * (x < 1e-6).to(torch.float64) * x, 1e-9 * x


def _huge(forall: Forall) -> Sides:
    x = forall.interval("x", -1e8, 1e8, 3)
    return (x.abs().amin(-1) > 0.9999e8).to(torch.float64), 0.5


def _direction(forall: Forall) -> Sides:
    u = forall.sphere("u", 10)
    return (u * TARGET).sum(-1), float(norm(TARGET)) * (1.0 - 1e-7)


def _singular(forall: Forall) -> Sides:
    """A condition number beyond a million."""
    values = torch.linalg.eigvalsh(forall.psd("K", 4, trace=1.0))
    return (values[..., -1].log() - values[..., 0].clamp_min(1e-12).log()), 6.0 * math.log(10.0)


def _light_atom(forall: Forall) -> Sides:
    p = forall.simplex("p", 5)
    weights = torch.tensor([0.5, 0.3, 0.19, 0.00999, 0.00001], dtype=torch.float64)
    divergence = (weights * (weights.log() - p.clamp_min(1e-300).log())).sum(-1)
    return torch.exp(-divergence), 1.0 - 1e-6


def _twins(forall: Forall) -> Sides:
    x = forall.ball("x", 5, 2)
    gaps = torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist") + 10.0 * torch.eye(5, dtype=torch.float64)
    return (gaps.amin((-2, -1)) < 1e-6).to(torch.float64), 0.5


def _mostly_undefined(forall: Forall) -> Sides:
    """Finite in a tenth of the set only, where the slope leads to the needle."""
    x = box(forall)[..., :6]
    distance = norm(x - TARGET[:6])
    return torch.where(distance < 0.9, 1.0 + 1e-4 - distance, math.nan), 1.0


def _product_of_bumps(forall: Forall) -> Sides:
    """The slope nearly vanishes far away: 1e-30 at a typical point."""
    return torch.exp(-40.0 * (box(forall) - TARGET).square().sum(-1)), 0.9


NEEDLES = [
    needle("bell", "a ball of radius 0.0035 in ten dimensions", _bell, AT, SLOPE),
    needle(
        "product",
        "a ball of radius 0.05, values of 1e-30 elsewhere",
        _product_of_bumps,
        AT,
        "the ratio's logarithm has a slope everywhere in double precision",
    ),
    needle(
        "flat-box",
        "one two-hundredth of a cube, flat elsewhere",
        _flat_box,
        {"x": [0.05, 0.05], "y": 0.75},
        from_volume(0.005),
    ),
    needle(
        "valley",
        "the end of Rosenbrock's valley in ten dimensions",
        _valley,
        {"x": [0.5] * 10},
        "the gradient leads along the valley; condition about 1e3",
    ),
    needle("stiff", "an ellipsoid with axes from 1e-4 to 0.03", _stiff, AT, "a concave quadratic of condition 1e5"),
    needle(
        "stiff-blind",
        "an ellipsoid, no gradient",
        _stiff_without_gradient,
        AT,
        "a concave quadratic of condition 1e3, climbed from values alone",
    ),
    needle(
        "cone-blind",
        "a ball of radius 1e-3 in ten dimensions, no gradient",
        _cone_without_gradient,
        AT,
        "unimodal: values alone lead there",
    ),
    needle(
        "ripples",
        "the best of 10^5 local maxima",
        _ripples,
        AT,
        "separable: moves of single coordinates cross the ripples",
    ),
    needle("kink", "the end of a sharp ridge", _kink, AT, "unimodal and concave: no local maximum but the global one"),
    needle("pairs", "one of 6e8 balanced patterns", _pairs, {"s": BALANCED.tolist()}, "each right exchange helps"),
    needle("integers", "one of 101^10 combinations", _integers, {"k": COMBINATION.tolist()}, "each right step helps"),
    needle("carry", "100 a - 99 b = 437", _carry, {"k": [41.0, 37.0]}, "moves of both coordinates at once"),
    needle(
        "mixed",
        "one integer, one sign pattern, a ball of radius 1e-3",
        _mixed,
        {"k": 37.0, "s": PATTERN[:12].tolist(), "x": TARGET[:4].tolist()},
        "each part has its slope",
    ),
    needle("vertex", "one vertex of 2^20", _vertex, {"x": ((PATTERN[:20] + 1.0) / 2.0).tolist()}, SLOPE),
    needle("tiny", "x < 1e-6", _tiny, {"x": 5e-7}, "scales down to 1e-8 are sampled, a share of 3 %"),
    needle("huge", "all entries beyond 0.9999e8", _huge, {"x": [1e8] * 3}, "extremes, a structured instance"),
    needle(
        "direction",
        "directions within 4.5e-4 in ten dimensions",
        _direction,
        {"u": (TARGET / norm(TARGET)).tolist()},
        SLOPE,
    ),
    needle(
        "singular",
        "condition numbers beyond 1e6",
        _singular,
        {"K": np.diag([1.0, 0.0, 0.0, 0.0]).tolist()},
        "rank-deficient matrices are structured instances",
    ),
    needle(
        "light-atom",
        "laws within 1e-6 of divergence, one atom of 1e-5",
        _light_atom,
        {"p": [0.5, 0.3, 0.19, 0.00999, 0.00001]},
        "a concave divergence; condition 1e5",
    ),
    needle("twins", "two of five points within 1e-6", _twins, {"x": [[0.0, 0.0]] * 5}, "duplicates are structured"),
    needle(
        "undefined",
        "a ball of radius 1e-4, undefined beyond 0.9",
        _mostly_undefined,
        AT,
        "about one even point in a hundred is finite, and the gradient leads from there",
    ),
]
