"""The claim of the Top-Down Transformer, verified by training: ``python -m benchmarks.claims.topdown``.

On documents whose late passages depend on what was said long before, beyond the reach of stacked windows,
a small Top-Down encoder trained from scratch answers at least 95 % of the questions correctly; the same
encoder with ``update: none`` guesses. The answers are given in two ways: as one decision per ship that the
end of a document asks for, made from the encoded token of that ship; and in a generated summary, by a
decoder of one layer, which can look up a token of the document but not combine two.
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
from torch import Tensor

from benchmarks.claims.descent import descend
from benchmarks.claims.lost_ships import BOS, EOS, PAD, TOKEN_IDS, WEATHER_TOKENS, HarbourBook, make_book
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.pretrained_bart import IGNORED_LABEL
from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.engine import TaggerEngine, TopDownEngine
from lsum_cli.models.topdown.modeling import (
    TopDownForConditionalGeneration,
    TopDownForTokenClassification,
)

FOLDER = Path(__file__).parent
LIMIT, CHANCE = 0.95, 0.60
WINDOW, BOTTOM_UP, TOP_DOWN = 16, 2, 1
# How far anything can travel by local attention: every layer carries it half a window.
REACH = (BOTTOM_UP + TOP_DOWN) * WINDOW // 2
LEAST_GAP, MOST_GAP = REACH // WEATHER_TOKENS + 1, 16
MOST_SHIPS = 8
# Held-out documents: ships, notes in the gap, how many.
HELD_OUT = ((4, LEAST_GAP, 100), (8, LEAST_GAP, 100), (8, MOST_GAP, 100))


@dataclass(frozen=True, kw_only=True)
class Training:
    """How a model is trained; few ships first."""

    seed: int = 0
    steps: int = 800
    batch: int = 32
    learning_rate: float = 1e-3
    warmup: int = 100
    easy_share: float = 0.3


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The share of right answers on held-out documents of one size.

    Attributes:
        form: ``"decision"`` or ``"summary"``.
        right: Share of the questions whose answer is right; one that a summary does not give is wrong.
        exact: Share of the documents with right answers only; a summary then has no other word either.
    """

    form: str
    update: str
    ships: int
    gap: int
    tokens: int
    questions: int
    right: float
    exact: float


def make_config(update: str) -> TopDownConfig:
    """Two bottom-up layers, one segment layer, one top-down layer, one decoder layer, 64 dimensions."""
    return TopDownConfig(
        vocab_size=len(TOKEN_IDS),
        d_model=64,
        bottom_up_layers=BOTTOM_UP,
        segment_layers=1,
        top_down_layers=TOP_DOWN,
        attention_window=WINDOW,
        kernel=8,
        stride=6,
        update=update,
        encoder_ffn_dim=128,
        encoder_attention_heads=4,
        decoder_layers=1,
        decoder_ffn_dim=128,
        decoder_attention_heads=4,
        max_source_positions=256,
        max_position_embeddings=64,
        dropout=0.0,
        init_std=0.05,
        forced_eos_token_id=None,
    )


def make_model(update: str, seed: int) -> TopDownForTokenClassification:
    """The encoder with a linear classifier on its tokens, random weights."""
    torch.manual_seed(seed)
    return TopDownForTokenClassification(make_config(update))


def make_summariser(update: str, seed: int) -> TopDownForConditionalGeneration:
    """The encoder with a decoder, random weights."""
    torch.manual_seed(seed)
    return TopDownForConditionalGeneration(make_config(update))


def train(
    model: TopDownForTokenClassification | TopDownForConditionalGeneration, training: Training
) -> float:
    """Train on documents that are never the same; return the mean loss of the last hundred steps."""
    return descend(
        model,
        make_batches(training, with_summaries=isinstance(model, TopDownForConditionalGeneration)),
        steps=training.steps,
        learning_rate=training.learning_rate,
        warmup=training.warmup,
        name=f"{model.config.update}, ",
    )


def make_batches(training: Training, *, with_summaries: bool) -> Iterator[dict[str, Tensor]]:
    """A batch for each step, from few ships to many."""
    batch = make_summary_batch if with_summaries else make_batch
    chance = random.Random(training.seed)
    for step in range(training.steps):
        easiness = min(1.0, step / (training.easy_share * training.steps))
        ships = chance.randint(2, 2 + round(easiness * (MOST_SHIPS - 2)))
        gap = chance.randint(LEAST_GAP, MOST_GAP)
        yield batch(
            [
                make_book(chance, ships=ships, gap=gap, is_numbered=with_summaries)
                for _ in range(training.batch)
            ]
        )


def make_batch(books: Sequence[HarbourBook]) -> dict[str, Tensor]:
    """Inputs and labels, (batch, source_len)."""
    token_ids = [torch.tensor(book.token_ids) for book in books]
    input_ids = torch.nn.utils.rnn.pad_sequence(token_ids, batch_first=True, padding_value=PAD)
    labels = torch.full_like(input_ids, IGNORED_LABEL)
    for row, book in enumerate(books):
        for place, is_lost in book.answers.items():
            labels[row, place + 1] = int(is_lost)
    return {"input_ids": input_ids, "attention_mask": (input_ids != PAD).long(), "labels": labels}


def make_summary_batch(books: Sequence[HarbourBook]) -> dict[str, Tensor]:
    """Inputs (batch, source_len) and summaries with an end token as labels (batch, target_len)."""
    pad = torch.nn.utils.rnn.pad_sequence
    input_ids = pad([torch.tensor(book.token_ids) for book in books], True, PAD)
    summaries = [torch.tensor([*(TOKEN_IDS[word] for word in book.summary), EOS]) for book in books]
    return {
        "input_ids": input_ids,
        "attention_mask": (input_ids != PAD).long(),
        "labels": pad(summaries, True, IGNORED_LABEL),
    }


def measure_summaries(
    model: TopDownForConditionalGeneration, books: Sequence[HarbourBook], gap: int
) -> Outcome:
    """Compare the summaries of the program's own engine and beam search with what is right."""
    engine = TopDownEngine.prepare(model, Precision.FLOAT32)
    options = GenerationOptions(
        beams=4, max_length=4 * MOST_SHIPS, start_token_id=EOS, end_token_id=EOS, banned_token_ids=(BOS, PAD)
    )
    decoder = engine.encode([torch.tensor(book.token_ids) for book in books])
    right, exact = [], []
    for book, (found,) in zip(books, beam_search(decoder, options), strict=True):
        wanted = [TOKEN_IDS[word] for word in book.summary]
        written = list(found.token_ids)
        exact.append(written == [*wanted, EOS])
        # A sentence is a number, a fate and a full stop; the number says which question it answers.
        sentences = [tuple(written[start : start + 3]) for start in range(0, len(written) - 2, 3)]
        right += [tuple(wanted[start : start + 3]) in sentences for start in range(0, len(wanted), 3)]
    return Outcome(
        form="summary",
        update=model.config.update,
        ships=len(books[0].answers),
        gap=gap,
        tokens=len(books[0].token_ids),
        questions=len(right),
        right=float(np.mean(right)),
        exact=float(np.mean(exact)),
    )


def measure(model: TopDownForTokenClassification, books: Sequence[HarbourBook], gap: int) -> Outcome:
    """Compare the answers of the program's own engine with what is right."""
    scores = TaggerEngine.prepare(model, Precision.FLOAT32).score(
        [torch.tensor(book.token_ids) for book in books]
    )
    answers = [
        [bool(score[place + 1] > 0.5) == is_lost for place, is_lost in book.answers.items()]
        for book, score in zip(books, scores, strict=True)
    ]
    right = [answer for document in answers for answer in document]
    return Outcome(
        form="decision",
        update=model.config.update,
        ships=len(books[0].answers),
        gap=gap,
        tokens=len(books[0].token_ids),
        questions=len(right),
        right=float(np.mean(right)),
        exact=float(np.mean([all(document) for document in answers])),
    )


def judge(form: str, update: str, training: Training) -> Iterator[Outcome]:
    """Train a model and measure it on held-out documents of every size."""
    is_summary = form == "summary"
    model = (make_summariser if is_summary else make_model)(update, training.seed)
    train(model, training)
    chance = random.Random(f"held out {training.seed}")
    for ships, gap, documents in HELD_OUT:
        books = [make_book(chance, ships=ships, gap=gap, is_numbered=is_summary) for _ in range(documents)]
        if isinstance(model, TopDownForConditionalGeneration):
            yield measure_summaries(model, books, gap)
        else:
            yield measure(model, books, gap)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=Training.steps)
    parser.add_argument("--seed", type=int, default=Training.seed)
    parser.add_argument("--record", action="store_true", help="write topdown.json beside this file")
    arguments = parser.parse_args()
    # So small matrices gain nothing from more threads.
    torch.set_num_threads(1)
    training = Training(steps=arguments.steps, seed=arguments.seed)
    outcomes: list[Outcome] = []
    seconds: dict[str, float] = {}
    for form in ("decision", "summary"):
        for update in ("cross_attention", "none"):
            started = time.process_time()
            outcomes += judge(form, update, training)
            seconds[f"{form}, {update}"] = round(time.process_time() - started, 1)
    print(f"{training.steps} steps; local attention reaches {REACH} tokens; CPU seconds {seconds}\n")
    print("| answers | update | ships | tokens | questions | correct | all of a document |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for each in outcomes:
        print(
            f"| {each.form} | `{each.update}` | {each.ships} | {each.tokens} | {each.questions} |"
            f" {each.right:.1%} | {each.exact:.1%} |"
        )
    holds = all(
        outcome.right <= CHANCE if outcome.update == "none" else outcome.right >= LIMIT
        for outcome in outcomes
    )
    print(
        f"\nthe claim {'holds' if holds else 'does not hold'}: at least {LIMIT:.0%} with the top-down update,"
    )
    print(f"at most {CHANCE:.0%} without, where guessing gives 50%")
    if arguments.record:
        record = {
            "training": asdict(training),
            "cpu_seconds": seconds,
            "torch": torch.__version__,
            "held_out": [asdict(outcome) for outcome in outcomes],
        }
        (FOLDER / "topdown.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return int(not holds)


if __name__ == "__main__":
    sys.exit(main())
