"""Prove the cells of a reading in turn, the smallest first, until one is not proved."""

import json
from collections.abc import Sequence

import msgspec

from harness.certify.proof import Proof, Unproved, prove
from harness.errors import ClaimError, SkipClaim, clean
from harness.language.anatomy import anatomy
from harness.language.kept import Kept
from harness.language.registry import Claim, Parameters


class Tried(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell, as it is named, and what came of its proof by itself."""

    cell: str
    found: Proof | Unproved


def prove_in_turn(claim: Claim, params: Parameters, *, boxes: int) -> Proof | Unproved:
    """`prove` for a cell whose smaller ones are all proved; for any other, which of those is not.

    A reading is proved where all of its cells are, so that what stops one of them stops it. Cells are in the order of
    the entries of their inputs, then of the grid: the answer depends on claim, cell and budget alone, whatever was
    asked before, and a run tries each cell once in a process.
    """
    met = _attempts.of(claim.body)
    for cell in in_order(claim):
        key = claim.key, _named(cell), boxes
        if key not in met:
            met[key] = prove(claim, cell, anatomy(claim, cell), boxes=boxes)
        found = met[key]
        if key[1] == _named(params):
            return found
        if isinstance(found, Unproved):
            place = ", ".join(f"{name} = {clean(str(value), 40)}" for name, value in cell.items())
            return Unproved(f"at {place} it is not proved: {found.reason}")
    return prove(claim, params, anatomy(claim, params), boxes=boxes)


def tried(claim: Claim, params: Parameters, *, boxes: int) -> list[Tried]:
    """What `prove_in_turn` looks at for a cell that it was asked about: the same whatever else was asked."""
    met, found = _attempts.of(claim.body), []
    for cell in map(_named, in_order(claim)):
        attempt = met.get((claim.key, cell, boxes))
        found += [] if attempt is None else [Tried(cell, attempt)]
        if cell == _named(params) or not isinstance(attempt, Proof):
            break
    return found


def remember(claim: Claim, attempts: Sequence[Tried], *, boxes: int) -> None:
    """Take what another process has tried for tried here."""
    met = _attempts.of(claim.body)
    for attempt in attempts:
        met.setdefault((claim.key, attempt.cell, boxes), attempt.found)


def in_order(claim: Claim) -> list[Parameters]:
    """The cells by the entries of their inputs; without those whose body does not run, which are not proved."""
    sizes = [(_entries(claim, cell), cell) for cell in claim.cells]
    return [cell for _, cell in sorted((pair for pair in sizes if pair[0] is not None), key=lambda pair: pair[0] or 0)]


def _entries(claim: Claim, cell: Parameters) -> int | None:
    try:
        return sum(space.entries for space in anatomy(claim, cell).spaces)
    except (ClaimError, SkipClaim):
        return None


def _named(cell: Parameters) -> str:
    return json.dumps(cell, sort_keys=True)


_attempts: Kept[tuple[str, str, int], Proof | Unproved] = Kept()
