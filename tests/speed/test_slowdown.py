"""A slowdown that is put into the code is reported by `asv compare`, and nothing is reported without one.

A scratch repository of two commits has the alignment benchmark of the suite; in the second commit the code that it
times does half as much work again. Benchmarks are ratios of processor time to a floor of the same run, so that other
work on the machine does not matter.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = """{
    "version": 1, "project": "scratch", "repo": ".", "branches": ["main"], "environment_type": "existing",
    "benchmark_dir": "suite", "results_dir": "results", "html_dir": "html"
}"""
BENCHMARK = """
import harness.benchmarks.alignment as suite
from extra import SHARE


class AlignmentLoss(suite.AlignmentLoss):
    params = ([500],)
    time_losses = peakmem_losses = track_textbook_over_ours = None

    def losses(self):
        extra = int(SHARE * len(self.frequencies))
        if extra:
            suite.binary_alignment_loss(self.points, self.labels, self.frequencies[:extra])
        return super().losses()
"""
SLOWDOWN = 1.5
REPORTED = 1.2  # a change by this factor is reported


def run(folder: Path, *command: str) -> str:
    """A command in the folder; what it prints."""
    who = {f"GIT_{role}_{what}": "scratch@localhost" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    paths = {"ASV_PYTHONPATH": f"{folder}:{ROOT}", "HOME": str(folder), "GIT_CONFIG_GLOBAL": "/dev/null"}
    made = subprocess.run(
        command, cwd=folder, env=os.environ | who | paths, capture_output=True, text=True, timeout=600, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


def commit(folder: Path, share: float) -> str:
    """A commit whose code does this share of its work once more."""
    (folder / "extra.py").write_text(f"SHARE = {share}\n")
    run(folder, "git", "add", "-A")
    run(folder, "git", "commit", "--allow-empty", "-qm", f"share {share}")
    return run(folder, "git", "rev-parse", "HEAD").strip()


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "__init__.py").write_text("")
    (tmp_path / "suite" / "alignment.py").write_text(BENCHMARK)
    (tmp_path / "asv.conf.json").write_text(CONFIGURATION)
    run(tmp_path, "git", "init", "-qb", "main", ".")
    return tmp_path


def test_a_slowdown_is_reported_and_the_history_is_published(scratch: Path) -> None:
    asv = str(Path(sys.executable).with_name("asv"))
    run(scratch, asv, "machine", "--yes", "--machine", "scratch")
    commits = []
    for share in (0.0, 0.0, SLOWDOWN - 1.0):
        commits.append(commit(scratch, share))
        said = run(
            scratch, asv, "run", "-E", f"existing:{sys.executable}", "--machine", "scratch",
            "--set-commit-hash", commits[-1],
        )  # fmt: skip
        assert "track_losses_over_product_and_sine_pass" in said
    first, same, slow = commits
    comparing = (asv, "compare", "--machine", "scratch", "--factor", str(REPORTED))
    worse = re.compile(r"^\| \+ .*\| +([\d.]+) \| .*track_losses_over_product_and_sine_pass", re.MULTILINE)
    assert worse.search(run(scratch, *comparing, first, same)) is None
    found = worse.search(run(scratch, *comparing, first, slow))
    assert found is not None
    assert REPORTED <= float(found[1]) <= SLOWDOWN**2 / REPORTED  # no further off than what would be reported
    run(scratch, asv, "publish")
    graphs = list((scratch / "html" / "graphs").rglob("*track_losses_over_product_and_sine_pass.json"))
    assert graphs
