"""The language of claims: the decorator, kinds, quantifiers and their spaces, panels, defects, papers."""
