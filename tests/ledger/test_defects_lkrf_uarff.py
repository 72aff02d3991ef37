"""What lkrf and uarff are said to have wrong: every refutation names a defect, and every name leads to a claim."""

import re

import pytest

from harness import Defect, Severity
from harness.claims.lkrf import defects as lkrf
from harness.claims.uarff import defects as uarff
from harness.claims.uarff import symbols
from harness.language.registry import Claim
from harness.run.loading import ledger

CLAIMS = [claim for claim in ledger() if claim.id.split("/")[0] in ("lkrf", "uarff")]
DEFECTS = [value for module in (lkrf, uarff, symbols) for value in vars(module).values() if isinstance(value, Defect)]
every_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
every_defect = pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.id)


@every_claim
def test_a_refutation_names_its_defect_and_nothing_else_does(claim: Claim) -> None:
    assert (claim.defect is not None) == (claim.expected == "refuted")
    if claim.defect is not None:
        assert claim.reading in ("printed", "inferred")
        assert claim.defect.id.split("/")[0] == claim.id.split("/")[0]


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.reading == "printed"], ids=lambda claim: claim.key)
def test_a_printed_reading_quotes_print(claim: Claim) -> None:
    assert claim.quote
    assert claim.defect is None or claim.defect.severity is not Severity.INFERRED


@every_claim
def test_a_statement_fits_its_line(claim: Claim) -> None:
    assert len(claim.statement) <= 120


@every_defect
def test_a_defect_is_shown_by_a_claim_and_points_at_claims_that_exist(defect: Defect) -> None:
    assert any(claim.defect is defect for claim in CLAIMS)
    keys = {claim.key for claim in CLAIMS}
    named = re.findall(r"(?:lkrf|uarff)/[A-Za-z0-9.-]+(?:\[[a-z]+\])?", f"{defect.what_is_true} {defect.consequence}")
    assert {name.rstrip(".") for name in named} <= keys


def test_no_defect_is_counted_twice_and_the_gravest_come_first() -> None:
    assert len({defect.id for defect in DEFECTS}) == len(DEFECTS)
    grave = list(Severity)
    for module in (lkrf, uarff, symbols):
        ranks = [grave.index(value.severity) for value in vars(module).values() if isinstance(value, Defect)]
        assert ranks == sorted(ranks)


SYMBOLS = [defect for defect in DEFECTS if defect.severity in (Severity.MISPRINT, Severity.COPY)]


@pytest.mark.parametrize("defect", SYMBOLS, ids=lambda defect: defect.id)
def test_a_symbol_that_is_wrong_says_that_our_copy_may_be_the_culprit(defect: Defect) -> None:
    assert "our copy" in defect.why_the_proof_fails.lower()
