"""``lsum summarize --method book`` and Top-Down checkpoints, from the outside."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from tiny_epub import write_epub
from tiny_topdown import save_topdown

import lsum_cli

SCHEMA = Path(lsum_cli.__file__).parent / "rendering" / "schemas" / "summary-1.schema.json"
QUIET = {"OMP_NUM_THREADS": "1"}
WORDS = [
    "The marsh rise.",
    "A bird slow the sea.",
    "Mud cost grass.",
    "The river rise.",
    "The dam slow the wall.",
]
CHAPTERS = {
    "CHAPTER I": " ".join(WORDS * 12),
    "CHAPTER II": " ".join(WORDS[::-1] * 12),
    "CHAPTER III": "Only three words.",
}
BOOK = ("--method", "book", "--beams", "1", "--max-tokens", "20", "--dtype", "float32")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    return save_topdown(folder, max_source_positions=2048, attention_window=32)


@pytest.fixture
def book(tmp_path) -> Path:
    path = tmp_path / "marsh.txt"
    path.write_text("\n\n\n".join(f"{heading}\n\n{text}" for heading, text in CHAPTERS.items()))
    return path


def test_an_epub_goes_by_its_chapters_and_shows_them(lsum, checkpoint, tmp_path):
    epub = write_epub(tmp_path / "book.epub", "Marshes", CHAPTERS)
    home = {"LSUM_HOME": str(tmp_path / "home")}
    result = lsum(
        "summarize", epub, "-m", checkpoint, *BOOK, "--show-chapters", "-f", "json", **QUIET, **home
    )
    assert result.code == 0, result.stderr
    summary = json.loads(result.stdout)
    jsonschema.validate(summary, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert (summary["method"], summary["title"]) == ("book", "Marshes")
    assert [page["label"] for page in summary["pages"]] == list(CHAPTERS)
    assert [chapter["page"] for chapter in summary["chapters"]] == [0, 1, 2]
    assert summary["chapters"][2]["text"] == "Only three words."
    assert {s["attribution"]["kind"] for s in summary["sentences"]} == {"attention"}
    assert "1 chapter is as short as a summary" in result.stderr


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("text", r"\nCHAPTER III\n-----------\nOnly three words\.\n"),
        (
            "markdown",
            r"## Chapters\n\n### CHAPTER I\n\n(.+\n)+\n### CHAPTER II\n(.+\n|\n)+### CHAPTER III\n\nOnly three",
        ),
        (
            "html",
            r">Chapters</span>.*<h2 dir=\"auto\">CHAPTER III</h2><p><span class=\"sentence\"[^>]*>Only three words\.<",
        ),
        ("rich", r"\nCHAPTER III\s*\nOnly three words\."),
    ],
)
def test_chapters_are_shown_in_every_format(lsum_here, checkpoint, book, format, expected):
    arguments = ("summarize", book, "-m", checkpoint, *BOOK, "-f", format)
    code, shown, _ = lsum_here(*arguments, "--show-chapters")
    assert code == 0
    assert re.search(expected, shown), shown
    _, hidden, _ = lsum_here(*arguments)
    assert not re.search(expected, hidden)


def test_a_run_that_was_interrupted_is_resumed(lsum_here, checkpoint, book, tmp_path):
    home = tmp_path / "home"
    environment = {**QUIET, "LSUM_HOME": str(home)}
    arguments = ["summarize", str(book), "-m", str(checkpoint), *BOOK]
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *arguments],
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )
    try:
        waited = time.monotonic() + 120
        while not list(home.glob("books/*/chapter-0001.json")):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < waited
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"Traceback" not in errors
    code, out, err = lsum_here(*arguments)
    assert (code, bool(out)) == (0, True)
    assert "lsum: resumed: 1 of 3 chapters were done\n" in err
    assert list((home / "books").glob("[!.]*")) == []


# Waits, once the first chapter is cached, to be interrupted.
INTERRUPTIBLE = """
import sys, time
from lsum_cli.methods.chapter_cache import ChapterCache
from lsum_cli.cli.app import run
save = ChapterCache.save
def save_and_wait(self, page, chapter):
    save(self, page, chapter)
    time.sleep(60)
ChapterCache.save = save_and_wait
sys.exit(run(sys.argv[1:]))
"""


def test_a_book_without_a_checkpoint_is_extracted_by_chapters(lsum_here, book):
    code, out, err = lsum_here("summarize", book, "--method", "book", "-f", "json")
    summary = json.loads(out)
    assert (code, summary["method"], summary["checkpoint"]) == (0, "extract", None)
    assert [page["label"] for page in summary["pages"]] == list(CHAPTERS)
    assert "no checkpoint is installed: sentences are extracted" in err


def test_pooling_oracle_without_references_is_wrong_usage(lsum_here, checkpoint, book):
    code, out, err = lsum_here("summarize", book, "-m", checkpoint, "--pooling", "oracle")
    assert (code, out) == (2, "")
    assert err.endswith(
        "pooling oracle needs a reference summary, and there is none; choose --pooling avg or ada;"
        " only lsum eval has references\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Mud.",
        "It was what it was, and there they were.",
        "CHAPTER I\n\nMud.\n\n\nCHAPTER II\n\nThe sea rose.",
    ],
)
@pytest.mark.parametrize("method", ["topdown", "book"])
def test_hardly_any_text(lsum_here, checkpoint, tmp_path, text, method):
    path = tmp_path / "short.txt"
    path.write_text(text)
    code, out, err = lsum_here("summarize", path, "-m", checkpoint, *BOOK[2:], "--method", method)
    assert (code, bool(out.strip())) == (0, True), err


def test_a_text_of_many_words_without_chapters(lsum_here, checkpoint, tmp_path):
    path = tmp_path / "long.txt"
    sentence = f"{' '.join(['The marsh rise'] * 20)}."
    path.write_text("\n\n".join(" ".join([sentence] * 8) for _ in range(80)))
    arguments = ("summarize", path, "-m", checkpoint, *BOOK[2:], "-f", "json", "--no-attribution")
    code, out, _ = lsum_here(*arguments)
    summary = json.loads(out)
    assert (code, summary["method"]) == (0, "book")
    parts = len(summary["pages"])
    assert [page["label"] for page in summary["pages"]] == [f"part {n}/{parts}" for n in range(1, parts + 1)]
    assert parts > 4
    assert summary["coverage"]["tokens_dropped"] == 0


def test_chapters_are_extracted_where_no_checkpoint_summarises_them(lsum_here, book):
    code, out, _ = lsum_here("summarize", book, "--show-chapters", "-f", "json")
    chapters = json.loads(out)["chapters"]
    assert (code, [chapter["page"] for chapter in chapters]) == (0, [0, 1, 2])
    assert chapters[2]["text"] == "Only three words."


def test_a_plan_of_a_book(lsum_here, checkpoint, book):
    code, out, _ = lsum_here("plan", book, "-m", checkpoint, "--method", "book", "-f", "json")
    plan = json.loads(out)
    assert (code, plan["method"]) == (0, "book")
    assert [page["label"] for page in plan["pages"]] == list(CHAPTERS)
    assert plan["page_tokens"] == max(page["tokens"] for page in plan["pages"])
