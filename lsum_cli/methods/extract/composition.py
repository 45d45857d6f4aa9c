"""What extraction writes of documents: a text, an outline, topics, chapters, with keywords on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.locality import Page
from lsum_cli.methods.extract.candidates import shared_language
from lsum_cli.methods.extract.extractor import ONLY_NAMED, Extractor
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.request import Extract, Request
from lsum_cli.methods.extract.running_text import story_by_part, write_text
from lsum_cli.methods.length import DEFAULT_WORDS, suit_length
from lsum_cli.summaries import ChapterSummary, Style, Summary, SummarySentence
from lsum_cli.text.terms import count_words

# What only release notes, outlines, keywords or several documents need is imported where they are written:
# their rules take as long to prepare as a short document takes to read.

NO_PLOT = "this reads like a story, and extraction cannot retell a plot: it quotes sentences"
SEE_OUTLINE = " (--style outline lists chapters, people and places)"


def compose(pages: Sequence[Page], documents: Sequence[Document], request: Request) -> Extract:
    """Write what was requested.

    Args:
        pages: The pages of the documents.
        documents: The documents.
        request: What is to be written of them.

    Raises:
        OptionError: A focus that the documents cannot be about.
        SourceError: No sentence could be read in full.
    """
    extractor = Extractor.of(pages, documents, request)
    is_outline = request.style is Style.OUTLINE
    text, parts = Extract(), Extract()
    if _is_by_change(extractor):
        from lsum_cli.methods.extract.release_notes.summary import write_release_notes

        text = write_release_notes(extractor)
    elif _is_minutes(extractor):
        from lsum_cli.methods.extract.minutes import write_minutes

        text = write_minutes(extractor)
    elif len(documents) > 1:
        from lsum_cli.methods.extract.collection import write_by_topic

        text = write_by_topic(extractor)
    else:
        if not is_outline or request.all_lengths:
            text = write_text(extractor)
        if is_outline:
            parts = _outline(extractor, len(text.sentences))
    if request.focus is not None and not (text.sentences or parts.sentences):
        # Of what is about the focus nothing is a whole sentence.
        whole = compose(pages, documents, replace(request, focus=None))
        return replace(whole, warnings=(ONLY_NAMED.format(request.focus), *whole.warnings))
    warnings = [*extractor.warnings, *text.warnings, *_exceeded(request, text.sentences)]
    if extractor.is_story:
        warnings.append(NO_PLOT + ("" if is_outline else SEE_OUTLINE))
    keywords, remarks = _keywords(extractor) if request.keywords else ((), ())
    return Extract(
        sentences=text.sentences or parts.sentences,
        outline=parts.outline or text.outline,
        lengths=text.lengths,
        chapters=_chapters(extractor) if request.show_chapters else (),
        keywords=keywords,
        other_sections=text.other_sections or parts.other_sections,
        topics=text.topics,
        warnings=(*warnings, *remarks, *(() if request.is_zoom else parts.warnings)),
    )


def compose_text(
    pages: Sequence[Page], documents: Sequence[Document], request: Request
) -> tuple[SummarySentence, ...]:
    """A text of the documents, of several as of one: its sentences in the order of the source."""
    return write_text(Extractor.of(pages, documents, request)).sentences


def shape(summary: Summary, request: Request) -> Summary:
    """A model's summary with the outline and the keywords that were requested, extracted from its pages."""
    wants_outline = request.style is Style.OUTLINE and not summary.outline
    if not summary.pages or not (wants_outline or (request.keywords and not summary.keywords)):
        return summary
    extractor = Extractor.of(summary.pages, summary.documents, replace(request, focus=None))
    made = _outline(extractor, len(summary.sentences)) if wants_outline else Extract()
    notes = ("the outline quotes the document; the model wrote the text before it",) if wants_outline else ()
    keywords, remarks = _keywords(extractor) if request.keywords else (summary.keywords, ())
    return replace(
        summary,
        outline=made.outline or summary.outline,
        keywords=keywords,
        other_sections=summary.other_sections or made.other_sections,
        warnings=(*summary.warnings, *made.warnings, *notes, *remarks),
    )


def _exceeded(request: Request, sentences: Sequence[SummarySentence]) -> tuple[str, ...]:
    """What is to be said where no sentence keeps the length that was asked for, or that suits by far."""
    words = count_words(" ".join(each.text for each in sentences))
    if request.all_lengths or words <= request.num_words or len(sentences) > 1:
        return ()
    if request.has_length:
        return (
            f"every sentence that can stand alone has more words than --length {request.num_words}: "
            f"this one has {words}",
        )
    if words <= max(request.num_words, DEFAULT_WORDS):
        return ()
    return (f"no end of a sentence is found within what is quoted, which has {words:,} words",)


def _is_by_change(extractor: Extractor) -> bool:
    """Whether the documents are release notes that are to be quoted by kind of change."""
    is_notes = extractor.structure.document_kind is DocumentKind.NOTES
    if not is_notes or extractor.eligible is not None or extractor.request.style is Style.OUTLINE:
        return False
    from lsum_cli.methods.extract.release_notes.summary import is_release_notes

    return is_release_notes(extractor.candidates)


def _is_minutes(extractor: Extractor) -> bool:
    """Whether the document is the minutes of a meeting that are to be quoted by what they mark."""
    if extractor.eligible is not None or extractor.request.style is Style.OUTLINE:
        return False
    from lsum_cli.methods.extract.conversations.recognition import are_minutes

    return are_minutes(extractor.candidates, extractor.structure.document_kind)


def _outline(extractor: Extractor, first_index: int) -> Extract:
    """The outline of one document, its first sentence of this index."""
    from lsum_cli.methods.extract.outline import outline

    request, eligible = extractor.request, extractor.eligible
    if eligible is not None:
        eligible = eligible & ~extractor.mask([*extractor.needed])
    made = outline(
        extractor.candidates,
        extractor.documents,
        extractor.structure,
        extractor.scores,
        extractor.quote_all,
        num_words=extractor.num_words if request.has_length and not request.all_lengths else None,
        eligible=eligible,
        first_index=first_index,
        is_book=extractor.is_book,
        is_story=extractor.is_story,
    )
    return Extract(
        sentences=made.sentences,
        outline=made.entries,
        other_sections=made.other_sections,
        warnings=made.warnings,
    )


def _chapters(extractor: Extractor) -> tuple[ChapterSummary, ...]:
    """A summary of each page, whose length suits it; of a story what somebody does."""
    extractor = story_by_part(extractor)
    chapters = []
    for number, page in enumerate(extractor.pages):
        own = extractor.candidates.page == number
        if extractor.eligible is not None:
            own = own & extractor.eligible
        if not own.any():
            continue
        words = suit_length(int(extractor.candidates.num_words[own].sum()))
        chosen = extractor.select(words, own)
        sentences = extractor.quote_all(chosen)
        chapters.append(ChapterSummary(page=page.index, sentences=tuple(sentences.values())))
    return tuple(chapters)


def _keywords(extractor: Extractor) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The key phrases of the documents, of what they say about the focus if there is one; and a warning."""
    from lsum_cli.text.keywords import key_phrases

    eligible, candidates = extractor.eligible, extractor.candidates
    rows = np.arange(len(candidates)) if eligible is None else np.flatnonzero(eligible)
    if extractor.is_talk and eligible is None and candidates.language in (None, "en"):
        # Who speaks and what people say to one another comes more often than what they talk about.
        from lsum_cli.methods.extract.conversations.topics import topics

        named = topics(candidates)
        if named:
            return named, ()
    phrases = key_phrases(
        [candidates.sentences[row].text for row in rows],
        titles=[
            title
            for document in extractor.documents
            for title in (document.title or "", *(section.heading or "" for section in document.sections))
        ],
        language=shared_language(extractor.documents),
    )
    return phrases, () if phrases else ("no phrase occurs twice: there are no keywords",)
