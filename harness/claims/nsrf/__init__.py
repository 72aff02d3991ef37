"""Bullins, Zhang, Zhang: Not-So-Random Features.

Points x_i in R^d with labels y_i = +-1; v_a(w) = |sum_i y_i a_i exp(i <w, x_i>)|^2 is the Fourier potential of the
weights a, and K = {0 <= a <= C, y.a = 0} the feasible set of the support vector machine with a bias. A symmetric
measure puts half of each mass on w and half on -w, so its kernel is a mixture of cosines.

`kernels`, `alignment` kernels, their spectra and their alignment; `margin` the payoff of the game, and the one that
Algorithm 2 climbs, `no_equilibrium` where the game has none; `potential` the Fourier potential of a sample; `regret`
online gradient ascent; `langevin` Algorithm 1; `projection` Algorithm 3; `sphere`, `harmonics` rotation-invariant
kernels and the harmonics in them, `printed_letters` letters of Appendix B; `windmill`, `checkerboard` Figure 1,
`evolution` its captions, the `learned_machine` beside its `baselines`; `printed_table`, `table_1`, `digits`, `mnist`
Table 1, as printed and as it comes out, `more_features` what it says of the margin; `tuning_guide`, `search_guide`,
`step_guide` Appendix A.1, on `langevin_search`; `complexity`, `generalisation` Theorem 4.3; `pointwise`,
`concentration` Theorem 4.4, on `sampled_potentials`; `rates` how fast what Section 4 promises sets in.

Theorem 4.1: `quantifiers` and `counting` any step sizes, with the weights of `unseen`; `proof_steps` the steps of its
proof, `other_steps` more of them, on the runs of `game_beds`; `convergence` what holds, in `small_games`;
`margin_ratio` its alternate form and Corollary 4.2; `squared_hinge` the l2-SVM. `defects` is what is wrong in the
paper, `symbols` what of it is a symbol or a convention.
"""

from harness.language.papers import Paper

PAPER = Paper(
    key="nsrf",
    authors=("Brian Bullins", "Cyril Zhang", "Yi Zhang"),
    title="Not-So-Random Features",
    venue="ICLR",
    year=2018,
    link="https://arxiv.org/abs/1710.10230",
)
