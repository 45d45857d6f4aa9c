"""Web pages read by lsum and by other programs: which sentences stay whole, and what is read besides.

    python -m benchmarks.html_peers [--format table|json]

A sentence of the ground truth is intact if its letters follow one another in what was read. Captions, code
and tables, which lsum leaves out on purpose and the ground truths of some pages hold, are not sentences
here: a sentence has at least six words and ends like one. Extra words are those that the ground truth does
not hold as often.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.reading import REPOSITORY, words_of
from lsum_cli.reading.sources import read
from lsum_cli.text.sentences import normalise, split_sentences

MIN_WORDS = 6
_MARK = re.compile(r"\[[\d,\s–-]+\]")
_ENDS = (".", "!", "?", "…", ".”", '."', ".)", "?”")


@dataclass(frozen=True, kw_only=True)
class PageMeasures:
    """How one program reads one page.

    Attributes:
        intact: Share of the sentences of the ground truth that are whole.
        extra: Share of the words read that the ground truth does not hold; ``None`` where it is partial.
    """

    page: str
    program: str
    sentences: int
    intact: float
    extra: float | None


def lsum_text(path: Path) -> str:
    """Title, headings and sentences."""
    document = read(path)
    return f"{document.title or ''}\n{document.text}"


def trafilatura_text(path: Path) -> str:
    """As trafilatura extracts it, in its default settings."""
    import trafilatura

    return trafilatura.extract(path.read_text(encoding="utf-8", errors="replace")) or ""


def resiliparse_text(path: Path) -> str:
    """As resiliparse extracts the main content."""
    from resiliparse.extract.html2text import extract_plain_text

    text = path.read_text(encoding="utf-8", errors="replace")
    return str(extract_plain_text(text, main_content=True, alt_texts=False, links=False, form_fields=False))


def programs() -> dict[str, Callable[[Path], str]]:
    """What is compared: lsum and the peers that are installed."""
    found = {"lsum": lsum_text, "trafilatura": trafilatura_text}
    try:
        import resiliparse  # noqa: F401
    except ImportError:
        return found
    return {**found, "resiliparse": resiliparse_text}


def sentences_of(expected: dict[str, Any]) -> list[str]:
    """The sentences of a ground truth."""
    paragraphs = (
        expected.get("paragraphs")
        or str(
            expected.get("text") or "\n".join(section["text"] for section in expected.get("sections", []))
        ).splitlines()
    )
    return [
        sentence
        for paragraph in paragraphs
        for sentence in split_sentences(normalise(paragraph))
        if len(sentence.split()) >= MIN_WORDS and sentence.endswith(_ENDS)
    ]


def measure(path: Path, expected: dict[str, Any], program: str, text: str) -> PageMeasures:
    """Compare what a program read with the ground truth of a page."""
    letters = _letters(text)
    sentences = sentences_of(expected)
    intact = sum(_letters(sentence) in letters for sentence in sentences)
    extra = None
    if expected.get("text"):
        words = words_of(text)
        allowed = Counter(words_of(f"{expected['text']} {expected.get('title') or ''}"))
        extra = 1 - sum((Counter(words) & allowed).values()) / max(1, len(words))
    return PageMeasures(
        page=path.name,
        program=program,
        sentences=len(sentences),
        intact=intact / max(1, len(sentences)),
        extra=extra,
    )


def _letters(text: str) -> str:
    """The letters and digits of a text without marks of references, which not every program keeps."""
    return "".join(words_of(_MARK.sub("", text)))


def pages(shared: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The sample pages with ground truth."""
    folder = shared / "data" / "inputs"
    found = []
    for path in sorted((folder / "html").glob("*.htm*")):
        expected = json.loads((folder / "expected" / f"{path.name}.json").read_text(encoding="utf-8"))
        if sentences_of(expected):
            found.append((path, expected))
    return found


def summarise(measures: list[PageMeasures], program: str) -> tuple[float, float]:
    """Intact sentences of all pages together, and the mean of extra words, for one program."""
    ours = [each for each in measures if each.program == program]
    extra = [each.extra for each in ours if each.extra is not None]
    total = sum(each.sentences for each in ours)
    return sum(each.intact * each.sentences for each in ours) / total, sum(extra) / len(extra)


def main() -> int:
    """Measure every program on every page and print the result."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--format", choices=["table", "json"], default="table")
    arguments = parser.parse_args()
    shared = Path(os.environ.get("LSUM_SHARED", REPOSITORY.parent / "shared"))
    measures = [
        measure(path, expected, name, program(path))
        for path, expected in pages(shared)
        for name, program in programs().items()
    ]
    if arguments.format == "json":
        print(json.dumps([asdict(each) for each in measures], indent=1))
        return 0
    print(f"{'page':30} {'program':12} {'sentences':>9} {'intact':>7} {'extra':>6}")
    for each in measures:
        extra = "" if each.extra is None else f"{each.extra:.3f}"
        print(f"{each.page:30} {each.program:12} {each.sentences:9} {each.intact:7.3f} {extra:>6}")
    for name in programs():
        intact, extra_words = summarise(measures, name)
        print(f"{'all':30} {name:12} {'':9} {intact:7.3f} {extra_words:6.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
