"""The Top-Down claim on generated summaries: ``python -m benchmarks.claims.topdown_summaries``.

The task of :mod:`benchmarks.claims.topdown`, with the questions at the beginning and the log at the end; the
answers are sentences that the program's own beam search writes, "lost Tern. safe Heron.", in the order of the
questions. The answer precedes the name, and the decoder has one layer: it can look a token of the document
up, but not first which ship the next question is about and then what became of it. That must stand at the
question, and only the top-down update brings it there. With it, at least 95 % of the answers are right; with
``update: none`` and as many parameters at most 75 % are; guessing gives 50 %.

Every model is trained in two stages: the encoder with one decision for each question, as in that claim; then
the encoder stays as it is, and a decoder learns to write from what it encodes. Without the update there is
nothing to learn from decisions, and an encoder trained by them forgets even the names; so there is a third
model, without the update, whose encoder stays as it was drawn at random.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from benchmarks.claims import topdown
from benchmarks.claims.descent import descend
from benchmarks.claims.importance import spread
from benchmarks.claims.lost_ships import BOS, EOS, PAD, TOKEN_IDS, HarbourBook, make_book
from benchmarks.claims.topdown import (
    HELD_OUT,
    LEAST_GAP,
    LIMIT,
    MOST_GAP,
    MOST_SHIPS,
    REACH,
    Training,
)
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.pretrained_bart import IGNORED_LABEL
from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.engine import TopDownEngine
from lsum_cli.models.topdown.modeling import (
    TopDownForConditionalGeneration,
    TopDownForTokenClassification,
)

FOLDER = Path(__file__).parent
# Without segments the feed-forward layers are wider, so that both encoders have as many parameters.
ENCODER_FFN = {"cross_attention": 128, "none": 256}
# An answer, a name and a full stop.
SENTENCE = 3
DECISIONS = Training(steps=500)
SUMMARIES = Training(steps=2200, learning_rate=3e-3, warmup=50)
# Encoded once, since the encoder does not change; the decoder reads them several times.
BATCHES = 150
MOST_ASKED = 4
# More than guessing: a decoder that reads names and fates can combine a few by itself.
WITHOUT = 0.75

# The update, and whether the encoder learns from decisions.
ARMS = (("cross_attention", True), ("none", True), ("none", False))

Batch = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the summaries of held-out documents of one size say.

    Attributes:
        decided: Whether the encoder was trained by decisions.
        right: Share of the questions answered rightly: the sentence in the question's place is the
            right one.
        named: Share of the sentences in their places that have the right name.
        exact: Share of the summaries that are right to the last token.
    """

    update: str
    decided: bool
    seed: int
    ships: int
    gap: int
    tokens: int
    questions: int
    right: float
    named: float
    exact: float


def make_config(update: str) -> TopDownConfig:
    """The encoder of the claim by decisions, and a decoder of one layer."""
    return topdown.make_config(
        update,
        encoder_ffn_dim=ENCODER_FFN[update],
        decoder_layers=1,
        decoder_ffn_dim=128,
        max_position_embeddings=64,
        forced_eos_token_id=None,
        # The encoder's embeddings stay as they are; the decoder learns its own.
        tie_word_embeddings=False,
    )


def make_encoder(update: str, seed: int) -> TopDownForTokenClassification:
    """An encoder with a linear classifier, random weights."""
    torch.manual_seed(seed)
    return TopDownForTokenClassification(make_config(update)).eval()


def train_encoder(update: str, training: Training) -> TopDownForTokenClassification:
    """Train an encoder to decide at the questions."""
    model = make_encoder(update, training.seed)
    descend(
        model,
        map(topdown.make_batch, topdown.make_books(training, asks_first=True)),
        steps=training.steps,
        learning_rate=training.learning_rate,
        warmup=training.warmup,
        name=f"{update}, decisions, ",
    )
    return model


def make_summariser(decider: TopDownForTokenClassification, seed: int) -> TopDownForConditionalGeneration:
    """A copy of the encoder, with a new decoder."""
    torch.manual_seed(seed)
    model = TopDownForConditionalGeneration(decider.config)
    model.model.encoder.load_state_dict(decider.encoder.state_dict())
    return model


def train_summariser(
    decider: TopDownForTokenClassification, training: Training
) -> TopDownForConditionalGeneration:
    """Train a new decoder to write summaries from an encoder that stays as it is."""
    model = make_summariser(decider, training.seed)
    model.model.encoder.requires_grad_(False)
    descend(
        model,
        rehearse([encode(model, books) for books in make_books(training)], training),
        steps=training.steps,
        learning_rate=training.learning_rate,
        warmup=training.warmup,
        name=f"{model.config.update}, summaries, ",
    )
    return model


def make_books(training: Training) -> Iterator[list[HarbourBook]]:
    """The documents of the batches, of one question to four."""
    chance = random.Random(training.seed)
    for number in range(BATCHES):
        easiness = min(1.0, number / (training.easy_share * BATCHES))
        asked = 1 + round(easiness * (MOST_ASKED - 1))
        ships = chance.randint(max(2, asked), MOST_SHIPS)
        gap = chance.randint(LEAST_GAP, MOST_GAP)
        yield [
            make_book(chance, ships=ships, gap=gap, asked=asked, asks_first=True)
            for _ in range(training.batch)
        ]


@torch.no_grad()
def encode(model: TopDownForConditionalGeneration, books: Sequence[HarbourBook]) -> Batch:
    """What the decoder is trained with: states (batch, source_len, hidden), mask and summaries."""
    batch = make_batch(books)
    states = model.model.encoder(batch["input_ids"], batch["attention_mask"]).last_hidden_state
    return {
        "encoder_outputs": (states,),
        "attention_mask": batch["attention_mask"],
        "labels": batch["labels"],
    }


def rehearse(batches: Sequence[Batch], training: Training) -> Iterator[Batch]:
    """A batch for each step: those of few questions in their order, then the others at random."""
    chance = random.Random(training.seed)
    easy_steps = round(training.easy_share * training.steps)
    easy = round(training.easy_share * len(batches))
    for step in range(training.steps):
        number = step * easy // easy_steps if step < easy_steps else chance.randrange(easy, len(batches))
        yield batches[number]


def make_batch(books: Sequence[HarbourBook]) -> dict[str, Tensor]:
    """Inputs (batch, source_len), their mask, and summaries with an end token, (batch, target_len)."""
    summaries = [torch.tensor([*(TOKEN_IDS[word] for word in book.summary), EOS]) for book in books]
    return topdown.make_batch(books) | {
        "labels": pad_sequence(summaries, batch_first=True, padding_value=IGNORED_LABEL)
    }


def measure(
    model: TopDownForConditionalGeneration,
    books: Sequence[HarbourBook],
    *,
    decided: bool,
    seed: int,
    ships: int,
    gap: int,
) -> Outcome:
    """Compare the summaries that the program's own engine and beam search write with what is right."""
    engine = TopDownEngine.prepare(model, Precision.FLOAT32)
    options = GenerationOptions(
        beams=4,
        max_length=2 + SENTENCE * MOST_ASKED,
        start_token_id=EOS,
        end_token_id=EOS,
        banned_token_ids=(BOS, PAD),
    )
    decoder = engine.encode([torch.tensor(book.token_ids) for book in books])
    right, named, exact = [], [], []
    for book, found in zip(books, beam_search(decoder, options), strict=True):
        wanted = [*(TOKEN_IDS[word] for word in book.summary), EOS]
        written = list(found[0].token_ids)
        exact.append(written == wanted)
        for start in range(0, len(wanted) - 1, SENTENCE):
            sentence = slice(start, start + SENTENCE)
            right.append(written[sentence] == wanted[sentence])
            named.append(written[sentence][1:2] == wanted[sentence][1:2])
    return Outcome(
        update=model.config.update,
        decided=decided,
        seed=seed,
        ships=ships,
        gap=gap,
        tokens=len(books[0].token_ids),
        questions=len(right),
        right=float(np.mean(right)),
        named=float(np.mean(named)),
        exact=float(np.mean(exact)),
    )


def judge(update: str, decided: bool, seed: int, steps: int) -> tuple[list[Outcome], float]:
    """Train a model and measure it on held-out documents of every size; also the CPU seconds of training."""
    started = time.process_time()
    encoder = train_encoder(update, replace(DECISIONS, seed=seed)) if decided else make_encoder(update, seed)
    model = train_summariser(encoder, replace(SUMMARIES, seed=seed, steps=steps))
    seconds = round(time.process_time() - started, 1)
    chance = random.Random(f"held out {seed}")
    outcomes = []
    for ships, gap, documents in HELD_OUT:
        books = [
            make_book(chance, ships=ships, gap=gap, asked=MOST_ASKED, asks_first=True)
            for _ in range(documents)
        ]
        outcomes.append(measure(model, books, decided=decided, seed=seed, ships=ships, gap=gap))
    return outcomes, seconds


def holds(outcomes: Sequence[Outcome]) -> bool:
    """Whether all with the update answer, and those without it do not, also where they know the names."""
    return all(
        (outcome.right <= WITHOUT if outcome.update == "none" else outcome.right >= LIMIT)
        and (outcome.named >= LIMIT or (outcome.update == "none" and outcome.decided))
        for outcome in outcomes
    )


def make_table(outcomes: Sequence[Outcome]) -> str:
    """The means of the seeds, with the lowest and the highest, as a Markdown table."""
    lines = [
        "| update | encoder | ships | tokens | answers right | names right | whole summaries right |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    same_size: dict[tuple[str, bool, int, int], list[Outcome]] = {}
    for outcome in outcomes:
        size = (outcome.update, outcome.decided, outcome.ships, outcome.tokens)
        same_size.setdefault(size, []).append(outcome)
    for (update, decided, ships, tokens), group in same_size.items():
        shares = [
            spread([getattr(outcome, name) for outcome in group]) for name in ("right", "named", "exact")
        ]
        encoder = "trained" if decided else "as drawn"
        lines.append(f"| `{update}` | {encoder} | {ships} | {tokens} | {' | '.join(shares)} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=SUMMARIES.steps, help="of the decoder")
    parser.add_argument("--seeds", type=int, default=3, help="models of each kind")
    parser.add_argument("--record", action="store_true", help="write topdown_summaries.json beside this file")
    arguments = parser.parse_args()
    # So small matrices gain nothing from more threads.
    torch.set_num_threads(1)
    outcomes: list[Outcome] = []
    seconds: dict[str, list[float]] = {}
    for update, decided in ARMS:
        for seed in range(arguments.seeds):
            found, took = judge(update, decided, seed, arguments.steps)
            outcomes += found
            seconds.setdefault(f"{update}{'' if decided else ', as drawn'}", []).append(took)
    parameters = {update: count_parameters(update) for update in ENCODER_FFN}
    print(f"local attention reaches {REACH} tokens; parameters {parameters}; CPU seconds {seconds}\n")
    print(make_table(outcomes))
    is_proved = holds(outcomes)
    print(
        f"\nthe claim {'holds' if is_proved else 'does not hold'} for every seed: at least {LIMIT:.0%} of the"
    )
    print(f"answers right with the top-down update, at most {WITHOUT:.0%} without, where guessing gives 50%;")
    print(f"at least {LIMIT:.0%} of the names with it, and without it of the encoder as drawn")
    if arguments.record:
        record = {
            "decisions": asdict(DECISIONS),
            "summaries": asdict(replace(SUMMARIES, steps=arguments.steps)),
            "parameters": parameters,
            "cpu_seconds": seconds,
            "torch": torch.__version__,
            "held_out": [asdict(outcome) for outcome in outcomes],
        }
        (FOLDER / "topdown_summaries.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return int(not is_proved)


def count_parameters(update: str) -> int:
    """The weights of a summariser."""
    return sum(weight.numel() for weight in TopDownForConditionalGeneration(make_config(update)).parameters())


if __name__ == "__main__":
    sys.exit(main())
