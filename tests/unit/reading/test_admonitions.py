"""Admonitions and tabs of Markdown are the text that they hold, after their titles."""

from __future__ import annotations

import pytest

from lsum_cli.reading.blocks import CODE, Tally
from lsum_cli.reading.markdown import parse_markdown


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
        '!!! note ""\n    Chains must be renewed.\n',
        ":::note\nChains must be renewed.\n:::\n",
        "```{note} Chains must\nbe renewed.\n```\n",
        "::: {.aside}\nChains must be renewed.\n:::\n",
    ],
)
def test_a_kind_alone_is_no_text(text: str) -> None:
    assert texts(text) == ["Chains must be renewed."]


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
    assert texts("- Item.\n\n    !!! note\n        Within.\n\nAfter.\n") == ["Item.", "Within.", "After."]


def test_code_is_left_as_it_is_and_counted() -> None:
    tally = Tally()
    fenced = (
        '```\n!!! note "Chains"\n    Renew.\n```\n\n=== "Shell"\n\n    ```sh\n    :::note\n    ```\n\nText.\n'
    )
    assert [block.text for block in parse_markdown(fenced, "a.md", tally)] == ["Shell", "Text."]
    assert [(part.what, part.words) for part in tally.left_out()] == [(CODE, 5)]


def test_code_that_is_not_closed_ends_with_what_it_stands_in() -> None:
    assert texts("!!! note\n    ```\n    renew()\n\nAfter.\n\n!!! tip\n    Renew.\n") == ["After.", "Renew."]
    outside = "!!! note\n    ```\n    renew()\n    \nmore()\n```\nAfter.\n\n```sh\nmend\n```\n\nText.\n"
    assert texts(outside) == ["After.", "Text."]
    assert texts("```renew()``` mends it.\n\n!!! tip\n    Renew.\n") == ["renew() mends it.", "Renew."]


def test_what_is_no_mark_of_a_part_is_text() -> None:
    assert texts("::: so it goes\n\n::: {.aside}\nOne.\n:::\n") == ["::: so it goes", "One."]
    assert texts("::: Warning ::::::\nOne.\n::::::::::::::::::\n") == ["One."]
    assert texts("!!! cries the gull\n    and falls\n") == ["!!! cries the gull and falls"]
    assert texts(":::note\n:Mooring: a chain.\n:::\n") == [":Mooring: a chain."]
    assert texts(":::{grid-item-card} Chains\n:link: chains\nRenew.\n:::\n") == ["Chains: Renew."]
    assert texts("!!! note\n\tRenew.\n") == ["Renew."]


@pytest.mark.parametrize("text", ["Oh!!! no", "!!! wow", "??? what now", "Title\n===", "a ::: b"])
def test_other_text_with_the_same_marks_stays(text: str) -> None:
    assert " ".join(texts(f"{text}\n\nAfter.\n")) == f"{text.removesuffix(chr(10) + '===')} After."
