"""What the papers compute: torch in, torch out, batch axes first, device and dtype follow the input.

fourier          Random Fourier features and sums of cosines: kernels, their spectral measures, families of features.
divergence_ball  Linear maximisation over f-divergence balls: exact, by bisection, and as published.
kernel_learning  Kernels learnt from data: alignment, weights of features, posteriors over frequencies, landmarks.
ridge            Kernel ridge regression, its leverage scores, and the spectra and splines that it is tested on.
margin_game      The margin game: play, projections, exact best weights, values and certificates.
best_response    Best responses in the margin game: where the Fourier potential of signed weights is largest.
sphere           Spherical harmonics, zonal kernels and their random features.
complexity       Empirical, local and spectral Rademacher complexities.
estimators       The learners of the papers as scikit-learn estimators.
"""
