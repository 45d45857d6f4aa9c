"""Slides shown step by step, on as many pages."""

from __future__ import annotations

import pytest
from pdf_making import make_pdf, read_bytes

POINTS = ["The bridge was closed in spring.", "Boats carry the people now.", "A new bridge costs too much."]


def deck(width: float, height: float, *, others: bool = False) -> bytes:
    """A title on a page, its date only on the next, then three points one by one; or other points each time."""

    def draw(canvas):
        canvas.setPageSize((width, height))
        for step in range(2):
            canvas.setFont("Helvetica-Bold", 20)
            canvas.drawString(60, 160, "Crossing the river")
            canvas.setFont("Helvetica", 10)
            if step:
                canvas.drawString(60, 100, "Spoken in the village hall in May.")
            canvas.showPage()
        for step in range(3):
            canvas.bookmarkPage(f"step{step}")
            if not step:
                canvas.addOutlineEntry("What happened", "step0")
            canvas.setFont("Helvetica-Bold", 14)
            canvas.drawString(30, height - 30, "What happened")
            canvas.setFont("Helvetica", 10)
            canvas.drawString(30, height - 44, "from May to June")
            canvas.setFont("Helvetica", 10)
            for index, point in enumerate(POINTS[step : step + 1] if others else POINTS[: step + 1]):
                canvas.drawString(30, height - 70 - 24 * index + 5 * step, point)
            canvas.showPage()

    return make_pdf(draw)


def test_a_slide_shown_in_steps_is_read_once_and_complete():
    document = read_bytes(deck(400, 300))
    assert document.title == "Crossing the river"
    found = [(section.heading, [each.text for each in section.sentences]) for section in document.sections]
    assert found == [
        (None, ["Spoken in the village hall in May."]),
        ("What happened", ["from May to June", *POINTS]),
    ]
    assert {each.pdf_page for each in document.sections[1].sentences} == {5}
    left = {each.what: each.words for each in document.metadata.left_out}
    assert left == {"earlier steps of slides": 3 + 6 + 6 + 6 + 6 + 5}


@pytest.mark.parametrize(
    ("size", "others"), [((300, 400), False), ((400, 300), True)], ids=["no slides", "no steps"]
)
def test_other_pages_that_repeat_lines_are_all_read(size, others):
    document = read_bytes(deck(*size, others=others))
    assert sum(POINTS[0] in each.text for each in document.sentences) == (1 if others else 3)
    assert all(any(point in each.text for each in document.sentences) for point in POINTS)
    left = {each.what: each.words for each in document.metadata.left_out}
    assert left.get("earlier steps of slides", 0) == (3 if others else 0)
