"""More false statements about means, off by known small amounts."""

import math

import torch

from harness.language.quantifiers import Draw, Forall
from harness.selftest.entries import Falsehood, Label, Sides
from harness.selftest.falsehoods import mean_at_one_law, one_sided
from harness.selftest.theory import Moments


def _slips() -> list[Falsehood]:
    root = 1.0 / math.sqrt(math.pi)
    absolute = math.sqrt(2.0 / math.pi)
    return [
        one_sided(
            Label("absolute-4", "0.7978 for 0.79788", "E |z| <= 0.7978"),
            lambda d: (d.normal("z").abs(), 0.7978),
            -0.7978,
            Moments(absolute - 0.7978, math.sqrt(1.0 - 2.0 / math.pi)),
        ),
        one_sided(
            Label("max-of-two", "0.55 for 1/sqrt(pi)", "E |z1 - z2| / 2 <= 0.55, the half distance of two normals"),
            lambda d: (d.normal("z", 2).diff(dim=-1).abs().squeeze(-1) / 2.0, 0.55),
            -0.55,
            Moments(root - 0.55, math.sqrt(0.5 - 1.0 / math.pi)),
        ),
        one_sided(
            Label("max-of-uniforms", "(n - 1)/n for n/(n + 1), n = 10", "E max of 10 uniforms <= 0.9"),
            lambda d: (d.uniform("u", 10).amax(-1), 0.9),
            -0.9,
            Moments(10.0 / 11.0 - 0.9, math.sqrt(10.0 / (121.0 * 12.0))),
        ),
        one_sided(
            Label("fourth-moment", "2.9 for 3", "E z^4 <= 2.9"),
            lambda d: (d.normal("z") ** 4, 2.9),
            -2.9,
            Moments(0.1, math.sqrt(96.0)),
        ),
        one_sided(
            Label("square-of-mean", "1/(n + 1) for 1/n", "E mean^2 <= mean^2 + 1/(n + 1), n = 20"),
            lambda d: ((d.normal("z", 20).mean(-1) + 1.0).square(), 1.0 + 1.0 / 21.0),
            -1.0 - 1.0 / 21.0,
            Moments(0.05 - 1.0 / 21.0, math.sqrt(4.0 / 20.0 + 2.0 / 400.0)),
        ),
    ]


def _laws() -> list[Falsehood]:
    def variance(forall: Forall, draw: Draw) -> Sides:
        x = draw.bernoulli("x", forall.interval("p", 0.0, 1.0), 2)
        return (x[:, 0] != x[:, 1]).to(torch.float64), 0.48

    def narrow(forall: Forall, draw: Draw) -> Sides:
        p = forall.interval("p", 0.0, 1.0)
        return draw.bernoulli("x", 0.5 + 0.1 * torch.exp(-(((p - 0.73) / 0.01) ** 2))), 0.52

    return [
        mean_at_one_law(
            Label("pair-of-coins", "0.48 for 1/2 at p = 1/2", "P(x1 != x2) <= 0.48"),
            variance,
            -0.48,
            ([0.52, -0.48], [0.5, 0.5]),
            {"p": 0.5},
        ),
        mean_at_one_law(
            Label("mean-bump", "0.52 for 0.6 on a width of 0.025", "E x <= 0.52 for all p"),
            narrow,
            -0.52,
            ([0.48, -0.52], [0.6, 0.4]),
            {"p": 0.73},
        ),
    ]


MEANS = [*_slips(), *_laws()]
