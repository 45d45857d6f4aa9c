"""What each release of a changelog is known for: what its notes say of it as a whole, and what is listed first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from written_notes import told, written

from lsum_cli.methods.extract.listed_changes.change import Change, plain_change
from lsum_cli.methods.extract.listed_changes.kinds import (
    BREAKING,
    CHANGES,
    DEPRECATED,
    kind_named_by,
    kind_of_label,
    label_of,
    must_be_known,
)
from lsum_cli.methods.extract.listed_changes.leads import leads_with_change, tells_of_release
from lsum_cli.methods.extract.listed_changes.wording import is_trifle
from lsum_cli.methods.extract.release_notes import changelog
from lsum_cli.methods.extract.release_notes.earlier import headlines_of

THINGS = ("gates", "locks", "weirs", "mills", "canals", "ponds", "ropes", "bells", "lamps", "sirens", "masts")


def series(*releases: tuple[str, str]) -> str:
    """A changelog of releases with what each of them changes."""
    return "# Changes\n" + "".join(f"\n## {name}\n\n{changes}\n" for name, changes in releases)


def panels(count: int, begin: int = 0) -> str:
    """A list of so many additions."""
    of = (THINGS[(begin + at) % len(THINGS)] for at in range(count))
    return "".join(
        f"- The new panel {begin + at} of {thing} shows how high the water of a river stands.\n"
        for at, thing in enumerate(of)
    )


def polished(count: int) -> str:
    """A list of so many changes that few want to be told."""
    return "".join(f"- The {thing} of a harbour are polished.\n" for thing in THINGS[:count])


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("This release adds barges that are drawn by horses.", True),
        ("Note: In this release, the tidewatch package replaces the tides package.", True),
        ("The 3.2 release moves all gauges to a database of their own.", True),
        ("Tidewatch 3.2 is a major release with gauges that need no wire.", True),
        ("Tidewatch version 3.2.0 introduces gauges without wires.", True),
        ("Highlights include gauges without wires and a map of all piers.", True),
        ("This is the first stable release of Tidewatch.", True),
        ("Lathe 3.9 is a runtime that all gauges can now use.", False),
        ("This release contains many bug fixes and improvements.", False),
        ("This release contains mostly bug fixes for the gauges of all piers.", False),
        ("This release brings no new features, only bug fixes for gauges and piers.", False),
        ("The 3.2 release introduces a potentially backwards-incompatible change.", False),
        ("Tidewatch 3.2 is a feature release with various new functions, improvements and bug fixes.", False),
        ("This release is also being made from the pier of Westhaven.", False),
        ("Gauges no longer need a wire.", False),
    ],
)
def test_what_notes_say_of_a_release_as_a_whole(text: str, is_so: bool) -> None:
    assert tells_of_release(text, "Version 3.2.0 (2024-05-01)") is is_so


def test_a_sentence_above_the_lists_states_a_change_unless_it_is_an_aside() -> None:
    assert leads_with_change("A new backend draws the map of all piers.")
    for aside in (
        "We have a new website with a map of all piers.",
        "A new map of all piers is here!",
        "Many bugs of the new backend were fixed on all piers.",
        "This release is also being made on a new pier of Westhaven.",
    ):
        assert not leads_with_change(aside)


def test_what_the_notes_of_a_release_say_first_is_told(tmp_path: Path) -> None:
    lead = (
        "This release brings barges that are drawn by horses, and a large number of bug fixes.\n"
        "A new backend draws the map of all piers. Thanks to all who helped.\n\n"
    )
    text = series(("3.1.0", lead + panels(11)), ("3.0.0", panels(9, 20)), ("2.0.0", panels(9, 40)))
    _, sentences, _ = written(tmp_path, "changes.md", text)
    assert sentences[:2] == [
        "This release brings barges that are drawn by horses, and a large number of bug fixes.",
        "A new backend draws the map of all piers.",
    ]


def test_highlights_that_follow_a_remark_are_told(tmp_path: Path) -> None:
    opening = "Tidewatch {} is a feature release with various new functions, improvements and bug fixes. "
    text = series(
        (
            "2.2.0",
            opening.format("2.2.0") + "Highlights include gauges without wires and a map of all piers.\n",
        ),
        ("2.1.0", panels(9)),
        ("2.0.0", panels(9, 20)),
    )
    _, sentences, _ = written(tmp_path, "changes.md", text)
    assert sentences[0] == "Highlights include gauges without wires and a map of all piers."
    assert not any("various new functions" in sentence for sentence in sentences)


def test_what_is_chiefly_new_in_a_newest_release_is_told(tmp_path: Path) -> None:
    text = series(
        ("4.2.0", panels(9)),
        (
            "4.1.0",
            "- Dropped support for Lathe 3.6.\n" + polished(7) + "- Added a command that moors all boats.\n",
        ),
        *((f"3.{9 - at}.0", "- Dropped support for Weir 1.{at}.\n" + panels(4, 10 * at)) for at in range(5)),
    )
    _, sentences, _ = written(tmp_path, "changes.md", text)
    assert any("Added a command that moors all boats." in sentence for sentence in sentences)


def test_what_is_chiefly_new_takes_half_of_the_words_at_most(tmp_path: Path) -> None:
    flaw = "Fixed a vulnerability of bridges to crafted messages."
    text = series(("9.3.0", panels(1)), ("9.2.0", panels(1, 1)), ("9.1.0", f"{panels(1, 2)}- {flaw}"))
    made = told(tmp_path, text, words=38, has_length=True)
    assert flaw in [sentence.text for sentence in made.sentences]


def test_what_is_chiefly_new_takes_no_room_of_a_flaw(tmp_path: Path) -> None:
    flaw = (
        "Fixed a vulnerability of bridges to crafted messages (CVE-2024-1234), by which who stood on a pier"
        " could have opened each gate of a weir and let all water of the ponds run off."
    )
    text = series(("9.3.0", panels(1)), ("9.2.0", panels(1, 1)), ("9.1.0", f"- {flaw}"))
    made = told(tmp_path, text, words=61, has_length=True)
    assert flaw in [sentence.text for sentence in made.sentences]


def test_an_old_release_that_many_mend_is_not_among_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str | None] = []

    def record(*args: Any) -> Iterator[Change]:
        for change in headlines_of(*args):
            found.append(change.release)
            yield change

    monkeypatch.setattr(changelog, "headlines_of", record)
    mended = [(f"2.0.{7 - at}", f"- Fixed the {THINGS[at]} of a harbour.\n") for at in range(7)]
    written(tmp_path, "changes.md", series(*mended, ("2.0.0", panels(1)), ("1.0.0", panels(1, 1))))
    assert found == ["2.0.0"]


def test_what_a_release_runs_on_must_be_known() -> None:
    assert must_be_known(CHANGES, "Tidewatch 3.2 now targets Lathe 11.")
    assert not must_be_known(CHANGES, "Tidewatch 3.2 now targets all piers.")


def test_a_flaw_of_one_release_makes_no_changelog_one_of_security(tmp_path: Path) -> None:
    text = (
        "Version 2.0.0\n\n* Fixed a vulnerability of bridges to crafted messages.\n\n# Compatibility notices\n\n"
        "* Malicious barges are no longer let into the harbour.\n\nVersion 1.0.0\n\n* Add gates to all piers.\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    barges = next(sentence for sentence in sentences if "Malicious barges" in sentence)
    assert not barges.startswith("Security")


def test_an_item_of_the_highlights_heads_no_list(tmp_path: Path) -> None:
    text = series(
        (
            "2.0.0",
            "### Highlights\n\n- Security bug fixes\n- The gates of all piers can be opened by their number\n",
        ),
        ("1.0.0", panels(2)),
    )
    _, sentences, _ = written(tmp_path, "changes.md", text)
    assert sentences[0].startswith("The gates of all piers can be opened by their number")


def test_labels_say_of_what_kind_a_change_is() -> None:
    assert label_of(DEPRECATED, "The old gate", "Deprecations") == "Deprecated"
    assert label_of(DEPRECATED, "Support for the old gate", "Deprecations") == "Deprecated"
    assert (
        label_of(DEPRECATED, "Bumped the lowest version of Lathe to 3.2", "Deprecations and Removals") is None
    )
    assert kind_named_by("Removals and backward incompatible breaking changes") == BREAKING
    assert kind_of_label("DEP: Add wheels of Lathe 3.14") == CHANGES
    assert kind_of_label("DEP: The old gate will go") == DEPRECATED


def test_a_change_says_once_that_it_breaks(tmp_path: Path) -> None:
    text = series(("2.0.0", "- Remove the method of the old gate (breaking change)."), ("1.0.0", panels(2)))
    _, sentences, _ = written(tmp_path, "changes.md", text)
    assert sentences[0] == "Breaking: Remove the method of the old gate."


@pytest.mark.parametrize(
    "credit", ["(#12) @kira", "(#12) Kira Dahl", "(#12, #14) Kira van Dahl", "(#12) @kira-92"]
)
def test_a_number_goes_with_who_stands_behind_it(credit: str) -> None:
    name = credit.replace("van ", "")
    assert plain_change(f"Fix the gate of a pier {name}") == "Fix the gate of a pier"


def test_a_number_stays_with_what_is_no_name() -> None:
    assert plain_change("Fix the gate (#12) on Windows").endswith("on Windows")


@pytest.mark.parametrize(
    "text",
    [
        "Remove unused and broken dependencies",
        "Remove Any from parse.py",
        "Remove references to the defunct gate",
        "See upgrading for a guide on updating your code.",
        "I'm thrilled to announce the first candidate.",
    ],
)
def test_what_tidies_up_or_points_elsewhere_is_a_trifle(text: str) -> None:
    assert is_trifle(text)
