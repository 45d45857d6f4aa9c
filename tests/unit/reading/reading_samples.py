"""What the tests of reading share besides their fixtures."""

from __future__ import annotations

from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler

from loopback import Answer

from lsum_cli.documents import Document

PROSE = "This is a paragraph of ordinary prose that goes on for a while, as prose does, before it ends."


def words_of(document: Document) -> list[str]:
    """All words of the sentences, in order."""
    return document.text.split()


def headings_of(document: Document) -> list[tuple[int, str | None]]:
    return [(section.level, section.heading) for section in document.sections]


def left_out_of(document: Document) -> dict[str, int]:
    return {left_out.what: left_out.words for left_out in document.metadata.left_out}


def answer_with(
    body: bytes, content_type: str = "text/html", status: int = 200, headers: Mapping[str, str] | None = None
) -> Answer:
    """An answer that is the same for every request."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", content_type)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer
