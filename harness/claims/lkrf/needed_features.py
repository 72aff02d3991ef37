"""Appendix C on support vectors, read as what a task needs, on pairs of handwritten digits; fixed before its first run.

The passage explains why learned features do worse on mnist, whose kernel machines "require many support vectors", and
goes on that better performance is achieved by the smaller rho of Table 6. So "translates to large nnz(q)" is read here
as: the more support vectors a task takes, the more its error falls when nnz(q) is raised. Whether nnz(q) itself is
larger at one rho, the other reading, is under lkrf/app-C-support-vectors and not decided there. The radii are the
largest and the smallest of Table 3; N, data, kernel, penalty and splits are those of that claim, and so is the error of
a correlation: that of leaving out one digit after another.
"""

import itertools

from sklearn.svm import SVC

from harness import Draw, Estimate, Row, claim, reproduction
from harness.claims.lkrf.data_sets import gaussian, learn, logistic_error, random_split
from harness.claims.lkrf.printed_tables import PARAMETERS
from harness.claims.lkrf.support_vectors import FEATURES, correlation, correlation_over_pairs, pair_of
from harness.claims.placement import generators

LARGE, SMALL = (chosen(ratio for ratio, _ in PARAMETERS.values()) for chosen in (max, min))
"""Of rho / N in Table 3: .1 and .002."""


@claim(
    "lkrf/app-C-needed",
    reproduction(sided="at least"),
    expected="undecided",
    cite="lkrf, Appendix C, on support vectors",
    quote="A large number of support vectors roughly translates to large nnz(q̂), which can be achieved by increasing "
    "N_w or decreasing ρ.",
    sizes="all 45 pairs of digits of 8 x 8 pixels, rho / N = .1 and .002, the ends of Table 3, N = 400, "
    "Gaussian kernel, logistic regression, C = 1: ours, as the sentence names none",
)
def tasks_with_many_support_vectors_need_many_features(draw: Draw):
    """Over pairs of digits, the more support vectors, the more the error falls from rho / N = .1 to .002.

    Judged: their correlation by ranks, which is positive, but by three of its errors only; that errors fall; and that
    nnz(q) rises with the smaller rho. The correlation of support vectors and nnz(q) is shown.
    """
    (generator,) = generators(draw, "splits and pools")[:1]
    pairs = list(itertools.combinations(range(10), 2))
    vectors, gains, kept = [], [], []
    for pair in pairs:
        task = random_split(*pair_of(draw, *pair), generator=generator, scaled=False)
        family = gaussian(task)
        fitted = SVC(C=1.0, gamma=family.gamma, random_state=0).fit(
            task.points.cpu().numpy(), task.labels.cpu().numpy()
        )
        vectors.append(float(fitted.n_support_.sum()))
        counts = ((FEATURES, LARGE * FEATURES), (FEATURES, SMALL * FEATURES))
        kernels = [learn(task, family, count=n, rho=rho, generator=generator) for n, rho in counts]
        few, many = (
            logistic_error(task, family, k.pool[k.kept], (k.weights[k.kept] * len(k.kept)).sqrt()) for k in kernels
        )
        gains.append(few - many)
        kept.append([float(len(kernel.kept)) for kernel in kernels])
    return [
        Row("rank correlation of support vectors and gain", correlation_over_pairs(pairs, vectors, gains), printed=0.0),
        Row("error at rho / N = .1 - at .002, in %", Estimate.mean(gains), printed=0.0),
        Row("nnz at rho / N = .002, less at .1", Estimate.mean([b - a for a, b in kept]), printed=0.0),
        Row("rank correlation of support vectors and nnz", correlation(vectors, [a for a, _ in kept])),
    ]
