"""The asv suite: seconds, and ratios to a floor measured in the same run.

A ratio is what survives a change of machine: the same arithmetic as bare library calls, run in turns with ours. Run
with `make bench` (`asv machine --yes`, then `asv run --quick`); results go to results/asv.
"""
