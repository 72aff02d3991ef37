"""The certificate of a claim at given values."""

from collections.abc import Mapping
from typing import Any

import torch

from harness.certify.certificate import Certificate, certify
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw
from harness.language.registry import Claim
from harness.search.objective import gap_of

Values = Mapping[str, Any]


def tensors(values: Values) -> dict[str, torch.Tensor]:
    return {name: torch.as_tensor(value, dtype=torch.float64)[None] for name, value in values.items()}


def float64_gap(made: Claim, values: Values) -> float:
    """The violation that float64 sees."""
    return float(gap_of(evaluate(made, {}, tensors(values), Draw(1, ()), 1), made.kind)[0])


def certificate(made: Claim, values: Values, gap: float | None = None) -> Certificate:
    seen = float64_gap(made, values) if gap is None else gap
    return certify(made, {}, anatomy(made, {}).spaces, tensors(values), gap=seen)
