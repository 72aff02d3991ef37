"""Verdicts for people: one-paragraph explanations, a terminal table, plots, and a self-contained HTML page."""
