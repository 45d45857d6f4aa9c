"""What readers are shown of a summary: pages named as origins, quotations."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from rendering_examples import ARTICLE, PAPER, abstractive_summary, extracted_summary, make_document

from lsum_cli.documents import Document, Metadata, Paragraph, Passage, compose_document
from lsum_cli.locality import Locality, paginate
from lsum_cli.rendering.html_report import write_one as write_html
from lsum_cli.rendering.markdown import write_one as write_markdown
from lsum_cli.rendering.quantities import format_pdf_pages
from lsum_cli.rendering.text import write_one as write_text
from lsum_cli.rendering.view import SummaryView
from lsum_cli.summaries import (
    Attribution,
    AttributionKind,
    Evidence,
    OutlineEntry,
    PageWeight,
    Summary,
    SummarySentence,
)


def summary_of(documents: tuple[Document, ...], locality: Locality) -> Summary:
    pages = paginate(documents, locality, 64)
    sentence = SummarySentence(
        text="S.",
        index=0,
        attribution=Attribution(
            kind=AttributionKind.CONFIDENCE,
            pages=tuple(PageWeight(page=page.index, weight=1 / len(pages)) for page in pages),
        ),
    )
    return replace(
        abstractive_summary(), documents=documents, pages=pages, sentences=(sentence,), locality=locality
    )


def names(summary: Summary) -> list[str]:
    return [citation.text for citation in SummaryView(summary).cite(summary.sentences[0], most=99, least=0)]


@pytest.mark.parametrize(
    ("pages", "expected"),
    [((), ""), ((7,), "p. 7"), ((3, 4, 5), "pp. 3–5"), ((1, 3, 4, 9), "pp. 1, 3–4, 9")],
)
def test_pdf_pages_are_told_in_ranges(pages: tuple[int, ...], expected: str) -> None:
    assert format_pdf_pages(pages) == expected


def test_evidence_tells_the_exact_pdf_page() -> None:
    summary = abstractive_summary()
    first, second = SummaryView(summary).cite(summary.sentences[0])
    assert (first.text, first.weight) == ("Tidal Turbines in Narrow Straits: 3 Methods, p. 7", 0.61)
    assert first.address == "papers/tidal%20energy.pdf#page=7"
    assert (
        second.text == "Tidal Turbines in Narrow Straits: 1 Introduction, p. 2"
    )  # the page spans 1-2, its evidence is on 2
    (only,) = SummaryView(summary).cite(summary.sentences[1])
    assert only.text == "Tidal Turbines in Narrow Straits: 4 Results, pp. 9, 11"
    assert only.address == "papers/tidal%20energy.pdf#page=11"  # of the best evidence


def test_light_pages_are_not_named_unless_nothing_else_is() -> None:
    summary = abstractive_summary()
    assert len(SummaryView(summary).cite(summary.sentences[0], least=0.1)) == 3
    assert len(SummaryView(summary).cite(summary.sentences[0], least=0.1, most=2)) == 2
    assert len(SummaryView(summary).cite(summary.sentences[0], least=0.99)) == 1


def test_a_section_that_the_label_names_is_not_named_again() -> None:
    summary = extracted_summary()
    view = SummaryView(summary)
    sentence = next(each for each in summary.sentences if view.mention(view.cite(each)))
    name = view.cite(sentence)[0].name
    for label in (name, f"Breaking, {name}", f"{name}, Breaking"):
        (cited, *_) = view.cite(replace(sentence, label=label))
        assert (cited.name, cited.address) == ("", view.cite(sentence)[0].address)
    # The end of other words names no section.
    for label in ("Breaking", f"Old {name}", f"Breaking, Old{name}", f"{name} of old"):
        assert view.cite(replace(sentence, label=label))[0].name == name
    # The report shows places beside the text, where each has its name.
    assert view.cite(replace(sentence, label=name), as_labelled=False)[0].name == name


def of_page(text: str, source: str, media_type: str) -> Summary:
    """A page with text before its first heading and below it, as sentences taken from both."""
    passages = [
        Passage(paragraphs=(Paragraph.of(text),)),
        Passage(heading="Fees", level=1, paragraphs=(Paragraph.of("A berth costs nine crowns."),)),
    ]
    metadata = Metadata(media_type=media_type)
    document = compose_document(passages, id="d0", source=source, language="en", metadata=metadata)
    pages = paginate([document], Locality.DISCOURSE, 512)
    return replace(
        extracted_summary(),
        title="Harbour",
        documents=(document,),
        pages=pages,
        sentences=tuple(
            SummarySentence(
                text=sentence.text, index=sentence.index, attribution=Attribution.verbatim(sentence, page)
            )
            for page in pages
            for sentence in page.sentences
        ),
    )


def test_the_opening_is_named_where_that_tells_a_sentence_from_others() -> None:
    summary = of_page("The harbour is old. It was dredged.", "harbour.md", "text/markdown")
    view = SummaryView(summary)
    assert [view.mention(view.cite(each)) for each in summary.sentences] == ["Opening", "Opening", "Fees"]
    opening = replace(summary, sentences=summary.sentences[:2])
    assert [SummaryView(opening).mention(SummaryView(opening).cite(each)) for each in opening.sentences] == [
        "",
        "",
    ]
    assert "Opening" not in write_text(opening) + write_markdown(opening)
    assert 'title="Opening"' in write_html(summary)
    assert 'title="Opening"' not in write_html(opening)


def test_a_link_leads_to_a_sentence_of_a_web_page_whose_place_has_no_name() -> None:
    summary = of_page("The harbour is old. It was dredged.", "https://example.org/harbour", "text/html")
    opening = write_markdown(replace(summary, sentences=summary.sentences[:1]))
    assert (
        "The harbour is old. ([source](https://example.org/harbour#:~:text=The%20harbour%20is%20old.))"
        in opening
    )
    assert "([Opening](https" in write_markdown(summary)
    assert "[source]" not in write_markdown(summary)


def test_what_has_a_label_has_a_paragraph_of_its_own() -> None:
    summary = of_page("The harbour is old.", "https://example.org/harbour", "text/html")
    opening, fees = summary.sentences
    labelled = replace(summary, sentences=(replace(opening, label="Decision"), fees))
    written = write_markdown(labelled)
    assert re.search(r"Decision: The harbour is old\..*\n\nA berth costs", written)
    assert re.search(r"The harbour is old\..*\nA berth costs", write_markdown(summary))


def test_what_is_quoted_without_fillers_is_not_said_to_stand_so() -> None:
    summary = of_page("The harbour is old.", "https://example.org/harbour", "text/html")
    assert SummaryView(summary).kinds == ["Sentences are taken from the source as they stand."]
    opening, fees = summary.sentences
    shortened = replace(summary, sentences=(replace(opening, text="The is old."), fees))
    assert SummaryView(shortened).kinds == [
        "Sentences are taken from the source; of some, words such as fillers are left out."
    ]


def test_a_label_that_names_the_section_leads_to_it() -> None:
    summary = of_page("The harbour is old.", "https://example.org/harbour", "text/html")
    opening, fees = summary.sentences
    labelled = replace(summary, sentences=(opening, replace(fees, label="Breaking, Fees")))
    address = "https://example.org/harbour#:~:text=A%20berth%20costs%20nine%20crowns."
    assert f"\n[Breaking, Fees]({address}): A berth costs nine crowns.\n" in write_markdown(labelled)
    assert SummaryView(labelled).label_address(labelled.sentences[1]) == address
    # Who says it leads nowhere, and its section is named.
    assert SummaryView(labelled).label_address(replace(fees, label="Ben")) is None
    assert SummaryView(labelled).label_address(fees) is None


def test_a_sentence_without_attribution_cites_nothing() -> None:
    assert SummaryView(abstractive_summary()).cite(SummarySentence(text="S.", index=0)) == ()


def test_one_document_is_not_named() -> None:
    assert names(summary_of((PAPER,), Locality.DISCOURSE))[0] == "1 Introduction, pp. 1–2"
    assert names(summary_of((PAPER,), Locality.SPATIAL))[0] == "pp. 1–2, 7"
    # It would be the whole text, which says nothing.
    assert names(summary_of((ARTICLE,), Locality.SPATIAL)) == [""]


def test_several_documents_are_named_briefly() -> None:
    both = (PAPER, ARTICLE)
    assert names(summary_of(both, Locality.DISCOURSE))[-1] == "潮流発電の十年: Outlook"
    assert names(summary_of(both, Locality.SPATIAL))[0] == "Tidal Turbines in Narrow Straits, pp. 1–2, 7"
    assert names(summary_of(both, Locality.SPATIAL))[-1] == "潮流発電の十年"
    assert names(summary_of(both, Locality.DOCUMENT))[-1] == "潮流発電の十年"


def test_documents_of_the_same_name_are_told_apart() -> None:
    twins = tuple(
        make_document(f"d{number}", f"{folder}/a.txt", None, [("H", [("Text.", None)])])
        for number, folder in enumerate(("x", "y"))
    )
    assert names(summary_of(twins, Locality.DISCOURSE)) == ["x/a.txt: H", "y/a.txt: H"]


def test_a_page_of_several_sections_is_cited_by_the_section_of_the_evidence() -> None:
    (page,) = paginate((PAPER,), Locality.DISCOURSE, 10_000, pages=1)
    assert " – " in page.label
    section = next(each for each in PAPER.sections if each.heading == "3 Methods")
    first, *_, last = page.sentences
    chosen = section.sentences[0]
    assert len({sentence.section_index for sentence in (first, chosen, last)}) > 1
    evidence = tuple(Evidence.of(sentence, page, 0.5) for sentence in (chosen, first))
    attribution = Attribution(
        kind=AttributionKind.CONFIDENCE, pages=(PageWeight(page=page.index, weight=1.0),), evidence=evidence
    )
    sentence = SummarySentence(text="S.", index=0, attribution=attribution)
    summary = replace(
        abstractive_summary(),
        documents=(PAPER,),
        pages=(page,),
        sentences=(sentence,),
        locality=Locality.DISCOURSE,
    )
    assert names(summary) == [f"3 Methods, p. {chosen.pdf_page}"]
    quoted = [quotation.place for quotation in SummaryView(summary).quote(sentence)]
    assert quoted == [f"3 Methods, p. {chosen.pdf_page}", f"1 Introduction, p. {first.pdf_page}"]
    # Without evidence the whole page is meant; a book's chapter keeps its name, whatever it holds.
    without = replace(sentence, attribution=replace(attribution, evidence=()))
    assert names(replace(summary, sentences=(without,)))[0].startswith(page.label)
    assert names(replace(summary, method="book"))[0].startswith(page.label)


def test_evidence_that_is_the_sentence_itself_is_not_shown() -> None:
    extracted, written = extracted_summary(), abstractive_summary()
    assert SummaryView(extracted).quote(extracted.sentences[0]) == []
    assert len(SummaryView(written).quote(written.sentences[0])) == 2
    assert SummaryView(written).quote(SummarySentence(text="S.", index=0)) == []


def test_without_attribution_nothing_is_cited_or_quoted() -> None:
    summary = abstractive_summary()
    view = SummaryView(summary, show_attribution=False)
    assert view.cite(summary.sentences[0]) == ()
    assert view.quote(summary.sentences[0]) == []


@pytest.mark.parametrize(
    ("written", "heading", "place"),
    [
        ("Sluice 2.1", "Sluice 2.1 (1 of 7)", "Locks and gates"),
        ("Sluice 2.1", "Sluice 2.1 (1 of its 7 changes)", "Locks and gates"),
        ("Sluice 2.1", "Sluice 2.1 › Locks and gates", ""),
        ("Sluice 2.1", "Sluice 2", "Sluice 2.1 › Locks and gates"),
        ("Sluice 2.1 [stable]:", "Sluice 2.1 stable (1 of 7)", "Locks and gates"),
        ("sluice (2.1) unstable; urgency=low", "sluice (2.1)", "Locks and gates"),
    ],
)
def test_what_the_heading_of_a_group_says_is_not_cited_again(written: str, heading: str, place: str) -> None:
    passages = [
        Passage(heading=written, level=1, paragraphs=()),
        Passage(heading="Locks and gates", level=2, paragraphs=(Paragraph.of("The gate closes again."),)),
        Passage(heading="Sluice 2.0", level=1, paragraphs=()),
        Passage(heading="Locks and gates", level=2, paragraphs=(Paragraph.of("Many keepers helped."),)),
    ]
    notes = compose_document(passages, id="d0", source="notes.md", title="Changes")
    summary = summary_of((notes,), Locality.DISCOURSE)
    page = summary.pages[0]
    (quoted,) = [each for each in page.sentences if each.text.startswith("The gate")]
    sentence = SummarySentence(text=quoted.text, index=0, attribution=Attribution.verbatim(quoted, page))
    entry = OutlineEntry(heading=heading, level=1, document_id=None, sentences=(sentence,))
    made = replace(summary, sentences=(sentence,), outline=(entry,))
    assert [each.text for each in SummaryView(made).cite_within_part(entry, sentence)] == [place]
    # Its label says it, too.
    labelled = replace(sentence, label="Locks and gates")
    if heading.startswith("Sluice 2.1"):
        assert [each.text for each in SummaryView(made).cite_within_part(entry, labelled)] == [""]
