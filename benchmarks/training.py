"""Cost of training: ``python -m benchmarks.training``.

*Speed*: tokens per second of ``lsum train`` against a bare PyTorch loop, and against the ``Seq2SeqTrainer``
of ``transformers``, that take the same steps with the same model, batches, smoothing and optimizer. All take
turns, each in its own process, and the first round does not count; timing starts after a few steps and ends
before validation. Ratios are medians over rounds of the processor time of one round's processes.

*Memory*: peak memory of training PageSum on one document, above what is used before the first step, by
number of pages; and how well a straight line fits it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

WARM_UP, STEPS, TINY_STEPS = 3, 25, 4
LIMIT = 1.05
PAGES = (1, 2, 4, 8, 12, 16)
# Sizes of the small recipes and of a model three times as wide.
SIZES = {
    "small": {"d_model": 128, "ffn_dim": 512, "attention_heads": 4},
    "wide": {"d_model": 384, "ffn_dim": 1536, "attention_heads": 8},
}
BARE, TRAINER, OURS = ARMS = ("bare loop", "Seq2SeqTrainer", "lsum train")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One model and its data."""

    size: str
    pages: int = 6
    page_len: int = 256
    steps: int = STEPS

    def recipe(self, folder: Path) -> Any:
        """The recipe, for the data in a folder."""
        from lsum_cli.training.recipes import decode_recipe

        settings = {
            "method": "pagesum",
            "tokenizer": {"vocab_size": 4000},
            "model": {
                "locality": "spatial",
                "page_len": self.page_len,
                "pages": self.pages,
                "max_pages": self.pages,
                "encoder_layers": 2,
                "decoder_layers": 2,
                **SIZES[self.size],
            },
            "data": {
                "train_file": str(folder / "train.jsonl"),
                "validation_file": str(folder / "valid.jsonl"),
                "max_target_tokens": 128,
            },
            "training": {
                "max_steps": WARM_UP + self.steps,
                "eval_steps": WARM_UP + self.steps,
                "per_device_train_batch_size": 2,
                "gradient_accumulation_steps": 2,
                "logging_steps": 10,
                "eval_samples": 0,
                "dropout": 0.1,
            },
        }
        return decode_recipe(settings, "the benchmark")


def write_data(folder: Path, examples: int, words: int) -> None:
    """Documents of random words in sentences; the summary is a few of them."""
    chance = random.Random(0)
    vocabulary = [
        "".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(2, 9))) for _ in range(3000)
    ]

    def sentence() -> str:
        return " ".join(chance.choices(vocabulary, k=chance.randint(8, 24))).capitalize() + "."

    for name, count in (("train", examples), ("valid", 2)):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for number in range(count):
                sentences = [sentence() for _ in range(words // 16)]
                record = {"id": str(number), "text": " ".join(sentences), "summary": " ".join(sentences[:5])}
                file.write(json.dumps(record) + "\n")


def time_training(recipe: Any, folder: Path, setting: Setting) -> dict[str, float]:
    """Seconds of the steps after the warm-up, through ``lsum train``."""
    from lsum_cli.training.events import StepReport
    from lsum_cli.training.options import TrainOptions
    from lsum_cli.training.run import train

    marks: dict[int, tuple[float, float]] = {}

    def listen(report: object) -> None:
        if isinstance(report, StepReport):
            marks.setdefault(report.step, (time.perf_counter(), time.process_time()))

    train(recipe, TrainOptions(output=folder / "run", overwrite=True, report_to=(), device="cpu"), listen)
    # The last step is told only after validation.
    first, last = marks[WARM_UP], marks[WARM_UP + setting.steps - 1]
    return {"seconds": last[0] - first[0], "cpu": last[1] - first[1]}


def time_loop(recipe: Any, setting: Setting) -> dict[str, float]:
    """The same of a loop with the same model, batches, loss and optimizer."""
    import torch
    from torch.nn.functional import cross_entropy

    from lsum_cli.training.batches import BatchOrder
    from lsum_cli.training.initialisation import set_dropout
    from lsum_cli.training.optimisation import make_optimizer

    objective, store = build(recipe)
    set_dropout(objective.model, recipe.training.dropout)
    order = BatchOrder(num_examples=len(store), batch_size=2, seed=0)
    indices = [batch for epoch in range(50) for batch in order.batches(epoch)]
    batches = [objective.collate([store[i] for i in batch]) for batch in indices]
    model, optimizer = objective.model.train(), make_optimizer(objective.model, recipe.training)
    for step in range(WARM_UP + setting.steps - 1):
        if step == WARM_UP:
            started = time.perf_counter(), time.process_time()
        together = batches[2 * step : 2 * step + 2]
        tokens = sum(int((batch["labels"] != -100).sum()) for batch in together)
        for batch in together:
            inputs = {name: value for name, value in batch.items() if name != "labels"}
            start = model.prepare_decoder_input_ids_from_labels(batch["labels"])
            logits = model(**inputs, decoder_input_ids=start, use_cache=False).logits
            loss = cross_entropy(
                logits.flatten(0, 1), batch["labels"].flatten(), reduction="sum", label_smoothing=0.1
            )
            (loss / tokens).backward()
        optimizer.step()
        optimizer.zero_grad()
    assert torch.isfinite(loss)
    return {"seconds": time.perf_counter() - started[0], "cpu": time.process_time() - started[1]}


def time_trainer(recipe: Any, setting: Setting) -> dict[str, float]:
    """The same of the ``Seq2SeqTrainer``, as the examples of ``transformers`` use it."""
    import torch
    from torch.utils.data import SequentialSampler
    from transformers import Seq2SeqTrainer, Seq2SeqTrainingArguments, TrainerCallback

    from lsum_cli.training.batches import BatchOrder
    from lsum_cli.training.initialisation import set_dropout

    objective, store = build(recipe)
    set_dropout(objective.model, recipe.training.dropout)
    order = BatchOrder(num_examples=len(store), batch_size=2, seed=0)
    indices = [i for epoch in range(50) for batch in order.batches(epoch) for i in batch]
    rows = [store[i] for i in indices[: 4 * (WARM_UP + setting.steps)]]
    marks: dict[int, tuple[float, float]] = {}

    class Marks(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:  # noqa: ARG002
            marks[state.global_step] = (time.perf_counter(), time.process_time())

    class InOrder(Seq2SeqTrainer):
        def _get_train_sampler(self, *_: Any) -> Any:
            return SequentialSampler(rows)

    def collate(features: list[Any]) -> dict[str, Any]:
        batch = objective.collate(features)
        start = objective.model.prepare_decoder_input_ids_from_labels(batch["labels"])
        return {**batch, "decoder_input_ids": start}

    settings = recipe.training
    with tempfile.TemporaryDirectory() as folder:
        arguments = Seq2SeqTrainingArguments(
            output_dir=folder,
            max_steps=WARM_UP + setting.steps,
            per_device_train_batch_size=settings.per_device_train_batch_size,
            gradient_accumulation_steps=settings.gradient_accumulation_steps,
            learning_rate=settings.learning_rate,
            lr_scheduler_type="constant",
            weight_decay=settings.weight_decay,
            max_grad_norm=0.0,
            label_smoothing_factor=settings.label_smoothing_factor,
            logging_steps=settings.logging_steps,
            remove_unused_columns=False,
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
            seed=0,
        )
        trainer = InOrder(
            model=objective.model,
            args=arguments,
            train_dataset=rows,
            data_collator=collate,
            callbacks=[Marks()],
        )
        trainer.train()
    assert all(torch.isfinite(weight).all() for weight in objective.model.parameters())
    first, last = marks[WARM_UP], marks[WARM_UP + setting.steps - 1]
    return {"seconds": last[0] - first[0], "cpu": last[1] - first[1]}


def measure_memory(recipe: Any) -> dict[str, float]:
    """Peak resident memory of three steps on one document, in MB, besides what was there before."""
    from lsum_cli.training.optimisation import batch_loss, make_optimizer

    objective, store = build(recipe)
    model, optimizer = objective.model.train(), make_optimizer(objective.model, recipe.training)
    features = store[0]
    before = peak()
    for _ in range(3):
        loss, _ = batch_loss(model, objective.collate([features]), 0.1, None)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return {"megabytes": peak() - before, "pages": len(features["page_lengths"])}


def build(recipe: Any) -> tuple[Any, Any]:
    import torch

    from lsum_cli.datasets.dataset import open_dataset
    from lsum_cli.datasets.features import cached_features
    from lsum_cli.training.objectives import find_builder

    dataset = open_dataset(recipe.data.train_file, recipe.data.options(None))
    torch.manual_seed(0)
    objective = find_builder(recipe.method)(recipe, dataset, None)
    return objective, cached_features(dataset, objective.encode, objective.fingerprint)


def count_tokens(recipe: Any) -> float:
    """Mean tokens of a document and its reference."""
    _, store = build(recipe)
    names = ("tokens_total", "reference_tokens_total")
    dropped = ("tokens_dropped", "reference_tokens_dropped")
    return float(np.mean(sum(store.column(n) for n in names) - sum(store.column(n) for n in dropped)))


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def work(arguments: argparse.Namespace) -> None:
    """What a worker process does: one measurement, printed as JSON."""
    folder = Path(arguments.folder)
    setting = Setting(size=arguments.size, pages=arguments.pages, steps=arguments.steps)
    recipe = setting.recipe(folder)
    if arguments.worker == BARE:
        measured = time_loop(recipe, setting)
    elif arguments.worker == OURS:
        measured = time_training(recipe, folder, setting)
    elif arguments.worker == TRAINER:
        measured = time_trainer(recipe, setting)
    elif arguments.worker == "tokens":
        measured = {"tokens": count_tokens(recipe)}
    else:
        measured = measure_memory(recipe)
    print(json.dumps(measured))


def run_worker(
    worker: str, folder: Path, size: str, *, pages: int = 6, steps: int = STEPS
) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.training", "--worker", worker, "--folder", str(folder)]
    command += ["--size", size, "--pages", str(pages), "--steps", str(steps)]
    # Threads that spin while they wait would be counted as work on a busy machine.
    environment = {**os.environ, "LSUM_HOME": str(folder / "home"), "OMP_WAIT_POLICY": "PASSIVE"}
    finished = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if finished.returncode:
        raise SystemExit(finished.stderr)
    measured: dict[str, float] = json.loads(finished.stdout.splitlines()[-1])
    return measured


def measure_speed(size: str, rounds: int, steps: int) -> list[str]:
    """Lines of a table: the arms by turns, medians."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, 24, 1100)
        tokens = run_worker("tokens", folder, size)["tokens"] * 4 * (steps - 1)
        seconds: dict[str, list[dict[str, float]]] = {arm: [] for arm in ARMS}
        for number in range(rounds + 1):
            for arm in ARMS:
                measured = run_worker(arm, folder, size, steps=steps)
                if number:  # the first round fills the caches
                    seconds[arm].append(measured)
    medians = {
        arm: {key: statistics.median(each[key] for each in measured) for key in ("seconds", "cpu")}
        for arm, measured in seconds.items()
    }

    def ratio(arm: str, base: str) -> float:
        pairs = zip(seconds[arm], seconds[base], strict=True)
        return statistics.median(ours["cpu"] / theirs["cpu"] for ours, theirs in pairs)

    return [
        f"| {size} | {arm} | {tokens / each['seconds']:,.0f} | {tokens / each['cpu']:,.0f}"
        f" | {ratio(arm, BARE):.3f} | {ratio(arm, TRAINER):.3f} |"
        for arm, each in medians.items()
    ]


def measure_pages(size: str, counts: tuple[int, ...]) -> list[str]:
    """Lines of a table: memory by pages, and the line through them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder, 3, 300 * max(counts))
        measured = [run_worker("memory", folder, size, pages=count) for count in counts]
    pages = np.array([each["pages"] for each in measured])
    megabytes = np.array([each["megabytes"] for each in measured])
    slope, intercept = np.polyfit(pages, megabytes, 1)
    left = megabytes - (slope * pages + intercept)
    explained = 1 - float((left**2).sum() / ((megabytes - megabytes.mean()) ** 2).sum())
    lines = [
        f"| {size} | {count:.0f} | {value:,.0f} |" for count, value in zip(pages, megabytes, strict=True)
    ]
    return [
        *lines,
        "",
        f"{size}: {slope:.1f} MB a page and {intercept:.0f} MB besides; R² {explained:.4f}.",
        "",
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tiny", action="store_true", help="a minute, to see that it runs")
    parser.add_argument("--output", type=Path, help="write the tables to this Markdown file too")
    for hidden in ("--worker", "--folder", "--size"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    for hidden in ("--pages", "--steps"):
        parser.add_argument(hidden, type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        work(arguments)
        return 0
    sizes = ("small",) if arguments.tiny else tuple(SIZES)
    steps, rounds = (TINY_STEPS, 1) if arguments.tiny else (STEPS, arguments.rounds)
    _, speed, memory = (__doc__ or "").strip().split("\n\n")
    lines = [f"Made with `python -m benchmarks.training --rounds {rounds}`.", "", speed, ""]
    lines += ["| size | | tokens/s | tokens/CPU s | × bare loop | × Seq2SeqTrainer |"]
    lines += ["| --- | --- | ---: | ---: | ---: | ---: |"]
    for size in sizes:
        lines += measure_speed(size, rounds, steps)
    lines += ["", memory, "", "| size | pages | MB |", "| --- | ---: | ---: |"]
    lines += measure_pages("small", PAGES[:2] if arguments.tiny else PAGES)
    text = "\n".join(lines)
    print(text)
    if arguments.output:
        arguments.output.write_text(text + "\n", encoding="utf-8")
    ours = [line.split("|") for line in lines if f"| {OURS} |" in line]
    slowest = max(float(cell) for cells in ours for cell in cells[5:7])
    exceeded = slowest > LIMIT and not arguments.tiny
    if exceeded:
        print(f"lsum train takes {slowest:.3f} times as long as another; the limit is {LIMIT}")
    return int(exceeded)


if __name__ == "__main__":
    sys.exit(main())
