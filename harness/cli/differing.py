"""What `tightrope diff` prints."""

import math
from collections.abc import Mapping

from harness.numbers import number
from harness.report.recorded import Line, Recorded, recorded
from harness.report.terminal import say
from harness.run.selection import current

ABSENT = "absent"
NOISE = 1.0  # seconds by which a time differs from one run to the next


def compared(old: str, new: str, *, ledger: str, loosened: float, slowed: float) -> int:
    """Print what differs between two runs; how many verdicts changed."""
    before, after = recorded(old, ledger), recorded(new, ledger)
    was, now = _lines(before), _lines(after)
    for name in before.settings.keys() & after.settings.keys():
        if before.settings[name] != after.settings[name]:
            say(f"note: {name} {before.settings[name]} -> {after.settings[name]}")
    changed = _verdicts(was, now)
    say(f"{changed} of {len(was.keys() | now.keys())} claims changed")
    both = {key: (was[key], now[key]) for key in sorted(was.keys() & now.keys())}
    _loosenesses(both, loosened)
    _speeds(both, slowed)
    return changed


def _lines(run: Recorded) -> dict[str, Line]:
    """By today's keys."""
    return {current(key): line for key, line in run.lines.items()}


def _verdicts(was: Mapping[str, Line], now: Mapping[str, Line]) -> int:
    changed = 0
    for key in sorted(was.keys() | now.keys()):
        one, other = (lines[key].status if key in lines else ABSENT for lines in (was, now))
        if one != other:
            changed += 1
            say(f"{key}: {one} -> {other}")
    return changed


def _loosenesses(both: Mapping[str, tuple[Line, Line]], factor: float) -> None:
    known = {key: pair for key, pair in both.items() if None not in (pair[0].looseness, pair[1].looseness)}
    moved = [
        f"  {key}: {_loose(one)} -> {_loose(other)}"
        for key, (one, other) in known.items()
        if _moved(one, other, factor)
    ]
    say(f"looseness: {len(moved)} of {len(known)} moved by more than a factor of {factor:g}")
    for line in moved:
        say(line)


def _loose(line: Line) -> str:
    interval = f" in [{', '.join(map(number, line.interval))}]" if line.interval else ""
    return number(line.looseness) + interval


def _moved(one: Line, other: Line, factor: float) -> bool:
    """Whether a looseness differs by more than the factor, and the intervals, where both have one, are apart."""
    a, b = one.looseness or 0.0, other.looseness or 0.0
    if _ratio(a, b) <= factor:
        return False
    if one.interval and other.interval:
        return one.interval[1] < other.interval[0] or other.interval[1] < one.interval[0]
    return True


def _ratio(a: float, b: float) -> float:
    """The larger over the smaller."""
    if a == b:
        return 1.0
    return max(a, b) / min(a, b) if min(a, b) > 0.0 else math.inf


def _speeds(both: Mapping[str, tuple[Line, Line]], factor: float) -> None:
    times = {key: (one.seconds, other.seconds) for key, (one, other) in both.items()}
    known = {key: (a, b) for key, (a, b) in times.items() if a is not None and b is not None}
    if not both:
        say("speed: not compared, since the two have no claim in common")
        return
    if not known:
        say("speed: not compared, since one of the two has no times; compare two files that `check --json` wrote")
        return
    moved = {k: (a, b) for k, (a, b) in known.items() if _ratio(a, b) > factor and abs(a - b) > NOISE}
    total = [sum(pair[side] for pair in known.values()) for side in (0, 1)]
    say(f"speed: {len(moved)} of {len(known)} changed by more than a factor of {factor:g}; {_seconds(*total)} in all")
    for key, (a, b) in sorted(moved.items(), key=lambda item: item[1][0] - item[1][1]):
        say(f"  {key}: {_seconds(a, b)}")
    say("(times are noise unless both runs were made on one machine with nothing else to do)")


def _seconds(a: float, b: float) -> str:
    return f"{a:.1f} s -> {b:.1f} s" + (f" ({b / a:.2f} times)" if a > 0.0 else "")
