"""How clearly a sentence of release notes states a change, and not how it was before."""

from __future__ import annotations

from lsum_cli.methods.extract.release_notes.wording import clarity_of, says_topic


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
