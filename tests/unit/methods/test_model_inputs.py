"""What a model reads of a page: everything, within its length."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import BOS, EOS, WORDS, make_tokenizer

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import Locality, paginate
from lsum_cli.methods.model_inputs import SequenceFrame, count_text_tokens, encode_page

TOKENIZER = make_tokenizer()


def count(text: str) -> int:
    return count_text_tokens(TOKENIZER, text)


def make_document(*sections: tuple[str | None, str]) -> Document:
    passages = [Passage(heading=h, level=1, paragraphs=(Paragraph.of(text),)) for h, text in sections]
    return compose_document(passages, id="d0", source="x")


def test_the_frame_is_what_the_tokenizer_puts_around():
    frame = SequenceFrame.of(TOKENIZER)
    assert (frame.before, frame.after, len(frame)) == ((BOS,), (EOS,), 2)
    assert frame.around([7, 8]) == TOKENIZER(TOKENIZER.decode([7, 8]))["input_ids"]
    assert SequenceFrame.of(make_tokenizer(bos=False)).before == ()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from([*WORDS, "Xanthippe", "42"]), min_size=1, max_size=12),
        min_size=1,
        max_size=9,
    ),
    st.integers(4, 40),
)
def test_every_page_fits_and_nothing_is_cut(sentences, page_len):
    text = " ".join(" ".join(words).capitalize() + "." for words in sentences)
    document = make_document((None, text))
    pages = paginate([document], Locality.SPATIAL, page_len, count)
    inputs = [encode_page(TOKENIZER, page, page_len).token_ids for page in pages]
    assert all(0 < len(ids) <= page_len for ids in inputs)
    read = "".join(TOKENIZER.decode(ids) for ids in inputs).replace(" ", "")
    assert read == document.text.replace(" ", "")


def test_headings_are_read_before_their_sections_where_there_is_room():
    document = make_document(("Growth", "The mud rise."), ("Decline", "The sea rise."))
    (page,) = paginate([document], Locality.DISCOURSE, 200, count, pages=1)
    read = encode_page(TOKENIZER, page, 200, document=document)
    assert TOKENIZER.decode(read.token_ids) == "Growth The mud rise. Decline The sea rise."
    assert read.headings_left_out == 0
    assert TOKENIZER.decode(encode_page(TOKENIZER, page, 200).token_ids) == "The mud rise. The sea rise."


@pytest.mark.parametrize(("room", "left_out"), [(0, 2), (count("Growth"), 1), (count("Decline"), 1)])
def test_headings_without_room_are_counted_and_sentences_stay_whole(room, left_out):
    document = make_document(("Growth", "The mud rise."), ("Decline", "The sea rise."))
    (page,) = paginate([document], Locality.DISCOURSE, 200, count, pages=1)
    read = encode_page(TOKENIZER, page, page.num_tokens + room, document=document)
    assert read.headings_left_out == left_out
    assert len(read.token_ids) <= page.num_tokens + room
    text = TOKENIZER.decode(read.token_ids)
    assert "The mud rise." in text
    assert "The sea rise." in text
