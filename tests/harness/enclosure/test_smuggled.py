"""Claims that are false by a hair, each hidden where a proof could overlook it: none may be proved with c = 1."""

import contextlib
import math
from typing import Any

import pytest
import torch

from harness import Forall, always, identity
from harness.certify.proof import Proof
from tests.harness.enclosure.stating import Body, tried

HAIR = 1e-6  # far above the tolerances, 1e-9, far below what a search of points would find in a narrow place


def x_of(f: Forall) -> Any:
    return f.interval("x", 0.0, 1.0)


def signed(f: Forall) -> Any:
    return f.interval("x", -1.0, 1.0)


def swallowed(f: Forall) -> tuple[Any, Any]:
    x = x_of(f)
    level = 0.0
    with contextlib.suppress(Exception):
        level = float(x.amax())
    return level + 0.0 * x, 1.0 - HAIR


def swallowed_and_undecided(f: Forall) -> tuple[Any, Any]:
    x = x_of(f)
    try:
        high = bool((x > 1.0 - HAIR).any())
    except Exception:
        high = False
    return torch.where(x > 2.0, 3.0, 2.0 if high else 0.0), 1.0


def written(f: Forall) -> tuple[Any, Any]:
    x = x_of(f)
    table = torch.zeros(len(x))
    table[:] = x
    return table, 1.0 - HAIR


def written_through_data(f: Forall) -> tuple[Any, Any]:
    x = x_of(f).clone()
    x.data.add_(HAIR)
    return x, 1.0


def nested_bounds(f: Forall) -> tuple[Any, Any]:
    """The second interval depends on the first: its box in the proof is that of one instance."""
    x = x_of(f)
    y = f.interval("y", 0.0, float(x.detach().reshape(-1)[0]) if type(x) is torch.Tensor else 0.5)
    return y, 1.0 - HAIR + 0.0 * x


INEQUALITIES: dict[str, Body] = {
    # plain numbers that a body makes of its inputs
    "a float of an input": lambda f: (float(x_of(f).amax()) + 0.0, 1.0 - HAIR),
    "a refusal that the body swallows": swallowed,
    "a decision that the body swallows": swallowed_and_undecided,
    "torch.tensor of an input": lambda f: (torch.where(torch.tensor(x := x_of(f)) > 0.5, 2.0, 0.0) + 0.0 * x, 1.0),
    "torch.full of an input": lambda f: (torch.where(torch.full((1,), x_of(f)[0]) > -1.0, 2.0, 0.0), 1.0 + 0 * x_(f)),
    "single precision": lambda f: (torch.as_tensor(x := x_of(f), dtype=torch.float32).double(), 1.0 - HAIR + 0.0 * x),
    "torch.vmap": lambda f: (torch.vmap(lambda a: torch.where(a > 0.5, 2.0, 0.0))(x := x_of(f)), 1.0 + 0.0 * x),
    "torch.func.grad": lambda f: (torch.func.grad(lambda a: a.square().sum())(x := x_of(f)), 1.9 + 0.0 * x),
    "numpy": lambda f: (torch.as_tensor(x_of(f).detach().numpy()), 1.0 - HAIR),
    "an old Variable": lambda f: (torch.where(torch.autograd.Variable(x := x_of(f)) > 0.5, 2.0, 0.0 * x), 1.0),
    # in place
    "entries written into a plain tensor": written,
    "entries written through data": written_through_data,
    "an out argument": lambda f: (torch.add(x := x_of(f), HAIR, out=torch.empty(len(x))), 1.0),
    # comparisons and jumps
    "a strict inequality, closed": lambda f: ((x_of(f) >= 1.0).double(), 0.5),
    "a strict inequality, open": lambda f: (torch.where(signed(f) > 0.0, 1.0, 0.0), 1.0 - HAIR),
    "a truth value as a number": lambda f: (((x := x_of(f)) > 1.0 - HAIR).double() + 0.0 * x, 0.5 + 0.0 * x),
    "a truth value times an input": lambda f: (((x := x_of(f)) > 0.7).double() * x + 0.3 * x, 1.3 * (1.0 - HAIR)),
    "a truth value in a power": lambda f: (2.0 ** ((x := x_of(f)) > 0.7).double() + 0.0 * x, 1.9),
    "a jump at one place": lambda f: (torch.where((x := x_of(f)) == 0.25, 1.0, 0.0 * x), 0.5),
    "a mask that is open": lambda f: ((x := x_of(f)).masked_fill(x < 1.0 - HAIR, 0.0), 1.0 - HAIR),
    "a sum of truth values": lambda f: ((f.interval("x", 0.0, 1.0, 3) > 0.9).double().sum(-1), 2.9),
    "the place of the largest": lambda f: ((y := f.interval("x", 0.0, 1.0, 3)).argmax(-1).double() + 0 * y[:, 0], 1.9),
    "entries by an open place": lambda f: ((y := f.interval("x", 0.0, 1.0, 2)).gather(1, y.argsort(-1))[:, 1], 0.99),
    "floor": lambda f: ((x_of(f) + HAIR).floor(), 0.5),
    "round": lambda f: (x_of(f).round(), 0.5),
    "sign": lambda f: (signed(f).sign(), 1.0 - HAIR),
    # what is undefined
    "a sign of what is undefined": lambda f: (1.0 - signed(f).sqrt().sign(), 0.5 + 0.5 * (signed_(f) > 0.0).double()),
    "an order around what is undefined": lambda f: (
        torch.stack([(x := signed(f)).sqrt(), 0.0 * x + 5.0], -1).sort(-1).values[:, 0],
        1.0,
    ),
    "a sum without what is undefined": lambda f: (
        torch.stack([-(x := signed(f)).acos(), 0.0 * x, -(2.0 + x).acos()], -1).nansum(-1) * -1.0,
        math.pi - 0.1,
    ),
    "nan to a number": lambda f: (torch.nan_to_num(signed(f).sqrt(), nan=2.0), 1.0),
    "where nan is not finite": lambda f: (torch.where((r := signed(f).sqrt()).isfinite(), r, 2.0), 1.5),
    "a comparison with nan": lambda f: (torch.where(signed(f).sqrt() <= 2.0, 0.0, 2.0), 1.0),
    "whole powers among others": lambda f: (signed(f) ** f.interval("k", 1.0, 3.0), 1.0 - HAIR),
    "a negative base": lambda f: (-((signed(f) * 2.0) ** f.integers("k", 2, 3)), 7.9),
    "nan as a factor": lambda f: (torch.where(x_of(f) > 0.5, 2.0, torch.tensor(math.nan) * 0.0), 1.0),
    "a pole": lambda f: (-1.0 / (signed(f)), 1e9),
    "a pole on both sides": lambda f: (1.0 / (x := signed(f)), torch.where(x < 0.0, 0.0, 1.0)),
    # sets
    "whole numbers at an end": lambda f: (f.integers("k", 0, 7) / 7.0, 1.0 - HAIR),
    "an index made of whole numbers": lambda f: (
        torch.tensor([0.0, 0.0, 0.0, 1.0])[f.integers("k", 0, 3).long()],
        0.9,
    ),
    "real numbers beyond the box": lambda f: (f.real("x").abs(), 6e5),
    "a second set that depends on the first": nested_bounds,
    "a function of other inputs": lambda f: (
        ((v := f.lipschitz("f", torch.tensor([[[0.0], [1.0]]]))) * torch.tensor([1.0, -1.0])).sum(-1),
        1.0 - HAIR + 0.0 * v[:, 0],
    ),
    "a permutation": lambda f: (
        (torch.tensor([[1.0, 0.0, 2.0]]).expand(len(p := f.permutation("p", 3)), 3).gather(1, p))[:, 0],
        1.9,
    ),
    "a graph": lambda f: (f.graph("G", 3).sum((-2, -1)), 5.9),
    "a symmetric matrix": lambda f: (f.symmetric("S", 2).sum((-2, -1)), 4.0 * (1.0 - HAIR)),
    "weights of a law": lambda f: (f.law("P", atoms=2).mean, 1.0 - HAIR),
    "the last of a simplex": lambda f: (f.simplex("p", 3)[:, 2], 1.0 - HAIR),
    "an entropy on a simplex": lambda f: (torch.special.entr(f.simplex("p", 3)).sum(-1), math.log(3.0) * (1.0 - HAIR)),
    "a sphere in three dimensions": lambda f: (f.sphere("u", 3)[:, 2].abs(), 1.0 - HAIR),
    "a ball": lambda f: (torch.linalg.vector_norm(f.ball("u", 2), dim=-1), 1.0 - HAIR),
    "a matrix": lambda f: (f.psd("K", 2, trace=1.0)[:, 0, 1], 0.5 * (1.0 - HAIR)),
    # arithmetic
    "a maximum inside": lambda f: ((p := x_of(f)) * (1.0 - p), 0.25 * (1.0 - HAIR)),
    "a bump": lambda f: (1.0 + HAIR - ((x := x_of(f)) - 0.3).abs() + 0.0 * x, 1.0),
    "negative sides": lambda f: (-1.0 + HAIR + 0.0 * x_of(f), -1.0),
    "a kink": lambda f: (1.0 - signed(f).abs(), 1.0 - HAIR),
    "cancellation": lambda f: (((x := x_of(f)) + 1e8) - 1e8 - x + HAIR, 0.0),
    "further entries of differences": lambda f: ((x := x_of(f)[:, None]).diff(prepend=1.0 + 0 * x)[:, 0].abs(), 0.99),
    "log sum exp over two axes": lambda f: (
        f.interval("x", 0.0, 1.0, 2, 2).logsumexp((1, 2)),
        1.0 + math.log(4.0) - HAIR,
    ),
    "bits read as whole numbers": lambda f: (x_of(f).view(torch.int64).double() / 4e18, 1.0),
    "bits read as Python's whole numbers": lambda f: (x_of(f).view(int) / 4e18, 1.0),
    "whole numbers by Python's name": lambda f: (x_of(f) - x_of_same(f).to(int) + (x := x_(f)) - x.to(dtype=int), 0.9),
    "truth values by Python's name": lambda f: ((x := x_of(f)).to(bool).double() - x, 0.9),
    "a type of tensors": lambda f: ((x := x_of(f)) - x.type(torch.LongTensor), 0.5),
    "softplus with a jump": lambda f: (0.69 - torch.nn.functional.softplus(x_of(f), threshold=0.5), 0.0),
    "the largest in no order": lambda f: (
        (y := f.interval("y", 0.0, 1.0, 3)).topk(2, sorted=False).values[:, 1] - y.sort(-1).values[:, 1],
        -HAIR,
    ),
    "a sum over what broadcasts": lambda f: ((bump(f)[:, None] + torch.zeros(4)).sum(-1), 2.5 * bump_same(f) + 0.5),
    "sums of pairs": lambda f: ((bump(f)[:, None] - torch.zeros(1, 3)).sum(-1), 2.5),
    "an index that broadcasts over boxes": lambda f: (
        torch.stack([x := x_of(f), x], -1).take_along_dim(torch.tensor([[0]]), -1)[:, 0],
        0.5 - 4000.0 * (x < 0.4),
    ),
    "all axes turned around": lambda f: (f.interval("x", 0.0, 1.0, 2, 3).T.reshape(3, -1).sum(0)[0], 2.9),
}


def bump(f: Forall) -> Any:
    """1 at one whole number, 0 at the others."""
    return (1.0 - (f.integers("k", 0, 10**9) - 123456789.0).abs()).clamp_min(0.0)


def bump_same(f: Forall) -> Any:
    return (1.0 - (f.integers("j", 123456789, 123456789) - 123456789.0).abs()).clamp_min(0.0)


def x_(f: Forall) -> Any:
    return f.interval("another", 0.0, 1.0)


def signed_(f: Forall) -> Any:
    return f.interval("another", -1.0, 1.0)


@pytest.mark.parametrize("name", INEQUALITIES)
def test_an_inequality_that_is_false_by_a_hair_is_not_proved(name: str) -> None:
    found = tried(always(), INEQUALITIES[name], 400)
    assert not isinstance(found, Proof) or found.c > 1.0, found


def complex_root(f: Forall) -> tuple[Any, Any]:
    """|sqrt(z)|^2 = z for z >= 0 only."""
    x = signed(f)
    z = torch.complex(x, 0.0 * x).sqrt()
    return (z * z.conj()).real, x


IDENTITIES: dict[str, Body] = {
    "either more or less, or undefined": lambda f: (
        ((r := signed(f).sqrt()) >= 0.5).double() + (r < 0.5).double(),
        1.0,
    ),
    "finite, or undefined within an exponent": lambda f: (
        torch.where(signed(f).sqrt().exp().isfinite(), 1.0, 0.0),
        1.0,
    ),
    "a root of a negative complex number": complex_root,
    "a root of a square": lambda f: ((x := signed(f)).square().sqrt(), x),
    "a constant": lambda f: (x_of(f) / 3.0, x_of_same(f) * (0.3333333)),
    "a root": lambda f: ((x := x_of(f)) * 1.4142, x * 2.0**0.5),
    "a root to seven digits": lambda f: ((x := x_of(f)) * 1.4142135, x * 2.0**0.5),
    "a sum of squares": lambda f: ((x := f.interval("x", 0.0, 1.0, 3)).sum(-1).square(), x.square().sum(-1)),
    "a term of 1e-7": lambda f: ((x := x_of(f)).exp() * (-x).exp() + 1e-7 * x, 1.0),
    "the number of different entries": lambda f: (
        (s := f.signs("s", 8)).unique().numel() + 0.0 * s.sum(-1),
        2.0 + 0.0 * s.sum(-1),
    ),
    "a sum without what is undefined": lambda f: (
        torch.stack([(x := signed(f)).sqrt(), x], -1).nansum(-1),
        x.sqrt() + x,
    ),
    "a sign": lambda f: ((x := signed(f)).abs() * x.sign(), x + HAIR * x.square()),
    "an angle": lambda f: ((x := signed(f)).sin() ** 2 + x.cos() ** 2, 1.0 + HAIR * x.square()),
    "a truth value": lambda f: ((signed(f) > HAIR).double(), (signed_same(f) > 0.0).double()),
    "a pattern of signs": lambda f: ((s := f.signs("s", 3)).prod(-1), s.sum(-1)),
    "a sphere": lambda f: (f.sphere("u", 3).square().sum(-1), 1.0 + HAIR * 2.0),
    "whole numbers by Python's name": lambda f: ((x := x_of(f)).to(int).double(), x),
    "an adjoint without conjugates": lambda f: (
        (z := torch.complex(x_of(f), signed_(f))[:, None, None]).mH[:, 0, 0].imag,
        z[:, 0, 0].imag,
    ),
    "torch.tensor": lambda f: (torch.where(torch.tensor(x := x_of(f)) > 0.5, 1.0, 0.0) + 0.0 * x, 0.0 * x),
}


def x_of_same(f: Forall) -> Any:
    return f.interval("y", 1.0, 1.0)


def signed_same(f: Forall) -> Any:
    return f.interval("y", -1.0, 1.0)


@pytest.mark.parametrize("name", IDENTITIES)
def test_an_identity_that_is_false_by_a_hair_is_not_proved(name: str) -> None:
    found = tried(identity(), IDENTITIES[name], 400)
    assert not isinstance(found, Proof), found


@pytest.mark.parametrize("share", [0.4999, 0.499999, 0.45])
def test_a_body_that_mixes_its_instances_proves_nothing(share: float) -> None:
    """The median of the first law of a batch, in the place of each one's own."""

    def median_of_the_first(f: Forall) -> tuple[Any, Any]:
        weights = f.simplex("w", 3)
        place = (weights[:1].cumsum(-1) < 0.5).sum(-1)
        return (weights * (torch.arange(3) < place[:, None])).sum(-1), share

    assert not isinstance(tried(always(), median_of_the_first), Proof)
