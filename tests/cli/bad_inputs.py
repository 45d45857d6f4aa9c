"""Makers of bad input: each writes a file or starts a server and returns what to give to lsum."""

from __future__ import annotations

import io
import itertools
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pypdf
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde"
    b"\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef\x00\x00\x00\x00IEND\xaeB`\x82"
)


def make_pdf(path: Path, pages: int = 3) -> Path:
    canvas = Canvas(str(path), invariant=1)
    for number in range(1, pages + 1):
        for line in range(30):
            canvas.drawString(72, 760 - 20 * line, f"Line {line} of page {number} tells of tides.")
        canvas.showPage()
    canvas.save()
    return path


def make_encrypted_pdf(path: Path, password: str = "secret") -> Path:
    writer = pypdf.PdfWriter(clone_from=make_pdf(path.with_name("plain.pdf")))
    writer.encrypt(password, algorithm="AES-256")
    writer.write(path)
    return path


def make_scanned_pdf(path: Path, pages: int = 2) -> Path:
    canvas = Canvas(str(path), invariant=1)
    for _ in range(pages):
        canvas.drawImage(ImageReader(io.BytesIO(PNG)), 50, 50, 400, 600)
        canvas.showPage()
    canvas.save()
    return path


def make_mixed_pdf(path: Path) -> Path:
    """Two pages of text, a scanned one and a blank one."""
    writer = pypdf.PdfWriter(clone_from=make_pdf(path.with_name("text.pdf"), pages=2))
    writer.add_page(pypdf.PdfReader(make_scanned_pdf(path.with_name("scan.pdf"), 1)).pages[0])
    writer.add_blank_page(200, 200)
    writer.write(path)
    return path


def make_truncated_pdf(path: Path) -> Path:
    content = make_pdf(path.with_name("whole.pdf"), pages=8).read_bytes()
    path.write_bytes(content[: len(content) // 3])
    return path


def make_large_text(path: Path, num_bytes: int) -> Path:
    line = b"The tide rises and the tide falls, and nobody counts how often it does so. " * 20 + b"\n"
    with path.open("wb") as file:
        for _ in range(num_bytes // len(line) + 1):
            file.write(line)
    return path


def make_nested_html(path: Path, depth: int = 200_000) -> Path:
    path.write_text("<html><body>" + "<div>" * depth + "Deep down a sentence." + "</div>" * depth)
    return path


def make_zip_bomb(path: Path, num_bytes: int = 400_000_000) -> Path:
    """An EPUB whose only chapter unpacks to far more than it should."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="book.opf"/></rootfiles></container>',
        )
        archive.writestr(
            "book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
            '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="c"/></spine></package>',
        )
        with archive.open("c.xhtml", "w", force_zip64=True) as chapter:
            block = b"<p>" + b" " * (1 << 20)
            for _ in range(num_bytes // len(block)):
                chapter.write(block)
    return path


def make_odt_bomb(path: Path, num_bytes: int = 300_000_000) -> Path:
    """An OpenDocument text whose content unpacks to far more than it should."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        with archive.open("content.xml", "w") as content:
            for _ in range(num_bytes >> 20):
                content.write(b" " * (1 << 20))
    return path


TEX_BOMB = (
    "".join(rf"\def\{a}{{{(chr(92) + b) * 30}}}" for a, b in itertools.pairwise("abcdefghi"))
    + r"\def\i{tide }\begin{document}\a\end{document}"
).encode()
PICTURE_MAIL = (
    b"From: ann@example.org\nSubject: Look\nDate: Tue, 5 Mar 2024 14:20:00 +0100\nMIME-Version: 1.0\n"
    b'Content-Type: image/png; name="tide.png"\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n'
)
LOCKED_OFFICE_FILE = (
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1_016) + "EncryptedPackage".encode("utf-16-le") + bytes(2_000)
)


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind = self.path.strip("/").split("/")[0]
        getattr(self, f"answer_{kind}", self.answer_missing)()

    def answer_missing(self) -> None:
        self.send_error(404)

    def answer_binary(self) -> None:
        self._send("application/octet-stream", bytes(range(256)) * 100)

    def answer_loop(self) -> None:
        self.send_response(302)
        self.send_header("Location", f"/loop/{time.monotonic_ns()}")
        self.end_headers()

    def answer_slow(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b"<p>drip</p>")
            self.wfile.flush()
            time.sleep(0.2)

    def answer_silent(self) -> None:
        time.sleep(20)

    def answer_article(self) -> None:
        body = "<h1>Café tides</h1><p>The tide in the café rose slowly.</p><p>Nobody minded the water.</p>"
        page = f"<html><head><title>Café tides</title></head><body><article>{body}</article></body></html>"
        self._send("text/html; charset=iso-8859-1", page.encode("iso-8859-1"))

    def _send(self, content_type: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # the client gave up, which is what is being tested


@contextmanager
def serve() -> Iterator[str]:
    """A server on loopback; yields its address."""
    server = _Server(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def make_empty_folder(path: Path) -> Path:
    path.mkdir()
    (path / "picture.gif").write_bytes(b"GIF89a" + bytes(20))
    (path / ".hidden.txt").write_text("Hidden.")
    return path


def write(content: bytes) -> Callable[[Path], Path]:
    def make(path: Path) -> Path:
        path.write_bytes(content)
        return path

    return make
