"""Changelogs of many styles: told by release, what breaks first, of earlier releases what matters most."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from extraction import candidates_of, document_of
from written_notes import told, written

from lsum_cli import read
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.composition import Request, compose
from lsum_cli.methods.extract.kinds import DocumentKind, document_kind_of, kind_of
from lsum_cli.methods.extract.listed_changes.kinds import versions_ended
from lsum_cli.methods.extract.listed_changes.releases import plain_release
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.release_names import names_release
from lsum_cli.methods.extract.release_notes.selection import suitable_words

KEPT = """# Changelog

All notable changes are kept in this file.

## [2.0.0] - 2024-06-01

### Changed

- Copies run in parallel by default, which makes large transfers about three times faster.

### Removed

- Support for version 16 of the runtime has been removed.

### Fixed

- Fix typo in README.
- Files whose names end in a space are no longer skipped.

## [1.9.2] - 2024-03-09

### Fixed

- The progress bar no longer jumps backwards on slow disks.

## [1.9.1] - 2024-02-11

### Security

- Update the bundled archive library, which could write outside the target folder.
"""


HANDBOOK = (
    "# Tidewatch\n\n## How it works\n\n"
    + "The model of the tides is fitted to what the gauges of all harbours measured in the last year. " * 6
    + "\n\n## Changelog\n\n"
    "### 1.2.0 (2024-03-01)\n\n- The forecast now covers fourteen days instead of seven days.\n\n"
    "### 1.1.0 (2024-01-01)\n\n- The service restarts itself after an hour without any gauge.\n"
)


BRIEF = """# Changelog

## 2.0.0 - 2024-06-01

- Fix memory leak.
- Faster start.
- Copies run in parallel by default, which makes large transfers about three times faster.

## 1.9.0 - 2024-05-01

- Logs can be written to a file of any name that the user chooses.
"""


PACKAGED = """tidewatch (2.4.1-2) unstable; urgency=high

  * Restart the service after upgrades, so that the fixed library is used.
  * Bump Standards-Version to 4.6.2.

 -- Ada Northwood <ada@example.org>  Tue, 12 Mar 2024 10:22:31 +0100

tidewatch (2.4.1-1) unstable; urgency=medium

  * The forecast now covers fourteen days and more.

 -- Ada Northwood <ada@example.org>  Mon, 05 Feb 2024 09:01:12 +0100
"""


def test_the_newest_release_is_told_first_and_what_breaks_before_the_rest(tmp_path: Path) -> None:
    headings, sentences, _ = written(tmp_path, "CHANGELOG.md", KEPT)
    assert headings[0].startswith("2.0.0 - 2024-06-01")
    assert sentences[0] == "Breaking: Support for version 16 of the runtime has been removed."
    assert not any("typo" in sentence for sentence in sentences)


def test_order_in_the_file_does_not_decide_which_release_is_newest(tmp_path: Path) -> None:
    first, *releases = KEPT.split("\n## ")
    headings, _, _ = written(
        tmp_path, "HISTORY.md", "\n\n## ".join([first, *(each.strip() for each in reversed(releases))])
    )
    assert headings[0].startswith("2.0.0")


def test_releases_that_are_not_told_are_named(tmp_path: Path) -> None:
    many = "# Changes\n" + "".join(
        f"\n## 3.{number}.0 (2024-01-{number:02})\n\n- The importer number {number} reads wide tables now.\n"
        "- Exports keep the last row of every table.\n- Searches pay no heed to accents.\n"
        for number in range(28, 0, -1)
    )
    headings, _, warnings = written(tmp_path, "CHANGES.md", many)
    assert headings[0].startswith("3.28.0 (2024-01-28)")
    assert any("3.1.0 (2024-01-01)" in warning and "releases)" in warning for warning in warnings)


def test_a_handbook_that_ends_with_a_changelog_is_no_changelog(tmp_path: Path) -> None:
    _, sentences, _ = written(tmp_path, "README.md", HANDBOOK)
    assert any("fitted to what the gauges" in sentence for sentence in sentences)


def test_changes_too_short_to_quote_are_counted(tmp_path: Path) -> None:
    headings, _, _ = written(tmp_path, "CHANGELOG.md", BRIEF)
    assert headings == ["2.0.0 - 2024-06-01 (1 of its 3 changes)", "1.9.0 - 2024-05-01"]


def test_a_packager_changelog(tmp_path: Path) -> None:
    headings, sentences, _ = written(tmp_path, "changelog.txt", PACKAGED)
    assert headings == [
        "tidewatch (2.4.1-2) (1 of its 2 changes)",
        "tidewatch (2.4.1-1)",
    ]
    assert len(sentences) == 2


def test_what_is_removed_is_said_to_be(tmp_path: Path) -> None:
    text = KEPT.replace(
        "\n### Fixed\n\n- Fix typo", "- The deprecated --legacy flag of imports.\n\n### Fixed\n\n- Fix typo"
    )
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert "Removed: The deprecated --legacy flag of imports." in sentences


def test_text_outside_of_the_releases_is_said_to_be_left_out(tmp_path: Path) -> None:
    before = "## Read this first\n\nStores that were written on a full disk may be damaged and must be checked.\n\n"
    after = "\n## Licence of the icons\n\nThe icons were drawn by a friend of ours and may be used by everybody.\n"
    text = KEPT.replace("## [2.0.0]", f"{before}## [2.0.0]") + after
    headings, sentences, warnings = written(tmp_path, "CHANGELOG.md", text)
    releases = ["2.0.0 - 2024-06-01 (3 of its 4 changes)", "1.9.2 - 2024-03-09", "1.9.1 - 2024-02-11"]
    # What stands before the first release is told with it.
    assert headings == ["Changelog", *releases]
    assert "full disk" in sentences[0]
    assert not any("icons" in sentence for sentence in sentences)
    left_out = "15 words that are of no release: Licence of the icons"
    assert [warning.partition(": ")[2] for warning in warnings] == [left_out]
    text = text.replace("## Read this first", "## Installation of stores")
    _, sentences, warnings = written(tmp_path, "CHANGELOG.md", text)
    assert not any("full disk" in sentence for sentence in sentences)
    before = "15 words before the first release: Installation of stores"
    assert [warning.partition(": ")[2] for warning in warnings] == [before, left_out]


def test_numbered_headings_of_releases(tmp_path: Path) -> None:
    text = "# Checklist\n" + "".join(
        f"\n## 10.{number}. Version 4.{9 - number}.0\n\n- Packages of series {number} must now name a person.\n"
        f"- The field for series {number} may be left empty.\n"
        for number in range(1, 6)
    )
    headings, _, _ = written(tmp_path, "upgrading.md", text)
    assert headings[:2] == ["Version 4.8.0", "Version 4.7.0"]


def test_a_release_that_only_mends_is_told_with_the_one_it_mends(tmp_path: Path) -> None:
    mends = "".join(
        f"\n## 3.1.{number} (2024-05-0{number})\n\n- Fixed a crash of importer {number} on empty tables.\n"
        f"- Fixed the width of column {number} in wide reports.\n- Fixed a leak in parser {number} of dates.\n"
        for number in range(9, 0, -1)
    )
    text = f"# Changes\n{mends}\n## 3.1.0 (2024-04-01)\n\n- Support for tables of the old form was removed.\n"
    headings, sentences, _ = written(tmp_path, "CHANGES.md", f"{text}\n## 3.1.0b2\n\n- First try of all.\n")
    assert headings[0].startswith("3.1.9 (2024-05-09)")
    assert headings[-1] == "3.1.0 (2024-04-01) with 1 early release (1 of its 2 changes)"
    assert sentences[-1] == "Breaking: Support for tables of the old form was removed."


def test_a_line_of_its_own_names_the_kind_of_what_follows(tmp_path: Path) -> None:
    lists = (
        "## 1.4.0 (2024-07-03)\n\nNew features:\n\n- prune: show how many archives match in the output\n\n"
        "Fixes:\n\n- check: return the right code for damaged indexes\n\n"
        "## 1.3.0 (2024-01-03)\n\n- mount: follow links into other folders again\n"
    )
    headings, sentences, _ = written(tmp_path, "CHANGES.md", f"# Changes\n\n{lists}")
    assert headings == ["1.4.0 (2024-07-03)", "1.3.0 (2024-01-03)"]
    assert sentences[:2] == [
        "New: prune: show how many archives match in the output",
        "Fix: check: return the right code for damaged indexes",
    ]


def test_a_paragraph_that_explains_a_change_is_no_change_of_its_own(tmp_path: Path) -> None:
    text = KEPT.replace(
        "three times faster.\n",
        "three times faster.\n\n  Previously, files were copied one after the other.\n",
    )
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert not any(sentence.startswith("Previously") for sentence in sentences)


def test_what_a_fix_removes_does_not_break_anything(tmp_path: Path) -> None:
    text = KEPT.replace(
        "whose names end in a space are no longer skipped", "were read twice, which was removed"
    )
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert "Fix: Files were read twice, which was removed." in sentences


@pytest.mark.parametrize(
    "line",
    [
        "[bug#33965 introduced in 2.8]",
        "API and ABI modifications: No changes since last version.",
        "Bump arrow from 14.0.1 to 15.0.0",
        "... and more; see the list below.",
        "Ada Maria Northwood *",
    ],
)
def test_a_release_is_not_told_by_its_trifles(tmp_path: Path, line: str) -> None:
    text = KEPT.replace("- Fix typo in README.", f"- {line}")
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert len(sentences) > 2
    assert not any(line in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("[2.0.0] - 2024-06-01", "2.0.0"),
        ("v5.3.0", "5.3.0"),
        ("* Version 3.9.1 (released 2024-08-02)", "3.9.1"),
        ("Version 0.9.8 -- 2025-11-28 -- PyPI -- diff", "0.9.8"),
        ("Version 2.0 -- the story of a weir", None),
        ("What's New in Marrow 4.2.0?", "4.2.0"),
        ("What's New in Marrow 4.2.0 release candidate 2?", "4.2.0"),
        ("Overview of changes in marrow 4.2.0, 2024-06-01", "4.2.0"),
        ("Overview of Changes from Marrow 4.1.0 to 4.2.0", "4.2.0"),
        ("= 4.2.0 (20240601)", "4.2.0"),
        ("version 4.2 - Kira Dahl, 2024-06-01", "4.2"),
        ("Jun 01, 2024: marrow 4.2.0 released", "4.2.0"),
        ("Changes from versions 4.1.* to version 4.2.0:", "4.2.0"),
        ("Changes between 2.5 and 3.5 percent", None),
        ("Changes between 1.5 and 1.6", None),
        ("Changes from grade 1.0 to 2.0", None),
        ("Changes in clause 2.1", None),
        ("Changes in temperature 1.5", None),
        ("Changes in marrow 0.29.2", "0.29.2"),
        ("Major changes from 1.3.3 to 1.3.4", "1.3.4"),
        ("What is new in section 4.2", None),
        ("New in chapter 4.2", None),
        ("New in version 4.2.0", "4.2.0"),
        ("New in version 4.2.0.", None),
        ("tidewatch (2.4.1-2) unstable; urgency=high", "2.4.1-2"),
        ("tidewatch (1:2.4p1+ds-2) unstable; urgency=high", "2.4p1+ds-2"),
        ("tidewatch (20240601) unstable; urgency=high", "20240601"),
        ("What's new in marrow-core 4.2.0:", "4.2.0"),
        ("NEW in 0.7.6:", "0.7.6"),
        ("User-visible changes in version 4.2:", "4.2"),
        ("Changes between Marrow version 4.1.* and 4.2.0", "4.2.0"),
        ("Major changes between Marrow 3.0.18 and Marrow 3.0.19 [27 Jan 2026]", "3.0.19"),
        ("CHANGES FROM 4.1 TO 4.2a, 05 October 2017", "4.2a"),
        ("Version 0.78 to 0.79 (15-AUG-2001)", "0.79"),
        ("marrow-4.1.7 --> marrow-4.1.8", "4.1.8"),
        ("marrow-4.1.8 (20 June 2008)", "4.1.8"),
        ("2014-11-04 Marrow 1.2.4", "1.2.4"),
        ("2022-12-22 - V5.3.0", "5.3.0"),
        ("11 July 2011, v2.4", "2.4"),
        ("12 May 2024, Room 1.2", None),
        ("6.11 2023-02-11 11:49:19Z", "6.11"),
        ("0.31 2009-01-20 04:54:37 kira", "0.31"),
        ("1.0.3 (15 Feb 05)", "1.0.3"),
        ("3.99_01 2018-12-03", "3.99_01"),
        ("Changes in version 2.1.12-stable (05 Jul 2020)", "2.1.12-stable"),
        ("Noteworthy changes in version 1.10.1 (2022-03-28) [C24/A4/R1]", "1.10.1"),
        ("3.48 - 2014-03-30 - minor maintenance release", "3.48"),
        ("2.42.10 (stable)", "2.42.10"),
        ("2.42.10 (stable) ===", "2.42.10"),
        ("Noteworthy changes in version 1.10.0 (2022-02-01) [C24/A4/R0] ------------", "1.10.0"),
        ("4.2 Meeting of the board 2024-05-01", None),
        ("[Unreleased]", "unreleased"),
        ("Noteworthy changes in release 3.2 (2024-02-10) [stable]", "3.2"),
        ("5.3.0", "5.3.0"),
        ("5.3.1 (Yanked)", "5.3.1"),
        ("0.5.8 (Sat Jan 16 2010)", "0.5.8"),
        ("Release 1.13.0 (05-August-2018)", "1.13.0"),
        ("0.28.0 (28th November, 2024)", "0.28.0"),
        ("46.0.5 - 2025-05-17 (YANKED)", "46.0.5"),
        ("5.3.1 (Second chapter)", None),
        ("10.4. Version 4.6.0", "4.6.0"),
        ("Lathe 0.14.4", "0.14.4"),
        ("New in v8.3.2", "8.3.2"),
        ("v1.4.3 2022-10-31 The Lathe team <team@example.org>", "1.4.3"),
        ("v0.8.9 2003-12-11 Kira Dahl <kira at example.org>", "0.8.9"),
        ("Version 2.1 2022-10-31 reads a <name> and writes <it>", None),
        ("2.4.0 - 7/25/26", "2.4.0"),
        ("3.3.0 -- 2021-06-04", "3.3.0"),
        ("lathe words 26.10.0 (2024-10-30)", "26.10.0"),
        ("Lathe 3.11.9 ( 2024-10-13 )", "3.11.9"),
        ("3.2.10 (2026-0?-??)", "3.2.10"),
        ("3.2.10 (????-??-??)", None),
        ("2026-03-24, Version 20.20.2 'Iron' (LTS), @name", "20.20.2"),
        ("May 5th 2020: version 3.1.7 released", "3.1.7"),
        ("March 2010: version 1.3.0 for Lathe 2.6 released", "1.3.0"),
        ("May 2020: version 3.1.7 is late", None),
        ("Major changes in release 5.90 (2005-09-29) [unstable]", "5.90"),
        ("Version 1.0.0-alpha.2 (2015-02-20)", "1.0.0-alpha.2"),
        ("NEWS for the Lathe 3.8.1 release", "3.8.1"),
        ("Version 3.6.15 (releases 2020-09-04)", "3.6.15"),
        ("The news for the 3.8 release is good", None),
        ("10.4. Versions and Releases", None),
        ("Section 4.2", None),
        ("3.1.2.", None),
        ("2.1 Methods", None),
        ("1.2", None),
        ("The release 2.0.0 of the engine was shown on 2024-06-01", None),
        ("Chapter 3", None),
    ],
)
def test_what_names_a_release(line: str, number: str | None) -> None:
    assert names_release(line) == number


def test_a_release_is_newer_than_what_was_tried_before_it(tmp_path: Path) -> None:
    text = "# Changes\n" + "".join(
        f"\n## {name} (2024-05-01)\n\n- The importer of {name} reads all tables.\n"
        for name in ("3.1.0b2", "3.1.0-rc.1", "3.1.0", "3.0.4")
    )
    headings, _, _ = written(tmp_path, "CHANGES.md", text)
    assert headings[0].startswith("3.1.0 (2024-05-01) with 2 early releases")


@pytest.mark.parametrize(
    ("heading", "plain"),
    [
        ("What's New in Lathe 3.2.0?", "What's New in Lathe 3.2.0"),
        ("3.2.1 - 2026-0?-??", "3.2.1 - 2026-0?-??"),
        ("3.2.1 - 2026-07-0?", "3.2.1 - 2026-07-0?"),
        ("Version 3.2 -- 2025-11-28 -- PyPI -- diff", "Version 3.2 -- 2025-11-28"),
    ],
)
def test_a_release_keeps_a_date_that_is_not_known_yet(heading: str, plain: str) -> None:
    assert plain_release(heading) == plain


@pytest.mark.parametrize("text", [KEPT, "# Changelog\n\n## 1.1.0\n\n2024-01-01\n\n## 1.0.0\n\n2023-01-02\n"])
def test_a_summary_too_short_for_any_change_tells_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "CHANGELOG.md"
    path.write_text(text, encoding="utf-8")
    documents = [read(path)]
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    assert compose(pages, documents, Request(num_words=1, has_length=True)).sentences


def test_a_changelog_beside_other_documents_makes_no_notes_of_them(tmp_path: Path) -> None:
    news = "# The ferry\n\nThe crews of the ferry are on strike for more pay.\n\nHotels lose half of their guests.\n"
    documents = []
    for name, text in (("CHANGELOG.md", KEPT), ("news.md", news)):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        documents.append(replace(read(path), id=name))
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    made = compose(pages, documents, Request(num_words=60, has_length=True))
    assert not {"Other changes", "Security"} & {entry.heading for entry in made.outline}
    assert any("ferry" in sentence.text for sentence in made.sentences)
    assert compose(pages, documents, Request(num_words=1, has_length=True)).sentences


def test_the_release_that_others_mend_is_as_new_as_these(tmp_path: Path) -> None:
    things = iter(("hinge", "lamp", "wheel", "chain", "anchor", "rudder", "pump", "siren", "ladder"))
    faults = iter(("rusts", "leaks", "squeaks", "jams", "bends", "cracks", "sinks", "howls", "slips"))
    mends = "".join(
        f"\n## 3.1.{number} - 2024-05-{number:02}\n\n### Fixed\n\n"
        + "".join(
            f"- Fixed the {next(things)}, so that nobody who comes by at night hears how it {next(faults)}.\n"
            for _ in range(3)
        )
        for number in (3, 2, 1)
    )
    features = (
        "- The new map shows at a glance how the water of every canal stands.\n"
        "- A bell rings on the bridge as soon as somebody waits below it.\n"
        "- Barges may carry a second mast with lanterns of any colour.\n"
    )
    made = told(tmp_path, f"# Changes\n{mends}\n## 3.1.0 - 2024-04-30\n\n### Added\n\n{features}", words=100)
    assert made.outline[-1].heading.startswith("3.1.0")
    assert len(made.outline[-1].sentences) > 1


def series(*releases: tuple[str, str]) -> str:
    """A changelog of releases with what each of them changes."""
    return "# Changes\n" + "".join(f"\n## {name}\n\n{changes}\n" for name, changes in releases)


FEATURES = "".join(
    f"- The new panel of {thing} shows how high the water stands at all {thing} of a river.\n"
    for thing in ("gates", "locks", "weirs", "mills", "canals", "ponds")
)


EARLIER = (
    ("4.0.2 (2024-04-09)", "- Fixed the colour of the flag of the second bridge."),
    ("4.0.0 (2024-04-01)", "- Fixed the bell of the bridge.\n- Dropped support for tables of the old form."),
    ("3.2.0 (2023-04-01)", "- Added support for lamps that burn all night without oil."),
    ("3.1.0 (2023-03-01)", "- Refactored the tests of the fourth bridge."),
    ("3.0.0 (2023-02-01)", "- The default depth of a channel is now measured in metres."),
    ("2.0.0 (2022-03-01)", "- The method that raised all the gates has been removed."),
)


def test_of_earlier_releases_what_matters_most_stands_in_a_list(tmp_path: Path) -> None:
    text = series(("4.1.0 (2024-05-01)", FEATURES), *EARLIER)
    headings, sentences, warnings = written(tmp_path, "CHANGES.md", text)
    assert headings[0].startswith("4.1.0 (2024-05-01)")
    assert headings[-1] == "From the 6 earlier releases"
    assert sentences[-4:] == [
        "4.0.0 (2024-04-01), Breaking: Dropped support for tables of the old form.",
        "3.2.0 (2023-04-01): Added support for lamps that burn all night without oil.",
        "3.0.0 (2023-02-01): The default depth of a channel is now measured in metres.",
        "2.0.0 (2022-03-01), Breaking: The method that raised all the gates has been removed.",
    ]
    assert warnings == ("not in the summary: 4.0.2 (2024-04-09); 3.1.0 (2023-03-01)",)


def test_where_few_changes_are_wanted_others_take_half_of_the_words(tmp_path: Path) -> None:
    things = (
        "lock",
        "gate",
        "winch",
        "buoy",
        "pier",
        "quay",
        "ramp",
        "mole",
        "weir",
        "dyke",
        "sluice",
        "basin",
    )
    releases = [
        (f"{20 - at}.0.0 (20{20 - at}-01-01)", f"- The {thing} of the map has a thinner line.")
        for at, thing in enumerate(things)
    ]
    _, sentences, _ = written(tmp_path, "CHANGES.md", series(*releases))
    assert len(sentences) > 6


def test_release_notes_have_more_to_say_but_not_without_end() -> None:
    assert [suitable_words(words) for words in (50, 100, 600)] == [60, 120, 280]


def test_a_few_releases_have_a_heading_each(tmp_path: Path) -> None:
    headings, _, _ = written(tmp_path, "CHANGES.md", series(*EARLIER[:3]))
    assert [heading.split(" (")[0] for heading in headings] == ["4.0.2", "4.0.0", "3.2.0"]


def test_the_newest_release_is_quoted_however_little_it_changes(tmp_path: Path) -> None:
    text = series(("4.1.0 (2024-05-01)", "- Refactored the tests of all the bridges."), *EARLIER)
    headings, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert headings[0] == "4.1.0 (2024-05-01)"
    assert sentences[0] == "Refactored the tests of all the bridges."


def test_support_that_ended_long_ago_is_not_quoted_again_and_again(tmp_path: Path) -> None:
    runtimes = ["Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel"]
    text = series(
        ("9.0.0 (2024-05-01)", FEATURES),
        *(
            (f"{8 - at}.0.0 (201{9 - at}-01-01)", f"- Dropped support for {name}.")
            for at, name in enumerate(runtimes)
        ),
        ("1.0.0 (2010-01-01)", "- Added support for lamps that burn all night without oil."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    dropped = [each.split()[-1] for each in sentences if "Dropped support" in each]
    assert dropped == ["Ash.", "Birch.", "Cedar.", "Elm."]
    assert sentences[-1].startswith("1.0.0 (2010-01-01): Added support for lamps")


def test_what_was_tried_before_a_release_is_told_with_it(tmp_path: Path) -> None:
    text = series(
        ("3.0 (2024-05-01)", "- No changes from 3.0rc1."),
        ("3.0rc1 (2024-04-01)", "- Support for tables of the old form was removed."),
        ("3.0b1 (2024-03-01)", "- Added a lamp to the boats of all keepers."),
        ("2.0 (2023-03-01)", "- Fixed the chain of the fourth bridge."),
    )
    headings, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert headings[0] == "3.0 (2024-05-01) with 2 early releases (2 of its 3 changes)"
    assert sentences[:2] == [
        "Breaking: Support for tables of the old form was removed.",
        "Added a lamp to the boats of all keepers.",
    ]


THINGS = ((4, "chain"), (3, "rope"), (2, "anchor"), (1, "rudder"))


def test_a_release_mends_only_one_of_its_own_series(tmp_path: Path) -> None:
    text = series(
        ("2024.5.12", FEATURES),
        *((f"2024.{month}.3", f"- Fixed the {thing} of the fourth bridge.") for month, thing in THINGS),
        ("v0.19.0", "- Fixed the bell of the third bridge."),
    )
    headings, _, _ = written(tmp_path, "CHANGES.md", text)
    assert not any(heading.startswith("v0.19.0") for heading in headings)


def test_releases_are_known_by_the_name_of_their_program(tmp_path: Path) -> None:
    text = (
        "# Lathe changes\n\n## Lathe 2.1\n\n### Faster gates\n\n- Added a lamp to the boats of all keepers.\n\n"
        "### Lathe 2.1.1\n\n- Fixed the chain of the fourth bridge.\n\n"
        "## Lathe 2.0\n\n### Lathe 2.0.1\n\n- Fixed the bell of the third bridge.\n\n### Slower gates\n\n- Support for tables of the old form was removed.\n"
    )
    headings, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert [heading.split(" (")[0] for heading in headings[:2]] == ["Lathe 2.1.1", "Lathe 2.1"]
    assert any("Support for tables" in sentence and "Breaking" in sentence for sentence in sentences)


def test_releases_under_the_heading_of_their_series_are_a_changelog(tmp_path: Path) -> None:
    text = "# 2.x Series\n" + "".join(
        f"\n## Lathe 2.{number}\n\n### Summary\n\nThe main change is that {thing} of boats can be read from files.\n"
        for number, thing in (("1.1", "lamps"), ("1", "bells"), ("0", "ropes"))
    )
    headings, _, _ = written(tmp_path, "version2.md", text)
    assert headings == ["Lathe 2.1.1", "Lathe 2.1", "Lathe 2.0"]


def test_what_concerns_makers_comes_after_all_else_of_a_release(tmp_path: Path) -> None:
    text = series(
        (
            "3.0 (2024-05-01)",
            "- Added the documentation of all the gates.\n- Refactored the internal tests of locks.\n"
            "- Fixed the chain of the fourth bridge.",
        ),
        ("2.0 (2023-03-01)", "- Fixed the bell of the third bridge."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences[0] == "Fixed the chain of the fourth bridge."


def test_of_a_small_changelog_trifles_give_way_to_earlier_releases(tmp_path: Path) -> None:
    text = series(
        (
            "3.0.0 (2026-01-02)",
            "- Drop Lathe 3.8.\n- The gate opens at noon instead of at dawn.\n- Add type hints to the gates.\n"
            "- Improve the documentation of the gates.",
        ),
        ("2.0.0 (2024-01-01)", "- Remove the old gate, which nobody has opened since last year."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences == [
        "Breaking: Drop Lathe 3.8.",
        "The gate opens at noon instead of at dawn.",
        "Remove the old gate, which nobody has opened since last year.",
    ]


def test_what_begins_a_series_comes_before_what_follows_in_it(tmp_path: Path) -> None:
    things = iter(("lamps", "bells", "ropes", "hooks", "oars", "sails", "masts", "keels", "helms", "buoys"))
    old = [
        (f"{major}.{minor}.0 (20{10 + major}-0{minor + 1}-01)", f"- Added support for {next(things)}.")
        for major in (8, 7, 6, 5, 4)
        for minor in (1, 0)
    ]
    text = series(("9.0.0 (2024-05-01)", FEATURES), *old)
    made = told(tmp_path, text, words=40, has_length=True)
    labels = [str(sentence.label) for sentence in made.sentences if "Added" in sentence.text]
    assert sum(".0.0 " in label for label in labels) > sum(".1.0 " in label for label in labels)


def test_a_change_of_a_list_is_not_the_heading_of_the_next(tmp_path: Path) -> None:
    text = series(
        ("2.7.0 (2024-05-01)", "- Compatibility with Lathe 2.5\n- Added a lamp to the boats of all keepers."),
        ("2.6.0 (2024-04-01)", "- Fixed the chain of the fourth bridge."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences[0] == "Added a lamp to the boats of all keepers."


def test_what_a_fix_is_about_does_not_break_anything(tmp_path: Path) -> None:
    text = series(
        ("2.7.0 (2024-05-01)", "- Fix the check of versions that can drop column support in tables."),
        ("2.6.0 (2024-04-01)", "- Fixed the chain of the fourth bridge."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences[0] == "Fix the check of versions that can drop column support in tables."


def test_what_categories_of_changes_mean_is_no_change(tmp_path: Path) -> None:
    legend = (
        "- Notes of changes are now kept in files, each of one of the following categories:\n\n"
        "  - breaking: When something that keepers use gets removed in a way that breaks gates.\n"
        "  - feature: A new behaviour of gates, locks and all that belongs to these.\n\n"
        "- Added a lamp to the boats of all keepers."
    )
    text = series(("2.7.0", legend), ("2.6.0", "- Fixed the chain of the fourth bridge."))
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences == [
        "Added a lamp to the boats of all keepers.",
        "Fixed the chain of the fourth bridge.",
    ]


def test_a_fix_of_a_numbered_vulnerability_is_of_security(tmp_path: Path) -> None:
    fixes = "- Fixed the chain of the bridge.\n- Refuse crafted messages to the bells (CVE-2024-1234)."
    text = series(("2.7.0", f"### Fixed\n\n{fixes}"), ("2.6.0", "- Fixed the colour of the second flag."))
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences[0] == "Security: Refuse crafted messages to the bells (CVE-2024-1234)."


def test_what_notes_call_their_main_change_is_quoted_before_others(tmp_path: Path) -> None:
    summary = "The main change in this release is that lamps of boats are read from files."
    text = series(
        (
            "2.7.0 (2024-05-01)",
            f"### Summary\n\n{summary}\n\n### Changes\n\n- Added support for gates that open at noon.",
        ),
        ("2.6.0 (2024-04-01)", "- Fixed the chain of the fourth bridge."),
    )
    assert [each.text for each in told(tmp_path, text, words=20, has_length=True).sentences] == [summary]


def test_what_is_only_improved_is_not_called_new(tmp_path: Path) -> None:
    changes = "### {}\n\n- Gates of every river open in half of the time."
    for heading, label in (("Performance improvements", None), ("New features", "New")):
        text = series(("2.7.0", changes.format(heading)), ("2.6.0", "- Fixed the chain of the bridge."))
        assert told(tmp_path, text).sentences[0].label == label


def test_changes_that_differ_in_a_version_are_two(tmp_path: Path) -> None:
    bells = "- Drop support for the brass bells and the iron lamps of Lathe {}."
    text = series(
        ("9.0.0 (2025-05-01)", FEATURES),
        ("8.0.0 (2024-05-01)", bells.format("3.5")),
        ("7.0.0 (2023-05-01)", bells.format("2.7")),
        ("6.0.0 (2022-05-01)", bells.format("2.7")),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert [each.split()[-1] for each in sentences if "brass" in each] == ["3.5.", "2.7."]


FLAG = ("2.6.0 (2024-04-01)", "- Fixed the colour of the second flag.")


@pytest.mark.parametrize("trifle", ["Bump arrow from 14.0.1 to 15.0.0", "Fix typo in the name of a bridge"])
def test_a_newest_release_of_trifles_alone_is_told_by_one(tmp_path: Path, trifle: str) -> None:
    text = series(("2.7.0 (2024-05-01)", f"- See https://example.org/27\n- {trifle}."), FLAG)
    headings, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert headings[0] == "2.7.0 (2024-05-01) (1 of its 2 changes)"
    assert trifle in sentences[0]
    # Of an older release it is not.
    text = series(FLAG, ("2.5.0", f"- {trifle}."))
    assert trifle not in " ".join(written(tmp_path, "CHANGES.md", text)[1])


@pytest.mark.parametrize("heading", ["Internal changes", "Fixed"])
def test_what_is_updated_for_security_is_told_as_such(tmp_path: Path, heading: str) -> None:
    bump = "Bump arrow to 15.0.0 to address critical security vulnerabilities."
    harmless = "Bump lamps from 1.0 to 1.1 to resolve CVE-2024-1234, none of which affected the gates."
    text = series(("2.7.0", f"### {heading}\n\n- {bump}\n- {harmless}"), FLAG)
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences[0] == f"Security: {bump}"
    assert not any(harmless in each for each in sentences[1:] if "Security" in each)


def test_a_release_of_security_without_words_is_told_by_what_says_so(tmp_path: Path) -> None:
    general = "This security release addresses several vulnerabilities."
    bare = "- Fix SLUICE-2024-1\n- Fix SLUICE-2024-2"
    release = "{}\n\n### Security fixes\n\nHigh severity:\n\n{}"
    text = series(("2.7.0", FEATURES), ("2.6.2", release.format(general, bare)), FLAG)
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert f"Security: {general}" in sentences or f"2.6.2, Security: {general}" in sentences
    # Where an item says what was wrong it is enough.
    flaw = "- Crafted messages to the bells could open the gates."
    text = series(("2.7.0", FEATURES), ("2.6.2", release.format(general, flaw)), FLAG)
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert not any(general in each for each in sentences)
    assert any("Crafted messages" in each for each in sentences)


def test_the_end_of_versions_is_not_crowded_out_by_the_end_of_other_things(tmp_path: Path) -> None:
    things = ("ropes", "hooks", "oars", "sails", "masts")
    text = series(
        ("9.0.0 (2024-05-01)", FEATURES),
        *((f"{8 - at}.0.0", f"- Remove support for the old {thing}.") for at, thing in enumerate(things)),
        ("3.0.0", "### Internal changes\n\n- Remove support for Harbour 13."),
        ("2.0.0", "- Unpin the chain now that Mooring 4 support has been dropped."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    old = [each.split()[-1] for each in sentences if "the old" in each]
    assert old == ["ropes.", "hooks.", "oars.", "sails."]
    assert "3.0.0, Breaking: Remove support for Harbour 13." in sentences
    assert not any("Breaking: Unpin" in each for each in sentences)


def test_that_a_version_ends_is_told_once_and_of_the_latest(tmp_path: Path) -> None:
    ends = "- Drop support for Lathe 3.{}.\n- Require Lathe >= 3.{} from now on, as is good for all."
    text = series(
        ("9.0.0 (2024-05-01)", FEATURES),
        *((f"{8 - at}.0.0", ends.format(8 - at, 9 - at)) for at in range(5)),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert [sentence for sentence in sentences if "Lathe" in sentence] == [
        "Breaking: Require Lathe >= 3.9 from now on, as is good for all."
    ]
    # What ends and what is required may be far from each other.
    far = "- Drop support for boats of Lathe 3.6.\n- Require Lathe >= 3.11 to count boats."
    _, sentences, _ = written(tmp_path, "CHANGES.md", series(("2.7.0", far), FLAG))
    assert sum("Lathe" in sentence for sentence in sentences) == 2


def test_the_end_of_a_whole_generation_is_told_beside_that_of_the_latest_version(tmp_path: Path) -> None:
    text = series(
        ("9.0.0 (2024-05-01)", FEATURES),
        *((f"{8 - at}.0.0", f"- Drop support for Lathe 3.{8 - at}.") for at in range(5)),
        ("3.0.0", "- Drop support for Lathe 2 and 3.2."),
        ("2.0.0", "- Drop support for Lathe 2.6 and 3.1."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    of_lathe = [sentence for sentence in sentences if "Lathe" in sentence]
    assert of_lathe == [
        "Breaking: Drop support for Lathe 3.8.",
        "Breaking: Drop support for Lathe 2 and 3.2.",
    ]


def test_the_end_of_a_version_is_not_that_of_its_generation_where_a_later_one_is_named(
    tmp_path: Path,
) -> None:
    text = series(
        ("9.0.0 (2024-05-01)", FEATURES),
        *((f"{8 - at}.0.0", f"- Drop support for Lathe 3.{8 - at}.") for at in range(5)),
        ("3.0.0", "- Fixed the bells of all boats that run on Lathe 2.7."),
        ("2.0.0", "- Drop support for Lathe 2.6 and 3.1."),
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert not any("Drop support for Lathe 2.6" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    "line", ["Drop support for Python 2.6 and 3.1.", "Drop Python 2 compatibility code."]
)
def test_neither_an_earlier_version_nor_tidying_up_is_the_end_of_a_generation(
    tmp_path: Path, line: str
) -> None:
    dropped = [(f"{8 - at}.0.0", f"- Drop support for Python 3.{8 - at}.") for at in range(5)]
    for last, is_told in ((line, False), ("Drop support for Python 2.7.", True)):
        text = series(("9.0.0 (2024-05-01)", FEATURES), *dropped, ("2.0.0", f"- {last}"))
        _, sentences, _ = written(tmp_path, "CHANGES.md", text)
        assert any(last in sentence for sentence in sentences) is is_told


def test_which_versions_end() -> None:
    assert versions_ended("Drop support for Lathe 2.7, 3.3 and 3.4.") == {(2, 7), (3, 3), (3, 4)}
    assert versions_ended("Drop support for Lathe 2, as it is past 9 years old.") == {(2,)}
    assert not versions_ended("Require Lathe >= 3.8.")
    assert not versions_ended("Add support for Lathe 2.7.")


@pytest.mark.parametrize(
    "change",
    [
        "The software licence has been changed to the GPLv3.",
        "Gates are now shut by default at night.",
        "The program now depends on Mooring to count boats.",
        "Support Lathe 3.13.",
    ],
)
def test_what_must_be_known_comes_before_what_is_new(tmp_path: Path, change: str) -> None:
    others = "".join(f"- The {thing} of a bridge can be seen from afar.\n" for _, thing in THINGS)
    text = series(("2.0.0", f"{others}- {change}"), ("1.0.0", "- The first release of all."))
    made = told(tmp_path, text, words=10, has_length=True)
    assert change in [sentence.text for sentence in made.sentences]


def test_what_a_list_of_features_removes_is_not_new(tmp_path: Path) -> None:
    text = series(("2.7.0", "### New features\n\n- Remove the deprecated module of bells."), FLAG)
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences[0] == "Remove the deprecated module of bells."


def test_what_says_how_it_is_now_is_not_told_without_how_it_was(tmp_path: Path) -> None:
    gate = "Disable a failing test of Tesseract. Previously, Tesseract would exit with a message. {}"
    for after in (
        "Now Tesseract issues a warning, which the program may relay or ignore.",
        "The harbour now has a new rule to catch this, in case of older versions.",
    ):
        text = series(("2.7.0", f"- {gate.format(after)}\n- Add a lamp to all of the gates."), FLAG)
        _, sentences, _ = written(tmp_path, "CHANGES.md", text)
        assert not any(after in sentence for sentence in sentences)


def test_the_change_that_a_paragraph_goes_on_with_is_not_told_alone(tmp_path: Path) -> None:
    after = "The change applies to new harbours and is not made in older ones."
    text = series(("2.7.0", f"- Add a lamp to all of the gates.\n\n  {after}"), FLAG)
    assert not any(after in sentence for sentence in written(tmp_path, "CHANGES.md", text)[1])


def test_an_item_without_its_subject_is_not_told_alone(tmp_path: Path) -> None:
    items = "- Add a lamp to all of the gates.\n- {} a new panel that is built by the harbour."
    for opening, is_told in (("Comes with", False), ("Add", True)):
        text = series(("2.7.0", items.format(opening)), FLAG)
        assert is_told is any("panel" in sentence for sentence in written(tmp_path, "CHANGES.md", text)[1])


def test_the_number_of_a_flaw_alone_says_nothing_beside_another_flaw(tmp_path: Path) -> None:
    told = "Fixed a vulnerability of gates to crafted messages."
    text = series(("2.7.0", f"- Fix bug 123 / GHSA-8rfp-98v4-mmr6.\n- {told}"), FLAG)
    assert not any("GHSA" in sentence for sentence in written(tmp_path, "CHANGES.md", text)[1])


def test_of_what_is_supported_only_the_newest_must_be_known(tmp_path: Path) -> None:
    things = iter(("ropes", "hooks", "oars", "sails", "masts", "keels", "helms", "buoys"))
    text = series(
        *(
            (
                f"9.{9 - at}.0",
                f"- Add {next(things)} that are lit by hand.\n- Improve the support for Lathe 3.{14 - at}.",
            )
            for at in range(8)
        )
    )
    made = told(tmp_path, text, words=30, has_length=True)
    assert sum("Lathe" in sentence.text for sentence in made.sentences) == 1


def test_all_that_was_tried_before_a_release_is_told_with_it(tmp_path: Path) -> None:
    fixes = "".join(f"- Fixed the {thing} of a bridge.\n" for _, thing in THINGS)
    text = series(
        ("3.0.1", FEATURES),
        ("3.0.0", fixes),
        ("3.0.0rc1", "- Gates of every river open by themselves."),
    )
    headings, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert any(heading.startswith("3.0.0 with 1 early release") for heading in headings)
    assert any("by themselves" in each for each in sentences)


def test_an_old_fix_comes_after_what_an_older_release_brought(tmp_path: Path) -> None:
    fixes = [
        (f"2.{9 - at}.0", f"### Bug fixes\n\n- A {thing} is found by all who look for it.")
        for at, (_, thing) in enumerate(THINGS)
    ]
    brought = "Add lamps that are lit by hand."
    text = series(("3.0.0", "- Gates open by themselves."), *fixes, ("2.4.0", f"- {brought}"))
    made = told(tmp_path, text, words=14, has_length=True)
    assert [sentence.text for sentence in made.sentences][1:] == [brought]


def test_a_removal_that_is_stated_twice_is_told_once(tmp_path: Path) -> None:
    removed = "The Tidewatch delegation of gates was removed"
    text = series(
        (
            "2.7.0",
            f"### Notes\n\n- {removed} in this release of all releases.\n\n### Removed\n\n"
            f"- {removed} in favour of stable bells, lamps, ropes, hooks, oars, sails, masts, keels and buoys.",
        ),
        FLAG,
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sum("Tidewatch" in each for each in sentences) == 1


def test_a_flaw_of_long_ago_is_like_any_fix(tmp_path: Path) -> None:
    flaw = "Fixed a vulnerability of bridges to crafted messages."
    newer = [(f"9.{99 - at}.0", f"- Add lamps of {at + 3} colours to all of the gates.") for at in range(24)]
    for number, is_told in ((3, True), (24, False)):
        text = series(*newer[:number], ("9.1.0", f"- {flaw}"))
        made = told(tmp_path, text, words=36, has_length=True)
        assert (flaw in [sentence.text for sentence in made.sentences]) is is_told


def test_why_something_is_deprecated_breaks_nothing(tmp_path: Path) -> None:
    change = "Deprecate the lamp of gates since all bells were removed in 2.1."
    text = series(("2.7.0", f"### Deprecations\n\n- {change}"), FLAG)
    assert written(tmp_path, "CHANGES.md", text)[1][0] == change


def test_of_two_changes_that_end_the_same_the_better_is_told(tmp_path: Path) -> None:
    weak = "Require Lathe >= 3.9 to count boats."
    strong = "Drop support for Lathe 3.8."
    others = "".join(f"- The {thing} of a bridge can be seen from afar.\n" for _, thing in THINGS)
    text = series(("2.7.0", f"- {weak}\n- {strong}\n{others}"), ("2.6.0", others))
    assert written(tmp_path, "CHANGES.md", text)[1][0] == f"Breaking: {strong}"


def test_a_question_is_not_told_as_a_change(tmp_path: Path) -> None:
    lists = (
        "## 1.4.0 (2024-07-03)\n\n- Can the harbour gates support opening at night?\n"
        "- Let the harbour gates open at any hour of the night\n\n"
        "## 1.3.0 (2024-01-03)\n\n- mount: follow links into other folders again\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", f"# Changes\n\n{lists}")
    assert sentences[0] == "Let the harbour gates open at any hour of the night"
    assert not any(sentence.endswith("?") for sentence in sentences)


def test_who_made_each_change_is_not_quoted(tmp_path: Path) -> None:
    changes = (
        "## 1.4.0 (2024-07-03)\n\n- Draw the outlines of all harbour gates #12 (kira-92)\n"
        "- Ring the bell at every tide #13 (adabrook)\n- Delete the records of users on exit #14 (opt-in)\n\n"
        "## 1.3.0 (2024-01-03)\n\n- Follow links into other folders again #11 (kira-92)\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", f"# Changes\n\n{changes}")
    text = "\n".join(sentences)
    assert "harbour gates" in text
    assert "kira" not in text
    assert "adabrook" not in text
    assert "Delete the records of users on exit #14 (opt-in)" in text


def test_what_follows_the_changes_that_break_is_of_another_kind(tmp_path: Path) -> None:
    lists = (
        "## 1.4.0 (2024-07-03)\n\n### Incompatible changes\n\n- Gates open by hand alone from now on\n\n"
        "**Implemented enhancements:**\n\n- MRG: Draw the outlines of all harbour gates #12\n\n"
        "## 1.3.0 (2024-01-03)\n\n- mount: follow links into other folders again\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", f"# Changes\n\n{lists}")
    assert sentences[:2] == [
        "Breaking: Gates open by hand alone from now on",
        "New: Draw the outlines of all harbour gates",
    ]


@pytest.mark.parametrize(
    ("heading", "change", "shown"),
    [
        ("Removed", "MNT Gates without a lock for keepers", "Removed: Gates without a lock for keepers"),
        ("Removed", "New panel of the gate", "Removed: New panel of the gate"),
        ("Changed", "Bug 12: add support for more bells", "add support for more bells"),
        ("Changed", "Issue 14: The bell cannot be turned off", "The bell cannot be turned off"),
        ("Changed", "Issue 14: The bell did not ring at night", "Fix: The bell did not ring at night"),
        ("Known issues", "Bug 14: The bell cannot be heard", "Known issue: The bell cannot be heard"),
        ("Compatibility", "Add Lathe 3.14 support", "Add Lathe 3.14 support"),
        ("Compatibility", "Gates open by hand alone", "Breaking: Gates open by hand alone"),
    ],
)
def test_heading_and_tag_tell_the_kind_together(
    tmp_path: Path, heading: str, change: str, shown: str
) -> None:
    lists = (
        f"## 1.4.0 (2024-07-03)\n\n### {heading}\n\n- {change}\n\n"
        "## 1.3.0 (2024-01-03)\n\n### Fixed\n\n- mount: follow links into other folders again\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", f"# Changes\n\n{lists}")
    assert sentences[0] == shown


def test_what_is_tagged_as_new_is_no_removal(tmp_path: Path) -> None:
    text = (
        "# Changes\n\n## 1.4.0 (2024-07-03)\n\n### Added\n\n- ENH: Remove marks from the names of gates\n"
        "- Remove the old gate of the harbour\n\n"
        "## 1.3.0 (2024-01-03)\n\n### Fixed\n\n- mount: follow links into other folders again\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert sentences[:2] == [
        "Remove the old gate of the harbour",
        "New: Remove marks from the names of gates",
    ]


def test_what_an_upgrade_asks_for_is_told_beside_the_feature(tmp_path: Path) -> None:
    text = (
        "# Changes\n\n## 1.4.0 (2024-07-03)\n\n### New features\n\n- Add support for refresh tokens\n\n"
        "### Upgrade notes\n\n- The support of refresh tokens needs a new table to be added by keepers\n\n"
        "## 1.3.0 (2024-01-03)\n\n### Fixed\n\n- mount: follow links into other folders again\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert any("new table" in sentence for sentence in sentences)


@pytest.mark.parametrize("line", ["Might be added again through the gates", "Should be opened by hand"])
def test_what_might_be_needs_what_it_is_said_of(tmp_path: Path, line: str) -> None:
    text = (
        f"# Changes\n\n## 1.4.0 (2024-07-03)\n\n- {line}\n- Gates of the harbour open at night\n\n"
        "## 1.3.0 (2024-01-03)\n\n- mount: follow links into other folders again\n"
    )
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert line not in sentences


SPECIFICATION = "".join(
    f"## {number}. {part}\n\nThe {part.lower()} of a ledger shall be written in ink by the warden of the weir.\n\n"
    f"Every {part.lower()} shall be read out at the fair before the county pays for the boards.\n\n"
    for number, part in enumerate(("Header", "Block", "Index", "Trailer", "Stamp"), 1)
)


@pytest.mark.parametrize(
    "history",
    [
        # The cells of a table.
        "## Background\n\nThe editions of the format are listed here.\n\n1.3.1\n\n"
        "Stamps were described by the wardens.\n\n1.3.2\n\nThe index was moved to the end.\n\n",
        "## History\n\n### Version 1.1\n\nStamps were described.\n\n### Version 2.0\n\nThe index was moved.\n\n",
    ],
)
def test_a_specification_that_begins_with_its_editions_is_no_changelog(tmp_path: Path, history: str) -> None:
    text = f"# Format of ledgers\n\n{history}{SPECIFICATION}"
    _, _, warnings = written(tmp_path, "format.md", text)
    assert not any("release" in warning for warning in warnings)
    headings, sentences, _ = written(tmp_path, "format.md", text)
    assert any("shall be" in sentence for sentence in sentences)
    assert not any(heading.startswith(("1.3", "Version")) for heading in headings)


@pytest.mark.parametrize("is_numbered", [True, False])
def test_a_manual_that_names_releases_in_two_of_its_chapters_is_no_changelog(
    tmp_path: Path, is_numbered: bool
) -> None:
    """Other headings than those of numbered chapters may stand within the changes of a release."""
    named = [
        f"## {number}. {part}\n\nVersion {number}.0.1\n\nThe {part.lower()} was moved by the warden.\n\n"
        for number, part in ((1, "Ink"), (2, "Seal"))
    ]
    text = f"# Format of ledgers\n\n{''.join(named)}{SPECIFICATION}"
    if not is_numbered:
        text = re.sub(r"(?m)^## \d\. ", "## ", text)
    headings, _, _ = written(tmp_path, "format.md", text)
    assert any(heading.startswith("Version") for heading in headings) is not is_numbered


def test_a_manual_that_names_releases_in_a_section_of_each_chapter_is_no_changelog(tmp_path: Path) -> None:
    text = "# Format of ledgers\n\n" + "".join(
        f"## Chapter {number}: {chapter}\n\n### {number}.1 Moving the {chapter.lower()}\n\nVersion {number}.0.1\n\n"
        f"The {chapter.lower()} was moved by the warden.\n\n"
        + "".join(
            f"### {number}.{place} {part} of the {chapter.lower()}\n\n"
            f"The {part.lower()} of the {chapter.lower()} is kept by the warden, who enters it in the {place} books.\n\n"
            for place, part in enumerate(("Colour", "Price", "Store", "Loan", "Age"), start=2)
        )
        for number, chapter in ((1, "Ink"), (2, "Seal"))
    )
    headings, _, _ = written(tmp_path, "format.md", text)
    assert not any(heading.startswith("Version") for heading in headings)


def test_releases_of_odd_numbers_among_others_end_no_changelog(tmp_path: Path) -> None:
    text = "".join(
        f"## Version {number}\n\nThe {part} of the ledger is kept in order now when the warden closes the book.\n\n"
        for number, part in (
            ("4.2", "index"),
            ("4.1x6", "header"),
            ("4.1x5", "block"),
            ("4.1x4", "stamp"),
            ("4.1", "seal"),
        )
    )
    headings, _, _ = written(tmp_path, "changes.md", text)
    assert headings[0].startswith("Version 4.2")


def test_the_release_that_each_title_page_of_a_manual_names_is_none_of_notes() -> None:
    """A manual of release 3.1, whose last chapter tells of two older ones, is no release notes."""
    said = [
        f"The {part} of the lathe turns the wood {how} than the keeper of the mill can do it by hand."
        for part in ("spindle", "belt", "chuck", "rest")
        for how in ("faster", "slower", "more evenly")
    ]

    def kind(first: str, second: str) -> DocumentKind:
        sections = [
            ("The Lathe", [first, *said]),
            ("Spindles", [second, *said]),
            ("News", ["Changes in 1.9.6:", "A new spindle.", "Changes in 1.9.5:", "A new belt."]),
        ]
        candidates = candidates_of(document_of(*sections, title="Lathe Documentation"))
        return document_kind_of(candidates, kind_of(candidates))

    assert kind("Release 3.1.0 11 Apr 2022", "Release 3.1.0 11 Apr 2022") is DocumentKind.OTHER
    assert kind("Release 3.1.0 11 Apr 2022", "Release 3.0.0 9 May 2021") is DocumentKind.NOTES
