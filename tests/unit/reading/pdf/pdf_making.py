"""Small PDFs made on the spot, so that each rule is tested on a page that needs it."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from lsum_cli.documents import Document
from lsum_cli.reading.pdf.document import read_pdf
from lsum_cli.reading.registry import RawSource, ReadOptions

WORDS = [
    "river",
    "window",
    "market",
    "garden",
    "letter",
    "summer",
    "winter",
    "bridge",
    "castle",
    "forest",
    "silver",
    "mountain",
    "village",
    "station",
    "harbour",
    "orchard",
    "meadow",
    "captain",
    "journey",
    "evening",
    "morning",
    "shadow",
    "lantern",
    "pocket",
    "corner",
    "kitchen",
    "teacher",
    "painter",
    "sailor",
]


def sentences(count: int, seed: int = 0, length: int = 12) -> list[str]:
    """Sentences of plain words, each different, each recognisable by its number word."""
    generator = random.Random(seed)
    return [
        " ".join(["The", *(generator.choice(WORDS) for _ in range(length)), f"number{seed}x{index}"]) + "."
        for index in range(count)
    ]


@dataclass
class Typesetter:
    """Sets justified columns of text on a reportlab canvas."""

    canvas: Canvas
    size: float = 10.0
    font: str = "Times-Roman"
    leading: float = 12.0

    def wrap(self, text: str, width: float) -> list[str]:
        """Break a text into lines by the widths of its words."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.canvas.stringWidth(longer, self.font, self.size) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def paragraph(self, text: str, x: float, y: float, width: float, *, indent: float = 0.0) -> float:
        """Set one paragraph, justified; returns the next baseline."""
        lines = self.wrap(text, width - indent)
        self.canvas.setFont(self.font, self.size)
        for index, line in enumerate(lines):
            offset = indent if index == 0 else 0.0
            block = self.canvas.beginText(x + offset, y)
            spaces = line.count(" ")
            if index < len(lines) - 1 and spaces:
                room = width - indent - self.canvas.stringWidth(line, self.font, self.size)
                block.setWordSpace(max(0.0, room / spaces))
            block.textOut(line)
            # Word spacing outlives the text object.
            block.setWordSpace(0)
            self.canvas.drawText(block)
            y -= self.leading
        return y

    def heading(
        self, text: str, x: float, y: float, *, size: float = 12.0, font: str = "Times-Bold"
    ) -> float:
        """Set a heading; returns the next baseline."""
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, y, text)
        return y - 1.6 * size


def make_pdf(draw: Callable[[Canvas], None], **options: object) -> bytes:
    """A PDF that ``draw`` fills; it calls ``showPage`` itself between pages."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(612, 792), pageCompression=1, **options)
    draw(canvas)
    canvas.save()
    return target.getvalue()


def read_bytes(content: bytes, **options: object) -> Document:
    """Read a PDF from memory."""
    raw = RawSource(id="d0", name="test.pdf", content=content, media_type="application/pdf")
    return read_pdf(raw, ReadOptions(**options))  # type: ignore[arg-type]


def make_unicode_pdf(pages: list[bytes], encoding: str = "Identity-H") -> bytes:
    """A PDF whose pages are these content streams, in a font ``/U`` whose codes are UTF-16, half an em wide."""
    from pypdf import PdfWriter
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject

    writer = PdfWriter()
    everything = StreamObject()
    everything.set_data(b"1 beginbfrange <0000> <ffff> <0000> endbfrange")
    descendant = {"/Subtype": NameObject("/CIDFontType2"), "/DW": NumberObject(500)}
    font = {
        "/Type": NameObject("/Font"),
        "/Subtype": NameObject("/Type0"),
        "/BaseFont": NameObject("/Every"),
        "/Encoding": NameObject(f"/{encoding}"),
        "/ToUnicode": writer._add_object(everything),
        "/DescendantFonts": ArrayObject(
            [DictionaryObject({NameObject(key): value for key, value in descendant.items()})]
        ),
    }
    reference = writer._add_object(DictionaryObject({NameObject(key): value for key, value in font.items()}))
    for stream in pages:
        page = writer.add_blank_page(612, 792)
        fonts = DictionaryObject({NameObject("/U"): reference})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        content = StreamObject()
        content.set_data(stream)
        page[NameObject("/Contents")] = writer._add_object(content)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def shown(text: str, x: float, y: float, size: float = 10) -> bytes:
    """The operators that show ``text`` in the font of :func:`make_unicode_pdf`."""
    return b"BT /U %g Tf %g %g Td <%s> Tj ET\n" % (size, x, y, text.encode("utf-16-be").hex().encode())
