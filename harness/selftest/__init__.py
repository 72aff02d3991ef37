"""The harness judged by itself: planted falsehoods of known size, and truths without slack.

A sample of the two zoos that the tests judge: `tests/statistical/zoo` in the repository holds all of them.
"""
