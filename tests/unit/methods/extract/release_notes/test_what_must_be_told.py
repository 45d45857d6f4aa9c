"""What of a changelog is told although its line is short, and what is not although it stands first."""

from __future__ import annotations

from pathlib import Path

import pytest
from written_notes import labelled, told, written

from lsum_cli.methods.extract.listed_changes.change import says_enough, without_label
from lsum_cli.methods.extract.listed_changes.kinds import (
    FEATURES,
    HIGHLIGHTS,
    OTHER,
    drops_support,
    is_of_security_in_general,
    kind_named_by,
)
from lsum_cli.methods.extract.listed_changes.wording import is_small_change, is_trifle

OLD = ("1.0.0", "- Fixed the bell of the second bridge over the river.")
THINGS = ("gates", "locks", "weirs", "mills", "canals", "ponds", "ropes", "bells", "masts", "lamps", "piers")


def series(*releases: tuple[str, str]) -> str:
    """A changelog of releases with what each of them changes."""
    return "# Changes\n" + "".join(f"\n## {name}\n\n{changes}\n" for name, changes in releases)


def filled(release: str, *others: str) -> tuple[str, str]:
    """A release that changes much, and what else it does."""
    changes = [f"- Keepers of {thing} can now write their diaries to a file of any name." for thing in THINGS]
    return release, "\n".join((*changes, *others))


@pytest.mark.parametrize(
    ("text", "trifle"),
    [
        ("2026-11-04 • full history", True),
        ("Keepers can read the full history", False),
        ("This version also includes the changes from unstable b1 version listed below.", True),
        ("This version includes a lamp for every boat.", False),
        ("whatsnew/3.0: This guide introduces what's new in Lathe 3.0.", True),
        ("This release introduces some backwards-incompatible changes.", True),
        ("This release introduces some changes to the order of gates.", False),
        ("* Fix for issues #473, #474 and #475", True),
    ],
)
def test_what_only_points_to_changes_is_none(text: str, trifle: bool) -> None:
    assert is_trifle(text) is trifle


def test_a_newest_release_is_not_told_by_the_numbers_of_its_issues(tmp_path: Path) -> None:
    assert not is_small_change("Fix for issues #473, #474 and #475")
    text = series(("2.1.0", "- Fix for issues #473, #474 and #475\n- Fix typo in the name of a bridge."), OLD)
    assert "typo" in written(tmp_path, "CHANGES.md", text)[1][0]


@pytest.mark.parametrize(
    ("text", "is_enough"),
    [
        ("Added Gate.affine() method.", True),
        ("Add Georgian language", True),
        ("Add separate_gates option", True),
        ("Removed --old-gates flag", True),
        ("Fix CVE-2024-1234", True),
        ("Added some tests.", False),
        ("Add missing file", False),
        ("Bug fixes.", False),
    ],
)
def test_few_words_are_enough_that_name_what_is_new(text: str, is_enough: bool) -> None:
    assert says_enough(text) is is_enough


def test_new_methods_of_a_newest_release_are_told(tmp_path: Path) -> None:
    text = series(
        ("2.1.0", "- Added Gate.bilateral_blur() method.\n- Fixed the bell of a pier at night."), OLD
    )
    assert "Added Gate.bilateral_blur() method." in written(tmp_path, "CHANGES.md", text)[1]


def test_a_label_that_names_a_part_stays() -> None:
    assert without_label("Improvements: draws gates anew") == "draws gates anew"
    text = "GateLoader improvements: now reads gates of gates"
    assert without_label(text) == text


def test_headings_of_release_tools_name_kinds() -> None:
    assert kind_named_by("Enhancements made") == FEATURES
    assert kind_named_by("Highlights!") == HIGHLIGHTS
    assert kind_named_by("Other merged PRs") == OTHER
    assert kind_named_by("Maintenance and upkeep improvements") == OTHER


@pytest.mark.parametrize("heading", ["Backwards-incompatible changes.", "API and Breaking Changes"])
def test_the_heading_of_a_kind_is_not_said_after_its_label(tmp_path: Path, heading: str) -> None:
    text = series(("2.1.0", f"### {heading}\n\n- The method that raised all gates has been removed."), OLD)
    _, sentences, whole = written(tmp_path, "CHANGES.md", text)
    assert sentences[0] == "Breaking: The method that raised all gates has been removed."
    assert f"[{heading}" not in str(whole)


def test_what_is_needed_now_ends_the_support_of_what_was() -> None:
    assert drops_support("Lathe 3.10+ is now needed")
    assert not drops_support("A lamp is no longer needed for boats")


@pytest.mark.parametrize(
    ("text", "in_general"),
    [
        ("Addressed high-severity security issues.", True),
        ("Fixed several vulnerabilities", True),
        ("Fixed a security issue where gates could be opened by anyone", False),
        ("Fixed an injection vulnerability", False),
        ("Fix security issues (CVE-2024-1234)", False),
    ],
)
def test_what_says_that_there_were_flaws_does_not_say_which(text: str, in_general: bool) -> None:
    assert is_of_security_in_general(text) is in_general


def test_flaws_of_the_newest_releases_are_told_before_what_is_new(tmp_path: Path) -> None:
    flaw = "Fixed the order in which keepers of a lock are asked, by which a stranger could open one"
    item = f"### Security\n\n- {flaw}. See GHSA-1234-abcd-5678."
    text = series(filled("2.2.0"), ("2.1.1", item), filled("2.1.0"), OLD)
    assert any(flaw in line for line in labelled(told(tmp_path, text, words=60)))


def test_the_number_of_a_flaw_is_told_of_a_newest_release(tmp_path: Path) -> None:
    bare = ("2.1.1", "### Security\n\nFix CVE-2024-30265")
    text = series(filled("2.2.0"), bare, filled("2.1.0"), OLD)
    assert any("CVE-2024-30265" in line for line in labelled(told(tmp_path, text)))
    text = series(*(filled(f"3.{9 - at}.0") for at in range(9)), bare, OLD)
    assert not any("CVE-2024-30265" in line for line in labelled(told(tmp_path, text)))
