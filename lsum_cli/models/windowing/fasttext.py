"""Word vectors of fastText: the text format ``.vec`` and the binary format ``.bin``.

A ``.bin`` file has a vector for every word: the mean of its own and those of its character n-grams.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lsum_cli.errors import OptionError

Vector = NDArray[np.float32]

_MAGIC, _VERSION = 793712314, 12
_LONGEST_WORD = 1 << 16
_FIRST_HASH, _HASH_PRIME = 2166136261, 16777619


def read_embeddings(path: Path, words: Sequence[str], *, size: int) -> dict[int, Vector]:
    """Read the vectors of some words.

    Args:
        path: A ``.vec`` or ``.bin`` file.
        words: Lower-cased.
        size: Numbers that a vector must have.

    Returns:
        Vectors, (size,), by the word's place in ``words``; words without one are missing.

    Raises:
        OptionError: The file cannot be read, is damaged, or its vectors have another size.
    """
    try:
        if path.suffix == ".bin":
            return dict(_read_binary(path, words, size))
        return dict(_read_text(path, words, size))
    except OSError as error:
        raise OptionError(
            f"the embeddings {path} cannot be read: {error.strerror}", "give a .vec or .bin file of fastText"
        ) from error


def _read_text(path: Path, words: Sequence[str], size: int) -> Iterator[tuple[int, Vector]]:
    places = {word: place for place, word in enumerate(words)}
    taken: set[int] = set()
    with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            parts = line.rstrip().split(" ")
            if number == 1 and len(parts) == 2 and all(part.isdigit() for part in parts):
                _check_size(path, int(parts[1]), size)
                continue
            place = places.get(parts[0].lower())
            if place is None or place in taken:
                continue
            _check_size(path, len(parts) - 1, size, where=f", line {number}")
            try:
                vector = np.array(parts[1:], np.float32)
            except ValueError as error:
                raise _damaged(path, f"line {number} is not a list of numbers") from error
            if not np.isfinite(vector).all():
                raise _damaged(path, f"line {number} holds NaN or infinite values")
            taken.add(place)
            yield place, vector


def _read_binary(path: Path, words: Sequence[str], size: int) -> Iterator[tuple[int, Vector]]:
    with path.open("rb") as file:
        try:
            magic, version = struct.unpack("<ii", file.read(8))
            if magic != _MAGIC or version != _VERSION:
                raise _damaged(path, "it is not a fastText model of version 12")
            dim, *_, bucket, minn, maxn, _rate = struct.unpack("<12i", file.read(48))
            file.read(8)  # the sampling threshold
            entries, num_words, _labels, _tokens, pruned = struct.unpack("<3i2q", file.read(28))
            _check_size(path, dim, size)
            own = {}
            for entry in range(entries):
                own[_read_word(path, file)] = entry
                file.read(9)  # how often, and of which kind
            if pruned > 0 or file.read(1) != b"\0":
                raise OptionError(f"{path} is a quantised model", "give one that is not (.bin, not .ftz)")
            rows, columns = struct.unpack("<2q", file.read(16))
        except struct.error as error:
            raise _damaged(path, "it ends too early") from error
        start = file.tell()
    if columns != dim or path.stat().st_size < start + 4 * rows * columns:
        raise _damaged(path, "it ends too early")
    matrix = np.memmap(path, np.float32, mode="r", offset=start, shape=(rows, columns))
    for place, word in enumerate(words):
        row = own.get(word)
        parts = [row] if row is not None and row < num_words else []
        if maxn > 0 and bucket > 0:
            parts += [num_words + _hash(ngram) % bucket for ngram in _ngrams(f"<{word}>", minn, maxn)]
        parts = [part for part in parts if part < rows]
        if parts:
            vector: Vector = matrix[parts].mean(axis=0)
            yield place, vector


def _read_word(path: Path, file: object) -> str:
    read = file.read  # type: ignore[attr-defined]
    letters = bytearray()
    while (letter := read(1)) != b"\0":
        if not letter or len(letters) > _LONGEST_WORD:
            raise _damaged(path, "it ends too early")
        letters += letter
    return letters.decode("utf-8", errors="replace")


def _ngrams(word: str, minn: int, maxn: int) -> Iterator[str]:
    for start in range(len(word)):
        for length in range(minn, min(maxn, len(word) - start) + 1):
            if length > 1 or 0 < start < len(word) - 1:
                yield word[start : start + length]


def _hash(ngram: str) -> int:
    """FNV-1a in 32 bits, over bytes that fastText takes for signed."""
    value = _FIRST_HASH
    for byte in ngram.encode():
        signed = byte | 0xFFFFFF00 if byte > 127 else byte
        value = ((value ^ signed) * _HASH_PRIME) & 0xFFFFFFFF
    return value


def _check_size(path: Path, found: int, size: int, where: str = "") -> None:
    if found != size:
        raise OptionError(
            f"the vectors of {path}{where} have {found} numbers, the model's words {size}",
            f"give --set model.embedding_size={found}, or another file",
        )


def _damaged(path: Path, problem: str) -> OptionError:
    return OptionError(f"the embeddings {path} are damaged: {problem}", "download them again")
