"""How clearly a sentence of release notes states a change, and not how it was before."""

from __future__ import annotations

from lsum_cli.methods.extract.listed_changes.kinds import drops_support
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
    assert is_trifle("List of backwards-incompatible changes.")
    assert not is_trifle("List of tides is sorted by harbour now and kept in memory.")


def test_a_private_key_concerns_users() -> None:
    assert is_minor("Rename a private method of gates.")
    assert not is_minor("Support a password for the private key of a gate.")


def test_a_later_python_ends_the_support_of_earlier_ones() -> None:
    assert drops_support("Require Python 3.12 and above; test on 3.14")
    assert drops_support("Test on Python 3.13 and remove Python 3.8")
    assert not drops_support("Gates may require Python to be installed.")
