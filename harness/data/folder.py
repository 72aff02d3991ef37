"""The folder that the environment variable TIGHTROPE_DATA names, and the files in it."""

import bz2
import gzip
import os
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness.errors import UsageError
from harness.settings import DATA_FOLDER

VARIABLE = DATA_FOLDER
PACKED = ("", ".gz", ".bz2")
"""What may stand behind the name of a public file: it is read as it is, or decompressed."""


def data_folder() -> Path | None:
    """The folder named by the environment variable TIGHTROPE_DATA, or None where it is not set.

    Raises
    ------
    UsageError
        If the variable names something that is not a folder.
    """
    named = os.environ.get(VARIABLE, "")
    if not named:
        return None
    if not Path(named).is_dir():
        raise UsageError(
            f"{VARIABLE} is {named!r}, which is not a folder; set it to the folder that holds the data files."
        )
    return Path(named)


def located(name: str) -> Path | None:
    """The file of this name in the data folder, as it is or with .gz or .bz2 added; None if there is none."""
    folder = data_folder()
    if folder is None:
        return None
    return next((path for path in (folder / f"{name}{end}" for end in PACKED) if path.is_file()), None)


def read_bytes(path: Path) -> bytes:
    """Content of a file, decompressed where its name ends in .gz or .bz2.

    Raises
    ------
    UsageError
        If the file is missing or damaged.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}; put it there or point {VARIABLE} elsewhere.")
    try:
        if path.suffix == ".gz":
            with gzip.open(path) as stream:
                return stream.read()
        return bz2.decompress(path.read_bytes()) if path.suffix == ".bz2" else path.read_bytes()
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read ({error}); fetch the file again.") from error


def read_lines(path: Path) -> list[str]:
    """Lines of a text file.

    Raises
    ------
    UsageError
        If the file is missing, damaged or no text.
    """
    try:
        return read_bytes(path).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a text file ({error}); fetch the file again.") from error


def read_table(path: Path, *, columns: int) -> list[list[str]]:
    """Rows of a comma-separated file without header: blanks around fields, empty lines and lines in "|" are dropped.

    Raises
    ------
    UsageError
        If the file is missing, damaged, no text, empty, or a row has another number of fields.
    """
    rows = []
    for number, line in enumerate(read_lines(path), start=1):
        if line.strip() and not line.startswith("|"):
            rows.append([field.strip() for field in line.split(",")])
            if len(rows[-1]) != columns:
                raise UsageError(
                    f"{path}, line {number} has {len(rows[-1])} fields where {columns} are expected; fetch it again."
                )
    if not rows:
        raise UsageError(f"{path} contains no rows; download the file again.")
    return rows


def parse_number(text: str, path: Path) -> float:
    """A field as a number.

    Raises
    ------
    UsageError
        If it is none.
    """
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(f"{path} holds {text!r} where a number is expected; fetch the file again.") from error


def read_numbers(path: Path, *, columns: int) -> NDArray[np.float64]:
    """Rows (n, columns) of a comma-separated file of numbers without header.

    Raises
    ------
    UsageError
        If the file is missing, damaged, no text, empty, or has something else in it than rows of so many numbers.
    """
    lines = [line for line in read_lines(path) if line.strip()]
    if not lines:
        raise UsageError(f"{path} contains no rows; download the file again.")
    try:
        table = np.loadtxt(lines, delimiter=",", ndmin=2, comments=None)
    except ValueError as error:
        raise UsageError(f"{path} cannot be read ({error}); fetch the file again.") from error
    if table.shape[1] != columns:
        raise UsageError(f"{path} has rows of {table.shape[1]} numbers where {columns} are expected; fetch it again.")
    return table


def signs(labels: list[str], names: dict[str, float], path: Path) -> list[float]:
    """The numbers that labels stand for.

    Raises
    ------
    UsageError
        If a label has no number.
    """
    unknown = set(labels) - set(names)
    if unknown:
        raise UsageError(f"{path} holds the label {min(unknown)!r}; the labels are {', '.join(names)}.")
    return [names[label] for label in labels]
