"""What a run of the suite found, as lines of a terminal and as a page of the manual."""

from harness.speed.results import Machine, Opponent, Report, Row

_HEAD = """\
# Speed

What `tightrope bench` measured. All calls of an item, ours, those of its peers and its floor, take turns within one
process: on one thread, timed by processor time, or, where the item says so, with all cores to use by the clock on the
wall. A number is the median over the rounds of the ratio of two times of one round, with its bootstrap interval at
95 %; times themselves are noise on a shared machine, so that milliseconds only say where time goes. What peers compute
is compared with ours before anything is timed. A run is stored by `tightrope bench --json results/speed.json`, and
this page is written by `tightrope bench --from results/speed.json --page docs/speed.md`.

*Peer* is the fastest one: above 1 we are faster. *Floor* is the arithmetic that cannot be avoided, as bare library
calls measured in the same rounds: 1 is as fast as these libraries allow. Below 1 we do less than the bare calls.
"""
_TABLE = """\
| item | peer: its time / ours | our time / floor | ours, ms | goal |
|---|---|---|---|---|
"""


def line(row: Row) -> str:
    """One row for a terminal."""
    peer = row.best_peer
    parts = [
        f"{_name(row)}: {_milliseconds(row.seconds)} ms",
        f"{peer.name} {peer.ratio} times as long" if peer else "no peer is installed",
        f"{row.floor.ratio} times its floor",
        *(f"{goal.text}: {goal.says}" for goal in row.goals),
        *(f"skipped {peer.name} ({peer.reason})" for peer in row.skipped),
    ]
    return "; ".join(parts)


def page(report: Report) -> str:
    """The page of the manual."""
    table = "".join(_cells(row) for row in report.rows)
    items = {row.item: row for row in report.rows}
    about = "\n".join(_about(row) for row in items.values())
    return f"{_HEAD}\n{_machine(report.machine)}\n\n{_TABLE}{table}\n## The items\n\n{about}\n"


def _machine(machine: Machine) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    return (
        f"The machine: {machine.processor}, {machine.cores} cores, torch with {machine.vectors}, "
        f"{', '.join(machine.blas)}, huge pages: {machine.huge_pages}; {versions}."
    )


def _cells(row: Row) -> str:
    peer = row.best_peer
    cells = [
        f"`{row.item}`{', ' + row.variant if row.variant else ''}",
        f"{peer.name}: {peer.ratio}" if peer else "-",
        str(row.floor.ratio),
        _milliseconds(row.seconds),
        "; ".join(f"{goal.text}: {goal.says}" for goal in row.goals) or "-",
    ]
    return f"| {' | '.join(cells)} |\n"


def _about(row: Row) -> str:
    peers = "; ".join(_peer(peer) for peer in row.peers) or "none"
    skipped = "".join(f" Skipped: {peer.name} ({peer.reason})." for peer in row.skipped)
    return f"- `{row.item}`: {row.says}; {row.rounds} rounds. Floor: {row.floor.name}. Peers: {peers}.{skipped}"


def _peer(peer: Opponent) -> str:
    return f"{peer.name} {peer.ratio}, results apart by {peer.difference:.0e}"


def _name(row: Row) -> str:
    return f"{row.item} ({row.variant})" if row.variant else row.item


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.3g}"
