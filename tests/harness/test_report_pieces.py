"""The pieces of a report by themselves: pictures, sentences about rounding and certificates, numbers."""

import base64
import io
import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from harness import Panel, Row, check, claim, reproduction
from harness.certify.certificate import Certificate
from harness.judges.findings import Violation
from harness.kinds.table import Compared
from harness.language.charts import Chart, Series
from harness.language.curves import curves_of
from harness.numbers import count, headed, number, parameters
from harness.report.html import fragment, pictures
from harness.report.html.axis import axis_over
from harness.report.html.chart import drawing
from harness.report.html.counterexample import lines_of, of_values
from harness.report.html.typeset import typeset
from harness.report.layout import judged
from harness.verdict import Verdict


def _violation(**given: Any) -> Violation:
    usual = {"values": {}, "lhs": 2.0, "rhs": 1.0, "excess": 1.0, "noise": 0.0, "blind": False}
    return Violation(**{**usual, "certificate": Certificate(digits=0, reason="none"), **given})


def _proved(**given: Any) -> Violation:
    return _violation(certificate=Certificate(**given))


PROOF = {"digits": 9, "lhs": "2", "rhs": "1"}
SENTENCES = [
    (_violation().beside_rounding, "No rounding of it was measured."),
    (_violation(noise=None).beside_rounding, ""),
    (_violation(excess=1e-3, noise=1e-6).beside_rounding, "The violation is 1e+03 times its measured"),
    (_violation(excess=3e-6, noise=1e-6, blind=True).beside_rounding, "3 times its measured rounding error (the body"),
    (_proved(digits=0, reason="its body uses numpy").proof, "No certificate: its body uses numpy."),
    (_proved(**PROOF, verdict="confirmed").proof, "Certified by enclosures: lhs = 2, rhs = 1, each proved"),
    (_proved(**PROOF, verdict="open").proof, "The enclosures do not decide it: lhs = 2, rhs = 1."),
]


@pytest.mark.parametrize(("sentence", "words"), SENTENCES)
def test_sentences_about_rounding_and_certificates(sentence: str, words: str) -> None:
    """An open certificate must not read like a proof, nor a missing rounding like none."""
    assert words in sentence
    assert bool(words) == bool(sentence)


@claim("all/drawn", reproduction())
def drawn_claim() -> list[Row]:
    """One row."""
    return [Row("gain", 1.0)]


def _verdict(*cells: tuple[dict[str, Any], list[Row], list[Panel]]) -> Verdict:
    """A reproduction with these cells: parameters, rows and panels."""
    verdict = check(drawn_claim)
    made = [
        msgspec.structs.replace(
            verdict.cells[0],
            params=params,
            details=Compared(
                tolerance=0.0,
                sided="two",
                rows=[row.stored() for row in rows],
                panels=[panel.stored() for panel in panels],
            ),
        )
        for params, rows, panels in cells
    ]
    return replace(verdict, cells=tuple(made))


def test_rows_along_a_parameter_are_curves_and_others_stay_rows() -> None:
    """A figure of a paper must look like one; a row read as a point of another curve would mislead."""
    rows = [
        *(Row("RFF", 1.0, 0.1, at={"D": count}, unit="in %") for count in (10, 1)),
        *(Row("PB", 1.0, 0.1, at={"D": count}, unit="in %") for count in (1, 1e2)),
        Row("alone", 1.0, at={"D": 3}),
        Row("PB", 1.0, at={"D": 5}, unit="in seconds"),
        Row("PB, D = 7, in %", 1.0),
    ]
    curves = curves_of([row.stored() for row in rows])
    assert {(curve.series, curve.axis): [x for x, _ in points] for curve, points in curves.items()} == {
        ("RFF", "D"): [1.0, 10.0],
        ("PB", "D"): [1.0, 100.0],
    }
    for chosen, curved, single in ((rows, 1, 1), (rows[:4], 1, 0), (rows[4:], 0, 1)):
        verdict = _verdict(({}, chosen, []), ({"pair": "1-7"}, chosen, []))
        charts = [chart for chart in pictures(judged(verdict)) if isinstance(chart, Chart)]
        assert [bool(chart.rows) for chart in charts] == [False] * curved + [True] * single
        assert "pair=1-7: " in fragment(verdict)


def test_a_row_is_named_by_its_place() -> None:
    named = [Row("RFF", 1.0, at={"D": 10}, unit="in %"), Row("gap", 1.0, at={"c": 1e-6}), Row("gain", 1.0)]
    assert [row.name for row in named] == ["RFF, D = 10, in %", "gap, c = 1e-06", "gain"]


def test_panels_stand_above_the_rows() -> None:
    """A figure without its landscape would be a table; each class of points has its colour and its shape."""
    panel = Panel("<p>", values=[[0.0, 1.0], [2.0, 3.0]], contour=1.5, points=[[0.0, 0.0], [1, 1]], labels=[-1.0, 1.0])
    html = fragment(_verdict(({}, [Row("gain", 1.0, 0.1)], [panel])))
    (encoded,) = re.findall(r'href="data:image/png;base64,([^"]+)"', html)
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(encoded, validate=True)))).astype(float)
    assert (np.diff(pixels, axis=0) > 0).all()  # high values are dark, and the last row of values is on top
    assert (np.diff(pixels, axis=1) < 0).all()
    parts = ["<image ", 'class="level"', 'class="square s1"', "&lt;p&gt;", 'class="cross s1"', 'class="dot s0"']
    assert [part for part in parts if part not in html] == ['class="cross s1"']  # nothing is printed beside the row
    assert html.index("<image ") < html.index('class="whisker s0"')


def test_a_landscape_may_be_flat_or_one_cell() -> None:
    for values in ([[1.0, 1.0]], [[2.0]]):
        assert "<image " in fragment(_verdict(({}, [Row("gain", 1.0)], [Panel("p", values=values, contour=1.0)])))


TICKS: list[tuple[list[float], str, list[str]]] = [
    ([0.0, 1.0], "linear", ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
    ([-5.0, -5.0], "linear", ["-7", "-6", "-5", "-4", "-3"]),
    ([1.0, 50.0], "log", ["1", "2", "5", "10", "20", "50"]),
    ([1e-9, 1e9], "log", ["1e-08", "0.0001", "1", "10000", "1e+08"]),
    ([1.0, 1.5, -1.0, math.nan], "log", ["1", "1.1", "1.2", "1.3", "1.4", "1.5"]),
    ([0.0], "log", ["0.1", "0.2", "0.5", "1"]),
]


@pytest.mark.parametrize(("numbers", "scale", "texts"), TICKS)
def test_an_axis_shows_its_numbers_and_a_few_more(numbers: list[float], scale: str, texts: list[str]) -> None:
    axis = axis_over(numbers, 10.0, 110.0, log=scale == "log")
    shown = [axis.at(value) for value in numbers if axis.shows(value)]
    assert all(10.0 <= place <= 110.0 for place in shown)
    assert [text for _, text in axis.ticks] == texts


@given(st.lists(st.floats(), max_size=4), st.sampled_from(["linear", "log"]))
def test_an_axis_has_ticks_whatever_it_shows(numbers: list[float], scale: str) -> None:
    """Quantities vanish and overflow; the report of a run must be written all the same."""
    axis = axis_over(numbers, 0.0, 100.0, log=scale == "log")
    assert axis.low < axis.high
    assert 1 <= len(axis.ticks) < 20
    assert all(0.0 <= place <= 100.0 for place, _ in axis.ticks)
    assert all(0.0 <= axis.at(value) <= 100.0 for value in numbers if axis.shows(value))


def test_a_chart_leaves_out_what_has_no_place() -> None:
    """A mean of zero has no logarithm, and an interval may reach below it."""
    series = Series([(1.0, 0.0), (10.0, 1.0), (100.0, 2.0)], [(-1.0, 1.0), (-1.0, 3.0), (1.0, 3.0)], "dots and line")
    drawn = drawing(Chart([series], log="xy"))
    assert drawn.y is not None
    whiskers, line, dots = (mark.path for mark in drawn.marks)
    assert (whiskers.count("M"), line.count("L"), dots.count("M")) == (2, 1, 2)
    assert f"{drawn.x.at(10.0)} {drawn.y.at(1.0)}h0" in dots
    assert str(drawn.y.at(drawn.y.low)) in whiskers


SET = [
    ("n^(-1/2) <= sqrt(x_i)", "n<sup>−1/2</sup> ≤ √(x<sub>i</sub>)"),
    ("(1 + rho)^(1/(2(k-1)))", "(1 + ρ)<sup>1/(2(k−1))</sup>"),
    ("E l_f~ - v_ideal, k_2r", "E l<sub>f\u0303</sub> - v<sub>ideal</sub>, k<sub>2r</sub>"),
    ("n^-1/2 (4 n)^-t/2 t^2/8", "n<sup>−1/2</sup> (4 n)<sup>−t/2</sup> t<sup>2</sup>/8"),
    ("delta^-(1 - 1/mu)", "δ<sup>−(1 − 1/μ)</sup>"),
    ("delta_-w, sum_ij, cpu_act, |a|_inf", "δ<sub>−w</sub>, sum<sub>ij</sub>, cpu_act, |a|<sub>inf</sub>"),
    ("alphabet dual_measure a < b", "alphabet dual_measure a &lt; b"),
    ("see lkrf/lem-1[corrected]: x^2", "see <code>lkrf/lem-1[corrected]</code>: x<sup>2</sup>"),
    ("rho/n_1 <script>", "ρ/n<sub>1</sub> &lt;script&gt;"),
]


@pytest.mark.parametrize(("text", "html"), SET)
def test_statements_are_set_as_far_as_text_can_be(text: str, html: str) -> None:
    assert typeset(text) == html


def test_a_counterexample_of_few_dimensions_is_drawn() -> None:
    values = {"x": [1.0, 2.0, 3.0], "y": [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], "z": 1.0, "w": [[[1.0]]] * 3}
    assert [chart.title for chart in of_values(values)] == ["x", "y, in the plane"]  # type: ignore[arg-type]
    assert lines_of({"values": {"x": [1.0], "y": 2.0}, "excess": 0.5}) == "x: [1.0]\ny: 2.0\nexcess: 0.5"


NUMBERS: list[tuple[Callable[..., str], Any, str]] = [
    (number, None, "-"),
    (number, float("inf"), "inf"),
    (number, 3.0, "3"),
    (number, 0.0, "0"),
    (number, 0.123456, "0.123"),
    (number, 1234567.0, "1.23e+06"),
    (number, -0.5, "-0.5"),
    (count, 0, "0"),
    (count, 999, "999"),
    (count, 1000, "1,000"),
    (count, 20_000, "20,000"),
    (count, 155_123, "155,123"),
    (count, 1_000_000, "1 million"),
    (count, 1_320_000, "1.3 million"),
    (count, 9_960_000, "10 million"),
    (count, 123_456_789, "123 million"),
    (count, 2_500_000_000, "2.5 billion"),
    (parameters, {}, ""),
    (parameters, {"n": 10, "delta": 0.05}, "n=10, delta=0.05"),
    (partial(headed, text="text"), {}, "text"),
    (partial(headed, text="text"), {"n": 10}, "n=10: text"),
]


@pytest.mark.parametrize(("form", "value", "text"), NUMBERS)
def test_numbers_as_people_read_them(form: Callable[..., str], value: Any, text: str) -> None:
    assert form(value) == text
