"""Letarte, Morvant and Germain, "Pseudo-Bayesian Learning with Kernel Fourier Transform as Prior" (AISTATS 2019).

`spectra` and `fourier_pairs` kernels and their spectral measures; `predictors` the two forms of a predictor;
`identities` of the alignment loss; `posteriors` and `kernel_alignment` minimisers of the bounds, `complexity`,
`operations` and `ball_operations` what they cost (`finite_laws` and `stopwatch` serve them); `variance` of the
alignment loss; `first_order`, `guarantees`, `divergences`, `chi_square`, `unbounded_losses` and `moments` the PAC-Bayes
theorems, on the simulated `beds`, `centred_beds` and `atom_beds`, and the exact `gap_laws`; `rates` how fast they
converge; `printed_tables`, `one_split`, `tables`, `columns`, `figures`, `figure_5` and `toy_figures` the tables and
figures, with the data of `samples` and the learners of `learned_maps` and `learners`; `defects` is what is wrong in the
paper.
"""

from harness.language.papers import Paper

PAPER = Paper(
    key="pbrff",
    authors=("Gaël Letarte", "Emilie Morvant", "Pascal Germain"),
    title="Pseudo-Bayesian Learning with Kernel Fourier Transform as Prior",
    venue="AISTATS",
    year=2019,
    link="https://arxiv.org/abs/1810.12683",
)
