"""The source of a report, read back from it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rendering_examples import abstractive_summary, extracted_summary, zoomed_summary

from lsum_cli.documents import Document, Paragraph, Passage, Piece, SectionRole, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality, paginate
from lsum_cli.rendering.earlier_text import is_report, read_report
from lsum_cli.rendering.formats import Format, render, render_many
from lsum_cli.summaries import Attribution, Coverage, Summary, SummarySentence


def written(document: Document) -> object:
    """What a document says, and where."""
    return (
        document.title,
        document.language,
        [
            (each.heading, each.level, each.role, each.path, [(s.text, s.pdf_page) for s in each.sentences])
            for each in document.sections
        ],
        [[s.text for s in paragraph] for each in document.sections for paragraph in each.paragraphs],
    )


def report_of(document: Document) -> Summary:
    """A summary that quotes every third sentence."""
    pages = paginate([document], Locality.SPATIAL, 10_000, keep_references=True)
    quoted = pages[0].sentences[::3]
    return Summary(
        title=document.title,
        sentences=tuple(
            SummarySentence(text=each.text, index=index, attribution=Attribution.verbatim(each, pages[0]))
            for index, each in enumerate(quoted)
        ),
        pages=pages,
        documents=(document,),
        method="extract",
        locality=Locality.SPATIAL,
        coverage=Coverage(
            tokens_total=9, tokens_read=9, tokens_dropped=0, tokens_references=0, pages_total=len(pages)
        ),
    )


@pytest.mark.parametrize("make", [extracted_summary, zoomed_summary])
def test_the_source_of_a_report_can_be_read_back(make: Callable[[], Summary]) -> None:
    summary = make()
    found = read_report(render(summary, Format.HTML), "report.html")
    assert [written(each) for each in found] == [written(each) for each in summary.documents]


def test_paragraphs_over_pages_levels_roles_and_strange_words_come_back() -> None:
    def paragraph(*pieces: tuple[str, int]) -> Paragraph:
        return Paragraph(pieces=tuple(Piece(text=text, pdf_page=page) for text, page in pieces))

    document = compose_document(
        [
            Passage(paragraphs=(paragraph(("Before any heading there is a <b>sentence</b>.", 1)),)),
            Passage(heading="On marshes", level=1),
            Passage(
                heading="Growth & decay",
                level=3,
                paragraphs=(
                    paragraph(("Grass grows. It begins here and", 1), ("ends there. Then “more” & p. 7.", 2)),
                    paragraph(("A paragraph of the same page.", 2)),
                ),
            ),
            Passage(
                heading="References",
                level=1,
                role=SectionRole.REFERENCES,
                paragraphs=(paragraph(("A. B.", 4)),),
            ),
        ],
        id="d0",
        source="marsh.pdf",
        title="On marshes",
        language="en",
    )
    (found,) = read_report(render(report_of(document), Format.HTML), "report.html")
    assert written(found) == written(document)


def test_all_documents_of_all_summaries_come_back() -> None:
    text = render_many([abstractive_summary(), extracted_summary()], Format.HTML)
    found = read_report(text, "report.html")
    assert [each.title for each in found] == [
        document.title for make in (abstractive_summary, extracted_summary) for document in make().documents
    ]
    assert [each.id for each in found] == ["d0", "d1", "d2"]


def test_a_report_without_source_and_one_of_another_version_say_what_to_do() -> None:
    bare = render(extracted_summary(), Format.HTML, show_source=False)
    assert is_report(bare)
    with pytest.raises(OptionError, match=r"old\.html does not hold the text of its source"):
        read_report(bare, "old.html")
    other = render(extracted_summary(), Format.HTML).replace('data-format="1"', 'data-format="7"')
    with pytest.raises(OptionError, match="another version") as caught:
        read_report(other, "old.html")
    assert caught.value.exit_code == 2
    assert not is_report("<!doctype html><title>lsum</title>")
