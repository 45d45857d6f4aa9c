"""``--jobs``: how much sooner several workers are done than one, and whether the program chooses well.

Contenders take turns, each in a process of its own; a round of all is repeated, and ratios are those of
the rounds, so that what else the machine does meanwhile falls on all alike.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.corpora import CORPORA, read_examples

CHOICE = "its choice"
EXTRACTION, MINI, BASE = "extraction", "lsum-mini", "BART-base-sized PageSum"
PARTS = {"extraction": EXTRACTION, "mini": MINI, "base": BASE}
# Of each text: some 2,000 words, so that a round takes minutes.
CHARACTERS = 12_000
LEAST_GAIN = 1.8
# Of a run of half a minute, what the estimate may take.
ESTIMATE_SHARE = 0.1


@dataclass(kw_only=True)
class Setting:
    """What is summarised, by what, and by how many at a time.

    Attributes:
        jobs: Each number, with ``None`` for the program's choice.
        seconds: Wall-clock time by number of jobs, one of each round.
        processor: Processor time likewise.
    """

    name: str
    folder: Path
    arguments: Sequence[str | Path]
    jobs: Sequence[int | None]
    seconds: dict[int | None, list[float]] = field(default_factory=dict)
    processor: dict[int | None, list[float]] = field(default_factory=dict)

    def measure(self, jobs: int | None, scratch: Path) -> None:
        """Summarise everything once."""
        out = scratch / "out"
        shutil.rmtree(out, ignore_errors=True)
        command = [
            sys.executable,
            "-m",
            "lsum_cli",
            "summarize",
            "--each",
            self.folder,
            "-q",
            "-o",
            f"{out}/",
        ]
        command += [*self.arguments, "-f", "json"]
        command += [] if jobs is None else ["--jobs", str(jobs)]
        before, began = os.times(), time.perf_counter()
        # What a user's environment sets must not decide how many threads there are.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
        subprocess.run([str(each) for each in command], check=True, env=environment)
        seconds = time.perf_counter() - began
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        written, given = len(list(out.glob("*.json"))), len(list(self.folder.iterdir()))
        if written != given:
            raise SystemExit(f"{self.name}: {written} of {given} documents were summarised")
        self.seconds.setdefault(jobs, []).append(seconds)
        self.processor.setdefault(jobs, []).append(used)
        print(f"{self.name}, {_named(jobs)}: {seconds:.1f} s, {used:.1f} s of processors", file=sys.stderr)

    def ratio(self, slow: int | None, fast: int | None) -> float:
        """How many times as long one takes as the other: the median over rounds."""
        pairs = zip(self.seconds[slow], self.seconds[fast], strict=True)
        return statistics.median(first / second for first, second in pairs)


def main() -> None:
    """Measure, and print a report."""
    arguments = _parse()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        settings = list(_make_settings(arguments, scratch))
        for number in range(arguments.rounds):
            for setting in settings:
                # Nobody is always the first.
                order = setting.jobs if number % 2 == 0 else list(reversed(setting.jobs))
                for jobs in order:
                    setting.measure(jobs, scratch)
    report = "\n".join(_describe(settings, arguments))
    print(report)
    if arguments.output:
        arguments.output.write_text(report + "\n", encoding="utf-8")
    if arguments.check and not all(_passes(setting, arguments.jobs) for setting in settings):
        raise SystemExit("a figure that must be reached was missed")


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.scale.jobs")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"of {', '.join(PARTS)} (all)")
    parser.add_argument("--documents", type=int, default=2000, help="documents to extract from (2000)")
    parser.add_argument("--mini-documents", type=int, default=24, help="documents for lsum-mini (24)")
    parser.add_argument("--base-documents", type=int, default=6, help="documents for the larger model (6)")
    parser.add_argument("--jobs", type=int, default=2, help="jobs that are compared with one (2)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of all contenders (3)")
    parser.add_argument("--output", type=Path, help="file for the report, too")
    parser.add_argument("--check", action="store_true", help="fail if a figure is missed")
    return parser.parse_args()


def _make_settings(arguments: argparse.Namespace, scratch: Path) -> Iterator[Setting]:
    texts = _texts()
    jobs = (1, arguments.jobs, None)
    for part in arguments.parts.split(","):
        folder = scratch / part
        if part == "extraction":
            _write(folder, itertools.islice(texts, arguments.documents))
            yield Setting(name=EXTRACTION, folder=folder, arguments=("--method", "extract"), jobs=jobs)
        elif part == "mini":
            _write(folder, itertools.islice(texts, arguments.mini_documents))
            yield Setting(name=MINI, folder=folder, arguments=("-m", "lsum-mini"), jobs=jobs)
        else:
            _write(folder, itertools.islice(texts, arguments.base_documents))
            model = _make_base(scratch / "base-model")
            length = ("--min-tokens", "64", "--max-tokens", "64", "--beams", "4")
            yield Setting(name=BASE, folder=folder, arguments=("-m", model, *length), jobs=jobs)


def _texts() -> Iterator[str]:
    """Documents of all corpora in turn, over and over."""
    while True:
        sources = [read_examples(corpus, "train") for corpus in CORPORA]
        for examples in itertools.zip_longest(*sources):
            for example in examples:
                if example is not None:
                    yield "\n\n".join(document.text for document in example.documents)[:CHARACTERS]


def _write(folder: Path, texts: Iterator[str]) -> None:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"document{number:05}.txt").write_text(text, encoding="utf-8")


def _make_base(folder: Path) -> Path:
    """A PageSum of BART-base's sizes with random weights, and the tokenizer of lsum-mini."""
    import torch

    from lsum_cli.checkpoints.loading import quiet_transformers
    from lsum_cli.checkpoints.store import PACKAGED
    from lsum_cli.models.pagesum.configuration import PageSumConfig
    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

    mini = PACKAGED / MINI
    special = json.loads((mini / "config.json").read_text(encoding="utf-8"))
    names = ("bos_token_id", "pad_token_id", "eos_token_id", "decoder_start_token_id")
    config = PageSumConfig(
        vocab_size=50265,
        d_model=768,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=12,
        decoder_attention_heads=12,
        encoder_ffn_dim=3072,
        decoder_ffn_dim=3072,
        max_position_embeddings=1024,
        page_len=1024,
        locality="spatial",
        **{name: special[name] for name in names},
    )
    torch.manual_seed(22)
    model = PageSumForConditionalGeneration(config)
    with torch.no_grad():
        # The tokenizer has fewer tokens; none of the others is ever written.
        tokens = len(json.loads((mini / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"])
        model.final_logits_bias[:, tokens:] = -1e4
    with quiet_transformers():
        model.save_pretrained(folder)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(mini / file, folder)
    return folder


def _named(jobs: int | None) -> str:
    return CHOICE if jobs is None else f"{jobs} job" + "s" * (jobs > 1)


def _describe(settings: Sequence[Setting], arguments: argparse.Namespace) -> Iterator[str]:
    command = " ".join(("python -m benchmarks.scale.jobs", *map(str, sys.argv[1:])))
    yield f"Made with `{command}`."
    yield ""
    yield f"{os.cpu_count()} processors; the median of {arguments.rounds} rounds."
    yield ""
    times = " | ".join(f"{_named(jobs)}, s" for jobs in settings[0].jobs)
    ratios = f"1 job / {arguments.jobs} | 1 job / its choice | processor time, {arguments.jobs} / 1"
    yield f"| what | documents | {times} | {ratios} |"
    yield "|---|" + "---:|" * (len(settings[0].jobs) + 4)
    for setting in settings:
        documents = (
            len(list(setting.folder.iterdir())) if setting.folder.exists() else _count(setting, arguments)
        )
        times = " | ".join(f"{statistics.median(setting.seconds[jobs]):.1f}" for jobs in setting.jobs)
        used = statistics.median(
            more / one
            for more, one in zip(setting.processor[arguments.jobs], setting.processor[1], strict=True)
        )
        yield (
            f"| {setting.name} | {documents:,} | {times} | {setting.ratio(1, arguments.jobs):.2f}"
            f" | {setting.ratio(1, None):.2f} | {used:.2f} |"
        )


def _count(setting: Setting, arguments: argparse.Namespace) -> int:
    counts = {EXTRACTION: arguments.documents, MINI: arguments.mini_documents, BASE: arguments.base_documents}
    return int(counts[setting.name])


def _passes(setting: Setting, jobs: int) -> bool:
    """Extraction gains 1.8 times by two jobs; the program's choice is as good as the better number.

    To choose takes an estimate, which the numbers that are given do without.
    """
    if setting.name == EXTRACTION:
        return setting.ratio(1, jobs) >= LEAST_GAIN
    best = min((1, jobs), key=lambda number: statistics.median(setting.seconds[number]))
    return setting.ratio(best, None) >= 1 - ESTIMATE_SHARE


if __name__ == "__main__":
    main()
