"""The templates, and text that is safe to write: what claims say is data of others."""

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from harness.numbers import count, number, parameters
from harness.report.html.typeset import typeset
from harness.report.terminal import printable

MARKS = {
    "PROVED": "●",
    "HOLDS": "○",
    "REFUTED": "✕",
    "VACUOUS": "□",
    "UNDECIDED": "△",
    "SKIPPED": "–",
    "ERROR": "!",
}
"""A sign for each status, which tells them apart without colours."""


def rendered(template: str, **given: Any) -> str:
    """A template filled in, without control characters and lone surrogates, which UTF-8 cannot hold."""
    text = _environment().get_template(template).render(**given)
    return "\n".join(line if line.isprintable() else printable(line) for line in text.split("\n"))


def asset(name: str) -> str:
    """A file that pages load as it is."""
    source, _, _ = PackageLoader("harness.report.html").get_source(_environment(), name)
    return source


def file_of(key: str) -> str:
    """The page of a claim, a file name for each key: keys have neither ~ nor @."""
    return re.sub(r"[^A-Za-z0-9._@~-]", "_", key.replace("/", "~").replace("[", "@").rstrip("]"))[:150] + ".html"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("harness.report.html"),
        autoescape=select_autoescape(["html", "svg"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, count=count, parameters=parameters, typeset=typeset, file=file_of)
    environment.globals.update(MARKS=MARKS)
    return environment
