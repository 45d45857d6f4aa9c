"""An example of a data set, and its size without a tokenizer."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lsum_cli.documents import Document
from lsum_cli.text.terms import count_words


@dataclass(frozen=True, kw_only=True)
class Example:
    """One record of a data set.

    Attributes:
        id: Unique within the data set.
        documents: The documents to summarise; at least one.
        reference: The human-written summary; ``None`` where the data set has none.
        where: File and line or record it came from, for messages.
    """

    id: str
    documents: tuple[Document, ...]
    reference: str | None
    where: str


Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class ExampleSizes:
    """Sizes of examples, in their order.

    Attributes:
        document_words: Words of all documents of each example, shape ``(examples,)``.
        reference_words: Words of the reference, 0 where there is none, shape ``(examples,)``.
        num_documents: Number of documents, shape ``(examples,)``.
        text_hashes: Hashes of the documents' text, shape ``(examples,)``.
    """

    document_words: Integers
    reference_words: Integers
    num_documents: Integers
    text_hashes: Integers

    @classmethod
    def of(cls, rows: Integers) -> ExampleSizes:
        """Split rows of :func:`measure_example`, shape ``(examples, 4)``, into columns."""
        return cls(
            document_words=rows[:, 0],
            reference_words=rows[:, 1],
            num_documents=rows[:, 2],
            text_hashes=rows[:, 3],
        )


def measure_example(example: Example) -> tuple[int, int, int, int]:
    """One row of sizes: document words, reference words, documents, hash of the text."""
    digest = hashlib.blake2b(digest_size=8)
    words = 0
    for document in example.documents:
        text = " ".join(sentence.text for sentence in document.sentences)
        words += count_words(text)
        digest.update(text.encode() + b"\x00")
    text_hash = int.from_bytes(digest.digest(), "little", signed=True)
    return words, count_words(example.reference or ""), len(example.documents), text_hash
