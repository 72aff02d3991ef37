"""Letarte, Morvant and Germain, "Pseudo-Bayesian Learning with Kernel Fourier Transform as Prior" (AISTATS 2019).

`identities` closed forms of the alignment loss; `variance` its variance; `first_order`, `guarantees`, `divergences`,
`chi_square` and `moments` the PAC-Bayes theorems, on the simulated `beds` and `centred_beds` and the exact `gap_laws`;
`experiments` the tables and figures, with the learners of `learners`.
"""
