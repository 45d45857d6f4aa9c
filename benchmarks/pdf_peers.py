"""Other programs that take the text out of a PDF, each as its makers recommend, for comparison."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

_BROKEN = re.compile(r"(\w)[-‐\u00ad\ufffe]\s*\n\s*(?=[a-z])")


def pypdf_text(path: Path) -> str:
    """The text of all pages by pypdf."""
    from pypdf import PdfReader

    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(path.read_bytes())).pages)


def pdfium_text(path: Path) -> str:
    """The text of all pages by pdfium, which Chrome uses."""
    import pypdfium2

    document = pypdfium2.PdfDocument(str(path))
    try:
        return "\n".join(page.get_textpage().get_text_bounded().replace("\r\n", "\n") for page in document)
    finally:
        document.close()


def pdftotext_text(path: Path) -> str:
    """The text of all pages by poppler, in its reading order."""
    done = subprocess.run(["pdftotext", "-enc", "UTF-8", str(path), "-"], check=True, capture_output=True)
    return done.stdout.decode("utf-8", errors="replace")


def joined(text: str) -> str:
    """Words broken at line ends made whole: the peers leave that to their user."""
    return _BROKEN.sub(r"\1", text)


def installed() -> dict[str, Callable[[Path], str]]:
    """The peers that can be run here."""
    peers: dict[str, Callable[[Path], str]] = {"pypdf": pypdf_text}
    try:
        import pypdfium2  # noqa: F401

        peers["pypdfium2"] = pdfium_text
    except ImportError:
        pass
    if shutil.which("pdftotext"):
        peers["pdftotext"] = pdftotext_text
    return peers
