"""How many words a file holds, as found by plain means that share nothing with the program's readers."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

_WORD = re.compile(r"[^\W\d_]{3,}")
# Up to the next ">", whatever stands between, quoted or not.
# An end tag that does not begin with a letter is a comment.
_TAG = re.compile(r"<[A-Za-z][^>]*>|</[^>]+>|<[!?][^>]*>")
_UNREAD_ELEMENT = re.compile(r"<(script|style|head|svg|math|template)\b.*?</\1\s*>|<!--.*?-->", re.S | re.I)
_TEXT_ELEMENT = {
    "docx": re.compile(r"<w:t(?:\s[^<>]*)?>([^<>]*)</w:t>"),
    "pptx": re.compile(r"<a:t(?:\s[^<>]*)?>([^<>]*)</a:t>"),
}
_SECONDS = 20


def count_words_of(text: str) -> int:
    """The number of words of three letters or more."""
    return len(_WORD.findall(text))


def count_words(path: Path, media_type: str) -> int:
    """The number of words of three letters or more in a file; 0 where no plain means exist.

    Args:
        path: The file.
        media_type: What the program took it for.
    """
    if media_type == "application/pdf":
        return _count_pdf(path)
    if media_type.endswith(("wordprocessingml.document", "presentationml.presentation")):
        pattern = _TEXT_ELEMENT["docx" if "word" in media_type else "pptx"]
        return sum(
            len(_WORD.findall(html.unescape(text)))
            for member in _members(path)
            for text in pattern.findall(member)
        )
    text = path.read_bytes().decode("utf-8", "replace")
    if media_type == "text/html":
        return len(_WORD.findall(html.unescape(_TAG.sub(" ", _UNREAD_ELEMENT.sub(" ", text)))))
    if media_type == "text/plain":
        return len(_WORD.findall(text))
    if media_type == "text/markdown":
        return len(_WORD.findall(_TAG.sub(" ", text)))
    # Commands, fields and directives of the others are words too, which no plain means can tell from text.
    return 0


def _count_pdf(path: Path) -> int:
    if shutil.which("pdftotext") is None:
        return 0
    try:
        found = subprocess.run(
            ["pdftotext", "-q", path, "-"], capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return 0
    return len(_WORD.findall(found.stdout.decode("utf-8", "replace")))


def _members(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if info.file_size < 50_000_000]
            named = {
                info.filename: info
                for info in infos
                if re.search(r"word/document\.xml|slides/s\d+\.xml$", info.filename)
            }
            return [archive.read(info).decode("utf-8", "replace") for info in named.values()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return []
