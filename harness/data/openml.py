"""Reading what scikit-learn's `fetch_openml` has left in its cache, without asking the network."""

import gzip
import json
import zlib
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlparse

import numpy as np
from numpy.typing import NDArray

from harness.errors import UsageError

_API = "api/v1/json/data"


@dataclass(frozen=True)
class Relation:
    """A dense ARFF file of numbers: the names of its attributes, and its rows (n, d)."""

    attributes: tuple[str, ...]
    rows: NDArray[np.float64]


def cached_file(folder: Path, name: str, version: int) -> Path | None:
    """The ARFF file of a data set in the cache below `folder`, or None if it is not there."""
    cache = folder / "openml" / "openml.org"
    listing = _content(cache / f"{_API}/list/data_name/{name.lower()}/limit/2/data_version/{version}.gz")
    if listing is None:
        return None
    number = listing["data"]["dataset"][0]["did"]
    described = _content(cache / f"{_API}/{number}.gz")
    if described is None:
        return None
    description = described["data_set_description"]
    places = (urlparse(description["url"]).path.lstrip("/"), f"data/v1/download/{description['file_id']}")
    return next((path for path in (cache / f"{place}.gz" for place in places) if path.is_file()), None)


def _content(path: Path) -> Any:
    """A JSON file of the cache; None if it is missing."""
    if not path.is_file():
        return None
    try:
        return json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read ({error}); remove it and fetch the data set again.") from error


def read_arff(path: Path) -> Relation:
    """A gzipped dense ARFF file whose values are all numbers, nominal ones included.

    Raises
    ------
    UsageError
        If the file is damaged or holds anything but numbers.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            attributes = _attributes(stream)
            rows = np.loadtxt(
                dropwhile(_empty, stream), delimiter=",", comments="%", quotechar="'", ndmin=2, dtype=np.float64
            )
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read ({error}); remove it and fetch the data set again.") from error
    if rows.shape[1] != len(attributes):
        raise UsageError(
            f"{path} declares {len(attributes)} attributes and has rows of {rows.shape[1]} values; remove it and fetch "
            "the data set again."
        )
    return Relation(tuple(attributes), rows)


def _attributes(stream: IO[str]) -> list[str]:
    """Names of the attributes; the stream stands at the first line of the data afterwards."""
    names: list[str] = []
    for line in stream:
        keyword, _, rest = line.strip().partition(" ")
        if keyword.lower() == "@data":
            return names
        if keyword.lower() == "@attribute":
            names.append(rest.split()[0].strip("'\""))
    raise ValueError("there is no line @data")


def _empty(line: str) -> bool:
    return not line.strip()
