"""Data files as the tests make them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.options import DatasetOptions


@pytest.fixture
def write_lines(tmp_path):
    """Write records as JSON Lines and return the path."""

    def write(*records, name="data.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return path

    return write


@pytest.fixture
def examples():
    """Read all examples of a path, options by keyword."""

    def read(path: Path, **options):
        return list(open_dataset(path, DatasetOptions(**options)))

    return read
