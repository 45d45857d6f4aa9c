"""Markdown: marks go, text stays."""

from __future__ import annotations

import time

import pytest
from reading_samples import PROSE, headings_of, left_out_of

from lsum_cli.reading.markdown import read_markdown
from lsum_cli.reading.registry import RawSource, ReadOptions


def read_text(text: str):
    return read_markdown(
        RawSource(id="d0", name="a.md", content=text.encode(), media_type="text/markdown"), ReadOptions()
    )


def sentences(text: str) -> list[str]:
    return [sentence.text for sentence in read_text(text).sentences]


def test_headings_of_both_kinds():
    document = read_text(
        f"Title\n=====\n\n{PROSE}\n\nFirst\n---\n\n{PROSE}\n\n### Deep ###\n\n{PROSE}\n\n## Second {{#id}}\n\n{PROSE}\n"
    )
    assert document.title == "Title"
    assert headings_of(document) == [(0, None), (1, "First"), (2, "Deep"), (1, "Second")]


def test_several_headings_of_the_first_level_are_sections():
    document = read_text("# One\n\nText one.\n\n# Two\n\nText two.\n")
    assert document.title is None
    assert headings_of(document) == [(1, "One"), (1, "Two")]


def test_front_matter_gives_title_and_language_and_is_counted():
    document = read_text(
        f'---\ntitle: "All about it"\nlang: de-DE\ntags: [a, b]\n---\n\n# All about it\n\n{PROSE}\n'
    )
    assert (document.title, document.language) == ("All about it", "de")
    assert headings_of(document) == [(0, None)]
    assert left_out_of(document) == {"front matter": 9}


def test_a_title_line_and_a_table_of_contents():
    document = read_text(
        f"% All of it\n% Some Body\n\n## Contents\n\n* [One](#one)\n* [Two](#two)\n\n## One\n\n{PROSE}\n"
    )
    assert document.title == "All of it"
    assert [section.heading for section in document.sections] == ["One"]
    assert left_out_of(document)["table of contents"] == 3


def test_a_rule_at_the_beginning_is_no_front_matter():
    assert sentences(f"---\n\n{PROSE}\n\n---\n\nMore.\n") == [PROSE, "More."]


def test_links_images_emphasis_and_code_are_reduced_to_text():
    text = "See [the *guide*](http://x.org) and <http://y.org>, **very** _good_ `code_here`, snake_case ~~old~~ ![logo](a.png) [ref][1].\n\n[1]: http://z.org\n"
    document = read_text(text)
    assert document.text == "See the guide and http://y.org, very good code_here, snake_case old ref."
    assert left_out_of(document) == {"image descriptions": 1}


def test_link_whose_label_is_defined_elsewhere_is_reduced_to_text():
    assert sentences("Make [a gate][weir.Gate] of [PEP 508][] names with [`weir.open`][].") == [
        "Make a gate of PEP 508 names with weir.open."
    ]
    # Sources, an index and a pattern are none.
    kept = "As [Ames 20][Bell 21] and [3][4] say, `row[key][]` is ['key'][0] or [a-z][0-9]."
    assert sentences(kept) == [kept.replace("`", "")]


def test_code_blocks_and_comments_are_left_out_and_counted():
    document = read_text(
        f"{PROSE}\n\n```python\nx = 1\n# no heading\n```\n\n    indented code\n\n<!-- a comment -->\n\nInline <!-- note --> here.\n"
    )
    assert document.text == f"{PROSE}\n\nInline here."
    assert left_out_of(document) == {"code blocks": 8, "comments": 3}


def test_lists_quotes_and_tables_are_paragraphs():
    text = "1. First\n   goes on\n2. Second\n\n> A quotation\n> of two lines.\n\n| Name | Size |\n|---|---|\n| Thing | *3* |\n"
    assert sentences(text) == [
        "First goes on",
        "Second",
        "A quotation of two lines.",
        "Name | Size",
        "Thing | 3",
    ]


def test_html_inside_is_reduced_to_text():
    assert sentences(
        f"<details>\n<summary>More</summary>\n<p>{PROSE}</p>\n</details>\n\nA<br>b <kbd>C</kbd>.\n"
    ) == [
        "More",
        PROSE,
        "A b C.",
    ]


def test_footnote_marks_are_taken_out():
    document = read_text("A claim[^1] here.\n\n[^1]: The note says this.\n")
    assert document.text == "A claim here.\n\nThe note says this."
    assert left_out_of(document) == {"reference marks": 2}


def test_long_texts_are_read_in_parts_without_a_seam():
    part = f"## Heading\n\n{PROSE}\n\n```\n# code {PROSE}\n```\n\n"
    document = read_text(part * 3000)
    assert len(document.sections) == 3000
    assert len(document.sentences) == 3000
    assert left_out_of(document)["code blocks"] == 3000 * (len(PROSE.split()) + 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [("[" * 200_000, 1), ("*a " * 200_000, 200_000), (">" * 50_000 + " deep", 1), ("[a](" * 50_000, 1), ("<div>\n\n" * 5_000 + "end", 1),
     ("".join("  " * depth + "- x\n" for depth in range(300)), 300)],
    ids=["brackets", "stars", "quotes", "links", "html", "lists"],
)  # fmt: skip
def test_hostile_texts_end_soon_and_keep_their_words(text, words):
    start = time.process_time()
    assert len(read_text(text).text.split()) == words
    assert time.process_time() - start < 10


def test_check_boxes_are_no_text():
    text = "- [ ] Send the report to all of them.\n- [x] Paint the gates.\n\nThe list [x] is short.\n\n[x] is a name.\n"
    assert sentences(text) == [
        "Send the report to all of them.",
        "Paint the gates.",
        "The list [x] is short.",
        "[x] is a name.",
    ]


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("{meth}`~port.Ship.moor`", "moor"),
        ("{py:func}`port.moor`", "port.moor"),
        ("{doc}`The port <port>`", "The port"),
        ("{pep}`8`", "PEP 8"),
        ("{never-heard}`of it`", "of it"),
        ("{ref}`chain-care`", "Care of chains"),
        ("{ref}`these <chain-care>`", "these"),
        ("{ref}`elsewhere`", "elsewhere"),
        ("[](#chain-care)", "Care of chains"),
        ("{ship} `moor`", "{ship} moor"),
        ("`{ship}` `moor`", "{ship} moor"),
    ],
)
def test_roles_are_read_as_they_are_shown(marked, said):
    text = f"(chain-care)=\n\n## Care of `chains` ##\n\nSee {marked} there.\n"
    assert sentences(text) == [f"See {said} there."]


def test_braces_before_code_are_text_unless_they_name_a_role():
    text = "Use {name}`value` to set it.\n\nSee {py:func}`port.moor` and {func}`moor` there.\n"
    assert sentences(text) == ["Use {name}value to set it.", "See port.moor and moor there."]


def test_labels_of_places_are_no_text():
    document = read_text(f"# Port\n\n(moor)=\n(moor-2)=\n## Mooring\n\n(rope)=\n{PROSE}\n\nf(x)= y.\n")
    assert headings_of(document) == [(1, "Mooring")]
    assert [sentence.text for sentence in document.sentences] == [PROSE, "f(x)= y."]
    assert left_out_of(document) == {"directives": 3}


@pytest.mark.parametrize(
    ("first", "after"),
    [("% SPDX-License-Identifier: CC-BY-4.0", ""), ("% To be moved to the harbour guide", "(moor)=\n")],
)
def test_comment_lines_of_myst_are_neither_title_nor_text(first, after):
    document = read_text(f"{first}\n\n{after}# Mooring\n\n{PROSE}\n\n% Check the rope.\n")
    assert document.title == "Mooring"
    assert [sentence.text for sentence in document.sentences] == [PROSE]
    assert left_out_of(document)["comments"] == len(first.split()) - 1 + 3


def test_the_names_of_emoji_before_a_line_are_pictures():
    said = "Vote with :+1: or ::open::, set :host: at 10:30:15."
    text = f"# Gates\n\n## :star2: :bug: New\n\n{PROSE}\n\n- :bug: {said}\n- :author: Jane\n- :func: returns\n\n## :bug:\n\n{PROSE}\n"
    document = read_text(text)
    assert headings_of(document)[-2:] == [(1, "New"), (1, ":bug:")]
    texts = [each.text for each in document.sentences]
    assert {said, ":author: Jane", ":func: returns"} <= set(texts)
    assert left_out_of(document)["image descriptions"] == 3
