"""How much each sentence says about its document: the features and weights behind ``extract``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import Document, Section, SectionRole, Sentence
from lsum_cli.locality import Page
from lsum_cli.terms import FloatArray, IntArray, Lexicon, TermMatrix, count_words

FUNCTION_WORDS = frozenset(
    "a about above after again against all also am an and any are as at be because been before being below "
    "between both but by can cannot could did do does doing done down during each either few for from further "
    "had has have having he her here hers him his how however i if in into is it its itself just may me might "
    "more most must my neither no nor not now of off on once one only onto or other our out over own per same "
    "shall she should since so some such than that the their them then there these they this those through "
    "thus to too under until up upon us very was we were what when where whether which while who whom whose "
    "why will with within without would yet you your okay yeah uh um mm hmm oh like know think get got go "
    "going gonna really thing things way well mean right dig".split()
)
_CUES = re.compile(
    r"\b(?:in this (?:paper|study|article|work|report|review|case|section|chapter|book|essay)|(?:this|the|our|present|current) "
    r"(?:paper|study|article|work|report|review|proposal|document|specification|pep|eip|rfc|kep|enhancement|"
    r"feature|change|meeting|case)|we (?:propose|present|show|find|found|hold|conclude|report|describe|introduce|"
    r"demonstrate|investigated?|examined?|evaluated?|developed?|identified|observed|aim|affirm|reverse|"
    r"decided?|granted)|(?:results?|findings|data|analys[ei]s|evidence) (?:suggest|show|indicate|demonstrate|reveal)\w*|"
    r"in (?:conclusion|summary|short)|to (?:summari[sz]e|conclude)|the (?:aim|goal|purpose|objective|question|"
    r"main|motivation|judgment|proposed)|(?:was|were|is) (?:to (?:investigate|examine|determine|evaluate|assess)|"
    r"significantly)|conclusions?|proposes?)\b",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:however|therefore|thus|hence|moreover|furthermore|also|but|and|or|so|then|nevertheless|nonetheless|"
    r"otherwise|similarly|likewise|instead|consequently|accordingly|besides|yet|indeed|meanwhile|still|again|"
    r"for (?:example|instance)|in (?:addition|contrast|turn|particular)|on the other hand|as a result|that is|"
    r"this|these|those|it|they|he|she|such|here|see)\b",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\[[\d,;–\- ]+\]|\([^()]*\b(?:19|20)\d\d[a-z]?\)|\bet al\b")
_DISPLAY = re.compile(r"\b(?:fig(?:ure|s)?|tables?|appendix|eqn?|equation|supplementary)\b\.?", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_BOILERPLATE = re.compile(
    r"acknowledge?ments?|funding|author(?:s['’]?|['’]s)? contributions?|competing interests?|conflicts? of "
    r"interests?|disclosures?|copyright|licen[cs]e|data availability|availability of data|ethic(?:s|al)\b.*|"
    r"abbreviations|supplementa(?:ry|l)\b.*|additional (?:files?|information)|references|bibliography|"
    r"further reading|table of contents|contents|change ?log|pre-?publication history|consent\b.*|"
    r"publisher['’]s note|about the authors?|appendix\b.*|implementation history|revision history|test plan|"
    r"graduation criteria|open issues|footnotes|index",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\b(?:introduction|background|motivation|abstract|summary|overview|goals?|purpose)\b", re.I
)
_CLOSING = re.compile(r"\b(?:conclusions?|concluding|discussion|findings|outlook)\b", re.I)
_METHODS = re.compile(
    r"\b(?:methods?|materials|procedures?|statistic\w*|participants|patients|settings?)\b", re.I
)
_NUMBERING = re.compile(r"^[\s\d.:)§IVXA-Z-]*[.:)\s]\s*")

_SHORTEST, _LONGEST = 6, 80


@dataclass(frozen=True, eq=False)
class Features:
    """What is measured of every sentence, each a column of values mostly between 0 and 1."""

    names: tuple[str, ...]
    values: FloatArray

    def weigh(self, weights: dict[str, float]) -> FloatArray:
        """The weighted sum of the features of every sentence."""
        return self.values @ np.array([weights.get(name, 0.0) for name in self.names])


@dataclass(frozen=True, eq=False)
class Source:
    """The sentences of all pages as one sequence, with what is needed to weigh them.

    Attributes:
        sentences: In page order.
        page: Position of each sentence's page in the sequence of pages.
        sections: The section of each sentence.
        document: Position of each sentence's document.
        num_words: Words of each sentence.
        terms: Content terms per sentence.
        bigrams: Pairs of neighbouring terms, function words among them.
    """

    sentences: tuple[Sentence, ...]
    page: IntArray
    document: IntArray
    sections: tuple[Section, ...]
    titles: tuple[str, ...]
    num_words: IntArray
    terms: TermMatrix
    bigrams: TermMatrix
    num_tokens: IntArray
    lexicon: Lexicon


def gather(pages: Sequence[Page], documents: Sequence[Document]) -> Source:
    """Line up the sentences of all pages and count their terms."""
    position = {document.id: index for index, document in enumerate(documents)}
    sentences = tuple(sentence for page in pages for sentence in page.sentences)
    lengths = [len(page.sentences) for page in pages]
    document = np.repeat([position[page.document_id] for page in pages], lengths).astype(np.int64)
    lexicon = Lexicon()
    rows = [lexicon.index(sentence.text) for sentence in sentences]
    function = np.array([stem_ in _FUNCTION_STEMS for stem_ in lexicon.stems], dtype=bool)
    content = [row[~function[row]] for row in rows]
    pair_rows = [row[:-1] * len(lexicon) + row[1:] for row in rows]
    pairs, flat = np.unique(
        np.concatenate(pair_rows) if pair_rows else np.zeros(0, np.int64), return_inverse=True
    )
    ends = np.cumsum([len(row) for row in pair_rows])[:-1]
    return Source(
        sentences=sentences,
        page=np.repeat(np.arange(len(pages)), lengths),
        document=document,
        sections=tuple(
            documents[d].sections[s.section_index] for d, s in zip(document, sentences, strict=True)
        ),
        titles=tuple(d.title or "" for d in documents),
        num_words=np.array([count_words(s.text) for s in sentences], np.int64),
        terms=TermMatrix.of(content, len(lexicon)),
        bigrams=TermMatrix.of(np.split(flat, ends), len(pairs)),
        num_tokens=np.array([len(row) for row in rows], np.int64),
        lexicon=lexicon,
    )


def group_index(labels: IntArray) -> IntArray:
    """Position of each element within its run of equal labels, from 0."""
    starts = np.flatnonzero(np.concatenate(([True], labels[1:] != labels[:-1])))
    return np.arange(len(labels)) - np.repeat(starts, np.diff(np.append(starts, len(labels))))


def group_size(labels: IntArray) -> IntArray:
    starts = np.flatnonzero(np.concatenate(([True], labels[1:] != labels[:-1])))
    sizes = np.diff(np.append(starts, len(labels)))
    return np.repeat(sizes, sizes)


def term_weights(matrix: TermMatrix) -> FloatArray:
    """Frequency tempered by commonness: ``log(1 + sf) * log(1 + n / sf)`` for sentence frequency sf."""
    frequency = np.bincount(matrix.columns, minlength=matrix.num_terms).astype(float)
    n = max(1, matrix.num_rows)
    return np.log1p(frequency) * np.log1p(n / np.maximum(frequency, 1))


def cosine_to_groups(matrix: TermMatrix, groups: IntArray) -> FloatArray:
    """Cosine of each row with the sum of the rows of its group, without the row itself, idf-weighted."""
    frequency = np.bincount(matrix.columns, minlength=matrix.num_terms)
    idf = np.log1p(matrix.num_rows / np.maximum(1, frequency))
    rows = matrix.row_of_entry
    values = matrix.counts * idf[matrix.columns]
    norms = np.sqrt(np.maximum(1e-12, matrix.sum_rows(values**2)))
    values = values / norms[rows]
    keys = groups[rows] * max(1, matrix.num_terms) + matrix.columns
    unique, inverse = np.unique(keys, return_inverse=True)
    sums = np.bincount(inverse, weights=values, minlength=len(unique))
    group_norm2 = np.bincount(
        unique // max(1, matrix.num_terms), weights=sums**2, minlength=int(groups.max(initial=0)) + 1
    )
    dots = matrix.sum_rows(values * sums[inverse]) - 1
    return np.maximum(0, dots) / np.sqrt(np.maximum(1.0, group_norm2[groups]))


def measure(source: Source) -> Features:
    """Measure every sentence."""
    n = len(source.sentences)
    texts = [sentence.text for sentence in source.sentences]
    terms = source.terms
    section = np.array([s.section_index for s in source.sentences]) + 100_000 * source.document
    in_section, in_document = group_index(section), group_index(source.document)
    document_size = group_size(source.document)
    frequency = np.bincount(terms.columns, minlength=terms.num_terms)
    rows = terms.row_of_entry
    width = int(source.page.max(initial=0)) + 1
    page_frequency = np.bincount(
        np.unique(terms.columns * width + source.page[rows]) // width, minlength=terms.num_terms
    )
    present = np.ones(len(rows))
    distinct = np.maximum(1, terms.sum_rows(present))
    mean = lambda per_term: terms.sum_rows(per_term[terms.columns]) / distinct
    first = np.full(terms.num_terms, n)
    np.minimum.at(first, terms.columns, rows)
    weights = term_weights(terms)
    weights = weights / max(1e-9, weights.max(initial=0))
    headings = [section.heading or "" for section in source.sections]
    heading_of = {}

    def overlap(strings):
        out = np.zeros(n)
        cache = {}
        for i, h in enumerate(strings):
            if h not in cache:
                cache[h] = frozenset(t for t in source.lexicon.index(h).tolist() if t < terms.num_terms)
            if cache[h]:
                hit = cache[h].intersection(terms.columns[terms.row(i)].tolist())
                out[i] = len(hit) / len(cache[h])
        return out

    titles = [source.titles[d] for d in source.document]
    flag = lambda pattern, strings, whole=False: np.array([bool(pattern.search(s)) for s in strings], float)
    words = np.maximum(1, source.num_words)
    characters = np.array([max(1, len(t)) for t in texts])
    columns = {
        "centrality": cosine_to_groups(terms, np.zeros(n, np.int64)),
        "document_centrality": cosine_to_groups(terms, source.document),
        "page_centrality": cosine_to_groups(terms, source.page),
        "term_weight": mean(weights),
        "term_sum": np.minimum(1, terms.sum_rows(weights[terms.columns]) / 10),
        "frequency": mean(np.log1p(frequency) / np.log1p(max(1, n))),
        "spread": mean(page_frequency / width),
        "new_terms": np.bincount(first[first < n], weights=(weights * 1.0)[first < n], minlength=n)
        / distinct,
        "document_start": np.exp(-in_document / 5),
        "document_start_far": np.exp(-in_document / 25),
        "document_end": np.exp(-(document_size - 1 - in_document) / 15),
        "relative_position": in_document / np.maximum(1, document_size - 1),
        "section_start": np.exp(-in_section / 2),
        "section_end": np.exp(-(group_size(section) - 1 - in_section) / 2),
        "title": overlap(titles),
        "heading": overlap(headings),
        "cue": flag(_CUES, texts),
        "cue_strong": np.array([min(2, len(_CUES.findall(t))) for t in texts], float) / 2,
        "dangling": np.array([bool(_DANGLING.match(t)) for t in texts], float),
        "citation": flag(_CITATION, texts),
        "display": flag(_DISPLAY, texts),
        "question": np.array([t.rstrip().endswith("?") for t in texts], float),
        "digits": np.array([sum(map(str.isdigit, t)) for t in texts]) / characters,
        "letters": np.array([len(_LETTER.findall(t)) for t in texts]) / characters,
        "length": np.minimum(40, words) / 40,
        "short": np.maximum(0, 12 - words) / 12,
        "long": np.maximum(0, np.minimum(words, 120) - 45) / 45,
        "content": terms.sum_rows(terms.counts) / np.maximum(1, source.num_tokens),
        "opening": flag(_OPENING, headings),
        "closing": flag(_CLOSING, headings),
        "methods": flag(_METHODS, headings),
        "boilerplate": np.array(
            [bool(_BOILERPLATE.fullmatch(_NUMBERING.sub("", h).strip())) for h in headings], float
        ),
        "abstract": np.array([s.role is SectionRole.ABSTRACT for s in source.sections], float),
        "brackets": np.array([sum(t.count(c) for c in "([{|<>=_*") for t in texts]) / words,
        "unfinished": np.array([t[-1:] not in '.!?。！？…"”’)' for t in texts], float),
        "lower_start": np.array([t[:1].islower() for t in texts], float),
    }
    return Features(tuple(columns), np.column_stack(list(columns.values())))


_FUNCTION_STEMS = frozenset(FUNCTION_WORDS)
