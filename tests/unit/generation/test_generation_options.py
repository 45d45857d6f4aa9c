from __future__ import annotations

import dataclasses

import pytest

from lsum_cli.errors import OptionError
from lsum_cli.generation.options import GenerationOptions, LengthRule


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"beams": 0}, "0 beams"),
        ({"num_hypotheses": 5}, "5 hypotheses cannot be chosen from 4 beams"),
        ({"num_hypotheses": 0}, "0 hypotheses"),
        ({"max_length": 1}, "maximum length of 1"),
        ({"min_length": -1}, "-1 is negative"),
        ({"min_length": 50, "max_length": 40}, "50 exceeds the maximum length 40"),
        ({"length_penalty": float("nan")}, "length penalty of nan"),
        ({"length_penalty": float("inf")}, "length penalty of inf"),
        ({"no_repeat_ngram": -3}, "size of -3"),
        ({"early_stopping": "sometimes"}, "'sometimes' is unknown"),
        ({"early_stopping": "never", "length_rule": LengthRule.START_AND_BOS}, "'never'"),
        ({"forced_first_token_id": 0, "banned_token_ids": (5, 0)}, "both forced and banned"),
        ({"forced_last_token_id": 2, "banned_token_ids": (2,)}, "both forced and banned"),
    ],
)
def test_conflicts_are_refused_with_what_to_do(options, said):
    with pytest.raises(OptionError, match=said) as error:
        GenerationOptions(**options)
    assert error.value.next_step


def test_lengths_of_the_summary_itself():
    options = GenerationOptions.for_summary(min_tokens=100, max_tokens=350, beams=2)
    assert (options.min_length, options.max_length, options.beams) == (101, 352, 2)


def test_options_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        GenerationOptions().beams = 2


@pytest.mark.parametrize(
    ("rule", "ended", "length"),
    [
        (LengthRule.CURRENT, True, 7),
        (LengthRule.CURRENT, False, 7),
        (LengthRule.START_AND_BOS, True, 7),  # the start token counts, the end token does not
        (LengthRule.START_AND_BOS, False, 8),
    ],
)
def test_length_rules(rule, ended, length):
    assert rule.length(7, ended=ended) == length
