"""The folder that the environment variable TIGHTROPE_DATA names, and the files in it."""

import gzip
import os
import zlib
from pathlib import Path

from harness.errors import UsageError

VARIABLE = "TIGHTROPE_DATA"


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


def has_files(*names: str) -> bool:
    """Whether the data folder is set and holds all these files, each as it is or with .gz added."""
    folder = data_folder()
    return folder is not None and all((folder / n).is_file() or (folder / f"{n}.gz").is_file() for n in names)


def locate(name: str, *, what: str) -> Path:
    """The file of this name in the data folder, or the same name with .gz added.

    Raises
    ------
    UsageError
        If the folder is not set or holds neither file.
    """
    folder = data_folder()
    if folder is None:
        raise UsageError(f"{what} is not bundled; set {VARIABLE} to a folder that holds {name} or {name}.gz.")
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise UsageError(f"there is no file {name} or {name}.gz in {folder}; put it there or point {VARIABLE} elsewhere.")


def read_bytes(path: Path) -> bytes:
    """Content of a file, decompressed where its name ends in .gz.

    Raises
    ------
    UsageError
        If the file is missing or damaged.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}; put it there or point {VARIABLE} elsewhere.")
    try:
        if path.suffix != ".gz":
            return path.read_bytes()
        with gzip.open(path) as stream:
            return stream.read()
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read ({error}); fetch the file again.") from error


def read_table(path: Path, *, columns: int) -> list[list[str]]:
    """Rows of a comma-separated file without header: blanks around fields, empty lines and lines in "|" are dropped.

    Raises
    ------
    UsageError
        If the file is missing, damaged, no text, empty, or a row has another number of fields.
    """
    try:
        lines = read_bytes(path).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a text file ({error}); fetch the file again.") from error
    rows = []
    for number, line in enumerate(lines, start=1):
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
