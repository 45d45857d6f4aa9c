"""The benchmark of extraction runs as its documentation says; skipped without the corpora."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_extraction_is_measured_on_two_documents(shared: Path, tmp_path: Path) -> None:
    pytest.importorskip("rouge_score")
    pytest.importorskip("sumy")
    output = tmp_path / "extraction.md"
    command = [sys.executable, "-m", "benchmarks.extraction", "--corpus", "osnotes", "--limit", "2"]
    arguments = ["--data", str(shared / "data"), "--output", str(output)]
    done = subprocess.run([*command, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    rows = [line.split(" | ") for line in done.stdout.splitlines()[2:]]
    assert [row[2] for row in rows] == [
        "extract",
        "lead",
        "lead 3",
        "random",
        "sumy LexRank",
        "sumy TextRank",
    ]
    assert all(0 < float(score.strip("*")) < 100 for row in rows for score in row[3:6])
    assert done.stdout.strip() in output.read_text(encoding="utf-8")
