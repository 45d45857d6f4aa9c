"""Words of a windowing model as text that reads naturally."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.methods.detokenising import SentenceBuilder, Spelling, TokenSentence
from lsum_cli.methods.source_windows import SourceWindows
from lsum_cli.models.windowing.vocabulary import make_tokenizer

WORDS = [
    "the",
    "a",
    "he",
    "she",
    "it",
    "said",
    "that",
    "and",
    "was",
    "marsh",
    "mud",
    ",",
    ".",
    "!",
    "?",
    '"',
    "“",
    "”",
    "(",
    ")",
    "of",
    "not",
    "i",
    "mr",
    "u",
    "s",
    "5",
    "don't",
]
TOKENIZER = make_tokenizer(WORDS)


def read(*paragraphs: str, window_len: int = 400, stride: int = 380) -> SourceWindows:
    passage = Passage(paragraphs=tuple(Paragraph.of(text) for text in paragraphs))
    document = compose_document([passage], id="d0", source="test")
    return SourceWindows.of(
        [document], TOKENIZER, window_len=window_len, stride=stride, keep_references=False
    )


def build(text: SourceWindows, token_ids: Sequence[int]) -> list[TokenSentence]:
    builder = SentenceBuilder(Spelling(text, TOKENIZER), "en")
    found = [builder.add(place, token_id, 0) for place, token_id in enumerate(token_ids)]
    return [sentence for sentence in (*found, *builder.finish()) if sentence]


def write(words: str, *source: str) -> str:
    """What becomes of lower-cased words, given a source that knows how to write them."""
    text = read(*source)
    known = {text.surface(place).lower(): int(i) for place, i in enumerate(text.source.extended_ids)}
    ids = [known.get(word) or TOKENIZER.convert_tokens_to_ids(word) for word in words.split()]
    return " ".join(sentence.text for sentence in build(text, ids))


@pytest.mark.parametrize(
    ("words", "source", "expected"),
    [
        ("the marsh , he said , was mud .", "Nothing.", "The marsh, he said, was mud."),
        ("he said ( not she ) .", "Nothing.", "He said (not she)."),
        ("“ mud ! ” he said .", "Nothing.", "“Mud!” he said."),
        ('he said , " mud . "', "Nothing.", 'He said, "mud."'),
        ("i don't .", "Nothing.", "I don't."),
        ("the dr filby was it .", "And then Dr Filby came.", "The Dr Filby was it."),
        ("filby said that .", "It was Filby.", "Filby said that."),
        ("the mcdonald was ph 5 .", "At McDonald a pH of 5.", "The McDonald was pH 5."),
        ("nasa said it .", "It was NASA.", "NASA said it."),
        ("the time-machine was £ 5 .", "A Time-Machine of £5.", "The Time-Machine was £5."),
        ("the u . s . was it .", "In the U.S. it was.", "The U.S. was it."),
        ("he was 50 % mud .", "It was 50% mud.", "He was 50% mud."),
        ("he was 50 % mud .", "It was 50 % mud, 20 % water.", "He was 50 % mud."),
        ("mud -- marsh .", "The mud--marsh was.", "Mud--marsh."),
        ("he was mud ! she was marsh ?", "Nothing.", "He was mud! She was marsh?"),
        ("ιθάκη was it .", "Then Ιθάκη came.", "Ιθάκη was it."),
    ],
)
def test_words_read_naturally(words, source, expected):
    assert write(words, source) == expected


def test_a_name_at_the_beginning_of_its_only_sentence_is_a_name_if_nobody_knows_the_word():
    assert write("that was weena .", "Weena slept. The marsh was mud.") == "That was Weena."
    assert write("that was the marsh .", "Marsh. It was.") == "That was the marsh."


def test_headings_in_capitals_teach_no_spelling():
    assert write("the marsh and mud .", "THE MARSH AND MUD.", "A marsh of mud.") == "The marsh and mud."


def test_an_abbreviation_ends_no_sentence():
    text = read("It was Mr. Filby who said that. He was not it.")
    sentences = build(text, text.source.extended_ids.tolist())
    assert [s.text for s in sentences] == ["It was Mr. Filby who said that.", "He was not it."]
    assert [token for s in sentences for token in s.tokens] == list(range(len(text.source)))


SOURCES = [
    "“I don’t know,” said Filby. “It was (he said) 9.30 a.m. in the U.S. and £5 was paid!”",
    'He said, "Not at all." Then she laughed; "Why?" she asked.',
    "The time-traveller's lamp--it was old--gave 50% less light (see Fig. 2, p. 30).",
    "Ithaca, N.Y., and well-known e-mail: e.g. x/z, 1,000.5 and 10:30.",
    "Das ist 'gut'; l'eau, die Universität — und so weiter …",
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_sentence_written_anew_is_the_source_sentence(source):
    text = read(source)
    written = build(text, text.source.extended_ids.tolist())
    assert " ".join(sentence.text for sentence in written) == source


PIECES = st.sampled_from([*WORDS, "Filby", "London", "—", "--", "...", "’", "'", ";", ":", "%", "£"])


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=40), st.lists(PIECES, min_size=1, max_size=60))
def test_every_word_comes_back_once_and_in_one_sentence(words, source):
    text = read(" ".join(source))
    known = {text.surface(place).lower(): int(i) for place, i in enumerate(text.source.extended_ids)}
    ids = [i for word in words if (i := known.get(word.lower(), TOKENIZER.convert_tokens_to_ids(word))) != 1]
    sentences = build(text, ids)
    assert [token for sentence in sentences for token in sentence.tokens] == list(range(len(ids)))
    spelling = Spelling(text, TOKENIZER)
    plain = "".join(spelling.plain(token_id) for token_id in ids)
    assert "".join(s.text for s in sentences).replace(" ", "").lower() == plain
    for sentence in sentences:
        assert sentence.text == sentence.text.strip()
        assert "  " not in sentence.text
