"""Templates are compiled once for an installation, and again when they or what compiles them change."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from harness.report.html.environment import Beside


@pytest.fixture
def rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """What a template makes of nothing, as a new process would find it; what is compiled lies in `compiled`."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)

    def render(text: str) -> str:
        environment = Environment(loader=DictLoader({"page": text}), bytecode_cache=Beside(tmp_path / "compiled"))
        return environment.get_template("page").render()

    return render


def _texts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*")}


def test_a_template_is_compiled_once(
    rendered: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rendered("one") == "one"
    kept = _texts(tmp_path / "compiled")
    assert len(kept) == 1

    def refuse(*_: object) -> None:
        raise AssertionError("it is compiled already")

    monkeypatch.setattr(Environment, "_generate", refuse)
    assert rendered("one") == "one"
    assert _texts(tmp_path / "compiled") == kept


def test_one_that_has_changed_is_compiled_again(
    rendered: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [rendered("one"), rendered("two"), rendered("one")] == ["one", "two", "one"]
    monkeypatch.setattr("harness.report.html.environment._maker", lambda: "other options")
    monkeypatch.setattr(Environment, "_generate", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        rendered("one")


def test_nothing_is_kept_where_python_keeps_nothing_or_may_not(
    rendered: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "compiled").write_text("a file, and no folder")
    assert rendered("one") == "one"
    (tmp_path / "compiled").unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert rendered("one") == "one"
    assert not (tmp_path / "compiled").exists()
