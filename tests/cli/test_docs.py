"""What README and docs show works: every command line is understood, and what needs no model or network is run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas
from tiny_checkpoints import make_bart
from tiny_epub import write_epub

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SECONDS = 240


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Page and content of every code block of a language."""
    for page in PAGES:
        for block in re.findall(
            rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S
        ):
            yield page.name, block


def command_lines() -> list[tuple[str, list[str]]]:
    """Page and arguments of every call of lsum in a shell block."""
    found = []
    for page, block in blocks("sh"):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r"\||&&", line.split("  #")[0]):
                call = re.match(r"\s*(?:\S*/)?lsum\s+(.*)|.* -m lsum_cli (.*)", part)
                if call:
                    found.append((page, shlex.split(call[1] or call[2], comments=True)))
    return found


COMMANDS = command_lines()
COMMAND_IDS = [" ".join([page, *arguments])[:80] for page, arguments in COMMANDS]


def is_runnable(arguments: list[str]) -> bool:
    """Whether a command needs neither a checkpoint nor a network, nor opens a window, nor trains."""
    text = " ".join(arguments)
    if re.search(r"https?:|(^| )(-m|--model|--open)( |$)|--method book|\.(tar|bin)( |$)", text):
        return False
    if arguments[0] == "eval":
        return "--predictions" in arguments or ("compare" not in text and "--method extract" in text)
    return arguments[0] in ("summarize", "plan", "doctor") or arguments[:2] == ["models", "list"]


# Several pages show the same command.
RUNNABLE = [
    list(arguments) for arguments in dict.fromkeys(tuple(each) for _, each in COMMANDS if is_runnable(each))
]


def test_the_docs_show_commands_of_every_kind() -> None:
    shown = {arguments[0] for _, arguments in COMMANDS}
    assert shown >= {"summarize", "plan", "train", "eval", "models", "doctor"}
    assert len(RUNNABLE) > 12


@cache
def program() -> Any:
    """The program with all its commands."""
    import typer

    from lsum_cli.cli.app import make_app

    return typer.main.get_command(make_app())


@pytest.mark.parametrize(("page", "arguments"), COMMANDS, ids=COMMAND_IDS)
def test_every_command_of_the_docs_is_understood(page: str, arguments: list[str]) -> None:
    command, rest = program(), list(arguments)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    command.make_context("lsum", rest)  # raises where an option is unknown or a value is no good


PROSE = (
    "Salt marshes grow where mud settles faster than the sea carries it away. Grasses slow the water down. "
    "A marsh can rise by {0} millimetres a year. Where rivers are dammed, the marshes of valley {0} starve. "
    "Dredged mud has been spread on {0} drowning marshes, and most of them recovered within ten years."
)


@pytest.fixture
def desk(tmp_path: Path, files: Path) -> Path:
    """A folder of a command's own with the files that the docs speak of."""
    return Path(shutil.copytree(files, tmp_path / "desk"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the docs speak of."""
    desk = tmp_path_factory.mktemp("files")
    example = ROOT / "docs" / "examples" / "tide-tables.pdf"
    (desk / "docs").mkdir()
    shutil.copytree(example.parent, desk / "docs" / "examples")
    shutil.copy(example, desk / "paper.pdf")
    canvas = Canvas(str(desk / "report.pdf"))
    for page in range(40):
        for line, sentence in enumerate(PROSE.format(page + 2).split(". ")):
            canvas.drawString(72, 760 - 14 * line, sentence.rstrip(".") + ".")
        canvas.showPage()
    canvas.save()
    picture = pypdfium2.PdfDocument(str(desk / "report.pdf"))[0].render(scale=2).to_pil()
    picture.save(desk / "letter.png")
    scan = Canvas(str(desk / "scan.pdf"), pagesize=(612, 792))
    scan.drawImage(str(desk / "letter.png"), 0, 0, 612, 792)
    scan.save()
    for folder in ("news", "papers"):
        (desk / folder).mkdir()
        for number in range(2):
            (desk / folder / f"{number}.txt").write_text(PROSE.format(number + 3), encoding="utf-8")
    (desk / "papers" / "0.summary.txt").write_text("Marshes grow.", encoding="utf-8")
    (desk / "notes.txt").write_text(PROSE.format(7), encoding="utf-8")
    (desk / "book.txt").write_text("\n\n".join(PROSE.format(n) for n in range(9)), encoding="utf-8")
    (desk / "draft-1.pdf").write_bytes(example.read_bytes())
    (desk / "draft-2.pdf").write_bytes((desk / "report.pdf").read_bytes())
    for name in ("draft-1.html", "draft-1.json"):
        arguments = ["summarize", "draft-1.pdf", "-o", name, "-q"]
        assert run_here(desk, [sys.executable, "-m", "lsum_cli", *arguments]).returncode == 0
    write_epub(desk / "book.epub", "Marshes", {"Growth": PROSE.format(4), "Decline": PROSE.format(6)})
    write_mailbox(desk / "inbox.mbox", [PROSE.format(3), PROSE.format(5)])
    records = [
        {
            "id": f"r{n}",
            "text": "\n".join(PROSE.format(10 * n + k) for k in range(4)),
            "summary": PROSE.format(n)[:72],
        }
        for n in range(4)
    ]
    for name in ("train", "valid", "test", "papers"):
        lines = [json.dumps({**each, "body": each["text"], "gist": each["summary"]}) for each in records]
        keys = ("body", "gist") if name == "papers" else ("text", "summary")
        lines = [json.dumps({key: json.loads(line)[key] for key in ("id", *keys)}) for line in lines]
        (desk / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in ("system", "one", "other"):
        lines = [json.dumps({"id": each["id"], "summary": each["summary"]}) for each in records]
        (desk / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (desk / f"{name}.txt").write_text(
            "\n".join(each["summary"] for each in records) + "\n", encoding="utf-8"
        )
    (desk / "reference.txt").write_text(
        "\n".join(each["summary"] for each in records) + "\n", encoding="utf-8"
    )
    (desk / "reference.jsonl").write_text(
        (desk / "system.jsonl").read_text(encoding="utf-8"), encoding="utf-8"
    )
    return desk


def write_mailbox(path: Path, texts: list[str]) -> None:
    """A mailbox with a mail for each text."""
    path.write_text(
        "\n\n".join(
            f"From a@example.org Tue Mar  5 14:20:00 2024\nFrom: Ann <a@example.org>\nSubject: {number}\n\n{text}"
            for number, text in enumerate(texts)
        ),
        encoding="utf-8",
    )


def run_here(desk: Path, command: list[str], stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command,
        cwd=desk,
        env=environment,
        input=stdin.decode(),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize("arguments", RUNNABLE, ids=[" ".join(each)[:80] for each in RUNNABLE])
def test_commands_of_the_docs_run(desk: Path, request: pytest.FixtureRequest, arguments: list[str]) -> None:
    given = list(arguments)
    for position, argument in enumerate(given):
        if argument.endswith(".jsonl.xz"):
            given[position] = str(request.getfixturevalue("shared") / "data" / "corpora" / argument)
    if "--limit" in given:
        given[given.index("--limit") + 1] = "3"
    stdin = PROSE.format(5).encode() if "-" in given else b""
    done = run_here(desk, [sys.executable, "-m", "lsum_cli", *given], stdin)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() or {"-o", "--output"} & set(given), done.stderr


# What works with the models of ``transformers`` runs with small ones in ``tests/unit/models/test_auto.py``.
PYTHON = [(page, block) for page, block in blocks("python") if "lsum_cli.models.auto" not in block]


@pytest.mark.parametrize(("page", "block"), PYTHON, ids=[page for page, _ in PYTHON])
def test_python_of_the_docs_runs(desk: Path, page: str, block: str) -> None:
    if "load_checkpoint" in block:
        make_bart(desk / "my-checkpoint")
        block = re.sub(r'"distilbart[\w-]*"', '"./my-checkpoint"', block)
    block = block.replace("training.max_steps=100", "training.max_steps=1").replace(
        "resamples=1000", "resamples=100"
    )
    done = run_here(desk, [sys.executable, "-c", block])
    assert done.returncode == 0, done.stderr


def test_the_page_on_formats_names_every_format_and_suffix() -> None:
    from lsum_cli.reading.registry import FORMATS

    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    table = " ".join(line for line in page.splitlines() if line.startswith("|"))
    missing = [row.suffixes[0] for row in FORMATS if row.suffixes[0] not in table]
    assert not missing
