"""How a verdict shows itself: one paragraph at a prompt, HTML in a notebook."""

from harness.verdict import Verdict, show_by


def _text(verdict: Verdict) -> str:
    from harness.report.explain import explain  # noqa: PLC0415  (when it is printed)

    return explain(verdict)


def _html(verdict: Verdict) -> str:
    from harness.report.html import fragment  # noqa: PLC0415  (imports jinja2)

    return fragment(verdict)


show_by(text=_text, html=_html)
