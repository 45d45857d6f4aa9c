"""What training starts from: a base checkpoint, or a tokenizer trained on the data and new weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.checkpoints.loading import load_folder, load_tokenizer
from lsum_cli.datasets.dataset import sample
from lsum_cli.datasets.example import Example
from lsum_cli.errors import CheckpointError
from lsum_cli.training.settings import TokenizerSettings

if TYPE_CHECKING:
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
