"""Which pages are read, and what is known of those without text."""

from __future__ import annotations

import io

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_making import Typesetter, make_pdf, make_unicode_pdf, read_bytes, sentences, shown
from PIL import Image
from pypdf.generic import NameObject, StreamObject
from reportlab.lib.utils import ImageReader

from lsum_cli.errors import OptionError, SourceError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.reading.pdf.document import read_pdf
from lsum_cli.reading.pdf.file import parse_pdf_pages
from lsum_cli.reading.registry import Ocr, RawSource, ReadOptions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, (1, 2, 3, 4, 5, 6)),
        ("3", (3,)),
        ("1-3,5", (1, 2, 3, 5)),
        ("5-", (5, 6)),
        ("-2", (1, 2)),
        (" 2 , 4-5 ", (2, 4, 5)),
        ("3,3,2-3", (2, 3)),
    ],
)
def test_page_lists(text, expected):
    assert parse_pdf_pages(text, 6, "a.pdf") == expected


@pytest.mark.parametrize(
    "text", ["", "x", "0", "7", "3-1", "1,,2", "-", "1-2-3", "2.5", "5-9", "99999999999999999999999"]
)
def test_nonsense_is_refused(text):
    with pytest.raises(OptionError):
        parse_pdf_pages(text, 6, "a.pdf")


def test_the_number_of_pages_is_named():
    with pytest.raises(OptionError, match=r"a\.pdf has 6 pages"):
        parse_pdf_pages("4-7", 6, "a.pdf")


@given(st.sets(st.integers(1, 40), min_size=1))
def test_any_set_of_pages_can_be_asked_for(pages):
    assert parse_pdf_pages(",".join(map(str, pages)), 40, "a.pdf") == tuple(sorted(pages))


def mixed() -> bytes:
    """Text, a scan, nothing, text, a rotated page."""

    def draw(canvas):
        picture = ImageReader(Image.new("L", (20, 20), 128))
        Typesetter(canvas).paragraph(" ".join(sentences(6, seed=1)), 60, 700, 480)
        canvas.showPage()
        canvas.drawImage(picture, 0, 0, 612, 792)
        canvas.showPage()
        canvas.showPage()
        Typesetter(canvas).paragraph(" ".join(sentences(6, seed=4)), 60, 700, 480)
        canvas.showPage()

    return make_pdf(draw)


def test_pages_without_text_are_recorded(texts):
    metadata = read_bytes(mixed()).metadata
    assert metadata.pdf_pages == 4
    assert metadata.pdf_pages_read == (1, 2, 3, 4)
    assert metadata.pdf_pages_without_text == (2, 3)
    assert metadata.pdf_pages_blank == (3,)


def test_only_the_pages_asked_for_are_read(texts):
    document = read_bytes(mixed(), pdf_pages="3-4")
    assert texts(document) == sentences(6, seed=4)
    assert document.metadata.pdf_pages == 4
    assert document.metadata.pdf_pages_read == (3, 4)
    assert document.metadata.pdf_pages_without_text == (3,)
    assert {sentence.pdf_page for sentence in document.sentences} == {4}


def test_a_scan_says_how_to_go_on(monkeypatch):
    with pytest.raises(SourceError, match="no text layer") as caught:
        read_bytes(mixed(), pdf_pages="2", ocr=Ocr.NEVER)
    assert "--ocr never" in caught.value.next_step
    monkeypatch.setattr("lsum_cli.reading.ocr.engines.find_engine", lambda: None)
    with pytest.raises(SourceError, match="no text layer") as caught:
        read_bytes(mixed(), pdf_pages="2")
    assert "pip install 'lsum-cli[ocr]'" in caught.value.next_step


def test_blank_pages_are_called_blank():
    with pytest.raises(SourceError, match="blank"):
        read_bytes(mixed(), pdf_pages="3")


@pytest.mark.parametrize("turns", [90, 180, 270])
def test_rotated_pages_read_the_same(texts, turns):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(mixed()))
    writer.pages[0].rotate(turns)
    target = io.BytesIO()
    writer.write(target)
    assert texts(read_bytes(target.getvalue(), pdf_pages="1")) == sentences(6, seed=1)


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_text_turned_on_an_upright_page_reads_the_same(texts, angle):
    def draw(canvas):
        canvas.translate(306, 396)
        canvas.rotate(angle)
        canvas.translate(-250, -200)
        Typesetter(canvas).paragraph(" ".join(sentences(6, seed=1)), 0, 400, 480)

    assert texts(read_bytes(make_pdf(draw))) == sentences(6, seed=1)


def test_a_stamp_at_the_side_is_counted_not_read(texts):
    def draw(canvas):
        Typesetter(canvas).paragraph(" ".join(sentences(12, seed=1)), 80, 700, 440)
        canvas.saveState()
        canvas.rotate(90)
        canvas.drawString(200, -30, "arXiv:1234.5678 [cs.CL] 1 Jan 2020")
        canvas.restoreState()

    document = read_bytes(make_pdf(draw))
    assert texts(document) == sentences(12, seed=1)
    assert {each.what: each.words for each in document.metadata.left_out} == {"text set sideways": 5}


def test_progress_is_told_after_each_page():
    events = []
    raw = RawSource(
        id="d0", name="a.pdf", content=mixed(), media_type="application/pdf", progress=events.append
    )
    read_pdf(raw, ReadOptions(ocr=Ocr.NEVER))
    assert [(event.stage, event.done, event.total, event.unit) for event in events] == [
        ("reading", done, 4, "PDF pages") for done in (1, 2, 3, 4)
    ]


def test_the_language_is_that_of_the_file_or_of_its_words():
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(mixed()))
    writer._root_object[pypdf.generic.NameObject("/Lang")] = pypdf.generic.TextStringObject("de-AT")
    target = io.BytesIO()
    writer.write(target)
    assert read_bytes(target.getvalue()).language == "de"
    assert read_bytes(mixed()).language == "en"
    german = " ".join(["Der Hund, der gestern noch bellte, schläft heute ruhig in seinem Haus am Fluss."] * 4)
    plain = make_pdf(lambda canvas: Typesetter(canvas).paragraph(german, 60, 700, 480))
    assert read_bytes(plain).language == "de"


def test_characters_that_no_font_explains_are_counted_and_shown(texts):
    def draw(canvas):
        for top, count in ((700, 6), (740, 1)):
            Typesetter(canvas).paragraph(" ".join(sentences(count, seed=count)), 60, top, 480)
            canvas.drawString(60, 400, "A private")
            canvas._code.append(r"BT /F1 12 Tf 112 400 Td (\007\001) Tj ET")
            canvas.drawString(140, 400, "sign stands here.")
            canvas.showPage()

    metadata = read_bytes(make_pdf(draw)).metadata
    assert (metadata.glyphs_unread, metadata.pdf_pages_unread_glyphs) == (4, (1, 2))
    assert "A private \ufffd\ufffd sign stands here." in texts(read_bytes(make_pdf(draw)))


def unread_pdf() -> bytes:
    """Three pages; the third has a sentence with two characters that nothing explains."""

    def draw(canvas):
        for seed in (1, 2):
            Typesetter(canvas).paragraph(" ".join(sentences(8, seed=seed)), 60, 700, 480)
            canvas.showPage()
        Typesetter(canvas).paragraph(" ".join(sentences(8, seed=3)), 60, 700, 480)
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(60, 500, "A most important")
        canvas._code.append(r"BT /F1 10 Tf 140 500 Td (\007\001) Tj ET")
        canvas.drawString(170, 500, "sign stands in this sentence of the document.")
        canvas.showPage()

    return make_pdf(draw)


def test_a_loss_of_characters_is_named_by_page_and_never_quoted():
    document = read_bytes(unread_pdf())
    assert any("\ufffd" in sentence.text for sentence in document.sentences)
    summary = Summarizer(SummaryOptions(method="extract", length="300")).summarize([document])
    assert summary.coverage.glyphs_unread == 2
    assert summary.coverage.tokens_dropped == 0
    assert summary.coverage.lost == (
        "2 characters on PDF page 3 could not be read: the fonts do not say what they are",
    )
    assert summary.coverage.lost[0] in summary.warnings
    assert "\ufffd" not in summary.text
    assert "\ufffd" not in (summary.title or "")


def test_fonts_that_say_nothing_at_all_are_an_error():
    page = b"".join(shown(text, 60, 740 - 14 * number) for number, text in enumerate(sentences(20)))
    silent = make_unicode_pdf([page]).replace(b"<ffff> <0000>", b"<ffff> <e000>")
    with pytest.raises(SourceError, match="fonts do not say which letters"):
        read_bytes(silent, ocr=Ocr.NEVER)


def test_a_long_reading_says_how_long_it_will_take(monkeypatch):
    monkeypatch.setattr("lsum_cli.reading.pdf.document.ESTIMATE_AFTER", -1.0)
    monkeypatch.setattr("lsum_cli.reading.pdf.document.LONG_SECONDS", 0.0)
    events = []
    raw = RawSource(
        id="d0", name="a.pdf", content=mixed(), media_type="application/pdf", progress=events.append
    )
    read_pdf(raw, ReadOptions(ocr=Ocr.NEVER))
    remarks = [event.remark for event in events if event.remark]
    assert remarks == ["reading 4 PDF pages will take about 1 minute"]


def test_a_page_whose_compressed_content_is_damaged_is_named():
    """pypdf returns what it can decompress of such a stream, often nothing."""

    def draw(canvas):
        for number in (1, 2):
            canvas.drawString(72, 700, f"The page {number} is read.")
            canvas.showPage()

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make_pdf(draw)))
    for page in writer.pages:
        content = StreamObject()
        content.set_data(page.get_contents().get_data() * 20)
        page[NameObject("/Contents")] = writer._add_object(content.flate_encode())
    stream = writer.pages[1]["/Contents"]
    stream._data = stream._data[:20] + bytes(40) + stream._data[60:]
    target = io.BytesIO()
    writer.write(target)
    document = read_bytes(target.getvalue(), ocr="never")
    assert any("PDF page 2" in each and "damaged" in each for each in document.metadata.unknown)
