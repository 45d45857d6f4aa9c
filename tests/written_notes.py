"""Notes and changelogs that tests write, and what extraction makes of them."""

from __future__ import annotations

from pathlib import Path

from lsum_cli import read
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.composition import Request, compose
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.request import Extract


def written(folder: Path, name: str, text: str) -> tuple[list[str], list[str], tuple[str, ...]]:
    """The headings, the labelled sentences and the warnings of the summary of a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    documents = [read(path)]
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    made = compose(pages, documents, Request(num_words=150))
    return (
        [entry.heading for entry in made.outline],
        [sentence.labelled for sentence in made.sentences],
        made.warnings,
    )


def told(folder: Path, text: str, *, words: int = 150, **asked: bool) -> Extract:
    """What is written of notes."""
    path = folder / "notes.md"
    path.write_text(text, encoding="utf-8")
    documents = [read(path)]
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    return compose(pages, documents, Request(num_words=words, **asked))


def labelled(made: Extract) -> list[str]:
    return [sentence.labelled for sentence in made.sentences]
