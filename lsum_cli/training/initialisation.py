"""Initialisation: a base checkpoint, or a tokenizer trained on the data and new weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.loading import load_encoder, load_folder, load_tokenizer
from lsum_cli.checkpoints.manifest import read_config
from lsum_cli.checkpoints.store import find_encoder
from lsum_cli.datasets.dataset import Dataset, sample
from lsum_cli.datasets.example import Example
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine.storage import cached_text
from lsum_cli.methods.model_inputs import SequenceFrame
from lsum_cli.training.settings import Recipe, TokenizerSettings

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import (
        BartForConditionalGeneration,
        PreTrainedModel,
        PreTrainedTokenizerBase,
        PreTrainedTokenizerFast,
    )

# As in BART, so that the architectures agree.
SPECIAL_TOKENS = ("<s>", "<pad>", "</s>", "<unk>")
BOS, PAD, EOS, UNK = range(4)


def load_base(base: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load the base checkpoint in float32, ready for training, and its tokenizer.

    Raises:
        CheckpointError: It is damaged, or has no tokenizer.
    """
    try:
        load_tokenizer(base)
    except CheckpointError as error:
        raise CheckpointError(
            f"it cannot be used as base: {error.what}",
            "give another --base, or leave it out to train a tokenizer on the data",
        ) from error
    loaded = load_folder(base, device="cpu", dtype="float32")
    model: Any = loaded.model.float().requires_grad_(True)
    return model, loaded.tokenizer


def load_bert(name: str) -> tuple[BartForConditionalGeneration, PreTrainedTokenizerBase]:
    """A BART that begins as a BERT-like encoder, and the tokenizer of that.

    A sequence stands between the tokens that are BERT's ``[CLS]`` and ``[SEP]``, as between BART's ``<s>``
    and ``</s>``.

    Args:
        name: ``OWNER/NAME[@REVISION]`` of a model in the hub library's cache, or a folder.

    Raises:
        CheckpointError: It is not on this machine, damaged, or of another architecture.
    """
    from lsum_cli.models.blocks.bert import bart_from_bert, check_bert

    folder = find_encoder(name)
    check_bert(read_config(folder), name)
    bert, tokenizer = load_encoder(folder)
    begin, end, pad = tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id
    frame = SequenceFrame.of(tokenizer)
    if None in (begin, end, pad) or (frame.before, frame.after) != ((begin,), (end,)):
        raise CheckpointError(
            f"the tokenizer of model.encoder {name} has no tokens for begin, end and padding",
            "give an encoder with its own tokenizer.json",
        )
    special = {
        "bos_token_id": begin,
        "pad_token_id": pad,
        "eos_token_id": end,
        "decoder_start_token_id": end,
        "forced_bos_token_id": begin,
        "forced_eos_token_id": end,
    }
    return bart_from_bert(bert, special), tokenizer


def load_beginning(recipe: Recipe, base: Path | None) -> tuple[Any, PreTrainedTokenizerBase] | None:
    """Load what a model begins with: the base, or the encoder that the recipe names; ``None`` from scratch.

    Raises:
        CheckpointError: It is damaged, of another architecture, or has no tokenizer.
        OptionError: The recipe has both.
    """
    encoder = recipe.model.encoder
    if recipe.base is not None and encoder is not None:
        raise OptionError(
            f"model.encoder {encoder} cannot be used with the base {recipe.base}", "give one of them"
        )
    # The base of a run that is resumed is its own checkpoint.
    if base is not None:
        return load_base(base)
    return None if encoder is None else load_bert(encoder)


def train_tokenizer(
    examples: Iterable[Example], settings: TokenizerSettings, *, max_length: int | None = None
) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer on documents and references; deterministic.

    That of a data set is kept, and read again the next time.

    Args:
        max_length: The tokenizer's ``model_max_length``.
    """
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    if isinstance(examples, Dataset):
        key = ["byte-level BPE", examples.fingerprint, asdict(settings)]
        text = cached_text("tokenizers", key, lambda: _train_bpe(examples, settings).to_str())
        tokenizer = Tokenizer.from_str(text)
    else:
        tokenizer = _train_bpe(examples, settings)
    limit = {} if max_length is None else {"model_max_length": max_length}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=SPECIAL_TOKENS[BOS],
        pad_token=SPECIAL_TOKENS[PAD],
        eos_token=SPECIAL_TOKENS[EOS],
        unk_token=SPECIAL_TOKENS[UNK],
        **limit,
    )


def _train_bpe(examples: Iterable[Example], settings: TokenizerSettings) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE(unk_token=SPECIAL_TOKENS[UNK]))
    # The first word of a text becomes the same token as elsewhere, so that it can be copied.
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=settings.vocab_size,
        special_tokens=list(SPECIAL_TOKENS),
        # All bytes, so that no text is unknown.
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_texts(sample(examples, settings.max_examples)), trainer)
    bos, eos = SPECIAL_TOKENS[BOS], SPECIAL_TOKENS[EOS]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}", special_tokens=[(bos, BOS), (eos, EOS)]
    )
    return tokenizer


def special_ids() -> dict[str, int]:
    """The special tokens of :func:`train_tokenizer`, as BART configurations name them."""
    return {
        "bos_token_id": BOS,
        "pad_token_id": PAD,
        "eos_token_id": EOS,
        "decoder_start_token_id": EOS,
        "forced_bos_token_id": BOS,
        "forced_eos_token_id": EOS,
    }


def bart_config(settings: Any, positions: int) -> dict[str, Any]:
    """The sizes in a recipe as a BART-like configuration calls them, for a model with a tokenizer of ours.

    Args:
        settings: The settings of a recipe; the layers of the encoder, which are of many kinds, are left out.
        positions: Number of positions.
    """
    return {
        "d_model": settings.d_model,
        "decoder_layers": settings.decoder_layers,
        "encoder_attention_heads": settings.attention_heads,
        "decoder_attention_heads": settings.attention_heads,
        "encoder_ffn_dim": settings.ffn_dim,
        "decoder_ffn_dim": settings.ffn_dim,
        "max_position_embeddings": positions,
        **special_ids(),
    }


def fingerprint_tokenizer(tokenizer: PreTrainedTokenizerBase) -> str:
    """Fingerprint of a tokenizer by its behaviour; unchanged by saving and loading."""
    vocabulary = sorted(tokenizer.get_vocab().items())
    sample = tokenizer("A sample: naïve coöperation, 12.5 %\nand – more")["input_ids"]
    return hashlib.sha256(repr((vocabulary, list(sample))).encode()).hexdigest()


def set_dropout(model: PreTrainedModel, probability: float) -> None:
    """Set the dropout of hidden states; attention dropout is unchanged."""
    for name in ("dropout", "dropout_rate"):
        if hasattr(model.config, name):
            setattr(model.config, name, probability)
    for module in model.modules():
        if type(module).__name__ == "Dropout":
            module.p = probability
        elif isinstance(getattr(module, "dropout", None), float) and "Attention" not in type(module).__name__:
            module.dropout = probability


def _texts(examples: Iterable[Example]) -> Iterator[str]:
    for example in examples:
        for document in example.documents:
            for section in document.sections:
                if section.heading:
                    yield section.heading
                # In running text a sentence follows a space.
                yield " ".join(sentence.text for sentence in section.sentences)
        if example.reference:
            yield example.reference


Stream = NDArray[np.int32]

MOST_TOKENS = 4_000_000
_REACH = 5
# Columns of the table of counts: rarer contexts say little.
_MOST_CONTEXTS = 8_192
# Minimum frequency of a token; rarer ones keep their random vector.
_FEWEST_OCCURRENCES = 5
_CONTEXT_POWER, _VALUE_POWER = 0.75, 0.5
_SPARE_RANK = 32


def read_streams(
    examples: Iterable[Example], tokenizer: PreTrainedTokenizerBase, *, most_tokens: int = MOST_TOKENS
) -> list[Stream]:
    """Tokenise documents by section; for large data only every second, fourth, … example.

    Returns:
        Token ids of each section, at most ``most_tokens`` in all (unless one example has more).
    """
    taken: list[list[Stream]] = []
    stride, total = 1, 0
    for place, example in enumerate(examples):
        if place % stride:
            continue
        taken.append(_tokenise(example, tokenizer))
        total += sum(map(len, taken[-1]))
        while total > most_tokens and len(taken) > 1:
            stride *= 2
            taken = taken[::2]
            total = sum(len(stream) for streams in taken for stream in streams)
    return [stream for streams in taken for stream in streams]


def initialise_embeddings(
    embedding: Tensor, streams: Iterable[Sequence[int] | Stream], *, spread: float, seed: int
) -> int:
    """Initialise embeddings in place so that tokens used in similar contexts have similar vectors.

    Every new vector has the average length of random ones. Rare tokens and special tokens, which are
    not in the streams, keep their vector.

    Args:
        embedding: (vocab, dim) table of a new model.
        streams: Running text as token ids; tokens of different streams are not neighbours.
        spread: Standard deviation of the entries, as for random initialisation.
        seed: Seed of the approximate decomposition.

    Returns:
        Number of tokens that were given a vector.
    """
    import torch

    vocab_size, dim = embedding.shape
    running = _join(streams)
    frequency = np.bincount(running[running >= 0], minlength=vocab_size)
    association = _positive_information(_count_neighbours(running, frequency))
    rank = min(dim + _SPARE_RANK, *association.shape)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        left, values, _ = torch.svd_lowrank(association, q=rank)
        # A rotation spreads the length evenly over the coordinates.
        turn = torch.linalg.qr(torch.randn(dim, dim)).Q
    vectors = torch.zeros(vocab_size, dim)
    width = min(rank, dim)
    vectors[:, :width] = left[:, :width] * values[:width] ** _VALUE_POWER
    is_known = torch.from_numpy(frequency >= _FEWEST_OCCURRENCES) & (association.sum(dim=1) > 0)
    if not is_known.any():
        return 0
    # Remove the common component.
    vectors = (vectors[is_known] - vectors[is_known].mean(dim=0)) @ turn
    vectors *= spread * dim**0.5 / vectors.norm(dim=1, keepdim=True).clamp(min=1e-12)
    with torch.no_grad():
        embedding[is_known.to(embedding.device)] = vectors.to(embedding)
    return int(is_known.sum())


def _tokenise(example: Example, tokenizer: PreTrainedTokenizerBase) -> list[Stream]:
    texts = []
    for document in example.documents:
        for section in document.sections:
            parts = [section.heading or "", *(sentence.text for sentence in section.sentences)]
            # In running text a sentence follows a space.
            texts.append("".join(f" {part}" for part in parts if part))
    if not texts:
        return []
    encoded = tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
    return [np.array(ids, np.int32) for ids in encoded if ids]


def _join(streams: Iterable[Sequence[int] | Stream]) -> NDArray[np.int64]:
    """All streams in a row, separated by enough -1 that no context window spans two."""
    apart = np.full(_REACH, -1, np.int64)
    pieces = [piece for stream in streams for piece in (np.asarray(stream, np.int64), apart)]
    return np.concatenate(pieces) if pieces else apart


def _count_neighbours(running: NDArray[np.int64], frequency: NDArray[np.int64]) -> Tensor:
    """(vocab, contexts): how often each frequent token occurs near a token, weighted by distance."""
    import torch

    vocab_size = len(frequency)
    contexts = np.argsort(-frequency, kind="stable")[: min(_MOST_CONTEXTS, np.count_nonzero(frequency))]
    column_of = np.full(vocab_size + 1, -1, np.int64)  # the last row belongs to -1
    column_of[contexts] = np.arange(len(contexts))
    columns = column_of[running]
    counts = torch.zeros(vocab_size * len(contexts))
    for distance in range(1, _REACH + 1):
        for words, near in (
            (running[:-distance], columns[distance:]),
            (running[distance:], columns[:-distance]),
        ):
            counted = (words >= 0) & (near >= 0)
            cells = torch.from_numpy(words[counted] * len(contexts) + near[counted])
            counts.index_add_(0, cells, torch.full((len(cells),), 1 / distance))
    return counts.view(vocab_size, len(contexts))


def _positive_information(counts: Tensor) -> Tensor:
    """Positive pointwise mutual information with context smoothing, computed in place."""
    least = 1e-12
    of_words = counts.sum(dim=1, keepdim=True).clamp(min=least)
    of_contexts = counts.sum(dim=0).clamp(min=least) ** _CONTEXT_POWER
    chance = of_contexts / of_contexts.sum()
    return counts.log_().sub_(of_words.log()).sub_(chance.log()).clamp_(min=0)
