"""reStructuredText: sections, directives, lists, tables."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_samples import PROSE, headings_of, left_out_of

from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.reading.rst import read_rst


def read_text(text: str):
    return read_rst(
        RawSource(id="d0", name="a.rst", content=text.encode(), media_type="text/x-rst"), ReadOptions()
    )


def sentences(text: str) -> list[str]:
    return [sentence.text for sentence in read_text(text).sentences]


def test_levels_follow_the_order_of_adornments():
    document = read_text(
        f"=====\nTitle\n=====\n\n{PROSE}\n\nOne\n~~~\n\n{PROSE}\n\nDeep\n''''\n\n{PROSE}\n\nTwo\n~~~\n\n{PROSE}\n"
    )
    assert document.title == "Title"
    assert headings_of(document) == [(0, None), (1, "One"), (2, "Deep"), (1, "Two")]


def test_headers_of_enhancement_proposals():
    document = read_text(
        f"PEP: 9999\nTitle: All of it\nAuthor: Some Body <x@example.org>,\n        Another\nStatus: Draft\n\nAbstract\n========\n\n{PROSE}\n"
    )
    assert document.title == "All of it"
    assert headings_of(document) == [(1, "Abstract")]
    assert left_out_of(document) == {"front matter": 13}


def test_directives_are_text_code_or_left_out():
    document = read_text(
        f"{PROSE}\n\n.. note:: Mind this.\n\n   And *that* too.\n\n.. code-block:: python\n   :linenos:\n\n   x = 1\n\n"
        ".. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\n.. versionadded:: 3.1\n   The new thing.\n\n"
        ".. figure:: a.png\n   :alt: A picture\n\n   The caption.\n\n.. a comment\n   goes on\n\n.. _target: http://x.org\n\nLast.\n"
    )
    assert document.text.split("\n\n") == [
        PROSE,
        "Mind this.",
        "And that too.",
        "3.1 The new thing.",
        "The caption.",
        "Last.",
    ]
    counted = left_out_of(document)
    assert counted["code blocks"] == 4
    assert counted["directives"] == 4
    assert counted["comments"] == 6


def test_literal_blocks_and_doctests_are_code():
    document = read_text("Look at this::\n\n    x = 1\n\n    y = 2\n\nAnd this:\n\n>>> 1 + 1\n2\n\nEnd.\n")
    assert document.text == "Look at this:\n\nAnd this:\n\nEnd."
    assert left_out_of(document) == {"code blocks": 11}


def test_inline_marks_are_reduced_to_text():
    assert sentences(
        "A ``literal``, *emph*, **strong**, :ref:`label`, :doc:`text <target>`, `link <http://x.org>`_, `phrase`_, word_, |sub| [1]_ 2 * 3 * 4.\n"
    ) == ["A literal, emph, strong, label, text, link, phrase, word, sub 2 * 3 * 4."]


def test_lists_definitions_and_fields():
    text = "- one\n  goes on\n\n- two\n\n  - inner\n\n#. first\n#. second\n\nterm\n   Its definition.\n\nSection\n-------\n\ntext\n"
    assert sentences(text) == [
        "one goes on",
        "two",
        "inner",
        "first",
        "second",
        "term",
        "Its definition.",
        "text",
    ]


def test_tables_are_rows():
    text = (
        "+------+------+\n| Name | Size |\n+======+======+\n| A    | 3    |\n| b    |      |\n+------+------+\n\n"
        "=====  =====\nLeft   Right\n=====  =====\none    two\n=====  =====\n\nEnd.\n"
    )
    assert sentences(text) == ["Name | Size", "A b | 3", "Left | Right", "one | two", "End."]


@pytest.mark.parametrize(
    "text",
    ["".join(" " * depth + "x\n\n" for depth in range(2000)), "".join("  " * depth + "- x\n\n" for depth in range(1000)),
     ":a:`" * 100_000, "`a <b " * 100_000, "*a" * 100_000, "\n".join(".. note::" for _ in range(5000)), "=\n" * 50_000],
    ids=["indents", "lists", "roles", "links", "stars", "directives", "adornments"],
)  # fmt: skip
def test_hostile_texts_end_soon(text):
    start = time.monotonic()
    read_text(text)
    assert time.monotonic() - start < 10


PARTS = st.sampled_from(
    ["Title", "=====", "-----", "", "", "text here", "   indented", "- item", ".. note:: x", ".. code::", "term::", ">>> x", "| line",
     "+--+--+", "|a |b |", "== ==", ":field: x", "1. one", "  - inner", "..", ".. [1] foot", "::"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PARTS, max_size=25))
def test_any_order_of_lines_is_read(lines):
    document = read_text("\n".join(lines))
    kept = f"{document.title or ''} {document.text}"
    # "text" and "here" stand in no construct that is left out whole, unless indented below one.
    if "text here" in lines and not left_out_of(document):
        assert "text here" in kept
