"""The importance tagger on a real corpus: ``python -m benchmarks.claims.importance``.

A small tagger, trained from scratch on documents and their summaries, finds the words that a summary
reuses better than the best constant threshold on inverse document frequency: F1 over all words of held-out
documents. Several taggers are trained, and each must do so. The threshold on the tagger's scores is chosen
on training documents that it did not learn from; the threshold on inverse document frequency is chosen on
the held-out documents themselves, in its favour.

A word is a token here, and a document its first words.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from benchmarks.claims.descent import descend
from benchmarks.corpora import corpus_path, default_data
from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.pretrained_bart import IGNORED_LABEL
from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.engine import TaggerEngine
from lsum_cli.models.topdown.modeling import TopDownForTokenClassification
from lsum_cli.text.importance import label_words

FOLDER = Path(__file__).parent
PAD, UNKNOWN, FIRST_WORD = 0, 1, 2
# Weights, dropout and the order of batches move the figures by percents: one tagger says little.
RUNS = 5
_MEASURES = ("f1", "precision", "recall")


@dataclass(frozen=True, kw_only=True)
class Training:
    """How the tagger is trained.

    Attributes:
        seed: Which documents are taken.
        run: Seed of the weights, of dropout and of the order of batches.
    """

    corpus: str = "designdocs"
    seed: int = 0
    run: int = 0
    documents: int = 400
    calibration: int = 60
    held_out: int = 200
    words: int = 512
    vocabulary: int = 6000
    epochs: int = 2
    batch: int = 4
    learning_rate: float = 5e-3
    warmup: int = 20


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledWords:
    """A document's first words.

    Attributes:
        words: In lower case.
        important: (words,) whether its summary uses them too.
    """

    words: tuple[str, ...]
    important: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Score:
    """How well important words are found.

    Attributes:
        threshold: From which score on a word counts as important.
        f1: Harmonic mean of the next two.
        precision: Share of the words found that are important.
        recall: Share of the important words that are found.
    """

    threshold: float
    f1: float
    precision: float
    recall: float


def read_spread(data: Path, split: str, documents: int, training: Training) -> list[LabelledWords]:
    """Read this number of documents, spread over a split, in random order: its file is sorted by source."""
    with lzma.open(corpus_path(training.corpus, split, data), "rt", encoding="utf-8") as file:
        lines = file.readlines()
    chosen = random.Random(training.seed).sample(lines, min(documents, len(lines)))
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / f"{training.corpus}.jsonl"
        sample.write_text("".join(chosen), encoding="utf-8")
        return list(read_words(iter(open_dataset(sample, DatasetOptions())), training.words))


def read_words(examples: Iterator[Example], most: int) -> Iterator[LabelledWords]:
    """Label the first words of documents; those of which no word is important are left out."""
    for example in examples:
        sentences = [sentence.text for document in example.documents for sentence in document.sentences]
        words: list[str] = []
        important: list[NDArray[np.bool_]] = []
        # A word of one letter or more each sentence: so many sentences are enough.
        for text, labels in zip(
            sentences[:most], label_words(sentences[:most], example.reference), strict=True
        ):
            words += [text[s:e].lower() for s, e in zip(labels.starts, labels.ends, strict=True)]
            important.append(labels.important)
            if len(words) >= most:
                break
        flags = np.concatenate(important)[:most] if important else np.zeros(0, np.bool_)
        if flags.any():
            yield LabelledWords(words=tuple(words[:most]), important=flags)


def make_vocabulary(documents: Sequence[LabelledWords], size: int) -> dict[str, int]:
    """The words of most documents, and their ids."""
    counts = document_frequency(documents)
    return {word: number for number, (word, _) in enumerate(counts.most_common(size), start=FIRST_WORD)}


def document_frequency(documents: Sequence[LabelledWords]) -> Counter[str]:
    """In how many documents each word occurs."""
    # Not by sets, whose order is another in every process: it decides among words that are as frequent.
    words = (dict.fromkeys(document.words) for document in documents)
    return Counter(itertools.chain.from_iterable(words))


def encode(document: LabelledWords, vocabulary: dict[str, int]) -> Tensor:
    """(source_len,), the ids of its words."""
    return torch.tensor([vocabulary.get(word, UNKNOWN) for word in document.words])


def make_model(vocabulary: dict[str, int], training: Training) -> TopDownForTokenClassification:
    """One bottom-up, one segment and one top-down layer of 64 dimensions, with random weights."""
    torch.manual_seed(training.run)
    return TopDownForTokenClassification(
        TopDownConfig(
            vocab_size=len(vocabulary) + FIRST_WORD,
            pad_token_id=PAD,
            d_model=64,
            bottom_up_layers=1,
            segment_layers=1,
            top_down_layers=1,
            attention_window=32,
            kernel=16,
            stride=12,
            encoder_ffn_dim=128,
            encoder_attention_heads=4,
            decoder_attention_heads=4,
            max_source_positions=training.words,
            dropout=0.1,
            init_std=0.05,
        )
    )


def train(
    model: TopDownForTokenClassification,
    documents: Sequence[LabelledWords],
    vocabulary: dict[str, int],
    training: Training,
) -> None:
    """Train on batches of documents of like length, in random order."""
    by_length = sorted(documents, key=lambda document: len(document.words))
    batches = [
        by_length[start : start + training.batch] for start in range(0, len(by_length), training.batch)
    ]
    descend(
        model,
        make_batches(batches, vocabulary, training),
        steps=training.epochs * len(batches),
        learning_rate=training.learning_rate,
        warmup=training.warmup,
        betas=(0.9, 0.999),
    )


def make_batches(
    batches: list[list[LabelledWords]], vocabulary: dict[str, int], training: Training
) -> Iterator[dict[str, Tensor]]:
    """Inputs and labels, (batch, source_len); in another order each epoch."""
    chance = random.Random(training.run)
    pad = torch.nn.utils.rnn.pad_sequence
    for _ in range(training.epochs):
        chance.shuffle(batches)
        for batch in batches:
            token_ids = pad([encode(document, vocabulary) for document in batch], True, PAD)
            labels = [torch.from_numpy(document.important).long() for document in batch]
            yield {
                "input_ids": token_ids,
                "attention_mask": (token_ids != PAD).long(),
                "labels": pad(labels, True, IGNORED_LABEL),
            }


def best_threshold(scores: NDArray[np.float64], important: NDArray[np.bool_]) -> Score:
    """Find the threshold with the greatest F1."""
    order = np.argsort(-scores, kind="stable")
    hits = important[order].cumsum()
    found = np.arange(1, len(order) + 1)
    # Words of one score are found together or not at all.
    is_last = np.append(np.diff(scores[order]) != 0, True)
    f1 = np.where(is_last, 2 * hits / (found + important.sum()), 0.0)
    return score_at(float(scores[order][f1.argmax()]), scores, important)


def score_at(threshold: float, scores: NDArray[np.float64], important: NDArray[np.bool_]) -> Score:
    """Count what a threshold finds."""
    found = scores >= threshold
    hits = int((found & important).sum())
    precision, recall = hits / max(1, int(found.sum())), hits / max(1, int(important.sum()))
    f1 = 2 * precision * recall / max(precision + recall, 1e-12)
    return Score(threshold=threshold, f1=f1, precision=precision, recall=recall)


def score_by_frequency(
    documents: Sequence[LabelledWords], learnt_from: Sequence[LabelledWords]
) -> NDArray[np.float64]:
    """The inverse document frequency of every word; one that was never seen has the greatest."""
    frequency, total = document_frequency(learnt_from), len(learnt_from)
    return np.array(
        [np.log((1 + total) / (1 + frequency[word])) for document in documents for word in document.words]
    )


def score_by_tagger(
    engine: TaggerEngine, documents: Sequence[LabelledWords], vocabulary: dict[str, int]
) -> NDArray[np.float64]:
    """The tagger's importance of every word."""
    scores = engine.score([encode(document, vocabulary) for document in documents])
    return torch.cat(scores).double().numpy()


def labels_of(documents: Sequence[LabelledWords]) -> NDArray[np.bool_]:
    """Which of all words are important."""
    return np.concatenate([document.important for document in documents])


def compare(
    learnt_from: Sequence[LabelledWords],
    calibration: Sequence[LabelledWords],
    held_out: Sequence[LabelledWords],
    training: Training,
) -> dict[str, Score]:
    """Train a tagger and score it and the baselines on held-out documents."""
    vocabulary = make_vocabulary(learnt_from, training.vocabulary)
    model = make_model(vocabulary, training)
    train(model, learnt_from, vocabulary, training)
    engine = TaggerEngine.prepare(model, Precision.FLOAT32)
    important, by_frequency = labels_of(held_out), score_by_frequency(held_out, learnt_from)
    chosen = best_threshold(score_by_tagger(engine, calibration, vocabulary), labels_of(calibration))
    by_tagger = score_by_tagger(engine, held_out, vocabulary)
    return {
        "tagger": score_at(chosen.threshold, by_tagger, important),
        "idf at least": best_threshold(by_frequency, important),
        "idf at most": best_threshold(-by_frequency, important),
        "every word": score_at(-np.inf, by_frequency, important),
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", default=Training.corpus, help="default: %(default)s")
    parser.add_argument("--documents", type=int, default=Training.documents, help="to learn from")
    parser.add_argument("--epochs", type=int, default=Training.epochs)
    parser.add_argument("--seed", type=int, default=Training.seed, help="which documents are taken")
    parser.add_argument("--runs", type=int, default=RUNS, help="taggers that are trained")
    parser.add_argument("--data", type=Path, default=default_data(), help="folder with the corpora")
    parser.add_argument("--record", action="store_true", help="write importance.json beside this file")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    training = Training(
        corpus=arguments.corpus, documents=arguments.documents, epochs=arguments.epochs, seed=arguments.seed
    )
    started = time.process_time()
    documents = read_spread(arguments.data, "train", training.documents + training.calibration, training)
    held_out = read_spread(arguments.data, "valid", training.held_out, training)
    reading = time.process_time() - started
    learnt_from, calibration = documents[training.calibration :], documents[: training.calibration]
    runs = [
        compare(learnt_from, calibration, held_out, replace(training, run=run))
        for run in range(arguments.runs)
    ]
    seconds = time.process_time() - started
    important = labels_of(held_out)
    print(
        f"{training.corpus}: {len(runs)} taggers learnt from {len(learnt_from)} documents, scored on "
        f"{len(held_out)} with {len(important):,} words, {important.mean():.1%} of them important; "
        f"{reading:.0f} CPU s of reading, {seconds:.0f} in all\n"
    )
    print("| | F1 | precision | recall |\n|---|---:|---:|---:|")
    for name in runs[0]:
        columns = (spread([getattr(run[name], field) for run in runs]) for field in _MEASURES)
        print(f"| {name} | {' | '.join(columns)} |")
    baselines = [score.f1 for name, score in runs[0].items() if name != "tagger"]
    holds = min(run["tagger"].f1 for run in runs) > max(baselines)
    print(f"\nthe claim {'holds' if holds else 'does not hold'}: F1 of every tagger above the best threshold")
    if arguments.record:
        record = {
            "training": asdict(training),
            "cpu_seconds": round(seconds, 1),
            "torch": torch.__version__,
            "words": len(important),
            "taggers": [asdict(run["tagger"]) for run in runs],
            "scores": {name: asdict(score) for name, score in runs[0].items() if name != "tagger"},
        }
        text = json.dumps(record, indent=2).replace("-Infinity", "null")
        (FOLDER / "importance.json").write_text(text + "\n", encoding="utf-8")
    return int(not holds)


def spread(values: Sequence[float]) -> str:
    """The mean of some shares, with the range where they differ: ``"51.0% (50.1 to 52.3)"``."""
    mean, low, high = np.mean(values), min(values), max(values)
    return f"{mean:.1%}" if low == high else f"{mean:.1%} ({100 * low:.1f} to {100 * high:.1f})"


if __name__ == "__main__":
    sys.exit(main())
