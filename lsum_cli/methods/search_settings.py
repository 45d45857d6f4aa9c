"""Length and search settings of a model: the user's options override the checkpoint's defaults."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.checkpoints.manifest import GenerationDefaults
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.options import Slots
from lsum_cli.locality import Page
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.summaries import OptionValue

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from lsum_cli.checkpoints.loading import LoadedCheckpoint
    from lsum_cli.generation.options import GenerationOptions

# Range around a length requested in words, so that the summary can end with a sentence.
SHORTEST_SHARE, LONGEST_SHARE = 0.6, 1.2
# What a checkpoint may ask for itself; a user may ask for more.
_MOST_BEAMS, _MOST_TOKENS = 64, 1 << 16
# Used where neither the user nor the checkpoint sets a value.
BEAMS, LENGTH_PENALTY, NO_REPEAT_NGRAM = 4, 1.0, 3
TOKENS_PER_WORD = 1.35
# Tokens that transformers counts but are not part of the summary: start, first and end token.
_BEFORE_END, _ALL = 1, 2


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How a summary is searched for; lengths count only the summary's own tokens.

    Attributes:
        length_in_words: Whether the length was requested in words: such a summary ends at a
            sentence, even if the maximum is reached in the middle of one.
        slots: Where finished hypotheses stay; see :class:`lsum_cli.generation.options.Slots`.
        falls_short: Whether the model cannot write as much as the length that was named.
    """

    min_tokens: int
    max_tokens: int
    beams: int
    length_penalty: float
    no_repeat_ngram: int
    early_stopping: bool
    length_in_words: bool
    slots: Slots = Slots.SEPARATE
    falls_short: bool = False

    def for_share(self, share: float) -> SearchSettings:
        """The settings for a part of the summary that is this share of its length."""
        return replace(
            self,
            min_tokens=round(self.min_tokens * share),
            max_tokens=max(1, round(self.max_tokens * share)),
        )

    @property
    def without_lengths(self) -> SearchSettings:
        """These settings as those of another length have them too: both are searched for together."""
        return replace(self, min_tokens=0, max_tokens=1, length_in_words=False, falls_short=False)

    def for_engine(self, model: PreTrainedModel) -> GenerationOptions:
        """These settings as options of our beam search, with the model's special tokens and length rule."""
        from lsum_cli.generation.options import GenerationOptions, LengthRule

        config, generation = model.config, model.generation_config
        forced_last = generation.forced_eos_token_id
        return GenerationOptions.for_summary(
            min_tokens=self.min_tokens,
            max_tokens=self.max_tokens,
            beams=self.beams,
            length_penalty=self.length_penalty,
            no_repeat_ngram=self.no_repeat_ngram,
            early_stopping=self.early_stopping,
            start_token_id=config.decoder_start_token_id,
            end_token_id=config.eos_token_id,
            forced_first_token_id=generation.forced_bos_token_id,
            forced_last_token_id=config.eos_token_id if forced_last is None else forced_last,
            length_rule=LengthRule(config.length_rule),
            slots=self.slots,
        )


def choose_search(
    options: SummaryOptions,
    defaults: GenerationDefaults,
    *,
    tokens_per_word: float = TOKENS_PER_WORD,
    positions: int | None = None,
) -> SearchSettings:
    """Choose the search settings.

    Lengths come from ``--min-tokens`` and ``--max-tokens``, else from ``--length``, whose words are
    converted to tokens by the measured ``tokens_per_word``, else from the checkpoint, else from the
    default length, limited to what the model can write. A named length that it cannot write is limited to
    that too.

    Args:
        defaults: The checkpoint's own settings.
        tokens_per_word: Tokens per word of the input, by the checkpoint's tokenizer.
        positions: Maximum number of tokens the model can write; ``None`` for no limit.

    Raises:
        OptionError: The model cannot write this length, or it contradicts the checkpoint's settings.
    """
    in_words = options.length is not None or defaults.max_tokens is None
    expected = options.num_words * tokens_per_word
    if in_words:
        shortest, longest = round(expected * SHORTEST_SHARE), round(expected * LONGEST_SHARE)
    else:
        shortest, longest = defaults.min_tokens or 0, defaults.max_tokens or 0
    limit = options.max_tokens
    # A number of words has to fit, though not with all the room that it has for ending with a sentence.
    is_flexible = options.length is None or options.length in NAMED_LENGTHS or expected <= (positions or 0)
    if limit is None and positions is not None and is_flexible:
        limit = min(longest, positions)
    max_tokens = longest if limit is None else limit
    # A limit below the intended length also lowers the minimum, so that a summary can still end naturally.
    shortest = min(shortest, max_tokens // 2) if max_tokens < longest else shortest
    min_tokens = shortest if options.min_tokens is None else options.min_tokens
    if min_tokens > max_tokens:
        raise OptionError(
            f"--min-tokens {min_tokens} exceeds the maximum length of the summary, {max_tokens} tokens",
            f"give --max-tokens above {min_tokens} as well",
        )
    if positions is not None and max_tokens > positions:
        words = int(positions / tokens_per_word)
        raise OptionError(
            f"a summary of {max_tokens} tokens is longer than the {positions} that the model can write",
            f"give --max-tokens at most {positions}, or --length at most {words}",
        )
    beams = _first(options.beams, defaults.beams, BEAMS)
    return SearchSettings(
        min_tokens=min_tokens,
        max_tokens=max_tokens,
        beams=beams,
        length_penalty=_first(options.length_penalty, defaults.length_penalty, LENGTH_PENALTY),
        no_repeat_ngram=_first(options.no_repeat_ngram, defaults.no_repeat_ngram, NO_REPEAT_NGRAM),
        early_stopping=bool(defaults.early_stopping),
        length_in_words=in_words and options.max_tokens is None,
        slots=defaults.slots or Slots.SEPARATE,
        falls_short=options.max_tokens is None and options.length is not None and expected > max_tokens,
    )


def read_generation_defaults(folder: Path, stated: GenerationDefaults) -> GenerationDefaults:
    """The generation defaults of a checkpoint: from its manifest, else from the files of ``transformers``.

    Args:
        folder: Folder of the checkpoint; ``generation_config.json`` overrides ``config.json``.
        stated: The defaults in the manifest.

    Raises:
        CheckpointError: A setting is not a number, or one that would take all time or memory.
    """
    said = {**_read(folder / "config.json"), **_read(folder / "generation_config.json")}
    try:
        max_length, min_length = said.get("max_length"), said.get("min_length")
        defaults = GenerationDefaults(
            min_tokens=_first(stated.min_tokens, min_length and max(0, int(min_length) - _BEFORE_END)),
            max_tokens=_first(
                stated.max_tokens, said.get("max_new_tokens"), max_length and max(1, int(max_length) - _ALL)
            ),
            beams=_first(stated.beams, said.get("num_beams")),
            length_penalty=_first(stated.length_penalty, said.get("length_penalty")),
            no_repeat_ngram=_first(stated.no_repeat_ngram, said.get("no_repeat_ngram_size")),
            early_stopping=_first(stated.early_stopping, said.get("early_stopping")),
            slots=stated.slots,
        )
        for name, value, most in (
            ("beams", defaults.beams, _MOST_BEAMS),
            ("tokens at least", defaults.min_tokens, _MOST_TOKENS),
            ("tokens at most", defaults.max_tokens, _MOST_TOKENS),
        ):
            if value is not None and value > most:
                raise ValueError(f"they ask for {value:,} {name}, which no model needs ({most:,} are taken)")
    except (TypeError, ValueError) as error:
        raise CheckpointError(
            f"the generation settings of {folder} are damaged: {error}", "import the checkpoint again"
        ) from error
    return defaults


def tokens_per_word(pages: Sequence[Page]) -> float:
    """Tokens per word of the pages, counted by the method that made them."""
    words = sum(len(sentence.text.split()) for page in pages for sentence in page.sentences)
    return max(1.0, sum(page.num_tokens for page in pages) / max(1, words))


def recorded_settings(
    options: SummaryOptions, settings: SearchSettings, loaded: LoadedCheckpoint
) -> dict[str, OptionValue]:
    """The settings that a summary records for the model that wrote it."""
    return {
        "length": _requested(options) if settings.length_in_words else None,
        "min_tokens": settings.min_tokens,
        "max_tokens": settings.max_tokens,
        "beams": settings.beams,
        "length_penalty": settings.length_penalty,
        "no_repeat_ngram": settings.no_repeat_ngram,
        "slots": settings.slots.value,
        "device": str(loaded.device),
        "dtype": loaded.precision.value,
        "seed": options.seed,
    }


def _requested(options: SummaryOptions) -> OptionValue:
    return options.length if options.all_lengths else options.num_words


def _read(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} is damaged: {error}", "import the checkpoint again") from error
    return content if isinstance(content, dict) else {}


def _first(*values: Any) -> Any:
    """The first value that is not ``None``, else ``None``."""
    return next((value for value in values if value is not None), None)
