"""Rounds in which ours, the peers and the floor take turns, and the ratios of their times."""

import math
import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import TypeAlias

from harness.benchmarks.floors import threads
from harness.speed.contest import Bar, Call, Contest, Item, MismatchError, difference
from harness.speed.results import Goal, Opponent, Ratio, Report, Row, Skipped, machine, ratio

Clock: TypeAlias = Callable[[], float]
"""Seconds: for one thread the processor time of the process, which other work on the machine does not lengthen."""

_FEWEST, _MOST = 6, 31
_SHORTEST = 2e-3
"""Seconds below which a call is repeated within one measurement."""
_FLOOR = "floor"


def run_items(
    items: Iterable[Item],
    *,
    seconds: float = 2.0,
    clock: Clock | None = None,
    done: Callable[[Row], None] = lambda _: None,
) -> Report:
    """Measure items one after the other, each in rounds of all its calls for about `seconds`.

    `done` is called with each row as soon as it is known.
    """
    total, rows = clock or time.perf_counter, []
    start = total()
    for item in items:
        for row in run_item(item, seconds=seconds, clock=clock):
            rows.append(row)
            done(row)
    return Report(version("tightrope"), machine(), total() - start, rows)


def run_item(item: Item, *, seconds: float = 2.0, clock: Clock | None = None) -> list[Row]:
    """One row for each variant of ours, by processor time, or by the clock on the wall if all cores may be used.

    Raises
    ------
    MismatchError
        If a peer, or another variant, returns something else; before anything is timed.
    """
    contest = item.prepare()
    with threads((os.cpu_count() or 1) if item.all_cores else 1):
        return _run(item, contest, seconds, clock or (time.perf_counter if item.all_cores else time.process_time))


def _run(item: Item, contest: Contest, seconds: float, clock: Clock) -> list[Row]:
    skipped = [Skipped(peer.name, peer.missing) for peer in contest.peers if peer.missing]
    calls: dict[str, Call] = {_ours(variant): call for variant, call in contest.ours.items()}
    calls |= {peer.name: peer.make() for peer in contest.peers if not peer.missing}
    first, apart = _compared(item, contest, calls, clock)
    calls[_FLOOR] = contest.floor
    first[_FLOOR] = _seconds(contest.floor, 1, clock)
    repeats = {name: max(1, math.ceil(_SHORTEST / max(once, 1e-7))) for name, once in first.items()}
    whole = sum(repeats[name] * once for name, once in first.items())
    rounds = min(_MOST, max(_FEWEST, int(seconds / max(whole, 1e-9))))
    times = _in_turns(calls, repeats, rounds, clock)
    return [_row(item, variant, times, apart, skipped) for variant in contest.ours]


def _ours(variant: str) -> str:
    return f"ours {variant}"


def _compared(
    item: Item, contest: Contest, calls: Mapping[str, Call], clock: Clock
) -> tuple[dict[str, float], dict[str, float]]:
    """Seconds of the first call of each, and how far the results are from those of our first variant."""
    seconds: dict[str, float] = {}
    apart: dict[str, float] = {}
    reference = None
    for name, call in calls.items():
        start = clock()
        result = call()
        seconds[name] = clock() - start
        result = contest.numbers(result) if name.startswith(_ours("")) else result
        if reference is None:
            reference = result
            continue
        apart[name] = difference(reference, result)
        if not apart[name] <= contest.tolerance:
            raise MismatchError(
                f"{item.name}: what {name.strip()} returns differs from ours by {apart[name]:.2g} of the largest "
                f"number, but {contest.tolerance:g} is allowed; no time was taken, since they compute different things."
            )
    return seconds, apart


def _seconds(call: Call, repeats: int, clock: Clock) -> float:
    start = clock()
    for _ in range(repeats):
        call()
    return (clock() - start) / repeats


def _in_turns(
    calls: Mapping[str, Call], repeats: Mapping[str, int], rounds: int, clock: Clock
) -> dict[str, list[float]]:
    """Times of each call by round; each round begins with another one: a call finds what the last one left in cache."""
    names = list(calls)
    times: dict[str, list[float]] = {name: [] for name in names}
    for index in range(rounds):
        for name in _turned(names, index):
            times[name].append(_seconds(calls[name], repeats[name], clock))
    return times


def _turned(names: list[str], by: int) -> Iterator[str]:
    return (names[(index + by) % len(names)] for index in range(len(names)))


def _row(
    item: Item,
    variant: str,
    times: Mapping[str, list[float]],
    apart: Mapping[str, float],
    skipped: list[Skipped],
) -> Row:
    own = times[_ours(variant)]
    peers = [
        Opponent(name, statistics.median(theirs), ratio(theirs, own), apart[name])
        for name, theirs in times.items()
        if name != _FLOOR and not name.startswith(_ours(""))
    ]
    floor = Opponent(item.floor_says, statistics.median(times[_FLOOR]), ratio(own, times[_FLOOR]))
    known = {peer.name: peer.ratio for peer in peers} | {_FLOOR: floor.ratio}
    goals = [_goal(bar, known.get(bar.against)) for bar in item.bars if bar.variant == variant]
    return Row(item.name, variant, item.says, statistics.median(own), len(own), peers, skipped, floor, goals)


def _goal(bar: Bar, found: Ratio | None) -> Goal:
    if found is None:
        return Goal(bar.text, None)
    return Goal(bar.text, found.middle >= bar.least if bar.least else found.middle <= bar.most)
