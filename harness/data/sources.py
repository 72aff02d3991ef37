"""Where a data set comes from: OpenML or a fetcher of scikit-learn, with its cache, or public files to download.

Reading never uses the network; `fetch` does, and is called by `tightrope data fetch` alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import sklearn.datasets

from harness.data.download import Report, fetch_files
from harness.data.openml import Relation, cached_file, read_arff
from harness.data.table import Table
from harness.errors import UsageError


class Source(ABC):
    """A public place that a data set is fetched from."""

    @abstractmethod
    def __str__(self) -> str:
        """What a reader of a table looks for."""

    @abstractmethod
    def fetch(self, folder: Path, files: Sequence[str], report: Report) -> None:
        """Bring the data set into the folder: these standard files, or the cache of scikit-learn."""

    def cached(self, folder: Path) -> bool:  # noqa: ARG002
        """Whether the cache of scikit-learn in the folder has the data set."""
        return False

    def load(self, folder: Path) -> Table:
        """The data set from the cache.

        Raises
        ------
        UsageError
            If it is not there or damaged.
        """
        raise UsageError(f"{folder} has no cache of {self}; fetch the data set.")


@dataclass(frozen=True)
class OpenML(Source):
    """A version of a data set on OpenML, and how its ARFF file becomes a table."""

    name: str
    version: int
    convert: Callable[[Relation], Table]

    def __str__(self) -> str:
        return f"OpenML {self.name}, version {self.version}"

    def fetch(self, folder: Path, files: Sequence[str], report: Report) -> None:  # noqa: ARG002
        report(self.name, 0, None)
        _asked(
            "fetch_openml",
            self.name,
            version=self.version,
            data_home=str(folder),
            cache=True,
            as_frame=False,
            parser="liac-arff",
        )

    def cached(self, folder: Path) -> bool:
        return cached_file(folder, self.name, self.version) is not None

    def load(self, folder: Path) -> Table:
        path = cached_file(folder, self.name, self.version)
        return super().load(folder) if path is None else self.convert(read_arff(path))


@dataclass(frozen=True)
class Fetcher(Source):
    """A function of `sklearn.datasets`, and how what it returns becomes a table."""

    function: str
    marker: str
    convert: Callable[[Any], Table]

    def __str__(self) -> str:
        return f"sklearn.datasets.{self.function}"

    def fetch(self, folder: Path, files: Sequence[str], report: Report) -> None:  # noqa: ARG002
        report(self.function, 0, None)
        _asked(self.function, data_home=str(folder))

    def cached(self, folder: Path) -> bool:
        return any(folder.glob(self.marker))

    def load(self, folder: Path) -> Table:
        if not self.cached(folder):
            return super().load(folder)
        try:
            fetched = getattr(sklearn.datasets, self.function)(data_home=str(folder), download_if_missing=False)
        except Exception as error:  # what unpickling a damaged file raises is anything
            raise UsageError(f"{folder} has a damaged cache of {self} ({error}); fetch the data set again.") from error
        return self.convert(fetched)


@dataclass(frozen=True)
class Download(Source):
    """Addresses of the standard files themselves, or of archives that hold them."""

    urls: tuple[str, ...]

    def __str__(self) -> str:
        address = urlsplit(self.urls[0])
        return f"{address.hostname}: {PurePosixPath(address.path).name}"

    def fetch(self, folder: Path, files: Sequence[str], report: Report) -> None:
        fetch_files(self.urls, files, folder, report)


def _asked(function: str, *arguments: Any, **options: Any) -> None:
    """Call a fetcher of scikit-learn, and turn what goes wrong into a sentence."""
    try:
        getattr(sklearn.datasets, function)(*arguments, **options)
    except (OSError, ValueError) as error:
        raise UsageError(f"sklearn.datasets.{function} cannot fetch the data ({error}); try again later.") from error
