"""The benchmark of decoding runs as its documentation says, and all that compute PageSum agree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.decoding.machine import Limits, floor_of, step_products
from benchmarks.decoding.measuring import Measurement, Span, Stopwatch
from benchmarks.decoding.report import summarise
from benchmarks.decoding.setting import RECORD, TINY

ROOT = Path(__file__).resolve().parents[2]


def test_tiny_configuration(tmp_path: Path) -> None:
    output = tmp_path / "decoding.md"
    command = [sys.executable, "-m", "benchmarks.decoding", "--tiny", "--contenders", "float32,naive"]
    done = subprocess.run(
        [*command, "--pages", "2", "--output", str(output)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    ours, naive = (next(row for row in rows if row[0].startswith(title)) for title in ("lsum", "naive"))
    assert all(float(cell.replace(",", "")) > 0 for row in (ours, naive) for cell in row[1:-1])
    assert ours[-1] == naive[-1], "the same text, hence the same probability"
    assert float(naive[2]) == 1.0
    (pages,) = (row for row in rows if row[0] == "2")
    assert float(pages[1]) > 0
    assert done.stdout.strip() in output.read_text(encoding="utf-8")


def test_unknown_contenders_are_refused() -> None:
    command = [sys.executable, "-m", "benchmarks.decoding", "--tiny", "--contenders", "auto,magic"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "there is no contender magic" in done.stderr


def test_floor_of_the_setting_of_record() -> None:
    floor = floor_of(RECORD)
    # 12 layers × 14 × 1024² weights and the vocabulary, and 12 × 2 × 7168 × 1024 keys and values, 2 bytes each.
    assert floor.step_bytes == 2 * (12 * 14 * 1024**2 + 50265 * 1024 + 12 * 2 * 7168 * 1024)
    assert floor.encode_operations == pytest.approx(2.53e12 + 0.36e12, rel=0.01)


def test_pages_are_the_same_however_many() -> None:
    first, second = TINY.page_ids(), TINY.page_ids()
    assert first == second
    assert [len(page) for page in first] == [TINY.page_len] * TINY.pages
    assert type(TINY).from_json(TINY.to_json()) == TINY


def test_stages_add_up() -> None:
    watch = Stopwatch(started=Span(wall=1.0, cpu=2.0))
    watch.encoded = Span(wall=3.0, cpu=6.0)
    watch.steps = [Span(wall=4.0 + step, cpu=8.0 + 2 * step) for step in range(5)]
    encode, first, rest = watch.stages()
    assert encode == Span(wall=2.0, cpu=4.0)
    assert first == Span(wall=1.0, cpu=2.0)
    assert rest == Span(wall=1.0, cpu=2.0)
    assert Stopwatch().stages() == (None, None, None)


def test_medians_over_rounds() -> None:
    rounds = [
        Measurement(
            total=Span(wall=wall, cpu=2 * wall),
            encode=None,
            first_step=None,
            per_step=Span(wall=wall / 10, cpu=wall / 5),
            peak=100 + wall,
            build_peak=50,
            token_ids=[[4]],
            scores=None,
        )
        for wall in (1.0, 9.0, 2.0)
    ]
    row = summarise(rounds)
    assert row.total == Span(wall=2.0, cpu=4.0)
    assert row.encode is None
    assert row.per_step == Span(wall=0.2, cpu=0.4)
    assert row.peak == 102


def test_products_of_a_step_of_record() -> None:
    products = step_products(RECORD)
    assert [(each.times, each.batch, each.rows, each.inputs, each.outputs) for each in products] == [
        (12, 1, 28, 1024, 3072),
        (36, 1, 28, 1024, 1024),
        (12, 1, 28, 1024, 4096),
        (12, 1, 28, 4096, 1024),
        (12, 112, 4, 64, 1024),
        (12, 112, 4, 1024, 64),
        (1, 1, 4, 1024, 50265),
    ]
    linear = sum(each.operations for each in products if each.batch == 1 and each.rows == 28)
    assert linear == 2 * 28 * 12 * 14 * 1024**2, "each weight of the decoder once for every row"


def test_limits_are_the_best_of_several_measurements() -> None:
    def limits(rate: float, seconds: float) -> Limits:
        spans = [Span(wall=seconds, cpu=2 * seconds)]
        return Limits(
            float32=rate, bfloat16=1.0, float32_per_cpu=1.0, bfloat16_per_cpu=1.0, reading=1.0, products=spans
        )

    best = limits(1.0, 4.0).best(limits(2.0, 5.0))
    assert best.float32 == 2.0
    assert best.products == [Span(wall=4.0, cpu=8.0)]
