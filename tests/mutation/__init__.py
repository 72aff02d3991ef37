"""Is every constant of `bounds` watched? Change each one and see who notices.

`operators` and `mutants` make wrong variants of a formula, `variants` puts one in place for a moment, `killers` look
for the damage (oracle values, then orderings between bounds, then the claims of the ledger), `engine` runs them in that
order, `equivalents` lists the variants that are no mistakes, with proofs, and `report` tells the story.
"""
