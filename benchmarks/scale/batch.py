"""``lsum batch``: what Ray costs beside local jobs, how soon a long file starts, and in how much memory.

Contenders take turns; a round of both is repeated, and the ratio is the median of the rounds. The cluster is
started before, and its start is not counted; that of the program, its actors and its models is.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.corpora import CORPORA, read_examples

LARGEST_OVERHEAD = 0.15
LATEST_START = 2.0
# Memory that a run may gain while it reads ten times as many lines.
LARGEST_GROWTH = 32 << 20
PARTS = ("ray", "start")
EXTRACT = ("--method", "extract")
_PATIENCE = 180


@dataclass(kw_only=True)
class Contest:
    """The same batch by local jobs and on a cluster of this machine.

    Attributes:
        seconds: Wall-clock time of each, one of each round.
    """

    corpus: Path
    documents: int
    jobs: int
    arguments: Sequence[str]
    scratch: Path
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def measure(self, name: str, more: Sequence[str]) -> None:
        """Do the batch once."""
        out = self.scratch / "out"
        shutil.rmtree(out, ignore_errors=True)
        command = [sys.executable, "-m", "lsum_cli", "batch", self.corpus, "-o", out, "-q"]
        command += [*self.arguments, "--jobs", self.jobs, *more]
        began = time.perf_counter()
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - began
        written = sum(len(part.read_bytes().splitlines()) for part in out.glob("part-*"))
        if written != self.documents:
            raise SystemExit(f"{name}: {written} of {self.documents} documents have a row")
        self.seconds.setdefault(name, []).append(seconds)
        print(f"{name}: {seconds:.1f} s", file=sys.stderr)

    @property
    def overhead(self) -> float:
        """How much longer the cluster takes, as a share."""
        pairs = zip(self.seconds["ray"], self.seconds["jobs"], strict=True)
        return statistics.median(ray / jobs for ray, jobs in pairs) - 1


@dataclass(frozen=True, kw_only=True)
class Start:
    """The start of a batch of a long file.

    Attributes:
        first: Seconds until the first row is on disk.
        early: Memory of the program after a tenth of the documents watched, in bytes.
        late: After all of them.
        documents: How many were watched.
    """

    lines: int
    first: float
    early: int
    late: int
    documents: int


def main() -> None:
    """Measure, and print a report."""
    arguments = _parse()
    report: list[str] = [f"Made with `{' '.join(('python -m benchmarks.scale.batch', *sys.argv[1:]))}`.", ""]
    misses = []
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if "ray" in arguments.parts:
            contest = _contest(arguments, scratch)
            report += _describe_contest(contest)
            if contest.overhead > LARGEST_OVERHEAD:
                misses.append("the overhead of Ray")
        if "start" in arguments.parts:
            start = _start(arguments, scratch)
            report += _describe_start(start)
            if start.first > LATEST_START:
                misses.append("the start of a long file")
            if start.late - start.early > LARGEST_GROWTH:
                misses.append("the memory of a long file")
    print("\n".join(report))
    if arguments.output:
        arguments.output.write_text("\n".join(report) + "\n", encoding="utf-8")
    if arguments.check and misses:
        raise SystemExit(f"missed: {', '.join(misses)}")


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.scale.batch")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"of {', '.join(PARTS)} (all)")
    parser.add_argument("--documents", type=int, default=6000, help="documents of the contest (6000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="jobs, and actors (processors)")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of both contenders (2)")
    parser.add_argument("--model", help="checkpoint of the contest (extraction)")
    parser.add_argument("--lines", type=int, default=100_000, help="lines of the long file (100000)")
    parser.add_argument("--watched", type=int, default=3000, help="documents of it that are done (3000)")
    parser.add_argument("--output", type=Path, help="file for the report, too")
    parser.add_argument("--check", action="store_true", help="fail if a figure is missed")
    arguments = parser.parse_args()
    arguments.parts = arguments.parts.split(",")
    return arguments


def _texts() -> Iterator[str]:
    """Documents of all corpora in turn, over and over."""
    while True:
        sources = [read_examples(corpus, "train") for corpus in CORPORA]
        for examples in itertools.zip_longest(*sources):
            for example in filter(None, examples):
                yield "\n\n".join(document.text for document in example.documents)


def _write(path: Path, texts: Iterator[str]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": f"d{number}", "text": text}) + "\n")
    return path


def _contest(arguments: argparse.Namespace, scratch: Path) -> Contest:
    corpus = _write(scratch / "corpus.jsonl", itertools.islice(_texts(), arguments.documents))
    how = EXTRACT if arguments.model is None else ("--model", arguments.model)
    size = max(1, min(100, arguments.documents // (4 * arguments.jobs)))
    contest = Contest(
        corpus=corpus,
        documents=arguments.documents,
        jobs=arguments.jobs,
        arguments=(*how, "--shard-size", str(size)),
        scratch=scratch,
    )
    with _cluster(arguments.jobs, scratch) as address:
        contenders = {"jobs": (), "ray": ("--ray", address)}
        for number in range(arguments.rounds):
            # Nobody is always the first.
            for name in list(contenders) if number % 2 == 0 else reversed(contenders):
                contest.measure(name, contenders[name])
    return contest


@contextmanager
def _cluster(processors: int, scratch: Path) -> Iterator[str]:
    """A cluster of this machine, started; its address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = int(listener.getsockname()[1])
    home = scratch / "home"
    home.mkdir()
    os.environ["HOME"] = str(home)  # Ray keeps the token of its clusters there
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
    command += ["--node-ip-address=127.0.0.1", f"--port={port}", f"--num-cpus={processors}"]
    command += ["--include-dashboard=false", "--disable-usage-stats"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    node = subprocess.Popen(command, start_new_session=True, **quiet)  # type: ignore[call-overload]
    try:
        deadline = time.monotonic() + _PATIENCE
        while node.poll() is None and time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.2)
        time.sleep(5)  # until its processors are known
        yield f"127.0.0.1:{port}"
    finally:
        node.send_signal(signal.SIGTERM)
        node.wait()


def _start(arguments: argparse.Namespace, scratch: Path) -> Start:
    """Begin with a long file, watch it for some documents, and end it."""
    texts = (text[:4000] for text in itertools.islice(_texts(), 1000))
    corpus = _write(scratch / "long.jsonl", itertools.islice(itertools.cycle(list(texts)), arguments.lines))
    out = scratch / "long"
    command = [sys.executable, "-m", "lsum_cli", "batch", str(corpus), "-o", str(out), "-q", *EXTRACT]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    first: float | None = None
    early = late = 0
    try:
        while process.poll() is None and time.perf_counter() - began < 20 * _PATIENCE:
            parts = len(list(out.glob("part-*")))
            if first is None and (parts or any(out.glob(".lsum-batch/part-*"))):
                first = time.perf_counter() - began
            if parts * 100 >= arguments.watched / 10 and not early:
                early = _memory(process.pid)
            if parts * 100 >= arguments.watched:
                late = _memory(process.pid)
                break
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    if first is None or not late:
        raise SystemExit(f"the long file was not done as far: {process.returncode}")
    return Start(lines=arguments.lines, first=first, early=early, late=late, documents=arguments.watched)


def _memory(pid: int) -> int:
    """The largest resident memory that a process has had, in bytes."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def _describe_contest(contest: Contest) -> Iterator[str]:
    jobs, ray = (statistics.median(contest.seconds[name]) for name in ("jobs", "ray"))
    rounds = len(contest.seconds["jobs"])
    how = " ".join(contest.arguments)
    yield f"{contest.jobs} jobs, {contest.jobs} actors; the median of {rounds} rounds; `{how}`."
    yield ""
    yield "| documents | local jobs, s | documents a second | on Ray, s | overhead |"
    yield "|---:|---:|---:|---:|---:|"
    rate = contest.documents / jobs
    yield f"| {contest.documents:,} | {jobs:.1f} | {rate:.1f} | {ray:.1f} | {contest.overhead:+.1%} |"
    yield ""


def _describe_start(start: Start) -> Iterator[str]:
    yield "| lines of the file | first row after, s | documents done | memory after a tenth, MB | after all |"
    yield "|---:|---:|---:|---:|---:|"
    early, late = start.early / 1e6, start.late / 1e6
    yield f"| {start.lines:,} | {start.first:.1f} | {start.documents:,} | {early:.0f} | {late:.0f} |"


if __name__ == "__main__":
    main()
