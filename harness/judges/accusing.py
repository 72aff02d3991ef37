"""What speaks for a violation at one instance: both sides in float64 on the CPU, their rounding, and a proof."""

import math

import msgspec
import numpy as np
import torch

from harness.certify.certificate import certify, denied
from harness.certify.rounding.digits import lose_digits
from harness.certify.rounding.spread import CLEAR, amplified_noise, evaluations, leaves_torch, noise_among
from harness.judges.base import held
from harness.judges.findings import Accusation, refuted_by_balls
from harness.language.anatomy import Anatomy
from harness.language.evaluation import Sides, call
from harness.language.kind import Comparison
from harness.language.quantifiers import Draw, Forall, from_values
from harness.language.registry import Claim, Parameters
from harness.language.spaces import Space
from harness.numbers import dump
from harness.search.objective import Batch, excess, gap_of, sides_of

LUCK = 2  # calls of a body that ask whether it holds by luck
BRANCHES = 4  # amounts by which rounding may decide
VISIBLE = 1e-3  # of the inputs, and of 1: such an amount is no last place, unless of numbers beyond 1e12


def accusation_at(claim: Claim, params: Parameters, anatomy: Anatomy, instance: Batch, calls: int) -> Accusation:
    """Of one instance, whose difference of sides is evaluated TWINS `calls` times to measure its rounding."""
    assert isinstance(claim.kind, Comparison)
    subject = claim, params, anatomy.spaces, held(anatomy.spaces, instance)
    sides = sides_of(claim, params, instance, 1, bytes_each=anatomy.bytes_per_replicate)
    rounded, tied, _ = evaluations(*subject, calls, "cpu")
    difference = sides.lhs - sides.rhs
    noise = float(noise_among(rounded, *subject, difference)[0])
    gap, over = float(gap_of(sides, claim.kind)[0]), float(excess(sides, claim.kind)[0])
    certificate = certify(claim, params, anatomy.spaces, instance, gap=gap)
    if over > CLEAR * noise and certificate.verdict not in {"confirmed", "contradicted"}:
        noise = max(noise, amplified_noise(claim, params, subject[-1], sides, noise))
    if certificate.verdict == "confirmed" and not over > CLEAR * noise and lose_digits(claim, params, anatomy.spaces):
        certificate = msgspec.structs.replace(certificate, verdict="open")  # of its floats, not of what they mean
    found = Accusation(
        values=dump(instance),
        lhs=float(sides.lhs[0]),
        rhs=float(sides.rhs[0]),
        gap=gap,
        excess=over,
        noise=noise if math.isfinite(noise) else None,
        everywhere=0.0 < over <= CLEAR * noise < math.inf and _violated_everywhere(rounded, instance, claim.kind),
        at_a_tie=over > VISIBLE * _size(instance) and tied is not None and _violated_in(tied, instance, claim.kind),
        unmeasured=over > VISIBLE * _size(instance) and _nowhere(rounded),
        blurred=not anatomy.spaces and tied is None and VISIBLE < over <= CLEAR * noise < math.inf,
        blind=leaves_torch(claim, params, instance, Draw(1, ()), 1),
        certificate=certificate,
    )
    if instance or anatomy.spaces:
        return found
    if found.excess > 0.0 and (truth := denied(claim, params)) is not None:
        return msgspec.structs.replace(found, certificate=truth)
    if found.stands:
        return found
    seen = refuted_by_balls(claim, params)
    return seen if seen is not None and (seen.stands or not found.excess > 0.0) else found


def unviolated(claim: Claim, params: Parameters, sides: Sides) -> Accusation | None:
    """What speaks against a cell without inputs that float64 sees nothing against: balls, or other roundings.

    Where it decides something, balls of the floats of the body may decide otherwise, which proves nothing.
    """
    if (apart := whole_and_apart(claim, params)) is not None:
        return apart
    seen = refuted_by_balls(claim, params)
    decides = any(bool((side == side.round()).all()) for side in (sides.lhs, sides.rhs))
    return lucky(claim, params, (), {}) if decides and (seen is None or not seen.stands) else seen


def whole_and_apart(claim: Claim, params: Parameters) -> Accusation | None:
    """A violation by whole numbers that are so by their type, of any size: the usual tolerance does not count."""
    kind = claim.kind
    assert isinstance(kind, Comparison)
    if not kind.rtol > kind.rtol_of_whole:
        return None
    sides = call(claim, params, forall=Forall(from_values({})), draw=Draw(1, ()))
    if not (isinstance(sides, tuple | list) and all(map(_is_whole, sides))):
        return None
    lhs, rhs = map(int, sides)
    gap = kind.gap(lhs, rhs)
    if not gap > kind.atol:
        return None
    spread = evaluations(claim, params, (), {}, LUCK, "cpu").every
    moved = spread.lhs - spread.rhs
    noise = float(moved.max() - moved.min()) if bool(torch.isfinite(moved).all()) else None
    return Accusation(
        values={},
        lhs=float(lhs),
        rhs=float(rhs),
        gap=float(gap),
        excess=float(gap),
        noise=noise,
        blind=False,
        certificate=certify(claim, params, (), {}, gap=float(gap)),
    )


def _is_whole(side: object) -> bool:
    if isinstance(side, np.ndarray | torch.Tensor):
        integer = side.dtype.kind in "iu" if isinstance(side, np.ndarray) else not side.dtype.is_floating_point
        return integer and math.prod(side.shape) == 1
    return isinstance(side, int | np.integer)


def lucky(claim: Claim, params: Parameters, spaces: tuple[Space, ...], instance: Batch) -> Accusation | None:
    """Of an instance that holds by how floats round: .1 + .2 > .3, or without inputs where the cell decides something.

    It is violated where equals are equal, or, without any, however else its numbers are rounded; or rounding decides
    how many inputs there are.
    """
    assert isinstance(claim.kind, Comparison)
    rounded, tied, resized = evaluations(claim, params, spaces, instance, LUCK, "cpu")
    others = rounded if tied is None else tied
    if resized:
        others = sides_of(claim, params, instance, 1, bytes_each=1)
    elif not _violated_in(others, instance, claim.kind):
        return None
    one = Sides(others.lhs.reshape(-1)[:1], others.rhs.reshape(-1)[:1])
    gap = float(gap_of(one, claim.kind))
    certificate = certify(claim, params, spaces, instance, gap=gap)
    if spaces and lose_digits(claim, params, spaces):
        certificate = msgspec.structs.replace(certificate, verdict="open")
    return Accusation(
        values=dump(instance) if instance else {},
        lhs=float(one.lhs),
        rhs=float(one.rhs),
        gap=gap,
        excess=float(excess(one, claim.kind)),
        noise=None,
        blind=False,
        certificate=certificate,
        lucky=not resized,
        resized=resized,
    )


def _violated_everywhere(rounded: Sides, instance: Batch, kind: Comparison) -> bool:
    """Whether every rounded evaluation (1, evaluations) violates the statement there, by one of few visible amounts.

    Rounding decides there by how much, as by a floor, and not whether.
    """
    over = excess(Sides(rounded.lhs[0], rounded.rhs[0]), kind)
    few = len({f"{each:.6g}" for each in over.tolist()}) <= BRANCHES
    return few and _violated_in(rounded, instance, kind)


def _violated_in(some: Sides, instance: Batch, kind: Comparison) -> bool:
    """Whether each of these evaluations (1, evaluations) violates the statement visibly."""
    over = excess(Sides(some.lhs[0], some.rhs[0]), kind)
    return not bool(some.out.any()) and bool((over > VISIBLE * _size(instance)).all())


def _size(instance: Batch) -> float:
    """Of the inputs, and at least 1."""
    return max([1.0, *(float(value.abs().max()) for value in instance.values() if value.numel())])


def _nowhere(rounded: Sides) -> bool:
    """Whether no rounded evaluation succeeds, though the claim says something there."""
    return not bool(torch.isfinite(rounded.lhs + rounded.rhs).any() or rounded.out.any())
