"""A set defined outside the package is searched, judged, reduced and replayed like the others, and accuses nobody."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from harness import ClaimError, always, check, claim
from harness.certify.certificate import certify
from harness.language.anatomy import anatomy
from harness.language.quantifiers import Forall
from harness.language.spaces import Space, tensor
from harness.run.replaying import replay


@dataclass(frozen=True)
class ZeroSum(Space):
    """Vectors (last axis) with sum 0 and entries in [-1, 1]: an equation that floats satisfy up to rounding."""

    def from_unit(self, u: np.ndarray) -> Tensor:
        return self.project(tensor(2.0 * u - 1.0).reshape(-1, *self.shape))

    def project(self, x: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        return centred / centred.abs().amax(-1, keepdim=True).clamp_min(1.0)

    def contains(self, x: Tensor) -> Tensor:
        inside = (x.abs().amax(-1) <= 1.0 + 1e-12) & (x.sum(-1).abs() <= 1e-12)
        return inside.reshape(len(x), -1).all(-1)


@claim("mine/zero-sum", always())
def sum_is_zero(forall):  # type: ignore[no-untyped-def]
    """sum x_i <= 0, with equality everywhere."""
    return forall.member(ZeroSum("x", (3,))).sum(-1), 0.0


@claim("mine/zero-sum-norm", always())
def too_short(forall):  # type: ignore[no-untyped-def]
    """|x| <= 1.3; the norm is at most sqrt 2."""
    return forall.member(ZeroSum("x", (3,))).norm(dim=-1), 1.3


def test_what_lies_on_the_set_up_to_rounding_is_no_counterexample() -> None:
    """Entries as 0.1, 0.2 and -0.3 add up to more than zero; a certificate that takes them exactly would convict."""
    assert check(sum_is_zero, effort="quick").status != "REFUTED"
    values = {"x": tensor([[0.1, 0.2, -0.3]])}
    assert float(values["x"].sum()) > 0.0
    found = certify(sum_is_zero, {}, anatomy(sum_is_zero, {}).spaces, values, gap=float(values["x"].sum()))
    assert found.digits == 0
    assert "a set of type ZeroSum" in found.sentence


def test_a_falsehood_is_refuted_by_a_simple_element_that_can_be_replayed() -> None:
    verdict = check(too_short, effort="quick")
    assert verdict.status == "REFUTED"
    values: Any = verdict.counterexample.counterexample.values  # type: ignore[union-attr]
    assert sorted(values["x"]) == [-1.0, 0.0, 1.0]
    assert replay(too_short, {}, values, trials=1).violated


def test_every_part_of_the_search_stays_inside() -> None:
    """Samples and corners that the base class makes from the projection."""
    space, rng = ZeroSum("x", (2, 3)), np.random.default_rng(0)
    for made in (space.sample(rng, 99), space.corners(rng, 99), space.perturb(space.sample(rng, 99), rng, 0.3)):
        assert made.shape == (99, 2, 3)
        assert bool(space.contains(made).all())
    sizes = space.sample(rng, 999).abs().amax((-1, -2))
    assert float(sizes.min()) < 1e-4
    assert float(sizes.max()) > 0.9


def test_what_is_no_space_is_refused() -> None:
    with pytest.raises(ClaimError, match=r"takes a Space, got 3"):
        Forall(lambda _: torch.zeros(1)).member(3)  # type: ignore[arg-type]
