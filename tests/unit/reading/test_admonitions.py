"""Admonitions and tabs of Markdown are the text that they hold, after their titles."""

from __future__ import annotations

import pytest

from lsum_cli.reading.blocks import CODE, Tally
from lsum_cli.reading.markdown import parse_markdown
from lsum_cli.reading.sphinx import DIRECTIVES


def texts(text: str) -> list[str]:
    return [block.text for block in parse_markdown(text, "a.md", Tally())]


@pytest.mark.parametrize(
    "text",
    [
        '!!! warning "Old moorings"\n    Chains must be renewed.\n\n    By May.\n\nAfter.\n',
        '??? note inline "Old moorings"\n\n    Chains must be renewed.\n\n    By May.\n\nAfter.\n',
        "!!! warning Old moorings\n    Chains must be renewed.\n\n    By May.\nAfter.\n",
        '=== "Old moorings"\n\n    Chains must be renewed.\n\n    By May.\n\nAfter.\n',
        '=== ":fontawesome-solid-anchor: Old moorings"\n    Chains must be renewed.\n\n    By May.\n\nAfter.\n',
        ":::warning Old moorings\nChains must be renewed.\n\nBy May.\n:::\nAfter.\n",
        ":::tip[Old moorings]\n\nChains must be renewed.\n\nBy May.\n\n:::\n\nAfter.\n",
        "```{admonition} Old moorings\n:class: tip\nChains must be renewed.\n\nBy May.\n```\nAfter.\n",
    ],
)
def test_a_title_stands_before_the_text(text: str) -> None:
    assert texts(text) == ["Old moorings: Chains must be renewed.", "By May.", "After."]


@pytest.mark.parametrize(
    "text",
    [
        "!!! note\n    Chains must be\n    renewed.\n",
        "!!! note inline end\n\n    Chains must be renewed.\n",
        ":::note\nChains must be renewed.\n:::\n",
        "```{note} Chains must\nbe renewed.\n```\n",
    ],
)
def test_a_kind_heads_what_has_no_title(text: str) -> None:
    assert texts(text) == ["Note: Chains must be renewed."]


@pytest.mark.parametrize(
    "text",
    [
        '!!! note ""\n    Chains must be renewed.\n',
        "!!! example\n    Chains must be renewed.\n",
        "::: {.aside}\nChains must be renewed.\n:::\n",
        "::: {.warning}\nChains must be renewed.\n:::\n",
    ],
)
def test_what_is_not_shown_is_no_text(text: str) -> None:
    assert texts(text) == ["Chains must be renewed."]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("```{warning}\nChains *break*.\n```\n", ["Warning: Chains break."]),
        (":::{seealso} The chains\nof *others*.\n:::\n", ["See also: The chains of others."]),
        (":::danger\n- Chains break.\n:::\n", ["Chains break."]),
        ("> [!CAUTION]\n> Chains break.\n", ["Caution: Chains break."]),
        ("```{versionadded} 3.1\n```\n", ["Added in version 3.1."]),
        ("```{deprecated} 3.1\n:name: x\n\nUse ropes.\n```\n", ["Deprecated since version 3.1: Use ropes."]),
        ("```{versionchanged} 3.1 Ropes *hold*.\n```\n", ["Changed in version 3.1: Ropes hold."]),
        ("```{py:function} moor(ship)\n:module: port\n\nMoors it.\n```\n", ["moor(ship): Moors it."]),
        ("```{figure} ropes.png\n:alt: ropes\n\nSome ropes.\n```\n", ["Some ropes."]),
        ("::::{tab-set}\n:::{tab-item} Ropes\nOf hemp.\n:::\n::::\n", ["Ropes: Of hemp."]),
        (":::{never-heard-of} Ropes\nOf hemp.\n:::\n", ["Ropes: Of hemp."]),
        ("```{eval-rst}\n.. tip:: Use :func:`~a.moor`.\n```\n", ["Tip: Use moor."]),
    ],
)
def test_directives_are_read_as_they_are_shown(text: str, shown: list[str]) -> None:
    assert texts(f"{text}\nAfter.\n") == [*shown, "After."]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("```{toctree}\nchains\n```\n", DIRECTIVES),
        (":::{toctree}\n:maxdepth: 2\nchains\n:::\n", DIRECTIVES),
        ("```{r setup, echo=FALSE}\nmoor()\n```\n", CODE),
        ("```{never-heard-of} x\nmoor()\n```\n", CODE),
        ("```{code-cell}\nmoor()\n```\n", CODE),
        ("::::{code-block} py\n```\nmoor()\n:::\n::::\n", CODE),
    ],
)
def test_code_and_names_of_directives_are_counted(text: str, kind: str) -> None:
    tally = Tally()
    assert [block.text for block in parse_markdown(f"{text}\nAfter.\n", "a.md", tally)] == ["After."]
    assert [part.what for part in tally.left_out()] == [kind]


def test_a_title_ends_with_its_own_mark_and_stands_alone_before_a_list() -> None:
    assert texts('!!! tip "Which chain?"\n    The long one.\n') == ["Which chain? The long one."]
    assert texts('!!! tip "Chains"\n    - The long one.\n    - The short one.\n') == [
        "Chains",
        "The long one.",
        "The short one.",
    ]
    assert texts('!!! tip "Chains are long."\n') == ["Chains are long."]


def test_one_within_another_and_within_a_list() -> None:
    nested = '!!! note "Outer"\n    One.\n\n    !!! tip "Inner"\n        Two.\n\n    Three.\n\nFour.\n'
    assert texts(nested) == ["Outer: One.", "Inner: Two.", "Three.", "Four."]
    assert texts("- Item.\n\n    !!! note\n        Within.\n\nAfter.\n") == [
        "Item.",
        "Note: Within.",
        "After.",
    ]


def test_code_is_left_as_it_is_and_counted() -> None:
    tally = Tally()
    fenced = (
        '```\n!!! note "Chains"\n    Renew.\n```\n\n=== "Shell"\n\n    ```sh\n    :::note\n    ```\n\nText.\n'
    )
    assert [block.text for block in parse_markdown(fenced, "a.md", tally)] == ["Shell", "Text."]
    assert [(part.what, part.words) for part in tally.left_out()] == [(CODE, 5)]


def test_code_that_is_not_closed_ends_with_what_it_stands_in() -> None:
    assert texts("!!! note\n    ```\n    renew()\n\nAfter.\n\n!!! tip\n    Renew.\n") == [
        "After.",
        "Tip: Renew.",
    ]
    outside = "!!! note\n    ```\n    renew()\n    \nmore()\n```\nAfter.\n\n```sh\nmend\n```\n\nText.\n"
    assert texts(outside) == ["After.", "Text."]
    assert texts("```renew()``` mends it.\n\n!!! tip\n    Renew.\n") == ["renew() mends it.", "Tip: Renew."]


def test_what_is_no_mark_of_a_part_is_text() -> None:
    assert texts("::: so it goes\n\n::: {.aside}\nOne.\n:::\n") == ["::: so it goes", "One."]
    assert texts("::: Warning ::::::\nOne.\n::::::::::::::::::\n") == ["Warning: One."]
    assert texts("!!! cries the gull\n    and falls\n") == ["!!! cries the gull and falls"]
    assert texts(":::note\n:Mooring: a chain.\n:::\n") == ["Note: :Mooring: a chain."]
    assert texts(":::{grid-item-card} Chains\n:link: chains\nRenew.\n:::\n") == ["Chains: Renew."]
    assert texts("!!! note\n\tRenew.\n") == ["Note: Renew."]


@pytest.mark.parametrize("text", ["Oh!!! no", "!!! wow", "??? what now", "Title\n===", "a ::: b"])
def test_other_text_with_the_same_marks_stays(text: str) -> None:
    assert " ".join(texts(f"{text}\n\nAfter.\n")) == f"{text.removesuffix(chr(10) + '===')} After."
