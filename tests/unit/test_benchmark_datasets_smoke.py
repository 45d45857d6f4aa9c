"""The benchmark of data before training runs as its documentation says; skipped without the corpora."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_two_examples_are_measured(shared: Path, tmp_path: Path) -> None:
    output = tmp_path / "datasets.md"
    command = [sys.executable, "-m", "benchmarks.datasets", "--corpus", "osnotes", "--limit", "2"]
    arguments = ["--steps", "1", "--sizes", "tiny", "--data", str(shared / "data"), "--output", str(output)]
    done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()[4:]]
    assert [row[0] for row in rows][-2:] == [
        "tiny: features from the cache, as a batch",
        "tiny: training step",
    ]
    assert len(rows) == 8
    assert all(float(row[1].replace(",", "")) > 0 for row in rows)
    assert done.stdout.strip() in output.read_text(encoding="utf-8")
