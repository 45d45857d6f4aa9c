"""reStructuredText: sections, directives, lists, tables."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_samples import PROSE, headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, document_kind_of
from lsum_cli.reading import rst
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
        "Note: Mind this.",
        "And that too.",
        "Added in version 3.1: The new thing.",
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


def test_marks_of_code_within_emphasis_are_reduced_to_text():
    assert sentences("*Call ``open_gate()`` of the ``weir``, not the lock.* **Use ``close()``.**\n") == [
        "Call open_gate() of the weir, not the lock.",
        "Use close().",
    ]


def test_lists_definitions_and_fields():
    text = "- one\n  goes on\n\n- two\n\n  - inner\n\n#. first\n#. second\n\nterm\n   Its definition.\n\nSection\n-------\n\ntext\n"
    assert sentences(text) == [
        "one goes on",
        "two",
        "inner",
        "first",
        "second",
        "term: Its definition.",
        "text",
    ]


def test_a_definition_follows_its_term():
    text = (
        "depth : int\n   How *deep* it is. In metres.\n\n   More of it.\n\nWhy?\n   Because.\n\n"
        "chains\n   - long\n\n" + "word " * 13 + "\n   Its definition.\n"
    )
    assert read_text(text).text.split("\n\n") == [
        "depth (int): How deep it is. In metres.",
        "More of it.",
        "Why?",
        "Because.",
        "chains",
        "long",
        ("word " * 13).strip(),
        "Its definition.",
    ]


def test_what_stands_for_a_badge_is_a_label():
    badges = "- |Fix| Ponds are counted.\n- |API| :func:`dry` is gone.\n- |Lathe| is a tool.\n\n|Lathe| Tools turn.\n"
    assert sentences(badges) == [
        "Fix: Ponds are counted.",
        "API: dry is gone.",
        "Lathe is a tool.",
        "Lathe Tools turn.",
    ]


def test_a_reference_without_words_is_the_heading_that_it_leads_to():
    text = (
        ".. _Chain-Care:\n.. _other:\n\nCare of *chains*\n----------------\n\n"
        "See :ref:`chain-care`, :ref:`other`, :ref:`these <other>`, :ref:`elsewhere` and :ref:`below`.\n\n"
        ".. _below:\n\nA paragraph.\n\nLast\n----\n\nText.\n"
    )
    assert sentences(text)[0] == "See Care of chains, Care of chains, these, elsewhere and below."


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
    start = time.process_time()
    read_text(text)
    assert time.process_time() - start < 10


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


def test_a_list_table_is_rows():
    document = read_text(
        ".. list-table:: Sizes\n   :header-rows: 1\n   :widths: 20 80\n\n   * - Name\n     - Size\n   * - *a*\n     - 3\n\nEnd.\n"
    )
    assert document.text.split("\n\n") == ["Sizes", "Name | Size", "a | 3", "End."]


def test_a_csv_table_is_rows():
    document = read_text(
        '.. csv-table:: Sizes\n   :header: "Name", "Size"\n   :widths: 2, 8\n\n   "a, b", 3\n   *c*, 4\n\nEnd.\n'
    )
    assert document.text.split("\n\n") == ["Sizes", "Name | Size", "a, b | 3", "c | 4", "End."]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (".. rst-class:: wide\n\n   A class is set.\n", ["A class is set."]),
        (".. class:: wide\n\n   A class is set.\n", ["A class is set."]),
        (".. todo:: Explain this.\n", ["Explain this."]),
        (".. todo::\n   :class: late\n\n   Explain *this*.\n\n   And that.\n", ["Explain this.", "And that."]),
        (".. py:function:: solve(x, *, y)\n   :module: maths\n\n   Solves it.\n\n   :param x: the first\n",
         ["solve(x, *, y): Solves it.", "param x: the first"]),
        (".. class:: Solver\n\n   Solves it.\n", ["Solver: Solves it."]),
        (".. class:: solver(x)\n\n   Solves it.\n", ["solver(x): Solves it."]),
        (".. method:: solve()\n      :async:\n\n   Solves it.\n", ["solve(): Solves it."]),
        (".. function:: solve(x)\n              solve(x, y)\n\n   Solves it.\n", ["solve(x), solve(x, y): Solves it."]),
        (".. autoclass:: maths.Solver\n   :members:\n\n   It solves.\n", ["It solves."]),
        (".. only:: html\n\n   For the web.\n", ["For the web."]),
        (".. never-heard-of:: An argument\n   that goes on\n\n   - a list\n", ["An argument that goes on", "a list"]),
        (".. figure:: a.png\n   :unheard: of\n   :alt: A picture\n\n   The caption.\n\n   The legend.\n", ["The caption.", "The legend."]),
        (".. admonition:: Title\n   :class: x\n\n   Body.\n", ["Title: Body."]),
        (".. danger::\n\n   Chains *break*.\n\n   Often.\n", ["Danger: Chains break.", "Often."]),
        (".. note:: Note that chains\n   break.\n", ["Note that chains break."]),
        (".. warning:: Chains break.\n   Often.\n", ["Warning: Chains break. Often."]),
        (".. caution::\n\n   - Chains.\n", ["Chains."]),
        (".. confval:: WORKERS\n   :type: int\n\n   How many *work*.\n", ["WORKERS: How many work."]),
        (".. deprecated:: 3.1\n\n   Use ropes.\n", ["Deprecated since version 3.1: Use ropes."]),
        (".. glossary::\n\n   term\n      Its meaning.\n", ["term: Its meaning."]),
        (".. tab-set::\n\n   .. tab-item:: First\n\n      In a tab.\n", ["First: In a tab."]),
    ],
    ids=lambda value: value.split("::")[0].removeprefix(".. ") if isinstance(value, str) else "",
)  # fmt: skip
def test_any_directive_keeps_its_text(text, kept):
    text_read = read_text(f"Before.\n\n{text}\nAfter.\n").text
    assert text_read.split("\n\n") == ["Before.", *kept, "After."]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("weir\n\n   A low dam.\n", ["weir: A low dam."]),
        ("- weir\n\n    A low *dam*.\n\n    Of stone.\n", ["weir: A low dam.", "Of stone."]),
        (".. glossary::\n\n   weir\n   low dam\n      A dam of stone.\n", ["weir, low dam: A dam of stone."]),
        ("The keeper says:\n\n   A low dam.\n", ["The keeper says:", "A low dam."]),
        ("The dam stands.\n\n   It is low.\n", ["The dam stands.", "It is low."]),
        ("weir\n\n   - A low dam.\n", ["weir", "A low dam."]),
        (
            "Of dams\n\n   A dam is a promise.\n\n   -- Ada Brook\n",
            ["Of dams", "A dam is a promise.", "— Ada Brook"],
        ),
        ("becomes\n\n   «A dam is a «promise».»\n", ["becomes", "«A dam is a «promise».»"]),
    ],
)
def test_a_term_may_stand_above_what_is_indented_below_it(text, kept):
    text_read = read_text(f"Before.\n\n{text}\nAfter.\n").text
    assert text_read.split("\n\n") == ["Before.", *kept, "After."]


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        (":doc:`intro`", "intro"),
        (":doc:`The start <intro>`", "The start"),
        (":class:`~asyncio.Task`", "Task"),
        (":meth:`~asyncio.Task.cancel()`", "cancel()"),
        (":func:`~.django.shortcuts.render`", "render"),
        (":class:`.ListView`", "ListView"),
        (":class:`!Task`", "Task"),
        (":py:func:`os.walk`", "os.walk"),
        (":never-heard:`of it`", "of it"),
        (":pep:`8`", "PEP 8"),
        (":rfc:`2822`", "RFC 2822"),
        (":rfc:`3986#section-3.2.3`", "RFC 3986"),
        ("`default role`", "default role"),
        (":kbd:`C-x`", "C-x"),
        (":math:`a^2`", "a^2"),
    ],
)
def test_any_role_keeps_its_text(marked, said):
    assert sentences(f"See {marked} there.\n") == [f"See {said} there."]


def test_a_substitution_is_replaced_by_its_definition():
    text = ".. |name| replace:: The Long Name\n.. |logo| image:: logo.png\n.. |day| date::\n\nIt is |name|, |logo| and |none|, |day|.\n"
    assert sentences(text) == ["It is The Long Name, logo and none, day."]


def test_nothing_of_a_file_is_executed(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET", encoding="utf-8")
    document = read_text(
        f".. include:: {secret}\n\n.. literalinclude:: {secret}\n\n.. raw:: html\n   :file: {secret}\n\n"
        f".. csv-table:: T\n   :file: {secret}\n\n.. |x| include:: {secret}\n\n:raw:`y` |x|\n"
    )
    assert "SECRET" not in document.text


def test_settings_of_docutils_are_not_read(tmp_path, monkeypatch):
    settings_file = tmp_path / "docutils.conf"
    settings_file.write_text("[general]\nhalt_level: 1\nline_length_limit: 5\n", encoding="utf-8")
    monkeypatch.setenv("DOCUTILSCONFIG", str(settings_file))
    monkeypatch.chdir(tmp_path)
    assert sentences("A sentence of *some* length.\n") == ["A sentence of some length."]


def test_one_document_leaves_nothing_behind_for_the_next(capsys):
    from docutils.parsers.rst import directives, roles

    registered = set(roles._roles), set(directives._directives)
    first = read_text(
        ".. role:: loud(strong)\n.. default-role:: math\n\n:loud:`x` `y`\n\n.. todo:: z\n\nA\n=\n\nB\n-\n"
    )
    second = read_text(":loud:`x` `y`\n\n.. todo:: z\n\nB\n-\n\nA\n=\n\n`unclosed and *broken\n")
    assert first.text.startswith("x y\n\nz")
    assert second.text.startswith("x y\n\nz")
    assert [level for level, heading in headings_of(second) if heading] == [1, 2]
    assert set(roles._roles) == registered[0]
    assert set(directives._directives) - registered[1] <= set(directives._directive_registry)
    assert capsys.readouterr() == ("", "")


def test_sections_at_odd_levels_are_sections():
    document = read_text(
        f"Top\n===\n\nOne\n---\n\n{PROSE}\n\nTwo\n===\n\nDeep\n~~~~\n\n{PROSE}\n\nThree\n-----\n\n{PROSE}\n"
    )
    assert headings_of(document) == [(1, "Top"), (2, "One"), (1, "Two"), (3, "Deep"), (2, "Three")]


@pytest.mark.parametrize(
    "text",
    [
        "Text of it.\n\n* item\nno blank line before this\n",
        "+---+\n| a\n+---+\n\nText of it.\n",
        "Text of it.\n\n=====\nTitle\n-----\n",
        ".. note::\n\n   Title\n   =====\n\n   Text of it.\n",
        "=====\nTitle\n\nText of it.\n",
    ],
    ids=["list", "table", "overline", "heading", "no underline"],
)
def test_what_docutils_cannot_parse_is_kept_as_it_stands(text):
    document = read_text(text)
    kept = f"{document.title or ''} {document.text}"
    assert all(word in kept for word in text.replace("+---+", "").split() if word.isalpha())


@pytest.mark.parametrize(
    "text",
    ["- " * 500 + "x", ".. note:: " * 300 + "x", ":a: " * 400 + "x", "".join("|" + " " * (depth + 1) + "x\n" for depth in range(1500)),
     "".join(" " * (900 - depth) + "x\n\n" for depth in range(900)), "".join(" " * depth + "term\n" for depth in range(900)),
     "\n\n".join(f".. |s{n}| replace:: " + f"|s{n + 1}|" * 10 for n in range(20)) + "\n\n|s0|\n", ".. |a| replace:: |a|\n\n|a|\n",
     "+" + "---+" * 100 + "\n" + ("|" + " a |" * 100 + "\n+" + "---+" * 100 + "\n") * 10, "`" * 15_000 + " x", "[1]_ " * 50_000, "x" * 300_000],
    ids=["bullets", "directives", "fields", "line block", "quotes", "terms", "substitutions", "circle", "grid", "backticks", "notes", "word"],
)  # fmt: skip
def test_deep_and_large_texts_are_read_or_refused(text):
    start = time.process_time()
    refusal = ""
    try:
        read_text(text)
    except SourceError as error:
        refusal = str(error)
    assert "\n" not in refusal
    assert time.process_time() - start < 20


def test_a_long_text_is_read_and_one_of_too_many_parts_is_refused(write, monkeypatch):
    paragraph = "The tide rises along this coast, and *falls* again, as ``tide(t)`` says. " * 6 + "\n\n"
    monkeypatch.setattr(rst, "_MAX_PARTS", 500)
    assert read(write("long.rst", paragraph * 50)).sentences
    for part in ("* mud\n", "a\n  b\n", "x. mud\n", ":a: b\n", "a   b\n", "*a*, *b*, `c`_ |d|\n", "a\n\n"):
        path = write("many.rst", part * 600)
        with pytest.raises(
            SourceError, match=r"many\.rst is too large: more than 500 paragraphs, items and marks; split"
        ):
            read(path)
    with pytest.raises(SourceError, match="too large"):
        read(write("table.rst", ".. csv-table:: t\n\n" + "   a,b\n" * 600))
    assert read(path, ReadOptions(max_seconds=60)).sentences


def test_roles_are_shown_as_their_readers_see_them():
    text = (
        "Call :meth:`_orm.Session.get` or :meth:`.Session.all` or :class:`~a.b.Part`, "
        "and read :file:`.gitignore`; see :issue:`212` and :pr:`7,8`.\n"
    )
    assert sentences(text) == [
        "Call Session.get or Session.all or Part, and read .gitignore; see #212 and #7, #8."
    ]


def test_the_report_of_a_change_may_have_no_number():
    text = "- :feature:`7` Open the gate.\n- :bug:`- major` Close it.\n- :support:`9 backported (2.4+)` Paint it.\n"
    assert sentences(text) == ["#7 Open the gate.", "Close it.", "#9 Paint it."]


def test_a_version_is_worded_by_its_directive():
    text = (
        f"{PROSE}\n\n.. versionadded:: 2.0.7\n\n.. version-changed:: 2.4 the *lid* opens.\n\n"
        ".. deprecated:: 1.9\n   Turn the crank.\n\n   Then wait.\n\n.. versionremoved::\n\nLast.\n"
    )
    assert sentences(text)[len(sentences(PROSE)) :] == [
        "Added in version 2.0.7.",
        "Changed in version 2.4: the lid opens.",
        "Deprecated since version 1.9: Turn the crank.",
        "Then wait.",
        "Last.",
    ]


def test_a_term_heads_what_is_said_of_it_above_its_version():
    text = ".. envvar:: OPEN\n\n   .. versionadded:: 3.1\n\n   Opens the gate.\n\n   It rings.\n"
    assert sentences(text) == ["OPEN: Opens the gate.", "Added in version 3.1.", "It rings."]


def test_a_manual_that_says_since_which_version_is_no_list_of_releases():
    entries = (f"{PROSE}\n\n.. versionadded:: 2.{number}.{number}\n\n" for number in range(1, 7))
    document = read_text("Valves\n======\n\n" + "".join(entries))
    candidates = Candidates.of(paginate([document], choose_locality([document]).locality, 1024), [document])
    assert document_kind_of(candidates, SourceKind.PROSE) is not DocumentKind.NOTES


def test_releases_of_the_changelog_directive_are_headings():
    release = ".. changelog::\n    :version: {}\n    :released: {}\n\n    .. change::\n        :tags: bug\n\n        {}\n\n"
    text = (
        f"=========\nChangelog\n=========\n\n{PROSE}\n\n"
        + release.format("1.4.2", "May 2, 2024", "The gate closes again after a storm.")
        + release.format("1.4.1", "", "The gauge shows metres instead of feet.")
    )
    assert headings_of(read_text(text)) == [(0, None), (1, "1.4.2 (May 2, 2024)"), (1, "1.4.1")]


@pytest.mark.parametrize("opening", ["", ".. epigraph::\n\n"])
def test_who_said_a_quotation_is_marked_by_a_dash(opening):
    text = f"Rivers\n======\n\n{opening}    Water finds a way.\n\n    -- Ada Brook, *Notes*\n\n{PROSE}\n"
    assert [each.lstrip("—- ") for each in sentences(text)] == [
        "Water finds a way.",
        "Ada Brook, Notes",
        PROSE,
    ]
    assert sentences(text)[1].startswith(("— ", "-- "))
