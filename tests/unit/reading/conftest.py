"""Builders of small sources that the tests of reading share."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from reading_samples import Answer


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file and return its path."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.fixture
def pack(tmp_path: Path) -> Callable[[str, Mapping[str, str | bytes]], Path]:
    """Pack members into a zip archive and return its path."""

    def pack_archive(name: str, members: Mapping[str, str | bytes]) -> Path:
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in members.items():
                archive.writestr(member, content)
        return path

    return pack_archive


@pytest.fixture
def serve() -> Callable[[Answer], contextmanager[str]]:
    """Serve requests on the loopback device with a function; yields the server's address."""

    @contextmanager
    def run(answer: Answer) -> Iterator[str]:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                try:
                    answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    return run
