"""The candidate sentences of an extractive summary, over all pages, with their term counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lsum_cli.documents import Document, Section, Sentence
from lsum_cli.locality import Page
from lsum_cli.status import status_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray, IntArray, Lexicon, TermMatrix, count_words, is_function_word

# Of lower-cased text after a space, so that it is tried only where a word begins.
_FIRST_PERSON = regex(r"\W(?:i|you|me|my|your|uh|um|yeah|okay)\b")

# What tells of events dates them, or says who said so, in this share of its sentences.
_OF_EVENTS = regex(
    # Alternatives that begin with a letter, and not with a group, are passed over fast.
    r"\W(?:19\d\d|20\d\d|January|February|March|April|June|July|August|September|October|November|December"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|yesterday|last (?:night|week|month|year)"
    r"|days? ago|weeks? ago|months? ago|years? ago"
    r"|said|says|told|asked|added|argued|announced|reported|wrote|according to)\b"
)
_LEAST_OF_EVENTS = 0.1

# "de", "van", "of".
_LONGEST_PARTICLE = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidates:
    """Sentences in page order, each array with one value per sentence.

    Attributes:
        sentences: The sentences themselves.
        sections: The section of each sentence.
        titles: The title of each sentence's document; empty if it has none.
        page: Position of the sentence's page in the sequence of pages.
        document: Position of the sentence's document.
        section: Number of the sentence's section, counted over all documents; its place in ``every_section``.
        every_section: The sections of all documents in order, also those without a sentence.
        opens_paragraph: Whether the sentence is the first of a paragraph.
        num_words: Number of words in the sentence.
        num_terms: Number of terms in the sentence, function words included.
        first_person: The share of its words by which a speaker addresses another.
        terms: Content terms of the sentence; the columns are the indices of the lexicon.
        pairs: Pairs of neighbouring terms in the sentence, function words included.
        tells_status: Whether a document says what its status is, as proposals do.
        language: The language of all documents, where it is known and one.
    """

    sentences: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    titles: tuple[str, ...]
    page: IntArray
    document: IntArray
    section: IntArray
    every_section: tuple[Section, ...]
    opens_paragraph: IntArray
    num_words: IntArray
    num_terms: IntArray
    first_person: FloatArray
    terms: TermMatrix
    pairs: TermMatrix
    lexicon: Lexicon
    tells_status: bool
    language: str | None = None

    def __len__(self) -> int:
        return len(self.sentences)

    @cached_property
    def openings(self) -> frozenset[str]:
        """What stands before the first colon of a sentence that opens a paragraph, or of several: names.

        Where each line is a turn, and no line is empty, all speakers but the first stand within a paragraph.
        """
        texts = (self.sentences[number].text for number in np.flatnonzero(self.opens_paragraph).tolist())
        often = Counter(
            sentence.text.partition(":")[0] for sentence in self.sentences if ":" in sentence.text
        )
        again = (name for name, count in often.items() if count > 1 and looks_like_name(name))
        return frozenset((*(text.partition(":")[0] for text in texts if ":" in text), *again))

    @cached_property
    def is_of_events(self) -> bool:
        """Whether they tell of events, as news and reviews do, and not how a thing is or is used."""
        dated = sum(_OF_EVENTS.search(f" {sentence.text}") is not None for sentence in self.sentences)
        return dated >= _LEAST_OF_EVENTS * len(self.sentences)

    @classmethod
    def of(cls, pages: Sequence[Page], documents: Sequence[Document]) -> Candidates:
        """Collect the sentences of the pages; all pages come from ``documents``."""
        position = {document.id: index for index, document in enumerate(documents)}
        sentences = tuple(sentence for page in pages for sentence in page.sentences)
        lengths = [len(page.sentences) for page in pages]
        owners = [position[page.document_id] for page in pages for _ in page.sentences]
        document = np.array(owners, np.int64)
        languages = {document.language for document in documents}
        lexicon = Lexicon()
        rows = [lexicon.index(sentence.text) for sentence in sentences]
        is_content = np.array([not is_function_word(term) for term in lexicon.stems], bool)
        num_words = np.array([count_words(sentence.text) for sentence in sentences], np.int64)
        first_section = np.cumsum([0] + [len(document.sections) for document in documents])
        section_index = np.array([sentence.section_index for sentence in sentences], np.int64)
        return cls(
            sentences=sentences,
            sections=tuple(
                documents[number].sections[sentence.section_index]
                for number, sentence in zip(owners, sentences, strict=True)
            ),
            titles=tuple(documents[number].title or "" for number in owners),
            page=np.repeat(np.arange(len(pages)), lengths),
            document=document,
            section=first_section[document] + section_index,
            every_section=tuple(section for document in documents for section in document.sections),
            opens_paragraph=paragraph_openings(sentences),
            num_words=num_words,
            num_terms=np.array([len(row) for row in rows], np.int64),
            first_person=np.array(
                [len(_FIRST_PERSON.findall(f" {sentence.text.lower()}")) for sentence in sentences]
            )
            / np.maximum(1, num_words),
            terms=TermMatrix.of(rows, len(lexicon), is_content),
            pairs=TermMatrix.of_pairs(rows, len(lexicon)),
            lexicon=lexicon,
            tells_status=any(status_of(document) for document in documents),
            language=languages.pop() if len(languages) == 1 else None,
        )


def shared_language(documents: Iterable[Document]) -> str | None:
    """The language of documents, English where it is unknown; ``None`` where there are several."""
    languages = {document.language or "en" for document in documents}
    return languages.pop() if len(languages) == 1 else None


def looks_like_name(text: str) -> bool:
    """Whether words are written as names are: "Project Manager", "Anna de Vries", not "One thing"."""
    words = text.split()
    return (
        bool(words)
        and all(
            word[0].isupper() or (number and len(word) <= _LONGEST_PARTICLE)
            for number, word in enumerate(words)
        )
        and words[-1][0].isupper()
    )


def paragraph_openings(sentences: Sequence[Sentence]) -> IntArray:
    """True where a paragraph begins: within a paragraph, sentences are at most one space apart."""
    starts = np.array([sentence.start for sentence in sentences], np.int64)
    ends = np.array([sentence.end for sentence in sentences], np.int64)
    gaps = starts[1:] - ends[:-1]
    return np.concatenate((np.ones(min(1, len(starts)), np.int64), (gaps < 0) | (gaps > 1)))
