"""Formulas of statements as MathML: what is read, what stays text, and that nothing else than text can come of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.claims import CLASSICS, PAPERS
from harness.report.html.formulas.tokens import tokens
from harness.report.html.typeset import typeset
from harness.run.catalogue import catalogue
from tests.harness.pages import VOID, Page

CORE = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "msqrt", "mover"}
TEXT = {"sub", "sup", "code", "wbr"}
CHILDREN = {"msup": 2, "msub": 2, "msubsup": 3, "mfrac": 2, "mover": 2}
HALF = "<mrow><mn>1</mn><mo lspace=0 rspace=0>/</mo><mn>2</mn></mrow>"
BRACKET, END = "<mo stretchy=false>(</mo>", "<mo stretchy=false>)</mo>"

SET = [
    ("n^(1/2) rows", f"<math><msup><mi>n</mi>{HALF}</msup></math> rows"),
    ("x_i', k*", "<msubsup><mi>x</mi><mi>i</mi><mo>′</mo></msubsup><mtext>,</mtext>"),
    ("k* and", "<math><msup><mi>k</mi><mo>∗</mo></msup></math> and"),
    ("sum_ij a", "<msub><mo>∑</mo><mrow><mi>i</mi><mi>j</mi></mrow></msub>"),
    ("a sum of squares", "a sum of squares"),
    ("K~ is", "<math><mover accent=true><mi>K</mi><mo stretchy=false>~</mo></mover></math> is"),
    ("Qhat, That is", "<mtext>,</mtext></math> That is"),
    ("log2 n", "<msub><mi>log</mi><mn>2</mn></msub>"),
    ("8x8 pixels", "8x8 pixels"),
    ("3 10^7", "<math><mn>3</mn>" + '<mspace width=".3em"></mspace>' + "<msup><mn>10</mn><mn>7</mn></msup></math>"),
    ("weights a >= 0", "weights <math><mi>a</mi><mo>≥</mo><mn>0</mn></math>"),
    ("a k-gram", "a <math><mi>k</mi></math>-gram"),
    ("of s^2-sub-Gaussian", "<mn>2</mn></msup></math>-sub-Gaussian"),
    ("P(loss > t) at most", "<math><mi>P</mi></math>(loss &gt; <math><mi>t</mi><mtext>)</mtext></math> at most"),
    ("at (n = 2, say)", "at <math><mtext>(</mtext><mi>n</mi><mo>=</mo><mn>2</mn><mtext>,</mtext></math> say)"),
    ("<f, g> = 1", "<math><mrow><mo stretchy=false>⟨</mo><mi>f</mi><mo>,</mo><mi>g</mi><mo stretchy=false>⟩</mo>"),
    ("(t - f(t)) / t", "<math><mfrac><mrow><mi>t</mi><mo>−</mo><mi>f</mi>"),
    ("log n / (2 n)", "<mi>log&#8201;</mi><mi>n</mi><mo lspace=0 rspace=0>/</mo>"),  # of n, or of the ratio
    ("t / (2 n)", "<math><mfrac><mi>t</mi><mrow><mn>2</mn><mi>n</mi></mrow></mfrac></math>"),
    ("see lkrf/lem-1 for x^2", "see <code>lkrf/lem-1</code> for <math>"),
    ("Figure 1c, 20 %, 3.6 s, (a) one, cpu_act", "Figure 1c, 20 %, 3.6 s, (a) one, cpu_act"),
]


@pytest.mark.parametrize(("text", "html"), SET)
def test_formulas_are_mathml_and_words_stay_words(text: str, html: str) -> None:
    assert html in typeset(text, mathml=True, stacked=True)


def test_fractions_are_only_stacked_where_asked() -> None:
    assert "mfrac" not in typeset("t / (2 n)", mathml=True)


class _Elements(Page):
    """Knows no element but those of MathML Core and of text, and counts the children of each."""

    def __init__(self) -> None:
        super().__init__()
        self.children: list[int] = [0]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in CORE | TEXT
        assert tag == "math" or (tag in CORE) == ("math" in self.open)
        super().handle_starttag(tag, attrs)
        self.children[-1] += 1
        if tag not in VOID:
            self.children.append(0)

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        count = self.children.pop()
        assert count == CHILDREN.get(tag, count)


def _read(html: str) -> _Elements:
    page = _Elements()
    page.feed(html)
    page.close()
    assert page.open == []
    return page


def _letters(page: Page) -> list[str]:
    """All letters and digits: what is above and below comes in another order than in the text.

    A name may stand for its sign in what nobody writes, as in `phi^sqrt`.
    """
    text = page.text.replace("sqrt", "√").replace("lambda", "λ").replace("phi", "φ")
    return sorted(letter for letter in text if letter.isalnum())


PIECES = (
    *("x", "n", "a", "E", "lambda", "phi", "log", "sup", "sqrt", "KL", "Rad_", "word", "2", "1.5", "10,000", " ", "  "),
    *("(", ")", "[", "]", "{", "}", "|", "||", "_", "^", "'", "*", "~", ".", ",", "/", "+", "-", "<=", "<", ">", "="),
    *("_i", "^2", "^(", "_{", "^-1/2", "<script>", "&amp;", "\n", "é", "𝔼", "\x00"),
)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_whatever_is_written_comes_out_well_formed_and_with_all_its_letters(text: str) -> None:
    plain = _letters(_read(str(typeset(text))))
    for stacked in (False, True):
        assert _letters(_read(str(typeset(text, mathml=True, stacked=stacked)))) == plain


@settings(max_examples=200)
@given(st.text())
def test_any_text_comes_out_well_formed(text: str) -> None:
    assert "".join(text[token.start : token.end] for token in tokens(text)) == text
    _read(str(typeset(text, mathml=True, stacked=True)))


@pytest.mark.parametrize("text", ["(" * 3000, "x^(" * 2000, "x_bar" + "_bar" * 3000, "f" + "^" * 3000, "a " * 3000])
def test_no_depth_is_too_much(text: str) -> None:
    _read(str(typeset(text, mathml=True, stacked=True)))


@pytest.mark.parametrize(("ledger", "least"), [(PAPERS, 0.85), (CLASSICS, 0.9)])
def test_nearly_all_statements_have_formulas_and_nothing_is_lost(ledger: str, least: float) -> None:
    statements = [entry.statement for entry in catalogue(ledger)]
    made = [str(typeset(text, mathml=True, stacked=True)) for text in statements]
    for html in made:
        _read(html)
    assert sum("<math>" in html for html in made) >= least * len(made)
