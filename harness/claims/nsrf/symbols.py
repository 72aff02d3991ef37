"""Symbols, letters and conventions that are wrong in the paper; graver defects are in `defects`.

We have read two copies of the paper, of which only one has formulas: a letter, a sign or an index that it may have lost
is not held against the authors.
"""

from harness.language.defects import Defect, Severity

DENSITY = Defect(
    id="nsrf/thm-2.1",
    severity=Severity.MISPRINT,
    where="Theorem 2.1, 'for some lambda in L_1(Omega)' below (1), and the set L of Section 3.1",
    why_the_proof_fails=(
        "The theorem says measure, and then writes it as a density, which k = 1 and k = cos do not have. A convention, "
        "and not a slip of our copy: Section 3.1 puts Dirac masses into L, a part of L_1, and Algorithm 2 returns them."
    ),
    what_is_true="With lambda a finite measure: nsrf/thm-2.1-both, nsrf/thm-2.1-only-if[corrected].",
    consequence="Among densities alone no kernel is the best of Section 3.1, unless the potential is constant.",
)

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

LANGEVIN_NOISE = Defect(
    id="nsrf/alg-1",
    severity=Severity.COPY,
    where="Algorithm 1, line 5, the noise sqrt(2 xi / zeta)",
    why_the_proof_fails=(
        "zeta multiplies the gradient and xi is called a temperature, so the noise of Langevin dynamics is sqrt(2 xi "
        "zeta); with an inverse temperature, as in the cited theory, sqrt(2 zeta / xi). The letters seem to be "
        "interchanged, in print or in our copy."
    ),
    what_is_true="sqrt(2 xi zeta): nsrf/alg-1[corrected]. The printed noise is that of the temperature xi/zeta^2.",
    consequence="None where the temperature is tuned to the step; with a fixed one smaller steps diffuse more.",
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

ADDITION_THEOREM = Defect(
    id="nsrf/eq-8",
    severity=Severity.COPY,
    where="Equation (8), Appendix B.1",
    why_the_proof_fails=(
        "The degree is m on the left and l in N(d, l), and l is also what the sum runs over; in (2) j and l stand for "
        "l and m in the same way. The letters may have been confused in our copy."
    ),
    what_is_true="P_l(<x, x'>) = (area/N(d, l)) times the sum over the orders: nsrf/eq-8[corrected].",
    consequence="None.",
)

UPPER_INDEX = Defect(
    id="nsrf/B.2-explicit",
    severity=Severity.COPY,
    where="Appendix B.2, the definition of Y_(l_1, ..., l_N)",
    why_the_proof_fails=(
        "In the construction by Higuchi that the paper adopts the upper index of the Legendre function is the next "
        "lower degree l_(k-1); l_(d-1) is the degree itself. Our copy may have read d for k. The harmonics have d - 1 "
        "indices, not N."
    ),
    what_is_true="The product with the upper indices l_(k-1): nsrf/B.2-explicit[corrected].",
    consequence="None: the paper needs only the factor exp(i l_1 theta_1).",
)

CONSTANT_TERM = Defect(
    id="nsrf/thm-B.1",
    severity=Severity.COPY,
    where="Theorem B.1, 'for all m in N^+' below (7)",
    why_the_proof_fails=(
        "The sum begins with m = 0, and N^+ without it allows the kernel -1. N may be meant, in the paper or in its "
        "source; or our copy has added the +."
    ),
    what_is_true="lambda_m >= 0 for all m >= 0: nsrf/thm-B.1[corrected], nsrf/thm-2.2.",
    consequence="None.",
)

GEGENBAUER_INDEX = Defect(
    id="nsrf/thm-B.1-index",
    severity=Severity.MISPRINT,
    where="Appendix B.1, Schoenberg's notation P_m^((d-1)/2) for P_m^d, below Theorem B.1",
    why_the_proof_fails=(
        "Schoenberg's d is the dimension of the sphere, the paper's that of the space around it: the sphere of R^d has "
        "the polynomials of the index (d - 2)/2. (8) is true of these alone. That our copy has lost a 2 is less likely."
    ),
    what_is_true="The index (d - 2)/2: nsrf/thm-B.1-index[corrected].",
    consequence=(
        "An expansion into library polynomials of the printed index takes kernels on the sphere for none, such as P_2 "
        "on the sphere of R^3."
    ),
)

LABELS_OF_FIGURE_1C = Defect(
    id="nsrf/fig-1c-labels",
    severity=Severity.MISPRINT,
    where="Figure 1c, the harmonics Y_(0,11), Y_(4,9), Y_(8,27)",
    why_the_proof_fails=(
        "By Section 2.1 the degree comes first, and degree 0 has no eleventh harmonic. The order stands first in the "
        "caption. That our copy has exchanged the numbers of all three is unlikely."
    ),
    what_is_true="Orders 0, 4 and 8 of the degrees 11, 9 and 27: nsrf/fig-1c-labels[corrected].",
    consequence="None.",
)

REAL_TRANSFORM = Defect(
    id="nsrf/B.2-real",
    severity=Severity.COPY,
    where="Appendix B.2, first paragraph, lambda(w) = lambda(-w) for real functions",
    why_the_proof_fails=(
        "Real functions have lambda(w) = conj lambda(-w); with the bar, which our copy may have lost, the conclusion "
        "follows, as lambda is not negative."
    ),
    what_is_true="lambda(w) = conj lambda(-w), and lambda(w) = lambda(-w) for even k: nsrf/B.2-real[corrected].",
    consequence="None: kernels are even.",
)
