"""Downloading public files: as they are, or out of archives, which may lie in archives themselves."""

import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeAlias
from urllib.error import URLError
from urllib.parse import unquote_plus, urlsplit
from urllib.request import Request, urlopen

from harness.errors import UsageError
from harness.files import write_atomically

_CHUNK = 2**18
_SECONDS = 60
_AGENT = "tightrope (https://pypi.org/project/tightrope)"

Member: TypeAlias = tuple[str, bytes]
Report: TypeAlias = Callable[[str, int, int | None], None]
"""Told what is being fetched, how many bytes of it are there, and how many it has, if that is known."""


def fetch_files(urls: Sequence[str], files: Sequence[str], folder: Path, report: Report) -> None:
    """Put the files into the folder: downloaded under their names (packed or not), or found in downloaded archives.

    Raises
    ------
    UsageError
        If an address cannot be read, an archive is damaged, or a file is in none of them.
    """
    missing = set(files)
    for url in urls:
        name = unquote_plus(PurePosixPath(urlsplit(url).path).name)
        content = _downloaded(url, name, report)
        for found, data in _members(name, content, url):
            for wanted in [w for w in missing if found in (w, f"{w}.gz", f"{w}.bz2")]:
                write_atomically(folder / found, data)
                missing.discard(wanted)
            if not missing:
                return
    if missing:
        raise UsageError(f"{urls[0]} does not hold {min(missing)}; find the file elsewhere and put it into {folder}.")


def _downloaded(url: str, name: str, report: Report) -> bytes:
    content = io.BytesIO()
    try:
        with urlopen(Request(url, headers={"User-Agent": _AGENT}), timeout=_SECONDS) as answer:
            length = answer.headers.get("Content-Length")
            total = int(length) if length and length.isdigit() else None
            report(name, 0, total)
            while chunk := answer.read(_CHUNK):
                content.write(chunk)
                report(name, content.tell(), total)
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise UsageError(f"cannot download {url} ({reason}); try again, or fetch {name} by other means.") from error
    if total is not None and content.tell() != total:
        raise UsageError(f"{url} ended after {content.tell()} of {total} bytes; try again.")
    return content.getvalue()


def _members(name: str, content: bytes, url: str) -> Iterator[Member]:
    """The file itself, and what it holds if it is an archive, to any depth."""
    yield name, content
    try:
        for inner, data in _unpacked(name, content):
            yield from _members(inner, data, url)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError) as error:
        raise UsageError(f"{name} from {url} is a damaged archive ({error}); try again.") from error


def _unpacked(name: str, content: bytes) -> Iterator[Member]:
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist():
                if not member.is_dir():
                    yield PurePosixPath(member.filename).name, archive.read(member)
    elif name.endswith((".tar", ".tar.gz", ".tgz", ".tar.bz2")):
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for entry in archive:
                if (stream := archive.extractfile(entry)) is not None:
                    yield PurePosixPath(entry.name).name, stream.read()
