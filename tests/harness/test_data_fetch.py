"""`tightrope data` and its `fetch`: against a server on this machine, and fetchers of scikit-learn that are made up."""

import bz2
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import sklearn.datasets
from click.testing import CliRunner

from harness.cli import main
from harness.data import DATA_SETS, VARIABLE, Download, PublicFile, catalogue
from tests.harness import data_files

KIN8NM = "0,0,0,0,0,0,0,0,1\n"


class Answers(BaseHTTPRequestHandler):
    """Serves `contents` by path; 404 for the rest."""

    contents: ClassVar[dict[str, bytes]] = {}
    promised: ClassVar[int] = 0
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        content = self.contents.get(self.path)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content) + self.promised))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Answers, "contents", {})
    monkeypatch.setattr(Answers, "asked", [])
    monkeypatch.setattr(Answers, "promised", 0)
    serving = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=serving.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{serving.server_port}"
    serving.shutdown()
    thread.join()
    serving.server_close()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def entry(monkeypatch, name: str, **changes: Any) -> None:
    """A data set of the catalogue with another source, size or checksum."""
    monkeypatch.setattr(catalogue, "DATA_SETS", {**DATA_SETS, name: replace(DATA_SETS[name], **changes)})


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["data", *arguments])
    return result.exit_code, result.output


def test_the_list_says_what_is_here_and_what_is_missing(folder):
    (folder / "kin8nm.csv").write_text(KIN8NM)
    data_files.openml_cache(folder, "cpu_act", "@RELATION r\n@ATTRIBUTE a REAL\n@DATA\n1\n")
    code, said = run("--json", str(folder / "list.json"))
    assert code == 0
    assert f"folder: {folder}" in said
    assert "tightrope data fetch NAME" in said
    listed = {described["name"]: described for described in json.loads((folder / "list.json").read_text())["data_sets"]}
    assert list(listed) == list(DATA_SETS)
    assert {name: d["here"] for name, d in listed.items() if d["here"]} == {"kin8nm": "files", "cpu_act": "cache"}
    assert listed["kin8nm"]["bytes"] == len(KIN8NM)
    assert listed["farm"]["claims"] == [
        "lkrf/tab-4-other",
        "pbrff/fig-3",
        "pbrff/fig-6-others",
        "pbrff/tab-1-farm",
        "pbrff/tab-1-full",
    ]
    missing = said.split("missing: ")[1].split(";")[0].split(", ")
    assert missing == [name for name in DATA_SETS if name not in ("kin8nm", "cpu_act")]


def test_without_a_folder_everything_is_missing(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    code, said = run()
    assert code == 0
    assert f"folder: none; set {VARIABLE}" in said
    assert run("fetch", "farm") == (
        2,
        f"error: say where the data go: set the environment variable {VARIABLE} to a folder.\n",
    )


def test_an_unknown_name_is_refused_before_anything_is_fetched(folder, server, monkeypatch):
    entry(monkeypatch, "farm", source=Download((f"{server}/farm.zip",)))
    code, said = run("fetch", "farm", "imagenet")
    assert (code, Answers.asked) == (2, [])
    assert "no data set 'imagenet'; the catalogue has mnist, adult" in said


def test_files_are_taken_out_of_archives_in_archives_and_compared(folder, server, monkeypatch):
    content = (",".join(map(str, range(78))) + "\n").encode()
    inner = data_files.tar({"Twitter-Absolute-Sigma-500.data": content, "Other.data": b"no"})
    Answers.contents["/buzz+in.zip"] = data_files.zipped({"classification.tar.gz": inner, "readme.txt": b"hello"})
    entry(monkeypatch, "buzz", source=Download((f"{server}/buzz+in.zip",)), rows=1)
    code, said = run("fetch", "buzz")
    assert code == 0, said
    assert "buzz in.zip" in said
    assert "buzz: 1 rows and 77 columns, as published" in said
    assert [path.name for path in folder.iterdir()] == ["Twitter-Absolute-Sigma-500.data"]
    assert run("fetch", "buzz")[1].startswith("buzz: is here")
    assert Answers.asked == ["/buzz+in.zip"]


def test_files_are_downloaded_as_they_are_packed(folder, server, monkeypatch):
    rows = data_files.svmlight(np.ones((1, 8)), [1]).encode()
    Answers.contents |= {"/cod-rna": rows, "/cod-rna.t.bz2": bz2.compress(rows)}
    entry(monkeypatch, "cod-rna", source=Download((f"{server}/cod-rna", f"{server}/cod-rna.t.bz2")), rows=2)
    assert run("fetch", "cod-rna")[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == ["cod-rna", "cod-rna.t.bz2"]


def test_what_differs_from_print_is_said(folder, server, monkeypatch):
    content = data_files.svmlight(np.ones((2, 54_877)), [1, -1]).encode()
    Answers.contents["/farm-ads-vect"] = content
    good, bad = (PublicFile("farm-ads-vect", hashlib.sha256(text).hexdigest()) for text in (content, b"else"))
    source = Download((f"{server}/farm-ads-vect",))
    entry(monkeypatch, "farm", source=source, rows=2, files=(good,))
    assert run("fetch", "farm")[0] == 0
    entry(monkeypatch, "farm", source=source, rows=3, columns=5, files=(bad,))
    code, said = run("fetch", "farm")
    assert code == 2
    for sentence in (
        "farm-ads-vect differs from the public file (SHA-256)",
        "2 rows where 3 are published",
        "54,877 columns where 5 are published",
    ):
        assert f"farm: {sentence}" in said


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (({}, 0), "cannot download"),
        (({"/farm.zip": b"PK no archive"}, 0), "is a damaged archive"),
        (({"/farm.zip": data_files.zipped({"farm-ads": b"text"})}, 0), "does not hold farm-ads-vect"),
        (({"/farm.zip": data_files.zipped({"farm-ads-vect": b"1 1:1"})}, 7), "ended after|cannot download"),
    ],
)
def test_a_failed_download_is_one_sentence_and_leaves_nothing(folder, server, monkeypatch, answer, message):
    monkeypatch.setattr(Answers, "contents", answer[0])
    monkeypatch.setattr(Answers, "promised", answer[1])
    entry(monkeypatch, "farm", source=Download((f"{server}/farm.zip",)))
    code, said = run("fetch", "farm")
    assert code == 2
    assert re.search(message, " ".join(said.split()))
    assert list(folder.iterdir()) == []


def test_a_set_of_openml_is_fetched_into_the_folder(folder, monkeypatch):
    called = {}

    def fetch_openml(name: str, **options: Any) -> None:
        called.update(options, name=name)
        attributes = "".join(f"@ATTRIBUTE a{k} REAL\n" for k in range(9))
        data_files.openml_cache(folder, name, f"@RELATION r\n{attributes}@DATA\n{KIN8NM}")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch_openml)
    entry(monkeypatch, "kin8nm", rows=1)
    assert run("fetch", "kin8nm")[0] == 0
    assert (called["name"], called["version"], called["data_home"]) == ("kin8nm", 1, str(folder))


def test_a_fetcher_of_scikit_learn_is_called_once_and_its_errors_are_sentences(folder, monkeypatch):
    points, classes = np.zeros((2, 54)), np.array([1, 2])
    real = sklearn.datasets.fetch_covtype

    def fetch_covtype(*, data_home: str, download_if_missing: bool = True) -> Any:
        if download_if_missing:
            data_files.covtype_cache(folder, points, classes)
        return real(data_home=data_home, download_if_missing=False)

    def offline(**_: Any) -> None:
        raise OSError("no network")

    entry(monkeypatch, "covtype", rows=2)
    monkeypatch.setattr(sklearn.datasets, "fetch_covtype", offline)
    code, said = run("fetch", "covtype")
    assert code == 2
    assert "sklearn.datasets.fetch_covtype cannot fetch the data (no network)" in said
    monkeypatch.setattr(sklearn.datasets, "fetch_covtype", fetch_covtype)
    assert run("fetch", "covtype")[0] == 0
    assert run("fetch", "covtype")[1].startswith("covtype: is here")
    (folder / "covertype" / "samples_py3").write_bytes(b"damaged")
    code, said = run("fetch", "covtype")
    assert (code, "damaged cache" in said) == (2, True)


def test_the_page_on_data_has_the_catalogue(monkeypatch):
    """Names, files, sources, sizes and claims, as the catalogue has them."""
    monkeypatch.delenv("TIGHTROPE_MNIST_TRAINING", raising=False)
    page = (Path(__file__).resolve().parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    rows = [
        f"| `{e.name}` | {', '.join(f'`{name}`' for name in e.names)} | {e.source} | {e.rows:,} | {e.columns:,} | "
        f"{', '.join(f'`{claim}`' for claim in e.claims)} |"
        for e in DATA_SETS.values()
    ]
    assert [line for line in page.splitlines() if line.startswith("| `")] == rows
