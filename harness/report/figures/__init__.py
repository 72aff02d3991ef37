"""The figures of the papers, drawn from a run: `specification` says what, `material` finds it, `drawing` draws it."""
