"""A data set: its standard files, its source, its size in print, and what reads it.

`load` takes the standard public files in the folder that TIGHTROPE_DATA names, or else the cache of scikit-learn there.
Neither uses the network; `fetch` does.
"""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.data.download import Report
from harness.data.folder import VARIABLE, data_folder, located, read_bytes
from harness.data.sources import Source
from harness.data.table import Table
from harness.errors import UsageError, skip


@dataclass(frozen=True)
class PublicFile:
    """A standard file: the name under which it is published, and the SHA-256 of its unpacked content, where known.

    The name of an environment variable in braces stands for its value, see `DataSet.options`.
    """

    name: str
    sha256: str = ""


@dataclass(frozen=True)
class DataSet:
    """An entry of the catalogue.

    rows, columns : of the points of the whole data set.
    files : the standard public files, accepted as they are or with .gz or .bz2 added.
    read : makes a table of their paths.
    megabytes : what is downloaded, where the source says so.
    claims : ids of the claims that need it.
    options : environment variables that may stand in names of files, with their defaults.
    training_rows : claims that read fewer training rows than there are, with how many. A part of the data set with so
        many is no restriction of theirs; what they read it with refuses a smaller one.
    """

    name: str
    title: str
    rows: int
    columns: int
    source: Source
    files: tuple[PublicFile, ...]
    read: Callable[[Sequence[Path]], Table]
    claims: tuple[str, ...] = ()
    megabytes: float | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    training_rows: Mapping[str, int] = field(default_factory=dict)

    @property
    def chosen(self) -> dict[str, str]:
        """The options that are set to something else than their default.

        Raises
        ------
        UsageError
            If an option holds anything but letters and digits.
        """
        values = {option: os.environ.get(option, "") or default for option, default in self.options.items()}
        for option, value in values.items():
            if not (value.isascii() and value.isalnum()):
                raise UsageError(
                    f"{option} is {value!r}; write how the file names begin, in letters and digits: "
                    f"{self.options[option]!r}."
                )
        return {option: value for option, value in values.items() if value != self.options[option]}

    @property
    def names(self) -> tuple[str, ...]:
        """Of the files, with the options that are set."""
        return tuple(file.name.format_map({**self.options, **self.chosen}) for file in self.files)

    @property
    def paths(self) -> tuple[Path, ...] | None:
        """The standard files in the data folder; None if one of them is missing."""
        found = [located(name) for name in self.names]
        whole = tuple(path for path in found if path is not None)
        return whole if len(whole) == len(found) else None

    @property
    def cached(self) -> bool:
        """Whether the cache of scikit-learn in the data folder has it."""
        folder = data_folder()
        return folder is not None and self.source.cached(folder)

    @property
    def here(self) -> bool:
        """Whether it can be loaded."""
        return self.paths is not None or self.cached

    def load(self) -> Table:
        """Read the standard files, or else the cache of scikit-learn.

        Raises
        ------
        UsageError
            If neither is there, with the command that fetches it; or if what is there is damaged.
        """
        paths, folder = self.paths, data_folder()
        if paths is not None:
            return self.read(paths)
        if folder is None or not self.cached:
            raise UsageError(f"{self.title} is not here: {self._fetching}, or put {', '.join(self.names)} there.")
        return self.source.load(folder)

    def required(self, pattern: str) -> Table:
        """The table, for claims of this pattern.

        Raises
        ------
        SkipClaim
            If the data set is not here, with the command that fetches it.
        """
        if not self.here:
            raise skip(
                f"needs {self.title}: {self._fetching}, then `{VARIABLE}=FOLDER tightrope check {_quoted(pattern)}`"
            )
        return self.load()

    @property
    def _fetching(self) -> str:
        return f"run `{VARIABLE}=FOLDER tightrope data fetch {self.name}`"

    def fetch(self, folder: Path, report: Report) -> None:
        """Bring the data set into the folder; the only thing here that uses the network."""
        self.source.fetch(folder, self.names, report)

    def discrepancies(self) -> list[str]:
        """What differs from the public data set, one sentence each: contents of files, rows, columns."""
        found = []
        for file, path in zip(self.files, self.paths or (), strict=False):
            if file.sha256 and file.sha256 not in _digests(path):
                found.append(f"{path.name} differs from the public file (SHA-256)")
        table = self.load()
        rows, columns = table.points.shape
        if rows != self.rows:
            found.append(f"{rows:,} rows where {self.rows:,} are published")
        if columns != self.columns:
            found.append(f"{columns:,} columns where {self.columns:,} are published")
        return found


def _digests(path: Path) -> set[str]:
    """SHA-256 of a file as it is, and of its content."""
    return {hashlib.sha256(content).hexdigest() for content in (path.read_bytes(), read_bytes(path))}


def _quoted(pattern: str) -> str:
    return f"'{pattern}'" if "*" in pattern else pattern
