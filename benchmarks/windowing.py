"""How fast windowing reads a book: ``python -m benchmarks.windowing [BOOK...] [--words 1000000]``.

A model of the paper's sizes with random weights (50,000 words, 300 dimensions, hidden 256) reads each
text through the method of ``lsum summarize``. Random weights never move on by themselves: they are
moved on after ``--written`` words a window. The vocabulary is that of the texts, filled up with
made-up words. ``--words`` adds a text of that many words, the first book over and over. Seconds are
those after loading; peak memory is that of a process of its own.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lsum_cli.documents import Document
from lsum_cli.segmentation import Paragraph, Passage, compose_document

RESULTS = Path(__file__).parent / "results" / "windowing.md"
VOCABULARY = 50_000
HEADER = """# Windowing: speed and memory

`{command}`

A model of the paper's sizes (50,000 words, 300 dimensions, hidden 256; {size:.1f} MB in bfloat16) with random
weights, {beams} beams, windows of 400 words 380 apart, {written} words written for every window, attribution
included. Seconds are those after loading: tokenising, reading ahead, writing and tracing. {machine}

| text | words | windows | tokenise, s | encode, s | decode, s | CPU s | words/s | words/CPU s | peak MiB |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
"""


def save_model(folder: Path, texts: list[Path], written: int) -> float:
    """Save the checkpoint; return the size of its weights in MB."""
    import torch

    from lsum_cli.checkpoints.manifest import CheckpointMethod, Manifest, Origin, OriginKind
    from lsum_cli.checkpoints.saving import save_checkpoint
    from lsum_cli.models.windowing.configuration import WindowingConfig
    from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
    from lsum_cli.models.windowing.vocabulary import count_words, make_tokenizer, most_frequent

    counts = count_words([path.read_text(encoding="utf-8") for path in texts])
    words = most_frequent(counts, size=VOCABULARY)
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
    return (folder / "model.safetensors").stat().st_size / 1e6


def measure(checkpoint: Path, text: Path, beams: int) -> str:
    """Summarise one text in this process; return its row of the table."""
    import lsum_cli

    options = lsum_cli.SummaryOptions(model=str(checkpoint), beams=beams, device="cpu")
    summarizer = lsum_cli.Summarizer(options)
    # Loads the program and the model.
    summarizer.summarize([read_text(text, first=2000)])
    document = read_text(text)
    started, cpu_started = time.perf_counter(), time.process_time()
    summary = summarizer.summarize([document])
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu_started
    words = sum(len(sentence.text.split()) for sentence in document.sentences)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    stages = " | ".join(f"{summary.seconds[stage]:.1f}" for stage in ("paginate", "encode", "decode"))
    return (
        f"| {text.stem} | {words:,} | {len(summary.pages):,} | {stages} | {cpu:.1f} | {words / seconds:,.0f}"
        f" | {words / cpu:,.0f} | {peak:,.0f} |"
    )


def read_text(path: Path, first: int | None = None) -> Document:
    """A text as one document of paragraphs, whatever its size; of a long one only the beginning."""
    text = path.read_text(encoding="utf-8")[:first]
    paragraphs = tuple(Paragraph.of(part) for part in text.split("\n\n"))
    return compose_document([Passage(paragraphs=paragraphs)], id="d0", source=str(path))


def repeat(text: Path, words: int, folder: Path) -> Path:
    """Write a text of so many words."""
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
    parser.add_argument("--written", type=int, default=20)
    parser.add_argument("--beams", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--checkpoint", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.checkpoint:
        print(measure(arguments.checkpoint, arguments.books[0], arguments.beams))
        return 0
    books = arguments.books or sorted(
        (Path(os.environ.get("LSUM_SHARED", "../shared")) / "data" / "books").glob("*.txt")
    )
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        size = save_model(folder / "random", books, arguments.written)
        texts = [*books, *([repeat(books[0], arguments.words, folder)] if arguments.words else [])]
        rows = []
        for text in texts:
            command = [sys.executable, "-m", "benchmarks.windowing", str(text)]
            options = ["--checkpoint", str(folder / "random"), "--beams", str(arguments.beams)]
            process = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=True)
            rows.append(process.stdout.strip())
            print(rows[-1], flush=True)
    header = HEADER.format(
        command=" ".join(["python -m benchmarks.windowing", *sys.argv[1:]]),
        size=size,
        beams=arguments.beams,
        written=arguments.written,
        machine=f"{os.cpu_count()} processors, {os.environ.get('OMP_NUM_THREADS', 'all')} threads.",
    )
    arguments.output.write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
