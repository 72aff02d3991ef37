"""Right-hand sides of learning-theory claims: pure functions of numbers, float64, no randomness, no I/O."""
