"""Scans that an OCR program has made searchable are read; runs where Tesseract is installed."""

from __future__ import annotations

import io
import os
import shutil
import subprocess

import pypdf
import pytest
from PIL import Image, ImageDraw, ImageFont

from lsum_cli.reading.pdf.document import read_pdf
from lsum_cli.reading.registry import Ocr, RawSource, ReadOptions

pytestmark = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")

LINES = [
    "The river ran quietly between the green fields",
    "on that morning. A painter stood at the old bridge",
    "and looked at the water. Nobody else was there.",
]
SENTENCES = [
    "The river ran quietly between the green fields on that morning.",
    "A painter stood at the old bridge and looked at the water.",
    "Nobody else was there.",
]


@pytest.fixture(scope="module")
def scans(tmp_path_factory):
    """A searchable PDF of Tesseract, and its text layer alone, for one page image."""
    folder = tmp_path_factory.mktemp("scan")
    image = Image.new("L", (1240, 600), 255)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(LINES):
        draw.text((100, 100 + 60 * number), line, font=ImageFont.load_default(40), fill=0)
    image.save(folder / "page.png", dpi=(150, 150))
    for name, settings in (("whole", []), ("text", ["-c", "textonly_pdf=1"])):
        command = ["tesseract", "page.png", name, *settings, "pdf"]
        subprocess.run(
            command, cwd=folder, check=True, capture_output=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"}
        )
    return folder


def read(content: bytes):
    raw = RawSource(id="d0", name="scan.pdf", content=content, media_type="application/pdf")
    return read_pdf(raw, ReadOptions(ocr=Ocr.NEVER))


def test_a_pdf_of_tesseract(scans):
    document = read((scans / "whole.pdf").read_bytes())
    assert [sentence.text for sentence in document.sentences] == SENTENCES
    assert document.metadata.glyphs_unread == 0


def test_a_text_layer_grafted_onto_the_scan(scans):
    """OCRmyPDF puts Tesseract's invisible text under the original page."""
    whole = pypdf.PdfReader(scans / "whole.pdf").pages[0]
    layer = pypdf.PdfReader(scans / "text.pdf").pages[0]
    writer = pypdf.PdfWriter()
    image = Image.open(scans / "page.png")
    plain = io.BytesIO()
    image.save(plain, "PDF", resolution=150)
    page = writer.add_page(pypdf.PdfReader(plain).pages[0])
    scale = float(page.mediabox.width) / float(whole.mediabox.width)
    page.merge_transformed_page(layer, pypdf.Transformation().scale(scale), over=False)
    target = io.BytesIO()
    writer.write(target)
    assert [sentence.text for sentence in read(target.getvalue()).sentences] == SENTENCES
