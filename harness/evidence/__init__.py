"""Sequential evidence: e-processes, confidence intervals and histograms that depend only on counts and sums."""
