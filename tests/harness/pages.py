"""Pages as tests read them: tags in order, attributes, texts."""

from html.parser import HTMLParser

VOID = ("meta", "link", "img", "br", "hr", "input", "wbr")
IMPLIED = {"td": ("td", "th"), "th": ("td", "th"), "tr": ("td", "th", "tr"), "dt": ("dt", "dd"), "dd": ("dt", "dd")}
"""Elements that HTML lets end without a tag, where one of these begins or what holds them ends."""


class Page(HTMLParser):
    """Collects tags and texts, and refuses tags that are closed in the wrong order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        self._close(IMPLIED.get(tag, ()))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if tag not in IMPLIED:
            self._close(tuple(IMPLIED))
        assert self.open.pop() == tag

    def _close(self, ended: tuple[str, ...]) -> None:
        """End the elements that the next tag ends."""
        while self.open and self.open[-1] in ended:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, name: str) -> list[str]:
        """All values of an attribute."""
        return [value for _, attribute, value in self.attributes if attribute == name]


def parsed(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    assert page.open == []
    return page
