"""What a number is worth: how far rounding moves it, balls around it, certificates of counterexamples."""
