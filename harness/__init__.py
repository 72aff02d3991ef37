"""Everything that judges: claims, quantifiers, search, evidence, verdicts, running, storing, reporting."""
