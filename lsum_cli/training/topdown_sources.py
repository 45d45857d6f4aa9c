"""Documents as Top-Down learns from them: one stream of tokens, with labels of important words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsum_cli.documents import Document, SectionRole
from lsum_cli.methods.page_inputs import SequenceFrame
from lsum_cli.methods.source_tokens import encode_source
from lsum_cli.text.importance import content_lemmas, label_words

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledSource:
    """What a model reads of an example.

    Attributes:
        token_ids: (source_len,), special tokens included.
        labels: (source_len,) 1 for tokens of important words, else 0; ``None`` where not asked for.
        is_text: (source_len,) whether a token is of the text, and no special token.
        total: Tokens of the whole text.
        dropped: Those of them that were cut off.
    """

    token_ids: NDArray[np.int32]
    labels: NDArray[np.uint8] | None
    is_text: NDArray[np.bool_]
    total: int
    dropped: int


def list_sentences(documents: Sequence[Document], *, keep_references: bool) -> list[str]:
    """The sentences of the documents, as pages hold them."""
    return [
        sentence.text
        for document in documents
        for section in document.sections
        if keep_references or section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    ]


def encode_labelled(
    tokenizer: PreTrainedTokenizerBase,
    frame: SequenceFrame,
    texts: Sequence[str],
    reference: str | None,
    *,
    language: str | None,
    max_tokens: int,
) -> LabelledSource | None:
    """Tokenise sentences and label them by a reference.

    Args:
        reference: ``None`` for no labels.
        max_tokens: Special tokens included; what follows is cut off.

    Returns:
        ``None`` where there is no text, or labels are wanted and the reference holds stop words only.
    """
    if not texts or (reference is not None and not content_lemmas(reference, language=language)):
        return None
    source = encode_source(tokenizer, frame, texts)
    labels = None
    if reference is not None:
        labels = source.spread(label_words(texts, reference, language=language)).astype(np.uint8)
    total = len(source) - len(frame)
    if len(source) > max_tokens:
        # The last special tokens stay at the end.
        end = max_tokens - len(frame.after)
        kept = np.r_[0:end, len(source) - len(frame.after) : len(source)]
    else:
        kept = np.arange(len(source))
    return LabelledSource(
        token_ids=source.token_ids[kept].astype(np.int32),
        labels=None if labels is None else labels[kept],
        is_text=source.sentences[kept] >= 0,
        total=total,
        dropped=max(0, len(source) - max_tokens),
    )
