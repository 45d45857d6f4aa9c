"""What a windowing model writes, made sentences while it is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsum_cli.methods.detokenising import SentenceBuilder, Spelling
from lsum_cli.methods.method import SentenceListener
from lsum_cli.methods.opening import OpenedCheckpoint
from lsum_cli.methods.source_windows import SourceWindows
from lsum_cli.methods.token_sentences import TokenSentence
from lsum_cli.methods.window_attribution import WindowAttributor
from lsum_cli.summaries import SummarySentence

if TYPE_CHECKING:
    from lsum_cli.generation.hypotheses import StreamedToken
    from lsum_cli.models.windowing.engine import WindowingDecoder, WindowStep


class WindowWriter:
    """Makes sentences of tokens that will not change, and says where each came from.

    Args:
        text: The source.
        opened: The checkpoint.
        decoder: What writes.
        listener: Hears of every sentence.
        attribute: Whether to say where sentences come from.

    Attributes:
        token_ids: All tokens so far, window shifts among them.
        windows: The window of each.
    """

    def __init__(
        self,
        text: SourceWindows,
        opened: OpenedCheckpoint,
        decoder: WindowingDecoder,
        listener: SentenceListener,
        *,
        attribute: bool,
    ) -> None:
        from lsum_cli.models.windowing.vocabulary import SPECIAL_TOKENS

        self._num_special = len(SPECIAL_TOKENS)
        self._listener = listener
        spelling = Spelling(text, opened.tokenizer)
        self._builder = SentenceBuilder(spelling, text.documents[0].language)
        self._attributor = WindowAttributor(text, decoder.tracer(0), spelling) if attribute else None
        self._log_probs: list[float] = []
        self._norms: list[float] = []
        self._sentences: list[SummarySentence] = []
        self.token_ids: list[int] = []
        self.windows: list[int] = []

    @property
    def num_words(self) -> int:
        """Words and marks so far."""
        return sum(1 for token_id in self.token_ids if token_id >= self._num_special)

    @property
    def written_windows(self) -> set[int]:
        """The windows that words were written for."""
        pairs = zip(self.token_ids, self.windows, strict=True)
        return {window for token_id, window in pairs if token_id >= self._num_special}

    def extend(self, tokens: Sequence[StreamedToken[WindowStep]]) -> None:
        """Take the tokens that come next."""
        for token in tokens:
            assert token.trace is not None
            window = token.trace.window
            place = len(self.token_ids)
            self.token_ids.append(token.token_id)
            self.windows.append(window)
            self._norms.append(token.trace.log_gen_norm)
            self._log_probs.append(token.log_prob)
            if token.token_id < self._num_special:
                # Where the window moves or the summary ends, so does the sentence.
                self._tell(self._builder.finish())
            elif sentence := self._builder.add(place, token.token_id, window):
                self._tell([sentence])

    def finish(self) -> list[SummarySentence]:
        """All sentences, after the last token."""
        self._tell(self._builder.finish())
        return self._sentences

    def _tell(self, found: Sequence[TokenSentence]) -> None:
        for sentence in found:
            attribution = None
            if self._attributor:
                attribution = self._attributor.attribute(sentence, self.token_ids, self.windows, self._norms)
            told = SummarySentence(
                text=sentence.text,
                index=len(self._sentences),
                log_prob=sum(self._log_probs[place] for place in sentence.tokens) / len(sentence.tokens),
                attribution=attribution,
            )
            self._sentences.append(told)
            self._listener(told)
