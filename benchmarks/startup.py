"""Start-up time of the program: ``python -m benchmarks.startup``.

Runs `lsum --help`, an unknown flag, a missing file and `lsum plan` of a short text, interleaved with a
bare ``import typer``, and prints the median of each with its ratio to the bare import.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 4.0

COMMANDS = {
    "python -c 'import typer'": ["-c", "import typer"],
    "lsum --help": ["-m", "lsum_cli", "--help"],
    "lsum summarize --nonsense": ["-m", "lsum_cli", "summarize", "--nonsense"],
    "lsum summarize missing.pdf": ["-m", "lsum_cli", "summarize", "missing.pdf"],
    "lsum plan article.md": ["-m", "lsum_cli", "plan", "article.md"],
    "python -c 'import torch'": ["-c", "import torch"],
}


def measure(rounds: int) -> dict[str, float]:
    """Median wall-clock seconds of every command over interleaved rounds."""
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "article.md").write_text("# A\n\nOne sentence.\n\n# B\n\nAnother one.\n")
        for _ in range(rounds):
            for name, arguments in COMMANDS.items():
                started = time.perf_counter()
                subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, check=False)
                seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(values) for name, values in seconds.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    medians = measure(parser.parse_args().rounds)
    bare = next(iter(medians.values()))
    print("| command | seconds | ratio to `import typer` |\n|---|---|---|")
    for name, value in medians.items():
        print(f"| `{name}` | {value:.2f} | {value / bare:.1f} |")
    ratio = medians["lsum --help"] / bare
    if ratio > LIMIT:
        print(f"lsum --help takes {ratio:.1f} times a bare import of typer; the limit is {LIMIT}")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
