"""Recognising the pages of a source, several at a time; what was recognised once is kept."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lsum_cli.errors import MissingDependency
from lsum_cli.machine.storage import cache_path
from lsum_cli.progress import ProgressEvent, ProgressListener
from lsum_cli.reading.ocr.engines import INSTALL, Engine, EngineFailure, find_engine
from lsum_cli.reading.ocr.pages import DPI, PageImage, RecognisedPage, evened
from lsum_cli.text.languages import detect

# Changes whenever what is kept of a page changes.
_CACHE_VERSION = 2
_MAX_JOBS = 32
_STAGE = "recognising text"
_PAGES_TO_TELL_LANGUAGE = 4

Render = Callable[[int], PageImage]


@dataclass(frozen=True, kw_only=True)
class Recognition:
    """What was recognised in the pages of a source.

    Attributes:
        pages: By number, those with text only; straight, with even sizes.
        engine: The engine's name.
        uncertain_words: How many words were left out as too uncertain.
        warnings: For the user, one line each.
    """

    pages: dict[int, RecognisedPage]
    engine: str
    uncertain_words: int
    warnings: tuple[str, ...]


def need_engine(what: str) -> Engine:
    """The engine on this machine.

    Args:
        what: What cannot be done without one, for the message.

    Raises:
        MissingDependency: There is none.
    """
    engine = find_engine()
    if engine is None:
        raise MissingDependency(f"{what} needs an OCR engine, and none is installed", INSTALL)
    return engine


def recognise(
    numbers: Sequence[int],
    render: Render,
    content: bytes,
    engine: Engine,
    *,
    jobs: int | None = None,
    keep: bool = True,
    progress: ProgressListener,
) -> Recognition:
    """Recognise the text of pages, several at a time.

    The first pages tell the language, for which the engine may be trained.

    Args:
        numbers: Numbers of the pages, from 1.
        render: Makes the image of a page; called by several threads. May raise :class:`EngineFailure`.
        content: The bytes of the source, by whose hash results are kept.
        engine: The engine.
        jobs: Pages recognised at the same time; by default as many as there are processors.
        keep: Whether results may be kept for the next run: not those of an encrypted source.
        progress: Called after each page.
    """
    work = _Work(render, hashlib.sha256(content).hexdigest() if keep else None, len(numbers), progress)
    left = list(numbers)
    tried = 0
    language = None
    while left and language is None and tried < _PAGES_TO_TELL_LANGUAGE:
        work.recognise_page(left.pop(0), engine)
        tried += 1
        language = detect("\n".join(page.text for page in work.found.values())).certain
    warnings: list[str] = []
    if language is not None:
        trained = engine.for_language(language)
        if trained != engine:
            engine = trained
            left = [*work.found, *left]
            work.found.clear()
        elif step := engine.lacks(language):
            warnings.append(
                f"the language seems to be {language!r}, which {engine.name} is not trained for here;"
                f" for better results install {step}"
            )
    work.recognise_all(left, engine, jobs)
    if work.failed:
        first = min(work.failed)
        also = f" ({len(work.failed):,} pages could not)" if len(work.failed) > 1 else ""
        warnings.append(f"page {first} could not be recognised{also}: {work.failed[first]}")
    with_text = {number: page.straightened() for number, page in sorted(work.found.items()) if page.lines}
    return Recognition(
        pages=dict(zip(with_text, evened(list(with_text.values())), strict=True)),
        engine=engine.name,
        uncertain_words=sum(page.uncertain_words for page in work.found.values()),
        warnings=tuple(warnings),
    )


def remark_on(found: Recognition, name: str, what: str, progress: ProgressListener) -> None:
    """Tell the user what was recognised, since its text may have errors that the source has not.

    Args:
        name: What the user calls the source.
        what: What of it, such as ``"PDF pages 1-4"``.
    """
    if found.pages:
        progress(ProgressEvent(stage=_STAGE, done=0, remark=f"{name}: {what} by OCR ({found.engine})"))


class _Work:
    """The pages of one source that have been recognised so far, or could not be.

    Args:
        render: See :func:`recognise`, also for ``progress``.
        digest: Hash of the source; ``None`` to keep nothing.
        total: Number of pages.
    """

    def __init__(self, render: Render, digest: str | None, total: int, progress: ProgressListener) -> None:
        self.found: dict[int, RecognisedPage] = {}
        self.failed: dict[int, str] = {}
        self._render = render
        self._digest = digest
        self._total = total
        self._progress = progress
        self._tell()

    def recognise_page(self, number: int, engine: Engine) -> None:
        """Recognise one page."""
        self._collect(number, partial(self._make, number, engine))

    def recognise_all(self, numbers: Sequence[int], engine: Engine, jobs: int | None) -> None:
        """Recognise pages in parallel."""
        if not numbers:
            return
        from concurrent.futures import ThreadPoolExecutor, as_completed

        pool = ThreadPoolExecutor(min(jobs or os.cpu_count() or 1, _MAX_JOBS, len(numbers)))
        try:
            running = {pool.submit(self._make, number, engine): number for number in numbers}
            for future in as_completed(running):
                self._collect(running[future], future.result)
        finally:
            # After an interrupt no further page is begun.
            pool.shutdown(cancel_futures=True)

    def _make(self, number: int, engine: Engine) -> RecognisedPage:
        file = None if self._digest is None else _file_of(self._digest, engine, number)
        page = None if file is None else _load(file)
        if page is None:
            page = engine.recognise(self._render(number))
            if file is not None:
                _keep(file, page)
        return page

    def _collect(self, number: int, make: Callable[[], RecognisedPage]) -> None:
        try:
            self.found[number] = make()
        except EngineFailure as error:
            self.failed[number] = str(error)
        self._tell()

    def _tell(self) -> None:
        self._progress(
            ProgressEvent(
                stage=_STAGE,
                done=len(self.found) + len(self.failed),
                total=self._total,
                unit="pages",
            )
        )


def _file_of(digest: str, engine: Engine, number: int) -> Path:
    """Where the result of a page is kept."""
    how = f"{engine.signature}-{DPI:.0f}-{_CACHE_VERSION}"
    return cache_path("ocr") / digest[:2] / digest / how / f"{number}.json"


def _load(file: Path) -> RecognisedPage | None:
    try:
        return RecognisedPage.from_json(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # absent, or damaged: made again
        return None


def _keep(file: Path, page: RecognisedPage) -> None:
    # A full disk costs the next run time, but this one nothing.
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as target:
            json.dump(page.to_json(), target, ensure_ascii=False)
        Path(name).replace(file)
