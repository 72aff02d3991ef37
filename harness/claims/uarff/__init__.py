"""Li, Ton, Oglic, Sejdinovic: Towards a Unified Analysis of Random Fourier Features.

Random features enter as a finite set of atoms: column v of an n x V matrix holds z(v, x_1), ..., z(v, x_n), with
probability p(v), so that population kernels, leverage scores and effective dimensions are exact sums. K is not divided
by n, and n lambda is at most the mean eigenvalue of K, which is more than Assumption 3 asks for.

`designs` builds the instances. `leverage` the scores and their bounds; `complexity` Rademacher averages;
`approximation` how well sampled features replace the kernel; `figure_1` the risk rates.
`decay` how spectra bound the effective dimension; `tables` Tables 1 to 9, derived and fitted.
"""
