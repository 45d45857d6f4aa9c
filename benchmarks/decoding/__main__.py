"""Decoding compared: time, CPU time and memory of this program and of alternatives.

    python -m benchmarks.decoding [--contenders auto,naive] [--rounds 2] [--threads 2] [--tiny]

Random weights, one run; contenders take turns, each time in its own process. Waiting threads sleep instead
of spinning (set OMP_WAIT_POLICY to change that), so that CPU time is work even on a busy machine. Building
a model is excluded from time; the peak is resident memory while working (interpreter, libraries, weights,
caches), with the peak of building beside it. ``log p a token`` is the mean log-probability per token that
the float32 model assigns to the chosen text.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from benchmarks.decoding.contenders import CONTENDERS, Contender
from benchmarks.decoding.machine import ASLEEP, Limits
from benchmarks.decoding.measuring import Measurement, Span
from benchmarks.decoding.report import Findings, render
from benchmarks.decoding.setting import RECORD, TINY, Setting

REPOSITORY = Path(__file__).resolve().parents[2]
TINY_DEFAULT = "auto,naive"
DEFAULT = "auto,float32,bfloat16,int8,naive,chunks,led,ctranslate2-float32,ctranslate2-int8"
PAGE_COUNTS = "2,4,8,16,32"


@dataclass(frozen=True, kw_only=True)
class Workplace:
    """The folder of the weights and of the workers' answers; existing answers are reused."""

    folder: Path

    def ask(self, task: str, setting: Setting, *, given: object = None, label: str = "") -> Any:
        """Let a new process do a task; see :mod:`benchmarks.decoding.worker`."""
        output = self.folder / f"{task}-{setting.pages}{label}.json"
        if output.exists():
            return json.loads(output.read_text())
        print(f"{task}, {setting.pages} pages …", file=sys.stderr, flush=True)
        threads = str(setting.threads)
        settled = {"OMP_NUM_THREADS": threads, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"}
        arguments = [setting.to_json(), str(self.folder), task, str(output)]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.decoding.worker", *arguments],
            cwd=REPOSITORY,
            env=ASLEEP | os.environ | settled,
            input=json.dumps(given),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{task} failed: {done.stderr[-2000:]}")
        return json.loads(output.read_text())

    def measure(self, name: str, setting: Setting, turn: int = 0) -> Measurement:
        """Let a contender work in its own process."""
        answer = self.ask(name, setting, label=f"-{turn}")
        spans = {
            field.name: Span(**answer[field.name])
            for field in fields(Measurement)
            if isinstance(answer[field.name], dict)
        }
        return Measurement(**(answer | spans))


def run(
    names: Sequence[str], setting: Setting, *, rounds: int, page_counts: Sequence[int], folder: Path
) -> Findings:
    """Measure everything, or what ``folder`` does not tell yet."""
    workplace = Workplace(folder=folder)
    packages = sorted({contender.package for contender in CONTENDERS.values() if _is_installed(contender)})
    limits = Limits.from_json(workplace.ask("prepare", setting, given=packages))
    measurements: dict[str, list[Measurement]] = {name: [] for name in names}
    for turn in range(rounds):
        for name in names:
            measurements[name].append(workplace.measure(name, setting, turn))
        # Again among the contenders: a busy moment must not lower the limits that they are compared with.
        limits = limits.best(Limits.from_json(workplace.ask("limits", setting, label=f"-{turn}")))
    texts = {name: measurements[name][0].token_ids[0] for name in names if CONTENDERS[name].is_pagesum}
    judges = "-" + "-".join(texts)
    scores = workplace.ask("judge", setting, given=list(texts.values()), label=judges) if texts else []
    by_pages = {count: workplace.measure("auto", replace(setting, pages=count)) for count in page_counts}
    return Findings(
        setting=setting,
        rounds=rounds,
        limits=limits,
        measurements=measurements,
        judged=dict(zip(texts, scores, strict=True)),
        by_pages=by_pages,
    )


def main() -> int:
    arguments = _parser().parse_args()
    setting = replace(TINY if arguments.tiny else RECORD, threads=arguments.threads)
    counts = arguments.pages if arguments.pages is not None else "2" if arguments.tiny else PAGE_COUNTS
    chosen = arguments.contenders or (TINY_DEFAULT if arguments.tiny else DEFAULT)
    names = _installed(chosen.split(","))
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        page_counts = [int(count) for count in counts.split(",") if count]
        findings = run(names, setting, rounds=arguments.rounds, page_counts=page_counts, folder=folder)
    report = render(findings)
    print(report)
    if arguments.output:
        command = " ".join(["python -m benchmarks.decoding", *sys.argv[1:]])
        arguments.output.write_text(f"Made with `{command}`.\n\n{report}\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.decoding",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--contenders",
        help=f"some of {', '.join(CONTENDERS)}; default: {DEFAULT}, or {TINY_DEFAULT} with --tiny",
    )
    parser.add_argument("--rounds", type=int, default=1, help="how often each works, by turns")
    parser.add_argument("--threads", type=int, default=RECORD.threads)
    parser.add_argument("--pages", help=f"numbers of pages to compare, '' for none; default: {PAGE_COUNTS}")
    parser.add_argument("--tiny", action="store_true", help="small sizes, to see that everything runs")
    parser.add_argument(
        "--keep", type=Path, help="keep weights and answers in this folder: the same run goes on from there"
    )
    parser.add_argument("--output", type=Path, help="write the report to this file as well")
    return parser


def _is_installed(contender: Contender) -> bool:
    return importlib.util.find_spec(contender.package) is not None


def _installed(names: Sequence[str]) -> list[str]:
    unknown = [name for name in names if name not in CONTENDERS]
    if unknown:
        raise SystemExit(f"there is no contender {', '.join(unknown)}; choose among {', '.join(CONTENDERS)}")
    missing = [name for name in names if not _is_installed(CONTENDERS[name])]
    if missing:
        print(f"left out, not installed: {', '.join(missing)}", file=sys.stderr)
    return [name for name in names if name not in missing]


if __name__ == "__main__":
    sys.exit(main())
