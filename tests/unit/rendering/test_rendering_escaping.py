"""What a document holds stays data, on a terminal, in Markdown and in HTML."""

from __future__ import annotations

import html
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rendering_examples import HOSTILE

from lsum_cli.rendering.escaping import (
    clean_line,
    escape_markdown,
    fit_encoding,
    html_environment,
    replace_surrogates,
)

FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
ANY_TEXT = st.text(st.characters(), max_size=60)
MARKS = st.text(st.sampled_from("#*_`[](){}<>|~$\\&;:!-+=.)1 2ab\n"), max_size=24)


@given(ANY_TEXT | st.sampled_from(HOSTILE))
def test_a_clean_line_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    cleaned = clean_line(text)
    assert not FORBIDDEN.search(cleaned)
    assert clean_line(cleaned) == cleaned
    cleaned.encode("utf-8")


def test_line_breaks_become_spaces_and_escape_sequences_lose_their_power() -> None:
    assert clean_line("a\r\nb\tc\u2028d") == "a  b c d"
    assert clean_line("\x1b[31mred\x1b[0m") == "[31mred[0m"
    assert clean_line("\u202egpj.exe\u202c") == "gpj.exe"


def test_right_to_left_letters_and_joiners_stay() -> None:
    for text in ("שלום עולם", "مرحبا بالعالم", "👩\u200d🔬", "क्\u200dष", "\u200fא"):
        assert clean_line(text) == text


def test_lone_surrogates_become_replacement_characters() -> None:
    assert replace_surrogates("a\ud800b") == "a\ufffdb"
    assert replace_surrogates("😀") == "😀"


@given(ANY_TEXT)
def test_html_renders_as_the_text(text: str) -> None:
    escaped = html_environment().from_string("{{ text }}").render(text=text)
    assert not re.search("[<>\"']", escaped)
    assert not FORBIDDEN.search(html.unescape(escaped))
    assert html.unescape(escaped).strip() == clean_line(text)


@given(MARKS | ANY_TEXT | st.sampled_from(HOSTILE))
@example("a\n---")
@example("foo #")
@example("2. two")
@example("[x]: http://e.org")
@example("&amp; &#35; \\")
@example(":-")
@pytest.mark.parametrize(
    ("before", "blocks"),
    [
        ("", ["paragraph"]),
        ("Line above\n", ["paragraph"]),
        ("- ", ["bullet_list", "list_item", "paragraph"]),
        ("> ", ["blockquote", "paragraph"]),
        ("# ", ["heading"]),
    ],
)
def test_markdown_renders_as_the_text(before: str, blocks: list[str], text: str) -> None:
    expected = clean_line(text)
    if not unicodedata.normalize("NFC", expected).strip():
        return
    tokens = MARKDOWN.parse(before + escape_markdown(text))
    assert [token.type.removesuffix("_open") for token in tokens if token.nesting == 1] == blocks
    inline = next(token for token in tokens if token.type == "inline")
    assert {child.type for child in inline.children or ()} <= {"text", "text_special", "softbreak"}
    rendered = "".join(child.content or "\n" for child in inline.children or ())
    assert rendered.removeprefix("Line above\n").strip() == expected.strip()


def test_plain_prose_keeps_its_looks_in_markdown() -> None:
    prose = "Yield rose by 3% (p < 0.05), i.e. 7 - 4 = 3; see snake_case & “quotes”."
    assert escape_markdown(prose) == prose


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("utf-8", "“Naïve” – 3 · 漢 …"),
        ("latin-1", '"Naïve" - 3 · ? ...'),
        ("ascii", '"Naive" - 3 - ? ...'),
        ("cp1252", "“Naïve” – 3 · ? …"),
    ],
)
def test_text_is_fitted_to_an_encoding(encoding: str, expected: str) -> None:
    fitted = fit_encoding("“Naïve” – 3 · 漢 …", encoding)
    assert fitted == expected
    fitted.encode(encoding)
