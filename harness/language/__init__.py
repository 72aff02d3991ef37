"""What a claim is written in: the decorator, kinds, quantifiers and their spaces, panels, defects, papers."""
