"""What a model with BERT's vocabulary wrote, as text that is spelt like its source."""

from __future__ import annotations

import pytest
from tiny_bert import wordpiece_tokenizer
from tiny_checkpoints import make_tokenizer

from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.locality import Locality, paginate
from lsum_cli.methods.word_pieces import is_in_pieces, read_pieces

WORDS = [
    "the",
    "a",
    "he",
    "she",
    "it",
    "was",
    "said",
    "in",
    "and",
    "of",
    "river",
    "rivers",
    "marsh",
    "marshes",
    "rose",
    "by",
    "per",
    "cent",
    "12",
    "5",
]
TOKENIZER = wordpiece_tokenizer(WORDS)


def pages_of(*texts: str):
    passage = Passage(paragraphs=tuple(Paragraph.of(text) for text in texts))
    document = compose_document([passage], id="d0", source="test")
    return paginate([document], Locality.SPATIAL, 1000, lambda text: len(text.split()))


def read(written: str, *source: str, tokenizer=TOKENIZER):
    ids = tokenizer(written)["input_ids"]
    return ids, read_pieces(tokenizer, ids, pages_of(*source), "en")


@pytest.mark.parametrize(
    ("written", "source", "expected"),
    [
        ("the naive marsh", "In it the naïve Marsh rose.", "The naïve Marsh"),
        ("kowalski said it .", "Kowalski said: the marsh.", "Kowalski said it."),
        ("the river elbe", "He and the river Elbe.", "The river Elbe"),
        ("it rose by 12 . 5 % , he said .", "It rose by 12.5% in all.", "It rose by 12.5%, he said."),
        ("it rose by 3 . 4 % .", "It rose by 12.5% in all.", "It rose by 3.4%."),
        ("a long - term marsh .", "He said a Long-Term marsh was it.", "A Long-Term marsh."),
        ("it ' s the river ' s marsh .", "Nothing.", "It's the river's marsh."),
        ("in 1990 . 25 rivers rose .", "Nothing.", "In 1990. 25 rivers rose."),
        (
            "a marsh river rose .",
            "The marsh. The marsh. A Marsh River and the Marsh River.",
            "A Marsh River rose.",
        ),
        ("it may be in the river .", "Maybe inthe River", "It may be in the River."),
        ('he said " a marsh " .', "Nothing.", 'He said "a marsh".'),
        ('" the river " .', 'A marsh "it said". The "river it".', '"The river".'),
        ("1 , 250 , 000 rivers", "Nothing.", "1,250,000 rivers"),
    ],
)
def test_words_are_spelt_as_in_the_source(written, source, expected):
    _, sentences = read(written, source)
    assert " ".join(sentence.text for sentence in sentences) == expected


def test_every_token_of_text_is_in_one_sentence():
    ids, sentences = read("the kowalskis said it . a marsh rose by 12 . 5 % .", "The Kowalskis said 12.5%.")
    assert [sentence.text for sentence in sentences] == ["The Kowalskis said it.", "A marsh rose by 12.5%."]
    assert [token for sentence in sentences for token in sentence.tokens] == list(range(1, len(ids) - 1))


def test_a_cased_vocabulary_keeps_its_capitals_and_gets_its_spaces():
    tokenizer = wordpiece_tokenizer([*WORDS, "Marsh"], lower=False)
    _, sentences = read("The Marsh ( said Kowalski ) rose .", "the marsh of Kowalski", tokenizer=tokenizer)
    assert [sentence.text for sentence in sentences] == ["The Marsh (said Kowalski) rose."]


def test_nothing_written_is_no_sentence():
    assert read_pieces(TOKENIZER, [2, 3, 0], pages_of("Nothing."), "en") == []


def test_other_tokenizers_tell_spaces_themselves():
    assert is_in_pieces(TOKENIZER)
    assert not is_in_pieces(make_tokenizer())
