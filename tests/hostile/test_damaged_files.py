"""Files damaged in every way that is known here: text, or one line that says why not; nothing unsaid."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from independent_readers import count_words
from mutations import MUTATIONS, mutate, sound_inputs

from lsum_cli import read
from lsum_cli.documents import Document
from lsum_cli.errors import LsumError
from lsum_cli.reading.registry import Ocr, ReadOptions

INPUTS = sound_inputs(None)
MADE = {f"{number}{suffix}": content for number, (content, suffix) in enumerate(INPUTS)}
MIN_SHARE = 0.9


def counted_words(document: Document) -> int:
    """The words that a document accounts for: its text, its headings, and what was left out."""
    left_out = sum(each.words for each in document.metadata.left_out)
    return len(document.text.split()) + len((document.title or "").split()) + left_out


@pytest.mark.parametrize("name", MADE)
def test_sound_files_are_read_whole(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(MADE[name])
    document = read(str(path))
    assert not document.metadata.unknown
    assert not document.metadata.warnings
    words = count_words(path, document.metadata.media_type)
    assert counted_words(document) >= MIN_SHARE * words


@pytest.mark.parametrize("suffix", sorted({suffix for _, suffix in INPUTS}))
@pytest.mark.parametrize("kind", [*MUTATIONS, "splices", "suffixes"])
def test_damage_ends_in_text_or_an_error_of_our_own(kind: str, suffix: str, tmp_path: Path) -> None:
    of_format = [each for each in INPUTS if each[1] == suffix]
    for seed in range(2):
        content, found = mutate(random.Random(f"{kind} {suffix} {seed}"), kind, of_format)
        path = tmp_path / f"damaged{found}"
        path.write_bytes(content)
        said, document = "", None
        try:
            document = read(str(path), ReadOptions(ocr=Ocr.NEVER))
        except LsumError as error:
            said = str(error)
        assert "\n" not in said
        if document is not None:
            text = document.text
            assert all(text[each.start : each.end] == each.text for each in document.sentences)


def test_the_same_seed_makes_the_same_file() -> None:
    for kind in MUTATIONS:
        first, second = (mutate(random.Random(7), kind, INPUTS) for _ in range(2))
        assert first == second
