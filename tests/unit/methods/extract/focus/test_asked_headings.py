"""What stands under a heading that names just what a request asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from extraction import candidates_of, document_of, summarize

from lsum_cli import read
from lsum_cli.documents import Document
from lsum_cli.methods.extract.focus import headings as asked_headings
from lsum_cli.methods.extract.focus.headings import under_heading_of

STEPS = ["Turn the wheel of the sluice to the left.", "The chain runs over two drums of oak."]
OTHER = ["The lake has twelve sluices, and the keeper of each installs its wheel.", "A sluice is of oak."]


def manual(heading: str) -> Document:
    return document_of(("Overview of the lake", OTHER), (heading, STEPS), ("Notes", OTHER))


@pytest.mark.parametrize(
    ("focus", "heading", "is_it"),
    [
        ("known problems", "Known problems", True),
        ("how do I install it?", "2. Installation", True),
        ("the problems", "Issues", True),
        ("upgrading", "Upgrade notes", True),
        ("main recommendations", "Recommendations", True),
        ("how do I install the chain", "Installation", False),
        ("problems", "Problems of the millers", False),
        ("what is this", "Installation", False),
    ],
)
def test_a_heading_names_all_that_is_asked_and_nothing_else(focus: str, heading: str, is_it: bool) -> None:
    found = under_heading_of(focus, candidates_of(manual(heading)))
    assert (found > 0).tolist() == [False, False, is_it, is_it, False, False]


def test_the_heading_that_says_it_comes_before_those_that_nearly_say_it() -> None:
    source = document_of(("Bugs", OTHER), ("Issues", STEPS), ("Chains", OTHER))
    assert np.flatnonzero(under_heading_of("issues", candidates_of(source))).tolist() == [2, 3]


def test_a_heading_above_nearly_all_tells_nothing_apart() -> None:
    source = document_of(("Sluices", [*OTHER, *STEPS]), ("Chains", OTHER[:1]))
    assert not under_heading_of("sluices", candidates_of(source)).any()


def test_a_short_line_heads_what_follows_until_the_next() -> None:
    source = document_of((None, ["Education", STEPS[0], "Work", STEPS[1]]))
    assert np.flatnonzero(under_heading_of("education", candidates_of(source))).tolist() == [1]


def test_what_stands_under_it_is_quoted_whole_though_others_have_the_word() -> None:
    quoted = summarize(manual("Installation"), focus="how do I install it").sentences
    assert [each.text for each in quoted] == STEPS


def test_of_a_short_document_the_whole_list_is_quoted() -> None:
    parts = ("gate", "wheel", "chain", "drum", "hinge", "ladder", "lamp", "bridge")
    steps = [f"The keeper must paint the {part} of the sluice before the first day of May." for part in parts]
    quoted = summarize(document_of(("The lake", OTHER), ("Tasks", steps)), focus="tasks").sentences
    assert [each.text for each in quoted] == steps


def test_items_of_a_list_that_is_asked_for_are_quoted_however_short(tmp_path: Path) -> None:
    parts = ["3 leeks", "500 g potatoes", "1 onion", "salt, pepper, nutmeg"]
    source = tmp_path / "soup.md"
    items = "\n".join(f"- {part}" for part in parts)
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(STEPS, 1))
    source.write_text(f"# Soup\n\n## Ingredients\n\n{items}\n\n## Method\n\n{steps}\n", "utf-8")
    quoted = summarize(read(source), focus="ingredients").sentences
    assert [each.text for each in quoted] == parts


def test_most_lines_are_told_apart_by_one_comparison_with_each_word(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["sluices", "wheels", "chains", "drums"]
    counts = {"inflections": 0, "are_of_a_family": 0}
    for name in counts:
        usual = getattr(asked_headings, name)

        def counted(*given: str, name: str = name, usual: Callable[..., object] = usual) -> object:
            counts[name] += 1
            return usual(*given)

        monkeypatch.setattr(asked_headings, name, counted)
    lines = [f"The keeper of mill {number}" for number in range(50)]
    source = document_of((None, [text for line in lines for text in (line, STEPS[0])]))
    under_heading_of(" ".join(words), candidates_of(source))
    assert counts["inflections"] == len(words)
    assert counts["are_of_a_family"] <= len(words) * len(lines)
