"""Cache of finished chapter summaries, on disk until the book is finished.

An interrupted run leaves them behind, and the next run with the same text, checkpoint and settings
continues with the next chapter. A folder that is not used for a month is deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from lsum_cli.documents import Document
from lsum_cli.locality import Page
from lsum_cli.machine.storage import cache_path, hold_lock
from lsum_cli.methods.base import MethodChoice
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import fingerprint_checkpoint, fingerprint_options
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.records import RecordError, encode, parse
from lsum_cli.summaries import SummarySentence
from lsum_cli.version import __version__

# Incremented when the content of a cached chapter, or how it is made, changes.
_FORMAT = 2
_MAX_AGE_SECONDS = 30 * 24 * 3600
_LOCKS = ".locks"
# A file with this suffix marks a process that waits for the chapters.
_WAITING_SUFFIX = ".wish"
WAITING = "waiting for another lsum that summarises the chapters of this book"


@dataclass(frozen=True, kw_only=True)
class WrittenChapter:
    """The summary of a chapter (see :class:`~lsum_cli.summaries.ChapterSummary`) and how it was made.

    Attributes:
        model: Whether a model wrote it; ``False`` where a short chapter was taken over verbatim.
    """

    sentences: tuple[SummarySentence, ...]
    model: bool
    warnings: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)


class ChapterCache:
    """The folder in which the chapters of one book are cached.

    If the folder cannot be written, nothing is cached and :attr:`trouble` holds the error: a summary
    that cannot be resumed is better than none.

    Args:
        key: Hash of what the chapters depend on; see :func:`cache_key`.
    """

    def __init__(self, key: str) -> None:
        self._folder = books_path() / key
        self._lock_file = books_path() / _LOCKS / f"{key}.lock"
        self.trouble: OSError | None = None

    @contextmanager
    def alone(self, progress: ProgressListener = ignore_progress) -> Iterator[Self]:
        """Lock the chapters; waits for another process that holds them, whose chapters are then found.

        Args:
            progress: Told when another process is being waited for.
        """
        marker = self._lock_file.with_suffix(f".{os.getpid()}-{threading.get_ident()}{_WAITING_SUFFIX}")
        with ExitStack() as stack:
            try:
                _forget_old_work(books_path(), self._lock_file.parent)
                marker.parent.mkdir(parents=True, exist_ok=True)
                marker.touch()
                try:
                    stack.enter_context(hold_lock(self._lock_file, WAITING, progress))
                finally:
                    marker.unlink(missing_ok=True)
            except OSError as error:
                self.trouble = error
            yield self

    def find(self, page: Page) -> WrittenChapter | None:
        """The cached chapter; ``None`` if there is none or it is damaged."""
        try:
            return parse(WrittenChapter, self._file(page).read_bytes())
        except (OSError, RecordError):
            return None

    def save(self, page: Page, chapter: WrittenChapter) -> None:
        """Cache a chapter, atomically."""
        if self.trouble is not None:
            return
        file = self._file(page)
        draft = file.with_suffix(f".{os.getpid()}.draft")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(encode(chapter)), encoding="utf-8", errors="surrogatepass")
            draft.replace(file)
        except OSError as error:
            self.trouble = error

    def discard(self) -> None:
        """Delete the cached chapters of a finished book, unless another process waits for them."""
        if not any(self._lock_file.parent.glob(f"{self._folder.name}.*{_WAITING_SUFFIX}")):
            shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, page: Page) -> Path:
        return self._folder / f"chapter-{page.index + 1:04}.json"


def books_path() -> Path:
    """The folder of all unfinished books; ``LSUM_HOME`` moves it."""
    return cache_path("books")


def cache_key(
    pages: Sequence[Page], documents: Sequence[Document], choice: MethodChoice, options: SummaryOptions
) -> str:
    """Hash of everything that the chapter summaries depend on.

    Args:
        pages: The chapters.
        documents: What they come from: models may read headings, and cached sentences name PDF pages.
        choice: The checkpoint that summarises them.
        options: Its options.
    """
    described = {
        "format": _FORMAT,
        "lsum": __version__,
        "checkpoint": fingerprint_checkpoint(choice.folder, choice.manifest) if choice.folder else None,
        "settings": fingerprint_options(options, but=("show_chapters",)),
        "chapters": [
            [page.label, page.document_id, [(s.index, s.pdf_page, s.text) for s in page.sentences]]
            for page in pages
        ],
        "headings": [
            [document.language, [(section.heading, section.level) for section in document.sections]]
            for document in documents
        ],
    }
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:32]


def _forget_old_work(*folders: Path) -> None:
    for folder in folders:
        try:
            paths = [path for path in folder.iterdir() if path.name != _LOCKS]
            old = [path for path in paths if time.time() - path.stat().st_mtime > _MAX_AGE_SECONDS]
        except OSError:
            continue
        for path in old:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
