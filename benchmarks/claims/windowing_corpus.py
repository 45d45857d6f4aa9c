"""Windows against only the beginning, on a real corpus: ``python -m benchmarks.claims.windowing_corpus``.

Three models of the same size and window are trained from scratch, in about the same CPU time each, on a
corpus whose content is spread evenly: the fixed-input model (STAN), which reads the first window, the static
and the dynamic one. The latter two should beat STAN in ROUGE-1 and ROUGE-Lsum on held-out documents.

All three learn to copy: their targets are the sentences of a document that together are closest to its
abstract. ``--references`` trains STAN on the abstracts themselves, to check whether that would have served
it better.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch

from benchmarks.claims.chosen_sentences import Pair, choose, shorten
from benchmarks.corpora import read_examples
from lsum_cli.datasets.example import Example
from lsum_cli.evaluation.bootstrap import compare_means
from lsum_cli.evaluation.metrics.rouge import RougeScorer
from lsum_cli.evaluation.options import RougeSettings, Tokenizer
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.models.windowing.engine import WindowingEngine
from lsum_cli.models.windowing.vocabulary import (
    END_ID,
    PAD_ID,
    SHIFT_ID,
    START_ID,
    UNKNOWN_ID,
    encode_source,
    word_of,
)
from lsum_cli.models.windowing.windows import WindowRules
from lsum_cli.text.sentences import split_sentences
from lsum_cli.training.objectives import Features
from lsum_cli.training.settings import Recipe, TrainingSettings
from lsum_cli.training.windowing import (
    ModelSettings,
    Windowing,
    WindowingObjective,
    build_objective,
    source_sentences,
)

FOLDER = Path(__file__).parent
ROUGE_METRICS = ("rouge1", "rouge2", "rougeLsum")
DOCUMENTS_AT_ONCE = 10
# In percent of the references' mean length.
SHORTEST, LONGEST = 95, 105


@dataclass(frozen=True, kw_only=True)
class Training:
    """How each model is trained, and on what.

    Attributes:
        documents: Number of documents of the training split, from its beginning.
        stretches: Of how many stretches, each about a window long, the texts are that the windowing
            models are trained on. Held-out texts are as long as they are.
        passes: Other stretches of the same document, for the windowing models.
        first, held_out: From which document of the validation split on, and how many, are summarised.
            Settings were chosen on the first forty.
        references: Whether the fixed-input model learns to write the abstracts themselves.
        steps: Of each model's training: as many as it took in 150 s of one core. Were the time itself
            the limit, every run would train the models differently.
        vocabulary: Words at most. A small one leaves most names and terms to be copied.
    """

    corpus: str = "sumpubmed"
    documents: int = 1000
    stretches: int = 6
    passes: int = 3
    first: int = 40
    held_out: int = 100
    references: bool = False
    seed: int = 0
    steps: Mapping[str, int] = field(default_factory=lambda: {"dynamic": 1134, "static": 882, "none": 1095})
    batch: int = 8
    learning_rate: float = 4e-3
    size: int = 64
    vocabulary: int = 2000
    window_len: int = 100
    stride: int = 90


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a model reached; ROUGE in percent.

    Attributes:
        steps: Optimizer steps, and ``cpu_seconds``, the time they took.
        words: Mean length of what it wrote.
        visited: Share of the windows it wrote in; the whole text is several windows for STAN too.
    """

    windowing: str
    steps: int
    cpu_seconds: float
    loss: float
    words: float
    visited: float
    rouge1: float
    rouge2: float
    rougeLsum: float  # noqa: N815 - the measure's name


def train(
    objective: WindowingObjective, features: Sequence[Features], training: Training
) -> tuple[float, float]:
    """Train; return the CPU seconds that it took, and the mean loss of the last twenty steps."""
    model, chance = objective.model, random.Random(training.seed)
    by_length = sorted(features, key=lambda each: len(each["input_ids"]))
    batches = [by_length[i : i + training.batch] for i in range(0, len(by_length), training.batch)]
    optimizer = torch.optim.Adam(model.parameters(), lr=training.learning_rate)
    model.train()
    losses: list[float] = []
    steps = training.steps[model.config.windowing]
    started = time.process_time()
    for step in range(steps):
        if step % len(batches) == 0:
            chance.shuffle(batches)
        for group in optimizer.param_groups:
            group["lr"] = training.learning_rate * min((step + 1) / 20, max(0.05, 1 - step / steps))
        loss = model(**objective.collate(batches[step % len(batches)])).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        losses.append(loss.item())
        if len(losses) % 20 == 0:
            line = f"step {len(losses)} of {steps}: loss {np.mean(losses[-20:]):.3f}"
            print(f"{model.config.windowing}, {line}", file=sys.stderr)
    model.eval()
    return time.process_time() - started, float(np.mean(losses[-20:]))


def write(
    objective: WindowingObjective, texts: Sequence[Sequence[str]], length: int
) -> list[tuple[str, float]]:
    """Summaries, a sentence a line, and the share of the text's windows that each was written in.

    All of them are near the same length.
    """
    engine, config = WindowingEngine.prepare(objective.model), objective.model.config
    longest = LONGEST * length // 100
    rules = WindowRules(
        summary_tokens=length,
        max_window_tokens=longest,
        min_words=SHORTEST * length // 100,
        max_words=longest,
    )
    sources = [encode_source(objective.tokenizer, text) for text in texts]
    order = sorted(range(len(texts)), key=lambda place: len(sources[place]))
    written: list[tuple[str, float]] = [("", 0.0)] * len(texts)
    for start in range(0, len(order), DOCUMENTS_AT_ONCE):
        places = order[start : start + DOCUMENTS_AT_ONCE]
        decoder = engine.encode([sources[place] for place in places], rules)
        options = GenerationOptions(
            beams=3,
            max_length=decoder.max_length,
            start_token_id=START_ID,
            end_token_id=END_ID,
            banned_token_ids=(PAD_ID, UNKNOWN_ID, START_ID),
            no_repeat_ngram=3,
            ngram_exempt_token_ids=(SHIFT_ID,),
        )
        for number, (place, found) in enumerate(zip(places, beam_search(decoder, options), strict=True)):
            source, token_ids = sources[place], found[0].token_ids
            words = [
                word_of(objective.tokenizer, source, token_id)
                for token_id in token_ids
                if token_id not in (END_ID, SHIFT_ID)
            ]
            windows = 1 + max(0, -(-(len(source) - config.window_len) // config.stride))
            pairs = zip(token_ids, decoder.windows(number, token_ids), strict=True)
            visited = (
                len({window for token_id, window in pairs if token_id not in (END_ID, SHIFT_ID)}) / windows
            )
            written[place] = " ".join(words).replace(" . ", " .\n"), visited
    return written


def read_corpus(training: Training) -> tuple[list[Example], list[Example]]:
    """Training documents and held-out ones."""
    pairs = list(read_examples(training.corpus, "train", limit=training.documents))
    last = training.first + training.held_out
    return pairs, list(read_examples(training.corpus, "valid", limit=last))[training.first :]


def encode(objective: WindowingObjective, pairs: Sequence[Pair], training: Training) -> list[Features]:
    """What a model learns from.

    The fixed-input model is given all that is chosen of a whole document, of which it reads the first
    window; the windowing models parts of documents, so that many can be read. A static model has to write for
    every window: it learns from parts with something to say in each.
    """
    chance, windowing = random.Random(training.seed), objective.model.config.windowing
    parts: list[tuple[Sequence[str], Sequence[str]] | None] = []
    if windowing == Windowing.NONE:
        for pair in pairs:
            chosen = [pair.sentences[number] for number in pair.chosen]
            parts.append((pair.sentences, pair.reference if training.references else chosen))
    else:
        evenly = windowing == Windowing.STATIC
        parts += [
            shorten(
                pair,
                chance,
                stretches=training.stretches,
                window_len=training.window_len,
                evenly=evenly,
            )
            for _ in range(training.passes)
            for pair in pairs
        ]
    encoded = [objective.encode_pair(*part) for part in parts if part is not None]
    return [each for each in encoded if each is not None]


def count_tokens(objective: WindowingObjective, sentences: Sequence[str]) -> int:
    """Words and marks, as the models count."""
    return len(encode_source(objective.tokenizer, sentences))


def measure(
    windowing: Windowing, training: Training, pairs: Sequence[Example], held_out: Sequence[Example]
) -> tuple[Outcome, np.ndarray]:
    """Train and measure one model; its scores per document, (documents, measures)."""
    # So small matrices gain nothing from more threads.
    torch.set_num_threads(1)
    torch.manual_seed(training.seed)
    settings = ModelSettings(
        windowing=windowing,
        window_len=training.window_len,
        stride=training.stride,
        embedding_size=training.size,
        hidden_size=training.size,
        vocabulary_size=training.vocabulary,
        max_source_tokens=training.stretches * training.window_len,
    )
    recipe = Recipe(method="windowing", model=settings, training=TrainingSettings(label_smoothing_factor=0.0))
    objective = build_objective(recipe, pairs, None)
    chosen = [choose(pair) for pair in pairs]
    features = encode(objective, chosen, training)
    length = round(float(np.mean([count_tokens(objective, pair.reference) for pair in chosen])))
    cpu_seconds, loss = train(objective, features, training)
    written = write(objective, [source_sentences(example) for example in held_out], length)
    scorer = RougeScorer(RougeSettings(tokenizer=Tokenizer.ROUGE_SCORE))
    references = ["\n".join(split_sentences(example.reference or "")) for example in held_out]
    found = [scorer.score(reference, text) for reference, (text, _) in zip(references, written, strict=True)]
    scores = np.array([[100 * each[name].f1 for name in ROUGE_METRICS] for each in found])
    outcome = Outcome(
        windowing=windowing.value,
        steps=training.steps[windowing.value],
        cpu_seconds=round(cpu_seconds, 1),
        loss=loss,
        words=float(np.mean([len(text.split()) for text, _ in written])),
        visited=float(np.mean([visited for _, visited in written])),
        **{name: float(mean) for name, mean in zip(ROUGE_METRICS, scores.mean(axis=0), strict=True)},
    )
    print_table([outcome])
    print(f"\n{written[0][0][:1200]}\n", flush=True)
    return outcome, scores


def run(training: Training, workers: int) -> tuple[list[Outcome], dict[str, np.ndarray]]:
    """Train and measure the three models; scores per document by model, (documents, measures)."""
    pairs, held_out = read_corpus(training)
    names = (Windowing.DYNAMIC, Windowing.STATIC, Windowing.NONE)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(measure, name, training, pairs, held_out) for name in names]
        found = [job.result() for job in jobs]
    return [each for each, _ in found], {each.windowing: scores for each, scores in found}


def print_table(outcomes: Sequence[Outcome]) -> None:
    """The outcomes as a Markdown table."""
    print("| model | steps | CPU s | loss | words | windows visited | ROUGE-1 | ROUGE-2 | ROUGE-Lsum |")
    print("|---|---|---|---|---|---|---|---|---|")
    for each in outcomes:
        name = "STAN" if each.windowing == "none" else each.windowing
        rouge = f"{each.rouge1:.2f} | {each.rouge2:.2f} | {each.rougeLsum:.2f}"
        print(
            f"| {name} | {each.steps} | {each.cpu_seconds:.0f} | {each.loss:.2f} | {each.words:.0f} |"
            f" {each.visited:.0%} | {rouge} |"
        )


def holds(outcomes: Sequence[Outcome]) -> bool:
    """Whether both windowing models beat the fixed-input model in ROUGE-1 and ROUGE-Lsum."""
    reached = {each.windowing: each for each in outcomes}
    fixed = reached["none"]
    return all(
        reached[name].rouge1 > fixed.rouge1 and reached[name].rougeLsum > fixed.rougeLsum
        for name in ("static", "dynamic")
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", default=Training.corpus)
    parser.add_argument("--documents", type=int, default=Training.documents)
    parser.add_argument("--held-out", type=int, default=Training.held_out)
    parser.add_argument("--steps", type=int, help="of every model; by default 150 s of each")
    parser.add_argument("--first", type=int, default=Training.first, help="held-out document, from 0")
    parser.add_argument("--references", action="store_true", help="train STAN on the abstracts")
    parser.add_argument("--workers", type=int, default=2, help="processes, each on one core")
    parser.add_argument("--seed", type=int, default=Training.seed)
    parser.add_argument("--record", action="store_true", help="write windowing_corpus.json beside this file")
    arguments = parser.parse_args()
    training = Training(
        corpus=arguments.corpus,
        documents=arguments.documents,
        held_out=arguments.held_out,
        first=arguments.first,
        references=arguments.references,
        seed=arguments.seed,
    )
    if arguments.steps is not None:
        training = replace(training, steps=dict.fromkeys(training.steps, arguments.steps))
    started = time.perf_counter()
    outcomes, scores = run(training, arguments.workers)
    print_table(outcomes)
    differences = {
        f"{name} {ROUGE_METRICS[column]}": asdict(
            compare_means(scores[name][:, column], scores["none"][:, column])
        )
        for name in ("static", "dynamic")
        for column in (0, 2)
    }
    is_proved = holds(outcomes)
    seconds = time.perf_counter() - started
    for name, found in differences.items():
        print(f"{name}: {found['difference']:+.2f} ({found['low']:+.2f} to {found['high']:+.2f})")
    print(f"\nthe claim {'holds' if is_proved else 'does not hold'} on {training.corpus}")
    if arguments.record:
        record = {
            "training": asdict(training),
            "torch": torch.__version__,
            "seconds": round(seconds),
            "outcomes": [asdict(outcome) for outcome in outcomes],
            "differences": differences,
        }
        (FOLDER / "windowing_corpus.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    return int(not is_proved)


if __name__ == "__main__":
    sys.exit(main())
