"""Finders of hard instances: structured, random, gradient ascent, evolution; and the reducer of what they find."""
