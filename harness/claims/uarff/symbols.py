"""Symbols, letters and conventions that are wrong in the paper; graver defects are in `defects`.

Our copy of the paper is text extracted from the PDF. Where only a symbol is at stake, the copy may be to blame.
"""

from harness import Defect, Severity

ALGORITHM_1 = Defect(
    id="uarff/alg-1",
    severity=Severity.MISPRINT,
    where="Algorithm 1, lines 3 and 4; Section 4, rows of Z_m; proof of Theorem 20",
    why_the_proof_fails=(
        "A factor 1/s is lost. Either p_i should carry it, as p(v_i) = 1/s in the empirical measure of (38), and the "
        "columns then sqrt(1/s) as well; or the p_i are densities with respect to that measure and their sum should "
        "carry it, which repairs both. The text on the cost has yet another matrix, Z^T Z + n lambda I. The reason may "
        "be a convention, or a symbol lost in our copy."
    ),
    what_is_true="With 1/s the scores sum to the effective dimension of the pool's kernel (uarff/alg-1[corrected]).",
    consequence=(
        "Taken literally, line 5 asks for s d features, more than the pool contains whenever d > 1. The proportions, "
        "and so the distribution of the features, are correct; the weights of the columns are wrong by a common factor "
        "sqrt(s), which has no effect where lambda* is tuned."
    ),
)

PLAIN_FEATURES = Defect(
    id="uarff/sec-4-features",
    severity=Severity.MISPRINT,
    where="Section 4, below Theorem 20: n^(3/2) features for in-sample training with plain sampling",
    why_the_proof_fails=(
        "Corollary 11 and Table 1 have sqrt(n) log n plain features, for training as for prediction. n^(3/2) is the "
        "number of steps of a prediction at n points, for which the contributions have n log n log log n with "
        "Algorithm 1. A word is at stake, not a symbol that our copy may have lost."
    ),
    what_is_true="n^(3/2) steps up to logarithms, with sqrt(n) log n features (uarff/sec-4-features[corrected]).",
    consequence="None: the comparison with Algorithm 1 is that of steps.",
)

TABLE_4_SPECTRUM = Defect(
    id="uarff/tab-4-spectrum",
    severity=Severity.MISPRINT,
    where="Tables 4 and 5, rows of prior work with eigenvalues i^-t, and Section 3.1.3",
    why_the_proof_fails=(
        "The rate n^(-2t/(2t+1)) is that of eigenvalues i^-2t, as Tables 1 and 3 write them. For i^-t it is "
        "n^(-t/(t+1)), in Remark 13 with b = t. The text says i^-t as well, so our copy is hardly to blame."
    ),
    what_is_true="With i^-2t in these rows (uarff/rate-tab-4-prior[corrected], uarff/prior-rows[corrected]).",
    consequence="The comparison holds for i^-t, too, with the slower rate: it is still faster than n^-1/2.",
)

TABLE_5 = Defect(
    id="uarff/tab-5-prior",
    severity=Severity.MISPRINT,
    where="Table 5, features of prior work with polynomial decay, and Section 3.1.3, alpha = 1",
    why_the_proof_fails=(
        "Plain sampling is compatible with alpha = 1, for which Table 4 has n^(2t/(2t+1)) log n features at the same "
        "rate. Table 5 has n^(alpha/(2t+1)) log n, and the text n^(1/(2t+1)): the factor 2 t is missing in both, in "
        "the paper or in our copy."
    ),
    what_is_true=(
        "n^(2 t alpha/(2t+1)) log n, which is lambda^-alpha at the lambda of the rate (uarff/prior-rows[corrected], "
        "uarff/rate-tab-5-prior[corrected])."
    ),
    consequence=(
        "Prior work asks for more features than the table says: n^(4/5) instead of n^(1/5) for t = 2 and alpha = 1. "
        "The row of this paper is not affected."
    ),
)

DEFINITION_1 = Defect(
    id="uarff/def-1",
    severity=Severity.MISPRINT,
    where="Definition 1 against Lemmas 2 and 7, (19) and (22)",
    why_the_proof_fails=(
        "Definition 1 has 2/n and an absolute value; the lemmas are quoted from sources, or used, in the convention "
        "1/n without it. This mixes two conventions: our copy has the factor 2 only in Definition 1."
    ),
    what_is_true=(
        "Lemmas 2 and 7 with a factor 2 (uarff/lem-2[corrected], uarff/lem-7[corrected]), (19) with a factor 4 "
        "(uarff/eq-19[corrected]), (22) without absolute values (uarff/eq-22[corrected])."
    ),
    consequence="Constants inside O(1 / sqrt(n)) and in r*. No rate changes.",
)

SPLINE_KERNEL = Defect(
    id="uarff/spline-id",
    severity=Severity.COPY,
    where="Section 5, the spline kernel",
    why_the_proof_fails=(
        "The integral of a product of two cosines is half a cosine, so a factor 2 is missing before the sum. It may "
        "have been lost in our copy."
    ),
    what_is_true="The product rule for 1 + 2 sum m^-r cos 2 pi m (x - y) (uarff/spline-id[corrected]).",
    consequence="Kernel and features differ by a factor on the cosines. Rates, and Figure 1, are not affected.",
)

DEFINITION_4 = Defect(
    id="uarff/def-4",
    severity=Severity.COPY,
    where="Definition 4, and with it Lemma 5",
    why_the_proof_fails=(
        "A sub-root function has psi(r) / sqrt(r) non-increasing, as its name and its source say. With psi(r) / r, "
        "psi(r) = r is one and has every r as a fixed point, and a + r has none. In our copy root signs stand on lines "
        "of their own, where this one may have been lost."
    ),
    what_is_true="The lemma with the root (uarff/lem-5[corrected]), and for psi > 0, which the paper does not ask for.",
    consequence="None: the functions used later are sub-root in this sense (uarff/def-4[corrected]).",
)

APPENDIX_E = Defect(
    id="uarff/app-E-squares",
    severity=Severity.COPY,
    where="Appendix E, first line of the proof of Lemma 25",
    why_the_proof_fails=(
        "E l_f^2 <= E l_f takes losses below one; the lemma has bounded labels. Section 6.3 has B E l_f at the same "
        "place, and so the conclusion of the lemma: the B is missing, in print or in our copy."
    ),
    what_is_true="E l_f^2 <= B E l_f with the largest loss B (uarff/lem-25-squares[corrected]).",
    consequence="None: Lemma 6 is applied with this B.",
)

TABLE_9_SIGNS = Defect(
    id="uarff/tab-9-signs",
    severity=Severity.COPY,
    where="Table 9, rate of prior work with eigenvalues i^-t, and Section 3.2.3, t = 4",
    why_the_proof_fails=(
        "The rates n^(t/(2+t)) and n^(2/3) grow with n. The text calls the latter fast, and compares it with n^-1/2: "
        "both lack a minus sign, in print or in our copy."
    ),
    what_is_true="n^(-t/(2+t)) and n^(-2/3) (uarff/tab-9-prior-polynomial[corrected], uarff/prior-rows[corrected]).",
    consequence="None.",
)
