"""The claim of the windowing models, verified by training: ``python -m benchmarks.claims.windowing``.

Documents have one fact in every window of 24 words. Three models of the same size are trained from
scratch on documents of up to 3 windows and summarise documents of 30, with the beam search of the program:

- the dynamic model goes through all windows in order and states at least 90 % of the facts,
- the fixed-input model (STAN), which reads only the first window, states at most 15 %,
- the static model ends too early, before its last window.

With ``--save DIR`` the dynamic model becomes a checkpoint for the program, with a document to try it on:

    python -m benchmarks.claims.windowing --save mill-tours
    lsum summarize mill-tours/example.txt -m ./mill-tours
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from benchmarks.claims.mill_tours import WINDOW_LEN, Tour, make_tour, tour_tokenizer
from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.models.windowing.configuration import WindowingConfig
from lsum_cli.models.windowing.engine import WindowingEngine
from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
from lsum_cli.models.windowing.vocabulary import (
    END_ID,
    PAD_ID,
    SHIFT_ID,
    START_ID,
    UNKNOWN_ID,
    encode_source,
    word_of,
)
from lsum_cli.training.settings import Recipe, TrainingSettings
from lsum_cli.training.window_shift_labels import SimilarityKind
from lsum_cli.training.windowing import ModelSettings, Windowing, WindowingObjective

FOLDER = Path(__file__).parent
MOST_WINDOWS, WINDOWS_AT_TEST = 3, (3, 10, 30)
DOCUMENTS_AT_TEST = 20
# Shares of the facts on the longest documents.
LEAST_DYNAMIC, MOST_FIXED = 0.90, 0.15
SUMMARY_WORDS = 5


@dataclass(frozen=True, kw_only=True)
class Training:
    """How a model is trained."""

    seed: int = 0
    steps: int = 800
    batch: int = 32
    learning_rate: float = 3e-3
    size: int = 48


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a model wrote for held-out documents of one length.

    Attributes:
        stated: Share of the facts that it states, word for word.
        in_order: Share of the documents whose stated facts are in the order of the text.
        visited: Share of the windows that it wrote in.
        all_visited: Share of the documents of which it went through all windows.
        ended_early: Share of the documents that it ended before its last window.
    """

    windowing: str
    windows: int
    documents: int
    stated: float
    in_order: float
    visited: float
    all_visited: float
    ended_early: float


def make_objective(windowing: Windowing, training: Training) -> WindowingObjective:
    """A model with random weights and how documents become its inputs."""
    torch.manual_seed(training.seed)
    tokenizer = tour_tokenizer()
    settings = ModelSettings(
        windowing=windowing,
        window_len=WINDOW_LEN,
        stride=WINDOW_LEN,
        similarity=SimilarityKind.ROUGE,
        embedding_size=training.size,
        hidden_size=training.size,
    )
    model = WindowingForConditionalGeneration(
        WindowingConfig(
            vocab_size=len(tokenizer),
            embedding_size=training.size,
            hidden_size=training.size,
            windowing=windowing.value,
            window_len=WINDOW_LEN,
            stride=WINDOW_LEN,
            # Eq. 3 with the longest documents of the training: 5 words per window of 24.
            summary_len=MOST_WINDOWS * SUMMARY_WORDS,
            source_len=MOST_WINDOWS * WINDOW_LEN,
            max_window_tokens=4 * SUMMARY_WORDS,
        )
    )
    recipe = Recipe(method="windowing", model=settings, training=TrainingSettings(label_smoothing_factor=0.0))
    return WindowingObjective(model=model, tokenizer=tokenizer, recipe=recipe)


def train(objective: WindowingObjective, training: Training) -> float:
    """Train on documents that are never the same; return the mean loss of the last hundred steps."""
    model, chance = objective.model, random.Random(training.seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=training.learning_rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / training.steps))
    model.train()
    losses: list[float] = []
    for step in range(training.steps):
        tours = [make_tour(chance, windows=chance.randint(1, MOST_WINDOWS)) for _ in range(training.batch)]
        features = [objective.encode_pair(tour.sentences, tour.summary) for tour in tours]
        loss = model(**objective.collate([each for each in features if each is not None])).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if (step + 1) % 200 == 0:
            print(f"step {step + 1}: loss {np.mean(losses[-100:]):.4f}", file=sys.stderr)
    model.eval()
    return float(np.mean(losses[-100:]))


def measure(objective: WindowingObjective, tours: Sequence[Tour]) -> Outcome:
    """Compare what the model writes with the facts."""
    engine = WindowingEngine.prepare(objective.model)
    stated, in_order, visited, early = [], [], [], []
    for tour in tours:
        source = encode_source(objective.tokenizer, tour.sentences)
        decoder = engine.encode([source])
        options = GenerationOptions(
            beams=3,
            max_length=decoder.max_length,
            start_token_id=START_ID,
            end_token_id=END_ID,
            banned_token_ids=(PAD_ID, UNKNOWN_ID, START_ID),
        )
        ((hypothesis,),) = beam_search(decoder, options)
        text = [t for t in hypothesis.token_ids if t not in (END_ID, SHIFT_ID)]
        written = " ".join(word_of(objective.tokenizer, source, token_id) for token_id in text)
        sentences = [f"{sentence.strip()} ." for sentence in written.split(".")]
        places = [sentences.index(fact) for fact in tour.summary if fact in sentences]
        windows = decoder.windows(0, hypothesis.token_ids)
        stated.append(len(places) / len(tour.summary))
        in_order.append(places == sorted(places))
        visited.append((windows[-1] + 1) / len(tour.summary))
        early.append(hypothesis.token_ids[-1] == END_ID and windows[-1] < len(tour.summary) - 1)
    return Outcome(
        windowing=objective.model.config.windowing,
        windows=len(tours[0].summary),
        documents=len(tours),
        stated=float(np.mean(stated)),
        in_order=float(np.mean(in_order)),
        visited=float(np.mean(visited)),
        all_visited=float(np.mean([share == 1 for share in visited])),
        ended_early=float(np.mean(early)),
    )


def holds(outcomes: Sequence[Outcome]) -> bool:
    """Whether the claim holds on the longest documents."""
    longest = {each.windowing: each for each in outcomes if each.windows == max(WINDOWS_AT_TEST)}
    dynamic, static, fixed = (longest[name] for name in ("dynamic", "static", "none"))
    return (
        dynamic.stated >= LEAST_DYNAMIC
        and dynamic.all_visited >= LEAST_DYNAMIC
        and dynamic.in_order == 1
        and fixed.stated <= MOST_FIXED
        and static.ended_early > 0.5
    )


def save(folder: Path, objective: WindowingObjective) -> None:
    """Save a checkpoint for the program, and a document to try it on."""
    save_checkpoint(folder, objective.model, objective.tokenizer, objective.manifest(folder.name))
    tour = make_tour(random.Random(7), windows=10)
    text = "\n".join(sentence.replace(" .", ".") for sentence in tour.sentences)
    (folder / "example.txt").write_text(text + "\n", encoding="utf-8")


def print_table(outcomes: Sequence[Outcome]) -> None:
    """The outcomes as a Markdown table."""
    print("| model | windows | documents | stated | in order | visited | all visited | ended early |")
    print("|---|---|---|---|---|---|---|---|")
    for each in outcomes:
        name = "STAN" if each.windowing == "none" else each.windowing
        shares = (each.stated, each.in_order, each.visited, each.all_visited, each.ended_early)
        numbers = " | ".join(f"{share:.1%}" for share in shares)
        print(f"| {name} | {each.windows} | {each.documents} | {numbers} |")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=Training.steps)
    parser.add_argument("--seed", type=int, default=Training.seed)
    parser.add_argument("--save", type=Path, metavar="DIR", help="save the dynamic model as a checkpoint")
    parser.add_argument("--record", action="store_true", help="write windowing.json beside this file")
    arguments = parser.parse_args()
    # So small matrices gain nothing from more threads.
    torch.set_num_threads(1)
    training = Training(steps=arguments.steps, seed=arguments.seed)
    outcomes: list[Outcome] = []
    losses: dict[str, float] = {}
    started = time.process_time()
    for windowing in Windowing:
        objective = make_objective(windowing, training)
        losses[windowing.value] = train(objective, training)
        chance = random.Random(f"held out {training.seed}")
        for windows in WINDOWS_AT_TEST:
            tours = [make_tour(chance, windows=windows) for _ in range(DOCUMENTS_AT_TEST)]
            outcomes.append(measure(objective, tours))
        if arguments.save and windowing is Windowing.DYNAMIC:
            save(arguments.save, objective)
    cpu_seconds = time.process_time() - started
    print(
        f"trained on 1 to {MOST_WINDOWS} windows: {training.steps} steps each, {cpu_seconds:.0f} s in all\n"
    )
    print_table(outcomes)
    is_proved = holds(outcomes)
    print(f"\nthe claim {'holds' if is_proved else 'does not hold'} on {max(WINDOWS_AT_TEST)} windows")
    if arguments.record:
        record = {
            "training": asdict(training),
            "losses": losses,
            "cpu_seconds": round(cpu_seconds, 1),
            "torch": torch.__version__,
            "held_out": [asdict(outcome) for outcome in outcomes],
        }
        (FOLDER / "windowing.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return int(not is_proved)


if __name__ == "__main__":
    sys.exit(main())
