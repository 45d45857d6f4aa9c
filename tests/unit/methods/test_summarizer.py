"""The summary around the sentences: coverage, options, reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lsum_cli.documents import LeftOut, Metadata, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.errors import OptionError, SourceError
from lsum_cli.locality import Locality, count_tokens, paginate
from lsum_cli.methods import summarizer as summarizer_module
from lsum_cli.methods.base import measure_coverage
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer


def document(*, references: bool = True, metadata: Metadata | None = None, id: str = "d0"):
    passages = [
        Passage(
            heading="A", level=1, paragraphs=(Paragraph.of("Mud settles in still water. Grass slows it."),)
        ),
        Passage(heading="B", level=1, paragraphs=(Paragraph.of("Marshes rise with the sea."),)),
    ]
    if references:
        passages.append(
            Passage(
                heading="References",
                level=1,
                role=SectionRole.REFERENCES,
                paragraphs=(Paragraph.of("Somebody. A book on mud, 1999."),),
            )
        )
    return compose_document(passages, id=id, source="x.txt", title="Mud", metadata=metadata)


def test_coverage_adds_up_and_counts_references():
    summary = Summarizer().summarize([document()])
    coverage = summary.coverage
    assert coverage.tokens_dropped == 0
    assert coverage.tokens_references > 0
    assert coverage.tokens_total == coverage.tokens_read + coverage.tokens_references
    assert coverage.tokens_total == sum(count_tokens(s.text) for s in document().sentences)
    assert coverage.lost == ()


def test_kept_references_are_read():
    coverage = Summarizer(SummaryOptions(keep_references=True)).summarize([document()]).coverage
    assert coverage.tokens_references == 0
    assert coverage.tokens_total == coverage.tokens_read


def test_a_sentence_in_no_page_counts_as_dropped():
    pages = paginate([document()], Locality.DISCOURSE, 100)
    coverage = measure_coverage([document()], pages[:1], count_tokens, keep_references=False)
    assert coverage.tokens_dropped == count_tokens("Marshes rise with the sea.")
    assert "6 of" in coverage.lost[0]


def test_pdf_pages_without_text_are_lost_unless_blank():
    metadata = Metadata(
        pdf_pages=9,
        pdf_pages_without_text=(4, 6),
        pdf_pages_blank=(6,),
        left_out=(LeftOut(what="page numbers", words=9),),
        warnings=("the file is damaged",),
    )
    summary = Summarizer().summarize([document(metadata=metadata)])
    assert summary.coverage.lost == ("no text could be read on PDF page 4",)
    assert summary.coverage.pdf_pages_without_text == (4, 6)
    assert summary.coverage.left_out == (LeftOut(what="page numbers", words=9),)
    assert summary.warnings == ("the file is damaged", "no text could be read on PDF page 4")


def test_a_blank_page_of_one_document_hides_no_unread_page_of_another():
    scanned = Metadata(pdf_pages=4, pdf_pages_without_text=(3,))
    with_blank = Metadata(pdf_pages=4, pdf_pages_without_text=(3,), pdf_pages_blank=(3,))
    documents = [
        replace(document(metadata=metadata, id=f"d{number}"), source=f"{number}.pdf")
        for number, metadata in enumerate((scanned, with_blank))
    ]
    coverage = Summarizer().summarize(documents).coverage
    assert coverage.lost == ("no text could be read on PDF page 3 of 0.pdf",)


def test_the_summary_says_how_it_was_made():
    summary = Summarizer(SummaryOptions(length="short")).summarize([document()])
    assert (summary.title, summary.method, summary.locality) == ("Mud", "extract", Locality.DISCOURSE)
    assert summary.locality_reason == "2 sections were found"
    assert summary.options["length"] == 75
    asked = Summarizer(SummaryOptions(locality=Locality.SPATIAL)).summarize([document()])
    assert (asked.locality, asked.locality_reason) == (Locality.SPATIAL, "")


def test_nothing_to_summarise_is_an_error():
    empty = compose_document([Passage(heading="Only a heading", level=1)], id="d0", source="x.txt")
    with pytest.raises(SourceError, match=r"x\.txt contains no text"):
        Summarizer().summarize([empty])


@pytest.mark.parametrize(
    "options",
    [{"length": "0"}, {"length": "-5"}, {"length": "huge"}, {"page_tokens": 0}, {"pages": 0},
     {"pages": 2, "locality": Locality.DOCUMENT}],
)  # fmt: skip
def test_nonsense_is_refused_before_any_work(options):
    with pytest.raises(OptionError):
        SummaryOptions(**options)


def test_an_unknown_method_is_refused():
    with pytest.raises(OptionError, match="magic"):
        Summarizer(SummaryOptions(method="magic")).summarize([document()])


def test_a_method_is_chosen_once_for_documents_alike(monkeypatch):
    asked = []
    choose = summarizer_module.choose_method

    def counted(*args, **kwargs):
        asked.append(kwargs["language"])
        return choose(*args, **kwargs)

    monkeypatch.setattr(summarizer_module, "choose_method", counted)
    summarizer = Summarizer()
    for language in ("en", "en", "de", "en"):
        summarizer.summarize([replace(document(), language=language)])
    assert asked == ["en", "de"]
