"""How reliable a number is: its rounding error, enclosures by ball arithmetic, certificates of counterexamples."""
