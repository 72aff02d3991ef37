"""The defects of the paper, most severe first; the readings that show a defect refer to it."""

from harness import Defect, Severity

STOPPING_RULE = Defect(
    id="lkrf/alg-1",
    severity=Severity.STATEMENT,
    where="Algorithm 1, its output and its second loop; Section 2.1, above it",
    why_the_proof_fails=(
        "The loop ends when the interval of multipliers is narrow, lambda_u - lambda_l <= epsilon lambda_s. How much "
        "alignment this width can cost depends on the slope of the divergence in the multiplier; it is unbounded in "
        "rho. The paper gives no proof."
    ),
    what_is_true=(
        "Every feasible q(lambda) is suboptimal by at most lambda (rho - D(q)), which can serve as the stopping rule "
        "(lkrf/alg-1-certificate, lkrf/alg-1[corrected])."
    ),
    consequence=(
        "The weights may be further from optimal than required: by 6.9 epsilon, or 38.7 epsilon with the exact inner "
        "problem, for one distinguished feature of 200, rho = 100 and epsilon = .01. A change of one line repairs it."
    ),
)

CLOSED_FORM = Defect(
    id="lkrf/eq-8-closed-form",
    severity=Severity.COPY,
    where="Section 2.1, below (8)",
    why_the_proof_fails=(
        "The derivative of t^k is k t^(k-1); the factor k is missing before lambda. The formula is correct for f(t) = "
        "(t^k - 1)/k, the convention of the appendix. The reason may be this convention, or a letter lost in our copy."
    ),
    what_is_true="q_m = [v_m / (k lambda N^(k-1)) + tau]_+^(1/(k-1)) (lkrf/eq-8-closed-form[corrected]).",
    consequence="None in Algorithm 1, which searches lambda.",
)

LEMMA_7 = Defect(
    id="lkrf/lem-7-3",
    severity=Severity.COPY,
    where="Lemma 7, (16b), p <= 2",
    why_the_proof_fails=(
        "(p-1)/p is printed as an exponent of C; the proof, and the use of the lemma in the proof of Lemma 5, have the "
        "product. Our copy may have raised it by mistake."
    ),
    what_is_true="C ((p-1)/p) sqrt(2/n) (lkrf/lem-7-3[corrected]).",
    consequence="None: the proof of Lemma 5 uses the product.",
)

RETURNED_WEIGHTS = Defect(
    id="lkrf/alg-1-feasible",
    severity=Severity.INFERRED,
    where="Algorithm 1, its output",
    why_the_proof_fails=(
        "The algorithm does not say which q is returned. The last one that it computes may belong to lambda_l, where "
        "the divergence exceeds rho."
    ),
    what_is_true="The weights at lambda_u are feasible (lkrf/alg-1-feasible[corrected]).",
    consequence="Implementations should return the weights at lambda_u; the theory is not affected.",
)

ALL_DATA_SETS = Defect(
    id="lkrf/tab-contradictions",
    severity=Severity.INFERRED,
    where=(
        "Appendix C, 'we improve the performance for random features at a given computational cost', on all data sets, "
        "against Tables 4 and 5, if the cost is the time of Table 5"
    ),
    why_the_proof_fails=(
        "The paper does not say what the cost is. On ads, ten times nnz(q) random features have both the smaller error "
        "(3.54 and 5.37 %) and the smaller time, by 3 ms (.014 and .017 s). If it is the number of features, ads "
        "agrees (5.37 and 8.05 %) and mnist56 does not (6.81 and 5.89 %). Section 4.3 says itself that very many "
        "random features match or surpass the method."
    ),
    what_is_true=(
        "The sentence for the other eight data sets, in either sense with its own exception "
        "(lkrf/tab-contradictions[corrected])."
    ),
    consequence="None for large data sets, where the method is meant to be used; ads has 2459 training points.",
)
