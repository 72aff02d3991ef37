"""Decays with the wrong exponent, with and without lower-order terms and logarithms."""

import math

from torch import Tensor

from harness.kinds import rate
from harness.quantifiers import Draw
from harness.registry import Claim, grid
from harness.zoo.entries import FALSE, Falsehood, registered
from harness.zoo.theory import from_curve

AXIS = [10, 22, 46, 100, 215, 464, 1000, 2154, 4642, 10000]
MARGIN = 0.05
NOISE = 0.3


def decay(
    name: str, statement: str, *, true: tuple[float, float, float], claimed: tuple[float, float]
) -> tuple[Claim, list[float]]:
    """The claim of a curve n^a (1 + c n^-1/2) (log n)^b with noise of 30 %, and its means; true = (a, c, b)."""
    exponent, correction, logs = true
    means = [n**exponent * (1.0 + correction * n**-0.5) * math.log(n) ** logs for n in AXIS]

    def body(draw: Draw, *, n: int) -> Tensor:
        noisy: Tensor = means[AXIS.index(n)] * (1.0 + NOISE * draw.signs("s"))
        return noisy

    kind = rate("n", claimed[0], log_power=claimed[1], margin=MARGIN)
    return registered(name, kind, statement, body, grid(n=AXIS)), means


def _wrong(name: str, true: tuple[float, float, float], claimed: tuple[float, float]) -> Falsehood:
    exponent, correction, logs = true
    statement = f"n^{claimed[0]:g} log^{claimed[1]:g} n for n^{exponent:g} log^{logs:g} n (1 + {correction:g} n^-1/2)"
    made, means = decay(f"{FALSE}rate-{name}", statement, true=true, claimed=claimed)
    theory = from_curve(AXIS, means, noise=NOISE, limit=claimed[0] + MARGIN, log_power=claimed[1], correction=0.5)
    return Falsehood(made, "rate", statement, theory)


RATES = [
    _wrong("half", (-0.5, 0.0, 0.0), (-1.0, 0.0)),
    _wrong("half-correction", (-0.5, 2.0, 0.0), (-1.0, 0.0)),
    _wrong("half-negative", (-0.5, -0.9, 0.0), (-1.0, 0.0)),
    _wrong("one", (-1.0, 0.0, 0.0), (-1.5, 0.0)),
    _wrong("one-correction", (-1.0, 4.0, 0.0), (-1.25, 0.0)),
    _wrong("third", (-1.0 / 3.0, 0.0, 0.0), (-0.5, 0.0)),
    _wrong("tenth", (-0.5, 0.0, 0.0), (-0.6, 0.0)),
    _wrong("tenth-correction", (-0.5, 1.0, 0.0), (-0.6, 0.0)),
    _wrong("tenth-logarithm", (-0.5, 0.0, 1.0), (-0.6, 1.0)),
    _wrong("log", (-0.5, 0.0, 1.0), (-0.8, 0.0)),
    _wrong("log-squared", (-1.0, 0.0, 2.0), (-1.0, 0.0)),
    _wrong("dropped-log", (-0.5, 0.0, 1.0), (-0.5, 0.0)),
    _wrong("extra-log", (-0.5, 0.0, 0.0), (-0.6, -1.0)),
    _wrong("at-margin", (-0.5, 0.0, 0.0), (-0.55, 0.0)),
    _wrong("constant", (0.0, 0.0, 0.0), (-0.25, 0.0)),
]
