"""Summaries written together against one by one: ``python -m benchmarks.batching [--documents 8]``.

Every method writes summaries of the same documents (the beginnings of articles of the shared corpora), all
at once and then each alone, in turns, in one process: time is that of all processors, after loading, or by
the clock with ``--device cuda``.
Except for lsum-mini the models have random weights: half of BART-base's width and the vocabulary of
lsum-mini, or the paper's sizes (windowing). They never end by themselves, so that all summaries are as long
as they may be.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.corpora import read_examples
from benchmarks.decoding.machine import ASLEEP, describe_machine
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

if TYPE_CHECKING:
    from transformers import PreTrainedModel

RESULTS = Path(__file__).parent / "results" / "batching.md"
PACKAGED = Path(__file__).parents[1] / "lsum_cli" / "checkpoints" / "packaged" / "lsum-mini"
VOCABULARY = 8000
SIZES: dict[str, Any] = {
    "d_model": 384, "decoder_layers": 6, "encoder_ffn_dim": 1536, "decoder_ffn_dim": 1536,
    "encoder_attention_heads": 6, "decoder_attention_heads": 6, "vocab_size": VOCABULARY,
    "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2,
    "forced_eos_token_id": 2,
}  # fmt: skip


def make_pagesum() -> PreTrainedModel:
    """PageSum."""
    from lsum_cli.models.pagesum.configuration import PageSumConfig
    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

    return PageSumForConditionalGeneration(
        PageSumConfig(**SIZES, encoder_layers=6, page_len=512, locality="spatial")
    )


def make_topdown() -> PreTrainedModel:
    """Top-Down."""
    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration

    return TopDownForConditionalGeneration(
        TopDownConfig(
            **SIZES,
            bottom_up_layers=4,
            segment_layers=2,
            top_down_layers=2,
            attention_window=512,
            max_source_positions=4096,
            max_position_embeddings=512,
        )
    )


def make_seq2seq() -> PreTrainedModel:
    """BART, decoded by ``generate``."""
    from transformers import BartConfig, BartForConditionalGeneration

    return BartForConditionalGeneration(BartConfig(**SIZES, encoder_layers=6, max_position_embeddings=1024))


MODELS: dict[str, Callable[[], PreTrainedModel]] = {
    "pagesum": make_pagesum,
    "topdown": make_topdown,
    "seq2seq": make_seq2seq,
}


def save_model(folder: Path, make: Callable[[], PreTrainedModel]) -> Path:
    """Save a model with random weights and lsum-mini's tokenizer."""
    import torch

    torch.manual_seed(0)
    model = make()
    model.generation_config.forced_bos_token_id = 0
    with torch.no_grad():
        model.final_logits_bias[0, 2] = -100  # never ends by itself
    model.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(PACKAGED / name, folder / name)
    return folder


def save_windowing(folder: Path, documents: Sequence[Document]) -> Path:
    """Save a windowing model of the paper's sizes."""
    from benchmarks.windowing import save_model as save

    folder.parent.mkdir(exist_ok=True)
    text = folder.with_suffix(".txt")
    text.write_text("\n".join(document.text for document in documents), encoding="utf-8")
    save(folder, text, written=20)
    return folder


def read_documents(count: int, words: int) -> list[Document]:
    """The first words of articles."""
    documents = []
    for number, example in enumerate(read_examples("pmc", "valid", limit=count)):
        text = " ".join(example.documents[0].text.split()[:words])
        passage = Passage(paragraphs=(Paragraph.of(text),))
        documents.append(compose_document([passage], id=f"d{number}", source=example.id, language="en"))
    return documents


def measure(
    summarizer: Summarizer, documents: Sequence[Document], rounds: int, batch_tokens: int | None
) -> tuple[float, float, int]:
    """Seconds one by one and together, medians, and the words that were written."""
    now = time.process_time if summarizer.options.device == "cpu" else time.perf_counter
    alone, together, words = [], [], 0
    for number in range(rounds + 1):
        started = now()
        for document in documents:
            summarizer.summarize([document])
        middle = now()
        summaries = summarizer.summarize_batch([[document] for document in documents], batch_tokens)
        assert summaries is not None
        if number:  # after a round to warm up
            alone.append(middle - started)
            together.append(now() - middle)
            words = sum(len(summary.text.split()) for summary in summaries)
    return statistics.median(alone), statistics.median(together), words


def main() -> int:
    """Measure every method and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=8)
    parser.add_argument("--words", type=int, default=600, help="of each document")
    parser.add_argument("--tokens", type=int, default=60, help="of each summary")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--methods", nargs="*", default=["lsum-mini", *MODELS, "windowing"])
    parser.add_argument("--device", default="cpu", help="elsewhere time is by the clock")
    parser.add_argument("--batch-tokens", type=int, help="by default what suits method and device")
    parser.add_argument("--output", type=Path, nargs="?", const=RESULTS)
    wanted = parser.parse_args()
    os.environ.update({name: value for name, value in ASLEEP.items() if name not in os.environ})
    documents = read_documents(wanted.documents, wanted.words)
    second = "CPU s" if wanted.device == "cpu" else "s"
    lines = [
        f"Made with `{' '.join(['python -m benchmarks.batching', *sys.argv[1:]])}`. {describe_machine()}.",
        "",
        f"| method | documents | words written | one by one, {second} | together, {second} | times as fast |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as place:
        for name in wanted.methods:
            options = SummaryOptions(model=name, max_tokens=wanted.tokens, device=wanted.device, offline=True)
            if name == "windowing":
                folder = save_windowing(Path(place) / name, documents)
                options = SummaryOptions(
                    model=str(folder), windowing="static", device=wanted.device, offline=True
                )
            elif name in MODELS:
                folder = save_model(Path(place) / name, MODELS[name])
                # Summaries of parts are joined: summarised again, they would have a length of their own.
                parts = None if name == "pagesum" else "join"
                options = replace(options, model=str(folder), parts=parts)
            summarizer = Summarizer(options)
            alone, together, words = measure(summarizer, documents, wanted.rounds, wanted.batch_tokens)
            figures = f"{alone:.2f} | {together:.2f} | {alone / together:.2f}"
            lines.append(f"| {name} | {len(documents)} | {words} | {figures} |")
            print(lines[-1], flush=True)
    if wanted.output:
        wanted.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
