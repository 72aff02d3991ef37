"""What a run of the suite found, as `--json` writes it."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
import numpy as np

from harness.errors import UsageError

SCHEMA = 1
_RESAMPLES = 2000
_LEVEL = 0.95


class Ratio(msgspec.Struct, frozen=True):
    """The median of the ratios of all rounds, and its bootstrap interval at 95 %."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.3g} [{self.low:.3g}, {self.high:.3g}]"


class Opponent(msgspec.Struct, frozen=True):
    """A peer or the floor: its median time, and the ratio of times."""

    name: str
    seconds: float
    ratio: Ratio
    """Of a peer: its time over ours. Of the floor: our time over its."""
    difference: float = 0.0
    """From our result, in units of its largest number."""


class Skipped(msgspec.Struct, frozen=True):
    """A peer that could not be run."""

    name: str
    reason: str


class Goal(msgspec.Struct, frozen=True):
    """A bar, and whether it is met: by the median of the ratio."""

    text: str
    met: bool | None
    """None where the peer is not there."""

    @property
    def says(self) -> str:
        """In a word or two."""
        return "not measured" if self.met is None else "met" if self.met else "missed"


class Row(msgspec.Struct, frozen=True):
    """One way to call us, beside its peers and its floor."""

    item: str
    variant: str
    says: str
    seconds: float
    rounds: int
    peers: list[Opponent]
    skipped: list[Skipped]
    floor: Opponent
    goals: list[Goal]

    @property
    def best_peer(self) -> Opponent | None:
        """The fastest one."""
        return min(self.peers, key=lambda peer: peer.ratio.middle, default=None)


class Machine(msgspec.Struct, frozen=True):
    """What the ratios depend on."""

    processor: str
    vectors: str
    cores: int
    huge_pages: str
    blas: list[str]
    versions: dict[str, str]


class Report(msgspec.Struct, frozen=True):
    """A run of the suite."""

    version: str
    machine: Machine
    seconds: float
    """How long the run took."""
    rows: list[Row]
    schema: int = SCHEMA


def ratio(above: list[float], below: list[float]) -> Ratio:
    """The median over rounds of the ratio of two times, with a percentile bootstrap interval over rounds.

    The two times of a round were measured one after the other, so that a slow spell of the machine cancels.
    """
    ratios = np.asarray(above) / np.asarray(below)
    generator = np.random.Generator(np.random.Philox(0))
    medians = np.median(ratios[generator.integers(len(ratios), size=(_RESAMPLES, len(ratios)))], axis=1)
    low, high = np.quantile(medians, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return Ratio(float(np.median(ratios)), float(low), float(high))


def machine() -> Machine:
    """This one."""
    import torch  # noqa: PLC0415
    from threadpoolctl import threadpool_info  # noqa: PLC0415

    pools = {f"{p['internal_api']} {p['version']}" for p in threadpool_info() if p["user_api"] == "blas"}
    if torch.backends.mkl.is_available():  # type: ignore[no-untyped-call]
        pools.add("mkl (torch)")
    return Machine(
        processor=_processor(),
        vectors=torch.backends.cpu.get_cpu_capability(),
        cores=os.cpu_count() or 1,
        huge_pages=_huge_pages(),
        blas=sorted(pools),
        versions={"python": platform.python_version(), **_versions("torch", "numpy", "scipy", "scikit-learn")},
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _huge_pages() -> str:
    """Whether memory that asks for huge pages gets them: fresh outputs depend on it."""
    try:
        modes = Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text(encoding="utf-8")
    except OSError:
        return "unknown"
    return modes.partition("[")[2].partition("]")[0] or "unknown"


def _versions(*packages: str) -> dict[str, str]:
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "missing"
    return found


def encoded(report: Report) -> str:
    """The JSON of a run."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"


def decoded(path: Path) -> Report:
    """A run that `--json` wrote."""
    try:
        report = msgspec.json.decode(path.read_bytes(), type=Report)
    except OSError as error:
        raise UsageError(f"cannot read {path} ({error.strerror}); run `tightrope bench --json FILE`.") from error
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} is not what `tightrope bench --json` writes ({error}); run it again.") from error
    if report.schema != SCHEMA:
        raise UsageError(f"{path} has schema {report.schema}, not {SCHEMA}; run `tightrope bench --json` again.")
    return report
