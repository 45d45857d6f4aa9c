"""Tokenizers: what summarising asks of one, and those that are read from their files alone.

``transformers`` reads every tokenizer, but takes a second to import. What most checkpoints have, a
``tokenizer.json`` that is the whole tokenizer, needs the library ``tokenizers`` alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Backend

TOKENIZER_FILE, CONFIG_FILE = "tokenizer.json", "tokenizer_config.json"
# As transformers says it.
_NO_LIMIT = int(1e30)
_NAMED = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_EXTRA = ("extra_special_tokens", "additional_special_tokens")
# Classes of a tokenizer that is all in ``tokenizer.json``, and those that build it anew from its vocabulary.
_WHOLE = frozenset({"TokenizersBackend", "PreTrainedTokenizerFast"})
_BYTE_LEVEL = frozenset({"RobertaTokenizer", "RobertaTokenizerFast", "BartTokenizer", "BartTokenizerFast"})
# Settings that are followed here, and those that do not matter to what is asked of a tokenizer here.
_FOLLOWED = frozenset({*_NAMED, *_EXTRA, "tokenizer_class", "model_max_length", "added_tokens_decoder"})
_INDIFFERENT = frozenset(
    {"backend", "clean_up_tokenization_spaces", "errors", "is_local", "local_files_only", "model_input_names"}
) | {*("name_or_path", "padding_side", "truncation_side")}
# Larger vocabularies may be of a family whose files transformers mends.
_MOST_TOKENS = 100_000


class Tokenizer(Protocol):
    """What summarising asks of a tokenizer; those of ``transformers`` have it too."""

    model_max_length: int

    @property
    def backend_tokenizer(self) -> Backend:
        """The tokenizer of the library ``tokenizers``."""

    @property
    def all_special_ids(self) -> Sequence[int]:
        """Ids of the tokens that are no text."""

    @property
    def unk_token_id(self) -> int | None:
        """The id of what is not in the vocabulary."""

    def __len__(self) -> int:
        """The number of tokens."""

    def __call__(
        self,
        text: str | Sequence[str],
        *,
        add_special_tokens: bool = True,
        return_special_tokens_mask: bool = False,
        return_offsets_mapping: bool = False,
        verbose: bool = False,
    ) -> Mapping[str, Any]:
        """Tokenise a text or several: ``input_ids``, ``special_tokens_mask`` and ``offset_mapping``."""

    def decode(
        self,
        token_ids: Sequence[int],
        *,
        skip_special_tokens: bool = False,
        clean_up_tokenization_spaces: bool = False,
    ) -> str:
        """The text of some tokens."""

    def get_vocab(self) -> Mapping[str, int]:
        """The id of every token."""

    def convert_ids_to_tokens(self, ids: int) -> str:
        """The token of an id."""


class FileTokenizer:
    """A tokenizer read from ``tokenizer.json`` by the library ``tokenizers``; see :class:`Tokenizer`.

    Args:
        backend: The tokenizer; it is set neither to cut nor to pad.
        special_tokens: Those that are no text.
        unknown_token: What stands for all that is not in the vocabulary.
        max_length: Tokens of a text at most, as the checkpoint says.
    """

    def __init__(
        self, backend: Backend, special_tokens: Sequence[str], unknown_token: str | None, max_length: int
    ) -> None:
        backend.no_truncation()
        backend.no_padding()
        backend.encode_special_tokens = False
        ids = [backend.token_to_id(token) for token in dict.fromkeys(special_tokens)]
        self.backend_tokenizer = backend
        self.all_special_ids = [token_id for token_id in ids if token_id is not None]
        self.unk_token_id = None if unknown_token is None else backend.token_to_id(unknown_token)
        self.model_max_length = max_length

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """The tokenizer of a folder; ``None`` if ``transformers`` might make another of its files."""
        try:
            config = json.loads((folder / CONFIG_FILE).read_bytes())
        except (OSError, ValueError):
            return None
        if not isinstance(config, dict) or not (folder / TOKENIZER_FILE).is_file():
            return None
        from tokenizers import Tokenizer as Backend

        try:
            backend = Backend.from_file(str(folder / TOKENIZER_FILE))
        except Exception:  # the library raises nothing more exact; transformers will say what is wrong
            return None
        stated = _special_tokens(config)
        if (
            stated is None
            or not _is_whole(backend, config, stated)
            or not _has_same_tokens(folder, config, backend)
        ):
            return None
        length = config.get("model_max_length")
        named = {name: _content(config[name]) for name in _NAMED if config.get(name) is not None}
        return cls(backend, stated, named.get("unk_token"), _NO_LIMIT if length is None else int(length))

    def __len__(self) -> int:
        return int(self.backend_tokenizer.get_vocab_size(with_added_tokens=True))

    def __call__(
        self,
        text: str | Sequence[str],
        *,
        add_special_tokens: bool = True,
        return_special_tokens_mask: bool = False,
        return_offsets_mapping: bool = False,
        verbose: bool = False,  # noqa: ARG002 - a tokenizer of transformers warns of long texts otherwise
    ) -> Mapping[str, Any]:
        """Tokenise a text or several; see :class:`Tokenizer`."""
        texts = [text] if isinstance(text, str) else list(text)
        backend = self.backend_tokenizer
        encode = backend.encode_batch if return_offsets_mapping else backend.encode_batch_fast
        encodings = encode(texts, add_special_tokens=add_special_tokens)
        found: dict[str, Any] = {"input_ids": [each.ids for each in encodings]}
        if return_special_tokens_mask:
            found["special_tokens_mask"] = [each.special_tokens_mask for each in encodings]
        if return_offsets_mapping:
            found["offset_mapping"] = [each.offsets for each in encodings]
        return {name: values[0] for name, values in found.items()} if isinstance(text, str) else found

    def decode(
        self,
        token_ids: Sequence[int],
        *,
        skip_special_tokens: bool = False,
        clean_up_tokenization_spaces: bool = False,  # noqa: ARG002 - never; so nothing is lost
    ) -> str:
        """The text of some tokens, as they stand."""
        return str(self.backend_tokenizer.decode(list(token_ids), skip_special_tokens=skip_special_tokens))

    def get_vocab(self) -> Mapping[str, int]:
        """The id of every token."""
        vocabulary: Mapping[str, int] = self.backend_tokenizer.get_vocab(with_added_tokens=True)
        return vocabulary

    def convert_ids_to_tokens(self, ids: int) -> str:
        """The token of an id."""
        return str(self.backend_tokenizer.id_to_token(ids))


def _content(token: object) -> str | None:
    """A token as a configuration states it: a text, or an object with its content."""
    content = token.get("content") if isinstance(token, dict) else token
    return content if isinstance(content, str) else None


def _special_tokens(config: Mapping[str, Any]) -> list[str] | None:
    """The special tokens that a configuration names; ``None`` if they are stated in another way."""
    extra = config.get(_EXTRA[0]) or config.get(_EXTRA[1]) or []
    if not isinstance(extra, list):
        return None
    contents = [_content(config[name]) for name in _NAMED if config.get(name) is not None]
    contents += [_content(token) for token in extra]
    return None if None in contents else [content for content in contents if content is not None]


def _is_whole(backend: Backend, config: Mapping[str, Any], special_tokens: Sequence[str]) -> bool:
    """Whether ``transformers`` makes the same tokenizer of the configuration as stands in the file."""
    kind, known = config.get("tokenizer_class"), _FOLLOWED | _INDIFFERENT
    added = {token.content for token in backend.get_added_tokens_decoder().values()}
    length = config.get("model_max_length")
    if not added.issuperset(special_tokens) or backend.get_vocab_size() > _MOST_TOKENS:
        return False
    if length is not None and not isinstance(length, (int, float)):
        return False
    if kind in _WHOLE:
        return known.issuperset(config)
    is_known = (known | {"add_prefix_space", "trim_offsets"}).issuperset(config)
    return kind in _BYTE_LEVEL and is_known and _is_byte_level(backend, config)


def _is_byte_level(backend: Backend, config: Mapping[str, Any]) -> bool:
    """Whether a tokenizer is what the class of BART and RoBERTa makes of its vocabulary and merges."""
    model, defaults = backend.model, {"dropout": None, "unk_token": None, "fuse_unk": False}
    spaced = config.get("add_prefix_space", False)
    trimmed = config.get("trim_offsets", True)
    named = [_content(config.get(name)) for name in _NAMED]
    return (
        type(model).__name__ == "BPE"
        and all(getattr(model, name) == value for name, value in defaults.items())
        and not any((model.continuing_subword_prefix, model.end_of_word_suffix))
        and not any((model.byte_fallback, model.ignore_merges))
        and backend.normalizer is None
        and _state(backend.pre_tokenizer, "type", "add_prefix_space", "use_regex")
        == ("ByteLevel", spaced, True)
        and _state(backend.decoder, "type") == ("ByteLevel",)
        and None not in named
        and _state(backend.post_processor, "type", "sep", "cls", "trim_offsets", "add_prefix_space")
        == (
            "RobertaProcessing",
            *([name, backend.token_to_id(str(name))] for name in (named[3], named[5])),
            trimmed,
            spaced,
        )
    )


def _state(part: Any, *names: str) -> tuple[object, ...]:
    """Settings of a part of a tokenizer, which may have none."""
    state = {} if part is None else json.loads(part.__getstate__())
    return tuple(state.get(name) for name in names)


def _has_same_tokens(folder: Path, config: Mapping[str, Any], backend: Backend) -> bool:
    """Whether what stands beside ``tokenizer.json`` adds no token to it."""
    declared = config.get("added_tokens_decoder")
    if declared is None:
        # Older files that transformers merges where the configuration lists no tokens.
        return not any((folder / name).is_file() for name in ("special_tokens_map.json", "added_tokens.json"))
    flags = ("content", "single_word", "lstrip", "rstrip", "normalized", "special")
    there = {
        str(number): tuple(getattr(token, name) for name in flags)
        for number, token in backend.get_added_tokens_decoder().items()
    }
    listed = isinstance(declared, dict) and all(isinstance(token, dict) for token in declared.values())
    return listed and {k: tuple(v.get(name) for name in flags) for k, v in declared.items()} == there
