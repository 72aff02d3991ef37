"""Li, Ton, Oglic, Sejdinovic: Towards a Unified Analysis of Random Fourier Features.

Random features enter as a finite set of atoms: column v of an n x V matrix holds z(v, x_1), ..., z(v, x_n), with
probability p(v), so population kernels, leverage scores and effective dimensions are exact sums. K is not divided by n,
and n lambda is at most the mean eigenvalue of K, which is more than Assumption 3 asks for.

Test distributions: `designs` has orthogonal features, `finite_support` any finite set of them, `finite_population`
regression with exact risks, `finite_classes` function classes with exact complexities. Claims, in the order of the
paper: `decomposition` kernels and functions as mixtures of features; `leverage` the scores and their bounds;
`complexity` Rademacher averages; `local_complexity` local ones and their fixed points; `approximation` and `unit_ball`
how well sampled features replace the kernel; `cross_term` Lemma 24; `training_risk` (16), which rests on it;
`generalisation` (15) to (19); `risk` Theorem 9; `variance_condition` Lemma 30 and B.2; `refined_risk` Theorem 12 (with
`refined_constants`); `lipschitz_risk` Theorems 15 to 21, `lipschitz_refined` Theorem 19 with constants,
`classification` B.1 and Remark 14, `classification_risk` (on `lipschitz_population`) Theorems 15 and 21 for all
`losses`, `ball_supremum` what (32) takes; `proof_steps` what else of the proofs can be judged; `algorithm_1` resampled
features; `cost` what ridge regression takes; `spline_identity` the kernels of Section 5. `spline_modes`, `figure_1` and
`feature_counts` the risk rates, `table_10` and `figure_2` (with `feature_pool`) plain against leverage weighted
features. `decay` how spectra bound the effective dimension; `tables` Tables 1 to 9 (with `table_rows`), derived and
fitted, `table_parameters` (with `table_growth`) for all parameters, `prior_work` and `prior_rows` what they say of
other papers; `rates_squared`, `rates_lipschitz` and `rates_features` their rates, measured on `orthogonal_features`;
`defects` what is wrong in the paper.
"""

from harness.language.papers import Paper

PAPER = Paper(
    key="uarff",
    authors=("Zhu Li", "Jean-Francois Ton", "Dino Oglic", "Dino Sejdinovic"),
    title="Towards a Unified Analysis of Random Fourier Features",
    venue="JMLR",
    year=2021,
    link="https://arxiv.org/abs/1806.09178",
    journal=True,
)
