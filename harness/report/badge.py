"""A badge of a run: "442 judged, 49 defects", as an SVG file or as the JSON that shields.io draws.

It is made of what `tightrope check --json` writes, or of the shorter `ledger.json` and `classics.json`.
"""

import json

from harness.report.recorded import Recorded

NAME = "tightrope"
RED, ORANGE, GREEN = "#c92a2a", "#b35c00", "#2b8a3e"
WIDTH = 6.4  # of a character at 11 px, about: textLength makes it exact

SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{name}: {message}">
<title>{name}: {message}</title>
<rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="6" y="14" textLength="{name_length}">{name}</text>
<text x="{start}" y="14" textLength="{length}">{message}</text>
</g>
</svg>
"""


def message(run: Recorded) -> tuple[str, str]:
    """What the badge says, and its colour: orange with defects, red with an error or a verdict not as expected."""
    judged = sum(line.status not in ("SKIPPED", "ERROR") for line in run.lines.values())
    defects = sum(run.defects.values())
    errors = sum(line.status == "ERROR" for line in run.lines.values())
    wrong = sum(line.as_expected is False for line in run.lines.values())
    parts = [f"{judged} judged", *([f"{defects} {'defect' if defects == 1 else 'defects'}"] if defects else [])]
    parts += [*([f"{wrong} unexpected"] if wrong else []), *([f"{errors} in error"] if errors else [])]
    return ", ".join(parts), RED if errors or wrong else ORANGE if defects else GREEN


def badge(run: Recorded) -> str:
    """An SVG that loads nothing."""
    said, colour = message(run)
    left, right = (round(WIDTH * len(text) + 12) for text in (NAME, said))
    return SVG.format(
        name=NAME,
        message=said,
        colour=colour,
        left=left,
        right=right,
        width=left + right,
        start=left + 6,
        name_length=left - 12,
        length=right - 12,
    )


def shields(run: Recorded) -> str:
    """The JSON of an endpoint badge (https://shields.io/badges/endpoint-badge)."""
    said, colour = message(run)
    return json.dumps({"schemaVersion": 1, "label": NAME, "message": said, "color": colour}) + "\n"
