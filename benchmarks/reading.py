"""How accurately documents are read, against the ground truth of the sample files.

    python -m benchmarks.reading [NAME...] [--format table|json] [--update-floors] [--peers]

*Intact* is the share of the sentences of the ground truth that are found as one uninterrupted run of
words, citations apart, which every source writes in its own way. What the ground truth lacks does not
count as an error: XML articles lack captions, reference lists and tables, so these are removed from our
text before extra words are counted; ground truth of headings says nothing about paragraphs. Words are
compared without case and punctuation.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.made_files import is_made, made_files
from benchmarks.pdf_peers import installed, joined
from lsum_cli.documents import Document, Section, SectionRole
from lsum_cli.errors import LsumError
from lsum_cli.reading.registry import Ocr, ReadOptions
from lsum_cli.reading.sources import read
from lsum_cli.text.sentences import sentence_spans

REPOSITORY = Path(__file__).resolve().parents[1]
FLOORS = Path(__file__).resolve().parent / "floors" / "reading.json"
# What we read ourselves in files that come without ground truth.
MORE = Path(__file__).resolve().parent / "pdf_more.json"
MARGIN = 0.005
# Text at the edge of each page that belongs to no sentence.
RUNNING_HEADS = {
    "paper-2col-trials-18.pdf": r"Palmer et al\. Trials \(2015\)|Page \d+ of 12",
    "paper-2col-PMC7052325.pdf": r"Frontiers in Chemistry \| www|February 2020 \| Volume 8|Zhan et al\. Mg",
    "paper-1col-jose-00240.pdf": r"Journal of Open Source Education, \d|Hugman et al\. \(2024\)",
    "paper-1col-rescience-3886412.pdf": r"ReScience C 6\.1 \(#4\)",
    "paper-2col-outline-jcon-00020.pdf": r"Proceedings of JuliaCon",
    "report-scotus-07-1529.pdf": r"\d MONTEJO v\. LOUISIANA|Cite as: 556|[A-Z]+, J\., [a-z]+ \d+$",
    "book-352p-freeculture.pdf": r"lessig\.qxd|FREE CULTURE \d+|\d+ FREE CULTURE|/ \d+ ",
    "book-typeset-time-machine.pdf": r"The Time Machine \d+|\d+ The Time Machine",
    "book-dorian-gray-174-h.htm": r"Project Gutenberg-tm|START OF TH(?:IS|E) PROJECT",
}
# Repeated words in the margin of the first page, headings that are themselves artefacts.
_HEADING_ARTEFACT = re.compile(r"\s*(?:\[\s*edit\s*\]|#)\s*$")
_NUMBERING = re.compile(
    r"^(?:(?:chapter|part|section)\s+)?(?:\d+(?:\.\d+)*|[ivx]+|(?<=\s)(?:one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|thirteen|fourteen))[.):]*\s+",
    re.I,
)
_CAPTION = re.compile(r"(?:additional file|fig(?:ure|\.)?|table|listing|algorithm)\s*\d+\b", re.I)
_WORD = re.compile(r"[^\W_]+")
_CITATION = re.compile(
    r"\s*\[\d[\d,;–\s-]*\]|\s*\([^()]*(?:et al|\band [A-Z]\w+,)[^()]*\)"
    # The number of a note, which the ground truth keeps at the end of its sentence: "required by law.1".
    r"|(?<=[a-z”)][.,;:!?”)])\d{1,2}(?=\s|$)|(?<=[.,;:!?]”)\d{1,2}(?=\s|$)"
)
# In words; shorter ones are found by chance.
SHORTEST_SENTENCE = 4


@dataclass(frozen=True, kw_only=True)
class Measures:
    """What one file scores; shares from 0 to 1, ``None`` where there is no ground truth."""

    name: str
    words_found: float | None = None
    words_in_order: float | None = None
    intact: float | None = None
    section_words: float | None = None
    extra_words: float | None = None
    heading_precision: float | None = None
    heading_recall: float | None = None
    title_found: float | None = None
    abstract_f1: float | None = None
    snippets_found: float | None = None
    right_page: float | None = None
    running_heads: int | None = None
    outcome: str = "read"
    words: int = 0
    seconds: float = 0.0
    pages_per_second: float | None = None


# Headings that an outline may leave out.
_BACK_MATTER = frozenset(
    [
        "abstract",
        "references",
        "acknowledgements",
        "acknowledgments",
        "bibliography",
        "keywords",
        "competinginterests",
        "contents",
        "authorscontributions",
        "authorcontributions",
        "funding",
        "dataavailability",
        "conflictofinterest",
        "index",
        "authordetails",
        "abbreviations",
        "additionalfile",
        "additionalfiles",
    ]
)
HIGHER_IS_BETTER = (
    "words_found", "words_in_order", "intact", "section_words", "heading_precision", "heading_recall",
    "title_found", "abstract_f1", "snippets_found", "right_page",
)  # fmt: skip
LOWER_IS_BETTER = ("extra_words", "running_heads")


def words_of(text: str) -> list[str]:
    """Words in lower case, compatibility forms unified; each ideograph is a word."""
    text = re.sub("([\u3040-\u30ff\u4e00-\u9fff])", r" \1 ", unicodedata.normalize("NFKC", text).casefold())
    return _WORD.findall(text)


def common_in_order(expected: Sequence[str], ours: Sequence[str]) -> int:
    """Length of the longest common subsequence, bit-parallel (Hyyrö 2004)."""
    positions: dict[str, int] = {}
    for index, word in enumerate(ours):
        positions[word] = positions.get(word, 0) | (1 << index)
    full = (1 << len(ours)) - 1
    row = full
    for word in expected:
        matches = row & positions.get(word, 0)
        row = ((row + matches) | (row - matches)) & full
    return len(ours) - row.bit_count()


def intact_share(expected: str, ours: str) -> float | None:
    """Share of the expected sentences that ``ours`` contains as one run of words."""
    said = [f" {' '.join(words_of(text))} " for text in (ours, _CITATION.sub(" ", ours))]
    found = total = 0
    for paragraph in expected.splitlines():
        for start, end in sentence_spans(paragraph, None):
            sentence = paragraph[start:end]
            ways = [words_of(sentence), words_of(_CITATION.sub(" ", sentence))]
            if len(ways[0]) >= SHORTEST_SENTENCE:
                total += 1
                found += any(f" {' '.join(words)} " in text for words, text in zip(ways, said, strict=True))
    return found / total if total else None


def overlap_f1(expected: Sequence[str], ours: Sequence[str]) -> float:
    """F1 of two bags of words."""
    shared = sum((Counter(expected) & Counter(ours)).values())
    return 2 * shared / (len(expected) + len(ours)) if expected or ours else 1.0


def plain_heading(text: str) -> str:
    """A heading without number, artefacts, case and punctuation."""
    text = _HEADING_ARTEFACT.sub("", text)
    spelled = words_of(text)
    joined = "".join(spelled)
    stripped = _NUMBERING.sub("", text.strip())
    return "".join(words_of(stripped)) or joined


def measure(path: Path, expected: dict[str, Any]) -> Measures:
    """Read one file and compare it with its ground truth; scans are not read, whatever engine is here."""
    name = path.name
    started = time.perf_counter()
    try:
        # Without recognition, so that results do not depend on what is installed.
        document = read(path, ReadOptions(password=expected.get("password"), ocr=Ocr.NEVER))
    except LsumError as error:
        return Measures(name=name, outcome=type(error).__name__, seconds=time.perf_counter() - started)
    seconds = time.perf_counter() - started
    pages = len(document.metadata.pdf_pages_read)
    outline = [
        entry
        for entry in expected.get("outline", [])
        if entry["page"] > 0 and not entry["title"].startswith("*")
    ]
    running = RUNNING_HEADS.get(name)
    text_measures = _measure_text(document, expected)
    precision, recall = _measure_headings(document, expected, outline)
    return Measures(
        name=name,
        **text_measures,
        heading_precision=precision,
        heading_recall=recall,
        title_found=_title_found(document, expected),
        abstract_f1=_abstract_f1(document, expected),
        snippets_found=_snippets_found(document, expected),
        right_page=_right_page(document, outline),
        running_heads=sum(bool(re.search(running, s.text)) for s in document.sentences) if running else None,
        words=len(words_of(document.text)),
        seconds=seconds,
        pages_per_second=pages / seconds if pages else None,
    )


def _expected_text(expected: dict[str, Any]) -> str:
    if expected.get("sections"):
        return "\n".join(section["text"] for section in expected["sections"])
    if expected.get("text"):
        return str(expected["text"])
    return "\n".join(expected.get("paragraphs", []))


def _measure_text(document: Document, expected: dict[str, Any]) -> dict[str, float | None]:
    wanted = words_of(_expected_text(expected))
    if not wanted:
        return {}
    ours = words_of(document.text)
    found = sum((Counter(wanted) & Counter(ours)).values()) / len(wanted)
    in_order = common_in_order(wanted, ours) / len(wanted)
    body = words_of(" ".join(_comparable_text(document, expected)))
    allowed = Counter(wanted) + Counter(
        words_of(" ".join([expected.get("abstract") or "", expected.get("syllabus") or ""]))
    )
    shared = sum((allowed & Counter(body)).values())
    partial = "paragraphs" in expected or "syllabus" in expected
    return {
        "words_found": found,
        "words_in_order": in_order,
        "intact": intact_share(_expected_text(expected), document.text),
        "section_words": _section_words(document, expected),
        "extra_words": None if partial else 1 - shared / max(1, len(body)),
    }


def _comparable_text(document: Document, expected: dict[str, Any]) -> list[str]:
    """Our sentences of the kind the ground truth holds: no captions, references or back matter."""
    titles = {plain_heading(title) for title in expected.get("section_titles", [])}
    texts: list[str] = []
    for section in document.sections:
        known = not titles or plain_heading(section.heading or "") in titles
        if section.role is SectionRole.REFERENCES or not known:
            continue
        texts += [sentence.text for sentence in section.sentences if not _CAPTION.match(sentence.text)]
    return texts


def _section_words(document: Document, expected: dict[str, Any]) -> float | None:
    """Mean F1 of the sections that are in both, in words."""
    ours: dict[str, list[Section]] = {}
    for section in document.sections:
        if section.role is SectionRole.BODY:
            ours.setdefault(plain_heading(section.heading or ""), []).append(section)
    scores = []
    for entry in expected.get("sections", []):
        candidates = ours.get(plain_heading(entry["title"].rsplit(" / ", 1)[-1]))
        if candidates and entry["text"]:
            wanted = words_of(entry["text"])
            scores.append(
                max(overlap_f1(wanted, words_of(" ".join(s.text for s in c.sentences))) for c in candidates)
            )
    return sum(scores) / len(scores) if scores else None


def _measure_headings(
    document: Document, expected: dict[str, Any], outline: Sequence[dict[str, Any]]
) -> tuple[float | None, float | None]:
    titles = (
        expected.get("section_titles") or expected.get("headings") or [entry["title"] for entry in outline]
    )
    if "derived from running heads" in expected.get("kind", ""):
        return None, None
    wanted = [key for title in titles if (key := plain_heading(title))]
    if not wanted:
        return None, None
    both = Counter(wanted) | Counter(plain_heading(entry["title"]) for entry in outline)
    ours = [key for section in document.sections if (key := plain_heading(section.heading or ""))]
    ours_and_title = [*ours, plain_heading(document.title)] if document.title else ours
    recall = sum((Counter(wanted) & Counter(ours_and_title)).values()) / len(wanted)
    counted = [key for key in ours if key in both or key not in _BACK_MATTER]
    precision = sum(key in both for key in counted) / len(counted) if counted else 0.0
    return precision, recall


def _title_found(document: Document, expected: dict[str, Any]) -> float | None:
    if not expected.get("title"):
        return None
    wanted, ours = "".join(words_of(expected["title"])), "".join(words_of(document.title or ""))
    return float(bool(ours) and (wanted == ours or (len(ours) > 12 and (wanted in ours or ours in wanted))))


def _abstract_f1(document: Document, expected: dict[str, Any]) -> float | None:
    if not expected.get("abstract"):
        return None
    ours = " ".join(
        sentence.text
        for section in document.sections
        if section.role is SectionRole.ABSTRACT
        for sentence in section.sentences
    )
    return overlap_f1(words_of(expected["abstract"]), words_of(ours))


def _snippets_found(document: Document, expected: dict[str, Any]) -> float | None:
    text = document.text
    closed = "".join(text.split())
    results = [snippet in text for snippet in expected.get("must_contain", [])]
    results += [
        "".join(snippet.split()) in closed for snippet in expected.get("must_contain_any_spacing", [])
    ]
    left_out = {each.what: each.words for each in document.metadata.left_out}
    results += [left_out.get(what, 0) <= most for what, most in expected.get("left_out_at_most", {}).items()]
    return sum(results) / len(results) if results else None


def _right_page(document: Document, outline: Sequence[dict[str, Any]]) -> float | None:
    """Share of outline entries whose section of ours begins on the page the outline names, or the next."""
    begins: dict[str, set[int]] = {}
    for section in document.sections:
        first = next((s.pdf_page for s in section.sentences if s.pdf_page), None)
        if first and section.heading:
            begins.setdefault(plain_heading(section.heading), set()).add(first)
    results = [
        bool(begins[key] & {entry["page"], entry["page"] + 1})
        for entry in outline
        if (key := plain_heading(entry["title"])) in begins
    ]
    return sum(results) / len(results) if results else None


def sample_files(shared: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The sample files with their ground truth; files of a folder one by one have none."""
    inputs = shared / "data" / "inputs"
    found = []
    for truth in sorted((inputs / "expected").glob("*.json")):
        name = truth.name.removesuffix(".json")
        path = next(
            (candidate for kind in ("pdf", "html") if (candidate := inputs / kind / name).exists()), None
        )
        if path:
            found.append((path, json.loads(truth.read_text(encoding="utf-8"))))
    more = json.loads(MORE.read_text(encoding="utf-8"))
    for path in sorted((inputs / "pdf-more").glob("*.pdf")):
        found.append((path, more.get(path.name, {})))
    for note in sorted((inputs / "folder").glob("*/*.md")):
        found.append((note, {}))
    return found


def shared_folder() -> Path:
    """Where the sample files are."""
    return Path(os.environ.get("LSUM_SHARED") or REPOSITORY.parent / "shared")


def floors_of(measures: Measures) -> dict[str, float | str]:
    """What a later run must reach: what is reached now, less a small margin."""
    floors: dict[str, float | str] = {"outcome": measures.outcome}
    for key in HIGHER_IS_BETTER:
        value = getattr(measures, key)
        if value is not None:
            floors[key] = round(max(0.0, value - (MARGIN if value < 1 else 0.001)), 4)
    for key in LOWER_IS_BETTER:
        value = getattr(measures, key)
        if value is not None:
            floors[key] = value if key == "running_heads" else round(value + MARGIN, 4)
    return floors


def shortfalls(measures: Measures, floors: dict[str, float | str]) -> list[str]:
    """Where a file falls short of its floors, in words."""
    problems = []
    if measures.outcome != floors.get("outcome"):
        problems.append(f"{measures.name}: {measures.outcome} instead of {floors.get('outcome')}")
    for key, floor in floors.items():
        if key == "outcome":
            continue
        value = getattr(measures, key)
        short = value is None or (value > float(floor) if key in LOWER_IS_BETTER else value < float(floor))
        if short:
            problems.append(f"{measures.name}: {key} is {value}, the floor {floor}")
    return problems


_COLUMNS = {
    "words_found": "found", "words_in_order": "order", "intact": "intact",
    "section_words": "sections", "extra_words": "extra",
    "heading_precision": "head P", "heading_recall": "head R", "title_found": "title", "abstract_f1": "abstr",
    "snippets_found": "snip", "right_page": "page", "running_heads": "heads", "words": "words",
    "pages_per_second": "pages/s",
}  # fmt: skip


def table(results: Sequence[Measures]) -> str:
    """The measures as a table for the terminal."""
    lines = [f"{'file':36}" + "".join(f"{title:>9}" for title in _COLUMNS.values()) + "  outcome"]
    for result in results:
        cells = []
        for key in _COLUMNS:
            value = getattr(result, key)
            cells.append(
                ""
                if value is None
                else f"{value:.3f}"
                if isinstance(value, float) and key != "pages_per_second"
                else f"{value:.0f}"
            )
        lines.append(
            f"{result.name[:36]:36}" + "".join(f"{cell:>9}" for cell in cells) + f"  {result.outcome}"
        )
    return "\n".join(lines)


def table_of_peers(names: Sequence[str]) -> str:
    """What we and other programs make of the PDFs whose text is known, as a table.

    Words broken at line ends are made whole for the peers; their times are those of one run.
    """
    programs: dict[str, Callable[[Path], str]] = {
        "lsum": lambda path: read(path, ReadOptions()).text,
        **{name: lambda path, run=run: joined(run(path)) for name, run in installed().items()},
    }
    lines = [f"{'file':36}{'program':>12}{'found':>9}{'order':>9}{'intact':>9}{'CPU s':>9}"]
    for path, expected in sample_files(shared_folder()):
        wanted = words_of(_expected_text(expected))
        if path.suffix != ".pdf" or not wanted or (names and not any(part in path.name for part in names)):
            continue
        for name, run in programs.items():
            times = os.times()
            text = run(path)
            after = os.times()
            # A program of its own is a child of this one.
            seconds = sum(after[:4]) - sum(times[:4])
            ours = words_of(text)
            found = sum((Counter(wanted) & Counter(ours)).values()) / len(wanted)
            order = common_in_order(wanted, ours) / len(wanted)
            intact = intact_share(_expected_text(expected), text) or 0.0
            lines.append(f"{path.name[:36]:36}{name:>12}{found:9.3f}{order:9.3f}{intact:9.3f}{seconds:9.2f}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="parts of file names; all files if none is given")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    parser.add_argument("--update-floors", action="store_true", help="pin what is reached now")
    parser.add_argument("--peers", action="store_true", help="compare with other programs, where installed")
    options = parser.parse_args(arguments)
    if options.peers:
        print(table_of_peers(options.names))
        return 0
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for path, expected in [*sample_files(shared_folder()), *made_files(Path(folder))]:
            if not options.names or any(part in path.name for part in options.names):
                results.append(measure(path, expected))
    if options.format == "json":
        print(json.dumps([asdict(result) for result in results], indent=1))
    else:
        print(table([result for result in results if not result.name.endswith(".md")]))
        notes = [result for result in results if result.name.endswith(".md")]
        if notes:
            print(f"folder: {sum(note.words > 0 for note in notes)} of {len(notes)} notes read")
    if options.update_floors:
        pinned = json.loads(FLOORS.read_text(encoding="utf-8")) if FLOORS.exists() else {}
        pinned.update(
            {
                result.name: floors_of(result)
                for result in results
                # The floors of the files that are made hold for every text: tests/quality/test_made_files.py.
                if not result.name.endswith(".md") and not is_made(result.name)
            }
        )
        FLOORS.parent.mkdir(exist_ok=True)
        FLOORS.write_text(json.dumps(pinned, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
