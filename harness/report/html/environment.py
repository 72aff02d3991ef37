"""The templates, and text that is safe to write: what claims say is data of others."""

import contextlib
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined, select_autoescape
from jinja2.bccache import Bucket

from harness.errors import UsageError
from harness.files import write_atomically
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


class Beside(BytecodeCache):
    """Compiled templates in a folder, kept where Python may keep compiled modules: they are 0.1 s of every run."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.maker = folder, _maker()

    def get_source_checksum(self, source: str) -> str:
        """Of the template, and of what is made of it here."""
        return super().get_source_checksum(source + self.maker)

    def load_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            bucket.bytecode_from_string(self._place(bucket).read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with contextlib.suppress(UsageError):  # an installation that others own
                write_atomically(self._place(bucket), bucket.bytecode_to_string())

    def _place(self, bucket: Bucket) -> Path:
        return self.folder / f"{sys.implementation.cache_tag}-{bucket.key}.jinja"


def _maker() -> str:
    return Path(__file__).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("harness.report.html"),
        bytecode_cache=Beside(Path(__file__).parent / "templates" / "__pycache__"),
        autoescape=select_autoescape(["html", "svg"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, count=count, parameters=parameters, typeset=typeset, file=file_of)
    environment.globals.update(MARKS=MARKS)
    return environment
