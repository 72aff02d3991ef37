"""Generic checks over every claim of the ledger: a new claim is tested by being registered."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch import Tensor

from harness.claims import papers
from harness.kinds import Always, Expectation, HighProbability, Identity, Rate, Reproduction, Untestable
from harness.language.evaluation import anatomy, evaluate, quantity
from harness.language.quantifiers import Draw, stream
from harness.language.registry import Claim, Parameters
from harness.run.loading import ledger
from harness.run.selection import select
from harness.search.objective import Deterministic
from harness.search.starts import low_discrepancy

LEDGER = ledger()
BATCH = 16
every_claim = pytest.mark.parametrize("claim", LEDGER, ids=lambda c: c.key)

NO_CORRECTED_READING: dict[str, str] = {
    "uarff/eq-25[printed]": "a step of a proof; with the factor of its source the left side is negative in the example",
}
"""Printed readings known to be wrong that have no corrected one, with the reason."""

NO_GRADIENT: dict[str, str] = {}
"""Inequalities and identities with a smooth variable whose sides have no gradient, with the reason."""

NOT_FINITE_EVERYWHERE: dict[str, str] = {}
"""Claims whose sides may be infinite or undefined at ordinary inputs, with the reason."""


LONG_FORMS = re.compile(
    r"/(theorem|table|lemma|figure|equation|algorithm|corollary|proposition|definition)"
    r"|/(eq|alg|tab|lem|thm|fig|sec)\d"
)
"""How no id names a statement: `tab-1`, not `table-1` or `tab1` (docs/glossary.md)."""


def _of(*kinds: type) -> list[Claim]:
    return [claim for claim in LEDGER if isinstance(claim.kind, kinds)]


DETERMINISTIC, RANDOM = _of(Identity, Always), _of(HighProbability, Expectation)


def _values(claim: Claim, params: Parameters, batch: int) -> dict[str, Tensor]:
    """Low-discrepancy instances of a cell."""
    spaces = anatomy(claim, params).spaces
    return low_discrepancy(spaces, stream("conformance", claim.key, params), batch) if spaces else {}


def _sides(claim: Claim, params: Parameters, values: dict[str, Tensor], batch: int) -> Tensor:
    """Both sides, stacked: (2, batch)."""
    with torch.no_grad():
        sides = evaluate(claim, params, values, Draw(batch, ("conformance", claim.key)), batch)
    return torch.stack([sides.lhs, sides.rhs])


def _small_cells(claim: Claim) -> Iterator[Parameters]:
    """All cells; of many, the first, the middle and the last."""
    cells = claim.cells
    yield from cells if len(cells) <= 12 else (cells[0], cells[len(cells) // 2], cells[-1])


def test_keys_are_unique_and_the_ledger_is_not_empty() -> None:
    keys = [claim.key for claim in LEDGER]
    assert len(keys) == len(set(keys)) >= 40


@every_claim
def test_numbered_statements_are_abbreviated_in_one_way(claim: Claim) -> None:
    assert not LONG_FORMS.search(claim.id)


@every_claim
def test_a_claim_says_what_it_states_and_where_it_stands(claim: Claim) -> None:
    assert re.fullmatch(r"[a-z]+/[A-Za-z0-9.-]+", claim.id), claim.id
    assert claim.id.split("/")[0] in papers()
    assert claim.cite.strip()
    assert claim.statement.strip()
    assert claim.statement[-1] in ".!?", claim.statement
    assert "\n" not in claim.statement
    assert claim.cells
    assert set(claim.wants) <= {"forall", "draw"}


@every_claim
def test_a_claim_is_found_by_its_key_and_by_its_paper(claim: Claim) -> None:
    assert select(LEDGER, [claim.key]) == [claim]
    assert claim in select(LEDGER, [claim.id])
    assert claim in select(LEDGER, [claim.id.split("/")[0]])


@every_claim
def test_what_is_wrong_in_print_has_a_corrected_reading_beside_it(claim: Claim) -> None:
    if claim.expected == "refuted" and claim.key not in NO_CORRECTED_READING:
        assert claim.reading in ("printed", "inferred")
        assert any(c.id == claim.id and c.reading == "corrected" for c in LEDGER)
    if claim.reading == "corrected":
        assert claim.expected in (None, "holds", "vacuous")


@pytest.mark.parametrize("claim", [c for c in LEDGER if c.expected == "refuted"], ids=lambda c: c.key)
def test_an_accusation_says_how_far_it_goes(claim: Claim) -> None:
    """What is wrong, and what is not: readers see the remarks beside the verdict."""
    assert len(claim.remarks) > 40


def test_exceptions_name_claims_that_exist() -> None:
    keys = {claim.key for claim in LEDGER}
    assert {*NO_CORRECTED_READING, *NO_GRADIENT, *NOT_FINITE_EVERYWHERE} <= keys


@pytest.mark.parametrize("claim", DETERMINISTIC + RANDOM, ids=lambda c: c.key)
def test_every_cell_is_finite_at_ordinary_inputs_and_depends_on_them_alone(claim: Claim) -> None:
    for params in _small_cells(claim):
        batch = BATCH if claim in DETERMINISTIC else 7
        values = _values(claim, params, batch if claim in DETERMINISTIC else 1)
        first, second = (_sides(claim, params, values, batch) for _ in range(2))
        assert torch.equal(first, second)
        if claim.key not in NOT_FINITE_EVERYWHERE:
            assert bool(torch.isfinite(first).all()), params


@pytest.mark.parametrize("claim", [c for c in DETERMINISTIC if "forall" in c.wants], ids=lambda c: c.key)
def test_instances_of_a_batch_do_not_see_each_other(claim: Claim) -> None:
    """A mean over the wrong axis would mix them, and refute or praise by accident."""
    for params in (claim.cells[0], claim.cells[-1]):
        values = _values(claim, params, 5)
        together = _sides(claim, params, values, 5)
        alone = [_sides(claim, params, {k: v[i : i + 1] for k, v in values.items()}, 1) for i in range(5)]
        assert torch.allclose(together, torch.cat(alone, dim=1), rtol=1e-9, atol=1e-9 * float(together.abs().max()))


@pytest.mark.parametrize("claim", RANDOM, ids=lambda c: c.key)
def test_replicates_do_not_see_each_other(claim: Claim) -> None:
    """Changing the number of replicates must change none of the first ones: streams are filled row by row."""
    for params in (claim.cells[0], claim.cells[-1]):
        values = _values(claim, params, 1)
        few, many = (_sides(claim, params, values, reps) for reps in (3, 11))
        assert torch.allclose(few, many[:, :3], rtol=1e-9, atol=1e-9 * float(many.abs().max()))


@pytest.mark.parametrize("claim", DETERMINISTIC, ids=lambda c: c.key)
def test_ascent_has_a_gradient_wherever_a_variable_is_smooth(claim: Claim) -> None:
    params = claim.cells[-1]
    parts = anatomy(claim, params)
    smooth = [space.name for space in parts.spaces if space.smooth]
    if not smooth or claim.key in NO_GRADIENT:
        return
    assert isinstance(claim.kind, Identity | Always)
    objective = Deterministic(claim, params, claim.kind, parts.spaces, parts.bytes_per_replicate)
    values = {k: v.clone().requires_grad_(k in smooth) for k, v in _values(claim, params, BATCH).items()}
    sides = objective.sides(values, BATCH)
    total = torch.where(torch.isfinite(sides.lhs - sides.rhs), 2.0 * sides.lhs - sides.rhs, 0.0).sum()
    assert total.requires_grad
    gradients = torch.autograd.grad(total, [values[name] for name in smooth], allow_unused=True)
    if isinstance(claim.kind, Always):  # an identity may be constant
        assert any(g is not None and bool((torch.nan_to_num(g) != 0.0).any()) for g in gradients)


@pytest.mark.parametrize("claim", _of(Rate), ids=lambda c: c.key)
def test_the_quantity_of_a_rate_is_finite_positive_and_reproducible(claim: Claim) -> None:
    assert isinstance(claim.kind, Rate)
    along = claim.kind.along
    smallest = min(cell[along] for cell in claim.cells)
    for params in (cell for cell in claim.cells if cell[along] == smallest):
        with torch.no_grad():
            first, second = (quantity(claim, params, Draw(5, ("conformance",))) for _ in range(2))
        assert torch.equal(first, second)
        assert bool((torch.isfinite(first) & (first > 0.0)).all())
        assert len(np.unique(first.numpy())) > 1  # something is random


def test_every_kind_is_represented() -> None:
    for kind in (Identity, Always, HighProbability, Expectation, Rate, Reproduction):
        assert _of(kind), kind
    assert all(claim.kind.reason for claim in LEDGER if isinstance(claim.kind, Untestable))
