"""Encodings that nothing declares: told by their letters, short or among much English."""

from __future__ import annotations

import time

import pytest

from lsum_cli.reading.charsets import decode, looks_binary

RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему."
SAMPLES = {
    "koi8-r": RUSSIAN,
    "cp1251": RUSSIAN,
    "iso8859-5": RUSSIAN,
    "cp866": RUSSIAN,
    "koi8-u": "Реве та стогне Дніпр широкий, сердитий вітер завива, додолу верби гне високі.",
    "iso8859-2": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.",
    "cp1250": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.",
    "cp1254": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler.",
    "cp1252": "Alle Menschen sind frei und gleich an Würde und Rechten geboren – überall.",
    "cp1253": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "iso2022_jp": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
}


@pytest.mark.parametrize("encoding", SAMPLES)
def test_short_texts_in_many_encodings(encoding):
    content = SAMPLES[encoding].encode(encoding)
    assert decode(content).text == SAMPLES[encoding]


@pytest.mark.parametrize("encoding", ["koi8-r", "cp1251", "iso8859-5", "cp866"])
def test_a_russian_line_among_much_english(encoding):
    text = "The quick brown fox jumps over the lazy dog while nobody looks. " * 20 + RUSSIAN
    assert decode(text.encode(encoding)).text == text


def test_a_long_text_is_decoded_in_little_time():
    content = (RUSSIAN * 20_000).encode("koi8-r")
    began = time.process_time()
    assert decode(content).text.startswith(RUSSIAN)
    assert time.process_time() - began < 5


def test_returns_without_end_are_told_in_little_time():
    began = time.process_time()
    assert decode(b"One." + b"\r" * 200_000 + b"Two.\r\r\nThree.").text.endswith("\nTwo.\nThree.")
    assert time.process_time() - began < 5


def test_what_is_meant_for_a_terminal_is_no_text():
    coloured = "\x1b[1;31mError\x1b[0m: the gate is stuck.\x1b]0;a title\x07 See \x1b(Bbelow."
    assert decode(coloured.encode()).text == "Error: the gate is stuck. See below."
    typed_over = "".join(f"{letter}\b{letter}" for letter in "NAME") + "\n" + "_\bg_\ba_\bt_\be opens."
    assert not looks_binary(typed_over.encode())
    assert decode(typed_over.encode()).text == "NAME\ngate opens."
