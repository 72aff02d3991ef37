"""Every numbered claim, algorithm, table and figure of a finished paper has a row, and the known verdicts stand."""

import pytest

from harness.loading import ledger

NUMBERED = {
    "pbrff": """
        eq-2-3 eq-4-5 eq-10-mean eq-11 eq-12 eq-13 eq-14 eq-15-16 eq-17-18 eq-19 eq-20 linearity unbiased thm-1 cor-2
        cor-2-rate same-minimiser beta-1 kl-discrete landmark-union thm-3 thm-3-rate lemma-6 thm-4-case-1 thm-4-case-2
        cor-5 cor-5-unbounded kQ-1-over-N sd-complexity pac-coherent pb-faster prop-7 prop-8 tab-1 tab-1-svm-best
        tab-1-improves tab-2 fig-1 fig-2 fig-3 fig-4 fig-5 fig-6 sigma-grid
    """,
}
"""Names after the slash, as the papers number them; what they leave unnumbered has a name of its own."""

WRONG_IN_PRINT = {"pbrff": "eq-14 eq-15-16 lemma-6 thm-4-case-1 thm-4-case-2 cor-5 kQ-1-over-N"}
"""Statements with a printed reading that a run refutes."""


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_claim_of_a_paper_has_a_row(paper: str) -> None:
    rows = {claim.id for claim in ledger()}
    assert {f"{paper}/{name}" for name in NUMBERED[paper].split()} <= rows


@pytest.mark.parametrize("paper", WRONG_IN_PRINT)
def test_what_is_wrong_in_print_is_expected_to_be_refuted(paper: str) -> None:
    refuted = {claim.id for claim in ledger() if claim.expected == "refuted" and claim.reading == "printed"}
    assert {f"{paper}/{name}" for name in WRONG_IN_PRINT[paper].split()} <= refuted
