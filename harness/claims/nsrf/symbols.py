"""Symbols, letters and conventions that are wrong in the paper; graver defects are in `defects`.

We have read two copies of the paper, of which only one has formulas: a letter, a sign or an index that it may have lost
is not held against the authors.
"""

from harness.language.defects import Defect, Severity

GENERAL_ALIGNMENT = Defect(
    id="nsrf/general-alignment",
    severity=Severity.COPY,
    where="Section 2.2, the alignment of arbitrary measures P and Q, the display before (4)",
    why_the_proof_fails=(
        "This is a definition without proof, meant to generalise y'Gy, in which the cross term occurs twice. With one "
        "point of each class at the same place y'Gy is 0 and the display gives k(x, x). Our copy may have lost the 2."
    ),
    what_is_true=(
        "int k dP^2 + int k dQ^2 - 2 int k dP dQ, as in (4), which the rest of the paper uses: "
        "nsrf/alignment-general[corrected]."
    ),
    consequence="None: no later formula uses the display.",
)

REAL_FEATURES = Defect(
    id="nsrf/real-features",
    severity=Severity.MISPRINT,
    where="Section 2.1, the map {phi(w), phi(-w)} -> {Re phi(w), Im phi(w)} below (3)",
    why_the_proof_fails=(
        "There is no proof. phi(w) conj phi'(w) + phi(-w) conj phi'(-w) = 2 (Re Re' + Im Im'), so the map halves the "
        "inner product where w and -w are two indices; at w = 0 nothing is lost. If a pair of features stands for a "
        "pair of total mass one nothing is lost, and Algorithm 2 may be read in this way."
    ),
    what_is_true="The map with the factor sqrt 2 for pairs w != -w, and 1 for w = 0: nsrf/eq-3[corrected].",
    consequence=(
        "A kernel built from real features is half the intended one, which doubles the weight of the regulariser."
    ),
)

HARMONIC_MASS = Defect(
    id="nsrf/mass-of-harmonics",
    severity=Severity.MISPRINT,
    where="Section 2.2, below (5), together with the normalisation of Appendix B.1",
    why_the_proof_fails=(
        "The conventions differ: k(x, x) is the total mass for harmonics of mean square one, while Appendix B.1 "
        "requires int |Y|^2 = 1 over the area of the sphere, for which k = 1 has lambda(0, 0) = 4 pi in three "
        "dimensions."
    ),
    what_is_true="The total mass is k(x, x) times the area of the sphere: nsrf/l1-norm-sphere[corrected].",
    consequence="Constants only: a measure of mass one on the sphere gives a kernel of diagonal 1/(4 pi) for d = 3.",
)

ONLINE_STEPS = Defect(
    id="nsrf/lem-C.1",
    severity=Severity.COPY,
    where="Lemma C.1, the step sizes eta_t = G/(D sqrt t)",
    why_the_proof_fails=(
        "The cited theorem has D/(G sqrt t): the letters G and D are interchanged, in the paper or in our copy. With "
        "the printed steps the average regret still vanishes, with the constant D^3/(2 G) + G^3/D in place of 3 G D/2."
    ),
    what_is_true="Steps D/(G sqrt t): nsrf/lem-C.1[corrected], nsrf/lem-C.1-game[corrected].",
    consequence=(
        "With the steps of the printed lemma, the weights may jump from one end of the box to the other for many "
        "rounds."
    ),
)

NUMBER_OF_HARMONICS = Defect(
    id="nsrf/N-d-l",
    severity=Severity.COPY,
    where="Appendix B.1, N(d, l) below (8)",
    why_the_proof_fails=(
        "There is no proof. The upper entry of the second binomial should be d - 3 + l; it is d - 1 + l, in the paper "
        "or in our copy. The two agree up to l = 2; for d = 3, l = 3 the printed formula gives 5 instead of 7."
    ),
    what_is_true="binom(d-1+l, l) - binom(d-3+l, l-2): nsrf/N-d-l[corrected].",
    consequence="None: (8) and what follows use the number itself, not the binomials.",
)

OPPOSITE_COEFFICIENTS = Defect(
    id="nsrf/B.2",
    severity=Severity.COPY,
    where="Appendix B.2, last sentence",
    why_the_proof_fails=(
        "One clause earlier the text has lambda_(-w) = conj lambda_w, and 'as claimed' refers to the symmetry of "
        "Theorem 2.2. The minus sign should be a complex conjugation, or absent; the error may be only in our copy."
    ),
    what_is_true=(
        "lambda_(-w) = conj lambda_w for real functions: nsrf/B.2[corrected]. The coefficients of a kernel depend only "
        "on the degree, which is what Theorem 2.2 needs."
    ),
    consequence="None.",
)
