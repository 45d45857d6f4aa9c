"""Lengths and search: the user's wishes over the checkpoint's own, conflicts in one place."""

from __future__ import annotations

import json

import pytest

from lsum_cli.checkpoints.manifest import GenerationDefaults
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.search_settings import choose_search, read_generation_defaults

TUNED = GenerationDefaults(
    min_tokens=100, max_tokens=350, beams=4, length_penalty=2.0, no_repeat_ngram=3, early_stopping=False
)


def test_a_checkpoint_writes_as_it_was_tuned_where_nothing_is_wished():
    settings = choose_search(SummaryOptions(), TUNED, positions=1022)
    assert (settings.min_tokens, settings.max_tokens, settings.beams) == (100, 350, 4)
    assert (settings.length_penalty, settings.no_repeat_ngram, settings.length_in_words) == (2.0, 3, False)


def test_words_become_tokens_by_what_was_measured():
    settings = choose_search(SummaryOptions(length="200"), TUNED, tokens_per_word=1.5)
    assert (settings.min_tokens, settings.max_tokens, settings.length_in_words) == (180, 360, True)


def test_tokens_go_before_words():
    settings = choose_search(SummaryOptions(length="200", min_tokens=5, max_tokens=50), TUNED)
    assert (settings.min_tokens, settings.max_tokens, settings.length_in_words) == (5, 50, False)


def test_a_lower_maximum_leaves_room_for_an_end():
    assert choose_search(SummaryOptions(max_tokens=60), TUNED).min_tokens == 30


def test_every_wish_of_the_search_is_granted():
    options = SummaryOptions(beams=2, length_penalty=0.5, no_repeat_ngram=0)
    settings = choose_search(options, TUNED)
    assert (settings.beams, settings.length_penalty, settings.no_repeat_ngram) == (2, 0.5, 0)


def test_a_length_nobody_asked_for_is_what_the_model_can_write():
    settings = choose_search(SummaryOptions(), GenerationDefaults(), positions=62)
    assert settings.max_tokens == 62
    assert settings.min_tokens <= 31


@pytest.mark.parametrize("options", [SummaryOptions(max_tokens=63), SummaryOptions(length="500")])
def test_a_length_asked_for_that_the_model_cannot_write_is_an_error(options):
    with pytest.raises(OptionError, match=r"--max-tokens at most 62.*--length at most \d+"):
        choose_search(options, TUNED, positions=62)


def test_a_number_of_words_that_just_fits_has_less_room_for_its_end():
    settings = choose_search(SummaryOptions(length="100"), TUNED, tokens_per_word=1.0, positions=110)
    assert (settings.max_tokens, settings.falls_short) == (110, False)
    with pytest.raises(OptionError, match="--length at most 110"):
        choose_search(SummaryOptions(length="111"), TUNED, tokens_per_word=1.0, positions=110)


@pytest.mark.parametrize(("positions", "falls_short"), [(299, True), (300, False), (400, False)])
def test_a_named_length_is_as_long_as_the_model_can_write(positions, falls_short):
    settings = choose_search(SummaryOptions(length="long"), TUNED, tokens_per_word=1.0, positions=positions)
    assert settings.max_tokens == min(positions, 360)
    assert settings.min_tokens <= settings.max_tokens // 2
    assert settings.falls_short is falls_short


def test_a_minimum_above_the_maximum_of_the_checkpoint_is_an_error():
    with pytest.raises(OptionError, match="--max-tokens"):
        choose_search(SummaryOptions(min_tokens=400), TUNED)


@pytest.mark.parametrize(
    ("wishes", "part"),
    [
        ({"min_tokens": 20, "max_tokens": 10}, "--min-tokens 20 exceeds --max-tokens 10"),
        ({"beams": 0}, "--beams"),
        ({"max_tokens": 0}, "--max-tokens"),
        ({"min_tokens": -1}, "--min-tokens"),
        ({"no_repeat_ngram": -1}, "--no-repeat-ngram"),
        ({"seed": -1}, "--seed"),
        ({"length_penalty": float("nan")}, "--length-penalty"),
        ({"beams": 1, "length_penalty": 2.0}, "no effect"),
        ({"method": "extract", "model": "x"}, "needs no checkpoint"),
    ],
)
def test_wishes_that_exclude_one_another_are_errors(wishes, part):
    with pytest.raises(OptionError, match=part):
        SummaryOptions(**wishes)


def test_parts_share_the_length_of_a_summary():
    settings = choose_search(SummaryOptions(min_tokens=10, max_tokens=40), TUNED)
    shares = [settings.for_share(share) for share in (0.5, 0.25, 0.25)]
    assert [share.max_tokens for share in shares] == [20, 10, 10]
    assert sum(share.min_tokens for share in shares) <= 10
    assert settings.for_share(0.0001).max_tokens == 1


def test_lengths_of_transformers_count_start_and_end(tmp_path):
    (tmp_path / "config.json").write_text(
        json.dumps({"model_type": "bart", "num_beams": 2, "max_length": 20})
    )
    generation = {"max_length": 142, "min_length": 56, "num_beams": 4, "length_penalty": 2.0}
    (tmp_path / "generation_config.json").write_text(json.dumps(generation))
    defaults = read_generation_defaults(tmp_path, GenerationDefaults(no_repeat_ngram=3))
    assert (defaults.min_tokens, defaults.max_tokens) == (55, 140)
    assert (defaults.beams, defaults.length_penalty, defaults.no_repeat_ngram) == (4, 2.0, 3)


def test_the_manifest_goes_before_the_files_of_transformers(tmp_path):
    (tmp_path / "generation_config.json").write_text('{"max_length": 142, "num_beams": 4}')
    defaults = read_generation_defaults(tmp_path, GenerationDefaults(max_tokens=350, beams=2))
    assert (defaults.max_tokens, defaults.beams) == (350, 2)


@pytest.mark.parametrize("text", ['{"max_length": "long"}', "{", '{"min_length": []}x'])
def test_damaged_generation_settings_are_said(tmp_path, text):
    (tmp_path / "generation_config.json").write_text(text)
    with pytest.raises(CheckpointError, match="damaged"):
        read_generation_defaults(tmp_path, GenerationDefaults())


@pytest.mark.parametrize(
    "settings",
    [
        {"num_beams": 1_000_000},
        {"max_length": 10**9},
        {"max_new_tokens": 10**9},
        {"min_length": 10**9, "max_length": 142},
    ],
)
def test_settings_that_would_take_all_time_or_memory_are_refused(tmp_path, settings):
    (tmp_path / "generation_config.json").write_text(json.dumps(settings))
    with pytest.raises(CheckpointError, match="which no model needs"):
        read_generation_defaults(tmp_path, GenerationDefaults())
