"""The measurements as tables, with the targets."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.decoding.contenders import CONTENDERS
from benchmarks.decoding.machine import (
    GIB,
    Floor,
    Limits,
    Product,
    describe_machine,
    floor_of,
    step_products,
)
from benchmarks.decoding.measuring import Measurement, Span
from benchmarks.decoding.setting import RECORD, Setting

NAIVE, OURS, PLAIN = "naive", "auto", "float32"


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Everything one run found.

    Attributes:
        setting: What was decoded.
        rounds: How often each contender worked, by turns.
        limits: Limits of the machine.
        measurements: Per contender, one of each round.
        judged: Per contender that computes PageSum, the mean log probability of its tokens in float32.
        by_pages: Ours with ``--dtype auto`` on other numbers of pages.
    """

    setting: Setting
    rounds: int
    limits: Limits
    measurements: Mapping[str, Sequence[Measurement]]
    judged: Mapping[str, float]
    by_pages: Mapping[int, Measurement]


@dataclass(frozen=True, kw_only=True)
class Row:
    """A contender's medians over the rounds."""

    total: Span
    encode: Span | None
    first_step: Span | None
    per_step: Span | None
    fastest_step: Span | None
    peak: float
    build_peak: float


def summarise(measurements: Sequence[Measurement]) -> Row:
    """Take the median of everything."""

    def median(choose: Callable[[Measurement], Span | None]) -> Span | None:
        spans = [span for span in map(choose, measurements) if span is not None]
        if not spans:
            return None
        walls, cpus = [span.wall for span in spans], [span.cpu for span in spans]
        return Span(wall=statistics.median(walls), cpu=statistics.median(cpus))

    total = median(lambda m: m.total)
    assert total is not None
    return Row(
        total=total,
        encode=median(lambda m: m.encode),
        first_step=median(lambda m: m.first_step),
        per_step=median(lambda m: m.per_step),
        fastest_step=median(lambda m: m.fastest_step),
        peak=statistics.median(m.peak for m in measurements),
        build_peak=statistics.median(m.build_peak for m in measurements),
    )


def render(findings: Findings) -> str:
    """Write the whole report in Markdown."""
    rows = {name: summarise(measured) for name, measured in findings.measurements.items()}
    parts = [_preface(findings), _contenders(rows, findings), _limits(findings), _products(rows, findings)]
    if findings.by_pages:
        parts.append(_by_pages(findings))
    parts.append(_targets(rows, findings))
    return "\n\n".join(part for part in parts if part)


def _preface(findings: Findings) -> str:
    setting = findings.setting
    return (
        f"{setting.pages} pages × {setting.page_len} tokens, beam {setting.beams}, "
        f"{setting.tokens} forced tokens, no {setting.no_repeat_ngram}-gram twice; "
        f"{setting.layers} + {setting.layers} layers, hidden {setting.hidden}, {setting.heads} heads, "
        f"inner {setting.ffn}, vocabulary {setting.vocab}; "
        f"random weights; {setting.threads} threads, {findings.rounds} round(s).\n{describe_machine()}."
    )


def _contenders(rows: Mapping[str, Row], findings: Findings) -> str:
    naive = rows.get(NAIVE)
    lines = [
        "| contender | CPU s | of naive | s | of naive | encode, CPU s | first step | per step | peak MiB "
        "| of naive | building, MiB | log p a token |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in rows.items():
        cells = [
            CONTENDERS[name].title,
            f"{row.total.cpu:.2f}",
            _ratio(row.total.cpu, naive and naive.total.cpu),
            f"{row.total.wall:.2f}",
            _ratio(row.total.wall, naive and naive.total.wall),
            *(_cpu(span) for span in (row.encode, row.first_step, row.per_step)),
            f"{row.peak:,.0f}",
            _ratio(row.peak, naive and naive.peak),
            f"{row.build_peak:,.0f}",
            f"{findings.judged[name]:.4f}" if name in findings.judged else "",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _limits(findings: Findings) -> str:
    limits, floor = findings.limits, floor_of(findings.setting)
    return (
        f"The machine multiplies matrices at {limits.float32 / 1e9:,.0f} GFLOP/s in float32 and at "
        f"{limits.bfloat16 / 1e9:,.0f} in bfloat16, and reads memory at {limits.reading / GIB:.1f} GiB/s. "
        f"The encoder needs {floor.encode_operations / 1e12:.2f} TFLOP: at least "
        f"{floor.encode_operations / limits.bfloat16:.2f} s "
        f"({floor.encode_operations / limits.bfloat16_per_cpu:.2f} CPU s) in bfloat16. "
        f"A step reads {floor.step_bytes / GIB:.2f} GiB in bfloat16: at least "
        f"{1000 * floor.step_bytes / limits.reading:.1f} ms, "
        f"{1000 * _bytes_floor(findings):.1f} CPU ms. The floor of a step is the larger of this and of its "
        f"products, each at the rate that this machine reaches for its sizes:"
    )


def product_table(products: Sequence[Product], spans: Sequence[Span], what: str) -> str:
    """A line for each product with its measured rate, and their sum."""
    lines = [
        f"| product of {what} | times | rows × in → out | GFLOP | GFLOP/s | CPU ms |",
        "|---|---:|---|---:|---:|---:|",
    ]
    for product, span in zip(products, spans, strict=True):
        sizes = f"{product.rows} × {product.inputs:,} → {product.outputs:,}"
        several = f"{product.batch} × " if product.batch > 1 else ""
        lines.append(
            f"| {product.name} | {product.times:,} | {several}{sizes} | {product.operations / 1e9:.2f} "
            f"| {product.operations / span.wall / 1e9:,.0f} | {1000 * span.cpu:.1f} |"
        )
    total = sum(product.operations for product in products) / 1e9
    lines.append(f"| all | | | {total:.2f} | | {1000 * sum(span.cpu for span in spans):.1f} |")
    return "\n".join(lines)


def floor_of_step(
    spans: Sequence[Span], num_bytes: int, byte: float, taken: float, fastest: float | None = None
) -> str:
    """Say how far a step is from its floor.

    Args:
        spans: Of its products.
        num_bytes: What it reads.
        byte: Processor seconds of reading one.
        taken: Processor seconds, on average.
        fastest: The same of the fastest step, if that is known.
    """
    products, by_bytes = sum(span.cpu for span in spans), num_bytes * byte
    floor = max(products, by_bytes)
    return (
        f"A step reads {num_bytes / 2**20:,.1f} MiB: at {1 / byte / 2**30:.1f} GiB for a processor second at"
        f" least {1000 * by_bytes:.2f} CPU ms; its products take {1000 * products:.2f}. The floor is the"
        f" larger, that of its {'bytes' if by_bytes > products else 'products'}: {1000 * floor:.2f} CPU ms."
        f" It takes {1000 * taken:.2f}, {taken / floor:.2f} times as much"
        + (f"; the fastest {1000 * fastest:.2f}, {fastest / floor:.2f} times." if fastest else ".")
    )


def _products(rows: Mapping[str, Row], findings: Findings) -> str:
    table = product_table(step_products(findings.setting), findings.limits.products, "a step")
    ours = rows.get(OURS)
    if ours is None or ours.per_step is None:
        return table
    floor = _step_floor(findings)
    bound = "bytes" if floor > _products_floor(findings) else "products"
    fastest = ours.fastest_step or ours.per_step
    return table + (
        f"\n\nThe floor of a step is that of its {bound}: {1000 * floor:.1f} CPU ms. "
        f"With `--dtype auto` it takes {1000 * ours.per_step.cpu:.1f} on average, "
        f"{ours.per_step.cpu / floor:.2f} times as much, and {1000 * fastest.cpu:.1f} at its fastest, "
        f"{fastest.cpu / floor:.2f} times as much. The rates are of the quietest of many moments, and so is "
        "the fastest step."
    )


def _bytes_floor(findings: Findings) -> float:
    """Processor seconds of reading what a step reads, while all threads read."""
    return (
        findings.setting.threads * floor_of(findings.setting).step_bytes / max(findings.limits.reading, 1e-9)
    )


def _products_floor(findings: Findings) -> float:
    return sum(span.cpu for span in findings.limits.products)


def _step_floor(findings: Findings) -> float:
    return max(_bytes_floor(findings), _products_floor(findings), 1e-9)


def _by_pages(findings: Findings) -> str:
    lines = [
        "| pages, `--dtype auto` | CPU s | CPU s a page | s | peak MiB |",
        "|---:|---:|---:|---:|---:|",
    ]
    for pages, measured in findings.by_pages.items():
        total = measured.total
        lines.append(
            f"| {pages} | {total.cpu:.2f} | {total.cpu / pages:.2f} | {total.wall:.2f} "
            f"| {measured.peak:,.0f} |"
        )
    return "\n".join(lines)


def _targets(rows: Mapping[str, Row], findings: Findings) -> str:
    if replace(findings.setting, threads=RECORD.threads) != RECORD:
        return "Sizes other than those of record: the targets do not apply."
    reached = [
        *_targets_among(rows),
        *_targets_of_floor(rows, findings),
        *_targets_by_pages(findings.by_pages),
    ]
    if not reached:
        return ""
    lines = ["| target | at most | measured | |", "|---|---:|---:|---|"]
    for what, limit, measured in reached:
        verdict = "reached" if measured <= limit else "missed"
        lines.append(f"| {what} | {limit:.2f} | {measured:.2f} | {verdict} |")
    return "\n".join(lines)


Target = tuple[str, float, float]


def _targets_among(rows: Mapping[str, Row]) -> list[Target]:
    targets: list[Target] = []
    ours, plain, naive, led = (rows.get(name) for name in (OURS, PLAIN, NAIVE, "led"))
    if ours and naive:
        targets.append(("CPU time of auto ÷ naive", 0.06, ours.total.cpu / naive.total.cpu))
        targets.append(("peak memory of auto ÷ naive", 0.30, ours.peak / naive.peak))
    if plain and naive:
        targets.append(("CPU time of float32 ÷ naive", 1 / 1.3, plain.total.cpu / naive.total.cpu))
    converted = [row.total.cpu for name, row in rows.items() if name.startswith("ctranslate2")]
    if ours and converted:
        targets.append(("CPU time of auto ÷ CTranslate2 at its best", 0.5, ours.total.cpu / min(converted)))
    # What auto takes for a checkpoint whose agreement in int8 is recorded.
    if (calibrated := rows.get("int8")) and converted:
        ratio = calibrated.total.cpu / min(converted)
        targets.append(("CPU time of auto, calibrated (int8) ÷ CTranslate2 at its best", 0.5, ratio))
    if ours and led:
        targets.append(("CPU time of auto ÷ LED", 1.0, ours.total.cpu / led.total.cpu))
    return targets


def _targets_of_floor(rows: Mapping[str, Row], findings: Findings) -> list[Target]:
    ours = rows.get(OURS)
    if ours is None or ours.encode is None or ours.per_step is None:
        return []
    limits, floor = findings.limits, floor_of(findings.setting)
    # Processor time counts, so that other programs matter less: all threads are busy.
    return [
        (
            "encoding ÷ its operations at the rate of products",
            1.3,
            ours.encode.cpu / _encode_floor(floor, limits),
        ),
        (
            "a step ÷ the larger of its bytes and its products at their rates",
            1.5,
            ours.per_step.cpu / _step_floor(findings),
        ),
        (
            "the fastest step ÷ the same",
            1.5,
            (ours.fastest_step or ours.per_step).cpu / _step_floor(findings),
        ),
    ]


def _encode_floor(floor: Floor, limits: Limits) -> float:
    return floor.encode_operations / max(limits.bfloat16_per_cpu, limits.float32_per_cpu)


def _targets_by_pages(by_pages: Mapping[int, Measurement]) -> list[Target]:
    targets: list[Target] = []
    if {4, 32} <= set(by_pages):
        few, many = by_pages[4].total.cpu / 4, by_pages[32].total.cpu / 32
        targets.append(("CPU time of a page: of 32 pages ÷ of 4", 1.15, many / few))
    if 32 in by_pages:
        targets.append(("GB of memory for 32 pages", 4.0, by_pages[32].peak * 2**20 / 1e9))
    return targets


def _cpu(span: Span | None) -> str:
    return "" if span is None else f"{span.cpu:.2f}" if span.cpu >= 1 else f"{span.cpu:.3f}"


def _ratio(value: float, of: float | None) -> str:
    return "" if not of else f"{value / of:.2f}"
