"""The harness tested on itself: planted false claims of known size, and true claims without slack.

A sample of the two zoos that the tests judge: `tests/statistical/zoo` in the repository holds all of them.
"""
