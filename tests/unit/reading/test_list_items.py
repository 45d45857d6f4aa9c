"""Items of lists are known as such, whatever the format marks them with."""

from __future__ import annotations

import pytest
from test_docx import document_of as docx_of
from test_docx import paragraph as docx_paragraph
from test_odt import document_of as odt_of
from test_odt import paragraph as odt_paragraph

from lsum_cli import read

BEFORE = "The wardens of the weir keep three things in the house beside the lower lock:"
ITEMS = [
    "A ledger with the levels of the river, written every morning before the gates are opened.",
    "A bell that is rung when the water rises above the second mark of the gauge.",
    "Boards that close the gates while the carpenters mend what the flood has broken.",
]
AFTER = "All three were paid for by the county in the year of the great flood, and are there to this day."
HTML = "<html><body><article><h1>Weir</h1>{}</article></body></html>"


def in_html(before: str, opening: str, item: str, closing: str, after: str) -> str:
    items = "".join(item.format(each) for each in ITEMS)
    return HTML.format(before.format(BEFORE) + opening + items + closing + after.format(AFTER))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "\n".join(["# Weir", "", BEFORE, "", *(f"- {each}" for each in ITEMS), "", AFTER])),
        ("b.md", "\n\n".join(["# Weir", BEFORE, *(f"1. {each}" for each in ITEMS), AFTER])),
        ("a.rst", "\n".join(["Weir", "====", "", BEFORE, "", *(f"* {each}" for each in ITEMS), "", AFTER])),
        (
            "b.rst",
            "\n".join(["Weir", "====", "", BEFORE, "", *(f"kept\n  {each}" for each in ITEMS), "", AFTER]),
        ),
        ("a.html", in_html("<p>{}</p>", "<ul>", "<li>{}</li>", "</ul>", "<p>{}</p>")),
        ("b.html", in_html("<p>{}</p>", "<ol>", "<li><p>{}</p></li>", "</ol>", "<p>{}</p>")),
        ("c.html", in_html("<p>{}</p>", "<dl>", "<dt>kept</dt><dd>{}</dd>", "</dl>", "<p>{}</p>")),
        (
            "a.tex",
            r"\documentclass{article}\begin{document}\section{Weir}"
            + BEFORE
            + r"\begin{itemize}"
            + "".join(rf"\item {each}" for each in ITEMS)
            + r"\end{itemize}"
            + AFTER
            + r"\end{document}",
        ),
        ("a.mediawiki", "\n".join(["== Weir ==", BEFORE, *(f"* {each}" for each in ITEMS), "", AFTER])),
    ],
)
def test_items_of_lists_are_known(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert told(read(path)) == [(BEFORE, False), *((each, True) for each in ITEMS), (AFTER, False)]


def test_items_of_word_processors_are_known(pack):
    bullet = '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
    body = docx_paragraph(BEFORE) + "".join(map(bullet.format, ITEMS)) + docx_paragraph(AFTER)
    items = "".join(f"<text:list-item>{odt_paragraph(each)}</text:list-item>" for each in ITEMS)
    text = odt_paragraph(BEFORE) + f"<text:list>{items}</text:list>" + odt_paragraph(AFTER)
    known = [(BEFORE, False), *((each, True) for each in ITEMS), (AFTER, False)]
    assert told(read(pack("a.docx", docx_of(body)))) == known
    assert told(read(pack("a.odt", odt_of(text)))) == known


def test_what_goes_on_in_an_item_begins_none(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(f"# Weir\n\n- {ITEMS[0]} {ITEMS[1]}\n\n  {ITEMS[2]}\n", encoding="utf-8")
    assert [sentence.is_item for sentence in read(path).sentences] == [True, False, False]


def told(document):
    """Each sentence without the term that it defines, and whether an item begins with it."""
    return [(sentence.text.removeprefix("kept: "), sentence.is_item) for sentence in document.sentences]
