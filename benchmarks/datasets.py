"""Data preparation before training (reading, paging, tokenising) against the training step it feeds.

    python -m benchmarks.datasets [--corpus pmc] [--limit 60] [--steps 3] [--sizes tiny,base]
        [--data DIR] [--output FILE]

Everything runs on one thread and is given in CPU seconds per example. The last row before the training
step, reading features from the cache, is what every step waits for; the rows above it are done once per
data set.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.corpora import CORPORA, corpus_path, count_source_words, default_data
from lsum_cli.datasets.dataset import Dataset, open_dataset
from lsum_cli.datasets.example import measure_example
from lsum_cli.datasets.features import FeatureStore, cached_features
from lsum_cli.datasets.files import label_files
from lsum_cli.datasets.formats import read_json_lines
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.training.objectives import Objective
from lsum_cli.training.pagesum import ModelSettings, build_objective
from lsum_cli.training.recipes import load_recipe

RESULTS = Path(__file__).parent / "results" / "datasets.md"
SIZES: dict[str, dict[str, Any]] = {
    "tiny": {},
    "base": {
        "page_len": 1024,
        "pages": 7,
        "max_pages": 7,
        "d_model": 768,
        "encoder_layers": 6,
        "decoder_layers": 6,
        "attention_heads": 12,
        "ffn_dim": 3072,
        "max_position_embeddings": 1026,
    },
}


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one piece of work costs an example."""

    work: str
    seconds: float


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", choices=CORPORA, default="pmc", help="default: %(default)s")
    parser.add_argument("--limit", type=int, default=60, help="examples of its validation split")
    parser.add_argument("--steps", type=int, default=3, help="training steps of one example")
    parser.add_argument("--sizes", default=",".join(SIZES), help="of models; default: %(default)s")
    parser.add_argument("--data", type=Path, default=default_data(), help="folder that holds corpora/")
    parser.add_argument("--output", type=Path, default=RESULTS, help="default: %(default)s")
    options = parser.parse_args(arguments)
    dataset = open_dataset(
        corpus_path(options.corpus, "valid", options.data), DatasetOptions(limit=options.limit)
    )
    rows = measure_reading(dataset)
    for size in options.sizes.split(","):
        rows += measure_training(dataset, size, options.steps)
    words = [count_source_words(example) for example in dataset]
    report = "\n".join(
        [
            f"{options.corpus}, {len(words)} examples of {sum(words) / len(words):,.0f} words in the mean, "
            "one thread.",
            "",
            "| work | CPU ms an example | examples per CPU second |",
            "| --- | ---: | ---: |",
            *(f"| {row.work} | {1000 * row.seconds:,.2f} | {1 / row.seconds:,.2f} |" for row in rows),
        ]
    )
    print(report)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(f"# Data before training\n\n{report}\n", encoding="utf-8")


def measure_reading(dataset: Dataset) -> list[Row]:
    """Lines alone; examples with sections and sentences; what statistics need besides."""
    examples = list(dataset)
    (file,) = label_files([file.path for file in dataset.files])
    return [
        _time("reading lines", len(examples), lambda: list(islice(read_json_lines(file), len(examples)))),
        _time("reading examples, sentences split", len(examples), lambda: list(dataset)),
        _time("measuring words", len(examples), lambda: [measure_example(example) for example in examples]),
    ]


def measure_training(dataset: Dataset, size: str, steps: int) -> list[Row]:
    """Paging and tokenising, reading features from the cache, and the step of a PageSum of this size."""
    import torch

    torch.set_num_threads(1)
    recipe = load_recipe("pagesum-small")
    assert isinstance(recipe.model, ModelSettings)
    recipe = replace(recipe, model=replace(recipe.model, **SIZES[size]))
    examples = list(dataset)
    objective = build_objective(recipe, examples, None)
    number = len(examples)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        encoding = _time(
            f"{size}: paging and tokenising", number, lambda: [objective.encode(each) for each in examples]
        )
        whole = _time(
            f"{size}: reading, paging, tokenising and keeping, in all",
            number,
            lambda: cached_features(dataset, objective.encode, objective.fingerprint, folder),
        )
        store = cached_features(dataset, objective.encode, objective.fingerprint, folder)
        opening = _time(
            f"{size}: opening the cache, checked",
            number,
            lambda: cached_features(dataset, objective.encode, objective.fingerprint, folder),
        )
        feeding = _time(
            f"{size}: features from the cache, as a batch",
            len(store),
            lambda: [objective.collate([store[index]]) for index in range(len(store))],
        )
        return [encoding, whole, opening, feeding, _measure_step(objective, store, size, steps)]


def _measure_step(objective: Objective, store: FeatureStore, size: str, steps: int) -> Row:
    import torch

    model = objective.model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def step(index: int) -> None:
        batch = objective.collate([store[index % len(store)]])
        model(**batch).loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    step(0)

    def run() -> None:
        for index in range(1, steps + 1):
            step(index)

    return _time(f"{size}: training step", steps, run)


def _time(work: str, number: int, run: Callable[[], object]) -> Row:
    start = time.process_time()
    run()
    return Row(work=work, seconds=(time.process_time() - start) / number)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
