"""The classics: textbook theorems in the words of the language, each with its source, beside the ledger of papers.

`concentration` sums, martingales, order statistics; `matrices` spectra and random matrices; `geometry` random
projections and kernels; `learning` classes, margins, PAC-Bayes; `online` regret and descent; `information` divergences
and entropies; `nonparametric` rates; `false_friends` statements that many believe and that are false.

`tightrope check classics` judges them; they are no part of the four papers, nor of what is counted there. A constant
that is sharp says by which factor it may not be made smaller (`sharp=`), another one why not.
"""
