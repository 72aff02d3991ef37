"""What mkdocs does beyond its configuration.

A page of docs/ whose front matter says `include: FILE` has the contents of that file of the repository, with links that
follow. A star before the name of leading axes, as in `(*batch, n)`, is a star and no emphasis.
"""

import re
from posixpath import dirname, join, normpath, relpath
from typing import Any

from markdown import Extension, Markdown
from markdown.inlinepatterns import SimpleTextInlineProcessor
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

INCLUDED = {"CONTRIBUTING.md": "contributing.md", "tests/README.md": "tests.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)(?=[)#])")
STAR = r"((?<=\()\*(?=\w+[,)]))"


class Axes(Extension):
    """The star of `(*batch, n)` outside code."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  (the name that Markdown calls)
        md.inlinePatterns.register(SimpleTextInlineProcessor(STAR), "axes", 185)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Docstrings and pages are read with the same extensions."""
    config.markdown_extensions.append(Axes())  # type: ignore[arg-type]  (Markdown takes instances as well)
    return config


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """The text of a page, from its file or from the file that it includes."""
    source = page.meta.get("include")
    if source is None:
        return _moved(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)
    with open(join(dirname(config.config_file_path), source), encoding="utf-8") as file:
        return _moved(file.read(), source, page.file.src_uri)


def _moved(markdown: str, source: str, target: str) -> str:
    """The links of a file of the repository as they have to be in a page of the site."""

    def link(found: re.Match[str]) -> str:
        path = normpath(join(dirname(source), found[1]))
        page = INCLUDED.get(path, path.removeprefix("docs/"))
        return relpath(page, dirname(target) or ".")

    return LINK.sub(link, markdown)
