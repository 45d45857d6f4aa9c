"""What a damaged source lost, nobody knows: no output may sound as if everything had been read."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from tiny_epub import write_epub

from lsum_cli import read
from lsum_cli.errors import ExitCode, SourceError

ROOT = Path(__file__).resolve().parents[2]


def book_without_chapters(path: Path) -> Path:
    """A book of 20 chapters, 19 of which are not in the archive."""
    whole = write_epub(
        path.with_suffix(".whole"),
        "Tides",
        {
            f"Part {n}": f"Gauge {n} stood in the harbour. Its readings were kept in a book."
            for n in range(20)
        },
    )
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            if not re.fullmatch(r"c(1?\d)\.xhtml", name) or name == "c3.xhtml":
                target.writestr(name, source.read(name))
    return path


def truncated_pdf(path: Path) -> Path:
    """A PDF of which the second half did not arrive."""
    content = (ROOT / "docs" / "examples" / "tide-tables.pdf").read_bytes()
    last = content.rindex(b"endobj", 0, content.rindex(b"startxref"))
    for cut in range(last, len(content) // 4, -500):
        path.write_bytes(content[:cut])

        try:
            document = read(path)
        except SourceError:
            continue
        if document.metadata.unknown:
            return path
    raise AssertionError("no part of the example can be read")


def truncated_mail(path: Path) -> Path:
    path.write_text(
        "From: Ann <ann@example.org>\nDate: Tue, 5 Mar 2024 14:20:00 +0000\nSubject: Tides\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="xx"\n\n--xx\nContent-Type: text/plain\n\n'
        "The tide rises in the harbour every day at noon. It falls in the evening, before"
    )
    return path


@pytest.mark.parametrize(
    ("make", "name", "lost"),
    [
        (book_without_chapters, "book.epub", "19 of 20 chapters are missing in the book"),
        (truncated_pdf, "paper.pdf", "the file is cut off: "),
        (truncated_mail, "mail.eml", "the mail is cut off: its last part has no end"),
    ],
)
def test_every_output_says_what_is_lost_and_strict_fails(lsum, tmp_path, make, name, lost):
    source = make(tmp_path / name)
    for form in ("text", "markdown", "html", "json"):
        result = lsum("summarize", "--length", "1", "-f", form, source)
        assert result.code == ExitCode.DONE
        assert f"lsum: warning: {lost}" in result.stderr
        assert "complete" not in result.stdout.lower()
        if form == "json":
            coverage = json.loads(result.stdout)["coverage"]
            assert any(phrase.startswith(lost) for phrase in coverage["unknown"])
        elif form != "text":
            assert lost in result.stdout
            assert re.search(r"[\d,]+ of at least [\d,]+ tokens read", result.stdout)
    strict = lsum("summarize", "--length", "1", "--strict", source)
    assert strict.code == ExitCode.INPUT_LOST
    assert strict.stdout
    assert strict.stderr.splitlines()[-1].startswith(f"lsum: error: {lost}")
    assert "at least" in lsum("plan", source).stdout


def test_what_is_lost_is_said_where_no_text_is_left(lsum, tmp_path):
    path = tmp_path / "page.html"
    entry = "<p>Smith, J. (2001). The tides of the harbour. Journal of Tides 4, 12-19.</p>"
    path.write_text(f"<html><body><h2>References</h2>{entry}{entry}<!-- the rest", encoding="utf-8")
    result = lsum("summarize", path)
    assert result.code == ExitCode.SOURCE
    assert "contains no text to summarise: the page ends within a comment" in result.stderr
