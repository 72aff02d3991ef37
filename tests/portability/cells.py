"""The cells of the portability matrix: one thing at a time is different from the plain cell, and a few pairs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ARITHMETIC = ("tests/algos", "tests/bounds")
"""Tests whose numbers come from BLAS, LAPACK or vectorised kernels; which of them run is said in `sensitive.py`."""
SURROUNDINGS = (
    "tests/harness/test_cli.py",
    "tests/harness/test_cli_bad_input.py",
    "tests/harness/test_data.py",
    "tests/harness/test_report.py",
    "tests/harness/test_store.py",
)
"""Tests of what reads and writes files, arguments and terminals."""

PLAIN: dict[str, str] = {
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "TZ": "UTC",
}
"""The variables of the plain cell; every variable that a cell names is unset unless it stands here."""


@dataclass(frozen=True)
class Cell:
    """How a process is started, and what it says about itself when the cell has taken effect."""

    name: str
    variables: Mapping[str, str | None] = field(default_factory=dict)
    tests: tuple[str, ...] = SURROUNDINGS
    options: tuple[str, ...] = ()
    place: Literal["checkout", "elsewhere", "a copy in a folder with a blank and an umlaut"] = "checkout"
    output: Literal["file", "closed", "closed pipe"] = "file"
    processor: str = ""
    shows: Mapping[str, object] = field(default_factory=dict)

    @property
    def reads_like_the_plain_one(self) -> bool:
        """Whether a command prints there what it prints in the plain cell."""
        return self.output == "file" and "COLUMNS" not in self.variables


def _blas(core: str, processor: str) -> Cell:
    """OpenBLAS runs the kernels of Haswell on Zen, and says so."""
    shown = {"blas": "Haswell" if core == "Zen" else core}
    return Cell(f"blas-{core}", {"OPENBLAS_CORETYPE": core}, ARITHMETIC, processor=processor, shows=shown)


def _torch(capability: str, processor: str) -> Cell:
    shown = {"default": "DEFAULT", "avx2": "AVX2", "avx512": "AVX512"}[capability]
    variables = {"ATEN_CPU_CAPABILITY": capability}
    return Cell(f"torch-{capability}", variables, ARITHMETIC, processor=processor, shows={"torch": shown})


def _threads(count: int) -> Cell:
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    variables = {**dict.fromkeys(names, str(count)), "MKL_DYNAMIC": "FALSE"}  # or MKL takes no more than cores
    return Cell(f"threads-{count}", variables, ARITHMETIC, shows={"threads": count})


def _pair(first: Cell, second: Cell) -> Cell:
    """Both differences at once."""
    return Cell(
        f"{first.name}+{second.name}",
        {**first.variables, **second.variables},
        first.tests if first.tests == second.tests else ARITHMETIC,
        first.options + second.options,
        second.place,
        second.output,
        first.processor or second.processor,
        {**first.shows, **second.shows},
    )


BLAS = [_blas("Nehalem", "sse4_2"), _blas("Haswell", "avx2"), _blas("SkylakeX", "avx512f"), _blas("Zen", "avx2")]
TORCH = [_torch("default", ""), _torch("avx2", "avx2"), _torch("avx512", "avx512f")]
THREADS = [_threads(2), _threads(4)]  # one is the plain cell
SURROUNDED = [
    Cell("hash-seed-1", {"PYTHONHASHSEED": "1"}),
    Cell("hash-seed-random", {"PYTHONHASHSEED": "random"}),
    Cell("locale-C", {"LC_ALL": "C"}),
    Cell("locale-tr", {"LC_ALL": "tr_TR.UTF-8"}, shows={"locale": "tr_TR.UTF-8"}),
    Cell("time-zone", {"TZ": "Pacific/Kiritimati"}, shows={"hours": 14.0}),
    Cell("path", place="a copy in a folder with a blank and an umlaut"),
    Cell("working-directory", place="elsewhere"),
    Cell("no-home", {"HOME": None, "USER": None, "LOGNAME": None}),
    Cell("no-terminal", {"TERM": None}),
    Cell("columns-40", {"COLUMNS": "40"}),
    Cell("closed-stdout", output="closed", tests=()),
    Cell("closed-pipe", output="closed pipe", tests=()),
    Cell("optimised", options=("-O",), tests=(), shows={"asserts": False}),  # tests assert nothing there
]
_BY_NAME = {cell.name: cell for cell in [*BLAS, *TORCH, *THREADS, *SURROUNDED]}
PAIRS = [
    _pair(_BY_NAME[first], _BY_NAME[second])
    for first, second in [
        ("blas-Haswell", "torch-avx2"),
        ("blas-Nehalem", "torch-default"),
        ("blas-Zen", "threads-4"),
        ("locale-C", "path"),
        ("no-home", "closed-stdout"),
    ]
]
CELLS = {cell.name: cell for cell in [Cell("plain", tests=ARITHMETIC), *_BY_NAME.values(), *PAIRS]}
