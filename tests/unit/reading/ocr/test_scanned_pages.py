"""Scans read by the engines that are here: words in order, columns, headings, pages; nothing in the network."""

from __future__ import annotations

import io

import pytest

from benchmarks.reading import common_in_order, words_of
from lsum_cli.errors import MissingDependency, SourceError
from lsum_cli.reading.ocr import engines
from lsum_cli.reading.ocr.engines import EngineFailure, RapidOcr
from lsum_cli.reading.pdf import scans
from lsum_cli.reading.pdf.document import read_pdf
from lsum_cli.reading.registry import Ocr, RawSource, ReadOptions
from lsum_cli.reading.sources import read

renderer = pytest.mark.skipif(not engines.has_renderer(), reason="pypdfium2 and Pillow are not installed")
with_tesseract = pytest.mark.skipif(
    not engines.has_renderer() or engines.find_tesseract() is None, reason="Tesseract is not installed"
)
with_rapidocr = pytest.mark.skipif(
    not engines.has_renderer() or not engines.has_rapidocr(), reason="RapidOCR is not installed"
)

LEFT = (
    "The old bridge over the river was closed last winter because the floods had damaged its pillars. "
    "Since then the people of the town have had to take the ferry, which runs only once an hour. "
    "Farmers lose a morning when they bring their cattle to the market, and children are late for school. "
    "The pillars cannot be mended, say the engineers, since the ground below them has been washed away. "
    "Two of them were built in the seventeenth century, of a stone that is no longer cut in the hills. "
    "What is left of the arches will be kept, if there is money, for those who like to look at ruins."
)
RIGHT = (
    "A new bridge would cost nine million, said the mayor, and the council has to decide in the summer. "
    "Most of those who were asked want it to be built of wood, as the first one was. "
    "Wood is cheaper and can be had from the forests of the valley, but it has to be painted every year. "
    "Steel would last for a century, and lorries of forty tons could use it, which the farmers want. "
    "The province offers to pay a third of the cost if the work begins before the end of the next year. "
    "An architect from the coast has drawn three plans, and all of them can be seen in the town hall."
)


def scan_of(*, angle: float = 0.0, turn: int = 0, dpi: int = 200) -> bytes:
    """A two-column page as a PDF of one image."""
    import textwrap

    from PIL import Image, ImageFilter
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    page = io.BytesIO()
    canvas = Canvas(page, pagesize=(612, 792))
    for x, heading, text in ((60, "Old bridges", LEFT), (320, "New bridges", RIGHT)):
        canvas.setFont("Times-Bold", 11)
        canvas.drawString(x, 720, heading)
        canvas.setFont("Times-Roman", 11)
        for row, words in enumerate(textwrap.wrap(text, 44)):
            canvas.drawString(x, 700 - 13 * row, words)
    canvas.save()
    with scans.PageRenderer(page.getvalue(), None) as render:
        grey = render(1)
    picture = Image.frombytes("L", (grey.width, grey.height), grey.pixels)
    picture = picture.resize((round(612 * dpi / 72), round(792 * dpi / 72)))
    picture = picture.rotate(angle, fillcolor=255, resample=Image.Resampling.BICUBIC).filter(
        ImageFilter.GaussianBlur(0.5)
    )
    if turn:
        picture = picture.rotate(turn, expand=True)
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(picture.width * 72 / dpi, picture.height * 72 / dpi))
    canvas.drawImage(ImageReader(picture), 0, 0, picture.width * 72 / dpi, picture.height * 72 / dpi)
    canvas.save()
    return target.getvalue()


def headings_of(document) -> list[str]:
    """The title, if it is one of the headings, and the headings."""
    return [text for text in (document.title, *(section.heading for section in document.sections)) if text]


def read_scan(content: bytes, **options):
    raw = RawSource(id="d0", name="scan.pdf", content=content, media_type="application/pdf")
    return read_pdf(raw, ReadOptions(**options))


@with_tesseract
@pytest.mark.parametrize(("angle", "turn"), [(1.0, 0), (0.0, 270)])
def test_a_scan_of_two_columns_is_read_in_order(angle, turn):
    document = read_scan(scan_of(angle=angle, turn=turn))
    assert document.metadata.ocr_pages == (1,)
    assert document.metadata.pdf_pages_without_text == ()
    assert headings_of(document) == ["Old bridges", "New bridges"]
    wanted, found = words_of(f"{LEFT} {RIGHT}"), words_of(" ".join(s.text for s in document.sentences))
    assert common_in_order(wanted, found) >= 0.97 * len(wanted)
    assert {sentence.pdf_page for sentence in document.sentences} == {1}


@with_tesseract
def test_ocr_never_leaves_a_scan_unread():
    with pytest.raises(SourceError, match="no text layer"):
        read_scan(scan_of(), ocr=Ocr.NEVER)


@with_tesseract
def test_ocr_always_reads_a_page_whose_text_layer_is_wrong():
    from reportlab.pdfgen.canvas import Canvas

    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(612, 300))
    canvas.setFont("Times-Roman", 14)
    for row in range(4):
        canvas.drawString(60, 200 - 20 * row, "The words that are seen on the page are the right ones.")
        text = canvas.beginText(60, 60)
        text.setTextRenderMode(3)
        text.textOut("Wrong layer of words that nobody can see.")
        canvas.drawText(text)
    canvas.save()
    assert "Wrong layer" in read_scan(target.getvalue()).text
    always = read_scan(target.getvalue(), ocr=Ocr.ALWAYS)
    assert "Wrong layer" not in always.text
    assert "the right ones" in always.text
    assert always.metadata.ocr_pages == (1,)


@with_tesseract
def test_the_shared_scan_is_read_as_its_text_layer_is(shared):
    folder = shared / "data" / "inputs" / "pdf"
    truth = read(folder / "report-scotus-07-1529.pdf", ReadOptions(pdf_pages="5", ocr=Ocr.NEVER))
    document = read(folder / "scan-no-text-layer-scotus-07-1529.pdf", ReadOptions(pdf_pages="1"))
    wanted, found = words_of(truth.text), words_of(document.text)
    assert common_in_order(wanted, found) >= 0.97 * len(wanted)


@with_rapidocr
def test_rapidocr_reads_without_the_network(monkeypatch):
    import rapidocr.utils.download_file as downloader

    def refuse(*arguments: object) -> None:
        raise AssertionError("the downloader was called")

    monkeypatch.setattr(downloader.DownloadFile, "run", refuse)
    with scans.PageRenderer(scan_of(dpi=150), None) as render:
        page = RapidOcr().recognise(render(1))
    found = words_of(page.text)
    assert len(set(words_of(LEFT + RIGHT)) - set(found)) <= 3


@with_tesseract
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_images_are_sources(tmp_path, kind):
    from PIL import Image

    with scans.PageRenderer(scan_of(), None) as render:
        grey = render(1)
    picture = Image.frombytes("L", (grey.width, grey.height), grey.pixels).resize((1275, 1650))
    several = {"save_all": True, "append_images": [picture]} if kind == "TIFF" else {}
    path = tmp_path / f"page.{kind.lower()}"
    picture.save(path, **several)
    document = read(path)
    assert document.sentences[0].text == LEFT.partition(" Since")[0]
    assert {sentence.pdf_page for sentence in document.sentences} == ({1, 2} if kind == "TIFF" else {None})
    assert document.metadata.media_type == f"image/{kind.lower()}"


@renderer
def test_a_huge_image_is_refused_by_its_size(tmp_path):
    import struct
    import zlib

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    for side in (20_000, 12_000):
        header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
        path = tmp_path / "huge.png"
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")))
        with pytest.raises(
            (SourceError, MissingDependency), match=r"is too large: at most 100 million|OCR engine"
        ):
            read(path)


@with_tesseract
@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n" + bytes(99), b"\xff\xd8\xff" + bytes(99), b"II*\x00" + bytes(99)]
)
def test_a_damaged_image_is_an_error(tmp_path, content):
    path = tmp_path / {0x89: "a.png", 0xFF: "a.jpg"}.get(content[0], "a.tiff")
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"damaged|no text"):
        read(path)


def test_an_image_needs_an_engine(tmp_path, monkeypatch):
    monkeypatch.setattr("lsum_cli.reading.ocr.recognition.find_engine", lambda: None)
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(99))
    with pytest.raises(MissingDependency, match="OCR engine"):
        read(path)
    with pytest.raises(SourceError, match="only OCR can read"):
        read(path, ReadOptions(ocr=Ocr.NEVER))


@renderer
def test_what_cannot_be_rendered_fails_alone_and_ends_the_process():
    with scans.PageRenderer(b"%PDF-1.4 nothing", None) as render:
        for _ in range(5):
            with pytest.raises(EngineFailure):
                render(1)
        process = render._process
    assert process is None or process.poll() is not None


@renderer
def test_a_renderer_that_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(scans, "PAGE_SECONDS", 0.0)
    with scans.PageRenderer(b"%PDF-1.4", None) as render, pytest.raises(EngineFailure):
        render(1)
