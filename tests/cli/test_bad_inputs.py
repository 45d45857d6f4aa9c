"""Every bad input has its exit code and one line that says what next, soon and in little memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import bad_inputs
import pytest

from lsum_cli.reading.ocr.engines import find_engine

SECONDS = 10
MEMORY_BYTES = 1 << 30
# Slower and busy machines may take longer.
PATIENCE = 6

FILES = {
    "missing.pdf": (lambda path: path, "does not exist"),
    "folder": (bad_inputs.make_empty_folder, "contains no supported file"),
    "empty.txt": (bad_inputs.write(b""), "contains no text"),
    "blank.txt": (bad_inputs.write(b" \n\n\t \n"), "contains no text"),
    "locked.pdf": (bad_inputs.make_encrypted_pdf, "--password"),
    "scan.pdf": (bad_inputs.make_scanned_pdf, "none was recognised" if find_engine() else "lsum-cli[ocr]"),
    "picture.pdf": (bad_inputs.write(bad_inputs.PNG), "PNG"),
    "nothing.pdf": (bad_inputs.write(b"%PDF-1.7\n"), "cut off"),
    "large.txt": (lambda path: bad_inputs.make_large_text(path, 100_000_000), "too large"),
    "bomb.epub": (bad_inputs.make_zip_bomb, "unpack"),
    "bomb.odt": (bad_inputs.make_odt_bomb, "unpack"),
    "bomb.tex": (bad_inputs.write(bad_inputs.TEX_BOMB), "expand without end"),
    "deep.rtf": (bad_inputs.write(b"{\\rtf1 " + b"{" * 3_000_000), "nests its groups too deeply"),
    "empty.ipynb": (bad_inputs.write(b'{"cells": [], "metadata": {}, "nbformat": 4}'), "contains no text"),
    "picture.eml": (bad_inputs.write(bad_inputs.PICTURE_MAIL), "contains no text: only tide.png"),
    "locked.pptx": (bad_inputs.write(bad_inputs.LOCKED_OFFICE_FILE), "protected by a password"),
    "records.json": (bad_inputs.write(b'{"title": "Tides"}'), "JSON data"),
    "archive.zip": (bad_inputs.write(b"PK\x05\x06" + bytes(18)), "archive"),
    "noise.bin": (bad_inputs.write(bytes(range(256)) * 40), "binary"),
}


def run(folder: Path, *arguments: str | Path) -> tuple[int, str, str]:
    """Run lsum within the limits of time and memory."""

    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))

    process = subprocess.run(
        [sys.executable, "-m", "lsum_cli", *map(str, arguments)],
        capture_output=True,
        cwd=folder,
        env=dict(os.environ),
        timeout=SECONDS * PATIENCE,
        preexec_fn=limit_memory,
        check=False,
    )
    return process.returncode, process.stdout.decode(), process.stderr.decode()


def assert_one_line(stderr: str, part: str) -> None:
    lines = stderr.splitlines()
    assert len(lines) == 1, stderr
    assert lines[0].startswith("lsum: error: ")
    assert "; " in lines[0], "the line does not say what next"
    assert part in lines[0]


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file(name, tmp_path):
    make, part = FILES[name]
    source = make(tmp_path / name)
    code, stdout, stderr = run(tmp_path, "summarize", source)
    assert (code, stdout) == (3, "")
    assert_one_line(stderr, part)


def test_a_wrong_password(tmp_path):
    source = bad_inputs.make_encrypted_pdf(tmp_path / "locked.pdf")
    code, stdout, stderr = run(tmp_path, "summarize", source, "--password", "wrong")
    assert (code, stdout) == (3, "")
    assert_one_line(stderr, "password")
    assert run(tmp_path, "summarize", source, "--password", "secret")[0] == 0


def test_a_truncated_pdf_is_an_error_or_says_what_is_missing(tmp_path):
    source = bad_inputs.make_truncated_pdf(tmp_path / "cut.pdf")
    code, stdout, stderr = run(tmp_path, "summarize", source)
    assert code in (0, 3)
    assert (code == 0) == bool(stdout)
    assert "damaged" in stderr or "cut" in stderr


def test_deeply_nested_html(tmp_path):
    source = bad_inputs.make_nested_html(tmp_path / "deep.html")
    code, stdout, stderr = run(tmp_path, "summarize", source)
    assert code in (0, 3)
    if code == 0:
        assert "Deep down a sentence." in stdout
    else:
        assert_one_line(stderr, "nested")


def test_invalid_utf8_is_read_and_said(tmp_path):
    source = tmp_path / "broken.txt"
    source.write_bytes(
        b"The tide rises. " * 40 + b"A caf\xc3\xa9 and a bad \xff\xfe\xfa byte. " + b"It falls. " * 40
    )
    code, stdout, stderr = run(tmp_path, "summarize", source)
    assert code == 0
    assert stdout
    assert "warning" in stderr


def test_strict_minds_a_scanned_page_but_no_blank_one(tmp_path):
    source = bad_inputs.make_mixed_pdf(tmp_path / "mixed.pdf")
    code, stdout, stderr = run(tmp_path, "summarize", source, "--strict", "-f", "json")
    assert code == 10
    coverage = json.loads(stdout)["coverage"]
    assert (coverage["pdf_pages_without_text"], coverage["pdf_pages_blank"]) == ([3, 4], [4])
    assert "PDF page 3" in stderr
    assert run(tmp_path, "summarize", source, "--strict", "--pdf-pages", "1,2,4")[0] == 0


@pytest.mark.parametrize("pages", ["0", "9", "2-1", "x", "1,,2", ""])
def test_pdf_pages_that_are_not_there(tmp_path, pages):
    source = bad_inputs.make_pdf(tmp_path / "three.pdf")
    code, stdout, stderr = run(tmp_path, "summarize", source, "--pdf-pages", pages)
    assert (code, stdout) == (2, "")
    assert_one_line(stderr, "page")


ADDRESSES = {
    "missing": ("404", ["--timeout", "8"]),
    "binary": ("binary", ["--timeout", "8"]),
    "loop": ("redirect", ["--timeout", "8"]),
    "slow": ("second", ["--timeout", "1"]),
    "silent": ("second", ["--timeout", "1"]),
}


@pytest.mark.parametrize("kind", ADDRESSES)
def test_a_bad_address(kind, tmp_path):
    part, options = ADDRESSES[kind]
    with bad_inputs.serve() as address:
        started = time.monotonic()
        code, stdout, stderr = run(tmp_path, "summarize", f"{address}/{kind}", *options)
        assert time.monotonic() - started < SECONDS * PATIENCE
    assert (code, stdout) == (3, "")
    assert_one_line(stderr, part)


def test_an_address_where_nobody_listens(tmp_path):
    code, stdout, stderr = run(tmp_path, "summarize", "http://127.0.0.1:9/")
    assert (code, stdout) == (3, "")
    assert_one_line(stderr, "127.0.0.1:9")


def test_offline_asks_nobody(tmp_path):
    with bad_inputs.serve() as address:
        code, stdout, stderr = run(tmp_path, "summarize", f"{address}/article", "--offline")
    assert (code, stdout) == (3, "")
    assert_one_line(stderr, "offline")


def test_a_web_page_is_fetched_and_summarised(tmp_path):
    with bad_inputs.serve() as address:
        code, stdout, stderr = run(tmp_path, "summarize", f"{address}/article", "-f", "json")
    assert code == 0, stderr
    summary = json.loads(stdout)
    assert summary["title"] == "Café tides"
    assert summary["documents"][0]["source"] == f"{address}/article"
    assert "Nobody minded the water." in summary["text"]


def test_a_read_only_output_folder(tmp_path):
    source = bad_inputs.make_pdf(tmp_path / "three.pdf")
    code, stdout, stderr = run(tmp_path, "summarize", source, "-o", "nowhere/summary.txt")
    assert (code, stdout) == (8, "")
    assert_one_line(stderr, "nowhere")
