"""Letarte, Morvant and Germain, "Pseudo-Bayesian Learning with Kernel Fourier Transform as Prior" (AISTATS 2019).

`identities` closed forms of the alignment loss; `variance` its variance; `guarantees` the PAC-Bayes theorems on the
exact test beds of `beds`; `experiments` the tables and figures, with the learners of `learners`.
"""
