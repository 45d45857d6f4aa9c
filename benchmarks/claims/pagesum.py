"""The claim of PageSum, verified by training: ``python -m benchmarks.claims.pagesum``.

On documents in which each summary sentence can be answered from one page only, a small PageSum trained
from scratch on up to 4 pages assigns its confidence to the right page for at least 95 % of the tokens that
need it, on held-out documents of 8 and 16 pages. Evaluated is its own output, found by the beam search of
the program: a token that differs from the reference is wrong.

With ``--save DIR`` the model becomes a checkpoint for the program, with a document to try it on:

    python -m benchmarks.claims.pagesum --save market-towns
    lsum summarize market-towns/example.txt -m ./market-towns
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from benchmarks.claims.confidence_picture import draw_confidence
from benchmarks.claims.descent import descend
from benchmarks.claims.market_towns import (
    BOS,
    EOS,
    NEEDS_PAGE,
    NO_PAGE,
    PAD,
    MarketReport,
    make_report,
    make_tokenizer,
)
from lsum_cli.checkpoints.manifest import GenerationDefaults, Manifest, Origin, OriginKind
from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.hypotheses import Hypothesis
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.locality import Locality
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.pretrained_bart import IGNORED_LABEL
from lsum_cli.models.pagesum.configuration import PageSumConfig
from lsum_cli.models.pagesum.engine import PageSumEngine
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

FOLDER = Path(__file__).parent
LIMIT = 0.95
MOST_PAGES, MOST_TOWNS = 4, 12
POSITIONS, PAGE_LEN = 128, 48
LONGEST_SUMMARY = 80
# Held-out documents: pages, towns, how many.
HELD_OUT = ((4, 10, 100), (8, 12, 100), (16, 12, 100))
BATCH_AT_TEST = 10


@dataclass(frozen=True, kw_only=True)
class Training:
    """How the model is trained; short documents first."""

    seed: int = 0
    steps: int = 5000
    batch: int = 16
    learning_rate: float = 2e-3
    warmup: int = 100
    easy_share: float = 0.25
    easy_towns: int = 6


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What was measured on held-out documents of one size; shares of the tokens that need a page.

    Attributes:
        routed: Written right, with the greatest confidence for the page that tells them.
        routed_values: The same for colours and goods alone.
        confidence: Mean confidence in the right page.
        written: Written right.
        written_evenly: Written right, the text before them given, were all pages weighed alike.
        whole: Share of the documents whose summary is the reference to the last token.
    """

    pages: int
    documents: int
    tokens: int
    routed: float
    routed_values: float
    confidence: float
    written: float
    written_evenly: float
    whole: float


def make_model(tokenizer: PreTrainedTokenizerFast, seed: int) -> PageSumForConditionalGeneration:
    """A PageSum of two layers each way and 64 dimensions, with random weights."""
    torch.manual_seed(seed)
    model = PageSumForConditionalGeneration(
        PageSumConfig(
            vocab_size=len(tokenizer),
            d_model=64,
            encoder_layers=2,
            decoder_layers=2,
            encoder_ffn_dim=128,
            decoder_ffn_dim=128,
            encoder_attention_heads=4,
            decoder_attention_heads=4,
            max_position_embeddings=POSITIONS,
            page_len=PAGE_LEN,
            locality=Locality.SPATIAL.value,
            dropout=0.0,
            init_std=0.05,
            bos_token_id=BOS,
            pad_token_id=PAD,
            eos_token_id=EOS,
            decoder_start_token_id=EOS,
            forced_eos_token_id=EOS,
        )
    )
    model.generation_config.forced_bos_token_id = BOS
    return model


def train(
    model: PageSumForConditionalGeneration, tokenizer: PreTrainedTokenizerFast, training: Training
) -> float:
    """Train on documents that are never the same; return the mean loss of the last hundred steps."""
    return descend(
        model,
        make_batches(tokenizer, training),
        steps=training.steps,
        learning_rate=training.learning_rate,
        warmup=training.warmup,
    )


def make_batches(tokenizer: PreTrainedTokenizerFast, training: Training) -> Iterator[dict[str, Tensor]]:
    """A batch for each step, of few towns at first."""
    chance = random.Random(training.seed)
    for step in range(training.steps):
        is_easy = step < training.easy_share * training.steps
        pages = chance.randint(1, MOST_PAGES)
        towns = chance.randint(2, training.easy_towns if is_easy else MOST_TOWNS)
        reports = [make_report(chance, pages=pages, towns=towns) for _ in range(training.batch)]
        yield make_batch(reports, tokenizer)


def make_batch(reports: Sequence[MarketReport], tokenizer: PreTrainedTokenizerFast) -> dict[str, Tensor]:
    """Inputs (batch, pages, page_len), their mask, and labels (batch, target_len)."""
    texts = [" ".join(page) for report in reports for page in report.pages]
    source = tokenizer(texts, padding=True, return_tensors="pt")
    target = tokenizer([" ".join(report.summary) for report in reports], padding=True, return_tensors="pt")
    shape = (len(reports), len(reports[0].pages), -1)
    return {
        "input_ids": source["input_ids"].view(shape),
        "attention_mask": source["attention_mask"].view(shape),
        "labels": target["input_ids"].masked_fill(target["attention_mask"] == 0, IGNORED_LABEL),
    }


def write_summaries(
    engine: PageSumEngine, tokenizer: PreTrainedTokenizerFast, reports: Sequence[MarketReport]
) -> list[Hypothesis[NDArray[np.float32]]]:
    """The best hypothesis for each document, as the program finds it."""
    options = GenerationOptions.for_summary(
        min_tokens=0,
        max_tokens=LONGEST_SUMMARY,
        start_token_id=EOS,
        end_token_id=EOS,
        forced_first_token_id=BOS,
    )
    best: list[Hypothesis[NDArray[np.float32]]] = []
    for start in range(0, len(reports), BATCH_AT_TEST):
        documents = [
            [torch.tensor(tokenizer(" ".join(page))["input_ids"]) for page in report.pages]
            for report in reports[start : start + BATCH_AT_TEST]
        ]
        best += [found[0] for found in beam_search(engine.encode(documents), options)]
    return best


def measure(
    model: PageSumForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    reports: Sequence[MarketReport],
) -> Outcome:
    """Compare what the model writes, and where it looks, with what is right."""
    engine = PageSumEngine.prepare(model, Precision.FLOAT32)
    written, routed, values, confidence, whole = [], [], [], [], []
    for report, hypothesis in zip(reports, write_summaries(engine, tokenizer, reports), strict=True):
        reference = tokenizer(" ".join(report.summary))["input_ids"]
        whole.append(list(hypothesis.token_ids) == reference)
        assert hypothesis.trace is not None
        for place, page in enumerate(report.page_of_token, start=1):  # the first token is <s>
            if page == NO_PAGE:
                continue
            is_there = place < len(hypothesis.token_ids)
            is_right = is_there and hypothesis.token_ids[place] == reference[place]
            weights = hypothesis.trace[place] if is_there else np.zeros(len(report.pages))
            written.append(is_right)
            routed.append(is_right and int(weights.argmax()) == page)
            confidence.append(float(weights[page]))
            values.append((place - 1) % len(NEEDS_PAGE) != 0)
    is_value = np.array(values)
    return Outcome(
        pages=len(reports[0].pages),
        documents=len(reports),
        tokens=len(routed),
        routed=float(np.mean(routed)),
        routed_values=float(np.mean(np.array(routed)[is_value])),
        confidence=float(np.mean(confidence)),
        written=float(np.mean(written)),
        written_evenly=write_evenly(model, tokenizer, reports),
        whole=float(np.mean(whole)),
    )


@torch.inference_mode()
def write_evenly(
    model: PageSumForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    reports: Sequence[MarketReport],
) -> float:
    """The control: how many tokens are right, given those before, when all pages weigh the same."""
    weight = model.confidence_layer.weight
    kept = weight.clone()
    weight.zero_()
    batch = make_batch(reports, tokenizer)
    guesses = model(**batch).logits.argmax(dim=-1)
    weight.copy_(kept)
    needed = torch.zeros_like(guesses, dtype=torch.bool)
    for row, report in enumerate(reports):
        places = [place for place, page in enumerate(report.page_of_token, start=1) if page != NO_PAGE]
        needed[row, places] = True
    return float((guesses == batch["labels"])[needed].float().mean())


def draw_example(
    model: PageSumForConditionalGeneration, tokenizer: PreTrainedTokenizerFast, report: MarketReport
) -> str:
    """Figure 3 for one document; frames show which page a token needs."""
    (hypothesis,) = write_summaries(PageSumEngine.prepare(model, Precision.FLOAT32), tokenizer, [report])
    assert hypothesis.trace is not None
    tokens = [tokenizer.decode([token_id]).strip() for token_id in hypothesis.token_ids]
    needed = [None, *(None if page == NO_PAGE else page for page in report.page_of_token)]
    return draw_confidence(
        np.stack(hypothesis.trace),
        tokens,
        [f"page {number + 1}" for number in range(len(report.pages))],
        right_page=needed[: len(tokens)],
    )


def save(
    folder: Path,
    model: PageSumForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    outcome: Outcome,
) -> None:
    """Save a checkpoint for the program, and a document to try it on."""
    manifest = Manifest(
        name=folder.name,
        method=CheckpointMethod.PAGESUM,
        locality=Locality.SPATIAL,
        page_len=PAGE_LEN,
        trained_confidence=True,
        generation=GenerationDefaults(
            min_tokens=0, max_tokens=LONGEST_SUMMARY, beams=4, length_penalty=1.0, no_repeat_ngram=0
        ),
        licence="Apache-2.0",
        origin=Origin(kind=OriginKind.TRAINING, source="benchmarks.claims.pagesum"),
        metrics={"routed": outcome.routed},
    )
    save_checkpoint(folder, model, tokenizer, manifest)
    report = make_report(random.Random(7), pages=8, towns=10)
    text = "\n\n".join(" ".join(page) for page in report.pages)
    (folder / "example.txt").write_text(text + "\n", encoding="utf-8")


def print_table(outcomes: Sequence[Outcome]) -> None:
    """The outcomes as a Markdown table."""
    print("| pages | documents | tokens | routed | values | confidence | written | uniform | exact |")
    print("|---|---|---|---|---|---|---|---|---|")
    for each in outcomes:
        shares = (
            each.routed, each.routed_values, each.confidence, each.written, each.written_evenly, each.whole,
        )  # fmt: skip
        numbers = " | ".join(f"{share:.1%}" for share in shares)
        print(f"| {each.pages} | {each.documents} | {each.tokens} | {numbers} |")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=Training.steps)
    parser.add_argument("--seed", type=int, default=Training.seed)
    parser.add_argument("--save", type=Path, metavar="DIR", help="save the model as a checkpoint")
    parser.add_argument(
        "--record", action="store_true", help="write pagesum.json and pagesum.svg beside this file"
    )
    arguments = parser.parse_args()
    # So small matrices gain nothing from more threads.
    torch.set_num_threads(1)
    training = Training(steps=arguments.steps, seed=arguments.seed)
    tokenizer = make_tokenizer()
    model = make_model(tokenizer, training.seed)
    started, started_cpu = time.perf_counter(), time.process_time()
    loss = train(model, tokenizer, training)
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - started_cpu
    chance = random.Random(f"held out {training.seed}")
    outcomes = [
        measure(model, tokenizer, [make_report(chance, pages=pages, towns=towns) for _ in range(documents)])
        for pages, towns, documents in HELD_OUT
    ]
    print(
        f"trained on 1 to {MOST_PAGES} pages: {training.steps} steps, loss {loss:.3f}, {cpu_seconds:.0f} s\n"
    )
    print_table(outcomes)
    more_pages = [outcome for outcome in outcomes if outcome.pages > MOST_PAGES]
    holds = all(outcome.routed >= LIMIT for outcome in more_pages)
    print(f"\nthe claim {'holds' if holds else 'does not hold'}: at least {LIMIT:.0%} routed on more pages")
    if arguments.save:
        save(arguments.save, model, tokenizer, more_pages[0])
    if arguments.record:
        record = {
            "training": asdict(training),
            "loss": loss,
            "seconds": round(seconds, 1),
            "cpu_seconds": round(cpu_seconds, 1),
            "torch": torch.__version__,
            "held_out": [asdict(outcome) for outcome in outcomes],
        }
        (FOLDER / "pagesum.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        picture = draw_example(model, tokenizer, make_report(chance, pages=8, towns=8))
        (FOLDER / "pagesum.svg").write_text(picture, encoding="utf-8")
    return int(not holds)


if __name__ == "__main__":
    sys.exit(main())
