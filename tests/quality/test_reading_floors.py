"""What has been reached in reading the sample files is not lost again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.reading import FLOORS, measure, sample_files, shortfalls

# Too long for every run; the benchmark measures it.
LEFT_TO_THE_BENCHMARK = ("book-352p-freeculture.pdf",)


@pytest.fixture(scope="module")
def floors() -> dict[str, dict[str, float | str]]:
    return json.loads(FLOORS.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "name", sorted(set(json.loads(FLOORS.read_text(encoding="utf-8"))) - set(LEFT_TO_THE_BENCHMARK))
)
def test_floors_hold(shared: Path, floors, name):
    samples = {path.name: (path, expected) for path, expected in sample_files(shared)}
    assert name in samples, f"{name} has a floor but is no sample file"
    assert shortfalls(measure(*samples[name]), floors[name]) == []


def test_every_sample_file_has_a_floor(shared: Path, floors):
    names = {path.name for path, _ in sample_files(shared) if path.suffix != ".md"}
    assert names == set(floors)
