"""Start-up time of the program: ``python -m benchmarks.startup``.

Runs the program, interleaved with a bare ``import typer`` and ``import torch``, and prints of each the
median of its wall-clock and of its processor time, and the median ratio of its processor time to that of
the import it is compared with. On a machine with other work only the ratios mean anything. All modules are
compiled beforehand, as those of an installed program are.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.corpora import default_data

LIMIT = 4.0
TYPER, TORCH = "python -c 'import typer'", "python -c 'import torch'"
LSUM = ("-m", "lsum_cli")
# Short, and English by its function words.
NOTE = "They could not say why it was there. We will meet them on Friday.\n"
PAGE = ("summarize", "page.txt", "--offline")


@dataclass(kw_only=True)
class Command:
    """A command and what it took, per round.

    Attributes:
        arguments: Of Python.
        compared: The name of the command that its time is a multiple of.
        seconds: Wall-clock time.
        processor: Processor time, of the processes that it started too.
    """

    arguments: tuple[str, ...]
    compared: str = TYPER
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


def list_commands() -> dict[str, Command]:
    """By their names; those that need the shared files only where these are."""
    pdfs = default_data() / "inputs" / "pdf"
    found = {
        TYPER: Command(arguments=("-c", "import typer")),
        TORCH: Command(arguments=("-c", "import torch"), compared=TORCH),
        "lsum --help": Command(arguments=(*LSUM, "--help")),
        "lsum summarize --nonsense": Command(arguments=(*LSUM, "summarize", "--nonsense")),
        "lsum summarize missing.pdf": Command(arguments=(*LSUM, "summarize", "missing.pdf")),
        "lsum plan article.md": Command(arguments=(*LSUM, "plan", "article.md")),
        "lsum plan note.txt": Command(arguments=(*LSUM, "plan", "note.txt")),
        "lsum page.txt": Command(arguments=(*LSUM, *PAGE)),
        "lsum page.txt -m lsum-mini": Command(arguments=(*LSUM, *PAGE, "-m", "lsum-mini"), compared=TORCH),
    }
    for name in ("paper-1col-jose-00240.pdf", "book-352p-freeculture.pdf"):
        if (pdfs / name).is_file():
            found[f"lsum {name}"] = Command(arguments=(*LSUM, "summarize", str(pdfs / name)))
    return found


def measure(rounds: int) -> dict[str, Command]:
    """All commands after interleaved rounds; one more before them warms the files."""
    commands = list_commands()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "article.md").write_text("# A\n\nOne sentence.\n\n# B\n\nAnother one.\n")
        (Path(folder) / "note.txt").write_text(NOTE)
        page = Path(__file__).parent.parent / "README.md"
        environment = os.environ | {"PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        words = page.read_text(encoding="utf-8").split()[:250]
        (Path(folder) / "page.txt").write_text(" ".join(words), encoding="utf-8")
        for number in range(rounds + 1):
            for command in commands.values():
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                started = time.perf_counter()
                subprocess.run(
                    [sys.executable, *command.arguments],
                    cwd=folder,
                    env=environment,
                    capture_output=True,
                    check=False,
                )
                if not number:
                    continue
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                command.seconds.append(time.perf_counter() - started)
                spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                command.processor.append(spent)
    return commands


def ratio(command: Command, commands: dict[str, Command]) -> float:
    """The median of the ratios of the rounds."""
    compared = commands[command.compared].processor
    return statistics.median(own / other for own, other in zip(command.processor, compared, strict=True))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    commands = measure(parser.parse_args().rounds)
    print("| command | seconds | CPU seconds | ratio | to |\n|---|---:|---:|---:|---|")
    for name, command in commands.items():
        seconds, spent = statistics.median(command.seconds), statistics.median(command.processor)
        times = ratio(command, commands)
        print(f"| `{name}` | {seconds:.2f} | {spent:.2f} | {times:.1f} | `{command.compared}` |")
    found = ratio(commands["lsum --help"], commands)
    if found > LIMIT:
        print(f"lsum --help takes {found:.1f} times a bare import of typer; the limit is {LIMIT}")
    return int(found > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
