"""The pieces of a report by themselves: pictures, sentences about rounding and certificates, numbers."""

import base64
import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
import pytest
from matplotlib.image import imread

from harness import Panel, Row, check, claim, reproduction
from harness.certify.certificate import Certificate
from harness.judges.findings import Violation
from harness.kinds.table import Compared
from harness.language.curves import curves_of
from harness.numbers import count, headed, number, parameters
from harness.report.layout import judged
from harness.report.plots import picture


def _violation(**given: Any) -> Violation:
    usual = {"values": {}, "lhs": 2.0, "rhs": 1.0, "excess": 1.0, "noise": 0.0, "blind": False}
    return Violation(**{**usual, "certificate": Certificate(digits=0, reason="none"), **given})


def _proved(**given: Any) -> Violation:
    return _violation(certificate=Certificate(**given))


PROOF = {"digits": 9, "lhs": "2", "rhs": "1"}
SENTENCES = [
    (_violation().beside_rounding, "Rounding does not affect the violation."),
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


def _picture(*cells: tuple[dict[str, Any], list[Row], list[Panel]]) -> str:
    """The picture of a reproduction with these cells: parameters, rows and panels."""
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
    return picture(judged(replace(verdict, cells=tuple(made))))


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
    for chosen in (rows, rows[:4], rows[4:]):
        assert _picture(({}, chosen, []), ({"pair": "1-7"}, chosen, []))


def test_a_row_is_named_by_its_place() -> None:
    named = [Row("RFF", 1.0, at={"D": 10}, unit="in %"), Row("gap", 1.0, at={"c": 1e-6}), Row("gain", 1.0)]
    assert [row.name for row in named] == ["RFF, D = 10, in %", "gap, c = 1e-06", "gain"]


def test_panels_stand_above_the_rows() -> None:
    """A figure without its landscape would be a table; the picture with a panel is taller and shows its points."""
    panel = Panel("p", values=[[0.0, 1.0], [2.0, 3.0]], contour=1.5, points=[[0.0, 0.0]], labels=[-1.0])

    def drawn(*panels: Panel) -> Any:
        return imread(io.BytesIO(base64.b64decode(_picture(({}, [Row("gain", 1.0, 0.1)], list(panels))))))

    bare, full = drawn(), drawn(panel)
    assert full.shape[0] > bare.shape[0] + 100
    orange = [0xD9 / 255, 0x48 / 255, 0x0F / 255]  # of the negative class; bare pictures have it in the legend alone
    dots = [int((abs(image[..., :3] - orange).max(-1) < 0.02).sum()) for image in (bare, full)]
    assert dots[1] > dots[0]


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
