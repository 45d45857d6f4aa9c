"""Changelogs that are known by their form, and what stands above their releases."""

from __future__ import annotations

from pathlib import Path

import pytest
from extraction import candidates_of
from written_notes import labelled, told, written

from lsum_cli import read
from lsum_cli.methods.extract.kinds import DocumentKind, document_kind_of, kind_of
from lsum_cli.methods.extract.listed_changes.releases import plain_release
from lsum_cli.methods.extract.release_names import names_release

FEATURES = "".join(
    f"- The new panel of {thing} shows how high the water stands at all {thing} of a river.\n"
    for thing in ("gates", "locks", "weirs", "mills", "canals", "ponds")
)


def series(*releases: tuple[str, str]) -> str:
    """A changelog of releases with what each of them changes."""
    return "# Changes\n" + "".join(f"\n## {name}\n\n{changes}\n" for name, changes in releases)


def test_a_list_of_lines_that_begin_with_releases(tmp_path: Path) -> None:
    for first in ("0.9.0", "2024-05-01 v0.9"):
        text = (
            f"- {first}: Drop support for Lathe 2.7. New format: list of gates and locks.\n"
            "  Support endless lists of barges.\n"
            "- 0.8.2: Bug fixes. Custom alignment of all the columns.\n- 0.8.1: Bug fixes.\n"
            "- 0.8.0: Lists of named boats can be printed.\n"
        )
        headings, sentences, _ = written(tmp_path, "CHANGELOG.txt", text)
        assert headings[0] == first
        assert sentences[:2] == [
            "Breaking: Drop support for Lathe 2.7.",
            "New format: list of gates and locks.",
        ]


def test_marks_and_headings_of_releases(tmp_path: Path) -> None:
    text = "Changes with lathe 1.2.1\n\n    *) Feature: the bell rings.\n\n    *) Change: gates are now closed at night.\n"
    text += "\n\nChanges with lathe 1.2.0\n\n    *) Bugfix: the siren of a pier was silent at noon.\n"
    _, sentences, _ = written(tmp_path, "CHANGES.txt", text)
    assert sentences
    assert not any("*)" in sentence for sentence in sentences)
    for heading in ("Version: 2026.9.29", "2.0.1 / 2017-05-30", "Changes in 0.9.X - DEV"):
        assert names_release(heading), heading
    for heading in ("v1.2.4 (security fix)", "version 1.6.5 (release tag v1.6.5rel)", "2018-01-24 v0.45"):
        assert names_release(heading), heading
    assert names_release("E.15. Release 15.4") == "15.4"
    assert plain_release("Version: 2026.9.29") == "Version 2026.9.29"
    assert plain_release("E.15. Release 15.4") == "Release 15.4"


def test_nested_lists_below_releases_under_one_heading(tmp_path: Path) -> None:
    changes = {
        "1.2.0 (2023-01-11)": "Added the option --lid, by which a keeper closes a gate.",
        "1.1.0 (2022-12-13)": "Added the option --bell, by which a keeper rings the bell.",
    }
    releases = "".join(
        f"\n{release}\n\n    * gates:\n\n        - {change}\n\n        - Painted them.\n\n    * locks:\n\n        - Fixed one.\n"
        for release, change in changes.items()
    )
    older = "\nOlder News\n==========\n\n0.9.0 (2020-12-13)\n\n    * Added the lamp of the locks.\n"
    _, sentences, _ = written(tmp_path, "NEWS", f"Lathe News\n==========\n{releases}{older}")
    assert set(changes.values()) <= set(sentences)


def test_what_follows_the_names_of_who_made_a_change_explains_it(tmp_path: Path) -> None:
    makers = ("Kira Dahl", "Ada van Brook, Tor Lind", "Ole Ness")
    changes = "".join(
        f"<li><p>Fix the order in which {thing} are listed ({makers[at % 3]}) <a href='https://a.example/{at}'>§</a></p>"
        f"<p>The {thing} were listed by their age.</p></li>"
        for at, thing in enumerate(("gates", "locks", "weirs", "mills", "canals", "ponds", "ropes", "bells"))
    )
    flaw = "<li><p>Close the gate to strangers (Kira Dahl)</p><p>They walked in. (CVE-2024-1234)</p></li>"
    page = (
        f"<html><title>E.15. Release 15.4</title><h1>E.15. Release 15.4</h1><ul>{flaw}{changes}</ul>"
        f"{''.join(f'<p>Thanks to {name}.</p>' for each in makers for name in each.split(', '))}</html>"
    )
    _, sentences, _ = written(tmp_path, "release.html", page)
    assert sentences[0] == "Security: Close the gate to strangers"
    assert not any("were listed" in text or "(" in text or "§" in text for text in sentences)


def test_what_stands_before_the_first_release_is_told_briefly(tmp_path: Path) -> None:
    releases = "".join(
        f"\n## {number}\n\n{FEATURES}\n- Added a bell to pier {number[0]}.\n" for number in ("2.0.0", "1.9.0")
    )
    what = "Lathe is a program that opens and closes the gates of all the rivers of a country."
    policy = "Methods that are deprecated are removed two releases later, and never before a year has passed."
    plain = "All notable changes to this program are documented in this file."
    versions = "This program adheres to semantic versioning in all of its releases."
    for before, is_told in ((what, True), (f"{plain} {policy}", True), (f"{plain} {versions}", False)):
        made = told(tmp_path, f"# Lathe\n\n{before}\n{releases}")
        texts = [sentence.text for sentence in made.sentences]
        assert (texts[0] in (what, policy)) is is_told
        assert (made.outline[0].heading == "Lathe") is is_told
        assert plain not in texts
    # How to get it is of no release.
    text = f"# Lathe\n\n{what}\n\n## Installation\n\nRun the installer of your system once as its keeper.\n{releases}"
    texts = [sentence.text for sentence in told(tmp_path, text).sentences]
    assert what in texts
    assert not any("installer" in text for text in texts)
    # A length that is asked for is the releases'.
    asked = told(tmp_path, f"# Lathe\n\n{what}\n{releases}", words=40, has_length=True)
    assert all(sentence.text != what for sentence in asked.sentences)


def test_releases_of_another_program_in_the_same_file_are_of_none(tmp_path: Path) -> None:
    own = series(("2.0.0", FEATURES), ("1.9.0", "- The method that raised gates has been removed."))
    own = own.replace("# Changes", "# Changelog - lathe", 1)
    for name, is_told in (("lathe-tools", False), ("Lathe", True)):
        other = f"\n# Changelog - {name}\n\n## 1.8.0\n\n- Deprecate in favor of lathe and all of its bells.\n"
        sentences = written(tmp_path, "CHANGES.md", own + other)[1]
        assert any("in favor of" in text for text in sentences) is is_told


def test_a_list_that_is_announced_as_highlights(tmp_path: Path) -> None:
    newest = [
        (f"3.{9 - at}.0", f"- Added a bell to pier {at} of the river.\n- Added rope {at}.") for at in range(9)
    ]
    panel, oars = "The panel has been rewritten in Lathe.", "Oars and boats of all keepers are one list."
    for announced, is_told in (("The highlights are", True), ("There are", False)):
        changes = f"A release with changes.\n\n{announced}:\n\n- {panel}\n\nThis means:\n\n- {oars}\n"
        text = series(*newest, ("2.4.0", changes), ("1.0.0", "- Fixed the lamp of a pier."))
        sentences = labelled(told(tmp_path, text, words=60))
        assert (f"2.4.0: {panel}" in sentences) is is_told
        assert not any(oars in sentence for sentence in sentences)


def test_a_line_that_names_its_release_is_not_named_again(tmp_path: Path) -> None:
    newest = [
        (f"3.{9 - at}.0", f"- Added a bell to pier {at}.\n- Added a rope to boat {at}.") for at in range(5)
    ]
    old = ("2.0", "2.0 drops support for the old gates of the river.\n\n- Fixed the siren of a pier.")
    text = series(*newest, old, ("1.0", "- Fixed the lamp of a pier."))
    sentences = written(tmp_path, "CHANGES.md", text)[1]
    assert "Breaking: 2.0 drops support for the old gates of the river." in sentences


@pytest.mark.parametrize(
    "later",
    [
        "New keyword arguments: lock is now added for those who close gates.",
        "Calling close again now removes them and adds all the ropes of a boat.",
        "g.result now returns the height of a gate and no longer that of a lock.",
        "If you want a timeout, it is now required in the gate.",
        "The default is now changed to the lower gate.",
    ],
)
def test_what_leans_on_the_sentence_before_it_is_not_quoted(tmp_path: Path, later: str) -> None:
    texts = (
        f"The keeper of a lock was a person who had much to do. {later}",
        "Added a lamp to all the boats of a keeper.",
    )
    text = series(
        ("2.0.0", "\n".join(f"- {each}" for each in texts)), ("1.0.0", "- Fixed the lamp of a pier.")
    )
    sentences = written(tmp_path, "CHANGES.md", text)[1]
    assert texts[1] in sentences
    assert not any(later in sentence for sentence in sentences)


def test_the_verb_behind_a_number_needs_no_label(tmp_path: Path) -> None:
    changes = (
        "### Deprecations\n\n- #372: Deprecate the old gate of a lock.\n- #373: The bell of a mill goes.\n"
    )
    text = series(("2.0.0", changes), ("1.0.0", "- Fixed the lamp of a pier."))
    sentences = written(tmp_path, "CHANGES.md", text)[1]
    assert sentences[:2] == ["Deprecate the old gate of a lock.", "Deprecated: The bell of a mill goes."]


def test_accounts_after_changes_are_no_part_of_them(tmp_path: Path) -> None:
    things = ("gates", "locks", "weirs", "mills", "canals", "ponds")
    changes = "".join(f"- Added a new list of all {thing} -- by kira.\n" for thing in things)
    text = series(
        ("2.0.0", f"{changes}- Gates are opened -- by hand.\n"), ("1.0.0", "- Fixed the lamp of a pier.")
    )
    sentences = written(tmp_path, "CHANGES.md", text)[1]
    assert "Added a new list of all gates." in sentences
    assert not any("kira" in sentence for sentence in sentences)


def test_a_bare_number_that_heads_a_release_is_no_label_of_its_changes(tmp_path: Path) -> None:
    text = series(
        ("Lathe 0.10.1", "- Added a panel to all of the gates."),
        ("0.9", "- Added a bell to the locks at night.\n- Drop support for Lathe 2.7."),
        ("Lathe 0.7.1", "- Added weirs and mills that stop."),
    )
    _, sentences, _ = written(tmp_path, "changes.md", text)
    assert "Breaking: Drop support for Lathe 2.7." in sentences


def test_releases_below_the_heading_of_another_have_their_own_numbers(tmp_path: Path) -> None:
    releases = "".join(
        f"\n### {name}\n\n- Added a panel of the {thing} that shows how high the water stands there.\n"
        for name, thing in (("4.2.0", "gates"), ("2.1", "locks"), ("1.0b3", "weirs"))
    )
    newest = "\n## 5.1.0\n\n- Added a panel of the mills that shows how high the water stands there.\n"
    headings, sentences, _ = written(tmp_path, "CHANGES.md", f"# Changes\n{newest}{releases}")
    assert headings[:3] == ["5.1.0", "4.2.0", "2.1"]
    assert "mills" in sentences[0]
    assert "gates" in sentences[1]


def numbered(tmp_path: Path, *headings: str) -> list[str]:
    """The headings of the summary of a plain changelog whose releases stand in lines like these."""
    text = "".join(
        f"{heading}\n\n* The new panel of pier {at} shows how high the water stands.\n\n"
        f"* The new bell of pier {at} rings whenever a gate is opened.\n\n"
        for at, heading in enumerate(headings)
    )
    return written(tmp_path, "NEWS.txt", text)[0]


@pytest.mark.parametrize(
    "headings",
    [
        ("Lathe 3.2", "Lathe 3.1", "Lathe 3.0"),
        ("3.2", "3.1", "3.0", "2.9"),
        ("3.2 release", "3.1 release", "3.0 release", "2.9 release"),
        ("CHANGES WITH 259:", "CHANGES WITH 258:", "CHANGES WITH 257:"),
        ("NEWS for version 2.3.x", "NEWS for version 2.2.x", "NEWS for version 2.1.x"),
        ("3.2", "3.1.1", "3.1", "3.1b2", "3.1b1", "2.9"),
        ("3.2 Featured release", "3.1 Maintenance release", "3.0 Featured release", "2.9 Featured release"),
        ("Changes in lathe 3.2:", "Changes in lathe 3.1:", "Changes in lathe 3.0:"),
        ("Changes from 3.1 to 3.2", "Changes from 3.0 to 3.1", "Changes from 2.9 to 3.0"),
        ("Lathe 3.2, the 'Weir' release", "Lathe 3.1, the 'Lock' release", "Lathe 3.0, the 'Gate' release"),
        (
            'Major changes between "lathe" versions 32 and 35',
            'Major changes between "lathe" versions 30 and 32',
            'Major changes between "lathe" versions 28 and 30',
        ),
    ],
)
def test_lines_that_name_releases_as_others_do(tmp_path: Path, headings: tuple[str, ...]) -> None:
    found = numbered(tmp_path, *headings)
    assert [heading.split(" (")[0].rstrip(":") for heading in found[:2]] == [
        heading.rstrip(":") for heading in headings[:2]
    ]


def test_a_title_names_the_newest_release_above_older_ones(tmp_path: Path) -> None:
    def release(title: str, number: int) -> str:
        return (
            f"{title}\n{'-' * len(title)}\n\n* The new panel of pier {number} shows how high the water stands.\n\n"
            f"* The new bell of pier {number} rings whenever a gate is opened.\n\n\n"
        )

    newest = release("Quay Lathe Version 1.5.0 Release Notes", 5).replace("---", "===")
    older = "".join(release(f"Release Notes for version 1.{number}.0", number) for number in (4, 3))
    headings = written(tmp_path, "NOTES.txt", newest + older)[0]
    assert headings[0].startswith("Quay Lathe Version 1.5.0 Release Notes")


@pytest.mark.parametrize(
    "headings",
    [
        # Sections count upwards, and two may be anything.
        ("Lathe 3.0", "Lathe 3.1", "Lathe 3.2"),
        ("Lathe 3.2", "Lathe 3.1"),
        ("Drop Lathe 3.2", "Drop Lathe 3.1", "Drop Lathe 3.0"),
        ("3.2", "3.1", "3.0"),
        ("Ubuntu 24.04", "Ubuntu 22.04", "Ubuntu 20.04"),
        ("Windows 11", "Windows 10", "Windows 8.1"),
    ],
)
def test_lines_with_numbers_that_are_no_releases(tmp_path: Path, headings: tuple[str, ...]) -> None:
    assert not set(numbered(tmp_path, *headings)) & set(headings)


@pytest.mark.parametrize("name", ["Rating 9.", "9.", "Lathe 1."])
def test_running_text_below_numbers_tells_no_changes(tmp_path: Path, name: str) -> None:
    text = "The best harbours of the north\n\nWe say here how we liked each of them.\n\n" + "".join(
        f"{name}{number}\n\nThe harbour of pier {number} has deep water and a good inn. The mooring of it"
        " costs little, and the keeper speaks to everybody.\n\n"
        for number in (8, 7, 6, 5, 3)
    )
    headings, _, _ = written(tmp_path, "harbours.txt", text)
    assert not any(f"{name}{number}" in headings for number in (8, 7, 6, 5, 3))


def test_a_sentence_that_names_the_release_it_begins(tmp_path: Path) -> None:
    def began(number: int) -> str:
        return (
            f"{'-' * 79}\nThis is a terse description of the new features added to lathe-3.{number}\n"
            f"since the release of lathe-3.{number - 1}.  As always, the manual page (doc/lathe.1) is\n"
            "the place to look for complete descriptions.\n\n1. New Features in Lathe\n\n"
            f"a. The new panel of pier {number} shows how high the water stands.\n\n"
            f"b. The `gate' of pier {number} and the `lock' can be closed by one key.\n\n"
        )

    headings, sentences, _ = written(tmp_path, "NEWS.txt", "".join(map(began, (5, 4, 3))).lstrip("-\n"))
    assert headings == ["lathe-3.5", "lathe-3.4", "lathe-3.3"]
    assert "New: The `gate' of pier 5 and the `lock' can be closed by one key." in sentences
    assert not any("manual page" in text for text in sentences)


def test_the_headings_of_a_packaged_program(tmp_path: Path) -> None:
    def release(number: int) -> str:
        return (
            f"lathe (1:3.{number}+ds-1) unstable; urgency=medium\n\n  [ Kira Dahl ]\n"
            f"  * The new panel of pier {number} shows how high the water stands.\n"
            "  * Updated Dutch translation of all the messages.\n\n  [ Ada van Brook ]\n"
            f"  * The new bell of pier {number} rings whenever a gate is opened.\n\n"
            " -- Kira Dahl <kira@example.org>  Mon, 01 Jan 2024 12:00:00 +0100\n\n"
        )

    headings, sentences, _ = written(tmp_path, "changelog.txt", "".join(map(release, (5, 4, 3))))
    assert headings[0].startswith("lathe (1:3.5+ds-1)")
    assert not any("unstable" in heading for heading in headings)
    assert sentences[0] == "The new panel of pier 5 shows how high the water stands."
    assert not any("[ " in text or "translation" in text for text in sentences)


def test_packaged_releases_stand_in_their_order_whatever_their_revision(tmp_path: Path) -> None:
    releases = ("2.6.1-1.1", "1:2.5.33+ds-7", "2.5~rc1-0.2")
    text = "".join(
        f"lathe ({number}) unstable; urgency=low\n\n  The new panel of pier {at} shows how high the water stands."
        f" Packages that use it need to add lathe-{at} to their Build-Depends.\n\n"
        " -- Kira Dahl <kira@example.org>  Mon, 01 Jan 2024 12:00:00 +0100\n\n"
        for at, number in enumerate(releases)
    )
    headings, sentences, _ = written(tmp_path, "NEWS.Debian.txt", text)
    assert [heading.split(" (")[1].split(")")[0] for heading in headings[:2]] == list(releases[:2])
    assert "pier 0" in sentences[0]


def test_changes_since_a_release_are_part_of_the_one_above_them(tmp_path: Path) -> None:
    text = "".join(
        f"lathe {number}\n---------\n\nChanges since lathe {number - 1}:\n\n"
        f"* The new panel of pier {number} shows how high the water stands.\n\n"
        f"* The new bell of pier {number} rings whenever a gate is opened.\n\n\n"
        for number in (122, 121, 120)
    )
    headings, _, _ = written(
        tmp_path, "NEWS.txt", f"{text}lathe 0.119\n-----------\n\n* The gates can be painted red.\n"
    )
    assert [heading.split(" (")[0] for heading in headings[:2]] == ["lathe 122", "lathe 121"]


def test_an_earlier_release_is_named_by_its_number_where_its_heading_says_more(tmp_path: Path) -> None:
    headings = [f"What's new in lathe-core 2.{minor}.0:" for minor in range(16, 0, -1)]
    text = "".join(
        f"{heading}\n\n* The option --{chr(97 + at) * 4} of the gates has been removed.\n\n"
        f"* The new bell of pier {at} rings whenever a gate is opened.\n\n"
        for at, heading in enumerate(headings)
    )
    lines = written(tmp_path, "NEWS.txt", text)[1]
    assert any(line.startswith("2.") for line in lines)
    assert not any(line.startswith("What's new") for line in lines)


def test_the_versions_of_minutes_are_no_changelog(tmp_path: Path) -> None:
    text = (
        "Version 1.1 - Kira Dahl, 3 May 2024\n\nVersion 1.0 - Ole Ness, 2 May 2024\n\n"
        + "The board met at the harbour on 1 May and agreed to buy two ropes for the gates.\n\n" * 3
        + "Kira will order the ropes before June, and Ole pays for them out of the fees.\n"
    )
    (tmp_path / "minutes.txt").write_text(text, encoding="utf-8")
    candidates = candidates_of(read(tmp_path / "minutes.txt"))
    assert document_kind_of(candidates, kind_of(candidates)) is DocumentKind.OTHER


def test_symbols_do_not_matter_in_what_names_a_release() -> None:
    for heading in ("Version 3.1.0 🎃", "🎉 v3.1.0", "Lathe 3.1.0 ❤️ (2024-05-01)"):
        assert names_release(heading), heading
    assert names_release("20.5.1 °C") is None


def test_the_newest_release_is_told_though_its_heading_has_an_emoji(tmp_path: Path) -> None:
    text = "Lathe\n\n" + "".join(
        f"CHANGES WITH {number}{sign}:\n\n"
        f"        * The panel of pier {number} now shows how high the water stands.\n\n"
        f"        * The bell of pier {number} can be rung from afar.\n\n"
        for number, sign in ((32, " 🎃"), (31, ""), (30, ""), (29, ""))
    )
    headings, _, warnings = written(tmp_path, "NEWS", text)
    assert headings[0].startswith("CHANGES WITH 32 🎃")
    assert not any("before the first release" in warning for warning in warnings)


def test_a_label_ends_at_the_next_line_that_heads_a_list(tmp_path: Path) -> None:
    text = "Lathe\n\n" + "".join(
        f"CHANGES WITH {number}:\n\n        Backwards-incompatible changes:\n\n"
        f"        * The gates of pier {number} must be given their height in metres.\n\n"
        f"        {group}:\n\n"
        f"        * The panel of pier {number} can show how high the water stands.\n\n"
        for number, group in (
            (33, "Changes in the gate, the lock and all the shared parts of piers"),
            (32, "Panels and bells"),
            (31, "To replace this way of giving it, keepers should"),
        )
    )
    _, sentences, _ = written(tmp_path, "NEWS", text)
    assert "Breaking: The gates of pier 33 must be given their height in metres." in sentences
    for number in (33, 32):
        assert f"The panel of pier {number} can show how high the water stands." in sentences
    assert "Breaking: The panel of pier 31 can show how high the water stands." in sentences


def test_what_is_new_in_a_release_is_no_kind_of_change(tmp_path: Path) -> None:
    text = "Lathe News\n==========\n\n" + "".join(
        f"What's New in Lathe {number}?\n{'=' * 40}\n\nPiers\n-----\n\n"
        f"- gh-issue-1234: Keepers of pier {number} are told how high the water stands.\n\n"
        f"- gh-issue-1235: The bell of pier {number} rings at noon and at night.\n\n"
        for number in ("3.2.0 final", "3.1.0 final", "3.0.0 final")
    )
    headings, sentences, _ = written(tmp_path, "NEWS.txt", text)
    assert headings[0].startswith("What's New in Lathe 3.2.0 final")
    assert sentences
    assert not any("New" in text or "gh-" in text for text in sentences)
