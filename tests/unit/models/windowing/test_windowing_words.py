"""Vocabulary, source texts and vectors of the windowing models."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from tiny_windowing_model import SENTENCES, tiny_tokenizer

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.models.windowing.configuration import WindowingConfig
from lsum_cli.models.windowing.fasttext import _hash, read_embeddings
from lsum_cli.models.windowing.vocabulary import (
    SPECIAL_TOKENS,
    count_words,
    encode_reference,
    encode_source,
    make_tokenizer,
    most_frequent,
    read_vocabulary,
    word_of,
)


def test_words_are_split_and_found_in_the_source_with_their_casing():
    tokenizer = tiny_tokenizer()
    source = encode_source(tokenizer, SENTENCES)
    assert source.unknown_words == (
        "zorblax",
        "at",
        "blackwater-on-sea",
        "3.5",
        "m",
        ";",
        "river's",
        "quuxley",
    )
    taken = [SENTENCES[s][a:b] for s, (a, b) in zip(source.sentence_of, source.offsets, strict=True)]
    assert taken[:10] == ["The", "tide", "rises", "and", "falls", ",", "twice", "a", "day", "."]
    assert [word.lower() for word in taken] == [word_of(tokenizer, source, i) for i in source.extended_ids]
    assert len(source.first(4)) == 4
    vocab = len(tokenizer)
    known = source.extended_ids < vocab
    assert (source.input_ids[known] == source.extended_ids[known]).all()
    assert (source.input_ids[~known] == 1).all()
    assert taken[12:13] == ["Zorblax"]
    assert source.extended_ids[12] == vocab == source.extended_ids[len(source) - 4]


def test_what_looks_like_a_special_token_is_text():
    tokenizer = tiny_tokenizer()
    source = encode_source(tokenizer, ["We saw </s> and <shift>.", "<pad><unk>"])
    assert not set(source.extended_ids.tolist()) & {0, 1, 2, 3, 4}
    assert "shift" in source.unknown_words


def test_other_scripts_and_odd_characters_keep_their_places():
    tokenizer = tiny_tokenizer()
    sentences = ["İstanbul’da ÇAY — “10.000 €”…", "日本語の文。", "a\u0301bc 😀 naïve"]
    source = encode_source(tokenizer, sentences)
    taken = [sentences[s][a:b] for s, (a, b) in zip(source.sentence_of, source.offsets, strict=True)]
    assert "10.000" in taken
    assert "ÇAY" in taken
    assert "日本語の文" in taken
    assert "".join("".join(taken).split()) == "".join("".join(sentences).split())


def test_references_use_the_source_s_own_words():
    tokenizer = tiny_tokenizer()
    source = encode_source(tokenizer, SENTENCES)
    ids = encode_reference(tokenizer, ["Quuxley saw mud.", "", "Nobody rises"], source)
    vocab = len(tokenizer)
    assert [len(each) for each in ids] == [4, 0, 2]
    assert ids[0][0] == vocab + source.unknown_words.index("quuxley")
    assert ids[2][0] == 1
    assert encode_reference(tokenizer, [], source) == []


def test_the_most_frequent_words_make_the_vocabulary():
    counts = count_words(["The cat saw the dog.", "The dog; the DOG!", "<shift>"])
    assert most_frequent(counts, size=8) == ["the", "dog", "cat"]
    assert len(make_tokenizer(most_frequent(counts, size=8))) == 8
    assert make_tokenizer([]).convert_ids_to_tokens([0, 1, 2, 3, 4]) == list(SPECIAL_TOKENS)


def test_vocabulary_files(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("the\ntide\nrises\n", encoding="utf-8")
    assert read_vocabulary(path) == ["the", "tide", "rises"]
    path.write_text("the\ntide\nThe\n", encoding="utf-8")
    with pytest.raises(OptionError, match="'The' twice, in lines 1 and 3"):
        read_vocabulary(path)
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(OptionError, match="empty"):
        read_vocabulary(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(OptionError, match="cannot be read"):
        read_vocabulary(path)
    with pytest.raises(OptionError, match="cannot be read"):
        read_vocabulary(tmp_path / "missing")
    with pytest.raises(OptionError, match="'tide' twice"):
        make_tokenizer(["tide", "mud", "tide"])
    with pytest.raises(OptionError, match="'<unk>' twice"):
        make_tokenizer(["<unk>"])


def test_vectors_in_text(tmp_path):
    path = tmp_path / "words.vec"
    path.write_text("3 3\nTide 1 2 3\nmud 4 5 6\ntide 7 8 9\n", encoding="utf-8")
    found = read_embeddings(path, ["mud", "grass", "tide"], size=3)
    assert {place: vector.tolist() for place, vector in found.items()} == {0: [4, 5, 6], 2: [1, 2, 3]}
    assert read_embeddings(path, [], size=3) == {}
    with pytest.raises(OptionError, match="have 3 numbers, the model's words 300"):
        read_embeddings(path, ["mud"], size=300)
    for text, complaint in (
        ("mud 1 2\n", "line 1 have 2"),
        ("mud 1 x 3\n", "not a list of numbers"),
        ("mud 1 nan 3\n", "NaN"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(OptionError, match=complaint):
            read_embeddings(path, ["mud"], size=3)
    with pytest.raises(OptionError, match="cannot be read"):
        read_embeddings(tmp_path / "none.vec", ["mud"], size=3)


def binary_model(words, matrix, *, buckets, minn, maxn, quantised=False) -> bytes:
    """A fastText model of version 12 as its own program writes one; the output matrix is left out."""
    arguments = (matrix.shape[1], 5, 5, 1, 5, 1, 1, 1, buckets, minn, maxn, 100)
    data = struct.pack("<ii", 793712314, 12) + struct.pack("<12i", *arguments) + struct.pack("<d", 1e-4)
    data += struct.pack("<3i2q", len(words), len(words), 0, 100, -1)
    for word in words:
        data += word.encode() + b"\0" + struct.pack("<qb", 7, 0)
    data += struct.pack("<?2q", quantised, *matrix.shape)
    return data + matrix.astype("<f4").tobytes()


def test_vectors_of_a_binary_model_come_with_their_parts(tmp_path):
    matrix = np.arange(24, dtype=np.float32).reshape(8, 3)
    path = tmp_path / "words.bin"
    path.write_bytes(binary_model(["mud", "tide"], matrix, buckets=6, minn=2, maxn=3))
    found = read_embeddings(path, ["mud", "ab"], size=3)
    ngrams = ["<m", "<mu", "mu", "mud", "ud", "ud>", "d>"]
    rows = [0, *(2 + _hash(ngram) % 6 for ngram in ngrams)]
    assert found[0].tolist() == pytest.approx(matrix[rows].mean(0).tolist())
    rows = [2 + _hash(ngram) % 6 for ngram in ("<a", "<ab", "ab", "ab>", "b>")]
    assert found[1].tolist() == pytest.approx(matrix[rows].mean(0).tolist())
    path.write_bytes(binary_model(["mud"], matrix[:1], buckets=0, minn=0, maxn=0))
    assert set(read_embeddings(path, ["mud", "ab"], size=3)) == {0}


def test_the_hash_is_fnv_1a_with_signed_bytes():
    assert _hash("") == 2166136261
    assert _hash("a") == 0xE40C292C  # published test vectors of 32-bit FNV-1a
    assert _hash("foobar") == 0xBF9CF968
    assert (
        _hash("é")
        == ((((2166136261 ^ 0xFFFFFFC3) * 16777619) & 0xFFFFFFFF ^ 0xFFFFFFA9) * 16777619) & 0xFFFFFFFF
    )


def test_binary_models_that_cannot_be_used(tmp_path):
    matrix = np.ones((1, 3), np.float32)
    path = tmp_path / "words.bin"
    whole = binary_model(["mud"], matrix, buckets=0, minn=0, maxn=0)
    path.write_bytes(whole)
    with pytest.raises(OptionError, match="have 3 numbers"):
        read_embeddings(path, ["mud"], size=4)
    for data, complaint in (
        (b"nothing of the kind", "not a fastText"),
        (whole[:30], "too early"),
        (whole[:95], "too early"),
        (whole[:-4], "too early"),
        (binary_model(["mud"], matrix, buckets=0, minn=0, maxn=0, quantised=True), "quantised"),
    ):
        path.write_bytes(data)
        with pytest.raises(OptionError, match=complaint):
            read_embeddings(path, ["mud"], size=3)


@pytest.mark.parametrize(
    "damage",
    [
        {"hidden_size": 0},
        {"stride": 500},
        {"windowing": "sideways"},
        {"weight_k": -0.1},
        {"source_len": 0},
        {"vocab_size": 3},
        {"stretch_overlap": -1},
    ],
)
def test_damaged_configurations_are_refused(damage):
    with pytest.raises(CheckpointError, match="damaged"):
        WindowingConfig(**damage)
