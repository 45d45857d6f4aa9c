"""Links into sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from rendering_examples import make_document

from lsum_cli.documents import Document, Metadata
from lsum_cli.rendering.source_links import (
    link_place,
    link_source,
    name_all_briefly,
    name_briefly,
    name_source,
)

PDF = Metadata(media_type="application/pdf", pdf_pages=3)
WEB = Metadata(media_type="text/html")


def document(source: str, metadata: Metadata = PDF) -> Document:
    return make_document("d0", source, None, [(None, [("Text.", 1)])], metadata=metadata)


def test_a_pdf_page_is_linked_relative_to_the_output(tmp_path: Path) -> None:
    paper = document(str(tmp_path / "papers" / "a b#1%.pdf"))
    assert link_place(paper, tmp_path / "out", pdf_page=7) == "../papers/a%20b%231%25.pdf#page=7"
    assert link_place(paper, tmp_path / "papers", pdf_page=7) == "a%20b%231%25.pdf#page=7"


def test_without_a_folder_paths_stay_as_given_or_become_absolute() -> None:
    paper = document("papers/a.pdf")
    assert link_place(paper, None, pdf_page=2) == "papers/a.pdf#page=2"
    address = link_place(paper, None, pdf_page=2, absolute=True)
    assert address == f"{(Path.cwd() / 'papers' / 'a.pdf').as_uri()}#page=2"


def test_a_path_cannot_pose_as_another_scheme(tmp_path: Path) -> None:
    paper = document(str(tmp_path / "javascript:alert(1)"))
    assert link_source(paper, tmp_path) == "javascript%3Aalert%281%29"


def test_a_file_name_that_is_no_utf_8_can_still_be_linked() -> None:
    assert link_source(document("caf\udce9.pdf"), None) == "caf%E9.pdf"


@pytest.mark.parametrize("source", ["javascript://alert(1)", "data://text/html,x", "file://host/x", "-"])
def test_only_the_web_is_linked(source: str) -> None:
    assert link_source(document(source), None) is None
    assert link_place(document(source), None, pdf_page=1) is None


def test_a_quotation_on_a_web_page_is_linked_by_its_words() -> None:
    page = document("https://example.org/a", WEB)
    assert link_place(page, None, quotation="Well-known, & short.") == (
        "https://example.org/a#:~:text=Well%2Dknown%2C%20%26%20short."
    )
    words = " ".join(f"w{number}" for number in range(20))
    assert link_place(page, None, quotation=words) == (
        "https://example.org/a#:~:text=w0%20w1%20w2%20w3%20w4%20w5,w14%20w15%20w16%20w17%20w18%20w19"
    )
    assert link_place(document("https://example.org/a#part", WEB), None, quotation="x") == (
        "https://example.org/a#part:~:text=x"
    )


def test_a_pdf_on_the_web_is_linked_by_page() -> None:
    assert link_place(document("https://example.org/a.pdf#x"), None, pdf_page=3) == (
        "https://example.org/a.pdf#page=3"
    )


def test_quotes_in_a_url_are_escaped() -> None:
    assert link_source(document('https://example.org/"><script>'), None) == (
        "https://example.org/%22%3E%3Cscript%3E"
    )


def test_names_of_sources() -> None:
    assert name_source(document("-")) == "standard input"
    assert name_source(document("papers/a.pdf")) == "a.pdf"
    assert name_source(document("https://example.org/a?b")) == "https://example.org/a?b"
    assert name_briefly(document("https://www.example.org/a/?b#c")) == "example.org/a"
    assert name_briefly(document("papers/a.pdf")) == "a.pdf"


def test_citations_call_documents_by_what_tells_them_from_others() -> None:
    made = [
        make_document("d0", "weir/README.md", None, [(None, [("Text.", 1)])], metadata=WEB),
        make_document("d1", "gate/README.md", "Overview", [(None, [("Text.", 1)])], metadata=WEB),
        make_document("d2", "docs/lock.md", "Installation", [(None, [("Text.", 1)])], metadata=WEB),
        make_document("d3", "docs/holm.md", "The lock of Holm", [(None, [("Text.", 1)])], metadata=WEB),
    ]
    assert name_all_briefly(made) == {"d0": "weir", "d1": "gate", "d2": "lock.md", "d3": "The lock of Holm"}
