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

SIGN_OF_LAMBDA = Defect(
    id="lkrf/eq-10",
    severity=Severity.PROOF_STEP,
    where="Equation (10), without a range of lambda",
    why_the_proof_fails=(
        "It is quoted without a proof, after a definition for all real lambda. For lambda < 0 the right side is below "
        "1 and tends to 0, the left one is at least P(X = 0)."
    ),
    what_is_true="(10) for lambda >= 0: lkrf/eq-10[corrected], lkrf/eq-10-any-law[corrected].",
    consequence="None: the proof of Lemma 1 uses lambda = n/16.",
)

SIGN_OF_T = Defect(
    id="lkrf/A.1-logarithm",
    severity=Severity.PROOF_STEP,
    where="Appendix A.1, last sentence, 'for t <= 1/2'",
    why_the_proof_fails=(
        "The line t log 4 is a chord of the convex -log(1 - t) between 0 and 1/2, so it is below it for t < 0: at t = "
        "-.1 the sides are -.095 and -.139."
    ),
    what_is_true="The inequality for 0 <= t <= 1/2: lkrf/A.1-logarithm[corrected].",
    consequence="None: it is used at t = 1/2, where it is an equality.",
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

BOX = Defect(
    id="lkrf/eq-7",
    severity=Severity.COPY,
    where="Equation (7), alpha in R^(N_w) and |alpha| <= C/N_w",
    why_the_proof_fails=(
        "The text draws D features and sums D terms; the method cited has the number of features in the box. Our copy "
        "may have N_w where D is printed."
    ),
    what_is_true="(7) with D for N_w: lkrf/eq-7[corrected], lkrf/eq-7-dual[corrected], lkrf/eq-7-minimum[corrected].",
    consequence="None: C is a constant of no further use, and Section 4 replaces the box by a penalty.",
)

MINIMUM_OVER_T = Defect(
    id="lkrf/B.4-minimum",
    severity=Severity.COPY,
    where="Appendix B.4, the last display but one, 'min' with t >= 0 below it",
    why_the_proof_fails=(
        "The right side depends on t, over which the left side minimises. The condition t >= 0 belongs behind the "
        "display; our copy may have moved it."
    ),
    what_is_true="The minimum of the three numbers at each t: lkrf/B.4-minimum[corrected].",
    consequence="None.",
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
