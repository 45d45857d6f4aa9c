"""Training windowing models: statistics, settings, labels and objective (Schüller et al. 2020)."""

from __future__ import annotations

import enum
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.statistics import REFERENCE_TOKENS_DROPPED, REFERENCE_TOKENS_TOTAL
from lsum_cli.documents import sentences_to_read
from lsum_cli.errors import CheckpointError, DatasetError, OptionError
from lsum_cli.text.sentences import split_sentences
from lsum_cli.training.batches import count_source, pad_rows, with_lengths
from lsum_cli.training.initialisation import load_base
from lsum_cli.training.objectives import Features, Objective
from lsum_cli.training.settings import Recipe, require_at_least
from lsum_cli.training.window_shift_labels import (
    EmbeddingSimilarity,
    RougeSimilarity,
    Similarity,
    SimilarityKind,
    TfidfSimilarity,
    insert_shifts,
    windows_of_sentences,
)

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

    from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
    from lsum_cli.models.windowing.vocabulary import SourceText

COVERED_SHARE = 0.9


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """Word counts and lengths of the training data.

    Attributes:
        words: How often each word occurs in texts and references.
        source_len: maj(|D|), the length in words that 90 % of the texts do not exceed.
        summary_len: maj(|S|), the same for the references.
        summary_lengths: The length of every reference in words.
    """

    words: Counter[str]
    source_len: float
    summary_len: float
    summary_lengths: Sequence[int] = ()


def gather_statistics(
    examples: Iterable[Example], max_source_tokens: int | None, *, keep_references: bool = False
) -> Statistics:
    """Count words and lengths in one pass over the training data.

    Raises:
        DatasetError: There is no text with a reference.
    """
    from lsum_cli.models.windowing.vocabulary import count_words

    words: Counter[str] = Counter()
    sources, summaries = [], []
    for example in examples:
        if not example.reference:
            continue
        in_source = count_words(source_sentences(example, keep_references=keep_references))
        in_reference = count_words([example.reference])
        words.update(in_source)
        words.update(in_reference)
        length = in_source.total()
        sources.append(min(length, max_source_tokens) if max_source_tokens else length)
        summaries.append(in_reference.total())
    if not sources:
        raise DatasetError("there are no texts with summaries to train on", "give a data set with both")
    return Statistics(
        words=words,
        source_len=covering_length(sources),
        summary_len=covering_length(summaries),
        summary_lengths=summaries,
    )


def covering_length(lengths: Sequence[int]) -> float:
    """Return the smallest length that nine in ten lengths do not exceed (maj of Eq. 3)."""
    return float(max(1, np.quantile(np.array(lengths), COVERED_SHARE, method="inverted_cdf")))


def source_sentences(example: Example, *, keep_references: bool = False) -> list[str]:
    """The sentences of an example's documents, as one text."""
    sentences = sentences_to_read(example.documents, keep_references=keep_references)
    return [sentence.text for sentence in sentences]


# A static model may finish a sentence beyond its quotas.
LONGEST_BEYOND_QUOTA = 60
# Factors of the length that covers 90 % of the summaries, and of a window's share of it.
GENEROUS_WHOLE, GENEROUS_SHARE = 1.5, 4.0
SHORTEST_MAXIMUM = 20


class Windowing(enum.StrEnum):
    """How a model moves through its windows; ``none`` reads only the first one (STAN)."""

    DYNAMIC = "dynamic"
    STATIC = "static"
    NONE = "none"


class WindowWeights(enum.StrEnum):
    """Shares of windows: the softmax of e(w_i) (the paper), or e(w_i) over their sum (its published code)."""

    SOFTMAX = "softmax"
    NORMALISED = "normalised"


class Bridge(enum.StrEnum):
    """Between encoder and decoder: nothing (the paper), or a layer tanh(W·h) + b."""

    NONE = "none"
    TANH = "tanh"


class Shifts(enum.StrEnum):
    """Window-shift labels: between sentences (the paper), or before the first and after the last one too."""

    BETWEEN = "between"
    THROUGHOUT = "throughout"


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """The windowing model's own settings; sizes and vocabulary apply only to training from scratch.

    Attributes:
        windowing: How the model moves through its windows.
        window_len: Width of a window in tokens (T_w).
        stride: Tokens from the start of one window to the start of the next (ss).
        weight_k: k of the static weights exp(-k (1 + i·d^i)).
        weight_d: d of the static weights; 0 is uniform.
        window_weights: Static: how the weights become shares of the summary.
        bridge: What the decoder begins from.
        shifts: Dynamic: where the labels have window-shift tokens.
        paced: Dynamic: whether the model moves its window as often as it expects to, or when the search
            chooses the window-shift token. Kept in the checkpoint; ``--paced`` overrides it.
        similarity: Dynamic: the similarity that maps reference sentences to windows.
        embedding_size: Size of a word embedding; with an embeddings file, that of its vectors.
        hidden_size: Hidden size of the encoder in each direction.
        vocabulary_size: Maximum number of words, special tokens included; the most frequent ones of the
            training data are used.
        vocabulary_file: File of words to use instead, one per line.
        embeddings_file: fastText vectors, ``.vec`` or ``.bin``, that initialise the embeddings.
        max_source_tokens: Maximum number of tokens of a text; longer texts are cut, and counted. ``None``
            for no limit.
    """

    windowing: Windowing = Windowing.DYNAMIC
    window_len: int = 400
    stride: int = 380
    weight_k: float = 0.8
    weight_d: float = 0.0
    window_weights: WindowWeights = WindowWeights.NORMALISED
    bridge: Bridge = Bridge.TANH
    shifts: Shifts = Shifts.THROUGHOUT
    paced: bool = True
    similarity: SimilarityKind = SimilarityKind.TFIDF
    embedding_size: int = 300
    hidden_size: int = 256
    vocabulary_size: int = 50_000
    vocabulary_file: str | None = None
    embeddings_file: str | None = None
    max_source_tokens: int | None = None

    def __post_init__(self) -> None:
        sizes = ("window_len", "stride", "embedding_size", "hidden_size", "max_source_tokens")
        require_at_least("model", self, **dict.fromkeys(sizes, 1), vocabulary_size=10)
        if self.stride > self.window_len:
            raise OptionError(
                f"model.stride {self.stride} would skip text between windows of {self.window_len}",
                "give at most model.window_len",
            )
        if not (self.weight_k >= 0 and self.weight_d >= 0):
            raise OptionError("model.weight_k and model.weight_d cannot be negative", "give 0 or more")

    @classmethod
    def of_base(cls, config: Mapping[str, Any], manifest: Manifest) -> dict[str, Any]:
        """The settings that a windowing model brings along."""
        del manifest
        if config["model_type"] != CheckpointMethod.WINDOWING.value:
            return {}
        settings = {name: config[name] for name in _KEPT if name in config}
        return settings | ({"vocabulary_size": config["vocab_size"]} if "vocab_size" in config else {})


# What a windowing model keeps of itself when it is trained on.
_KEPT = (
    "windowing",
    "window_len",
    "stride",
    "weight_k",
    "weight_d",
    "window_weights",
    "bridge",
    "shifts",
    "paced",
    "embedding_size",
    "hidden_size",
)


def first_words(sentences: Sequence[NDArray[np.int64]], most: int) -> list[NDArray[np.int64]]:
    """The sentences up to their first ``most`` words; the last of these may be cut."""
    kept = []
    for sentence in sentences:
        if most <= 0:
            break
        kept.append(sentence[:most])
        most -= len(kept[-1])
    return kept


def build_objective(recipe: Recipe, examples: Iterable[Example], base: Path | None) -> WindowingObjective:
    """Build vocabulary, embeddings, statistics and model, and the objective.

    Raises:
        CheckpointError: The base is of another architecture, or damaged.
        DatasetError: There are no pairs to learn from.
        OptionError: A vocabulary or embeddings file cannot be used, or label smoothing was requested.
    """
    settings: ModelSettings = recipe.model
    if recipe.training.label_smoothing_factor:
        raise OptionError(
            f"label smoothing of {recipe.training.label_smoothing_factor} cannot be used for windowing models"
            ", which are trained with plain likelihood",
            "give --set training.label_smoothing_factor=0",
        )
    statistics = gather_statistics(
        examples, settings.max_source_tokens, keep_references=recipe.data.keep_references
    )
    if recipe.data.max_target_tokens is None:
        # The end token counts.
        recipe = with_lengths(recipe, statistics.summary_lengths, frame=1)
    if base is not None:
        model, tokenizer = _from_base(base, settings, statistics)
    else:
        model, tokenizer = _from_scratch(settings, statistics)
    return WindowingObjective(model=model, tokenizer=tokenizer, recipe=recipe)


class WindowingObjective(Objective):
    """Negative log likelihood of the reference, each token read from its window (Eqs. 1 and 2)."""

    method = CheckpointMethod.WINDOWING
    metric = "rougeLsum"
    _encoding = 3
    _settings: ModelSettings

    def __init__(self, *, model: Any, tokenizer: PreTrainedTokenizerBase, recipe: Recipe) -> None:
        super().__init__(model=model, tokenizer=tokenizer, recipe=recipe)
        self._similarity = make_similarity(self._settings, tokenizer, model.config.embedding_size)

    def encode(self, example: Example) -> Features | None:
        """Text and reference as ids: ``input_ids``, ``extended_ids``, ``labels`` and ``window_index``."""
        if not example.reference:
            return None
        sentences = source_sentences(example, keep_references=self.recipe.data.keep_references)
        return self.encode_pair(sentences, split_sentences(example.reference))

    def encode_pair(self, sentences: Sequence[str], reference: Sequence[str]) -> Features | None:
        """Encode given sentences; see :meth:`encode`."""
        from lsum_cli.models.windowing.vocabulary import encode_reference, encode_source

        settings = self._settings
        whole = encode_source(self.tokenizer, sentences)
        limit = settings.window_len if settings.windowing is Windowing.NONE else settings.max_source_tokens
        source = whole.first(limit) if limit else whole
        targets = encode_reference(self.tokenizer, reference, source)
        if not len(source) or not sum(map(len, targets)):
            return None
        labels, windows, cut = self._labels(source, targets)
        return {
            "input_ids": source.input_ids.astype(np.int32),
            "extended_ids": source.extended_ids.astype(np.int32),
            "labels": labels.astype(np.int32),
            "window_index": windows.astype(np.int32),
            REFERENCE_TOKENS_TOTAL: np.array(sum(map(len, targets)), dtype=np.int64),
            REFERENCE_TOKENS_DROPPED: np.array(cut, dtype=np.int64),
            **count_source(len(whole), len(whole) - len(source)),
        }

    def _labels(
        self, source: SourceText, targets: Sequence[NDArray[np.int64]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Return the labels with the end token and (dynamic) shifts, their windows, and the words cut."""
        from lsum_cli.models.windowing.windows import (
            WindowLayout,
            static_quotas,
            static_weights,
            windows_by_quota,
        )

        settings, config = self._settings, self.model.config
        # The end token counts, as special tokens do everywhere; shifts are no part of the text.
        kept = first_words(targets, max(1, self.max_target_tokens - 1))
        layout = WindowLayout(num_tokens=len(source), window_len=settings.window_len, stride=settings.stride)
        end = np.array([config.eos_token_id], np.int64)
        words = np.concatenate([np.zeros(0, np.int64), *kept])
        cut = sum(map(len, targets)) - len(words)
        if settings.windowing is Windowing.DYNAMIC and len(layout) > 1:
            starts = np.flatnonzero(np.diff(source.sentence_of, prepend=-1))
            parts = np.split(source.extended_ids, starts[1:])
            similarity = self._similarity.compare(targets, parts)
            windows = windows_of_sentences(similarity, starts, layout)[: len(kept)]
            last = len(layout) - 1 if settings.shifts is Shifts.THROUGHOUT else None
            ids, places = insert_shifts(kept, windows, config.shift_token_id, last=last)
            ends_in = places[-1] if last is None else last
        else:
            ids, places, ends_in = words, np.zeros(len(words), np.int64), 0
        labels = np.concatenate([ids, end])
        if settings.windowing is Windowing.STATIC:
            weights = static_weights(
                layout, k=settings.weight_k, d=settings.weight_d, form=settings.window_weights.value
            )
            # The reference's actual length, so that its end is read from the last window.
            return labels, windows_by_quota(static_quotas(len(ids), weights), len(labels)), cut
        return labels, np.append(places, ends_in), cut

    def collate(self, batch: Sequence[Features]) -> dict[str, Tensor]:
        """Collate a batch, with ``extended_ids`` (batch, source_len) and the labels' ``window_index``."""
        return {
            **super().collate(batch),
            "extended_ids": pad_rows([each["extended_ids"] for each in batch], self._pad),
            "window_index": pad_rows([each["window_index"] for each in batch], 0),
        }

    def _encoding_settings(self) -> tuple[object, ...]:
        settings = self._settings
        embeddings = getattr(self._similarity, "embeddings", None)
        return (
            (settings.windowing.value, settings.window_len, settings.stride, settings.similarity.value),
            (settings.weight_k, settings.weight_d, settings.max_source_tokens),
            (settings.window_weights.value, settings.shifts.value),
            "" if embeddings is None else hashlib.sha256(embeddings.tobytes()).hexdigest(),
        )


def make_similarity(
    settings: ModelSettings, tokenizer: PreTrainedTokenizerBase, embedding_size: int
) -> Similarity:
    """Make the sentence similarity; the same for the same settings and vocabulary.

    Without pretrained embeddings, those of ``embedding`` are drawn at random with a fixed seed, so that
    the sums are random projections of word counts.
    """
    if settings.similarity is SimilarityKind.TFIDF:
        return TfidfSimilarity()
    if settings.similarity is SimilarityKind.ROUGE:
        return RougeSimilarity()
    shape = len(tokenizer), embedding_size
    if not settings.embeddings_file:
        return EmbeddingSimilarity(
            embeddings=np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
        )
    from lsum_cli.models.windowing.fasttext import read_embeddings

    words = [str(word) for word in tokenizer.convert_ids_to_tokens(list(range(shape[0])))]
    embeddings = np.zeros(shape, np.float32)
    for place, vector in read_embeddings(Path(settings.embeddings_file), words, size=embedding_size).items():
        embeddings[place] = vector
    return EmbeddingSimilarity(embeddings=embeddings)


def _from_scratch(
    settings: ModelSettings, statistics: Statistics
) -> tuple[WindowingForConditionalGeneration, PreTrainedTokenizerBase]:
    import torch

    from lsum_cli.models.windowing.configuration import WindowingConfig
    from lsum_cli.models.windowing.fasttext import read_embeddings
    from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
    from lsum_cli.models.windowing.vocabulary import (
        SPECIAL_TOKENS,
        make_tokenizer,
        most_frequent,
        read_vocabulary,
    )

    if settings.vocabulary_file:
        words = read_vocabulary(Path(settings.vocabulary_file))
    else:
        words = most_frequent(statistics.words, settings.vocabulary_size)
    tokenizer = make_tokenizer(words)
    config = WindowingConfig(
        vocab_size=len(tokenizer),
        embedding_size=settings.embedding_size,
        hidden_size=settings.hidden_size,
        bridge=settings.bridge.value,
        **_window_settings(settings, statistics),
    )
    model = WindowingForConditionalGeneration(config)
    if settings.embeddings_file:
        found = read_embeddings(Path(settings.embeddings_file), words, size=settings.embedding_size)
        with torch.no_grad():
            for word, vector in found.items():
                model.embedding.weight[len(SPECIAL_TOKENS) + word] = torch.from_numpy(vector)
    return model, tokenizer


def _from_base(
    base: Path, settings: ModelSettings, statistics: Statistics
) -> tuple[WindowingForConditionalGeneration, PreTrainedTokenizerBase]:
    from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration

    loaded, tokenizer = load_base(base)
    if not isinstance(loaded, WindowingForConditionalGeneration):
        raise CheckpointError(
            f"{base.name} is a {type(loaded).__name__}, not a windowing model",
            "give a windowing checkpoint as base, or none to start from scratch",
        )
    if loaded.config.bridge != settings.bridge.value:
        raise OptionError(
            f"{base.name} was trained with the bridge {loaded.config.bridge}",
            f"give --set model.bridge={loaded.config.bridge}",
        )
    for name, value in _window_settings(settings, statistics).items():
        setattr(loaded.config, name, value)
    return loaded, tokenizer


def _window_settings(settings: ModelSettings, statistics: Statistics) -> dict[str, Any]:
    return {
        "windowing": settings.windowing.value,
        "window_len": settings.window_len,
        "stride": settings.stride,
        "weight_k": settings.weight_k,
        "weight_d": settings.weight_d,
        "window_weights": settings.window_weights.value,
        "shifts": settings.shifts.value,
        "paced": settings.paced,
        "summary_len": statistics.summary_len,
        "source_len": statistics.source_len,
        "max_window_tokens": _most_for_a_window(settings, statistics),
    }


def _most_for_a_window(settings: ModelSettings, statistics: Statistics) -> int:
    """Return the maximum number of tokens for one window, or beyond the quotas of a static model."""
    if settings.windowing is Windowing.STATIC:
        return LONGEST_BEYOND_QUOTA
    most = GENEROUS_WHOLE * statistics.summary_len
    if settings.windowing is Windowing.DYNAMIC:
        share = settings.window_len / statistics.source_len
        most = min(most, GENEROUS_SHARE * share * statistics.summary_len)
    return max(SHORTEST_MAXIMUM, round(most))
