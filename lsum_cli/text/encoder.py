"""Vectors of English sentences, near each other where the sentences mean nearly the same.

The packaged encoder is all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0), a BERT of six layers (Devlin et
al. 2019) whose states of all tokens are averaged (Reimers and Gurevych 2019); ``scripts/pack_encoder`` packs
it. It is computed by numpy alone: importing torch takes longer than what is encoded here. All sentences of a
book would take half a minute, so that :meth:`SentenceEncoder.encode_roughly`, which takes the words of a
sentence without their order, tells which of them to encode.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lsum_cli.text.terms import FloatArray

PACKAGED = Path(__file__).with_name("packaged")
WEIGHTS, TOKENIZER = "encoder.safetensors", "tokenizer.json"

Array = NDArray[np.float32]

# The tokens that the encoder was trained with at most; those of a longer sentence beyond that are not seen.
_MOST_TOKENS = 256
# The tokens that are computed together: their widest states take 6 MB.
_TOKENS_AT_ONCE = 1024


class SentenceEncoder:
    """A BERT that gives each sentence a vector of length 1.

    Args:
        tensors: What ``scripts/pack_encoder`` packs, by name.
        tokenizer: The tokenizer (of the library ``tokenizers``), which neither pads nor truncates.
        num_heads: How many heads attention has.
        layer_norm_eps: What layer normalisation adds to the variance.
    """

    def __init__(
        self, tensors: dict[str, NDArray[Any]], tokenizer: Any, *, num_heads: int, layer_norm_eps: float
    ) -> None:
        self._tensors = tensors
        self._tokenizer = tokenizer
        self._num_heads = num_heads
        self._epsilon = np.float32(layer_norm_eps)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read an encoder that ``scripts/pack_encoder`` wrote to a folder."""
        from safetensors import safe_open
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        with safe_open(folder / WEIGHTS, framework="numpy") as file:
            settings = file.metadata()
            return cls(
                {name: file.get_tensor(name) for name in file.keys()},  # noqa: SIM118 - it is no mapping
                tokenizer,
                num_heads=int(settings["num_heads"]),
                layer_norm_eps=float(settings["layer_norm_eps"]),
            )

    def encode(self, texts: Sequence[str]) -> Array:
        """(texts, hidden) a vector of length 1 for each text."""
        tokens = self._ids(texts)
        positions, hidden = self._tensors["positions"].shape
        most = min(_MOST_TOKENS, positions)
        # The last token ends the text.
        rows = [each[: most - 1] + each[-1:] if len(each) > most else each for each in tokens]
        found = np.zeros((len(rows), hidden), np.float32)
        batch: list[int] = []
        count = 0
        for row in sorted(range(len(rows)), key=lambda row: len(rows[row])):
            if batch and count + len(rows[row]) > _TOKENS_AT_ONCE:
                found[batch] = self._means([rows[each] for each in batch])
                batch, count = [], 0
            batch.append(row)
            count += len(rows[row])
        if batch:
            found[batch] = self._means([rows[each] for each in batch])
        return _scaled(found)

    def encode_roughly(self, texts: Sequence[str]) -> Array:
        """(texts, hidden) the same by the words alone, the less the more frequent: a hundred times as fast.

        A text is the sum of the vectors that its tokens have before the first layer, weighted by smooth
        inverse frequency (Arora et al. 2017); one without words has a vector of length 0.
        """
        found = np.zeros((len(texts), self._tensors["positions"].shape[1]), np.float32)
        for row, tokens in enumerate(self._ids(texts, add_special_tokens=False)):
            ids = np.array(tokens, np.int64)
            if len(ids):
                found[row] = self._tensors["word_weights"][ids] @ (
                    self._tokens(ids) - self._tensors["centre"]
                )
        return _scaled(found)

    def _ids(self, texts: Sequence[str], *, add_special_tokens: bool = True) -> list[list[int]]:
        """The tokens of each text."""
        # Half of a pair of surrogates, as an argument has of bytes that are not UTF-8, is no text.
        whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        encoded = self._tokenizer.encode_batch(whole, add_special_tokens=add_special_tokens)
        return [each.ids for each in encoded]

    def _tokens(self, ids: NDArray[np.int64]) -> Array:
        """(ids, hidden) the vectors of tokens before the first layer."""
        vectors: Array = self._tensors["tokens.matrix"][ids] * self._tensors["tokens.scales"][ids, None]
        return vectors

    def _means(self, rows: Sequence[Sequence[int]]) -> Array:
        """(rows, hidden) the means of the last states of rows of tokens, shorter rows first.

        All tokens are the rows of one product, without padding; attention is computed by rows of one length.
        """
        lengths = np.array([len(row) for row in rows])
        starts = np.concatenate(([0], np.cumsum(lengths)))
        ids = np.concatenate([np.array(row, np.int64) for row in rows])
        places = np.concatenate([np.arange(length) for length in lengths])
        states = self._norm("norm", self._tokens(ids) + self._tensors["positions"][places])
        number = 0
        while f"{number}.wider.matrix" in self._tensors:
            attended = self._attend(self._linear(f"{number}.attention", states), lengths, starts)
            states = self._norm(
                f"{number}.attention_norm", states + self._linear(f"{number}.attended", attended)
            )
            wider = _gelu(self._linear(f"{number}.wider", states))
            states = self._norm(f"{number}.norm", states + self._linear(f"{number}.narrower", wider))
            number += 1
        sums = np.add.reduceat(states, starts[:-1], axis=0)
        means: Array = np.divide(sums, lengths[:, None], dtype=np.float32)
        return means

    def _attend(self, states: Array, lengths: NDArray[np.int64], starts: NDArray[np.int64]) -> Array:
        """(tokens, hidden) what each token attends to in its own row, of (tokens, 3 × hidden) states."""
        hidden = states.shape[1] // 3
        width = hidden // self._num_heads
        attended = np.empty((len(states), hidden), np.float32)
        for length in sorted(set(lengths.tolist())):
            rows = np.flatnonzero(lengths == length)
            alike = slice(starts[rows[0]], starts[rows[-1] + 1])
            parts = states[alike].reshape(len(rows), length, 3, self._num_heads, width)
            # each (rows, heads, length, width)
            query, key, value = parts.transpose(2, 0, 3, 1, 4)
            scores = query @ key.swapaxes(2, 3) / np.float32(width**0.5)
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            scores /= scores.sum(axis=-1, keepdims=True)
            attended[alike] = (scores @ value).swapaxes(1, 2).reshape(-1, hidden)
        return attended

    def _linear(self, name: str, states: Array) -> Array:
        """(tokens, out) a linear layer."""
        matrix, scales = self._tensors[f"{name}.matrix"], self._tensors[f"{name}.scales"]
        product: Array = states @ matrix.T.astype(np.float32) * scales + self._tensors[f"{name}.bias"]
        return product

    def _norm(self, name: str, states: Array) -> Array:
        """(tokens, hidden) layer normalisation."""
        centred = states - states.mean(axis=1, keepdims=True)
        variance = (centred * centred).mean(axis=1, keepdims=True)
        normed = centred / np.sqrt(variance + self._epsilon)
        scaled: Array = normed * self._tensors[f"{name}.gain"] + self._tensors[f"{name}.bias"]
        return scaled


def similarity(vector: Array, others: Array) -> FloatArray:
    """(others,) how near each text is to one by their vectors: the cosine, at least 0."""
    found: FloatArray = np.maximum(0, others @ vector).astype(np.float64)
    return found


@cache
def packaged_encoder() -> SentenceEncoder:
    """The encoder that comes with lsum; read once."""
    return SentenceEncoder.load(PACKAGED)


def _gelu(values: Array) -> Array:
    """The Gaussian error linear unit; erf by Abramowitz and Stegun 7.1.26, within 1.5e-7."""
    size = np.abs(values) * np.float32(0.5**0.5)
    part = np.reciprocal(1 + np.float32(0.3275911) * size)
    series: Array = np.zeros_like(part)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series += np.float32(factor)
        series *= part
    series *= np.exp(-size * size)
    # erf is odd.
    error = np.copysign(1 - series, values)
    unit: Array = (np.float32(0.5) * values * (1 + error)).astype(np.float32, copy=False)
    return unit


def _scaled(vectors: Array) -> Array:
    """(rows, hidden) vectors scaled to length 1; those of length 0 as they are."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Array = np.divide(vectors, np.where(lengths > 0, lengths, 1), dtype=np.float32)
    return scaled
