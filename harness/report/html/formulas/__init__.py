"""Formulas of plain text as MathML: `tokens` tells letters from words, `tree` reads what belongs together.

`elements` and `fractions` say how parts are written, `mathml` where a formula begins and may be cut.

No library reads what statements are: AsciiMath takes every word for a product of letters, LaTeX has no plain text.
"""

from harness.report.html.formulas.mathml import formulas
from harness.report.html.formulas.tokens import GREEK

__all__ = ["GREEK", "formulas"]
