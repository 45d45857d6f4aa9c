"""Changelogs of many styles: told by release, what breaks first, trifles never."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from lsum_cli import read
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.change_text import plain_change
from lsum_cli.methods.extract.composition import Request, compose
from lsum_cli.methods.extract.kinds import DocumentKind, names_release
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import NAMED_LENGTHS, SENTENCE

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


def written(folder: Path, name: str, text: str) -> tuple[list[str], list[str], tuple[str, ...]]:
    """The headings, the labelled sentences and the warnings of the summary of a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    documents = [read(path)]
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    made = compose(pages, documents, Request(num_words=150))
    return (
        [entry.heading for entry in made.outline],
        [sentence.labelled for sentence in made.sentences],
        made.warnings,
    )


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
    assert headings == ["2.0.0 - 2024-06-01 (1 of 3)", "1.9.0 - 2024-05-01"]


def test_a_packager_changelog(tmp_path: Path) -> None:
    headings, sentences, _ = written(tmp_path, "changelog.txt", PACKAGED)
    assert headings == [
        "tidewatch (2.4.1-2) unstable; urgency=high (1 of 2)",
        "tidewatch (2.4.1-1) unstable; urgency=medium",
    ]
    assert len(sentences) == 2


def test_what_is_removed_is_said_to_be(tmp_path: Path) -> None:
    text = KEPT.replace(
        "\n### Fixed\n\n- Fix typo", "- The deprecated --legacy flag of imports.\n\n### Fixed\n\n- Fix typo"
    )
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert "Removed: The deprecated --legacy flag of imports." in sentences


def test_a_generated_release_is_told_by_kind_without_credits_and_trifles(tmp_path: Path) -> None:
    at = "in https://example.org/acme/query/pull"
    text = f"""## What's Changed

### 🚀 Features
* feat: stream results as they arrive by @kira {at}/812
* feat(cli): add a format of columns by @dle {at}/820

### 🐛 Bug Fixes
* fix(server): release connections after a timeout by @newbie {at}/822

### Other Changes
* chore(deps): bump arrow from 14.0.1 to 15.0.0 by @robot[bot] {at}/818

## New Contributors
* @newbie made their first contribution {at}/822
"""
    headings, sentences, warnings = written(tmp_path, "release.md", text)
    assert headings == ["New features", "Bug fixes"]
    assert sentences == [
        "Stream results as they arrive",
        "Add a format of columns",
        "Release connections after a timeout",
    ]
    assert warnings == ("not in the summary: Other changes (2)",)


NOTES = """# Sluice 5.2 release notes

*April 2, 2024*

Welcome to Sluice 5.2!

Sluice 5.2 is supported for three years from today.

These release notes cover the new features, as well as some changes you should be aware of.

## Python compatibility

Sluice 5.2 supports Python 3.10, 3.11 and 3.12. We only support the latest release of each series.

## What's new in Sluice 5.2

### Gates of several panels

The new `PanelGate` class lets a gate be made of several panels that move on their own.

To use such a gate, set its panels when a model is defined:

See the guide of gates for more details about this feature.

### Minor features

#### sluice.gauge

- Gauges can be read by several programs at once.
- The gauge of a lock now reports its own temperature.

## Backwards incompatible changes in 5.2

### Dropped support for the serial bus

Upstream support for the serial bus ends in November of this year.

### Miscellaneous

- The default depth of a channel is now measured in metres.

## Features deprecated in 5.2

- The argument `ordering` of all gates is deprecated in favour of `order_by`.

## Features removed in 5.2

- The method `Gate.raise_all()` is removed from the interface of gates.
"""


def test_the_notes_of_a_release_name_it_and_tell_what_breaks_before_what_is_new(tmp_path: Path) -> None:
    headings, sentences, warnings = written(tmp_path, "5.2.md", NOTES)
    assert headings == [
        "Sluice 5.2 release notes",
        "Overview (1 of 2)",
        "Breaking changes",
        "Upgrade notes",
        "Removed",
        "Deprecations",
        "New features",
    ]
    assert sentences == [
        "Sluice 5.2 is supported for three years from today.",
        # The heading says what the sentence does not.
        "Dropped support for the serial bus: Upstream support for the serial bus ends in November of this year.",
        "The default depth of a channel is now measured in metres.",
        "Sluice 5.2 supports Python 3.10, 3.11 and 3.12.",
        "The method Gate.raise_all() is removed from the interface of gates.",
        "The argument ordering of all gates is deprecated in favour of order_by.",
        "The new PanelGate class lets a gate be made of several panels that move on their own.",
    ]
    assert warnings == ("not in the summary: Smaller changes (2)",)


def test_what_the_program_is_in_general_is_no_new_feature(tmp_path: Path) -> None:
    general = "Sluice is a simple and reliable program for keepers who open many gates at once."
    notes = (
        NOTES.replace("# Sluice 5.2 release notes", "# What's new in Sluice 5.2")
        .replace("Welcome to Sluice 5.2!", general)
        .replace("## Features removed in 5.2", "## Expired deprecations")
    )
    headings, sentences, _ = written(tmp_path, "5.2.md", notes)
    assert general not in sentences
    assert sentences[0] == "Sluice 5.2 is supported for three years from today."
    assert {"Removed", "Deprecations", "New features"} <= set(headings)
    # In general two sentences are enough, and none of them is on names or reading.
    more = notes.replace(
        "Sluice 5.2 is supported for three years from today.",
        "Sluice 5.2 is supported for three years from today.\n\n"
        "Releases of this series are codenamed after rivers of the north.\n\n"
        "Make sure you read the important notes before upgrading to this version.\n\n"
        + "\n\n".join(
            f"This version was tried by the keepers of {lake} for {weeks} weeks before it was published."
            for lake, weeks in (("Ash", "two"), ("Birch", "nine"), ("Cedar", "six"))
        ),
    )
    told = written(tmp_path, "more.md", more)[1]
    assert sum("was tried by" in each or "supported for" in each for each in told) == 2
    assert not [each for each in told if "codenamed" in each or "Make sure" in each]
    # Where the title is the only heading it names the kind.
    flat = "# What's new in Sluice 5.2\n\n" + "".join(
        f"- The gate of {name} can be opened from afar by its keeper, without a boat.\n"
        for name in ("Ash", "Birch", "Cedar", "Elm")
    )
    assert not [each for each in written(tmp_path, "flat.md", flat)[0] if each.startswith("Overview")]


def test_text_outside_of_the_releases_is_said_to_be_left_out(tmp_path: Path) -> None:
    before = "## Read this first\n\nStores that were written on a full disk may be damaged and must be checked.\n\n"
    after = "\n## Licence of the icons\n\nThe icons were drawn by a friend of ours and may be used by everybody.\n"
    text = KEPT.replace("## [2.0.0]", f"{before}## [2.0.0]") + after
    headings, sentences, warnings = written(tmp_path, "CHANGELOG.md", text)
    assert headings == ["2.0.0 - 2024-06-01 (3 of 4)", "1.9.2 - 2024-03-09", "1.9.1 - 2024-02-11"]
    assert not any("icons" in sentence or "full disk" in sentence for sentence in sentences)
    assert [warning.partition(": ")[2] for warning in warnings] == [
        "15 words before the first release: Read this first",
        "15 words that are of no release: Licence of the icons",
    ]


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
    assert headings == ["3.1.9 (2024-05-09)", "3.1.8 (2024-05-08)", "3.1.0 (2024-04-01)"]
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
        "New features: prune: show how many archives match in the output",
        "Bug fixes: check: return the right code for damaged indexes",
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
    assert "Bug fixes: Files were read twice, which was removed." in sentences


@pytest.mark.parametrize(
    "line",
    [
        "[bug#33965 introduced in 2.8]",
        "API and ABI modifications: No changes since last version.",
        "Bump arrow from 14.0.1 to 15.0.0",
    ],
)
def test_a_release_is_not_told_by_its_trifles(tmp_path: Path, line: str) -> None:
    text = KEPT.replace("- Fix typo in README.", f"- {line}")
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert len(sentences) > 2
    assert not any(line in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Backups are incremental (#212).", "Backups are incremental."),
        ("cli: add a format (#820) (abc1234)", "cli: add a format"),
        ("Totals are right, closes #815", "Totals are right"),
        ("Read the page at https://example.org", "Read the page at https://example.org"),
        ("Drop rule #5 of 7.", "Drop rule #5 of 7."),
    ],
)
def test_credits_go_and_what_is_said_stays(written: str, plain: str) -> None:
    assert plain_change(written) == plain


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("[2.0.0] - 2024-06-01", "2.0.0"),
        ("v5.3.0", "5.3.0"),
        ("* Version 3.9.1 (released 2024-08-02)", "3.9.1"),
        ("What's New in Marrow 4.2.0?", "4.2.0"),
        ("tidewatch (2.4.1-2) unstable; urgency=high", "2.4.1-2"),
        ("[Unreleased]", "unreleased"),
        ("Noteworthy changes in release 3.2 (2024-02-10) [stable]", "3.2"),
        ("5.3.0", "5.3.0"),
        ("10.4. Version 4.6.0", "4.6.0"),
        ("Lathe 0.14.4", "0.14.4"),
        ("lathe words 26.10.0 (2024-10-30)", "26.10.0"),
        ("Lathe 3.11.9 ( 2024-10-13 )", "3.11.9"),
        ("2026-03-24, Version 20.20.2 'Iron' (LTS), @name", "20.20.2"),
        ("Major changes in release 5.90 (2005-09-29) [unstable]", "5.90"),
        ("Version 1.0.0-alpha.2 (2015-02-20)", "1.0.0-alpha.2"),
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


def test_rows_of_tables_are_not_quoted_where_the_whole_text_fits(tmp_path: Path) -> None:
    table = "| Name | Meaning |\n|---|---|\n| depth | The depth of the channel is measured in metres. |\n"
    text = (
        f"# Sluice\n\nThe sluice keeps the water of the lake high. Use `cat a | sort` to list it.\n\n{table}"
    )
    _, sentences, _ = written(tmp_path, "manual.md", text)
    assert sentences == ["The sluice keeps the water of the lake high.", "Use cat a | sort to list it."]


def test_what_is_deprecated_is_told_however_much_is_new(tmp_path: Path) -> None:
    things = ["gates", "locks", "weirs", "mills", "canals", "bridges", "ponds", "wells", "pumps", "dykes"]
    news = "".join(
        f"- The new panel of {thing} shows the height of the water at all {thing} of a river and warns of floods.\n"
        for thing in things
    )
    text = f"# Sluice 5.3 release notes\n\n## New features\n\n{news}\n## Deprecations\n\n- The old panel is deprecated.\n"
    headings, sentences, _ = written(tmp_path, "5.3.md", text)
    assert headings[1] == "Deprecations"
    assert sentences[0] == "The old panel is deprecated."


def test_a_release_is_newer_than_what_was_tried_before_it(tmp_path: Path) -> None:
    text = "# Changes\n" + "".join(
        f"\n## {name} (2024-05-01)\n\n- The importer of {name} reads all tables.\n"
        for name in ("3.1.0b2", "3.1.0-rc.1", "3.1.0", "3.0.4")
    )
    headings, _, _ = written(tmp_path, "CHANGES.md", text)
    assert headings[0] == "3.1.0 (2024-05-01)"


def test_a_proposal_is_not_told_by_its_template(tmp_path: Path) -> None:
    path = tmp_path / "proposal.md"
    path.write_text(
        "# Panels\n\n## Motivation\n\nGates of one panel are too heavy to be raised by one person alone.\n\n"
        "## Proposal\n\nThis proposal lets a gate have several panels that move on their own.\n\n"
        "## Test Plan\n\nThis section must be completed when targeting beta graduation to a release.\n\n"
        "## Alternatives\n\nThis proposal could have made the gates lighter, which is not enough.\n",
        encoding="utf-8",
    )
    document = read(path)
    candidates = Candidates.of(paginate([document], choose_locality([document]).locality, 1024), [document])
    structure = Structure.of(candidates)
    assert structure.document_kind is DocumentKind.PROPOSAL
    asks = [sentence.text.startswith("This section must") for sentence in candidates.sentences]
    assert structure.is_presentable.tolist() == [not each for each in asks]


def test_a_shorter_summary_of_notes_is_part_of_the_longer_one(tmp_path: Path) -> None:
    things = ["gates", "locks", "weirs", "mills", "canals", "bridges", "ponds", "wells", "pumps", "dykes"]
    lists = "".join(
        f"\n## {kind}\n\n"
        + "".join(
            f"- The {kind.lower()} panel of {thing} number {len(thing)} says how {thing} are kept.\n"
            for thing in things
        )
        for kind in ("New features", "Deprecations", "Bug fixes")
    )
    path = tmp_path / "5.4.md"
    path.write_text(f"# Sluice 5.4 release notes\n{lists}", encoding="utf-8")
    documents = [read(path)]
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    made = [
        {
            sentence.text
            for sentence in compose(pages, documents, Request(num_words=words, has_length=True)).sentences
        }
        for words in NAMED_LENGTHS.values()
    ]
    assert 0 < len(made[0]) < len(made[-1])
    assert all(shorter <= longer for shorter, longer in pairwise(made))
    # Each is what all lengths from one run hold.
    together = compose(pages, documents, Request(num_words=max(NAMED_LENGTHS.values()), all_lengths=True))
    named = {each.name: {sentence.text for sentence in each.sentences} for each in together.lengths}
    assert [named[name] for name in NAMED_LENGTHS] == made
    assert named[SENTENCE] <= named["short"]


@pytest.mark.parametrize("again", [" #1", " #1 and", ", (#1)", " https://a.example/pull/1"])
def test_many_numbers_that_do_not_end_a_change_are_read_in_no_time(again: str) -> None:
    """A pattern that gave numbers back one by one would need hours for as few as forty."""
    text = f"Fixed a{again * 4000} end"
    assert plain_change(text) == text


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


def test_headings_that_begin_like_a_number_are_shown_as_they_are_written(tmp_path: Path) -> None:
    text = (
        "# 3.1 release notes\n\n## New features\n\n### A faster parser\n\nFiles are read three times as fast as"
        " before.\n\n## Bug fixes\n\n- Fixed a crash when the drawing was empty and had no tool.\n"
    )
    headings, sentences, _ = written(tmp_path, "notes.md", text)
    assert headings[0] == "3.1 release notes"
    assert "A faster parser: Files are read three times as fast as before." in sentences


def told(folder: Path, text: str, *, words: int = 150, **asked: bool) -> Extract:
    """What is written of notes."""
    path = folder / "notes.md"
    path.write_text(text, encoding="utf-8")
    documents = [read(path)]
    pages = paginate(documents, choose_locality(documents).locality, ExtractMethod.page_len)
    return compose(pages, documents, Request(num_words=words, **asked))


def labelled(made: Extract) -> list[str]:
    return [sentence.labelled for sentence in made.sentences]


NOW = "The lock now opens both of its gates by itself when a boat waits in front of it."


@pytest.mark.parametrize(
    "before",
    [
        "Previously, keepers had to open both gates of a lock by hand for every boat.",
        "Before Sluice 5.1 keepers opened both gates of a lock by hand for every boat.",
        "In Sluice 4.9 the keepers opened both gates of a lock by hand for every boat.",
        "Keepers used to open both gates of a lock by hand for every boat that came.",
    ],
)
def test_a_change_is_told_and_not_how_it_was_before(tmp_path: Path, before: str) -> None:
    notes = f"# Sluice 5.1 release notes\n\n## New features\n\n### Gates of locks\n\n{before} {NOW}\n"
    assert any(NOW in sentence for sentence in labelled(told(tmp_path, notes)))
    # Where no sentence says what changed, the heading does.
    notes = (
        f"# Sluice 5.1 release notes\n\n## New features\n\n### Locks open by themselves\n\n{before}\n"
        "\n### Better forecasts\n\nThe new gauge measures the rain of a day and of the whole week.\n"
    )
    made = told(tmp_path, notes)
    assert labelled(made) == [
        "Better forecasts: The new gauge measures the rain of a day and of the whole week."
    ]
    assert made.other_sections == ("Locks open by themselves",)


def test_an_explanation_does_not_stand_for_the_change_that_its_heading_states(tmp_path: Path) -> None:
    notes = (
        "# Sluice 5.1 release notes\n\n## New features\n\n### Weirs are now drawn as maps\n\n"
        "A weir is a low wall of stone across the whole of a river that holds back its water.\n"
        "\n### Gauges of rain\n\nThe new gauge measures the rain of a day and of the whole week.\n"
    )
    made = told(tmp_path, notes)
    assert not any("low wall" in sentence for sentence in labelled(made))
    assert made.other_sections == ("Weirs are now drawn as maps",)


def test_highlights_come_first_and_are_told_once(tmp_path: Path) -> None:
    highlights = [
        "New gauge that measures the rain of a day.",
        "Locks open both gates by themselves.",
        "Maps of weirs in four colours.",
        "Support for barges of any length.",
    ]
    listed = "".join(f"- {highlight}\n" for highlight in highlights)
    rest = (
        "## Improvements\n\n- The new gauge measures the rain of a day.\n- Faster printing of tide tables.\n"
    )
    made = told(tmp_path, f"# Sluice 5.1 release notes\n\n## Highlights of this release\n\n{listed}\n{rest}")
    assert [entry.heading for entry in made.outline][1:] == ["Highlights", "New features (1 of 2)"]
    assert labelled(made) == [*highlights, "Faster printing of tide tables."]
    # So are those of which the opening has a list.
    made = told(tmp_path, f"# Sluice 5.1 release notes\n\nThe highlights are:\n\n{listed}\n{rest}")
    assert labelled(made)[:4] == highlights


def test_headings_of_other_changes_are_named_as_far_as_they_say_something(tmp_path: Path) -> None:
    things = ["barges", "canals", "dykes", "ferries", "gauges", "harbours"]
    features = "".join(
        f"### Maps of {thing}\n\nMaps of {thing} can now be drawn in as many colours as the keeper of the "
        f"{thing} likes, and printed on paper of any size that a printer of {thing} takes in.\n\n"
        for thing in things
    )
    notes = (
        f"# Sluice 5.1 release notes\n\n## New features\n\n{features}"
        "### sluice.tides\n\nTides are counted.\n\n### What's next\n\nMore of it is to come.\n\n"
        "## Minor features\n\n### Colours of flags\n\nFlags may be red, and also green or yellow now.\n"
    )
    made = told(tmp_path, notes, words=60)
    quoted = {thing for thing in things for sentence in labelled(made) if thing in sentence}
    assert 0 < len(quoted) < len(things)
    assert made.other_sections == tuple(f"Maps of {thing}" for thing in things if thing not in quoted)


def test_ten_other_changes_are_named_at_most_none_of_how_to_use_the_program(tmp_path: Path) -> None:
    things = [
        "barges",
        "canals",
        "dykes",
        "ferries",
        "gauges",
        "harbours",
        "inlets",
        "jetties",
        "keels",
        "locks",
        "moles",
        "nets",
        "oars",
    ]
    features = "".join(
        f"### Maps of {thing}\n\nMaps of {thing} can now be drawn in as many colours as the keeper of the "
        f"{thing} likes, and printed on paper of any size that a printer of {thing} takes in.\n\n"
        for thing in things
    )
    guide = "### How to draw a lighthouse\n\n" + "It is drawn with the pencil of its keeper. " * 20
    notes = f"# Sluice 5.1 release notes\n\n## New features\n\n{guide}\n\n{features}"
    named = told(tmp_path, notes, words=60).other_sections
    assert len(named) == 10
    assert all(heading.startswith("Maps of ") for heading in named)


def test_what_users_lose_is_told_as_such_under_any_heading(tmp_path: Path) -> None:
    notes = (
        "# What's new in Sluice 5.1\n\n## Targets\n\nSluice 5.1 drops support for the fourth edition of the tables.\n"
        "\n## Gates\n\nThe argument order of gates has been removed from every one of them.\n"
        "\n## Locks\n\nThe limit of twelve locks has been removed for canals of all kinds.\n"
        "\n## Weirs\n\nThe method weir.close is deprecated in favour of the method weir.shut.\n"
    )
    made = told(tmp_path, notes)
    kinds = {sentence.text: entry.heading for entry in made.outline for sentence in entry.sentences}
    assert {text.split()[1]: kind for text, kind in kinds.items()} == {
        "5.1": "Breaking changes",
        "argument": "Removed",
        "limit": "New features",
        "method": "Deprecations",
    }


def test_what_ends_support_comes_before_other_changes_that_break(tmp_path: Path) -> None:
    notes = (
        "# Sluice 5.1 release notes\n\n## Breaking changes\n\n"
        "- The default depth of every channel is now measured in metres and not in feet.\n"
        "- Support for the fourth edition of the tide tables has been dropped.\n"
    )
    (only,) = labelled(told(tmp_path, notes, words=16, has_length=True))
    assert only.startswith("Support for the fourth edition")


def test_what_concerns_makers_and_what_every_release_says_comes_last(tmp_path: Path) -> None:
    notes = (
        "# Sluice 5.1 release notes\n\nWe are happy to announce the new release of Sluice 5.1 to everybody.\n\n"
        "Sluice 5.1 is the culmination of six months of hard work on this release.\n\n"
        "This release runs on every version of the board.\n\n## New features\n\n"
        "- The internal tests of gates now run twice as fast as they did.\n"
        "- Gates can now be opened from a distance of many miles at once.\n"
    )
    made = told(tmp_path, notes, words=24, has_length=True)
    assert labelled(made) == [
        "This release runs on every version of the board.",
        "Gates can now be opened from a distance of many miles at once.",
    ]


def test_the_release_that_others_mend_has_most_of_the_words(tmp_path: Path) -> None:
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
    assert len(made.outline[-1].sentences) == 3


def test_titles_of_merged_changes_are_told_by_their_tags(tmp_path: Path) -> None:
    things = ["gate", "lock", "weir", "mill", "dyke"]
    tags = {"ENH": "New features", "BUG": "Bug fixes", "DEP": "Deprecations", "DOC": ""}
    merged = "".join(
        f"- #{100 + number * 10 + at}: {tag}: Words about the {thing} for {tag.lower()} readers.\n"
        for number, tag in enumerate(tags)
        for at, thing in enumerate(things)
    )
    made = told(tmp_path, f"# Changelog\n\n## Pull requests merged\n\n{merged}")
    assert [entry.heading.partition(" (")[0] for entry in made.outline] == [
        "Deprecations",
        "New features",
        "Bug fixes",
    ]
    assert not any("#" in text or "doc readers" in text for text in labelled(made))


def test_libraries_in_the_notes_of_a_program_are_no_releases_of_it(tmp_path: Path) -> None:
    listed = NOTES + "\n## Libraries\n\n- Tidelib 6.0.2\n\n- Moonlib 2.1.7\n"
    headings, _, _ = written(tmp_path, "5.2.md", listed)
    assert headings[0] == "Sluice 5.2 release notes"
    assert "Breaking changes" in headings
