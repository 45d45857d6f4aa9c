"""No input makes the reader or the summariser work with the square of its length."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from growing_inputs import GROWING, Growing

from lsum_cli import Summarizer, SummaryOptions, read
from lsum_cli.errors import LsumError

MAX_GROWTH = 2.7
# Below this, a time is that of starting things, and says nothing of growth.
FLOOR_SECONDS = 0.5
# Of the sizes of the kinds, which scripts/fuzz uses whole.
SCALE = 0.12
# Where others use the processor too, a time says little on its own.
ATTEMPTS = 8
# Those that once took the square of their length, and one in five of the others.
ONCE_SLOW = frozenset(
    ("txt: broken opinion", "txt: parts of a dissent", "txt: statutes before a bracket", "md: shortened role", "rst: shortened role", "md: spaces in a directive",
     "md: spaces in a fence", "md: spaces in a labelled heading", "md: spaces in a preamble", "txt: opinion with marks", "txt: paired backticks", "txt: paired backticks with stops", "txt: unclosed quotation marks", "txt: apostrophes", "txt: Chinese",
     "txt: rules under lines", "txt: rules under lines below sentences", "md: manual with digits", "txt: manual page of spaces", "txt: manual page with a gap",
     "txt: lines at the margin of a manual page", "pdf: content: title of stars", "pdf: content: lines with gaps in gaps",
     "txt: spaces", "txt: tabs", "md: growing code spans", "md: image brackets", "rst: backticks", "rst: tight list", "html: paragraphs",
     "html: spans", "html: tables", "html: comments", "html: character data", "html: nested custom", "tex: dollars", "tex: plain text", "tex: plain paragraphs", "tex: unclosed verbatim",
     "eml: fields in text", "eml: blank lines", "epub: one chapter again and again", "pdf: content: unclosed arrays",
     "pdf: content: unclosed arrays of strings", "pdf: content: unclosed strings", "pdf: content: escapes", "pdf: content: signs", "pdf: content: spaces",
     "pdf: content: digits", "pdf: content: marks with text", "pdf: ToUnicode: beginnings", "pdf: ToUnicode: brackets", "pdf: ToUnicode: spaces in digits",
     "pdf: code map: strings of mixed codes", "pdf: font: one glyph name of many endings", "pdf: font: ranges of widths")
)  # fmt: skip
KINDS = [name for index, name in enumerate(GROWING) if index % 5 == 0 or name in ONCE_SLOW]


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Libraries are imported, and their tables built, before anything is measured."""
    for name in ("txt: paragraphs", "md: list", "rst: titles", "html: headings", "tex: formulas", "eml: lines",
                 "pdf: pages", "pdf: ToUnicode: pairs", "pptx: slides", "epub: chapters", "rtf: paragraphs"):  # fmt: skip
        seconds(tmp_path_factory.mktemp("warm"), GROWING[name], 5)


def seconds(folder: Path, kind: Growing, size: int) -> float:
    """The processor time to read and summarise an input, or to refuse it."""
    path = folder / f"input{kind.suffix}"
    path.write_bytes(kind.make(size))
    begun = time.process_time()
    with contextlib.suppress(LsumError):
        Summarizer(SummaryOptions(method="extract")).summarize([read(str(path))])
    return time.process_time() - begun


def test_every_kind_that_was_slow_is_still_made() -> None:
    assert not ONCE_SLOW - GROWING.keys()


@pytest.mark.parametrize("name", KINDS)
def test_twice_the_input_takes_at_most_little_more_than_twice_the_time(name: str, tmp_path: Path) -> None:
    kind = GROWING[name]
    size = max(1, int(kind.size * SCALE))
    double = seconds(tmp_path, kind, 2 * size)
    if double <= FLOOR_SECONDS:
        return
    single = seconds(tmp_path, kind, size)
    for _ in range(ATTEMPTS):
        if double <= max(FLOOR_SECONDS, MAX_GROWTH * single):
            return
        double = min(double, seconds(tmp_path, kind, 2 * size))
        single = min(single, seconds(tmp_path, kind, size))
    assert double <= max(FLOOR_SECONDS, MAX_GROWTH * single), (
        f"{single:.2f} s for {size:,}, {double:.2f} s for twice as much"
    )
