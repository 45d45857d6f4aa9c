"""Initialisation: a base checkpoint, or a tokenizer trained on the data and new weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.loading import load_folder, load_tokenizer
from lsum_cli.datasets.dataset import sample
from lsum_cli.datasets.example import Example
from lsum_cli.errors import CheckpointError
from lsum_cli.training.settings import TokenizerSettings

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase, PreTrainedTokenizerFast

# As in BART, so that the architectures agree.
SPECIAL_TOKENS = ("<s>", "<pad>", "</s>", "<unk>")
BOS, PAD, EOS, UNK = range(4)


def load_base(base: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load the checkpoint to start from, in float32 and ready to be trained, and its tokenizer.

    Raises:
        CheckpointError: It is damaged, or has no tokenizer.
    """
    try:
        load_tokenizer(base)
    except CheckpointError as error:
        raise CheckpointError(
            f"training cannot start from it: {error.what}",
            "give another --base, or leave it out and a tokenizer is trained on the data",
        ) from error
    loaded = load_folder(base, device="cpu", dtype="float32")
    model: Any = loaded.model.float().requires_grad_(True)
    return model, loaded.tokenizer


def train_tokenizer(
    examples: Iterable[Example], settings: TokenizerSettings, *, max_length: int | None = None
) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer on documents and references; the same data give the same one.

    Args:
        max_length: What the model reads at once, for those who use the tokenizer alone.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token=SPECIAL_TOKENS[UNK]))
    # The first word of a text is the token that it is elsewhere: it can be copied.
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=settings.vocab_size,
        special_tokens=list(SPECIAL_TOKENS),
        # Every byte, so that no text is unknown.
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_texts(sample(examples, settings.max_examples)), trainer)
    bos, eos = SPECIAL_TOKENS[BOS], SPECIAL_TOKENS[EOS]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}", special_tokens=[(bos, BOS), (eos, EOS)]
    )
    limit = {} if max_length is None else {"model_max_length": max_length}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=bos,
        pad_token=SPECIAL_TOKENS[PAD],
        eos_token=eos,
        unk_token=SPECIAL_TOKENS[UNK],
        **limit,
    )


def special_ids() -> dict[str, int]:
    """The special tokens of :func:`train_tokenizer` as a configuration in BART's manner names them."""
    return {
        "bos_token_id": BOS,
        "pad_token_id": PAD,
        "eos_token_id": EOS,
        "decoder_start_token_id": EOS,
        "forced_bos_token_id": BOS,
        "forced_eos_token_id": EOS,
    }


def fingerprint_tokenizer(tokenizer: PreTrainedTokenizerBase) -> str:
    """Names a tokenizer by what it makes of text; survives saving and loading."""
    vocabulary = sorted(tokenizer.get_vocab().items())
    sample = tokenizer("A sample: naïve coöperation, 12.5 %\nand – more")["input_ids"]
    return hashlib.sha256(repr((vocabulary, list(sample))).encode()).hexdigest()


def set_dropout(model: PreTrainedModel, probability: float) -> None:
    """Let a model drop hidden states with this probability; attention weights stay as they are."""
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
                # Within running text a space stands before a sentence.
                yield " ".join(sentence.text for sentence in section.sentences)
        if example.reference:
            yield example.reference


Stream = NDArray[np.int32]

MOST_TOKENS = 4_000_000
_REACH = 5
# The columns of the table of counts: contexts that are rarer tell little.
_MOST_CONTEXTS = 8_192
# Of a token; what is rarer keeps its random vector.
_FEWEST_OCCURRENCES = 5
_CONTEXT_POWER, _VALUE_POWER = 0.75, 0.5
_SPARE_RANK = 32


def read_streams(
    examples: Iterable[Example], tokenizer: PreTrainedTokenizerBase, *, most_tokens: int = MOST_TOKENS
) -> list[Stream]:
    """Tokenise documents section by section, of long data only every second example, or every fourth, ….

    Returns:
        The token ids of each section: ``most_tokens`` in all at most, unless one example has more.
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
    """Give tokens that are used alike vectors that are alike, in place.

    Every new vector has the length that random ones have on average. Tokens that occur too rarely, and
    special ones, which streams do not hold, keep the vector that they have.

    Args:
        embedding: (vocab, dim) table of a new model.
        streams: Running text as token ids; tokens of two streams are no neighbours.
        spread: The standard deviation of the entries, as of random ones.
        seed: Of the approximate decomposition; the same streams and seed give the same table.

    Returns:
        How many tokens were given a vector.
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
        # No coordinate is to have more of the vectors' length than another, as the first ones have.
        turn = torch.linalg.qr(torch.randn(dim, dim)).Q
    vectors = torch.zeros(vocab_size, dim)
    width = min(rank, dim)
    vectors[:, :width] = left[:, :width] * values[:width] ** _VALUE_POWER
    is_known = torch.from_numpy(frequency >= _FEWEST_OCCURRENCES) & (association.sum(dim=1) > 0)
    if not is_known.any():
        return 0
    # What all of them have in common tells none from another.
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
            # Within running text a space stands before a sentence.
            texts.append("".join(f" {part}" for part in parts if part))
    if not texts:
        return []
    encoded = tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
    return [np.array(ids, np.int32) for ids in encoded if ids]


def _join(streams: Iterable[Sequence[int] | Stream]) -> NDArray[np.int64]:
    """All streams in a row, set apart so far by -1 that none reaches into the next."""
    apart = np.full(_REACH, -1, np.int64)
    pieces = [piece for stream in streams for piece in (np.asarray(stream, np.int64), apart)]
    return np.concatenate(pieces) if pieces else apart


def _count_neighbours(running: NDArray[np.int64], frequency: NDArray[np.int64]) -> Tensor:
    """(vocab, contexts) how often each of the most frequent tokens stands near a token, by distance."""
    import torch

    vocab_size = len(frequency)
    contexts = np.argsort(-frequency, kind="stable")[: min(_MOST_CONTEXTS, np.count_nonzero(frequency))]
    column_of = np.full(vocab_size + 1, -1, np.int64)  # the last is that of -1
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
    """Positive pointwise mutual information, in place of the counts; contexts are smoothed."""
    least = 1e-12
    of_words = counts.sum(dim=1, keepdim=True).clamp(min=least)
    of_contexts = counts.sum(dim=0).clamp(min=least) ** _CONTEXT_POWER
    chance = of_contexts / of_contexts.sum()
    return counts.log_().sub_(of_words.log()).sub_(chance.log()).clamp_(min=0)
