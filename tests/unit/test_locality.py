"""Pages partition the sentences, whatever the document."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Document, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality, choose_locality, count_tokens, paginate


def document(*sections: tuple[str | None, str], id: str = "d0", level: int = 1) -> Document:
    return compose_document(
        [
            Passage(heading=heading, level=level, paragraphs=(Paragraph.of(text),))
            for heading, text in sections
        ],
        id=id,
        source=f"{id}.txt",
        title=f"Title of {id}",
    )


def sentences(number: int, words: int = 5) -> str:
    return " ".join(f"Sentence {i} has{' more' * (words - 3)} words." for i in range(number))


words = st.text(alphabet="abcdefgh.,;!?", min_size=1, max_size=12)
texts = st.lists(words, max_size=60).map(" ".join)
documents = st.lists(
    st.lists(st.tuples(st.none() | st.just("Heading"), texts), min_size=1, max_size=5), min_size=1, max_size=3
).map(lambda parts: [document(*sections, id=f"d{i}") for i, sections in enumerate(parts)])


@settings(max_examples=150, deadline=None)
@given(
    documents=documents,
    locality=st.sampled_from(Locality),
    page_len=st.integers(1, 40),
    pages=st.none() | st.integers(1, 9),
)
def test_pages_partition_the_text(documents, locality, page_len, pages):
    made = paginate(documents, locality, page_len, pages=None if locality is Locality.DOCUMENT else pages)
    assert [page.index for page in made] == list(range(len(made)))
    assert all(page.sentences and page.locality is locality for page in made)
    for document in documents:
        pieces = [s for page in made if page.document_id == document.id for s in page.sentences]
        # Every character of every sentence stands in exactly one page, in order.
        for sentence in document.sentences:
            own = [piece for piece in pieces if piece.index == sentence.index]
            assert own[0].start == sentence.start
            assert own[-1].end == sentence.end
            for piece in own:
                assert document.text[piece.start : piece.end] == piece.text
            for left, right in pairwise(own):
                assert document.text[left.end : right.start].strip() == ""
        assert [p.index for p in pieces] == sorted(p.index for p in pieces)
        assert {p.index for p in pieces} == {s.index for s in document.sentences}


@settings(max_examples=150, deadline=None)
@given(documents=documents, locality=st.sampled_from(Locality), page_len=st.integers(1, 40))
def test_no_page_is_longer_than_the_limit(documents, locality, page_len):
    for page in paginate(documents, locality, page_len):
        assert page.num_tokens <= page_len
        assert page.num_tokens == sum(count_tokens(s.text) for s in page.sentences)


def test_spatial_pages_are_even():
    (doc,) = [document((None, sentences(100)))]
    made = paginate([doc], Locality.SPATIAL, 1024, pages=7)
    assert len(made) == 7
    lengths = [len(page.sentences) for page in made]
    assert max(lengths) - min(lengths) <= 1
    assert made[0].label == "part 1/7"


def test_spatial_makes_more_pages_where_the_text_needs_them():
    doc = document((None, sentences(100)))
    made = paginate([doc], Locality.SPATIAL, 70, pages=2)
    assert len(made) == -(-100 // 10)


def test_spatial_never_makes_more_pages_than_sentences():
    assert len(paginate([document((None, sentences(3)))], Locality.SPATIAL, 1024, pages=7)) == 3


def test_a_section_is_a_page_and_an_overlong_one_several():
    doc = document(("1 Introduction", sentences(5)), ("2 Methods", sentences(25)), ("3 End", sentences(1)))
    labels = [page.label for page in paginate([doc], Locality.DISCOURSE, 70)]
    assert labels == ["1 Introduction", "2 Methods (1/3)", "2 Methods (2/3)", "2 Methods (3/3)", "3 End"]


def test_short_sections_share_a_page_only_when_the_limit_asks():
    doc = document(*[(f"{i} Part", sentences(2 if i in (2, 3) else 6)) for i in range(1, 7)])
    assert len(paginate([doc], Locality.DISCOURSE, 100)) == 6
    made = paginate([doc], Locality.DISCOURSE, 100, pages=5)
    assert [page.label for page in made] == ["1 Part", "2 Part – 3 Part", "4 Part", "5 Part", "6 Part"]


def test_subsections_join_their_section_first():
    doc = compose_document(
        [
            Passage(heading=name, level=level, paragraphs=(Paragraph.of(sentences(length)),))
            for name, level, length in (("A", 1, 1), ("B", 1, 1), ("B.1", 2, 9), ("B.2", 2, 9))
        ],
        id="d0",
        source="x",
    )
    labels = [page.label for page in paginate([doc], Locality.DISCOURSE, 200, pages=2)]
    assert labels == ["A", "B – B.2"]


def test_the_page_limit_never_drops_what_does_not_fit():
    doc = document(*[(f"{i}", sentences(10)) for i in range(8)])
    made = paginate([doc], Locality.DISCOURSE, 60, pages=2)
    assert sum(len(page.sentences) for page in made) == 80


def test_a_document_is_a_page():
    docs = [document((None, sentences(3)), id="d0"), document((None, sentences(25)), id="d1")]
    made = paginate(docs, Locality.DOCUMENT, 70)
    assert [page.label for page in made] == ["Title of d0", *(f"Title of d1 ({i}/3)" for i in (1, 2, 3))]
    assert [page.document_id for page in made] == ["d0", "d1", "d1", "d1"]


def test_references_come_into_pages_only_when_asked():
    doc = compose_document(
        [
            Passage(heading="Body", level=1, paragraphs=(Paragraph.of("One sentence."),)),
            Passage(
                heading="References",
                level=1,
                role=SectionRole.REFERENCES,
                paragraphs=(Paragraph.of("Somebody 2001. A paper."),),
            ),
        ],
        id="d0",
        source="x",
    )
    assert [page.label for page in paginate([doc], Locality.DISCOURSE, 50)] == ["Body"]
    kept = paginate([doc], Locality.DISCOURSE, 50, keep_references=True)
    assert [page.label for page in kept] == ["Body", "References"]


def test_a_section_without_a_heading_is_named_by_its_role():
    doc = compose_document(
        [
            Passage(role=role, level=0, paragraphs=(Paragraph.of("A sentence."),))
            for role in (SectionRole.ABSTRACT, SectionRole.BODY, SectionRole.REFERENCES)
        ],
        id="d0",
        source="x",
    )
    made = paginate([doc], Locality.DISCOURSE, 50, keep_references=True)
    assert [page.label for page in made] == ["Abstract", "Opening", "References"]


def test_sections_of_one_name_are_told_apart_by_their_path():
    passages = [
        Passage(heading=heading, level=level, paragraphs=(Paragraph.of(sentences(2)),))
        for heading, level in (("I", 1), ("A", 2), ("B", 2), ("II", 1), ("A", 2), ("B", 2), ("After", 1))
    ]
    case = compose_document(passages, id="d0", source="case.txt")
    paths = ["I", "I › A", "I › B", "II", "II › A", "II › B", "After"]
    assert [section.path for section in case.sections] == paths
    assert [page.label for page in paginate([case], Locality.DISCOURSE, 100)] == paths


def test_a_name_that_is_the_only_one_needs_no_path():
    passages = [
        Passage(heading=heading, level=level, paragraphs=(Paragraph.of(sentences(2)),))
        for heading, level in (("Methods", 1), ("Data", 2), (None, 0))
    ]
    paper = compose_document(passages, id="d0", source="paper.txt")
    assert [page.label for page in paginate([paper], Locality.DISCOURSE, 100)] == [
        "Methods",
        "Data",
        "Opening",
    ]
    assert [section.path for section in paper.sections] == ["Methods", "Methods › Data", ""]


def test_a_page_knows_its_pdf_pages():
    doc = compose_document(
        [Passage(paragraphs=(Paragraph.of("One.", 3), Paragraph.of("Two.", 5), Paragraph.of("Three.", 3)))],
        id="d0",
        source="x",
    )
    assert paginate([doc], Locality.SPATIAL, 50)[0].pdf_pages == (3, 5)


def test_a_sentence_longer_than_a_page_is_cut_at_words():
    doc = document((None, "word " * 25 + "end."))
    made = paginate([doc], Locality.SPATIAL, 10)
    assert [page.num_tokens for page in made] == [10, 10, 7]
    assert " ".join(page.text for page in made) == doc.sentences[0].text


def test_a_word_longer_than_a_page_is_cut_too():
    made = paginate([document((None, "x" * 50))], Locality.SPATIAL, 10, count_tokens=len)
    assert [page.text for page in made] == ["x" * 10] * 5


def count_as_a_tokenizer(text: str) -> int:
    """Four letters are a token, so is a space that no word follows."""
    return sum(-(-len(word) // 4) for word in text.split()) + text.endswith(" ")


@settings(max_examples=150, deadline=None)
@given(
    text=texts, page_len=st.integers(2, 12), count=st.sampled_from([len, count_tokens, count_as_a_tokenizer])
)
def test_pieces_of_a_sentence_hold_text_and_fit(text, page_len, count):
    doc = document((None, text))
    for page in paginate([doc], Locality.SPATIAL, page_len, count):
        assert all(sentence.text.strip() == sentence.text != "" for sentence in page.sentences)
        assert all(count(sentence.text) <= page_len for sentence in page.sentences)


def test_words_fill_the_pieces_whatever_a_space_costs():
    text = "word " * 30 + "end."
    made = paginate([document((None, text))], Locality.SPATIAL, 10, count_as_a_tokenizer)
    assert [page.num_tokens for page in made] == [10, 10, 10, 1]


def test_an_endless_word_is_cut_in_time_that_grows_with_its_length():
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return count_tokens(text)

    word = "a-" * 10_000
    made = paginate([document((None, word))], Locality.SPATIAL, 100, count)
    assert "".join(page.text for page in made) == word
    assert {page.num_tokens for page in made[:-1]} == {100}
    assert counted < 30 * len(word)


@pytest.mark.parametrize(
    ("locality", "page_len", "pages"),
    [(Locality.SPATIAL, 0, None), (Locality.SPATIAL, 10, 0), (Locality.DOCUMENT, 10, 3)],
)
def test_nonsense_is_refused(locality, page_len, pages):
    with pytest.raises(OptionError):
        paginate([document((None, "One."))], locality, page_len, pages=pages)


def test_no_documents_no_pages():
    assert paginate([], Locality.SPATIAL, 10) == ()
    assert paginate([document((None, ""))], Locality.DISCOURSE, 10) == ()


def test_auto_says_why():
    plain, sectioned = document((None, "One.")), document(("A", "One."), ("B", "Two."))
    assert choose_locality([plain]).locality is Locality.SPATIAL
    assert "no sections" in choose_locality([plain]).reason
    assert "only one section" in choose_locality([document(("A", "One."))]).reason
    assert choose_locality([sectioned]).locality is Locality.DISCOURSE
    assert "2 sections" in choose_locality([sectioned]).reason
    assert choose_locality([plain, sectioned]).locality is Locality.DOCUMENT


@given(st.text(st.characters(max_codepoint=0x17F) | st.sampled_from("’“”‘—–_ \n\x1f")))
def test_tokens_are_words_and_signs(text):
    words = re.sub(r"[\W_]", " ", text).split()
    signs = [each for each in text if not (each.isalnum() or each.isspace())]
    assert count_tokens(text) == len(words) + len(signs)


def test_ideographs_count_one_by_one():
    assert count_tokens("自然言語 is fun.") == 4 + 3


@pytest.mark.parametrize("role", SectionRole)
def test_every_role_names_a_section_without_a_heading(role):
    passage = Passage(role=role, paragraphs=(Paragraph.of("It holds one sentence."),))
    document = compose_document([passage], id="d0", source="a.txt")
    pages = paginate([document], locality=Locality.DISCOURSE, page_len=64, keep_references=True)
    assert pages[0].label
