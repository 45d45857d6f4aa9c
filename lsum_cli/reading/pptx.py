"""Presentations: a section per slide, headed by its number and title."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsum_cli.documents import Document
from lsum_cli.errors import SourceError
from lsum_cli.reading.archives import Archive
from lsum_cli.reading.blocks import (
    HIDDEN,
    IMAGES,
    RUNNING_LINES,
    Block,
    Tally,
    language_code,
    make_document,
    role_of,
    table_row,
)
from lsum_cli.reading.markup import parse_xml
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.etree import _Element
    from pptx.presentation import Presentation
    from pptx.slide import Slide

NOTES = "speaker notes"
CHARTS = "charts"

_MAX_DEPTH = 50
# What the library raises where a part is missing or not what it should be.
_DAMAGE = (LookupError, ValueError, AttributeError, TypeError, SyntaxError, NotImplementedError)
_SLIDE_SHOW = b"presentationml.slideshow.main+xml"
_PRESENTATION = b"presentationml.presentation.main+xml"
_DIAGRAM_DATA = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm"
_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_PARAGRAPH = "{http://schemas.openxmlformats.org/drawingml/2006/main}p"
_LANGUAGE = "{http://schemas.openxmlformats.org/drawingml/2006/main}rPr"


def read_pptx(raw: RawSource, options: ReadOptions) -> Document:
    """Read the slides of a presentation in their order; notes and charts are counted as left out.

    Raises:
        SourceError: It is damaged, unpacks to too much, or has no slide with text.
    """
    archive = Archive(raw.content, raw.name, options)
    presentation = _open(archive)
    reader = _SlideReader()
    blocks: list[Block] = []
    try:
        slides = list(presentation.slides)
        for number, slide in enumerate(slides, 1):
            blocks += reader.read(slide, number)
    except _DAMAGE as error:
        raise archive.damage("a part that its slides name is missing or broken") from error
    if not any(not block.level for block in blocks) and not any(reader.titles):
        pictures = f": only {reader.num_pictures:,} pictures" if reader.num_pictures else ""
        raise SourceError(
            f"{raw.name} contains no text on its {len(slides):,} slide{'s' * (len(slides) != 1)}{pictures}",
            "save it as PDF and read that with OCR" if pictures else "check that it is the right file",
        )
    title = normalise(presentation.core_properties.title or "")
    opening = reader.titles[0] if reader.titles else ""
    return make_document(
        raw,
        blocks,
        reader.tally,
        # What programs enter by themselves says nothing.
        title=opening or ("" if title.lower() in ("powerpoint presentation", "presentation") else title),
        language=reader.language,
    )


def _open(archive: Archive) -> Presentation:
    """The presentation, from members whose sizes were checked; pictures and sounds are not unpacked."""
    import pptx
    from pptx.exc import PythonPptxError

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as checked:
        for member in archive.members:
            is_text = member.endswith((".xml", ".rels"))
            content = archive.read(member) if is_text else b""
            if is_text:
                parse_xml(content, f"{member} of {archive.name}")
            if member == "[Content_Types].xml":
                # The library reads slide shows, once they are called presentations.
                content = content.replace(_SLIDE_SHOW, _PRESENTATION)
            checked.writestr(member, content)
    packed.seek(0)
    try:
        return pptx.Presentation(packed)
    except (PythonPptxError, *_DAMAGE) as error:
        raise archive.damage("its slides cannot be found") from error


class _SlideReader:
    """Reads slides one after the other."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.titles: list[str] = []
        self.num_pictures = 0
        self.language: str | None = None

    def read(self, slide: Slide, number: int) -> list[Block]:
        """The blocks of a slide, headed by ``Slide 3: Its title``."""
        title_shape = slide.shapes.title
        title = normalise(title_shape.text_frame.text) if title_shape is not None else ""
        shapes = [
            shape for shape in slide.shapes if title_shape is None or shape.shape_id != title_shape.shape_id
        ]
        hidden = slide._element.get("show") == "0"
        blocks = [block for block in self._shapes(shapes, slide) if normalise(block.text)]
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            self.tally.add(NOTES, slide.notes_slide.notes_text_frame.text)
        if hidden:
            for text in (title, *(block.text for block in blocks)):
                self.tally.add(HIDDEN, text)
            return []
        if not title and not blocks:
            return []
        self.titles.append(title)
        self._note_language(slide)
        heading = f"Slide {number}: {title}" if title else f"Slide {number}"
        return [Block(text=heading, level=1, role=role_of(title)), *blocks]

    def _shapes(self, shapes: Iterable[Any], slide: Slide, depth: int = 0) -> Iterator[Block]:
        """The text of shapes from top to bottom, as far as they stand in rows; else in their order."""
        for shape in shapes:
            if shape.is_placeholder and self._is_running(shape):
                self.tally.add(RUNNING_LINES, shape.text_frame.text if shape.has_text_frame else "")
            elif getattr(shape, "shapes", None) is not None and depth < _MAX_DEPTH:
                yield from self._shapes(shape.shapes, slide, depth + 1)
            elif getattr(shape, "has_table", False):
                for row in shape.table.rows:
                    yield from table_row(
                        [list(_paragraphs(cell.text_frame)) for cell in row.cells if not cell.is_spanned]
                    )
            elif getattr(shape, "has_chart", False):
                self.tally.add(CHARTS, " ".join(shape.chart._chartSpace.itertext()))
            elif shape.has_text_frame:
                yield from _paragraphs(shape.text_frame)
            else:
                self._count_picture(shape)
                yield from _diagram(shape, slide)

    def _count_picture(self, shape: Any) -> None:
        description = shape._element.xpath(".//p:cNvPr/@descr")
        if shape._element.tag.endswith("}pic"):
            self.num_pictures += 1
        for text in description:
            self.tally.add(IMAGES, str(text))

    @staticmethod
    def _is_running(shape: Any) -> bool:
        """Whether a placeholder holds the date, the footer or the number of the slide."""
        from pptx.enum.shapes import PP_PLACEHOLDER

        return shape.placeholder_format.type in (
            PP_PLACEHOLDER.DATE,
            PP_PLACEHOLDER.FOOTER,
            PP_PLACEHOLDER.SLIDE_NUMBER,
            PP_PLACEHOLDER.HEADER,
        )

    def _note_language(self, slide: Slide) -> None:
        if self.language is None:
            declared = next(
                (run.get("lang") for run in slide._element.iter(_LANGUAGE) if run.get("lang")), None
            )
            self.language = language_code(declared)


def _paragraphs(frame: Any) -> Iterator[Block]:
    for paragraph in frame.paragraphs:
        # A break within a paragraph is a vertical tab.
        yield Block(text=normalise(paragraph.text.replace("\v", " ")))


def _texts(element: _Element) -> list[str]:
    return [text.text or "" for text in element.iter(_TEXT)]


def _diagram(shape: Any, slide: Slide) -> Iterator[Block]:
    """The text of a diagram (SmartArt), which is in a part of its own."""
    from lxml import etree

    for link in shape._element.iter(f"{{{_DIAGRAM_DATA}}}relIds"):
        relation = link.get(_RELATION)
        if relation not in slide.part.rels:
            continue
        root = etree.fromstring(
            slide.part.related_part(relation).blob, etree.XMLParser(resolve_entities=False)
        )
        for paragraph in root.iter(_PARAGRAPH):
            yield Block(text=normalise("".join(_texts(paragraph))))
