"""The defects of the paper; the readings that show a defect refer to it. Those of symbols are in `symbols`.

The severities follow one policy in every paper: a symbol, a factor two of a definition or a convention that the rest of
the paper does not use is a misprint; a display inside a proof is a proof step; a numbered or stated result is a
statement, or a constant where another one repairs it.
"""

from harness.language.defects import Defect, Severity

HARMONIC_POTENTIAL = Defect(
    id="nsrf/bound-on-harmonic-potentials",
    severity=Severity.STATEMENT,
    where="Section 2.2, last sentence, for rotation-invariant kernels",
    why_the_proof_fails=(
        "The bound is printed without a proof. It is true of exp(i <w, x>), but harmonics are not bounded by one: "
        "|Y_(l,0)|^2 = (2 l + 1)/(4 pi) at a pole, which exceeds one from l = 6 on; with harmonics of mean square one, "
        "from l = 1 on."
    ),
    what_is_true=(
        "(P(X) + Q(X))^2 (2 l + 1)/(4 pi) bounds v(l, m) for d = 3: nsrf/v-bound-sphere[corrected]. For "
        "translation-invariant kernels the sentence is correct: nsrf/v-bound."
    ),
    consequence=(
        "On the sphere gradients and regret grow with the degree; constants taken from the Euclidean case do not "
        "reflect this."
    ),
)

SPHERE_INVARIANCE = Defect(
    id="nsrf/rotation-invariance-of-pairs",
    severity=Severity.STATEMENT,
    where=(
        "Section 3.2, 'a mixed strategy is simply a translation- or rotation-invariant kernel', with the set L of "
        "Section 3.1"
    ),
    why_the_proof_fails=(
        "On R^d every symmetric measure is the dual of a translation-invariant kernel. On the sphere a measure belongs "
        "to a rotation-invariant kernel only if it gives all orders of a degree the same mass; Theorem 2.2 starts from "
        "kernels known to be invariant. The Dirac pair (l, +-m) of Section 3.1 does not have this property: 3/(4 pi) "
        "x_3 x_3' for (1, 0)."
    ),
    what_is_true="Mixtures of whole degrees are rotation-invariant: nsrf/sphere-not-invariant[corrected].",
    consequence=(
        "On the sphere Algorithm 2 optimises over a larger class than the invariant kernels, and its output depends on "
        "the coordinate axes of the data."
    ),
)

SPHERE_ACCURACY = Defect(
    id="nsrf/accuracy-and-axes",
    severity=Severity.INFERRED,
    where="Section 3.2, a consequence of the sentence on mixed strategies",
    why_the_proof_fails=(
        "The paper says nothing about rotated data. If mixed strategies were rotation-invariant kernels, rotating the "
        "data would change neither the game nor the classifier."
    ),
    what_is_true=(
        "With whole degrees as strategies a rotation changes nothing: nsrf/sphere-not-invariant-accuracy[corrected]."
    ),
    consequence=(
        "On our checkerboard, with our steps, rotating the axes costs the classifier some points. The accuracy printed "
        "for Figure 1 is not affected, because its data have fixed axes."
    ),
)

EQUILIBRIUM = Defect(
    id="nsrf/equilibrium",
    severity=Severity.MISSING_HYPOTHESIS,
    where=(
        "Section 3.2, 'there exists a Nash equilibrium'; the maximal pair of Section 3.1 and the min in (6) and in "
        "Theorem 4.1 take it for granted"
    ),
    why_the_proof_fails=(
        "Linear in lambda and concave in alpha is not enough: a strategy set has to be compact, and the probability "
        "measures on R^d are not. Section 4.2 alone assumes a bandwidth; Section 3.1 says that it needs none. At "
        "the points 1, sqrt 2, sqrt 3 with labels + - - the value is 1/2, and a measure that attains it would need a "
        "frequency that no number is: (sqrt 3 - 1)/(sqrt 2 - 1) would be a quotient of odd integers."
    ),
    what_is_true=(
        "The game has a value, and with frequencies from a compact set, a bandwidth or finitely many harmonics, an "
        "equilibrium: nsrf/equilibrium[corrected], nsrf/A.3-nash. For labels that Kronecker's theorem aligns the value "
        "is 1/2 whatever they are: nsrf/peak-lp-kronecker."
    ),
    consequence=(
        "Theorem 4.1 is meant with an infimum. Without a bandwidth the frequencies that improve the margin may run off "
        "to infinity, and the kernel that they approach tells the training points apart whatever their labels."
    ),
)

THEOREM_4_1 = Defect(
    id="nsrf/thm-4.1",
    severity=Severity.STATEMENT,
    where="Theorem 4.1, the explicit bound 3 (C + 2 C^2) n/(4 sqrt T), Section 4.1 and the proof in Appendix C",
    why_the_proof_fails=(
        "The proof bounds |sum_i y_i a_i exp(i <w, x_i>)| by C, but it can reach 2 C m, with m the size of the smaller "
        "class: the correct regret bound grows like (C n)^2, not like C n as printed. There are data and C for which "
        "no measure on T pairs satisfies the bound, so it fails for any steps, and no absolute constant in place of "
        "3/4 repairs it."
    ),
    what_is_true=(
        "F* + (mean of eps_t)/2 + 3 G D/(2 sqrt T) with G = sqrt n (1 + 2 C m), D = C sqrt(2 m), pairs of mass one and "
        "steps D/(G sqrt t): nsrf/thm-4.1[corrected]. Whether some step sizes give O(1/sqrt T) for the printed play, "
        "with constants that depend on the data, is open."
    ),
    consequence=(
        "The number of rounds that the theorem requires is smaller by a factor of order (C n)^2 than what the "
        "corrected bound asks for; a run should be judged by its own certificate (nsrf/thm-4.1-certificate)."
    ),
)

MASS_OF_THE_PAIRS = Defect(
    id="nsrf/mass-of-the-pairs",
    severity=Severity.PROOF_STEP,
    where=(
        "Algorithm 2, lines 8 and 11, and the last paragraph of Appendix C, 'by linearity of F in the dual measure'"
    ),
    why_the_proof_fails=(
        "The algorithm plays delta_w + delta_-w, of mass two, but is compared with measures of mass one. F is affine "
        "in the measure, not linear: the mean of F(a, delta_w + delta_-w)/2 is F(2 a, lambda_bar)/4, not F(a, "
        "lambda_bar). So with vanishing regret the printed play approaches the equilibrium of the game with the box 2 "
        "C."
    ),
    what_is_true=(
        "Pairs of mass one, (delta_w + delta_-w)/2, or training in the box 2 C: "
        "nsrf/thm-4.1-proof-steps[corrected], nsrf/thm-4.1-played."
    ),
    consequence=(
        "With exact peaks and any steps of vanishing average regret, those of the proof among them, the gap of the "
        "returned measure need not vanish: it tends to .01228 on four points. Steps of another kind, which Theorem 4.1 "
        "allows, are not ruled out: those of length 0 leave no gap there."
    ),
)

GRADIENT_BOUND = Defect(
    id="nsrf/gradient-bound",
    severity=Severity.PROOF_STEP,
    where="Appendix C, G <= (1 + 2 C) sqrt n, after Lemma C.1",
    why_the_proof_fails=(
        "The proof takes |<Phi_t, Y a_t>| to be at most C, but it is a sum over all points and can reach 2 C m, with m "
        "the size of the smaller class."
    ),
    what_is_true="sqrt n (1 + 4 C m) for pairs of mass two, sqrt n (1 + 2 C m) for mass one: nsrf/g-bound[corrected].",
    consequence=(
        "Steps computed from the printed value are too long, and the resulting bound is too small: on 32 points max F "
        "exceeds it (nsrf/thm-4.1-plugged-constants)."
    ),
)

ALTERNATE_FORM = Defect(
    id="nsrf/thm-4.1-alt",
    severity=Severity.STATEMENT,
    where="Theorem 4.1, alternate form, Section 4.1 and Appendix C",
    why_the_proof_fails=(
        "Appendix C omits the proof as straightforward. A potential of at least rho lowers the payoff, F(a_t, "
        "lambda_t) = 1.a_t - v(w_t)/2 for mass one, while the statement bounds the payoff by rho from above. So a "
        "smaller rho, down to 0, is always admissible and makes the statement stronger."
    ),
    what_is_true=(
        "F(a_t, lambda_t) <= rho in each round gives max F <= rho + 3 G D/(2 sqrt T); potentials of at least rho "
        "give (mean of 1.a_t) - rho/2 + 3 G D/(2 sqrt T): nsrf/thm-4.1-alt[corrected]."
    ),
    consequence=(
        "Weak peaks alone say nothing about the margin: max F is at least 1/2 once 2 C m >= 1, for every measure."
    ),
)

COROLLARY_4_2 = Defect(
    id="nsrf/cor-4.2-proof-steps",
    severity=Severity.INFERRED,
    where="Corollary 4.2, with the steps of Lemma C.1, which the corollary does not name",
    why_the_proof_fails=(
        "The corollary restates Theorem 4.1, 'with a certain choice of step sizes', and so inherits "
        "nsrf/mass-of-the-pairs if these are the steps of its proof. Moreover, its right side has the unit of F, while "
        "delta has no unit."
    ),
    what_is_true=(
        "delta <= gap/(2 F*) for the geometric margin, gap/F* for the reciprocal one: nsrf/cor-4.2[corrected]. On the "
        "data judged, some steps satisfy the printed statement: nsrf/cor-4.2[printed]."
    ),
    consequence="The competitive ratio of a run should be computed from its certificate and F*.",
)

SQUARED_HINGE_RATE = Defect(
    id="nsrf/l2-svm-rate",
    severity=Severity.INFERRED,
    where=(
        "Section 4.1 after Corollary 4.2 and the end of Theorem 4.1 in Appendix C, if it refers to the printed play "
        "with steps C/t"
    ),
    why_the_proof_fails=(
        "The paper says that the regret bound and the final term can be improved to O(log T/T), and names no steps. "
        "The regret of the printed play is O(log T/T); but because its pairs have mass two (nsrf/mass-of-the-pairs), a "
        "vanishing regret does not bring the measure to the equilibrium of the game with the constant C."
    ),
    what_is_true=(
        "The regret bound itself: nsrf/l2-svm[printed]. The gap, with pairs of mass one: nsrf/l2-svm[corrected]."
    ),
    consequence="With pairs of mass two, train the machine with 2 C.",
)

MARGIN_BOUND = Defect(
    id="nsrf/thm-4.3",
    severity=Severity.MISSING_HYPOTHESIS,
    where="Theorem 4.3, Section 4.2 and Appendix D",
    why_the_proof_fails=(
        "The proof bounds the complexity of {f : a'Ga <= 1}, functions of norm at most one, for a fixed margin "
        "theta and with probability 1 - delta; the statement says 'any SVM decision function', minimises over "
        "theta, and does not bound the norm."
    ),
    what_is_true=(
        "With |f| <= 1, theta fixed before the sample and probability 1 - delta no counterexample is known: "
        "nsrf/thm-4.3-norm-one. Proved, with a corrected complexity: nsrf/thm-4.3[corrected]; for all theta at "
        "once: nsrf/thm-4.3-all-theta."
    ),
    consequence=(
        "Divide the decision function by its norm before using the bound; a hard-margin machine on random labels has a "
        "large norm."
    ),
)

RADEMACHER = Defect(
    id="nsrf/rademacher",
    severity=Severity.PROOF_STEP,
    where="Appendix D, the displays after 'By the composition property'",
    why_the_proof_fails=(
        "sup |A| <= sup A + sup(-A) requires both suprema to be non-negative, for example because A vanishes at some "
        "w. The sum of sigma_i cos <w, x_i> equals the sum of signs at w = 0 and keeps its sign for small R_w R_x."
    ),
    what_is_true=(
        "The bound that keeps the term of frequency zero: nsrf/rademacher[corrected]. This does not refute the "
        "inequality of Theorem 4.3."
    ),
    consequence="For R_w R_x below about 1/3 the complexity does not go to zero with the bandwidth.",
)

BIAS = Defect(
    id="nsrf/bias",
    severity=Severity.PROOF_STEP,
    where="Appendix E, 'so that we have E[v/n^2] = v_ideal'",
    why_the_proof_fails="v/n^2 is a V-statistic: its n diagonal terms equal one, not v_ideal.",
    what_is_true="E[v/n^2] = v_ideal + (1 - v_ideal)/n: nsrf/bias[corrected].",
    consequence="A bias of at most 1/n, small compared with the deviations in the theorem.",
)

LABELS_OF_SAMPLES = Defect(
    id="nsrf/lem-E.3",
    severity=Severity.STATEMENT,
    where="Lemma E.3, the net after it and the full version of Theorem 4.4, Appendix E",
    why_the_proof_fails=(
        "McDiarmid's inequality is applied with the change caused by replacing a point, 4 R_x R_w/n. Replacing a "
        "sample also replaces its label and changes v/n^2 by up to 4 (n - 1)/n^2 however small R_x R_w is. The lemma "
        "also uses v_ideal as the mean (nsrf/bias) and counts only one of two tails; the net of radius epsilon/R_w "
        "omits R_x, makes the sample size depend on the unit of length, and has more than (2 R_w/epsilon)^d points for "
        "R_w > 2."
    ),
    what_is_true=(
        "2 exp(-n t^2/8) around the exact mean, and n >= (32/epsilon^2)(d log(1 + 8 R_x R_w/epsilon) + "
        "log(2/delta)) + 4/epsilon: nsrf/lem-E.3[corrected], nsrf/thm-4.4-full[corrected]. Theorem 4.4 of the "
        "main text holds if the factor that it suppresses is at least one: nsrf/thm-4.4."
    ),
    consequence=(
        "For small bandwidths the printed sample size is too small: in one example it is 41.45, but 44 do not suffice."
    ),
)

MIXING = Defect(
    id="nsrf/A.3-mixing",
    severity=Severity.INFERRED,
    where="Appendix A.3, 'a discrete Markov chain which mixes to lambda(l, m) ~ exp(beta v(l, m))'",
    why_the_proof_fails=(
        "There are infinitely many harmonics, and exp(beta v) >= 1 on each: it has no finite sum, and no chain can mix "
        "to what is not a law. The paper names this as an option that it does not take."
    ),
    what_is_true=(
        "Over the harmonics up to a degree, the threshold J of the next paragraph: nsrf/A.3-mixing[corrected]."
    ),
    consequence="None for the experiments, which examine all harmonics up to the threshold.",
)

HUNDRED_FEATURES = Defect(
    id="nsrf/100-features",
    severity=Severity.INFERRED,
    where="Section 5 and Table 1, if the sentence refers to each task of the table",
    why_the_proof_fails=(
        "The sentence has no quantifier. It is next to the curve of one task, automobile against truck, where 100 "
        "features are .3 points behind, within the error of 2000 test examples."
    ),
    what_is_true=(
        "By the printed numbers 2000 features are enough in all eight tasks: nsrf/tab-1-100-features[corrected]."
    ),
    consequence=(
        "On MNIST 4-9 and 5-6, according to the table, 100 learned features are behind 5000 random ones by 5.1 and 2.2 "
        "points."
    ),
)
