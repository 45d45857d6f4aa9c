"""What of the many releases of a changelog is told, and how: the newest whole, of earlier ones what still counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from written_notes import labelled, told, written

from lsum_cli import Summarizer, SummaryOptions, read
from lsum_cli.methods.extract.listed_changes.support import is_surpassed, is_told_in, supports_of
from lsum_cli.methods.extract.release_names import names_release
from lsum_cli.rendering.formats import Format, render

THINGS = ("gates", "locks", "weirs", "mills", "canals", "ponds", "ropes", "bells")


def series(*releases: tuple[str, str]) -> str:
    """A changelog of releases with what each of them changes."""
    return "# Changes\n" + "".join(f"\n## {name}\n\n{changes}\n" for name, changes in releases)


NEWEST = (
    ("9.9.0", "- The new panel of gates shows how high the water of a river stands."),
    ("9.8.0", "- Barges may carry a second mast with lanterns of any colour."),
    ("9.7.0", "- A siren sounds on the pier as soon as somebody waits below it."),
    ("9.6.0", "- Forecasts of the tide now cover fourteen days instead of seven."),
    ("9.5.0", "- Keepers can write their diaries to a file of any name they choose."),
)


def test_releases_are_known_in_a_list_of_lists(tmp_path: Path) -> None:
    text = (
        "# Changes\n\n- v2-1-0\n    - Added a lamp to the boats of all keepers.\n"
        "    - Dropping support for Lathe 3.9\n- v2-0-0\n    - The method that raised gates has been removed.\n"
    )
    headings, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert headings == ["v2-1-0", "v2-0-0"]
    assert sentences[0] == "Breaking: Dropping support for Lathe 3.9"
    assert names_release("v2-1-0") == "2-1-0"
    assert names_release("v2-1") is None


def test_a_release_in_the_line_of_its_change_is_told_once(tmp_path: Path) -> None:
    text = (
        "# Changes\n\n- v2-1-0\n    - Added a lamp to the boats of all keepers.\n"
        "- v2-0-1\n    - Fixed the chain of a boat.\n- v2-0-0: The method that raised gates has been removed.\n- v1-0-0: Fixed the bell of the bridge.\n"
    )
    headings, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert headings[:3] == ["v2-1-0", "v2-0-1", "v2-0-0"]
    assert sentences[2] == "Breaking: The method that raised gates has been removed."


def test_a_note_heads_one_item(tmp_path: Path) -> None:
    for heading, kind in (("Upgrade note:", "Added a"), ("Upgrade notes:", "Upgrade: Added a")):
        text = series(
            (
                "2.1.0",
                f"- {heading}\n    - Gates are now opened by their number alone.\n"
                "- Added a lamp to the boats of all keepers.",
            ),
            ("2.0.0", "- Fixed the bell of the second bridge."),
        )
        _, sentences, _ = written(tmp_path, "CHANGES.md", text)
        assert "Upgrade: Gates are now opened by their number alone." in sentences
        assert any(sentence.startswith(kind) for sentence in sentences)


@pytest.mark.parametrize(
    ("text", "other", "is_told"),
    [
        (
            "added some support for the upcoming Lathe version 3.11",
            "Adds Lathe 3.11, removes Lathe 3.6.",
            True,
        ),
        ("Lathe 3.6 reached its end of life on 2021/12/23 and is no longer supported by Tidewatch", "", True),
        ("Drop support for Lathe 3.11", "", False),
        ("Lathe 3.6 is supported", "", False),
        ("Add experimental support for Lathe 3.11", "", False),
        ("Support Lathe 3.11 on Windows", "Adds Lathe 3.11, mends the bell on Windows.", False),
        ("Support Lathe 3.11 and 3.12", "", False),
        ("Drop support for Lathe < 3.6", "Drop support for Lathe 3.6", False),
        ("Add a lamp to the boats", "Add a lamp to the boats", False),
    ],
)
def test_what_says_only_what_is_supported_is_told_in_another(text: str, other: str, is_told: bool) -> None:
    other = other or "Adds support for Lathe 3.11, removes support for Lathe 3.6, mends the bell."
    assert is_told_in(text, other) is is_told


def test_what_comes_and_what_ends() -> None:
    found = supports_of("Drop support for Lathe 2.7 and 3.5, add Lathe 3.11; Sluice 4 is needed")
    assert {(each.does, each.number) for each in found if each.name == "lathe"} == {
        ("ends", "2.7"),
        ("ends", "3.5"),
        ("comes", "3.11"),
    }


def test_of_one_release_support_is_told_once(tmp_path: Path) -> None:
    whole = "Adds support for Lathe 3.11, removes support for Lathe 3.6, moves the root of all paths."
    parts = "- Lathe 3.6 is no longer officially supported.\n- Added some support for Lathe version 3.11"
    text = series(("2.1.0", f"{whole}\n\n### Changes\n\n{parts}"), ("2.0.0", "- Fixed the bell of a bridge."))
    _, sentences, _ = written(tmp_path, "CHANGES.md", text)
    assert [sentence for sentence in sentences if "Lathe" in sentence] == [f"Breaking: {whole}"]


def test_small_additions_of_long_ago_are_left_out(tmp_path: Path) -> None:
    small = [(f"2.{20 - at}.0", f"- Add {thing} that can be lit by hand.") for at, thing in enumerate(THINGS)]
    old = ("1.5.0", "- The method that raised all the gates has been removed.")
    lines = labelled(told(tmp_path, series(*NEWEST, *small, old), words=100))
    assert any("raised all the gates" in line for line in lines)
    assert sum("lit by hand" in line for line in lines) <= 1
    # A length that is asked for is filled.
    lines = labelled(told(tmp_path, series(*NEWEST, *small, old), words=100, has_length=True))
    assert sum("lit by hand" in line for line in lines) > 1


def test_old_repairs_are_left_out_where_there_are_many_releases(tmp_path: Path) -> None:
    repair = (
        "8.0.1",
        "### Fixed\n\n- Fixed support for the importer of wide tables, which were lost on export.",
    )
    for newest, is_left_out in ((NEWEST, True), (NEWEST[:3], True), (NEWEST[:1], False)):
        text = series(*newest, repair, ("8.0.0", "- The method that raised all the gates has been removed."))
        assert any("importer" in line for line in labelled(told(tmp_path, text))) is not is_left_out


def test_newest_repairs_take_one_line(tmp_path: Path) -> None:
    repairs = [
        (
            f"3.1.{number}",
            f"- Fixed a crash of importer {number} on empty tables.\n- Fixed the width of column {number}.",
        )
        for number in (3, 2, 1)
    ]
    base = ("3.1.0", "- Support for tables of the old form was removed.\n- Added a lamp to all the boats.")
    headings, sentences, _ = written(tmp_path, "CHANGES.md", series(*repairs, base))
    assert headings == ["3.1.3 (1 of its 2 changes)", "3.1.0"]
    assert len(sentences) == 3
    # What whoever upgrades must know is no small repair.
    flaw = ("3.1.3", "- Fixed a crash of importer 3.\n- Fixed a vulnerability of gates to crafted messages.")
    _, sentences, _ = written(tmp_path, "CHANGES.md", series(flaw, base))
    assert sum("Fixed" in sentence for sentence in sentences) == 2


def test_an_aside_that_something_else_removes_breaks_nothing(tmp_path: Path) -> None:
    aside = "Harbours are for some reason removing support for lamps, which is why lamps are now lit by hand."
    for change, label in ((aside, None), ("Removing support for lamps that are lit by hand.", "Breaking")):
        made = told(tmp_path, series(("2.1.0", f"- {change}"), ("2.0.0", "- Fixed the bell of a bridge.")))
        assert made.sentences[0].label == label


def test_the_date_of_an_earlier_release_is_told_once(tmp_path: Path) -> None:
    lines = "".join(f"- The method that raised all the {thing} has been removed.\n" for thing in THINGS)
    text = series(*NEWEST, ("Version 3.0.0 (2020-01-02)", lines))
    made = [each for each in told(tmp_path, text, words=250).sentences if "method" in each.text]
    assert [str(each.label) for each in made] == [
        "Version 3.0.0 (2020-01-02), Breaking",
        *["3.0.0, Breaking"] * (len(made) - 1),
    ]
    assert 1 < len(made) <= 4


def test_what_a_flaw_was_is_told_rather_than_what_is_so_now(tmp_path: Path) -> None:
    flaw = "Security fix (CVE-2026-12345): Prevent crafted messages from opening all the gates of a river."
    text = series(
        ("2.1.0", f"- {flaw} Long messages are now wrapped to reject all bells above 128."),
        ("2.0.0", "- Fixed the bell of a bridge."),
    )
    assert written(tmp_path, "CHANGES.md", text)[1][0] == flaw


def test_what_the_author_did_is_no_change(tmp_path: Path) -> None:
    lamps = "Lamps. {} took one of the new lamps, changed it and published it with all its oil."
    for who, is_told in (("I", False), ("Keepers", True)):
        text = series(("2.1.0", f"- {lamps.format(who)}\n- Added a bell."), ("2.0.0", "- Drop Lathe 3.6."))
        sentences = written(tmp_path, "CHANGES.md", text)[1]
        assert any("published" in sentence for sentence in sentences) is is_told


def test_a_section_is_cited_without_the_release_that_its_line_begins_with(tmp_path: Path) -> None:
    lines = (
        "- The method that raised all the gates has been removed.\n- The iron bells of every mill are gone.\n"
    )
    old = ("Version 3.0.0 (2020-01-02)", f"### Changed\n\n{lines}")
    early = ("Version 2.0.0 (2019-01-02)", "### Changed\n\n- Ropes that nobody pulls are gone.")
    path = tmp_path / "CHANGES.md"
    path.write_text(series(*NEWEST, old, early), encoding="utf-8")
    made = Summarizer(SummaryOptions(method="extract", length=250)).summarize([read(path)])
    text = render(made, Format.TEXT)
    assert re.search(r"^Version 3\.0\.0 \(2020-01-02\)(?:, \w+)?: The .*\.$", text, re.MULTILINE)
    assert re.search(r"^3\.0\.0(?:, \w+)?: The .*\.$", text, re.MULTILINE)
    # What kind of change it is the label says; what cites it has the whole name.
    assert "Version 3.0.0 (2020-01-02)" in render(made, Format.JSON)


def test_of_many_small_releases_only_the_newest_are_told_whole(tmp_path: Path) -> None:
    patches = [
        (f"3.1.{20 - at}", f"### Added\n\n- Add {thing} that are lit by hand.")
        for at, thing in enumerate(THINGS)
    ]
    old = ("3.1.2", "### Added\n\n- Added support for barges that carry lanterns of any colour.")
    lines = labelled(
        told(tmp_path, series(*patches, old, ("3.0.0", "- Drop support for Lathe 3.6.")), words=80)
    )
    assert not any("lanterns" in line for line in lines)
    lines = labelled(told(tmp_path, series(*patches[:3], old, ("3.0.0", "- Drop Lathe 3.6.")), words=80))
    assert any("lanterns" in line for line in lines)


def test_of_an_earlier_release_two_additions_are_told(tmp_path: Path) -> None:
    changes = [change for _, change in NEWEST]
    newest = list(zip(("9.9.1", "9.9.0", "9.8.1", "9.8.0"), changes, strict=False))
    things = ("gates at noon", "iron bells", "wide barges", "lanterns of any colour", "deep canals")
    added = "".join(f"- Added support for {thing}.\n" for thing in things)
    made = told(tmp_path, series(*newest, ("9.7.0", added), ("9.6.0", changes[4])), words=250)
    assert made.outline[-1].heading.startswith("From the")
    assert sum("Added support" in each.text for each in made.outline[-1].sentences) == 2


@pytest.mark.parametrize(
    ("text", "other", "is_so"),
    [
        ("Support for Lathe 3.9 has been added.", "Support for Lathe 3.10 has been added.", True),
        ("Drop support for Lathe 3.6", "Drop Lathe 3.7, add Lathe 3.12", True),
        ("Support for Lathe 3.10 has been added.", "Support for Lathe 3.9 has been added.", False),
        ("Drop support for Lathe 2.7", "Drop support for Lathe 3.5", False),
        ("Drop support for Lathe 3.5", "Support Lathe 3.12", False),
        ("Support Lathe 3.9", "Support Weir 3.10", False),
        ("Support Lathe 3.9 on barges", "Support Lathe 3.10", False),
        ("Support Lathe 3", "Support Lathe 4", False),
    ],
)
def test_a_later_version_tells_enough_of_those_before_it(text: str, other: str, is_so: bool) -> None:
    assert is_surpassed(text, other) is is_so


def test_of_versions_that_come_and_go_one_by_one_the_last_is_told(tmp_path: Path) -> None:
    lines = "".join(
        [f"- Support for Lathe 3.{number} has been removed.\n" for number in (6, 7, 8)]
        + [f"- Support for Lathe 3.{number} has been added.\n" for number in (11, 12)]
    )
    _, sentences, _ = written(
        tmp_path,
        "changes.md",
        f"# Changes\n\n## 4.1.0\n\n{lines}\n## 4.0.0\n\n- Add a gate to all of the piers.\n",
    )
    told = [text for text in sentences if "Lathe" in text]
    assert told == [
        "Breaking: Support for Lathe 3.8 has been removed.",
        "Support for Lathe 3.12 has been added.",
    ]


def test_a_flaw_with_a_number_is_told_of_older_releases_too(tmp_path: Path) -> None:
    flaw = "Fixed a flaw by which anyone could open the gates of a harbour (CVE-2018-7749)."
    releases = [
        f"\n## 1.{60 - at}.0\n\n- Added a panel of the height of water at pier {at} of the river.\n"
        for at in range(40)
    ]
    releases[30] += f"- {flaw}\n"
    _, sentences, _ = written(tmp_path, "changes.md", "# Changes\n" + "".join(releases))
    assert any("CVE-2018-7749" in sentence for sentence in sentences)
