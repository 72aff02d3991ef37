"""Sinha and Duchi, "Learning Kernels with Random Features" (NIPS 2016).

The ball of radius rho around a measure P is {Q : E_P (dQ/dP)^k - 1 <= rho}, with the unscaled f(t) = t^k - 1 of the
main text; on N equal weights N^(k-1) sum_m q_m^k - 1 <= rho. Populations are finite, so suprema over a ball are exact.
The alignment of a feature is T(w) = E[S(Z, Z') phi(X, w) phi(X', w)], its estimate the U-statistic over pairs.

`ball`, `duality` suprema over the ball and their dual; `moments` the inequalities of the proofs, `ranges` those whose
range or letter is wrong; `kernels` the learned kernel and its estimators; `penalised`, `published_algorithm` problem
(8) and Algorithm 1; `consistency`, `sampling` what a sample of data or of features says about the population,
`optimality` both together (Theorem 1); `complexity`, `margin` the class of functions (Lemma 3, Theorem 2); `rates` how
fast all this sets in; `beds` the distributions on which all this is exact; `defects` what is wrong in the paper.
"""

from harness.language.papers import Paper

PAPER = Paper(
    key="lkrf",
    authors=("Aman Sinha", "John Duchi"),
    title="Learning Kernels with Random Features",
    venue="NIPS",
    year=2016,
    link="https://papers.nips.cc/paper/6180-learning-kernels-with-random-features",
)
