"""Sequential evidence: e-processes, confidence intervals and histograms that depend on counts and sums alone."""
