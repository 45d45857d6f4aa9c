"""Changelogs that are known by their form, and what stands above their releases."""

from __future__ import annotations

from pathlib import Path

from written_notes import told, written

from lsum_cli.methods.extract.kinds import names_release
from lsum_cli.methods.extract.listed_changes.releases import plain_release

FEATURES = "".join(
    f"- The new panel of {thing} shows how high the water stands at all {thing} of a river.\n"
    for thing in ("gates", "locks", "weirs", "mills", "canals", "ponds")
)


def series(*releases: tuple[str, str]) -> str:
    """A changelog of releases with what each of them changes."""
    return "# Changes\n" + "".join(f"\n## {name}\n\n{changes}\n" for name, changes in releases)


def test_the_title_says_whose_releases_they_are(tmp_path: Path) -> None:
    releases = series(("2.0.0", FEATURES), ("1.9.0", "- The method that raised gates has been removed."))
    for title, is_told in (
        ("Lathe Changelog", True),
        ("Release history of Lathe", True),
        ("Changes", False),
        ("All notable changes", False),
        ("Release Notes", False),
        ("Lathe, a program that opens and closes all gates", False),
    ):
        headings, _, _ = written(tmp_path, "CHANGES.md", releases.replace("# Changes", f"# {title}", 1))
        assert (headings[0] == title) is is_told, title


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
    for heading in ("v1.2.4 (security fix)", "version 1.6.5 (release tag v1.6.5rel)", "2018-01-24 v0.45"):
        assert names_release(heading), heading
    assert names_release("E.15. Release 15.4") == "15.4"
    assert plain_release("E.15. Release 15.4") == "Release 15.4"


def test_what_follows_the_names_of_who_made_a_change_explains_it(tmp_path: Path) -> None:
    makers = ("Kira Dahl", "Ada van Brook, Tor Lind", "Ole Ness")
    changes = "".join(
        f"<li><p>Fix the order in which {thing} are listed ({makers[at % 3]}) <a href='https://a.example/{at}'>§</a></p>"
        f"<p>The {thing} were listed by their age.</p></li>"
        for at, thing in enumerate(("gates", "locks", "weirs", "mills", "canals", "ponds", "ropes", "bells"))
    )
    flaw = "<li><p>Close the gate to strangers (Kira Dahl)</p><p>They walked in. (CVE-2024-1234)</p></li>"
    page = (
        f"<html><title>E.15. Release 15.4</title><h1>E.15. Release 15.4</h1><ul>{flaw}{changes}</ul></html>"
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
