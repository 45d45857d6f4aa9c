"""Servers on the loopback device that answer as no server should."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler

from loopback import serve


def answering(
    body: bytes, headers: Mapping[str, str], *, length: int | None = None
) -> AbstractContextManager[str]:
    """Serve one body at every address; yields the server's.

    Args:
        body: What is sent.
        headers: Besides the type, which is HTML, and the length.
        length: What is claimed to be the length; that of the body by default.
    """

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        for name, value in {"Content-Type": "text/html", **headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        handler.end_headers()
        handler.wfile.write(body)

    return serve(answer)
