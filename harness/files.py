"""Whole files: written atomically, read as JSON, with errors of one sentence."""

import contextlib
import errno
import glob
import json
import math
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import UsageError


def write_atomically(path: Path, content: str | bytes) -> Path:
    """Replace a file in one step, so that a reader never sees half of it; of a link, the file that it names.

    Where the system has files without a name, a kill while the text is written leaves nothing behind. What is no file,
    such as a pipe or `/dev/stdout`, is written into.
    """
    whole = content.encode() if isinstance(content, str) else content
    if path.exists() and (not path.is_file() or path.is_relative_to("/dev")):
        return _written_into(path, whole)
    target, path = path, _named_by(path)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path)
        try:
            _place_at_once(temporary, whole)
        except (OSError, AttributeError):  # no such files, or no /proc, or no room: the latter is found again
            temporary.write_bytes(whole)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path} ({error.strerror}); choose a writable place.") from error
    return target


def require_place(path: Path) -> None:
    """Raise UsageError where a file clearly cannot be written, before there is anything to write."""
    _named_by(path)
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if path.is_dir():
        why = "it is a folder"
    elif not folder.is_dir():
        why = f"{folder} is not a folder"
    elif not os.access(path if path.exists() and not path.is_file() else folder, os.W_OK):
        why = os.strerror(errno.EROFS if os.statvfs(folder).f_flag & os.ST_RDONLY else errno.EACCES)
    else:
        return
    raise UsageError(f"cannot write {path} ({why}); choose a writable place.")


def _named_by(path: Path) -> Path:
    """The file that a link names, or the path itself. Raises UsageError for links that name each other."""
    try:
        return path.resolve() if path.is_symlink() else path
    except RuntimeError as error:
        raise UsageError(f"cannot write {path} ({os.strerror(errno.ELOOP)}); choose a writable place.") from error


def _written_into(path: Path, whole: bytes) -> Path:
    try:
        with path.open("wb") as handle:
            handle.write(whole)
    except OSError as error:
        raise UsageError(f"cannot write {path} ({error.strerror}); choose a writable place.") from error
    return path


def _place_at_once(path: Path, content: bytes) -> None:
    """Write a file that has no name until it is whole: it vanishes with a process that is killed before."""
    with open(os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666), "wb") as handle:
        handle.write(content)
        handle.flush()
        os.link(f"/proc/self/fd/{handle.fileno()}", path, src_dir_fd=handle.fileno())


def _sweep(path: Path) -> None:
    """Remove what writers of this file have left that were killed between naming it and putting it in its place."""
    for left in path.parent.glob(f"{glob.escape(path.name)}.*.part"):
        writer = left.suffixes[-2].removeprefix(".")
        if writer.isdigit() and not Path(f"/proc/{writer}").exists() and Path("/proc/self").exists():
            left.unlink(missing_ok=True)


def one_claim_a_line(payload: Mapping[str, Any]) -> str:
    """The JSON of a run, or of a part of it: a difference of two files is a list of claims."""
    head = json_text({key: value for key, value in payload.items() if key != "claims"})
    claims = ",\n".join(json_text(claim) for claim in payload["claims"])
    return f'{head[:-1]}, "claims": [\n{claims}\n]}}\n'


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON that every parser reads: null for a number that is not finite, for which it has no word."""
    try:
        return json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), indent=indent, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    return [_finite(part) for part in value] if isinstance(value, list | tuple) else value


def read_json(path: Path) -> Any:
    """A JSON file, or one sentence about what is wrong with it."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        absent = isinstance(error, FileNotFoundError | NotADirectoryError)
        remedy = "run `tightrope check` first" if absent else "check that you have access to it"
        raise UsageError(f"cannot read {path} ({error.strerror}); {remedy}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not valid JSON ({error}); run `tightrope check` again.") from error


def read_toml(path: Path) -> Any:
    """A TOML file, or one sentence about what is wrong with it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path} ({error.strerror}); name the folder that holds it.") from error
    except ValueError as error:
        raise UsageError(f"{path} is not valid TOML ({error}); mend it.") from error
