"""From generated tokens to sentences, each knowing exactly which tokens it consists of."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsum_cli.methods.search_settings import SearchSettings
from lsum_cli.text.sentences import normalise, sentence_spans

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_ENDS = tuple(".!?…。！？:;\"'”’)]»")

# What to say of a sentence that end_at_sentence could not leave out.
BROKEN_OFF = "a summary was broken off at its greatest length (--max-tokens, --length)"


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenSentence:
    """A sentence of a summary.

    Attributes:
        tokens: Positions of its tokens among those generated, in order.
    """

    text: str
    tokens: tuple[int, ...]

    @property
    def is_finished(self) -> bool:
        """Whether it ends as sentences do."""
        return self.text.endswith(_ENDS)


def split_tokens(
    tokenizer: PreTrainedTokenizerBase, token_ids: Sequence[int], language: str | None = None
) -> list[TokenSentence]:
    """Split what was generated into sentences.

    Every token that is text belongs to exactly one sentence; start, end, padding and other special
    tokens belong to none. A token that reaches over the end of a sentence belongs to the next.

    Args:
        tokenizer: Of the model that generated the tokens.
        token_ids: With or without special tokens.
        language: Two-letter code of the summary's language; English rules where unknown.
    """
    special = set(tokenizer.all_special_ids)
    positions = [place for place, token_id in enumerate(token_ids) if token_id not in special]
    text, ends = _decode(tokenizer, [token_ids[place] for place in positions])
    clean = normalise(text)
    clean_ends = _map_ends(text, clean, ends)
    sentences: list[TokenSentence] = []
    begin = start = 0
    spans = sentence_spans(clean, language)
    for number, (_, span_end) in enumerate(spans):
        is_last = number == len(spans) - 1
        end = len(positions) if is_last else bisect_right(clean_ends, span_end)
        if end > begin:
            sentences.append(
                TokenSentence(text=clean[start:span_end].strip(), tokens=tuple(positions[begin:end]))
            )
            begin, start = end, span_end
        elif is_last and sentences:  # all its tokens reach back into the one before
            sentences[-1] = TokenSentence(
                text=f"{sentences[-1].text}{clean[start:span_end]}", tokens=sentences[-1].tokens
            )
    return sentences


def mean_log_prob(sentence: TokenSentence, log_probs: Sequence[float]) -> float:
    """Mean log probability of a sentence's tokens."""
    return sum(log_probs[place] for place in sentence.tokens) / len(sentence.tokens)


def end_at_sentence(
    sentences: Sequence[TokenSentence], settings: SearchSettings, num_generated: int
) -> tuple[Sequence[TokenSentence], bool]:
    """Leave out a last sentence that the maximum length broke off, where the length was wished in words.

    Args:
        num_generated: Ids without the start token, with the end token.

    Returns:
        The sentences that stay, and whether the last of them is broken off.
    """
    if num_generated <= settings.max_tokens or sentences[-1].is_finished:
        return sentences, False
    if settings.length_in_words and len(sentences) > 1:
        return sentences[:-1], False
    return sentences, True


def _decode(tokenizer: PreTrainedTokenizerBase, token_ids: Sequence[int]) -> tuple[str, list[int]]:
    """The text, and for each token the offset in it at which what is decoded up to there ends."""
    text = _text_of(tokenizer, token_ids)
    ends: list[int] = []
    for count in range(1, len(token_ids) + 1):
        # A character of several tokens is complete with its last one only.
        end = _common_prefix(text, _text_of(tokenizer, token_ids[:count]))
        ends.append(max(end, ends[-1] if ends else 0))
    return text, ends


def _text_of(tokenizer: PreTrainedTokenizerBase, token_ids: Sequence[int]) -> str:
    return str(
        tokenizer.decode(list(token_ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
    )


def _common_prefix(first: str, second: str) -> int:
    if first.startswith(second):
        return len(second)
    pairs = enumerate(zip(first, second, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(first), len(second)))


def _map_ends(text: str, clean: str, ends: Sequence[int]) -> list[int]:
    """Offsets into ``text`` as offsets into ``clean``, its normalised form."""
    mapped, place = [0], 0
    for character in text:
        expected = clean[place] if place < len(clean) else None
        place += character == expected or (character.isspace() and expected == " " and place > 0)
        mapped.append(place)
    return [mapped[end] for end in ends]
