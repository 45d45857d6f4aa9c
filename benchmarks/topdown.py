"""The Top-Down encoder: time and memory by length, against local attention alone and against LED.

    python -m benchmarks.topdown [--rounds 3] [--output benchmarks/results/topdown.md] [--tiny]

Random weights of BART-large's sizes, 8 + 4 layers, 2 segment layers, windows of 1024 tokens. Contenders
take turns, each time in its own process. Timing starts at token ids and ends at encoded tokens; building
the model is excluded, and every contender encodes a short text first. The peak is resident memory
including interpreter, libraries and weights. Every contender except ``engine`` contains only an encoder;
``engine`` is the whole model, and its time and memory include the decoder's keys and values of all tokens;
it then writes 64 tokens with 4 beams and traces their attention to sentences of 25 tokens, as the program
does. Its steps are measured beside their floor: the larger of the bytes that a step reads and of its
products, at the rates that this machine reaches for these sizes with as many threads.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.decoding.machine import (
    ASLEEP,
    Product,
    describe_machine,
    floor_of,
    measure_product,
    step_products,
    time_reading,
)
from benchmarks.decoding.measuring import MIB, Stopwatch, forget_peak, now, read_peak
from benchmarks.decoding.report import floor_of_step, product_table
from benchmarks.decoding.setting import END, START
from benchmarks.decoding.setting import Setting as Decoding

if TYPE_CHECKING:
    from torch import Tensor

REPOSITORY = Path(__file__).resolve().parents[1]
SEED = 20
FIRST_WORD = 4
# Tokens.
SENTENCE = 25

Encode = Callable[["Tensor"], object]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Sizes of the models, and the lengths that are encoded."""

    hidden: int = 1024
    heads: int = 16
    ffn: int = 4096
    vocab: int = 50265
    bottom_up: int = 8
    segment_layers: int = 2
    top_down: int = 4
    window: int = 1024
    lengths: tuple[int, ...] = (2048, 4096, 8192, 16384)
    threads: int = 2
    warm_up: int = 512
    segment_stride: int = 24
    beams: int = 4
    tokens: int = 64

    @property
    def longest(self) -> int:
        """Tokens of the longest text."""
        return max(self.lengths)


RECORD = Setting()
TINY = Setting(
    hidden=32, heads=4, ffn=64, vocab=200, bottom_up=2, segment_layers=1, top_down=1, window=16,
    lengths=(64, 128, 256, 512), warm_up=32,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What encoding one text took.

    Attributes:
        wall: Seconds by the clock.
        cpu: Seconds of all processors together.
        peak: MiB of resident memory at most.
        step: Seconds of all processors for a token that is written; 0 where none is.
        first_step: The same for the first one, with what is done once for all of them.
        fastest_step: The same for the cheapest one.
    """

    wall: float
    cpu: float
    peak: float
    step: float = 0.0
    first_step: float = 0.0
    fastest_step: float = 0.0


Measured = Mapping[tuple[str, int], Sequence[Measurement]]


def _topdown_sizes(setting: Setting) -> dict[str, Any]:
    return {
        "vocab_size": setting.vocab,
        "d_model": setting.hidden,
        "bottom_up_layers": setting.bottom_up,
        "segment_layers": setting.segment_layers,
        "top_down_layers": setting.top_down,
        "encoder_attention_heads": setting.heads,
        "encoder_ffn_dim": setting.ffn,
        "decoder_attention_heads": setting.heads,
        "decoder_ffn_dim": setting.ffn,
        "decoder_layers": setting.bottom_up + setting.top_down,
        "attention_window": setting.window,
        "max_source_positions": setting.longest,
        "dropout": 0.0,
    }


def build_encoder(setting: Setting, update: str) -> Encode:
    """Our encoder with prepared weights, in the precision that ``--dtype auto`` takes."""
    import torch

    from lsum_cli.machine.devices import best_precision
    from lsum_cli.models.blocks.precision import Preparation, release_weights
    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.modeling import TopDownEncoderModel

    encoder = TopDownEncoderModel(TopDownConfig(**_topdown_sizes(setting), update=update)).eval()
    device = torch.device("cpu")
    with torch.inference_mode():
        prepared = encoder.prepared(Preparation(best_precision(device), device, release=True))
    release_weights(encoder)

    return prepared.encode


def build_engine(setting: Setting) -> Encode:
    """The whole model, as the program runs it."""
    import torch

    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.engine import TopDownEngine
    from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration

    model = TopDownForConditionalGeneration(TopDownConfig(**_topdown_sizes(setting))).eval()
    engine = TopDownEngine.prepare(model, release=True)
    return lambda token_ids: engine.encode([token_ids], groups=[torch.arange(len(token_ids)) // SENTENCE])


def build_led(setting: Setting) -> Encode:
    """The encoder of LED-large's sizes, its first token with global attention; our precision."""
    import torch
    from transformers import LEDConfig
    from transformers.models.led.modeling_led import LEDEncoder

    from lsum_cli.machine.devices import best_precision

    layers = setting.bottom_up + setting.top_down
    config = LEDConfig(
        vocab_size=setting.vocab,
        d_model=setting.hidden,
        encoder_layers=layers,
        encoder_attention_heads=setting.heads,
        encoder_ffn_dim=setting.ffn,
        attention_window=setting.window,
        max_encoder_position_embeddings=max(setting.longest, 2 * setting.window),
        dropout=0.0,
    )
    dtype = getattr(torch, best_precision(torch.device("cpu")).value)
    encoder = LEDEncoder(config).eval().to(dtype)

    def encode(token_ids: Tensor) -> object:
        first = torch.zeros(1, len(token_ids), dtype=torch.int64)
        first[0, 0] = 1
        mask = torch.ones_like(first)
        return encoder(token_ids.unsqueeze(0), attention_mask=mask, global_attention_mask=first)

    return encode


@dataclass(frozen=True, kw_only=True)
class Contender:
    """One way to encode."""

    title: str
    build: Callable[[Setting], Encode]


CONTENDERS = {
    "topdown": Contender(title="Top-Down encoder", build=lambda s: build_encoder(s, "cross_attention")),
    "local": Contender(
        title="the same layers, local attention alone", build=lambda s: build_encoder(s, "none")
    ),
    "led": Contender(title="LED encoder of `transformers`", build=build_led),
    "engine": Contender(title="whole Top-Down engine", build=build_engine),
}


def work(name: str, setting: Setting, length: int) -> Measurement:
    """Build a contender and let it encode, within this process."""
    import torch

    torch.set_num_threads(setting.threads)
    torch.manual_seed(SEED)
    encode = CONTENDERS[name].build(setting)
    token_ids = torch.randint(FIRST_WORD, setting.vocab, (length,))
    with torch.inference_mode():
        encode(token_ids[: setting.warm_up])
        forget_peak()
        started = now()
        encoded = encode(token_ids)
        span = now() - started
        peak = read_peak()
        first, mean, fastest = _time_steps(encoded, setting) if name == "engine" else (0.0, 0.0, 0.0)
    return Measurement(
        wall=span.wall, cpu=span.cpu, peak=peak, step=mean, first_step=first, fastest_step=fastest
    )


def _time_steps(decoder: Any, setting: Setting) -> tuple[float, float, float]:
    """Processor seconds of the first step, of the others on average, and of the fastest."""
    from lsum_cli.generation.beam import beam_search
    from lsum_cli.generation.options import GenerationOptions

    watch = Stopwatch()
    watch.end_encoding()
    length = setting.tokens + 1
    options = GenerationOptions(
        beams=setting.beams, max_length=length, min_length=length, start_token_id=START, end_token_id=END
    )
    beam_search(decoder, options, progress=lambda _: watch.end_step())
    _, first, per_step = watch.stages()
    fastest = watch.fastest_step()
    assert first is not None
    assert per_step is not None
    assert fastest is not None
    return first.cpu, per_step.cpu, fastest.cpu


def decoding_of(setting: Setting, length: int) -> Decoding:
    """Top-Down's decoder as that of a PageSum with one long page."""
    return Decoding(
        hidden=setting.hidden,
        layers=setting.bottom_up + setting.top_down,
        heads=setting.heads,
        ffn=setting.ffn,
        vocab=setting.vocab,
        pages=1,
        page_len=length,
        beams=setting.beams,
        threads=setting.threads,
    )


def encoder_products(setting: Setting, length: int) -> list[Product]:
    """The matrix products of encoding a text, those of 1,024 tokens at a time."""
    hidden, dim, heads = setting.hidden, setting.hidden // setting.heads, setting.heads
    layers, segments = setting.bottom_up + setting.top_down, -(-length // setting.segment_stride)
    rows, block = min(1024, length), min(256, length)
    parts, blocks, seen = length // rows, length // block, min(setting.window + 1, length)
    # Of every token in every layer, and in the top-down layers query and output for the segments.
    tokens = Product(
        name="query, key, value", times=layers * parts, rows=rows, inputs=hidden, outputs=3 * hidden
    )
    outputs = (layers + 2 * setting.top_down) * parts
    whole = setting.segment_layers
    return [
        tokens,
        Product(name="other projections", times=outputs, rows=rows, inputs=hidden, outputs=hidden),
        Product(
            name="feed-forward, wider", times=layers * parts, rows=rows, inputs=hidden, outputs=setting.ffn
        ),
        Product(
            name="feed-forward, narrower", times=layers * parts, rows=rows, inputs=setting.ffn, outputs=hidden
        ),
        Product(
            name="scores in windows", times=layers * blocks, rows=block, inputs=dim, outputs=seen, batch=heads
        ),
        Product(
            name="weighted values", times=layers * blocks, rows=block, inputs=seen, outputs=dim, batch=heads
        ),
        Product(
            name="scores of segments",
            times=setting.top_down * blocks,
            rows=block,
            inputs=dim,
            outputs=segments,
            batch=heads,
        ),
        Product(
            name="their values",
            times=setting.top_down * blocks,
            rows=block,
            inputs=segments,
            outputs=dim,
            batch=heads,
        ),
        Product(
            name="segments, linear layers",
            times=whole,
            rows=segments,
            inputs=hidden,
            outputs=4 * hidden + 2 * setting.ffn,
        ),
    ]


def ask(name: str, setting: Setting, length: int) -> Measurement:
    """Let a contender work in a process of its own."""
    print(f"{name}, {length} tokens …", file=sys.stderr, flush=True)
    threads = {
        "OMP_NUM_THREADS": str(setting.threads),
        "TRANSFORMERS_VERBOSITY": "error",
        "HF_HUB_OFFLINE": "1",
    }
    with tempfile.NamedTemporaryFile("r", suffix=".json") as answer:
        arguments = ["--work", name, str(length), json.dumps(asdict(setting)), answer.name]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.topdown", *arguments],
            cwd=REPOSITORY,
            env=ASLEEP | os.environ | threads,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{name} failed: {done.stderr[-2000:]}")
        return Measurement(**json.load(answer))


def run(setting: Setting, names: Sequence[str], rounds: int) -> Measured:
    """Measure every contender at every length, by turns; LED and the engine at the longer ones."""
    measured: dict[tuple[str, int], list[Measurement]] = {}
    for _ in range(rounds):
        for length in setting.lengths:
            for name in names:
                if name in ("topdown", "local") or length in setting.lengths[-2:]:
                    measured.setdefault((name, length), []).append(ask(name, setting, length))
    return measured


def render(setting: Setting, measured: Measured, rounds: int) -> str:
    """Write the tables in Markdown."""
    rows = {key: _median(values) for key, values in measured.items()}
    lines = [
        f"{setting.bottom_up} + {setting.top_down} layers, {setting.segment_layers} segment layers, hidden "
        f"{setting.hidden}, {setting.heads} heads, inner {setting.ffn}, windows of {setting.window}; "
        f"random weights; {_dtype()}, {setting.threads} threads, {rounds} round(s).\n{describe_machine()}.",
        "",
        "| contender | tokens | s | CPU s | CPU ms a token | peak MiB |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for (name, length), row in sorted(
        rows.items(), key=lambda item: (list(CONTENDERS).index(item[0][0]), item[0][1])
    ):
        lines.append(
            f"| {CONTENDERS[name].title} | {length:,} | {row.wall:.2f} | {row.cpu:.2f} "
            f"| {1000 * row.cpu / length:.3f} | {row.peak:,.0f} |"
        )
    lines += ["", *_floors(setting, rows)]
    lines += ["", "| to be reached | at most | measured | |", "|---|---:|---:|---|"]
    for title, limit, value in targets(setting, rows):
        lines.append(f"| {title} | {limit:g} | {value:.2f} | {'yes' if value <= limit else '**no**'} |")
    return "\n".join(lines)


def _floors(setting: Setting, rows: Mapping[tuple[str, int], Measurement]) -> list[str]:
    """Encoding and a step of the longest text, each beside its floor."""
    import torch

    torch.set_num_threads(setting.threads)
    length, lines = setting.longest, []
    if ("topdown", length) in rows:
        products = encoder_products(setting, length)
        spans = [measure_product(product) for product in products]
        floor, taken = sum(span.cpu for span in spans), rows["topdown", length].cpu
        lines += [
            product_table(products, spans, f"encoding {length:,} tokens"),
            "",
            f"Encoding is bound by products: at least {floor:.1f} CPU s. It takes {taken:.1f}, "
            f"{taken / floor:.2f} times as much.",
            "",
        ]
    if ("engine", length) in rows:
        row, decoding = rows["engine", length], decoding_of(setting, length)
        products = step_products(decoding)
        spans = [measure_product(product) for product in products]
        num_bytes = floor_of(decoding).step_bytes
        lines += [
            product_table(products, spans, f"a step, {length:,} tokens read, {setting.beams} beams"),
            "",
            floor_of_step(spans, num_bytes, time_reading().cpu, row.step, row.fastest_step),
            f"The first step, which packs keys and values for the others, takes {1000 * row.first_step:.0f}.",
        ]
    return lines


def targets(setting: Setting, rows: Mapping[tuple[str, int], Measurement]) -> list[tuple[str, float, float]]:
    """What was to be reached: title, limit, measured; times are those of the processors."""
    found: list[tuple[str, float, float]] = []
    base, half, longest = setting.lengths[-3:]

    def compare(title: str, limit: float, a: tuple[str, int], b: tuple[str, int], attribute: str) -> None:
        if a in rows and b in rows:
            found.append((title, limit, getattr(rows[a], attribute) / getattr(rows[b], attribute)))

    if ("topdown", longest) in rows and ("topdown", base) in rows:
        by_token = [rows["topdown", length].cpu / length for length in (longest, base)]
        found.append((f"time per token: {longest:,} tokens ÷ {base:,}", 1.2, by_token[0] / by_token[1]))
    for length in setting.lengths:
        title = f"time ÷ local attention alone, {length:,} tokens"
        compare(title, 1.35, ("topdown", length), ("local", length), "cpu")
    for length in (half, longest):
        compare(f"time ÷ LED, {length:,} tokens", 1.0, ("topdown", length), ("led", length), "cpu")
        compare(f"memory ÷ LED, {length:,} tokens", 1.0, ("topdown", length), ("led", length), "peak")
    if ("topdown", longest) in rows:
        found.append((f"GB for {longest:,} tokens", 4.0, rows["topdown", longest].peak * MIB / 1e9))
    return found


def _median(values: Sequence[Measurement]) -> Measurement:
    return Measurement(
        wall=statistics.median(value.wall for value in values),
        cpu=statistics.median(value.cpu for value in values),
        peak=statistics.median(value.peak for value in values),
        step=statistics.median(value.step for value in values),
        first_step=statistics.median(value.first_step for value in values),
        fastest_step=min(value.fastest_step for value in values),
    )


def _dtype() -> str:
    import torch

    from lsum_cli.machine.devices import best_precision

    return best_precision(torch.device("cpu")).value


def main() -> int:
    if sys.argv[1:2] == ["--work"]:
        name, length, setting, answer = sys.argv[2:]
        measurement = work(name, Setting(**json.loads(setting)), int(length))
        Path(answer).write_text(json.dumps(asdict(measurement)))
        return 0
    # For the floors, which are measured in this process.
    os.environ.update({name: value for name, value in ASLEEP.items() if name not in os.environ})
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.topdown",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--contenders", default=",".join(CONTENDERS), help="some of %(default)s")
    parser.add_argument("--lengths", help="tokens, at least three numbers; default: 2048,4096,8192,16384")
    parser.add_argument("--rounds", type=int, default=1, help="how often each works, by turns; medians count")
    parser.add_argument("--threads", type=int, default=RECORD.threads)
    parser.add_argument("--tiny", action="store_true", help="small sizes, to see that everything runs")
    parser.add_argument("--output", type=Path, help="write the report to this file as well")
    arguments = parser.parse_args()
    setting = replace(TINY if arguments.tiny else RECORD, threads=arguments.threads)
    if arguments.lengths:
        setting = replace(setting, lengths=tuple(int(length) for length in arguments.lengths.split(",")))
    names = arguments.contenders.split(",")
    unknown = [name for name in names if name not in CONTENDERS]
    if unknown:
        raise SystemExit(f"there is no contender {', '.join(unknown)}; choose among {', '.join(CONTENDERS)}")
    report = render(setting, run(setting, names, arguments.rounds), arguments.rounds)
    print(report)
    if arguments.output:
        command = " ".join(["python -m benchmarks.topdown", *sys.argv[1:]])
        arguments.output.write_text(f"Made with `{command}`.\n\n{report}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
