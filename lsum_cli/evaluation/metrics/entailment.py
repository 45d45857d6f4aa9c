"""Faithfulness by entailment: does the source, or what a summary cites of it, imply each sentence?

An NLI model gives for a premise *p* and a hypothesis *h* the probability E(p, h) that p entails h. With
the sentences h of a summary,

    SummaC-ZS   mean over h of max over the sentences p of the source of E(p, h)     (Laban et al. 2022)
    AlignScore  mean over h of max over the chunks p of the source of E(p, h)        (Zha et al. 2023)

where a chunk is whole sentences of at most 350 words, or fewer if the model reads less. AlignScore's
own checkpoint is an NLI model trained for this; any other gives a score of the same form. Both scores
are computed against the cited pages, and against the whole document. Chunks end where pages end, so
that the premises of the cited pages are some of those of the document, whose score is therefore never
lower: it is what a perfect citation would reach.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lsum_cli.checkpoints.manifest import hash_file
from lsum_cli.documents import Document, sentences_to_read
from lsum_cli.errors import CheckpointError
from lsum_cli.evaluation.metrics.encoders import Encoder
from lsum_cli.evaluation.options import EncoderOptions, EntailmentEvidence
from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution
from lsum_cli.text.terms import FloatArray, count_words

CHUNK_WORDS = 350
# Tokens of a chunk's pair that are left to the summary sentence and the marks between both.
_ROOM = 64
_BATCH = 32
_HASH_DIGITS = 12
_OTHER = "give an NLI checkpoint, such as MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli"

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Entailment:
    """How far the source entails one summary; ``None`` where a score does not apply.

    Attributes:
        summac: Sentence by sentence, against the whole document, from 0 to 1.
        summac_cited: The same against the cited pages.
        summac_contrast: The same against the document, less the greatest probability of a contradiction: the
            default of the released program, from -1 to 1. ``None`` where the model has no such label.
        alignscore: Chunk by chunk, against the whole document, from 0 to 1.
        alignscore_cited: The same against the cited pages.
        truncated: How many pairs were too long for the model and were cut.
    """

    summac: float | None = None
    summac_cited: float | None = None
    summac_contrast: float | None = None
    alignscore: float | None = None
    alignscore_cited: float | None = None
    truncated: int = 0

    @property
    def values(self) -> dict[str, float | None]:
        """The scores, by column."""
        return {
            "summac": self.summac,
            "summac_cited": self.summac_cited,
            "summac_contrast": self.summac_contrast,
            "alignscore": self.alignscore,
            "alignscore_cited": self.alignscore_cited,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Premises:
    """The sentences and the chunks of a text."""

    sentences: tuple[str, ...] = ()
    chunks: tuple[str, ...] = ()

    def __add__(self, other: Premises) -> Premises:
        return Premises(
            sentences=tuple(dict.fromkeys((*self.sentences, *other.sentences))),
            chunks=tuple(dict.fromkeys((*self.chunks, *other.chunks))),
        )


class EntailmentModel:
    """An NLI model: probabilities of entailment and contradiction of pairs of texts.

    Args:
        name: A checkpoint in the hub library's cache, or a folder; only safetensors are loaded.
        device: ``auto``, ``cpu``, ``cuda[:N]`` or ``mps``.
        offline: Whether network connections are forbidden; none is made in any case.

    Raises:
        CheckpointError: It is not on this machine, damaged, or has no label for entailment.
        DeviceError: There is no such device.
    """

    def __init__(self, name: str, *, device: str, offline: bool = False) -> None:
        self.name = name
        self.encoder = Encoder(
            name,
            architecture="AutoModelForSequenceClassification",
            device=device,
            offline=offline,
            safetensors_only=True,
        )
        if self.encoder.tokenizer.pad_token is None:
            raise CheckpointError(f"the tokenizer of {name} has no token for padding", _OTHER)
        labels = {int(place): str(label) for place, label in self.encoder.model.config.id2label.items()}
        self.entailment = _find_label(labels, "entail")
        self.contradiction = _find_label(labels, "contradict")
        if self.entailment is None:
            listed = ", ".join(labels[place] for place in sorted(labels))
            raise CheckpointError(f"{name} has no label for entailment: its labels are {listed}", _OTHER)
        self.labels = labels
        weights = sorted(self.encoder.folder.glob("*.safetensors"))
        self.digest = hashlib.sha256("".join(map(hash_file, weights)).encode()).hexdigest()[:_HASH_DIGITS]

    @property
    def num_truncated(self) -> int:
        """How many pairs so far were too long and were cut."""
        return self.encoder.num_truncated

    def probabilities(self, pairs: Iterable[Pair]) -> dict[Pair, tuple[float, float]]:
        """The probabilities of entailment and of contradiction, by pair of premise and hypothesis.

        Pairs of similar length share a batch, which saves padding; contradiction is NaN where the model
        has no label for it.

        Raises:
            CheckpointError: The model cannot score these pairs.
        """
        import torch

        order = sorted(set(pairs), key=lambda pair: (len(pair[0]) + len(pair[1]), pair))
        found: dict[Pair, tuple[float, float]] = {}
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            inputs = self.encoder.encode([premise for premise, _ in batch], [said for _, said in batch])
            try:
                with torch.inference_mode():
                    logits = self.encoder.model(**inputs).logits.double()  # (batch, labels)
            except (ValueError, IndexError) as error:  # a model that is made for other inputs
                raise CheckpointError(f"{self.name} cannot score pairs of texts: {error}", _OTHER) from error
            shares: FloatArray = logits.softmax(dim=-1).cpu().numpy()
            against = self.contradiction
            for pair, row in zip(batch, shares, strict=True):
                found[pair] = (
                    float(row[self.entailment]),
                    float("nan") if against is None else float(row[against]),
                )
        return found


class EntailmentScorer:
    """Scores the faithfulness of summaries by one NLI model.

    Args:
        options: ``nli`` names the model; see :class:`EntailmentModel`.

    Raises:
        CheckpointError: As :class:`EntailmentModel`.
        DeviceError: There is no such device.
    """

    def __init__(self, options: EncoderOptions) -> None:
        assert options.nli is not None  # the caller asks for the metric
        self.model = EntailmentModel(options.nli, device=options.device, offline=options.offline)
        self._evidence = options.nli_evidence
        most = self.model.encoder.max_tokens
        self._chunk_tokens = max(most // 2, most - _ROOM)

    @property
    def signature(self) -> str:
        """The model and everything else that the scores depend on, in one line."""
        places = (self.model.entailment, self.model.contradiction)
        labels = [self.model.labels[place] for place in places if place is not None]
        parts = {
            "nli": self.model.name,
            "weights": self.model.digest,
            "labels": "+".join(labels),
            "summac": "zs-sentence-max-mean",
            "alignscore": f"chunks-{CHUNK_WORDS}w-{self._chunk_tokens}t-max-mean",
            "evidence": self._evidence.value,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def score(
        self,
        sentences: Sequence[str],
        pages: Sequence[Page],
        attributions: Sequence[Attribution | None] = (),
        documents: Sequence[Document] = (),
    ) -> Entailment:
        """Score one summary.

        Args:
            sentences: Its sentences; blank ones do not count.
            pages: What it was made from.
            attributions: One per sentence; where any is missing, nothing is known of cited pages.
            documents: What the pages were made from; their reference lists do not count.
        """
        said = [(place, " ".join(text.split())) for place, text in enumerate(sentences) if text.strip()]
        if not said or not (pages or documents):
            return Entailment()
        cut_before = self.model.num_truncated
        by_page = {page.index: self._page_premises(page) for page in pages}
        known = [attributions[place] for place, _ in said] if attributions else []
        probabilities: dict[Pair, tuple[float, float]] = {}
        result = Entailment()
        if known and all(origin is not None for origin in known):
            cited = [
                sum((by_page[weight.page] for weight in origin.cited()), Premises())
                for origin in known
                if origin is not None
            ]
            result = replace(
                result,
                summac_cited=self._mean(said, [each.sentences for each in cited], probabilities),
                alignscore_cited=self._mean(said, [each.chunks for each in cited], probabilities),
            )
        if self._evidence is EntailmentEvidence.DOCUMENT:
            whole = sum(by_page.values(), Premises()) + self._remaining(documents, pages)
            result = replace(
                result,
                summac=self._mean(said, [whole.sentences] * len(said), probabilities),
                alignscore=self._mean(said, [whole.chunks] * len(said), probabilities),
                summac_contrast=_contrast([text for _, text in said], whole.sentences, probabilities),
            )
        return replace(result, truncated=self.model.num_truncated - cut_before)

    def _mean(
        self,
        said: Sequence[tuple[int, str]],
        premises: Sequence[Sequence[str]],
        probabilities: dict[Pair, tuple[float, float]],
    ) -> float | None:
        """The mean over sentences of the greatest entailment; what is not yet known is computed."""
        pairs = [
            [(premise, text) for premise in each] for (_, text), each in zip(said, premises, strict=True)
        ]
        new = {pair for each in pairs for pair in each if pair not in probabilities}
        probabilities.update(self.model.probabilities(new))
        if not any(pairs):
            return None
        return float(np.mean([max((probabilities[pair][0] for pair in each), default=0.0) for each in pairs]))

    def _page_premises(self, page: Page) -> Premises:
        return self._premises([sentence.text for sentence in page.sentences])

    def _remaining(self, documents: Sequence[Document], pages: Sequence[Page]) -> Premises:
        """What no page holds, as where input was dropped."""
        read = {(page.document_id, sentence.index) for page in pages for sentence in page.sentences}
        rest = (
            [
                sentence.text
                for sentence in sentences_to_read([document])
                if (document.id, sentence.index) not in read
            ]
            for document in documents
        )
        return sum(map(self._premises, rest), Premises())

    def _premises(self, sentences: Sequence[str]) -> Premises:
        texts = [" ".join(sentence.split()) for sentence in sentences if sentence.strip()]
        sizes = self.model.encoder.count_tokens(texts)
        chunks = make_chunks(
            zip(texts, sizes, strict=True), num_words=CHUNK_WORDS, num_tokens=self._chunk_tokens
        )
        return Premises(sentences=tuple(dict.fromkeys(texts)), chunks=tuple(chunks))


def make_chunks(sentences: Iterable[tuple[str, int]], *, num_words: int, num_tokens: int) -> Iterator[str]:
    """Yield neighbouring sentences, joined to chunks of at most so many words and tokens.

    Args:
        sentences: Texts with their tokens; one that is longer is a chunk of its own.
    """
    chunk: list[str] = []
    words_left, tokens_left = num_words, num_tokens
    for sentence, tokens in sentences:
        words = count_words(sentence)
        if chunk and (words > words_left or tokens > tokens_left):
            yield " ".join(chunk)
            chunk, words_left, tokens_left = [], num_words, num_tokens
        chunk.append(sentence)
        words_left -= words
        tokens_left -= tokens
    if chunk:
        yield " ".join(chunk)


def _contrast(
    said: Sequence[str], premises: Sequence[str], probabilities: dict[Pair, tuple[float, float]]
) -> float | None:
    """Mean over sentences of the greatest probability of entailment less that of contradiction."""
    if not premises:
        return None
    table = np.array([[probabilities[premise, text] for premise in premises] for text in said])
    # (sentences, 2): each the greatest over the premises
    greatest = table.max(axis=1)
    mean = float((greatest[:, 0] - greatest[:, 1]).mean())
    return None if np.isnan(mean) else mean


def _find_label(labels: dict[int, str], stem: str) -> int | None:
    """The place of the label that begins with a stem, whatever its case; ``not_entailment`` does not."""
    return next((place for place, label in sorted(labels.items()) if label.lower().startswith(stem)), None)
