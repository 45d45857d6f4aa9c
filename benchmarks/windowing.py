"""Speed of windowing on a book: ``python -m benchmarks.windowing [BOOK...] [--words 1000000]``.

A model of the paper's sizes with random weights (50,000 words, 300 dimensions, hidden 256) reads each
text through the method of ``lsum summarize``. Random weights never shift the window by themselves, so it is
shifted after ``--written`` words per window. The paper's training texts have 5 words of summary per
hundred words of text, which is 20 words per stride of 380. The vocabulary is that of the text, padded with
made-up words. ``--words`` adds a text of that many words, the first book repeated. Seconds exclude
loading; peak memory is that of a separate process.

Time is given in CPU seconds: reading (the bidirectional LSTM over the text, every window once) and the
total; the rest is writing and tracing. ``--program FOLDER`` measures another copy of the program, taking
turns with this one.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.documents import Document, Paragraph, Passage, compose_document

if TYPE_CHECKING:
    from benchmarks.decoding.machine import Product

RESULTS = Path(__file__).parent / "results" / "windowing.md"
VOCABULARY = 50_000
HEADER = """# Windowing: speed and memory

`{command}`

A model of the paper's sizes (50,000 words, 300 dimensions, hidden 256; 37 MB in bfloat16) with random
weights, {beams} beams, windows of 400 words 380 apart, as many words *written* for every window as the
table says, attribution included. All after loading: tokenising, reading, writing and tracing; *reading*
is the LSTM over the text alone. Words are those between spaces; of the model's, which marks are among,
there are a fifth more. {machine}

| program | text | words | windows | written | reading, CPU s | all, CPU s | a written word, CPU ms |\
 all, s | words/CPU s | words/s | peak MiB |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""


def save_model(folder: Path, text: Path, written: int) -> None:
    """Save a checkpoint with the words of a text."""
    import torch

    from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind
    from lsum_cli.checkpoints.saving import save_checkpoint
    from lsum_cli.checkpoints.values import CheckpointMethod
    from lsum_cli.models.windowing.configuration import WindowingConfig
    from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
    from lsum_cli.models.windowing.vocabulary import count_words, make_tokenizer, most_frequent

    words = most_frequent(count_words([text.read_text(encoding="utf-8")]), size=VOCABULARY)
    words += [f"filler{number}" for number in range(VOCABULARY - 5 - len(words))]
    torch.manual_seed(0)
    config = WindowingConfig(
        vocab_size=VOCABULARY, max_window_tokens=written, summary_len=written, source_len=380
    )
    model = WindowingForConditionalGeneration(config).to(torch.bfloat16)
    save_checkpoint(
        folder,
        model,
        make_tokenizer(words),
        Manifest(
            name="random",
            method=CheckpointMethod.WINDOWING,
            origin=Origin(kind=OriginKind.TRAINING, source="random weights"),
        ),
    )


def measure(checkpoint: Path, text: Path, beams: int, program: str) -> str:
    """Summarise one text in this process; return its row of the table."""
    import lsum_cli

    written = int(checkpoint.name)
    save_model(checkpoint, text, written)
    options = lsum_cli.SummaryOptions(model=str(checkpoint), beams=beams, device="cpu")
    summarizer = lsum_cli.Summarizer(options)
    # Loads the program and the model.
    summarizer.summarize([read_text(text, first=2000)])
    document = read_text(text)
    started, cpu_started = time.perf_counter(), time.process_time()
    summary = summarizer.summarize([document])
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu_started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    words = sum(len(sentence.text.split()) for sentence in document.sentences)
    reading = measure_reading(checkpoint, document)
    each = 1000 * (cpu - reading) / (len(summary.pages) * written)
    return (
        f"| {program} | {text.stem} | {words:,} | {len(summary.pages):,} | {written}"
        f" | {reading:.2f} | {cpu:.2f} | {each:.2f} | {seconds:.2f}"
        f" | {words / cpu:,.0f} | {words / seconds:,.0f} | {peak:,.0f} |"
    )


def measure_reading(checkpoint: Path, document: Document) -> float:
    """Processor seconds of the encoder alone, over all windows."""
    import torch

    from lsum_cli.checkpoints.loading import load_folder
    from lsum_cli.machine.processor import one_thread
    from lsum_cli.models.windowing.engine import WindowingEngine
    from lsum_cli.models.windowing.vocabulary import encode_source

    loaded = load_folder(checkpoint, device="cpu")
    source = encode_source(loaded.tokenizer, [sentence.text for sentence in document.sentences])
    model: Any = loaded.model
    engine = WindowingEngine.prepare(model)
    started = time.process_time()
    with one_thread(), torch.inference_mode():
        (text,) = engine.encode([source])._texts
        for window in range(len(text.schedule.layout)):
            text.window(window)
    return time.process_time() - started


def step_products(beams: int, window: int) -> list[Product]:
    """The matrix products of writing a word, with the paper's sizes and all beams in one window."""
    from benchmarks.decoding.machine import Product

    hidden, embedding = 512, 300

    def product(name: str, inputs: int, outputs: int) -> Product:
        return Product(name=name, times=1, rows=beams, inputs=inputs, outputs=outputs, exact=True)

    return [
        product("gates of the LSTM", embedding + hidden, 4 * hidden),
        product("scores of the window", hidden, window),
        product("its states, weighted", window, hidden),
        product("layer before the vocabulary", 2 * hidden, embedding),
        product("vocabulary", embedding, VOCABULARY),
    ]


def reading_products(words: int) -> list[Product]:
    """The matrix products of reading a text in both directions, one word after the other."""
    from benchmarks.decoding.machine import Product

    hidden, embedding = 256, 300
    return [
        Product(name="words", times=2, rows=words, inputs=embedding, outputs=4 * hidden, exact=True),
        Product(name="recurrence", times=2 * words, rows=1, inputs=hidden, outputs=4 * hidden, exact=True),
    ]


def describe_floor(beams: int, taken: float) -> str:
    """What writing a word, and reading a thousand, take at least on one thread of this machine.

    Args:
        taken: Processor milliseconds that a word took to be written.
    """
    import torch

    from benchmarks.decoding.machine import measure_product, time_reading
    from benchmarks.decoding.report import floor_of_step, product_table

    torch.set_num_threads(1)
    window, read = 400, 1000
    products, to_read = step_products(beams, window), reading_products(read)
    spans, reading_spans = ([measure_product(each) for each in some] for some in (products, to_read))
    # Weights are kept in 16 bits; the window's states in 32, which two products share.
    num_bytes = 2 * sum(each.inputs * each.outputs for each in products)
    tables = [
        product_table(products, spans, "a word"),
        product_table(to_read, reading_spans, "reading 1,000"),
    ]
    said = (
        "A step writes a word; with all that belongs to it, tracing and spelling too, in the first row. "
        + floor_of_step(spans, num_bytes, time_reading().cpu, taken / 1000)
    )
    return "\n\n".join([*tables, said])


def read_text(path: Path, first: int | None = None) -> Document:
    """A text as one document of paragraphs; of a long text only the beginning."""
    text = path.read_text(encoding="utf-8")[:first]
    paragraphs = tuple(Paragraph.of(part) for part in text.split("\n\n"))
    return compose_document([Passage(paragraphs=paragraphs)], id="d0", source=str(path))


def repeat(text: Path, words: int, folder: Path) -> Path:
    """Write a text of this number of words."""
    found = text.read_text(encoding="utf-8").split("\n\n")
    path, held = folder / f"{words:,} words.txt".replace(",", " "), 0
    with path.open("w", encoding="utf-8") as file:
        while held < words:
            for paragraph in found:
                file.write(paragraph + "\n\n")
                held += len(paragraph.split())
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", type=Path, metavar="BOOK")
    parser.add_argument("--words", type=int, default=0)
    parser.add_argument("--written", type=int, nargs="+", default=[10, 20, 40])
    parser.add_argument("--beams", type=int, default=3)
    parser.add_argument("--program", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--measure", nargs=2, metavar=("CHECKPOINT", "NAME"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        checkpoint, name = arguments.measure
        print(measure(Path(checkpoint), arguments.books[0], arguments.beams, name))
        return 0
    here = Path(__file__).parent.parent
    books = arguments.books or sorted(
        (Path(os.environ.get("LSUM_SHARED", "../shared")) / "data" / "books").glob("*.txt")
    )
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        texts = [*books, *([repeat(books[0], arguments.words, folder)] if arguments.words else [])]
        programs = {"this": here, **{program.name: program for program in arguments.program}}
        for text, written, name in product(texts, arguments.written, programs):
            checkpoint = folder / name / text.stem / str(written)
            rows.append(measure_apart(programs[name], name, checkpoint, text, arguments.beams))
            print(rows[-1], flush=True)
    header = HEADER.format(
        command=" ".join(["python -m benchmarks.windowing", *sys.argv[1:]]),
        beams=arguments.beams,
        machine=f"{os.cpu_count()} processors, {os.environ.get('OMP_NUM_THREADS', 'all')} threads.",
    )
    taken = float(rows[0].split("|")[8])
    floor = describe_floor(arguments.beams, taken)
    print(floor)
    arguments.output.write_text(header + "\n".join(rows) + f"\n\n{floor}\n", encoding="utf-8")
    return 0


def measure_apart(program: Path, name: str, checkpoint: Path, text: Path, beams: int) -> str:
    """Measure a copy of the program in a process of its own, by this very script."""
    from benchmarks.decoding.machine import ASLEEP

    process = subprocess.run(
        # Without this script's folder among those that modules are looked for in.
        [sys.executable, "-P", __file__, str(text), f"--beams={beams}", "--measure", str(checkpoint), name],
        env={**ASLEEP, **os.environ, "PYTHONPATH": str(program)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return process.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
