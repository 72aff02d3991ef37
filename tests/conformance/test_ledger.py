"""Generic checks over every claim of the ledger: a new claim is tested by being registered."""

import re

import numpy as np
import pytest
import torch

from harness.claims import papers
from harness.judges.conformance import NO_GPU
from harness.kinds import Always, Expectation, HighProbability, Identity, Rate, Reproduction, Untestable
from harness.language.anatomy import anatomy
from harness.language.evaluation import evaluate
from harness.language.quantifiers import Draw, stream
from harness.language.registry import Claim
from harness.run.loading import ledger
from harness.run.selection import select
from harness.run.surroundings import untouched
from harness.testing import check_contract

LEDGER = ledger()
BATCH = 16
every_claim = pytest.mark.parametrize("claim", LEDGER, ids=lambda c: c.key)

NO_CORRECTED_READING: dict[str, str] = {
    "uarff/eq-25[printed]": "a step of a proof; with the factor of its source the left side is negative in the example",
}
"""Printed readings known to be wrong that have no corrected one, with the reason."""


LONG_FORMS = re.compile(
    r"/(theorem|table|lemma|figure|equation|algorithm|corollary|proposition|definition)"
    r"|/(eq|alg|tab|lem|thm|fig|sec)\d"
)
"""How no id names a statement: `tab-1`, not `table-1` or `tab1` (docs/glossary.md)."""


def _of(*kinds: type) -> list[Claim]:
    return [claim for claim in LEDGER if isinstance(claim.kind, kinds)]


CALLED = [claim for claim in (*LEDGER, *ledger("classics")) if claim.kind.returns in ("sides", "quantity")]
REFUTED = [claim for claim in LEDGER if claim.expected == "refuted"]
CORRECTED = [claim for claim in LEDGER if claim.reading == "corrected"]


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


@pytest.mark.parametrize("claim", [c for c in REFUTED if c.key not in NO_CORRECTED_READING], ids=lambda c: c.key)
def test_what_is_wrong_in_print_has_a_corrected_reading_beside_it(claim: Claim) -> None:
    assert claim.reading in ("printed", "inferred")
    assert any(c.id == claim.id for c in CORRECTED)


@pytest.mark.parametrize("claim", CORRECTED, ids=lambda c: c.key)
def test_a_corrected_reading_is_not_expected_to_fail(claim: Claim) -> None:
    assert claim.expected in (None, "holds", "vacuous")


@pytest.mark.parametrize("claim", REFUTED, ids=lambda c: c.key)
def test_an_accusation_says_how_far_it_goes(claim: Claim) -> None:
    """What is wrong, and what is not: readers see the remarks beside the verdict."""
    assert len(claim.remarks) > 40


def test_exceptions_name_claims_that_exist() -> None:
    keys = {claim.key for claim in LEDGER}
    assert {*NO_CORRECTED_READING} <= keys


@pytest.mark.in_turn
@pytest.mark.parametrize("claim", CALLED, ids=lambda c: c.key)
def test_a_body_keeps_the_contract(claim: Claim) -> None:
    """Of the classics too; on a device see `test_device.py`. `execution.execute` trusts all of this."""
    with untouched(claim.key):
        assert set(check_contract(claim)) <= {NO_GPU}


@pytest.mark.parametrize("claim", _of(Rate), ids=lambda c: c.key)
def test_the_quantity_of_a_rate_is_positive_and_random_where_it_draws(claim: Claim) -> None:
    assert isinstance(claim.kind, Rate)
    along = claim.kind.along
    smallest = min(cell[along] for cell in claim.cells)
    for params in (cell for cell in claim.cells if cell[along] == smallest):
        with torch.no_grad():
            inputs = {s.name: s.sample(stream("conformance"), 1) for s in anatomy(claim, params).spaces}
            found = evaluate(claim, params, inputs, Draw(5, ("conformance",)), 5).lhs
        assert bool((found > 0.0).all())
        assert (len(np.unique(found.numpy())) > 1) == ("draw" in claim.wants)


def test_every_kind_is_represented() -> None:
    for kind in (Identity, Always, HighProbability, Expectation, Rate, Reproduction):
        assert _of(kind), kind
    assert all(claim.kind.reason for claim in LEDGER if isinstance(claim.kind, Untestable))
