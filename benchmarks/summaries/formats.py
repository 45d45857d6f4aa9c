"""The same document as HTML, Markdown, PDF and plain text: is it read alike, and summarised alike?

    python -m benchmarks.summaries.formats [--split train|valid] [--documents 10] [--output FILE] [--show]

Documents of three corpora, drawn with a seed, are written in each format. *Summary* is the F1 of the
sentences of the extract against those of the extract from HTML, which marks its headings. *Headings* are
those found, against those written. Plain text has nothing but their place to tell them: alone on a line, with
a blank line before and after. A second table counts headings found where there are none: the same documents
without their headings, meetings, and chapters of books.
"""

from __future__ import annotations

import argparse
import html
import json
import lzma
import random
import re
import statistics
import tempfile
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.corpora import REPOSITORY, corpus_path, default_data
from lsum_cli.documents import Document, SectionRole
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.reading.sources import read

CORPORA = ("designdocs", "pmc", "scotus")
SEED = 17
WIDTH = 72
RESULTS = REPOSITORY / "benchmarks" / "results" / "formats.md"
# A heading of a section of a section: "Opinion of the Court / Part I".
_PATH_BREAK = " / "
_NUMBERS = re.compile(r"(\d+(?:\.\d+)*)\.?\s")
_ITEM = "- "
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_MARKDOWN_LIST = re.compile(r"^(\d+)([.)])(?=\s)|^([-+=>:])", re.M)


@dataclass(frozen=True, kw_only=True)
class Part:
    """A heading with what is below it, up to the next heading.

    Attributes:
        heading: Its words; empty for text without a heading.
        level: Its depth, from 1.
        paragraphs: Paragraphs, and items of lists, which begin with ``"- "``.
    """

    heading: str
    level: int
    paragraphs: tuple[str, ...]

    @property
    def runs(self) -> Iterator[list[str]]:
        """Its paragraphs, items of one list together."""
        run: list[str] = []
        for paragraph in self.paragraphs:
            if run and not (run[-1].startswith(_ITEM) and paragraph.startswith(_ITEM)):
                yield run
                run = []
            run.append(paragraph)
        if run:
            yield run


@dataclass(frozen=True, kw_only=True)
class Text:
    """A document of a corpus, with its structure."""

    id: str
    title: str
    parts: tuple[Part, ...]

    @property
    def headings(self) -> list[str]:
        """All headings, in order."""
        return [part.heading for part in self.parts if part.heading]


def text_of(record: dict[str, Any]) -> Text:
    """The document of a record of a corpus."""
    parts: list[Part] = []
    above = ""
    for section in record["sections"]:
        first, _, second = " ".join(section["title"].split()).partition(_PATH_BREAK)
        paragraphs = tuple(filter(None, (" ".join(line.split()) for line in section["text"].split("\n"))))
        if second and first != above:
            parts.append(Part(heading=first, level=1, paragraphs=()))
        above = first
        heading = second or first
        numbers = _NUMBERS.match(heading)
        level = 2 if second or (numbers and "." in numbers[1]) else 1
        parts.append(Part(heading=heading, level=level, paragraphs=paragraphs))
    return Text(id=record["id"], title=" ".join(record["title"].split()), parts=tuple(parts))


def without_headings(text: Text) -> Text:
    """The same text, from which the headings have been taken."""
    return replace(text, parts=tuple(replace(part, heading="") for part in text.parts))


def as_html(text: Text) -> bytes:
    """A page with headings and lists."""
    lines = [f"<h1>{html.escape(text.title)}</h1>"]
    for part in text.parts:
        if part.heading:
            lines.append(f"<h{part.level + 1}>{html.escape(part.heading)}</h{part.level + 1}>")
        for run in part.runs:
            if run[0].startswith(_ITEM):
                items = "".join(f"<li>{html.escape(item.removeprefix(_ITEM))}</li>" for item in run)
                lines.append(f"<ul>{items}</ul>")
            else:
                lines.append(f"<p>{html.escape(run[0])}</p>")
    body = "\n".join(lines)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(text.title)}</title></head><body><article>\n{body}\n</article></body></html>"
    ).encode()


def as_markdown(text: Text) -> bytes:
    """ATX headings; characters that would mark something are escaped."""

    def escaped(words: str) -> str:
        return _MARKDOWN_LIST.sub(
            lambda found: f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}",
            _MARKDOWN.sub(r"\\\1", words),
        )

    lines = [f"# {escaped(text.title)}"]
    for part in text.parts:
        if part.heading:
            lines.append(f"{'#' * (part.level + 1)} {escaped(part.heading)}")
        for run in part.runs:
            if run[0].startswith(_ITEM):
                lines.append("\n".join(f"- {escaped(item.removeprefix(_ITEM))}" for item in run))
            else:
                lines.append(escaped(run[0]))
    return "\n\n".join(lines).encode()


def as_plain(text: Text, *, width: int | None) -> bytes:
    """Plain text: headings alone on a line, blank lines between; wrapped unless ``width`` is ``None``."""

    def wrapped(words: str, indent: str = "") -> str:
        if width is None:
            return words
        return textwrap.fill(
            words, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )

    lines = [wrapped(text.title)]
    for part in text.parts:
        if part.heading:
            lines.append(wrapped(part.heading))
        for run in part.runs:
            if run[0].startswith(_ITEM):
                lines.append("\n".join(wrapped(item, indent="  ") for item in run))
            else:
                lines.append(wrapped(run[0]))
    return ("\n\n".join(lines) + "\n").encode()


def as_pdf(text: Text, *, columns: int) -> bytes:
    """A typeset PDF of A4 pages with a running head and page numbers; it says nothing of its structure."""
    import io

    import matplotlib
    from reportlab.lib.enums import TA_JUSTIFY
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name in ("DejaVuSerif", "DejaVuSerif-Bold"):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, fonts / f"{name}.ttf"))
    size = 9 if columns > 1 else 10
    body = ParagraphStyle(
        "body", fontName="DejaVuSerif", fontSize=size, leading=1.3 * size, alignment=TA_JUSTIFY, spaceAfter=5
    )
    item = ParagraphStyle("item", parent=body, leftIndent=14, bulletIndent=4, spaceAfter=2)
    bold = {"fontName": "DejaVuSerif-Bold", "keepWithNext": 1}
    heads = {
        1: ParagraphStyle("h1", fontSize=1.3 * size, leading=1.7 * size, spaceBefore=9, spaceAfter=5, **bold),
        2: ParagraphStyle("h2", fontSize=1.1 * size, leading=1.4 * size, spaceBefore=7, spaceAfter=4, **bold),
    }
    title = ParagraphStyle("title", fontSize=16, leading=20, spaceAfter=14, **bold)
    width, height = A4
    margin, gutter = 62, 18
    each = (width - 2 * margin - (columns - 1) * gutter) / columns
    frames = [
        Frame(margin + number * (each + gutter), 64, each, height - 134, 0, 0, 0, 0)
        for number in range(columns)
    ]

    def edges(canvas: Any, template: Any) -> None:
        canvas.setFont("DejaVuSerif", 8)
        canvas.drawString(margin, height - 46, text.title[:70])
        canvas.drawCentredString(width / 2, 36, str(template.page))

    flow: list[Any] = [Paragraph(html.escape(text.title), title)]
    for part in text.parts:
        if part.heading:
            flow.append(Paragraph(html.escape(part.heading), heads[part.level]))
        for run in part.runs:
            if run[0].startswith(_ITEM):
                flow += [
                    Paragraph(html.escape(words.removeprefix(_ITEM)), item, bulletText="•") for words in run
                ]
                flow.append(Spacer(1, 4))
            else:
                flow.append(Paragraph(html.escape(run[0]), body))
    made = io.BytesIO()
    template = BaseDocTemplate(made, pagesize=A4, title=text.title, invariant=1)
    template.addPageTemplates([PageTemplate(frames=frames, onPage=edges)])
    template.build(flow)
    return made.getvalue()


WRITERS: dict[str, tuple[str, Callable[[Text], bytes]]] = {
    "HTML": (".html", as_html),
    "Markdown": (".md", as_markdown),
    "text, wrapped": (".txt", lambda text: as_plain(text, width=WIDTH)),
    "text, unwrapped": (".txt", lambda text: as_plain(text, width=None)),
    "PDF, one column": (".pdf", lambda text: as_pdf(text, columns=1)),
    "PDF, two columns": (".pdf", lambda text: as_pdf(text, columns=2)),
}


def draw(corpus: str, split: str, num_documents: int, data: Path) -> list[Text]:
    """Documents of a corpus with headings, the same for the same seed."""
    with lzma.open(corpus_path(corpus, split, data), "rt", encoding="utf-8") as lines:
        texts = [text for line in lines if len((text := text_of(json.loads(line))).headings) > 2]
    texts.sort(key=lambda text: text.id)
    return sorted(random.Random(SEED).sample(texts, min(num_documents, len(texts))), key=lambda text: text.id)


def read_as(text: Text, name: str, folder: Path) -> Document:
    """Write a text in a format and read it."""
    suffix, write = WRITERS[name]
    path = folder / f"document{suffix}"
    path.write_bytes(write(text))
    return read(path)


def summary_of(document: Document) -> list[str]:
    """The sentences of the extract of the usual length."""
    summary = Summarizer(SummaryOptions(method="extract")).summarize([document])
    return [sentence.text for sentence in summary.sentences]


def words_alone(text: str) -> str:
    """The words of a text in one spelling, to be compared."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def f1(wanted: Sequence[str], found: Sequence[str]) -> float:
    """F1 of texts against others, by their words."""
    common = (Counter(map(words_alone, wanted)) & Counter(map(words_alone, found))).total()
    return 2 * common / max(1, len(wanted) + len(found))


@dataclass(kw_only=True)
class Measured:
    """What was measured of one format on one corpus: F1 per document, and counts of headings."""

    f1: list[float]
    found: int = 0
    right: int = 0
    written: int = 0

    @property
    def precision(self) -> float:
        """Share of the headings found that were written."""
        return self.right / max(1, self.found)

    @property
    def recall(self) -> float:
        """Share of the headings written that were found."""
        return self.right / max(1, self.written)


def headings_of(document: Document) -> list[str]:
    """The headings that were found, the title apart."""
    return [section.heading for section in document.sections if section.heading]


def measure(texts: Sequence[Text], folder: Path, *, show: bool = False) -> dict[str, Measured]:
    """Write, read and summarise texts in every format."""
    measured = {name: Measured(f1=[]) for name in WRITERS}
    for text in texts:
        wanted: list[str] = []
        written = Counter(map(words_alone, text.headings))
        for name, row in measured.items():
            document = read_as(text, name, folder)
            sentences = summary_of(document)
            wanted = wanted or sentences
            row.f1.append(f1(wanted, sentences))
            found = Counter(map(words_alone, headings_of(document)))
            # That a reader takes the title for a heading as well is no error.
            del found[words_alone(text.title)]
            row.found += found.total()
            row.right += (found & written).total()
            row.written += written.total()
            if show and name != "HTML":
                print(f"{text.id}  {name}: F1 {row.f1[-1]:.2f}")
                print("   missing:", sorted((written - found).elements()))
                print("   invented:", sorted((found - written).elements()))
    return measured


def without_any(split: str, num_documents: int, data: Path) -> Iterator[tuple[str, list[str]]]:
    """Texts in which nothing is a heading, by the name of their kind."""
    for corpus in CORPORA:
        texts = [without_headings(text) for text in draw(corpus, split, num_documents, data)]
        for width in (WIDTH, None):
            name = f"{corpus} without headings, {'wrapped' if width else 'unwrapped'}"
            yield name, [as_plain(text, width=width).decode() for text in texts]
    with lzma.open(corpus_path("qmsum", split, data), "rt", encoding="utf-8") as lines:
        meetings = [text_of(json.loads(line)) for line in lines]
    chance = random.Random(SEED)
    meetings = [without_headings(text) for text in chance.sample(meetings, num_documents)]
    yield "meetings", [as_plain(text, width=None).decode() for text in meetings]
    unnamed = [
        "\n\n".join(
            re.sub(r"^[^:]{1,40}: ", "", paragraph) for part in text.parts for paragraph in part.paragraphs
        )
        for text in meetings
    ]
    yield "meetings without the names of speakers", unnamed
    yield "chapters of books", list(_chapters(data))


def _chapters(data: Path) -> Iterator[str]:
    """Chapters of the books as they are wrapped in the files, without their headings."""
    with lzma.open(data / "books" / "books.jsonl.xz", "rt", encoding="utf-8") as lines:
        books = [json.loads(line) for line in lines]
    for book in books:
        for section in book["sections"]:
            paragraphs = (textwrap.fill(line, WIDTH) for line in section["text"].split("\n") if line.strip())
            yield "\n\n".join(paragraphs)


def count_invented(texts: Sequence[str], folder: Path, *, show: bool = False) -> tuple[int, int]:
    """Headings found in texts that have none, and the number of paragraphs."""
    invented = paragraphs = 0
    path = folder / "document.txt"
    for text in texts:
        path.write_text(text, encoding="utf-8")
        # That an opinion begins is told by its first words, which are no headings.
        headings = [
            section.heading
            for section in read(path).sections
            if section.heading and section.role is SectionRole.BODY
        ]
        if show and headings:
            print("   invented:", headings)
        invented += len(headings)
        paragraphs += len(re.findall(r"\n\n", text)) + 1
    return invented, paragraphs


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--split", default="valid", choices=("train", "valid"))
    parser.add_argument("--documents", type=int, default=10, help="of each corpus")
    parser.add_argument("--corpus", choices=CORPORA, help="only this one")
    parser.add_argument("--formats", help="only these besides HTML, separated by |")
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--output", type=Path, help=f"write the tables, as in {RESULTS.name}")
    parser.add_argument("--show", action="store_true", help="what is missing and invented in each document")
    arguments = parser.parse_args()
    if arguments.formats:
        for name in set(WRITERS) - {"HTML", *arguments.formats.split("|")}:
            del WRITERS[name]
    corpora = [arguments.corpus] if arguments.corpus else CORPORA
    lines = ["| corpus | format | summary F1 | headings: precision | recall |", "|---|---|---:|---:|---:|"]
    drawn: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for corpus in corpora:
            texts = draw(corpus, arguments.split, arguments.documents, arguments.data)
            drawn += [text.id for text in texts]
            for kind, row in measure(texts, folder, show=arguments.show).items():
                lines.append(
                    f"| {corpus} | {kind} | {statistics.fmean(row.f1):.2f} | {row.precision:.3f}"
                    f" | {row.recall:.3f} |"
                )
        lines += [
            "",
            "| texts without headings | texts | paragraphs | taken for headings |",
            "|---|---:|---:|---:|",
        ]
        for name, made in without_any(arguments.split, arguments.documents, arguments.data):
            if arguments.show:
                print(name)
            invented, paragraphs = count_invented(made, folder, show=arguments.show)
            lines.append(f"| {name} | {len(made)} | {paragraphs} | {invented} |")
    table = "\n".join(lines)
    print(table)
    if arguments.output:
        ids = "\n".join(f"- {name}" for name in drawn)
        arguments.output.write_text(
            f"Made with `python -m benchmarks.summaries.formats`.\n\n{table}\n\nThe documents:\n\n{ids}\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
