"""The claim of the Top-Down Transformer, verified by training: ``python -m benchmarks.claims.topdown``.

On documents whose late passages depend on what was said long before, beyond the reach of stacked windows,
a small Top-Down encoder trained from scratch answers at least 95 % of the questions correctly; the same
encoder with ``update: none`` guesses. Its answers are one decision per ship that the end of a document asks
for, made from the encoded token of that ship.
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
from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.claims.descent import descend
from benchmarks.claims.lost_ships import PAD, TOKEN_IDS, WEATHER_TOKENS, HarbourBook, make_book
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.pretrained_bart import IGNORED_LABEL
from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.engine import TaggerEngine
from lsum_cli.models.topdown.modeling import TopDownForTokenClassification

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
    """The share of right answers on held-out documents of one size."""

    update: str
    ships: int
    gap: int
    tokens: int
    questions: int
    right: float


def make_config(update: str, **others: Any) -> TopDownConfig:
    """Two bottom-up layers, one segment layer, one top-down layer, 64 dimensions."""
    sizes: dict[str, Any] = {
        "vocab_size": len(TOKEN_IDS),
        "d_model": 64,
        "bottom_up_layers": BOTTOM_UP,
        "segment_layers": 1,
        "top_down_layers": TOP_DOWN,
        "attention_window": WINDOW,
        "kernel": 8,
        "stride": 6,
        "encoder_ffn_dim": 128,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "max_source_positions": 256,
        "dropout": 0.0,
        "init_std": 0.05,
    }
    return TopDownConfig(update=update, **(sizes | others))


def make_model(update: str, seed: int) -> TopDownForTokenClassification:
    """The encoder with a linear classifier on its tokens, random weights."""
    torch.manual_seed(seed)
    return TopDownForTokenClassification(make_config(update))


def train(model: TopDownForTokenClassification, training: Training) -> float:
    """Train on documents that are never the same; return the mean loss of the last hundred steps."""
    return descend(
        model,
        make_batches(training),
        steps=training.steps,
        learning_rate=training.learning_rate,
        warmup=training.warmup,
        name=f"{model.config.update}, ",
    )


def make_batches(training: Training) -> Iterator[dict[str, Tensor]]:
    """A batch for each step, from few ships to many."""
    return map(make_batch, make_books(training))


def make_books(training: Training, *, asks_first: bool = False) -> Iterator[list[HarbourBook]]:
    """The documents of each batch."""
    chance = random.Random(training.seed)
    for step in range(training.steps):
        easiness = min(1.0, step / (training.easy_share * training.steps))
        ships = chance.randint(2, 2 + round(easiness * (MOST_SHIPS - 2)))
        gap = chance.randint(LEAST_GAP, MOST_GAP)
        yield [make_book(chance, ships=ships, gap=gap, asks_first=asks_first) for _ in range(training.batch)]


def make_batch(books: Sequence[HarbourBook]) -> dict[str, Tensor]:
    """Inputs and labels, (batch, source_len)."""
    token_ids = [torch.tensor(book.token_ids) for book in books]
    input_ids = torch.nn.utils.rnn.pad_sequence(token_ids, batch_first=True, padding_value=PAD)
    labels = torch.full_like(input_ids, IGNORED_LABEL)
    for row, book in enumerate(books):
        for place, is_lost in book.answers.items():
            labels[row, place + 1] = int(is_lost)
    return {"input_ids": input_ids, "attention_mask": (input_ids != PAD).long(), "labels": labels}


def measure(model: TopDownForTokenClassification, books: Sequence[HarbourBook], gap: int) -> Outcome:
    """Compare the answers of the program's own engine with what is right."""
    scores = TaggerEngine.prepare(model, Precision.FLOAT32).score(
        [torch.tensor(book.token_ids) for book in books]
    )
    right = [
        bool(score[place + 1] > 0.5) == is_lost
        for book, score in zip(books, scores, strict=True)
        for place, is_lost in book.answers.items()
    ]
    return Outcome(
        update=model.config.update,
        ships=len(books[0].answers),
        gap=gap,
        tokens=len(books[0].token_ids),
        questions=len(right),
        right=float(np.mean(right)),
    )


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
    outcomes, seconds = [], {}
    for update in ("cross_attention", "none"):
        model = make_model(update, training.seed)
        started = time.process_time()
        train(model, training)
        seconds[update] = round(time.process_time() - started, 1)
        chance = random.Random(f"held out {training.seed}")
        for ships, gap, documents in HELD_OUT:
            books = [make_book(chance, ships=ships, gap=gap) for _ in range(documents)]
            outcomes.append(measure(model, books, gap))
    print(f"{training.steps} steps; local attention reaches {REACH} tokens; CPU seconds {seconds}\n")
    print("| update | ships | tokens | questions | correct |\n|---|---:|---:|---:|---:|")
    for each in outcomes:
        print(f"| `{each.update}` | {each.ships} | {each.tokens} | {each.questions} | {each.right:.1%} |")
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
