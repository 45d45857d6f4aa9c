"""Windows as pages: nothing lost, nothing twice."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.methods.base import measure_coverage
from lsum_cli.methods.source_windows import SourceWindows
from lsum_cli.models.windowing.vocabulary import make_tokenizer

TOKENIZER = make_tokenizer(["w"])


def make_documents(lengths: list[list[int]]) -> list[Document]:
    """A document for each list, a sentence of that many words for each number; the last is the stop."""
    return [
        compose_document(
            [
                Passage(paragraphs=(Paragraph.of(" ".join(["w"] * (words - 1) + ["."])),))
                for words in sentences
            ],
            id=f"d{number}",
            source=f"{number}.txt",
        )
        for number, sentences in enumerate(lengths)
    ]


def read(lengths: list[list[int]], window_len: int, stride: int, **more) -> SourceWindows:
    return SourceWindows.of(
        make_documents(lengths),
        TOKENIZER,
        window_len=window_len,
        stride=stride,
        keep_references=False,
        **more,
    )


LENGTHS = st.lists(st.lists(st.integers(2, 30), max_size=8), min_size=1, max_size=3)


@settings(max_examples=150, deadline=None)
@given(LENGTHS, st.integers(1, 25), st.data())
def test_every_word_is_on_one_page_and_every_window_has_one(lengths, window_len, data):
    stride = data.draw(st.integers(1, window_len))
    text = read(lengths, window_len, stride)
    total = sum(map(sum, lengths))
    assert len(text.source) == sum(page.num_tokens for page in text.pages) == total
    assert [page.index for page in text.pages] == list(range(len(text.pages)))
    assert {window for window, _ in text.page_of_window} == (set(range(len(text.layout))) if total else set())
    # Pieces and sentences, in order, are the documents' sentences.
    for place, document in enumerate(text.documents):
        held = [s for page in text.pages if page.document_id == document.id for s in page.sentences]
        assert sum(len(s.text.replace(" ", "")) for s in held) == sum(
            len(s.text.replace(" ", "")) for s in document.sentences
        )
        assert all(document.text[s.start : s.end] == s.text for s in held)
        assert [s.index for s in held] == sorted(s.index for s in held)
        assert place in range(len(lengths))
    coverage = measure_coverage(text.documents, text.pages, lambda t: len(t.split()), keep_references=False)
    assert (coverage.tokens_read, coverage.tokens_dropped) == (total, 0)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(2, 12), min_size=1, max_size=12), st.integers(12, 20), st.data())
def test_a_sentence_belongs_to_the_first_window_that_holds_most_of_it(lengths, window_len, data):
    stride = data.draw(st.integers(1, window_len))
    text = read([lengths], window_len, stride)
    page_of = {s.index: page.label for page in text.pages for s in page.sentences}
    start = 0
    for number, words in enumerate(lengths):
        held = []
        for window in range(len(text.layout)):
            first, last = text.layout.span(window)
            held.append(min(last, start + words) - max(first, start))
        assert page_of[number] == f"window {held.index(max(held)) + 1}/{len(text.layout)}"
        start += words


def test_windows_over_several_documents_name_them():
    text = read([[6], [6]], 8, 8)
    assert [page.label for page in text.pages] == ["0.txt, window 1/2", "1.txt, window 2/2"]
    text = read([[4], [4]], 8, 8)
    assert [page.label for page in text.pages] == ["0.txt, window 1/1", "1.txt, window 1/1"]
    assert text.page_of_window == {(0, 0): 0, (0, 1): 1}


def test_what_a_model_without_windowing_does_not_read_is_on_no_page():
    text = read([[6, 6, 6]], 8, 8, first_window_only=True)
    coverage = measure_coverage(text.documents, text.pages, lambda t: len(t.split()), keep_references=False)
    assert [page.num_tokens for page in text.pages] == [8]
    assert coverage.tokens_read == 8
