"""The defects of the paper, most severe first; the readings that show a defect refer to it.

Those of symbols are in `symbols`.
"""

from harness import Defect, Severity

LEMMA_24 = Defect(
    id="uarff/lem-24",
    severity=Severity.STATEMENT,
    where="Lemma 24, equation (46) of Appendix C",
    why_the_proof_fails=(
        "(46) drops the factor I - K~ (K~ + n lambda)^-1 from Y^T (I - K (K + n lambda)^-1) (I - K~ (K~ + n "
        "lambda)^-1) f^, since its norm is at most one. The left factor is not f^ itself, and the product of two "
        "positive semidefinite matrices that do not commute is not positive semidefinite: the dropped term may be "
        "negative. The lemma mentions neither the number of features nor a probability."
    ),
    what_is_true=(
        "lambda |f^|^2 (1 + 2 sqrt(2 d / (s delta))) with probability 1 - delta at s >= (32/3) d log(32 d / delta) "
        "features (uarff/lem-24[corrected]); at the number of features of Theorem 9 the excess is a few per cent in "
        "the example of uarff/lem-24-theorem-9[inferred]."
    ),
    consequence=(
        "The proof of (16), and with it of Theorem 9, has a gap. Inequality (16) is not refuted, and a proof with "
        "3.66 lambda instead of 4 lambda needs 32/3 instead of 5 in the number of features (uarff/eq-16[corrected])."
    ),
)

THEOREM_20B = Defect(
    id="uarff/thm-20b",
    severity=Severity.STATEMENT,
    where="Theorem 20, last sentence",
    why_the_proof_fails=(
        "At lambda = n^-1/2 the pool has s of order sqrt(n) log n, so that m = s / (n lambda) is of order log n: fewer "
        "features than the effective dimension of a kernel whose eigenvalues decay polynomially. So few features, "
        "whichever they are, leave an error of f_H larger than lambda."
    ),
    what_is_true=(
        "The first condition of the theorem, m >= 5 d log(16 d / delta), in the example of uarff/thm-20b[corrected]."
    ),
    consequence=(
        "The number of features drawn from the pool must grow with the effective dimension; s / (n lambda) suffices "
        "only where the latter is logarithmic. In the example of uarff/rate-thm-20b[printed] a feature that matters is "
        "missed with probability .19 at n = 10^6, and with .56 at 10^8."
    ),
)

TABLE_4 = Defect(
    id="uarff/tab-4",
    severity=Severity.STATEMENT,
    where="Table 4, plain sampling with eigenvalues i^-t, and the sentence below it",
    why_the_proof_fails=(
        "Corollary 11 asks for sqrt(n) log n plain features at lambda = n^-1/2, as Table 2 and the text before it say. "
        "The cell has the number for leverage sampling."
    ),
    what_is_true=(
        "sqrt(n) log n follows (uarff/tab-4[corrected]). With n^(1/2t) log n features the risk decays more slowly than "
        "n^-1/2 in the example of uarff/rate-tab-4[printed]."
    ),
    consequence="The text's comparison with prior work relies on this cell.",
)

TABLE_7 = Defect(
    id="uarff/tab-7",
    severity=Severity.STATEMENT,
    where="Tables 7 and 9, leverage sampling with eigenvalues i^-t; Section 3.2.3, comparison for t < 2",
    why_the_proof_fails=(
        "At lambda = 1/n the effective dimension is n^(1/t), as the text of Section 3.2.2 says. The cells have "
        "n^(1/2t), the number at lambda = n^-1/2."
    ),
    what_is_true=(
        "n^(1/t) log n follows (uarff/tab-7[corrected], uarff/tab-9[corrected]). With n^(1/2t) log n features the risk "
        "does not decay at all in the example of uarff/rate-tab-7[printed]."
    ),
    consequence=(
        "For t < 2 the rate is better than that of prior work at the price of more features, not with fewer "
        "(uarff/tab-9-comparison[corrected])."
    ),
)

FAST_RATE = Defect(
    id="uarff/sec-3.2.2-fast",
    severity=Severity.STATEMENT,
    where="Section 3.2.2, last sentence on leverage sampling with eigenvalues i^-t",
    why_the_proof_fails=(
        "The sentence before it has the rate n^-1/2, at lambda = 1/n. By (12) a risk of order 1/n needs lambda = n^-2, "
        "for which leverage sampling asks for n^(2/t) features, and (13) gives n^(-t/(1+t)) at best."
    ),
    what_is_true=(
        "With the n^(1/t) log n features of the sentence before, fewer than n for large n, the rate n^-1/2 "
        "(uarff/rate-sec-3.2.2[corrected], uarff/rate-tab-7[corrected])."
    ),
    consequence=(
        "For 1 < t < 2 there is a target that no learner with fewer than n features approximates at the rate 1/n, "
        "however they are chosen (uarff/rate-sec-3.2.2[printed]). Table 7 has n^-1/2."
    ),
)

NO_SPECTRUM = Defect(
    id="uarff/sec-4-spectrum",
    severity=Severity.MISSING_HYPOTHESIS,
    where="Section 4, below Theorem 20: the minimax rate for m in Omega(log n log log n)",
    why_the_proof_fails=(
        "Theorem 20 asks for 5 d log(16 d / delta) features. This is of order log n log log n where d is of order log "
        "n, for geometric decay or finite rank, which the sentence does not say; for i^-2t it is n^(1/4t) log n."
    ),
    what_is_true=(
        "With geometric decay or finite rank (uarff/rate-sec-4[corrected], uarff/sec-4-parameters[corrected])."
    ),
    consequence="For polynomial decay so few features leave a risk that decays like a power of log n.",
)

LEMMA_27 = Defect(
    id="uarff/lem-27",
    severity=Severity.CONSTANT,
    where="Lemma 27, last display of its proof; Remark 28, (41)",
    why_the_proof_fails=(
        "The exponent -s eps^2 / 2 over d (1 + 2 eps / 3) becomes -s eps^2 over the same denominator in the third "
        "line: a factor 2 is lost, and the lemma takes its number of features from the third line."
    ),
    what_is_true="Twice as many features, d (2 / eps^2 + 4 / (3 eps)) log(16 d / delta) (uarff/lem-27[corrected]).",
    consequence=(
        "With leverage sampling the event fails more often than delta at moderate sizes (300 features, eps = .1). For "
        "plain sampling no violation is known. The rates do not change."
    ),
)

LEMMA_22 = Defect(
    id="uarff/lem-22",
    severity=Severity.CONSTANT,
    where="Lemma 22, and the same number of features in Theorems 9, 12, 15, 19, Corollaries 10, 11, 17, 18",
    why_the_proof_fails=(
        "The proof takes eps = 1/2 in Lemma 27, which gives 16/3 instead of 5 with that lemma as printed, and 32/3 "
        "with the lemma as it should be."
    ),
    what_is_true="The lemma with 32/3 (uarff/lem-22-atoms[corrected], uarff/lem-22-orthogonal[corrected]).",
    consequence=(
        "None at practical sizes: 5 is known to fail only at n / delta of order 1e10. For smaller sizes it is not "
        "proved either."
    ),
)

THEOREM_15 = Defect(
    id="uarff/thm-15",
    severity=Severity.CONSTANT,
    where="Theorem 15, (11); Corollaries 17 and 18; Theorems 19 and 21 inherit it",
    why_the_proof_fails=(
        "Assumption B.1 has a Lipschitz constant L. The bound on (29) replaces differences of losses by differences of "
        "functions without it."
    ),
    what_is_true="L sqrt(2 lambda) for lambda <= L^2 / 8 (uarff/thm-15-training[corrected]).",
    consequence=(
        "Nothing changes for the hinge and the logistic loss, where L = 1. For other losses lambda must be smaller by "
        "a factor L^2, which requires more features. There are counterexamples with L = 3.7, and with L = 3.2 "
        "at delta = 1e-20; between 1 and 3 we found none."
    ),
)

GEOMETRIC_DECAY = Defect(
    id="uarff/dK-decay-geometric",
    severity=Severity.CONSTANT,
    where="Section 3.1.1, below Corollary 10: d_K <= log(R_0 / lambda); Section 3.2.2: log(R_2 / lambda) <= log n",
    why_the_proof_fails=(
        "About log(R_0 / (n lambda)) / log(1/r) of n eigenvalues R_0 r^i of K are above n lambda, for r near 1 more "
        "than log(R_0 / lambda). At lambda = log^2 n / n^2 that logarithm is about 2 log n. This takes the printed "
        "inequalities without a constant; the paper counts orders, and cites a source instead of giving a proof. The "
        "line on polynomial decay is true for eigenvalues of K, of which it speaks, and lacks a constant for those of "
        "K / n, which the tables need."
    ),
    what_is_true=(
        "d_K <= log(1 + R_0 / lambda) / log(1/r) (uarff/dK-decay-geometric[corrected]), log(R_2 / lambda) <= 2 log n "
        "(uarff/dK-decay-refined[corrected]), and (pi/2t) / sin(pi/2t) times (R_0 / lambda)^(1/2t) for eigenvalues of "
        "K / n (uarff/dK-decay[corrected])."
    ),
    consequence="The constants in the numbers of features depend on r and t. The rates do not change.",
)

CUT = Defect(
    id="uarff/eq-10-cut",
    severity=Severity.CONSTANT,
    where="Section 3.1.2, below Theorem 12, and the end of Section 6.3: h = ceil(log n) for exponential decay",
    why_the_proof_fails=(
        "Beyond h = log n the eigenvalues A^i sum to about n^(-log(1/A)), which is below 1/n only for A <= 1/e. For "
        "larger A the second term of (10) is of order n^(-1/2 - log(1/A)/2)."
    ),
    what_is_true="h = ceil(log n / log(1/A)) (uarff/rate-sec-6.3-cut[corrected], uarff/tab-2-parameters).",
    consequence="None: (10) is a minimum over h, and the rate log n / n stands.",
)

TRAINING_NOISE = Defect(
    id="uarff/eq-21-noise",
    severity=Severity.PROOF_STEP,
    where="Section 6.3, below equation (21)",
    why_the_proof_fails=(
        "E min_f E_n l_f <= min_f E l_f, since a minimum is concave: the printed inequality has the wrong direction. "
        "The summands l(f^(x_i), y_i) are not independent either, as f^ depends on all of them."
    ),
    what_is_true="E E_n l_f^ <= E l_fH (uarff/eq-21-noise[corrected]).",
    consequence="The constant e_0 of (10) needs another argument. Theorem 12 is not refuted.",
)

EQUATION_25 = Defect(
    id="uarff/eq-25",
    severity=Severity.PROOF_STEP,
    where="Section 6.3, bound on (25)",
    why_the_proof_fails=(
        "Exchanging empirical and expected risk in Lemma 25 gives E_n l_f <= (D + 1) / D E l_f + ..., as in its "
        "source. With D / (D - 1) on the left, a multiple of the noise remains, which does not vanish with n."
    ),
    what_is_true=(
        "With the factor of its source the left side is negative in the example. The sum of (23) and (25) is not "
        "contradicted."
    ),
    consequence="The proof of Theorem 12, and of Theorem 19 at (35), has a gap. Neither theorem is refuted.",
)

STAR_HULL = Defect(
    id="uarff/eq-22-star",
    severity=Severity.PROOF_STEP,
    where="Section 6.3, (22), and Appendix E, (48) and (49)",
    why_the_proof_fails=(
        "The star hull of the losses, which Lemma 6 asks for, holds a l_f for every 0 <= a <= 1. Its complexity does "
        "not vanish with H: where every f is small, l_f is about y^2, and a y^2 is no contraction of f. So the "
        "fourth line of (22), L times the complexity of functions f - f^, does not follow from the third. Section 6.5 "
        "has the same inequality without the star hull, and applies Lemma 6 to it, which needs the hull."
    ),
    what_is_true=(
        "The inequality for the losses themselves, in the convention 1/n without absolute value "
        "(uarff/eq-22-chain[corrected]); another bound on the star hull is needed for Lemma 6."
    ),
    consequence=(
        "The proof of Lemma 25 has a gap. The lemma is not refuted: with the constants of its source it holds in the "
        "examples of uarff/lem-25-constants."
    ),
)

FIXED_POINTS = Defect(
    id="uarff/thm-12-fixed-points",
    severity=Severity.PROOF_STEP,
    where="Section 6.3, last inequality of the proof of Theorem 12",
    why_the_proof_fails=(
        "The eigenvalues of K~ are said to decay faster than those of K. The mean of K~ is K, so the largest "
        "eigenvalue of K~ exceeds that of K about every other time in the example."
    ),
    what_is_true=(
        "On average over the features (uarff/thm-12-fixed-points[corrected]); and on the event of Lemma 27 the "
        "eigenvalues of K~ / n are at most 3/2 times those of K / n, plus lambda / 2."
    ),
    consequence="A constant; the rates of Theorem 12 do not depend on it.",
)

EQUATION_31 = Defect(
    id="uarff/eq-31",
    severity=Severity.PROOF_STEP,
    where="Section 6.5, (31)",
    why_the_proof_fails=(
        "The last inequality is B.2 for the empirical distribution and its minimiser g^. It is said to be Assumption "
        "B.4, which does not exist; Theorem 19 assumes B.2, which is for P and g_H. In a sample both labels may be "
        "equally frequent at a point where P prefers one, and then no constant will do."
    ),
    what_is_true=(
        "(31) where B.2 holds for the empirical distribution, with its constant (uarff/eq-31[corrected], "
        "uarff/eq-31-37[corrected])."
    ),
    consequence=(
        "The proof of Theorem 19 needs B.2 for samples, or an argument that it holds with high probability. The "
        "theorem is not refuted (uarff/thm-19-constants[corrected])."
    ),
)

EQUATION_10 = Defect(
    id="uarff/eq-10",
    severity=Severity.INFERRED,
    where="(10) and (13), and the end of Lemma 25",
    why_the_proof_fails=(
        "The constant 2 L c_1 before the root of psi, and the offset of order 1/n, do not appear in the bound on its "
        "fixed point. The paper specifies neither L nor c_1; that 2 L c_1 >= 1 is our reading, based on the constants "
        "of its source."
    ),
    what_is_true="r* <= 2 b / n + min_h 2 a^2 h / n + a sqrt((2/n) sum_{i > h} mu_i) (uarff/eq-10[corrected]).",
    consequence="Only constants. The rates of the tables do not change.",
)

HINGE_LOSS = Defect(
    id="uarff/B.2-hinge",
    severity=Severity.INFERRED,
    where="Section 3.2.2, below Assumption B.2, if meant for every distribution",
    why_the_proof_fails=(
        "The hinge loss is named among losses that satisfy B.2. Where both labels are equally likely on one point, "
        "every value in [-1, 1] has the same hinge risk, so the right side is zero and the left side is not. The paper "
        "does not say that it means every distribution: the introduction has 'under the low noise assumption (Section "
        "3.2.2)', and Section 3.2.3 calls B.2 such a condition."
    ),
    what_is_true=(
        "B = 2 kappa^2 / |E y k_x| in the unit ball with k(x, x) <= kappa^2 <= 1, wherever E y k_x is not zero; B = "
        "2 / min |2 P(y = 1 | x) - 1| for all functions with values in [-1, 1] (uarff/B.2[corrected])."
    ),
    consequence=(
        "For the hinge loss B.2 is an assumption on the distribution, as the introduction says; in the unit ball a "
        "weaker one than low noise."
    ),
)

REMARK_14 = Defect(
    id="uarff/rem-14",
    severity=Severity.INFERRED,
    where="Remark 14, if it means the excess risk of Section 2.1",
    why_the_proof_fails=(
        "The sources that the remark cites compare with the smallest risk of all functions. The excess risk of the "
        "paper is over g_H, the best function of the unit ball, and is smaller where g_H cannot reach margins of one."
    ),
    what_is_true=(
        "For minima over all functions (uarff/rem-14[corrected]), so wherever g_H attains that of the hinge loss."
    ),
    consequence=(
        "A bound on the excess hinge risk of Theorem 15 or 19 is one on the excess of wrong labels only under that "
        "hypothesis, or up to a constant that depends on g_H."
    ),
)
