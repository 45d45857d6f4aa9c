"""What one trains and evaluates on: documents with the summary a person wrote."""

from __future__ import annotations

from dataclasses import dataclass

from lsum_cli.documents import Document


@dataclass(frozen=True, kw_only=True)
class Example:
    """One record of a data set.

    Attributes:
        id: Unique within the data set.
        documents: What is to be summarised, as reading composes it; at least one.
        reference: The summary a person wrote; ``None`` where the data set has none.
        where: File and line or record it came from, for messages.
    """

    id: str
    documents: tuple[Document, ...]
    reference: str | None
    where: str
