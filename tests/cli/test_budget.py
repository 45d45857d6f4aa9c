"""What a source may take: time, memory, and a process that dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from lsum_cli.errors import ExitCode

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps all the limits")


@pytest.fixture
def long_text(tmp_path):
    """A text that takes seconds to read."""
    path = tmp_path / "long.txt"
    sentence = "The gauge at the harbour of station {0} recorded {1} readings in the year before the storm. "
    path.write_text(
        "\n\n".join("".join(sentence.format(a, b) for b in range(6)) for a in range(4_000)), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--max-seconds", "0.5", "takes more than 0.5 s of processor time to read; give more with --max-sec"),
        ("--max-memory", "0.05", "takes more than 0.05 GB of memory to read; give more with --max-memory"),
    ],
)
def test_a_source_over_its_budget_is_one_line_and_the_others_are_done(
    lsum_anew, long_text, article, option, value, said
):
    result = lsum_anew("summarize", option, value, long_text)
    assert result.code == ExitCode.SOURCE
    assert result.stdout == ""
    assert f"lsum: error: {long_text} {said}" in result.stderr
    assert result.stderr.count("\n") == 1
    if option == "--max-seconds":
        both = lsum_anew("summarize", "--each", option, value, long_text, article, "-q", "-f", "markdown")
        assert both.code == ExitCode.PARTIAL
        assert "Salt Marshes" in both.stdout
    plan = lsum_anew("plan", option, value, long_text)
    assert plan.code == ExitCode.SOURCE


@pytest.mark.parametrize(("option", "value"), [("--max-seconds", "0"), ("--max-memory", "-1")])
def test_a_budget_of_nothing_is_wrong_usage(lsum_anew, article, option, value):
    assert lsum_anew("summarize", option, value, article).code == ExitCode.OPTION


def child_of(program: subprocess.Popen[bytes], others: set[int]) -> int:
    """The process that reads for a program, once it has worked a little."""
    while program.poll() is None:
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                state, parent, *rest = path.read_text().rpartition(")")[2].split()
                command = path.with_name("cmdline").read_bytes()
            except OSError:
                continue
            if int(parent) == program.pid and state != "Z" and b"resource_tracker" not in command:
                pid, ticks = int(path.parent.name), int(rest[9])
                if pid not in others and ticks > 50:
                    return pid
        time.sleep(0.02)
    raise AssertionError(program.communicate())


def start(*arguments: str | Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "lsum_cli", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def test_a_reading_process_that_dies_costs_one_try_then_one_line(long_text):
    program = start("summarize", long_text)
    os.kill(child_of(program, set()), signal.SIGKILL)
    stdout, stderr = program.communicate(timeout=240)
    assert (program.returncode, b"error" in stderr) == (0, False)
    assert stdout
    program = start("summarize", long_text)
    first = child_of(program, set())
    os.kill(first, signal.SIGSEGV)
    os.kill(child_of(program, {first}), signal.SIGSEGV)
    stdout, stderr = program.communicate(timeout=240)
    assert (program.returncode, stdout) == (ExitCode.SOURCE, b"")
    assert stderr.decode() == (
        f"lsum: error: {long_text} cannot be read: the process that reads it crashed (SIGSEGV);"
        " convert it to another format, or read a part of it\n"
    )


def test_an_interrupt_while_a_source_is_read_is_one_line(long_text):
    program = start("summarize", long_text)
    child = child_of(program, set())
    os.killpg(program.pid, signal.SIGINT)
    stdout, stderr = program.communicate(timeout=60)
    assert (program.returncode, stdout, stderr) == (ExitCode.INTERRUPTED, b"", b"lsum: interrupted\n")
    assert not Path(f"/proc/{child}").exists()


def write_pdf(path: Path, contents: list[bytes]) -> Path:
    """A PDF of pages with these contents."""
    pages = [f"{4 + 2 * number} 0 R" for number in range(len(contents))]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(pages)}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, content in enumerate(contents):
        packed = zlib.compress(content)
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
            b" /Contents %d 0 R >>" % (5 + 2 * number),
            b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed),
        ]
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    path.write_bytes(out)
    return path


def page_of(number: int) -> bytes:
    lines = [f"Tide {number} rose in harbour {line} and fell again before the evening." for line in range(12)]
    return (
        b"BT /F1 12 Tf 72 700 Td 14 TL " + b"".join(b"(%s) Tj T* " % line.encode() for line in lines) + b"ET"
    )


def test_a_page_over_its_limit_is_lost_and_counted_and_the_others_are_read(lsum_anew, tmp_path):
    endless = b"BT /F1 12 Tf " + b"(a) Tj 1 0 Td " * 59_000 + b"ET " + b"q Q " * 3_000_000
    path = write_pdf(tmp_path / "a.pdf", [page_of(1), endless, page_of(3)])
    result = lsum_anew("summarize", "--max-seconds", "6", "-f", "json", path)
    assert result.code == ExitCode.DONE, result.stderr
    coverage = json.loads(result.stdout)["coverage"]
    assert coverage["pdf_pages_without_text"] == [2]
    assert "PDF page 2 could not be read (damaged, or too complex)" in coverage["unknown"]
    assert "lsum: warning: PDF page 2 could not be read (damaged, or too complex)" in result.stderr
    assert "harbour" in result.stdout
    assert lsum_anew("summarize", "--max-seconds", "6", "--strict", path).code == ExitCode.INPUT_LOST
