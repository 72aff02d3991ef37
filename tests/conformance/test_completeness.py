"""Every numbered claim, algorithm, table and figure of a finished paper has a row, and the known verdicts stand."""

import pytest

from harness.run.loading import ledger

NUMBERED = {
    "nsrf": """
        thm-2.1 thm-2.2 eq-3 alignment-general eq-4 eq-5 l1-norm l1-norm-sphere v-bound v-bound-sphere peak-lp
        equilibrium alg-1 F-identity alg-2 thm-4.1 thm-4.1-alt cor-4.2 lem-C.1 g-bound l2-svm thm-4.3 rademacher
        thm-4.3-log-T thm-4.4 thm-4.4-full thm-4.4-weights bias lem-E.1 lem-E.2 replace-one lem-E.3 thm-4.5
        sec-3.1-operations alg-3 alg-3-ten-rounds A.1 A.1-derivatives A.1-median A.1-top-k A.3 thm-B.1 eq-8 N-d-l B.2
        sphere-not-invariant fig-1-windmill fig-1-windmill-baselines fig-1-checkerboard
        fig-1-checkerboard-support fig-1-checkerboard-baselines tab-1-outperforms tab-1-100-features
        tab-1-increasing tab-1-digits tab-1-digits-new-splits tab-1-mnist tab-1-mnist-full tab-1-cifar tab-1-stability
        tab-1-100-auto-truck
        margin-improves test-improves improves-mnist improves-columns A.1-median-columns A.1-temperature-mnist
        A.1-step A.1-temperature A.1-mnist A.1-top-k-mnist A.1-median-mnist A.1-starts-mnist robust-mnist
        fig-1a-margin
        fig-1b fig-1-windmill-validated fig-1-baselines robust margin-never-shrinks
    """,
    "pbrff": """
        eq-2-3 eq-4-5 eq-10-mean eq-11 eq-12 eq-13 eq-14 eq-15-16 eq-17-18 eq-19 eq-20 linearity unbiased thm-1
        cor-2 cor-2-rate same-minimiser beta-1 kl-discrete landmark-union thm-3 thm-3-rate lem-6 thm-4-case-1
        thm-4-case-2 cor-5 cor-5-unbounded kQ-1-over-N sd-complexity pac-coherent pb-faster prop-7 prop-8 tab-1
        tab-1-svm-best tab-1-improves tab-2 fig-1 fig-2 fig-3 fig-4 fig-5 fig-5-full fig-6 sigma-grid
    """,
    "lkrf": """
        sec-2-hadamard eq-5 eq-6 eq-7 eq-8-closed-form eq-8-linear-time eq-8-steps fastfood-operations
        features-operations alg-1 alg-1-feasible alg-1-complexity
        alg-1-termination eq-9 lem-4 f-conjugate eq-10 eq-11 lem-6 lem-1 eq-13 eq-14 lem-5-upper lem-5-lower
        lem-5-sharp eq-17 c-rho lipschitz lem-7-1 lem-7-2 lem-7-3 lem-7-4 lem-7 lem-8 lem-2 thm-1
        thm-1-algorithm eq-15 lem-3 thm-2 baselines baselines-any-problem fig-1a fig-1a-pair fig-1a-pair-full
        fig-1b fig-1b-nnz footnote-1 fig-2 fig-3 tab-1 tab-2 tab-3 tab-4 tab-4-adult-validated tab-4-mnist-kernels tab-5
        tab-6 tab-contradictions app-C-mnist app-C-needed
    """,
    "uarff": """
        eq-2-5 unbiased lev-upper lev-int gg-closed assump-3 def-1 lem-2 lem-3 lip-comp def-4 lem-5 lem-6 lem-7
        prop-8 eq-7 lem-26 lem-27 rem-28 lem-29 lem-30 lem-22 rem-23 lem-24 eq-16 eq-15 eq-17 eq-19 thm-9 cor-10
        cor-11 dK-decay tab-1 tab-2 tab-3 tab-4 tab-5 tab-6 tab-7 tab-8 tab-9 thm-12 lem-25 eq-10 eq-21 eq-22
        thm-12-remarks thm-15 cor-17 cor-18 B.2 thm-19 thm-19-constants eq-32 alg-1 thm-20 thm-20b thm-21
        cost-claims spline-id fig-1
        tab-10 tab-10-validated fig-2 fig-2-tuned-kernel fig-2-substitute app-F app-F-tuned-kernel app-F-fewer
    """,
}
"""Names after the slash, as the papers number them; what they leave unnumbered has a name of its own."""

WRONG_IN_PRINT = {
    "nsrf": """
        thm-2.1-only-if eq-3 equilibrium alignment-general l1-norm-sphere v-bound-sphere alg-1 thm-4.1 thm-4.1-one-step
        thm-4.1-two-steps thm-4.1-many-steps thm-4.1-proof-steps thm-4.1-alt thm-4.1-alt-largest lem-C.1
        lem-C.1-game g-bound thm-4.3 rademacher thm-4.4-full bias lem-E.3 thm-B.1 thm-B.1-index eq-8 N-d-l B.2-real B.2
        B.2-explicit sphere-not-invariant fig-1c-labels
    """,
    "pbrff": "eq-14 eq-15-16 lem-6 thm-4-case-1 thm-4-case-2 cor-5 kQ-1-over-N",
    "lkrf": "eq-7 eq-8-closed-form alg-1 eq-10 A.1-logarithm lem-7-3 B.4-minimum",
    "uarff": """
        lem-2 lem-5 lem-7 lem-22-one-point lem-22-orthogonal lem-24 lem-25-squares lem-27 thm-15 cor-17 cor-18
        thm-20b tab-4 tab-7 tab-9 alg-1 spline-id dK-decay-geometric dK-decay-refined eq-21-noise eq-22 eq-22-chain
        eq-25 eq-31 thm-12-fixed-points rate-sec-6.3-cut rate-sec-3.2.2 rate-sec-4 sec-4-features rate-tab-4-prior
        rate-tab-5-prior tab-9-prior-polynomial
    """,
}
"""Statements with a printed reading that a run refutes."""


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_claim_of_a_paper_has_a_row(paper: str) -> None:
    rows = {claim.id for claim in ledger()}
    assert {f"{paper}/{name}" for name in NUMBERED[paper].split()} <= rows


@pytest.mark.parametrize("paper", WRONG_IN_PRINT)
def test_what_is_wrong_in_print_is_expected_to_be_refuted(paper: str) -> None:
    refuted = {claim.id for claim in ledger() if claim.expected == "refuted" and claim.reading == "printed"}
    assert {f"{paper}/{name}" for name in WRONG_IN_PRINT[paper].split()} <= refuted
