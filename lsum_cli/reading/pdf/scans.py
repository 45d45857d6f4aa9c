"""Pages of a PDF as images, and what is recognised in them as lines for the layout.

Pages are rendered in a process of their own, with limits of time and memory: what a hostile file does to
the renderer ends there.
"""

from __future__ import annotations

import contextlib
import json
import math
import subprocess
import sys
import threading
from typing import IO, Any

from lsum_cli.reading.ocr.engines import EngineFailure
from lsum_cli.reading.ocr.pages import (
    DPI,
    MAX_SIDE,
    POINTS_PER_INCH,
    SUITABLE_PIXELS,
    PageImage,
    RecognisedPage,
)
from lsum_cli.reading.pdf.fonts import unknown_font
from lsum_cli.reading.pdf.lines import PageLines, read_lines
from lsum_cli.reading.pdf.text_operators import PageContent, Run

PAGE_SECONDS = 20.0
MEMORY_BYTES = 4 << 30
# A file that fails so often is not tried further.
_MAX_FAILURES = 3


class PageRenderer:
    """Renders the pages of a PDF; may be called by several threads. A context manager that ends the process.

    Args:
        content: The file.
        password: Its password, if it is encrypted.
    """

    def __init__(self, content: bytes, password: str | None) -> None:
        self._content = content
        self._password = password
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._lock = threading.Lock()

    def __enter__(self) -> PageRenderer:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def __call__(self, number: int) -> PageImage:
        """The image of a page, numbered from 1.

        Raises:
            EngineFailure: It cannot be rendered, or not within the limits.
        """
        with self._lock:
            if self._failures >= _MAX_FAILURES:
                raise EngineFailure("its pages are too complex to be rendered")
            try:
                return self._render(number)
            except (OSError, ValueError) as error:
                self._failures += 1
                self._end()
                raise EngineFailure("it is too complex to be rendered") from error

    def _render(self, number: int) -> PageImage:
        process = self._process or self._begin()
        assert process.stdin is not None
        assert process.stdout is not None
        watch = threading.Timer(PAGE_SECONDS, process.kill)
        watch.start()
        try:
            _send(process.stdin, {"page": number})
            answer = _receive(process.stdout)
            if "error" in answer:
                raise EngineFailure(f"it cannot be rendered: {answer['error']}")
            width, height = int(answer["width"]), int(answer["height"])
            pixels = _take(process.stdout, width * height)
        finally:
            watch.cancel()
        return PageImage(pixels=pixels, width=width, height=height, dpi=float(answer["dpi"]))

    def _begin(self) -> subprocess.Popen[bytes]:
        self._process = process = subprocess.Popen(  # noqa: S603 - this program
            # -P: no module of the current folder.
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        _send(process.stdin, {"bytes": len(self._content), "password": self._password})
        process.stdin.write(self._content)
        process.stdin.flush()
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            process.wait()


def _send(pipe: IO[bytes], message: dict[str, Any]) -> None:
    pipe.write(json.dumps(message).encode() + b"\n")
    pipe.flush()


def _receive(pipe: IO[bytes]) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(pipe.readline())
    return message


def _take(pipe: IO[bytes], length: int) -> bytes:
    data = pipe.read(length)
    if len(data) < length:
        raise ValueError("the renderer ended")
    return data


def serve() -> None:
    """Render the pages that are asked for on standard input, until it ends; images go to standard output."""
    import pypdfium2

    with contextlib.suppress(ImportError, ValueError, OSError):  # not every system has such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    opening = _receive(asked)
    content = _take(asked, opening["bytes"])
    file: Any = None
    for line in asked:
        try:
            file = file or pypdfium2.PdfDocument(content, password=opening["password"])
            page = file[json.loads(line)["page"] - 1]
            scale = _scale(*page.get_size())
            bitmap = page.render(scale=scale, grayscale=True)
            grey = bitmap.to_numpy()
            height, width = grey.shape[:2]
            pixels = grey.reshape(height, -1)[:, :width].tobytes()
            bitmap.close()
            page.close()
        except (pypdfium2.PdfiumError, IndexError) as error:
            _send(answers, {"error": str(error)})
            continue
        _send(answers, {"width": width, "height": height, "dpi": scale * POINTS_PER_INCH})
        answers.write(pixels)
        answers.flush()


def _scale(width: float, height: float) -> float:
    """Pixels per point: as the engines like it, less for a page as large as a poster."""
    longest, area = max(width, height, 1.0), max(width * height, 1.0)
    return min(DPI / POINTS_PER_INCH, MAX_SIDE / longest, math.sqrt(SUITABLE_PIXELS / area))


def to_page_lines(page: RecognisedPage, number: int) -> PageLines:
    """The lines of a recognised page, joined as those of other pages are."""
    content = PageContent(runs=_runs(page), drawn=True)
    return read_lines(content, number, (0.0, 0.0, page.width, page.height))


def _runs(page: RecognisedPage) -> list[Run]:
    fonts = {False: unknown_font(), True: unknown_font()}
    fonts[True].bold = True
    return [
        Run(
            text=line.text,
            x0=line.x0,
            x1=line.x1,
            y=line.y,
            size=line.size,
            font=fonts[line.bold],
            direction=0,
            artifact=False,
        )
        for line in page.lines
    ]


if __name__ == "__main__":
    serve()
