"""Options of generation, and which of them exclude one another."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace
from typing import Literal, Self

from lsum_cli.errors import OptionError


class LengthRule(enum.StrEnum):
    """Which length a beam score is divided by: Σ log p / length^penalty. Every checkpoint names its rule.

    ``current``: length is the number of generated tokens; the search for a document ends once
    ``beams`` hypotheses are finished and the best running one, at its present length, is no better.

    ``start_and_bos``: the rule of early ``transformers`` (4.6), with which the published models were
    tuned: length counts the start token but not a final end token, the comparison takes the
    best candidate (finished or not), and at the maximum length every running beam counts as finished.
    """

    CURRENT = "current"
    START_AND_BOS = "start_and_bos"

    def length(self, generated: int, *, ended: bool) -> int:
        """Return the length of a hypothesis of ``generated`` tokens, the last being the end token or not."""
        return generated if ended or self is LengthRule.CURRENT else generated + 1


class Slots(enum.StrEnum):
    """Where finished hypotheses stay while the search goes on.

    ``separate``: in a pool of their own, beside ``beams`` running ones, as in ``transformers``.

    ``shared``: finished and running hypotheses compete for the same ``beams`` slots by their scores, so that
    a longer, running one can still overtake; the search ends when all slots hold finished ones (Schüller
    et al. 2020).
    """

    SEPARATE = "separate"
    SHARED = "shared"


@dataclass(frozen=True, kw_only=True)
class GenerationOptions:
    """How text is generated; lengths count the start token, as everywhere in this field.

    Attributes:
        beams: Width of the beam; 1 is greedy decoding.
        num_hypotheses: How many of the finished hypotheses to return at most, the best first.
        max_length: Ids of a hypothesis at most, start token and end token included.
        min_length: The end token is banned while there are fewer ids than this, start included.
        length_penalty: Exponent of the length a score is divided by; greater favours longer texts.
        no_repeat_ngram: No n-gram of this size may occur twice; 0 allows all.
        ngram_exempt_token_ids: Tokens that n-grams skip, such as those that are not text.
        early_stopping: ``True``: a document is finished with ``beams`` finished hypotheses;
            ``False``: when no running one is likely to improve on them; ``"never"``: when none can.
        start_token_id: The token that decoding begins with; not part of a hypothesis.
        end_token_id: The token that ends a hypothesis.
        forced_first_token_id: The first token of every hypothesis, or ``None``.
        forced_last_token_id: The token at the last place of the maximum length, or ``None``.
        banned_token_ids: Never generated.
        length_rule: How lengths are counted in scores.
        slots: Where finished hypotheses stay while the search goes on.

    Raises:
        OptionError: A value is out of range, or two options exclude one another.
    """

    beams: int = 4
    num_hypotheses: int = 1
    max_length: int = 142
    min_length: int = 0
    length_penalty: float = 1.0
    no_repeat_ngram: int = 0
    ngram_exempt_token_ids: tuple[int, ...] = ()
    early_stopping: bool | Literal["never"] = False
    start_token_id: int = 2
    end_token_id: int = 2
    forced_first_token_id: int | None = None
    forced_last_token_id: int | None = None
    banned_token_ids: tuple[int, ...] = ()
    length_rule: LengthRule = LengthRule.CURRENT
    slots: Slots = Slots.SEPARATE

    def __post_init__(self) -> None:
        for problem, next_step in self._conflicts():
            raise OptionError(problem, next_step)

    @classmethod
    def for_summary(cls, *, min_tokens: int, max_tokens: int, **settings: object) -> Self:
        """Count the summary's own tokens, without the start, first and end tokens.

        These are the lengths that the published PageSum settings name.
        """
        return cls(min_length=min_tokens + 1, max_length=max_tokens + 2, **settings)  # type: ignore[arg-type]

    def without_lengths(self) -> Self:
        """These options as those of another length have them too."""
        return replace(self, min_length=0, max_length=2)

    @property
    def stops_when_full(self) -> bool:
        """Whether finished hypotheses are never replaced, as in greedy decoding."""
        return self.early_stopping is True or self.beams == 1

    def _conflicts(self) -> list[tuple[str, str]]:
        forced = {self.forced_first_token_id, self.forced_last_token_id} - {None}
        checks = (
            (self.beams < 1, f"{self.beams} beams cannot be searched with", "give --beams 1 or more"),
            (
                not 1 <= self.num_hypotheses <= self.beams,
                f"{self.num_hypotheses} hypotheses cannot be chosen from {self.beams} beams",
                f"ask for 1 to {self.beams}",
            ),
            (
                self.max_length < 2,
                f"a maximum length of {self.max_length} leaves no token",
                "give --max-tokens 1 or more",
            ),
            (
                self.min_length < 0,
                f"the minimum length {self.min_length} is negative",
                "give --min-tokens 0 or more",
            ),
            (
                self.min_length > self.max_length,
                f"the minimum length {self.min_length} exceeds the maximum length {self.max_length}",
                "lower --min-tokens or raise --max-tokens",
            ),
            (
                not math.isfinite(self.length_penalty),
                f"a length penalty of {self.length_penalty} is not a finite number",
                "give --length-penalty a number such as 1.0",
            ),
            (
                self.no_repeat_ngram < 0,
                f"an n-gram size of {self.no_repeat_ngram} is negative",
                "give --no-repeat-ngram 0 (off) or more",
            ),
            (
                self.early_stopping not in (True, False, "never"),
                f"early stopping '{self.early_stopping}' is unknown",
                "choose true, false or never",
            ),
            (
                self.early_stopping == "never" and self.length_rule is LengthRule.START_AND_BOS,
                "the length rule of this checkpoint does not support early stopping 'never'",
                "choose true or false",
            ),
            (
                self.slots is Slots.SHARED and self.early_stopping is not False,
                "with shared slots a search ends when all hold finished hypotheses: no early stopping",
                "leave it out",
            ),
            (
                self.slots is Slots.SHARED and self.length_rule is LengthRule.START_AND_BOS,
                "the length rule of this checkpoint does not support shared slots",
                "choose the rule current",
            ),
            (
                bool(forced & set(self.banned_token_ids)),
                "a token is both forced and banned",
                "take it out of one of the two",
            ),
        )
        return [(problem, next_step) for found, problem, next_step in checks if found]
