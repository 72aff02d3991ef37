"""Rows on the disk: found again, healed after a kill, and refused in one sentence where they cannot be written."""

import errno
import json
import math
import os
import shutil
import stat
import threading
from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.files import one_claim_a_line, read_json, require_place, write_atomically
from harness.judges.base import Task
from harness.kinds import always
from harness.language.registry import claim
from harness.run.store import Context, Store, Stored, row_key

CONTEXT = Context(cell={}, seed=0, effort="quick", source="s", versions={}, device="cpu")


class Drawn(Task, frozen=True, kw_only=True):
    """A task, for its name and its fields."""

    index: int = 0


class Other(Task, frozen=True, kw_only=True):
    """Another one."""


@claim("store/x", always(), reading="printed")
def stored(forall):
    """x <= 1."""
    return forall.interval("x", 0.0, 1.0), 1.0


def _rows_file(folder: Path) -> Path:
    (path,) = (folder / "rows").glob("*.jsonl")
    return path


def _fill(folder: Path, count: int = 3) -> Store:
    store = Store(folder)
    for i in range(count):
        store.append(stored, Drawn(index=i), Stored(f"k{i}", {"x": 0.1 * i, "low": float("-inf")}, 0.5), CONTEXT)
    return store


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    written = _fill(tmp_path).known(stored)
    assert Store(tmp_path).known(stored) == written
    assert len(written) == 3


def test_each_row_is_one_line_that_names_its_origin(tmp_path: Path) -> None:
    _fill(tmp_path)
    lines = _rows_file(tmp_path).read_text().splitlines()
    assert len(lines) == 3
    record = json.loads(lines[1])
    assert record["claim"] == "store/x"
    assert record["reading"] == "printed"
    assert record["seed"] == 0
    assert record["task"] == {"stage": "drawn", "index": 1}


NESTED = f"{'[' * 200_000}\n"
UNDEFINED = '{"key": "k1", "data": {"best_score": NaN}, "seconds": 0.0}\n'


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_truncated_last_line_costs_that_line_alone(tmp_path: Path, cut: int) -> None:
    """Cut 1 takes only the line's end: nothing is lost, but the next row must not be glued to it."""
    _fill(tmp_path)
    path = _rows_file(tmp_path)
    path.write_bytes(path.read_bytes()[:-cut])
    store = Store(tmp_path)
    kept = store.known(stored)
    assert set(kept) == ({"k0", "k1", "k2"} if cut == 1 else {"k0", "k1"})
    assert len(store.damaged) == (0 if cut == 1 else 1)
    for sentence in store.damaged:
        assert "store/x[printed]" in sentence
        assert "line 3" in sentence
        assert "computed again" in sentence
        assert "\n" not in sentence
    store.append(stored, Drawn(), Stored("k9", {}, 0.0), CONTEXT)
    again = Store(tmp_path)
    assert set(again.known(stored)) == {*kept, "k9"}  # healed: the second reading finds nothing damaged
    assert again.damaged == []


@pytest.mark.parametrize(
    "garbage", ["garbage\n", "[1, 2]\n", '{"key": "k"}\n', "\x00\x00\n", "\n\n", '"text"\n', NESTED, UNDEFINED]
)
def test_damage_in_the_middle_costs_that_line_alone(tmp_path: Path, garbage: str) -> None:
    _fill(tmp_path)
    path = _rows_file(tmp_path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + garbage + "".join(lines[1:]))
    store = Store(tmp_path)
    assert set(store.known(stored)) == {"k0", "k1", "k2"}
    assert len(store.damaged) == (0 if garbage.strip() == "" else 1)


def test_infinite_findings_are_kept_and_undefined_ones_are_computed_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for key, value in (("infinite", -math.inf), ("undefined", math.nan)):
        store.append(stored, Drawn(), Stored(key, {"NaN": [value]}, 0.0), CONTEXT)
    again = Store(tmp_path)
    assert set(again.known(stored)) == {"infinite"}
    assert again.damaged == []


def test_bytes_that_are_no_text_are_damage_too(tmp_path: Path) -> None:
    _fill(tmp_path)
    path = _rows_file(tmp_path)
    path.write_bytes(path.read_bytes() + b"\xff\xfe\x80\n")
    store = Store(tmp_path)
    assert len(store.known(stored)) == 3
    assert len(store.damaged) == 1


def test_without_a_folder_rows_live_in_memory() -> None:
    store = Store(None)
    store.append(stored, Drawn(), Stored("k", {}, 0.0), CONTEXT)
    assert set(store.known(stored)) == {"k"}


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path: Path) -> None:
    """Stands for every folder that cannot be written; permissions do not stop the root user of a container."""
    (tmp_path / "results").write_text("")
    for folder in (tmp_path / "results", tmp_path / "results" / "deeper"):
        with pytest.raises(UsageError, match=r"not writable .*--out"):
            Store(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not stop root")
def test_a_read_only_folder_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(UsageError, match=r"not writable .*--out"):
            Store(tmp_path)
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_a_folder_that_cannot_be_written_may_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A colleague's results; nothing is healed there, and no row is added."""
    _fill(tmp_path)
    path = _rows_file(tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    before = path.read_bytes()

    def refuse(folder: Path) -> None:
        raise UsageError(f"{folder} is not writable")

    monkeypatch.setattr("harness.run.store._require_writable", refuse)
    store = Store(tmp_path, read_only_too=True)
    assert set(store.known(stored)) == {"k0", "k1"}
    store.append(stored, Drawn(), Stored("k9", {}, 0.0), CONTEXT)
    assert set(store.known(stored)) == {"k0", "k1", "k9"}
    assert path.read_bytes() == before
    assert len(store.damaged) == 1


@pytest.mark.parametrize(
    ("flag", "words"), [(os.ST_RDONLY, r"\(Read-only file system\)"), (0, r"\(Permission denied\)")]
)
def test_a_place_that_cannot_be_written_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: int, words: str
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result((*range(8), flag, 9)))
    with pytest.raises(UsageError, match=words):
        require_place(tmp_path / "verdicts.json")


def test_a_row_that_cannot_be_kept_is_one_sentence(tmp_path: Path) -> None:
    store = _fill(tmp_path)
    _rows_file(tmp_path).unlink()
    (tmp_path / "rows").rmdir()
    (tmp_path / "rows").write_text("a file")
    with pytest.raises(UsageError, match=r"cannot write .*choose another --out"):
        store.append(stored, Drawn(), Stored("k", {}, 0.0), CONTEXT)


def test_a_folder_that_is_removed_during_a_run_is_made_again(tmp_path: Path) -> None:
    store = _fill(tmp_path)
    shutil.rmtree(tmp_path)
    store.append(stored, Drawn(), Stored("k", {}, 0.0), CONTEXT)
    assert list(Store(tmp_path).known(stored)) == ["k"]
    shutil.rmtree(tmp_path)
    with store.alone():
        store.write("page.html", "x")
    assert (tmp_path / "page.html").exists()


def test_two_runs_into_a_folder_write_one_after_another(tmp_path: Path) -> None:
    wrote: list[str] = []

    def second() -> None:
        with Store(tmp_path).alone():
            wrote.append("second")

    thread = threading.Thread(target=second)
    with Store(tmp_path).alone():
        thread.start()
        thread.join(timeout=0.3)
        wrote.append("first")
    thread.join()
    assert wrote == ["first", "second"]


def test_writing_replaces_in_one_step_and_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "page.html"
    write_atomically(target, "old")
    write_atomically(target, "new")
    assert target.read_text() == "new"
    assert [path.name for path in target.parent.iterdir()] == ["page.html"]
    with pytest.raises(UsageError, match="cannot write"):
        write_atomically(target / "below-a-file", "x")


def test_a_link_stays_one_and_a_pipe_is_written_into(tmp_path: Path) -> None:
    """`--json /dev/stdout` made a file of the machine's device."""
    target, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    target.write_text("old")
    link.symlink_to(target)
    assert write_atomically(link, "new") == link
    assert link.is_symlink()
    assert target.read_text() == "new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()
    with pytest.raises(UsageError, match="cannot write"):
        write_atomically(tmp_path, "x")


def test_reading_json_fails_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run `tightrope check` first"):
        read_json(tmp_path / "absent.json")
    with pytest.raises(UsageError, match="check that you have access to it"):
        read_json(tmp_path)
    (tmp_path / "bad.json").write_text('{"claims": [')
    with pytest.raises(UsageError, match="not valid JSON"):
        read_json(tmp_path / "bad.json")


def test_a_key_depends_on_everything_a_row_depends_on() -> None:
    keys = {
        row_key(*arguments)
        for arguments in (
            ("s", 0, "cpu", {"n": 1}, Drawn()),
            ("t", 0, "cpu", {"n": 1}, Drawn()),
            ("s", 1, "cpu", {"n": 1}, Drawn()),
            ("s", 0, "cuda", {"n": 1}, Drawn()),
            ("s", 0, "cpu", {"n": 2}, Drawn()),
            ("s", 0, "cpu", {"n": 1}, Drawn(index=1)),
            ("s", 0, "cpu", {"n": 1}, Other()),
        )
    }
    assert len(keys) == 7
    a, b = {"n": 1, "m": 2}, {"m": 2, "n": 1}
    assert row_key("s", 0, "cpu", a, Drawn()) == row_key(
        "s", 0, "cpu", b, Drawn()
    )  # the order of a dict is no difference


def test_json_that_is_written_has_no_number_that_json_has_not() -> None:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    payload = {"seed": 0, "claims": [{"cells": [{"worst": -math.inf, "all": (1.0, math.nan)}]}, {"cells": []}]}
    made = json.loads(one_claim_a_line(payload), parse_constant=refuse)
    assert made == {"seed": 0, "claims": [{"cells": [{"worst": None, "all": [1.0, None]}]}, {"cells": []}]}


@pytest.mark.parametrize("room", [10, None])
def test_a_line_that_is_written_in_pieces_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int | None
) -> None:
    """`os.write` may write less than it was given, and says so; the next call tells of a full disk."""
    store, write, left = _fill(tmp_path, 1), os.write, room
    rows = _rows_file(tmp_path)
    before = rows.read_bytes()

    def some(descriptor: int, data: bytes) -> int:
        nonlocal left
        if left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        count = write(descriptor, data[: min(7, 7 if left is None else left)])
        left = None if left is None else left - count
        return count

    monkeypatch.setattr(os, "write", some)
    if room is None:
        store.append(stored, Other(), Stored("k1", {}, 0.5), CONTEXT)
        assert [json.loads(line)["key"] for line in rows.read_text().splitlines()] == ["k0", "k1"]
    else:
        with pytest.raises(UsageError, match="free space"):
            store.append(stored, Other(), Stored("k1", {}, 0.5), CONTEXT)
        assert rows.read_bytes() == before
