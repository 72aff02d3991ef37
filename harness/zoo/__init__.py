"""The harness judged by itself: planted falsehoods of known size, and truths without slack."""
