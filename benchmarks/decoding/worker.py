"""One task in its own process: ``python -m benchmarks.decoding.worker SETTING FOLDER TASK OUTPUT``.

A task is a contender's name, ``prepare``, ``limits`` or ``judge``; the first and the last of these three
read their input from standard input. The result is a JSON file.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.decoding.contenders import CONTENDERS, convert_for_ctranslate2
from benchmarks.decoding.machine import measure_limits
from benchmarks.decoding.measuring import Measurement, Stopwatch, forget_peak, now, read_peak
from benchmarks.decoding.setting import START, Setting, load_pagesum, save_weights


def prepare(packages: list[str], setting: Setting, folder: Path) -> dict[str, Any]:
    """Measure the machine's limits; make the weights, also in the form that these packages read."""
    limits = measure_limits(setting)
    save_weights(setting, folder)
    if "ctranslate2" in packages:
        convert_for_ctranslate2(setting, folder)
    return asdict(limits)


def measure(name: str, setting: Setting, folder: Path) -> Measurement:
    """Build a contender, then watch it work."""
    work = CONTENDERS[name].build(setting, folder)
    build_peak = read_peak()
    forget_peak()
    watch = Stopwatch()
    written = work(watch)
    total = now() - watch.started
    peak = read_peak()
    lengths = {len(token_ids) for token_ids in written.token_ids}
    if lengths != {setting.tokens}:
        raise AssertionError(f"{name} wrote {lengths} tokens instead of {setting.tokens}")
    encode, first_step, per_step = watch.stages()
    return Measurement(
        total=total,
        encode=encode,
        first_step=first_step,
        per_step=per_step,
        fastest_step=watch.fastest_step(),
        peak=peak,
        build_peak=build_peak,
        token_ids=written.token_ids,
        scores=written.scores,
    )


def judge(texts: list[list[int]], setting: Setting, folder: Path) -> list[float]:
    """The mean log probability of each text's tokens in float32, as if each were a beam."""
    import torch

    from lsum_cli.machine.devices import Precision
    from lsum_cli.models.pagesum.engine import PageSumEngine

    torch.set_num_threads(setting.threads)
    model: Any = load_pagesum(setting, folder)
    engine = PageSumEngine.prepare(model, Precision.FLOAT32, release=True)
    decoder = engine.encode([[torch.tensor(page) for page in setting.page_ids()]])
    sums = torch.zeros(len(texts))
    rows = torch.arange(len(texts))
    before = torch.full_like(rows, START)
    with torch.inference_mode():
        decoder.start(len(texts), setting.max_length)
        for step in torch.tensor(texts).T:
            log_probs, _ = decoder.step(before, rows)
            sums += log_probs[rows, step]
            before = step
    means: list[float] = (sums / setting.tokens).tolist()
    return means


def main() -> int:
    setting, folder = Setting.from_json(sys.argv[1]), Path(sys.argv[2])
    task, output = sys.argv[3], Path(sys.argv[4])
    answer: Any
    if task == "prepare":
        answer = prepare(json.load(sys.stdin), setting, folder)
    elif task == "limits":
        answer = asdict(measure_limits(setting))
    elif task == "judge":
        answer = judge(json.load(sys.stdin), setting, folder)
    else:
        answer = asdict(measure(task, setting, folder))
    output.write_text(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
