"""Presentations: slides in order, tables and groups; notes, charts and hidden slides counted; damage."""

from __future__ import annotations

import zipfile

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.util import Inches
from reading_samples import headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError


@pytest.fixture
def deck(tmp_path):
    """Make a presentation, and return its path."""

    def make(*fill, name="a.pptx"):
        presentation = Presentation()
        for function in fill:
            function(presentation)
        presentation.save(str(tmp_path / name))
        return tmp_path / name

    return make


def titled(presentation):
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Why tides rise"
    frame = slide.placeholders[1].text_frame
    frame.text = "The moon pulls\vthe water."
    frame.add_paragraph().text = "The sun helps."
    slide.notes_slide.notes_text_frame.text = "Pause here and smile."


def tabled(presentation):
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    table = slide.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(1)).table
    for row, names in enumerate((("Place", "Height"), ("Dover", "6.7 m"))):
        for column, text in enumerate(names):
            table.cell(row, column).text = text
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "Grouped words."


def charted(presentation):
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "References"
    data = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Rain", (1, 2))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(3), Inches(2), data)
    slide.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "Lee 2020."


def hidden(presentation):
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide._element.set("show", "0")
    slide.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "not for today"


def blank(presentation):
    presentation.slides.add_slide(presentation.slide_layouts[6])


def test_slides_are_sections_with_their_numbers(deck):
    document = read(deck(titled, blank, tabled, charted, hidden))
    assert document.title == "Why tides rise"
    assert headings_of(document) == [
        (1, "Slide 1: Why tides rise"),
        (1, "Slide 3"),
        (1, "Slide 4: References"),
    ]
    assert [s.text for s in document.sentences] == [
        "The moon pulls the water.", "The sun helps.", "Place | Height", "Dover | 6.7 m", "Grouped words.", "Lee 2020.",
    ]  # fmt: skip
    counted = left_out_of(document)
    assert (counted["speaker notes"], counted["hidden text"]) == (4, 3)
    assert counted["charts"] >= 3
    assert document.sections[2].role == "references"


def diagrammed(presentation):
    """A slide with a diagram, whose text is in a part of its own."""
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    data = (
        '<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
        ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>'
        "<dgm:pt><dgm:t><a:p><a:r><a:t>Plan the </a:t></a:r><a:r><a:t>work.</a:t></a:r></a:p></dgm:t></dgm:pt>"
        "<dgm:pt><dgm:t><a:p><a:r><a:t>Work the plan.</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"
    )
    kind = "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"
    part = Part(PackURI("/ppt/diagrams/data1.xml"), kind, presentation.part.package, data.encode())
    relation = slide.part.relate_to(part, RELATIONSHIP_TYPE.DIAGRAM_DATA)
    frame = (
        '<p:graphicFrame xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
        ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
        ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        '<p:nvGraphicFramePr><p:cNvPr id="9" name="Diagram"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        '<p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic><a:graphicData'
        ' uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds'
        ' xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
        f' r:dm="{relation}"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    slide.shapes._spTree.append(parse_xml(frame))


def test_the_text_of_diagrams_is_read(deck):
    document = read(deck(diagrammed))
    assert [s.text for s in document.sentences] == ["Plan the work.", "Work the plan."]


def test_a_deck_without_text_is_an_error(deck):
    with pytest.raises(SourceError, match="contains no text on its 2 slides"):
        read(deck(blank, hidden))


def test_slide_shows_are_read(deck, tmp_path):
    path = deck(titled)
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(tmp_path / "show.ppsx", "w") as changed:
        for member in archive.namelist():
            content = archive.read(member).replace(b"presentation.main+xml", b"slideshow.main+xml")
            changed.writestr(member, content)
    assert read(tmp_path / "show.ppsx").title == "Why tides rise"


def test_damage_and_bombs_are_named(deck, tmp_path, pack):
    path = deck(titled)
    with zipfile.ZipFile(path) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    missing = {member: content for member, content in members.items() if "slides/slide1.xml" not in member}
    with pytest.raises(SourceError, match="is damaged"):
        read(pack("b.pptx", missing))
    with pytest.raises(SourceError, match="is damaged"):
        read(pack("c.pptx", members | {"ppt/slides/slide1.xml": b"<p:sld><open>"}))
    with pytest.raises(SourceError, match="is damaged"):
        read(pack("d.pptx", {"ppt/presentation.xml": b"<p/>"}))
    bomb = members["ppt/slides/slide1.xml"].replace(b"The sun helps.", b" " * 80_000_000)
    with pytest.raises(SourceError, match="unpacks to more than the limit"):
        read(pack("e.pptx", members | {"ppt/slides/slide1.xml": bomb}))
    # A picture is not unpacked, however large it becomes.
    assert (
        read(pack("f.pptx", members | {"ppt/media/image1.png": b"\0" * 400_000_000})).title
        == "Why tides rise"
    )
