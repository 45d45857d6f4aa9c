"""How clearly a sentence of release notes states a change, and not how it was before."""

from __future__ import annotations

import pytest

from lsum_cli.methods.extract.listed_changes.change import asks, plain_change
from lsum_cli.methods.extract.listed_changes.kinds import (
    BREAKING,
    CHANGES,
    FEATURES,
    FIXES,
    OTHER,
    REMOVED,
    SECURITY,
    changes_terms,
    drops_support,
    ends_the_same,
    kind_by_flaw,
    kind_by_loss,
    kind_by_verb,
    kind_named_by,
    kind_of_label,
    kind_of_line,
    label_of,
    must_be_known,
    platform_ended,
    platform_supported,
    tells_flaw,
    urgency,
)
from lsum_cli.methods.extract.listed_changes.support import only_comes
from lsum_cli.methods.extract.listed_changes.wording import clarity_of, is_minor, is_trifle, says_topic


def test_a_sentence_that_begins_with_how_it_was_states_no_change() -> None:
    assert clarity_of("Previously, new tables were added by hand.") < clarity_of(
        "New tables were added by hand previously."
    )


def test_another_release_is_named_for_how_it_was_unless_it_is_told_how_it_is_now() -> None:
    title = "Lathe 3.1"
    assert clarity_of("Tables are removed in Lathe 3.0.", title=title) < 0
    assert clarity_of("Tables are removed in Lathe 3.1.", title=title) == 1
    assert clarity_of("Unlike in Lathe 3.0, tables are no longer kept.", title=title) == 1


def test_what_has_the_words_of_its_heading_is_clearer_and_what_is_long_less_clear() -> None:
    plain = "Tables are removed."
    assert clarity_of(plain, "Tables") > clarity_of(plain)
    assert clarity_of(f"{plain[:-1]} {'and more ' * 20}.") < clarity_of(plain)


def test_a_heading_that_states_the_change_is_not_said_by_what_only_has_most_of_its_words() -> None:
    assert not says_topic("The old tidal tables of the harbour are many.", "Dropped old tidal harbour tables")
    assert says_topic("The old tidal tables of the harbour are many.", "Old tidal harbour tables")


def test_what_points_to_issues_or_thanks_finders_is_a_trifle() -> None:
    assert is_trifle("Related issues and pull requests on GitHub: #12, #34.")
    assert is_trifle("Issue found by Kira of the north pier.")
    assert is_trifle("Fix for issues #473, #474 and #475")
    assert is_trifle("Fixes issue")
    assert not is_trifle("Fix for issues with locks that are open")
    assert is_trifle("List of backwards-incompatible changes.")
    assert not is_trifle("List of tides is sorted by harbour now and kept in memory.")


def test_a_private_key_concerns_users() -> None:
    assert is_minor("Rename a private method of gates.")
    assert not is_minor("Support a password for the private key of a gate.")


def test_a_later_python_ends_the_support_of_earlier_ones() -> None:
    assert drops_support("Require Python 3.12 and above; test on 3.14")
    assert drops_support("Test on Python 3.13 and remove Python 3.8")
    assert not drops_support("Gates may require Python to be installed.")
    assert drops_support("Officially drop Python 3.7 support")
    assert not drops_support("Unpin the gates now that support for Python 3.7 is dropped")


def test_what_ends_is_known_by_its_name() -> None:
    assert platform_ended("Drop support for Python 3.7, 3.8 and PyPy.") == "python"
    assert platform_ended("Minimum supported SQLite version is now 3.40") == "sqlite"
    assert platform_ended("This branch no longer supports macOS.") == "macos"
    assert platform_ended("Drop support for the unstable names of gates.") is None
    assert platform_ended("Gates are counted on Python 3.9.") is None
    # A name is a word of some length of its own.
    assert platform_ended(f"Drop support for {'A' * 41} 3.7") == "a" * 41
    assert platform_ended(f"Drop support for {'A' * 42} 3.7") is None
    assert platform_ended("Drop support for gates.Windows and Windows-like gates") is None


def test_a_version_ends_with_the_requirement_of_the_next_and_not_with_the_next_end() -> None:
    assert ends_the_same("Drop support for Python 3.7.", "Require Python 3.8 and above.")
    assert ends_the_same("Require Python 3.8 and above.", "Drop support for Python 3.7.")
    assert not ends_the_same("Drop support for Python 3.7.", "Drop support for Python 3.8.")
    assert not ends_the_same("Drop support for Python 3.8.", "Require Python 3.7 and above.")
    assert not ends_the_same("Drop support for Python 3.7.", f"Drop support for Python 3.{'1' * 5000}.")


def test_a_new_licence_is_another_than_one_that_is_spelt_anew() -> None:
    assert changes_terms("License changed to MIT")
    assert changes_terms("Gates are now licensed under the GPLv3.")
    assert not changes_terms("Update the broken license link in the footer.")


def test_a_bump_is_a_trifle_unless_it_is_for_security() -> None:
    assert is_trifle("Bump gates from 1.0 to 1.1")
    assert not is_trifle("Bump gates from 1.0 to 1.1 to address CVE-2024-1234")


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("Fix the license metadata field in pyproject.toml.", True),
        ("Update development status to 'mature'.", True),
        ("Changed the default branch from master to main", True),
        ("Rerelease to fix packaging metadata", True),
        ("Add support for pyproject.toml", False),
        ("Read the options of gates from setup.cfg", False),
        ("Specified in setup.py that gates requires Lathe 3.6 or later", False),
        ("Change the default branch of new repositories to main", False),
        ("Use tox.ini of the parent folder when none is given", False),
        ("Use setup.cfg if there is no other file", False),
        ("Add Python 3.14 classifier", True),
        ("Add a classifier of gates", False),
        ("Changes to existing gates", True),
        ("27.2 is a small release.", True),
        ("Use a newer cibuildwheel for all the gates", True),
        ("27.2 is a small release that adds a gate", False),
        ("Changes to existing gates need a rope", False),
    ],
)
def test_how_a_program_is_packaged_and_what_heads_a_list_are_trifles(text: str, is_so: bool) -> None:
    assert is_trifle(text) is is_so


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("The timeout did not stop the gates", True),
        ("Typing wrongly suggested that gates can be passed", True),
        ("Bug #12: Close the gate at night", False),
        ("Bug 12: add support for gates that are not closed", False),
        ("Bug 12: The gate cannot be closed at night", True),
        ("Issue 12: The gate cannot be closed at night", False),
        ("Issue 12: Raise ValueError when two gates are given", False),
        ("Git issue 625: KeyError instead of ValueError when two gates are given", True),
        ("Issue #12: Add a gate that is not closed", False),
        ("The gate now opens where it did not before", False),
        ("Gates do not open at night", False),
    ],
)
def test_what_only_says_how_it_was_wrong_is_of_a_fix(text: str, is_so: bool) -> None:
    assert tells_flaw(text) is is_so
    if is_so:
        assert label_of(FIXES, text, "") == "Fix"


def test_a_release_that_stops_supporting_something_drops_it() -> None:
    assert platform_ended("Stop supporting Lathe 3.9 and start supporting Lathe 3.13") == "lathe"


def test_what_a_link_stands_before_may_end_support() -> None:
    assert platform_ended("https://a.example/pull/1 -- drop Lathe 2.7") == "lathe"
    assert platform_supported("Added Lathe 3.12 support") == "lathe"
    assert platform_supported("Lathe 3.12 support is for barges") is None


def test_what_is_repaired_around_the_program_concerns_its_makers() -> None:
    assert is_minor("Prepare for the removal of mooring.gate")
    assert not is_minor("Gates prepare for the tide of the night")
    assert is_minor("Fix broken links of the harbour.")
    assert is_minor("Fix deprecated call of the gates.")
    assert not is_minor("Deprecate the call of the gates.")
    assert is_trifle("Upgrading the gates is strongly recommended.")
    assert not is_trifle("Gate() now needs a tide, as giving one is strongly recommended.")
    assert is_trifle("Anyone using gates before 3.1 is encouraged to upgrade.")
    assert is_trifle("Please check the guide before an upgrade of the gates.")


def test_who_upgrades_must_know_of_licences_defaults_and_needs() -> None:
    assert must_be_known(CHANGES, "The software licence has been changed to the GPLv3.")
    assert must_be_known(FIXES, "This release of the gates was yanked because of a leak.")
    assert must_be_known(FEATURES, "Gates are now shut by default.")
    assert must_be_known(FEATURES, "The program now depends on Mooring.")
    assert must_be_known(CHANGES, "Gate() now requires the argument for the tide.")
    assert not must_be_known(CHANGES, "The harbour now requires that gates are shut.")
    # That a fix makes a default what it should be is no news.
    assert not must_be_known(FIXES, "Gates are now shut by default.")
    assert not must_be_known(FEATURES, "Gates can be shut at night.")


def test_what_is_not_yet_to_be_relied_on_is_no_change_of_what_is() -> None:
    assert kind_named_by("Nightly only") == kind_named_by("Experimental features") == OTHER


def test_a_new_licence_comes_before_what_is_new() -> None:
    assert urgency(CHANGES, "License changed to MIT") < urgency(FEATURES, "Add a lamp.")


def test_variables_that_are_no_longer_read_are_removed() -> None:
    assert kind_by_loss("The GATE and BELL environment variables are no longer used.") == REMOVED
    assert kind_by_loss("The lamp is no longer used up.") is None


def test_a_release_of_security_is_known_by_what_it_calls_itself() -> None:
    assert kind_by_flaw("This is a security release.") == SECURITY
    assert kind_by_flaw("This is a bug-fix release.") is None


@pytest.mark.parametrize(
    ("text", "is_breaking"),
    [
        ("Gates open by hand (breaking change).", True),
        ("This is a breaking change of gates.", True),
        ("Pin Sluice < 2.2 as a fix for the breaking changes of gates.", False),
        ("Repaired what was caused by backwards-incompatible changes in Sluice.", False),
        ("The old gate option has been removed.", True),
        ("The pin for Sluice in the project file has been removed.", False),
        ("The upper bound for `sluice` has been removed.", False),
        ("The cap on the version of sluice has been removed.", False),
        ("The cap on Sluice <3 has been removed.", False),
        ("The cap on requests of guests has been removed", True),
        ("The pin of keepers has been removed", True),
        ("After breaking changes in the format of books old books cannot be read", True),
        ("Due to breaking changes in the format of books old books cannot be read", True),
        ("Mend the gate after the breaking changes of Sluice", False),
        ("Fixes #12: BREAKING CHANGE: dates are now in UTC", True),
        ("Fix the hour of dates [BREAKING]", True),
        ("Fix the search for 'BREAKING CHANGE:' in a log", False),
        ("Name what is needed now that Lathe 2 is no longer supported.", False),
        ("Lathe 2 is no longer supported.", True),
        ("Dropped official support for Lathe 2.", True),
        ("Dropped testing support for Lathe 2.", False),
    ],
)
def test_what_only_mentions_a_break_is_not_said_to_break(text: str, is_breaking: bool) -> None:
    assert (label_of(CHANGES, text, "") == "Breaking") == is_breaking


def test_a_fix_breaks_nothing_whatever_it_mends() -> None:
    assert kind_by_verb("Fix backwards incompatibility in the list of gates", CHANGES) == FIXES
    assert kind_by_verb("Open gates in a backwards incompatible way", CHANGES) == BREAKING
    assert kind_by_verb("Fixes the hour: BREAKING CHANGE: dates are now in UTC", CHANGES) == BREAKING


@pytest.mark.parametrize(
    ("text", "drops"),
    [
        ("Lathe 3.9 is EOL, not supported actively.", True),
        ("MNT Drop Lathe 2.7, 3.3, 3.4 and 3.5 support", True),
        ("Add a gate (requires Sluice >= 0.12)", False),
        ("Requires Sluice >= 0.12", True),
        ("Loosen the minimum required version of Sluice", False),
        ("Raise the minimum required version of Sluice", True),
    ],
)
def test_what_asks_more_of_users_ends_support(text: str, drops: bool) -> None:
    assert drops_support(text) == drops


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("BUG Open gates at night", FIXES),
        ("[ENH] Open gates at night", FEATURES),
        ("MRG, ENH: Open gates at night", FEATURES),
        ("[MRG] FIX Open gates at night", FIXES),
        ("MRG: Open gates at night", -1),
        ("[WIP] Open gates at night", -1),
        ("MRG: fix: open gates at night", FIXES),
        ("MRG, " * 2000, -1),
    ],
)
def test_a_tag_tells_the_kind_and_not_whether_a_change_is_ready(text: str, kind: int) -> None:
    assert kind_of_label(text) == kind


def test_what_was_implemented_and_which_bugs_were_fixed_are_kinds() -> None:
    assert kind_named_by("Implemented enhancements:") == FEATURES
    assert kind_named_by("Fixed bugs") == FIXES


def test_a_question_is_no_change() -> None:
    assert asks("Can gates open at night? #12")
    assert not asks("Gates can open at night #12")
    assert not asks("Allow `open?` #12")
    assert not asks("Allow `open?`")
    assert asks("Why does `open` fail?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Remove unused imports", True),
        ("Cleaned up various dead code.", True),
        ("Removed a few blank lines", True),
        ("gates: remove superfluous prints.", True),
        ("Remove redundant checks of passwords", False),
        ("Remove unnecessary password checks", False),
        ("Delete unused files on exit", False),
        ("Remove the old key from Travis", True),
        ("Remove unused options of gates", False),
        ("Remove the import of old gates", False),
        ("Removed empty rows from tables", False),
    ],
)
def test_what_nobody_misses_is_a_trifle(text: str, expected: bool) -> None:
    assert is_trifle(text) == expected


def test_what_comes_to_be_supported_breaks_nothing() -> None:
    assert only_comes("Add Lathe 3.14 support")
    assert only_comes("Official support for Lathe 3.14 and Sluice 4")
    assert not only_comes("Support for Lathe 2 ceases")
    assert not only_comes("Support for Lathe 2 is gone")
    assert not only_comes("Supports Lathe 4 and no Lathe 3")
    assert not only_comes("Support Lathe >= 3.14")
    assert not only_comes("Add support for Lathe 3 and change the default of gates to closed")
    assert not only_comes("Add support for Lathe 3.14, drop Lathe 3.9")
    assert not only_comes("Open gates at night")
    assert not only_comes("Sunset support for Lathe 3.9")
    assert not only_comes("Support for Lathe 3.9 is not official")


def test_what_stands_under_changes_that_break_and_says_that_none_does_is_not_labelled() -> None:
    assert label_of(BREAKING, "This release has no breaking changes for keepers of gates.", "") is None
    assert label_of(BREAKING, "Gates open by hand alone.", "") == "Breaking"


def test_brackets_in_the_heading_of_a_list_may_name_its_kind() -> None:
    assert kind_of_line("API Changes (Backward Incompatible)") == BREAKING
    assert kind_of_line("API Changes (Backward Compatible)") == CHANGES
    assert kind_of_line("API Changes (gates)") == -1


def test_what_is_unused_is_removed_and_heads_no_list() -> None:
    assert kind_of_line("Removed unused files") == -1
    assert kind_of_line("Removed features") == REMOVED
    assert kind_of_line("Removed") == REMOVED


def test_what_does_not_say_that_it_is_removed_is_labelled_so() -> None:
    for text in ("Added a gate", "The old gate", "New panel of the gate", "Add-on registry of the weir"):
        assert label_of(REMOVED, text, "Removed") == "Removed"
    assert label_of(REMOVED, "Drop the old gate", "Removed") is None


def test_a_flaw_is_declared_in_capitals_and_needs_no_other_label() -> None:
    flaw = "[gates] SECURITY Reject what leads out of the harbour"
    assert kind_by_flaw(flaw) == kind_by_flaw(f"[gates] **SECURITY** {flaw[17:]}") == SECURITY
    assert label_of(SECURITY, flaw, "") is None
    assert kind_by_flaw("Gates have a SECURITY flag") is None
    assert kind_by_flaw("Prevent arbitrary code execution while a gate is made") == SECURITY
    assert kind_by_flaw("Prevent the execution of code while a gate is made") is None


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("[ Kira Dahl ]", True),
        ("[parser] Reject what has no end", False),
        ("Change 814 on 2003/06/03 by <kira@example.org>", True),
        ("Bump debhelper from old 12 to 13.", True),
        ("Remove obsolete entries from debian/copyright.", True),
        ("Add a versioned build-dependency on the lathe", True),
        ("New Dutch translation of the pages", True),
        ("Update german program translation.", True),
        ("Drop version constraint on lathe-core in Breaks.", True),
        ("po/bg.po: Updated Bulgarian translation.", True),
        ("New/updated translations: ca, cs", True),
        ("Added network address translation", False),
        ("Add support for translations of menus", False),
        ("Fix libgate extension compiler warnings", True),
        ("Fixed the build with old compilers", True),
        ("Fix the order in which builds are listed", False),
        ("Fixed a typography in CONTRIBUTING.md", True),
        ("Kira Dahl (nl), Ada van Brook (da), Ole Ness (pt_BR).", True),
        ("Gates (of iron), locks (of oak) and weirs", False),
        ("Build fixes for additional compilers", True),
        ("git repo cleanup, thanks to kira", True),
        ("Use a bug tracker on the web", True),
        ("Move what the tracker of bugs shows", False),
        ("As always, the manual page is the place to look.", True),
        ("Added French, German and Brazilian Portuguese translations", True),
        ("Added a way to override translations by a folder", False),
        ("Improved the search of missing translations in templates", False),
        ("Fix compilation of loops that hold an await", False),
        ("Fix compiler error when checking if a block is empty", False),
        ("Fix build of books whose chapters are called alike", False),
        ("Fix compile errors when built with gcc 14", True),
        ("Typographic quotes are written for all languages", False),
        ("Fixed typographical errors of the manual", True),
        ("Update all that the bug tracker extension reads", False),
        ("Support C++ headers (hh), Ruby scripts (rb).", False),
    ],
)
def test_what_is_a_trifle(line: str, is_one: bool) -> None:
    assert is_trifle(line) is is_one


def test_a_kind_in_brackets_is_a_label() -> None:
    assert kind_of_label("[ADDED] A gate that opens by itself") == FEATURES
    assert kind_of_label("[Change] Gates are open at night") == CHANGES
    assert kind_of_label("[parser] Reject what has no end") == -1
    assert plain_change("[FIXED] Gates were open at night") == "Gates were open at night"
    assert plain_change("[parser] Reject what has no end") == "[parser] Reject what has no end"


@pytest.mark.parametrize(
    "text", ["Enhanced decoding of gates", "Updated the lists", "Allow gates to be open"]
)
def test_what_is_altered_is_not_called_new(text: str) -> None:
    assert label_of(FEATURES, text, "") is None
    assert label_of(FEATURES, "Gates that open by themselves", "") == "New"
