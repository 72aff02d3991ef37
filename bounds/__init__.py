"""Right-hand sides of learning-theory claims: pure functions of numbers, float64, no randomness, no I/O.

pac_bayes        PAC-Bayes bounds on kernel alignment: KL and chi-square, their tuning, and where they say something.
random_features  How many random features ridge and Lipschitz losses need, and what risk they leave.
divergence_ball  Sampling and consistency of kernels learnt over f-divergence balls.
margin_game      Convergence of the margin game, its value, and concentration of the Fourier potential.
complexity       Rademacher complexities and margin bounds.
concentration    Deviations of a sample mean from its expectation.
"""
