"""Passwords, damage, files that are no PDF, and files that mean harm."""

from __future__ import annotations

import contextlib
import io
import time
import tracemalloc
import zlib

import pypdf
import pytest
from pdf_making import Typesetter, make_pdf, read_bytes, sentences
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject
from reportlab.lib.pdfencrypt import StandardEncryption

from lsum_cli.errors import OptionError, SourceError
from lsum_cli.reading.registry import Ocr


def plain(pages: int = 3) -> bytes:
    def draw(canvas):
        for page in range(pages):
            Typesetter(canvas).paragraph(" ".join(sentences(8, seed=page)), 60, 700, 480)
            canvas.showPage()

    return make_pdf(draw)


def encrypted(user: str, owner: str) -> bytes:
    return make_pdf(
        lambda canvas: canvas.drawString(72, 700, "The secret of the orchard is a lantern."),
        encrypt=StandardEncryption(user, ownerPassword=owner, strength=128),
    )


def rewritten(change) -> bytes:
    """A sound PDF after ``change`` has worked on its pypdf writer."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(plain()))
    change(writer)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def test_a_password_is_asked_for():
    with pytest.raises(SourceError, match="needs a password") as caught:
        read_bytes(encrypted("orchard", "owner"))
    assert "--password" in caught.value.next_step


def test_a_wrong_password_is_called_wrong():
    with pytest.raises(SourceError, match="password does not open"):
        read_bytes(encrypted("orchard", "owner"), password="meadow")


@pytest.mark.parametrize("password", ["orchard", "owner"])
def test_the_right_password_opens(password, texts):
    assert texts(read_bytes(encrypted("orchard", "owner"), password=password)) == [
        "The secret of the orchard is a lantern."
    ]


def test_a_file_locked_only_against_changes_opens(texts):
    assert texts(read_bytes(encrypted("", "owner"))) == ["The secret of the orchard is a lantern."]


@pytest.mark.parametrize(
    "content", [b"<!DOCTYPE html><p>Log in</p>", b"\x89PNG\r\n\x1a\n" + bytes(99), b"", b"%PDF-1.7\n"]
)
def test_what_is_no_pdf_is_refused(content):
    with pytest.raises(SourceError):
        read_bytes(content)


def test_no_words_of_the_machinery_in_the_error():
    with pytest.raises(SourceError) as error:
        read_bytes(b"%PDF-1.4 broken")
    assert "zip()" not in error.value.what
    assert error.value.what.endswith("is cut off: no page can be read in what is left of it")


def test_a_file_without_its_end_is_read_and_called_damaged(texts):
    content = plain()
    document = read_bytes(content[: content.rindex(b"xref\n0")])
    assert texts(document) == [s for page in range(3) for s in sentences(8, seed=page)]
    cut_off = "the file is cut off: 3 of its 3 pages could be found in what is left of it"
    assert document.metadata.unknown == (cut_off,)


def written_by_hand(pages: int) -> bytes:
    """Pages with their content, then the tree of the pages, which a cut loses first."""
    font = b"<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    content = b"%PDF-1.4\n"
    for page in range(pages):
        shown = b"BT /F1 12 Tf 72 700 Td (%s) Tj ET" % sentences(1, seed=page)[0].encode()
        content += b"%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (
            2 * page + 3, len(shown), shown,
        )  # fmt: skip
        content += b"%d 0 obj\n<< /Type /Page /Contents %d 0 R /Resources %s >>\nendobj\n" % (
            2 * page + 4, 2 * page + 3, font,
        )  # fmt: skip
    kids = b" ".join(b"%d 0 R" % (2 * page + 4) for page in range(pages))
    content += b"2 0 obj\n<< /Type /Pages /Count %d /Kids [ %s ] >>\nendobj\n" % (pages, kids)
    return content + b"1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"


def test_a_cut_file_says_how_many_of_its_pages_are_left(texts):
    whole = written_by_hand(6)
    cut = whole[: whole.index(b"9 0 obj")]
    first = b"99 0 obj\n<< /Linearized 1 /L 9 /N 6 >>\nendobj\n"
    for content, left in (
        (whole, "6 of its 6 pages"),
        (cut, "3 pages"),
        (cut[: cut.index(b"5 0 obj")], "1 page"),
        (cut.replace(b"3 0 obj", first + b"3 0 obj", 1), "3 of its 6 pages"),
    ):
        document = read_bytes(content)
        assert document.metadata.unknown == (
            f"the file is cut off: {left} could be found in what is left of it",
        )
        assert texts(document) == [sentences(1, seed=page)[0] for page in range(int(left[0]))]


def test_a_file_that_is_filled_up_is_whole():
    assert not read_bytes(plain() + b"\0" * 5_000).metadata.unknown


def test_a_cut_file_without_pages_or_text_is_called_cut():
    with pytest.raises(SourceError, match="is cut off: no page can be read in what is left of it"):
        read_bytes(plain()[:300])
    with pytest.raises(SourceError, match="is cut off: there is no text on the 3 pages left of it"):
        read_bytes(plain()[: plain().index(b"stream")], ocr=Ocr.NEVER)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_a_truncated_file_is_an_error_or_says_what_is_missing(share):
    content = plain(6)
    try:
        document = read_bytes(content[: int(share * len(content))])
    except SourceError:
        return
    assert document.metadata.unknown


def test_one_damaged_page_is_named_and_the_others_are_read(texts):
    def break_second(writer):
        stream = writer.pages[1]["/Contents"].get_object()
        stream = stream[0].get_object() if isinstance(stream, list) else stream
        stream._data = b"\x78\x9c garbage that inflates to nothing"
        writer.pages[1][NameObject("/MediaBox")] = ArrayObject([NumberObject(0)])

    document = read_bytes(rewritten(break_second))
    assert texts(document) == sentences(8, seed=0) + sentences(8, seed=2)
    assert document.metadata.pdf_pages_without_text == (2,)
    assert any("page 2" in warning for warning in document.metadata.unknown)


def test_pages_in_object_streams_are_found_again(texts):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(plain()))
    packed, places = bytearray(), []
    target = io.BytesIO(b"%PDF-1.5\n")
    target.seek(0, io.SEEK_END)
    for number, each in enumerate(writer._objects, start=1):
        if isinstance(each, StreamObject):
            target.write(b"%d 0 obj\n" % number)
            each.write_to_stream(target)
            target.write(b"\nendobj\n")
        elif each is not None:
            places.append(b"%d %d" % (number, len(packed)))
            part = io.BytesIO()
            each.write_to_stream(part)
            packed += part.getvalue() + b"\n"
    head = b" ".join(places) + b"\n"
    data = zlib.compress(head + packed)
    target.write(
        b"900 0 obj\n<< /Type /ObjStm /N %d /First %d /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\nendobj\n"
        % (len(places), len(head), len(data), data)
    )
    document = read_bytes(target.getvalue())
    assert texts(document) == [s for page in range(3) for s in sentences(8, seed=page)]
    assert document.metadata.unknown


def test_an_outline_in_a_circle_ends(texts):
    def loop(writer):
        first = DictionaryObject({NameObject("/Title"): pypdf.generic.TextStringObject("A")})
        reference = writer._add_object(first)
        first[NameObject("/Next")] = reference
        first[NameObject("/First")] = reference
        root = DictionaryObject({NameObject("/First"): reference})
        writer._root_object[NameObject("/Outlines")] = writer._add_object(root)

    assert len(texts(read_bytes(rewritten(loop)))) == 24


def test_a_page_tree_in_a_circle_ends():
    def loop(writer):
        pages = writer._root_object["/Pages"].get_object()
        pages["/Kids"].append(writer._root_object.raw_get("/Pages"))

    started = time.process_time()
    with contextlib.suppress(SourceError):
        read_bytes(rewritten(loop))
    assert time.process_time() - started < 10


def test_forms_that_multiply_end_soon():
    """Ten forms, each of which draws the next one ten times: 10^10 strings in all."""

    def multiply(writer):
        inner = None
        for _ in range(10):
            form = StreamObject()
            form[NameObject("/Type")], form[NameObject("/Subtype")] = (
                NameObject("/XObject"),
                NameObject("/Form"),
            )
            if inner is not None:
                names = DictionaryObject({NameObject("/X"): inner})
                form[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): names})
            form.set_data(b"/X Do " * 10)
            inner = writer._add_object(form)
        page = writer.pages[0]
        page["/Resources"][NameObject("/XObject")] = DictionaryObject({NameObject("/X"): inner})
        content = StreamObject()
        content.set_data(b"/X Do")
        page[NameObject("/Contents")] = writer._add_object(content)

    started = time.process_time()
    document = read_bytes(rewritten(multiply))
    assert time.process_time() - started < 10
    assert document.metadata.pdf_pages_without_text == (1,)


def test_a_decompression_bomb_takes_neither_time_nor_memory():
    def inflate(writer):
        bomb = StreamObject()
        bomb[NameObject("/Filter")] = NameObject("/FlateDecode")
        bomb._data = zlib.compress(bytes(200 << 20), 9)
        writer.pages[0][NameObject("/Contents")] = writer._add_object(bomb)

    content = rewritten(inflate)
    tracemalloc.start()
    started = time.process_time()
    document = read_bytes(content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert time.process_time() - started < 10
    assert peak < 400 << 20
    assert document.metadata.pdf_pages_without_text == (1,)
    assert document.metadata.unknown


def test_pages_out_of_range_are_an_option_error():
    with pytest.raises(OptionError, match="has 3 pages"):
        read_bytes(plain(), pdf_pages="2-9")


def test_nothing_is_logged_or_warned(caplog, capsys):
    content = plain()
    read_bytes(content[: content.rindex(b"xref\n0")])
    assert not caplog.records
    assert capsys.readouterr() == ("", "")


def test_text_and_pages_of_absurd_width_do_not_stall(texts):
    def widen(writer):
        page = writer.pages[0]
        content = StreamObject()
        content.set_data(
            b"BT /F1 10 Tf 1000000000 Tc 72 700 Td (one two three four five) Tj 0 Tc 0 -40 Td (plain words) Tj ET"
        )
        page[NameObject("/Contents")] = writer._add_object(content)
        writer.pages[1][NameObject("/MediaBox")] = ArrayObject(
            [NumberObject(n) for n in (0, 0, 10**12, 10**12)]
        )

    started = time.process_time()
    found = texts(read_bytes(rewritten(widen)))
    assert time.process_time() - started < 20
    assert "plain words" in " ".join(found)
    assert found[-16:] == sentences(8, seed=1) + sentences(8, seed=2)
