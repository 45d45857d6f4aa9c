"""MediaWiki, DokuWiki, AsciiDoc and Org: headings, words without their marks, and what is left out."""

from __future__ import annotations

import time

import pytest
from reading_samples import headings_of, left_out_of

from lsum_cli import read
from lsum_cli.reading.wiki_markup import ASCIIDOC, DOKUWIKI, MEDIAWIKI, ORG, recognise_dialect

MEDIA = """{{Infobox river|name=Elbe|length={{convert|1094|km}}}}
'''The Elbe''' is one of the [[major river]]s of [[Central Europe]].<ref>{{cite web|title=Elbe}}</ref> It rises in
the [[Giant Mountains|Krkonoše]] and is {{convert|1094|km|mi}} long. <!-- check -->

== Name ==
First attested in ''Latin'' as {{lang|la|Albis}}, the name means river.<ref name="a" />

=== Other names ===
* The Czech name is [[Labe]].

<syntaxhighlight lang="python">
# This comment explains the code in a whole sentence.
</syntaxhighlight>

{| class="wikitable"
|-
! Year !! Flow
|-
| style="x" | 1900 || 711
|}

[[File:Elbe.jpg|thumb|The Elbe near [[Děčín]]]]
[[Category:Rivers]]
"""
DOKU = """====== The Elbe ======

The **Elbe** is one of the //major rivers//. See [[https://example.org|its page]].((A note is here.))

===== Name =====

First attested in Latin as ''Albis'', the name means river.\\\\ It is old: see http://example.org/a/b for more.

  * The Czech name is Labe.

<code python>
# This comment explains the code in a whole sentence.
</code>

^ Year ^ Flow ^
| 1900 | 711 |

{{elbe.jpg?200|The Elbe}}
"""
ASCII = """= The Elbe
Jane Miller <jane@example.org>
:toc:

The *Elbe* is one of the _major rivers_. See https://example.org[its page] for 2 * 3 * 4 more.

== [[name of the river]]Name

First attested in Latin as `Albis`, the name means river.footnote:[Or so it is said.]

=== Other names

.A title of a block
* The Czech name is Labe <<name>>.

[source,python]
----
# This comment explains the code in a whole sentence.
----

NOTE: The river is long.

|===
|Year |Flow
|1900 |711
|===

// A comment is a sentence.
image::elbe.jpg[The Elbe]
"""
ORG_TEXT = """#+TITLE: The Elbe
#+OPTIONS: toc:nil

The *Elbe* is one of the /major rivers/. See [[https://example.org][its page]] and/or a/b for more.

* TODO Name                                   :name:
:PROPERTIES:
:ID: 12
:END:
First attested in Latin as =Albis=, the name means river.

** Other names
- The Czech name is Labe.

#+BEGIN_SRC python
# This comment explains the code in a whole sentence.
#+END_SRC

# A comment is a sentence.
| Year | Flow |
|------+------|
| 1900 |  711 |
"""
TEXTS = {".wiki": MEDIA, ".dokuwiki": DOKU, ".adoc": ASCII, ".org": ORG_TEXT}


@pytest.mark.parametrize("name", [*TEXTS, *(f"{suffix}.txt" for suffix in TEXTS)])
def test_headings_and_words_without_marks(name: str, tmp_path):
    path = tmp_path / f"elbe{name}"
    path.write_text(TEXTS[name.removesuffix(".txt")], "utf-8")
    document = read(path)
    headings = [heading for _, heading in headings_of(document) if heading]
    assert headings == ["Name", "Other names"][: len(headings)]
    assert headings
    text = document.text
    for left_out in (
        "whole sentence",
        "{{",
        "]]",
        "''",
        "**",
        "==",
        "__",
        "|}",
        "note is",
        "jpg",
        "Or so",
        "https",
    ):
        assert left_out not in text
    assert "Elbe is one of the major rivers" in text
    assert "Albis, the name means river." in text
    assert "The Czech name is Labe." in [sentence.text for sentence in document.sentences]
    assert "Year | Flow" in text
    assert "1900 | 711" in text
    assert left_out_of(document)["code blocks"] >= 9
    if name.removesuffix(".txt") != ".wiki":
        assert document.title == "The Elbe"


def test_words_that_templates_hold_are_kept(tmp_path):
    path = tmp_path / "elbe.wiki"
    path.write_text(MEDIA, "utf-8")
    assert [sentence.text for sentence in read(path).sentences][:3] == [
        "The Elbe is one of the major rivers of Central Europe.",
        "It rises in the Krkonoše and is 1094 km long.",
        "First attested in Latin as Albis, the name means river.",
    ]


def test_what_is_no_mark_stays(tmp_path):
    path = tmp_path / "a.adoc"
    path.write_text(ASCII, "utf-8")
    assert "for 2 * 3 * 4 more." in read(path).text
    path = tmp_path / "a.org"
    path.write_text(ORG_TEXT, "utf-8")
    assert "and/or a/b for more." in read(path).text


@pytest.mark.parametrize(
    ("text", "dialect"), [(MEDIA, MEDIAWIKI), (DOKU, DOKUWIKI), (ASCII, ASCIIDOC), (ORG_TEXT, ORG)]
)
def test_a_dialect_is_recognised(text: str, dialect):
    assert recognise_dialect(text) is dialect


@pytest.mark.parametrize(
    "text",
    [
        "Notes\n=====\n\nA text with an underline, and a list:\n\n* one\n* two\n* three\n",
        "# Title\n\nMarkdown with **bold** and *more* and [a link](http://x).\n\n## Part\n\n- one\n- two\n",
        "We saw == and [[ in the code of the program, and ''quoted'' it.\n",
        "== Point one\nIt was so.\n-----\n== Point two\nIt was said.\n-----\n== Point three\nIt was done.\n",
        "== A heading of nobody ==\n\nA text with one mark only is read as it is, whatever that is.\n",
    ],
)
def test_other_texts_are_in_no_dialect(text: str):
    assert recognise_dialect(text) is None


@pytest.mark.parametrize(
    "part", ["{{", "[[", "<ref>", "<!--", "((", "----\n", "= a\n", "'''", "#+begin_src\n", "*a "]
)
def test_unclosed_marks_take_no_longer_than_their_length(part: str, tmp_path):
    seconds = []
    for times in (10_000, 40_000):
        path = tmp_path / f"a{times}.wiki"
        path.write_text("The tide rises. " + part * times, "utf-8")
        started = time.process_time()
        assert read(path).text.startswith("The tide rises.")
        seconds.append(time.process_time() - started)
    assert seconds[1] < 10 * seconds[0] + 1


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("a.wiki", "There are 10<sup>5</sup> of H<sub>2</sub>O.", "There are 10^5 of H2O."),
        ("a.wiki", "{{As of|2020}}, {{val|3.5}} {{nowrap|km}} were lost.", "As of 2020, 3.5 km were lost."),
        ("a.wiki", "{{Quote|The river was ours.}}", "The river was ours."),
        ("a.dokuwiki", "See http://x.org/a//b, 5 // 6 and //so//.", "See http://x.org/a//b, 5 // 6 and so."),
        ("a.dokuwiki", "The {{tide.png}}ice {{{a}b}}melts.", "The ice melts."),
    ],
)
def test_words_and_numbers_stay_what_they_are(name: str, text: str, wanted: str, tmp_path):
    path = tmp_path / name
    path.write_text(f"{text}\n", "utf-8")
    assert read(path).text == wanted


@pytest.mark.parametrize("name", ["a.wiki", "a.txt"])
def test_a_mediawiki_page_with_lower_headings_is_no_dokuwiki(name: str, tmp_path):
    path = tmp_path / name
    path.write_text("== Name ==\nThe '''[[Elbe]]''' rises.\n==== Detail ====\nIt [[melt|melts]].\n", "utf-8")
    document = read(path)
    assert document.title == "Name"
    assert document.text == "The Elbe rises.\n\nDetail\n\nIt melts."


def test_attributes_of_a_cell_are_no_text(tmp_path):
    path = tmp_path / "a.wiki"
    address = "x=1&y=" * 2_000
    path.write_text(f'{{|\n| style="a" width=2 | Flow || {address}\n|}}\n', "utf-8")
    assert read(path).text == f"Flow | {address}"


def test_a_long_rule_takes_no_longer_than_its_length(tmp_path):
    path = tmp_path / "a.adoc"
    path.write_text("== Tides\n\nThe tide rises.\n\n" + "-" * 60_000, "utf-8")
    started = time.process_time()
    assert read(path).text.endswith("The tide rises.")
    assert time.process_time() - started < 3


def test_letters_that_are_longer_in_lower_case_shift_nothing(tmp_path):
    path = tmp_path / "a.wiki"
    path.write_text(f"{'İstanbul ' * 20} kaldı.<REF>Kaynak</ref> Sonra bitti.\n", "utf-8")
    assert read(path).text.endswith("İstanbul kaldı. Sonra bitti.")


def test_a_table_with_a_cell_a_line(tmp_path):
    path = tmp_path / "a.wiki"
    path.write_text("Text.\n{|\n! Year\n! Flow\n|-\n| 1900\n| 711\n|-\n| 1901\n| 712\n|}\nMore.\n", "utf-8")
    assert [s.text for s in read(path).sentences] == [
        "Text.",
        "Year | Flow",
        "1900 | 711",
        "1901 | 712",
        "More.",
    ]


def test_a_reference_that_a_sentence_needs_keeps_its_words(tmp_path):
    path = tmp_path / "guide.adoc"
    path.write_text("= Guide\n\nSee <<Securing>> for limits. It is safe <<note>>.\n", encoding="utf-8")
    assert read(path).text.endswith("See Securing for limits. It is safe.")


def test_a_row_of_asciidoc_may_have_a_line_for_each_cell(tmp_path) -> None:
    path = tmp_path / "table.adoc"
    rows = "|depth\n|The depth of the channel.\n\n|width |The width of the gate.\n|height |Its height.\n"
    path.write_text(
        f"= Sluice\n\nAll of its settings.\n\n|===\n|Name |Meaning\n\n{rows}|===\n", encoding="utf-8"
    )
    assert [sentence.text for sentence in read(path).sentences] == [
        "All of its settings.",
        "Name | Meaning",
        "depth | The depth of the channel.",
        "width | The width of the gate.",
        "height | Its height.",
    ]


UNDERLINED = """gitriver(7)
===========

NAME
----
gitriver - Where rivers go

[[sources]]
Their sources
-------------

A river rises. See linkgit:git-sea[1] and link:lake.html[the lake].

----
$ flow --down
----

Its mouth
~~~~~~~~~

It ends in the sea, as linkgit:git-delta[5] says.
"""


@pytest.mark.parametrize("name", ["a.adoc", "a.txt"])
def test_titles_of_asciidoc_may_be_underlined(write, name):
    document = read(write(name, UNDERLINED))
    assert document.title == "gitriver(7)"
    assert headings_of(document) == [(1, "NAME"), (1, "Their sources"), (2, "Its mouth")]
    assert [sentence.text for sentence in document.sentences] == [
        "gitriver - Where rivers go",
        "A river rises.",
        "See git-sea(1) and the lake.",
        "It ends in the sea, as git-delta(5) says.",
    ]
    assert left_out_of(document)["code blocks"] == 3


def test_an_underlined_text_without_marks_of_asciidoc_is_plain(write):
    text = "The river\n=========\n\nIts source\n----------\n\nA river rises. It flows down to the sea.\n"
    assert headings_of(read(write("a.txt", text * 2))) != []
    assert recognise_dialect(text) is None


def test_examples_of_another_markup_do_not_decide():
    text = "= Manual\n\n== One\n\nSee <<two>>.\n\n----\n==== log ====\n[[x]]\n[[y]]\n----\n\n== Two\n\nSee <<one>>.\n"
    assert recognise_dialect(text) is ASCIIDOC


def test_no_title_of_asciidoc_stands_at_the_edge_of_a_listing(write):
    listing = "----\nflow\n\ndone\n----"
    text = f"= River\n\nIt flows.\n\n{listing}\n\nIt ends in the sea.\n\nSo:\n{listing}\n\nIt dries up.\n"
    document = read(write("a.adoc", text))
    assert headings_of(document) == [(0, None)]
    assert [sentence.text for sentence in document.sentences] == [
        "It flows.",
        "It ends in the sea.",
        "So:",
        "It dries up.",
    ]


def test_brackets_within_a_text_of_asciidoc_are_no_anchors(write) -> None:
    text = "= Locks\n\nThe shell reads [[lock gate]] and opens.\n\n[[old lock]]The old lock is shut.\n\n== More\n\nx.\n"
    document = read(write("a.adoc", text))
    assert "The shell reads [[lock gate]] and opens." in document.text
    assert "\nThe old lock is shut." in document.text


def test_a_glossary_of_asciidoc_has_no_headings(write) -> None:
    terms = ("sluice", "weir", "old mill")
    text = "\n".join(
        f"[[def_{place}]]{term}::\n\tA part of the <<def_lake,lake>> that the keeper knows.\n"
        for place, term in enumerate(terms)
    )
    document = read(write("glossary.txt", text))
    assert [sentence.text for sentence in document.sentences] == [
        f"{term}: A part of the lake that the keeper knows." for term in terms
    ]
