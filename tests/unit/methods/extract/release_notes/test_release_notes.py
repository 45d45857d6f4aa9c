"""Notes of one release: told by kind, what breaks first, trifles never."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from written_notes import labelled, told, written

from lsum_cli import read
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.composition import Request, compose
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import NAMED_LENGTHS, SENTENCE


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


def test_headings_that_begin_like_a_number_are_shown_as_they_are_written(tmp_path: Path) -> None:
    text = (
        "# 3.1 release notes\n\n## New features\n\n### A faster parser\n\nFiles are read three times as fast as"
        " before.\n\n## Bug fixes\n\n- Fixed a crash when the drawing was empty and had no tool.\n"
    )
    headings, sentences, _ = written(tmp_path, "notes.md", text)
    assert headings[0] == "3.1 release notes"
    assert "A faster parser: Files are read three times as fast as before." in sentences


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


def test_titles_of_merged_changes_are_told_by_their_tags(tmp_path: Path) -> None:
    things = ["gate", "lock", "weir", "mill", "dyke"]
    tags = {"ENH": "New features", "BUG": "Bug fixes", "DEP": "Deprecations", "DOC": ""}
    merged = "".join(
        f"- #{100 + number * 10 + at}: {tag}: Words about the {thing} for {tag.lower()} readers.\n"
        for number, tag in enumerate(tags)
        for at, thing in enumerate(things)
    )
    text = f"# Changelog\n\n## Pull requests merged\n\n{merged}"
    made = told(tmp_path, text, words=150, has_length=True)
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


def test_a_list_of_commits_is_told_by_area_with_counts(tmp_path: Path) -> None:
    places = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine")
    lines = "".join(
        f"* PR #{100 + number}: (kira) [5.1] {title} @ 2024-05-01 10:11:12 UTC\n\n"
        f"* 4f{number}a6c9e0 Merge pull request #{100 + number} from kira/mend\n\n"
        f"* 4f{number}a6c9e1 {title}\n\n"
        for number, title in enumerate(
            [
                *(f"Fix water_gate.open in the harbour of {place}" for place in places[:5]),
                *(f"Let boats with a Sail pass the bridge of {place}" for place in places[5:8]),
                "Keep the lantern of every pier lit until the morning comes",
                "Show keepers who is asleep at noon",
                "Count fish that nobody has caught",
                "Send letters to all widows by hand",
                "Sell tickets for dances on deck",
                "Update release notes of this version for everybody",
                "Back-port #104 to this series for everybody",
            ]
        )
    )
    notes = (
        "# Sluice 5.1.2 Release Notes\n\nSluice 5.1.2 is a bugfix release for Sluice 5.1.0.\n\n"
        f"## Changelog for v5.1.1..v5.1.2\n\n{lines}"
    )
    made = told(tmp_path, notes, words=120)
    assert [entry.heading for entry in made.outline][-1].startswith("Changes (")
    assert made.outline[-1].heading.endswith("of 13)")
    told_of = labelled(made)
    assert any(
        each.startswith("water (5 changes): Fix water_gate.open in the harbour of") for each in told_of
    )
    assert any(each.startswith("Sail (3 changes): Let boats with a Sail pass") for each in told_of)
    assert "Keep the lantern of every pier lit until the morning comes" in told_of
    assert not any(
        sign in each for each in told_of for sign in ("Merge", "4f", "#1", "UTC", "kira", "elease notes")
    )


def test_commits_beside_changes_that_are_told_are_only_counted(tmp_path: Path) -> None:
    lines = "".join(f"* PR #{100 + number}: Mend boat number {number} of Ash\n\n" for number in range(30))
    features = "".join(
        f"- The new panel of {thing} shows how high the water stands.\n\n"
        for thing in ("gates", "locks", "weirs", "mills", "canals")
    )
    notes = f"# Sluice 5.1 Release Notes\n\n## New features\n\n{features}## Pull requests\n\n{lines}"
    assert not any("Mend boat" in each for each in labelled(told(tmp_path, notes)))


ISSUES = """# Sluice 5.1.3 release notes

Sluice 5.1.3 fixes two security issues of Sluice 5.1.2.

## Opening of gates without a key

Gates are opened by keepers, who have keys for them, and by the guards of the harbour at night.

The panel of gates did not check the key of a keeper, which an attacker could use to flood a harbour.
To remedy this, the panel now asks for the key of every keeper.

## CVE-2024-1234: Bells of strangers

Bells ring when a boat arrives.

Strangers could ring every bell of the harbour without permission by sending a crafted message to it.
Messages of strangers are now refused by the bells of all harbours.

## Bugfixes

- Fixed the colour of the flag of the second bridge.
"""


def test_of_a_security_issue_the_flaw_and_the_remedy_are_told(tmp_path: Path) -> None:
    made = told(tmp_path, ISSUES)
    assert [entry.heading for entry in made.outline][1:4] == ["Overview", "Security", "Bug fixes"]
    assert [sentence.labelled for sentence in made.outline[2].sentences] == [
        "Opening of gates without a key: The panel of gates did not check the key of a keeper, "
        "which an attacker could use to flood a harbour.",
        "To remedy this, the panel now asks for the key of every keeper.",
        "CVE-2024-1234: Bells of strangers: Strangers could ring every bell of the harbour without permission by "
        "sending a crafted message to it.",
        "Messages of strangers are now refused by the bells of all harbours.",
    ]
    # Where there is less room the remedy of each comes before the flaw of one.
    made = told(tmp_path, ISSUES, words=45, has_length=True)
    assert [sentence.text.split()[0] for sentence in made.outline[-1].sentences] == ["The", "Messages"]


def test_a_section_on_safety_is_no_security_issue_in_notes_of_features(tmp_path: Path) -> None:
    notes = ISSUES.replace("fixes two security issues of", "has new bells beside those of")
    made = told(tmp_path, notes)
    (security,) = [entry for entry in made.outline if entry.heading.startswith("Security")]
    assert all("bell" in sentence.text for sentence in security.sentences)


LANTERNS = "The lanterns on every pier of a harbour can now burn for the whole of a night."
BELLS = "The bells on every tower of a harbour can now ring for the whole of a day."
DETAILS = "It was asked for by keepers of harbours in the north, where nights are long and cold. " * 8


@pytest.mark.parametrize(
    ("told_of", "other"),
    [
        # What states a change comes before how it was.
        (LANTERNS, "The lanterns on every pier of a harbour used to burn for half of a night."),
        # What is short comes before what says as much in more words.
        (
            LANTERNS,
            "The bells on every tower of a harbour can now ring for the whole of a day, from the hour at which the "
            "keeper wakes up until the hour at which the keeper and all of the guards are asleep.",
        ),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_of_two_changes_the_better_one_is_told(
    tmp_path: Path, told_of: str, other: str, is_first: bool
) -> None:
    listed = "".join(f"- {each}\n" for each in ((told_of, other) if is_first else (other, told_of)))
    notes = f"# Sluice 5.1 release notes\n\n## New features\n\n{listed}"
    room = len(told_of.split()) + len(other.split()) - 1
    features = told(tmp_path, notes, words=room, has_length=True).outline[-1]
    assert [sentence.text for sentence in features.sentences] == [told_of]


@pytest.mark.parametrize("is_first", [True, False])
def test_of_two_sections_the_one_with_more_to_say_is_told(tmp_path: Path, is_first: bool) -> None:
    sections = [f"### Lanterns\n\n{LANTERNS} {DETAILS}\n\n", f"### Bells\n\n{BELLS}\n\n"]
    listed = "".join(sections if is_first else reversed(sections))
    notes = f"# Sluice 5.1 release notes\n\n## New features\n\n{listed}"
    features = told(tmp_path, notes, words=20, has_length=True).outline[-1]
    assert [sentence.text for sentence in features.sentences] == [LANTERNS]


def test_what_was_merged_is_told_by_its_verb_and_by_what_commits_are_called(tmp_path: Path) -> None:
    merged = [
        "Fix the bell of the third bridge",
        "feat(gates): open every gate at noon",
        "refactor!: drop the old gates of the harbour",
        "Count the boats that wait at night",
        "Update README",
    ]
    at = "in https://example.org/acme/query/pull"
    listed = "".join(f"* {title} by @kira {at}/{number}\n" for number, title in enumerate(merged, 81))
    made = told(tmp_path, f"# v3.2.0\n\n## What's Changed\n\n{listed}")
    kinds = {sentence.text: entry.heading for entry in made.outline for sentence in entry.sentences}
    assert kinds == {
        "Drop the old gates of the harbour": "Breaking changes",
        "Open every gate at noon": "New features",
        "Count the boats that wait at night": "Changes (1 of 2)",
        "Fix the bell of the third bridge": "Bug fixes",
    }


CLOSED = """# Sluice 5.2.1 release notes

Sluice 5.2.1 is a bug-fix release with no new features compared to 5.2.0.

## Issues closed for 5.2.1

- #31: BUG: the gauge of a lock returns nothing in winter
- #32: BUG: gates can no longer be opened from below
- #33: BUG: \\`open_gate\\` fails for a gate of one panel
"""


def test_what_closed_issues_say_is_told_as_a_change_only_by_the_change(tmp_path: Path) -> None:
    text = f"""{CLOSED}
## Pull requests for 5.2.1

- #41: BUG: fix the reading of \\`Gauge\\` at temperatures below zero
- #42: BUG: gates: accept that a gate is opened from...
"""
    headings, sentences, warnings = written(tmp_path, "5.2.1.md", text)
    assert headings == ["Sluice 5.2.1 release notes", "Overview", "Bug fixes (1 of 2)"]
    assert sentences[1:] == ["fix the reading of Gauge at temperatures below zero"]
    assert warnings == ("not in the summary: Issues closed (3)",)


def test_where_closed_issues_are_all_there_is_they_are_called_so(tmp_path: Path) -> None:
    _, _, overview = CLOSED.partition("5.2.0.")
    headings, sentences, _ = written(tmp_path, "5.2.1.md", f"# Sluice 5.2.1 release notes\n{overview}")
    assert headings == ["Sluice 5.2.1 release notes", "Issues closed"]
    assert sentences == [
        "the gauge of a lock returns nothing in winter",
        "gates can no longer be opened from below",
        "open_gate fails for a gate of one panel",
    ]


def test_a_label_in_capitals_is_not_told_twice(tmp_path: Path) -> None:
    text = """# Changelog

## 3.0.0

- **BACKWARDS INCOMPATIBLE** Dropped the method that raises all gates at once
- Added a reading of the gauge in winter

## 2.0.0

- Added locks with several gates
"""
    _, sentences, _ = written(tmp_path, "CHANGELOG.md", text)
    assert sentences[0] == "Breaking: Dropped the method that raises all gates at once"
