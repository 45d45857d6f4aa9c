"""Summaries to render: a realistic one, one of an extraction, and one that means harm."""

from __future__ import annotations

from dataclasses import replace

from lsum_cli.documents import Document, LeftOut, Metadata, Section, SectionRole, Sentence
from lsum_cli.locality import Locality, Page, paginate
from lsum_cli.summaries import (
    Attribution,
    AttributionKind,
    ChangeKind,
    Changes,
    CheckpointReference,
    Coverage,
    Evidence,
    OutlineEntry,
    PageWeight,
    SectionChange,
    SentenceChange,
    Summary,
    SummaryLength,
    SummarySentence,
    UnreadPages,
)

HOSTILE = (
    "[bold]x[/bold]",
    "\x1b[31mred\x1b[0m \x9b31m \x07\x00\r\nover",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "| a | b |",
    "\u202egnp.exe\u202c \u2066x\u2069 \u2028 \u2029",
    "lone \ud800 surrogate \udfff",
    "# heading",
    "[click](javascript:alert(1))",
    "*stars* _lines_ `code` ~~struck~~ &lt; $x$ \\* <b>",
    "1. one",
    "- dash",
)


def make_document(
    id: str,
    source: str,
    title: str | None,
    sections: list[tuple[str | None, list[tuple[str, int | None]]]],
    *,
    metadata: Metadata | None = None,
    language: str | None = "en",
) -> Document:
    """A document from headings and ``(sentence, PDF page)`` pairs."""
    position = index = 0
    made = []
    for section_index, (heading, texts) in enumerate(sections):
        if heading:
            position += (2 if position else 0) + len(heading)
        sentences = []
        for number, (text, pdf_page) in enumerate(texts):
            position += 0 if not position else 2 if number == 0 else 1
            sentences.append(
                Sentence(
                    text=text,
                    index=index,
                    section_index=section_index,
                    pdf_page=pdf_page,
                    start=position,
                    end=position + len(text),
                )
            )
            position, index = position + len(text), index + 1
        made.append(
            Section(
                heading=heading,
                level=1 if heading else 0,
                sentences=tuple(sentences),
                path=heading or "",
                role=SectionRole.REFERENCES if heading == "References" else SectionRole.BODY,
            )
        )
    return Document(
        id=id,
        source=source,
        title=title,
        sections=tuple(made),
        language=language,
        metadata=metadata or Metadata(),
    )


PAPER = make_document(
    "d0",
    "papers/tidal energy.pdf",
    "Tidal Turbines in Narrow Straits: Ten Years of Measurements",
    [
        (
            "1 Introduction",
            [
                ("Tidal streams are predictable decades ahead, which sets them apart from wind and sun.", 1),
                ("Few turbines have been observed for longer than two years.", 2),
            ],
        ),
        (
            "3 Methods",
            [
                ("We instrumented four turbines in the strait with strain gauges and current profilers.", 7),
                ("Every turbine reported blade loads at 50 Hz between 2012 and 2022.", 7),
            ],
        ),
        (
            "4 Results",
            [
                ("Availability rose from 71% in the first year to 94% in the last.", 9),
                ("Fatigue damage concentrated in the ebb phase, when the current shears most.", 10),
                ("Biofouling lowered the yield by 3% per year until blades were coated.", 11),
            ],
        ),
        ("5 Discussion", [("Coating pays for itself within eighteen months at current prices.", 13)]),
        ("References", [("A reference that is not read.", 14)]),
    ],
    metadata=Metadata(
        media_type="application/pdf",
        num_bytes=812_000,
        pdf_pages=14,
        pdf_pages_read=tuple(range(1, 15)),
        pdf_pages_without_text=(6, 12),
        pdf_pages_blank=(12,),
        left_out=(LeftOut(what="running headers and footers", words=182),),
    ),
)

ARTICLE = make_document(
    "d1",
    "https://example.org/news/strait?id=7",
    "潮流発電の十年",
    [
        (
            "概要",
            [
                ("海峡に設置された四基の潮流タービンは十年間にわたって観測された。", None),
                ("稼働率は最終年に九割を超えた。", None),
            ],
        ),
        ("Outlook", [("The operator plans twelve further turbines by 2027, pending a licence.", None)]),
    ],
    metadata=Metadata(media_type="text/html", num_bytes=20_480),
    language="ja",
)


def _evidence(pages: tuple[Page, ...], page: int, position: int, score: float) -> Evidence:
    sentence = pages[page].sentences[position]
    return Evidence(
        text=sentence.text,
        document_id=pages[page].document_id,
        sentence_index=sentence.index,
        page=page,
        pdf_page=sentence.pdf_page,
        score=score,
    )


def _coverage(pages: tuple[Page, ...], *, dropped: int = 0) -> Coverage:
    read = sum(page.num_tokens for page in pages)
    return Coverage(
        tokens_total=read + dropped + 2301,
        tokens_read=read,
        tokens_dropped=dropped,
        tokens_references=2301,
        pages_total=len(pages),
        pdf_pages_without_text=(6, 12),
        pdf_pages_blank=(12,),
        unread=(UnreadPages(pages=(6,)),),
        left_out=(LeftOut(what="running headers and footers", words=182),),
    )


def abstractive_summary() -> Summary:
    """Two documents, written by a model: confidence, alignment, evidence, losses."""
    documents = (PAPER, ARTICLE)
    pages = paginate(documents, Locality.DISCOURSE, 512)
    coverage = _coverage(pages, dropped=412)
    sentences = (
        SummarySentence(
            text="Four tidal turbines in a narrow strait were measured for ten years, "
            "longer than any installation before.",
            index=0,
            log_prob=-0.412345678,
            attribution=Attribution(
                kind=AttributionKind.CONFIDENCE,
                pages=(
                    PageWeight(page=1, weight=0.61),
                    PageWeight(page=0, weight=0.24),
                    PageWeight(page=4, weight=0.15),
                ),
                evidence=(_evidence(pages, 1, 0, 0.83), _evidence(pages, 0, 1, 0.41)),
            ),
        ),
        SummarySentence(
            text="Availability grew to 94%, while fouling cost three per cent of the yield "
            "a year until the blades were coated.",
            index=1,
            log_prob=-0.73,
            attribution=Attribution(
                kind=AttributionKind.CONFIDENCE,
                pages=(PageWeight(page=2, weight=0.9), PageWeight(page=3, weight=0.1)),
                evidence=(_evidence(pages, 2, 2, 0.72), _evidence(pages, 2, 0, 0.66)),
            ),
        ),
        SummarySentence(
            text="十年間の観測により、稼働率の着実な向上が確認された。",
            index=2,
            log_prob=-1.2,
            attribution=Attribution(
                kind=AttributionKind.ALIGNMENT,
                pages=(PageWeight(page=4, weight=0.55), PageWeight(page=5, weight=0.45)),
                evidence=(_evidence(pages, 4, 1, 0.58),),
            ),
        ),
    )
    return Summary(
        title=None,
        sentences=sentences,
        pages=pages,
        documents=documents,
        method="pagesum",
        locality=Locality.DISCOURSE,
        locality_reason="",
        checkpoint=CheckpointReference(
            name="pagesum-arxiv", path=None, sha256="ab" * 32, trained_confidence=True
        ),
        options={"length": 150, "page_tokens": 512, "pages": None, "beams": 4, "keep_references": False},
        coverage=coverage,
        seconds={"read": 0.41, "load": 2.1, "encode": 3.0, "decode": 9.8},
        warnings=("the model has not seen Japanese in training", *coverage.lost),
    )


def windowed_summary() -> Summary:
    """The sentences of the usual summary, as if read in windows."""
    summary = abstractive_summary()
    sentences = tuple(
        replace(sentence, attribution=replace(sentence.attribution, kind=AttributionKind.WINDOW))
        for sentence in summary.sentences
        if sentence.attribution
    )
    return replace(summary, sentences=sentences, method="windowing")


def extracted_summary() -> Summary:
    """One document, sentences taken as they stand."""
    pages = paginate([PAPER], Locality.DISCOURSE, 512)
    coverage = replace(_coverage(pages), pdf_pages_without_text=(12,), unread=())
    picked = ((0, 0), (1, 1), (2, 0), (2, 1), (3, 0))
    return Summary(
        title=PAPER.title,
        sentences=tuple(
            SummarySentence(
                text=pages[page].sentences[position].text,
                index=index,
                attribution=Attribution(
                    kind=AttributionKind.EXTRACTION,
                    pages=(PageWeight(page=page, weight=1.0),),
                    evidence=(_evidence(pages, page, position, 1.0),),
                ),
            )
            for index, (page, position) in enumerate(picked)
        ),
        pages=pages,
        documents=(PAPER,),
        method="extract",
        locality=Locality.DISCOURSE,
        locality_reason="4 sections were found",
        options={"length": 150, "page_tokens": 1024, "pages": None, "keep_references": False},
        coverage=coverage,
        seconds={"read": 0.4, "paginate": 0.01},
    )


def zoomed_summary() -> Summary:
    """The same at several lengths, each part of the next, and in outline."""
    summary = extracted_summary()
    texts = {"sentence": [2], "short": [1, 2], "medium": [0, 1, 2, 3, 4]}
    lengths = tuple(
        SummaryLength(
            name=name,
            sentences=tuple(
                replace(summary.sentences[place], index=index) for index, place in enumerate(places)
            ),
        )
        for name, places in texts.items()
    )
    outline = tuple(
        OutlineEntry(
            heading=page.label,
            level=1,
            document_id=page.document_id,
            pdf_pages=page.pdf_pages,
            sentences=tuple(
                sentence
                for sentence in summary.sentences
                if sentence.attribution is not None and sentence.attribution.top_page == page.index
            ),
        )
        for page in summary.pages
    )
    return replace(summary, lengths=lengths, outline=outline)


def changed_summary(before: str = "The turbines ran for nine years.") -> Summary:
    """What changed since an earlier version, of which ``before`` was a part."""
    summary = extracted_summary()
    first = summary.documents[0].sentences[0]
    changed = SentenceChange(kind=ChangeKind.ALTERED, text=first.text, before=before, sentence_index=0)
    removed = SentenceChange(kind=ChangeKind.REMOVED, text=None, before=before)
    new = SentenceChange(kind=ChangeKind.NEW, text=f"{first.text} " * 3, sentence_index=0)
    section = SectionChange(heading=before, kind=ChangeKind.ALTERED, sentences=(changed, new, *[removed] * 7))
    changes = Changes(since=before, sections=(section,), sections_compared=3, sentences_unchanged=4)
    return replace(summary, changes=changes)


def hostile_summary() -> Summary:
    """Every text of it tries to be more than text."""
    document = make_document(
        "d0",
        "https://example.org/?q=<script>&x='\"",
        HOSTILE[2] + HOSTILE[5],
        [(text, [(text, None)]) for text in HOSTILE],
        metadata=Metadata(media_type="text/html"),
        language='x"><script>',
    )
    elsewhere = make_document("d1", "javascript://alert(1)", HOSTILE[1], [(None, [("Plain.", None)])])
    pages = paginate([document, elsewhere], Locality.DISCOURSE, 512)
    sentences = tuple(
        SummarySentence(
            text=text,
            index=index,
            attribution=Attribution(
                kind=AttributionKind.ALIGNMENT,
                pages=(PageWeight(page=index, weight=0.7), PageWeight(page=len(pages) - 1, weight=0.3)),
                evidence=(_evidence(pages, index, 0, 0.5), _evidence(pages, len(pages) - 1, 0, 0.1)),
            ),
        )
        for index, text in enumerate(HOSTILE)
    )
    return Summary(
        title=" ".join(HOSTILE),
        sentences=sentences,
        pages=pages,
        documents=(document, elsewhere),
        method="topdown",
        locality=Locality.DISCOURSE,
        locality_reason=HOSTILE[1],
        checkpoint=CheckpointReference(name=HOSTILE[2], path=HOSTILE[6]),
        options={"note": HOSTILE[2]},
        coverage=Coverage(
            tokens_total=10,
            tokens_read=10,
            tokens_dropped=0,
            tokens_references=0,
            pages_total=len(pages),
            left_out=(LeftOut(what=HOSTILE[1], words=1),),
        ),
        warnings=HOSTILE,
    )
